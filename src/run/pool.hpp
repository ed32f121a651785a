// One record out of the records of one case in several fresh processes.
#pragma once

#include <vector>

#include "rtxbench/parameters.hpp"
#include "rtxbench/record.hpp"

namespace rtxbench {

// All passed, at least one. `processes` keeps each measurement; `measurement` is over the process medians, because a process is
// a sample too: samples of one process are not independent.
[[nodiscard]] Record pool_processes(std::vector<Record> records, const Parameters& parameters);

}  // namespace rtxbench
