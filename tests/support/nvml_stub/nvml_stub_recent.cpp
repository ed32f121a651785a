// Functions that older drivers lack.
#include <algorithm>

#include "nvml_stub.hpp"

namespace nvml_stub {

using namespace rtxbench::nvml;

extern "C" {

Return nvmlDeviceGetTotalEnergyConsumption(Handle handle, unsigned long long* mj) {
  Device& device = of(handle);
  if (const Return code = scripted("nvmlDeviceGetTotalEnergyConsumption", device); code != kSuccess) return code;
  if (device.energy.values.empty()) return kNotSupported;
  *mj = device.energy.advance();
  return kSuccess;
}
Return nvmlDeviceGetCurrentClocksEventReasons(Handle handle, unsigned long long* mask) {
  Device& device = of(handle);
  if (const Return code = scripted("nvmlDeviceGetCurrentClocksEventReasons", device); code != kSuccess) return code;
  if (device.reasons.values.empty()) return kNotSupported;
  *mask = device.reasons.advance();
  return kSuccess;
}
Return nvmlDeviceGetMemoryBusWidth(Handle handle, unsigned* bits) {
  return answer("nvmlDeviceGetMemoryBusWidth", handle, "bus", 0, bits);
}
Return nvmlDeviceGetMigMode(Handle handle, unsigned* current, unsigned* pending) {
  const Return code = answer("nvmlDeviceGetMigMode", handle, "mig", 0, current);
  *pending = *current;
  return code;
}
Return nvmlDeviceGetComputeRunningProcesses_v3(Handle handle, unsigned* count, ProcessInfo* infos) {
  const Device& device = of(handle);
  if (const Return code = scripted("nvmlDeviceGetComputeRunningProcesses_v3", device); code != kSuccess) return code;
  const auto listed = device.numbers.find("processes");
  const std::size_t running = listed == device.numbers.end() ? 0 : listed->second.size();
  const bool fits = running <= *count;
  for (std::size_t i = 0; i < std::min<std::size_t>(running, *count); ++i) {
    infos[i] = {static_cast<unsigned>(listed->second[i]), 0, 0, 0};
  }
  *count = static_cast<unsigned>(running);
  return fits ? kSuccess : kInsufficientSize;
}

}  // extern "C"

}  // namespace nvml_stub
