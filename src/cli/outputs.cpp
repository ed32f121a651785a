#include "cli/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/terminal.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench {

Outputs::Outputs(const std::vector<std::string>& paths) {
  std::vector<std::filesystem::path> seen;
  for (const std::string& path : paths) {
    std::error_code error;  // where the working folder is gone, the writer says so
    const auto place = std::filesystem::absolute(path, error).lexically_normal();
    if (!error && std::ranges::find(seen, place) != seen.end())
      throw UsageError(fmt::format("{} is named as an output twice", path));
    seen.push_back(place);
    outputs_.push_back({std::make_unique<ReportWriter>(path)});
  }
}

// Says it once for each time that a file stops being writable.
template <class Write>
void Outputs::each(const char* consequence, Write write) {
  for (Output& output : outputs_) {
    try {
      write(*output.writer);
      output.failed = false;
    } catch (const Error& error) {
      if (!output.failed) write_stderr(fmt::format("rtxbench: {}; {}\n", error.what(), consequence));
      output.failed = true;
    }
  }
}

void Outputs::update(const Report& report) {
  each("trying again after later cases", [&](ReportWriter& writer) { writer.update(report); });
}

void Outputs::finish(const Report& report) {
  each("what was measured since is not in it", [&](ReportWriter& writer) { writer.flush(report); });
}

bool Outputs::failed() const { return std::ranges::any_of(outputs_, &Output::failed); }

std::vector<std::string> Outputs::written() const {
  std::vector<std::string> paths;
  for (const Output& output : outputs_) {
    if (!output.failed) paths.push_back(output.writer->path());
  }
  return paths;
}

}  // namespace rtxbench
