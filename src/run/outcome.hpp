// Records of cases that end before a measurement, in the worker and in the supervisor alike.
#pragma once

#include <functional>
#include <string>

#include "run/execute.hpp"

namespace rtxbench {

// Everything that is known of a case before it runs; status error until something better is known.
[[nodiscard]] Record blank_record(const Case& test, const DeviceInfo& device, const Registry& registry);

// The one catch of a case: an exception from `body` becomes the record's status and reason.
[[nodiscard]] ExecuteResult guarded(Record record, const std::function<void(Record&)>& body);

// Ends the record without a measurement.
void end_without_measurement(Record& record, Status status, std::string reason);

}  // namespace rtxbench
