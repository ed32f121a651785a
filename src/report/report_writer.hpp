// Keeps a report file valid at every moment: written whole to a temporary file, fsynced, renamed.
#pragma once

#include <chrono>
#include <string>

#include "rtxbench/report.hpp"

namespace rtxbench {

class ReportWriter {
 public:
  // Opens the temporary file at once, so that a bad path fails before the first case runs (UsageError: path and cause).
  explicit ReportWriter(std::string path);
  ~ReportWriter();
  ReportWriter(const ReportWriter&) = delete;
  ReportWriter& operator=(const ReportWriter&) = delete;
  // Writes when 2 s have passed since the last write.
  void update(const Report& report);
  // Writes now. A full disk throws Error with path and cause and leaves the last valid file.
  void flush(const Report& report);
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::chrono::steady_clock::time_point last_write_{};
};

// Reads a kept report. UsageError: path and cause (missing, empty, truncated, foreign, newer schema, wrong type with JSON
// path).
[[nodiscard]] Report read_report(const std::string& path);

}  // namespace rtxbench
