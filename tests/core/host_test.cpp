#include "rtxbench/host.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <fstream>

namespace rtxbench::host {
namespace {

namespace fs = std::filesystem;

// A tree of files with scripted answers, in the place of "/".
class Host : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(testing::TempDir()) / (std::string("rtxbench_host_") + test->name());
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  void write_cache(int processor, int index, int level, const std::string& size, const std::string& shared) const {
    const std::string folder =
        "sys/devices/system/cpu/cpu" + std::to_string(processor) + "/cache/index" + std::to_string(index) + "/";
    write(folder + "level", std::to_string(level) + "\n");
    write(folder + "size", size + "\n");
    write(folder + "shared_cpu_list", shared + "\n");
  }
  fs::path root_;
};

TEST_F(Host, ModelNameComesFromCpuinfo) {
  write("proc/cpuinfo", "processor\t: 0\nvendor_id\t: X\nmodel name\t: Some CPU \"9\" @ 3 GHz  \nflags\t: a b\n");
  EXPECT_EQ(model_name(root_), "Some CPU \"9\" @ 3 GHz");
}

TEST_F(Host, WithoutModelNameTheArchitectureIsNamed) {
  write("proc/cpuinfo", "processor\t: 0\nmodel name\t:\n");
  EXPECT_TRUE(model_name(root_).ends_with(" CPU")) << model_name(root_);
}

TEST_F(Host, SystemNameStandsInOsReleaseWithOrWithoutQuotes) {
  EXPECT_EQ(system_name(root_), "");
  write("etc/os-release", "NAME=x\nPRETTY_NAME=\"Some Linux 12 (a=b)\"\nID=x\n");
  EXPECT_EQ(system_name(root_), "Some Linux 12 (a=b)");
  write("etc/os-release", "PRETTY_NAME='Other'\n");
  EXPECT_EQ(system_name(root_), "Other");
  write("etc/os-release", "PRETTY_NAME=Bare\n");
  EXPECT_EQ(system_name(root_), "Bare");
}

TEST_F(Host, ProcessorsFollowTheAffinity) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  const std::vector<int> all = allowed_processors();
  ASSERT_EQ(all.size(), static_cast<std::size_t>(CPU_COUNT(&before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(all.back()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  const std::vector<int> restricted = allowed_processors();
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(restricted, std::vector<int>{all.back()});
}

TEST_F(Host, CacheIsTheSumOfDistinctLevel3CachesInReach) {
  for (int processor = 0; processor < 6; ++processor) {
    write_cache(processor, 0, 1, "32K", std::to_string(processor));
    write_cache(processor, 1, 2, "1024K", std::to_string(processor));
    write_cache(processor, 2, 3, "32768K", processor < 2 ? "0-1" : processor < 4 ? "2-3" : "4-5");
  }
  EXPECT_EQ(last_level_cache_bytes({0, 1, 2, 3}, root_), 64U << 20);
  EXPECT_EQ(last_level_cache_bytes({1}, root_), 32U << 20);
}

TEST_F(Host, WithoutLevel3TheLevel2CachesCount) {
  write_cache(0, 0, 1, "32K", "0");
  write_cache(0, 1, 2, "2M", "0-1");
  write_cache(1, 0, 1, "32K", "1");
  write_cache(1, 1, 2, "2M", "0-1");
  EXPECT_EQ(last_level_cache_bytes({0, 1}, root_), 2U << 20);
}

TEST_F(Host, MaxClockIsInHzAndAbsentWhereTheKernelHasNone) {
  EXPECT_EQ(max_clock_hz(root_), std::nullopt);
  write("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3700000\n");
  EXPECT_EQ(max_clock_hz(root_), 3.7e9);
}

constexpr const char* kMeminfo = "MemTotal:       16777216 kB\nMemFree:  1000 kB\nMemAvailable:    8388608 kB\n";

TEST_F(Host, MemoryWithoutGroupsIsMeminfo) {
  write("proc/meminfo", kMeminfo);
  EXPECT_EQ(memory(root_).total_bytes, std::uint64_t{16} << 30);
  EXPECT_EQ(memory(root_).available_bytes, std::uint64_t{8} << 30);
}

TEST_F(Host, Fault42_GroupLimitLowersMemoryAndPageCacheGivesWay) {
  write("proc/meminfo", kMeminfo);
  write("proc/self/cgroup", "0::/jobs/one\n");
  write("sys/fs/cgroup/jobs/one/memory.max", "max\n");
  write("sys/fs/cgroup/jobs/one/memory.current", "5\n");
  write("sys/fs/cgroup/jobs/memory.max", std::to_string(std::uint64_t{4} << 30) + "\n");
  write("sys/fs/cgroup/jobs/memory.current", std::to_string(std::uint64_t{3} << 30) + "\n");
  write("sys/fs/cgroup/jobs/memory.stat", "anon 1\ninactive_file " + std::to_string(std::uint64_t{1} << 30) + "\n");
  EXPECT_EQ(memory(root_).total_bytes, std::uint64_t{4} << 30);
  EXPECT_EQ(memory(root_).available_bytes, std::uint64_t{2} << 30);
}

TEST_F(Host, Fault42_GroupOverItsLimitLeavesNothing) {
  write("proc/meminfo", kMeminfo);
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "1000000\n");
  write("sys/fs/cgroup/memory.current", "2000000\n");
  EXPECT_EQ(memory(root_).available_bytes, 0U);
}

TEST_F(Host, Fault42_GroupsOfVersion1AreFoundBesideOtherControllers) {
  write("proc/meminfo", kMeminfo);
  write("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/hidden/by/namespace\n0::/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", std::to_string(std::uint64_t{2} << 30) + "\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", std::to_string(std::uint64_t{1} << 30) + "\n");
  EXPECT_EQ(memory(root_).total_bytes, std::uint64_t{2} << 30);
  EXPECT_EQ(memory(root_).available_bytes, std::uint64_t{1} << 30);
}

TEST_F(Host, Fault42_TheAddressSpaceLimitLowersMemory) {
  write("proc/meminfo", kMeminfo);
  write("proc/self/status", "Name:\trtxbench\nVmSize:\t  262144 kB\n");
  write("proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units\n"
        "Max address space         unlimited            unlimited            bytes\n");
  EXPECT_EQ(memory(root_).available_bytes, std::uint64_t{8} << 30);
  write("proc/self/limits", "Max address space         1073741824           unlimited            bytes\n");
  EXPECT_EQ(memory(root_).available_bytes, (std::uint64_t{1} << 30) - (std::uint64_t{256} << 20));
  EXPECT_EQ(memory(root_).total_bytes, std::uint64_t{16} << 30);
  write("proc/self/limits", "Max address space         1048576              unlimited            bytes\n");
  EXPECT_EQ(memory(root_).available_bytes, 0U);
}

TEST_F(Host, UnlimitedGroupOfVersion1ChangesNothing) {
  write("proc/meminfo", kMeminfo);
  write("proc/self/cgroup", "4:memory:/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1\n");
  EXPECT_EQ(memory(root_).available_bytes, std::uint64_t{8} << 30);
}

}  // namespace
}  // namespace rtxbench::host
