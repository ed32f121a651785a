// The backend itself where there is no device: enumeration ends in one line, and nothing throws before a device is asked for.
#include <gtest/gtest.h>

#include "rtxbench/error.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {

void register_backend_cuda(Registry& registry);  // of the build's registration table

namespace {

class BackendWithoutDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    register_backend_cuda(registry_);
    if (!backend().enumerate(reason_).empty()) GTEST_SKIP() << "this machine has a CUDA device";
  }
  const Backend& backend() { return *registry_.backends.front(); }
  std::string reason_;

 private:
  Registry registry_;
};

TEST_F(BackendWithoutDevice, Fault37_NoDeviceIsOneLineWithTheVersions) {
  EXPECT_EQ(reason_.find("no CUDA device"), std::string::npos) << reason_;  // who tells the reason says that
  EXPECT_EQ(reason_.find('\n'), std::string::npos) << reason_;
  for (const char* part : {"CUDA runtime ", "driver ", "minimum driver "})
    EXPECT_NE(reason_.find(part), std::string::npos) << part;
}

TEST_F(BackendWithoutDevice, Fault37_OpeningADeviceThenIsAnErrorWithTheSameReason) {
  DeviceInfo info{.backend = "cuda"};
  info.id = "GPU-00000000-0000-0000-0000-000000000000";
  try {
    static_cast<void>(backend().open(info));
    FAIL() << "opened a device that is not there";
  } catch (const NoDeviceError& error) {
    EXPECT_EQ(error.what(), reason_);
  }
}

TEST_F(BackendWithoutDevice, Fault37_TheSoftwareListStillNamesTheRuntime) {
  const auto software = backend().software();
  EXPECT_NE(software.at("CUDA runtime").find("linked statically"), std::string::npos);
  EXPECT_FALSE(software.at("NVIDIA driver").empty());
  EXPECT_FALSE(software.at("NVML").empty());
}

}  // namespace
}  // namespace rtxbench
