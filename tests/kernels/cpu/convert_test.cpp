#include "kernels/cpu/common_convert.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rtxbench/data.hpp"

namespace rtxbench::cpu {
namespace {

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

float one_by_one(DType type, std::uint16_t half) { return type == DType::fp16 ? float_from_fp16(half) : float_from_bf16(half); }
std::uint16_t one_by_one(DType type, float value) {
  return type == DType::fp16 ? fp16_from_float(value) : bf16_from_float(value);
}

class Convert : public testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(Types, Convert, testing::Values(DType::fp16, DType::bf16),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST_P(Convert, WidensEveryPatternToTheSameBits) {
  std::vector<std::uint16_t> halves(65536);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  std::vector<float> wide(halves.size());
  widen(GetParam(), halves.data(), wide.data(), halves.size());
  for (std::size_t i = 0; i < halves.size(); ++i) ASSERT_EQ(bits(wide[i]), bits(one_by_one(GetParam(), halves[i]))) << i;
}

// Every value of the format, the midpoints to its neighbours and the floats beside both: all cases of rounding to nearest even.
TEST_P(Convert, NarrowsAroundEveryValueAndMidpointToTheSameBits) {
  std::vector<float> values;
  for (std::uint32_t i = 0; i < 65535; ++i) {
    const float low = one_by_one(GetParam(), static_cast<std::uint16_t>(i));
    const float high = one_by_one(GetParam(), static_cast<std::uint16_t>(i + 1));
    for (const float centre : {low, low / 2 + high / 2}) {
      for (const int step : {-1, 0, 1}) values.push_back(std::bit_cast<float>(bits(centre) + static_cast<std::uint32_t>(step)));
    }
  }
  for (std::uint64_t i = 0; i < 1'000'000; ++i)
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(detail::mix(i))));
  std::vector<std::uint16_t> halves(values.size());
  narrow(GetParam(), values.data(), halves.data(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(halves[i], one_by_one(GetParam(), values[i])) << std::hex << bits(values[i]);
  }
}

TEST(ConvertTypes, OtherTypesAreRefused) {
  float value = 1;
  std::uint16_t half = 0;
  EXPECT_THROW(widen(DType::fp32, &half, &value, 1), std::invalid_argument);
  EXPECT_THROW(narrow(DType::tf32, &value, &half, 1), std::invalid_argument);
}

}  // namespace
}  // namespace rtxbench::cpu
