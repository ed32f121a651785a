#include <algorithm>
#include <limits>

#include "backend/cuda/timer.hpp"
#include "rtxbench/provider.hpp"

namespace rtxbench::cuda {
namespace {
constexpr int kGroups = 10;

class EmptyCall final : public Invocation {
 public:
  void enqueue(Stream& stream, std::size_t) override { launch_empty(native(stream)); }
};
}  // namespace

int samples_behind_spin(int calls_per_sample, bool flush, bool graph) {
  constexpr int kLaunches = 256;
  constexpr int kFixed = 3;           // the spin kernel and two stamps
  constexpr int kKernelsPerCall = 4;  // what a library call may be made of
  constexpr int kGraphNodes = 1024;   // a graph is one launch, yet its nodes wait too
  const int calls = std::max(calls_per_sample, 1);
  const int launches = (graph ? kKernelsPerCall : kKernelsPerCall * calls) + (flush ? 1 : 0);
  const int samples = (kLaunches - kFixed) / launches;
  return std::max(1, graph ? std::min(samples, kGraphNodes / calls) : samples);
}

TimerFloor floor_of(std::vector<double> readings_s) {
  if (readings_s.empty()) return {};
  std::ranges::sort(readings_s);
  TimerFloor floor;
  floor.floor_s = readings_s[readings_s.size() / 2];
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < readings_s.size(); ++i) {
    const double difference = readings_s[i] - readings_s[i - 1];
    if (difference > 1e-12) step = std::min(step, difference);  // below a picosecond it is rounding of the conversion
  }
  if (step < std::numeric_limits<double>::infinity()) floor.resolution_s = step;
  return floor;
}

TimerFloor measure_floor(CudaDevice& device) {
  EmptyCall empty;
  CudaTimer timer(device, {.invocation = &empty});
  std::vector<double> readings;
  for (int i = 0; i < kGroups; ++i) {
    timer.submit(timer.max_samples_per_group(), true);
    const GroupResult group = timer.collect();
    if (!group.valid) continue;
    readings.insert(readings.end(), group.elapsed_s.begin(), group.elapsed_s.end());
  }
  if (readings.empty()) {  // launches are serialised by a tool: the readings without the spin kernel are what there is
    timer.submit(timer.max_samples_per_group(), false);
    readings = timer.collect().elapsed_s;
  }
  return floor_of(std::move(readings));
}

}  // namespace rtxbench::cuda
