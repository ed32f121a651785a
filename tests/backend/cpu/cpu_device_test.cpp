#include "backend/cpu/cpu_device.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "backend/cpu/parallel.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/host.hpp"
#include "rtxbench/provider.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {
void register_backend_cpu(Registry&);

namespace cpu {
namespace {

std::unique_ptr<Device> open_device() {
  Registry registry;
  register_backend_cpu(registry);
  std::string reason;
  const Backend& backend = *registry.backends.at(0);
  return backend.open(backend.enumerate(reason).at(0));
}

// A tensor with its memory.
struct Owned {
  std::unique_ptr<Buffer> buffer;
  Tensor tensor;
};
Owned make_tensor(Device& device, DType type, std::vector<std::int64_t> shape) {
  TensorSpec spec{"X", type, std::move(shape), TensorRole::input};
  auto buffer = device.allocate(spec.bytes());
  void* data = buffer->data();
  return {std::move(buffer), {std::move(spec), data}};
}

// Writes down the operand sets it is called with.
class Recorder final : public Invocation {
 public:
  void enqueue(Stream& /*stream*/, std::size_t set) override { sets.push_back(set); }
  std::vector<std::size_t> sets;
};

TEST(CpuBackend, FindsExactlyOneDeviceWithWhatIsKnownAndReasonsForTheRest) {
  Registry registry;
  register_backend_cpu(registry);
  std::string reason;
  const auto devices = registry.find_backend("cpu")->enumerate(reason);
  ASSERT_EQ(devices.size(), 1U);
  const DeviceInfo& info = devices[0];
  EXPECT_EQ(info.id, "cpu");
  EXPECT_EQ(info.backend, "cpu");
  EXPECT_EQ(info.name, host::model_name());
  EXPECT_EQ(info.multiprocessors, static_cast<int>(host::allowed_processors().size()));
  EXPECT_GT(info.memory_bytes.value_or(0), 0U);
  EXPECT_LE(*info.free_bytes, *info.memory_bytes);
  const auto known_or_explained = [&](const char* field, bool known) {
    EXPECT_NE(known, info.reasons.contains(field)) << field;
  };
  known_or_explained("max_clock_hz", info.max_clock_hz.has_value());
  known_or_explained("cache_bytes", info.cache_bytes.has_value());
  known_or_explained("power_limit_w", info.power_limit_w.has_value());
  known_or_explained("memory_bus_bits", info.memory_bus_bits.has_value());
}

TEST(CpuBackend, RefusesAnotherDevice) {
  Registry registry;
  register_backend_cpu(registry);
  EXPECT_THROW(static_cast<void>(registry.backends[0]->open(DeviceInfo{.backend = "cpu", .id = "cpu1"})), NoDeviceError);
}

TEST(CpuDevice, BuffersAreAligned) {
  const auto device = open_device();
  for (const std::uint64_t bytes : {1ULL, 63ULL, 64ULL, 65ULL, 10'000'001ULL}) {
    const auto buffer = device->allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->data()) % 64, 0U);
    EXPECT_EQ(buffer->bytes(), bytes);
  }
}

TEST(CpuDevice, Fault42_WhatDoesNotFitIsRefusedWithBothFigures) {
  const auto device = open_device();
  for (const std::uint64_t bytes : {device->free_bytes() * 2, std::numeric_limits<std::uint64_t>::max()}) {
    try {
      static_cast<void>(device->allocate(bytes));
      FAIL() << bytes << " bytes were granted";
    } catch (const OutOfMemoryError& error) {
      EXPECT_NE(std::string(error.what()).find("needs "), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("free "), std::string::npos);
    }
  }
}

