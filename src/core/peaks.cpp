#include "rtxbench/peaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "rtxbench/embedded.hpp"

namespace rtxbench {
namespace {
using nlohmann::json;

const json& table() {
  static const json parsed = json::parse(embedded::gpus_json());
  return parsed;
}

// The row of `gpus` with exactly this name, else the one that lists this PCI device id, else nothing.
const json* find_gpu(const DeviceInfo& device) {
  const json& gpus = table().at("gpus");
  for (const json& gpu : gpus) {
    if (gpu.at("name") == device.name) return &gpu;
  }
  if (!device.pci_device_id) return nullptr;
  const std::string id = fmt::format("{:04x}:{:04x}", *device.pci_device_id >> 16, *device.pci_device_id & 0xffffU);
  for (const json& gpu : gpus) {
    const auto ids = gpu.find("pci_device_ids");
    if (ids != gpu.end() && std::find(ids->begin(), ids->end(), id) != ids->end()) return &gpu;
  }
  return nullptr;
}

// The largest rate of these types: a matrix product may use the tensor cores or the CUDA cores, whichever are faster.
const json* find_rate(const json& gpu, const MathMode& math) {
  const json* best = nullptr;
  for (const json& rate : table().at("rates")) {
    const bool fits = rate.at("compute_capability") == gpu.at("compute_capability") &&
                      rate.value("class", gpu.at("class").get<std::string>()) == gpu.at("class") &&
                      rate.at("multiply") == name(math.multiply) && rate.at("accumulate") == name(math.accumulate);
    if (!fits) continue;
    if (best == nullptr || rate.at("flop_per_sm_per_clock") > best->at("flop_per_sm_per_clock")) best = &rate;
  }
  return best;
}

Peak none(std::string reason) { return {.basis = std::move(reason)}; }

}  // namespace

Peak peak_for(const DeviceInfo& device, const MathMode& math) {
  if (device.backend != "cuda") return none("none is listed for CPUs: it depends on vector units, clocks and cores in use");
  if (device.mig) return none("a MIG slice has none: the share of the board that it may use is not known");
  const json* gpu = find_gpu(device);
  if (gpu == nullptr) {
    return none(
        fmt::format("\"{}\" is not in configs/gpus.json, neither by this exact name nor by its PCI device id", device.name));
  }
  const auto capability = gpu->at("compute_capability").get<std::string>();
  const std::string reported = fmt::format("{}.{}", device.cc_major, device.cc_minor);
  if (device.cc_major != 0 && reported != capability) {
    return none(
        fmt::format("\"{}\" reports compute capability {}, configs/gpus.json says {}", device.name, reported, capability));
  }
  const json* rate = find_rate(*gpu, math);
  if (rate == nullptr) {
    return none(fmt::format("no rate of {} with {} accumulate is listed for compute capability {}", name(math.multiply),
                            name(math.accumulate), capability));
  }
  const auto flop = rate->at("flop_per_sm_per_clock").get<double>();
  Peak peak{.flop_per_sm_per_clock = flop};
  const std::string row =
      fmt::format("{} FLOP per SM per clock ({} with {} accumulate, dense, compute capability {}, {} part; {}{})", flop,
                  name(math.multiply), name(math.accumulate), capability, gpu->at("class").get<std::string>(),
                  table().at("sources").at(rate->at("source").get<std::string>()).get<std::string>(),
                  rate->value("unverified", false) ? ", unverified" : "");
  if (!device.multiprocessors || !device.max_clock_hz) {
    peak.basis = fmt::format("{}, but the driver does not report the {}", row,
                             device.multiprocessors ? "maximum clock" : "number of SMs");
    return peak;
  }
  peak.flops_at_max_clock = *device.multiprocessors * *device.max_clock_hz * flop;
  peak.basis = fmt::format("{} SMs x {:.0f} MHz x {}", *device.multiprocessors, *device.max_clock_hz / 1e6, row);
  return peak;
}

std::optional<double> bandwidth_peak(const DeviceInfo& device) {
  if (device.backend != "cuda" || device.mig || !device.max_memory_clock_hz || !device.memory_bus_bits) return std::nullopt;
  constexpr double kTransfersPerClock = 2;  // double data rate, of the clock that the driver reports for GDDR and HBM alike
  return *device.max_memory_clock_hz * kTransfersPerClock * *device.memory_bus_bits / 8;
}

}  // namespace rtxbench
