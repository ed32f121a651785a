// The fields of everything that travels as JSON, one list a type for both directions (json_archive.hpp).
#include "rtxbench/json.hpp"

#include "core/json_archive.hpp"
#include "rtxbench/metrics.hpp"

namespace rtxbench {

template <class Archive, Same<DeviceInfo> Object>
void fields(Archive& archive, Object& info) {
  archive("backend", info.backend);
  archive("index", info.index);
  archive("id", info.id);
  archive("pci", info.pci);
  archive("pci_device_id", info.pci_device_id);
  archive("name", info.name);
  archive("cc_major", info.cc_major);
  archive("cc_minor", info.cc_minor);
  archive("multiprocessors", info.multiprocessors);
  archive("max_clock_hz", info.max_clock_hz);
  archive("max_memory_clock_hz", info.max_memory_clock_hz);
  archive("memory_bus_bits", info.memory_bus_bits);
  archive("cache_bytes", info.cache_bytes);
  archive("memory_bytes", info.memory_bytes);
  archive("free_bytes", info.free_bytes);
  archive("power_limit_w", info.power_limit_w);
  archive("mig", info.mig);
  archive("other_processes", info.other_processes);
  archive("code", info.code);
  archive("reasons", info.reasons);
}

template <class Archive, Same<Parameters> Object>
void fields(Archive& archive, Object& parameters) {
  archive("seed", parameters.seed);
  archive("min_time_s", parameters.min_time_s);
  archive("max_time_s", parameters.max_time_s);
  archive("relative_half_width", parameters.relative_half_width);
  archive("min_samples", parameters.min_samples);
  archive("max_samples", parameters.max_samples);
  archive("burst_idle_s", parameters.burst_idle_s);
  archive("burst_work_s", parameters.burst_work_s);
  archive("burst_calls", parameters.burst_calls);
  archive("steady_window_s", parameters.steady_window_s);
  archive("steady_minimum_s", parameters.steady_minimum_s);
  archive("steady_limit_s", parameters.steady_limit_s);
  archive("steady_median", parameters.steady_median);
  archive("steady_clock", parameters.steady_clock);
  archive("throttle_retries", parameters.throttle_retries);
  archive("skip_factor", parameters.skip_factor);
  archive("spin", parameters.spin);
  archive("case_timeout_s", parameters.case_timeout_s);
}

template <class Archive, Same<Case> Object>
void fields(Archive& archive, Object& test) {
  archive.required("id", test.id);
  archive.required("benchmark", test.benchmark);
  archive.required("provider", test.provider);
  archive("device", test.device);
  archive("values", test.values);
}

template <class Archive, Same<Work> Object>
void fields(Archive& archive, Object& work) {
  archive("flop", work.flop);
  archive("read_bytes", work.read_bytes);
  archive("written_bytes", work.written_bytes);
}

template <class Archive, Same<MathMode> Object>
void fields(Archive& archive, Object& math) {
  archive("multiply", math.multiply);
  archive("accumulate", math.accumulate);
}

template <class Archive, Same<Verification> Object>
void fields(Archive& archive, Object& verification) {
  archive.required("passed", verification.passed);
  archive("coverage", verification.coverage);
  archive("reference", verification.reference);
  archive("checked", verification.checked);
  archive("unwritten", verification.unwritten);
  archive("relative_error", verification.relative_error);
  archive("tolerance", verification.tolerance);
  archive("worst_element_ratio", verification.worst_element_ratio);
  archive("detail", verification.detail);
}

template <class Archive, Same<Method> Object>
void fields(Archive& archive, Object& method) {
  archive("timer", method.timer);
  archive("cache", method.cache);
  archive("calls_per_sample", method.calls_per_sample);
  archive("operand_sets", method.operand_sets);
  archive("spin", method.spin);
  archive("spin_reason", method.spin_reason);
  archive("resolution_s", method.resolution_s);
  archive("floor_s", method.floor_s);
  archive("heating_s", method.heating_s);
  archive("steady", method.steady);
  archive("shared_heating", method.shared_heating);
  archive("retries", method.retries);
}

template <class Archive, Same<Summary> Object>
void fields(Archive& archive, Object& summary) {
  archive("count", summary.count);
  archive.required("median_s", summary.median);
  archive("lower_s", summary.lower);
  archive("upper_s", summary.upper);
  archive("confidence", summary.confidence);
  archive("mean_s", summary.mean);
  archive("stddev_s", summary.stddev);
  archive("minimum_s", summary.minimum);
  archive("maximum_s", summary.maximum);
  archive("p05_s", summary.p05);
  archive("p95_s", summary.p95);
  archive("outliers_mild", summary.outliers_mild);
  archive("outliers_severe", summary.outliers_severe);
}

template <class Archive, Same<Measurement> Object>
void fields(Archive& archive, Object& measurement) {
  archive("method", measurement.method);
  archive.required("time", measurement.time);
  archive("clock_hz", measurement.clock_hz);
  archive("stop_reason", measurement.stop_reason);
  archive("ci_met", measurement.ci_met);
  archive("preparation_s", measurement.preparation_s);
  archive("wall_s", measurement.wall_s);
  archive("samples_s", measurement.samples_s);
  archive("group_sizes", measurement.group_sizes);
  archive("group_clocks_hz", measurement.group_clocks_hz);
}

template <class Archive, Same<Telemetry> Object>
void fields(Archive& archive, Object& telemetry) {
  archive("power_w", telemetry.power_w);
  archive("energy_per_call_j", telemetry.energy_per_call_j);
  archive("temperature_c", telemetry.temperature_c);
  archive("sm_clock_hz", telemetry.sm_clock_hz);
  archive("memory_clock_hz", telemetry.memory_clock_hz);
  archive("utilisation", telemetry.utilisation);
  archive("clock_event_reasons", telemetry.clock_event_reasons);
  archive("reasons", telemetry.reasons);
}

template <class Archive, Same<PeakShare> Object>
void fields(Archive& archive, Object& peak) {
  archive("peak_flops", peak.peak_flops);
  archive("share_of_peak", peak.share_of_peak);
  archive("share_at_measured_clock", peak.share_at_measured_clock);
  archive("basis", peak.basis);
}

template <class Archive, Same<Flag> Object>
void fields(Archive& archive, Object& flag) {
  archive.required("name", flag.name);
  archive("remedy", flag.remedy);
}

// Derived, for readers without this program; written only.
template <class Archive, Same<Metrics> Object>
void fields(Archive& archive, Object& metrics) {
  archive("time_s", metrics.time_s);
  archive("flops", metrics.flops);
  archive("bytes_per_s", metrics.bytes_per_s);
}

template <class Archive, Same<Record> Object>
void fields(Archive& archive, Object& record) {
  archive.required("case", record.test);
  archive.required("status", record.status);
  archive("reason", record.reason);
  if constexpr (std::is_const_v<Object>) archive("metrics", metrics_of(record));
  archive("operation", record.operation);
  archive("device", record.device);
  archive("work", record.work);
  archive("math", record.math);
  archive("verification", record.verification);
  archive("peak", record.peak);
  archive("telemetry", record.telemetry);
  archive("flags", record.flags);
  archive("details", record.details);
  archive("kernels", record.kernels);
  archive("estimated_call_s", record.estimated_call_s);
  archive("measurement", record.measurement);
  archive("processes", record.processes);
}

template <class Archive, Same<Environment> Object>
void fields(Archive& archive, Object& environment) {
  archive("rtxbench_version", environment.rtxbench_version);
  archive("git_hash", environment.git_hash);
  archive("build_type", environment.build_type);
  archive("compiler", environment.compiler);
  archive("argv", environment.argv);
  archive("started_at", environment.started_at);
  archive("host", environment.host);
  archive("os", environment.os);
  archive("kernel", environment.kernel);
  archive("cpu_model", environment.cpu_model);
  archive("cpu_threads", environment.cpu_threads);
  archive("memory_bytes", environment.memory_bytes);
  archive("devices", environment.devices);
  archive("software", environment.software);
  archive("variables", environment.variables);
  archive("notes", environment.notes);
}

template <class Archive, Same<Report> Object>
void fields(Archive& archive, Object& report) {
  archive.required("schema_version", report.schema_version);
  archive("complete", report.complete);
  archive("processes", report.processes);
  archive.required("environment", report.environment);
  archive("parameters", report.parameters);
  archive.required("records", report.records);
}

namespace {
template <class T>
T from_json(const Json& json, std::string_view path) {
  T value;
  JsonReader::decode(json, std::string(path), value);
  return value;
}

// Says what is wrong with a document that is no report of ours, before any field of it is read.
void check_is_report(const Json& json) {
  const bool ours =
      json.is_object() && json.contains("schema_version") && json.contains("environment") && json.contains("records");
  if (!ours) throw UsageError("not an rtxbench report (no schema_version, environment and records)");
  const Json& version = json["schema_version"];
  if (!version.is_number_integer()) refuse("schema_version", "an integer", version);
  if (version.get<double>() > kSchemaVersion) {
    throw UsageError(fmt::format("schema version {} is newer than the {} that this rtxbench reads; use a newer rtxbench",
                                 dump_line(version), kSchemaVersion));
  }
  if (version.get<double>() < 1) throw UsageError("not an rtxbench report (schema version below 1)");
}
}  // namespace

Json to_json(const DeviceInfo& info) { return JsonWriter::encode(info); }
Json to_json(const Parameters& parameters) { return JsonWriter::encode(parameters); }
Json to_json(const Record& record) { return JsonWriter::encode(record); }
Json to_json(const Environment& environment) { return JsonWriter::encode(environment); }
Json to_json(const Report& report) { return JsonWriter::encode(report); }

DeviceInfo device_info_from_json(const Json& json, std::string_view path) { return from_json<DeviceInfo>(json, path); }
Parameters parameters_from_json(const Json& json, std::string_view path) { return from_json<Parameters>(json, path); }
Record record_from_json(const Json& json, std::string_view path) { return from_json<Record>(json, path); }

Report report_from_json(const Json& json, std::string_view source) {
  try {
    check_is_report(json);
    return from_json<Report>(json, "");
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", source, error.what()));
  }
}

}  // namespace rtxbench
