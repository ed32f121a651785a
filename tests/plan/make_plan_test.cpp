#include "plan/sizing.hpp"
#include "tests/plan/fakes.hpp"

namespace rtxbench {
namespace {

using fakes::cpu;
using fakes::gpu;
using fakes::ids;
using fakes::kGiB;
using fakes::kMiB;
using fakes::request;
using fakes::usage_error;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class MakePlan : public testing::Test {
 protected:
  Plan plan(const Request& wanted, const std::vector<DeviceInfo>& devices = {gpu()}) {
    return make_plan(wanted, registry_, devices);
  }
  std::string error(const Request& wanted, const std::vector<DeviceInfo>& devices = {gpu()}) {
    return usage_error([&] { return plan(wanted, devices); });
  }
  Registry registry_ = fakes::make_registry();
};

TEST_F(MakePlan, DefaultsGiveBurstsThenSustainedOfTheLargest) {
  EXPECT_THAT(
      ids(plan(request())),
      ElementsAre(
          "square[dtype=fp32,m=64,n=64]@fast", "square[dtype=fp32,m=64,n=64]@slow", "square[dtype=fp32,m=128,n=128]@fast",
          "square[dtype=fp32,m=256,n=256]@fast", "square[dtype=fp16,m=64,n=64]@fast", "square[dtype=fp16,m=64,n=64]@slow",
          "square[dtype=fp16,m=128,n=128]@fast", "square[dtype=fp16,m=256,n=256]@fast",
          // slow has only the 64s, so its largest is that one
          "square[dtype=fp32,m=64,n=64,regime=sustained]@slow", "square[dtype=fp32,m=128,n=128,regime=sustained]@fast",
          "square[dtype=fp32,m=256,n=256,regime=sustained]@fast", "square[dtype=fp16,m=64,n=64,regime=sustained]@slow",
          "square[dtype=fp16,m=128,n=128,regime=sustained]@fast", "square[dtype=fp16,m=256,n=256,regime=sustained]@fast"));
}

TEST_F(MakePlan, QuickHasFewerSustained) {
  Request wanted = request();
  wanted.effort = Effort::quick;
  wanted.providers = {"fast"};
  wanted.axes["dtype"] = "fp16";
  EXPECT_THAT(ids(plan(wanted)),
              ElementsAre("square[dtype=fp16,m=64,n=64]@fast", "square[dtype=fp16,m=128,n=128]@fast",
                          "square[dtype=fp16,m=256,n=256]@fast", "square[dtype=fp16,m=256,n=256,regime=sustained]@fast"));
}

TEST_F(MakePlan, ANamedRegimeIsTheOnlyOne) {
  Request wanted = request();
  wanted.providers = {"fast"};
  wanted.axes = {{"regime", "burst"}, {"dtype", "fp16"}, {"m", "8"}};
  EXPECT_THAT(ids(plan(wanted)), ElementsAre("square[dtype=fp16,m=8,n=8]@fast"));
  wanted.axes["regime"] = "sustained,burst";
  EXPECT_THAT(ids(plan(wanted)),
              ElementsAre("square[dtype=fp16,m=8,n=8]@fast", "square[dtype=fp16,m=8,n=8,regime=sustained]@fast"));
}

TEST_F(MakePlan, ProductInIdOrderWithFollowers) {
  Request wanted = request();
  wanted.providers = {"slow"};
  wanted.axes = {{"regime", "burst"}, {"dtype", "fp64"}, {"m", "2,4"}, {"layout", "nt,nn"}};
  EXPECT_THAT(ids(plan(wanted)), ElementsAre("square[dtype=fp64,m=2,n=2,layout=nt]@slow", "square[dtype=fp64,m=2,n=2]@slow",
                                             "square[dtype=fp64,m=4,n=4,layout=nt]@slow", "square[dtype=fp64,m=4,n=4]@slow"));
  wanted.axes = {{"regime", "burst"}, {"dtype", "fp64"}, {"m", "2,4"}, {"n", "3"}};
  EXPECT_THAT(ids(plan(wanted)), ElementsAre("square[dtype=fp64,m=2,n=3]@slow", "square[dtype=fp64,m=4,n=3]@slow"));
}

TEST_F(MakePlan, NamedProvidersOverrideTheWorkLimitAndAllMeansAll) {
  Request wanted = request();
  wanted.axes = {{"regime", "burst"}, {"dtype", "fp16"}, {"m", "256"}};
  EXPECT_THAT(ids(plan(wanted)), ElementsAre(HasSubstr("@fast")));
  wanted.providers = {"slow"};
  EXPECT_THAT(ids(plan(wanted)), ElementsAre(HasSubstr("@slow")));
  wanted.providers = {"all"};
  EXPECT_THAT(ids(plan(wanted)), ElementsAre(HasSubstr("@fast"), HasSubstr("@slow")));
}

TEST_F(MakePlan, UnknownProvidersGetTheNearestName) {
  Request wanted = request();
  wanted.providers = {"fats"};
  EXPECT_THAT(error(wanted), AllOf(HasSubstr("--provider"), HasSubstr("'fats'"), HasSubstr("did you mean fast?")));
  wanted.providers = {"fast"};
  EXPECT_THAT(error(wanted, {cpu()}), AllOf(HasSubstr("'fast' is for cuda devices"), HasSubstr("on cpu: slow")));
}

TEST_F(MakePlan, EveryDeviceGetsItsOwnCases) {
  Request wanted = request();
  wanted.axes = {{"regime", "burst"}, {"dtype", "fp16"}, {"m", "64"}};
  std::vector<std::string> places;
  for (const PlannedCase& planned : plan(wanted, {gpu(0), gpu(1), cpu()}).cases) {
    places.push_back(planned.test.device + " " + planned.test.provider);
  }
  EXPECT_THAT(places, ElementsAre("GPU-11111111-aaaa fast", "GPU-11111111-aaaa slow", "GPU-12222222-bbbb fast",
                                  "GPU-12222222-bbbb slow", "cpu slow"));
}

TEST_F(MakePlan, UnsupportedIsASkipWithTheProvidersReason) {
  Request wanted = request();
  wanted.axes = {{"dtype", "fp64"}, {"m", "64"}};
  wanted.providers = {"fast"};
  const Plan made = plan(wanted);
  EXPECT_THAT(made.cases, IsEmpty());
  ASSERT_EQ(made.skips.size(), 1U);
  EXPECT_TRUE(made.skips[0].unsupported);
  EXPECT_EQ(made.skips[0].reason, "fp64 is not offered; use slow");
  EXPECT_EQ(made.skips[0].test.id, "square[dtype=fp64,m=64,n=64]@fast");
}

TEST_F(MakePlan, FiltersKeepWhatTheyName) {
  Request wanted = request();
  wanted.filters = {"m=128,", "fp32*sustained"};
  EXPECT_THAT(ids(plan(wanted)), ElementsAre("square[dtype=fp32,m=128,n=128]@fast", "square[dtype=fp16,m=128,n=128]@fast",
                                             "square[dtype=fp32,m=64,n=64,regime=sustained]@slow",
                                             "square[dtype=fp32,m=128,n=128,regime=sustained]@fast",
                                             "square[dtype=fp32,m=256,n=256,regime=sustained]@fast",
                                             "square[dtype=fp16,m=128,n=128,regime=sustained]@fast"));
  wanted.filters = {"m=?4"};
  EXPECT_THAT(ids(plan(wanted)), Each(HasSubstr("m=64")));
}

TEST_F(MakePlan, Fault14_AFilterThatMatchesNothingNamesTheNearest) {
  Request wanted = request();
  wanted.filters = {"m=265"};
  EXPECT_THAT(error(wanted), AllOf(HasSubstr("--filter 'm=265' matches none of 14 cases"), HasSubstr("nearest: square[dtype="),
                                   HasSubstr("m=256")));
}

TEST_F(MakePlan, CasesByIdAreExactlyThose) {
  Request wanted;
  wanted.case_ids = {"square[dtype=fp16,m=256,n=256]@slow", "square[m=256,dtype=fp16]@slow",
                     "square[dtype=fp16,m=8,n=8,regime=sustained]@fast"};
  EXPECT_THAT(ids(plan(wanted)),
              ElementsAre("square[dtype=fp16,m=256,n=256]@slow", "square[dtype=fp16,m=8,n=8,regime=sustained]@fast"));
  EXPECT_THAT(error(wanted, {cpu()}), HasSubstr("'fast' is for cuda devices"));
  wanted.axes = {{"m", "4"}};
  EXPECT_THAT(error(wanted), AllOf(HasSubstr("--case"), HasSubstr("leave out --m")));
}

TEST_F(MakePlan, UnknownNamesInARequest) {
  Request wanted = request();
  wanted.axes = {{"layuot", "nn"}};
  EXPECT_THAT(error(wanted), AllOf(HasSubstr("--layuot"), HasSubstr("did you mean --layout?")));
  wanted.axes = {};
  wanted.benchmark = "sqaure";
  EXPECT_THAT(error(wanted), AllOf(HasSubstr("'sqaure'"), HasSubstr("did you mean square?")));
}

TEST_F(MakePlan, TooManyCasesAreRefused) {
  Request wanted = request();
  wanted.axes = {{"m", "1:1000:+1"}, {"n", "1:1000:+1"}};
  EXPECT_THAT(error(wanted), HasSubstr("--n: more than 10000 cases"));
}

// Operands of one set: 3 x 2 x m x m bytes in fp16; 256 MiB more for the flush.
TEST_F(MakePlan, Fault42_MemoryThatDoesNotFitIsSkippedWithFigures) {
  Request wanted = request();
  wanted.providers = {"fast"};
  wanted.axes = {{"dtype", "fp16"}, {"m", "16384,65536"}, {"regime", "burst"}};  // 1.5 and 24 GiB a set
  struct Expectation {
    std::optional<std::uint64_t> free;
    std::size_t planned;
    std::vector<std::string> reasons;
  };
  const std::vector<Expectation> expectations{
      {0, 0, {"needs 1.750 GiB, free 0 B", "needs 24.25 GiB, free 0 B"}},
      {117 * kMiB, 0, {"needs 1.750 GiB, free 117.0 MiB", "needs 24.25 GiB, free 117.0 MiB"}},
      {8 * kGiB, 1, {"needs 24.25 GiB, free 8.000 GiB"}},
      {24 * kGiB, 1, {"needs 24.25 GiB, free 24.00 GiB"}},
      {25 * kGiB, 2, {}},
      {80 * kGiB, 2, {}},
      {std::nullopt, 2, {}},
  };
  for (const Expectation& expected : expectations) {
    DeviceInfo device = gpu();
    device.free_bytes = expected.free;
    const Plan made = plan(wanted, {device});
    std::vector<std::string> reasons;
    for (const Skip& skip : made.skips) {
      reasons.push_back(skip.reason);
      EXPECT_FALSE(skip.unsupported);
    }
    EXPECT_EQ(made.cases.size(), expected.planned) << expected.free.value_or(1);
    EXPECT_EQ(reasons, expected.reasons);
    for (const PlannedCase& planned : made.cases) {
      EXPECT_THAT(planned.memory_bytes, testing::AnyOf(1792 * kMiB, 24832 * kMiB));
    }
  }
}

TEST_F(MakePlan, Fault42_TotalMemoryStandsInForUnknownFreeMemory) {
  DeviceInfo device = gpu();
  device.free_bytes.reset();
  device.memory_bytes = kGiB;
  Request wanted = request();
  wanted.axes = {{"dtype", "fp16"}, {"m", "16384"}};
  EXPECT_THAT(plan(wanted, {device}).skips.at(0).reason, "needs 1.750 GiB, free 1.000 GiB");
}

TEST_F(MakePlan, Fault42_SizesPast64BitsAreSkippedAndNotWrapped) {
  Request wanted = request();
  wanted.providers = {"fast"};
  wanted.axes = {{"dtype", "fp32"}, {"m", "2Gi"}, {"regime", "burst"}};  // 3 x 2^64 bytes
  const Plan made = plan(wanted);
  EXPECT_THAT(made.cases, IsEmpty());
  EXPECT_THAT(made.skips.at(0).reason, HasSubstr("needs 16.00 EiB"));
}

TEST_F(MakePlan, Fault42_TheLargestThatRunsIsSustained) {
  DeviceInfo device = gpu();
  device.free_bytes = 2 * kGiB;
  Request wanted = request();
  wanted.effort = Effort::quick;
  wanted.providers = {"fast"};
  wanted.axes = {{"dtype", "fp16"}, {"m", "1024,16384,65536"}};
  EXPECT_THAT(ids(plan(wanted, {device})),
              ElementsAre("square[dtype=fp16,m=1024,n=1024]@fast", "square[dtype=fp16,m=16384,n=16384]@fast",
                          "square[dtype=fp16,m=16384,n=16384,regime=sustained]@fast"));
}

TEST_F(MakePlan, EstimatesFollowTheProtocol) {
  Request wanted = request();
  wanted.providers = {"fast"};
  wanted.axes = {{"dtype", "fp16"}, {"m", "64"}};
  const Plan made = plan(wanted);
  ASSERT_EQ(made.cases.size(), 2U);
  EXPECT_DOUBLE_EQ(made.cases[0].estimated_s, 0.5 + 0.5);        // three bursts of 0.11 s are over before min_time
  EXPECT_DOUBLE_EQ(made.cases[1].estimated_s, 0.5 + 4.0 + 0.5);  // heating, min_time
  wanted.parameters.min_samples = 100;
  EXPECT_DOUBLE_EQ(plan(wanted).cases[0].estimated_s, 0.5 + 10 * 0.11);
  wanted.parameters.max_time_s = 0.6;
  EXPECT_DOUBLE_EQ(plan(wanted).cases[0].estimated_s, 0.5 + 0.6);
}

class OperandSets : public testing::Test {
 protected:
  static std::size_t sets(std::int64_t m, std::uint64_t cache_mib, std::string cache,
                          std::optional<std::uint64_t> free = 80 * kGiB) {
    AxisValues values;
    values.set("cache", std::move(cache));
    DeviceInfo device = gpu();
    device.cache_bytes = cache_mib * kMiB;
    device.free_bytes = free;
    return operand_sets(fakes::SquareProblem(DType::fp16, m, m), values, device);
  }
};

// One set of 1024 is 6 MiB.
TEST_F(OperandSets, Fault24_TogetherExceedThreeTimesTheCache) {
  EXPECT_EQ(sets(1024, 6, "cold"), 3U);
  EXPECT_EQ(sets(1024, 72, "cold"), 36U);
  EXPECT_EQ(sets(1024, 96, "cold"), 48U);
  EXPECT_EQ(sets(1024, 126, "cold"), 63U);
  EXPECT_EQ(sets(8192, 126, "cold"), 1U);  // 384 MiB are more than 378 MiB
  EXPECT_EQ(sets(4096, 96, "cold"), 3U);
  EXPECT_EQ(sets(4096, 97, "cold"), 4U);
}

TEST_F(OperandSets, CappedByCountAndMemory) {
  EXPECT_EQ(sets(16, 126, "cold"), 64U);
  EXPECT_EQ(sets(1024, 6, "cold", 256 * kMiB + 13 * kMiB), 2U);
  EXPECT_EQ(sets(1024, 6, "cold", 0), 1U);
}

TEST_F(OperandSets, OneWhereNothingRotates) {
  EXPECT_EQ(sets(1024, 72, "warm"), 1U);
  EXPECT_EQ(sets(1024, 72, "flush"), 1U);
}

}  // namespace
}  // namespace rtxbench
