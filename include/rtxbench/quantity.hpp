// Quantities in running text: messages, progress lines, --dry-run, info. Tables have their own, with digits that align.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rtxbench {

// At most `digits` significant digits and an SI prefix, in ASCII: 1.2345e12, "FLOPS" -> "1.234 TFLOPS"; 3.31e-5, "s" -> "33.1
// us".
[[nodiscard]] std::string format_si(double value, std::string_view unit, int digits = 4);
[[nodiscard]] std::string format_bytes(std::uint64_t bytes);  // "1.75 GiB"

}  // namespace rtxbench
