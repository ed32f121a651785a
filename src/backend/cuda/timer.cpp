#include "backend/cuda/timer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "backend/cuda/stamps.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/provider.hpp"

namespace rtxbench::cuda {
namespace {
constexpr std::uint64_t kSpinTimeoutNs = 2'000'000'000;
constexpr int kStampBlocksPerSm = 2;  // one a multiprocessor would do if the scheduler promised to spread them
constexpr double kSecondsPerMs = 1e-3;

unsigned load(unsigned& word) { return std::atomic_ref<unsigned>(word).load(std::memory_order_acquire); }
void store(unsigned& word, unsigned value) { std::atomic_ref<unsigned>(word).store(value, std::memory_order_release); }
}  // namespace

CudaTimer::CudaTimer(CudaDevice& device, const TimerRequest& request)
    : device_(device),
      request_(request),
      stream_(native(device.stream())),
      blocks_(kStampBlocksPerSm * device.multiprocessors()),
      flags_(make_mapped<SpinFlag>(kInFlight)) {
  if (request_.calls_per_sample > 1 && request_.flush) {
    throw std::logic_error("a sample of several calls excludes the cache flush");
  }
  for (std::size_t i = 0; i < kInFlight; ++i) {
    Group& group = groups_[i];
    group.done = make_event();
    group.before = make_mapped<Stamp>(static_cast<std::size_t>(blocks_));
    group.after = make_mapped<Stamp>(static_cast<std::size_t>(blocks_));
    group.flag = &flags_[i];
  }
  std::string reason;
  spin_ = device_.spin_available(reason);
  warm_up();
  if (request_.calls_per_sample > 1) build_graphs();
  max_samples_ = samples_behind_spin(request_.calls_per_sample, request_.flush, !graphs_.empty());
}

// Whatever was submitted and not collected still uses this object's memory.
CudaTimer::~CudaTimer() {
  for (Group& group : groups_) release(group);
  static_cast<void>(cudaStreamSynchronize(stream_));
}

// The runtime loads a kernel at its first launch, which waits for the device: behind a spin kernel that would never end.
void CudaTimer::warm_up() {
  Group& group = groups_[0];
  store(group.flag->release, 1);
  launch_spin(group.flag, kSpinTimeoutNs, stream_);
  launch_stamp(group.before.get(), blocks_, stream_);
  if (request_.flush) {
    Buffer& buffer = device_.flush_buffer();
    launch_flush(buffer.data(), buffer.bytes(), stream_);
  }
  request_.invocation->enqueue(device_.stream(), 0);
  check(cudaStreamSynchronize(stream_));
}

// Graph j holds the calls of one sample, on the operand sets that follow those of graph j - 1.
void CudaTimer::build_graphs() {
  const auto calls = static_cast<std::size_t>(request_.calls_per_sample);
  const std::size_t count = (request_.sets + calls - 1) / calls;
  try {
    for (std::size_t j = 0; j < count; ++j) {
      const GraphHandle graph = capture(stream_, [&] {
        for (std::size_t i = 0; i < calls; ++i) request_.invocation->enqueue(device_.stream(), (j * calls + i) % request_.sets);
      });
      cudaGraphExec_t executable = nullptr;
      check(cudaGraphInstantiate(&executable, graph.get(), 0));
      graphs_.emplace_back(executable);
      check(cudaGraphUpload(executable, stream_));
    }
    check(cudaGraphLaunch(graphs_.front().get(), stream_));
    check(cudaStreamSynchronize(stream_));
  } catch (const DeviceError& error) {
    if (error.sticky()) throw;
    graphs_.clear();  // the call cannot be captured: a plain loop, labelled "event"
  }
}

void CudaTimer::submit(int samples, bool gated) {
  if (submitted_ - collected_ == kInFlight) throw std::logic_error("two groups are in flight already");
  Group& group = groups_[submitted_ % kInFlight];
  group.samples = samples;
  group.gated = gated && spin_;
  store(group.flag->release, group.gated ? 0 : 1);
  store(group.flag->timed_out, 0);
  while (group.starts.size() < static_cast<std::size_t>(samples)) {
    group.starts.push_back(make_event());
    group.stops.push_back(make_event());
  }
  ++submitted_;
  try {
    if (group.gated) launch_spin(group.flag, kSpinTimeoutNs, stream_);
    // Where a tool serialises launches, the spin kernel has run into its time-out before its launch returns.
    if (load(group.flag->timed_out) == 0) enqueue_group(group);
    check(cudaEventRecord(group.done.get(), stream_));
  } catch (...) {
    release(group);
    --submitted_;
    throw;
  }
  release(group);
}

void CudaTimer::enqueue_group(Group& group) {
  launch_stamp(group.before.get(), blocks_, stream_);
  for (int i = 0; i < group.samples; ++i) enqueue_sample(group, i);
  launch_stamp(group.after.get(), blocks_, stream_);
}

void CudaTimer::enqueue_sample(Group& group, int sample) {
  const auto slot = static_cast<std::size_t>(sample);
  if (request_.flush) {
    Buffer& buffer = device_.flush_buffer();
    launch_flush(buffer.data(), buffer.bytes(), stream_);
  }
  check(cudaEventRecord(group.starts[slot].get(), stream_));
  if (!graphs_.empty()) {
    check(cudaGraphLaunch(graphs_[next_graph_].get(), stream_));
    next_graph_ = (next_graph_ + 1) % graphs_.size();
  } else {
    for (int call = 0; call < std::max(request_.calls_per_sample, 1); ++call) {
      request_.invocation->enqueue(device_.stream(), next_set_);
      next_set_ = (next_set_ + 1) % std::max<std::size_t>(request_.sets, 1);
    }
  }
  check(cudaEventRecord(group.stops[slot].get(), stream_));
}

void CudaTimer::release(Group& group) noexcept {
  if (group.flag != nullptr) store(group.flag->release, 1);
}

GroupResult CudaTimer::collect() {
  if (submitted_ == collected_) throw std::logic_error("no group is in flight");
  Group& group = groups_[collected_ % kInFlight];
  ++collected_;
  check(cudaEventSynchronize(group.done.get()));
  GroupResult result;
  if (load(group.flag->timed_out) != 0) {
    result.valid = false;
    result.serialised = true;
    result.reason = fmt::format("the spin kernel gave up after {} s: launches are serialised here (a profiler, a sanitizer)",
                                kSpinTimeoutNs / 1'000'000'000);
    return result;
  }
  const int calls = std::max(request_.calls_per_sample, 1);
  for (int i = 0; i < group.samples; ++i) {
    const auto slot = static_cast<std::size_t>(i);
    float elapsed_ms = 0;
    check(cudaEventElapsedTime(&elapsed_ms, group.starts[slot].get(), group.stops[slot].get()));
    result.elapsed_s.push_back(static_cast<double>(elapsed_ms) * kSecondsPerMs / calls);
  }
  const auto blocks = static_cast<std::size_t>(blocks_);
  const StampedClock clock = stamped_clock({group.before.get(), blocks}, {group.after.get(), blocks});
  result.clock_hz = clock.clock_hz;
  result.span_s = clock.span_s;
  return result;
}

}  // namespace rtxbench::cuda
