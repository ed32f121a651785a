// Verification of a product: what must pass, what must fail, and how much is looked at.
#include "rtxbench/problems/gemm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What tensor cores do to an fp32 input: keep 10 bits of the mantissa.
double truncate_to_tf32(double value) {
  return static_cast<double>(std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) & 0xffffe000U));
}

// A device of one operand set: the inputs by formula, D in an array that a test may spoil.
struct Bench {
  GemmShape shape;
  Distribution distribution = Distribution::uniform;
  std::int64_t dropped_terms = 0;  // of each sum, at its end
  double (*multiplicand)(double) = [](double value) { return value; };
  std::vector<double> d = {};
  mutable std::size_t gathers = 0;
  mutable std::map<std::pair<std::size_t, std::uint64_t>, int> reads = {};

  [[nodiscard]] double input(std::size_t tensor, std::uint64_t index) const {
    return round_to_storage(shape.dtype, element({distribution, 7, tensor}, index));
  }

  // A plain triple loop in the accumulate type, written from the definition of the layouts.
  template <class Accumulate>
  Bench& compute_in() {
    const auto [m, n, k, batch] = std::tuple(shape.m, shape.n, shape.k, shape.batch);
    d.resize(static_cast<std::size_t>(batch * m * n));
    for (std::int64_t b = 0; b < batch; ++b) {
      for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          Accumulate sum = 0;
          for (std::int64_t p = 0; p < k - dropped_terms; ++p) {
            const std::int64_t a = b * m * k + (a_transposed(shape.layout) ? p * m + i : i * k + p);
            const std::int64_t bb = b * k * n + (b_transposed(shape.layout) ? j * k + p : p * n + j);
            sum += static_cast<Accumulate>(multiplicand(input(0, static_cast<std::uint64_t>(a)))) *
                   static_cast<Accumulate>(multiplicand(input(1, static_cast<std::uint64_t>(bb))));
          }
          const auto index = static_cast<std::size_t>((b * m + i) * n + j);
          auto value = static_cast<Accumulate>(shape.alpha) * sum;
          if (shape.beta != 0) value += static_cast<Accumulate>(shape.beta) * static_cast<Accumulate>(input(2, index));
          d[index] = round_to_storage(shape.dtype, static_cast<double>(value));
        }
      }
    }
    return *this;
  }
  Bench& compute() { return shape.accumulate == DType::fp64 ? compute_in<double>() : compute_in<float>(); }

  [[nodiscard]] ResultView view() const {
    return {.input =
                [this](std::size_t tensor, std::uint64_t index) {
                  ++reads[{tensor, index}];
                  return input(tensor, index);
                },
            .output =
                [this](std::size_t tensor, std::span<const std::uint64_t> indices) {
                  EXPECT_EQ(tensor, shape.beta != 0 ? 3U : 2U);
                  ++gathers;
                  std::vector<double> values;
                  for (const std::uint64_t index : indices) values.push_back(d.at(index));
                  return values;
                }};
  }
  [[nodiscard]] Verification verify(std::uint64_t seed = 1) const { return Gemm(shape).verify(view(), seed); }
};

GemmShape square(std::int64_t size, DType type = DType::fp32) {
  return {.m = size, .n = size, .k = size, .dtype = type, .accumulate = type == DType::fp64 ? DType::fp64 : DType::fp32};
}

TEST(GemmVerify, RightResultsOfEveryTypeAndLayoutPass) {
  for (const DType type : all_dtypes()) {
    for (const GemmLayout layout : {GemmLayout::nn, GemmLayout::nt, GemmLayout::tn, GemmLayout::tt}) {
      GemmShape shape{.m = 17, .n = 33, .k = 65, .batch = 2, .layout = layout, .dtype = type};
      if (type == DType::fp64) shape.accumulate = DType::fp64;
      for (const auto& [alpha, beta] : {std::pair{1.0, 0.0}, {0.5, -1.5}}) {
        shape.alpha = alpha;
        shape.beta = beta;
        const Verification v = Bench{shape}.compute().verify();
        EXPECT_TRUE(v.passed) << name(type) << " " << name(layout) << " " << v.detail;
        EXPECT_EQ(v.coverage, Coverage::full);
        EXPECT_EQ(v.checked, 2U * 17 * 33);
        EXPECT_EQ(v.reference, "cpu fp64");
        EXPECT_LE(v.relative_error, v.tolerance);
        EXPECT_LE(v.worst_element_ratio, 1);
        EXPECT_EQ(v.detail, "");
      }
    }
  }
}

