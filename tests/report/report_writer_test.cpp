#include "report/report_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "report/sample_report.hpp"
#include "rtxbench/embedded.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/json.hpp"

namespace rtxbench {
namespace {
namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Writer : public ::testing::Test {
 protected:
  Writer() {
    std::string pattern = (fs::temp_directory_path() / "rtxbench-report-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = (folder_ / "report.json").string();
  }
  ~Writer() override { fs::remove_all(folder_); }

  [[nodiscard]] static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  [[nodiscard]] std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  fs::path folder_;
  std::string path_;
};

template <class Thrown>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Thrown& error) {
    return error.what();
  }
  return "nothing thrown";
}
std::string reading(const std::string& path) {
  return message_of<UsageError>([&] { (void)read_report(path); });
}
std::string opening(const std::string& path) {
  return message_of<UsageError>([&] { const ReportWriter writer(path); });
}

TEST_F(Writer, WhatIsWrittenReadsBack) {
  ReportWriter writer(path_);
  writer.flush(sample::full_report());
  EXPECT_EQ(to_json(read_report(path_)), to_json(sample::full_report()));
  EXPECT_EQ(listing(), std::vector<std::string>{"report.json"});
}

TEST_F(Writer, OpeningTouchesNothing) {
  write("report.json", "earlier");
  const ReportWriter writer(path_);
  EXPECT_EQ(content(path_), "earlier");
  EXPECT_EQ(listing(), std::vector<std::string>{"report.json"});
}

TEST_F(Writer, UpdatesAreWrittenEveryTwoSecondsAtMost) {
  ReportWriter writer(path_);
  Report report = sample::bare_report();
  writer.update(report);
  EXPECT_EQ(read_report(path_).records.size(), 2U);
  report.records.pop_back();
  writer.update(report);  // within two seconds of the first
  EXPECT_EQ(read_report(path_).records.size(), 2U);
  writer.flush(report);
  EXPECT_EQ(read_report(path_).records.size(), 1U);
}

TEST_F(Writer, BadPathsFailBeforeTheFirstCase) {
  EXPECT_THAT(opening(""), HasSubstr("empty"));
  EXPECT_THAT(opening(folder_.string()), AllOf(HasSubstr(folder_.string()), HasSubstr("folder")));
  const std::string nowhere = (folder_ / "no" / "report.json").string();
  EXPECT_EQ(opening(nowhere), "cannot write the report " + nowhere + ": No such file or directory");
  EXPECT_THAT(opening("/proc/report.json"), HasSubstr("cannot write the report /proc/report.json: "));
}

TEST_F(Writer, ADeviceFileIsNeverReplaced) {
  EXPECT_THAT(opening("/dev/full"), HasSubstr("not a regular file"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

// In a child, which gives up root's right to write everything.
TEST_F(Writer, AReadOnlyReportIsNotReplaced) {
  write("report.json", "kept");
  fs::permissions(path_, fs::perms::owner_read | fs::perms::others_read);
  fs::permissions(folder_, fs::perms::all);
  const auto open_as_nobody = [&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) std::exit(2);
    std::fputs(opening(path_).c_str(), stderr);
    std::exit(0);
  };
  EXPECT_EXIT(open_as_nobody(), ::testing::ExitedWithCode(0), "cannot write the report .*: Permission denied");
}

TEST_F(Writer, ALinkStaysALink) {
  write("target.json", "old");
  fs::create_symlink("target.json", path_);
  ReportWriter(path_).flush(sample::bare_report());
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(read_report((folder_ / "target.json").string()).records.size(), 2U);
}

// A limit on file sizes makes write() fail half-way as a full disk does, and needs no privilege.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_F(Writer, ADiskThatIsFullFromTheStartFailsBeforeTheFirstCase) {
  std::string message;
  {
    const FileSizeLimit full(0);
    message = opening(path_);
  }
  EXPECT_EQ(message, "cannot write the report " + path_ + ": File too large");
  EXPECT_TRUE(listing().empty());
}

TEST_F(Writer, Fault12_AFailedWriteKeepsTheLastValidFileAndLeavesNothingElse) {
  ReportWriter writer(path_);
  writer.flush(sample::bare_report());
  const std::string before = content(path_);
  std::string message;
  {
    const FileSizeLimit full(1000);
    message = message_of<Error>([&] { writer.flush(sample::full_report()); });
  }
  EXPECT_EQ(message, "cannot write to " + path_ + ": File too large (the report as last written is untouched)");
  EXPECT_EQ(content(path_), before);
  EXPECT_EQ(listing(), std::vector<std::string>{"report.json"});
  writer.flush(sample::full_report());  // and it recovers
  EXPECT_EQ(read_report(path_).records.size(), 1U);
}

TEST_F(Writer, Fault12_AFolderThatVanishesIsAnErrorWithPathAndCause) {
  ReportWriter writer(path_);
  fs::remove_all(folder_);
  EXPECT_THAT(message_of<Error>([&] { writer.flush(sample::bare_report()); }),
              HasSubstr("cannot create " + path_ + ": No such file or directory"));
}

// A reader that looks at any moment, also after a kill, sees a whole report or none.
TEST_F(Writer, Fault12_AKilledWriterLeavesAValidReport) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    try {
      ReportWriter writer(path_);
      Report report = sample::full_report();
      report.records.resize(40, report.records[0]);
      for (;;) writer.flush(report);
    } catch (const std::exception&) {
      _exit(1);
    }
  }
  for (int wait = 0; wait < 10000 && !fs::exists(path_); ++wait) usleep(1000);
  for (int look = 0; look < 20; ++look) {
    EXPECT_EQ(read_report(path_).records.size(), 40U);
    usleep(2000);
  }
  kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(read_report(path_).records.size(), 40U);
}

