// The built program over a backend that crashes, hangs, lies or fails as RTXBENCH_FAKE says (tests/support/fake_parts.hpp).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "programs.hpp"
#include "rtxbench/json.hpp"
#include "tests/cli/process.hpp"

namespace rtxbench {
namespace {

using process::Outcome;
using process::TemporaryFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using Words = std::vector<std::string>;

process::Conditions script(const std::string& fake) {
  process::Conditions conditions;
  conditions.environment["RTXBENCH_FAKE"] = fake;
  return conditions;
}

// Five cases: n = 1, 2, 4, 8, 16.
Words five(Words more = {}) {
  Words words{"fake", "--n", "1:16:x2", "--regime", "burst", "--min-time", "0.01s", "--max-time", "0.05s"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Outcome fake(const Words& words, const process::Conditions& conditions = {}) { return process::run(kFake, words, conditions); }

std::vector<std::string> statuses(const Json& report) {
  std::vector<std::string> all;
  for (const Json& record : report.at("records")) all.push_back(record.at("status"));
  return all;
}

TEST(Faults, AllIsWellWithoutAScript) {
  const Outcome outcome = fake(five({"--json", "-"}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Json report = Json::parse(outcome.out);
  EXPECT_THAT(statuses(report), ElementsAre("passed", "passed", "passed", "passed", "passed"));
  EXPECT_EQ(report["complete"], true);
}

TEST(Faults, Fault12_AThrowInCaseThreeOfFiveCostsThatCaseOnly) {
  const TemporaryFolder folder;
  const Outcome outcome = fake(five({"--out", folder.file("r.json")}), script(R"({"*n=4]*":"throw"})"));
  EXPECT_EQ(outcome.code, 1);
  const Json report = Json::parse(process::read_file(folder.file("r.json")));
  EXPECT_THAT(statuses(report), ElementsAre("passed", "passed", "error", "passed", "passed"));
  EXPECT_THAT(report["records"][2]["reason"].get<std::string>(), HasSubstr("the fake operator failed"));
  EXPECT_TRUE(report["records"][2]["metrics"].is_null());
  EXPECT_THAT(outcome.err, HasSubstr("[3/5] fake[n=4]@double: error: "));
}

class Signals : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(Signals, Fault12_ASignalInCaseThreeKeepsAValidPartialReport) {
  const auto [signal, code] = GetParam();
  const TemporaryFolder folder;
  process::Conditions conditions = script(R"({"*n=4]*":"hang"})");
  conditions.signal = signal;
  conditions.signal_when = "[2/5]";
  const Outcome outcome = fake(five({"--out", folder.file("r.json")}), conditions);
  EXPECT_EQ(outcome.code, code) << outcome.err;
  const Json report = Json::parse(process::read_file(folder.file("r.json")));
  EXPECT_EQ(report["complete"], false);
  EXPECT_THAT(statuses(report), ElementsAre("passed", "passed"));
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("after 2 of 5 cases"), HasSubstr("the partial report is in " + folder.file("r.json"))));
  EXPECT_EQ(folder.names().size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(IntTermAndHup, Signals,
                         testing::Values(std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}, std::pair{SIGHUP, 129}));

TEST(Faults, Fault12_UnderNohupAHangUpEndsNothing) {
  process::Conditions conditions = script(R"({"*n=4]*":"slow"})");
  conditions.signal = SIGHUP;
  conditions.signal_when = "[2/5]";
  Words words{"-c", "trap '' HUP; exec \"$0\" \"$@\"", kFake};
  for (const std::string& word : five({"--json", "-"})) words.push_back(word);
  const Outcome outcome = process::run("/bin/sh", words, conditions);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["complete"], true);
}

TEST(Faults, Fault12_AFileAtItsSizeLimitCostsTheFileAndNotTheRun) {
  const TemporaryFolder folder;
  const std::string file = folder.file("r.json");
  Words words{"-c", "ulimit -f 8; exec \"$0\" \"$@\"", kFake};  // blocks of 512 bytes; the report needs more
  for (const std::string& word : five({"--out", file})) words.push_back(word);
  const Outcome outcome = process::run("/bin/sh", words);
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr(file), HasSubstr("File too large")));
  EXPECT_THAT(outcome.out, HasSubstr("5 rows: 5 passed"));
  EXPECT_THAT(folder.names(), testing::IsEmpty());
}