TEST(GemmVerify, OddAndThinShapesPass) {
  for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {1, 1, 4095}, {17, 1, 3}, {1, 40, 1}, {3, 5, 1}}) {
    for (const DType type : all_dtypes()) {
      GemmShape shape = square(1, type);
      std::tie(shape.m, shape.n, shape.k) = std::tuple(m, n, k);
      const Verification v = Bench{shape}.compute().verify();
      EXPECT_TRUE(v.passed) << m << " " << n << " " << k << " " << name(type) << " " << v.detail;
    }
  }
}

TEST(GemmVerify, EveryDistributionPasses) {
  for (const auto distribution : {Distribution::normal, Distribution::zeros, Distribution::integers, Distribution::ones}) {
    for (const DType type : all_dtypes()) {
      const Verification v = Bench{square(45, type), distribution}.compute().verify();
      EXPECT_TRUE(v.passed) << name(distribution) << " " << name(type) << " " << v.detail;
      EXPECT_TRUE(std::isfinite(v.relative_error));
    }
  }
}

TEST(GemmVerify, SimulatedTensorCoreRoundingPassesForTf32) {
  Bench bench{square(64, DType::tf32)};
  bench.multiplicand = truncate_to_tf32;
  const Verification v = bench.compute().verify();
  EXPECT_TRUE(v.passed) << v.detail;
  EXPECT_GT(v.relative_error, 1e-5);  // the rounding is really there
}

TEST(GemmVerify, Fault39_Tf32ArithmeticFailsAsFp32) {
  Bench bench{square(64, DType::fp32)};
  bench.multiplicand = truncate_to_tf32;
  const Verification v = bench.compute().verify();
  EXPECT_FALSE(v.passed);
  EXPECT_GT(v.relative_error, v.tolerance);
  bench.shape.k = 4096;  // long sums have wide bounds: still
  bench.shape.m = bench.shape.n = 16;
  EXPECT_FALSE(bench.compute().verify().passed);
}

TEST(GemmVerify, Fp32ArithmeticFailsAsFp64) {
  const GemmShape shape = square(40, DType::fp64);
  EXPECT_FALSE(Bench{shape}.compute_in<float>().verify().passed);
}

TEST(GemmVerify, OneWrongElementFailsInFullCoverage) {
  for (const std::size_t wrong : {0UL, 31UL, 40UL * 40 - 1}) {
    Bench bench{square(40)};
    bench.compute();
    const double right = bench.d[wrong];
    bench.d[wrong] = right + 0.01;
    const Verification v = bench.verify();
    EXPECT_FALSE(v.passed);
    EXPECT_GT(v.worst_element_ratio, 1);
    EXPECT_THAT(v.detail, HasSubstr("1 of 1600 elements"));
    EXPECT_THAT(v.detail, HasSubstr("element " + std::to_string(wrong) + " of D"));
    EXPECT_THAT(v.detail, HasSubstr("row " + std::to_string(wrong / 40) + ", column " + std::to_string(wrong % 40)));
    EXPECT_THAT(v.detail, HasSubstr("got "));
    EXPECT_THAT(v.detail, HasSubstr("expected "));
  }
}

TEST(GemmVerify, AWrongElementTooFewForTheNormFailsByItsBound) {
  Bench bench{square(40, DType::bf16)};
  bench.compute();
  bench.d[777] *= 1.1;
  const Verification v = bench.verify();
  EXPECT_FALSE(v.passed);
  EXPECT_LE(v.relative_error, v.tolerance);
  EXPECT_GT(v.worst_element_ratio, 1);
}

