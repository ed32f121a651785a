#include <cmath>

#include "run/protocol_fixture.hpp"

namespace rtxbench::fake {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

// Throttles by power: 1 ms cold, 1.25 ms after some seconds of work.
Script heating(double seconds) {
  Script script;
  script.call_s = [seconds](const Moment& moment) { return 1.25e-3 - 0.25e-3 * std::exp(-moment.busy_s / seconds); };
  return script;
}

TEST(Sustained, TwoAgreeingWindowsAfterTheMinimumAreSteady) {
  Bench bench(constant(5e-3));
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 5e-3, 4);
  const Method& method = measured.measurement.method;
  EXPECT_EQ(method.steady, true);
  EXPECT_EQ(method.shared_heating, false);
  EXPECT_NEAR(method.heating_s.value(), 4.0, 0.3);  // four windows of 1 s, in whole groups
  EXPECT_THAT(flag_names(measured.flags), IsEmpty());
  EXPECT_EQ(measured.measurement.stop_reason, StopReason::ci_met);
}

TEST(Sustained, HeatsUntilTheMedianStandsStill) {
  Bench bench(heating(1.0));
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 1e-3);
  EXPECT_EQ(measured.measurement.method.steady, true);
  EXPECT_GT(measured.measurement.method.heating_s.value(), 3.0);
  EXPECT_NEAR(measured.measurement.time.median, 1.25e-3, 0.01e-3);  // nothing of the cool start in the samples
}

// Seen on an H200: 1655 us a call for two seconds, then 1711 us for good, when the power limit takes hold.
TEST(Sustained, AStepOfTheClockAfterTwoSecondsIsWaitedFor) {
  Script script;
  script.call_s = [](const Moment& moment) { return moment.busy_s < 2.3 ? 1.655e-3 : 1.711e-3; };
  Bench bench(std::move(script));
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 1.655e-3);
  EXPECT_EQ(measured.measurement.method.steady, true);
  EXPECT_NEAR(measured.measurement.time.median, 1.711e-3, 1e-6);
}

TEST(Sustained, ADriftingClockIsNotSteadyThoughTimesAre) {
  Script script = constant(5e-3);
  script.clock_hz = [](const Moment& moment) { return 1.9e9 - 0.1e9 * moment.busy_s; };  // over 5 % a second
  Bench bench(std::move(script));
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 5e-3);
  EXPECT_EQ(measured.measurement.method.steady, false);
  EXPECT_NEAR(measured.measurement.method.heating_s.value(), 10.0, 0.2);
  EXPECT_THAT(flag_names(measured.flags), Contains("not-steady"));
}

TEST(Sustained, GivesUpHeatingAtItsLimit) {
  Script script;
  script.call_s = [](const Moment& moment) { return 5e-3 * (1 + 0.05 * moment.busy_s); };
  Bench bench(std::move(script));
  bench.parameters.steady_limit_s = 4;
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 5e-3);
  EXPECT_EQ(measured.measurement.method.steady, false);
  EXPECT_NEAR(measured.measurement.method.heating_s.value(), 4.0, 0.2);
  EXPECT_THAT(flag_names(measured.flags), Contains("not-steady"));
}

TEST(Sustained, OneHeatingServesConsecutiveCases) {
  Bench bench(constant(5e-3));
  static_cast<void>(bench.measure(Regime::sustained, CacheState::cold, 5e-3));
  bench.device.idle(1.0);
  const Measured second = bench.measure(Regime::sustained, CacheState::cold, 5e-3);
  EXPECT_EQ(second.measurement.method.shared_heating, true);
  EXPECT_NEAR(second.measurement.method.heating_s.value(), 1.0, 0.3);  // four windows of a quarter
  bench.device.idle(2.5);
  const Measured third = bench.measure(Regime::sustained, CacheState::cold, 5e-3);
  EXPECT_EQ(third.measurement.method.shared_heating, false);
  EXPECT_NEAR(third.measurement.method.heating_s.value(), 4.0, 0.3);
}

