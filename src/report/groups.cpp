#include "report/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "rtxbench/metrics.hpp"
#include "rtxbench/units.hpp"

namespace rtxbench {
namespace {

using Records = std::vector<const Record*>;
constexpr const char* kAccumulate = "accumulate";  // of the arithmetic; an axis only where a benchmark offers a choice

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Ids leave out defaults, so an axis named there was chosen.
bool named_in_id(const Record& record, const std::string& axis) {
  return record.test.id.find("[" + axis + "=") != std::string::npos ||
         record.test.id.find("," + axis + "=") != std::string::npos;
}

std::vector<std::string> axes_of(const Records& records) {
  std::vector<std::string> axes;
  std::set<std::string> known;
  for (const Record* record : records) {
    for (const auto& [axis, value] : record->test.values.items) {
      if (known.insert(axis).second) axes.push_back(axis);
    }
  }
  const bool any_passed = std::ranges::any_of(records, [](const Record* r) { return r->status == Status::passed; });
  if (any_passed && known.insert(kAccumulate).second) axes.emplace_back(kAccumulate);
  return axes;
}

// Values of an axis that count: a record that never ran may not know its arithmetic.
std::vector<std::string> texts_of(const Records& records, const std::string& axis) {
  std::vector<std::string> texts;
  for (const Record* record : records) {
    const std::string text = axis_text(*record, axis);
    if (axis != kAccumulate || text != kAbsent) texts.push_back(text);
  }
  return texts;
}

bool all_numeric(const std::vector<std::string>& texts) {
  return std::ranges::all_of(texts, [](const std::string& text) { return number(text).has_value(); });
}

// Numbers sort by value, names by first appearance.
class SortKeys {
 public:
  SortKeys(const Records& records, const std::vector<std::string>& axes) {
    for (const Record* record : records) keys_[record];
    for (const std::string& axis : axes) {
      std::vector<std::string> texts;
      for (const Record* record : records) texts.push_back(axis_text(*record, axis));
      add(records, texts);
    }
    std::vector<std::string> providers;
    for (const Record* record : records) providers.push_back(record->test.provider);
    add(records, providers, false);
  }
  [[nodiscard]] bool before(const Record* a, const Record* b) const { return keys_.at(a) < keys_.at(b); }

 private:
  void add(const Records& records, const std::vector<std::string>& texts, bool may_be_numbers = true) {
    const bool numeric = may_be_numbers && all_numeric(texts);
    std::map<std::string, double> order;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const double place = order.try_emplace(texts[i], static_cast<double>(order.size())).first->second;
      keys_[records[i]].push_back(numeric ? *number(texts[i]) : place);
    }
  }
  std::map<const Record*, std::vector<double>> keys_;
};

void split_axes(const std::vector<std::string>& axes, Group& group) {
  struct Previous {
    std::vector<std::string> texts;
    bool numeric = false, varies = false, named = false;
  } previous;
  for (const std::string& axis : axes) {
    Previous current{texts_of(group.records, axis)};
    current.numeric = all_numeric(current.texts);
    current.varies = std::ranges::adjacent_find(current.texts, std::ranges::not_equal_to{}) != current.texts.end();
    current.named = std::ranges::any_of(group.records, [&](const Record* record) { return named_in_id(*record, axis); });
    // Only axes that were chosen are merged: batch=1 and alpha=1 have nothing to do with each other.
    const bool merge = current.numeric && current.named && previous.named && current.texts == previous.texts;
    if (current.varies && merge) {
      group.varying.back().axes.push_back(axis);
    } else if (current.varies) {
      group.varying.push_back({{axis}, current.numeric});
    } else if (merge) {
      group.constants.back().insert(group.constants.back().rfind('=') + 1, axis + "=");
    } else if (!current.texts.empty()) {
      group.constants.push_back(axis + "=" + current.texts.front());
    }
    previous = std::move(current);
  }
}

bool alike_but_for(const std::string& axis, const Record& a, const Record& b) {
  if (a.test.provider != b.test.provider || a.test.values.items.size() != b.test.values.items.size()) return false;
  return std::ranges::equal(a.test.values.items, b.test.values.items,
                            [&](const auto& x, const auto& y) { return x == y || (x.first == axis && y.first == axis); });
}

// What a reader must know to tell this pair from the others: "m=n=k=4096, burst".
std::string conditions(const Group& group, const Record& record, const std::string& axis) {
  std::vector<std::string> parts;
  std::string last_text;  // of the axis before, where it may be merged with
  for (const auto& [name, text] : record.test.values.items) {
    const bool varies = std::ranges::any_of(group.varying, [&, &wanted = name](const AxisColumn& column) {
      return std::ranges::find(column.axes, wanted) != column.axes.end();
    });
    if (name == axis || (name != "regime" && !varies && !named_in_id(record, name))) {
      last_text.clear();
      continue;
    }
    if (!number(text)) {
      parts.push_back(text);
      last_text.clear();
    } else if (text == last_text) {
      parts.back().insert(parts.back().rfind('=') + 1, name + "=");
    } else {
      parts.push_back(name + "=" + text);
      last_text = text;
    }
  }
  const bool one_provider =
      std::ranges::all_of(group.records, [&](const Record* other) { return other->test.provider == record.test.provider; });
  if (!one_provider) parts.push_back(record.test.provider);
  return fmt::format("{}", fmt::join(parts, ", "));
}

// How many times faster: by rate where there is one, since two problems may differ in work.
double ratio(const Metrics& numerator, const Metrics& denominator) {
  if (numerator.flops && denominator.flops) return *numerator.flops / *denominator.flops;
  return denominator.time_s / numerator.time_s;
}

}  // namespace

