// What there is to run: benchmarks, providers, devices.
#include <fmt/format.h>

#include <array>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "rtxbench/json.hpp"

namespace rtxbench {
namespace {

// A list stays useful on a machine whose device search breaks down.
Discovery discover(const Registry& registry) {
  try {
    return Supervisor().discover();
  } catch (const Error& error) {
    Discovery none;
    for (const auto& backend : registry.backends) none.none_reasons.emplace(backend->name(), error.what());
    return none;
  }
}

Json axis_json(const AxisSpec& axis) {
  constexpr std::array kKinds{"integer", "real", "choice"};
  Json json{{"name", axis.name}, {"kind", kKinds.at(static_cast<std::size_t>(axis.kind))}, {"help", axis.help}};
  if (!axis.choices.empty()) json["choices"] = axis.choices;
  if (axis.kind == AxisKind::integer) json["minimum"] = axis.min, json["maximum"] = axis.max;
  if (!axis.default_value.empty()) json["default"] = axis.default_value;
  if (!axis.follows.empty()) json["follows"] = axis.follows;
  return json;
}

std::string as_json(const Registry& registry, const Discovery& discovery) {
  Json benchmarks = Json::array(), providers = Json::array(), devices = Json::array();
  for (const auto& benchmark : registry.benchmarks) {
    Json axes = Json::array();
    for (const AxisSpec& axis : benchmark->axes()) axes.push_back(axis_json(axis));
    for (const AxisSpec& axis : engine_axes()) axes.push_back(axis_json(axis));
    benchmarks.push_back({{"name", benchmark->name()},
                          {"operation", benchmark->op()},
                          {"summary", benchmark->summary()},
                          {"axes", std::move(axes)}});
  }
  for (const auto& provider : registry.providers) {
    providers.push_back({{"name", provider->name()},
                         {"operation", provider->op()},
                         {"backend", provider->backend()},
                         {"summary", provider->summary()}});
  }
  for (const DeviceInfo& device : discovery.devices) devices.push_back(to_json(device));
  Json json{
      {"benchmarks", benchmarks}, {"providers", providers}, {"devices", devices}, {"without_device", discovery.none_reasons}};
  return dump_pretty(json) + "\n";
}

std::string as_text(const Registry& registry, const Discovery& discovery) {
  std::string text = "Benchmarks\n";
  for (const auto& benchmark : registry.benchmarks)
    text += fmt::format("  {:<12}  {}\n", benchmark->name(), benchmark->summary());
  text += "\nProviders\n";
  for (const auto& provider : registry.providers) {
    text +=
        fmt::format("  {:<12}  {:<5} {:<12}  {}\n", provider->op(), provider->backend(), provider->name(), provider->summary());
  }
  text += "\nDevices\n";
  for (const DeviceInfo& device : discovery.devices) {
    if (device.backend == "cpu") {
      text += fmt::format("  {:<8}  {}\n", "cpu", device.name);
    } else {
      text += fmt::format("  {:<8}  {}  {}  {}\n", fmt::format("{}:{}", device.backend, device.index), device.pci, device.id,
                          device.name);
    }
  }
  for (const auto& [backend, reason] : discovery.none_reasons) text += fmt::format("  {:<8}  none: {}\n", backend, reason);
  return text;
}

}  // namespace

ExitCode command_list(bool json, const Registry& registry) {
  const Discovery discovery = discover(registry);
  write_stdout(json ? as_json(registry, discovery) : as_text(registry, discovery));
  return ExitCode::ok;
}

}  // namespace rtxbench
