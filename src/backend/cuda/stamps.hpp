// The SM clock over a group, from the stamps before and after it.
#pragma once

#include <optional>
#include <span>

#include "backend/cuda/device_kernels.hpp"

namespace rtxbench::cuda {

struct StampedClock {
  double span_s = 0;               // from the first to the last stamp
  std::optional<double> clock_hz;  // median over the SMs met both times; absent for spans too short for the timer
};

// An SM's cycle counter is its own, so each SM is compared with itself.
[[nodiscard]] StampedClock stamped_clock(std::span<const Stamp> before, std::span<const Stamp> after);

}  // namespace rtxbench::cuda
