// The arithmetic of timing: clocks from stamps, sizes of groups, the floor.
#include <gtest/gtest.h>

#include "backend/cuda/stamps.hpp"
#include "backend/cuda/timer.hpp"

namespace rtxbench::cuda {
namespace {

constexpr unsigned long long kStart = 1'000'000'000;  // ns

TEST(Stamps, TheClockIsTheMedianOverSmsOfCyclesOverTime) {
  // 1 ms; SMs 0, 1, 2 count 1.5, 1.6 and 9 million cycles from unrelated beginnings.
  const std::vector<Stamp> before{{100, kStart, 0}, {5'000'000, kStart, 1}, {7, kStart, 2}};
  const std::vector<Stamp> after{
      {9'000'007, kStart + 1'000'000, 2}, {1'500'100, kStart + 1'000'000, 0}, {6'600'000, kStart + 1'000'000, 1}};
  const StampedClock clock = stamped_clock(before, after);
  ASSERT_TRUE(clock.clock_hz);
  EXPECT_DOUBLE_EQ(*clock.clock_hz, 1.6e9);
  EXPECT_DOUBLE_EQ(clock.span_s, 1e-3);
}

TEST(Stamps, AnSmIsComparedOnlyWithItself) {
  const std::vector<Stamp> before{{100, kStart, 0}}, after{{1'500'100, kStart + 1'000'000, 1}};
  const StampedClock clock = stamped_clock(before, after);
  EXPECT_FALSE(clock.clock_hz);
  EXPECT_DOUBLE_EQ(clock.span_s, 1e-3);
}

TEST(Stamps, SpansBelowAHundredMicrosecondsGiveNoClock) {
  const std::vector<Stamp> before{{0, kStart, 0}};
  EXPECT_FALSE(stamped_clock(before, std::vector<Stamp>{{150'000, kStart + 99'000, 0}}).clock_hz);
  EXPECT_TRUE(stamped_clock(before, std::vector<Stamp>{{150'000, kStart + 100'000, 0}}).clock_hz);
}

TEST(Stamps, BlocksThatWroteNothingAreIgnored) {
  const std::vector<Stamp> nothing(4);
  EXPECT_FALSE(stamped_clock(nothing, nothing).clock_hz);
  EXPECT_EQ(stamped_clock(nothing, nothing).span_s, 0);
}

TEST(Timer, AGroupHoldsAtMost256LaunchesBehindTheSpinKernel) {
  for (const bool flush : {false, true}) {
    for (const int calls : {1, 2, 10, 1000}) {
      const int samples = samples_behind_spin(calls, flush, false);
      EXPECT_GE(samples, 1);
      if (samples > 1) {
        EXPECT_LE(3 + samples * (4 * calls + (flush ? 1 : 0)), 256) << calls;
      }
    }
  }
  EXPECT_EQ(samples_behind_spin(1, false, false), 63);
  EXPECT_EQ(samples_behind_spin(1, true, false), 50);
}

TEST(Timer, AGraphIsOneLaunchWhoseNodesStillCount) {
  EXPECT_EQ(samples_behind_spin(2, false, true), 63);
  EXPECT_EQ(samples_behind_spin(100, false, true), 10);
  EXPECT_EQ(samples_behind_spin(5000, false, true), 1);
}

TEST(Timer, TheFloorIsTheMedianAndTheResolutionTheSmallestStep) {
  const TimerFloor floor = floor_of({1.5e-6, 1.0e-6, 2.0e-6, 1.0e-6, 1.25e-6});
  EXPECT_DOUBLE_EQ(floor.floor_s, 1.25e-6);
  EXPECT_NEAR(floor.resolution_s, 0.25e-6, 1e-15);
}

TEST(Timer, ReadingsThatAreAllAlikeHaveNoStep) {
  EXPECT_EQ(floor_of({1e-6, 1e-6}).resolution_s, 0);
  EXPECT_EQ(floor_of({}).floor_s, 0);
}

}  // namespace
}  // namespace rtxbench::cuda
