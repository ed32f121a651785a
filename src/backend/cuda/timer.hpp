// Timing by events around calls that are enqueued as one group, held back by a spin kernel until the whole group is enqueued,
// so that no launch latency of the host lies between an event and its call.
#pragma once

#include <array>
#include <vector>

#include "backend/cuda/device.hpp"
#include "backend/cuda/device_kernels.hpp"

namespace rtxbench::cuda {

class CudaTimer final : public Timer {
 public:
  // Runs one call, so that nothing is loaded while a group is held back.
  CudaTimer(CudaDevice& device, const TimerRequest& request);
  ~CudaTimer() override;
  CudaTimer(const CudaTimer&) = delete;
  CudaTimer& operator=(const CudaTimer&) = delete;

  void submit(int samples, bool gated) override;
  [[nodiscard]] GroupResult collect() override;
  [[nodiscard]] std::string_view method() const override { return graphs_.empty() ? "event" : "graph"; }
  [[nodiscard]] int max_samples_per_group() const override { return max_samples_; }

 private:
  // Storage of one group in flight.
  struct Group {
    std::vector<EventHandle> starts, stops;  // a pool: grows, never shrinks
    EventHandle done;
    MappedArray<Stamp> before, after;
    SpinFlag* flag = nullptr;  // into flags_
    int samples = 0;
    bool gated = false;
  };
  static constexpr std::size_t kInFlight = 2;

  void warm_up();
  void build_graphs();
  void enqueue_group(Group& group);
  void enqueue_sample(Group& group, int sample);
  void release(Group& group) noexcept;

  CudaDevice& device_;
  TimerRequest request_;
  bool spin_ = false;  // off where launches block
  cudaStream_t stream_;
  int blocks_;  // of a stamp kernel
  int max_samples_ = 1;
  MappedArray<SpinFlag> flags_;
  std::array<Group, kInFlight> groups_;
  std::size_t submitted_ = 0, collected_ = 0;  // groups, ever
  std::vector<GraphExecHandle> graphs_;        // together they visit every operand set once
  std::size_t next_graph_ = 0, next_set_ = 0;
};

[[nodiscard]] TimerFloor measure_floor(CudaDevice& device);

// Samples a group may hold: at most 256 launches wait behind the spin kernel.
[[nodiscard]] int samples_behind_spin(int calls_per_sample, bool flush, bool graph);

// Smallest positive step between distinct readings, and their median. Readings that are all alike have no step: resolution 0.
[[nodiscard]] TimerFloor floor_of(std::vector<double> readings_s);

}  // namespace rtxbench::cuda
