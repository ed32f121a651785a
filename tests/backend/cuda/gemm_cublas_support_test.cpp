// What the cuBLAS provider takes and refuses, which needs neither a device nor the library.
#include <gtest/gtest.h>

#include "rtxbench/problems/gemm.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {

void register_provider_gemm_cublas(Registry& registry);  // of the build's registration table

namespace {

class CublasSupport : public ::testing::Test {
 protected:
  CublasSupport() { register_provider_gemm_cublas(registry_); }
  Support supports(const GemmShape& shape, int major, int minor) {
    DeviceInfo info{.backend = "cuda"};
    info.cc_major = major;
    info.cc_minor = minor;
    return registry_.providers.front()->supports(Gemm(shape), info);
  }
  static GemmShape square(DType dtype) {
    return {.m = 64, .n = 64, .k = 64, .dtype = dtype, .accumulate = dtype == DType::fp64 ? DType::fp64 : DType::fp32};
  }

 private:
  Registry registry_;
};

TEST_F(CublasSupport, EveryTypeFromAmpereOn) {
  for (const DType dtype : all_dtypes()) EXPECT_TRUE(supports(square(dtype), 8, 0).yes) << name(dtype);
}

TEST_F(CublasSupport, TuringHasNeitherBf16NorTf32AndSaysWhatItHas) {
  for (const DType dtype : {DType::bf16, DType::tf32}) {
    const Support support = supports(square(dtype), 7, 5);
    EXPECT_FALSE(support.yes);
    EXPECT_NE(support.reason.find("needs compute capability 8.0, this device has 7.5"), std::string::npos) << support.reason;
  }
  for (const DType dtype : {DType::fp64, DType::fp32, DType::fp16}) EXPECT_TRUE(supports(square(dtype), 7, 5).yes);
}

TEST_F(CublasSupport, Fault16_ExtentsBeyond32BitsAreTaken) {
  GemmShape shape = square(DType::fp16);
  shape.m = std::int64_t{1} << 31;
  EXPECT_TRUE(supports(shape, 9, 0).yes);
}

}  // namespace
}  // namespace rtxbench
