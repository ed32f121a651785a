#include "run/stop_rule.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rtxbench {
namespace {

std::vector<double> alternating(std::size_t count, double spread) {
  std::vector<double> samples;
  for (std::size_t i = 0; i < count; ++i) samples.push_back(1.0 + (i % 2 == 0 ? spread : -spread));
  return samples;
}

TEST(StopRule, HalfWidthIsHalfTheIntervalOverTheMedian) {
  EXPECT_NEAR(relative_half_width(alternating(30, 0.01)).value(), 0.01, 1e-12);
  EXPECT_FALSE(relative_half_width(std::vector<double>{1, 1, 1, 1, 1}).has_value());  // five never reach 95 %
  EXPECT_TRUE(relative_half_width(std::vector<double>{1, 1, 1, 1, 1, 1}).has_value());
}

TEST(StopRule, NeedsSamplesTimeAndAPreciseMedian) {
  const Parameters parameters;
  const auto check = [&](std::size_t count, double spread, double elapsed_s) {
    return StopRule(parameters, 10).check(alternating(count, spread), 10 + elapsed_s);
  };
  EXPECT_EQ(check(30, 0.001, 0.6), StopReason::ci_met);
  EXPECT_EQ(check(29, 0.001, 0.6), std::nullopt);
  EXPECT_EQ(check(30, 0.001, 0.4), std::nullopt);
  EXPECT_EQ(check(30, 0.006, 0.6), std::nullopt);
}

TEST(StopRule, EndsAtMaxTimeAndAtMaxSamples) {
  const Parameters parameters;
  EXPECT_EQ(StopRule(parameters, 0).check(alternating(20, 0.1), 5.0), StopReason::max_time);
  EXPECT_EQ(StopRule(parameters, 0).check(alternating(1000, 0.1), 1.0), StopReason::max_samples);
  EXPECT_EQ(StopRule(parameters, 0).check(alternating(1000, 0.001), 1.0), StopReason::ci_met);
  EXPECT_EQ(StopRule(parameters, 0).room(990), 10);
}

TEST(StopRule, LooksAgainOnlyAfterTheCountGrewByHalf) {
  const Parameters parameters;
  StopRule rule(parameters, 0);
  EXPECT_EQ(rule.check(alternating(40, 0.1), 1.0), std::nullopt);    // a look: too wide; the next one is at 60
  EXPECT_EQ(rule.check(alternating(59, 0.001), 1.0), std::nullopt);  // precise enough, but nobody looks
  EXPECT_EQ(rule.check(alternating(60, 0.001), 1.0), StopReason::ci_met);
}

TEST(StopRule, CountsBeforeMinTimeAreNoLooks) {
  const Parameters parameters;
  StopRule rule(parameters, 0);
  EXPECT_EQ(rule.check(alternating(40, 0.001), 0.1), std::nullopt);
  EXPECT_EQ(rule.check(alternating(41, 0.001), 0.5), StopReason::ci_met);
}

}  // namespace
}  // namespace rtxbench