// A library that splits k in two and keeps both halves in the output type is within the bounds; in fp32 there is no such
// excuse.
TEST(GemmVerify, PartialSumsInTheOutputTypePassFor16BitTypesOnly) {
  for (const DType type : {DType::bf16, DType::fp16, DType::fp32}) {
    const GemmShape shape{.m = 60, .n = 50, .k = 600, .dtype = type};
    Bench bench{shape};
    bench.d.resize(60 * 50);
    for (std::uint64_t element_index = 0; element_index < 60 * 50; ++element_index) {
      const std::uint64_t i = element_index / 50, j = element_index % 50;
      double halves[2] = {0, 0};
      for (std::uint64_t p = 0; p < 600; ++p) halves[p / 300] += bench.input(0, i * 600 + p) * bench.input(1, p * 50 + j);
      const DType kept = type == DType::fp32 ? DType::bf16 : type;
      bench.d[element_index] = round_to_storage(type, round_to_storage(kept, halves[0]) + round_to_storage(kept, halves[1]));
    }
    EXPECT_EQ(bench.verify().passed, type != DType::fp32) << name(type) << ' ' << bench.verify().detail;
  }
}

TEST(GemmVerify, Fp16SubnormalResultsPass) {
  Bench bench{{.m = 256, .n = 256, .k = 1, .dtype = DType::fp16}};  // some products lie below 2^-14
  bench.compute();
  EXPECT_GT(std::ranges::count_if(bench.d, [](double value) { return value != 0 && std::fabs(value) < 0x1.0p-14; }), 3);
  const Verification v = bench.verify();
  EXPECT_TRUE(v.passed) << v.detail;
}

TEST(GemmVerify, ADroppedTermFails) {
  for (const DType type : all_dtypes()) {
    Bench bench{square(96, type)};
    bench.dropped_terms = 1;
    EXPECT_FALSE(bench.compute().verify().passed) << name(type);
  }
}

TEST(GemmVerify, ADroppedTermOfALongSumFailsByTheNorm) {
  Bench bench{{.m = 8, .n = 8, .k = 16384, .dtype = DType::fp16}};
  bench.dropped_terms = 1;
  const Verification v = bench.compute().verify();
  EXPECT_FALSE(v.passed);
  EXPECT_GT(v.relative_error, v.tolerance);
  EXPECT_THAT(v.detail, HasSubstr("norm-wise relative error"));
}

TEST(GemmVerify, NaNAndInfinityFail) {
  for (const double spoiled : {kNaN, kInfinity, -kInfinity}) {
    for (const DType type : all_dtypes()) {
      Bench bench{square(20, type)};
      bench.compute();
      bench.d[123] = spoiled;
      const Verification v = bench.verify();
      EXPECT_FALSE(v.passed) << spoiled << name(type);
      EXPECT_EQ(v.worst_element_ratio, kInfinity);
      EXPECT_THAT(v.detail, HasSubstr("element 123 of D"));
    }
  }
}

TEST(GemmVerify, TransposedAndConfusedResultsFail) {
  Bench bench{square(24)};
  bench.compute();
  const std::vector<double> right = bench.d;
  for (std::size_t i = 0; i < 24; ++i) {
    for (std::size_t j = 0; j < 24; ++j) bench.d[i * 24 + j] = right[j * 24 + i];
  }
  EXPECT_FALSE(bench.verify().passed);
  bench.d = right;
  EXPECT_TRUE(bench.verify().passed);
  for (const GemmLayout other : {GemmLayout::nt, GemmLayout::tn, GemmLayout::tt}) {
    bench.shape.layout = other;
    EXPECT_FALSE(bench.verify().passed) << name(other);
  }
}

TEST(GemmVerify, MissingBetaOrAlphaFails) {
  Bench bench{square(24)};
  bench.compute();
  bench.shape.alpha = 2;
  EXPECT_FALSE(bench.verify().passed);
  bench.shape.alpha = 1;
  bench.shape.beta = 0.5;
  EXPECT_FALSE(bench.verify().passed);
}

