#include "run/telemetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "rtxbench/units.hpp"
#include "stats/stats.hpp"

namespace rtxbench {
namespace {

constexpr double kEnergyWindow = 1.0;   // s: shorter differences of the counter are mostly its own steps
constexpr double kCounterPeriod = 0.2;  // s: the counter may add the energy of so long a time at once
constexpr double kStall = 0.5;          // s without a step while the device works
constexpr double kJumpFactor = 1.5;     // of the power limit, over one step
constexpr double kPowerMargin = 1.2;    // of the power limit, over the whole window
constexpr double kBoardPower = 2000;    // W: above any board's limit, where the limit is unknown

using Readings = std::vector<TelemetryReading>;

Readings within(const TelemetryWindow& window, const Span& span) {
  Readings inside;
  std::ranges::copy_if(window.readings, std::back_inserter(inside), [&](const TelemetryReading& reading) {
    return reading.time_s >= span.from_s && reading.time_s <= span.to_s;
  });
  return inside;
}

// Backends name a sensor by its short name ("clock") or by the field itself.
std::string reason_of(const TelemetryWindow& window, const std::string& sensor, const std::string& field) {
  for (const std::string& key : {sensor, field}) {
    if (const auto found = window.reasons.find(key); found != window.reasons.end()) return found->second;
  }
  return "the sensor gave no reading while samples were taken";
}

struct Counter {
  double time_s, energy_j;
};

// Why these readings of the counter are no measurement, or empty.
std::string implausible(const std::vector<Counter>& counter, double limit_w) {
  double moved_s = counter.front().time_s;
  for (std::size_t i = 1; i < counter.size(); ++i) {
    const double step_j = counter[i].energy_j - counter[i - 1].energy_j;
    const double step_s = counter[i].time_s - counter[i - 1].time_s;
    if (step_j < 0) return fmt::format("the energy counter ran backwards by {}", si_text(-step_j, "J", 3));
    if (step_j > kJumpFactor * limit_w * (step_s + kCounterPeriod)) {
      return fmt::format("the energy counter jumped by {} in {}", si_text(step_j, "J", 3), time_text(step_s, 3));
    }
    if (step_j > 0) moved_s = counter[i].time_s;
    if (counter[i].time_s - moved_s > kStall) return fmt::format("the energy counter stood still for over {} s", kStall);
  }
  const double power_w =
      (counter.back().energy_j - counter.front().energy_j) / (counter.back().time_s - counter.front().time_s);
  if (power_w <= 0) return "the energy counter did not move";
  if (power_w > kPowerMargin * limit_w)
    return fmt::format("the energy counter says {:.0f} W, above what the board can take", power_w);
  return "";
}

void reduce_power(const TelemetryWindow& window, const Span& steady, const DeviceInfo& device, Telemetry& telemetry) {
  const auto absent = [&](const std::string& why) {
    telemetry.reasons["power_w"] = telemetry.reasons["energy_per_call_j"] = why;
  };
  std::vector<Counter> counter;
  for (const TelemetryReading& reading : window.readings) {
    const bool inside = reading.time_s >= steady.from_s && reading.time_s <= steady.to_s;
    if (inside && reading.energy_j) counter.push_back({reading.time_s, *reading.energy_j});
  }
  const bool any =
      std::ranges::any_of(window.readings, [](const TelemetryReading& reading) { return reading.energy_j.has_value(); });
  if (!any) return absent(reason_of(window, "energy", "energy_j"));
  if (steady.to_s <= steady.from_s) return absent("bursts: the energy counter cannot tell work from the pauses between");
  const double seconds = counter.size() < 2 ? 0 : counter.back().time_s - counter.front().time_s;
  if (seconds < kEnergyWindow) {
    return absent(fmt::format("the energy counter was read over {:.2f} s, and needs {} s", seconds, kEnergyWindow));
  }
  const std::string why = implausible(counter, device.power_limit_w.value_or(kBoardPower));
  if (!why.empty()) return absent(why);
  telemetry.power_w = (counter.back().energy_j - counter.front().energy_j) / seconds;
}

}  // namespace

Telemetry reduce_telemetry(const TelemetryWindow& window, const Span& samples, const Span& steady, const DeviceInfo& device) {
  Telemetry telemetry;
  const Readings readings = within(window, samples);
  const auto reduce = [&](std::optional<double> TelemetryReading::*value, std::optional<double>& into, const char* sensor,
                          const char* field) {
    std::vector<double> values;
    for (const TelemetryReading& reading : readings) {
      if (reading.*value) values.push_back(*(reading.*value));
    }
    if (values.empty()) {
      telemetry.reasons[field] = reason_of(window, sensor, field);
    } else {
      into = stats::median(values);
    }
  };
  reduce(&TelemetryReading::sm_clock_hz, telemetry.sm_clock_hz, "clock", "sm_clock_hz");
  reduce(&TelemetryReading::memory_clock_hz, telemetry.memory_clock_hz, "memory_clock", "memory_clock_hz");
  reduce(&TelemetryReading::temperature_c, telemetry.temperature_c, "temperature", "temperature_c");
  reduce(&TelemetryReading::utilisation, telemetry.utilisation, "utilisation", "utilisation");
  for (const TelemetryReading& reading : readings) {
    if (!reading.clock_event_reasons) continue;
    telemetry.clock_event_reasons = telemetry.clock_event_reasons.value_or(0) | *reading.clock_event_reasons;
  }
  if (!telemetry.clock_event_reasons) {
    telemetry.reasons["clock_event_reasons"] = reason_of(window, "clock_event_reasons", "clock_event_reasons");
  }
  reduce_power(window, steady, device, telemetry);
  return telemetry;
}

std::string clock_event_names(std::uint64_t mask) {
  constexpr std::array<std::pair<std::uint64_t, const char*>, 5> kNames{{{clock_event::kSwPowerCap, "SwPowerCap"},
                                                                         {clock_event::kHwSlowdown, "HwSlowdown"},
                                                                         {clock_event::kSwThermal, "SwThermalSlowdown"},
                                                                         {clock_event::kHwThermal, "HwThermalSlowdown"},
                                                                         {clock_event::kHwPowerBrake, "HwPowerBrake"}}};
  std::string text;
  for (const auto& [bit, event] : kNames) {
    if ((mask & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(event);
  }
  return text;
}

TelemetryScope::~TelemetryScope() {
  if (!open_) return;
  try {
    static_cast<void>(device_.end_telemetry());
  } catch (const std::exception&) {  // an error is already on its way; this one says nothing new
  }
}

}  // namespace rtxbench
