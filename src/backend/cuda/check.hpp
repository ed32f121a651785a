// CUDA runtime errors as exceptions by cause.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <string>

namespace rtxbench::cuda {

// Throws OutOfMemoryError for a failed allocation, DeviceError for anything else. Clears the runtime's "last error", so that a
// recoverable failure is not charged to the next call.
void check(cudaError_t status, const std::source_location& where = std::source_location::current());

// After these the context is lost, and every later call of the process fails with the same error.
[[nodiscard]] bool is_sticky(cudaError_t status);

// "an illegal memory access was encountered (cudaErrorIllegalAddress)"
[[nodiscard]] std::string describe(cudaError_t status);

}  // namespace rtxbench::cuda
