#include <gtest/gtest.h>

#include <set>
#include <string>

#include "rtxbench/conditions.hpp"
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
  for (const StopReason reason : {StopReason::ci_met, StopReason::max_time, StopReason::max_samples}) {
    EXPECT_EQ(parse_stop_reason(name(reason)), reason);
  }
  EXPECT_EQ(name(StopReason::max_samples), "max_samples");
  EXPECT_FALSE(parse_stop_reason("ci"));
}

TEST(Names, CoveragesRoundTrip) {
  for (const Coverage coverage : {Coverage::full, Coverage::sampled, Coverage::shrunk}) {
    EXPECT_EQ(parse_coverage(name(coverage)), coverage);
  }
  EXPECT_EQ(name(Coverage::sampled), "sampled");
  EXPECT_FALSE(parse_coverage(""));
}

TEST(Names, ConditionsRoundTrip) {
  EXPECT_EQ(name(Regime::sustained), "sustained");
  EXPECT_EQ(parse_regime("burst"), Regime::burst);
  EXPECT_EQ(name(CacheState::flush), "flush");
  EXPECT_EQ(parse_cache_state("warm"), CacheState::warm);
  EXPECT_FALSE(parse_cache_state("hot"));
}

}  // namespace
}  // namespace rtxbench
