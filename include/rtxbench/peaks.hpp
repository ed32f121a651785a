// Peak rates: SMs x clock x FLOP per SM per clock (configs/gpus.json, measuring.md section 2). Unknown parts have no peak.
#pragma once

#include <optional>
#include <string>

#include "rtxbench/device.hpp"
#include "rtxbench/problem.hpp"

namespace rtxbench {

struct Peak {
  std::optional<double> flop_per_sm_per_clock;  // dense
  std::optional<double> flops_at_max_clock;
  std::string basis;  // the row, formula and source, or why there is none
};

// Matched by full name or PCI device id, never by prefix.
[[nodiscard]] Peak peak_for(const DeviceInfo& device, const MathMode& math);

// memory clock x 2 x bus width / 8, in byte/s, as the driver reports them; absent otherwise.
[[nodiscard]] std::optional<double> bandwidth_peak(const DeviceInfo& device);

}  // namespace rtxbench
