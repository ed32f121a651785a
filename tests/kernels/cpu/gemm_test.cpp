// Every CPU provider of gemm against Gemm::verify, on a real CpuDevice.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <tuple>

#include "kernels/cpu/common_openblas_library.hpp"
#include "rtxbench/problems/gemm.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {
void register_backend_cpu(Registry&);
void register_provider_gemm_naive(Registry&);
void register_provider_gemm_openblas(Registry&);

namespace {

Registry cpu_registry() {
  Registry registry;
  register_backend_cpu(registry);
  register_provider_gemm_naive(registry);
  register_provider_gemm_openblas(registry);
  return registry;
}

DType accumulate_type(DType type) { return type == DType::fp64 ? DType::fp64 : DType::fp32; }

// A problem with `sets` operand sets on the CPU: set s is filled from stream 16 s + tensor, outputs are poisoned.
class Bench {
 public:
  Bench(const GemmShape& shape, std::size_t sets = 1) : gemm_(shape) {
    std::string reason;
    const Backend& backend = *registry_.find_backend("cpu");
    device_ = backend.open(backend.enumerate(reason).at(0));
    for (std::size_t set = 0; set < sets; ++set) {
      TensorSet tensors;
      for (const TensorSpec& spec : gemm_.tensors()) {
        buffers_.push_back(device_->allocate(spec.bytes()));
        tensors.push_back({spec, buffers_.back()->data()});
        if (spec.role == TensorRole::output) {
          device_->poison(tensors.back());
        } else {
          device_->fill(tensors.back(), source(set, tensors.size() - 1));
        }
      }
      sets_.push_back(tensors);
    }
  }

  const Provider& provider(const std::string& name) const { return *registry_.find_provider("gemm", "cpu", name); }
  Support supports(const std::string& name) const { return provider(name).supports(gemm_, device_->info()); }
  Prepared prepare(const std::string& name) { return provider(name).prepare(gemm_, sets_, *device_); }
  std::unique_ptr<Invocation> prepared(const std::string& name) {
    return std::move(std::get<std::unique_ptr<Invocation>>(prepare(name)));
  }
  void call(Invocation& invocation, std::size_t set) { invocation.enqueue(device_->stream(), set); }

  std::uint64_t unwritten(std::size_t set) { return device_->count_nan(sets_[set].back()); }
  Verification verify(std::size_t set) {
    const ResultView view{
        [&, set](std::size_t tensor, std::uint64_t index) {
          return round_to_storage(gemm_.shape().dtype, element(source(set, tensor), index));
        },
        [&, set](std::size_t tensor, std::span<const std::uint64_t> indices) {
          return device_->gather(sets_[set][tensor], indices);
        },
    };
    return gemm_.verify(view, 1);
  }
  TensorSet& operands(std::size_t set) { return sets_[set]; }

