#include <algorithm>
#include <cmath>

#include "run/regimes.hpp"
#include "stats/stats.hpp"

namespace rtxbench {
namespace {

constexpr double kHotFor = 2.0;     // s after a sustained run: consecutive cases share its heat
constexpr double kHotShare = 0.25;  // of window and minimum, on a board that is hot already

// Keeps the next group queued while the oldest is waited for, so that the device never runs dry.
class Pipeline {
 public:
  explicit Pipeline(Session& session) : session_(session) {}
  // Waits for a group, with up to `room` samples still wanted beyond those already collected.
  [[nodiscard]] std::optional<GroupResult> next(int room) {
    while (session_.runner.in_flight() < 2) {
      const int size = std::min(session_.group_size, room - queued_);
      if (size <= 0) break;
      session_.runner.submit(size, first_);
      first_ = false;
      queued_ += size;
      sizes_[tail_++ % 2] = size;
    }
    queued_ -= sizes_[head_++ % 2];
    return session_.runner.collect();
  }

 private:
  Session& session_;
  bool first_ = true;
  int queued_ = 0;         // samples in flight
  int sizes_[2] = {0, 0};  // of the groups in flight, a ring
  unsigned head_ = 0, tail_ = 0;
};

struct Window {
  double started_s = 0;
  double median_s = 0;
  std::optional<double> clock_hz;
};

bool agree(double a, double b, double tolerance) { return std::fabs(a - b) <= tolerance * std::max(a, b); }

bool agree(const Window& a, const Window& b, const Parameters& parameters) {
  if (!agree(a.median_s, b.median_s, parameters.steady_median)) return false;
  return !a.clock_hz || !b.clock_hz || agree(*a.clock_hz, *b.clock_hz, parameters.steady_clock);
}

// One window of back-to-back work; `limit_s` ends it early once it has a sample.
Window run_window(Session& session, Pipeline& pipeline, double length_s, double limit_s) {
  Samples samples;
  const double started_s = session.device.now_s();
  for (double now_s = started_s; samples.elapsed_s.empty() || (now_s - started_s < length_s && now_s < limit_s);
       now_s = session.device.now_s()) {
    if (const auto group = pipeline.next(session.parameters.max_samples)) {
      samples.add(*group);
      session.report("heating", samples);
    }
  }
  return {started_s, stats::median(samples.elapsed_s), samples.clock_hz()};
}

// Returns the heating and, in `steady_from_s`, when the last two windows began.
Heating heat(Session& session, Pipeline& pipeline, double& steady_from_s) {
  const double started_s = session.device.now_s();
  const double limit_s = started_s + session.parameters.steady_limit_s;
  Heating heating{.shared = started_s < session.state.hot_until_s};
  const double share = heating.shared ? kHotShare : 1.0;
  const double length_s = session.parameters.steady_window_s * share;
  const double minimum_s = started_s + session.parameters.steady_minimum_s * share;
  Window before = run_window(session, pipeline, length_s, limit_s);
  steady_from_s = before.started_s;
  while ((!heating.steady || session.device.now_s() < minimum_s) && session.device.now_s() < limit_s) {
    const Window window = run_window(session, pipeline, length_s, limit_s);
    heating.steady = agree(before, window, session.parameters);
    steady_from_s = before.started_s;
    before = window;
  }
  heating.seconds = session.device.now_s() - started_s;
  return heating;
}

}  // namespace

Attempt run_sustained(Session& session) {
  Attempt attempt;
  Pipeline pipeline(session);
  TelemetryScope telemetry(session.device);
  double steady_from_s = 0;
  attempt.heating = heat(session, pipeline, steady_from_s);
  const double started_s = session.device.now_s();
  StopRule rule(session.parameters, started_s);
  for (std::optional<StopReason> stop; !stop;) {
    const auto group = pipeline.next(rule.room(attempt.samples.elapsed_s.size()));
    if (!group) continue;
    attempt.samples.add(*group);
    session.report("measuring", attempt.samples);
    stop = rule.check(attempt.samples.elapsed_s, session.device.now_s());
    if (stop) attempt.stop_reason = *stop;
  }
  const double ended_s = session.device.now_s();
  attempt.telemetry = reduce_telemetry(telemetry.end(), {started_s, ended_s}, {steady_from_s, ended_s}, session.device.info());
  session.runner.drain();
  session.state.hot_until_s = session.device.now_s() + kHotFor;
  if (attempt.telemetry.power_w) {
    attempt.telemetry.energy_per_call_j = *attempt.telemetry.power_w * stats::median(attempt.samples.elapsed_s);
  }
  return attempt;
}

}  // namespace rtxbench
