// Verification of products too large to compare whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <iterator>
#include <limits>
#include <set>

#include "rtxbench/problems/gemm.hpp"

namespace rtxbench {
namespace {
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A device that computes elements of D on demand, for shapes too large to hold.
struct LargeBench {
  GemmShape shape;
  std::function<double(std::uint64_t index, double right)> spoil = [](std::uint64_t, double right) { return right; };
  std::vector<std::uint64_t> asked = {};
  std::uint64_t reads = 0;

  [[nodiscard]] double input(std::size_t tensor, std::uint64_t index) const {
    return round_to_storage(shape.dtype, element({Distribution::uniform, 3, tensor}, index));
  }
  Verification verify(std::uint64_t seed) {
    const auto m = static_cast<std::uint64_t>(shape.m), n = static_cast<std::uint64_t>(shape.n),
               k = static_cast<std::uint64_t>(shape.k);
    const ResultView view{.input =
                              [this](std::size_t tensor, std::uint64_t index) {
                                ++reads;
                                return input(tensor, index);
                              },
                          .output =
                              [this, m, n, k](std::size_t, std::span<const std::uint64_t> indices) {
                                asked.assign(indices.begin(), indices.end());
                                std::vector<double> values;
                                for (const std::uint64_t index : indices) {
                                  const std::uint64_t batch = index / (m * n), row = index / n % m, column = index % n;
                                  float sum = 0;
                                  for (std::uint64_t p = 0; p < k; ++p) {
                                    sum += static_cast<float>(input(0, (batch * m + row) * k + p)) *
                                           static_cast<float>(input(1, (batch * k + p) * n + column));
                                  }
                                  values.push_back(spoil(index, round_to_storage(shape.dtype, static_cast<double>(sum))));
                                }
                                return values;
                              }};
    return Gemm(shape).verify(view, seed);
  }
};

std::set<std::uint64_t> distinct(const std::vector<std::uint64_t>& indices, std::uint64_t divisor, std::uint64_t modulus) {
  std::set<std::uint64_t> found;
  for (const std::uint64_t index : indices) found.insert(index / divisor % modulus);
  return found;
}

TEST(GemmSampling, LargeProblemsAreSampledWithTheEdges) {
  LargeBench bench{{.m = 3000, .n = 2000, .k = 500, .dtype = DType::fp16}};
  const Verification v = bench.verify(1);
  EXPECT_TRUE(v.passed) << v.detail;
  EXPECT_EQ(v.coverage, Coverage::sampled);
  EXPECT_EQ(v.checked, 1024U);
  EXPECT_EQ(bench.reads, 32U * 500 + 32U * 500);
  const auto rows = distinct(bench.asked, 2000, 3000), columns = distinct(bench.asked, 1, 2000);
  EXPECT_EQ(rows.size(), 32U);
  EXPECT_EQ(columns.size(), 32U);
  EXPECT_TRUE(rows.contains(0) && rows.contains(2999));
  EXPECT_TRUE(columns.contains(0) && columns.contains(1999));
  // The rest is spread, and follows the seed.
  EXPECT_GT(*std::next(rows.rbegin(), 8), 1500U);
  EXPECT_LT(*std::next(rows.begin(), 8), 1500U);
  const std::vector<std::uint64_t> first = bench.asked;
  (void)bench.verify(1);
  EXPECT_EQ(bench.asked, first);
  (void)bench.verify(2);
  EXPECT_NE(bench.asked, first);
}

TEST(GemmSampling, SampledBatchesHoldFirstAndLast) {
  LargeBench bench{{.m = 128, .n = 128, .k = 128, .batch = 64}};
  EXPECT_EQ(bench.verify(1).coverage, Coverage::sampled);
  const auto batches = distinct(bench.asked, 128 * 128, 64);
  EXPECT_EQ(batches.size(), 3U);
  EXPECT_TRUE(batches.contains(0) && batches.contains(63));
  bench.spoil = [](std::uint64_t index, double right) { return index / (128 * 128) == 63 ? right + 1 : right; };
  const Verification v = bench.verify(1);
  EXPECT_FALSE(v.passed);
  EXPECT_THAT(v.detail, HasSubstr("batch 63"));
}

TEST(GemmSampling, SamplingSeesAWrongEdgeAndAWrongTile) {
  LargeBench bench{{.m = 2000, .n = 2000, .k = 40, .dtype = DType::bf16}};
  EXPECT_TRUE(bench.verify(1).passed);
  bench.spoil = [](std::uint64_t index, double right) { return index / 2000 == 1999 ? right + 1 : right; };  // last row
  EXPECT_FALSE(bench.verify(1).passed);
  bench.spoil = [](std::uint64_t index, double) { return index % 2000 >= 1000 ? kNaN : 0.0; };
  EXPECT_FALSE(bench.verify(1).passed);
}

TEST(GemmSampling, LongSumsWorkInPanels) {
  LargeBench bench{{.m = 33, .n = 2, .k = 100'000, .dtype = DType::fp32}};  // k beyond one panel for 35 vectors
  const Verification v = bench.verify(1);
  EXPECT_TRUE(v.passed) << v.detail;
  EXPECT_EQ(v.coverage, Coverage::full);
  EXPECT_EQ(bench.reads, 35U * 100'000);
  bench.spoil = [](std::uint64_t, double right) { return right + 0.5; };
  EXPECT_FALSE(bench.verify(1).passed);
}

TEST(GemmSampling, AnOutputLargerThanItsFlopIsSampled) {
  LargeBench bench{{.m = 4096, .n = 4096, .k = 1}};  // 34 MFLOP, but 16.8 million elements
  const Verification v = bench.verify(1);
  EXPECT_TRUE(v.passed);
  EXPECT_EQ(v.coverage, Coverage::sampled);
}

}  // namespace
}  // namespace rtxbench
