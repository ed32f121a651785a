// Records in the order and grouping that a reader wants: by benchmark and device, axes that vary apart from those that do not.
#pragma once

#include <string>
#include <vector>

#include "rtxbench/benchmark.hpp"
#include "rtxbench/report.hpp"

namespace rtxbench {

// One column: an axis, or neighbouring numeric axes whose values agree in every record ("m=n=k").
struct AxisColumn {
  std::vector<std::string> axes;
  bool numeric = false;
  [[nodiscard]] std::string title() const;
};

struct Group {
  std::string benchmark;
  std::string device;                  // id
  std::vector<const Record*> records;  // by axis values (numbers ascending), then provider
  std::vector<AxisColumn> varying;
  std::vector<std::string> constants;  // "dtype=fp16", "m=n=k=4096", ... the same in every record
};

// The pointers are into `report`.
[[nodiscard]] std::vector<Group> group_records(const Report& report);

// Value of an axis, "accumulate" included, or "-" where the record has none.
[[nodiscard]] std::string axis_text(const Record& record, const std::string& axis);

// "fp16 / fp32 at m=n=k=4096, burst: 13.8x", one for each pair of passed records alike but for the axis of a spec.
[[nodiscard]] std::vector<std::string> derived_lines(const Group& group, const std::vector<DerivedSpec>& specs);

}  // namespace rtxbench
