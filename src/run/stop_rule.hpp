// When a measurement has enough samples.
#pragma once

#include <optional>
#include <span>

#include "rtxbench/parameters.hpp"
#include "rtxbench/record.hpp"

namespace rtxbench {

// (upper - lower) / 2 / median of the 95 % interval of the median; absent where too few samples reach that confidence.
[[nodiscard]] std::optional<double> relative_half_width(std::span<const double> samples);

class StopRule {
 public:
  StopRule(const Parameters& parameters, double started_s)
      : parameters_(parameters), started_s_(started_s), next_check_(parameters.min_samples) {}
  // The reason to stop now, or nothing. The interval is looked at only when the count has grown by half since the last look:
  // looking after every sample would stop too often on a lucky one.
  [[nodiscard]] std::optional<StopReason> check(std::span<const double> samples, double now_s);
  // How many more samples the protocol allows.
  [[nodiscard]] int room(std::size_t samples) const { return parameters_.max_samples - static_cast<int>(samples); }

 private:
  const Parameters& parameters_;
  double started_s_;
  double next_check_;
};

}  // namespace rtxbench
