// A Benchmark: a named family of problems with its axes, defaults and metrics. One file in benchmarks/ each.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rtxbench/case.hpp"
#include "rtxbench/device.hpp"
#include "rtxbench/problem.hpp"

namespace rtxbench {

enum class AxisKind : std::uint8_t { integer, real, choice };

// An axis is data: the command line, ids, sinks and `list` are made from it.
struct AxisSpec {
  std::string name;
  AxisKind kind = AxisKind::integer;
  std::string help;
  std::vector<std::string> choices;  // for `choice`, in the order shown
  std::int64_t min = 1;              // integer axes: accepted range, inclusive
  std::int64_t max = std::int64_t{1} << 31;
  std::string default_value;  // left out of ids when equal; empty: always in the id
  std::string follows;        // without a value given: takes the value of this earlier axis ("n" follows "m")
};

// Axes that the engine itself interprets; every benchmark has them after its own:
//   regime burst|sustained (default burst), cache cold|warm|flush (default cold), data uniform|normal|zeros|int|ones.
[[nodiscard]] const std::vector<AxisSpec>& engine_axes();

enum class Effort : std::uint8_t { quick, standard, thorough };

struct ProviderDefault {
  std::string name;
  double max_flop = std::numeric_limits<double>::infinity();  // left out by default above this much work; --provider overrides
};

// What runs when the user names nothing.
struct Defaults {
  std::map<std::string, std::vector<std::string>> axes;  // values of axes without a default_value
  std::vector<ProviderDefault> providers;
  int sustained_largest = 0;  // so many of the largest points (per data type and provider) run sustained as well as burst
};

// A closing line of the table, computed from finished records: e.g. fp16 over fp32 per size. See Benchmark::derived.
struct DerivedSpec {
  std::string label;                         // "fp16 / fp32"
  std::string axis, numerator, denominator;  // two records alike but for this axis
  std::string backend;                       // only on this backend
};

class Benchmark {
 public:
  virtual ~Benchmark() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;              // "gemm"
  [[nodiscard]] virtual std::string_view op() const = 0;                // operator whose providers apply
  [[nodiscard]] virtual std::string_view summary() const = 0;           // one line for help and `list`
  [[nodiscard]] virtual const std::vector<AxisSpec>& axes() const = 0;  // its own axes, in id order
  [[nodiscard]] virtual Defaults defaults(const DeviceInfo& device, Effort effort) const = 0;
  // Throws UsageError for values that make no problem.
  [[nodiscard]] virtual std::unique_ptr<Problem> problem(const AxisValues& values) const = 0;
  [[nodiscard]] virtual std::vector<DerivedSpec> derived() const { return {}; }
};

}  // namespace rtxbench
