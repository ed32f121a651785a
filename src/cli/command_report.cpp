// Kept reports as tables, and the schema that they follow.
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/derived.hpp"
#include "cli/terminal.hpp"
#include "report/report_writer.hpp"
#include "report/sinks.hpp"
#include "rtxbench/embedded.hpp"

namespace rtxbench {

ExitCode command_report(const std::vector<std::string>& files, const Registry& registry) {
  const Terminal terminal = inspect_terminal(STDOUT_FILENO);
  const auto table = make_table_sink();
  for (const std::string& file : files) {
    const Report report = read_report(file);
    if (files.size() > 1) write_stdout(file + ":\n");
    write_stdout(
        table->render(report, {.colour = terminal.colour, .width = terminal.width, .derived = derived_of(report, registry)}));
  }
  return ExitCode::ok;
}

ExitCode command_schema() {
  write_stdout(embedded::report_schema_json());
  return ExitCode::ok;
}

}  // namespace rtxbench
