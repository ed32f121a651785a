// Hand-made reports for tests: one with every field filled, with values that differ from their defaults and from each other,
// and one where everything optional is absent.
#pragma once

#include "rtxbench/report.hpp"

namespace rtxbench::sample {

inline DeviceInfo full_device() {
  DeviceInfo info;
  info.backend = "cuda";
  info.index = 1;
  info.id = "GPU-01234567-89ab-cdef-0123-456789abcdef";
  info.pci = "00000000:0a:00.0";
  info.pci_device_id = 0x10de2335;
  info.name = "NVIDIA H200";
  info.cc_major = 9;
  info.cc_minor = 3;
  info.multiprocessors = 132;
  info.max_clock_hz = 1.98e9;
  info.max_memory_clock_hz = 3.201e9;
  info.memory_bus_bits = 6144;
  info.cache_bytes = 62914560;
  info.memory_bytes = 150109880320;
  info.free_bytes = 149500723200;
  info.power_limit_w = 700;
  info.mig = true;
  info.other_processes = {4711, 815};
  info.code = "sm_90 cubin";
  info.reasons = {{"energy", "not supported"}};
  return info;
}

inline Measurement full_measurement() {
  Measurement m;
  m.method = {.timer = "event",
              .cache = "rotate",
              .calls_per_sample = 3,
              .operand_sets = 5,
              .spin = true,
              .spin_reason = "CUDA_LAUNCH_BLOCKING is set",
              .resolution_s = 3.2e-8,
              .floor_s = 1.3e-6,
              .heating_s = 2.5,
              .steady = true,
              .shared_heating = false,
              .retries = 2};
  m.samples_s = {1.0e-4, 1.1e-4, 0.1, 1.0 / 3.0};
  m.group_clocks_hz = {1.64e9, std::nullopt};
  m.group_sizes = {1, 3};
  m.time = {.count = 4,
            .median = 1.05e-4,
            .lower = 1.04e-4,
            .upper = 1.06e-4,
            .confidence = 0.957,
            .mean = 1.2e-4,
            .stddev = 3e-6,
            .minimum = 1e-4,
            .maximum = 1.0 / 3.0,
            .p05 = 1.01e-4,
            .p95 = 1.09e-4,
            .outliers_mild = 6,
            .outliers_severe = 7};
  m.clock_hz = 1.64e9;
  m.stop_reason = StopReason::max_samples;
  m.ci_met = true;
  m.preparation_s = 0.25;
  m.wall_s = 0.75;
  return m;
}

inline Record full_record() {
  Record r;
  r.test = {.benchmark = "gemm",
            .values = {{{"dtype", "fp16"}, {"m", "4096"}, {"alpha", "0.5"}, {"layout", "nn"}}},
            .provider = "cublas",
            .device = full_device().id,
            .id = "gemm[dtype=fp16,m=4096,alpha=0.5]@cublas"};
  r.operation = "gemm";
  r.device = full_device();
  r.status = Status::passed;
  r.reason = "none";
  r.work = {.flop = 137438953472, .read_bytes = 67108864, .written_bytes = 33554432};
  r.math = {DType::fp16, DType::fp64};
  r.measurement = full_measurement();
  r.processes = {full_measurement(), full_measurement()};
  r.verification = Verification{.passed = true,
                                .coverage = Coverage::sampled,
                                .reference = "cpu fp64",
                                .checked = 1024,
                                .unwritten = 9,
                                .relative_error = 2.5e-4,
                                .tolerance = 1e-3,
                                .worst_element_ratio = 0.4,
                                .detail = "none"};
  r.telemetry = {.power_w = 692.5,
                 .energy_per_call_j = 0.07,
                 .temperature_c = 54,
                 .sm_clock_hz = 1.98e9,
                 .memory_clock_hz = 3.2e9,
                 .utilisation = 0.99,
                 .clock_event_reasons = 4,
                 .reasons = {{"fan", "not supported"}}};
  r.peak = {
      .peak_flops = 1.07e15, .share_of_peak = 0.71, .share_at_measured_clock = 0.86, .basis = "132 SMs x 1.98 GHz x 4096"};
  r.details = {{"algorithm", "67"}};
  r.kernels = {"sm90_xmma_gemm"};
  r.flags = {{"power-capped", "the board is at its power limit"}};
  r.estimated_call_s = 1.02e-4;
  return r;
}

inline Environment full_environment() {
  Environment e;
  e.rtxbench_version = "0.1.0";
  e.git_hash = "0123456789ab";
  e.build_type = "Release";
  e.compiler = "GNU 12.2.0";
  e.argv = {"rtxbench", "gemm"};
  e.started_at = "2025-01-02T03:04:05Z";
  e.host = "bench";
  e.os = "Debian GNU/Linux 12";
  e.kernel = "Linux 6.1.0";
  e.cpu_model = "Some CPU";
  e.cpu_threads = 16;
  e.memory_bytes = 137438953472;
  e.devices = {full_device()};
  e.software = {{"driver", "580.65"}};
  e.variables = {{"CUDA_VISIBLE_DEVICES", "1"}};
  e.notes = {"a note"};
  return e;
}

inline Report full_report() {
  Report report;
  report.complete = true;
  report.environment = full_environment();
  report.parameters.seed = 18446744073709551615U;
  report.parameters.min_time_s = 0.1;
  report.processes = 2;
  report.records = {full_record()};
  return report;
}

// Every optional value absent, every list empty.
inline Report bare_report() {
  Report report;
  Record passed;
  passed.test = {.benchmark = "gemm", .values = {}, .provider = "naive", .device = "cpu", .id = "gemm[]@naive"};
  passed.status = Status::passed;
  passed.measurement = Measurement{};
  Record skipped = passed;
  skipped.status = Status::skipped;
  skipped.reason = "needs 96.0 GiB, free 24.0 GiB";
  skipped.measurement.reset();
  report.records = {passed, skipped};
  return report;
}

}  // namespace rtxbench::sample
