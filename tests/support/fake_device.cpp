#include "support/fake_device.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <stdexcept>

#include "rtxbench/error.hpp"

namespace rtxbench::fake {
namespace {

constexpr double kHostCall = 1e-6;  // s of host time that asking for something takes

class FakeBuffer final : public Buffer {
 public:
  FakeBuffer(std::uint64_t bytes, std::shared_ptr<std::uint64_t> allocated) : allocated_(std::move(allocated)) {
    bytes_ = bytes;
    data_ = std::calloc(1, bytes == 0 ? 1 : bytes);
    if (data_ == nullptr) throw OutOfMemoryError("the host of the fake device is out of memory");
    *allocated_ += bytes;
  }
  ~FakeBuffer() override {
    std::free(data_);
    *allocated_ -= bytes_;
  }
  FakeBuffer(const FakeBuffer&) = delete;
  FakeBuffer& operator=(const FakeBuffer&) = delete;

 private:
  std::shared_ptr<std::uint64_t> allocated_;
};

}  // namespace

class FakeStream final : public Stream {
 public:
  explicit FakeStream(FakeDevice& device) : device_(device) {}
  [[nodiscard]] void* native() const override { return nullptr; }
  void synchronize() override {
    for (; pending > 0; --pending) device_.run_call();
    device_.now_s_ = std::max(device_.now_s_, device_.busy_until_s_);
  }
  int pending = 0;

 private:
  FakeDevice& device_;
};

class FakeTimer final : public Timer {
 public:
  FakeTimer(FakeDevice& device, const TimerRequest& request) : device_(device), request_(request) {
    if (request.flush && request.calls_per_sample > 1) throw std::invalid_argument("a flush excludes several calls a sample");
  }
  void submit(int samples, bool gated) override;
  [[nodiscard]] GroupResult collect() override;
  [[nodiscard]] std::string_view method() const override { return request_.calls_per_sample > 1 ? "graph" : "event"; }
  [[nodiscard]] int max_samples_per_group() const override { return device_.script_.max_samples_per_group; }

 private:
  double sample();
  FakeDevice& device_;
  TimerRequest request_;
  std::size_t next_set_ = 0;
  std::deque<std::pair<GroupResult, double>> in_flight_;  // and when the device is done with it
};

double FakeTimer::sample() {
  if (request_.flush) {
    ++device_.log_.flushes;
    device_.busy_until_s_ += device_.script_.flush_s;
  }
  double elapsed_s = 0;
  for (int call = 0; call < request_.calls_per_sample; ++call) {
    request_.invocation->enqueue(device_.stream(), next_set_);
    static_cast<FakeStream&>(device_.stream()).pending = 0;  // this timer runs the call itself
    next_set_ = (next_set_ + 1) % request_.sets;
    elapsed_s += device_.run_call();
  }
  return elapsed_s / request_.calls_per_sample;
}

void FakeTimer::submit(int samples, bool gated) {
  if (samples < 1 || samples > max_samples_per_group()) throw std::logic_error("a group of that size cannot be submitted");
  if (in_flight_.size() >= 2) throw std::logic_error("only two groups may be in flight");
  device_.write(gated ? "submit gated" : "submit", samples);
  device_.now_s_ += kHostCall;
  device_.start_work();
  const double started_s = device_.busy_until_s_;
  GroupResult group;
  for (int i = 0; i < samples; ++i) group.elapsed_s.push_back(sample());
  group.span_s = device_.busy_until_s_ - started_s;
  group.clock_hz = device_.script_.clock_hz({device_.log_.calls, started_s, started_s - device_.busy_since_s_});
  const GroupFault fault = device_.script_.group_fault(device_.log_.groups++, gated);
  group.valid = fault.valid && !fault.serialised;
  group.serialised = fault.serialised;
  group.reason = fault.reason;
  in_flight_.emplace_back(std::move(group), device_.busy_until_s_);
}

GroupResult FakeTimer::collect() {
  if (in_flight_.empty()) throw std::logic_error("collect() without a submitted group");
  auto [group, done_s] = std::move(in_flight_.front());
  in_flight_.pop_front();
  device_.now_s_ = std::max(device_.now_s_, done_s);
  device_.write("collect", static_cast<double>(group.elapsed_s.size()));
  return group;
}

DeviceInfo gpu(int index) {
  DeviceInfo info;
  info.backend = "cuda";
  info.index = index;
  info.id = "GPU-0000000" + std::to_string(index) + "-fake";
  info.pci = "00000000:0" + std::to_string(index + 1) + ":00.0";
  info.name = "Fake GPU 9000";
  info.cc_major = 9;
  info.multiprocessors = 132;
  info.max_clock_hz = 1.98e9;
  info.cache_bytes = kMiB / 2;
  info.memory_bytes = 80 * kGiB;
  info.free_bytes = 80 * kGiB;
  info.power_limit_w = 700;
  info.code = "nothing";
  return info;
}

DeviceInfo cpu() {
  DeviceInfo info;
  info.backend = "cpu";
  info.id = "cpu";
  info.name = "Fake CPU 90";
  info.multiprocessors = 4;
  info.cache_bytes = kMiB / 2;
  info.memory_bytes = 8 * kGiB;
  info.free_bytes = 8 * kGiB;
  return info;
}

TelemetryReading steady_sensors(double time_s, double power_w, std::uint64_t events) {
  return {.time_s = time_s,
          .sm_clock_hz = 1.98e9,
          .memory_clock_hz = 3.2e9,
          .power_w = power_w,
          .temperature_c = 60,
          .utilisation = 1,
          .energy_j = power_w * time_s,
          .clock_event_reasons = events};
}

std::vector<double> Log::values(const std::string& what) const {
  std::vector<double> found;
  for (const Action& action : actions) {
    if (action.what == what) found.push_back(action.value);
  }
  return found;
}

FakeDevice::FakeDevice(Script script) : script_(std::move(script)), stream_(std::make_unique<FakeStream>(*this)) {}
FakeDevice::~FakeDevice() = default;

Stream& FakeDevice::stream() { return *stream_; }

std::unique_ptr<Buffer> FakeDevice::allocate(std::uint64_t bytes) {
  if (bytes > free_bytes()) throw OutOfMemoryError("an allocation of the fake device did not fit");
  return std::make_unique<FakeBuffer>(bytes, allocated_);
}

void FakeDevice::fill(const Tensor& tensor, const DataSource& source) {
  if (script_.fill_first_set_only && source.stream >= 16) return;
  for (std::uint64_t i = 0; i < tensor.spec.elements(); ++i)
    store_element(tensor.spec.dtype, tensor.data, i, element(source, i));
}

// All bits set is NaN in every floating-point format.
void FakeDevice::poison(const Tensor& tensor) { std::memset(tensor.data, 0xff, tensor.spec.bytes()); }

std::uint64_t FakeDevice::count_nan(const Tensor& tensor) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < tensor.spec.elements(); ++i) {
    if (std::isnan(load_element(tensor.spec.dtype, tensor.data, i))) ++count;
  }
  return count;
}

