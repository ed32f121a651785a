#include "cli/format.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rtxbench {

std::string format_wait(double seconds) {
  const auto whole = static_cast<long long>(std::llround(std::fmax(0, seconds)));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string format_duration(double seconds) {
  const auto whole = static_cast<long long>(std::llround(std::fmax(0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace rtxbench
