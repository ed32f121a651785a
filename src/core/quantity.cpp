#include "rtxbench/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace rtxbench {

std::string format_si(double value, std::string_view unit, int digits) {
  constexpr std::array kPrefixes{"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  constexpr int kNone = 3;
  if (value == 0 || !std::isfinite(value)) return fmt::format("{:g} {}", value, unit);
  // What rounds up to 1000 of a prefix takes the next: 1 ms, not 1000 us.
  const double rounded_up = std::fabs(value) * (1 + 0.5 * std::pow(10.0, -digits));
  const int thousands = static_cast<int>(std::floor(std::log10(rounded_up) / 3));
  const int prefix = std::clamp(thousands, -kNone, static_cast<int>(kPrefixes.size()) - 1 - kNone);
  return fmt::format("{:.{}g} {}{}", value / std::pow(1000.0, prefix), digits,
                     kPrefixes[static_cast<std::size_t>(prefix + kNone)], unit);
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, kUnits[unit]);
}

}  // namespace rtxbench