TEST(Faults, Fault12_AfterASignalJsonOnStdoutIsValidAndPartial) {
  process::Conditions conditions = script(R"({"*n=4]*":"hang"})");
  conditions.signal = SIGINT;
  conditions.signal_when = "[2/5]";
  const Outcome outcome = fake(five({"--json", "-"}), conditions);
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(Json::parse(outcome.out)["complete"], false);
}

TEST(Faults, Fault12_SigkillLosesAtMostTheLastCases) {
  const TemporaryFolder folder;
  process::Conditions conditions = script(R"({"*n=4]*":"hang"})");
  conditions.signal = SIGKILL;
  conditions.signal_when = "[2/5]";
  const Outcome outcome = fake(five({"--out", folder.file("r.json")}), conditions);
  EXPECT_EQ(outcome.code, 128 + SIGKILL);
  const std::string text = process::read_file(folder.file("r.json"));
  if (text.empty()) return;  // nothing had been written yet
  const Json report = Json::parse(text);
  EXPECT_EQ(report["complete"], false);
  EXPECT_LE(report["records"].size(), 2U);
  EXPECT_THAT(statuses(report), testing::Each("passed"));
}

TEST(Faults, Fault13_WrongResultsShowNoSpeedAndAreNotGreen) {
  const Outcome outcome = fake(five({"--json", "-"}), script(R"({"*n=4]*":"wrong","*n=8]*":"throw"})"));
  EXPECT_EQ(outcome.code, 4);  // outranks the error row
  const Json report = Json::parse(outcome.out);
  EXPECT_THAT(statuses(report), ElementsAre("passed", "passed", "wrong", "error", "passed"));
  EXPECT_TRUE(report["records"][2]["metrics"].is_null());
  EXPECT_THAT(report["records"][2]["reason"].get<std::string>(), Not(testing::IsEmpty()));
}

TEST(Faults, Fault13_UnwrittenElementsAreWrong) { EXPECT_EQ(fake(five(), script(R"({"*":"unwritten"})")).code, 4); }

TEST(Faults, Fault13_OtherDevicesAreStillMeasured) {
  const Outcome outcome =
      fake(five({"--device", "all", "--provider", "double,twice", "--json", "-"}), script(R"({"*twice":"wrong","devices":2})"));
  EXPECT_EQ(outcome.code, 4);
  std::size_t passed = 0, wrong = 0;
  for (const std::string& status : statuses(Json::parse(outcome.out))) {
    passed += status == "passed" ? 1 : 0;
    wrong += status == "wrong" ? 1 : 0;
  }
  EXPECT_EQ(passed, 15U);  // double on two GPUs and the CPU
  EXPECT_EQ(wrong, 10U);   // twice on two GPUs
}

TEST(Faults, Fault13_WorkersThatCannotStartAreNotGreen) {
  const Outcome outcome = fake(five(), script(R"({"start":"crash"})"));
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("rtxbench: "));
}

TEST(Faults, ListStaysUsefulWhenTheDeviceSearchBreaksDown) {
  const Outcome outcome = fake({"list"}, script(R"({"start":"crash"})"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("fake"), HasSubstr("cuda      none: ")));
}

TEST(Faults, Fault43_ACrashIsChargedToItsCaseAndLaterCasesRunInAFreshProcess) {
  for (const char* behaviour : {"crash", "sticky"}) {
    const Outcome outcome = fake(five({"--json", "-"}), script(std::string(R"({"*n=4]*":")") + behaviour + "\"}"));
    EXPECT_EQ(outcome.code, 1) << behaviour;
    EXPECT_THAT(statuses(Json::parse(outcome.out)), ElementsAre("passed", "passed", "error", "passed", "passed")) << behaviour;
  }
}

