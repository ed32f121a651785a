#include "cli/hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rtxbench {
namespace {

struct Habit {
  std::string_view words;  // separated and enclosed by blanks
  std::string_view hint;
};
constexpr std::array kHabits{
    Habit{" size sizes shape shapes dim dims mnk ", "sizes are --m, --n and --k; n and k follow m"},
    Habit{" type precision datatype ", "data types are --dtype"},
    Habit{" warmup warm-up warmups warmup-runs w warmUp ",
          "calls are warmed up by themselves; --regime sustained heats the chip"},
    Habit{" runs r min-runs max-runs iterations iters n-iter repeat repetitions samples min-samples count duration time ",
          "measuring ends when the median is narrow enough, between --min-time and --max-time"},
    Habit{" output export export-json jsonbin exportTimes save ", "--out FILE.json keeps the report, --json - prints it"},
    Habit{" csv md markdown export-csv export-markdown html ",
          "output is a table or JSON: --json FILE, or --json - for stdout"},
    Habit{" devices gpu gpus card ", "devices are --device, such as --device cuda:0"},
    Habit{" backend impl implementation library ", "implementations are --provider; rtxbench list names them"},
    Habit{" verbose v quiet q silent ", "results go to stdout, progress to stderr: 2>/dev/null leaves the results"},
    Habit{" version V ", "rtxbench --version"},
    Habit{" help ", "rtxbench --help, or rtxbench gemm --help"},
};

}  // namespace

std::string habit_hint(std::string_view word) {
  if (word.empty() || word.find(' ') != std::string_view::npos) return "";
  const auto habit = std::ranges::find_if(
      kHabits, [&](const Habit& one) { return one.words.find(fmt::format(" {} ", word)) != std::string_view::npos; });
  return habit == kHabits.end() ? "" : fmt::format("; {}", habit->hint);
}

std::string value_hint(std::string_view word, const Benchmark& benchmark) {
  const bool number = !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
  for (const AxisSpec& axis : benchmark.axes()) {
    const bool taken = number ? axis.kind == AxisKind::integer : std::ranges::find(axis.choices, word) != axis.choices.end();
    if (taken) return fmt::format("; did you mean --{} {}?", axis.name, word);
  }
  return "";
}

}  // namespace rtxbench
