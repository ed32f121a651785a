#include "rtxbench/benchmark.hpp"

#include "core/enum_names.hpp"

namespace rtxbench {
namespace {

template <class Enum>
std::vector<std::string> names_of() {
  return {kEnumNames<Enum>.begin(), kEnumNames<Enum>.end()};
}

}  // namespace

const std::vector<AxisSpec>& engine_axes() {
  static const std::vector<AxisSpec> axes{
      {.name = "regime",
       .kind = AxisKind::choice,
       .help = "burst: one call on a cool chip; sustained: back to back until steady",
       .choices = names_of<Regime>(),
       .default_value = "burst"},
      {.name = "cache",
       .kind = AxisKind::choice,
       .help = "cold: operands not in the last-level cache; warm: same operands each call; flush: flushed between all calls",
       .choices = names_of<CacheState>(),
       .default_value = "cold"},
      {.name = "data",
       .kind = AxisKind::choice,
       .help = "distribution of the inputs",
       .choices = names_of<Distribution>(),
       .default_value = "uniform"},
  };
  return axes;
}

}  // namespace rtxbench
