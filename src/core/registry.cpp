#include "rtxbench/registry.hpp"

#include <algorithm>

namespace rtxbench {
namespace {
template <class Items, class Matches>
auto find_in(const Items& items, Matches matches) {
  const auto item = std::ranges::find_if(items, [&](const auto& pointer) { return matches(*pointer); });
  return item == items.end() ? nullptr : item->get();
}
}  // namespace

const Benchmark* Registry::find_benchmark(std::string_view name) const {
  return find_in(benchmarks, [&](const Benchmark& benchmark) { return benchmark.name() == name; });
}

const Backend* Registry::find_backend(std::string_view name) const {
  return find_in(backends, [&](const Backend& backend) { return backend.name() == name; });
}

const Provider* Registry::find_provider(std::string_view op, std::string_view backend, std::string_view name) const {
  return find_in(providers, [&](const Provider& provider) {
    return provider.op() == op && provider.backend() == backend && provider.name() == name;
  });
}

std::vector<const Provider*> Registry::providers_of(std::string_view op, std::string_view backend) const {
  std::vector<const Provider*> found;
  for (const auto& provider : providers) {
    if (provider->op() == op && provider->backend() == backend) found.push_back(provider.get());
  }
  return found;
}

}  // namespace rtxbench