TEST(GemmVerify, ZerosMustBeExact) {
  Bench bench{square(16), Distribution::zeros};
  bench.compute();
  EXPECT_TRUE(bench.verify().passed);
  EXPECT_EQ(bench.verify().relative_error, 0);
  bench.d[5] = -0.0;
  EXPECT_TRUE(bench.verify().passed);
  bench.d[5] = 1e-30;
  EXPECT_FALSE(bench.verify().passed);
  bench.shape.dtype = DType::fp16;
  bench.d[5] = 0x1.0p-24;
  EXPECT_FALSE(bench.verify().passed);
}

TEST(GemmVerify, Fp16OverflowIsInfinityOfTheRightSign) {
  Bench bench{square(32, DType::fp16), Distribution::ones};
  bench.shape.alpha = 3000;  // 32 x 3000 = 96000 > 65504
  bench.compute();
  ASSERT_EQ(bench.d[0], kInfinity);
  Verification v = bench.verify();
  EXPECT_TRUE(v.passed) << v.detail;
  EXPECT_EQ(v.checked, 1024U);
  bench.d[7] = -kInfinity;
  EXPECT_FALSE(bench.verify().passed);
  bench.d[7] = 65504;  // saturated instead
  EXPECT_FALSE(bench.verify().passed);
  bench.d[7] = kNaN;
  EXPECT_FALSE(bench.verify().passed);
  bench.shape.alpha = 2000;  // 64000 is finite: infinity is wrong
  bench.compute();
  EXPECT_TRUE(bench.verify().passed);
  bench.d[7] = kInfinity;
  EXPECT_FALSE(bench.verify().passed);
}

TEST(GemmVerify, ToleranceFollowsTypeAndLength) {
  const auto tolerance = [](DType type, std::int64_t k) {
    GemmShape shape = square(4, type);
    shape.k = k;
    return Bench{shape}.compute().verify().tolerance;
  };
  EXPECT_NEAR(tolerance(DType::fp32, 256), 4 * (1 + 16) * 0x1.0p-24, 1e-12);
  EXPECT_NEAR(tolerance(DType::fp32, 1024), 4 * (1 + 32) * 0x1.0p-24, 1e-12);
  EXPECT_NEAR(tolerance(DType::fp16, 256), 4 * (0x1.0p-11 + 16 * 0x1.0p-24), 1e-12);
  EXPECT_NEAR(tolerance(DType::bf16, 256), 4 * (0x1.0p-8 + 16 * 0x1.0p-24), 1e-12);
  EXPECT_NEAR(tolerance(DType::tf32, 256), 4 * (0x1.0p-24 + 16 * 0x1.0p-24 + 0x1.0p-10), 1e-12);
  EXPECT_NEAR(tolerance(DType::fp64, 256), 4 * (1 + 2 * 16) * 0x1.0p-53, 1e-18);  // the reference rounds as well
}

TEST(GemmVerify, InputsAreReadOnceAndTheOutputGatheredOnce) {
  for (const GemmLayout layout : {GemmLayout::nn, GemmLayout::tt}) {
    Bench bench{{.m = 9, .n = 7, .k = 11, .batch = 2, .layout = layout, .beta = 1}};
    bench.compute();
    EXPECT_TRUE(bench.verify().passed);
    EXPECT_EQ(bench.gathers, 1U);
    EXPECT_EQ(bench.reads.size(), 2U * (9 * 11 + 11 * 7 + 9 * 7));
    for (const auto& [element, count] : bench.reads) EXPECT_EQ(count, 1) << element.first << " " << element.second;
  }
}

TEST(GemmVerify, ADeviceThatReturnsTooFewValuesIsAnError) {
  const ResultView view{.input = [](std::size_t, std::uint64_t) { return 0.0; },
                        .output = [](std::size_t, std::span<const std::uint64_t>) { return std::vector<double>(3); }};
  EXPECT_THROW((void)Gemm(square(4)).verify(view, 1), Error);
}

}  // namespace
}  // namespace rtxbench
