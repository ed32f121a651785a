// The measurement protocol of one prepared call (docs/measuring.md), written against Device alone.
#pragma once

#include <functional>

#include "rtxbench/conditions.hpp"
#include "rtxbench/device.hpp"
#include "rtxbench/parameters.hpp"
#include "rtxbench/provider.hpp"
#include "rtxbench/record.hpp"

namespace rtxbench {

// What outlives a case within a worker: one heating phase serves consecutive sustained cases.
struct ProtocolState {
  double hot_until_s = -1e300;  // Device::now_s() at which the card counts as cool again
  bool spin_disabled = false;   // a spin kernel timed out once: launches are serialised in this process
  std::string spin_reason;
};

struct Progress {
  std::string phase;  // "preparing", "verifying", "heating", "measuring"
  std::uint64_t samples = 0;
  double median_s = 0, relative_half_width = 0;
  std::optional<double> clock_hz;
};

struct Measured {
  Measurement measurement;
  Telemetry telemetry;
  std::vector<Flag> flags;
};

// Throws DeviceError. `estimate_s` is one call, measured by the caller or by estimate_call().
[[nodiscard]] Measured measure(Device& device, Invocation& invocation, std::size_t sets, Regime regime, CacheState cache,
                               double estimate_s, const Parameters& parameters, ProtocolState& state,
                               const std::function<void(const Progress&)>& progress);

// Time of one call after an unmeasured first one.
[[nodiscard]] double estimate_call(Device& device, Invocation& invocation, std::size_t sets, ProtocolState& state,
                                   const Parameters& parameters);

}  // namespace rtxbench
