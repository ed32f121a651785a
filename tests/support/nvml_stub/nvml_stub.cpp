#include "nvml_stub.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace nvml_stub {
namespace {

using namespace rtxbench::nvml;

void parse_device_line(Device& device, const std::string& key, std::istringstream& line) {
  if (key == "name") {
    std::getline(line >> std::ws, device.name);
  } else if (key == "uuid") {
    line >> device.uuid;
  } else if (key == "pci") {
    line >> device.pci >> std::hex >> device.pci_device_id;
  } else {
    std::vector<unsigned long long> values;
    for (unsigned long long value = 0; line >> value;) values.push_back(value);
    if (key == "energy") {
      device.energy.values = values;
    } else if (key == "reasons") {
      device.reasons.values = values;
    } else {
      device.numbers[key] = values;
    }
  }
}

System read_script() {
  System read;
  const char* path = std::getenv("RTXBENCH_NVML_STUB");
  std::ifstream file(path == nullptr ? "" : path);
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text.substr(0, text.find('#')));
    std::string key;
    if (!(line >> key)) continue;
    if (key == "device") {
      read.devices.emplace_back();
    } else if (key == "driver") {
      line >> read.driver;
    } else if (key == "return") {
      std::string function;
      Return code = 0;
      line >> function >> code;
      (read.devices.empty() ? read.returns : read.devices.back().returns)[function] = code;
    } else if (!read.devices.empty()) {
      parse_device_line(read.devices.back(), key, line);
    }
  }
  return read;
}

Return copy_text(const std::string& text, char* into, unsigned length) {
  if (text.size() + 1 > length) return kInsufficientSize;
  std::memcpy(into, text.c_str(), text.size() + 1);
  return kSuccess;
}

bool same_pci(const std::string& a, const std::string& b) {
  return !a.empty() &&
         std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

Return find(const char* function, Handle* handle, auto matches) {
  if (const Return code = scripted(function); code != kSuccess) return code;
  const auto found = std::ranges::find_if(system().devices, matches);
  if (found == system().devices.end()) return kNotFound;
  *handle = reinterpret_cast<Handle>(&*found);
  return kSuccess;
}

}  // namespace

System& system() {
  static System state;
  return state;
}
Device& of(Handle handle) { return *reinterpret_cast<Device*>(handle); }

Return scripted(const char* function) {
  const auto found = system().returns.find(function);
  return found == system().returns.end() ? kSuccess : found->second;
}
Return scripted(const char* function, const Device& device) {
  const auto found = device.returns.find(function);
  return found == device.returns.end() ? scripted(function) : found->second;
}

unsigned long long Script::advance() { return values.at(std::min(next++, values.size() - 1)); }

std::optional<unsigned long long> Device::number(const std::string& key, std::size_t at) const {
  const auto found = numbers.find(key);
  if (found == numbers.end() || at >= found->second.size()) return std::nullopt;
  return found->second[at];
}

extern "C" {

Return nvmlInit_v2() {
  system() = read_script();
  return scripted("nvmlInit_v2");
}
Return nvmlShutdown() { return kSuccess; }
const char* nvmlErrorString(Return) { return "scripted"; }
Return nvmlSystemGetDriverVersion(char* text, unsigned length) {
  const Return code = scripted("nvmlSystemGetDriverVersion");
  return code == kSuccess ? copy_text(system().driver, text, length) : code;
}
Return nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(system().devices.size());
  return scripted("nvmlDeviceGetCount_v2");
}
Return nvmlDeviceGetHandleByUUID(const char* uuid, Handle* handle) {
  return find("nvmlDeviceGetHandleByUUID", handle, [&](const Device& device) { return device.uuid == uuid; });
}
Return nvmlDeviceGetHandleByPciBusId_v2(const char* pci, Handle* handle) {
  return find("nvmlDeviceGetHandleByPciBusId_v2", handle, [&](const Device& device) { return same_pci(device.pci, pci); });
}
Return nvmlDeviceGetName(Handle handle, char* text, unsigned length) {
  const Return code = scripted("nvmlDeviceGetName", of(handle));
  return code == kSuccess ? copy_text(of(handle).name, text, length) : code;
}
Return nvmlDeviceGetUUID(Handle handle, char* text, unsigned length) {
  const Return code = scripted("nvmlDeviceGetUUID", of(handle));
  return code == kSuccess ? copy_text(of(handle).uuid, text, length) : code;
}
Return nvmlDeviceGetPciInfo_v3(Handle handle, PciInfo* info) {
  const Return code = scripted("nvmlDeviceGetPciInfo_v3", of(handle));
  if (code != kSuccess) return code;
  *info = {};
  info->device_id = of(handle).pci_device_id;
  return copy_text(of(handle).pci, info->bus_id, sizeof(info->bus_id));
}
Return nvmlDeviceGetMemoryInfo(Handle handle, Memory* memory) {
  *memory = {};
  const Return code = answer("nvmlDeviceGetMemoryInfo", handle, "memory", 0, &memory->total);
  return code == kSuccess ? answer("nvmlDeviceGetMemoryInfo", handle, "memory", 1, &memory->free) : code;
}
Return nvmlDeviceGetClockInfo(Handle handle, int which, unsigned* mhz) {
  return answer("nvmlDeviceGetClockInfo", handle, "clock", which == kClockSm ? 0 : 1, mhz);
}
Return nvmlDeviceGetMaxClockInfo(Handle handle, int which, unsigned* mhz) {
  return answer("nvmlDeviceGetMaxClockInfo", handle, "max_clock", which == kClockSm ? 0 : 1, mhz);
}
Return nvmlDeviceGetPowerUsage(Handle handle, unsigned* mw) {
  return answer("nvmlDeviceGetPowerUsage", handle, "power", 0, mw);
}
Return nvmlDeviceGetEnforcedPowerLimit(Handle handle, unsigned* mw) {
  return answer("nvmlDeviceGetEnforcedPowerLimit", handle, "power_limit", 0, mw);
}
Return nvmlDeviceGetTemperature(Handle handle, int, unsigned* celsius) {
  return answer("nvmlDeviceGetTemperature", handle, "temperature", 0, celsius);
}
Return nvmlDeviceGetUtilizationRates(Handle handle, Utilization* rates) {
  *rates = {};
  return answer("nvmlDeviceGetUtilizationRates", handle, "utilisation", 0, &rates->gpu);
}
Return nvmlDeviceGetCurrentClocksThrottleReasons(Handle handle, unsigned long long* mask) {
  Device& device = of(handle);
  if (const Return code = scripted("nvmlDeviceGetCurrentClocksThrottleReasons", device); code != kSuccess) return code;
  if (device.reasons.values.empty()) return kNotSupported;
  *mask = device.reasons.advance();
  return kSuccess;
}

}  // extern "C"

}  // namespace nvml_stub
