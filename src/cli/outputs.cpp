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
    writers_.push_back(std::make_unique<ReportWriter>(path));
  }
}

template <class Write>
void Outputs::each(Write write) {
  std::erase_if(writers_, [&](const std::unique_ptr<ReportWriter>& writer) {
    try {
      write(*writer);
      return false;
    } catch (const Error& error) {
      write_stderr(fmt::format("rtxbench: {}; going on without this file\n", error.what()));
      failed_ = true;
      return true;
    }
  });
}

void Outputs::update(const Report& report) {
  each([&](ReportWriter& writer) { writer.update(report); });
}

void Outputs::finish(const Report& report) {
  each([&](ReportWriter& writer) { writer.flush(report); });
}

std::vector<std::string> Outputs::written() const {
  std::vector<std::string> paths;
  for (const auto& writer : writers_) paths.push_back(writer->path());
  return paths;
}

}  // namespace rtxbench
