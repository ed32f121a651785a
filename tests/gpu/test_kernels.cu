// Kernels with known behaviour. None belongs to what is benchmarked.
#include <cuda_runtime_api.h>

#include "backend/cuda/check.hpp"
#include "gpu/test_kernels.hpp"

namespace rtxbench::test {
namespace {

__device__ unsigned long long now_ns() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
  return time;
}

// Cycles, not the device-wide timer: its step of up to 1 us would be as large as what the tests look for.
__global__ void busy_kernel(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}
__global__ void empty_kernel() {}
__global__ void faulty_kernel(int* nowhere) { *nowhere = 1; }

__global__ void reading_kernel(const uint4* data, std::size_t count, unsigned* sink) {
  unsigned sum = 0;
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const uint4 item = data[i];
    sum += item.x ^ item.y ^ item.z ^ item.w;
  }
  if (sum == 0x9e3779b9U) *sink = sum;  // keeps the loads alive
}

__global__ void rate_kernel(long long* cycles, unsigned long long* nanoseconds) {
  const unsigned long long begin_ns = now_ns();
  const long long begin = clock64();
  while (now_ns() - begin_ns < 20'000'000) {
  }
  *cycles = clock64() - begin;
  *nanoseconds = now_ns() - begin_ns;
}

// Cycles per second while this kernel runs alone, from 20 ms.
double clock_hz() {
  long long* device_cycles = nullptr;
  unsigned long long* device_ns = nullptr;
  cuda::check(cudaMalloc(&device_cycles, sizeof(*device_cycles)));
  cuda::check(cudaMalloc(&device_ns, sizeof(*device_ns)));
  for (int warm = 0; warm < 5; ++warm) rate_kernel<<<1, 1>>>(device_cycles, device_ns);
  cuda::check(cudaGetLastError());
  long long cycles = 0;
  unsigned long long ns = 0;
  cuda::check(cudaMemcpy(&cycles, device_cycles, sizeof(cycles), cudaMemcpyDeviceToHost));
  cuda::check(cudaMemcpy(&ns, device_ns, sizeof(ns), cudaMemcpyDeviceToHost));
  static_cast<void>(cudaFree(device_cycles));
  static_cast<void>(cudaFree(device_ns));
  return static_cast<double>(cycles) / (static_cast<double>(ns) * 1e-9);
}

cudaStream_t native(Stream& stream) { return static_cast<cudaStream_t>(stream.native()); }

template <class Launch>
class Call final : public Invocation {
 public:
  explicit Call(Launch launch) : launch_(launch) {}
  void enqueue(Stream& stream, std::size_t) override {
    launch_(native(stream));
    cuda::check(cudaGetLastError());
  }

 private:
  Launch launch_;
};
template <class Launch>
std::unique_ptr<Invocation> make_call(Launch launch) {
  return std::make_unique<Call<Launch>>(launch);
}

}  // namespace

std::unique_ptr<Invocation> empty_call() {
  return make_call([](cudaStream_t stream) { empty_kernel<<<1, 1, 0, stream>>>(); });
}

std::unique_ptr<Invocation> busy_call(double seconds) {
  const auto cycles = static_cast<long long>(clock_hz() * seconds);
  return make_call([cycles](cudaStream_t stream) { busy_kernel<<<1, 1, 0, stream>>>(cycles); });
}

std::unique_ptr<Invocation> faulty_call() {
  return make_call([](cudaStream_t stream) { faulty_kernel<<<1, 1, 0, stream>>>(nullptr); });
}

std::unique_ptr<Invocation> reading_call(const void* data, std::size_t bytes, void* sink) {
  return make_call([=](cudaStream_t stream) {
    reading_kernel<<<1024, 256, 0, stream>>>(static_cast<const uint4*>(data), bytes / sizeof(uint4),
                                             static_cast<unsigned*>(sink));
  });
}

}  // namespace rtxbench::test
