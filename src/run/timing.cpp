#include "run/timing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rtxbench {
namespace {

constexpr double kResolutionSteps = 200;
constexpr double kFloors = 10;
constexpr double kGraphFloors = 100;       // a sample of several calls: so long that its one launch weighs at most about 1 %
constexpr double kSustainedGroup = 0.075;  // s: long beside a launch, short beside a steady window

int calls_to_last(double seconds, double call_s) {
  const double calls = std::ceil(seconds / call_s - 1e-9);  // an exact multiple stays exact
  return static_cast<int>(std::clamp(calls, 1.0, static_cast<double>(kMaxCallsPerSample)));
}

int whole_samples(double seconds, double sample_s, int limit) {
  const double samples = std::floor(seconds / sample_s + 1e-9);
  return static_cast<int>(std::clamp(samples, 1.0, static_cast<double>(std::max(1, limit))));
}

std::string rotation_text(const DeviceInfo& device, std::size_t sets) {
  if (sets > 1) return "rotate";
  return device.cache_bytes ? "rotate: one set exceeds 3 x cache" : "rotate: one set, cache size unknown";
}

}  // namespace

double timing_threshold_s(const TimerFloor& floor) {
  return std::max(kResolutionSteps * floor.resolution_s, kFloors * floor.floor_s);
}

Timing choose_timing(const TimerFloor& floor, const DeviceInfo& device, std::size_t sets, Regime regime, CacheState cache,
                     double call_s, const Parameters& parameters) {
  Timing timing{.call_s = call_s, .threshold_s = timing_threshold_s(floor)};
  if (cache == CacheState::flush) {  // a flush stands between any two calls, so they cannot share a sample
    timing.flush = true;
    timing.cache = "flush";
    return timing;
  }
  if (call_s < timing.threshold_s) {
    timing.calls_per_sample = calls_to_last(std::max(timing.threshold_s, kGraphFloors * floor.floor_s), call_s);
  }
  if (regime == Regime::sustained) {  // longer samples where max_samples of them would end before max_time
    const double sample_s = parameters.max_time_s / std::max(1, parameters.max_samples);
    timing.calls_per_sample = std::max(timing.calls_per_sample, calls_to_last(sample_s, call_s));
  }
  if (cache == CacheState::warm) {
    timing.cache = "warm";
  } else if (regime == Regime::burst && timing.calls_per_sample == 1) {
    timing.flush = true;
    timing.cache = "flush";
  } else {  // a flush is a pause at low power, which a sustained run must not have
    timing.sets = sets;
    timing.cache = rotation_text(device, sets);
  }
  return timing;
}

int samples_per_group(const Timing& timing, Regime regime, const Parameters& parameters, int timer_limit) {
  if (regime == Regime::sustained) return whole_samples(kSustainedGroup, timing.sample_s(), timer_limit);
  return whole_samples(parameters.burst_work_s, timing.sample_s(), std::min(parameters.burst_calls, timer_limit));
}

double shortest_measurement_s(const Timing& timing, Regime regime, const Parameters& parameters) {
  const double work = parameters.min_samples * timing.sample_s();
  if (regime == Regime::sustained) {
    return work + std::max(2 * std::max(parameters.steady_window_s, timing.sample_s()), parameters.steady_minimum_s);
  }
  const int group = samples_per_group(timing, regime, parameters, std::numeric_limits<int>::max());
  return work + std::ceil(static_cast<double>(parameters.min_samples) / group) * parameters.burst_idle_s;
}

}  // namespace rtxbench
