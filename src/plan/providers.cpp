#include "plan/providers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "plan/text.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

std::vector<std::string> names_on(const Registry& registry, std::string_view op, const std::set<std::string>& backends) {
  std::vector<std::string> names;
  for (const std::string& backend : backends) {
    for (const Provider* provider : registry.providers_of(op, backend)) names.emplace_back(provider->name());
  }
  return names;
}

}  // namespace

void check_providers(const std::vector<std::string>& names, const Benchmark& benchmark, const Registry& registry,
                     const std::vector<DeviceInfo>& devices) {
  std::set<std::string> selected;
  for (const DeviceInfo& device : devices) selected.insert(device.backend);
  const auto usable = names_on(registry, benchmark.op(), selected);
  const std::string here =
      fmt::format("providers of {} on {}: {}", benchmark.op(), fmt::join(selected, ", "), fmt::join(usable, ", "));
  if (usable.empty())
    throw UsageError(fmt::format("this build has no provider of {} for {}", benchmark.op(), fmt::join(selected, ", ")));
  for (const std::string& name : names) {
    if (name == "all" || std::ranges::find(usable, name) != usable.end()) continue;
    std::vector<std::string> known{"all"};
    for (const auto& provider : registry.providers) {
      if (provider->op() != benchmark.op()) continue;
      if (provider->name() == name) {
        throw UsageError(fmt::format("provider '{}' is for {} devices, and this run is on {}; {}", name, provider->backend(),
                                     fmt::join(selected, ", "), here));
      }
      known.emplace_back(provider->name());
    }
    const std::string hint = did_you_mean(name, known);
    throw UsageError(fmt::format("--provider: unknown provider '{}'{} {}", name, hint.empty() ? ";" : hint, here));
  }
}

std::vector<ChosenProvider> chosen_providers(const std::vector<std::string>& names, const Defaults& defaults,
                                             const Benchmark& benchmark, const Registry& registry, const DeviceInfo& device) {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  const auto available = registry.providers_of(benchmark.op(), device.backend);
  std::vector<ChosenProvider> chosen;
  const auto add = [&](const Provider* provider, double max_flop) {
    if (std::ranges::find(chosen, provider, &ChosenProvider::provider) == chosen.end()) chosen.push_back({provider, max_flop});
  };
  const auto add_named = [&](const std::string& name, double max_flop) {
    const auto found = std::ranges::find(available, name, &Provider::name);
    if (found != available.end()) add(*found, max_flop);
  };
  if (names.empty()) {
    for (const ProviderDefault& usual : defaults.providers) add_named(usual.name, usual.max_flop);
  }
  for (const std::string& name : names) {
    if (name == "all") {
      for (const Provider* provider : available) add(provider, kNoLimit);
    } else {
      add_named(name, kNoLimit);
    }
  }
  if (names.empty() && chosen.empty()) {  // a build without the usual ones
    for (const Provider* provider : available) add(provider, kNoLimit);
  }
  return chosen;
}

}  // namespace rtxbench
