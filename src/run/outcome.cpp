#include "run/outcome.hpp"

#include <exception>
#include <new>

#include "rtxbench/error.hpp"

namespace rtxbench {

void end_without_measurement(Record& record, Status status, std::string reason) {
  record.status = status;
  record.reason = std::move(reason);
  record.measurement.reset();
}

Record blank_record(const Case& test, const DeviceInfo& device, const Registry& registry) {
  Record record{.test = test, .device = device, .status = Status::error};
  const Benchmark* benchmark = registry.find_benchmark(test.benchmark);
  if (benchmark == nullptr) return record;
  record.operation = benchmark->op();
  try {
    const auto problem = benchmark->problem(test.values);
    record.work = problem->work();
    record.math = problem->math();
  } catch (const std::exception&) {  // values that make no problem: running the case says so
  }
  return record;
}

ExecuteResult guarded(Record record, const std::function<void(Record&)>& body) {
  bool replace_worker = false;
  try {
    body(record);
  } catch (const DeviceError& error) {
    end_without_measurement(record, Status::error, error.what());
    replace_worker = error.sticky();
  } catch (const OutOfMemoryError& error) {
    end_without_measurement(record, Status::skipped, error.what());
  } catch (const std::bad_alloc&) {
    end_without_measurement(record, Status::skipped,
                            "out of host memory; a limit (ulimit -v) or the machine's own was reached");
  } catch (const std::exception& error) {
    end_without_measurement(record, Status::error, error.what());
  }
  return {std::move(record), replace_worker};
}

}  // namespace rtxbench