TEST_F(Writer, Fault8_MissingEmptyAndTruncatedFilesSayPathAndCause) {
  EXPECT_EQ(reading(path_), "cannot read " + path_ + ": No such file or directory");
  EXPECT_EQ(reading(folder_.string()), "cannot read " + folder_.string() + ": Is a directory");
  EXPECT_EQ(reading(write("empty.json", "")), (folder_ / "empty.json").string() + ": empty, not an rtxbench report");
  EXPECT_EQ(reading(write("blank.json", " \n")), (folder_ / "blank.json").string() + ": empty, not an rtxbench report");
  const std::string whole = dump_pretty(to_json(sample::full_report()));
  EXPECT_THAT(reading(write("cut.json", whole.substr(0, 700))),
              AllOf(HasSubstr((folder_ / "cut.json").string()), HasSubstr("truncated"), HasSubstr("byte 700")));
}

TEST_F(Writer, EveryTruncationOfAReportIsRefused) {
  const std::string whole = dump_line(to_json(sample::bare_report()));
  for (std::size_t length = 0; length < whole.size(); length += 37) {
    EXPECT_THAT(reading(write("cut.json", whole.substr(0, length))), HasSubstr("cut.json: ")) << length;
  }
}

TEST_F(Writer, ForeignFilesAreRefused) {
  EXPECT_THAT(reading(write("a.json", "a,b\n1,2\n")), HasSubstr("a.json: not JSON (line 1, byte 1)"));
  EXPECT_THAT(reading(write("b.json", "{\"a\":\n 1,\n x}")), HasSubstr("b.json: not JSON (line 3, byte "));
  EXPECT_THAT(reading(write("c.json", "{\"benchmarks\": []}")), HasSubstr("c.json: not an rtxbench report"));
  EXPECT_THAT(reading(write("d.json", "[1e999]")), HasSubstr("d.json: not JSON"));
  EXPECT_THAT(reading(write("e.json", std::string("\xff\xfe\0\x01", 4))), HasSubstr("e.json: not JSON"));
}

TEST(ReportSchema, TheEmbeddedSchemaIsOfTheVersionWritten) {
  const Json schema = Json::parse(embedded::report_schema_json());
  EXPECT_EQ(schema["properties"]["schema_version"]["const"], kSchemaVersion);
}

TEST_F(Writer, Fault5_AWrongTypeNamesFileAndPath) {
  Json json = to_json(sample::full_report());
  json["records"][0]["measurement"]["time"]["median_s"] = "fast";
  const std::string path = write("old.json", dump_line(json));
  EXPECT_EQ(reading(path), path + ": records[0].measurement.time.median_s: expected a number, found a string");
}

}  // namespace
}  // namespace rtxbench
