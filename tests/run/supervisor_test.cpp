// With real worker processes: this very program, started as `worker` (main_test.cpp).
#include "run/supervisor.hpp"
#include "run/worker_slot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "rtxbench/error.hpp"
#include "support/fake_parts.hpp"

namespace rtxbench::fake {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What RTXBENCH_FAKE says to this process and its workers.
class Environment {
 public:
  explicit Environment(const std::string& script) { ::setenv("RTXBENCH_FAKE", script.c_str(), 1); }
  ~Environment() { ::unsetenv("RTXBENCH_FAKE"); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
};

struct Runner {
  // Cases fake[n=1]@double ... fake[n=5]@double.
  Runner() {
    for (int n = 1; n <= 5; ++n) add("fake[n=" + std::to_string(n) + "]@double");
  }
  void add(const std::string& id) {
    PlannedCase planned{.test = parse_case_id(id, registry)};
    planned.test.device = gpu().id;
    plan.cases.push_back(planned);
  }
  int run() {
    RunEvents events;
    events.started = [&](const Case& test) {
      started.push_back(test.id);
      if (on_start) on_start(started.size() - 1);
    };
    events.finished = [&](Record record) { records.push_back(std::move(record)); };
    events.progress = [&](const Progress&) { ++progress; };
    SignalWatch signals;
    return supervisor.run(plan, {gpu()}, parameters, registry, options, signals, events);
  }
  [[nodiscard]] std::vector<Status> statuses() const {
    std::vector<Status> found;
    for (const Record& record : records) found.push_back(record.status);
    return found;
  }

  Registry registry = make_fake_registry(std::vector<Script>{Script{}});
  Plan plan;
  Parameters parameters;
  RunOptions options;
  Supervisor supervisor;
  std::vector<Record> records;
  std::vector<std::string> started;
  std::function<void(std::size_t)> on_start;
  int progress = 0;
};

TEST(Supervisor, ListsDevicesOfEveryBackendWithReasons) {
  const Environment environment(R"({"devices":0})");
  Supervisor supervisor;
  const Discovery found = supervisor.discover();
  ASSERT_EQ(found.devices.size(), 1U);
  EXPECT_EQ(found.devices[0].name, "Fake CPU 90");
  EXPECT_EQ(found.none_reasons.at("cuda"), "no fake device is plugged in");
  EXPECT_EQ(found.software.at("fake cpu"), "1.0, in this binary");
}

TEST(Supervisor, RunsEveryCaseAndKeepsSkips) {
  Runner runner;
  Case skipped = runner.plan.cases[0].test;
  skipped.id = "fake[n=99]@double";
  runner.plan.skips = {{skipped, false, "needs 9.00 GiB, free 1.00 GiB"}, {skipped, true, "not offered"}};
  EXPECT_EQ(runner.run(), 0);
  EXPECT_THAT(runner.statuses(), ElementsAre(Status::skipped, Status::unsupported, Status::passed, Status::passed,
                                             Status::passed, Status::passed, Status::passed));
  EXPECT_EQ(runner.records[0].reason, "needs 9.00 GiB, free 1.00 GiB");
  const Record& measured = runner.records[2];
  EXPECT_EQ(measured.test.id, "fake[n=1]@double");
  EXPECT_EQ(measured.device.name, "Fake GPU 9000");
  EXPECT_DOUBLE_EQ(measured.measurement.value().time.median, 1e-3);
  EXPECT_TRUE(measured.verification.value().passed);
  EXPECT_GT(runner.progress, 0);
}

TEST(Supervisor, Fault43_CrashIsChargedToItsCaseAndTheRestGoesOn) {
  const Environment environment(R"({"*n=3]*":"crash"})");
  Runner runner;
  EXPECT_EQ(runner.run(), 0);
  EXPECT_THAT(runner.statuses(), ElementsAre(Status::passed, Status::passed, Status::error, Status::passed, Status::passed));
  EXPECT_THAT(runner.records[2].reason, HasSubstr("signal 11 (SIGSEGV)"));
  EXPECT_EQ(runner.records[2].test.id, "fake[n=3]@double");
  EXPECT_EQ(runner.records[2].operation, "fake");
  EXPECT_FALSE(runner.records[2].measurement.has_value());
}

TEST(Supervisor, Fault43_StickyErrorIsChargedToItsCaseAndTheRestGoesOn) {
  const Environment environment(R"({"*n=1]*":"sticky"})");
  Runner runner;
  EXPECT_EQ(runner.run(), 0);
  EXPECT_THAT(runner.statuses(), ElementsAre(Status::error, Status::passed, Status::passed, Status::passed, Status::passed));
  EXPECT_THAT(runner.records[0].reason, HasSubstr("illegal memory access"));
}

