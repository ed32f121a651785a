#include <bit>
#include <cstdint>
#include <stdexcept>

#include "kernels/cpu/common_convert.hpp"

namespace rtxbench::cpu {
namespace {

constexpr std::uint32_t kSign = 0x80000000U, kMagnitude = 0x7fffffffU, kInfinity = 0x7f800000U;
constexpr std::int32_t kExponent = 0x7f800000;
constexpr std::int32_t kTwo16 = 0x47800000;     // fp32 bits of 2^16
constexpr std::int32_t kSmallest = 0x38800000;  // fp32 bits of 2^-14, the smallest normal half

// Shifted into place, a half has an exponent 112 too small: multiplying by 2^112 corrects it, for subnormals exactly as well.
// Infinity and NaN come out at 2^16 and above, and get the full exponent.
inline float widen_fp16(std::uint16_t half) {
  const std::uint32_t bits = half;
  const std::uint32_t shifted = (bits & 0x7fffU) << 13;
  const auto value = std::bit_cast<std::uint32_t>(std::bit_cast<float>(shifted) * 0x1.0p112F);
  const std::uint32_t special = shifted >= (0x7c00U << 13) ? kInfinity : 0U;
  return std::bit_cast<float>(((bits & 0x8000U) << 16) | value | special);
}

// By masks, because GCC keeps a branch around floating-point code that follows a conditional expression.
inline std::int32_t choose(bool condition, std::int32_t yes, std::int32_t no) {
  const std::int32_t mask = -static_cast<std::int32_t>(condition);
  return (yes & mask) | (no & ~mask);
}

// Adding a power of two whose last place is the half's last place lets the hardware round; it is 2^13 times the value's own
// power of two, and at least 2^-1 (whose last place is 2^-24, the subnormal step).
inline std::uint16_t narrow_fp16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto magnitude = static_cast<std::int32_t>(bits & kMagnitude);        // signed: SSE2 compares no unsigned numbers
  const std::int32_t finite = choose(magnitude < kTwo16, magnitude, kTwo16);  // from 2^16 on: infinity
  const std::int32_t own = finite & kExponent;
  const std::int32_t exponent = choose(own > kSmallest, own, kSmallest);
  const std::int32_t base = exponent + (13 << 23);
  const float rounded = std::bit_cast<float>(finite) + std::bit_cast<float>(base);
  // Last places above `base`: the significand with its leading one, which carries into the exponent as it should.
  const std::int32_t places = std::bit_cast<std::int32_t>(rounded) - base;
  const std::int32_t half = ((exponent - kSmallest) >> 13) + places;
  const std::int32_t nan = choose(magnitude > kExponent, 0x7e00, 0);
  return static_cast<std::uint16_t>(static_cast<std::int32_t>((bits & kSign) >> 16) | half | nan);
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
