#include "cli/exit_code.hpp"

#include <algorithm>
#include <csignal>

namespace rtxbench {

ExitCode exit_code_of(const std::vector<Record>& records, int signal) {
  if (signal == SIGHUP) return ExitCode::hung_up;
  if (signal == SIGINT) return ExitCode::interrupted;
  if (signal != 0) return ExitCode::terminated;
  const auto any = [&](Status status) { return std::ranges::find(records, status, &Record::status) != records.end(); };
  if (any(Status::wrong)) return ExitCode::wrong;
  if (any(Status::error)) return ExitCode::failed;
  return any(Status::passed) ? ExitCode::ok : ExitCode::usage;
}

}  // namespace rtxbench
