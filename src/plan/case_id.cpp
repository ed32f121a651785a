// Case ids, both ways: benchmark[axis=value,...]@provider, defaults left out.
#include <fmt/format.h>

#include <algorithm>

#include "plan/axes.hpp"
#include "plan/plan.hpp"
#include "plan/text.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

// One part of an id with its place, so that errors can point at it.
struct Part {
  std::string text;
  std::size_t position = 0;
};

class IdParser {
 public:
  IdParser(std::string_view id, const Registry& registry) : id_(id), registry_(registry) {}

  Case parse() {
    split_parts();
    const Benchmark* benchmark = registry_.find_benchmark(benchmark_.text);
    if (benchmark == nullptr) {
      std::vector<std::string> known;
      for (const auto& one : registry_.benchmarks) known.emplace_back(one->name());
      refuse(benchmark_, "unknown benchmark", did_you_mean(benchmark_.text, known));
    }
    check_provider(*benchmark);
    Case test{.benchmark = benchmark_.text, .values = values_of(*benchmark), .provider = provider_.text};
    test.id = make_case_id(*benchmark, test.values, test.provider);
    return test;
  }

 private:
  [[noreturn]] void refuse(const Part& part, std::string_view why, std::string_view remedy = "") const {
    throw UsageError(fmt::format("case '{}': {} '{}' at character {}{}", id_, why, part.text, part.position + 1, remedy));
  }

  void split_parts() {
    const std::size_t at = id_.rfind('@');
    if (at == std::string_view::npos || at + 1 == id_.size()) {
      throw UsageError(fmt::format("case '{}': no provider at its end; an id reads benchmark[axis=value,...]@provider", id_));
    }
    provider_ = {std::string(id_.substr(at + 1)), at + 1};
    const std::string_view head = id_.substr(0, at);
    const std::size_t open = head.find('[');
    benchmark_ = {std::string(head.substr(0, open)), 0};
    if (open == std::string_view::npos) return;
    if (head.back() != ']') {
      refuse({std::string(head.substr(head.size() - 1)), at - 1}, "expected ']' and not");
    }
    const std::string_view inside = head.substr(open + 1, head.size() - open - 2);
    if (inside.empty()) return;
    std::size_t position = open + 1;
    for (const std::string& text : split(inside, ',')) {
      settings_.push_back({text, position});
      position += text.size() + 1;
    }
  }

  void check_provider(const Benchmark& benchmark) const {
    std::vector<std::string> known;
    for (const auto& provider : registry_.providers) {
      if (provider->op() == benchmark.op()) known.emplace_back(provider->name());
    }
    if (std::ranges::find(known, provider_.text) == known.end()) {
      refuse(provider_, "unknown provider", did_you_mean(provider_.text, known));
    }
  }

  AxisValues values_of(const Benchmark& benchmark) const {
    const auto axes = all_axes(benchmark);
    AxisValues given;
    for (const Part& setting : settings_) {
      const std::size_t equals = setting.text.find('=');
      if (equals == std::string::npos) refuse(setting, "expected axis=value and not");
      const Part name{setting.text.substr(0, equals), setting.position};
      const Part value{setting.text.substr(equals + 1), setting.position + equals + 1};
      const auto axis = std::ranges::find(axes, name.text, &AxisSpec::name);
      if (axis == axes.end()) refuse(name, "unknown axis", did_you_mean(name.text, names_of(axes)));
      if (given.find(name.text) != nullptr) refuse(name, "second value for axis");
      given.set(name.text, single_value(**axis, value));
    }
    AxisValues values;
    for (const AxisSpec* axis : axes) {
      if (const std::string* value = given.find(axis->name)) {
        values.set(axis->name, *value);
      } else if (!axis->default_value.empty()) {
        values.set(axis->name, axis->default_value);
      } else if (!axis->follows.empty()) {
        values.set(axis->name, values.at(axis->follows));
      } else {
        throw UsageError(fmt::format("case '{}': no value for axis '{}'", id_, axis->name));
      }
    }
    return values;
  }

  std::string single_value(const AxisSpec& axis, const Part& value) const {
    std::vector<std::string> parsed;
    try {
      parsed = parse_axis_values(axis, value.text);
    } catch (const UsageError& error) {
      refuse(value, "bad value", fmt::format(" ({})", error.what()));
    }
    if (parsed.size() != 1) refuse(value, "a case has one value an axis and not");
    return parsed.front();
  }

  std::string_view id_;
  const Registry& registry_;
  Part benchmark_, provider_;
  std::vector<Part> settings_;
};

}  // namespace

std::string make_case_id(const Benchmark& benchmark, const AxisValues& values, std::string_view provider) {
  std::string settings;
  for (const AxisSpec* axis : all_axes(benchmark)) {
    const std::string& value = values.at(axis->name);
    if (value == axis->default_value) continue;
    if (!settings.empty()) settings += ',';
    settings += axis->name + '=' + value;
  }
  return fmt::format("{}[{}]@{}", benchmark.name(), settings, provider);
}

Case parse_case_id(std::string_view id, const Registry& registry) { return IdParser(id, registry).parse(); }

}  // namespace rtxbench
