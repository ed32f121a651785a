// Conversion of records and their parts to and from JSON: the wire format between worker and supervisor and the report's body.
// Strict: non-finite numbers become null; numbers round-trip; text is made valid UTF-8.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "rtxbench/report.hpp"

namespace rtxbench {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(const DeviceInfo& info);
[[nodiscard]] Json to_json(const Parameters& parameters);
[[nodiscard]] Json to_json(const Record& record);
[[nodiscard]] Json to_json(const Environment& environment);
[[nodiscard]] Json to_json(const Report& report);

// Each throws UsageError with the JSON path of the first thing that does not fit. Absent optional fields are absent values.
[[nodiscard]] DeviceInfo device_info_from_json(const Json& json, std::string_view path = "");
[[nodiscard]] Parameters parameters_from_json(const Json& json, std::string_view path = "");
[[nodiscard]] Record record_from_json(const Json& json, std::string_view path = "");
[[nodiscard]] Report report_from_json(const Json& json, std::string_view source);  // source: file name for messages

// One line / pretty text, strict UTF-8 (invalid bytes replaced), independent of locale.
[[nodiscard]] std::string dump_line(const Json& json);
[[nodiscard]] std::string dump_pretty(const Json& json);

}  // namespace rtxbench
