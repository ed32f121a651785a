#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "backend/cuda/device.hpp"
#include "backend/cuda/discovery.hpp"
#include "backend/cuda/nvml_board.hpp"
#include "rtxbench/embedded.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {
namespace cuda {
namespace {

int driver_version() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess ? version : 0;
}

int runtime_version() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? version : 0;
}

// 0 devices, whatever the cause; `reason` says which.
int device_count(std::string& reason) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return count;
  static_cast<void>(cudaGetLastError());
  NoDevice seen{.error = status,
                .error_text = describe(status),
                .runtime_version = runtime_version(),
                .driver_version = driver_version()};
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) seen.visible = visible;
  reason = no_device_reason(seen);
  return 0;
}

// Attribute in kHz -> Hz; absent where the driver says 0 or refuses.
std::optional<double> clock_hz(int device, cudaDeviceAttr which) {
  int khz = 0;
  if (cudaDeviceGetAttribute(&khz, which, device) != cudaSuccess || khz <= 0) return std::nullopt;
  return khz * 1e3;
}

std::string uuid_of(const cudaDeviceProp& properties) {
  return uuid_text(std::span<const char, 16>(properties.uuid.bytes, 16));
}

DeviceInfo runtime_info(int index, const cudaDeviceProp& properties) {
  DeviceInfo info{.backend = "cuda", .index = index};
  info.pci = pci_text(properties.pciDomainID, properties.pciBusID, properties.pciDeviceID);
  info.name = properties.name;
  info.cc_major = properties.major;
  info.cc_minor = properties.minor;
  info.multiprocessors = properties.multiProcessorCount;
  info.max_clock_hz = clock_hz(index, cudaDevAttrClockRate);
  info.max_memory_clock_hz = clock_hz(index, cudaDevAttrMemoryClockRate);
  if (properties.memoryBusWidth > 0) info.memory_bus_bits = properties.memoryBusWidth;
  if (properties.l2CacheSize > 0) info.cache_bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
  info.memory_bytes = properties.totalGlobalMem;
  info.mig = info.name.find(" MIG ") != std::string::npos;  // the driver's own name for an instance
  info.code = choose_code(embedded::cuda_architectures(), info.cc_major, info.cc_minor).text;
  return info;
}

// The board behind a device; `reason` says why there is none.
std::optional<nvml::Board> find_board(const std::string& uuid, const std::string& pci, std::string& reason) {
  const auto library = nvml::Library::open(reason);
  if (!library) return std::nullopt;
  return nvml::Board::find(library, uuid, pci, reason);
}

DeviceInfo complete_info(int index, const std::shared_ptr<const nvml::Library>& library, const std::string& no_library) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index));
  DeviceInfo info = runtime_info(index, properties);
  std::string reason = no_library;
  const std::string uuid = uuid_of(properties);
  const auto board = library ? nvml::Board::find(library, uuid, info.pci, reason) : std::nullopt;
  if (board) {
    board->describe(info);
  } else {
    for (const char* field : {"free_bytes", "power_limit_w", "other_processes"}) info.reasons[field] = reason;
  }
  info.id = (info.mig ? "MIG-" : "GPU-") + uuid;  // the runtime's UUID of a MIG device is the instance's own
  return info;
}

class CudaBackend final : public Backend {
 public:
  [[nodiscard]] std::string_view name() const override { return "cuda"; }

  [[nodiscard]] std::vector<DeviceInfo> enumerate(std::string& reason_if_none) const override {
    std::vector<DeviceInfo> found;
    const int count = device_count(reason_if_none);
    if (count == 0) return found;
    std::string no_library;
    const auto library = nvml::Library::open(no_library);
    for (int index = 0; index < count; ++index) found.push_back(complete_info(index, library, no_library));
    return found;
  }

  // By the UUID: the index may have changed since the device was listed.
  [[nodiscard]] std::unique_ptr<Device> open(const DeviceInfo& info) const override {
    std::string reason;
    const int count = device_count(reason);
    if (count == 0) throw NoDeviceError(reason);
    for (int index = 0; index < count; ++index) {
      cudaDeviceProp properties{};
      check(cudaGetDeviceProperties(&properties, index));
      const std::string uuid = uuid_of(properties);
      if (!info.id.ends_with(uuid)) continue;
      const CodeChoice code = choose_code(embedded::cuda_architectures(), properties.major, properties.minor);
      if (!code.runs) throw NoDeviceError(fmt::format("{} cannot run this build: its code is {}", info.name, code.text));
      DeviceInfo opened = info;
      opened.index = index;
      auto board = find_board(uuid, info.pci, reason);
      return std::make_unique<CudaDevice>(std::move(opened), std::move(board), reason);
    }
    throw NoDeviceError(fmt::format("no CUDA device {} ({}) is visible any more", info.id, info.name));
  }

  [[nodiscard]] std::map<std::string, std::string> software() const override {
    const int driver = driver_version();
    std::string reason;
    const auto library = driver == 0 ? nullptr : nvml::Library::open(reason);
    std::map<std::string, std::string> found;
    found["CUDA runtime"] = version_text(runtime_version()) + ", linked statically";
    found["NVIDIA driver"] = driver == 0 ? "none" : "for CUDA " + version_text(driver);
    if (library && !library->driver_version().empty()) {
      found["NVIDIA driver"] = fmt::format("{}, {}", library->driver_version(), found["NVIDIA driver"]);
    }
    found["NVML"] = library ? library->path() : driver == 0 ? "not looked for: no driver" : reason;
    return found;
  }
};

}  // namespace
}  // namespace cuda

void register_backend_cuda(Registry& registry) { registry.backends.push_back(std::make_unique<cuda::CudaBackend>()); }

}  // namespace rtxbench
