#include "cli/cli.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <csignal>
#include <functional>
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "plan/text.hpp"
#include "rtxbench/embedded.hpp"
#include "run/worker.hpp"

namespace rtxbench {
namespace {

std::string version_text() {
  return fmt::format("rtxbench {} ({}, {}, {})", embedded::version(), embedded::git_hash(), embedded::build_type(),
                     embedded::compiler());
}

// The grammar, made from the registry, and the command that a line of arguments stands for.
class CommandLine {
 public:
  CommandLine(std::vector<std::string> argv, const Registry& registry) : argv_(std::move(argv)), registry_(registry) {
    app_.name("rtxbench");
    app_.get_formatter()->column_width(30);
    app_.set_version_flag("--version", version_text());
    app_.footer("Example: rtxbench gemm --dtype fp16 --quick      Options of a benchmark: rtxbench gemm --help");
    app_.allow_extras();
    app_.require_subcommand(0, 1);
    add_measuring_options(app_, typed_, false);
    for (const auto& benchmark : registry.benchmarks) {
      CLI::App* command =
          add(benchmark->name(), benchmark->summary(), [this, &benchmark] { return measure(benchmark->name()); });
      add_axis_options(*command, *benchmark, typed_);
      add_measuring_options(*command, typed_, true);
    }
    CLI::App* list = add("list", "benchmarks, providers and devices", [this] { return command_list(json_, registry_); });
    list->add_flag("--json", json_, "as JSON");
    CLI::App* info = add("info", "devices with their peaks, libraries, host", [this] { return command_info(json_, argv_); });
    info->add_flag("--json", json_, "as JSON");
    add("schema", "JSON Schema of reports", [] { return command_schema(); });
    CLI::App* report = add("report", "show kept reports", [this] { return command_report(files_, registry_); });
    report->add_option("FILE", files_, "reports kept with --out")->required();
  }

  ExitCode run() {
    try {
      app_.parse(std::vector<std::string>(argv_.rbegin(), argv_.rend() - 1));
    } catch (const CLI::CallForHelp&) {
      write_stdout(app_.help());
      return ExitCode::ok;
    } catch (const CLI::CallForVersion&) {
      write_stdout(version_text() + "\n");
      return ExitCode::ok;
    } catch (const CLI::ParseError& error) {
      remember_command();
      refuse_extras();
      throw UsageError(error.what());
    }
    remember_command();
    refuse_extras();
    if (const auto chosen = app_.get_subcommands(); !chosen.empty()) return actions_.at(chosen.front()->get_name())();
    if (typed_.case_ids.empty()) throw UsageError("say what to do, for example: rtxbench gemm");
    return measure("");
  }

  [[nodiscard]] const std::string& help_command() const { return help_command_; }

 private:
  CLI::App* add(std::string_view name, std::string_view summary, std::function<ExitCode()> action) {
    CLI::App* command = app_.add_subcommand(std::string(name), std::string(summary));
    command->allow_extras();
    actions_[std::string(name)] = std::move(action);
    return command;
  }

  ExitCode measure(std::string_view benchmark) { return command_measure(interpret(typed_, benchmark), argv_, registry_); }

  void remember_command() {
    if (const auto chosen = app_.get_subcommands(); !chosen.empty()) help_command_ += " " + chosen.front()->get_name();
  }

  // The first argument that nothing took, with the nearest name that would have.
  void refuse_extras() const {
    const auto chosen = app_.get_subcommands();
    if (!chosen.empty()) refuse(*chosen.front(), chosen.front()->remaining());
    refuse(app_, app_.remaining(false));
  }

  void refuse(const CLI::App& command, const std::vector<std::string>& remaining) const {
    if (remaining.empty()) return;
    const std::string typed = remaining.front().substr(0, remaining.front().find('='));
    std::vector<std::string> known;
    if (typed.starts_with("-")) {
      for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) known.push_back(name);
      }
      const std::string bare = typed.substr(std::min(typed.size(), typed.find_first_not_of('-')));
      throw UsageError(fmt::format("{} is not an option of {}{}", typed, command.get_name(), did_you_mean(bare, known, "--")));
    }
    if (&command != &app_) throw UsageError(fmt::format("unexpected argument '{}'", remaining.front()));
    for (const auto& [name, action] : actions_) known.push_back(name);
    throw UsageError(fmt::format("'{}' is not a command{}", typed, did_you_mean(typed, known)));
  }

  CLI::App app_{"Benchmarks of GPUs, and of the CPU where there is none"};
  std::vector<std::string> argv_;
  const Registry& registry_;
  TypedOptions typed_;
  bool json_ = false;
  std::vector<std::string> files_;
  std::map<std::string, std::function<ExitCode()>> actions_;
  std::string help_command_ = "rtxbench";
};

int fail(ExitCode code, const std::string& message) {
  write_stderr("rtxbench: " + message + "\n");
  return static_cast<int>(code);
}

}  // namespace

int run_cli(int argc, char** argv, const Registry& registry) {
  std::vector<std::string> arguments(argv, argv + argc);
  if (arguments.size() == 2 && arguments[1] == "worker") return worker_main(registry);  // started by the supervisor
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is seen by write()
  std::unique_ptr<CommandLine> line;
  try {
    line = std::make_unique<CommandLine>(std::move(arguments), registry);
    return static_cast<int>(line->run());
  } catch (const UsageError& error) {
    const std::string hint = line ? fmt::format("\ntry: {} --help", line->help_command()) : "";
    return fail(ExitCode::usage, error.what() + hint);
  } catch (const NoDeviceError& error) {
    return fail(ExitCode::no_device, error.what());
  } catch (const std::exception& error) {
    return fail(ExitCode::failed, error.what());
  }
}

}  // namespace rtxbench
