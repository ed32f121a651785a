#include "backend/cuda/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "backend/cuda/device_kernels.hpp"
#include "backend/cuda/discovery.hpp"
#include "backend/cuda/timer.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/provider.hpp"
#include "rtxbench/units.hpp"

namespace rtxbench::cuda {
namespace {

double monotonic_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class CudaBuffer final : public Buffer {
 public:
  explicit CudaBuffer(std::uint64_t bytes) {
    const cudaError_t status = cudaMalloc(&data_, std::max<std::uint64_t>(bytes, 1));
    if (status == cudaErrorMemoryAllocation) {
      static_cast<void>(cudaGetLastError());
      std::size_t free = 0, total = 0;
      check(cudaMemGetInfo(&free, &total));
      throw OutOfMemoryError(fmt::format("needs {} of device memory, free {}", memory_text(bytes), memory_text(free)));
    }
    check(status);
    bytes_ = bytes;
  }
  ~CudaBuffer() override { static_cast<void>(cudaFree(data_)); }
  CudaBuffer(const CudaBuffer&) = delete;
  CudaBuffer& operator=(const CudaBuffer&) = delete;
};

int attribute(int device, cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

// Makes the device current and opens its context by loading a kernel, so that a binary without code for it ends here.
// Returns the number of SMs.
int open_context(DeviceInfo& info) {
  check(cudaSetDevice(info.index));
  cudaFuncAttributes code{};
  check(loaded_code(code));
  if (code.ptxVersion < code.binaryVersion) {
    info.code = fmt::format("PTX of compute_{} compiled at start", code.ptxVersion);
  } else {
    info.code = fmt::format("sm_{} cubin", code.binaryVersion);
  }
  return attribute(info.index, cudaDevAttrMultiProcessorCount);
}

}  // namespace

CudaStream::CudaStream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  stream_.reset(stream);
}

void CudaStream::synchronize() { check(cudaStreamSynchronize(stream_.get())); }

CudaDevice::CudaDevice(DeviceInfo info, std::optional<nvml::Board> board, std::string no_board)
    : info_(std::move(info)),
      multiprocessors_(open_context(info_)),
      stream_(std::make_unique<CudaStream>()),
      telemetry_(std::move(board), std::move(no_board), monotonic_s) {}

std::unique_ptr<Buffer> CudaDevice::allocate(std::uint64_t bytes) { return std::make_unique<CudaBuffer>(bytes); }

std::uint64_t CudaDevice::free_bytes() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  return free;
}

void CudaDevice::fill(const Tensor& tensor, const DataSource& source) {
  launch_fill(tensor.spec.dtype, tensor.data, tensor.spec.elements(), source, native(*stream_));
  stream_->synchronize();
}

void CudaDevice::poison(const Tensor& tensor) {
  launch_poison(tensor.spec.dtype, tensor.data, tensor.spec.elements(), native(*stream_));
  stream_->synchronize();
}

std::uint64_t CudaDevice::count_nan(const Tensor& tensor) {
  const cudaStream_t stream = native(*stream_);
  unsigned long long count = 0;
  const CudaBuffer counter(sizeof(count));
  check(cudaMemsetAsync(counter.data(), 0, sizeof(count), stream));
  launch_count_nan(tensor.spec.dtype, tensor.data, tensor.spec.elements(), static_cast<unsigned long long*>(counter.data()),
                   stream);
  check(cudaMemcpyAsync(&count, counter.data(), sizeof(count), cudaMemcpyDeviceToHost, stream));
  stream_->synchronize();
  return count;
}

std::vector<double> CudaDevice::gather(const Tensor& tensor, std::span<const std::uint64_t> indices) {
  std::vector<double> values(indices.size());
  if (indices.empty()) return values;
  const cudaStream_t stream = native(*stream_);
  const CudaBuffer device_indices(indices.size_bytes());
  const CudaBuffer device_values(values.size() * sizeof(double));
  check(cudaMemcpyAsync(device_indices.data(), indices.data(), indices.size_bytes(), cudaMemcpyHostToDevice, stream));
  launch_gather(tensor.spec.dtype, tensor.data, static_cast<const std::uint64_t*>(device_indices.data()), indices.size(),
                static_cast<double*>(device_values.data()), stream);
  check(cudaMemcpyAsync(values.data(), device_values.data(), device_values.bytes(), cudaMemcpyDeviceToHost, stream));
  stream_->synchronize();
  return values;
}

std::unique_ptr<Timer> CudaDevice::make_timer(const TimerRequest& request) {
  return std::make_unique<CudaTimer>(*this, request);
}

TimerFloor CudaDevice::timer_floor() {
  if (!floor_) floor_ = measure_floor(*this);
  return *floor_;
}

bool CudaDevice::spin_available(std::string& reason_if_not) {
  if (!launches_block(std::getenv("CUDA_LAUNCH_BLOCKING"))) return true;
  reason_if_not = "CUDA_LAUNCH_BLOCKING is set: every launch waits for its kernel";
  return false;
}

std::vector<std::string> CudaDevice::kernel_names(Invocation& invocation, std::string& reason_if_empty) {
  try {
    const GraphHandle graph = capture(native(*stream_), [&] { invocation.enqueue(*stream_, 0); });
    std::vector<std::string> names = kernel_names_of(graph.get());
    if (names.empty()) reason_if_empty = "the call launches no kernel";
    return names;
  } catch (const DeviceError& error) {
    if (error.sticky()) throw;
    reason_if_empty = error.what();
    return {};
  }
}

double CudaDevice::now_s() { return monotonic_s(); }

void CudaDevice::idle(double seconds) {
  stream_->synchronize();
  if (seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

Buffer& CudaDevice::flush_buffer() {
  if (!flush_buffer_) {
    flush_buffer_ = allocate(flush_bytes(info_));
    launch_flush(flush_buffer_->data(), flush_buffer_->bytes(), native(*stream_));
    stream_->synchronize();
  }
  return *flush_buffer_;
}

}  // namespace rtxbench::cuda
