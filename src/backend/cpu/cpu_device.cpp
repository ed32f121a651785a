#include "backend/cpu/cpu_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "backend/cpu/cpu_timer.hpp"
#include "backend/cpu/parallel.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/host.hpp"
#include "rtxbench/units.hpp"

namespace rtxbench::cpu {
namespace {

constexpr std::uint64_t kAlignment = 64;      // a cache line, and the widest vector register
constexpr std::uint64_t kPage = 4096;         // smallest page of the platforms served
constexpr std::uint64_t kGrain = 256 * 1024;  // items below which another thread costs more than it saves

class HostBuffer final : public Buffer {
 public:
  explicit HostBuffer(std::uint64_t bytes) {
    const std::uint64_t rounded = std::max<std::uint64_t>((bytes + kAlignment - 1) / kAlignment, 1) * kAlignment;
    data_ = std::aligned_alloc(kAlignment, rounded);
    bytes_ = bytes;
  }
  ~HostBuffer() override { std::free(data_); }
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;
};

template <class Value, class Convert>
void fill_range(Value* data, const DataSource& source, std::uint64_t begin, std::uint64_t end, Convert convert) {
  for (std::uint64_t i = begin; i < end; ++i) data[i] = convert(element(source, i));
}

}  // namespace

CpuDevice::CpuDevice(DeviceInfo info) : info_(std::move(info)), processors_(host::allowed_processors()) {}

std::uint64_t CpuDevice::free_bytes() { return host::memory().available_bytes; }

std::unique_ptr<Buffer> CpuDevice::allocate(std::uint64_t bytes) {
  // Asked before, because Linux grants more than it has and kills the process at the first touch.
  const std::uint64_t available = free_bytes();
  std::unique_ptr<HostBuffer> buffer;
  if (bytes <= available) buffer = std::make_unique<HostBuffer>(bytes);
  if (buffer == nullptr || buffer->data() == nullptr) {
    throw OutOfMemoryError(fmt::format("needs {} of host memory, free {}", memory_text(bytes), memory_text(available)));
  }
  // First touch from every processor: pages exist (no fault is ever timed) and spread over the memory nodes as fill() does.
  auto* data = static_cast<volatile char*>(buffer->data());
  parallel_slices(processors_, bytes, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; i += kPage) data[i] = 0;
    if (begin < end) data[end - 1] = 0;
  });
  return buffer;
}

void CpuDevice::fill(const Tensor& tensor, const DataSource& source) {
  parallel_slices(processors_, tensor.spec.elements(), kGrain / 16, [&](std::uint64_t begin, std::uint64_t end) {
    switch (tensor.spec.dtype) {
      case DType::fp64:
        return fill_range(static_cast<double*>(tensor.data), source, begin, end, [](double value) { return value; });
      case DType::fp32:
      case DType::tf32:
        return fill_range(static_cast<float*>(tensor.data), source, begin, end,
                          [](double value) { return static_cast<float>(value); });
      case DType::fp16:
        return fill_range(static_cast<std::uint16_t*>(tensor.data), source, begin, end,
                          [](double value) { return fp16_from_float(static_cast<float>(value)); });
      case DType::bf16:
        return fill_range(static_cast<std::uint16_t*>(tensor.data), source, begin, end,
                          [](double value) { return bf16_from_float(static_cast<float>(value)); });
    }
  });
}

void CpuDevice::poison(const Tensor& tensor) {
  // All bits set is a NaN in every format.
  parallel_slices(processors_, tensor.spec.bytes(), kGrain, [&](std::uint64_t begin, std::uint64_t end) {
    std::memset(static_cast<char*>(tensor.data) + begin, 0xff, end - begin);
  });
}

std::uint64_t CpuDevice::count_nan(const Tensor& tensor) {
  std::atomic<std::uint64_t> total = 0;
  parallel_slices(processors_, tensor.spec.elements(), kGrain / 4, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t count = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      if (std::isnan(load_element(tensor.spec.dtype, tensor.data, i))) ++count;
    }
    total += count;
  });
  return total;
}

std::vector<double> CpuDevice::gather(const Tensor& tensor, std::span<const std::uint64_t> indices) {
  std::vector<double> values;
  values.reserve(indices.size());
  for (const std::uint64_t index : indices) values.push_back(load_element(tensor.spec.dtype, tensor.data, index));
  return values;
}

// Reads, because lines left dirty would be written back inside the timed window. Each thread is pinned, so the private caches
// of every core are passed through as well as the shared one.
void CpuDevice::flush_caches() {
  const auto* words = static_cast<const std::uint64_t*>(flush_buffer_->data());
  std::atomic<std::uint64_t> sink = 0;
  parallel_slices(processors_, flush_buffer_->bytes() / sizeof(std::uint64_t), kGrain,
                  [&](std::uint64_t begin, std::uint64_t end) {
                    std::uint64_t sum = 0;
                    for (std::uint64_t i = begin; i < end; i += kAlignment / sizeof(std::uint64_t)) sum += words[i];
                    sink += sum;
                  });
}

std::unique_ptr<Timer> CpuDevice::make_timer(const TimerRequest& request) {
  if (request.flush && flush_buffer_ == nullptr) flush_buffer_ = allocate(flush_bytes(info_));
  return std::make_unique<CpuTimer>(request, stream_, [this] { flush_caches(); });
}

TimerFloor CpuDevice::timer_floor() {
  if (!floor_) floor_ = measure_floor(stream_);
  return *floor_;
}

bool CpuDevice::spin_available(std::string& reason_if_not) {
  reason_if_not = "CPU calls run at once, there is no queue to hold back";
  return false;
}

std::vector<std::string> CpuDevice::kernel_names(Invocation& /*invocation*/, std::string& reason_if_empty) {
  reason_if_empty = "CPU calls launch no device kernels";
  return {};
}

double CpuDevice::now_s() { return steady_now_s(); }

void CpuDevice::idle(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

TelemetryWindow CpuDevice::end_telemetry() {
  TelemetryWindow window;
  for (const char* field : {"power", "energy", "temperature", "utilisation", "clock", "memory_clock", "clock_event_reasons"}) {
    window.reasons[field] = "not read on a CPU: no sensor interface that every user may open";
  }
  return window;
}

}  // namespace rtxbench::cpu
