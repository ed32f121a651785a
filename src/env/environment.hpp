// What the results depend on besides the device: host, build, libraries, environment variables.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rtxbench/report.hpp"

namespace rtxbench {

[[nodiscard]] Environment collect_environment(const std::vector<std::string>& argv, const std::vector<DeviceInfo>& devices,
                                              const std::map<std::string, std::string>& software);

}  // namespace rtxbench
