#include "rtxbench/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <locale>
#include <sstream>

#include "report/sample_report.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/metrics.hpp"

namespace rtxbench {
namespace {
using ::testing::HasSubstr;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string usage_error(const Json& json) {
  try {
    (void)report_from_json(json, "old.json");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

Json full() { return to_json(sample::full_report()); }

TEST(Json, EveryFieldOfAReportSurvivesTextAndBack) {
  const Json first = full();
  const Report report = report_from_json(Json::parse(dump_line(first)), "x");
  EXPECT_EQ(to_json(report), first);
  EXPECT_EQ(Json::parse(dump_pretty(first)), first);
}

TEST(Json, ValuesLandInTheirMembers) {
  const Report report = report_from_json(full(), "x");
  const Record& record = report.records.at(0);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.processes, 2);
  EXPECT_EQ(report.parameters.seed, 18446744073709551615U);
  EXPECT_EQ(report.environment.variables.at("CUDA_VISIBLE_DEVICES"), "1");
  EXPECT_EQ(record.test.values, sample::full_record().test.values);
  EXPECT_EQ(record.math.accumulate, DType::fp64);
  EXPECT_EQ(record.device.other_processes, (std::vector<int>{4711, 815}));
  EXPECT_EQ(record.device.pci_device_id, 0x10de2335U);
  EXPECT_EQ(record.verification->coverage, Coverage::sampled);
  EXPECT_EQ(record.measurement->stop_reason, StopReason::max_samples);
  EXPECT_EQ(record.measurement->samples_s, sample::full_measurement().samples_s);
  EXPECT_EQ(record.measurement->group_clocks_hz, sample::full_measurement().group_clocks_hz);
  EXPECT_EQ(record.measurement->time.p95, 1.09e-4);
  EXPECT_EQ(record.processes.size(), 2U);
  EXPECT_EQ(record.telemetry.clock_event_reasons, 4U);
}

TEST(Json, ParametersAndDeviceTravelAlone) {
  Parameters parameters;
  parameters.throttle_retries = 7;
  parameters.spin = false;
  const Parameters read = parameters_from_json(to_json(parameters));
  EXPECT_EQ(read.throttle_retries, 7);
  EXPECT_FALSE(read.spin);
  EXPECT_EQ(device_info_from_json(to_json(sample::full_device())).max_memory_clock_hz, 3.201e9);
}

TEST(Json, AbsentIsNullUnderAKeyThatIsAlwaysThere) {
  const Json json = to_json(sample::bare_report());
  const Json& record = json["records"][0];
  for (const char* key : {"power_w", "energy_per_call_j", "temperature_c", "sm_clock_hz", "memory_clock_hz", "utilisation",
                          "clock_event_reasons"}) {
    EXPECT_TRUE(record["telemetry"].contains(key) && record["telemetry"][key].is_null()) << key;
  }
  EXPECT_TRUE(record["verification"].is_null());
  EXPECT_TRUE(record["device"]["pci_device_id"].is_null());
  EXPECT_TRUE(json["environment"]["memory_bytes"].is_null());
  EXPECT_TRUE(json["records"][1]["measurement"].is_null());
  const Report back = report_from_json(json, "x");
  EXPECT_EQ(to_json(back), json);
  EXPECT_FALSE(back.environment.memory_bytes.has_value());
  EXPECT_FALSE(back.records[0].telemetry.power_w.has_value());
}

TEST(Json, AxisValuesAreTypedAndGiveBackTheSameText) {
  AxisValues values;
  const std::vector<std::string> texts{
      "4096", "0.5", "1e-07", "fp16", "007", "1.50", "-3", "nan", "inf", "", "99999999999999999999"};
  for (const std::string& text : texts) values.set("axis" + text, text);
  Record record;
  record.test.values = values;
  const Json json = to_json(record)["case"]["values"];
  EXPECT_TRUE(json["axis4096"].is_number_integer());
  EXPECT_TRUE(json["axis0.5"].is_number_float());
  EXPECT_TRUE(json["axisfp16"].is_string());
  EXPECT_TRUE(json["axisnan"].is_string());
  const Record back = record_from_json(Json::parse(dump_line(to_json(record))));
  EXPECT_EQ(back.test.values, values);
}

TEST(Json, Fault10_NonFiniteNumbersAreNull) {
  Report report = sample::full_report();
  Record& record = report.records[0];
  record.verification->relative_error = kInfinity;
  record.measurement->samples_s = {std::nan(""), -kInfinity, 1e-3};
  record.measurement->group_clocks_hz = {std::nan("")};
  record.telemetry.power_w = std::nan("");
  record.estimated_call_s = kInfinity;
  const std::string text = dump_line(to_json(report));
  const Json json = Json::parse(text);
  EXPECT_TRUE(json["records"][0]["verification"]["relative_error"].is_null());
  EXPECT_EQ(json["records"][0]["measurement"]["samples_s"].dump(), "[null,null,0.001]");
  EXPECT_TRUE(json["records"][0]["telemetry"]["power_w"].is_null());
  const Report back = report_from_json(json, "x");
  EXPECT_TRUE(std::isnan(back.records[0].verification->relative_error));
  EXPECT_FALSE(back.records[0].telemetry.power_w.has_value());
}

TEST(Json, Fault20_ATimeOfZeroGivesNoRate) {
  Record record = sample::full_record();
  record.processes.clear();
  record.measurement->time.median = 0;
  const Json metrics = to_json(record)["metrics"];
  EXPECT_EQ(metrics["time_s"], 0.0);
  EXPECT_TRUE(metrics["flops"].is_null());
  EXPECT_TRUE(metrics["bytes_per_s"].is_null());
  record.measurement->time.median = 1e-9;
  EXPECT_DOUBLE_EQ(metrics_of(record)->flops.value(), 137438953472e9);
}

TEST(Json, Fault13_OnlyAPassedRecordShowsASpeed) {
  Record record = sample::full_record();
  EXPECT_DOUBLE_EQ(to_json(record)["metrics"]["flops"].get<double>(), 137438953472 / 1.05e-4);
  EXPECT_DOUBLE_EQ(to_json(record)["metrics"]["bytes_per_s"].get<double>(), 100663296 / 1.05e-4);
  for (const Status status : {Status::wrong, Status::skipped, Status::unsupported, Status::error}) {
    record.status = status;
    EXPECT_TRUE(to_json(record)["metrics"].is_null()) << name(status);
  }
  record.status = Status::passed;
  record.measurement.reset();
  EXPECT_TRUE(to_json(record)["metrics"].is_null());
}

TEST(Metrics, AMedianThatIsNoNumberIsNoSpeed) {
  Record record = sample::full_record();
  record.measurement->time.median = std::nan("");
  EXPECT_FALSE(metrics_of(record).has_value());
}

TEST(Json, NumbersRoundTripToTheBit) {
  Record record = sample::full_record();
  record.measurement->samples_s = {0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, 123456789.123456789, 1e22};
  record.work.flop = 18446744073709551615U;
  const Record back = record_from_json(Json::parse(dump_line(to_json(record))));
  EXPECT_EQ(back.measurement->samples_s, record.measurement->samples_s);
  EXPECT_EQ(back.work.flop, record.work.flop);
}

TEST(Json, InvalidUtf8BecomesReplacementCharacters) {
  Record record = sample::full_record();
  record.device.name = "bad \xff\xc3 name";
  record.details["k\xfe"] = "v";
  const Json json = Json::parse(dump_line(to_json(record)));  // throws on invalid UTF-8
  EXPECT_EQ(json["device"]["name"], "bad \xEF\xBF\xBD\xEF\xBF\xBD name");
  EXPECT_TRUE(json["details"].contains("k\xEF\xBF\xBD"));
  EXPECT_EQ(Json::parse(dump_pretty(to_json(record)))["device"]["name"], json["device"]["name"]);
}

struct CommaPunctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Json, TextDoesNotDependOnTheLocale) {
  const std::string expected = dump_pretty(full());
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaPunctuation));
  std::ostringstream probe;
  probe << 1234.5;
  const std::string text = dump_pretty(full());
  const Report back = report_from_json(Json::parse(text), "x");
  std::locale::global(before);
  EXPECT_EQ(probe.str(), "1.234,5");  // the locale was in force
  EXPECT_EQ(text, expected);
  EXPECT_EQ(to_json(back), full());
}