 private:
  static DataSource source(std::size_t set, std::size_t tensor) { return {Distribution::uniform, 5, 16 * set + tensor}; }
  Registry registry_ = cpu_registry();
  Gemm gemm_;
  std::unique_ptr<Device> device_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<TensorSet> sets_;
};

struct Size {
  std::int64_t m, n, k;
};
constexpr Size kSizes[] = {{1, 1, 1}, {17, 17, 17}, {129, 65, 33}, {1, 65, 129}, {64, 64, 64}};
constexpr GemmLayout kLayouts[] = {GemmLayout::nn, GemmLayout::nt, GemmLayout::tn, GemmLayout::tt};

using Param = std::tuple<std::string, DType, GemmLayout>;
class CpuGemm : public testing::TestWithParam<Param> {
 protected:
  [[nodiscard]] GemmShape shape(const Size& size) const {
    const auto& [provider, dtype, layout] = GetParam();
    return {.m = size.m, .n = size.n, .k = size.k, .layout = layout, .dtype = dtype, .accumulate = accumulate_type(dtype)};
  }
  static void expect_right(const GemmShape& shape) {
    Bench bench(shape);
    const std::string& provider = std::get<0>(GetParam());
    ASSERT_TRUE(bench.supports(provider).yes);
    const auto invocation = bench.prepared(provider);
    bench.call(*invocation, 0);
    const Verification verification = bench.verify(0);
    EXPECT_EQ(bench.unwritten(0), 0U);
    EXPECT_TRUE(verification.passed) << verification.detail;
    EXPECT_GT(verification.checked, 0U);
    EXPECT_EQ(invocation->details().contains("note"),
              storage_bytes(shape.dtype) == 2 || (provider == "openblas" && shape.beta != 0));
  }
};
std::string parameter_name(const testing::TestParamInfo<Param>& info) {
  const auto& [provider, dtype, layout] = info.param;
  return provider + "_" + std::string(name(dtype)) + "_" + std::string(name(layout));
}
INSTANTIATE_TEST_SUITE_P(All, CpuGemm,
                         testing::Combine(testing::Values("naive", "openblas"),
                                          testing::Values(DType::fp64, DType::fp32, DType::fp16, DType::bf16),
                                          testing::ValuesIn(kLayouts)),
                         parameter_name);

TEST_P(CpuGemm, OddSizes) {
  for (const Size& size : kSizes) expect_right(shape(size));
}

TEST_P(CpuGemm, Batch) {
  GemmShape batched = shape({5, 9, 7});
  batched.batch = 4;
  expect_right(batched);
}

TEST_P(CpuGemm, AlphaAndBeta) {
  GemmShape scaled = shape({33, 17, 65});
  scaled.batch = 2;
  scaled.alpha = -0.75;
  scaled.beta = 1.5;
  expect_right(scaled);
}

TEST_P(CpuGemm, EachOperandSetIsItsOwn) {
  Bench bench(shape({17, 33, 9}), 3);
  const auto invocation = bench.prepared(std::get<0>(GetParam()));
  bench.call(*invocation, 2);
  EXPECT_EQ(bench.unwritten(0), 17U * 33U);
  EXPECT_EQ(bench.unwritten(2), 0U);
  EXPECT_TRUE(bench.verify(2).passed);
  bench.call(*invocation, 0);
  EXPECT_TRUE(bench.verify(0).passed);
  EXPECT_TRUE(bench.verify(2).passed);
}

// fp32 must not be computed in fewer bits: 1024.5 needs 11 explicit mantissa bits, tf32 has 10.
TEST(CpuGemmExactness, Fault39_Fp32ProductsKeepEveryBit) {
  for (const std::string provider : {"naive", "openblas"}) {
    Bench bench({.m = 3, .n = 3, .k = 3});
    TensorSet& tensors = bench.operands(0);
    for (std::size_t i = 0; i < 9; ++i) {
      store_element(DType::fp32, tensors[0].data, i, i % 4 == 0 ? 1024.5 : 0.0);
      store_element(DType::fp32, tensors[1].data, i, 1.0);
    }
    bench.call(*bench.prepared(provider), 0);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(load_element(DType::fp32, tensors[2].data, i), 1024.5) << provider;
  }
}

TEST(CpuGemmSupport, Tf32IsRefusedWithAReason) {
  Bench bench({.m = 8, .n = 8, .k = 8, .dtype = DType::tf32});
  for (const std::string provider : {"naive", "openblas"}) {
    EXPECT_FALSE(bench.supports(provider).yes);
    EXPECT_NE(bench.supports(provider).reason.find("tf32"), std::string::npos);
  }
}

TEST(CpuGemmSupport, NaiveStopsAtItsLimitAndNamesIt) {
  const Registry registry = cpu_registry();
  const Provider& naive = *registry.find_provider("gemm", "cpu", "naive");
  EXPECT_TRUE(naive.supports(Gemm({.m = 1024, .n = 1024, .k = 1024}), {}).yes);
  const Support support = naive.supports(Gemm({.m = 1024, .n = 1024, .k = 1025}), {});
  EXPECT_FALSE(support.yes);
  EXPECT_NE(support.reason.find("2147483648"), std::string::npos) << support.reason;
  EXPECT_FALSE(naive.supports(Gemm({.m = 512, .n = 512, .k = 512, .batch = 9}), {}).yes);
}

TEST(CpuGemmSupport, OpenblasTakesOnlySizesOf32Bits) {
  const Registry registry = cpu_registry();
  const Provider& openblas = *registry.find_provider("gemm", "cpu", "openblas");
  const std::int64_t limit = 2147483647;
  EXPECT_TRUE(openblas.supports(Gemm({.m = limit, .n = 1, .k = 1}), {}).yes);
  for (const GemmShape& shape : {GemmShape{.m = limit + 1}, GemmShape{.n = limit + 1}, GemmShape{.k = limit + 1}}) {
    EXPECT_NE(openblas.supports(Gemm(shape), {}).reason.find("2147483647"), std::string::npos);
  }
}

TEST(OpenblasGemm, DetailsNameTheLibrary) {
  Bench bench({.m = 8, .n = 8, .k = 8, .dtype = DType::fp16});
  const auto details = bench.prepared("openblas")->details();
  EXPECT_EQ(details.at("library").rfind("OpenBLAS", 0), 0U) << details.at("library");
  EXPECT_NE(details.at("place").find("openblas"), std::string::npos);
  EXPECT_GE(std::stoi(details.at("threads")), 1);
  EXPECT_EQ(details.at("workspace_bytes"), std::to_string(3 * 64 * 4));
  EXPECT_EQ(details.at("note"), "stored as fp16, computed in fp32, conversion inside the timing");
}

TEST(OpenblasGemm, Fault38_MissingLibraryMakesTheRowUnsupportedWithThePlace) {
  Bench bench({.m = 8, .n = 8, .k = 8});
  setenv("RTXBENCH_OPENBLAS", "/nowhere/libopenblas.so.0", 1);
  const Prepared prepared = bench.prepare("openblas");
  unsetenv("RTXBENCH_OPENBLAS");
  ASSERT_TRUE(std::holds_alternative<Unsupported>(prepared));
  const std::string& reason = std::get<Unsupported>(prepared).reason;
  EXPECT_NE(reason.find("OpenBLAS"), std::string::npos) << reason;
  EXPECT_NE(reason.find("/nowhere/libopenblas.so.0"), std::string::npos) << reason;
  EXPECT_TRUE(std::holds_alternative<std::unique_ptr<Invocation>>(bench.prepare("openblas")));  // and is found again later
}

TEST(OpenblasLibrary, EveryNameResolves) {
  std::string reason;
  const auto library = cpu::OpenblasLibrary::open(reason);
  ASSERT_NE(library, nullptr) << reason;
  EXPECT_NE(library->cblas_sgemm, nullptr);
  EXPECT_NE(library->cblas_dgemm, nullptr);
  EXPECT_NE(library->openblas_get_config, nullptr);
  EXPECT_NE(library->openblas_get_corename, nullptr);
  EXPECT_NE(library->openblas_get_num_threads, nullptr);
}

}  // namespace
}  // namespace rtxbench
