// Request -> Plan: points x providers x devices, then filters, static support and memory.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "plan/axes.hpp"
#include "plan/plan.hpp"
#include "plan/providers.hpp"
#include "plan/sizing.hpp"
#include "plan/text.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

constexpr std::size_t kMaxCases = 10000;    // half a second each is more than an hour
constexpr std::size_t kMaxCompared = 1000;  // characters; ids are far shorter

// A case with what it was made from.
struct Candidate {
  Case test;
  const Benchmark* benchmark = nullptr;
  const Provider* provider = nullptr;
  const DeviceInfo* device = nullptr;
  std::shared_ptr<const Problem> problem;  // shared by the providers of a point
};

const Benchmark& benchmark_named(const Registry& registry, const std::string& name) {
  if (const Benchmark* benchmark = registry.find_benchmark(name)) return *benchmark;
  std::vector<std::string> known;
  for (const auto& one : registry.benchmarks) known.emplace_back(one->name());
  throw UsageError(fmt::format("unknown benchmark '{}'{}", name, did_you_mean(name, known)));
}

std::shared_ptr<const Problem> problem_of(const Benchmark& benchmark, const AxisValues& values) {
  try {
    return benchmark.problem(values);
  } catch (const UsageError& error) {
    std::string point;
    for (const AxisSpec& axis : benchmark.axes()) point += fmt::format(" --{} {}", axis.name, values.at(axis.name));
    throw UsageError(fmt::format("{} (at{})", error.what(), point));
  }
}

// Texts of an axis to vary over; empty for an axis that follows another.
std::vector<std::string> values_of(const AxisSpec& axis, const Request& request, const Defaults& defaults) {
  if (const auto given = request.axes.find(axis.name); given != request.axes.end())
    return parse_axis_values(axis, given->second);
  if (!axis.default_value.empty()) return {axis.default_value};
  if (!axis.follows.empty()) return {};
  if (const auto usual = defaults.axes.find(axis.name); usual != defaults.axes.end() && !usual->second.empty()) {
    return parse_axis_values(axis, fmt::format("{}", fmt::join(usual->second, ",")));
  }
  throw UsageError(fmt::format("--{} is needed: this benchmark has no usual value for it", axis.name));
}

// Cartesian product in id order: the last axis varies fastest.
std::vector<AxisValues> points_of(const Benchmark& benchmark, const Request& request, const Defaults& defaults) {
  std::vector<AxisValues> points(1);
  for (const AxisSpec* axis : all_axes(benchmark)) {
    const auto values = values_of(*axis, request, defaults);
    if (points.size() * std::max<std::size_t>(1, values.size()) > kMaxCases) {
      throw UsageError(fmt::format("--{}: more than {} cases: give fewer values", axis->name, kMaxCases));
    }
    std::vector<AxisValues> wider;
    for (const AxisValues& point : points) {
      const auto choices = values.empty() ? std::vector{point.at(axis->follows)} : values;
      for (const std::string& value : choices) {
        wider.push_back(point);
        wider.back().set(axis->name, value);
      }
    }
    points = std::move(wider);
  }
  return points;
}

Candidate make_candidate(const Benchmark& benchmark, AxisValues values, const Provider& provider, const DeviceInfo& device,
                         std::shared_ptr<const Problem> problem) {
  Case test{.benchmark = std::string(benchmark.name()),
            .values = std::move(values),
            .provider = std::string(provider.name()),
            .device = device.id};
  test.id = make_case_id(benchmark, test.values, test.provider);
  return {std::move(test), &benchmark, &provider, &device, std::move(problem)};
}

std::vector<Candidate> from_axes(const Request& request, const Registry& registry, const std::vector<DeviceInfo>& devices) {
  const Benchmark& benchmark = benchmark_named(registry, request.benchmark);
  check_providers(request.providers, benchmark, registry, devices);
  std::vector<Candidate> candidates;
  for (const DeviceInfo& device : devices) {
    const Defaults defaults = benchmark.defaults(device, request.effort);
    const auto providers = chosen_providers(request.providers, defaults, benchmark, registry, device);
    for (const AxisValues& point : points_of(benchmark, request, defaults)) {
      const auto problem = problem_of(benchmark, point);
      for (const ChosenProvider& chosen : providers) {
        if (static_cast<double>(problem->work().flop) > chosen.max_flop) continue;
        candidates.push_back(make_candidate(benchmark, point, *chosen.provider, device, problem));
      }
    }
  }
  return candidates;
}

std::vector<Candidate> from_ids(const Request& request, const Registry& registry, const std::vector<DeviceInfo>& devices) {
  std::vector<Candidate> candidates;
  std::vector<std::string> seen;
  for (const std::string& id : request.case_ids) {
    const Case test = parse_case_id(id, registry);
    if (std::ranges::find(seen, test.id) != seen.end()) continue;
    seen.push_back(test.id);
    const Benchmark& benchmark = *registry.find_benchmark(test.benchmark);
    check_providers({test.provider}, benchmark, registry, devices);
    const auto problem = problem_of(benchmark, test.values);
    for (const DeviceInfo& device : devices) {
      const Provider* provider = registry.find_provider(benchmark.op(), device.backend, test.provider);
      if (provider != nullptr) candidates.push_back(make_candidate(benchmark, test.values, *provider, device, problem));
    }
  }
  return candidates;
}

