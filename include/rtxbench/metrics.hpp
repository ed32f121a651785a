// Rates derived from a record: the one place that says which records have a speed at all.
#pragma once

#include <optional>

#include "rtxbench/record.hpp"

namespace rtxbench {

struct Metrics {
  double time_s = 0;                  // median of one call; of several processes: of their medians
  std::optional<double> flops;        // FLOP/s; absent where the problem counts no FLOP or the time is 0
  std::optional<double> bytes_per_s;  // compulsory traffic; absent where the problem moves no bytes or the time is 0
};

// Only a passed record with a finite median has metrics: a wrong or failed row shows no speed.
[[nodiscard]] std::optional<Metrics> metrics_of(const Record& record);

}  // namespace rtxbench
