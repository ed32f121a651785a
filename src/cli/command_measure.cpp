// Measuring: discovery, plan, run, outputs.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

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
#include "run/signals.hpp"

namespace rtxbench {
namespace {

std::string counted(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

// `all`: records or skips. Each reason once, with the number of cases it cost.
template <class Reasoned>
std::string nothing_measured(std::string_view what, const std::vector<Reasoned>& all) {
  std::map<std::string, std::size_t> reasons;
  for (const Reasoned& one : all) ++reasons[one.reason];
  std::string text(what);
  for (const auto& [reason, count] : reasons) text += fmt::format("; {} ({})", reason, counted(count, "case"));
  return "rtxbench: " + text + "\n";
}

void write_file(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  const bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file == nullptr || std::fclose(file) != 0 || !written)
    throw UsageError(fmt::format("--json {}: cannot be written: {}", path, std::strerror(errno)));
}

ExitCode show_plan(const Plan& plan, const MeasureCommand& command) {
  const int processes = command.run.processes;
  if (!command.json_file.empty()) write_file(command.json_file, plan_json(plan, processes));
  write_stdout(command.json_to_stdout ? plan_json(plan, processes) : plan_table(plan, processes));
  if (!plan.cases.empty()) return ExitCode::ok;
  write_stderr(nothing_measured("nothing can be measured", plan.skips));
  return ExitCode::usage;
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
      signal = supervisor.run(plan_, devices, command_.request.parameters, registry, command_.run, *signals_, events);
    } catch (...) {
      finish_files();
      throw;
    }
    report_.complete = signal == 0;
    finish_files();
    if (signal != 0) tell_interrupted(signal);
    signals_.reset();  // nothing can be lost any more, so a signal may end a reader's wait at once
    show(registry, signal);
    const ExitCode code = exit_code_of(report_.records, signal);
    if (code == ExitCode::usage) write_stderr(nothing_measured("nothing could be measured", report_.records));
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

  // A report without a record would only replace an earlier one.
  void finish_files() {
    progress_.clear();
    if (report_.complete || !report_.records.empty()) outputs_.finish(report_);
  }

  void tell_interrupted(int signal) {
    const auto files = outputs_.written();
    std::string kept = "; no --out was given, so nothing is kept";
    if (!files.empty()) kept = fmt::format("; the partial report is in {}", fmt::join(files, ", "));
    if (report_.records.empty()) kept = "; there is nothing to report";
    write_stderr(fmt::format("rtxbench: ended by signal {} after {} of {}{}\n", signal, report_.records.size(),
                             counted(plan_.cases.size() + plan_.skips.size(), "case"), kept));
  }

  void show(const Registry& registry, int signal) {
    const Terminal terminal = inspect_terminal(STDOUT_FILENO);
    // On a terminal that shows both streams, the notes stand above already. The files are written.
    if (terminal.tty && inspect_terminal(STDERR_FILENO).tty) report_.environment.notes.clear();
    const SinkOptions options{.colour = terminal.colour, .width = terminal.width, .derived = derived_of(report_, registry)};
    const auto sink = command_.json_to_stdout ? make_json_sink() : make_table_sink();
    try {
      write_stdout(sink->render(report_, options));
    } catch (const Error& error) {
      if (signal == 0) throw;
      write_stderr(fmt::format("rtxbench: {}\n", error.what()));  // the terminal may be gone; the signal decides the exit code
    }
  }

  const MeasureCommand& command_;
  const Plan& plan_;
  Report report_;
  std::optional<SignalWatch> signals_{std::in_place};  // before the outputs are opened, until they are written
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