class CpuDeviceTypes : public testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(All, CpuDeviceTypes, testing::ValuesIn(all_dtypes().begin(), all_dtypes().end()),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST_P(CpuDeviceTypes, FillWritesTheSourceRoundedToStorage) {
  const auto device = open_device();
  const Owned owned = make_tensor(*device, GetParam(), {37, 10007});  // large and odd enough to be shared out unevenly
  const DataSource source{Distribution::normal, 7, 3};
  device->poison(owned.tensor);
  device->fill(owned.tensor, source);
  for (std::uint64_t i = 0; i < owned.tensor.spec.elements(); ++i) {
    ASSERT_EQ(load_element(GetParam(), owned.tensor.data, i), round_to_storage(GetParam(), element(source, i))) << i;
  }
}

TEST_P(CpuDeviceTypes, PoisonIsNanEverywhereAndIsCounted) {
  const auto device = open_device();
  const Owned owned = make_tensor(*device, GetParam(), {300, 1001});
  device->fill(owned.tensor, {});
  EXPECT_EQ(device->count_nan(owned.tensor), 0U);
  device->poison(owned.tensor);
  EXPECT_EQ(device->count_nan(owned.tensor), 300300U);
  store_element(GetParam(), owned.tensor.data, 0, 1.0);
  store_element(GetParam(), owned.tensor.data, 300299, 1.0);
  EXPECT_EQ(device->count_nan(owned.tensor), 300298U);
}

TEST_P(CpuDeviceTypes, GatherReadsTheIndicesInTheirOrder) {
  const auto device = open_device();
  const Owned owned = make_tensor(*device, GetParam(), {4});
  for (std::size_t i = 0; i < 4; ++i) store_element(GetParam(), owned.tensor.data, i, static_cast<double>(i) / 2);
  const std::vector<std::uint64_t> indices{3, 0, 0, 2};
  EXPECT_EQ(device->gather(owned.tensor, indices), (std::vector<double>{1.5, 0, 0, 1}));
}

TEST(CpuTimer, RotatesOperandSetsAcrossSamplesAndGroups) {
  const auto device = open_device();
  Recorder recorder;
  const auto timer = device->make_timer({.invocation = &recorder, .sets = 3});
  EXPECT_EQ(timer->method(), "host");
  timer->submit(2, true);
  timer->submit(2, false);  // two groups in flight
  EXPECT_EQ(timer->collect().elapsed_s.size(), 2U);
  const GroupResult second = timer->collect();
  EXPECT_EQ(recorder.sets, (std::vector<std::size_t>{0, 1, 2, 0}));
  EXPECT_TRUE(second.valid);
  EXPECT_FALSE(second.clock_hz.has_value());
  EXPECT_GE(second.span_s, second.elapsed_s[0] + second.elapsed_s[1]);
  EXPECT_THROW(static_cast<void>(timer->collect()), std::logic_error);
}

TEST(CpuTimer, LoopsShortCallsAndDividesByThem) {
  const auto device = open_device();
  Recorder recorder;
  const auto timer = device->make_timer({.invocation = &recorder, .sets = 2, .calls_per_sample = 5});
  EXPECT_EQ(timer->method(), "host-loop");
  timer->submit(3, false);
  const GroupResult group = timer->collect();
  EXPECT_EQ(group.elapsed_s.size(), 3U);
  ASSERT_EQ(recorder.sets.size(), 15U);
  EXPECT_EQ(recorder.sets[14], 0U);
  EXPECT_GE(group.span_s, 5 * (group.elapsed_s[0] + group.elapsed_s[1] + group.elapsed_s[2]) * (1 - 1e-9));
}

// The flush passes tens of MiB; counted in, it would be most of what the window holds.
TEST(CpuTimer, Fault23_FlushStaysOutsideTheTimedWindow) {
  const auto device = open_device();
  Recorder recorder;
  const auto timer = device->make_timer({.invocation = &recorder, .flush = true});
  timer->submit(5, false);
  const GroupResult group = timer->collect();
  double timed_s = 0;
  for (const double sample : group.elapsed_s) timed_s += sample;
  EXPECT_EQ(group.elapsed_s.size(), 5U);
  EXPECT_LT(timed_s, group.span_s / 2);
}

TEST(CpuTimer, RefusesRequestsWithoutMeaning) {
  const auto device = open_device();
  Recorder recorder;
  EXPECT_THROW(static_cast<void>(device->make_timer({})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(device->make_timer({.invocation = &recorder, .sets = 0})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(device->make_timer({.invocation = &recorder, .calls_per_sample = 0})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(device->make_timer({.invocation = &recorder, .flush = true, .calls_per_sample = 2})),
               std::invalid_argument);
}

TEST(CpuTimer, FloorIsPositiveAndStable) {
  const auto device = open_device();
  const TimerFloor floor = device->timer_floor();
  EXPECT_GT(floor.resolution_s, 0);
  EXPECT_GT(floor.floor_s, 0);
  EXPECT_LT(floor.resolution_s, 1e-3);                      // steady_clock of any platform served
  EXPECT_EQ(device->timer_floor().floor_s, floor.floor_s);  // measured once
}

TEST(CpuDevice, Fault30_WhatACpuCannotReportIsAbsentWithItsReason) {
  const auto device = open_device();
  device->begin_telemetry();
  const TelemetryWindow window = device->end_telemetry();
  EXPECT_TRUE(window.readings.empty());
  for (const char* field : {"power", "energy", "temperature", "utilisation", "clock", "memory_clock", "clock_event_reasons"}) {
    EXPECT_FALSE(window.reasons.at(field).empty()) << field;
  }
  std::string reason;
  EXPECT_FALSE(device->spin_available(reason));
  EXPECT_FALSE(reason.empty());
  reason.clear();
  Recorder recorder;
  EXPECT_TRUE(device->kernel_names(recorder, reason).empty());
  EXPECT_FALSE(reason.empty());
  EXPECT_TRUE(recorder.sets.empty());
}

TEST(ParallelSlices, CoverEveryItemOnce) {
  const std::vector<int> processors(7, host::allowed_processors().front());
  for (const std::uint64_t count : {0ULL, 1ULL, 6ULL, 7ULL, 100ULL, 1003ULL}) {
    std::vector<std::atomic<int>> hits(count);
    parallel_slices(processors, count, 1, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) ++hits[i];
    });
    for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(hits[i], 1) << i << " of " << count;
  }
}

}  // namespace
}  // namespace cpu
}  // namespace rtxbench
