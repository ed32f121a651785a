#include "stats/stats.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

namespace rtxbench::stats {
namespace {

// 1, 2, ..., n: the value is the rank.
std::vector<double> ranks(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

void expect_ranks(std::size_t n, double lower, double upper, double confidence, double level = 0.95) {
  const Interval interval = median_interval(ranks(n), level);
  EXPECT_EQ(interval.lower, lower) << n;
  EXPECT_EQ(interval.upper, upper) << n;
  EXPECT_NEAR(interval.confidence, confidence, 5e-5) << n;
}

TEST(Quantile, Type7KnownValues) {
  const std::vector<double> four{1, 2, 4, 8};
  EXPECT_DOUBLE_EQ(quantile(four, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(four, 0.25), 1.75);  // position 0.75
  EXPECT_DOUBLE_EQ(quantile(four, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile(four, 0.9), 6.8);  // position 2.7
  EXPECT_DOUBLE_EQ(quantile(four, 1), 8);
  EXPECT_DOUBLE_EQ(quantile(std::vector<double>{7}, 0.3), 7);
  EXPECT_DOUBLE_EQ(quantile(ranks(101), 0.05), 6);
}

TEST(Quantile, OfNothingIsRefused) {
  EXPECT_THROW((void)quantile({}, 0.5), std::invalid_argument);
  EXPECT_THROW((void)median({}), std::invalid_argument);
  EXPECT_THROW((void)median_interval({}), std::invalid_argument);
}

TEST(Median, OfUnsortedValues) {
  EXPECT_DOUBLE_EQ(median(std::vector<double>{9, 1, 5}), 5);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{9, 1, 5, 2}), 3.5);
}

// Confidences worked by hand: 1 - 2 sum_{j<l} C(n,j) / 2^n.
TEST(MedianInterval, HandWorkedRanks) {
  expect_ranks(6, 1, 6, 0.96875);     // 1 - 2/64
  expect_ranks(7, 1, 7, 0.984375);    // 1 - 2/128
  expect_ranks(8, 1, 8, 0.9921875);   // rank 2 covers 0.9297 only
  expect_ranks(9, 2, 8, 0.9609375);   // 1 - 2 (1+9)/512
  expect_ranks(10, 2, 9, 0.978516);   // 1 - 2 (1+10)/1024
  expect_ranks(20, 6, 15, 0.958611);  // 1 - 2 * 21700 / 2^20
  expect_ranks(30, 10, 21, 0.9572);
  expect_ranks(100, 40, 61, 0.9648);
  expect_ranks(5, 2, 4, 0.625, 0.5);  // 1 - 2 (1+5)/32 = 0.625
  expect_ranks(3, 1, 3, 0.75, 0.75);
}

TEST(MedianInterval, FewerThanSixCannotReach95Percent) {
  for (std::size_t n = 1; n < 6; ++n) {
    const Interval interval = median_interval(ranks(n));
    EXPECT_EQ(interval.lower, 1) << n;
    EXPECT_EQ(interval.upper, static_cast<double>(n)) << n;
    EXPECT_EQ(interval.confidence, 0) << n;
  }
}

TEST(MedianInterval, CoverageIsExactAndShortestAgainstDirectSums) {
  for (std::size_t n = 6; n <= 60; ++n) {
    const Interval interval = median_interval(ranks(n));
    const auto covered = [&](std::size_t rank) {  // by C(n, j), each exact in a double at these n
      double inside = 0, binomial = 1;
      for (std::size_t j = 0; j <= n; ++j) {
        if (j >= rank && j <= n - rank) inside += binomial;
        binomial = binomial * static_cast<double>(n - j) / static_cast<double>(j + 1);
      }
      return std::ldexp(inside, -static_cast<int>(n));
    };
    const auto rank = static_cast<std::size_t>(interval.lower);
    EXPECT_EQ(interval.upper, static_cast<double>(n + 1 - rank));
    EXPECT_NEAR(interval.confidence, covered(rank), 1e-12) << n;
    EXPECT_GE(covered(rank), 0.95) << n;
    EXPECT_LT(covered(rank + 1), 0.95) << n;
  }
}

TEST(MedianInterval, LargeSamplesMatchTheNormalApproximation) {
  for (const std::size_t n : {1000UL, 1001UL, 99'999UL, 100'000UL}) {
    const Interval interval = median_interval(ranks(n));
    const auto count = static_cast<double>(n);
    const double rank = count / 2 - 1.959964 * std::sqrt(count) / 2;
    EXPECT_NEAR(interval.lower, rank, 1.5) << n;
    EXPECT_EQ(interval.lower + interval.upper, count + 1) << n;
    // P(l <= X <= n-l) with continuity correction.
    EXPECT_NEAR(interval.confidence, std::erf((count / 2 - interval.lower + 0.5) / std::sqrt(count / 2)), 0.1 / count) << n;
    EXPECT_GE(interval.confidence, 0.95);
    EXPECT_LT(interval.confidence, 0.96);
  }
}

TEST(MedianInterval, SimulatedCoverageOfASkewedDistribution) {
  std::mt19937_64 generator(20240607);
  std::exponential_distribution<double> exponential(1.0);
  const double truth = std::log(2.0);
  constexpr int kTrials = 20'000;
  for (const std::size_t n : {6UL, 30UL, 75UL}) {
    int covered = 0;
    double nominal = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<double> values(n);
      for (double& value : values) value = exponential(generator);
      std::ranges::sort(values);
      const Interval interval = median_interval(values);
      nominal = interval.confidence;
      if (interval.lower <= truth && truth <= interval.upper) ++covered;
    }
    const double sigma = std::sqrt(nominal * (1 - nominal) / kTrials);
    EXPECT_NEAR(static_cast<double>(covered) / kTrials, nominal, 4 * sigma) << n;
  }
}

TEST(Summarise, OfKnownValues) {
  std::vector<double> values = ranks(20);
  std::ranges::reverse(values);
  const Summary summary = summarise(values);
  EXPECT_EQ(summary.count, 20U);
  EXPECT_DOUBLE_EQ(summary.median, 10.5);
  EXPECT_DOUBLE_EQ(summary.lower, 6);
  EXPECT_DOUBLE_EQ(summary.upper, 15);
  EXPECT_NEAR(summary.confidence, 0.958611, 1e-6);
  EXPECT_DOUBLE_EQ(summary.mean, 10.5);
  EXPECT_DOUBLE_EQ(summary.stddev, std::sqrt(35.0));  // (n^2-1)/12 * n/(n-1)
  EXPECT_DOUBLE_EQ(summary.minimum, 1);
  EXPECT_DOUBLE_EQ(summary.maximum, 20);
  EXPECT_DOUBLE_EQ(summary.p05, 1.95);
  EXPECT_DOUBLE_EQ(summary.p95, 19.05);
  EXPECT_EQ(summary.outliers_mild, 0U);
  EXPECT_EQ(summary.outliers_severe, 0U);
}

TEST(Summarise, SingleValue) {
  const Summary summary = summarise(std::vector<double>{0.25});
  EXPECT_EQ(summary.count, 1U);
  EXPECT_EQ(summary.median, 0.25);
  EXPECT_EQ(summary.lower, 0.25);
  EXPECT_EQ(summary.upper, 0.25);
  EXPECT_EQ(summary.confidence, 0);
  EXPECT_EQ(summary.mean, 0.25);
  EXPECT_EQ(summary.stddev, 0);
}

TEST(Summarise, IdenticalValuesHaveNoSpread) {
  const Summary summary = summarise(std::vector<double>(31, 0.1));  // 0.1 x 31 / 31 is not 0.1 when summed plainly
  EXPECT_EQ(summary.median, 0.1);
  EXPECT_EQ(summary.mean, 0.1);
  EXPECT_EQ(summary.stddev, 0);
  EXPECT_EQ(summary.lower, 0.1);
  EXPECT_EQ(summary.upper, 0.1);
  EXPECT_GE(summary.confidence, 0.95);
  EXPECT_EQ(summary.outliers_mild + summary.outliers_severe, 0U);
}

TEST(Summarise, Fault10_NothingHasNoMeanOfNaN) {
  const Summary summary = summarise({});
  EXPECT_EQ(summary.count, 0U);
  EXPECT_EQ(summary.mean, 0);
  EXPECT_EQ(summary.median, 0);
  EXPECT_EQ(summary.stddev, 0);
  EXPECT_EQ(summary.confidence, 0);
}

TEST(Summarise, Fault20_ZeroTimesStayFinite) {
  const Summary summary = summarise(std::vector<double>{0, 0, 0, 1e-9, 0, 0, 0});
  EXPECT_EQ(summary.median, 0);
  EXPECT_TRUE(std::isfinite(summary.mean));
  EXPECT_TRUE(std::isfinite(summary.stddev));
  EXPECT_EQ(summary.outliers_severe, 1U);
}

TEST(Tukey, FencesAreExclusive) {
  // Quartiles of 0..8 and two more: sorted {0..8, 14, 30} has Q1 2.5, Q3 7.5, range 5: fences at 15 / 22.5 and -5 / -12.5.
  std::vector<double> values{30, 0, 1, 2, 3, 4, 5, 6, 7, 8, 14};
  EXPECT_EQ(summarise(values).outliers_severe, 1U);
  EXPECT_EQ(summarise(values).outliers_mild, 0U);
  values[0] = 22.5;  // on the outer fence: not beyond it
  values[10] = 15;   // on the inner fence
  EXPECT_EQ(summarise(values).outliers_severe, 0U);
  EXPECT_EQ(summarise(values).outliers_mild, 1U);
}

TEST(Tukey, BothSidesAreCountedAndNothingIsDropped) {
  std::vector<double> values(99);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i + 1);
  values[0] = -50;  // Q1 25.5, Q3 74.5, range 49: fences -48, 148 and -121.5, 221.5
  values[98] = 150;
  values[1] = -300;
  const Summary summary = summarise(values);
  EXPECT_EQ(summary.outliers_mild, 2U);
  EXPECT_EQ(summary.outliers_severe, 1U);
  EXPECT_EQ(summary.count, 99U);
  EXPECT_EQ(summary.minimum, -300);
}

}  // namespace
}  // namespace rtxbench::stats
