#include "rtxbench/tensor.hpp"

#include <gtest/gtest.h>

namespace rtxbench {
namespace {

TEST(TensorSpec, ElementsAndBytes) {
  EXPECT_EQ((TensorSpec{"A", DType::fp16, {2, 3, 5}}.elements()), 30U);
  EXPECT_EQ((TensorSpec{"A", DType::fp16, {2, 3, 5}}.bytes()), 60U);
  EXPECT_EQ((TensorSpec{"A", DType::tf32, {2, 3, 5}}.bytes()), 120U);
  EXPECT_EQ((TensorSpec{"s", DType::fp64, {}}.elements()), 1U);
}

TEST(TensorSpec, Fault16_LargeTensorsCountIn64Bits) {
  EXPECT_EQ((TensorSpec{"A", DType::fp32, {4, 65536, 65536}}.bytes()), std::uint64_t{1} << 36);
}

}  // namespace
}  // namespace rtxbench