// Keeps what a filter names. Nothing left is an error with the ids that come nearest.
void apply_filters(const Request& request, std::vector<Candidate>& candidates) {
  if (request.filters.empty()) return;
  std::vector<std::string> ids;
  for (const Candidate& candidate : candidates) ids.push_back(candidate.test.id);
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return std::ranges::none_of(request.filters,
                                [&](const std::string& filter) { return glob_matches("*" + filter + "*", candidate.test.id); });
  });
  if (!candidates.empty()) return;
  // The beginning decides as well, and a pasted file would take minutes to compare.
  const std::string_view filter = std::string_view(request.filters.front()).substr(0, kMaxCompared);
  std::multimap<std::size_t, std::string> by_distance;
  for (const std::string& id : ids) by_distance.emplace(substring_distance(filter, id), id);
  const std::size_t total = ids.size();
  ids.clear();
  for (const auto& [distance, id] : by_distance) {
    if (ids.size() < 3) ids.push_back(id);
  }
  throw UsageError(fmt::format("--filter '{}' matches none of {} cases; nearest: {}", fmt::join(request.filters, "', '"), total,
                               fmt::join(ids, ", ")));
}

// The `count` largest burst points of each data type, provider and device that can run, again in the sustained regime.
std::vector<Candidate> sustained_copies(const std::vector<Candidate>& candidates, const Effort effort) {
  std::map<std::string, std::vector<const Candidate*>> groups;
  for (const Candidate& candidate : candidates) {
    const DeviceInfo& device = *candidate.device;
    if (!candidate.provider->supports(*candidate.problem, device).yes) continue;
    if (!memory_shortage(memory_needed(*candidate.problem, candidate.test.values, device), device).empty()) continue;
    const std::string* dtype = candidate.test.values.find("dtype");
    groups[fmt::format("{}|{}|{}", device.id, candidate.test.provider, dtype == nullptr ? "" : *dtype)].push_back(&candidate);
  }
  std::vector<const Candidate*> chosen;
  for (auto& [key, group] : groups) {
    std::ranges::stable_sort(group, std::ranges::greater{}, [](const Candidate* one) { return one->problem->work().flop; });
    const int count = group.front()->benchmark->defaults(*group.front()->device, effort).sustained_largest;
    group.resize(std::min(group.size(), static_cast<std::size_t>(std::max(0, count))));
    chosen.insert(chosen.end(), group.begin(), group.end());
  }
  std::vector<Candidate> copies;
  for (const Candidate& candidate : candidates) {  // in the order of the bursts
    if (std::ranges::find(chosen, &candidate) == chosen.end()) continue;
    AxisValues values = candidate.test.values;
    values.set("regime", "sustained");
    copies.push_back(
        make_candidate(*candidate.benchmark, std::move(values), *candidate.provider, *candidate.device, candidate.problem));
  }
  return copies;
}

void place(Candidate candidate, const Request& request, Plan& plan) {
  const Support support = candidate.provider->supports(*candidate.problem, *candidate.device);
  if (!support.yes) {
    plan.skips.push_back({std::move(candidate.test), true, support.reason});
    return;
  }
  const std::uint64_t needed = memory_needed(*candidate.problem, candidate.test.values, *candidate.device);
  if (std::string shortage = memory_shortage(needed, *candidate.device); !shortage.empty()) {
    plan.skips.push_back({std::move(candidate.test), false, std::move(shortage)});
    return;
  }
  const double estimate = estimate_measurement_s(candidate.test.values, request.parameters);
  plan.cases.push_back({std::move(candidate.test), needed, estimate});
}

}  // namespace

void check_request(const Request& request, const Registry& registry) {
  for (const std::string& id : request.case_ids) {
    const Case test = parse_case_id(id, registry);
    if (!request.benchmark.empty() && request.benchmark != test.benchmark) {
      throw UsageError(fmt::format("--case '{}' is not a case of {}: give it to `rtxbench` itself", id, request.benchmark));
    }
  }
  if (!request.case_ids.empty()) {
    if (!request.axes.empty())
      throw UsageError(fmt::format("--case names the whole case: leave out --{}", request.axes.begin()->first));
    if (!request.providers.empty()) throw UsageError("--case names the whole case: leave out --provider");
    return;
  }
  const auto axes = all_axes(benchmark_named(registry, request.benchmark));
  for (const auto& [name, text] : request.axes) {
    const auto axis = std::ranges::find(axes, name, &AxisSpec::name);
    if (axis == axes.end())
      throw UsageError(fmt::format("unknown axis --{}{}", name, did_you_mean(name, names_of(axes), "--")));
    (void)parse_axis_values(**axis, text);
  }
}

Plan make_plan(const Request& request, const Registry& registry, const std::vector<DeviceInfo>& devices) {
  check_request(request, registry);
  const bool by_id = !request.case_ids.empty();
  auto candidates = by_id ? from_ids(request, registry, devices) : from_axes(request, registry, devices);
  if (candidates.empty())
    throw UsageError("nothing selected: the usual providers leave out so much work; name one with --provider");
  if (!by_id && !request.axes.contains("regime")) {
    auto copies = sustained_copies(candidates, request.effort);
    std::ranges::move(copies, std::back_inserter(candidates));
  }
  apply_filters(request, candidates);
  std::ranges::stable_partition(candidates, [](const Candidate& one) { return one.test.values.at("regime") == "burst"; });
  Plan plan;
  for (Candidate& candidate : candidates) place(std::move(candidate), request, plan);
  return plan;
}

}  // namespace rtxbench
