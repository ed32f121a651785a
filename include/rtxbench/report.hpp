// The report: environment + records, one versioned JSON document (configs/report.schema.json).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rtxbench/device.hpp"
#include "rtxbench/parameters.hpp"
#include "rtxbench/record.hpp"

namespace rtxbench {

inline constexpr int kSchemaVersion = 1;

// Written once per run. Times are ISO 8601 UTC.
struct Environment {
  std::string rtxbench_version, git_hash, build_type, compiler;
  std::vector<std::string> argv;
  std::string started_at, host, os, kernel, cpu_model;
  std::optional<int> cpu_threads;
  std::optional<std::uint64_t> memory_bytes;  // what this process may use
  std::vector<DeviceInfo> devices;
  std::map<std::string, std::string> software;  // backend's software(): driver, runtime, libraries with version and place
  std::map<std::string, std::string>
      variables;  // environment variables that change results (CUDA_VISIBLE_DEVICES, NVIDIA_TF32_OVERRIDE, ...)
  std::vector<std::string> notes;  // e.g. "no usable CUDA device (reason): measured on the CPU"
};

struct Report {
  int schema_version = kSchemaVersion;
  bool complete = false;
  Environment environment;
  Parameters parameters;
  int processes = 1;
  std::vector<Record> records;
};

}  // namespace rtxbench
