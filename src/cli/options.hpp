// Options of measuring: as typed, and what they mean.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.hpp"
#include "run/supervisor.hpp"

namespace CLI {
class App;
}

namespace rtxbench {

// Texts as typed, so that every error message is ours and names the flag.
struct TypedOptions {
  std::map<std::string, std::vector<std::string>> axes;
  std::vector<std::string> providers, filters, case_ids, outs;
  std::string device = "auto";
  std::string json, seed, min_time, max_time, budget, processes, timeout;
  bool quick = false, thorough = false, dry_run = false, no_spin = false;
};

struct MeasureCommand {
  Request request;
  RunOptions run;
  std::string device;
  std::vector<std::string> reports;  // files to keep the report in
  std::string json_file;             // --json FILE: the report, or under --dry-run the plan
  bool json_to_stdout = false;       // then stdout carries nothing else
  bool dry_run = false;
};

// `listed` false: accepted, but left out of the help text.
void add_measuring_options(CLI::App& app, TypedOptions& typed, bool listed);
void add_axis_options(CLI::App& app, const Benchmark& benchmark, TypedOptions& typed);

// Throws UsageError naming the flag. `benchmark` is empty for `rtxbench --case ID`.
[[nodiscard]] MeasureCommand interpret(const TypedOptions& typed, std::string_view benchmark);

// "500ms", "2s", "1m", "1h"; a bare number is seconds. Positive and at most 7 days.
[[nodiscard]] double parse_duration_s(std::string_view flag, std::string_view text);

}  // namespace rtxbench
