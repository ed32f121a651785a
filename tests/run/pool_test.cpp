#include "run/pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stats/stats.hpp"

namespace rtxbench {
namespace {

using testing::ElementsAre;

Record record(double median_s, std::vector<Flag> flags = {}) {
  Record made{.status = Status::passed, .flags = std::move(flags)};
  made.measurement.emplace();
  made.measurement->samples_s = {median_s, median_s, median_s};
  made.measurement->time = stats::summarise(made.measurement->samples_s);
  made.measurement->clock_hz = 1e9;
  made.measurement->wall_s = 1;
  made.measurement->ci_met = true;
  made.telemetry.power_w = 100 * median_s;
  made.telemetry.reasons["temperature_c"] = "not read";
  made.peak.share_of_peak = 0.5 / median_s;
  return made;
}

TEST(Pool, HeadlineIsTheMedianOfProcessMedians) {
  const Record pooled = pool_processes({record(1.0), record(3.0), record(2.0)}, {});
  EXPECT_DOUBLE_EQ(pooled.measurement->time.median, 2.0);
  EXPECT_THAT(pooled.measurement->samples_s, ElementsAre(1.0, 3.0, 2.0));
  ASSERT_EQ(pooled.processes.size(), 3U);
  EXPECT_DOUBLE_EQ(pooled.processes[1].time.median, 3.0);
  EXPECT_THAT(pooled.processes[1].samples_s, ElementsAre(3.0, 3.0, 3.0));
  EXPECT_DOUBLE_EQ(pooled.telemetry.power_w.value(), 200);
  EXPECT_DOUBLE_EQ(pooled.peak.share_of_peak.value(), 0.25);
  EXPECT_EQ(pooled.telemetry.reasons.at("temperature_c"), "not read");
  EXPECT_DOUBLE_EQ(pooled.measurement->wall_s, 3);
}

TEST(Pool, FewerThanSixProcessesHaveNoInterval) {
  const Record five = pool_processes(std::vector<Record>(5, record(1.0)), {});
  EXPECT_EQ(five.measurement->time.confidence, 0);
  EXPECT_FALSE(five.measurement->ci_met);
  const Record six = pool_processes(std::vector<Record>(6, record(1.0)), {});
  EXPECT_GE(six.measurement->time.confidence, 0.95);
  EXPECT_TRUE(six.measurement->ci_met);
}

TEST(Pool, FlagsOfAnyProcessStandOnce) {
  const Record pooled = pool_processes({record(1, {{"throttled", "a"}}), record(1, {{"long", "b"}, {"throttled", "c"}})}, {});
  ASSERT_EQ(pooled.flags.size(), 2U);
  EXPECT_EQ(pooled.flags[0].name, "throttled");
  EXPECT_EQ(pooled.flags[1].name, "long");
}

}  // namespace
}  // namespace rtxbench