TEST(Supervisor, Fault45_CaseThatNeverReturnsIsKilledAndTheRestKept) {
  const Environment environment(R"({"*n=2]*":"hang"})");
  Runner runner;
  runner.parameters.case_timeout_s = 1.5;
  EXPECT_EQ(runner.run(), 0);
  EXPECT_THAT(runner.statuses(), ElementsAre(Status::passed, Status::error, Status::passed, Status::passed, Status::passed));
  EXPECT_THAT(runner.records[1].reason, HasSubstr("timeout after 1.5 s"));
}

TEST(Supervisor, Fault13_WrongAndFailingCasesAreRows) {
  const Environment environment(R"({"*n=1]*":"wrong","*n=2]*":"throw","*n=3]*":"unsupported"})");
  Runner runner;
  EXPECT_EQ(runner.run(), 0);
  EXPECT_THAT(runner.statuses(),
              ElementsAre(Status::wrong, Status::error, Status::unsupported, Status::passed, Status::passed));
  EXPECT_FALSE(runner.records[0].measurement.has_value());
}

TEST(Supervisor, Fault13_WorkersThatDieAtTheirStartAreOneClearErrorEach) {
  const Environment environment(R"({"start":"crash"})");
  Runner runner;
  EXPECT_EQ(runner.run(), 0);
  ASSERT_EQ(runner.records.size(), 5U);
  for (const Record& record : runner.records) {
    EXPECT_EQ(record.status, Status::error);
    EXPECT_THAT(record.reason, HasSubstr("no worker process starts: twice in a row it was ended by signal 6 (SIGABRT)"));
  }
  EXPECT_THROW(static_cast<void>(runner.supervisor.discover()), Error);
}

TEST(Supervisor, Fault45_WorkersThatHangAtTheirStartAreKilled) {
  const Environment environment(R"({"start":"hang"})");
  WorkerSlot slot(0.1);
  constexpr int kNothingToWatch = -1;
  EXPECT_EQ(slot.start(false, kNothingToWatch), Start::failed);
  EXPECT_THAT(slot.failure(), HasSubstr("no worker process starts: twice in a row it was not ready after 0.1 s"));
}

TEST(Supervisor, ProcessesAreFreshAndPooled) {
  Runner runner;
  runner.plan.cases.resize(1);
  runner.options.processes = 3;
  EXPECT_EQ(runner.run(), 0);
  ASSERT_THAT(runner.statuses(), ElementsAre(Status::passed));
  EXPECT_EQ(runner.records[0].processes.size(), 3U);
  EXPECT_DOUBLE_EQ(runner.records[0].measurement->time.median, 1e-3);
  EXPECT_EQ(runner.records[0].measurement->samples_s.size(), 3U);
}

TEST(Supervisor, AProcessThatFailsEndsItsCase) {
  const Environment environment(R"({"*n=1]*":"crash"})");
  Runner runner;
  runner.plan.cases.resize(2);
  runner.options.processes = 2;
  EXPECT_EQ(runner.run(), 0);
  EXPECT_THAT(runner.statuses(), ElementsAre(Status::error, Status::passed));
  EXPECT_THAT(runner.records[0].reason, HasSubstr("process 1 of 2: "));
}