TEST(Json, Fault5_AFieldThatAnOlderReportLacksIsAbsent) {
  Json json = full();
  json["records"][0]["telemetry"].erase("utilisation");
  json["records"][0].erase("peak");
  json["records"][0].erase("processes");
  json["environment"].erase("variables");
  json["parameters"].erase("steady_clock");
  const Report report = report_from_json(json, "x");
  EXPECT_FALSE(report.records[0].telemetry.utilisation.has_value());
  EXPECT_EQ(report.records[0].telemetry.power_w, 692.5);
  EXPECT_FALSE(report.records[0].peak.share_of_peak.has_value());
  EXPECT_TRUE(report.records[0].processes.empty());
  EXPECT_EQ(report.parameters.steady_clock, Parameters{}.steady_clock);
}

TEST(Json, Fault5_ANewerSchemaIsOneClearError) {
  Json json = full();
  json["schema_version"] = 99;
  json["records"] = "something else by then";
  EXPECT_EQ(usage_error(json),
            "old.json: schema version 99 is newer than the 1 that this rtxbench reads; use a newer rtxbench");
}

TEST(Json, Fault5_AWrongTypeNamesItsJsonPath) {
  const auto damaged = [](const char* pointer, const Json& value) {
    Json json = full();
    json["records"].push_back(json["records"][0]);
    json[Json::json_pointer(pointer)] = value;
    return usage_error(json);
  };
  EXPECT_EQ(damaged("/records/1/measurement/time/median_s", "fast"),
            "old.json: records[1].measurement.time.median_s: expected a number, found a string");
  EXPECT_EQ(damaged("/records/0/processes/1/samples_s/2", true),
            "old.json: records[0].processes[1].samples_s[2]: expected a number, found true");
  EXPECT_EQ(damaged("/records/0/work/flop", -5), "old.json: records[0].work.flop: expected a non-negative integer, found -5");
  EXPECT_EQ(damaged("/processes", 1.5), "old.json: processes: expected an integer, found 1.5");
  EXPECT_EQ(damaged("/processes", 3000000000), "old.json: processes: expected an integer, found 3000000000");
  EXPECT_EQ(damaged("/records/0/math/multiply", "fp12"),
            "old.json: records[0].math.multiply: expected one of fp64, fp32, tf32, fp16, bf16, found \"fp12\"");
  EXPECT_EQ(damaged("/records/0/status", 3),
            "old.json: records[0].status: expected one of passed, wrong, skipped, unsupported, error, found a number");
  EXPECT_EQ(damaged("/environment/devices", nullptr), "old.json: environment.devices: expected an array, found null");
  EXPECT_EQ(damaged("/environment/variables", Json{{"A", 1}}),
            "old.json: environment.variables.A: expected a string, found a number");
  EXPECT_EQ(damaged("/records/0/case/values/m", Json::array()),
            "old.json: records[0].case.values.m: expected a number or a string, found an array");
  EXPECT_EQ(damaged("/records/0", 1), "old.json: records[0]: expected an object, found a number");
}

