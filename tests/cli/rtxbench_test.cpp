// The built program on the CPU device, with tiny sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "programs.hpp"
#include "rtxbench/json.hpp"
#include "tests/cli/process.hpp"

namespace rtxbench {
namespace {

using process::Outcome;
using process::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Words = std::vector<std::string>;

Outcome rtxbench(Words arguments, const process::Conditions& conditions = {}) {
  return process::run(kRtxbench, arguments, conditions);
}

process::Conditions with_environment(std::map<std::string, std::string> variables) {
  process::Conditions conditions;
  conditions.environment = std::move(variables);
  return conditions;
}

// A short measurement of tiny problems on the CPU.
Words tiny(Words more = {}) {
  Words words{"gemm", "--device", "cpu",        "--provider", "naive",      "--dtype", "fp32",
              "--m",  "16",       "--min-time", "0.01s",      "--max-time", "0.05s"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Independent of our own reader where Python is there: NaN and Infinity are refused.
void expect_strict_json(const std::string& text) {
  EXPECT_TRUE(Json::accept(text)) << text.substr(0, 200);
  if (!std::filesystem::exists("/usr/bin/python3")) return;
  const TemporaryFolder folder;
  const std::string file = folder.file("text.json");
  std::ofstream(file) << text;
  const char* script =
      "import json,sys\n"
      "def no(word): raise ValueError(word)\n"
      "json.load(open(sys.argv[1],encoding='utf-8'),parse_constant=no)";
  const Outcome outcome = process::run("/usr/bin/python3", {"-c", script, file});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

// One line that says what is wrong, one that says where help is.
void expect_usage_error(const Outcome& outcome, const std::string& about, const std::string& hint) {
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr(about), HasSubstr("try: " + hint), StartsWith("rtxbench: ")));
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 2) << outcome.err;
}

TEST(Rtxbench, HelpVersionAndSchemaNeedNothing) {
  const auto bare =
      with_environment({{"LD_LIBRARY_PATH", "/nonexistent"}, {"PATH", "/nonexistent"}, {"CUDA_VISIBLE_DEVICES", ""}});
  const Outcome help = rtxbench({"--help"}, bare);
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out,
              AllOf(HasSubstr("gemm"), HasSubstr("list"), HasSubstr("info"), HasSubstr("schema"), Not(HasSubstr("worker"))));
  const Outcome gemm = rtxbench({"gemm", "--help"}, bare);
  EXPECT_EQ(gemm.code, 0);
  for (const char* option :
       {"--dtype", "--m",        "--n",      "--k",        "--batch",   "--layout",   "--alpha",    "--beta",    "--regime",
        "--cache", "--data",     "--device", "--provider", "--seed",    "--min-time", "--max-time", "--budget",  "--processes",
        "--quick", "--thorough", "--filter", "--case",     "--dry-run", "--out",      "--json",     "--no-spin", "--timeout"}) {
    EXPECT_THAT(gemm.out, HasSubstr(option));
  }
  EXPECT_THAT(rtxbench({"--version"}, bare).out, StartsWith("rtxbench 0."));
  const Outcome schema = rtxbench({"schema"}, bare);
  EXPECT_EQ(schema.code, 0);
  expect_strict_json(schema.out);
}

TEST(Rtxbench, ListNamesBenchmarksProvidersAndDevices) {
  const auto bare = with_environment({{"LD_LIBRARY_PATH", "/nonexistent"}, {"CUDA_VISIBLE_DEVICES", ""}});
  const Outcome text = rtxbench({"list"}, bare);
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, AllOf(HasSubstr("gemm"), HasSubstr("openblas"), HasSubstr("naive"), HasSubstr("cpu")));
  const Outcome json = rtxbench({"list", "--json"}, bare);
  EXPECT_EQ(json.code, 0);
  expect_strict_json(json.out);
  const Json listed = Json::parse(json.out);
  EXPECT_EQ(listed["benchmarks"][0]["name"], "gemm");
  EXPECT_EQ(listed["benchmarks"][0]["axes"][1]["name"], "m");
  EXPECT_TRUE(std::ranges::any_of(listed["devices"], [](const Json& device) { return device["backend"] == "cpu"; }));
}

