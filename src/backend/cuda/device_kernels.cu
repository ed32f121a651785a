// Small kernels of the CUDA backend. Grid-stride loops with 64-bit indices; none is timed, so none but the flush is tuned. The
// stamp and spin kernels read %globaltimer (ns, device-wide; PTX ISA, Special Registers), whose step may be as coarse as 1 us.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>

#include "backend/cuda/check.hpp"
#include "backend/cuda/device_kernels.hpp"

namespace rtxbench::cuda {
namespace {

constexpr int kThreads = 256;
constexpr std::uint64_t kMaxBlocks = 8192;

int blocks_for(std::uint64_t elements) {
  return static_cast<int>(std::clamp<std::uint64_t>((elements + kThreads - 1) / kThreads, 1, kMaxBlocks));
}

__device__ std::uint64_t first_index() { return static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ std::uint64_t stride() { return static_cast<std::uint64_t>(gridDim.x) * blockDim.x; }

template <class T>
__device__ T to_storage(double value);
template <>
__device__ double to_storage(double value) {
  return value;
}
template <>
__device__ float to_storage(double value) {
  return static_cast<float>(value);
}
template <>
__device__ __half to_storage(double value) {
  return __float2half_rn(static_cast<float>(value));
}
template <>
__device__ __nv_bfloat16 to_storage(double value) {
  return __float2bfloat16_rn(static_cast<float>(value));
}

__device__ double to_double(double value) { return value; }
__device__ double to_double(float value) { return static_cast<double>(value); }
__device__ double to_double(__half value) { return static_cast<double>(__half2float(value)); }
__device__ double to_double(__nv_bfloat16 value) { return static_cast<double>(__bfloat162float(value)); }

__device__ std::uint64_t global_time_ns() {
  std::uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
  return time;
}

template <class T>
__global__ void fill_kernel(T* data, std::uint64_t elements, DataSource source) {
  for (std::uint64_t i = first_index(); i < elements; i += stride()) data[i] = to_storage<T>(element(source, i));
}

template <class T>
__global__ void poison_kernel(T* data, std::uint64_t elements) {
  const T poison = to_storage<T>(static_cast<double>(__int_as_float(0x7fc00000)));
  for (std::uint64_t i = first_index(); i < elements; i += stride()) data[i] = poison;
}

template <class T>
__global__ void count_nan_kernel(const T* data, std::uint64_t elements, unsigned long long* count) {
  unsigned long long found = 0;
  for (std::uint64_t i = first_index(); i < elements; i += stride()) found += isnan(to_double(data[i])) ? 1 : 0;
  if (found != 0) atomicAdd(count, found);
}

template <class T>
__global__ void gather_kernel(const T* data, const std::uint64_t* indices, std::uint64_t count, double* values) {
  for (std::uint64_t i = first_index(); i < count; i += stride()) values[i] = to_double(data[indices[i]]);
}

__global__ void flush_kernel(uint4* data, std::uint64_t vectors) {
  const std::uint64_t i = first_index();
  if (i < vectors) data[i] = make_uint4(0, 0, 0, 0);
}

__global__ void empty_kernel() {}

__global__ void spin_kernel(volatile SpinFlag* flag, std::uint64_t timeout_ns) {
  const std::uint64_t begin = global_time_ns();
  while (flag->release == 0) {
    if (global_time_ns() - begin > timeout_ns) {
      flag->timed_out = 1;
      break;
    }
    __nanosleep(100);
  }
}

// Reads the cycle counter just after a step of the timer, so that the timer's coarse step does not enter the ratio.
__global__ void stamp_kernel(Stamp* stamps) {
  if (threadIdx.x != 0) return;
  constexpr int kMaxReads = 4096;  // some 10 times the coarsest step
  const std::uint64_t begin = global_time_ns();
  std::uint64_t now = begin;
  for (int i = 0; i < kMaxReads && now == begin; ++i) now = global_time_ns();
  const long long cycles = clock64();
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  stamps[blockIdx.x] = {static_cast<unsigned long long>(cycles), now, sm};
}

// Calls `use` with a typed pointer.
template <class Use>
void with_storage(DType type, void* data, Use use) {
  switch (type) {
    case DType::fp64:
      return use(static_cast<double*>(data));
    case DType::fp32:
    case DType::tf32:
      return use(static_cast<float*>(data));
    case DType::fp16:
      return use(static_cast<__half*>(data));
    case DType::bf16:
      return use(static_cast<__nv_bfloat16*>(data));
  }
}

}  // namespace

void launch_fill(DType type, void* data, std::uint64_t elements, const DataSource& source, cudaStream_t stream) {
  with_storage(type, data,
               [&](auto* typed) { fill_kernel<<<blocks_for(elements), kThreads, 0, stream>>>(typed, elements, source); });
  check(cudaGetLastError());
}

void launch_poison(DType type, void* data, std::uint64_t elements, cudaStream_t stream) {
  with_storage(type, data, [&](auto* typed) { poison_kernel<<<blocks_for(elements), kThreads, 0, stream>>>(typed, elements); });
  check(cudaGetLastError());
}

void launch_count_nan(DType type, const void* data, std::uint64_t elements, unsigned long long* count, cudaStream_t stream) {
  with_storage(type, const_cast<void*>(data),
               [&](auto* typed) { count_nan_kernel<<<blocks_for(elements), kThreads, 0, stream>>>(typed, elements, count); });
  check(cudaGetLastError());
}

void launch_gather(DType type, const void* data, const std::uint64_t* indices, std::uint64_t count, double* values,
                   cudaStream_t stream) {
  with_storage(type, const_cast<void*>(data),
               [&](auto* typed) { gather_kernel<<<blocks_for(count), kThreads, 0, stream>>>(typed, indices, count, values); });
  check(cudaGetLastError());
}

void launch_flush(void* data, std::uint64_t bytes, cudaStream_t stream) {
  const std::uint64_t vectors = bytes / sizeof(uint4);
  const auto blocks = static_cast<unsigned>((vectors + kThreads - 1) / kThreads);
  flush_kernel<<<blocks, kThreads, 0, stream>>>(static_cast<uint4*>(data), vectors);
  check(cudaGetLastError());
}

void launch_empty(cudaStream_t stream) {
  empty_kernel<<<1, 1, 0, stream>>>();
  check(cudaGetLastError());
}

void launch_spin(SpinFlag* flag, std::uint64_t timeout_ns, cudaStream_t stream) {
  spin_kernel<<<1, 1, 0, stream>>>(flag, timeout_ns);
  check(cudaGetLastError());
}

void launch_stamp(Stamp* stamps, int blocks, cudaStream_t stream) {
  stamp_kernel<<<blocks, 32, 0, stream>>>(stamps);
  check(cudaGetLastError());
}

cudaError_t loaded_code(cudaFuncAttributes& attributes) { return cudaFuncGetAttributes(&attributes, empty_kernel); }

}  // namespace rtxbench::cuda
