#include "rtxbench/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace rtxbench {
namespace {

constexpr std::array kPrefixes{"n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
constexpr int kNoPrefix = 3;

// What rounds up to 1000 of a unit at so many digits takes the next one: 1.000 ms, not 1000 µs.
double filled(int digits) { return 1 - 0.5 * std::pow(10.0, -digits); }

std::string prefixed(double value, std::string_view unit, int digits, int largest_prefix) {
  if (!std::isfinite(value)) return std::string(kAbsent);
  if (value == 0) return fmt::format("0 {}", unit);
  int prefix = largest_prefix;
  while (prefix > 0 && std::fabs(value) < filled(digits) * std::pow(1000.0, prefix - kNoPrefix)) --prefix;
  return fmt::format("{} {}{}", significant(value / std::pow(1000.0, prefix - kNoPrefix), digits),
                     kPrefixes[static_cast<std::size_t>(prefix)], unit);
}

Scale scale_of(double largest, std::string_view mega, std::string_view giga, std::string_view tera) {
  constexpr int kColumnDigits = 4;
  if (largest >= filled(kColumnDigits) * 1e12) return {1e12, tera};
  if (largest >= filled(kColumnDigits) * 1e9) return {1e9, giga};
  return {1e6, mega};
}

}  // namespace

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return std::string(kAbsent);
  if (value == 0) return "0";
  const double magnitude = std::fabs(value);
  if (magnitude < 1e-6 || magnitude >= 1e7) return fmt::format("{:.{}e}", value, digits - 1);
  const int exponent = static_cast<int>(std::floor(std::log10(magnitude)));
  const int decimals = std::max(0, digits - 1 - exponent);
  // 9.9996 rounds up into one more digit than asked for, which costs it a decimal.
  const bool rounds_up = decimals > 0 && magnitude + 0.5 * std::pow(10.0, -decimals) >= std::pow(10.0, exponent + 1);
  return fmt::format("{:.{}f}", value, decimals - (rounds_up ? 1 : 0));
}

std::string fixed(std::optional<double> value, double scale, int decimals) {
  if (!value || !std::isfinite(*value * scale)) return std::string(kAbsent);
  if (std::fabs(*value * scale) >= 1e7) return fmt::format("{:.3e}", *value * scale);
  return fmt::format("{:.{}f}", *value * scale, decimals);
}

std::string time_text(double seconds, int digits) { return prefixed(seconds, "s", digits, kNoPrefix); }

std::string wait_text(double seconds) {
  const auto whole = static_cast<long long>(std::llround(std::fmax(0, seconds)));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::llround(std::fmax(0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string si_text(double value, std::string_view unit, int digits) {
  return prefixed(value, unit, digits, static_cast<int>(kPrefixes.size()) - 1);
}

std::string memory_text(std::uint64_t bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024; ++unit) value /= 1024;
  return fmt::format("{} {}", significant(value, 4), kUnits[unit]);
}

Scale flops_scale(double largest) { return scale_of(largest, "MFLOPS", "GFLOPS", "TFLOPS"); }
Scale bandwidth_scale(double largest) { return scale_of(largest, "MB/s", "GB/s", "TB/s"); }

}  // namespace rtxbench
