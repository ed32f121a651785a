#include "tests/plan/fakes.hpp"

namespace rtxbench {
namespace {

using fakes::usage_error;
using testing::AllOf;
using testing::HasSubstr;

class CaseId : public testing::Test {
 protected:
  std::string parse_error(const char* id) {
    return usage_error([&] { return parse_case_id(id, registry_); });
  }
  Registry registry_ = fakes::make_registry();
};

TEST_F(CaseId, LeavesOutDefaultsAndKeepsTheRest) {
  AxisValues values;
  values.items = {{"dtype", "fp16"}, {"m", "64"},         {"n", "32"},       {"layout", "nn"},
                  {"alpha", "1"},    {"regime", "burst"}, {"cache", "cold"}, {"data", "uniform"}};
  const Benchmark& benchmark = *registry_.find_benchmark("square");
  EXPECT_EQ(make_case_id(benchmark, values, "fast"), "square[dtype=fp16,m=64,n=32]@fast");
  values.set("layout", "nt");
  values.set("regime", "sustained");
  values.set("data", "zeros");
  EXPECT_EQ(make_case_id(benchmark, values, "fast"), "square[dtype=fp16,m=64,n=32,layout=nt,regime=sustained,data=zeros]@fast");
}

TEST_F(CaseId, EveryPlannedIdReplaysToTheSameCase) {
  Request request = fakes::request();
  request.axes = {{"layout", "nn,nt"}, {"alpha", "1,0.5"}, {"cache", "cold,warm,flush"}};
  const Plan plan = make_plan(request, registry_, {fakes::gpu()});
  ASSERT_GT(plan.cases.size(), 50U);
  for (const PlannedCase& planned : plan.cases) {
    const Case replayed = parse_case_id(planned.test.id, registry_);
    EXPECT_EQ(replayed.values, planned.test.values);
    EXPECT_EQ(replayed.provider, planned.test.provider);
    EXPECT_EQ(replayed.id, planned.test.id);
  }
}

TEST_F(CaseId, NormalisesOrderSizesAndFollowers) {
  EXPECT_EQ(parse_case_id("square[m=1Ki,regime=burst,dtype=fp16]@fast", registry_).id, "square[dtype=fp16,m=1024,n=1024]@fast");
}

TEST_F(CaseId, ErrorsPointAtThePart) {
  EXPECT_THAT(parse_error("sqare[dtype=fp16,m=1]@fast"),
              AllOf(HasSubstr("unknown benchmark 'sqare' at character 1"), HasSubstr("did you mean square?")));
  EXPECT_THAT(parse_error("square[dtpye=fp16,m=1]@fast"),
              AllOf(HasSubstr("unknown axis 'dtpye' at character 8"), HasSubstr("did you mean dtype?")));
  EXPECT_THAT(parse_error("square[dtype=pf16,m=1]@fast"),
              AllOf(HasSubstr("bad value 'pf16' at character 14"), HasSubstr("did you mean fp16?")));
  EXPECT_THAT(parse_error("square[dtype=fp16,m=1]@fsat"),
              AllOf(HasSubstr("unknown provider 'fsat' at character 24"), HasSubstr("did you mean fast?")));
  EXPECT_THAT(parse_error("square[dtype=fp16,m=1,m=2]@fast"), HasSubstr("second value for axis 'm' at character 23"));
  EXPECT_THAT(parse_error("square[dtype=fp16,m=1:4:x2]@fast"), HasSubstr("one value an axis and not '1:4:x2' at character 21"));
  EXPECT_THAT(parse_error("square[dtype=fp16,m]@fast"), HasSubstr("expected axis=value and not 'm' at character 19"));
  EXPECT_THAT(parse_error("square[dtype=fp16,m=0]@fast"), HasSubstr("bad value '0'"));
  EXPECT_THAT(parse_error("square[dtype=fp16,m=1"), HasSubstr("no provider"));
  EXPECT_THAT(parse_error("square[dtype=fp16,m=1@fast"), HasSubstr("expected ']' and not '1' at character 21"));
  EXPECT_THAT(parse_error("square[m=1]@fast"), HasSubstr("no value for axis 'dtype'"));
  EXPECT_THAT(parse_error(""), HasSubstr("no provider"));
  EXPECT_THAT(parse_error("@fast"), HasSubstr("unknown benchmark ''"));
}

}  // namespace
}  // namespace rtxbench
