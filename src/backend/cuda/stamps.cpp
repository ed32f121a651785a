#include "backend/cuda/stamps.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace rtxbench::cuda {
namespace {
constexpr double kMinSpan = 100e-6;  // s; 1 us of timer step is then at most 1 %
constexpr double kSecondsPerTick = 1e-9;
}  // namespace

StampedClock stamped_clock(std::span<const Stamp> before, std::span<const Stamp> after) {
  std::map<unsigned long long, Stamp> first;
  unsigned long long begin = 0, end = 0;
  for (const Stamp& stamp : before) {
    if (stamp.time_ns == 0) continue;
    first.insert_or_assign(stamp.sm, stamp);
    begin = begin == 0 ? stamp.time_ns : std::min(begin, stamp.time_ns);
  }
  std::vector<double> clocks;
  for (const Stamp& stamp : after) {
    if (stamp.time_ns == 0) continue;
    end = std::max(end, stamp.time_ns);
    const auto found = first.find(stamp.sm);
    if (found == first.end()) continue;
    const Stamp& start = found->second;
    if (stamp.time_ns <= start.time_ns || stamp.cycles <= start.cycles) continue;
    const double seconds = static_cast<double>(stamp.time_ns - start.time_ns) * kSecondsPerTick;
    if (seconds >= kMinSpan) clocks.push_back(static_cast<double>(stamp.cycles - start.cycles) / seconds);
  }
  StampedClock result;
  if (begin != 0 && end > begin) result.span_s = static_cast<double>(end - begin) * kSecondsPerTick;
  if (!clocks.empty()) {
    const auto middle = clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2);
    std::ranges::nth_element(clocks, middle);
    result.clock_hz = *middle;
  }
  return result;
}

}  // namespace rtxbench::cuda
