#include "rtxbench/device.hpp"

#include <algorithm>

namespace rtxbench {

std::uint64_t flush_bytes(const DeviceInfo& device) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  constexpr std::uint64_t kCaches = 4;  // so that no replacement policy keeps old lines
  const std::uint64_t wanted = kCaches * device.cache_bytes.value_or(0);
  if (device.backend == "cpu") return std::clamp(wanted, 64 * kMiB, 512 * kMiB);  // a flush of host memory is slow
  return std::max(256 * kMiB, wanted);  // twice the largest L2 on sale (126 MiB), where the driver does not say
}

}  // namespace rtxbench
