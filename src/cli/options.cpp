#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>

#include "plan/text.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

constexpr double kMaxDuration = 7 * 86400.0;
constexpr std::uint64_t kMaxSeed = (std::uint64_t{1} << 53) - 1;  // every JSON reader keeps integers up to here

std::uint64_t parse_count(std::string_view flag, std::string_view text, std::uint64_t min, std::uint64_t max) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < min || value > max) {
    throw UsageError(fmt::format("{}: '{}' is not accepted; give a whole number from {} to {}", flag, text, min, max));
  }
  return value;
}

void set_duration(double& value, std::string_view flag, const std::string& text) {
  if (!text.empty()) value = parse_duration_s(flag, text);
}

std::string joined(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, ",")); }

std::vector<std::string> split_commas(const std::vector<std::string>& texts, std::string_view flag) {
  std::vector<std::string> words;
  for (const std::string& text : texts) {
    for (std::string& word : split(text, ',')) {
      if (word.empty()) throw UsageError(fmt::format("{}: empty name in '{}'", flag, text));
      words.push_back(std::move(word));
    }
  }
  return words;
}

Parameters parameters_of(const TypedOptions& typed) {
  Parameters parameters;
  set_duration(parameters.min_time_s, "--min-time", typed.min_time);
  set_duration(parameters.max_time_s, "--max-time", typed.max_time);
  set_duration(parameters.case_timeout_s, "--timeout", typed.timeout);
  // Who asks only for a short measurement gets one.
  if (typed.min_time.empty()) parameters.min_time_s = std::min(parameters.min_time_s, parameters.max_time_s);
  if (parameters.min_time_s > parameters.max_time_s) {
    throw UsageError(fmt::format("--min-time {} s is longer than --max-time {} s: raise --max-time", parameters.min_time_s,
                                 parameters.max_time_s));
  }
  if (!typed.seed.empty()) parameters.seed = parse_count("--seed", typed.seed, 0, kMaxSeed);
  parameters.spin = !typed.no_spin;
  return parameters;
}

void check_extension(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".json") return;
  if (path == "-") throw UsageError("--out -: --out names a file; --json - writes the report to standard output");
  throw UsageError(fmt::format("--out {}: {}; known: .json", path,
                               extension.empty() ? "its name has no ending that tells the kind of file"
                                                 : fmt::format("unknown kind of file '{}'", extension)));
}

// Refuses "" and what was meant as the next option: `--json --quick` would fill a file of that name.
std::function<std::string(const std::string&)> is_a_value(const CLI::App& app) {
  return [&app](const std::string& text) -> std::string {
    if (text.empty()) return "no value";
    const bool option = text.starts_with("--") || (text.size() > 1 && app.get_option_no_throw(text) != nullptr);
    return option ? "no value before " + text : "";
  };
}

CLI::Option* add_list(CLI::App& app, const std::string& flag, std::vector<std::string>& values, const std::string& help) {
  return app.add_option(flag, values, help)->allow_extra_args(false)->take_all()->check(is_a_value(app));
}

}  // namespace

