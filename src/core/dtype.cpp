#include "rtxbench/dtype.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace rtxbench {
namespace {
constexpr std::array kAll{DType::fp64, DType::fp32, DType::tf32, DType::fp16, DType::bf16};
constexpr std::array<std::size_t, 5> kBytes{8, 4, 4, 2, 2};
constexpr std::array kRoundoff{0x1.0p-53, 0x1.0p-24, 0x1.0p-11, 0x1.0p-11, 0x1.0p-8};
std::size_t at(DType type) { return static_cast<std::size_t>(type); }
}  // namespace

std::span<const DType> all_dtypes() { return kAll; }
std::size_t storage_bytes(DType type) { return kBytes[at(type)]; }
double unit_roundoff(DType type) { return kRoundoff[at(type)]; }

std::uint16_t fp16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000U);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00U);
  if (magnitude >= 65520.0F) return static_cast<std::uint16_t>(sign | 0x7c00U);  // rounds past the largest finite value
  if (magnitude < 0x1.0p-14F) {  // subnormal: multiples of 2^-24; nearbyint rounds half to even
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(magnitude * 0x1.0p24F)));
  }
  const std::uint32_t rounded = (bits & 0x7fffffffU) + 0xfffU + ((bits >> 13) & 1U);  // half to even at bit 13
  return static_cast<std::uint16_t>(sign | ((rounded >> 13) - (112U << 10)));         // exponent bias 127 -> 15
}

float float_from_fp16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fU;
  const std::uint32_t mantissa = bits & 0x3ffU;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000U | (mantissa << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1.0p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112U) << 23) | (mantissa << 13));
}

std::uint16_t bf16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

float float_from_bf16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

// The narrow formats are reached through fp32, on the host as on the device, so both sides hold the same bits.
double round_to_storage(DType type, double value) {
  switch (type) {
    case DType::fp64:
      return value;
    case DType::fp32:
    case DType::tf32:
      return static_cast<double>(static_cast<float>(value));
    case DType::fp16:
      return static_cast<double>(float_from_fp16(fp16_from_float(static_cast<float>(value))));
    case DType::bf16:
      return static_cast<double>(float_from_bf16(bf16_from_float(static_cast<float>(value))));
  }
  return value;
}

double load_element(DType type, const void* data, std::size_t index) {
  switch (type) {
    case DType::fp64:
      return static_cast<const double*>(data)[index];
    case DType::fp32:
    case DType::tf32:
      return static_cast<double>(static_cast<const float*>(data)[index]);
    case DType::fp16:
      return static_cast<double>(float_from_fp16(static_cast<const std::uint16_t*>(data)[index]));
    case DType::bf16:
      return static_cast<double>(float_from_bf16(static_cast<const std::uint16_t*>(data)[index]));
  }
  return 0;
}

void store_element(DType type, void* data, std::size_t index, double value) {
  switch (type) {
    case DType::fp64:
      static_cast<double*>(data)[index] = value;
      break;
    case DType::fp32:
    case DType::tf32:
      static_cast<float*>(data)[index] = static_cast<float>(value);
      break;
    case DType::fp16:
      static_cast<std::uint16_t*>(data)[index] = fp16_from_float(static_cast<float>(value));
      break;
    case DType::bf16:
      static_cast<std::uint16_t*>(data)[index] = bf16_from_float(static_cast<float>(value));
      break;
  }
}

}  // namespace rtxbench
