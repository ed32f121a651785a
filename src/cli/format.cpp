#include "cli/format.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace rtxbench {

std::string format_si(double value, std::string_view unit) {
  constexpr std::array kPrefixes{"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  constexpr int kNone = 3;
  if (value == 0 || !std::isfinite(value)) return fmt::format("{:g} {}", value, unit);
  const int thousands = static_cast<int>(std::floor(std::log10(std::fabs(value)) / 3));
  const int prefix = std::min(std::max(thousands, -kNone), static_cast<int>(kPrefixes.size()) - 1 - kNone);
  return fmt::format("{:.4g} {}{}", value / std::pow(1000.0, prefix), kPrefixes[static_cast<std::size_t>(prefix + kNone)],
                     unit);
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, kUnits[unit]);
}

std::string format_wait(double seconds) {
  const auto whole = static_cast<long long>(std::llround(std::fmax(0, seconds)));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace rtxbench
