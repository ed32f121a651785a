#include "rtxbench/units.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rtxbench {
namespace {

TEST(Units, SignificantDigits) {
  EXPECT_EQ(significant(767.34, 4), "767.3");
  EXPECT_EQ(significant(46.4, 4), "46.40");
  EXPECT_EQ(significant(9.99961, 4), "10.00");
  EXPECT_EQ(significant(999.96, 4), "1000");
  EXPECT_EQ(significant(0.012345, 4), "0.01235");
  EXPECT_EQ(significant(123456, 4), "123456");
  EXPECT_EQ(significant(0, 4), "0");
  EXPECT_EQ(significant(-2.5, 2), "-2.5");
  EXPECT_EQ(significant(1e30, 4), "1.000e+30");
  EXPECT_EQ(significant(1e-9, 4), "1.000e-09");
  EXPECT_EQ(significant(std::nan(""), 4), "-");
  EXPECT_EQ(significant(std::numeric_limits<double>::infinity(), 4), "-");
}

TEST(Units, Times) {
  EXPECT_EQ(time_text(2.5), "2.500 s");
  EXPECT_EQ(time_text(1.234e-3), "1.234 ms");
  EXPECT_EQ(time_text(178.24e-6), "178.2 µs");
  EXPECT_EQ(time_text(12e-9), "12.00 ns");
  EXPECT_EQ(time_text(33.14e-6, 3), "33.1 µs");
  EXPECT_EQ(time_text(999.7e-6, 3), "1.00 ms");
  EXPECT_EQ(time_text(0), "0 s");
  EXPECT_EQ(time_text(2e-12), "0.002000 ns");
  EXPECT_EQ(time_text(999.97e-6), "1.000 ms");
  EXPECT_EQ(time_text(7200), "7200 s");
  EXPECT_EQ(time_text(std::nan("")), "-");
}

TEST(Units, Waits) {
  EXPECT_EQ(wait_text(7.4), "0:07");
  EXPECT_EQ(wait_text(3725), "1:02:05");
  EXPECT_EQ(wait_text(-1), "0:00");
  EXPECT_EQ(duration_text(7.4), "7 s");
  EXPECT_EQ(duration_text(750), "12 min 30 s");
  EXPECT_EQ(duration_text(3725), "1 h 2 min");
}

TEST(Units, SiPrefixes) {
  EXPECT_EQ(si_text(767.4e12, "FLOPS"), "767.4 TFLOPS");
  EXPECT_EQ(si_text(2.01e7, "B", 3), "20.1 MB");
  EXPECT_EQ(si_text(-1.5e-3, "J", 2), "-1.5 mJ");
  EXPECT_EQ(si_text(0, "B/s"), "0 B/s");
  EXPECT_EQ(si_text(std::nan(""), "B/s"), "-");
}

TEST(Units, Memory) {
  EXPECT_EQ(memory_text(0), "0 B");
  EXPECT_EQ(memory_text(1023), "1023 B");
  EXPECT_EQ(memory_text(117 << 20), "117.0 MiB");
  EXPECT_EQ(memory_text(150109880320), "139.8 GiB");
  EXPECT_EQ(memory_text(std::numeric_limits<std::uint64_t>::max()), "16.00 EiB");
}

TEST(Units, FixedAndScales) {
  EXPECT_EQ(fixed(0.5985, 100, 1), "59.9");
  EXPECT_EQ(fixed(std::nullopt, 1, 0), "-");
  EXPECT_EQ(fixed(std::nan(""), 1, 0), "-");
  EXPECT_EQ(fixed(1e300, 1, 0), "1.000e+300");
  EXPECT_EQ(flops_scale(7e14).unit, "TFLOPS");
  EXPECT_EQ(flops_scale(2e10).unit, "GFLOPS");
  EXPECT_EQ(flops_scale(1).unit, "MFLOPS");
  EXPECT_EQ(bandwidth_scale(4.8e12).unit, "TB/s");
  EXPECT_EQ(bandwidth_scale(4.8e10).factor, 1e9);
}

}  // namespace
}  // namespace rtxbench
