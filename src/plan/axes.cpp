#include "plan/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "plan/plan.hpp"
#include "plan/text.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

constexpr std::size_t kMaxValues = 1000;  // of one axis: far more than a run can measure, so more is a slip

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string accepted_form(const AxisSpec& axis) {
  switch (axis.kind) {
    case AxisKind::integer:
      return fmt::format(
          "whole numbers from {} to {} (4k = 4000, 4Ki = 4096, 1G, 1GiB), lists 1024,2048 and sweeps 1024:16384:x2 or "
          "256:1024:+256",
          axis.min, axis.max);
    case AxisKind::real:
      return "finite numbers such as 0.5 and lists 0,0.5,1";
    case AxisKind::choice:
      return joined(axis.choices) + ", and lists of them";
  }
  return "";
}

[[noreturn]] void refuse(const AxisSpec& axis, const std::string& why) {
  throw UsageError(fmt::format("--{}: {}; accepted: {}", axis.name, why, accepted_form(axis)));
}

std::optional<std::int64_t> suffix_factor(std::string_view suffix) {
  struct Suffix {
    std::string_view text;
    std::int64_t factor;
  };
  constexpr std::array kSuffixes{
      Suffix{"", 1},           Suffix{"k", 1000},          Suffix{"K", 1000},       Suffix{"M", 1000000},
      Suffix{"G", 1000000000}, Suffix{"T", 1000000000000}, Suffix{"Ki", 1LL << 10}, Suffix{"Mi", 1LL << 20},
      Suffix{"Gi", 1LL << 30}, Suffix{"Ti", 1LL << 40},
  };
  if (suffix.size() > 1 && suffix.back() == 'B') suffix.remove_suffix(1);  // 1GiB = 1Gi
  const auto found = std::ranges::find(kSuffixes, suffix, &Suffix::text);
  return found == kSuffixes.end() ? std::nullopt : std::optional(found->factor);
}

std::int64_t parse_integer(const AxisSpec& axis, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto factor = suffix_factor(text.substr(static_cast<std::size_t>(end - text.data())));
  if (error == std::errc::invalid_argument || !factor) refuse(axis, fmt::format("'{}' is not a whole number", text));
  if (value < 0) refuse(axis, fmt::format("'{}' is negative", text));
  if (error == std::errc::result_out_of_range || value > axis.max / *factor)
    refuse(axis, fmt::format("'{}' is too large", text));
  if (value * *factor < axis.min) refuse(axis, fmt::format("'{}' is too small", text));
  return value * *factor;
}

// first:last:xFACTOR or first:last:+STEP
std::vector<std::int64_t> parse_sweep(const AxisSpec& axis, const std::string& text) {
  const auto parts = split(text, ':');
  if (parts.size() != 3 || parts[2].empty() || (parts[2][0] != 'x' && parts[2][0] != '+')) {
    refuse(axis, fmt::format("'{}' is not a sweep: it needs a first value, a last value and a step x2 or +256", text));
  }
  const std::int64_t first = parse_integer(axis, parts[0]);
  const std::int64_t last = parse_integer(axis, parts[1]);
  if (first > last) refuse(axis, fmt::format("sweep '{}' runs backwards: write {}:{}:{}", text, parts[1], parts[0], parts[2]));
  AxisSpec any = axis;  // steps have their own range, and errors that name the same flag
  any.min = 0;
  const std::int64_t step = parse_integer(any, std::string_view(parts[2]).substr(1));
  const bool multiply = parts[2][0] == 'x';
  if (step == 0 || (multiply && (step == 1 || first == 0))) refuse(axis, fmt::format("sweep '{}' never ends", text));
  std::vector<std::int64_t> values;
  for (std::int64_t value = first; value <= last; value = multiply ? value * step : value + step) {
    values.push_back(value);
    if (values.size() > kMaxValues) refuse(axis, fmt::format("sweep '{}' has more than {} values", text, kMaxValues));
    if (multiply && value > last / step) break;  // also keeps the product in range
  }
  return values;
}

std::string parse_real(const AxisSpec& axis, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    refuse(axis, fmt::format("'{}' is not a finite number", text));
  }
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value == 0 ? 0.0 : value);  // -0 is 0
  return {digits.data(), written.ptr};
}

std::string parse_choice(const AxisSpec& axis, const std::string& text) {
  if (std::ranges::find(axis.choices, text) != axis.choices.end()) return text;
  throw UsageError(fmt::format("--{}: unknown value '{}'{}{} accepted: {}", axis.name, text, did_you_mean(text, axis.choices),
                               nearest_name(text, axis.choices).empty() ? ";" : "", accepted_form(axis)));
}

}  // namespace

std::vector<std::string> parse_axis_values(const AxisSpec& axis, std::string_view text) {
  std::vector<std::string> values;
  const auto add = [&](std::string value) {
    if (std::ranges::find(values, value) != values.end()) return;
    if (values.size() == kMaxValues) refuse(axis, fmt::format("more than {} values", kMaxValues));
    values.push_back(std::move(value));
  };
  for (const std::string& item : split(text, ',')) {
    if (item.empty()) refuse(axis, text.empty() ? "no value" : fmt::format("empty item in '{}'", text));
    if (axis.kind == AxisKind::choice) {
      add(parse_choice(axis, item));
    } else if (axis.kind == AxisKind::real) {
      add(parse_real(axis, item));
    } else if (item.find(':') != std::string::npos) {
      for (const std::int64_t value : parse_sweep(axis, item)) add(std::to_string(value));
    } else {
      add(std::to_string(parse_integer(axis, item)));
    }
  }
  return values;
}

std::vector<const AxisSpec*> all_axes(const Benchmark& benchmark) {
  std::vector<const AxisSpec*> axes;
  for (const AxisSpec& axis : benchmark.axes()) axes.push_back(&axis);
  for (const AxisSpec& axis : engine_axes()) axes.push_back(&axis);
  return axes;
}

std::vector<std::string> names_of(const std::vector<const AxisSpec*>& axes) {
  std::vector<std::string> names;
  for (const AxisSpec* axis : axes) names.push_back(axis->name);
  return names;
}

}  // namespace rtxbench