double parse_duration_s(std::string_view flag, std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr std::array kUnits{Unit{"", 1},   Unit{"s", 1},    Unit{"ms", 1e-3}, Unit{"us", 1e-6},
                              Unit{"m", 60}, Unit{"min", 60}, Unit{"h", 3600}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const auto unit = std::ranges::find(kUnits, text.substr(static_cast<std::size_t>(end - text.data())), &Unit::name);
  const bool valid = error == std::errc{} && unit != kUnits.end() && std::isfinite(number);
  const double value = valid ? number * unit->seconds : 0;
  if (!(value > 0 && value <= kMaxDuration)) {
    throw UsageError(
        fmt::format("{}: '{}' is not a time; accepted: 500ms, 2s, 1m, more than 0 and at most 7 days", flag, text));
  }
  return value;
}

void add_measuring_options(CLI::App& app, TypedOptions& typed, bool listed) {
  const auto group = [&](const char* name) { return listed ? name : ""; };
  const auto text = [&](const char* flag, std::string& value, const char* help, const char* kind, const char* in) {
    app.add_option(flag, value, help)->type_name(kind)->check(is_a_value(app))->group(group(in));
  };
  const auto texts = [&](const char* flag, std::vector<std::string>& value, const char* help, const char* kind,
                         const char* in) { add_list(app, flag, value, help)->option_text(kind)->group(group(in)); };
  const auto flag = [&](const char* name, bool& value, const char* help, const char* in) {
    app.add_flag(name, value, help)->group(group(in));
  };
  const char* what = "What to measure";
  text("-d,--device", typed.device,
       "auto, all, cpu, cuda:N, UUID or PCI id, or a list of them (auto: the first GPU, else the CPU)", "DEVICE", what);
  texts("--provider", typed.providers, "implementations by name, or a list of them, or all; see rtxbench list", "NAME", what);
  flag("--quick", typed.quick, "fewer sizes", what);
  flag("--thorough", typed.thorough, "more sizes and types", what);
  texts("--filter", typed.filters, "keep cases whose id contains this (* and ? allowed); repeatable", "TEXT", what);
  add_list(app, "--case", typed.case_ids, "replay exactly this case; repeatable")->option_text("ID")->group(what);
  flag("--dry-run", typed.dry_run, "show the cases, their memory and time, and what is skipped and why", what);
  const char* how = "How to measure";
  text("--min-time", typed.min_time, "least time of a measurement (0.5s)", "TIME", how);
  text("--max-time", typed.max_time, "most time of a measurement, however far it still scatters (5s)", "TIME", how);
  text("--budget", typed.budget, "most time of the whole run; cases that do not start in time are skipped", "TIME", how);
  text("--timeout", typed.timeout, "end a case that hangs for so long (5m)", "TIME", how);
  text("--processes", typed.processes, "measure each case in N fresh processes (1)", "N", how);
  text("--seed", typed.seed, "seed of the input data (1)", "N", how);
  flag("--no-spin", typed.no_spin, "do not hold launches behind a spin kernel (profilers, sanitizers)", how);
  const char* where = "Where results go";
  texts("-o,--out", typed.outs, "keep the report with every sample in this file (.json); repeatable", "FILE", where);
  text("--json", typed.json, "write the report to this file as JSON; -: to stdout, in place of the table", "FILE", where);
}

void add_axis_options(CLI::App& app, const Benchmark& benchmark, TypedOptions& typed) {
  const auto add = [&](const AxisSpec& axis, const char* group) {
    std::string help = axis.help;
    // A help text that explains every choice need not list them again.
    const bool told =
        std::ranges::all_of(axis.choices, [&](const auto& choice) { return help.find(choice + ":") != help.npos; });
    if (!told) help += fmt::format(": {}", fmt::join(axis.choices, ", "));
    if (!axis.default_value.empty()) help += fmt::format(" ({})", axis.default_value);
    if (!axis.follows.empty()) help += fmt::format(" (as --{})", axis.follows);
    add_list(app, "--" + axis.name, typed.axes[axis.name], help)->option_text("LIST")->group(group);
  };
  for (const AxisSpec& axis : benchmark.axes())
    add(axis, "Problem (lists 1,2,3; sweeps 1024:16384:x2 or 256:1024:+256; sizes 4k, 4Ki)");
  for (const AxisSpec& axis : engine_axes()) add(axis, "Conditions");
}

MeasureCommand interpret(const TypedOptions& typed, std::string_view benchmark) {
  if (typed.quick && typed.thorough) throw UsageError("--quick and --thorough exclude each other");
  MeasureCommand command;
  Request& request = command.request;
  request.benchmark = benchmark;
  for (const auto& [name, texts] : typed.axes) {
    if (!texts.empty()) request.axes[name] = joined(texts);
  }
  request.providers = split_commas(typed.providers, "--provider");
  request.filters = typed.filters;
  request.case_ids = typed.case_ids;
  request.effort = typed.quick ? Effort::quick : typed.thorough ? Effort::thorough : Effort::standard;
  request.parameters = parameters_of(typed);
  if (!typed.processes.empty()) command.run.processes = static_cast<int>(parse_count("--processes", typed.processes, 1, 1000));
  set_duration(command.run.budget_s, "--budget", typed.budget);
  command.device = typed.device;
  command.dry_run = typed.dry_run;
  for (const std::string& path : typed.outs) check_extension(path);
  if (typed.dry_run && !typed.outs.empty())
    throw UsageError("--out: a --dry-run measures nothing to report; --json shows its plan");
  command.reports = typed.outs;
  command.json_to_stdout = typed.json == "-";
  if (!command.json_to_stdout) command.json_file = typed.json;
  return command;
}

}  // namespace rtxbench
