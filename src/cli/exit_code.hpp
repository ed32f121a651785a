// Records -> exit code of the process, the same for every output.
#pragma once

#include <vector>

#include "rtxbench/error.hpp"
#include "rtxbench/record.hpp"

namespace rtxbench {

// A signal outranks everything: the report is partial. Then wrong, then error, then nothing measured at all (usage).
[[nodiscard]] ExitCode exit_code_of(const std::vector<Record>& records, int signal);

}  // namespace rtxbench
