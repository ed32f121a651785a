// Timers on a device: what is timed, what is not, and that nothing hangs. Comparisons are between ways of timing the same
// kernel, so that they hold on any card.
#include <algorithm>
#include <cmath>

#include "backend/cuda/device_kernels.hpp"
#include "gpu/gpu_fixture.hpp"
#include "gpu/test_kernels.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

constexpr double kMicrosecond = 1e-6;

class TimerTest : public test::GpuTest {
 protected:
  double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values.at(values.size() / 2);
  }

  // Median of a few gated groups after one that is dropped.
  double time(const TimerRequest& request, std::string_view method) {
    const auto timer = device().make_timer(request);
    EXPECT_EQ(timer->method(), method);
    std::vector<double> samples;
    for (int group = 0; group < 6; ++group) {
      timer->submit(std::min(timer->max_samples_per_group(), 40), true);
      const GroupResult result = timer->collect();
      EXPECT_TRUE(result.valid) << result.reason;
      if (group > 0) samples.insert(samples.end(), result.elapsed_s.begin(), result.elapsed_s.end());
    }
    return median(samples);
  }

  void SetUp() override {
    test::GpuTest::SetUp();
    std::string reason;
    if (!IsSkipped() && !device().spin_available(reason)) GTEST_SKIP() << reason;
  }
};

TEST_F(TimerTest, Fault23_TheFlushIsNotCounted) {
  const auto call = test::busy_call(10 * kMicrosecond);
  const double plain_s = time({.invocation = call.get()}, "event");
  const double flushed_s = time({.invocation = call.get(), .flush = true}, "event");
  EXPECT_LT(std::fabs(flushed_s - plain_s), kMicrosecond) << plain_s << " s and, flushed, " << flushed_s << " s";
  EXPECT_GT(plain_s, 8 * kMicrosecond);
}

TEST_F(TimerTest, TheFlushEmptiesTheCache) {
  const std::uint64_t bytes = device().info().cache_bytes.value() / 4 / 16 * 16;
  const auto data = device().allocate(bytes), sink = device().allocate(16);
  const auto call = test::reading_call(data->data(), bytes, sink->data());
  const double warm_s = time({.invocation = call.get()}, "event");
  const double cold_s = time({.invocation = call.get(), .flush = true}, "event");
  EXPECT_GT(cold_s, 1.1 * warm_s) << warm_s << " s warm, " << cold_s << " s after the flush";
}

// A pair of events also reads what it takes to launch the kernel, a graph of many calls hardly any of it. The floor says how
// much that is, and calls too short to bear it are timed by graphs.
TEST_F(TimerTest, Fault22_EventsAndGraphsDifferByTheFloorAtMost) {
  const TimerFloor floor = device().timer_floor();
  const auto empty = test::empty_call();
  const auto busy = test::busy_call(5 * kMicrosecond);
  for (Invocation* call : {empty.get(), busy.get()}) {
    const double event_s = time({.invocation = call}, "event");
    const double graph_s = time({.invocation = call, .calls_per_sample = 50}, "graph");
    EXPECT_GE(event_s, graph_s - kMicrosecond) << event_s << " s by events, " << graph_s << " s by graph";
    EXPECT_LT(event_s - graph_s, floor.floor_s) << event_s << " s by events, " << graph_s << " s by graph";
    EXPECT_LT(event_s, 10 * floor.floor_s);  // so the protocol would take the graph
  }
}

TEST_F(TimerTest, TheFloorIsMeasuredAndBelowTenMicroseconds) {
  const TimerFloor floor = device().timer_floor();
  EXPECT_GT(floor.floor_s, 0);
  EXPECT_LT(floor.floor_s, 10 * kMicrosecond);
  EXPECT_GT(floor.resolution_s, 0);
  EXPECT_LT(floor.resolution_s, 2 * kMicrosecond);
}

TEST_F(TimerTest, Fault21_EventTimesAgreeWithTheWallClock) {
  const auto call = test::busy_call(2e-3);
  const auto timer = device().make_timer({.invocation = call.get()});
  constexpr int kCalls = 50;
  device().stream().synchronize();
  const double begin_s = device().now_s();
  timer->submit(kCalls, false);
  const GroupResult group = timer->collect();
  const double wall_s = device().now_s() - begin_s;
  double events_s = 0;
  for (const double sample_s : group.elapsed_s) events_s += sample_s;
  EXPECT_NEAR(events_s / wall_s, 1.0, 0.05);
}

TEST_F(TimerTest, TheSpinKernelGivesUpWhenLaunchesAreSerialised) {
  // A group whose enqueueing waits for the device is what a serialising tool makes of every group.
  class Waiting final : public Invocation {
   public:
    explicit Waiting(Stream& stream) : stream_(stream) {}
    void enqueue(Stream&, std::size_t) override { stream_.synchronize(); }

   private:
    Stream& stream_;
  } waiting(device().stream());
  const auto timer = device().make_timer({.invocation = &waiting});
  timer->submit(1, true);
  const GroupResult group = timer->collect();
  EXPECT_FALSE(group.valid);
  EXPECT_TRUE(group.serialised);
  EXPECT_NE(group.reason.find("serialised"), std::string::npos) << group.reason;
  timer->submit(1, false);  // and without the spin kernel the same timer goes on
  EXPECT_TRUE(timer->collect().valid);
}

