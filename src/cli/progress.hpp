// Progress on stderr: one redrawn line on a terminal, one plain line a finished case elsewhere.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "cli/terminal.hpp"
#include "plan/plan.hpp"
#include "run/protocol.hpp"

namespace rtxbench {

class ProgressDisplay {
 public:
  // `write` takes text for stderr; a test hands in its own.
  ProgressDisplay(const Plan& plan, int processes, Terminal terminal, std::function<void(std::string_view)> write);
  void started(const Case& test);
  void progress(const Progress& progress);
  void finished(const Record& record);
  void clear();  // wipes the redrawn line, so that other text can follow

 private:
  void redraw(const std::string& line);
  [[nodiscard]] double remaining_s() const;

  Terminal terminal_;
  std::function<void(std::string_view)> write_;
  std::map<std::string, double> estimates_;  // case id + device -> planned seconds
  double left_s_ = 0, done_s_ = 0;           // planned seconds of cases not finished, finished
  std::size_t total_ = 0, finished_ = 0;     // cases and skips
  std::string current_;
  std::chrono::steady_clock::time_point start_, last_draw_;
  bool drawn_ = false;
};

}  // namespace rtxbench
