#include "cli/derived.hpp"

#include <algorithm>

namespace rtxbench {

std::vector<DerivedSpec> derived_of(const Report& report, const Registry& registry) {
  std::vector<DerivedSpec> derived;
  for (const auto& benchmark : registry.benchmarks) {
    const auto used = [&](const Record& record) { return record.test.benchmark == benchmark->name(); };
    if (std::ranges::none_of(report.records, used)) continue;
    for (DerivedSpec& spec : benchmark->derived()) derived.push_back(std::move(spec));
  }
  return derived;
}

}  // namespace rtxbench
