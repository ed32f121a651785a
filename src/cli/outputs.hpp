// The files that a run keeps its report in. A file that can no longer be written costs itself, never the run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "report/report_writer.hpp"

namespace rtxbench {

class Outputs {
 public:
  // Opens all of them; throws UsageError before anything is measured.
  explicit Outputs(const std::vector<std::string>& paths);
  // After a case. Says on stderr, once, when a file cannot be written.
  void update(const Report& report);
  // At the end, complete or not.
  void finish(const Report& report);
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] std::vector<std::string> written() const;  // files that hold the report

 private:
  template <class Write>
  void each(Write write);
  std::vector<std::unique_ptr<ReportWriter>> writers_;
  bool failed_ = false;
};

}  // namespace rtxbench
