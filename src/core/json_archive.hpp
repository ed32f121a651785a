// Writing and reading JSON from one list of fields per type, so that the two directions cannot drift apart. A type is described
// by
//   template <class Archive, Same<T> Object> void fields(Archive& archive, Object& object) { archive("key", object.member); ...
//   }
// and the archives below walk that list: JsonWriter with a const object, JsonReader with a mutable one.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/enum_names.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/json.hpp"

namespace rtxbench {

template <class T, class Described>
concept Same = std::same_as<std::remove_const_t<T>, Described>;

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;

// Values of axes: numbers where the canonical text is one, else text; reading gives back the very same texts.
[[nodiscard]] Json encode_axis_values(const AxisValues& values);
[[nodiscard]] AxisValues decode_axis_values(const Json& json, const std::string& path);

// ---- writing ----------------------------------------------------------------------------------------------------------

class JsonWriter {
 public:
  template <class T>
  void operator()(const char* key, const T& value) {
    json_[key] = encode(value);
  }
  template <class T>
  void required(const char* key, const T& value) {
    (*this)(key, value);
  }
  // For members whose 0 means "unknown": null in the file.
  template <class T>
  void zero_is_null(const char* key, const T& value) {
    json_[key] = value == 0 ? Json(nullptr) : encode(value);
  }
  [[nodiscard]] Json take() { return std::move(json_); }

  template <class T>
  [[nodiscard]] static Json encode(const T& value) {
    if constexpr (kIsOptional<T>) {
      return value ? encode(*value) : Json(nullptr);
    } else if constexpr (kIsVector<T>) {
      Json array = Json::array();
      for (const auto& item : value) array.push_back(encode(item));
      return array;
    } else if constexpr (std::is_enum_v<T>) {
      return std::string(enum_name(value));
    } else if constexpr (std::floating_point<T>) {
      return std::isfinite(value) ? Json(value) : Json(nullptr);  // JSON has no NaN and no infinity
    } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
      return value;
    } else if constexpr (std::same_as<T, std::map<std::string, std::string>>) {
      Json object = Json::object();
      for (const auto& [key, text] : value) object[key] = text;
      return object;
    } else if constexpr (std::same_as<T, AxisValues>) {
      return encode_axis_values(value);
    } else {
      JsonWriter writer;
      fields(writer, value);
      return writer.take();
    }
  }

 private:
  Json json_ = Json::object();
};

// ---- reading ----------------------------------------------------------------------------------------------------------

// Throws UsageError "PATH: expected a number, found a string"; scalars whose type is right are quoted by value.
[[noreturn]] void refuse(std::string_view path, std::string_view expected, const Json& found, bool by_value = false);
[[nodiscard]] std::string join_path(std::string_view path, std::string_view key);

class JsonReader {
 public:
  JsonReader(const Json& json, std::string_view path) : json_(json), path_(path) {
    if (!json.is_object()) refuse(path, "an object", json);
  }
  // A missing key leaves the member at its default: an older report lacks what came later.
  template <class T>
  void operator()(const char* key, T& value) {
    const auto found = json_.find(key);
    if (found != json_.end()) decode(*found, join_path(path_, key), value);
  }
  template <class T>
  void required(const char* key, T& value) {
    if (!json_.contains(key)) throw UsageError(fmt::format("{}: missing", join_path(path_, key)));
    (*this)(key, value);
  }
  template <class T>
  void zero_is_null(const char* key, T& value) {
    const auto found = json_.find(key);
    value = 0;
    if (found != json_.end() && !found->is_null()) decode(*found, join_path(path_, key), value);
  }

  template <class T>
  static void decode(const Json& json, const std::string& path, T& value) {
    if constexpr (kIsOptional<T>) {
      value.reset();
      if (!json.is_null()) decode(json, path, value.emplace());
    } else if constexpr (kIsVector<T>) {
      if (!json.is_array()) refuse(path, "an array", json);
      value.clear();
      for (std::size_t i = 0; i < json.size(); ++i) decode(json[i], fmt::format("{}[{}]", path, i), value.emplace_back());
    } else if constexpr (std::is_enum_v<T>) {
      decode_enum(json, path, value);
    } else if constexpr (std::same_as<T, bool>) {
      if (!json.is_boolean()) refuse(path, "true or false", json);
      value = json.get<bool>();
    } else if constexpr (std::same_as<T, std::string>) {
      if (!json.is_string()) refuse(path, "a string", json);
      value = json.get<std::string>();
    } else if constexpr (std::floating_point<T>) {
      if (!json.is_number() && !json.is_null()) refuse(path, "a number", json);
      value = json.is_null() ? std::numeric_limits<T>::quiet_NaN() : json.get<T>();  // null: it was not finite
    } else if constexpr (std::integral<T>) {
      decode_integer(json, path, value);
    } else if constexpr (std::same_as<T, std::map<std::string, std::string>>) {
      if (!json.is_object()) refuse(path, "an object", json);
      value.clear();
      for (const auto& [key, text] : json.items()) decode(text, join_path(path, key), value[key]);
    } else if constexpr (std::same_as<T, AxisValues>) {
      value = decode_axis_values(json, path);
    } else {
      JsonReader reader(json, path);
      fields(reader, value);
    }
  }

 private:
  template <std::integral T>
  static void decode_integer(const Json& json, const std::string& path, T& value) {
    const bool fits = json.is_number_unsigned()  ? std::in_range<T>(json.get<std::uint64_t>())
                      : json.is_number_integer() ? std::in_range<T>(json.get<std::int64_t>())
                                                 : false;
    if (!fits) refuse(path, std::is_signed_v<T> ? "an integer" : "a non-negative integer", json, json.is_number());
    value = json.get<T>();
  }
  template <class Enum>
  static void decode_enum(const Json& json, const std::string& path, Enum& value) {
    const auto parsed = json.is_string() ? parse_enum<Enum>(json.get_ref<const std::string&>()) : std::nullopt;
    if (!parsed) refuse(path, fmt::format("one of {}", fmt::join(kEnumNames<Enum>, ", ")), json, json.is_string());
    value = *parsed;
  }

  const Json& json_;
  std::string path_;
};

}  // namespace rtxbench
