#include "report/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace rtxbench {
namespace {
constexpr double kRounding = 1 - 5e-5;  // what rounds up to 1000 of a unit at 4 digits takes the next: 1.000 ms, not 1000 µs
}

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

std::string time_text(double seconds) {
  struct Unit {
    double factor;
    const char* name;
  };
  constexpr std::array<Unit, 4> kUnits{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  if (!std::isfinite(seconds)) return std::string(kAbsent);
  const auto* unit = std::ranges::find_if(kUnits, [&](const Unit& u) { return std::fabs(seconds) >= kRounding * u.factor; });
  if (unit == kUnits.end()) --unit;
  return fmt::format("{} {}", significant(seconds / unit->factor, 4), unit->name);
}

std::string binary_bytes(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes >= 1024) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, kUnits[unit]);
}

std::string fixed(std::optional<double> value, double scale, int decimals) {
  if (!value || !std::isfinite(*value * scale)) return std::string(kAbsent);
  if (std::fabs(*value * scale) >= 1e7) return fmt::format("{:.3e}", *value * scale);
  return fmt::format("{:.{}f}", *value * scale, decimals);
}

namespace {
Scale scale_of(double largest, std::string_view mega, std::string_view giga, std::string_view tera) {
  if (largest >= kRounding * 1e12) return {1e12, tera};
  if (largest >= kRounding * 1e9) return {1e9, giga};
  return {1e6, mega};
}
}  // namespace

Scale flops_scale(double largest) { return scale_of(largest, "MFLOPS", "GFLOPS", "TFLOPS"); }
Scale bandwidth_scale(double largest) { return scale_of(largest, "MB/s", "GB/s", "TB/s"); }

}  // namespace rtxbench
