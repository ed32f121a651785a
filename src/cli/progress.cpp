#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/display_width.hpp"
#include "rtxbench/metrics.hpp"
#include "rtxbench/units.hpp"

namespace rtxbench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string key(const Case& test) { return test.id + '\n' + test.device; }

std::string outcome(const Record& record) {
  const auto metrics = metrics_of(record);
  if (!metrics)
    return record.reason.empty() ? std::string(name(record.status)) : fmt::format("{}: {}", name(record.status), record.reason);
  const Summary& time = record.measurement->time;
  std::string text = fmt::format("{} {}", name(record.status), time_text(metrics->time_s));
  if (time.confidence > 0 && time.median > 0) text += fmt::format(" +-{:.2g} %", 50 * (time.upper - time.lower) / time.median);
  if (metrics->flops) text += fmt::format(", {}", si_text(*metrics->flops, "FLOPS"));
  if (record.measurement->clock_hz) text += fmt::format(", {:.0f} MHz", *record.measurement->clock_hz / 1e6);
  return text;
}

}  // namespace

ProgressDisplay::ProgressDisplay(const Plan& plan, int processes, Terminal terminal,
                                 std::function<void(std::string_view)> write)
    : terminal_(terminal), write_(std::move(write)), total_(plan.cases.size() + plan.skips.size()), start_(Clock::now()) {
  for (const PlannedCase& planned : plan.cases) {
    estimates_[key(planned.test)] = planned.estimated_s * processes;
    left_s_ += planned.estimated_s * processes;
  }
}

// Planned time of what is left, stretched or shrunk as the finished cases were.
double ProgressDisplay::remaining_s() const {
  if (done_s_ <= 0) return left_s_;
  return left_s_ * std::clamp(seconds_since(start_) / done_s_, 0.2, 5.0);
}

void ProgressDisplay::started(const Case& test) {
  current_ = test.id;
  redraw(fmt::format("[{}/{}] {}  ETA {}", finished_ + 1, total_, current_, wait_text(remaining_s())));
}

void ProgressDisplay::progress(const Progress& progress) {
  constexpr double kInterval = 0.1;
  if (!terminal_.redraw || (drawn_ && seconds_since(last_draw_) < kInterval)) return;
  std::string line = fmt::format("[{}/{}] {}  {}", finished_ + 1, total_, current_, progress.phase);
  if (progress.samples > 0) {
    line += fmt::format("  {} +-{:.2g} %", time_text(progress.median_s), 100 * progress.relative_half_width);
  }
  if (progress.clock_hz) line += fmt::format("  {:.0f} MHz", *progress.clock_hz / 1e6);
  redraw(line + fmt::format("  ETA {}", wait_text(remaining_s())));
}

void ProgressDisplay::finished(const Record& record) {
  ++finished_;
  if (const auto estimate = estimates_.find(key(record.test)); estimate != estimates_.end()) {
    left_s_ = std::max(0.0, left_s_ - estimate->second);
    done_s_ += estimate->second;
  }
  if (terminal_.redraw) {
    redraw(fmt::format("[{}/{}] {}  {}", finished_, total_, record.test.id, outcome(record)));
  } else {
    write_(printable(fmt::format("[{}/{}] {}: {}", finished_, total_, record.test.id, outcome(record))) + "\n");
  }
}

void ProgressDisplay::redraw(const std::string& line) {
  if (!terminal_.redraw) return;
  const std::string text = printable(line);
  write_("\r\x1b[K" + (terminal_.width > 1 ? clipped(text, terminal_.width - 1) : text));  // a wrapped line would stay
  drawn_ = true;
  last_draw_ = Clock::now();
}

void ProgressDisplay::clear() {
  if (drawn_) write_("\r\x1b[K");
  drawn_ = false;
}

}  // namespace rtxbench
