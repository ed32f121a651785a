// The machine as the measurement sees it: devices with their peaks, software with its places, host.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "env/environment.hpp"
#include "rtxbench/json.hpp"
#include "rtxbench/peaks.hpp"
#include "rtxbench/units.hpp"

namespace rtxbench {
namespace {

constexpr std::array kModes{MathMode{DType::fp64, DType::fp64}, MathMode{DType::fp32, DType::fp32},
                            MathMode{DType::tf32, DType::fp32}, MathMode{DType::fp16, DType::fp32},
                            MathMode{DType::bf16, DType::fp32}};

Json peaks_json(const DeviceInfo& device) {
  Json peaks = Json::array();
  for (const MathMode& mode : kModes) {
    const Peak peak = peak_for(device, mode);
    peaks.push_back({{"multiply", name(mode.multiply)},
                     {"accumulate", name(mode.accumulate)},
                     {"flops", peak.flops_at_max_clock ? Json(*peak.flops_at_max_clock) : Json()},
                     {"basis", peak.basis}});
  }
  return peaks;
}

std::string as_json(const Discovery& discovery, const Environment& environment) {
  Json devices = Json::array();
  for (const DeviceInfo& device : discovery.devices) {
    Json json = to_json(device);
    const auto bandwidth = bandwidth_peak(device);
    json["peaks"] = peaks_json(device);
    json["bandwidth_peak_bytes_per_s"] = bandwidth ? Json(*bandwidth) : Json();
    devices.push_back(std::move(json));
  }
  Json host = to_json(environment);
  host.erase("devices");  // above, with their peaks
  return dump_pretty(Json{{"devices", devices}, {"without_device", discovery.none_reasons}, {"environment", host}}) + "\n";
}

class Page {
 public:
  void head(std::string_view title) { text_ += fmt::format("{}{}\n", text_.empty() ? "" : "\n", title); }
  void row(std::string_view label, std::string_view value) { text_ += fmt::format("  {:<26}{}\n", label, value); }
  template <class Value, class Format>
  void maybe(std::string_view label, const std::optional<Value>& value, Format format) {
    if (value) row(label, format(*value));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_peaks(Page& page, const DeviceInfo& device) {
  std::string told;  // a reason that all types share is told once
  for (const MathMode& mode : kModes) {
    const Peak peak = peak_for(device, mode);
    const std::string label = fmt::format("peak {}", name(mode.multiply));
    if (peak.flops_at_max_clock) {
      page.row(label, fmt::format("{}: {}", si_text(*peak.flops_at_max_clock, "FLOPS"), peak.basis));
    } else if (peak.basis != told) {
      page.row(told.empty() ? "peak" : label, peak.basis);
      told = peak.basis;
    }
  }
}

// A field of DeviceInfo in the words of its row above.
std::string label_of(const std::string& field) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kLabels{{{"multiprocessors", "multiprocessors"},
                                                                                  {"max_clock_hz", "maximum clock"},
                                                                                  {"max_memory_clock_hz", "memory clock"},
                                                                                  {"memory_bus_bits", "memory bus"},
                                                                                  {"cache_bytes", "last-level cache"},
                                                                                  {"memory_bytes", "memory"},
                                                                                  {"power_limit_w", "power limit"}}};
  const auto* label = std::ranges::find(kLabels, field, [](const auto& pair) { return pair.first; });
  return label == kLabels.end() ? field : std::string(label->second);
}

void add_device(Page& page, const DeviceInfo& device) {
  const auto hertz = [](double value) { return fmt::format("{:.0f} MHz", value / 1e6); };
  const auto plain = [](auto value) { return fmt::format("{}", value); };
  page.head(device.backend == "cpu" ? "cpu" : fmt::format("{}:{}", device.backend, device.index));
  page.row("name", device.name);
  page.row("id", device.id);
  if (!device.pci.empty()) page.row("PCI", device.pci);
  if (device.cc_major > 0) page.row("compute capability", fmt::format("{}.{}", device.cc_major, device.cc_minor));
  if (!device.code.empty()) page.row("code", device.code);
  page.maybe(device.backend == "cpu" ? "threads" : "multiprocessors", device.multiprocessors, plain);
  page.maybe("maximum clock", device.max_clock_hz, hertz);
  page.maybe("memory clock", device.max_memory_clock_hz, hertz);
  page.maybe("memory bus", device.memory_bus_bits, [](int bits) { return fmt::format("{} bit", bits); });
  page.maybe("last-level cache", device.cache_bytes, memory_text);
  page.maybe("memory", device.memory_bytes, memory_text);
  page.maybe("free memory", device.free_bytes, memory_text);
  page.maybe("power limit", device.power_limit_w, [](double watts) { return fmt::format("{:.0f} W", watts); });
  page.maybe("bandwidth peak", bandwidth_peak(device), [](double rate) { return si_text(rate, "B/s"); });
  if (device.mig) page.row("MIG", "yes");
  if (!device.other_processes.empty()) page.row("other processes", fmt::format("{}", fmt::join(device.other_processes, ", ")));
  add_peaks(page, device);
  for (const auto& [field, reason] : device.reasons) page.row(label_of(field), "unknown: " + reason);
}

std::string as_text(const Discovery& discovery, const Environment& environment) {
  Page page;
  for (const DeviceInfo& device : discovery.devices) add_device(page, device);
  if (!discovery.none_reasons.empty()) page.head("Without a device");
  for (const auto& [backend, reason] : discovery.none_reasons) page.row(backend, reason);
  page.head("Software");
  page.row("rtxbench", fmt::format("{} ({}, {}, {})", environment.rtxbench_version, environment.git_hash,
                                   environment.build_type, environment.compiler));
  for (const auto& [name, place] : environment.software) page.row(name, place);
  for (const auto& [name, value] : environment.variables) page.row(name, value);
  page.head("Host");
  page.row("name", environment.host);
  page.row("system", environment.os);
  page.row("kernel", environment.kernel);
  page.row("processor", environment.cpu_model);
  page.maybe("threads", environment.cpu_threads, [](int threads) { return std::to_string(threads); });
  page.maybe("memory", environment.memory_bytes, memory_text);
  return page.text();
}

}  // namespace

ExitCode command_info(bool json, const std::vector<std::string>& argv) {
  const Discovery discovery = Supervisor().discover();
  const Environment environment = collect_environment(argv, discovery.devices, discovery.software);
  write_stdout(json ? as_json(discovery, environment) : as_text(discovery, environment));
  return ExitCode::ok;
}

}  // namespace rtxbench
