#include "rtxbench/device.hpp"

#include <gtest/gtest.h>

namespace rtxbench {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

std::uint64_t flushed(const char* backend, std::optional<std::uint64_t> cache_bytes) {
  DeviceInfo device;
  device.backend = backend;
  device.cache_bytes = cache_bytes;
  return flush_bytes(device);
}

TEST(Device, FlushIsFourCachesWithinLimits) {
  EXPECT_EQ(flushed("cpu", std::nullopt), 64 * kMiB);
  EXPECT_EQ(flushed("cpu", 8 * kMiB), 64 * kMiB);
  EXPECT_EQ(flushed("cpu", 32 * kMiB), 128 * kMiB);
  EXPECT_EQ(flushed("cpu", 384 * kMiB), 512 * kMiB);
  EXPECT_EQ(flushed("cuda", std::nullopt), 256 * kMiB);
  EXPECT_EQ(flushed("cuda", 6 * kMiB), 256 * kMiB);
  EXPECT_EQ(flushed("cuda", 126 * kMiB), 504 * kMiB);
}

}  // namespace
}  // namespace rtxbench
