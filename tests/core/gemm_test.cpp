#include "rtxbench/problems/gemm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

GemmShape square(std::int64_t size, DType type = DType::fp32) {
  return {.m = size, .n = size, .k = size, .dtype = type, .accumulate = type == DType::fp64 ? DType::fp64 : DType::fp32};
}

TEST(GemmLayout, NamesRoundTrip) {
  for (const GemmLayout layout : {GemmLayout::nn, GemmLayout::nt, GemmLayout::tn, GemmLayout::tt}) {
    EXPECT_EQ(parse_gemm_layout(name(layout)), layout);
  }
  EXPECT_EQ(name(GemmLayout::nt), "nt");
  EXPECT_EQ(name(GemmLayout::tn), "tn");
  EXPECT_TRUE(a_transposed(parse_gemm_layout("tn").value()));
  EXPECT_FALSE(b_transposed(parse_gemm_layout("tn").value()));
  for (const char* text : {"", "n", "NN", "nnn", "ta"}) EXPECT_FALSE(parse_gemm_layout(text)) << text;
}

TEST(Gemm, TensorsInTheOrderOfProviders) {
  GemmShape shape{.m = 2, .n = 3, .k = 5, .batch = 7, .layout = GemmLayout::tn, .dtype = DType::fp16};
  std::vector<TensorSpec> specs = Gemm(shape).tensors();
  ASSERT_EQ(specs.size(), 3U);
  EXPECT_EQ(specs[0].name, "A");
  EXPECT_EQ(specs[0].shape, (std::vector<std::int64_t>{7, 5, 2}));
  EXPECT_EQ(specs[1].name, "B");
  EXPECT_EQ(specs[1].shape, (std::vector<std::int64_t>{7, 5, 3}));
  EXPECT_EQ(specs[2].name, "D");
  EXPECT_EQ(specs[2].shape, (std::vector<std::int64_t>{7, 2, 3}));
  EXPECT_EQ(specs[2].role, TensorRole::output);
  EXPECT_EQ(specs[2].dtype, DType::fp16);

  shape.layout = GemmLayout::nt;
  shape.beta = 0.5;
  specs = Gemm(shape).tensors();
  ASSERT_EQ(specs.size(), 4U);
  EXPECT_EQ(specs[0].shape, (std::vector<std::int64_t>{7, 2, 5}));
  EXPECT_EQ(specs[1].shape, (std::vector<std::int64_t>{7, 3, 5}));
  EXPECT_EQ(specs[2].name, "C");
  EXPECT_EQ(specs[2].role, TensorRole::input);
  EXPECT_EQ(specs[3].name, "D");
}

TEST(Gemm, WorkByHand) {
  GemmShape shape{.m = 2, .n = 3, .k = 5, .batch = 7, .dtype = DType::fp16};
  Work work = Gemm(shape).work();
  EXPECT_EQ(work.flop, 420U);                            // 2 * 2*3*5 * 7
  EXPECT_EQ(work.read_bytes, 2U * 7 * (2 * 5 + 5 * 3));  // A, B
  EXPECT_EQ(work.written_bytes, 2U * 7 * 2 * 3);         // D
  shape.beta = 1;
  work = Gemm(shape).work();
  EXPECT_EQ(work.flop, 420U);
  EXPECT_EQ(work.read_bytes, 2U * 7 * (2 * 5 + 5 * 3 + 2 * 3));
}

TEST(Gemm, Fault16_WorkOfLargeSizesIsExact) {
  const Work work = Gemm(square(65536)).work();
  EXPECT_EQ(work.flop, 562'949'953'421'312U);  // 2^49
  EXPECT_EQ(work.read_bytes, 34'359'738'368U);
  EXPECT_EQ(work.written_bytes, 17'179'869'184U);
  // Just below and just above 2^64 FLOP.
  const std::int64_t mebi2 = std::int64_t{1} << 21;
  EXPECT_EQ(Gemm({.m = mebi2, .n = mebi2, .k = mebi2 / 2}).work().flop, std::uint64_t{1} << 63);
  EXPECT_THROW(Gemm({.m = mebi2, .n = mebi2, .k = mebi2}), UsageError);
}

TEST(Gemm, Fault16_WhatSixtyFourBitsCannotHoldIsRefused) {
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(Gemm({.m = huge, .n = huge, .k = huge, .batch = huge}), UsageError);
  EXPECT_THROW(Gemm({.m = huge}), UsageError);                                         // bytes of D, while 2 m n k still fits
  EXPECT_THROW(Gemm({.k = std::int64_t{1} << 61, .dtype = DType::fp16}), UsageError);  // A and B together
  try {
    Gemm({.m = huge, .n = 3});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("exceed 64 bits"));
    EXPECT_THAT(error.what(), HasSubstr("m=9223372036854775807 n=3"));
  }
}

TEST(Gemm, Fault15_SizesThatMakeNoProblemAreRefused) {
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-5}, std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_THROW(Gemm({.m = bad}), UsageError);
    EXPECT_THROW(Gemm({.n = bad}), UsageError);
    EXPECT_THROW(Gemm({.k = bad}), UsageError);
    EXPECT_THROW(Gemm({.batch = bad}), UsageError);
  }
  try {
    Gemm({.batch = -5});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("batch is -5"));
  }
}

TEST(Gemm, AccumulateTypeMustFit) {
  EXPECT_THROW(Gemm({.dtype = DType::fp64, .accumulate = DType::fp32}), UsageError);
  EXPECT_THROW(Gemm({.dtype = DType::fp32, .accumulate = DType::fp64}), UsageError);
  EXPECT_THROW(Gemm({.dtype = DType::fp16, .accumulate = DType::fp16}), UsageError);
  EXPECT_NO_THROW(Gemm({.dtype = DType::fp64, .accumulate = DType::fp64}));
  EXPECT_THROW(Gemm({.alpha = kNaN}), UsageError);
  EXPECT_THROW(Gemm({.beta = kInfinity}), UsageError);
}

}  // namespace
}  // namespace rtxbench
