#include "rtxbench/benchmark.hpp"

#include "core/enum_names.hpp"

namespace rtxbench {

const std::vector<AxisSpec>& engine_axes() {
  static const std::vector<AxisSpec> axes{
      {.name = "regime",
       .kind = AxisKind::choice,
       .help = "burst: one call on a cool chip; sustained: back to back until steady",
       .choices = enum_names<Regime>(),
       .default_value = "burst"},
      {.name = "cache",
       .kind = AxisKind::choice,
       .help = "cold: operands not in the last-level cache; warm: same operands each call; flush: flushed between all calls",
       .choices = enum_names<CacheState>(),
       .default_value = "cold"},
      {.name = "data",
       .kind = AxisKind::choice,
       .help = "distribution of the inputs",
       .choices = enum_names<Distribution>(),
       .default_value = "uniform"},
  };
  return axes;
}

}  // namespace rtxbench
