// Axes of a benchmark and their values.
#pragma once

#include <string>
#include <vector>

#include "rtxbench/benchmark.hpp"

namespace rtxbench {

// The benchmark's own axes, then the engine's, in id order.
[[nodiscard]] std::vector<const AxisSpec*> all_axes(const Benchmark& benchmark);
[[nodiscard]] std::vector<std::string> names_of(const std::vector<const AxisSpec*>& axes);

}  // namespace rtxbench
