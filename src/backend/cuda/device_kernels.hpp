// The backend's own kernels: data, and what timing needs. Every function enqueues one launch on `stream`.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "rtxbench/data.hpp"
#include "rtxbench/dtype.hpp"

namespace rtxbench::cuda {

// element(source, i), rounded through fp32 to the storage type, as round_to_storage does on the host.
void launch_fill(DType type, void* data, std::uint64_t elements, const DataSource& source, cudaStream_t stream);
void launch_poison(DType type, void* data, std::uint64_t elements, cudaStream_t stream);
// Adds the number of NaNs to *count (device memory).
void launch_count_nan(DType type, const void* data, std::uint64_t elements, unsigned long long* count, cudaStream_t stream);
// values[i] = data[indices[i]]; all in device memory.
void launch_gather(DType type, const void* data, const std::uint64_t* indices, std::uint64_t count, double* values,
                   cudaStream_t stream);

// Writes zeros over the buffer (aligned to 16 bytes), so that nothing else stays in L2. A kernel of 16 bytes a thread, as
// behind PyTorch's zero_(), and not cudaMemsetAsync: repeated on an H200 that drew 548 W against 441 W, and at the power limit
// the fp16 4096^3 products between took 2 % longer.
void launch_flush(void* data, std::uint64_t bytes, cudaStream_t stream);

void launch_empty(cudaStream_t stream);

// Two words of mapped host memory between the host and a spin kernel.
struct SpinFlag {
  unsigned release;    // host: go on
  unsigned timed_out;  // device: gave up
};
// Holds the stream until flag->release is set, at most `timeout_ns`.
void launch_spin(SpinFlag* flag, std::uint64_t timeout_ns, cudaStream_t stream);

// What one block saw: its SM, that SM's cycle counter and the device-wide nanosecond timer at the same moment.
struct Stamp {
  unsigned long long cycles;
  unsigned long long time_ns;  // 0: not written
  unsigned long long sm;
};
// One stamp a block.
void launch_stamp(Stamp* stamps, int blocks, cudaStream_t stream);

// Attributes of one of these kernels as loaded on the current device: opens its context. cudaErrorNoKernelImageForDevice and
// the like where the binary holds no code for it.
[[nodiscard]] cudaError_t loaded_code(cudaFuncAttributes& attributes);

}  // namespace rtxbench::cuda
