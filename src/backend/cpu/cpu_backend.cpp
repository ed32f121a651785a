// The backend of the host CPU: always exactly one device.
#include <gnu/libc-version.h>

#include "backend/cpu/cpu_device.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/host.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {
namespace {

DeviceInfo describe_host() {
  const std::vector<int> processors = host::allowed_processors();
  const host::Memory memory = host::memory();
  DeviceInfo info;
  info.backend = "cpu";
  info.id = "cpu";
  info.name = host::model_name();
  info.multiprocessors = static_cast<int>(processors.size());
  info.max_clock_hz = host::max_clock_hz();
  info.cache_bytes = host::last_level_cache_bytes(processors);
  info.code = "host code";
  info.memory_bytes = memory.total_bytes;
  info.free_bytes = memory.available_bytes;
  if (!info.max_clock_hz) info.reasons["max_clock_hz"] = "the kernel offers no cpufreq limit here";
  if (!info.cache_bytes) info.reasons["cache_bytes"] = "neither sysfs nor sysconf reports a last-level cache";
  info.reasons["max_memory_clock_hz"] = info.reasons["memory_bus_bits"] = "not reported by Linux for host memory";
  info.reasons["power_limit_w"] = "not read on a CPU";
  return info;
}

class CpuBackend final : public Backend {
 public:
  [[nodiscard]] std::string_view name() const override { return "cpu"; }
  [[nodiscard]] std::vector<DeviceInfo> enumerate(std::string& /*reason_if_none*/) const override { return {describe_host()}; }
  [[nodiscard]] std::unique_ptr<Device> open(const DeviceInfo& info) const override {
    if (info.id != "cpu") throw NoDeviceError("no CPU device \"" + info.id + "\"; the only one is \"cpu\"");
    return std::make_unique<cpu::CpuDevice>(info);
  }
  // OpenBLAS is not opened for this: loading it starts its threads. Its version stands in the rows that used it.
  [[nodiscard]] std::map<std::string, std::string> software() const override { return {{"glibc", gnu_get_libc_version()}}; }
};

}  // namespace

void register_backend_cpu(Registry& registry) { registry.backends.push_back(std::make_unique<CpuBackend>()); }

}  // namespace rtxbench
