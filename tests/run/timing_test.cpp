#include "run/timing.hpp"

#include "run/protocol_fixture.hpp"

namespace rtxbench {
namespace {

// 200 x 0.5 us = 100 us; 10 x 1 us = 10 us.
constexpr TimerFloor kFloor{.resolution_s = 5e-7, .floor_s = 1e-6};

Timing timing(double call_s, Regime regime = Regime::burst, CacheState cache = CacheState::cold, std::size_t sets = 7) {
  return choose_timing(kFloor, fake::gpu(), sets, regime, cache, call_s, Parameters{});
}

TEST(Timing, ThresholdIsTheLargerOfResolutionAndFloor) {
  EXPECT_DOUBLE_EQ(timing_threshold_s(kFloor), 1e-4);
  EXPECT_DOUBLE_EQ(timing_threshold_s({.resolution_s = 5e-7, .floor_s = 2e-5}), 2e-4);
}

TEST(Timing, CallAtTheThresholdIsTimedSingly) {
  EXPECT_EQ(timing(1e-4).calls_per_sample, 1);
  EXPECT_EQ(timing(0.99e-4).calls_per_sample, 2);
}

TEST(Timing, ShortCallsShareASampleThatReachesTheThreshold) {
  EXPECT_EQ(timing(1e-5).calls_per_sample, 10);
  EXPECT_EQ(timing(3e-5).calls_per_sample, 4);
  EXPECT_EQ(timing(1e-9).calls_per_sample, 1024);
}

TEST(Timing, SustainedSamplesGrowUntilAThousandCoverMaxTime) {
  EXPECT_EQ(timing(1e-3, Regime::sustained).calls_per_sample, 5);  // 1,000 x 5 x 1 ms = 5 s
  EXPECT_EQ(timing(5e-3, Regime::sustained).calls_per_sample, 1);
  EXPECT_EQ(timing(1e-3, Regime::burst).calls_per_sample, 1);
}

TEST(Timing, CacheStateDecidesFlushAndSets) {
  const Timing cold_burst = timing(1e-3);
  EXPECT_TRUE(cold_burst.flush);
  EXPECT_EQ(cold_burst.sets, 1U);
  EXPECT_EQ(cold_burst.cache, "flush");

  const Timing cold_graph = timing(1e-5);
  EXPECT_FALSE(cold_graph.flush);
  EXPECT_EQ(cold_graph.sets, 7U);
  EXPECT_EQ(cold_graph.cache, "rotate");

  const Timing cold_sustained = timing(1e-2, Regime::sustained);
  EXPECT_FALSE(cold_sustained.flush);
  EXPECT_EQ(cold_sustained.sets, 7U);

  EXPECT_EQ(timing(1e-2, Regime::sustained, CacheState::cold, 1).cache, "rotate: one set exceeds 3 x cache");

  const Timing warm = timing(1e-3, Regime::burst, CacheState::warm);
  EXPECT_FALSE(warm.flush);
  EXPECT_EQ(warm.sets, 1U);
  EXPECT_EQ(warm.cache, "warm");
}

TEST(Timing, FlushExcludesSharedSamplesInEitherRegime) {
  for (const Regime regime : {Regime::burst, Regime::sustained}) {
    const Timing flushed = timing(1e-5, regime, CacheState::flush);
    EXPECT_TRUE(flushed.flush);
    EXPECT_EQ(flushed.calls_per_sample, 1);
    EXPECT_EQ(flushed.sets, 1U);
  }
}

TEST(Timing, BurstHoldsTenCallsOrTenMilliseconds) {
  const Parameters parameters;
  const auto group = [&](double call_s) { return samples_per_group(timing(call_s), Regime::burst, parameters, 256); };
  EXPECT_EQ(group(2e-4), 10);
  EXPECT_EQ(group(1e-3), 10);
  EXPECT_EQ(group(3e-3), 3);
  EXPECT_EQ(group(8e-3), 1);
  EXPECT_EQ(group(0.5), 1);
  EXPECT_EQ(group(1e-5), 10);  // ten samples of ten calls: 1 ms
}

TEST(Timing, SustainedGroupHoldsSomeTensOfMillisecondsAndNoMoreThanTheTimerTakes) {
  const Parameters parameters;
  const Timing five_ms = timing(1e-3, Regime::sustained);
  EXPECT_EQ(samples_per_group(five_ms, Regime::sustained, parameters, 256), 15);  // 75 ms
  EXPECT_EQ(samples_per_group(five_ms, Regime::sustained, parameters, 4), 4);
  EXPECT_EQ(samples_per_group(timing(2.0, Regime::sustained), Regime::sustained, parameters, 256), 1);
}

TEST(Timing, EstimateOfAMeasurementCountsPausesAndHeating) {
  const Parameters parameters;
  EXPECT_DOUBLE_EQ(shortest_measurement_s(timing(1e-3), Regime::burst, parameters), 0.03 + 3 * 0.1);
  EXPECT_DOUBLE_EQ(shortest_measurement_s(timing(2.0), Regime::burst, parameters), 60 + 30 * 0.1);
  EXPECT_DOUBLE_EQ(shortest_measurement_s(timing(2.0, Regime::sustained), Regime::sustained, parameters), 60 + 4.0);
}

}  // namespace
}  // namespace rtxbench
