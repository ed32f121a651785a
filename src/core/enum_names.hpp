// The names of enumerations, in the order of their values: one list each for ids, the command line and JSON, in both
// directions.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rtxbench/benchmark.hpp"
#include "rtxbench/conditions.hpp"
#include "rtxbench/data.hpp"
#include "rtxbench/dtype.hpp"
#include "rtxbench/problems/gemm.hpp"
#include "rtxbench/record.hpp"

namespace rtxbench {

template <class Enum>
inline constexpr std::array<std::string_view, 0> kEnumNames{};

template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<DType>{"fp64", "fp32", "tf32", "fp16", "bf16"};
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<Regime>{"burst", "sustained"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<CacheState>{"cold", "warm", "flush"};
template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<Distribution>{"uniform", "normal", "zeros", "int", "ones"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<Coverage>{"full", "sampled", "shrunk"};
template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<Status>{"passed", "wrong", "skipped", "unsupported", "error"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<StopReason>{"ci_met", "max_time", "max_samples"};
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<GemmLayout>{"nn", "nt", "tn", "tt"};

template <class Enum>
[[nodiscard]] std::string_view enum_name(Enum value) {
  return kEnumNames<Enum>.at(static_cast<std::size_t>(value));
}

template <class Enum>
[[nodiscard]] std::vector<std::string> enum_names() {
  return {kEnumNames<Enum>.begin(), kEnumNames<Enum>.end()};
}

template <class Enum>
[[nodiscard]] std::optional<Enum> parse_enum(std::string_view text) {
  const auto found = std::ranges::find(kEnumNames<Enum>, text);
  if (found == kEnumNames<Enum>.end()) return std::nullopt;
  return static_cast<Enum>(found - kEnumNames<Enum>.begin());
}

}  // namespace rtxbench
