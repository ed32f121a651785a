// Memory and time that a case will take, before anything of it exists.
#pragma once

#include <cstdint>
#include <string>

#include "rtxbench/case.hpp"
#include "rtxbench/device.hpp"
#include "rtxbench/parameters.hpp"
#include "rtxbench/problem.hpp"

namespace rtxbench {

// Operand sets must together exceed so many last-level caches for rotation to find nothing in them.
inline constexpr std::uint64_t kColdCaches = 3;

// Operand sets needed so that together they do; 1 where rotation is not asked for.
[[nodiscard]] std::size_t operand_sets(const Problem& problem, const AxisValues& values, const DeviceInfo& device);

// Operands in all sets and the buffer that flushes the cache; UINT64_MAX when 64 bits cannot hold it.
[[nodiscard]] std::uint64_t memory_needed(const Problem& problem, const AxisValues& values, const DeviceInfo& device);

// "needs 1.750 GiB, free 117.0 MiB", or empty when it fits or the device does not say what it has.
[[nodiscard]] std::string memory_shortage(std::uint64_t needed, const DeviceInfo& device);

// Rough seconds of a whole measurement: preparation and verification (0.5 s); burst: `min_time`, but at least the bursts that
// `min_samples` needs with their pauses; sustained: two windows of heating, then `min_time`; never more than `max_time` of
// sampling.
[[nodiscard]] double estimate_measurement_s(const AxisValues& values, const Parameters& parameters);

}  // namespace rtxbench
