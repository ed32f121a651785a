#include "rtxbench/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rtxbench {
namespace {
std::optional<double> rate(std::uint64_t amount, double time_s) {
  const double value = static_cast<double>(amount) / time_s;
  if (amount == 0 || !std::isfinite(value)) return std::nullopt;
  return value;
}

// The unit of inference is the process: with several, the median of their medians, so that none weighs more by its sample
// count.
double median_time_s(const Record& record) {
  if (record.processes.size() < 2) return record.measurement->time.median;
  std::vector<double> medians;
  for (const Measurement& process : record.processes) {
    if (!std::isfinite(process.time.median)) return process.time.median;  // a NaN has no place in an order
    medians.push_back(process.time.median);
  }
  std::ranges::sort(medians);
  const std::size_t half = medians.size() / 2;
  return medians.size() % 2 == 1 ? medians[half] : (medians[half - 1] + medians[half]) / 2;
}
}  // namespace

std::optional<Metrics> metrics_of(const Record& record) {
  if (record.status != Status::passed || !record.measurement) return std::nullopt;
  const double time_s = median_time_s(record);
  if (!std::isfinite(time_s) || time_s < 0) return std::nullopt;
  return Metrics{time_s, rate(record.work.flop, time_s), rate(record.work.moved_bytes(), time_s)};
}

}  // namespace rtxbench
