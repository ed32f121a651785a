// Input data as a pure function of (distribution, seed, stream, index): a device fills its buffers with it, and the host
// recomputes any single element for verification without copying a byte. All functions are constexpr, so nvcc compiles the very
// same code for the device (--expt-relaxed-constexpr) and both sides agree to the bit.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rtxbench {

enum class Distribution : std::uint8_t {
  uniform,  // [-1, 1), full mantissas: the default
  normal,   // mean 0, variance 1: sum of 12 uniforms (Irwin-Hall), hence within +-6
  zeros,
  integers,  // -4..4: exact in every type, low switching activity
  ones,
};

[[nodiscard]] std::string_view name(Distribution distribution);  // "uniform", "normal", "zeros", "int", "ones"
[[nodiscard]] std::optional<Distribution> parse_distribution(std::string_view text);

struct DataSource {
  Distribution distribution = Distribution::uniform;
  std::uint64_t seed = 1;
  std::uint64_t stream = 0;  // one per tensor and operand set, so that no two hold the same numbers
};

namespace detail {
// SplitMix64's finaliser (Steele, Lea, Flood 2014): a bijection with full avalanche, hence usable as a counter-based generator.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
[[nodiscard]] constexpr double unit_interval(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }
}  // namespace detail

// Element `index` of the stream, before rounding to the tensor's storage type.
[[nodiscard]] constexpr double element(const DataSource& source, std::uint64_t index) {
  const std::uint64_t key = detail::mix(source.seed ^ detail::mix(source.stream));
  const std::uint64_t bits = detail::mix(key ^ detail::mix(index));
  switch (source.distribution) {
    case Distribution::uniform:
      return 2.0 * detail::unit_interval(bits) - 1.0;
    case Distribution::normal: {
      double sum = -6.0;
      for (std::uint64_t i = 0; i < 12; ++i) sum += detail::unit_interval(detail::mix(bits + i));
      return sum;
    }
    case Distribution::zeros:
      return 0.0;
    case Distribution::integers:
      return static_cast<double>(bits % 9) - 4.0;
    case Distribution::ones:
      return 1.0;
  }
  return 0.0;
}

}  // namespace rtxbench