TEST(Faults, Fault45_ABackendThatNeverReturnsIsEndedAndTheRestKept) {
  const Outcome outcome = fake(five({"--json", "-", "--timeout", "1s"}), script(R"({"*n=4]*":"hang"})"));
  EXPECT_EQ(outcome.code, 1);
  const Json report = Json::parse(outcome.out);
  EXPECT_THAT(statuses(report), ElementsAre("passed", "passed", "error", "passed", "passed"));
  EXPECT_THAT(report["records"][2]["reason"].get<std::string>(), HasSubstr("1 s"));
}

TEST(Faults, Fault42_MemoryIsSkippedBeforeAndWhilePreparing) {
  const Outcome outcome =
      fake({"fake", "--n", "16,32,1Ti", "--regime", "burst", "--min-time", "0.01", "--max-time", "0.05", "--json", "-"},
           script(R"({"*n=32]*":"memory"})"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::map<std::string, std::string> reasons;
  const Json report = Json::parse(outcome.out);
  for (const Json& record : report["records"]) {
    if (record["status"] == "skipped") reasons[record["case"]["id"]] = record["reason"];
  }
  EXPECT_EQ(reasons.size(), 2U);
  EXPECT_THAT(reasons["fake[n=1099511627776]@double"], AllOf(HasSubstr("needs "), HasSubstr("free ")));
  EXPECT_THAT(reasons["fake[n=32]@double"], HasSubstr("needs "));
}

TEST(Faults, Fault14_NoDeviceCarriesTheBackendsReason) {
  const Outcome outcome = fake(five({"--device", "cuda:0"}), script(R"({"devices":0})"));
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("no fake device is plugged in"));
  const Outcome automatic = fake(five(), script(R"({"devices":0})"));
  EXPECT_EQ(automatic.code, 0) << automatic.err;
  EXPECT_THAT(automatic.err, HasSubstr("measuring on the CPU, no usable CUDA device: no fake device is plugged in\n"));
}

TEST(Faults, Fault35_DevicesAreListedAndChosenByIndexUuidAndPci) {
  const Json listed = Json::parse(fake({"list", "--json"}, script(R"({"devices":2})")).out)["devices"];
  const std::string text = fake({"list"}, script(R"({"devices":2})")).out;
  ASSERT_EQ(listed.size(), 3U);
  const std::string uuid = listed[1]["id"], pci = listed[1]["pci"];
  EXPECT_THAT(text,
              AllOf(HasSubstr("cuda:1"), HasSubstr(uuid), HasSubstr(pci), HasSubstr(listed[1]["name"].get<std::string>())));
  for (const std::string& name : {std::string("cuda:1"), uuid, pci}) {
    const Outcome outcome = fake({"fake", "--device", name, "--dry-run", "--json", "-"}, script(R"({"devices":2})"));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out)["cases"][0]["device"], uuid) << name;
  }
}

TEST(Faults, ProcessesAreFreshAndKeptApart) {
  const Outcome outcome = fake(five({"--processes", "3", "--filter", "n=4]", "--json", "-"}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Json report = Json::parse(outcome.out);
  ASSERT_EQ(report["records"].size(), 1U);
  EXPECT_EQ(report["records"][0]["processes"].size(), 3U);
}

TEST(Faults, TheBudgetBoundsTheRun) {
  const Outcome outcome = fake(five({"--budget", "1us", "--json", "-"}));
  const auto all = statuses(Json::parse(outcome.out));
  ASSERT_EQ(all.size(), 5U);
  EXPECT_THAT(std::vector(all.begin() + 1, all.end()), testing::Each("skipped"));  // the first may still begin in time
  EXPECT_THAT(outcome.err, HasSubstr("budget"));
}

TEST(Faults, ParametersReachTheReport) {
  const Outcome outcome = fake({"fake", "--n", "4", "--regime", "burst", "--min-time", "20ms", "--max-time", "60ms", "--seed",
                                "42", "--no-spin", "--json", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json parameters = Json::parse(outcome.out)["parameters"];
  EXPECT_EQ(parameters["seed"], 42);
  EXPECT_EQ(parameters["spin"], false);
  EXPECT_DOUBLE_EQ(parameters["min_time_s"].get<double>(), 0.02);
}

}  // namespace
}  // namespace rtxbench
