// The two ways of taking samples. An attempt is thrown away as a whole when the board throttled during it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "run/group_runner.hpp"
#include "run/stop_rule.hpp"
#include "run/telemetry.hpp"
#include "run/timing.hpp"

namespace rtxbench {

struct Samples {
  std::vector<double> elapsed_s;  // per call
  std::vector<std::optional<double>> clocks_hz;
  std::vector<std::uint32_t> group_sizes;
  void add(const GroupResult& group);
  [[nodiscard]] std::optional<double> clock_hz() const;  // median of what is known
};

// What an attempt works with; lives as long as the measurement.
struct Session {
  Device& device;
  const Parameters& parameters;
  ProtocolState& state;
  const std::function<void(const Progress&)>& progress;
  Timing timing;
  GroupRunner runner;
  int group_size = 1;  // samples

  void report(const char* phase, const Samples& samples) const;
};

struct Heating {
  double seconds = 0;
  bool steady = false;
  bool shared = false;  // the card was still hot from the case before
};

struct Attempt {
  Samples samples;
  StopReason stop_reason = StopReason::ci_met;
  std::optional<Heating> heating;
  Telemetry telemetry;
};

// Groups of a few calls on a cool chip, each after a pause.
[[nodiscard]] Attempt run_burst(Session& session);

// Back to back until steady, then samples without a gap.
[[nodiscard]] Attempt run_sustained(Session& session);

}  // namespace rtxbench
