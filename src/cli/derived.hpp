// Closing lines of a table: those of the benchmarks whose records it shows.
#pragma once

#include <vector>

#include "rtxbench/registry.hpp"
#include "rtxbench/report.hpp"

namespace rtxbench {

[[nodiscard]] std::vector<DerivedSpec> derived_of(const Report& report, const Registry& registry);

}  // namespace rtxbench
