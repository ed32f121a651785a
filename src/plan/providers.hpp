// Which providers a request means.
#pragma once

#include <string>
#include <vector>

#include "rtxbench/registry.hpp"

namespace rtxbench {

struct ChosenProvider {
  const Provider* provider = nullptr;
  double max_flop = 0;  // leaves out larger problems; infinite for providers that the user named
};

// Throws UsageError for a name that no provider of the operator has, or that no selected device can use.
void check_providers(const std::vector<std::string>& names, const Benchmark& benchmark, const Registry& registry,
                     const std::vector<DeviceInfo>& devices);

// Those of `names` that exist on the device: none given: the benchmark's default, "all": every one.
[[nodiscard]] std::vector<ChosenProvider> chosen_providers(const std::vector<std::string>& names, const Defaults& defaults,
                                                           const Benchmark& benchmark, const Registry& registry,
                                                           const DeviceInfo& device);

}  // namespace rtxbench
