#include "plan/sizing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rtxbench/units.hpp"

namespace rtxbench {
namespace {

constexpr std::uint64_t kMaxBytes = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::size_t kMaxSets = 64;
// Where the cache's size is unknown: more than the largest L2 on sale (126 MiB), so that cold stays cold.
constexpr std::uint64_t kAssumedCacheBytes = 128 * kMiB;

std::uint64_t times(std::uint64_t a, std::uint64_t b) { return b != 0 && a > kMaxBytes / b ? kMaxBytes : a * b; }
std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a > kMaxBytes - b ? kMaxBytes : a + b; }
std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

std::uint64_t set_bytes(const Problem& problem) {
  std::uint64_t sum = 0;
  for (const TensorSpec& tensor : problem.tensors()) {
    std::uint64_t bytes = storage_bytes(tensor.dtype);
    for (const std::int64_t extent : tensor.shape) bytes = times(bytes, static_cast<std::uint64_t>(extent));
    sum = plus(sum, bytes);
  }
  return sum;
}

std::uint64_t cache_bytes(const DeviceInfo& device) { return device.cache_bytes.value_or(kAssumedCacheBytes); }

std::uint64_t flush_needed(const AxisValues& values, const DeviceInfo& device) {
  return values.at("cache") == "warm" ? 0 : flush_bytes(device);
}

std::optional<std::uint64_t> available_bytes(const DeviceInfo& device) {
  return device.free_bytes ? device.free_bytes : device.memory_bytes;
}

}  // namespace

std::size_t operand_sets(const Problem& problem, const AxisValues& values, const DeviceInfo& device) {
  if (values.at("cache") != "cold") return 1;
  const std::uint64_t bytes = std::max<std::uint64_t>(1, set_bytes(problem));
  const std::uint64_t target = times(kColdCaches, cache_bytes(device));
  std::uint64_t sets = std::clamp<std::uint64_t>((target - 1) / bytes + 1, 1, kMaxSets);
  if (const auto available = available_bytes(device)) {
    sets = std::min(sets, std::max<std::uint64_t>(1, minus(*available, flush_needed(values, device)) / bytes));
  }
  return static_cast<std::size_t>(sets);
}

std::uint64_t memory_needed(const Problem& problem, const AxisValues& values, const DeviceInfo& device) {
  return plus(times(set_bytes(problem), operand_sets(problem, values, device)), flush_needed(values, device));
}

std::string memory_shortage(std::uint64_t needed, const DeviceInfo& device) {
  const auto available = available_bytes(device);
  if (!available || needed <= *available) return "";
  return fmt::format("needs {}, free {}", memory_text(needed), memory_text(*available));
}

double estimate_measurement_s(const AxisValues& values, const Parameters& parameters) {
  constexpr double kPreparation = 0.5;
  if (values.at("regime") == "sustained")
    return kPreparation + std::max(2 * parameters.steady_window_s, parameters.steady_minimum_s) + parameters.min_time_s;
  const double bursts = std::ceil(static_cast<double>(parameters.min_samples) / std::max(1, parameters.burst_calls));
  const double sampling = std::max(parameters.min_time_s, bursts * (parameters.burst_idle_s + parameters.burst_work_s));
  return kPreparation + std::min(sampling, parameters.max_time_s);
}

}  // namespace rtxbench