TEST_F(TimerTest, ATimerMayGoAwayWithGroupsInFlight) {
  const auto call = test::busy_call(1e-3);
  {
    const auto timer = device().make_timer({.invocation = call.get()});
    timer->submit(10, true);
    timer->submit(10, false);
  }
  EXPECT_NO_THROW(device().stream().synchronize());
}

TEST_F(TimerTest, AnExceptionWhileEnqueueingReleasesTheStream) {
  class Throwing final : public Invocation {
   public:
    void enqueue(Stream&, std::size_t) override {
      if (armed) throw DeviceError("refused", false);
    }
    bool armed = false;
  } throwing;
  const auto timer = device().make_timer({.invocation = &throwing});
  throwing.armed = true;
  EXPECT_THROW(timer->submit(3, true), DeviceError);
  throwing.armed = false;
  timer->submit(3, true);
  EXPECT_TRUE(timer->collect().valid);
}

TEST_F(TimerTest, TwoGroupsInFlightKeepTheirOwnSamples) {
  const auto call = test::busy_call(100 * kMicrosecond);
  const auto timer = device().make_timer({.invocation = call.get()});
  timer->submit(3, true);
  timer->submit(5, false);
  EXPECT_EQ(timer->collect().elapsed_s.size(), 3U);
  timer->submit(2, false);
  EXPECT_EQ(timer->collect().elapsed_s.size(), 5U);
  EXPECT_EQ(timer->collect().elapsed_s.size(), 2U);
}

TEST_F(TimerTest, CallsRotateOverEveryOperandSetAlsoInGraphs) {
  class Counting final : public Invocation {
   public:
    void enqueue(Stream& stream, std::size_t set) override {
      ++seen.at(set);
      inner->enqueue(stream, 0);
    }
    std::vector<int> seen = std::vector<int>(7);
    std::unique_ptr<Invocation> inner = test::empty_call();
  };
  Counting plain;
  const auto events = device().make_timer({.invocation = &plain, .sets = 7});
  plain.seen.assign(7, 0);
  events->submit(14, true);
  static_cast<void>(events->collect());
  EXPECT_EQ(plain.seen, std::vector<int>(7, 2));

  Counting captured;
  const auto graphs = device().make_timer({.invocation = &captured, .sets = 7, .calls_per_sample = 3});
  for (std::size_t set = 0; set < 7; ++set) EXPECT_GE(captured.seen[set], 1) << "set " << set << " is in no graph";
  graphs->submit(3, true);
  EXPECT_EQ(graphs->collect().elapsed_s.size(), 3U);
}

TEST_F(TimerTest, TheStampedClockIsPlausibleAndAtMostTheMaximum) {
  const auto call = test::busy_call(1e-3);
  const auto timer = device().make_timer({.invocation = call.get()});
  timer->submit(20, true);
  const GroupResult group = timer->collect();
  ASSERT_TRUE(group.clock_hz);
  EXPECT_GT(*group.clock_hz, 100e6);
  EXPECT_LT(*group.clock_hz, 3e9);
  EXPECT_LT(*group.clock_hz, 1.02 * device().info().max_clock_hz.value_or(3e9));
  double sum_s = 0;
  for (const double sample_s : group.elapsed_s) sum_s += sample_s;
  EXPECT_GE(group.span_s, 0.98 * sum_s);
}

TEST_F(TimerTest, GroupsTooShortForTheDevicesTimerHaveNoClock) {
  const auto call = test::empty_call();
  const auto timer = device().make_timer({.invocation = call.get()});
  timer->submit(1, true);
  const GroupResult group = timer->collect();
  if (group.span_s < 90 * kMicrosecond) {
    EXPECT_FALSE(group.clock_hz);
  }
}

TEST_F(TimerTest, TheLargestGroupFitsBehindTheSpinKernel) {
  const auto call = test::empty_call();
  for (const int calls : {1, 2, 33, 1000}) {
    const auto timer = device().make_timer({.invocation = call.get(), .calls_per_sample = calls});
    timer->submit(timer->max_samples_per_group(), true);
    const GroupResult group = timer->collect();
    EXPECT_TRUE(group.valid) << calls << " calls a sample: " << group.reason;
  }
}

TEST_F(TimerTest, Fault40_KernelsAreNamed) {
  const auto call = test::empty_call();
  std::string reason;
  const std::vector<std::string> names = device().kernel_names(*call, reason);
  ASSERT_EQ(names.size(), 1U) << reason;
  EXPECT_NE(names.front().find("empty_kernel"), std::string::npos) << names.front();
}

TEST_F(TimerTest, TelemetryComesFromTheBoardThatIsMeasured) {
  const auto call = test::busy_call(1e-3);
  const auto timer = device().make_timer({.invocation = call.get()});
  device().begin_telemetry();
  for (int i = 0; i < 10; ++i) {
    timer->submit(20, true);
    static_cast<void>(timer->collect());
  }
  const TelemetryWindow window = device().end_telemetry();
  if (window.readings.empty()) GTEST_SKIP() << window.reasons.begin()->second;
  EXPECT_GE(window.readings.size(), 3U);
  for (std::size_t i = 1; i < window.readings.size(); ++i) {
    EXPECT_GT(window.readings[i].time_s, window.readings[i - 1].time_s);
    EXPECT_GE(window.readings[i].energy_j.value_or(0), window.readings[i - 1].energy_j.value_or(0));
  }
}

}  // namespace
}  // namespace rtxbench