TEST(Rtxbench, InfoDescribesTheMachine) {
  const Outcome text = rtxbench({"info"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("cpu"), HasSubstr("Software"), HasSubstr("Host"), HasSubstr("peak")));
  const Outcome json = rtxbench({"info", "--json"});
  EXPECT_EQ(json.code, 0);
  expect_strict_json(json.out);
  EXPECT_EQ(Json::parse(json.out)["devices"].back()["peaks"].size(), 5U);
}

TEST(Rtxbench, SlipsOfThePenGetTheNearestName) {
  expect_usage_error(rtxbench({"gmm"}), "'gmm' is not a command; did you mean gemm?", "rtxbench --help");
  expect_usage_error(rtxbench({"gemm", "--dtpye", "fp16"}), "--dtpye is not an option of gemm; did you mean --dtype?",
                     "rtxbench gemm --help");
  expect_usage_error(rtxbench({"gemm", "--dtpye=fp16"}), "did you mean --dtype?", "rtxbench gemm --help");
  expect_usage_error(rtxbench({"--verison"}), "did you mean --version?", "rtxbench --help");
  expect_usage_error(rtxbench({"gemm", "--dtype", "pf16"}), "--dtype: unknown value 'pf16'; did you mean fp16?",
                     "rtxbench gemm --help");
  expect_usage_error(rtxbench({"gemm", "fp16"}), "unexpected argument 'fp16'", "rtxbench gemm --help");
  expect_usage_error(rtxbench({"--case", "gemm[dtpye=fp16]@naive"}), "unknown axis 'dtpye' at character 6; did you mean dtype?",
                     "rtxbench --help");
  expect_usage_error(rtxbench({}), "say what to do", "rtxbench --help");
}

TEST(Rtxbench, HabitsOfOtherToolsGetAnAnswer) {
  const std::string gemm = "rtxbench gemm --help";
  expect_usage_error(rtxbench({"gemm", "--size", "64"}), "--size is not an option of gemm; sizes are --m", gemm);
  expect_usage_error(rtxbench({"gemm", "-w", "3"}), "-w is not an option of gemm; calls are warmed up", gemm);
  expect_usage_error(rtxbench({"gemm", "--fp16"}), "; did you mean --dtype fp16?", gemm);
  expect_usage_error(rtxbench({"gemm", "fp16"}), "unexpected argument 'fp16'; did you mean --dtype fp16?", gemm);
  expect_usage_error(rtxbench({"gemm", "4096"}), "unexpected argument '4096'; did you mean --m 4096?", gemm);
  expect_usage_error(rtxbench({"--dtype", "fp16"}),
                     "--dtype is not an option of rtxbench; it stands after a benchmark: rtxbench gemm --dtype",
                     "rtxbench --help");
  expect_usage_error(rtxbench({"version"}), "'version' is not a command; rtxbench --version", "rtxbench --help");
  EXPECT_EQ(rtxbench({"gemm", "--version"}).out, rtxbench({"-V"}).out);
}

TEST(Rtxbench, AnOptionGivenTwiceIsRefused) {
  expect_usage_error(rtxbench(tiny({"--device", "cpu"})), "--device", "rtxbench gemm --help");
}

TEST(Rtxbench, UnknownProvidersGetTheNearestName) {
  expect_usage_error(rtxbench({"gemm", "--device", "cpu", "--provider", "nave"}), "did you mean naive?",
                     "rtxbench gemm --help");
}

