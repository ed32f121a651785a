// NVML, opened at first use. Not every toolkit has nvml.h, so the few prototypes and structures are declared here as NVIDIA's
// NVML API reference documents them.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "rtxbench/dynamic_library.hpp"

namespace rtxbench::nvml {

using Return = int;  // nvmlReturn_t
inline constexpr Return kSuccess = 0, kNotSupported = 3, kNotFound = 6, kInsufficientSize = 7, kFunctionNotFound = 13,
                        kVersionMismatch = 18;
using Handle = struct nvmlDevice_st*;

struct PciInfo {  // nvmlPciInfo_t
  char bus_id_legacy[16];
  unsigned domain, bus, device;
  unsigned device_id;  // device << 16 | vendor
  unsigned subsystem_id;
  char bus_id[32];
};
struct Memory {  // nvmlMemory_t, bytes
  unsigned long long total, free, used;
};
struct Utilization {  // nvmlUtilization_t, percent
  unsigned gpu, memory;
};
struct ProcessInfo {  // nvmlProcessInfo_t of the _v3 functions
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance, compute_instance;
};
inline constexpr int kClockSm = 1, kClockMemory = 2;  // nvmlClockType_t
inline constexpr int kTemperatureGpu = 0;             // nvmlTemperatureSensors_t

// One function of the table. Absent in an older driver: `address` stays null and every call of it says so.
template <class... Arguments>
struct Function {
  const char* name;
  Return (*address)(Arguments...) = nullptr;
};

// Table of the functions used. Opened and initialised once; shut down with the last owner.
class Library {
 public:
  // Nothing, with the reason, where NVML is missing or refuses (e.g. driver and library versions differ).
  [[nodiscard]] static std::shared_ptr<const Library> open(std::string& reason);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  // Empty on success, else "nvmlDeviceGetPowerUsage: not supported on this board".
  template <class... Parameters, class... Arguments>
  [[nodiscard]] std::string call(const Function<Parameters...>& function, Arguments... arguments) const {
    if (function.address == nullptr) return fmt::format("{}: this driver's NVML lacks it", function.name);
    const Return status = function.address(arguments...);
    return status == kSuccess ? "" : failure(function.name, status);
  }

  [[nodiscard]] std::string failure(const char* name, Return status) const;
  [[nodiscard]] const std::string& path() const { return library_.path(); }
  [[nodiscard]] std::string driver_version() const;  // "580.95.05", or empty
  // Functions that this library lacks.
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

  Function<> init{"nvmlInit_v2"};
  Function<> shutdown{"nvmlShutdown"};
  Function<char*, unsigned> system_driver_version{"nvmlSystemGetDriverVersion"};
  Function<unsigned*> device_count{"nvmlDeviceGetCount_v2"};
  Function<const char*, Handle*> handle_by_uuid{"nvmlDeviceGetHandleByUUID"};
  Function<const char*, Handle*> handle_by_pci{"nvmlDeviceGetHandleByPciBusId_v2"};
  Function<Handle, char*, unsigned> name{"nvmlDeviceGetName"};
  Function<Handle, char*, unsigned> uuid{"nvmlDeviceGetUUID"};
  Function<Handle, PciInfo*> pci_info{"nvmlDeviceGetPciInfo_v3"};
  Function<Handle, Memory*> memory_info{"nvmlDeviceGetMemoryInfo"};
  Function<Handle, int, unsigned*> clock{"nvmlDeviceGetClockInfo"};                     // MHz
  Function<Handle, int, unsigned*> max_clock{"nvmlDeviceGetMaxClockInfo"};              // MHz
  Function<Handle, unsigned*> memory_bus_width{"nvmlDeviceGetMemoryBusWidth"};          // bit
  Function<Handle, unsigned*> power{"nvmlDeviceGetPowerUsage"};                         // mW
  Function<Handle, unsigned*> power_limit{"nvmlDeviceGetEnforcedPowerLimit"};           // mW
  Function<Handle, unsigned long long*> energy{"nvmlDeviceGetTotalEnergyConsumption"};  // mJ since the driver was loaded
  Function<Handle, int, unsigned*> temperature{"nvmlDeviceGetTemperature"};             // degree Celsius
  Function<Handle, Utilization*> utilization{"nvmlDeviceGetUtilizationRates"};
  Function<Handle, unsigned long long*> clock_event_reasons{"nvmlDeviceGetCurrentClocksEventReasons"};
  Function<Handle, unsigned*, unsigned*> mig_mode{"nvmlDeviceGetMigMode"};  // current, pending
  Function<Handle, unsigned*, ProcessInfo*> compute_processes{"nvmlDeviceGetComputeRunningProcesses_v3"};

 private:
  explicit Library(DynamicLibrary library);
  template <class... Arguments>
  void resolve(Function<Arguments...>& function);

  DynamicLibrary library_;
  const char* (*error_string_)(Return) = nullptr;
  std::vector<std::string> missing_;
  bool initialised_ = false;
};

}  // namespace rtxbench::nvml
