#include "rtxbench/case.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace rtxbench {

const std::string* AxisValues::find(std::string_view axis) const {
  const auto item = std::ranges::find(items, axis, &std::pair<std::string, std::string>::first);
  return item == items.end() ? nullptr : &item->second;
}

const std::string& AxisValues::at(std::string_view axis) const {
  if (const std::string* value = find(axis)) return *value;
  throw std::out_of_range("no axis " + std::string(axis));
}

void AxisValues::set(std::string_view axis, std::string value) {
  const auto item = std::ranges::find(items, axis, &std::pair<std::string, std::string>::first);
  if (item == items.end()) {
    items.emplace_back(axis, std::move(value));
  } else {
    item->second = std::move(value);
  }
}

namespace {
template <class Number>
Number number_at(const AxisValues& values, std::string_view axis) {
  const std::string& text = values.at(axis);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw std::invalid_argument("axis " + std::string(axis) + " is not canonical: " + text);
  }
  return value;
}
}  // namespace

std::int64_t integer_at(const AxisValues& values, std::string_view axis) { return number_at<std::int64_t>(values, axis); }
double real_at(const AxisValues& values, std::string_view axis) { return number_at<double>(values, axis); }

}  // namespace rtxbench
