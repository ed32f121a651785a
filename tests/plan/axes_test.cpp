#include "plan/text.hpp"
#include "tests/plan/fakes.hpp"

namespace rtxbench {
namespace {

using fakes::usage_error;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Texts = std::vector<std::string>;

const AxisSpec kSize{.name = "m"};
const AxisSpec kReal{.name = "alpha", .kind = AxisKind::real};
const AxisSpec kChoice{.name = "dtype", .kind = AxisKind::choice, .choices = {"fp32", "tf32", "fp16"}};

TEST(AxisValues, ListsKeepTheirOrderAndDropDuplicates) {
  EXPECT_EQ(parse_axis_values(kSize, "4096,17,4096,1"), (Texts{"4096", "17", "1"}));
  EXPECT_EQ(parse_axis_values(kChoice, "fp16,fp32,fp16"), (Texts{"fp16", "fp32"}));
}

TEST(AxisValues, SweepsMultiplyOrAdd) {
  EXPECT_EQ(parse_axis_values(kSize, "1024:16384:x2"), (Texts{"1024", "2048", "4096", "8192", "16384"}));
  EXPECT_EQ(parse_axis_values(kSize, "1:9:+2"), (Texts{"1", "3", "5", "7", "9"}));
  EXPECT_EQ(parse_axis_values(kSize, "100:1000:x3"), (Texts{"100", "300", "900"}));
  EXPECT_EQ(parse_axis_values(kSize, "7:7:+1,9"), (Texts{"7", "9"}));
}

TEST(AxisValues, SuffixesAreDecimalOrBinary) {
  EXPECT_EQ(parse_axis_values(kSize, "1k,1Ki,4K,1M,1Mi,1G,1GiB,2kB"),
            (Texts{"1000", "1024", "4000", "1000000", "1048576", "1000000000", "1073741824", "2000"}));
}

TEST(AxisValues, RealsBecomeCanonical) {
  EXPECT_EQ(parse_axis_values(kReal, "1.0,0.50,-2,-0,1e-3"), (Texts{"1", "0.5", "-2", "0", "0.001"}));
}

class AxisValuesRefused : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(AxisValuesRefused, Fault15_NamesTheFlagTheCauseAndTheAcceptedForm) {
  const auto [text, cause] = GetParam();
  const std::string message = usage_error([text = text] { return parse_axis_values(kSize, text); });
  EXPECT_THAT(message, AllOf(HasSubstr("--m:"), HasSubstr(cause), HasSubstr("whole numbers from"), HasSubstr("1024:16384:x2")));
}

INSTANTIATE_TEST_SUITE_P(All, AxisValuesRefused,
                         testing::Values(std::pair{"0", "'0' is too small"}, std::pair{"-5", "'-5' is negative"},
                                         std::pair{"abc", "'abc' is not a whole number"}, std::pair{"nan", "'nan' is not"},
                                         std::pair{"12345678901234567890", "too large"}, std::pair{"3G", "too large"},
                                         std::pair{"9000000T", "too large"}, std::pair{"12x", "'12x' is not a whole number"},
                                         std::pair{"1.5", "'1.5' is not a whole number"}, std::pair{"", "no value"},
                                         std::pair{"1,,2", "empty item"}, std::pair{"1,", "empty item"},
                                         std::pair{"64:1:x2", "backwards: write 1:64:x2"}, std::pair{"1:64:x1", "never ends"},
                                         std::pair{"1:64:+0", "never ends"}, std::pair{"1:64:x0", "never ends"},
                                         std::pair{"1:64", "needs a first value"}, std::pair{"1:64:2", "a step x2 or +256"},
                                         std::pair{"1:2:3:x2", "not a sweep"},
                                         std::pair{"1:2000000000:+1", "more than 1000 values"}));

TEST(AxisValues, Fault15_RealsMustBeFinite) {
  for (const char* text : {"nan", "inf", "-inf", "abc", "1e999", "1,"}) {
    EXPECT_THAT(usage_error([&] { return parse_axis_values(kReal, text); }), HasSubstr("--alpha:")) << text;
  }
}

TEST(AxisValues, UnknownChoiceGetsTheNearestName) {
  EXPECT_THAT(usage_error([] { return parse_axis_values(kChoice, "fp23"); }),
              AllOf(HasSubstr("--dtype: unknown value 'fp23'"), HasSubstr("did you mean fp32?")));
  EXPECT_THAT(usage_error([] { return parse_axis_values(kChoice, "quadruple"); }),
              AllOf(HasSubstr("accepted: fp32, tf32, fp16"), testing::Not(HasSubstr("did you mean"))));
}

TEST(NearestName, CountsSwapsAsOneSlip) {
  EXPECT_EQ(nearest_name("dtpye", {"device", "dtype", "data"}), "dtype");
  EXPECT_EQ(nearest_name("gmm", {"gemm", "list", "info"}), "gemm");
  EXPECT_EQ(nearest_name("CUBLAS", {"cublas", "naive"}), "cublas");
  EXPECT_EQ(nearest_name("cub", {"naive", "cublas"}), "cublas");
}

TEST(NearestName, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("xyzzy", {"gemm", "list"}), "");
  EXPECT_EQ(nearest_name("", {"gemm"}), "");
  EXPECT_EQ(nearest_name("m", {"n", "k"}), "");
}

}  // namespace
}  // namespace rtxbench
