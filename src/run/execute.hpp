// One case from id to Record, in the worker: the one catch per case lives here.
#pragma once

#include "rtxbench/registry.hpp"
#include "run/protocol.hpp"

namespace rtxbench {

struct ExecuteResult {
  Record record;
  bool replace_worker = false;  // sticky error: this process must not go on
};

[[nodiscard]] ExecuteResult execute_case(const Case& test, const Parameters& parameters, const Registry& registry,
                                         Device& device, ProtocolState& state,
                                         const std::function<void(const Progress&)>& progress);

}  // namespace rtxbench
