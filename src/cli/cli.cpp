#include "cli/cli.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <csignal>
#include <functional>
#include <memory>
#include <new>

#include "cli/commands.hpp"
#include "cli/hints.hpp"
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
    app_.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app_.set_version_flag("-V,--version", version_text(), "show the version and exit");
    app_.set_help_flag("-h,--help", "show this help and exit");  // commands inherit it
    app_.allow_extras();
    app_.require_subcommand(0, 1);
    add_measuring_options(app_, typed_, false);
    for (const auto& benchmark : registry.benchmarks) {
      CLI::App* command =
          add(benchmark->name(), benchmark->summary(), [this, &benchmark] { return measure(benchmark->name()); });
      add_axis_options(*command, *benchmark, typed_);
      add_measuring_options(*command, typed_, true);
      command->footer(
          fmt::format("Example: rtxbench {} --quick --out report.json\n"
                      "Types, sizes, regimes and providers that are not given depend on the device; --dry-run lists the cases.",
                      benchmark->name()));
    }
    CLI::App* list = add("list", "benchmarks, providers and devices", [this] { return command_list(json_, registry_); });
    list->add_flag("--json", json_, "as JSON");
    CLI::App* info = add("info", "devices with their peaks, libraries, host", [this] { return command_info(json_, argv_); });
    info->add_flag("--json", json_, "as JSON");
    add("schema", "JSON Schema of reports", [] { return command_schema(); });
    CLI::App* report = add("report", "show kept reports", [this] { return command_report(files_, registry_); });
    report->add_option("FILE", files_, "reports kept with --out")->required()->option_text("...");
    app_.footer("Example: rtxbench gemm --dtype fp16 --quick      Options of a benchmark: rtxbench gemm --help");
  }

  ExitCode run() {
    try {
      app_.parse(std::vector<std::string>(argv_.rbegin(), argv_.rend() - 1));
    } catch (const CLI::CallForHelp&) {
      write_stdout(help_text());
      return ExitCode::ok;
    } catch (const CLI::CallForVersion&) {
      write_stdout(version_text() + "\n");
      return ExitCode::ok;
    } catch (const CLI::ParseError& error) {
      check_arguments();
      throw UsageError(error.what());
    }
    check_arguments();
    refuse_misplaced();
    if (const auto chosen = app_.get_subcommands(); !chosen.empty()) return actions_.at(chosen.front()->get_name())();
    if (typed_.case_ids.empty()) throw UsageError("say what to do, for example: rtxbench gemm");
    return measure("");
  }

  [[nodiscard]] const std::string& help_command() const { return help_command_; }

 private:
  CLI::App* add(std::string_view name, std::string_view summary, std::function<ExitCode()> action) {
    CLI::App* command = app_.add_subcommand(std::string(name), std::string(summary));
    command->allow_extras();
    command->group("Commands");
    command->set_version_flag("-V,--version", version_text())->group("");
    actions_[std::string(name)] = std::move(action);
    return command;
  }

  ExitCode measure(std::string_view benchmark) { return command_measure(interpret(typed_, benchmark), argv_, registry_); }

  // CLI11 leaves two empty lines between groups.
  [[nodiscard]] std::string help_text() const {
    std::string text = app_.help();
    for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
    return text;
  }

  void remember_command() {
    if (const auto chosen = app_.get_subcommands(); !chosen.empty()) help_command_ += " " + chosen.front()->get_name();
  }

  void check_arguments() {
    remember_command();
    refuse_extras();
    check_repeats(app_);
    for (const CLI::App* command : app_.get_subcommands()) check_repeats(*command);
  }

  static void check_repeats(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_multi_option_policy() != CLI::MultiOptionPolicy::Throw || option->get_items_expected_max() == 0) continue;
      if (option->results().size() <= static_cast<std::size_t>(option->get_items_expected_max())) continue;
      throw UsageError(fmt::format("{} is given {} times: give it once", option->get_name(), option->results().size()));
    }
  }

  // The first argument that nothing took, with the nearest name that would have.
  void refuse_extras() const {
    const auto chosen = app_.get_subcommands();
    if (!chosen.empty()) refuse(*chosen.front(), chosen.front()->remaining());
    refuse(app_, app_.remaining(false));
  }

  // Options of measuring may stand before the command. What they say must not get lost.
  void refuse_misplaced() const {
    const auto chosen = app_.get_subcommands();
    if (chosen.empty()) return;
    const CLI::App& command = *chosen.front();
    const bool measures = std::ranges::any_of(registry_.benchmarks,
                                              [&](const auto& benchmark) { return benchmark->name() == command.get_name(); });
    for (const CLI::Option* option : app_.get_options()) {
      if (option->count() == 0) continue;
      const std::string flag = option->get_name();
      if (!measures) throw UsageError(fmt::format("{} is of no use to {}; leave it out", flag, command.get_name()));
      if (command.get_option_no_throw(flag)->count() > 0) {
        throw UsageError(fmt::format("{} stands before and after {}; give it once", flag, command.get_name()));
      }
    }
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
      throw UsageError(
          fmt::format("{} is not an option of {}{}", typed, command.get_name(), option_hint(command, bare, known)));
    }
    if (&command != &app_) {
      const std::string& word = remaining.front();
      throw UsageError(fmt::format("unexpected argument '{}'{}", word, axis_value_hint(command, word)));
    }
    for (const auto& [name, action] : actions_) known.push_back(name);
    const std::string hint = habit_hint(typed);
    throw UsageError(fmt::format("'{}' is not a command{}", typed, hint.empty() ? did_you_mean(typed, known) : hint));
  }

  [[nodiscard]] std::string axis_value_hint(const CLI::App& command, std::string_view word) const {
    for (const auto& benchmark : registry_.benchmarks) {
      if (benchmark->name() == command.get_name()) return value_hint(word, *benchmark);
    }
    return "";
  }

  [[nodiscard]] std::string option_hint(const CLI::App& command, const std::string& bare,
                                        const std::vector<std::string>& known) const {
    for (const auto& benchmark : registry_.benchmarks) {
      const bool before =
          &command == &app_ && app_.get_subcommand(std::string(benchmark->name()))->get_option_no_throw("--" + bare);
      if (before) return fmt::format("; it stands after a benchmark: rtxbench {} --{}", benchmark->name(), bare);
    }
    for (const std::string& hint : {axis_value_hint(command, bare), habit_hint(bare)}) {
      if (!hint.empty()) return hint;
    }
    return did_you_mean(bare, known, "--");
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

// Without the middle of what nobody can read: an argument of a million digits would push the remedy off the screen.
std::string readable(const std::string& message) {
  constexpr std::size_t kEnds = 1000;
  if (message.size() <= 2 * kEnds) return message;
  const auto character = [&](std::size_t at) {  // not within a UTF-8 sequence
    while ((static_cast<unsigned char>(message[at]) & 0xc0U) == 0x80U) --at;
    return at;
  };
  return message.substr(0, character(kEnds)) + " [...] " + message.substr(character(message.size() - kEnds));
}

int fail(ExitCode code, const std::string& message) {
  write_stderr("rtxbench: " + readable(message) + "\n");
  return static_cast<int>(code);
}

}  // namespace

int run_cli(int argc, char** argv, const Registry& registry) {
  std::vector<std::string> arguments(argv, argv + argc);
  if (arguments.size() == 2 && arguments[1] == "worker") return worker_main(registry);  // started by the supervisor
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is seen by write()
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file that reaches the limit of the shell
  std::signal(SIGCHLD, SIG_DFL);  // ignored, it would hide how a worker ended
  occupy_standard_streams();
  std::unique_ptr<CommandLine> line;
  try {
    line = std::make_unique<CommandLine>(std::move(arguments), registry);
    return static_cast<int>(line->run());
  } catch (const UsageError& error) {
    const std::string hint = line ? fmt::format("\ntry: {} --help", line->help_command()) : "";
    return fail(ExitCode::usage, error.what() + hint);
  } catch (const NoDeviceError& error) {
    return fail(ExitCode::no_device, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::failed, "out of host memory; a limit (ulimit -v) or the machine's own was reached");
  } catch (const std::exception& error) {
    return fail(ExitCode::failed, error.what());
  }
}

}  // namespace rtxbench
