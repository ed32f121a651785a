#include "run/telemetry.hpp"

#include "run/protocol_fixture.hpp"

namespace rtxbench::fake {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// Readings each 50 ms over `seconds`, the energy by `energy`.
template <class Energy>
TelemetryWindow window(double seconds, Energy energy) {
  TelemetryWindow made;
  for (int i = 0; i * 0.05 <= seconds + 1e-9; ++i) {
    TelemetryReading reading = steady_sensors(i * 0.05);
    reading.energy_j = energy(i * 0.05);
    made.readings.push_back(reading);
  }
  return made;
}

Telemetry reduce(const TelemetryWindow& readings, double seconds) {
  return reduce_telemetry(readings, {0, seconds}, {0, seconds}, gpu());
}

TEST(Telemetry, PowerIsTheEnergyDifferenceOverTheWindow) {
  const Telemetry telemetry = reduce(window(2, [](double t) { return 1000 + 400 * t; }), 2);
  EXPECT_NEAR(telemetry.power_w.value(), 400, 1e-6);
  EXPECT_EQ(telemetry.sm_clock_hz, 1.98e9);
  EXPECT_EQ(telemetry.temperature_c, 60);
  EXPECT_THAT(telemetry.reasons, IsEmpty());
}

TEST(Telemetry, CountersThatStepInLumpsAreFine) {
  const Telemetry telemetry = reduce(window(2, [](double t) { return 70.0 * static_cast<int>(t / 0.1 + 1e-6); }), 2);
  EXPECT_NEAR(telemetry.power_w.value(), 700, 1e-6);
}

TEST(Telemetry, Fault31_ShortWindowIsNullWithItsLength) {
  const Telemetry telemetry = reduce(window(0.8, [](double t) { return 400 * t; }), 0.8);
  EXPECT_FALSE(telemetry.power_w.has_value());
  EXPECT_THAT(telemetry.reasons.at("power_w"), HasSubstr("0.80 s"));
}

TEST(Telemetry, Fault31_FlatBackwardsStallingAndJumpingCountersAreNull) {
  const auto reason = [](auto energy) {
    const Telemetry telemetry = reduce(window(2, energy), 2);
    EXPECT_FALSE(telemetry.power_w.has_value());
    return telemetry.reasons.count("power_w") == 0 ? "" : telemetry.reasons.at("power_w");
  };
  EXPECT_THAT(reason([](double) { return 5.0; }), HasSubstr("stood still"));
  EXPECT_THAT(reason([](double t) { return 400 * t - (t > 1 ? 300 : 0); }), HasSubstr("backwards"));
  EXPECT_THAT(reason([](double t) { return 400 * (t < 0.5 ? t : t < 1.2 ? 0.5 : t); }), HasSubstr("stood still"));
  EXPECT_THAT(reason([](double t) { return 400 * t + (t > 1 ? 1e4 : 0); }), HasSubstr("jumped"));
  EXPECT_THAT(reason([](double t) { return 900 * t; }), HasSubstr("900 W"));  // the board's limit is 700 W
}

TEST(Telemetry, Fault30_EachMissingSensorIsAbsentWithItsReasonAndTheOthersStay) {
  using Field = std::optional<double> TelemetryReading::*;
  struct Sensor {
    std::string key, field;
    Field reading;
    std::optional<double> Telemetry::*value;
  };
  const std::vector<Sensor> sensors{
      {"clock", "sm_clock_hz", &TelemetryReading::sm_clock_hz, &Telemetry::sm_clock_hz},
      {"memory_clock", "memory_clock_hz", &TelemetryReading::memory_clock_hz, &Telemetry::memory_clock_hz},
      {"temperature", "temperature_c", &TelemetryReading::temperature_c, &Telemetry::temperature_c},
      {"utilisation", "utilisation", &TelemetryReading::utilisation, &Telemetry::utilisation},
      {"energy", "power_w", &TelemetryReading::energy_j, &Telemetry::power_w}};
  for (const Sensor& missing : sensors) {
    TelemetryWindow readings = window(2, [](double t) { return 400 * t; });
    for (TelemetryReading& reading : readings.readings) reading.*missing.reading = std::nullopt;
    readings.reasons[missing.key] = "NOT_SUPPORTED";
    const Telemetry telemetry = reduce(readings, 2);
    for (const Sensor& sensor : sensors) EXPECT_EQ((telemetry.*sensor.value).has_value(), &sensor != &missing) << sensor.field;
    EXPECT_EQ(telemetry.reasons.at(missing.field), "NOT_SUPPORTED");
  }
}

TEST(Telemetry, Fault30_WithoutAnySensorEverythingIsAbsentAndNothingIsZero) {
  TelemetryWindow readings;
  for (const char* key : {"power", "energy", "temperature", "utilisation", "clock", "memory_clock", "clock_event_reasons"}) {
    readings.reasons[key] = "no NVML";
  }
  const Telemetry telemetry = reduce(readings, 2);
  EXPECT_FALSE(telemetry.power_w || telemetry.energy_per_call_j || telemetry.temperature_c || telemetry.sm_clock_hz ||
               telemetry.memory_clock_hz || telemetry.utilisation || telemetry.clock_event_reasons);
  for (const char* field : {"power_w", "energy_per_call_j", "temperature_c", "sm_clock_hz", "memory_clock_hz", "utilisation",
                            "clock_event_reasons"}) {
    EXPECT_EQ(telemetry.reasons.at(field), "no NVML") << field;
  }
}

TEST(Telemetry, Fault30_AMeasurementWithoutSensorsGoesThrough) {
  Script script = constant(5e-3);
  script.sensors = [](double now_s) { return TelemetryReading{.time_s = now_s}; };
  script.clock_hz = [](const Moment&) { return std::nullopt; };
  Bench bench(std::move(script));
  const Measured measured = bench.measure(Regime::sustained, CacheState::cold, 5e-3);
  EXPECT_EQ(measured.measurement.method.steady, true);
  EXPECT_FALSE(measured.measurement.clock_hz.has_value());
  EXPECT_FALSE(measured.telemetry.power_w.has_value());
}

TEST(Telemetry, ReasonsAreJoinedOverTheSamplesOnly) {
  TelemetryWindow readings;
  readings.readings = {steady_sensors(0, 500, clock_event::kHwThermal), steady_sensors(1, 500, clock_event::kSwPowerCap),
                       steady_sensors(2, 500, 0x1)};
  EXPECT_EQ(reduce_telemetry(readings, {0.5, 2}, {}, gpu()).clock_event_reasons, clock_event::kSwPowerCap | 0x1U);
  EXPECT_EQ(clock_event_names(clock_event::kSwPowerCap | clock_event::kHwPowerBrake), "SwPowerCap, HwPowerBrake");
}

}  // namespace
}  // namespace rtxbench::fake
