// Devices: memory, streams, timers, cache control, clocks and telemetry of one physical unit. The protocol (src/run) is written
// against these classes only, so that a FakeDevice with scripted answers can prove every rule of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rtxbench/data.hpp"
#include "rtxbench/tensor.hpp"

namespace rtxbench {

class Invocation;

// What can be known of a device without opening a context on it. Unknown numbers are absent, never 0.
struct DeviceInfo {
  std::string backend;                         // "cpu" or "cuda"
  int index = 0;                               // the backend's own ordinal (CUDA: after CUDA_VISIBLE_DEVICES)
  std::string id;                              // what --device takes and records keep: "cpu", or the UUID "GPU-..."
  std::string pci;                             // "00000000:0a:00.0", empty for a CPU
  std::optional<std::uint32_t> pci_device_id;  // vendor << 16 | device
  std::string name;                            // full marketing name
  int cc_major = 0, cc_minor = 0;              // CUDA compute capability; 0.0 for a CPU
  std::optional<int> multiprocessors;          // SMs; CPU: hardware threads available to this process
  std::optional<double> max_clock_hz;          // SM clock maximum
  std::optional<double> max_memory_clock_hz;
  std::optional<int> memory_bus_bits;
  std::optional<std::uint64_t> cache_bytes;   // last-level cache: L2 of a GPU, L3 of a CPU
  std::optional<std::uint64_t> memory_bytes;  // total
  std::optional<std::uint64_t> free_bytes;    // NVML's figure at the time of asking
  std::optional<double> power_limit_w;
  bool mig = false;
  std::vector<int> other_processes;            // pids of other users of the device
  std::string code;                            // what of the binary runs here: "sm_90a cubin", "PTX compiled at start", ...
  std::map<std::string, std::string> reasons;  // field -> why it is absent
};

// Size of the buffer that a device of a backend passes through to empty its last-level cache: 4 x the cache, at least 256 MiB;
// on a CPU at least 64 MiB and at most 512 MiB. The plan counts it, the device allocates it.
[[nodiscard]] std::uint64_t flush_bytes(const DeviceInfo& device);

// One reading of the board's own sensors. Absent values carry a reason in TelemetryWindow.
struct TelemetryReading {
  double time_s = 0;                                                                        // Device::now_s()
  std::optional<double> sm_clock_hz, memory_clock_hz, power_w, temperature_c, utilisation;  // utilisation 0..1
  std::optional<double> energy_j;                    // a counter since some start; only differences mean anything
  std::optional<std::uint64_t> clock_event_reasons;  // NVML bit mask
};

// NVML clock event reasons (nvml.h, nvmlClocksEventReasons).
namespace clock_event {
inline constexpr std::uint64_t kSwPowerCap = 0x4, kHwSlowdown = 0x8, kSwThermal = 0x20, kHwThermal = 0x40, kHwPowerBrake = 0x80;
inline constexpr std::uint64_t kInvalidating = kHwSlowdown | kSwThermal | kHwThermal | kHwPowerBrake;
}  // namespace clock_event

// All readings taken while a window was open.
struct TelemetryWindow {
  std::vector<TelemetryReading> readings;
  std::map<std::string, std::string> reasons;  // "power", "energy", "clock", ... -> why there is no value
};

// An owned allocation; freed on destruction. Move-only.
class Buffer {
 public:
  virtual ~Buffer() = default;
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 protected:
  void* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

class Stream {
 public:
  virtual ~Stream() = default;
  [[nodiscard]] virtual void* native() const = 0;  // cudaStream_t for CUDA, nullptr for the CPU
  virtual void synchronize() = 0;                  // waits; throws DeviceError for anything that went wrong before
};

// What one timed group is made of.
struct TimerRequest {
  Invocation* invocation = nullptr;
  std::size_t sets = 1;      // operand sets; call number i uses set i % sets
  bool flush = false;        // flush the last-level cache before each timed call, outside the timed window
  int calls_per_sample = 1;  // > 1: a CUDA graph (CPU: a loop) of that many calls, its time divided by it; excludes `flush`
};

struct GroupResult {
  std::vector<double> elapsed_s;   // per call, one entry a sample
  std::optional<double> clock_hz;  // median over SMs of cycles / time between the stamps around the group
  double span_s = 0;               // device time from the first to the last stamp
  bool valid = true;               // false: discard all of it
  bool serialised = false;         // the spin kernel timed out: launches are serialised here, go on without spin
  std::string reason;              // why invalid
};

// Times groups of calls of one request. Up to two groups may be in flight, so that a sustained run never drains the device.
class Timer {
 public:
  virtual ~Timer() = default;
  // Enqueues `samples` samples; `gated` holds the group behind a host-released spin kernel while it is enqueued (ignored where
  // the device has none).
  virtual void submit(int samples, bool gated) = 0;
  // Waits for the oldest group. Throws DeviceError.
  [[nodiscard]] virtual GroupResult collect() = 0;
  // "event", "graph", "host", "host-loop"
  [[nodiscard]] virtual std::string_view method() const = 0;
  [[nodiscard]] virtual int max_samples_per_group() const = 0;  // 256 launches behind the spin kernel
};

// Timing floor of a device, measured once per process with an empty kernel.
struct TimerFloor {
  double resolution_s = 0;  // smallest step between two readings
  double floor_s = 0;       // median reading around an empty kernel
};

class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const DeviceInfo& info() const = 0;

  [[nodiscard]] virtual std::unique_ptr<Buffer> allocate(std::uint64_t bytes) = 0;  // throws OutOfMemoryError
  [[nodiscard]] virtual std::uint64_t free_bytes() = 0;                             // now
  [[nodiscard]] virtual Stream& stream() = 0;                                       // the one that work is enqueued on

  virtual void fill(const Tensor& tensor, const DataSource& source) = 0;    // element(source, i), rounded; synchronous
  virtual void poison(const Tensor& tensor) = 0;                            // NaN everywhere; synchronous
  [[nodiscard]] virtual std::uint64_t count_nan(const Tensor& tensor) = 0;  // synchronous
  [[nodiscard]] virtual std::vector<double> gather(const Tensor& tensor, std::span<const std::uint64_t> indices) = 0;

  [[nodiscard]] virtual std::unique_ptr<Timer> make_timer(const TimerRequest& request) = 0;
  [[nodiscard]] virtual TimerFloor timer_floor() = 0;
  [[nodiscard]] virtual bool spin_available(std::string& reason_if_not) = 0;  // false under CUDA_LAUNCH_BLOCKING
  // Names of the kernels that one call launches (by capture), or empty with the reason.
  [[nodiscard]] virtual std::vector<std::string> kernel_names(Invocation& invocation, std::string& reason_if_empty) = 0;

  [[nodiscard]] virtual double now_s() = 0;  // monotonic
  virtual void idle(double seconds) = 0;     // host sleeps, device idle

  virtual void begin_telemetry() = 0;  // starts sampling the board's sensors
  [[nodiscard]] virtual TelemetryWindow end_telemetry() = 0;
};

// A Backend finds devices and opens them. Nothing of it touches a driver before one of these is called.
class Backend {
 public:
  virtual ~Backend() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  // The devices, without opening a context; none with the reason (driver, library, environment) in `reason_if_none`.
  [[nodiscard]] virtual std::vector<DeviceInfo> enumerate(std::string& reason_if_none) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Device> open(const DeviceInfo& info) const = 0;
  // Driver, runtime and libraries: name -> "version, place", or why not. For `info`, and once per report.
  [[nodiscard]] virtual std::map<std::string, std::string> software() const = 0;
};

}  // namespace rtxbench
