#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "report/display_width.hpp"
#include "report/sample_report.hpp"
#include "report/sinks.hpp"
#include "report/table_samples.hpp"
#include "rtxbench/json.hpp"

namespace rtxbench {
namespace {
using sample::gemm;
using sample::gpu_report;
using sample::report_of;
using sample::with_ratio;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

std::string table(const Report& report, SinkOptions options = {}) { return make_table_sink()->render(report, options); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Escape codes taken out.
std::string uncoloured(const std::string& text) { return std::regex_replace(text, std::regex("\x1b\\[[0-9]*m"), ""); }

TEST(Table, GoldenOfAGpu) {
  EXPECT_EQ("\n" + table(gpu_report(), with_ratio()), R"(
rtxbench 0.1.0 (0123456789ab), bench, 2025-01-02T03:04:05Z

gemm on NVIDIA H200
  GPU-01234567-89ab-cdef-0123-456789abcdef, 132 SMs, at most 1980 MHz, 139.8 GiB, limit 700 W
  every row: batch=1, layout=nn, cache=cold, accumulate=fp32
  burst: what single calls cost on a cool chip, with pauses between
  sustained: back to back until clock and time are steady, as in a long run

dtype  m=n=k  regime     provider    median   ± %  TFLOPS  % peak  % at clock  clock MHz  power W  flags
fp32    4096  burst      cublas    2.962 ms  0.20   46.40       -           -       1900        -
fp32    8192  burst      cublas    wrong: element 17 is 3.5, expected 2.25
fp16    4096  burst      cublas    214.6 µs  0.20   640.5    59.9        72.3       1640        -
fp16    4096  sustained  cublas    225.3 µs  0.20   610.0    57.0        86.8       1300      692  power-capped
fp16   65536  burst      cublas    skipped: needs 96.0 GiB, free 24.0 GiB

median: time of one call; ± %: half the width of its 95 % interval, in per cent of it
% peak: of the card's dense peak at its maximum clock; % at clock: of that peak at the clock measured
clock, power: measured while the work ran

flags
  power-capped  the board lowered its clock to stay within its power limit

peak: 132 SMs x 1980 MHz x 4096 FLOP
no power: bursts: the energy counter cannot tell work from pauses

how many times as fast, all else alike:
fp16 / fp32 at m=n=k=4096, burst: 13.8x

5 rows: 3 passed, 1 wrong, 1 skipped (results verified: 3 by sample)
)");
}

TEST(Table, GoldenOfACpuFallback) {
  std::vector<Record> records{gemm("fp32", 256, "burst", 0.0213, "openblas"), gemm("fp32", 256, "burst", 0.0009, "naive")};
  for (Record& record : records) {
    record.device.backend = "cpu";
    record.test.device = "cpu";
    record.device = {.backend = "cpu", .id = "cpu", .name = "Some CPU"};
    record.device.multiprocessors = 2;
    record.peak.basis = "Some CPU has no entry";
    record.verification->coverage = Coverage::full;
  }
  records[1].verification.reset();
  records[0].details["library"] = "OpenBLAS 0.3.21";
  records[0].details["note"] = "16 bit storage is converted within the time";
  Report report = report_of(records);
  report.complete = false;
  report.environment.notes = {"measuring on the CPU, no usable CUDA device: no driver"};
  EXPECT_EQ("\n" + table(report), R"(
note: measuring on the CPU, no usable CUDA device: no driver

gemm on the CPU Some CPU
  2 threads
  OpenBLAS 0.3.21
  every row: dtype=fp32, m=n=k=256, batch=1, layout=nn, regime=burst, cache=cold, accumulate=fp32
  burst: what single calls cost on a cool chip, with pauses between

provider    median   ± %  GFLOPS  flags
openblas  1.575 ms  0.20   21.30  [1]
naive     37.28 ms  0.20  0.9000

median: time of one call; ± %: half the width of its 95 % interval, in per cent of it
[1] 16 bit storage is converted within the time

no peak: Some CPU has no entry

2 rows: 2 passed (results verified: 1 in full; 1 not verified)
incomplete: the run ended before every case was measured
)");
}

TEST(Table, GoldenOfSeveralProcesses) {
  Record record = gemm("fp16", 4096, "burst", 600);
  for (const double microseconds : {200.0, 202.0, 206.0}) {
    Measurement process = *record.measurement;
    process.time.median = microseconds * 1e-6;
    record.processes.push_back(process);
  }
  record.measurement->time.median = 202e-6;
  Report report = report_of({record});
  report.processes = 3;
  const std::string text = table(report);
  EXPECT_THAT(text, HasSubstr("median: of the medians of 3 processes, time of one call; ± %: half the range of those medians"));
  EXPECT_THAT(text, HasSubstr("\ncublas    202.0 µs  1.49   680.4\n"));
}

TEST(Table, Fault13_RowsThatDidNotPassShowTheirReasonAndNoSpeed) {
  for (const Status status : {Status::wrong, Status::skipped, Status::unsupported, Status::error}) {
    Record record = gemm("fp16", 4096, "burst", 640.5);  // has samples all the same
    record.status = status;
    record.reason = "because";
    const std::string text = table(report_of({record}));
    EXPECT_THAT(text, HasSubstr("cublas    " + std::string(name(status)) + ": because\n"));
    EXPECT_THAT(text, Not(AnyOf(HasSubstr("640.5"), HasSubstr("214.6"), HasSubstr("TFLOPS"))));
    EXPECT_THAT(table(report_of({record}), with_ratio()), Not(HasSubstr("fp16 / fp32")));
  }
}

TEST(Table, Fault20_TimesOfZeroAndOneNanosecond) {
  Record zero = gemm("fp16", 4096, "burst", 1);
  zero.measurement->time = {.count = 1, .median = 0};
  EXPECT_THAT(table(report_of({zero})), HasSubstr("\ncublas       0 s\n"));
  EXPECT_THAT(table(report_of({zero})), Not(AnyOf(HasSubstr("inf"), HasSubstr("nan"))));
  Record one = zero;
  one.measurement->time.median = 1e-9;
  one.work.flop = 1000;
  EXPECT_THAT(table(report_of({one})), AllOf(HasSubstr("1.000 ns"), HasSubstr("TFLOPS"), HasSubstr(" 1.000\n")));
}

TEST(Table, Fault10_NonFiniteNumbersNeverShow) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  Report report = gpu_report();
  report.records.push_back(gemm("fp16", 128, "burst", 1));
  for (Record& record : report.records) {
    record.peak.share_of_peak = infinity;
    record.telemetry.power_w = nan;
    if (record.measurement) record.measurement->clock_hz = nan;
    if (record.measurement) record.measurement->time.upper = infinity;
  }
  report.records.back().measurement->time.median = nan;
  EXPECT_THAT(uncoloured(table(report, with_ratio())), Not(ContainsRegex("[^a-z](nan|inf)[^a-z]")));
}

TEST(Table, AnIntervalThatIsTooWideSaysWhy) {
  Record record = gemm("fp16", 4096, "burst", 640.5);
  record.measurement->ci_met = false;
  record.measurement->stop_reason = StopReason::max_time;
  const std::string text = table(report_of({record}));
  EXPECT_THAT(text, HasSubstr("640.5  wide-interval\n"));
  EXPECT_THAT(
      text,
      HasSubstr("  wide-interval  the interval of the median is wider than asked for, since sampling ended by --max-time"));
  record.measurement->stop_reason = StopReason::max_samples;
  EXPECT_THAT(table(report_of({record})), HasSubstr("ended by the largest number of samples"));
  record.measurement->ci_met = true;
  EXPECT_THAT(table(report_of({record})), Not(HasSubstr("wide-interval")));
}

TEST(Table, BandwidthWhereNoFlopAreCounted) {
  Record record = gemm("fp16", 4096, "burst", 640.5);
  record.work = {.flop = 0, .read_bytes = 4'000'000'000, .written_bytes = 0};
  record.measurement->time.median = 1e-3;
  const std::string text = table(report_of({record}));
  EXPECT_THAT(text, AllOf(HasSubstr("TB/s"), HasSubstr(" 4.000\n"), Not(HasSubstr("FLOPS"))));
}

TEST(Table, Fault41_AccumulateTypesThatDifferAreAColumn) {
  Record wide = gemm("fp16", 4096, "burst", 100);
  Record narrow = gemm("fp16", 8192, "burst", 200);
  narrow.math.accumulate = DType::fp16;
  EXPECT_THAT(table(report_of({wide, narrow})), AllOf(HasSubstr("m=n=k  accumulate"), HasSubstr("8192  fp16")));
}

TEST(Table, SizesThatDifferKeepTheirColumns) {
  Record other = gemm("fp16", 4096, "burst", 100);
  other.test.values.set("n", "64");
  other.test.id = "gemm[dtype=fp16,m=4096,n=64,k=4096]@cublas";
  const std::string text = table(report_of({gemm("fp16", 8192, "burst", 1), other}));
  EXPECT_THAT(text, HasSubstr("\n   m     n     k  provider"));
  EXPECT_THAT(text, HasSubstr("\n4096    64  4096  cublas"));
}

TEST(Table, RatiosNameWhatTellsThemApart) {
  Report report =
      report_of({gemm("fp16", 4096, "burst", 600), gemm("fp32", 4096, "burst", 50), gemm("fp16", 4096, "sustained", 500),
                 gemm("fp32", 4096, "sustained", 40), gemm("fp16", 8192, "burst", 700), gemm("fp16", 4096, "burst", 80, "simt"),
                 gemm("fp32", 4096, "burst", 40, "simt")});
  const std::string text = table(report, with_ratio());
  EXPECT_THAT(text, HasSubstr("fp16 / fp32 at m=n=k=4096, burst, cublas: 12.0x\n"));
  EXPECT_THAT(text, HasSubstr("fp16 / fp32 at m=n=k=4096, sustained, cublas: 12.5x\n"));
  EXPECT_THAT(text, HasSubstr("fp16 / fp32 at m=n=k=4096, burst, simt: 2.00x\n"));
  EXPECT_THAT(text, Not(HasSubstr("8192,")));  // no partner
  EXPECT_THAT(text, Not(HasSubstr("tf32")));
  for (Record& record : report.records) record.device.backend = "cpu";
  EXPECT_THAT(table(report, with_ratio()), Not(HasSubstr("fp16 / fp32")));
}

TEST(Table, EachDeviceHasItsSection) {
  Record second = gemm("fp32", 4096, "burst", 40);
  second.test.device = second.device.id = "GPU-second";
  second.device.name = "NVIDIA L4";
  Record half = second;
  half.test.values.set("dtype", "fp16");
  half.measurement->time.median /= 2;
  const std::string text = table(report_of({gemm("fp16", 4096, "burst", 600), second, half}), with_ratio());
  EXPECT_THAT(text, AllOf(HasSubstr("gemm on NVIDIA H200\n"), HasSubstr("\ngemm on NVIDIA L4\n")));
  EXPECT_THAT(text, HasSubstr("fp16 / fp32 at m=n=k=4096, burst: 2.00x (GPU-second)\n"));
}

TEST(Table, TheSoftwareThatDidTheWorkIsNamed) {
  Record record = gemm("fp16", 4096, "burst", 600);
  record.details["library"] = "cuBLAS 13.1.0";
  Report report = report_of({record, record});
  report.environment.software["NVIDIA driver"] = "580.159.04";
  EXPECT_THAT(table(report), HasSubstr("\n  cuBLAS 13.1.0, NVIDIA driver 580.159.04\n"));
  for (Record& one : report.records) one.device.backend = "cpu";
  EXPECT_THAT(table(report), HasSubstr("\n  cuBLAS 13.1.0\n"));  // a CPU has no driver of NVIDIA
}

TEST(Table, ASkippedRowKnowsItsDeviceFromTheEnvironment) {
  Record record = gemm("fp16", 4096, "burst", 600);
  record.status = Status::skipped;
  record.reason = "needs more";
  record.device = {};
  Report report = report_of({record});
  report.environment.devices = {sample::full_device()};
  EXPECT_THAT(table(report), HasSubstr("gemm on NVIDIA H200\n"));
}

TEST(Table, NarrowTerminalsLoseColumnsInTheStatedOrder) {
  const Report report = gpu_report();
  const std::vector<std::string> order{"power W", "clock MHz", "% at clock", "± %", "% peak"};
  std::size_t lost = 0;
  for (int width = 120; width >= 60; --width) {
    SinkOptions options;
    options.width = width;
    const std::string text = table(report, options);
    std::string expected;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool missing = text.find("  " + order[i]) == std::string::npos;
      if (missing) lost = std::max(lost, i + 1);
      EXPECT_EQ(missing, i < lost) << order[i] << " at width " << width;
      if (i < lost) expected += (expected.empty() ? "(no room for " : ", ") + order[i];
    }
    EXPECT_THAT(std::regex_replace(text, std::regex("\n"), " "), HasSubstr(expected)) << width;
    for (const char* always : {"m=n=k", "provider", "median", "TFLOPS", "flags"}) EXPECT_THAT(text, HasSubstr(always));
    if (width < 68) continue;  // beyond what may go, lines are as long as they must be
    for (const std::string& line : lines_of(text)) EXPECT_LE(display_width(line), width) << line;
  }
  EXPECT_EQ(lost, order.size());
}

TEST(Table, ColourIsOnlyEscapeCodes) {
  SinkOptions options = with_ratio();
  const std::string plain = table(gpu_report(), options);
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  options.colour = true;
  const std::string colour = table(gpu_report(), options);
  EXPECT_NE(colour.find("\x1b[31mwrong: "), std::string::npos);
  EXPECT_EQ(uncoloured(colour), plain);
}

TEST(Table, NoRecords) {
  EXPECT_EQ(table(report_of({})), "no records\n");
  EXPECT_EQ(table(Report{}), "no records\nincomplete: the run ended before every case was measured\n");
}

TEST(Table, FiveHundredRows) {
  std::vector<Record> records;
  for (int i = 0; i < 500; ++i) {
    records.push_back(gemm(i % 2 == 0 ? "fp16" : "fp32", 500 - i / 2, "burst", 1.0 + i));
    records.back().flags = {{"near-floor", "a sample of " + std::to_string(i) + " ns is short"}};
  }
  const std::string text = table(report_of(records), with_ratio());
  EXPECT_THAT(text, HasSubstr("500 rows: 500 passed"));
  EXPECT_THAT(text, HasSubstr("near-floor  a sample of 0 ns is short (first of 500 such; --json - has each)"));
  std::size_t ratios = 0, rows = 0;
  int last = 0;
  for (const std::string& line : lines_of(text)) {
    ratios += line.starts_with("fp16 / fp32") ? 1 : 0;
    if (!line.starts_with("fp16  ")) continue;
    ++rows;
    const int size = std::stoi(line.substr(5));
    EXPECT_GT(size, last);  // ascending, whatever the order of running
    last = size;
  }
  EXPECT_EQ(ratios, 250U);
  EXPECT_EQ(rows, 250U);
}

TEST(Table, Fault46_HostileTextStaysOnItsLineAndHarmless) {
  const std::string hostile = "</script><img src=x onerror=1>\"'&\x1b[2J\r\n\t\xff\xE2\x80\xAE";
  Record record = gemm("fp16", 4096, "burst", 1);
  record.device.name = record.test.benchmark = record.test.provider = hostile;
  record.test.values.set(hostile, hostile);
  record.flags = {{hostile, hostile}, {"", ""}};
  record.details["note"] = hostile;
  record.telemetry.reasons["power_w"] = record.peak.basis = hostile;
  Record failed = record;
  failed.status = Status::error;
  failed.reason = hostile;
  failed.test.values.set(hostile, "7");
  Report report = report_of({record, failed, sample::full_record()});
  report.environment.notes = {hostile};
  report.environment.host = hostile;
  SinkOptions options;
  options.derived = {{hostile, hostile, hostile, "7", ""}};
  for (const int width : {0, 1, 20, 80}) {
    options.width = width;
    const std::string text = table(report, options);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\r'), std::string::npos);
    EXPECT_EQ(text.find('\xff'), std::string::npos);
    EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos);
    EXPECT_NE(text.find("</script><img"), std::string::npos);
    EXPECT_NO_THROW((void)Json(text).dump());  // valid UTF-8
  }
}

TEST(Table, WideNamesKeepTheColumnsAligned) {
  Record wide = gemm("fp16", 4096, "burst", 600, "矩阵e\xCC\x81🚀");
  const Record narrow = gemm("fp16", 4096, "burst", 600, "abc");
  std::vector<int> ends;
  for (const std::string& line : lines_of(table(report_of({wide, narrow})))) {
    if (line.find("µs") != std::string::npos) ends.push_back(display_width(line.substr(0, line.find("µs"))));
  }
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_EQ(ends[0], ends[1]);
}

TEST(Table, AKeptReportPrintsTheSame) {
  const Report back = report_from_json(Json::parse(dump_line(to_json(gpu_report()))), "x");
  EXPECT_EQ(table(back, with_ratio()), table(gpu_report(), with_ratio()));
}

TEST(JsonSink, IsTheReport) {
  const std::string text = make_json_sink()->render(sample::full_report(), {.colour = true, .width = 20});
  EXPECT_EQ(Json::parse(text), to_json(sample::full_report()));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(make_json_sink()->name(), "json");
  EXPECT_EQ(make_table_sink()->name(), "table");
}

}  // namespace
}  // namespace rtxbench
