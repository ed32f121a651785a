#include "run/pool.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "run/stop_rule.hpp"
#include "stats/stats.hpp"

namespace rtxbench {
namespace {

// Median over the records of a value that some of them may lack.
template <class Value>
std::optional<double> median_of(const std::vector<Record>& records, Value value) {
  std::vector<double> known;
  for (const Record& record : records) {
    if (const std::optional<double>& one = value(record)) known.push_back(*one);
  }
  if (known.empty()) return std::nullopt;
  return stats::median(known);
}

Measurement pool_measurements(const std::vector<Record>& records, const Parameters& parameters) {
  Measurement pooled;
  pooled.method = records.front().measurement->method;
  pooled.method.retries = 0;
  std::vector<double> preparations;
  for (const Record& record : records) {
    const Measurement& one = *record.measurement;
    pooled.samples_s.push_back(one.time.median);
    pooled.group_clocks_hz.push_back(one.clock_hz);
    pooled.group_sizes.push_back(1);
    pooled.wall_s += one.wall_s;
    *pooled.method.retries += one.method.retries.value_or(0);
    if (one.stop_reason != StopReason::ci_met) pooled.stop_reason = one.stop_reason;
    if (one.method.steady == false) pooled.method.steady = false;
    preparations.push_back(one.preparation_s);
  }
  pooled.preparation_s = stats::median(preparations);
  pooled.time = stats::summarise(pooled.samples_s);
  pooled.clock_hz = median_of(records, [](const Record& record) { return record.measurement->clock_hz; });
  const auto width = relative_half_width(pooled.samples_s);
  pooled.ci_met = width && *width <= parameters.relative_half_width;
  return pooled;
}

Telemetry pool_telemetry(const std::vector<Record>& records) {
  Telemetry pooled;
  for (const auto field : {&Telemetry::power_w, &Telemetry::energy_per_call_j, &Telemetry::temperature_c,
                           &Telemetry::sm_clock_hz, &Telemetry::memory_clock_hz, &Telemetry::utilisation}) {
    pooled.*field = median_of(records, [field](const Record& record) { return record.telemetry.*field; });
  }
  const std::map<std::string, bool> known{{"power_w", pooled.power_w.has_value()},
                                          {"energy_per_call_j", pooled.energy_per_call_j.has_value()},
                                          {"temperature_c", pooled.temperature_c.has_value()},
                                          {"sm_clock_hz", pooled.sm_clock_hz.has_value()},
                                          {"memory_clock_hz", pooled.memory_clock_hz.has_value()},
                                          {"utilisation", pooled.utilisation.has_value()}};
  for (const Record& record : records) {
    if (record.telemetry.clock_event_reasons) {
      pooled.clock_event_reasons = pooled.clock_event_reasons.value_or(0) | *record.telemetry.clock_event_reasons;
    }
    for (const auto& [field, why] : record.telemetry.reasons) {
      const auto found = known.find(field);
      if (found == known.end() || !found->second) pooled.reasons.emplace(field, why);
    }
  }
  if (pooled.clock_event_reasons) pooled.reasons.erase("clock_event_reasons");
  return pooled;
}

}  // namespace

Record pool_processes(std::vector<Record> records, const Parameters& parameters) {
  Record pooled = records.front();
  pooled.processes.clear();
  pooled.flags.clear();
  for (const Record& record : records) {
    pooled.processes.push_back(*record.measurement);
    for (const Flag& flag : record.flags) {
      if (std::ranges::find(pooled.flags, flag.name, &Flag::name) == pooled.flags.end()) pooled.flags.push_back(flag);
    }
  }
  pooled.measurement = pool_measurements(records, parameters);
  pooled.telemetry = pool_telemetry(records);
  pooled.peak.share_of_peak = median_of(records, [](const Record& record) { return record.peak.share_of_peak; });
  pooled.peak.share_at_measured_clock =
      median_of(records, [](const Record& record) { return record.peak.share_at_measured_clock; });
  return pooled;
}

}  // namespace rtxbench
