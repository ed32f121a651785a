// What a finished case leaves behind. Sinks and compare read nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rtxbench/case.hpp"
#include "rtxbench/device.hpp"
#include "rtxbench/problem.hpp"

namespace rtxbench {

enum class Status : std::uint8_t { passed, wrong, skipped, unsupported, error };
[[nodiscard]] std::string_view name(Status status);
[[nodiscard]] std::optional<Status> parse_status(std::string_view text);

enum class StopReason : std::uint8_t { ci_met, max_time, max_samples };
[[nodiscard]] std::string_view name(StopReason reason);
[[nodiscard]] std::optional<StopReason> parse_stop_reason(std::string_view text);

// Distribution-free summary of samples; filled by src/stats.
struct Summary {
  std::uint64_t count = 0;
  double median = 0, lower = 0, upper = 0;  // 95 % interval of the median by order statistics
  double confidence = 0;                    // of that interval, exact (binomial); 0 when too few samples for one
  double mean = 0, stddev = 0, minimum = 0, maximum = 0, p05 = 0, p95 = 0;
  std::uint64_t outliers_mild = 0, outliers_severe = 0;  // Tukey: beyond 1.5 / 3 interquartile ranges
};

// How the samples came about.
struct Method {
  std::string timer;  // "event", "graph", "host", "host-loop"
  std::string cache;  // "flush", "warm", "rotate", or "rotate: why with one set only, or why not cold"
  int calls_per_sample = 1;
  std::size_t operand_sets = 1;
  bool spin = false;
  std::string spin_reason;  // why not
  double resolution_s = 0, floor_s = 0;
  std::optional<double> heating_s;     // sustained: time until steady
  std::optional<bool> steady;          // sustained: false when not steady within the limit
  std::optional<bool> shared_heating;  // the card was still hot from the case before
  std::optional<int> retries;          // windows thrown away for throttling or invalid groups
};

// One process' worth of samples.
struct Measurement {
  Method method;
  std::vector<double> samples_s;                       // per call
  std::vector<std::optional<double>> group_clocks_hz;  // stamped on the device, one per group
  std::vector<std::uint32_t> group_sizes;              // samples per group, in order
  Summary time;                                        // of samples_s
  std::optional<double> clock_hz;                      // median of group_clocks_hz
  StopReason stop_reason = StopReason::ci_met;
  bool ci_met = false;
  double preparation_s = 0;  // prepare(): never part of samples
  double wall_s = 0;         // whole measurement
};

// Telemetry reduced over the measured window.
struct Telemetry {
  std::optional<double> power_w;  // by the energy counter over >= 1 s, else absent with reason
  std::optional<double> energy_per_call_j;
  std::optional<double> temperature_c, sm_clock_hz, memory_clock_hz, utilisation;  // medians of polled values
  std::optional<std::uint64_t> clock_event_reasons;                                // OR over the window
  std::map<std::string, std::string> reasons;                                      // field -> why absent
};

// How a number compares with a physical limit; absent values carry a reason.
struct PeakShare {
  std::optional<double> peak_flops;     // formula at the maximum clock
  std::optional<double> share_of_peak;  // 0..1
  std::optional<double> share_at_measured_clock;
  std::string basis;  // which row and formula, or why absent
};

// Flags a row carries: "throttled", "long", "near-floor", "suspicious", "not-steady", "other-processes", "power-capped", ...
struct Flag {
  std::string name;
  std::string remedy;  // cause and what to do about it
};

struct Record {
  Case test;              // the case ("case" is a keyword)
  std::string operation;  // Benchmark::op()
  DeviceInfo device;
  Status status = Status::error;
  std::string reason;  // for every status but passed
  Work work;
  MathMode math;
  std::optional<Measurement> measurement;  // of one process; of several: its samples are their medians
  std::vector<Measurement> processes;      // --processes N: one each
  std::optional<Verification> verification;
  Telemetry telemetry;
  PeakShare peak;
  std::map<std::string, std::string> details;  // from the invocation
  std::vector<std::string> kernels;            // names of device kernels
  std::vector<Flag> flags;
  double estimated_call_s = 0;  // before measuring
};

}  // namespace rtxbench
