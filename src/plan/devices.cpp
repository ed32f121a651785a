// --device TEXT -> the devices it means.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "plan/plan.hpp"
#include "plan/text.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

constexpr std::string_view kForms = "auto, all, cpu, cuda:N or N, cuda (the first), a UUID (or its beginning) or a PCI id";

std::string label(const DeviceInfo& device) {
  if (device.backend == "cpu") return fmt::format("cpu ({})", device.name);
  return fmt::format("{}:{} ({}, {}, {})", device.backend, device.index, device.pci, device.id, device.name);
}

std::string labels(const std::vector<DeviceInfo>& devices) {
  std::vector<std::string> all;
  for (const DeviceInfo& device : devices) all.push_back(label(device));
  return all.empty() ? "none" : fmt::format("{}", fmt::join(all, ", "));
}

std::string none_reason(const std::map<std::string, std::string>& reasons, const std::string& backend) {
  const auto reason = reasons.find(backend);
  if (reason != reasons.end() && !reason->second.empty()) return reason->second;
  return backend == "cuda" ? "this build has no CUDA backend" : "this build has no " + backend + " backend";
}

struct PciId {
  unsigned domain = 0, bus = 0, device = 0, function = 0;
  bool operator==(const PciId&) const = default;
};

// "0a:00.0", "0000:0a:00.0", "00000000:0A:00.0"
std::optional<PciId> parse_pci(std::string_view text) {
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  std::vector<std::string> parts = split(text.substr(0, dot), ':');
  if (parts.size() == 2) parts.insert(parts.begin(), "0");
  if (parts.size() != 3) return std::nullopt;
  parts.emplace_back(text.substr(dot + 1));
  std::vector<unsigned> numbers;
  for (const std::string& part : parts) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value, 16);
    if (error != std::errc{} || end != part.data() + part.size()) return std::nullopt;
    numbers.push_back(value);
  }
  return PciId{numbers[0], numbers[1], numbers[2], numbers[3]};
}

class Selector {
 public:
  Selector(const std::vector<DeviceInfo>& found, const std::map<std::string, std::string>& reasons)
      : found_(found), reasons_(reasons) {}

  std::vector<DeviceInfo> select(const std::string& text, std::string& note) const {
    if (text == "auto") return {automatic(note)};
    if (text == "all") return everything();
    if (text == "cpu") return {first_of("cpu")};
    if (text == "cuda" || text == "gpu") return {by_index(text, "cuda", "0")};
    if (is_number(text)) return {by_index(text, "cuda", text)};
    if (const std::size_t colon = text.find(':'); colon != std::string::npos && is_backend(text.substr(0, colon))) {
      return {by_index(text, text.substr(0, colon), text.substr(colon + 1))};
    }
    if (const auto pci = parse_pci(text)) return {by_pci(text, *pci)};
    return {by_uuid(text)};
  }

 private:
  DeviceInfo first_of(const std::string& backend) const {
    const auto device = std::ranges::find(found_, backend, &DeviceInfo::backend);
    if (device == found_.end()) throw NoDeviceError(fmt::format("no {} device: {}", backend, none_reason(reasons_, backend)));
    return *device;
  }

  std::vector<DeviceInfo> everything() const {
    if (!found_.empty()) return found_;
    std::string why;
    for (const auto& [backend, reason] : reasons_) why += fmt::format("; {}: {}", backend, reason);
    throw NoDeviceError("no usable device" + why);
  }

  DeviceInfo automatic(std::string& note) const {
    const std::vector<DeviceInfo> devices = everything();
    const auto gpu = std::ranges::find_if(devices, [](const DeviceInfo& one) { return one.backend != "cpu"; });
    if (gpu != devices.end()) return *gpu;
    note = fmt::format("measuring on the CPU, no usable CUDA device: {}", none_reason(reasons_, "cuda"));
    return devices.front();
  }

  static bool is_number(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  }

  bool is_backend(const std::string& name) const {
    return name == "cuda" || reasons_.contains(name) || std::ranges::find(found_, name, &DeviceInfo::backend) != found_.end();
  }

  // Before anything else: a GPU asked for by name on a machine that has none.
  void require(const std::string& text, const std::string& backend) const {
    if (std::ranges::find(found_, backend, &DeviceInfo::backend) != found_.end()) return;
    throw NoDeviceError(fmt::format("--device {}: no usable {} device: {}", text, backend == "cuda" ? "CUDA" : backend,
                                    none_reason(reasons_, backend)));
  }

  DeviceInfo by_index(const std::string& text, const std::string& backend, const std::string& number) const {
    int index = -1;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    if (error != std::errc{} || end != number.data() + number.size() || index < 0) {
      throw UsageError(fmt::format("--device {}: '{}' is not a device number; accepted: {}", text, number, kForms));
    }
    require(text, backend);
    for (const DeviceInfo& device : found_) {
      if (device.backend == backend && device.index == index) return device;
    }
    throw NoDeviceError(fmt::format("--device {}: no such device; found: {}", text, labels(found_)));
  }

  DeviceInfo by_pci(const std::string& text, const PciId& pci) const {
    require(text, "cuda");
    for (const DeviceInfo& device : found_) {
      if (parse_pci(device.pci) == pci) return device;
    }
    throw NoDeviceError(fmt::format("--device {}: no device at this PCI id; found: {}", text, labels(found_)));
  }

  DeviceInfo by_uuid(const std::string& text) const {
    const std::string wanted = lower(text);
    const bool looks_like_uuid = wanted.starts_with("gpu-") || wanted.starts_with("mig-");
    if (looks_like_uuid) require(text, "cuda");
    std::vector<DeviceInfo> matching;
    for (const DeviceInfo& device : found_) {
      const std::string id = lower(device.id);
      if (id == wanted) return device;
      if (!wanted.empty() && device.backend != "cpu" && id.starts_with(wanted)) matching.push_back(device);
    }
    if (matching.size() == 1) return matching.front();
    if (matching.size() > 1) {
      throw UsageError(fmt::format("--device {}: the beginning of more than one UUID: {}", text, labels(matching)));
    }
    if (looks_like_uuid)
      throw NoDeviceError(fmt::format("--device {}: no device of this UUID; found: {}", text, labels(found_)));
    std::vector<std::string> known{"auto", "all", "cpu"};
    for (const DeviceInfo& device : found_) {
      if (device.backend != "cpu") known.push_back(fmt::format("{}:{}", device.backend, device.index));
    }
    throw UsageError(fmt::format("--device: '{}' names no device{} accepted: {}; found: {}", text,
                                 nearest_name(text, known).empty() ? ";" : did_you_mean(text, known), kForms, labels(found_)));
  }

  const std::vector<DeviceInfo>& found_;
  const std::map<std::string, std::string>& reasons_;
};

}  // namespace

std::vector<DeviceInfo> select_devices(std::string_view text, const std::vector<DeviceInfo>& found,
                                       const std::map<std::string, std::string>& none_reasons, std::string& note) {
  const Selector selector(found, none_reasons);
  std::vector<DeviceInfo> selected;
  for (const std::string& part : split(text, ',')) {
    for (DeviceInfo& device : selector.select(part, note)) {
      if (std::ranges::find(selected, device.id, &DeviceInfo::id) == selected.end()) selected.push_back(std::move(device));
    }
  }
  return selected;
}

}  // namespace rtxbench
