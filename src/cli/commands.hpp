// The commands, each from parsed options to an exit code. Errors are thrown (rtxbench/error.hpp).
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {

[[nodiscard]] ExitCode command_measure(const MeasureCommand& command, const std::vector<std::string>& argv,
                                       const Registry& registry);
[[nodiscard]] ExitCode command_list(bool json, const Registry& registry);
[[nodiscard]] ExitCode command_info(bool json, const std::vector<std::string>& argv);
[[nodiscard]] ExitCode command_schema();
[[nodiscard]] ExitCode command_report(const std::vector<std::string>& files, const Registry& registry);

}  // namespace rtxbench