std::vector<double> FakeDevice::gather(const Tensor& tensor, std::span<const std::uint64_t> indices) {
  std::vector<double> values;
  for (const std::uint64_t index : indices) values.push_back(load_element(tensor.spec.dtype, tensor.data, index));
  return values;
}

std::unique_ptr<Timer> FakeDevice::make_timer(const TimerRequest& request) {
  log_.timers.push_back(request);
  return std::make_unique<FakeTimer>(*this, request);
}

bool FakeDevice::spin_available(std::string& reason_if_not) {
  if (script_.no_spin.empty()) return true;
  reason_if_not = script_.no_spin;
  return false;
}

std::vector<std::string> FakeDevice::kernel_names(Invocation& /*invocation*/, std::string& /*reason_if_empty*/) {
  return {"fake_kernel"};
}

void FakeDevice::idle(double seconds) {
  write("idle", seconds);
  now_s_ = std::max(now_s_, busy_until_s_) + seconds;
  paused_ = true;
}

void FakeDevice::begin_telemetry() {
  write("begin telemetry", 0);
  telemetry_from_s_ = now_s_;
}

TelemetryWindow FakeDevice::end_telemetry() {
  write("end telemetry", 0);
  TelemetryWindow window{.reasons = script_.sensor_reasons};
  for (double time_s = telemetry_from_s_; time_s <= now_s_; time_s += script_.sensor_period_s) {
    window.readings.push_back(script_.sensors(time_s));
  }
  return window;
}

void FakeDevice::start_work() {
  if (busy_until_s_ >= now_s_) return;
  if (!paused_) ++log_.dry;
  busy_until_s_ = busy_since_s_ = now_s_;
}

double FakeDevice::run_call() {
  start_work();
  paused_ = false;
  const double elapsed_s = script_.call_s({log_.calls++, busy_until_s_, busy_until_s_ - busy_since_s_});
  busy_until_s_ += std::isfinite(elapsed_s) ? std::max(elapsed_s, 0.0) : 0.0;
  return elapsed_s;
}

void note_call(Stream& stream) { ++static_cast<FakeStream&>(stream).pending; }

void CountingInvocation::enqueue(Stream& stream, std::size_t set) {
  ++calls[set];
  note_call(stream);
}

}  // namespace rtxbench::fake
