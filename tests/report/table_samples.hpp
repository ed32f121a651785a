// GEMM records whose rates are chosen, for tests of the table.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/sample_report.hpp"
#include "rtxbench/sink.hpp"

namespace rtxbench::sample {

// A GEMM of n x n x n at `tflops`, measured in one process.
inline Record gemm(const std::string& dtype, int n, const std::string& regime, double tflops,
                   const std::string& provider = "cublas") {
  Record r;
  const std::string size = std::to_string(n);
  r.test = {.benchmark = "gemm",
            .values = {{{"dtype", dtype},
                        {"m", size},
                        {"n", size},
                        {"k", size},
                        {"batch", "1"},
                        {"layout", "nn"},
                        {"regime", regime},
                        {"cache", "cold"}}},
            .provider = provider,
            .device = full_device().id,
            .id = "gemm[dtype=" + dtype + ",m=" + size + ",n=" + size + ",k=" + size + "]@" + provider};
  r.operation = "gemm";
  r.backend = "cuda";
  r.device = full_device();
  r.device.mig = false;
  r.status = Status::passed;
  r.work.flop = 2ULL * static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n);
  r.math = {*parse_dtype(dtype), DType::fp32};
  const double median = static_cast<double>(r.work.flop) / (tflops * 1e12);
  Measurement m;
  m.time = {.count = 30, .median = median, .lower = median * 0.998, .upper = median * 1.002, .confidence = 0.95};
  m.ci_met = true;
  r.measurement = m;
  r.verification = Verification{.passed = true, .coverage = Coverage::sampled};
  return r;
}

inline Report report_of(std::vector<Record> records) {
  Report report;
  report.complete = true;
  report.records = std::move(records);
  return report;
}

inline Report gpu_report() {
  Record burst = gemm("fp16", 4096, "burst", 640.5);
  burst.measurement->clock_hz = 1.64e9;
  burst.peak = {.peak_flops = 1.07e15,
                .share_of_peak = 0.5985,
                .share_at_measured_clock = 0.7226,
                .basis = "132 SMs x 1980 MHz x 4096 FLOP"};
  burst.telemetry.reasons["power_w"] = "bursts: the energy counter cannot tell work from pauses";
  Record sustained = gemm("fp16", 4096, "sustained", 610);
  sustained.measurement->clock_hz = 1.3e9;
  sustained.peak = burst.peak;
  sustained.peak.share_of_peak = 0.57;
  sustained.peak.share_at_measured_clock = 0.868;
  sustained.telemetry.power_w = 692.4;
  sustained.flags = {{"power-capped", "the board lowered its clock to stay within its power limit"}};
  Record slow = gemm("fp32", 4096, "burst", 46.4);
  slow.measurement->clock_hz = 1.9e9;
  slow.telemetry.reasons = burst.telemetry.reasons;
  Record wrong = gemm("fp32", 8192, "burst", 99);
  wrong.status = Status::wrong;
  wrong.reason = "element 17 is 3.5, expected 2.25";
  Record skipped = gemm("fp16", 65536, "burst", 1);
  skipped.status = Status::skipped;
  skipped.measurement.reset();
  skipped.reason = "needs 96.0 GiB, free 24.0 GiB";
  Report report = report_of({wrong, burst, slow, sustained, skipped});
  report.environment.rtxbench_version = "0.1.0";
  report.environment.git_hash = "0123456789ab";
  report.environment.host = "bench";
  report.environment.started_at = "2025-01-02T03:04:05Z";
  return report;
}

inline SinkOptions with_ratio() {
  SinkOptions options;
  options.derived = {{"fp16 / fp32", "dtype", "fp16", "fp32", "cuda"}, {"fp16 / tf32", "dtype", "fp16", "tf32", "cuda"}};
  return options;
}

}  // namespace rtxbench::sample
