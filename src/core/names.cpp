// Names of enumerations, as they stand in ids, reports and on the command line; and the axes that every benchmark has.
#include <algorithm>
#include <array>

#include "rtxbench/benchmark.hpp"
#include "rtxbench/data.hpp"
#include "rtxbench/record.hpp"

namespace rtxbench {
namespace {
constexpr std::array<std::string_view, 5> kDistributions{"uniform", "normal", "zeros", "int", "ones"};
constexpr std::array<std::string_view, 3> kCoverages{"full", "sampled", "shrunk"};
constexpr std::array<std::string_view, 5> kStatuses{"passed", "wrong", "skipped", "unsupported", "error"};
constexpr std::array<std::string_view, 4> kStopReasons{"ci_met", "max_time", "max_samples", "interrupted"};

template <class Enum, std::size_t N>
std::optional<Enum> parse(const std::array<std::string_view, N>& names, std::string_view text) {
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}
}  // namespace

std::string_view name(Distribution distribution) { return kDistributions[static_cast<std::size_t>(distribution)]; }
std::optional<Distribution> parse_distribution(std::string_view text) { return parse<Distribution>(kDistributions, text); }
std::string_view name(Coverage coverage) { return kCoverages[static_cast<std::size_t>(coverage)]; }
std::optional<Coverage> parse_coverage(std::string_view text) { return parse<Coverage>(kCoverages, text); }
std::string_view name(Status status) { return kStatuses[static_cast<std::size_t>(status)]; }
std::optional<Status> parse_status(std::string_view text) { return parse<Status>(kStatuses, text); }
std::string_view name(StopReason reason) { return kStopReasons[static_cast<std::size_t>(reason)]; }
std::optional<StopReason> parse_stop_reason(std::string_view text) { return parse<StopReason>(kStopReasons, text); }

std::uint64_t TensorSpec::elements() const {
  std::uint64_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::uint64_t>(extent);
  return count;
}

const std::vector<AxisSpec>& engine_axes() {
  static const std::vector<AxisSpec> axes{
      {.name = "regime",
       .kind = AxisKind::choice,
       .help = "burst: one call on a cool chip; sustained: back to back until steady",
       .choices = {"burst", "sustained"},
       .default_value = "burst"},
      {.name = "cache",
       .kind = AxisKind::choice,
       .help = "cold: operands not in the last-level cache; warm: same operands each call; flush: flushed between all calls",
       .choices = {"cold", "warm", "flush"},
       .default_value = "cold"},
      {.name = "data",
       .kind = AxisKind::choice,
       .help = "distribution of the inputs",
       .choices = {kDistributions.begin(), kDistributions.end()},
       .default_value = "uniform"},
  };
  return axes;
}

}  // namespace rtxbench
