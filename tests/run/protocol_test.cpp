#include <limits>

#include "run/protocol_fixture.hpp"

namespace rtxbench::fake {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Estimate, ComesAfterAnUnmeasuredFirstCall) {
  Script script;
  script.call_s = [](const Moment& moment) { return moment.call == 0 ? 0.5 : 1e-3; };
  Bench bench(std::move(script));
  EXPECT_DOUBLE_EQ(estimate_call(bench.device, bench.invocation, 1, bench.state, bench.parameters), 1e-3);
}

TEST(Estimate, ShortCallsAreEstimatedInGraphs) {
  Bench bench(constant(1e-6));
  EXPECT_NEAR(estimate_call(bench.device, bench.invocation, 1, bench.state, bench.parameters), 1e-6, 1e-12);
  EXPECT_EQ(bench.log().timers.back().calls_per_sample, 100);
}

TEST(Estimate, FarTooLongACallIsNotRepeated) {
  Bench bench(constant(500));
  EXPECT_DOUBLE_EQ(estimate_call(bench.device, bench.invocation, 1, bench.state, bench.parameters), 500);
  EXPECT_EQ(bench.log().calls, 1U);
}

TEST(Protocol, Fault20_TimesThatAreNoTimesAreErrorsNeverInfiniteRates) {
  for (const double bad : {0.0, -1e-6, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Script script;
    script.call_s = [bad](const Moment& moment) { return moment.call < 15 ? 1e-3 : bad; };
    Bench bench(std::move(script));
    EXPECT_THROW(static_cast<void>(bench.measure(Regime::burst, CacheState::cold, 1e-3)), DeviceError) << bad;
    Bench from_the_start(constant(bad));
    EXPECT_THROW(static_cast<void>(estimate_call(from_the_start.device, from_the_start.invocation, 1, from_the_start.state,
                                                 from_the_start.parameters)),
                 DeviceError)
        << bad;
  }
}

TEST(Protocol, Fault20_OneNanosecondIsKeptAndFlagged) {
  Bench bench(constant(1e-9));
  bench.parameters.max_samples = 60;
  const Measured measured = bench.measure(Regime::burst, CacheState::warm, 1e-9);
  EXPECT_NEAR(measured.measurement.time.median, 1e-9, 1e-15);
  EXPECT_EQ(measured.measurement.method.calls_per_sample, 1024);
  EXPECT_THAT(flag_names(measured.flags), ElementsAre("near-floor"));  // 1 us of work against a floor of 1 us
}

TEST(Protocol, SpinIsUsedAndRecorded) {
  Bench bench(constant(1e-3));
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 1e-3);
  EXPECT_TRUE(measured.measurement.method.spin);
  EXPECT_THAT(bench.log().values("submit"), IsEmpty());  // all of them were gated
}

TEST(Protocol, SpinIsLeftOffWhenTheUserOrTheDeviceSaysSo) {
  Bench by_user(constant(1e-3));
  by_user.parameters.spin = false;
  const Method asked = by_user.measure(Regime::burst, CacheState::cold, 1e-3).measurement.method;
  EXPECT_FALSE(asked.spin);
  EXPECT_THAT(asked.spin_reason, HasSubstr("--no-spin"));
  EXPECT_THAT(by_user.log().values("submit gated"), IsEmpty());

  Script script = constant(1e-3);
  script.no_spin = "CUDA_LAUNCH_BLOCKING is set";
  Bench by_device(std::move(script));
  const Method refused = by_device.measure(Regime::burst, CacheState::cold, 1e-3).measurement.method;
  EXPECT_FALSE(refused.spin);
  EXPECT_EQ(refused.spin_reason, "CUDA_LAUNCH_BLOCKING is set");
  EXPECT_THAT(by_device.log().values("submit gated"), IsEmpty());
}

TEST(Protocol, SerialisedGroupIsDiscardedAndTheRestGoesOnWithoutSpin) {
  Script script;
  // The first group of calls takes the time-out of the spin kernel instead of its own time.
  script.call_s = [](const Moment& moment) { return moment.call < 10 ? 2.0 : 1e-3; };
  script.group_fault = [](int group, bool gated) {
    EXPECT_TRUE(group == 0 || !gated);
    return GroupFault{.serialised = gated, .reason = "the spin kernel timed out after 2 s"};
  };
  Bench bench(std::move(script));
  bench.parameters.max_time_s = 60;
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 1e-3);
  EXPECT_THAT(measured.measurement.samples_s, Each(1e-3));
  EXPECT_FALSE(measured.measurement.method.spin);
  EXPECT_EQ(measured.measurement.method.spin_reason, "the spin kernel timed out after 2 s");
  EXPECT_EQ(measured.measurement.method.retries, 1);
  EXPECT_TRUE(bench.state.spin_disabled);
  EXPECT_EQ(bench.log().values("submit gated").size(), 1U);

  const Measured next = bench.measure(Regime::burst, CacheState::cold, 1e-3);  // the process remembers
  EXPECT_EQ(bench.log().values("submit gated").size(), 1U);
  EXPECT_EQ(next.measurement.method.spin_reason, "the spin kernel timed out after 2 s");
}

TEST(Protocol, SerialisedFirstGroupOfASustainedRunIsDiscarded) {
  Script script = constant(5e-3);
  script.group_fault = [](int, bool gated) { return GroupFault{.serialised = gated, .reason = "timed out"}; };
  Bench bench(std::move(script));
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 5e-3);
  EXPECT_EQ(measured.measurement.method.retries, 1);
  EXPECT_EQ(measured.measurement.method.steady, true);
}

