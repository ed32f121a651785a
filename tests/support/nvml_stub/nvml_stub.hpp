// State of the scripted NVML. The script is a text file named by RTXBENCH_NVML_STUB and read by nvmlInit_v2; one fact a line:
//
//   driver 580.95.05                                 # of the system
//   return nvmlInit_v2 18                            # return code of a function: for all devices when before the first of them
//   device                                           # begins a device; the lines below describe it
//   name NVIDIA H200
//   uuid GPU-00000000-1111-2222-3333-444444444444    # or MIG-...: an instance, reached by UUID only
//   pci 00000000:0A:00.0 0x233510de
//   memory 1000 600                                  # total, free in byte
//   clock 1980 3201    max_clock 1980 3201           # SM, memory in MHz
//   bus 6016    temperature 40    utilisation 98
//   power 692000    power_limit 700000               # mW
//   energy 1000 2000 3000                            # mJ, one a call, the last one repeated
//   reasons 0 4 8                                    # likewise, bit masks
//   mig 1    processes 4242 4243
//   return nvmlDeviceGetPowerUsage 3                 # of this device
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/cuda/nvml_library.hpp"

namespace nvml_stub {

using rtxbench::nvml::Return;

struct Script {
  std::vector<unsigned long long> values;
  std::size_t next = 0;
  unsigned long long advance();
};

struct Device {
  std::string name, uuid, pci;
  unsigned pci_device_id = 0;
  std::map<std::string, std::vector<unsigned long long>> numbers;
  Script energy, reasons;
  std::map<std::string, Return> returns;

  // Value number `at` of a line, absent (NOT_SUPPORTED) where the script has none.
  [[nodiscard]] std::optional<unsigned long long> number(const std::string& key, std::size_t at = 0) const;
};

struct System {
  std::string driver;
  std::vector<Device> devices;
  std::map<std::string, Return> returns;
};

System& system();
Device& of(rtxbench::nvml::Handle handle);
// Return code that the script sets for a function, kSuccess otherwise.
Return scripted(const char* function);
Return scripted(const char* function, const Device& device);

// Answers one number of a device.
template <class Value>
Return answer(const char* function, rtxbench::nvml::Handle handle, const std::string& key, std::size_t at, Value* value) {
  const Device& device = of(handle);
  if (const Return code = scripted(function, device); code != rtxbench::nvml::kSuccess) return code;
  const auto number = device.number(key, at);
  if (!number) return rtxbench::nvml::kNotSupported;
  *value = static_cast<Value>(*number);
  return rtxbench::nvml::kSuccess;
}

}  // namespace nvml_stub