TEST(Sustained, TheDeviceNeverStandsStillAndOnlyTheFirstGroupIsGated) {
  Bench bench(constant(5e-3));
  static_cast<void>(bench.measure(Regime::sustained, CacheState::cold, 5e-3, 4));
  EXPECT_EQ(bench.log().dry, 0);
  EXPECT_THAT(bench.log().values("idle"), IsEmpty());
  EXPECT_EQ(bench.log().values("submit gated").size(), 1U);
  EXPECT_GT(bench.log().values("submit").size(), 10U);
  // Two submissions before the first collection.
  EXPECT_EQ(bench.log().actions[1].what, "submit gated");
  EXPECT_EQ(bench.log().actions[2].what, "submit");
  EXPECT_EQ(bench.log().actions[3].what, "collect");
}

TEST(Sustained, ColdRotatesAndNeverFlushes) {
  Bench bench(constant(5e-3));
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 5e-3, 4);
  EXPECT_EQ(bench.log().flushes, 0U);
  EXPECT_EQ(bench.invocation.calls.size(), 4U);
  EXPECT_EQ(measured.measurement.method.cache, "rotate");
}

TEST(Sustained, FlushIsForThoseWhoAskForIt) {
  Bench bench(constant(5e-3));
  const Measured measured = bench.measure(Regime::sustained, CacheState::flush, 5e-3, 4);
  EXPECT_EQ(bench.log().flushes, bench.log().calls);
  EXPECT_EQ(measured.measurement.method.cache, "flush");
}

TEST(Sustained, AThousandSamplesCoverMaxTimeByLongerSamples) {
  Script script;
  script.call_s = [](const Moment& moment) { return moment.call / 5 % 2 == 0 ? 1e-3 : 1.1e-3; };  // never precise enough
  Bench bench(std::move(script));
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 1e-3);
  EXPECT_EQ(measured.measurement.method.calls_per_sample, 5);
  EXPECT_EQ(measured.measurement.stop_reason, StopReason::max_time);
  EXPECT_LE(measured.measurement.samples_s.size(), 1000U);
  EXPECT_GT(measured.measurement.samples_s.size(), 900U);
}

TEST(Sustained, MaxSamplesHoldsWithTwoGroupsInFlight) {
  Script script;
  script.call_s = [](const Moment& moment) { return moment.call % 2 == 0 ? 5e-3 : 6e-3; };
  Bench bench(std::move(script));
  bench.parameters.max_samples = 100;
  bench.parameters.max_time_s = 0.5;  // 5 ms a sample
  bench.parameters.min_time_s = 0.4;
  bench.parameters.max_samples = 50;
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 1e-2);
  EXPECT_EQ(measured.measurement.samples_s.size(), 50U);
  EXPECT_EQ(measured.measurement.stop_reason, StopReason::max_samples);
}

TEST(Sustained, PowerAndEnergyPerCallComeFromTheCounterOverTheSteadyTime) {
  Bench bench(constant(5e-3));
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 5e-3);
  EXPECT_NEAR(measured.telemetry.power_w.value(), 500, 1e-6);
  EXPECT_NEAR(measured.telemetry.energy_per_call_j.value(), 2.5, 1e-6);
  EXPECT_THAT(measured.telemetry.reasons, IsEmpty());
}

TEST(Sustained, AWindowIsAtLeastOneCall) {
  Bench bench(constant(3.0));
  bench.parameters.max_time_s = 20;
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 3.0);
  EXPECT_NEAR(measured.measurement.method.heating_s.value(), 6.0, 0.1);
  EXPECT_EQ(measured.measurement.method.steady, true);
  EXPECT_THAT(flag_names(measured.flags), Not(Contains("not-steady")));
}

}  // namespace
}  // namespace rtxbench::fake
