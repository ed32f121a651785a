#include "cli/dry_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rtxbench/json.hpp"
#include "rtxbench/units.hpp"

namespace rtxbench {
namespace {

double total_s(const Plan& plan, int processes) {
  double sum = 0;
  for (const PlannedCase& planned : plan.cases) sum += planned.estimated_s * processes;
  return sum;
}

std::size_t id_width(const Plan& plan) {
  std::size_t width = 4;
  for (const PlannedCase& planned : plan.cases) width = std::max(width, planned.test.id.size());
  return width;
}

}  // namespace

std::string plan_table(const Plan& plan, int processes) {
  const std::size_t width = id_width(plan);
  std::string text;
  if (!plan.cases.empty()) text += fmt::format("{:<{}}  {:>11}  {:>8}  device\n", "case", width, "memory", "at least");
  for (const PlannedCase& planned : plan.cases) {
    text += fmt::format("{:<{}}  {:>11}  {:>6.1f} s  {}\n", planned.test.id, width, memory_text(planned.memory_bytes),
                        planned.estimated_s * processes, planned.test.device);
  }
  for (const Skip& skip : plan.skips) {
    text += fmt::format("{} on {}: {}: {}\n", skip.test.id, skip.test.device, skip.unsupported ? "unsupported" : "skipped",
                        skip.reason);
  }
  return text + fmt::format("{} {}, at least {}; {} skipped\n", plan.cases.size(), plan.cases.size() == 1 ? "case" : "cases",
                            duration_text(total_s(plan, processes)), plan.skips.size());
}

std::string plan_json(const Plan& plan, int processes) {
  Json cases = Json::array(), skips = Json::array();
  for (const PlannedCase& planned : plan.cases) {
    cases.push_back({{"id", planned.test.id},
                     {"device", planned.test.device},
                     {"memory_bytes", planned.memory_bytes},
                     {"estimated_s", planned.estimated_s * processes}});
  }
  for (const Skip& skip : plan.skips) {
    skips.push_back({{"id", skip.test.id},
                     {"device", skip.test.device},
                     {"status", skip.unsupported ? "unsupported" : "skipped"},
                     {"reason", skip.reason}});
  }
  return dump_pretty(Json{{"cases", cases}, {"skips", skips}, {"estimated_s", total_s(plan, processes)}}) + "\n";
}

}  // namespace rtxbench
