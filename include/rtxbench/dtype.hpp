// Element types of tensors and of arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rtxbench {

// tf32 is stored as fp32 and multiplied with 10 explicit mantissa bits; every other type is stored as it computes.
enum class DType : std::uint8_t { fp64, fp32, tf32, fp16, bf16 };

[[nodiscard]] std::span<const DType> all_dtypes();
[[nodiscard]] std::string_view name(DType type);
[[nodiscard]] std::optional<DType> parse_dtype(std::string_view text);
[[nodiscard]] std::size_t storage_bytes(DType type);

// Unit roundoff u of round-to-nearest: 2^-53, 2^-24, 2^-11 (tf32 and fp16), 2^-8 (bf16).
[[nodiscard]] double unit_roundoff(DType type);

// Rounds to nearest even to the *storage* format of the type (tf32: fp32) and back. Overflow gives infinity, as hardware does.
[[nodiscard]] double round_to_storage(DType type, double value);

// IEEE binary16 and bfloat16, round to nearest even; NaN stays NaN.
[[nodiscard]] std::uint16_t fp16_from_float(float value);
[[nodiscard]] float float_from_fp16(std::uint16_t bits);
[[nodiscard]] std::uint16_t bf16_from_float(float value);
[[nodiscard]] float float_from_bf16(std::uint16_t bits);

// Element `index` of a buffer of the storage format.
[[nodiscard]] double load_element(DType type, const void* data, std::size_t index);
void store_element(DType type, void* data, std::size_t index, double value);

}  // namespace rtxbench
