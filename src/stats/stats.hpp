// Statistics of one measurement. Distribution-free: nothing assumes that times are normal.
#pragma once

#include <span>

#include "rtxbench/record.hpp"

namespace rtxbench::stats {

// Linear interpolation between order statistics (Hyndman and Fan 1996, type 7). `sorted` ascending, not empty.
[[nodiscard]] double quantile(std::span<const double> sorted, double p);
[[nodiscard]] double median(std::span<const double> values);  // not empty

struct Interval {
  double lower = 0, upper = 0;
  double confidence = 0;  // exact coverage by the binomial distribution; 0 and the whole range when `level` cannot be reached
};
// Shortest symmetric pair of order statistics whose coverage of the median is at least `level`.
[[nodiscard]] Interval median_interval(std::span<const double> sorted, double level = 0.95);

[[nodiscard]] Summary summarise(std::span<const double> values);

}  // namespace rtxbench::stats
