#include <algorithm>

#include "run/regimes.hpp"
#include "stats/stats.hpp"

namespace rtxbench {

void Samples::add(const GroupResult& group) {
  elapsed_s.insert(elapsed_s.end(), group.elapsed_s.begin(), group.elapsed_s.end());
  clocks_hz.push_back(group.clock_hz);
  group_sizes.push_back(static_cast<std::uint32_t>(group.elapsed_s.size()));
}

std::optional<double> Samples::clock_hz() const {
  std::vector<double> known;
  for (const auto& clock : clocks_hz) {
    if (clock) known.push_back(*clock);
  }
  if (known.empty()) return std::nullopt;
  return stats::median(known);
}

void Session::report(const char* phase, const Samples& samples) const {
  if (!progress || samples.elapsed_s.empty()) return;
  progress({.phase = phase,
            .samples = samples.elapsed_s.size(),
            .median_s = stats::median(samples.elapsed_s),
            .relative_half_width = relative_half_width(samples.elapsed_s).value_or(0),
            .clock_hz = samples.clock_hz()});
}

Attempt run_burst(Session& session) {
  Attempt attempt;
  TelemetryScope telemetry(session.device);
  const double started_s = session.device.now_s();
  StopRule rule(session.parameters, started_s);
  for (std::optional<StopReason> stop; !stop;) {
    session.device.idle(session.parameters.burst_idle_s);  // before the first one too: verification warmed the chip
    session.runner.submit(std::min(session.group_size, rule.room(attempt.samples.elapsed_s.size())), true);
    const auto group = session.runner.collect();
    if (!group) continue;
    attempt.samples.add(*group);
    session.report("measuring", attempt.samples);
    stop = rule.check(attempt.samples.elapsed_s, session.device.now_s());
    if (stop) attempt.stop_reason = *stop;
  }
  const Span span{started_s, session.device.now_s()};
  attempt.telemetry = reduce_telemetry(telemetry.end(), span, Span{}, session.device.info());
  return attempt;
}

}  // namespace rtxbench
