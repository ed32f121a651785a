#include "rtxbench/benchmark.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace rtxbench {
namespace {

TEST(EngineAxes, HaveTheirDefaultsAmongTheirChoices) {
  std::set<std::string> names;
  for (const AxisSpec& axis : engine_axes()) {
    names.insert(axis.name);
    EXPECT_EQ(axis.kind, AxisKind::choice) << axis.name;
    EXPECT_FALSE(axis.help.empty()) << axis.name;
    EXPECT_EQ(std::set<std::string>(axis.choices.begin(), axis.choices.end()).count(axis.default_value), 1U) << axis.name;
  }
  EXPECT_EQ(names, (std::set<std::string>{"regime", "cache", "data"}));
}

TEST(EngineAxes, EveryDistributionIsAChoice) {
  for (const AxisSpec& axis : engine_axes()) {
    if (axis.name != "data") continue;
    EXPECT_EQ(axis.choices.size(), 5U);
    for (const std::string& choice : axis.choices) EXPECT_TRUE(parse_distribution(choice)) << choice;
  }
}

}  // namespace
}  // namespace rtxbench
