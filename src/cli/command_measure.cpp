// Measuring: discovery, plan, run, outputs.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <map>

#include "cli/commands.hpp"
#include "cli/derived.hpp"
#include "cli/dry_run.hpp"
#include "cli/exit_code.hpp"
#include "cli/outputs.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "env/environment.hpp"
#include "plan/plan.hpp"
#include "report/sinks.hpp"

namespace rtxbench {
namespace {

std::string counted(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

// Each reason once, with the number of cases it cost.
std::string nothing_measured(const std::vector<Record>& records) {
  std::map<std::string, std::size_t> reasons;
  for (const Record& record : records) ++reasons[record.reason];
  std::string text = "nothing could be measured";
  for (const auto& [reason, count] : reasons) text += fmt::format("; {} ({})", reason, counted(count, "case"));
  return text;
}

void write_file(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  const bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file == nullptr || std::fclose(file) != 0 || !written)
    throw UsageError(fmt::format("--json {}: cannot be written", path));
}

ExitCode show_plan(const Plan& plan, const MeasureCommand& command) {
  const int processes = command.run.processes;
  if (!command.json_file.empty()) write_file(command.json_file, plan_json(plan, processes));
  write_stdout(command.json_to_stdout ? plan_json(plan, processes) : plan_table(plan, processes));
  return plan.cases.empty() ? ExitCode::usage : ExitCode::ok;
}

// The run itself: events into the report, the files and the progress line. Whatever is thrown, what was measured is kept.
class Run {
 public:
  Run(const MeasureCommand& command, const Plan& plan, Report report)
      : command_(command),
        plan_(plan),
        report_(std::move(report)),
        outputs_(paths(command)),
        progress_(plan, command.run.processes, inspect_terminal(STDERR_FILENO), write_stderr) {}

  ExitCode execute(Supervisor& supervisor, const std::vector<DeviceInfo>& devices, const Registry& registry) {
    const RunEvents events{
        .started = [this](const Case& test) { progress_.started(test); },
        .progress = [this](const Progress& progress) { progress_.progress(progress); },
        .finished = [this](Record record) { keep(std::move(record)); },
    };
    int signal = 0;
    try {
      signal = supervisor.run(plan_, devices, command_.request.parameters, registry, command_.run, events);
    } catch (...) {
      progress_.clear();
      outputs_.finish(report_);
      throw;
    }
    report_.complete = signal == 0;
    progress_.clear();
    outputs_.finish(report_);
    if (signal != 0) tell_interrupted(signal);
    show(registry);
    const ExitCode code = exit_code_of(report_.records, signal);
    if (code == ExitCode::usage) write_stderr("rtxbench: " + nothing_measured(report_.records) + "\n");
    return code == ExitCode::ok && outputs_.failed() ? ExitCode::failed : code;
  }

 private:
  static std::vector<std::string> paths(const MeasureCommand& command) {
    std::vector<std::string> all = command.reports;
    if (!command.json_file.empty()) all.push_back(command.json_file);
    return all;
  }

  void keep(Record record) {
    progress_.finished(record);
    report_.records.push_back(std::move(record));
    outputs_.update(report_);
  }

  void tell_interrupted(int signal) {
    const auto files = outputs_.written();
    write_stderr(fmt::format("rtxbench: ended by signal {} after {} of {}{}\n", signal, report_.records.size(),
                             counted(plan_.cases.size() + plan_.skips.size(), "case"),
                             files.empty() ? "; no --out was given, so nothing is kept"
                                           : fmt::format("; the partial report is in {}", fmt::join(files, ", "))));
  }

  void show(const Registry& registry) {
    const Terminal terminal = inspect_terminal(STDOUT_FILENO);
    // On a terminal that shows both streams, the notes stand above already. The files are written.
    if (terminal.tty && inspect_terminal(STDERR_FILENO).tty) report_.environment.notes.clear();
    const SinkOptions options{.colour = terminal.colour, .width = terminal.width, .derived = derived_of(report_, registry)};
    const auto sink = command_.json_to_stdout ? make_json_sink() : make_table_sink();
    write_stdout(sink->render(report_, options));
  }

  const MeasureCommand& command_;
  const Plan& plan_;
  Report report_;
  Outputs outputs_;
  ProgressDisplay progress_;
};

}  // namespace

ExitCode command_measure(const MeasureCommand& command, const std::vector<std::string>& argv, const Registry& registry) {
  check_request(command.request, registry);
  Supervisor supervisor;
  const Discovery discovery = supervisor.discover();
  std::string note;
  const auto devices = select_devices(command.device, discovery.devices, discovery.none_reasons, note);
  if (!note.empty()) write_stderr("rtxbench: " + note + "\n");
  const Plan plan = make_plan(command.request, registry, devices);
  if (command.dry_run) return show_plan(plan, command);

  Report report;
  report.environment = collect_environment(argv, devices, discovery.software);
  if (!note.empty()) report.environment.notes.push_back(note);
  report.parameters = command.request.parameters;
  report.processes = command.run.processes;
  return Run(command, plan, std::move(report)).execute(supervisor, devices, registry);
}

}  // namespace rtxbench
