#include "run/stop_rule.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/stats.hpp"

namespace rtxbench {
namespace {
constexpr double kConfidence = 0.95;
constexpr double kGrowth = 1.5;
}  // namespace

std::optional<double> relative_half_width(std::span<const double> samples) {
  if (samples.empty()) return std::nullopt;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  const stats::Interval interval = stats::median_interval(sorted, kConfidence);
  if (interval.confidence < kConfidence) return std::nullopt;
  return (interval.upper - interval.lower) / 2 / stats::quantile(sorted, 0.5);
}

std::optional<StopReason> StopRule::check(std::span<const double> samples, double now_s) {
  const double elapsed_s = now_s - started_s_;
  const auto count = static_cast<double>(samples.size());
  const bool last = elapsed_s >= parameters_.max_time_s || room(samples.size()) <= 0;
  const bool due = count >= next_check_ || last;
  if (due && elapsed_s >= parameters_.min_time_s && count >= parameters_.min_samples) {
    next_check_ = std::ceil(count * kGrowth);
    const auto width = relative_half_width(samples);
    if (width && *width <= parameters_.relative_half_width) return StopReason::ci_met;
  }
  if (elapsed_s >= parameters_.max_time_s) return StopReason::max_time;
  if (room(samples.size()) <= 0) return StopReason::max_samples;
  return std::nullopt;
}

}  // namespace rtxbench
