#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>

#include "kernels/cpu/convert.hpp"

namespace rtxbench::cpu {
namespace {

constexpr std::uint32_t kSign = 0x80000000U, kMagnitude = 0x7fffffffU, kInfinity = 0x7f800000U;

// Shifted into place, a half has an exponent 112 too small: multiplying by 2^112 corrects it, for subnormals exactly as well.
// Infinity and NaN come out at 2^16 and above, and get the full exponent.
inline float widen_fp16(std::uint16_t half) {
  const std::uint32_t bits = half;
  const std::uint32_t shifted = (bits & 0x7fffU) << 13;
  const auto value = std::bit_cast<std::uint32_t>(std::bit_cast<float>(shifted) * 0x1.0p112F);
  const std::uint32_t special = shifted >= (0x7c00U << 13) ? kInfinity : 0U;
  return std::bit_cast<float>(((bits & 0x8000U) << 16) | value | special);
}

// Adding a power of two whose last place is the half's last place lets the hardware round; it is 2^13 times the value's own
// power of two, and at least 2^-1 (whose last place is 2^-24, the subnormal step).
inline std::uint16_t narrow_fp16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & kMagnitude;
  const std::uint32_t finite = std::min(magnitude, std::uint32_t{0x47800000});  // 2^16 and above: infinity
  const std::uint32_t exponent = std::max(finite & kInfinity, std::uint32_t{113} << 23);
  const float base = std::bit_cast<float>(exponent + (13U << 23));
  const float rounded = std::bit_cast<float>(finite) + base;
  // Last places above `base`: the significand with its leading one, which carries into the exponent as it should.
  const std::uint32_t places = std::bit_cast<std::uint32_t>(rounded) - std::bit_cast<std::uint32_t>(base);
  const std::uint32_t half = std::min((((exponent >> 23) - 113U) << 10) + places, std::uint32_t{0x7c00});
  const std::uint32_t nan = magnitude > kInfinity ? 0x7e00U : 0U;
  return static_cast<std::uint16_t>(((bits & kSign) >> 16) | half | nan);
}

inline std::uint16_t narrow_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  const std::uint32_t quiet = (bits >> 16) | 0x40U;
  return static_cast<std::uint16_t>((bits & kMagnitude) > kInfinity ? quiet : rounded);
}

}  // namespace

void widen(DType type, const void* from, float* to, std::size_t count) {
  const auto* source = static_cast<const std::uint16_t*>(from);
  if (type == DType::fp16) {
    for (std::size_t i = 0; i < count; ++i) to[i] = widen_fp16(source[i]);
  } else if (type == DType::bf16) {
    for (std::size_t i = 0; i < count; ++i) to[i] = std::bit_cast<float>(static_cast<std::uint32_t>(source[i]) << 16);
  } else {
    throw std::invalid_argument("widen() converts fp16 and bf16");
  }
}

void narrow(DType type, const float* from, void* to, std::size_t count) {
  auto* target = static_cast<std::uint16_t*>(to);
  if (type == DType::fp16) {
    for (std::size_t i = 0; i < count; ++i) target[i] = narrow_fp16(from[i]);
  } else if (type == DType::bf16) {
    for (std::size_t i = 0; i < count; ++i) target[i] = narrow_bf16(from[i]);
  } else {
    throw std::invalid_argument("narrow() converts fp16 and bf16");
  }
}

}  // namespace rtxbench::cpu
