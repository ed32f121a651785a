// How a call is timed: decided from its estimate alone, before any sample is taken.
#pragma once

#include <cstddef>
#include <string>

#include "run/protocol.hpp"

namespace rtxbench {

inline constexpr int kMaxCallsPerSample = 1024;

struct Timing {
  int calls_per_sample = 1;
  bool flush = false;
  std::size_t sets = 1;    // operand sets that the calls go through
  double call_s = 0;       // the estimate
  double threshold_s = 0;  // what a sample must last to be timed well
  std::string cache;       // Method::cache
  [[nodiscard]] double sample_s() const { return call_s * calls_per_sample; }
};

// A sample must last 200 steps of the clock (0.5 % resolution) and 10 times an empty kernel's reading.
[[nodiscard]] double timing_threshold_s(const TimerFloor& floor);

[[nodiscard]] Timing choose_timing(const TimerFloor& floor, const DeviceInfo& device, std::size_t sets, Regime regime,
                                   CacheState cache, double call_s, const Parameters& parameters);

// Samples in a group. burst: at most burst_calls and at most burst_work_s; sustained: about 75 ms of work. At least one.
[[nodiscard]] int samples_per_group(const Timing& timing, Regime regime, const Parameters& parameters, int timer_limit);

// Lower figure for the time that one measurement takes: min_samples with their pauses, or with the shortest heating.
[[nodiscard]] double shortest_measurement_s(const Timing& timing, Regime regime, const Parameters& parameters);

}  // namespace rtxbench
