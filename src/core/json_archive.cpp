#include "core/json_archive.hpp"

#include <array>
#include <charconv>

namespace rtxbench {
namespace {

std::string describe(const Json& json, bool by_value) {
  if (by_value) {
    std::string text = dump_line(json);
    constexpr std::size_t kShown = 60;
    if (text.size() <= kShown) return text;
    std::size_t end = kShown;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;  // never cut a character in two
    return text.substr(0, end) + "...";
  }
  switch (json.type()) {
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "an array";
    case Json::value_t::string:
      return "a string";
    case Json::value_t::boolean:
      return json.get<bool>() ? "true" : "false";
    case Json::value_t::null:
      return "null";
    default:
      return "a number";
  }
}

// The shortest text that reads back as the same number; never depends on the locale.
template <class Number>
std::string shortest(Number value) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

template <class Number>
bool reads_back(const std::string& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && shortest(value) == text;
}

void pretty(const Json& json, std::size_t indent, std::string& out) {
  const bool nested = json.is_structured() && !json.empty();
  bool flat = json.is_array();  // an array of scalars (samples) stays on one line
  if (flat) {
    for (const Json& item : json) flat = flat && !item.is_structured();
  }
  if (!nested || flat) {
    out += dump_line(json);
    return;
  }
  out += json.is_array() ? '[' : '{';
  const char* separator = "\n";
  for (const auto& [key, item] : json.items()) {
    out += separator;
    separator = ",\n";
    out.append(indent + 1, ' ');
    if (json.is_object()) out += dump_line(Json(key)) + ": ";
    pretty(item, indent + 1, out);
  }
  out += '\n';
  out.append(indent, ' ');
  out += json.is_array() ? ']' : '}';
}

}  // namespace

void refuse(std::string_view path, std::string_view expected, const Json& found, bool by_value) {
  throw UsageError(
      fmt::format("{}: expected {}, found {}", path.empty() ? "document" : path, expected, describe(found, by_value)));
}

std::string join_path(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

Json encode_axis_values(const AxisValues& values) {
  Json object = Json::object();
  for (const auto& [axis, text] : values.items) {
    std::int64_t integer = 0;
    double real = 0;
    if (reads_back(text, integer)) {
      object[axis] = integer;
    } else if (reads_back(text, real) && std::isfinite(real)) {
      object[axis] = real;
    } else {
      object[axis] = text;
    }
  }
  return object;
}

AxisValues decode_axis_values(const Json& json, const std::string& path) {
  if (!json.is_object()) refuse(path, "an object", json);
  AxisValues values;
  for (const auto& [axis, value] : json.items()) {
    if (value.is_string()) {
      values.set(axis, value.get<std::string>());
    } else if (value.is_number_float()) {
      values.set(axis, shortest(value.get<double>()));
    } else if (value.is_number_unsigned()) {
      values.set(axis, shortest(value.get<std::uint64_t>()));
    } else if (value.is_number_integer()) {
      values.set(axis, shortest(value.get<std::int64_t>()));
    } else {
      refuse(join_path(path, axis), "a number or a string", value);
    }
  }
  return values;
}

std::string dump_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string dump_pretty(const Json& json) {
  std::string out;
  pretty(json, 0, out);
  out += '\n';
  return out;
}

}  // namespace rtxbench
