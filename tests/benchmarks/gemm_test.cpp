#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>

#include "plan/plan.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/problems/gemm.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {
namespace {

using testing::ElementsAre;

class GemmBenchmark : public testing::Test {
 protected:
  static DeviceInfo device(const char* backend) {
    DeviceInfo info;
    info.backend = backend;
    info.id = backend;
    return info;
  }
  Registry registry_ = make_registry();
  const Benchmark& gemm_ = *registry_.find_benchmark("gemm");
};

TEST_F(GemmBenchmark, ValuesBecomeTheProblem) {
  const AxisValues values{{{"dtype", "bf16"},
                           {"m", "5"},
                           {"n", "6"},
                           {"k", "7"},
                           {"batch", "2"},
                           {"layout", "tn"},
                           {"alpha", "0.5"},
                           {"beta", "-1"}}};
  const auto problem = gemm_.problem(values);
  const GemmShape& shape = static_cast<const Gemm&>(*problem).shape();
  EXPECT_EQ(shape.m, 5);
  EXPECT_EQ(shape.n, 6);
  EXPECT_EQ(shape.k, 7);
  EXPECT_EQ(shape.batch, 2);
  EXPECT_EQ(shape.layout, GemmLayout::tn);
  EXPECT_EQ(shape.dtype, DType::bf16);
  EXPECT_EQ(shape.accumulate, DType::fp32);
  EXPECT_EQ(shape.alpha, 0.5);
  EXPECT_EQ(shape.beta, -1);
  EXPECT_EQ(problem->work().flop, 2U * 5 * 6 * 7 * 2);
}

TEST_F(GemmBenchmark, Fp64AccumulatesInFp64) {
  const AxisValues values{
      {{"dtype", "fp64"}, {"m", "1"}, {"n", "1"}, {"k", "1"}, {"batch", "1"}, {"layout", "nn"}, {"alpha", "1"}, {"beta", "0"}}};
  EXPECT_EQ(gemm_.problem(values)->math().accumulate, DType::fp64);
}

TEST_F(GemmBenchmark, Fault16_WorkOfLargeSizesDoesNotWrap) {
  AxisValues values{{{"dtype", "fp16"},
                     {"m", "65536"},
                     {"n", "65536"},
                     {"k", "65536"},
                     {"batch", "1"},
                     {"layout", "nn"},
                     {"alpha", "1"},
                     {"beta", "0"}}};
  EXPECT_EQ(gemm_.problem(values)->work().flop, 562949953421312U);  // 2^49
  for (const char* axis : {"m", "n", "k"}) values.set(axis, "2147483648");
  EXPECT_THROW((void)gemm_.problem(values), UsageError);
}

TEST_F(GemmBenchmark, DefaultsOfAGpu) {
  const Defaults standard = gemm_.defaults(device("cuda"), Effort::standard);
  EXPECT_THAT(standard.axes.at("dtype"), ElementsAre("fp32", "tf32", "fp16"));
  EXPECT_THAT(standard.axes.at("m"), ElementsAre("1024", "2048", "4096", "8192", "16384"));
  EXPECT_EQ(standard.sustained_largest, 2);
  ASSERT_EQ(standard.providers.size(), 1U);
  EXPECT_EQ(standard.providers[0].name, "cublas");
  const Defaults quick = gemm_.defaults(device("cuda"), Effort::quick);
  EXPECT_THAT(quick.axes.at("m"), ElementsAre("1024", "2048", "4096", "8192"));
  EXPECT_EQ(quick.sustained_largest, 1);
  EXPECT_THAT(gemm_.defaults(device("cuda"), Effort::thorough).axes.at("m"),
              testing::IsSupersetOf({"256", "512", "4095", "4097", "16384"}));
}

TEST_F(GemmBenchmark, DefaultsOfACpuKeepNaiveSmall) {
  const Defaults standard = gemm_.defaults(device("cpu"), Effort::standard);
  EXPECT_THAT(standard.axes.at("dtype"), ElementsAre("fp32", "fp64", "fp16"));
  EXPECT_THAT(standard.axes.at("m"), ElementsAre("256", "512", "1024", "2048"));
  EXPECT_EQ(standard.sustained_largest, 0);
  ASSERT_EQ(standard.providers.size(), 2U);
  EXPECT_EQ(standard.providers[0].name, "openblas");
  EXPECT_EQ(standard.providers[1].name, "naive");
  EXPECT_EQ(standard.providers[1].max_flop, 268435456.0);  // 2 x 512^3
  EXPECT_THAT(gemm_.defaults(device("cpu"), Effort::quick).axes.at("m"), ElementsAre("256", "512", "1024"));
}

TEST_F(GemmBenchmark, EveryDefaultIsAValueOfItsAxis) {
  for (const char* backend : {"cpu", "cuda"}) {
    for (const Effort effort : {Effort::quick, Effort::standard, Effort::thorough}) {
      for (const auto& [name, values] : gemm_.defaults(device(backend), effort).axes) {
        const auto axis = std::ranges::find(gemm_.axes(), name, &AxisSpec::name);
        ASSERT_NE(axis, gemm_.axes().end()) << name;
        for (const std::string& value : values) EXPECT_THAT(parse_axis_values(*axis, value), ElementsAre(value));
      }
    }
  }
}

TEST_F(GemmBenchmark, RatiosAreForGpusOnly) {
  const auto derived = gemm_.derived();
  ASSERT_EQ(derived.size(), 2U);
  EXPECT_EQ(derived[0].label, "fp16 / fp32");
  EXPECT_EQ(derived[1].label, "fp16 / tf32");
  for (const DerivedSpec& spec : derived) EXPECT_EQ(spec.backend, "cuda");
}

}  // namespace
}  // namespace rtxbench
