// How to measure: the same for every case of a run, part of the report and of what compare pairs on.
#pragma once

#include <cstdint>
#include <string>

namespace rtxbench {

struct Parameters {
  std::uint64_t seed = 1;
  double min_time_s = 0.5;  // of a measurement, wall clock
  double max_time_s = 5.0;
  double relative_half_width = 0.005;  // of the 95 % interval of the median
  int min_samples = 30;
  int max_samples = 1000;
  double burst_idle_s = 0.1;      // pause between bursts
  double burst_work_s = 0.010;    // work in a burst, at most
  int burst_calls = 10;           // calls in a burst, at most
  double steady_window_s = 1.0;   // sustained: two consecutive windows must agree
  double steady_minimum_s = 4.0;  // heat for so long at least: boards step their clock down only after 2-3 s of load
  double steady_limit_s = 10.0;   // give up heating
  double steady_median = 0.01;    // relative agreement of window medians
  double steady_clock = 0.02;     // and of window clocks
  int throttle_retries = 2;
  double skip_factor = 20;  // a case whose estimate of one measurement exceeds this many max_time_s is skipped
  bool spin = true;
  double case_timeout_s = 300;  // the worker is killed after this
};

}  // namespace rtxbench
