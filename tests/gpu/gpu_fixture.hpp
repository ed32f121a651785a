// Opens the first CUDA device once for all tests of the binary; without one every test is skipped with the driver's reason.
#pragma once

#include <gtest/gtest.h>

#include "rtxbench/registry.hpp"

namespace rtxbench {

// Defined by the build's rooms; named here so that the tests need no whole registry.
void register_backend_cuda(Registry& registry);
void register_provider_gemm_cublas(Registry& registry);

namespace test {

inline Device* first_device(std::string& reason) {
  static Registry registry;
  static std::unique_ptr<Device> device;
  static std::string why;
  if (!device && why.empty()) {
    register_backend_cuda(registry);
    const std::vector<DeviceInfo> found = registry.backends.front()->enumerate(why);
    if (!found.empty()) device = registry.backends.front()->open(found.front());
  }
  reason = why;
  return device.get();
}

class GpuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    device_ = first_device(reason);
    if (device_ == nullptr) GTEST_SKIP() << reason;
  }
  Device& device() { return *device_; }

  struct Held {
    std::unique_ptr<Buffer> buffer;
    Tensor tensor;
  };
  Held make(const TensorSpec& spec) {
    auto buffer = device_->allocate(spec.bytes());
    void* data = buffer->data();
    return {std::move(buffer), {spec, data}};
  }

 private:
  Device* device_ = nullptr;
};

}  // namespace test
}  // namespace rtxbench
