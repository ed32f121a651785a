// --dry-run: the plan as people or programs read it.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace rtxbench {

[[nodiscard]] std::string plan_table(const Plan& plan, int processes);
[[nodiscard]] std::string plan_json(const Plan& plan, int processes);

}  // namespace rtxbench