std::string AxisColumn::title() const { return fmt::format("{}", fmt::join(axes, "=")); }

std::string axis_text(const Record& record, const std::string& axis) {
  if (const std::string* value = record.test.values.find(axis)) return *value;
  if (axis == kAccumulate && record.status == Status::passed) return std::string(name(record.math.accumulate));
  return std::string(kAbsent);
}

std::vector<Group> group_records(const Report& report) {
  std::vector<Group> groups;
  for (const Record& record : report.records) {
    const std::string& device = record.test.device.empty() ? record.device.id : record.test.device;
    auto group = std::ranges::find_if(
        groups, [&](const Group& g) { return g.benchmark == record.test.benchmark && g.device == device; });
    if (group == groups.end()) group = groups.insert(groups.end(), Group{record.test.benchmark, device, {}, {}, {}});
    group->records.push_back(&record);
  }
  for (Group& group : groups) {
    const std::vector<std::string> axes = axes_of(group.records);
    const SortKeys keys(group.records, axes);
    std::ranges::stable_sort(group.records, [&](const Record* a, const Record* b) { return keys.before(a, b); });
    split_axes(axes, group);
  }
  return groups;
}

std::vector<std::string> derived_lines(const Group& group, const std::vector<DerivedSpec>& specs) {
  std::vector<std::string> lines;
  for (const DerivedSpec& spec : specs) {
    for (const Record* numerator : group.records) {
      const std::string* value = numerator->test.values.find(spec.axis);
      const auto above = metrics_of(*numerator);
      if (value == nullptr || *value != spec.numerator || !above) continue;
      if (!spec.backend.empty() && spec.backend != numerator->backend) continue;
      for (const Record* denominator : group.records) {
        const auto below = metrics_of(*denominator);
        if (!below || axis_text(*denominator, spec.axis) != spec.denominator) continue;
        if (!alike_but_for(spec.axis, *numerator, *denominator)) continue;
        const double times = ratio(*above, *below);
        if (!std::isfinite(times)) continue;
        const std::string at = conditions(group, *numerator, spec.axis);
        lines.push_back(fmt::format("{}{}{}: {}x", spec.label, at.empty() ? "" : " at ", at, significant(times, 3)));
        break;
      }
    }
  }
  return lines;
}

}  // namespace rtxbench
