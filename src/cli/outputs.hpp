// The files that a run keeps its report in. A file that cannot be written is tried again after later cases and costs itself
// alone, never the run.
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
  // After a case. Says so on stderr when a file can no longer be written.
  void update(const Report& report);
  // At the end, complete or not.
  void finish(const Report& report);
  // Whether a file does not hold what was last written.
  [[nodiscard]] bool failed() const;
  [[nodiscard]] std::vector<std::string> written() const;  // files that hold the report

 private:
  struct Output {
    std::unique_ptr<ReportWriter> writer;
    bool failed = false;
  };
  template <class Write>
  void each(const char* consequence, Write write);
  std::vector<Output> outputs_;
};

}  // namespace rtxbench
