// One CUDA device, held by its primary context in this process.
#pragma once

#include <memory>
#include <string>

#include "backend/cuda/handles.hpp"
#include "backend/cuda/telemetry_sampler.hpp"
#include "rtxbench/device.hpp"

namespace rtxbench::cuda {

[[nodiscard]] inline cudaStream_t native(Stream& stream) { return static_cast<cudaStream_t>(stream.native()); }

class CudaStream final : public Stream {
 public:
  CudaStream();
  [[nodiscard]] void* native() const override { return stream_.get(); }
  void synchronize() override;

 private:
  StreamHandle stream_;
};

// A graph of what `enqueue` puts on the stream. Relaxed mode: a library may look things up while it enqueues.
template <class Enqueue>
[[nodiscard]] GraphHandle capture(cudaStream_t stream, Enqueue enqueue) {
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  cudaGraph_t graph = nullptr;
  try {
    enqueue();
  } catch (...) {
    static_cast<void>(cudaStreamEndCapture(stream, &graph));
    static_cast<void>(cudaGetLastError());
    const GraphHandle dropped(graph);
    throw;
  }
  check(cudaStreamEndCapture(stream, &graph));
  return GraphHandle(graph);
}

// Names of the kernels of a graph, in the order in which they were captured.
[[nodiscard]] std::vector<std::string> kernel_names_of(cudaGraph_t graph);

class CudaDevice final : public Device {
 public:
  // Opens the context on runtime device `info.index`. `board` feeds the telemetry; without one, `no_board` says why.
  CudaDevice(DeviceInfo info, std::optional<nvml::Board> board, std::string no_board);

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] std::unique_ptr<Buffer> allocate(std::uint64_t bytes) override;
  [[nodiscard]] std::uint64_t free_bytes() override;
  [[nodiscard]] Stream& stream() override { return *stream_; }

  void fill(const Tensor& tensor, const DataSource& source) override;
  void poison(const Tensor& tensor) override;
  [[nodiscard]] std::uint64_t count_nan(const Tensor& tensor) override;
  [[nodiscard]] std::vector<double> gather(const Tensor& tensor, std::span<const std::uint64_t> indices) override;

  [[nodiscard]] std::unique_ptr<Timer> make_timer(const TimerRequest& request) override;
  [[nodiscard]] TimerFloor timer_floor() override;
  [[nodiscard]] bool spin_available(std::string& reason_if_not) override;
  [[nodiscard]] std::vector<std::string> kernel_names(Invocation& invocation, std::string& reason_if_empty) override;

  [[nodiscard]] double now_s() override;
  void idle(double seconds) override;
  void begin_telemetry() override { telemetry_.begin(); }
  [[nodiscard]] TelemetryWindow end_telemetry() override { return telemetry_.end(); }

  // Memory larger than the last-level cache: writing it evicts everything else. Allocated at first use.
  [[nodiscard]] Buffer& flush_buffer();
  [[nodiscard]] int multiprocessors() const { return multiprocessors_; }

 private:
  DeviceInfo info_;
  int multiprocessors_ = 0;
  std::unique_ptr<CudaStream> stream_;
  std::unique_ptr<Buffer> flush_buffer_;
  std::optional<TimerFloor> floor_;
  TelemetrySampler telemetry_;
};

}  // namespace rtxbench::cuda
