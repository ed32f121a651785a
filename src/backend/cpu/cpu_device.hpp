// The host CPU as a device: calls run synchronously in the calling thread, memory is the host's.
#pragma once

#include <vector>

#include "rtxbench/device.hpp"

namespace rtxbench::cpu {

class CpuStream final : public Stream {
 public:
  [[nodiscard]] void* native() const override { return nullptr; }
  void synchronize() override {}
};

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(DeviceInfo info);

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] std::unique_ptr<Buffer> allocate(std::uint64_t bytes) override;
  [[nodiscard]] std::uint64_t free_bytes() override;
  [[nodiscard]] Stream& stream() override { return stream_; }

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
  void begin_telemetry() override {}
  [[nodiscard]] TelemetryWindow end_telemetry() override;

 private:
  void flush_caches();

  DeviceInfo info_;
  CpuStream stream_;
  std::vector<int> processors_;
  std::optional<TimerFloor> floor_;
  std::unique_ptr<Buffer> flush_buffer_;  // allocated when the first timer asks for a flush
};

}  // namespace rtxbench::cpu
