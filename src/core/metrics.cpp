#include "rtxbench/metrics.hpp"

#include <cmath>

namespace rtxbench {
namespace {
std::optional<double> rate(std::uint64_t amount, double time_s) {
  const double value = static_cast<double>(amount) / time_s;
  if (amount == 0 || !std::isfinite(value)) return std::nullopt;
  return value;
}
}  // namespace

std::optional<Metrics> metrics_of(const Record& record) {
  if (record.status != Status::passed || !record.measurement) return std::nullopt;
  const double time_s = record.measurement->time.median;
  if (!std::isfinite(time_s) || time_s < 0) return std::nullopt;
  return Metrics{time_s, rate(record.work.flop, time_s), rate(record.work.moved_bytes(), time_s)};
}

}  // namespace rtxbench
