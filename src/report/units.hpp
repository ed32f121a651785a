// SI values as people read them. The only place where units are scaled.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rtxbench {

inline constexpr std::string_view kAbsent = "-";

// `digits` significant digits without exponent between 1e-6 and 1e7; kAbsent for what is not finite.
[[nodiscard]] std::string significant(double value, int digits);

[[nodiscard]] std::string time_text(double seconds);                                       // "178.2 µs", "1.234 ms"
[[nodiscard]] std::string binary_bytes(double bytes);                                      // "139.8 GiB"
[[nodiscard]] std::string fixed(std::optional<double> value, double scale, int decimals);  // value * scale, or kAbsent

struct Scale {
  double factor = 1;  // shown = SI value / factor
  std::string_view unit;
};
// One scale for a whole column, so that its numbers compare: the largest unit that the column's largest value fills.
[[nodiscard]] Scale flops_scale(double largest);      // MFLOPS, GFLOPS, TFLOPS
[[nodiscard]] Scale bandwidth_scale(double largest);  // MB/s, GB/s, TB/s (powers of 1000)

}  // namespace rtxbench
