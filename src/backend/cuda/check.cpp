#include "backend/cuda/check.hpp"

#include <fmt/format.h>

#include <string_view>

#include "rtxbench/error.hpp"

namespace rtxbench::cuda {
namespace {
// What the user can do about the more common ones; empty where the text says it all.
std::string_view remedy(cudaError_t status) {
  switch (status) {
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
      return "; this build holds no code for the card: rebuild with its architecture in CMAKE_CUDA_ARCHITECTURES";
    case cudaErrorUnsupportedPtxVersion:
      return "; the driver is older than the toolkit of this build and cannot compile its PTX: update the driver, or rebuild "
             "with "
             "the card's architecture in CMAKE_CUDA_ARCHITECTURES";
    case cudaErrorDevicesUnavailable:
      return "; another process may hold the card in exclusive mode";
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
      return "; the hardware reports a fault: see nvidia-smi and the kernel log";
    default:
      return "";
  }
}

std::string_view file_name(const char* path) {
  const std::string_view text(path);
  return text.substr(text.find_last_of('/') + 1);
}
}  // namespace

bool is_sticky(cudaError_t status) {
  switch (status) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

std::string describe(cudaError_t status) {
  return fmt::format("{} ({})", cudaGetErrorString(status), cudaGetErrorName(status));
}

void check(cudaError_t status, const std::source_location& where) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  const std::string message =
      fmt::format("CUDA: {} at {}:{}{}", describe(status), file_name(where.file_name()), where.line(), remedy(status));
  if (status == cudaErrorMemoryAllocation) throw OutOfMemoryError(message);
  throw DeviceError(message, is_sticky(status));
}

}  // namespace rtxbench::cuda
