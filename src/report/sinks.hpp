// The sinks by name.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "rtxbench/sink.hpp"

namespace rtxbench {

[[nodiscard]] std::unique_ptr<Sink> make_table_sink();
[[nodiscard]] std::unique_ptr<Sink> make_json_sink();

}  // namespace rtxbench
