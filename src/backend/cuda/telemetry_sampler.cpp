#include "backend/cuda/telemetry_sampler.hpp"

#include <chrono>
#include <utility>

namespace rtxbench::cuda {
namespace {
// The driver refreshes its sensors every 20 to 100 ms, depending on board and sensor; faster polling reads the same values.
constexpr std::chrono::milliseconds kPeriod{20};
}  // namespace

TelemetrySampler::TelemetrySampler(std::optional<nvml::Board> board, std::string reason, std::function<double()> now_s)
    : board_(std::move(board)), reason_(std::move(reason)), now_s_(std::move(now_s)) {}

TelemetrySampler::~TelemetrySampler() { stop(); }

void TelemetrySampler::begin() {
  stop();
  window_ = {};
  if (!board_) {
    window_.reasons = nvml::no_sensor(reason_);
    return;
  }
  sample();
  stopping_ = false;
  thread_ = std::thread(&TelemetrySampler::run, this);
}

TelemetryWindow TelemetrySampler::end() {
  const bool open = thread_.joinable();
  stop();
  if (open) sample();
  return std::exchange(window_, {});
}

// Only one thread touches the window at a time: begin() before the sampler starts, end() after it was joined.
void TelemetrySampler::sample() {
  const double time_s = now_s_();
  TelemetryReading reading = board_->read(window_.reasons);
  reading.time_s = time_s;
  window_.readings.push_back(reading);
}

void TelemetrySampler::run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kPeriod, [this] { return stopping_; })) sample();
}

void TelemetrySampler::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

}  // namespace rtxbench::cuda
