#include "rtxbench/dtype.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace rtxbench {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Round to nearest even by arithmetic, from the definition of a binary format: `digits` of significand, smallest exponent of a
// normal number, largest finite value.
double round_by_definition(double value, int digits, int smallest_exponent, double largest) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), smallest_exponent);
  const double quantum = std::ldexp(1.0, exponent - digits + 1);
  const double rounded = std::nearbyint(value / quantum) * quantum;
  return std::fabs(rounded) > largest ? std::copysign(static_cast<double>(kInfinity), value) : rounded;
}

// Floats of every exponent: near each 16-bit neighbour's value, halfway between two, and one step to either side of that.
std::vector<float> interesting_floats() {
  std::vector<float> values{0.0F, -0.0F, kInfinity, -kInfinity};
  for (std::uint32_t high = 0; high < 0x7f80; ++high) {
    for (const std::uint32_t low : {0x0000U, 0x0001U, 0x0fffU, 0x1000U, 0x1001U, 0x3000U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU}) {
      const auto value = std::bit_cast<float>((high << 16) | low);
      values.push_back(value);
      values.push_back(-value);
    }
  }
  return values;
}

TEST(DType, NamesRoundTrip) {
  std::set<std::string> names;
  for (const DType type : all_dtypes()) {
    EXPECT_EQ(parse_dtype(name(type)), type);
    names.emplace(name(type));
  }
  EXPECT_EQ(names, (std::set<std::string>{"fp64", "fp32", "tf32", "fp16", "bf16"}));
  for (const char* text : {"", "FP16", "half", "fp1", "fp160"}) EXPECT_FALSE(parse_dtype(text)) << text;
}

TEST(DType, SizesAndRoundoffs) {
  EXPECT_EQ(storage_bytes(DType::fp64), 8U);
  EXPECT_EQ(storage_bytes(DType::fp32), 4U);
  EXPECT_EQ(storage_bytes(DType::tf32), 4U);
  EXPECT_EQ(storage_bytes(DType::fp16), 2U);
  EXPECT_EQ(storage_bytes(DType::bf16), 2U);
  EXPECT_EQ(unit_roundoff(DType::fp64), std::numeric_limits<double>::epsilon() / 2);
  EXPECT_EQ(unit_roundoff(DType::fp32), static_cast<double>(std::numeric_limits<float>::epsilon()) / 2);
  EXPECT_EQ(unit_roundoff(DType::tf32), std::ldexp(1, -11));
  EXPECT_EQ(unit_roundoff(DType::fp16), std::ldexp(1, -11));
  EXPECT_EQ(unit_roundoff(DType::bf16), std::ldexp(1, -8));
}

TEST(Fp16, EveryPatternRoundTrips) {
  for (std::uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const auto bits = static_cast<std::uint16_t>(pattern);
    const float value = float_from_fp16(bits);
    if ((bits & 0x7fffU) > 0x7c00U) {
      EXPECT_TRUE(std::isnan(value)) << pattern;
      EXPECT_TRUE(std::isnan(float_from_fp16(fp16_from_float(value)))) << pattern;
    } else {
      EXPECT_EQ(fp16_from_float(value), bits) << pattern;
    }
  }
}

TEST(Fp16, EveryPatternHasTheValueOfItsDefinition) {
  for (std::uint32_t pattern = 0; pattern < 0x7c00; ++pattern) {
    const int exponent = static_cast<int>(pattern >> 10);
    const auto mantissa = static_cast<double>(pattern & 0x3ffU);
    const double value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    EXPECT_EQ(static_cast<double>(float_from_fp16(static_cast<std::uint16_t>(pattern))), value) << pattern;
    EXPECT_EQ(static_cast<double>(float_from_fp16(static_cast<std::uint16_t>(pattern | 0x8000U))), -value) << pattern;
  }
}

TEST(Fp16, RoundsAsDefinedAndAsTheCompilerDoes) {
  for (const float value : interesting_floats()) {
    const float got = float_from_fp16(fp16_from_float(value));
    const double expected = round_by_definition(static_cast<double>(value), 11, -14, 65504);
    ASSERT_EQ(static_cast<double>(got), expected) << value;
    ASSERT_EQ(std::signbit(got), std::signbit(value)) << value;
    ASSERT_EQ(fp16_from_float(value), std::bit_cast<std::uint16_t>(static_cast<_Float16>(value))) << value;
  }
}

