// Waits as people read them.
#pragma once

#include <string>

namespace rtxbench {

[[nodiscard]] std::string format_wait(double seconds);      // on a clock: "0:07", "12:30", "1:02:05"
[[nodiscard]] std::string format_duration(double seconds);  // in words: "7 s", "12 min 30 s", "1 h 2 min"

}  // namespace rtxbench
