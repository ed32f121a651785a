// Numbers as people read them, for progress lines, --dry-run and info. Three or four digits, SI prefixes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rtxbench {

[[nodiscard]] std::string format_si(double value, std::string_view unit);  // 1.2345e12, "FLOP/s" -> "1.234 TFLOP/s"
[[nodiscard]] std::string format_bytes(std::uint64_t bytes);               // "1.75 GiB"
[[nodiscard]] std::string format_wait(double seconds);                     // "0:07", "12:30", "1:02:05"

}  // namespace rtxbench
