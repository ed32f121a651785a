#include "env/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <regex>
#include <thread>

#include "rtxbench/embedded.hpp"

namespace rtxbench {
namespace {
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

Environment collected() { return collect_environment({"rtxbench", "gemm", "--m", "16"}, {}, {}); }

// Sets a variable for one test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value, 1);
  }
  ~Variable() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }

 private:
  const char* name_;
  std::string old_;
};

TEST(Environment, KeepsWhatItIsGiven) {
  DeviceInfo device;
  device.id = "cpu";
  const Environment environment =
      collect_environment({"rtxbench", "gemm", "a b"}, {device}, {{"OpenBLAS", "0.3.21, /usr/lib"}});
  EXPECT_EQ(environment.argv, (std::vector<std::string>{"rtxbench", "gemm", "a b"}));
  ASSERT_EQ(environment.devices.size(), 1U);
  EXPECT_EQ(environment.devices[0].id, "cpu");
  EXPECT_EQ(environment.software.at("OpenBLAS"), "0.3.21, /usr/lib");
  EXPECT_TRUE(environment.notes.empty());
}

TEST(Environment, NamesTheBuild) {
  const Environment environment = collected();
  EXPECT_EQ(environment.rtxbench_version, embedded::version());
  EXPECT_FALSE(environment.rtxbench_version.empty());
  EXPECT_EQ(environment.git_hash, embedded::git_hash());
  EXPECT_EQ(environment.build_type, embedded::build_type());
  EXPECT_EQ(environment.compiler, embedded::compiler());
}

TEST(Environment, StartsNowInUtc) {
  const Variable zone("TZ", "Pacific/Kiritimati");  // 14 hours ahead: local time would stand out
  tzset();
  const std::time_t before = std::time(nullptr);
  const std::string text = collected().started_at;
  const std::time_t after = std::time(nullptr);
  ASSERT_TRUE(std::regex_match(text, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"))) << text;
  std::tm parts{};
  ASSERT_NE(strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts), nullptr);
  const std::time_t read = timegm(&parts);
  EXPECT_LE(before, read);
  EXPECT_LE(read, after);
}

TEST(Environment, DescribesTheHost) {
  const Environment environment = collected();
  std::array<char, 256> name{};
  ASSERT_EQ(gethostname(name.data(), name.size()), 0);
  EXPECT_EQ(environment.host, name.data());
  EXPECT_THAT(environment.kernel, ::testing::StartsWith("Linux "));
  EXPECT_FALSE(environment.cpu_model.empty());
  EXPECT_THAT(environment.os, Not(AnyOf(::testing::HasSubstr("\""), ::testing::HasSubstr("="))));
}

TEST(Environment, CountsTheThreadsThatTheSchedulerAllows) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(collected().cpu_threads, CPU_COUNT(&before));
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const auto threads = collected().cpu_threads;
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_EQ(threads, 1);
}

TEST(Environment, MemoryIsNeverMoreThanInstalled) {
  const std::uint64_t bytes = collected().memory_bytes.value();
  const auto installed =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  EXPECT_GT(bytes, std::uint64_t{1} << 26);
  EXPECT_LE(bytes, installed);
}

TEST(Environment, Fault39_VariablesThatChangeResultsAreRecorded) {
  const Variable tf32("NVIDIA_TF32_OVERRIDE", "1");
  const Variable threads("OPENBLAS_NUM_THREADS", "2");
  const Variable own("RTXBENCH_CUBLAS", "/opt/lib=x");
  const Variable empty("CUDA_VISIBLE_DEVICES", "");  // set but empty hides every device: not the same as unset
  const Variable other("SOME_SECRET", "x");
  const auto variables = collected().variables;
  EXPECT_THAT(variables, Contains(Pair("NVIDIA_TF32_OVERRIDE", "1")));
  EXPECT_THAT(variables, Contains(Pair("OPENBLAS_NUM_THREADS", "2")));
  EXPECT_THAT(variables, Contains(Pair("RTXBENCH_CUBLAS", "/opt/lib=x")));
  EXPECT_THAT(variables, Contains(Pair("CUDA_VISIBLE_DEVICES", "")));
  EXPECT_THAT(variables, Not(Contains(Key("SOME_SECRET"))));
  EXPECT_THAT(variables, Not(Contains(Key("PATH"))));
}

TEST(Environment, EveryVariableOfTheListIsLookedFor) {
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "CUDA_LAUNCH_BLOCKING", "NVIDIA_TF32_OVERRIDE", "CUBLAS_WORKSPACE_CONFIG",
                           "CUDA_MODULE_LOADING", "CUDA_FORCE_PTX_JIT", "CUDA_DEVICE_ORDER", "OPENBLAS_NUM_THREADS",
                           "OPENBLAS_CORETYPE", "OMP_NUM_THREADS"}) {
    const Variable variable(name, "7");
    EXPECT_THAT(collected().variables, Contains(Pair(name, "7")));
  }
}

}  // namespace
}  // namespace rtxbench