TEST(Json, ACaseWithoutItsIdIsRefused) {
  Json json = full();
  json["records"][0]["case"].erase("id");
  EXPECT_EQ(usage_error(json), "old.json: records[0].case.id: missing");
}

TEST(Json, ForeignDocumentsAreNotReports) {
  for (const char* text : {"[]", "3", "null", "\"x\"", "{}", R"({"schema_version":1,"gpus":[]})", R"({"benchmarks":[]})"}) {
    EXPECT_THAT(usage_error(Json::parse(text)), HasSubstr("old.json: not an rtxbench report")) << text;
  }
  Json json = full();
  json["schema_version"] = 0;
  EXPECT_THAT(usage_error(json), HasSubstr("not an rtxbench report"));
  json["schema_version"] = "1";
  EXPECT_EQ(usage_error(json), "old.json: schema_version: expected an integer, found a string");
}

TEST(Json, FieldsOfALaterVersionAreIgnored) {
  Json json = full();
  json["colour"] = "blue";
  json["records"][0]["measurement"]["later"] = Json::array({1, 2});
  EXPECT_EQ(to_json(report_from_json(json, "x")), full());
}

TEST(Json, PrettyKeepsSamplesOnOneLine) {
  EXPECT_EQ(
      dump_pretty(Json::parse(R"({"a":[1,2.5,null],"b":{"c":[{"d":1}],"e":{},"f":[]}})")),
      "{\n \"a\": [1,2.5,null],\n \"b\": {\n  \"c\": [\n   {\n    \"d\": 1\n   }\n  ],\n  \"e\": {},\n  \"f\": []\n }\n}\n");
}

}  // namespace
}  // namespace rtxbench
