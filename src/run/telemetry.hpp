// Reduces what the board's sensors said while samples were taken.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rtxbench/device.hpp"
#include "rtxbench/record.hpp"

namespace rtxbench {

// When what happened, in Device::now_s().
struct Span {
  double from_s = 0, to_s = 0;
};

// Clocks, temperature, utilisation and clock event reasons over `samples`; power and energy over `steady`: the same work in the
// same state without a pause (for a burst there is no such span: pass an empty one). Whatever is unknown has its reason.
[[nodiscard]] Telemetry reduce_telemetry(const TelemetryWindow& window, const Span& samples, const Span& steady,
                                         const DeviceInfo& device);

// "SwThermalSlowdown, HwPowerBrake" of those bits of the mask that are known.
[[nodiscard]] std::string clock_event_names(std::uint64_t mask);

// Sampling of the sensors while in scope.
class TelemetryScope {
 public:
  explicit TelemetryScope(Device& device) : device_(device) { device_.begin_telemetry(); }
  ~TelemetryScope();
  TelemetryScope(const TelemetryScope&) = delete;
  TelemetryScope& operator=(const TelemetryScope&) = delete;
  [[nodiscard]] TelemetryWindow end() {
    open_ = false;
    return device_.end_telemetry();
  }

 private:
  Device& device_;
  bool open_ = true;
};

}  // namespace rtxbench
