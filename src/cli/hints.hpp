// What somebody who comes from another tool meant by an option that is not there.
#pragma once

#include <string>
#include <string_view>

#include "rtxbench/registry.hpp"

namespace rtxbench {

// `word` without dashes; "; ..." to append to the refusal, or "".
[[nodiscard]] std::string habit_hint(std::string_view word);
// "; did you mean --dtype fp16?" where `word` is a value that an axis of `benchmark` takes; else "".
[[nodiscard]] std::string value_hint(std::string_view word, const Benchmark& benchmark);

}  // namespace rtxbench