TEST(Rtxbench, Fault15_MissingEmptyAndRepeatedValuesAreUsageErrorsThatNameTheFlag) {
  const TemporaryFolder folder;
  const Words measure{"gemm", "--dtype", "fp32", "--m", "64", "--device", "cpu"};
  const std::vector<std::pair<Words, std::string>> wrong{
      {{"--json", "--dry-run"}, "--json: no value before --dry-run"},
      {{"--out", "--quick"}, "--out: no value before --quick"},
      {{"--n", "--dry-run"}, "--n: no value before --dry-run"},
      {{"--min-time", "1s", "--min-time", "2s"}, "--min-time is given 2 times: give it once"},
      {{"--device", "cpu"}, "--device is given 2 times"},
      {{"--out", ""}, "--out: no value"},
      {{"--out", "-"}, "--json - writes the report to standard output"},
      {{"--out", folder.file("report")}, "no ending that tells the kind of file"},
      {{"--out", folder.file("report.txt")}, "unknown kind of file '.txt'"},
  };
  for (const auto& [more, message] : wrong) {
    Words words = measure;
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = process::run(kRtxbench, words);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Rtxbench, Fault15_WrongNumbersAreUsageErrorsThatNameTheFlag) {
  for (const char* flag :
       {"--m", "--n", "--k", "--batch", "--min-time", "--max-time", "--budget", "--timeout", "--processes"}) {
    for (const char* text : {"0", "-5", "abc", "nan", "12345678901234567890"}) {
      SCOPED_TRACE(std::string(flag) + " " + text);
      expect_usage_error(rtxbench({"gemm", flag, text}), std::string(flag) + ": '" + text + "'", "rtxbench gemm --help");
    }
  }
  for (const char* sweep : {"1:64:x1", "64:1:x2", "1:64", "1,,2"}) {
    expect_usage_error(rtxbench({"gemm", "--m", sweep}), "--m: ", "rtxbench gemm --help");
  }
}

TEST(Rtxbench, Fault15_AnEndlessArgumentLeavesAReadableError) {
  const Outcome outcome = rtxbench({"gemm", "--m", std::string(100'000, '9')});
  expect_usage_error(outcome, "--m: '999", "rtxbench gemm --help");
  EXPECT_THAT(outcome.err, HasSubstr("is too large; accepted: whole numbers"));
  EXPECT_LT(outcome.err.size(), 2100U);
}

TEST(Rtxbench, Fault14_AFilterTypoIsNotAGreenRun) {
  expect_usage_error(rtxbench({"gemm", "--device", "cpu", "--filter", "openblsa"}), "--filter 'openblsa' matches none of",
                     "rtxbench gemm --help");
}

TEST(Rtxbench, Fault14_AnExplicitGpuWithoutOneIsNoDevice) {
  const Outcome outcome =
      rtxbench({"gemm", "--device", "cuda:0", "--m", "16"}, with_environment({{"CUDA_VISIBLE_DEVICES", ""}}));
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("--device cuda:0: no usable CUDA device: "));
}

TEST(Rtxbench, AutoWithoutAGpuSaysSoInOneLineAndInTheReport) {
  const TemporaryFolder folder;
  Words words = tiny({"--out", folder.file("r.json")});
  words[2] = "auto";
  const Outcome outcome = rtxbench(words, with_environment({{"CUDA_VISIBLE_DEVICES", ""}}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, StartsWith("rtxbench: measuring on the CPU, no usable CUDA device: "));
  const Json report = Json::parse(process::read_file(folder.file("r.json")));
  EXPECT_THAT(report["environment"]["notes"][0].get<std::string>(), HasSubstr("measuring on the CPU"));
}

TEST(Rtxbench, DryRunShowsThePlanAndMeasuresNothing) {
  const Outcome text = rtxbench(tiny({"--dry-run"}));
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("gemm[dtype=fp32,m=16,n=16,k=16]@naive"), HasSubstr("1 case, at least ")));
  const Outcome json = rtxbench(tiny({"--dry-run", "--json", "-"}));
  expect_strict_json(json.out);
  EXPECT_EQ(Json::parse(json.out)["cases"][0]["id"], "gemm[dtype=fp32,m=16,n=16,k=16]@naive");
}

TEST(Rtxbench, Fault42_MemoryThatDoesNotFitIsSkippedAndNothingMeasuredIsNotGreen) {
  const Outcome outcome = rtxbench({"gemm", "--device", "cpu", "--provider", "openblas", "--dtype", "fp64", "--m", "1Mi"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("nothing could be measured"), HasSubstr("needs 24.00 TiB, free ")));
}

TEST(Rtxbench, UnsupportedOnlyIsNotGreen) {
  const Outcome outcome = rtxbench({"gemm", "--device", "cpu", "--dtype", "tf32", "--m", "16"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("nothing could be measured"), HasSubstr("tf32")));
}

TEST(Rtxbench, Fault11_JsonOnStdoutIsStrictAndAlone) {
  const Outcome outcome = rtxbench(tiny({"--json", "-"}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_strict_json(outcome.out);
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(outcome.err, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\r")),
                                 HasSubstr("[1/1] gemm[dtype=fp32,m=16,n=16,k=16]@naive: passed")));
  const Json report = Json::parse(outcome.out);
  EXPECT_EQ(report["complete"], true);
  EXPECT_EQ(report["records"].size(), 1U);
}

TEST(Rtxbench, TheTableGoesToStdoutWithoutColourWhenPiped) {
  const Outcome outcome = rtxbench(tiny());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("naive"), Not(HasSubstr("\x1b"))));
}

TEST(Rtxbench, EveryOutputHoldsTheSameReport) {
  const TemporaryFolder folder;
  const Outcome outcome =
      rtxbench(tiny({"--out", folder.file("a.json"), "--out", folder.file("b.json"), "--json", folder.file("c.txt")}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string report = process::read_file(folder.file("a.json"));
  expect_strict_json(report);
  EXPECT_EQ(process::read_file(folder.file("b.json")), report);
  EXPECT_EQ(process::read_file(folder.file("c.txt")), report);
  EXPECT_EQ(folder.names().size(), 3U);  // no temporary file stays
  const Outcome shown = rtxbench({"report", folder.file("a.json")});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_EQ(shown.out, outcome.out);  // a kept report prints as it printed then
}

TEST(Rtxbench, OutputsAreOpenedBeforeTheFirstCase) {
  const Outcome outcome = rtxbench(tiny({"--out", "/nonexistent/r.json"}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("/nonexistent/r.json"), Not(HasSubstr("[1/1]"))));
  expect_usage_error(rtxbench(tiny({"--out", "r.parquet"})), "known: .json", "rtxbench gemm --help");
}

TEST(Rtxbench, UnreadableReportsAreNamedWithTheCause) {
  expect_usage_error(rtxbench({"report", "/nonexistent/r.json"}), "/nonexistent/r.json", "rtxbench report --help");
}

TEST(Rtxbench, AnIdFromAReportReplaysItsCase) {
  const Outcome first = rtxbench(tiny({"--json", "-", "--layout", "nt", "--n", "8", "--cache", "warm"}));
  ASSERT_EQ(first.code, 0) << first.err;
  const Json record = Json::parse(first.out)["records"][0];
  const std::string id = record["case"]["id"];
  EXPECT_EQ(id, "gemm[dtype=fp32,m=16,n=8,k=16,layout=nt,cache=warm]@naive");
  for (const Words& words : {Words{"--case", id}, Words{"gemm", "--case", id}}) {
    Words all = words;
    for (const char* word : {"--device", "cpu", "--min-time", "0.01", "--max-time", "0.05", "--json", "-"})
      all.emplace_back(word);
    const Outcome again = rtxbench(all);
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.err, HasSubstr("[1/1] " + id + ": passed"));
    EXPECT_EQ(Json::parse(again.out)["records"][0]["case"], record["case"]);
  }
}

TEST(Rtxbench, AReaderThatGoesAwayIsNoError) {
  const Outcome outcome =
      process::run("/bin/sh", {"-c", std::string(kRtxbench) + " list | true; " + kRtxbench + " list | head -n 1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "Benchmarks\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(Rtxbench, AFullDiskBehindStdoutIsSaid) {
  process::Conditions full;
  full.stdout_to = "/dev/full";
  const Outcome outcome = rtxbench({"list"}, full);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("No space left on device"));
}

TEST(Rtxbench, Fault10_AMeasurementOnTheCpuIsVerifiedAndFinite) {
  const Outcome outcome = rtxbench(tiny({"--json", "-", "--data", "uniform,zeros"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_strict_json(outcome.out);
  const Json report = Json::parse(outcome.out);
  for (const Json& record : report["records"]) {
    EXPECT_EQ(record["status"], "passed");
    EXPECT_EQ(record["verification"]["passed"], true);
    EXPECT_GT(record["metrics"]["time_s"].get<double>(), 0);
  }
  EXPECT_EQ(report["records"].size(), 2U);
}

}  // namespace
}  // namespace rtxbench
