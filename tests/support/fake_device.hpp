// A device in virtual time: it does what its script says, writes down what was asked of it, and never waits.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtxbench/device.hpp"
#include "rtxbench/provider.hpp"

namespace rtxbench::fake {

inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

// A GPU of which nothing is unknown and no peak is listed.
[[nodiscard]] DeviceInfo gpu(int index = 0);
[[nodiscard]] DeviceInfo cpu();

// When a call runs.
struct Moment {
  std::uint64_t call = 0;  // since the device was opened
  double time_s = 0;       // Device::now_s()
  double busy_s = 0;       // since the device last stood still
};

struct GroupFault {
  bool valid = true, serialised = false;
  std::string reason;
};

// Sensors of a board that draws `power_w` at all times.
[[nodiscard]] TelemetryReading steady_sensors(double time_s, double power_w = 500, std::uint64_t events = 0);

struct Script {
  DeviceInfo info = gpu();
  std::uint64_t memory_bytes = 80 * kGiB;
  std::function<double(const Moment&)> call_s = [](const Moment&) { return 1e-3; };
  std::function<std::optional<double>(const Moment&)> clock_hz = [](const Moment&) { return 1.5e9; };
  std::function<TelemetryReading(double time_s)> sensors = [](double time_s) { return steady_sensors(time_s); };
  double sensor_period_s = 0.05;
  std::map<std::string, std::string> sensor_reasons;
  std::function<GroupFault(int group, bool gated)> group_fault = [](int, bool) { return GroupFault{}; };
  std::string no_spin;  // why there is no spin kernel
  double resolution_s = 5e-7, floor_s = 1e-6;
  double flush_s = 5e-4;
  int max_samples_per_group = 256;
  bool fill_first_set_only = false;  // saves time where there are many large sets
};

struct Action {
  std::string what;  // "idle" (s), "submit", "submit gated", "collect" (samples), "begin telemetry", "end telemetry"
  double value = 0;
  double time_s = 0;
  bool operator==(const Action& other) const { return what == other.what && value == other.value; }
};

struct Log {
  std::vector<Action> actions;
  std::vector<TimerRequest> timers;
  std::uint64_t flushes = 0;
  std::uint64_t calls = 0;
  int groups = 0;
  int dry = 0;  // groups that found the device standing still without an idle() before them
  [[nodiscard]] std::vector<double> values(const std::string& what) const;
};

class FakeDevice final : public Device {
 public:
  explicit FakeDevice(Script script);
  ~FakeDevice() override;

  [[nodiscard]] const DeviceInfo& info() const override { return script_.info; }
  [[nodiscard]] std::unique_ptr<Buffer> allocate(std::uint64_t bytes) override;
  [[nodiscard]] std::uint64_t free_bytes() override { return script_.memory_bytes - *allocated_; }
  [[nodiscard]] Stream& stream() override;
  void fill(const Tensor& tensor, const DataSource& source) override;
  void poison(const Tensor& tensor) override;
  [[nodiscard]] std::uint64_t count_nan(const Tensor& tensor) override;
  [[nodiscard]] std::vector<double> gather(const Tensor& tensor, std::span<const std::uint64_t> indices) override;
  [[nodiscard]] std::unique_ptr<Timer> make_timer(const TimerRequest& request) override;
  [[nodiscard]] TimerFloor timer_floor() override { return {script_.resolution_s, script_.floor_s}; }
  [[nodiscard]] bool spin_available(std::string& reason_if_not) override;
  [[nodiscard]] std::vector<std::string> kernel_names(Invocation& invocation, std::string& reason_if_empty) override;
  [[nodiscard]] double now_s() override { return now_s_; }
  void idle(double seconds) override;
  void begin_telemetry() override;
  [[nodiscard]] TelemetryWindow end_telemetry() override;

  [[nodiscard]] Log& log() { return log_; }
  [[nodiscard]] Script& script() { return script_; }

 private:
  friend class FakeTimer;
  friend class FakeStream;
  // Runs one call on the device's own time line and returns how long it took.
  double run_call();
  void start_work();
  void write(const std::string& what, double value) { log_.actions.push_back({what, value, now_s_}); }

  Script script_;
  Log log_;
  std::unique_ptr<Stream> stream_;
  std::shared_ptr<std::uint64_t> allocated_ = std::make_shared<std::uint64_t>(0);
  double now_s_ = 100;       // of the host
  double busy_until_s_ = 0;  // of the device
  double busy_since_s_ = 0;
  bool paused_ = true;  // idle() since the last work
  double telemetry_from_s_ = 0;
};

// Counts calls per operand set and does nothing.
class CountingInvocation final : public Invocation {
 public:
  void enqueue(Stream& stream, std::size_t set) override;
  std::map<std::size_t, std::uint64_t> calls;  // set -> calls
};

// A stream of a FakeDevice must be told of calls made outside a timer.
void note_call(Stream& stream);

}  // namespace rtxbench::fake
