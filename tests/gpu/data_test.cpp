// Data on the device: filled, poisoned, counted and gathered, against the same functions on the host.
#include <numeric>

#include "gpu/gpu_fixture.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

using DataTest = test::GpuTest;
constexpr std::int64_t kElements = 1 << 18 | 37;  // odd: the last block is partly idle

std::vector<std::uint64_t> all_indices(std::int64_t count) {
  std::vector<std::uint64_t> indices(static_cast<std::size_t>(count));
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

TEST_F(DataTest, FillEqualsTheHostsElementsInEveryTypeAndDistribution) {
  const std::vector<std::uint64_t> indices = all_indices(kElements);
  for (const DType type : all_dtypes()) {
    Held held = make({"A", type, {kElements}});
    for (const Distribution distribution :
         {Distribution::uniform, Distribution::normal, Distribution::zeros, Distribution::integers, Distribution::ones}) {
      const DataSource source{distribution, 42, 7};
      device().poison(held.tensor);
      device().fill(held.tensor, source);
      const std::vector<double> values = device().gather(held.tensor, indices);
      std::uint64_t different = 0;
      for (const std::uint64_t i : indices) different += values[i] != round_to_storage(type, element(source, i)) ? 1 : 0;
      EXPECT_EQ(different, 0U) << name(type) << ' ' << name(distribution);
    }
  }
}

TEST_F(DataTest, SeedAndStreamChangeTheData) {
  Held held = make({"A", DType::fp32, {64}});
  const std::vector<std::uint64_t> indices = all_indices(64);
  device().fill(held.tensor, {Distribution::uniform, 1, 0});
  const std::vector<double> first = device().gather(held.tensor, indices);
  device().fill(held.tensor, {Distribution::uniform, 2, 0});
  const std::vector<double> other_seed = device().gather(held.tensor, indices);
  device().fill(held.tensor, {Distribution::uniform, 1, 1});
  EXPECT_NE(first, other_seed);
  EXPECT_NE(first, device().gather(held.tensor, indices));
}

TEST_F(DataTest, PoisonIsNanEverywhereAndCountedExactly) {
  for (const DType type : all_dtypes()) {
    Held held = make({"D", type, {kElements}, TensorRole::output});
    device().poison(held.tensor);
    EXPECT_EQ(device().count_nan(held.tensor), static_cast<std::uint64_t>(kElements)) << name(type);
    // Writes all but the last 5 elements: those are what count_nan must find.
    Tensor most = held.tensor;
    most.spec.shape = {kElements - 5};
    device().fill(most, {});
    EXPECT_EQ(device().count_nan(held.tensor), 5U) << name(type);
  }
}

TEST_F(DataTest, GatherReturnsAnyOrderRepeatsAndNothing) {
  Held held = make({"A", DType::fp64, {1000}});
  const DataSource source{Distribution::uniform, 3, 0};
  device().fill(held.tensor, source);
  const std::vector<std::uint64_t> indices{999, 0, 500, 500};
  const std::vector<double> values = device().gather(held.tensor, indices);
  ASSERT_EQ(values.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(values[i], element(source, indices[i]));
  EXPECT_TRUE(device().gather(held.tensor, {}).empty());
}

TEST_F(DataTest, Fault42_AnAllocationThatDoesNotFitSaysWhatItNeedsAndLeavesTheDeviceUsable) {
  const std::uint64_t bytes = std::uint64_t{1} << 46;  // 64 TiB
  try {
    static_cast<void>(device().allocate(bytes));
    FAIL() << "64 TiB were allocated";
  } catch (const OutOfMemoryError& error) {
    EXPECT_NE(std::string(error.what()).find("64.00 TiB"), std::string::npos) << error.what();
  }
  Held held = make({"A", DType::fp32, {16}});
  EXPECT_NO_THROW(device().fill(held.tensor, {}));
}

TEST_F(DataTest, BuffersGiveTheirMemoryBack) {
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 30;
  const std::uint64_t before = device().free_bytes();
  {
    const auto buffer = device().allocate(kBytes);
    EXPECT_LE(device().free_bytes() + kBytes / 2, before);
  }
  EXPECT_GE(device().free_bytes() + kBytes / 2, before);
}

TEST_F(DataTest, Fault35_TheDeviceHasIndexPciAndUuid) {
  const DeviceInfo& info = device().info();
  EXPECT_EQ(info.backend, "cuda");
  EXPECT_TRUE(info.id.starts_with("GPU-") || info.id.starts_with("MIG-")) << info.id;
  EXPECT_EQ(info.id.size(), 40U) << info.id;
  EXPECT_EQ(info.pci.size(), 16U) << info.pci;
  EXPECT_GT(info.cache_bytes.value_or(0), 0U);
  EXPECT_TRUE(info.code.ends_with("cubin") || info.code.find("PTX") != std::string::npos) << info.code;
}

}  // namespace
}  // namespace rtxbench
