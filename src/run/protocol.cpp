#include "run/protocol.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rtxbench/error.hpp"
#include "rtxbench/units.hpp"
#include "run/regimes.hpp"
#include "stats/stats.hpp"

namespace rtxbench {
namespace {

constexpr double kThrottlePause = 1.0;  // s before a burst is tried again
constexpr int kEstimateSamples = 3;

TimerRequest request_of(Invocation& invocation, const Timing& timing) {
  return {.invocation = &invocation, .sets = timing.sets, .flush = timing.flush, .calls_per_sample = timing.calls_per_sample};
}

bool throttled(const Attempt& attempt) {
  return (attempt.telemetry.clock_event_reasons.value_or(0) & clock_event::kInvalidating) != 0;
}

struct Attempts {
  Attempt last;
  int thrown_away = 0;
};

Attempts attempt_until_unthrottled(Session& session, Regime regime) {
  Attempts attempts;
  std::optional<Heating> heating;
  for (;;) {
    attempts.last = regime == Regime::burst ? run_burst(session) : run_sustained(session);
    if (heating && attempts.last.heating) {  // one heating to the reader, however many attempts it took
      attempts.last.heating->seconds += heating->seconds;
      attempts.last.heating->shared = heating->shared;
    }
    heating = attempts.last.heating;
    if (!throttled(attempts.last) || attempts.thrown_away >= session.parameters.throttle_retries) return attempts;
    ++attempts.thrown_away;
    if (regime == Regime::burst) session.device.idle(kThrottlePause);
  }
}

void flag_state(const Session& session, const Attempts& attempts, std::vector<Flag>& flags) {
  const std::uint64_t events = attempts.last.telemetry.clock_event_reasons.value_or(0);
  if (throttled(attempts.last)) {
    flags.push_back(
        {"throttled", fmt::format("{} while samples were taken, in each of {} attempts: look after cooling and power supply, "
                                  "then repeat",
                                  clock_event_names(events & clock_event::kInvalidating), attempts.thrown_away + 1)});
  }
  if ((events & clock_event::kSwPowerCap) != 0) {
    flags.push_back({"power-capped",
                     "SwPowerCap: the board lowered its clock to stay within its power limit, as it will in any long "
                     "run of this work"});
  }
  if (attempts.last.heating && !attempts.last.heating->steady) {
    flags.push_back(
        {"not-steady", fmt::format("times or clocks still drifted after {} s of heating: let the board settle, or heat longer",
                                   session.parameters.steady_limit_s)});
  }
  if (const auto& others = session.device.info().other_processes; !others.empty()) {
    flags.push_back({"other-processes",
                     fmt::format("other processes use the device (pid {}): stop them and repeat", fmt::join(others, ", "))});
  }
}

void flag_timing(const Session& session, Regime regime, double median_s, const TimerFloor& floor, std::vector<Flag>& flags) {
  const Timing& timing = session.timing;
  if (regime == Regime::burst && timing.call_s > session.parameters.burst_work_s) {
    flags.push_back(
        {"long", fmt::format("one call lasts longer than the {} of work that a burst may hold, so the chip heats within it and "
                             "its clock may fall: this is no longer the speed of a cool chip",
                             time_text(session.parameters.burst_work_s, 3))});
  }
  const double sample_s = median_s * timing.calls_per_sample;
  if (sample_s < 10 * floor.floor_s || (timing.flush && sample_s < timing.threshold_s)) {
    flags.push_back({"near-floor",
                     fmt::format("a sample of {} is short beside an empty kernel's {} and the clock's step of {}: use a larger "
                                 "problem{}",
                                 time_text(sample_s, 3), time_text(floor.floor_s, 3), time_text(floor.resolution_s, 3),
                                 timing.flush ? ", or a cache state that allows several calls a sample" : "")});
  }
}

Method describe(const Session& session, const Attempts& attempts, const TimerFloor& floor) {
  Method method{.timer = std::string(session.runner.timer().method()),
                .cache = session.timing.cache,
                .calls_per_sample = session.timing.calls_per_sample,
                .operand_sets = session.timing.sets,
                .resolution_s = floor.resolution_s,
                .floor_s = floor.floor_s,
                .retries = attempts.thrown_away + session.runner.discarded()};
  method.spin = spin_wanted(session.device, session.parameters, session.state, method.spin_reason);
  if (const auto& heating = attempts.last.heating) {
    method.heating_s = heating->seconds;
    method.steady = heating->steady;
    method.shared_heating = heating->shared;
  }
  return method;
}

double median_call(Device& device, Invocation& invocation, const Timing& timing, ProtocolState& state, int samples) {
  GroupRunner runner(device, request_of(invocation, timing), false, state);
  for (;;) {
    runner.submit(samples, false);
    if (const auto group = runner.collect()) return stats::median(group->elapsed_s);
  }
}

}  // namespace

double estimate_call(Device& device, Invocation& invocation, std::size_t sets, ProtocolState& state,
                     const Parameters& parameters) {
  Timing timing{.sets = sets};
  const double first_s = median_call(device, invocation, timing, state, 1);  // unmeasured: pays for whatever is loaded lazily
  const double limit_s = parameters.skip_factor * parameters.max_time_s;
  if (first_s > limit_s) return first_s;  // far too long to be asked again
  const double call_s =
      median_call(device, invocation, timing, state, first_s > parameters.burst_work_s ? 1 : kEstimateSamples);
  timing.threshold_s = timing_threshold_s(device.timer_floor());
  if (call_s >= timing.threshold_s) return call_s;
  // Too short to be read singly: as many calls as the samples will have, so that launch cost does not pass for work.
  timing.calls_per_sample =
      static_cast<int>(std::clamp(timing.threshold_s / call_s, 2.0, static_cast<double>(kMaxCallsPerSample)));
  return median_call(device, invocation, timing, state, kEstimateSamples);
}

Measured measure(Device& device, Invocation& invocation, std::size_t sets, Regime regime, CacheState cache, double estimate_s,
                 const Parameters& parameters, ProtocolState& state, const std::function<void(const Progress&)>& progress) {
  const double started_s = device.now_s();
  const TimerFloor floor = device.timer_floor();
  const Timing timing = choose_timing(floor, device.info(), sets, regime, cache, estimate_s, parameters);
  std::string no_spin;
  const bool spin = spin_wanted(device, parameters, state, no_spin);
  Session session{device,   parameters, state,
                  progress, timing,     GroupRunner(device, request_of(invocation, timing), spin, state)};
  session.group_size = samples_per_group(timing, regime, parameters, session.runner.timer().max_samples_per_group());

  Attempts attempts = attempt_until_unthrottled(session, regime);
  Samples& samples = attempts.last.samples;
  Measured measured{.telemetry = attempts.last.telemetry};
  Measurement& measurement = measured.measurement;
  measurement.method = describe(session, attempts, floor);
  measurement.clock_hz = samples.clock_hz();
  measurement.samples_s = std::move(samples.elapsed_s);
  measurement.group_clocks_hz = std::move(samples.clocks_hz);
  measurement.group_sizes = std::move(samples.group_sizes);
  measurement.time = stats::summarise(measurement.samples_s);
  measurement.stop_reason = attempts.last.stop_reason;
  const auto width = relative_half_width(measurement.samples_s);
  measurement.ci_met = width && *width <= parameters.relative_half_width;
  flag_timing(session, regime, measurement.time.median, floor, measured.flags);
  flag_state(session, attempts, measured.flags);
  measurement.wall_s = device.now_s() - started_s;
  return measured;
}

}  // namespace rtxbench