TEST(Protocol, InvalidGroupsAreRepeatedButNotForEver) {
  Script once = constant(1e-3);
  once.group_fault = [](int group, bool) { return GroupFault{.valid = group != 1, .reason = "stamps out of order"}; };
  Bench bench(std::move(once));
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 1e-3);
  EXPECT_EQ(measured.measurement.method.retries, 1);
  EXPECT_EQ(measured.measurement.samples_s.size() + 10, bench.log().calls);

  Script always = constant(1e-3);
  always.group_fault = [](int, bool) { return GroupFault{.valid = false, .reason = "stamps out of order"}; };
  Bench broken(std::move(always));
  try {
    static_cast<void>(broken.measure(Regime::burst, CacheState::cold, 1e-3));
    FAIL() << "no error";
  } catch (const DeviceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("stamps out of order"));
    EXPECT_FALSE(error.sticky());
  }
  EXPECT_EQ(broken.log().groups, 3);
  EXPECT_THAT(broken.log().values("end telemetry"), testing::SizeIs(1));  // closed although the attempt failed
}

Script throttling_until(double time_s) {
  Script script = constant(1e-3);
  script.sensors = [time_s](double now_s) { return steady_sensors(now_s, 500, now_s < time_s ? clock_event::kHwThermal : 0); };
  return script;
}

TEST(Protocol, Fault28_ThrottledWindowIsThrownAwayAndRepeated) {
  Bench bench(throttling_until(100.4));  // virtual time starts at 100 s
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 1e-3);
  EXPECT_EQ(measured.measurement.method.retries, 1);
  EXPECT_EQ(measured.telemetry.clock_event_reasons, 0U);
  EXPECT_THAT(flag_names(measured.flags), IsEmpty());
  EXPECT_EQ(measured.measurement.samples_s.size(), 50U);
  EXPECT_EQ(bench.log().calls, 100U);
}

TEST(Protocol, Fault28_StuckThrottledKeepsItsValueAndSaysSo) {
  Bench bench(throttling_until(1e9));
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 1e-3);
  EXPECT_EQ(measured.measurement.method.retries, 2);
  EXPECT_EQ(measured.measurement.samples_s.size(), 50U);
  ASSERT_THAT(flag_names(measured.flags), ElementsAre("throttled"));
  EXPECT_THAT(measured.flags[0].remedy, HasSubstr("HwThermalSlowdown"));
  EXPECT_THAT(bench.log().values("begin telemetry"), testing::SizeIs(3));
}

TEST(Protocol, Fault28_EachInvalidatingReasonIsNamed) {
  const std::vector<std::pair<std::uint64_t, std::string>> reasons{{clock_event::kHwSlowdown, "HwSlowdown"},
                                                                   {clock_event::kSwThermal, "SwThermalSlowdown"},
                                                                   {clock_event::kHwThermal, "HwThermalSlowdown"},
                                                                   {clock_event::kHwPowerBrake, "HwPowerBrake"}};
  for (const auto& [bit, text] : reasons) {
    Script script = constant(5e-3);
    script.sensors = [bit = bit](double now_s) { return steady_sensors(now_s, 500, bit); };
    Bench bench(std::move(script));
    const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 5e-3);
    EXPECT_THAT(flag(measured.flags, "throttled").remedy, HasSubstr(text));
    EXPECT_EQ(measured.measurement.method.retries, 2);
  }
}

TEST(Protocol, SwPowerCapIsALabelAndNoError) {
  Script script = constant(5e-3);
  script.sensors = [](double now_s) { return steady_sensors(now_s, 690, clock_event::kSwPowerCap); };
  Bench bench(std::move(script));
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 5e-3);
  EXPECT_THAT(flag_names(measured.flags), ElementsAre("power-capped"));
  EXPECT_EQ(measured.measurement.method.retries, 0);
}

TEST(Protocol, ThrottlingWhileHeatingIsNoFaultOfTheSamples) {
  Script script = constant(5e-3);
  script.sensors = [](double now_s) { return steady_sensors(now_s, 500, now_s < 101.5 ? clock_event::kHwSlowdown : 0); };
  Bench bench(std::move(script));
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 5e-3);
  EXPECT_EQ(measured.measurement.method.retries, 0);
  EXPECT_THAT(flag_names(measured.flags), IsEmpty());
}

TEST(Protocol, Fault29_OtherProcessesOnTheDeviceAreFlagged) {
  Script script = constant(1e-3);
  script.info.other_processes = {4711, 4712};
  Bench bench(std::move(script));
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 1e-3);
  EXPECT_THAT(flag(measured.flags, "other-processes").remedy, HasSubstr("4711, 4712"));
}

TEST(Protocol, BurstHasNoPowerAndSaysWhy) {
  Bench bench(constant(1e-3));
  const Measured measured = bench.measure(Regime::burst, CacheState::cold, 1e-3);
  EXPECT_FALSE(measured.telemetry.power_w.has_value());
  EXPECT_FALSE(measured.telemetry.energy_per_call_j.has_value());
  EXPECT_THAT(measured.telemetry.reasons.at("power_w"), HasSubstr("pauses"));
}

}  // namespace
}  // namespace rtxbench::fake
