// What enumeration decides, as functions of plain values, so that every outcome can be shown without a GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rtxbench::cuda {

// Versions as the runtime encodes them: 1000 x major + 10 x minor; 0: none.
[[nodiscard]] std::string version_text(int version);

// What was seen when no device could be listed.
struct NoDevice {
  int error = 0;                       // cudaError_t of cudaGetDeviceCount, 0 when it answered "0 devices"
  std::string error_text;              // its description
  int runtime_version = 0;             // of this build
  int driver_version = 0;              // CUDA version the driver supports; 0: no driver
  std::optional<std::string> visible;  // CUDA_VISIBLE_DEVICES when set
};
// One line: cause, versions, minimum driver, remedy.
[[nodiscard]] std::string no_device_reason(const NoDevice& seen);

// Oldest driver release for a runtime (CUDA Compatibility guide: minor versions of one major share it).
[[nodiscard]] std::string minimum_driver(int runtime_version);

// How the binary's code meets a card of compute capability major.minor.
struct CodeChoice {
  bool runs = true;
  std::string text;  // "sm_90 cubin", "PTX of compute_75 compiled at start", or what is missing and how to get it
};
// `architectures` as in CMAKE_CUDA_ARCHITECTURES, separated by commas: "75,90a-real,120-virtual".
[[nodiscard]] CodeChoice choose_code(std::string_view architectures, int major, int minor);

// 16 bytes -> "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx".
[[nodiscard]] std::string uuid_text(std::span<const char, 16> bytes);

// "00000000:0a:00.0"
[[nodiscard]] std::string pci_text(int domain, int bus, int device);

// Whether launches wait for their kernel (CUDA_LAUNCH_BLOCKING): the value as found in the environment.
[[nodiscard]] bool launches_block(const char* variable);

}  // namespace rtxbench::cuda
