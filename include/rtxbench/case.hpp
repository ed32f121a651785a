// A Case: one point of a benchmark's axes x a provider, and the id that replays it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rtxbench {

// Axis name -> canonical text of the value ("4096", "fp16", "0.5"), in the order of the benchmark's axes, every axis present.
struct AxisValues {
  std::vector<std::pair<std::string, std::string>> items;
  [[nodiscard]] const std::string& at(std::string_view axis) const;  // throws std::out_of_range
  [[nodiscard]] const std::string* find(std::string_view axis) const;
  void set(std::string_view axis, std::string value);  // replaces, or appends
  bool operator==(const AxisValues&) const = default;
};

// Typed readings of canonical values.
[[nodiscard]] std::int64_t integer_at(const AxisValues& values, std::string_view axis);
[[nodiscard]] double real_at(const AxisValues& values, std::string_view axis);

struct Case {
  std::string benchmark;
  AxisValues values;
  std::string provider;
  std::string device;  // DeviceInfo::id; not part of the id text
  std::string id;      // "gemm[dtype=fp16,m=4096,n=4096,k=4096,regime=sustained]@cublas"; defaults are left out
};

}  // namespace rtxbench
