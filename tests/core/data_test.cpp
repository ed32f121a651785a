#include "rtxbench/data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace rtxbench {
namespace {

constexpr std::uint64_t kCount = 1'000'000;

std::vector<double> draw(const DataSource& source, std::uint64_t first = 0, std::uint64_t count = kCount) {
  std::vector<double> values(count);
  for (std::uint64_t i = 0; i < count; ++i) values[i] = element(source, first + i);
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean(a), mean_b = mean(b);
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

// Mean and variance within five standard errors.
void expect_moments(const std::vector<double>& values, double variance, double fourth_moment) {
  const auto count = static_cast<double>(values.size());
  std::vector<double> squares;
  for (const double value : values) squares.push_back(value * value);
  EXPECT_NEAR(mean(values), 0, 5 * std::sqrt(variance / count));
  EXPECT_NEAR(mean(squares), variance, 5 * std::sqrt((fourth_moment - variance * variance) / count));
}

// A function of its arguments alone, and usable in constant expressions (so it compiles for a device too).
static_assert(element({Distribution::zeros, 9, 9}, 9) == 0);
static_assert(element({Distribution::ones, 9, 9}, 9) == 1);
static_assert(element({Distribution::uniform, 1, 0}, 0) == element({Distribution::uniform, 1, 0}, 0));
static_assert(element({Distribution::uniform, 1, 0}, 0) != element({Distribution::uniform, 1, 0}, 1));

TEST(Data, ValuesArePinned) {
  // Kept reports name a seed: what it stands for must not change.
  EXPECT_EQ(detail::mix(0), 0xe220a8397b1dcdafULL);                      // first output of SplitMix64 from state 0
  EXPECT_EQ(detail::mix(0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);  // the second
  EXPECT_EQ(element({Distribution::uniform, 1, 0}, 0), 0x1.f0bae577dbbecp-1);
  EXPECT_EQ(element({Distribution::uniform, 1, 0}, 1), 0x1.3bd9e7445f57p-4);
  EXPECT_EQ(element({Distribution::uniform, 1, 1}, 0), 0x1.3b068dd376148p-3);
  EXPECT_EQ(element({Distribution::uniform, 42, 7}, 1'000'000'007), -0x1.4373b56925eep-5);
  EXPECT_EQ(element({Distribution::normal, 1, 0}, 0), 0x1.6867e997edef4p-2);
  EXPECT_EQ(element({Distribution::integers, 1, 0}, 0), -3);
}

TEST(Data, UniformHasItsRangeMomentsAndFullMantissas) {
  const std::vector<double> values = draw({Distribution::uniform, 1, 0});
  const auto [low, high] = std::ranges::minmax(values);
  EXPECT_GE(low, -1);
  EXPECT_LT(high, 1);
  EXPECT_LT(low, -0.9999);
  EXPECT_GT(high, 0.9999);
  expect_moments(values, 1.0 / 3, 1.0 / 5);
  EXPECT_GT(std::set<double>(values.begin(), values.begin() + 100'000).size(), 99'990U);
  // Half of all values use the last bit of an fp16 mantissa, as random numbers do.
  int odd = 0;
  for (std::size_t i = 0; i < 100'000; ++i) odd += static_cast<int>(std::fabs(values[i]) * 2048) % 2;
  EXPECT_NEAR(odd, 50'000, 5 * 158);
}

TEST(Data, UniformFillsTenBinsEvenly) {
  std::vector<double> bins(10, 0);
  for (const double value : draw({Distribution::uniform, 5, 3})) ++bins[static_cast<std::size_t>((value + 1) * 5)];
  double chi_square = 0;
  for (const double bin : bins) chi_square += (bin - kCount / 10.0) * (bin - kCount / 10.0) / (kCount / 10.0);
  EXPECT_LT(chi_square, 27.9);  // 0.999 quantile at 9 degrees of freedom
}

TEST(Data, NormalHasItsMomentsAndRange) {
  const std::vector<double> values = draw({Distribution::normal, 1, 0});
  const auto [low, high] = std::ranges::minmax(values);
  EXPECT_GE(low, -6);
  EXPECT_LE(high, 6);
  EXPECT_LT(low, -4);
  EXPECT_GT(high, 4);
  expect_moments(values, 1, 2.9);  // Irwin-Hall of 12: excess kurtosis -1.2 / 12
  const auto within = std::ranges::count_if(values, [](double value) { return std::fabs(value) < 1; });
  EXPECT_NEAR(static_cast<double>(within) / kCount, 0.683, 0.01);
}

TEST(Data, IntegersAreNineValuesEvenly) {
  std::vector<int> counts(9, 0);
  for (const double value : draw({Distribution::integers, 1, 0}, 0, 90'000)) {
    ASSERT_EQ(value, std::round(value));
    ASSERT_LE(std::fabs(value), 4);
    ++counts[static_cast<std::size_t>(value + 4)];
  }
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 5 * 95);
}

TEST(Data, StreamsSeedsAndNeighboursAreUncorrelated) {
  constexpr std::uint64_t kPairs = 200'000;
  const double bound = 5 / std::sqrt(static_cast<double>(kPairs));
  for (const auto distribution : {Distribution::uniform, Distribution::normal, Distribution::integers}) {
    const std::vector<double> base = draw({distribution, 1, 0}, 0, kPairs);
    EXPECT_LT(std::fabs(correlation(base, draw({distribution, 1, 1}, 0, kPairs))), bound) << name(distribution);
    EXPECT_LT(std::fabs(correlation(base, draw({distribution, 1, 2}, 0, kPairs))), bound) << name(distribution);
    EXPECT_LT(std::fabs(correlation(base, draw({distribution, 2, 0}, 0, kPairs))), bound) << name(distribution);
    EXPECT_LT(std::fabs(correlation(base, draw({distribution, 1, 0}, 1, kPairs))), bound) << name(distribution);
    EXPECT_LT(std::fabs(correlation(base, draw({distribution, 1, 0}, 4096, kPairs))), bound) << name(distribution);
  }
}

TEST(Data, SeedAndStreamAreNotExchangeable) {
  EXPECT_NE(element({Distribution::uniform, 1, 2}, 0), element({Distribution::uniform, 2, 1}, 0));
  std::set<double> firsts;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (std::uint64_t stream = 0; stream < 100; ++stream) firsts.insert(element({Distribution::uniform, seed, stream}, 0));
  }
  EXPECT_EQ(firsts.size(), 10'000U);
}

TEST(Data, NamesRoundTrip) {
  for (const auto distribution :
       {Distribution::uniform, Distribution::normal, Distribution::zeros, Distribution::integers, Distribution::ones}) {
    EXPECT_EQ(parse_distribution(name(distribution)), distribution);
  }
  EXPECT_EQ(name(Distribution::integers), "int");
  EXPECT_FALSE(parse_distribution("integers"));
  EXPECT_FALSE(parse_distribution(""));
}

}  // namespace
}  // namespace rtxbench
