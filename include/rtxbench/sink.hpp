// Sinks turn a report into text. They read records and nothing else, so a kept report prints the same on any machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rtxbench/benchmark.hpp"
#include "rtxbench/report.hpp"

namespace rtxbench {

struct SinkOptions {
  bool colour = false;
  int width = 0;  // columns of the terminal; 0: unlimited
  std::vector<DerivedSpec> derived;
};

class Sink {
 public:
  virtual ~Sink() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;  // "table", "json"
  [[nodiscard]] virtual std::string render(const Report& report, const SinkOptions& options) const = 0;
};

}  // namespace rtxbench