TEST(Supervisor, CasesBeyondTheBudgetAreSkippedWithThatReason) {
  Runner runner;
  runner.options.budget_s = 1e-9;
  EXPECT_EQ(runner.run(), 0);
  EXPECT_EQ(runner.records.size(), 5U);
  EXPECT_EQ(runner.records[4].status, Status::skipped);
  EXPECT_THAT(runner.records[4].reason, HasSubstr("--budget"));
}

TEST(Supervisor, Fault12_SignalEndsTheRunAndKeepsWhatWasFinished) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Environment environment(R"({"*n=3]*":"hang"})");
    Runner runner;
    runner.on_start = [signal](std::size_t index) {
      if (index == 2) ::kill(::getpid(), signal);
    };
    EXPECT_EQ(runner.run(), signal);
    EXPECT_THAT(runner.statuses(), ElementsAre(Status::passed, Status::passed));
    EXPECT_EQ(runner.started.size(), 3U);
  }
}

// A child of this program as `supervise`, its stdout in a pipe.
class Child {
 public:
  Child() {
    std::array<int, 2> out{};
    EXPECT_EQ(::pipe(out.data()), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_addclose(&actions, out[0]);
    std::array<char, 4> name{"rtx"};
    std::array<char, 10> command{"supervise"};
    std::array<char*, 3> argv{name.data(), command.data(), nullptr};
    EXPECT_EQ(posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(out[1]);
    out_ = ::fdopen(out[0], "r");
  }
  ~Child() { std::fclose(out_); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  [[nodiscard]] std::string line() {
    std::array<char, 256> text{};
    return std::fgets(text.data(), text.size(), out_) == nullptr ? "" : text.data();
  }
  void signal(int number) const { ::kill(pid_, number); }
  [[nodiscard]] int wait() const {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    return status;
  }
  // Processes whose parent it is.
  [[nodiscard]] std::vector<pid_t> children() const {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
      std::ifstream file(entry.path() / "stat");
      const std::string text((std::istreambuf_iterator<char>(file)), {});
      const auto end = text.rfind(')');  // "pid (name) state ppid ..."
      if (end == std::string::npos || end + 4 > text.size()) continue;
      if (std::strtol(text.c_str() + end + 4, nullptr, 10) == pid_) found.push_back(std::stoi(text));
    }
    return found;
  }

 private:
  pid_t pid_ = -1;
  std::FILE* out_ = nullptr;
};

bool gone_within(pid_t pid, std::chrono::seconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < deadline) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    if (!std::getline(file, text) || text.find(") Z ") != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(Supervisor, Fault12_KilledSupervisorLeavesNoWorkerBehind) {
  const Environment environment(R"({"*":"hang"})");
  Child child;
  ASSERT_EQ(child.line(), "started fake[n=4096]@double\n");
  const std::vector<pid_t> workers = child.children();
  ASSERT_EQ(workers.size(), 1U);
  child.signal(SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(child.wait()));
  EXPECT_TRUE(gone_within(workers[0], std::chrono::seconds(10)));
}

TEST(Supervisor, Fault12_SignalFromOutsideEndsSupervisorAndWorker) {
  const Environment environment(R"({"*":"hang"})");
  Child child;
  ASSERT_EQ(child.line(), "started fake[n=4096]@double\n");
  const std::vector<pid_t> workers = child.children();
  ASSERT_EQ(workers.size(), 1U);
  child.signal(SIGTERM);
  EXPECT_EQ(child.line(), "signal 15\n");
  const int status = child.wait();
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 143);
  EXPECT_TRUE(gone_within(workers[0], std::chrono::seconds(10)));
}

}  // namespace
}  // namespace rtxbench::fake
