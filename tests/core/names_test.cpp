#include <gtest/gtest.h>

#include <set>
#include <string>

#include "rtxbench/benchmark.hpp"
#include "rtxbench/record.hpp"

namespace rtxbench {
namespace {

TEST(Names, StatusesAreThoseOfReports) {
  std::set<std::string> names;
  for (const Status status : {Status::passed, Status::wrong, Status::skipped, Status::unsupported, Status::error}) {
    names.emplace(name(status));
    EXPECT_EQ(parse_status(name(status)), status);
  }
  EXPECT_EQ(names, (std::set<std::string>{"passed", "wrong", "skipped", "unsupported", "error"}));
  EXPECT_FALSE(parse_status("failed"));
}

TEST(Names, StopReasonsRoundTrip) {
  for (const StopReason reason : {StopReason::ci_met, StopReason::max_time, StopReason::max_samples, StopReason::interrupted}) {
    EXPECT_EQ(parse_stop_reason(name(reason)), reason);
  }
  EXPECT_EQ(name(StopReason::max_samples), "max_samples");
  EXPECT_EQ(name(StopReason::interrupted), "interrupted");
  EXPECT_FALSE(parse_stop_reason("ci"));
}

TEST(Names, CoveragesRoundTrip) {
  for (const Coverage coverage : {Coverage::full, Coverage::sampled, Coverage::shrunk}) {
    EXPECT_EQ(parse_coverage(name(coverage)), coverage);
  }
  EXPECT_EQ(name(Coverage::sampled), "sampled");
  EXPECT_FALSE(parse_coverage(""));
}

TEST(TensorSpec, ElementsAndBytes) {
  EXPECT_EQ((TensorSpec{"A", DType::fp16, {2, 3, 5}}.elements()), 30U);
  EXPECT_EQ((TensorSpec{"A", DType::fp16, {2, 3, 5}}.bytes()), 60U);
  EXPECT_EQ((TensorSpec{"A", DType::tf32, {2, 3, 5}}.bytes()), 120U);
  EXPECT_EQ((TensorSpec{"s", DType::fp64, {}}.elements()), 1U);
}

TEST(TensorSpec, Fault16_LargeTensorsCountIn64Bits) {
  EXPECT_EQ((TensorSpec{"A", DType::fp32, {4, 65536, 65536}}.bytes()), std::uint64_t{1} << 36);
}

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
