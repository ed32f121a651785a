#include "cli/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

template <class Call>
std::string usage_error(Call call) {
  try {
    (void)call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Duration, UnitsOfTime) {
  EXPECT_DOUBLE_EQ(parse_duration_s("--t", "500ms"), 0.5);
  EXPECT_DOUBLE_EQ(parse_duration_s("--t", "2s"), 2);
  EXPECT_DOUBLE_EQ(parse_duration_s("--t", "1.5m"), 90);
  EXPECT_DOUBLE_EQ(parse_duration_s("--t", "2h"), 7200);
  EXPECT_DOUBLE_EQ(parse_duration_s("--t", "0.25"), 0.25);
  EXPECT_DOUBLE_EQ(parse_duration_s("--t", "250us"), 250e-6);
}

TEST(Duration, Fault15_WrongTimesNameTheFlag) {
  for (const char* text : {"0", "-1s", "abc", "nan", "inf", "12345678901234567890", "1x", "", "s", "1e999", "2 s", "8d"}) {
    EXPECT_THAT(usage_error([&] { return parse_duration_s("--max-time", text); }),
                AllOf(HasSubstr("--max-time"), HasSubstr("500ms, 2s, 1m")))
        << text;
  }
}

TEST(Interpret, DefaultsAreThoseOfParameters) {
  const MeasureCommand command = interpret(TypedOptions{}, "gemm");
  EXPECT_EQ(command.request.benchmark, "gemm");
  EXPECT_EQ(command.request.parameters.min_time_s, Parameters{}.min_time_s);
  EXPECT_EQ(command.request.parameters.seed, 1U);
  EXPECT_TRUE(command.request.parameters.spin);
  EXPECT_EQ(command.request.effort, Effort::standard);
  EXPECT_EQ(command.run.processes, 1);
  EXPECT_EQ(command.run.budget_s, 0);
  EXPECT_EQ(command.device, "auto");
  EXPECT_TRUE(command.request.axes.empty());
}

TEST(Interpret, EveryOptionArrives) {
  TypedOptions typed;
  typed.axes = {{"m", {"1,2", "3"}}, {"n", {}}};
  typed.providers = {"a,b", "c"};
  typed.filters = {"x,y"};
  typed.case_ids = {"id"};
  typed.device = "cuda:1";
  typed.seed = "7";
  typed.min_time = "10ms";
  typed.max_time = "50ms";
  typed.budget = "1m";
  typed.timeout = "3s";
  typed.processes = "5";
  typed.quick = typed.no_spin = true;
  typed.outs = {"a.json"};
  typed.json = "b.txt";
  const MeasureCommand command = interpret(typed, "gemm");
  EXPECT_THAT(command.request.axes, ElementsAre(testing::Pair("m", "1,2,3")));
  EXPECT_THAT(command.request.providers, ElementsAre("a", "b", "c"));
  EXPECT_THAT(command.request.filters, ElementsAre("x,y"));  // ids hold commas
  EXPECT_THAT(command.request.case_ids, ElementsAre("id"));
  EXPECT_EQ(command.device, "cuda:1");
  EXPECT_EQ(command.request.parameters.seed, 7U);
  EXPECT_DOUBLE_EQ(command.request.parameters.min_time_s, 0.01);
  EXPECT_DOUBLE_EQ(command.request.parameters.max_time_s, 0.05);
  EXPECT_DOUBLE_EQ(command.request.parameters.case_timeout_s, 3);
  EXPECT_FALSE(command.request.parameters.spin);
  EXPECT_DOUBLE_EQ(command.run.budget_s, 60);
  EXPECT_EQ(command.run.processes, 5);
  EXPECT_EQ(command.request.effort, Effort::quick);
  EXPECT_THAT(command.reports, ElementsAre("a.json"));
  EXPECT_EQ(command.json_file, "b.txt");
  EXPECT_FALSE(command.json_to_stdout);
}

TEST(Interpret, ADashMeansStdout) {
  TypedOptions typed;
  typed.json = "-";
  EXPECT_TRUE(interpret(typed, "gemm").json_to_stdout);
  EXPECT_EQ(interpret(typed, "gemm").json_file, "");
}

TEST(Interpret, Fault15_WrongNumbersNameTheFlag) {
  for (const char* text : {"0", "-5", "abc", "nan", "12345678901234567890", "1.5", "1001"}) {
    TypedOptions typed;
    typed.processes = text;
    EXPECT_THAT(usage_error([&] { return interpret(typed, "gemm"); }),
                AllOf(HasSubstr("--processes"), HasSubstr("from 1 to 1000")))
        << text;
  }
  for (const char* text : {"-1", "abc", "12345678901234567890"}) {
    TypedOptions typed;
    typed.seed = text;
    EXPECT_THAT(usage_error([&] { return interpret(typed, "gemm"); }), HasSubstr("--seed")) << text;
  }
}

TEST(Interpret, AShortMaxTimeAloneShortensTheMinTime) {
  TypedOptions typed;
  typed.max_time = "0.2s";
  EXPECT_DOUBLE_EQ(interpret(typed, "gemm").request.parameters.min_time_s, 0.2);
  typed.max_time = "9s";
  EXPECT_DOUBLE_EQ(interpret(typed, "gemm").request.parameters.min_time_s, Parameters{}.min_time_s);
  typed.max_time = "0.2s";
  typed.min_time = "0.3s";
  EXPECT_THAT(usage_error([&] { return interpret(typed, "gemm"); }), HasSubstr("--min-time 0.3 s is longer"));
}

TEST(Interpret, ContradictionsAreRefused) {
  TypedOptions both;
  both.quick = both.thorough = true;
  EXPECT_THAT(usage_error([&] { return interpret(both, "gemm"); }), HasSubstr("exclude each other"));
  TypedOptions times;
  times.min_time = "10s";
  EXPECT_THAT(usage_error([&] { return interpret(times, "gemm"); }),
              AllOf(HasSubstr("--min-time"), HasSubstr("raise --max-time")));
  TypedOptions dry;
  dry.dry_run = true;
  dry.outs = {"a.json"};
  EXPECT_THAT(usage_error([&] { return interpret(dry, "gemm"); }), HasSubstr("--out"));
  TypedOptions kind;
  kind.outs = {"a.xlsx"};
  EXPECT_THAT(usage_error([&] { return interpret(kind, "gemm"); }), AllOf(HasSubstr("a.xlsx"), HasSubstr("known: .json")));
}

}  // namespace
}  // namespace rtxbench
