#include "rtxbench/quantity.hpp"

#include <gtest/gtest.h>

namespace rtxbench {
namespace {

TEST(Quantity, PrefixesOfSi) {
  EXPECT_EQ(format_si(767.4e12, "FLOPS"), "767.4 TFLOPS");
  EXPECT_EQ(format_si(1.2344e-6, "s"), "1.234 us");
  EXPECT_EQ(format_si(2.5, "s"), "2.5 s");
  EXPECT_EQ(format_si(0, "s"), "0 s");
  EXPECT_EQ(format_si(-3e-3, "J"), "-3 mJ");
  EXPECT_EQ(format_si(1e-12, "s"), "0.001 ns");
}

TEST(Quantity, FewerDigitsNeverMeanAnExponent) {
  EXPECT_EQ(format_si(3.312e-5, "s", 3), "33.1 us");
  EXPECT_EQ(format_si(999.4e-6, "s", 3), "999 us");
  EXPECT_EQ(format_si(999.6e-6, "s", 3), "1 ms");
  EXPECT_EQ(format_si(0.01, "s", 3), "10 ms");
}

TEST(Quantity, BytesInPowersOf1024) {
  EXPECT_EQ(format_bytes(117 << 20), "117.00 MiB");
  EXPECT_EQ(format_bytes(12), "12 B");
}

}  // namespace
}  // namespace rtxbench
