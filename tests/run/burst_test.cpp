#include "run/protocol_fixture.hpp"

namespace rtxbench::fake {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Burst, TenCallsAGroupEachAfterAPause) {
  Bench bench(constant(1e-3));
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 1e-3);
  EXPECT_THAT(bench.log().values("submit gated"), Each(10));
  EXPECT_THAT(bench.log().values("submit"), IsEmpty());
  EXPECT_THAT(bench.log().values("idle"), Each(0.1));
  EXPECT_EQ(bench.log().values("idle").size(), bench.log().values("submit gated").size());
  std::vector<std::string> order;
  for (std::size_t i = 0; i < 7; ++i) order.push_back(bench.log().actions[i].what);
  EXPECT_THAT(order, ElementsAre("begin telemetry", "idle", "submit gated", "collect", "idle", "submit gated", "collect"));
  EXPECT_EQ(bench.log().dry, 0);  // never two groups without a pause
  // 0.1 s + 10 x (1 ms + 0.5 ms of flush) a group: min_time 0.5 s is passed with the fifth, at 50 samples.
  EXPECT_EQ(measured.measurement.samples_s.size(), 50U);
  EXPECT_THAT(measured.measurement.group_sizes, ElementsAre(10, 10, 10, 10, 10));
  EXPECT_EQ(measured.measurement.group_clocks_hz.size(), 5U);
  EXPECT_EQ(measured.measurement.stop_reason, StopReason::ci_met);
  EXPECT_TRUE(measured.measurement.ci_met);
  EXPECT_DOUBLE_EQ(measured.measurement.time.median, 1e-3);
  EXPECT_DOUBLE_EQ(measured.measurement.clock_hz.value(), 1.5e9);
  EXPECT_FALSE(measured.measurement.method.steady.has_value());
}

TEST(Burst, TenMillisecondsOfWorkAGroup) {
  Bench bench(constant(3e-3));
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 3e-3);
  EXPECT_THAT(bench.log().values("submit gated"), Each(3));
  EXPECT_THAT(flag_names(measured.flags), IsEmpty());
}

TEST(Burst, LongCallStandsAloneAndIsFlagged) {
  Bench bench(constant(0.05));
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 0.05);
  EXPECT_THAT(bench.log().values("submit gated"), Each(1));
  EXPECT_THAT(flag_names(measured.flags), ElementsAre("long"));
  EXPECT_THAT(measured.flags[0].remedy, testing::HasSubstr("longer than the 10.0 ms of work"));
}

TEST(Burst, ColdFlushesBeforeEachCallAndUsesOneSet) {
  Bench bench(constant(1e-3));
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 1e-3, 5);
  EXPECT_EQ(bench.log().flushes, measured.measurement.samples_s.size());
  EXPECT_EQ(bench.invocation.calls.size(), 1U);
  EXPECT_EQ(measured.measurement.method.cache, "flush");
  EXPECT_EQ(measured.measurement.method.timer, "event");
}

TEST(Burst, ShortCallsRotateThroughTheSetsInGraphs) {
  Bench bench(constant(1e-5));
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 1e-5, 5);
  EXPECT_EQ(bench.log().flushes, 0U);
  EXPECT_EQ(measured.measurement.method.timer, "graph");
  EXPECT_EQ(measured.measurement.method.calls_per_sample, 10);
  EXPECT_EQ(measured.measurement.method.operand_sets, 5U);
  ASSERT_EQ(bench.invocation.calls.size(), 5U);
  for (const auto& [set, calls] : bench.invocation.calls) EXPECT_EQ(calls, bench.log().calls / 5) << set;
}

TEST(Burst, WarmNeitherFlushesNorRotates) {
  Bench bench(constant(1e-3));
  const Measured measured = bench.measure(Regime::burst, CacheState::warm, 1e-3, 5);
  EXPECT_EQ(bench.log().flushes, 0U);
  EXPECT_EQ(bench.invocation.calls.size(), 1U);
  EXPECT_EQ(measured.measurement.method.cache, "warm");
}

TEST(Burst, NoisySamplesGoOnUntilMaxTime) {
  Script script;
  script.call_s = [](const Moment& moment) { return moment.call % 2 == 0 ? 1e-3 : 1.2e-3; };
  Bench bench(std::move(script));
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 1e-3);
  EXPECT_EQ(measured.measurement.stop_reason, StopReason::max_time);
  EXPECT_FALSE(measured.measurement.ci_met);
  EXPECT_GE(measured.measurement.wall_s, 5.0);
  EXPECT_LT(measured.measurement.wall_s, 5.2);
}

TEST(Burst, NeverMoreThanMaxSamples) {
  Script script;
  script.call_s = [](const Moment& moment) { return moment.call % 2 == 0 ? 1e-3 : 1.2e-3; };
  Bench bench(std::move(script));
  bench.parameters.max_time_s = 1e3;
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 1e-3);
  EXPECT_EQ(measured.measurement.samples_s.size(), 1000U);
  EXPECT_EQ(measured.measurement.stop_reason, StopReason::max_samples);
}

TEST(Burst, SamplesNearTheFloorAreFlagged) {
  Script script = constant(5e-6);  // under 10 x 1 us
  Bench bench(std::move(script));
  const Measured measured = bench.measure(Regime::burst, CacheState::flush, 5e-6);
  EXPECT_EQ(measured.measurement.method.calls_per_sample, 1);
  EXPECT_THAT(flag_names(measured.flags), ElementsAre("near-floor"));
  EXPECT_THAT(measured.flags[0].remedy,
              testing::StartsWith("a sample of 5.00 µs is short beside an empty kernel's 1.00 µs and "));
}

TEST(Burst, ProgressTellsSamplesAndMedian) {
  Bench bench(constant(1e-3));
  std::vector<std::uint64_t> counts;
  bench.progress = [&](const Progress& progress) {
    counts.push_back(progress.samples);
    EXPECT_EQ(progress.phase, "measuring");
    EXPECT_DOUBLE_EQ(progress.median_s, 1e-3);
  };
  static_cast<void>(bench.measure(Regime::burst, CacheState::cold, 1e-3));
  EXPECT_THAT(counts, ElementsAre(10, 20, 30, 40, 50));
}

}  // namespace
}  // namespace rtxbench::fake
