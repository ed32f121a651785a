#include "stats/stats.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rtxbench::stats {
namespace {

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted;
}

// Distances from the quartiles, in interquartile ranges, at which a value counts as an outlier.
struct Fences {
  double lower, upper, range;
  explicit Fences(std::span<const double> sorted)
      : lower(quantile(sorted, 0.25)), upper(quantile(sorted, 0.75)), range(upper - lower) {}
  [[nodiscard]] int label(double value) const {
    const auto beyond = [&](double ranges) { return value < lower - ranges * range || value > upper + ranges * range; };
    return beyond(3.0) ? 2 : beyond(1.5) ? 1 : 0;
  }
};

// Largest probability of the binomial distribution with p = 1/2: C(n, floor(n/2)) / 2^n. For n = 2h it is the product of
// (2i-1)/(2i) for i = 1..h, and for odd n that of n + 1. A plain product neither overflows nor cancels.
double central_probability(std::size_t n) {
  double probability = 1;
  for (std::size_t i = 1; i <= (n + 1) / 2; ++i) probability *= static_cast<double>(2 * i - 1) / static_cast<double>(2 * i);
  return probability;
}

}  // namespace

double quantile(std::span<const double> sorted, double p) {
  if (sorted.empty()) throw std::invalid_argument("quantile of no values");
  const double position = std::clamp(p, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double median(std::span<const double> values) { return quantile(sorted_copy(values), 0.5); }

// The order statistics x(l) and x(n+1-l) (counted from 1) enclose the median when at least l and at most n-l values lie below
// it, and that number is binomial with p = 1/2. The pair is widened from the middle until it covers enough.
Interval median_interval(std::span<const double> sorted, double level) {
  if (sorted.empty()) throw std::invalid_argument("interval of no values");
  const std::size_t n = sorted.size();
  std::size_t rank = n / 2;
  double probability = central_probability(n);  // of exactly `rank` values below the median
  double coverage = n % 2 == 0 ? probability : 2 * probability;
  while (rank > 1 && coverage < level) {
    probability *= static_cast<double>(rank) / static_cast<double>(n - rank + 1);
    --rank;
    coverage += 2 * probability;
  }
  if (rank == 0 || coverage < level) return {sorted.front(), sorted.back(), 0};
  return {sorted[rank - 1], sorted[n - rank], std::min(coverage, 1.0)};
}

Summary summarise(std::span<const double> values) {
  Summary summary{.count = values.size()};
  if (values.empty()) return summary;
  const std::vector<double> sorted = sorted_copy(values);
  const auto count = static_cast<double>(sorted.size());
  const Interval interval = median_interval(sorted);
  summary.median = quantile(sorted, 0.5);
  summary.lower = interval.lower;
  summary.upper = interval.upper;
  summary.confidence = interval.confidence;
  summary.minimum = sorted.front();
  summary.maximum = sorted.back();
  summary.p05 = quantile(sorted, 0.05);
  summary.p95 = quantile(sorted, 0.95);
  // Relative to the minimum, so that equal values give exactly themselves and a deviation of exactly 0.
  double offset = 0;
  for (const double value : sorted) offset += value - sorted.front();
  summary.mean = sorted.front() + offset / count;
  double squares = 0;
  for (const double value : sorted) squares += (value - summary.mean) * (value - summary.mean);
  if (sorted.size() > 1) summary.stddev = std::sqrt(squares / (count - 1));
  const Fences fences(sorted);
  for (const double value : sorted) {
    const int label = fences.label(value);
    if (label == 1) ++summary.outliers_mild;
    if (label == 2) ++summary.outliers_severe;
  }
  return summary;
}

}  // namespace rtxbench::stats