TEST(Fp16, KnownRoundings) {
  EXPECT_EQ(fp16_from_float(1.0F), 0x3c00);
  EXPECT_EQ(fp16_from_float(-2.0F), 0xc000);
  EXPECT_EQ(fp16_from_float(2049.0F), 0x6800);   // tie between 2048 and 2050: even
  EXPECT_EQ(fp16_from_float(2051.0F), 0x6802);   // tie between 2050 and 2052: even
  EXPECT_EQ(fp16_from_float(65504.0F), 0x7bff);  // largest
  EXPECT_EQ(fp16_from_float(65519.99F), 0x7bff);
  EXPECT_EQ(fp16_from_float(65520.0F), 0x7c00);  // tie with 65536: infinity
  EXPECT_EQ(fp16_from_float(-1e10F), 0xfc00);
  EXPECT_EQ(fp16_from_float(0x1.0p-24F), 0x0001);    // smallest subnormal
  EXPECT_EQ(fp16_from_float(0x1.0p-25F), 0x0000);    // tie with 0: even
  EXPECT_EQ(fp16_from_float(0x1.8p-24F), 0x0002);    // tie between 1 and 2 steps: even
  EXPECT_EQ(fp16_from_float(0x1.ffep-15F), 0x0400);  // rounds up into the normal numbers
  EXPECT_EQ(fp16_from_float(-0.0F), 0x8000);
  EXPECT_EQ(fp16_from_float(kNaN) & 0x7c00, 0x7c00);
  EXPECT_NE(fp16_from_float(kNaN) & 0x03ff, 0);
}

TEST(Bf16, EveryPatternRoundTrips) {
  for (std::uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const auto bits = static_cast<std::uint16_t>(pattern);
    const float value = float_from_bf16(bits);
    if ((bits & 0x7fffU) > 0x7f80U) {
      EXPECT_TRUE(std::isnan(value)) << pattern;
      EXPECT_TRUE(std::isnan(float_from_bf16(bf16_from_float(value)))) << pattern;
    } else {
      EXPECT_EQ(bf16_from_float(value), bits) << pattern;
    }
  }
}

TEST(Bf16, RoundsAsDefined) {
  const double largest = static_cast<double>(std::bit_cast<float>(0x7f7f0000U));
  for (const float value : interesting_floats()) {
    const float got = float_from_bf16(bf16_from_float(value));
    ASSERT_EQ(static_cast<double>(got), round_by_definition(static_cast<double>(value), 8, -126, largest)) << value;
    ASSERT_EQ(std::signbit(got), std::signbit(value)) << value;
  }
}

TEST(Bf16, KnownRoundings) {
  EXPECT_EQ(bf16_from_float(1.0F), 0x3f80);
  EXPECT_EQ(bf16_from_float(257.0F), 0x4380);  // tie between 256 and 258: even
  EXPECT_EQ(bf16_from_float(259.0F), 0x4382);  // tie between 258 and 260: even
  EXPECT_EQ(bf16_from_float(std::numeric_limits<float>::max()), 0x7f80);
  // A NaN whose payload lies in the lower bits alone must not become infinity.
  EXPECT_TRUE(std::isnan(float_from_bf16(bf16_from_float(std::bit_cast<float>(0x7f800001U)))));
}

TEST(DType, RoundToStorage) {
  const double third = 1.0 / 3;
  EXPECT_EQ(round_to_storage(DType::fp64, third), third);
  EXPECT_EQ(round_to_storage(DType::fp32, third), static_cast<double>(1.0F / 3.0F));
  EXPECT_EQ(round_to_storage(DType::tf32, third), static_cast<double>(1.0F / 3.0F));  // stored as fp32
  EXPECT_EQ(round_to_storage(DType::fp16, third), 1365.0 / 4096);
  EXPECT_EQ(round_to_storage(DType::bf16, third), 171.0 / 512);
  EXPECT_EQ(round_to_storage(DType::fp16, 1e6), static_cast<double>(kInfinity));
  EXPECT_EQ(round_to_storage(DType::bf16, 1e6), 999424.0);
  EXPECT_EQ(round_to_storage(DType::fp32, -1e300), -static_cast<double>(kInfinity));
  for (const DType type : all_dtypes())
    EXPECT_TRUE(std::isnan(round_to_storage(type, static_cast<double>(kNaN)))) << name(type);
}

TEST(DType, StoreAndLoadTouchTheirElementOnly) {
  for (const DType type : all_dtypes()) {
    alignas(8) std::array<unsigned char, 4 * 8> bytes{};
    bytes.fill(0xab);
    store_element(type, bytes.data(), 1, -1.0 / 3);
    EXPECT_EQ(load_element(type, bytes.data(), 1), round_to_storage(type, -1.0 / 3)) << name(type);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (i / storage_bytes(type) != 1) {
        EXPECT_EQ(bytes[i], 0xab) << name(type) << " byte " << i;
      }
    }
  }
}

}  // namespace
}  // namespace rtxbench
