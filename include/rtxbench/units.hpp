// SI values as people read them, in tables, messages and progress lines. The only place where units are scaled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rtxbench {

inline constexpr std::string_view kAbsent = "-";  // stands for what is unknown or not finite

// `digits` significant digits without exponent between 1e-6 and 1e7.
[[nodiscard]] std::string significant(double value, int digits);
// value * scale with so many decimals.
[[nodiscard]] std::string fixed(std::optional<double> value, double scale, int decimals);

[[nodiscard]] std::string time_text(double seconds, int digits = 4);                     // "178.2 µs", "7200 s"
[[nodiscard]] std::string wait_text(double seconds);                                     // "0:07", "12:30", "1:02:05"
[[nodiscard]] std::string duration_text(double seconds);                                 // "7 s", "12 min 30 s", "1 h 2 min"
[[nodiscard]] std::string si_text(double value, std::string_view unit, int digits = 4);  // 7.674e14, "FLOPS": "767.4 TFLOPS"
[[nodiscard]] std::string memory_text(std::uint64_t bytes);                              // powers of 1024: "139.8 GiB"

struct Scale {
  double factor = 1;  // shown = SI value / factor
  std::string_view unit;
};
// One scale for a whole column, so that its numbers compare: the largest unit that the column's largest value fills.
[[nodiscard]] Scale flops_scale(double largest);      // MFLOPS, GFLOPS, TFLOPS
[[nodiscard]] Scale bandwidth_scale(double largest);  // MB/s, GB/s, TB/s (powers of 1000)

}  // namespace rtxbench
