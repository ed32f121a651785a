#include "cli/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "cli/dry_run.hpp"
#include "cli/exit_code.hpp"
#include "rtxbench/json.hpp"

namespace rtxbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Plan two_cases() {
  Plan plan;
  for (const char* id : {"gemm[m=1]@x", "gemm[m=2]@x"}) {
    PlannedCase planned;
    planned.test.id = id;
    planned.test.device = "cpu";
    planned.memory_bytes = 3 << 20;
    planned.estimated_s = 30;
    plan.cases.push_back(planned);
  }
  Skip skip;
  skip.test.id = "gemm[m=3]@x";
  skip.test.device = "cpu";
  skip.reason = "needs 2.00 GiB, free 1.00 GiB";
  plan.skips.push_back(skip);
  return plan;
}

Record passed(const Case& test) {
  Record record;
  record.test = test;
  record.status = Status::passed;
  record.work.flop = 2000000000;
  record.measurement.emplace();
  record.measurement->time = {.count = 30, .median = 1e-3, .lower = 0.99e-3, .upper = 1.01e-3, .confidence = 0.95};
  record.measurement->clock_hz = 1593e6;
  return record;
}

std::string shown(Terminal terminal) {
  std::string text;
  const Plan plan = two_cases();
  ProgressDisplay display(plan, 1, terminal, [&](std::string_view piece) { text += piece; });
  display.started(plan.cases[0].test);
  display.progress({.phase = "measuring", .samples = 5, .median_s = 2e-3, .relative_half_width = 0.01, .clock_hz = 1.5e9});
  display.finished(passed(plan.cases[0].test));
  Record failed;
  failed.test = plan.cases[1].test;
  failed.reason = "first line\n\x1b[31msecond";
  display.finished(failed);
  display.clear();
  return text;
}

TEST(ProgressDisplay, Fault11_ElsewhereOnePlainLineAFinishedCase) {
  EXPECT_EQ(shown({}),
            "[1/3] gemm[m=1]@x: passed 1.000 ms +-1 %, 2.000 TFLOPS, 1593 MHz\n"
            "[2/3] gemm[m=2]@x: error: first line \xEF\xBF\xBD[31msecond\n");
}

TEST(ProgressDisplay, ATerminalGetsOneRedrawnLineWithEta) {
  const std::string text = shown({.tty = true, .redraw = true, .width = 200});
  EXPECT_THAT(text, HasSubstr("\r\x1b[K[1/3] gemm[m=1]@x  ETA 1:00"));
  EXPECT_THAT(text, HasSubstr("passed 1.000 ms"));
  EXPECT_THAT(text, Not(HasSubstr("\n")));
  EXPECT_THAT(text, testing::EndsWith("\r\x1b[K"));
}

TEST(ProgressDisplay, LinesNeverWrap) {
  const std::string text = shown({.tty = true, .redraw = true, .width = 12});
  EXPECT_THAT(text, HasSubstr("\r\x1b[K[1/3] gemm[\r"));
}

TEST(ExitCode, TheWorstCauseDecides) {
  const auto code = [](std::vector<Status> statuses, int signal = 0) {
    std::vector<Record> records(statuses.size());
    for (std::size_t i = 0; i < statuses.size(); ++i) records[i].status = statuses[i];
    return exit_code_of(records, signal);
  };
  EXPECT_EQ(code({Status::passed}), ExitCode::ok);
  EXPECT_EQ(code({Status::passed, Status::skipped, Status::unsupported}), ExitCode::ok);
  EXPECT_EQ(code({Status::passed, Status::error}), ExitCode::failed);
  EXPECT_EQ(code({Status::error, Status::wrong, Status::passed}), ExitCode::wrong);
  EXPECT_EQ(code({Status::skipped, Status::unsupported}), ExitCode::usage);
  EXPECT_EQ(code({}), ExitCode::usage);
  EXPECT_EQ(code({Status::wrong}, SIGINT), ExitCode::interrupted);
  EXPECT_EQ(code({Status::passed}, SIGTERM), ExitCode::terminated);
  EXPECT_EQ(code({Status::passed}, SIGHUP), ExitCode::hung_up);
}

TEST(DryRun, TableAndJsonSayTheSame) {
  const Plan plan = two_cases();
  EXPECT_THAT(plan_table(plan, 2), AllOf(HasSubstr("gemm[m=1]@x"), HasSubstr("3.000 MiB"), HasSubstr("60.0 s"),
                                         HasSubstr("gemm[m=3]@x on cpu: skipped: needs 2.00 GiB, free 1.00 GiB"),
                                         HasSubstr("2 cases, at least 2 min 0 s; 1 skipped")));
  const Json json = Json::parse(plan_json(plan, 2));
  EXPECT_EQ(json["cases"].size(), 2U);
  EXPECT_EQ(json["cases"][1]["id"], "gemm[m=2]@x");
  EXPECT_EQ(json["cases"][1]["memory_bytes"], 3 << 20);
  EXPECT_EQ(json["cases"][1]["estimated_s"], 60.0);
  EXPECT_EQ(json["skips"][0]["reason"], "needs 2.00 GiB, free 1.00 GiB");
  EXPECT_EQ(json["estimated_s"], 120.0);
}

}  // namespace
}  // namespace rtxbench
