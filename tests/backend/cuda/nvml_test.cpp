// NVML through the scripted stand-in: what a board tells, what it refuses, and which board is asked.
#include <gtest/gtest.h>

#include "backend/cuda/nvml_board.hpp"
#include "backend/cuda/telemetry_sampler.hpp"
#include "support/nvml_stub/scripted_nvml.hpp"

namespace rtxbench {
namespace {

using test::ScriptedNvml;

constexpr const char* kUuidA = "aaaaaaaa-0000-0000-0000-000000000001";
constexpr const char* kUuidB = "bbbbbbbb-0000-0000-0000-000000000002";
constexpr const char* kPciA = "00000000:0a:00.0";
constexpr const char* kPciB = "00000000:1b:00.0";

// `first_lines` go before the first device: they hold for all of them.
std::string device_script(const std::string& uuid, const std::string& pci, int power_mw, const std::string& more = "") {
  return "device\nname NVIDIA H200\nuuid GPU-" + uuid + "\npci " + pci + " 0x233510de\nmemory 1000 600\nclock 1500 3201\n" +
         "max_clock 1980 3201\nbus 6016\ntemperature 41\nutilisation 98\npower " + std::to_string(power_mw) +
         "\npower_limit 700000\nenergy 1000 3000 6000\nreasons 0 4 8\nmig 0\n" + more;
}
std::string board_a(const std::string& more = "") { return device_script(kUuidA, "00000000:0A:00.0", 111000, more); }
std::string board_b(const std::string& more = "") { return device_script(kUuidB, "00000000:1B:00.0", 222000, more); }

std::optional<nvml::Board> find(const char* uuid, const char* pci) {
  std::string reason;
  const auto library = nvml::Library::open(reason);
  EXPECT_TRUE(library) << reason;
  if (!library) return std::nullopt;
  auto board = nvml::Board::find(library, uuid, pci, reason);
  EXPECT_TRUE(board) << reason;
  return board;
}

TEST(Nvml, EveryFunctionOfTheTableIsResolved) {
  const ScriptedNvml nvml("driver 580.95.05\n" + board_a());
  std::string reason;
  const auto library = nvml::Library::open(reason);
  ASSERT_TRUE(library) << reason;
  EXPECT_EQ(library->missing(), std::vector<std::string>{});
  EXPECT_EQ(library->driver_version(), "580.95.05");
}

TEST(Nvml, DescribesABoardInSiUnits) {
  const ScriptedNvml nvml(board_a("processes 4242 4243\n"));
  const auto board = find(kUuidA, kPciA);
  ASSERT_TRUE(board);
  DeviceInfo info;
  board->describe(info);
  EXPECT_EQ(info.pci_device_id, 0x10de2335U);  // vendor first
  EXPECT_EQ(info.memory_bytes, 1000U);
  EXPECT_EQ(info.free_bytes, 600U);
  EXPECT_EQ(info.max_clock_hz, 1980e6);
  EXPECT_EQ(info.max_memory_clock_hz, 3201e6);
  EXPECT_EQ(info.memory_bus_bits, 6016);
  EXPECT_EQ(info.power_limit_w, 700.0);
  EXPECT_FALSE(info.mig);
  EXPECT_TRUE(info.reasons.empty());
}

TEST(Nvml, Fault29_OtherProcessesOnTheCardAreListedWithoutThisOne) {
  const ScriptedNvml nvml(board_a("processes 4242 " + std::to_string(getpid()) + " 4243\n"));
  const auto board = find(kUuidA, kPciA);
  ASSERT_TRUE(board);
  DeviceInfo info;
  board->describe(info);
  EXPECT_EQ(info.other_processes, (std::vector<int>{4242, 4243}));
}

TEST(Nvml, ReadsEverySensorInSiUnits) {
  const ScriptedNvml nvml(board_a());
  const auto board = find(kUuidA, kPciA);
  ASSERT_TRUE(board);
  nvml::Reasons reasons;
  const TelemetryReading first = board->read(reasons);
  const TelemetryReading second = board->read(reasons);
  EXPECT_EQ(first.sm_clock_hz, 1500e6);
  EXPECT_EQ(first.memory_clock_hz, 3201e6);
  EXPECT_EQ(first.power_w, 111.0);
  EXPECT_EQ(first.temperature_c, 41.0);
  EXPECT_EQ(first.utilisation, 0.98);
  EXPECT_EQ(first.energy_j, 1.0);
  EXPECT_EQ(second.energy_j, 3.0);
  EXPECT_EQ(first.clock_event_reasons, 0U);
  EXPECT_EQ(second.clock_event_reasons, clock_event::kSwPowerCap);
  EXPECT_TRUE(reasons.empty());
}

// A sensor, the function behind it, and how to look at its value.
struct Sensor {
  const char* key;
  const char* function;
  bool (*present)(const TelemetryReading&);
};
const std::vector<Sensor> kSensors{
    {"power", "nvmlDeviceGetPowerUsage", [](const TelemetryReading& r) { return r.power_w.has_value(); }},
    {"energy", "nvmlDeviceGetTotalEnergyConsumption", [](const TelemetryReading& r) { return r.energy_j.has_value(); }},
    {"temperature", "nvmlDeviceGetTemperature", [](const TelemetryReading& r) { return r.temperature_c.has_value(); }},
    {"utilisation", "nvmlDeviceGetUtilizationRates", [](const TelemetryReading& r) { return r.utilisation.has_value(); }},
    {"clock", "nvmlDeviceGetClockInfo", [](const TelemetryReading& r) { return r.sm_clock_hz.has_value(); }},
    {"memory_clock", "nvmlDeviceGetClockInfo", [](const TelemetryReading& r) { return r.memory_clock_hz.has_value(); }},
    {"clock_event_reasons", "nvmlDeviceGetCurrentClocksEventReasons",
     [](const TelemetryReading& r) { return r.clock_event_reasons.has_value(); }}};

TEST(Nvml, Fault30_EachUnsupportedSensorIsAbsentWithItsReasonAndStopsNoOther) {
  for (const Sensor& refused : kSensors) {
    const ScriptedNvml nvml(board_a(std::string("return ") + refused.function + " 3\n"));
    const auto board = find(kUuidA, kPciA);
    ASSERT_TRUE(board);
    nvml::Reasons reasons;
    const TelemetryReading reading = board->read(reasons);
    for (const Sensor& sensor : kSensors) {
      const bool expected = std::string_view(sensor.function) != refused.function;
      EXPECT_EQ(sensor.present(reading), expected) << sensor.key << " while refusing " << refused.function;
      EXPECT_EQ(reasons.count(sensor.key), expected ? 0U : 1U) << sensor.key;
    }
    EXPECT_EQ(reasons.at(refused.key), std::string(refused.function) + ": not supported on this board");
  }
}

TEST(Nvml, Fault30_EverySensorUnsupportedAtOnceIsSevenReasonsAndNoZero) {
  std::string refusals;
  for (const Sensor& sensor : kSensors) refusals += std::string("return ") + sensor.function + " 3\n";
  const ScriptedNvml nvml(board_a(refusals));
  const auto board = find(kUuidA, kPciA);
  ASSERT_TRUE(board);
  nvml::Reasons reasons;
  const TelemetryReading reading = board->read(reasons);
  for (const Sensor& sensor : kSensors) EXPECT_FALSE(sensor.present(reading)) << sensor.key;
  EXPECT_EQ(reasons.size(), kSensors.size());
}

TEST(Nvml, Fault30_UnsupportedPropertiesOfABoardAreAbsentWithTheirReason) {
  const ScriptedNvml nvml(
      board_a("return nvmlDeviceGetEnforcedPowerLimit 3\nreturn nvmlDeviceGetMaxClockInfo 3\n"
              "return nvmlDeviceGetMemoryInfo 3\nreturn nvmlDeviceGetComputeRunningProcesses_v3 3\n"));
  const auto board = find(kUuidA, kPciA);
  ASSERT_TRUE(board);
  DeviceInfo info;
  info.max_clock_hz = 1900e6;  // the runtime's figure stands where NVML has none
  board->describe(info);
  EXPECT_FALSE(info.power_limit_w);
  EXPECT_FALSE(info.free_bytes);
  EXPECT_EQ(info.max_clock_hz, 1900e6);
  EXPECT_EQ(info.memory_bus_bits, 6016);
  for (const char* field : {"power_limit_w", "free_bytes", "max_memory_clock_hz", "other_processes"}) {
    EXPECT_NE(info.reasons[field].find("not supported"), std::string::npos) << field;
  }
  EXPECT_EQ(info.reasons.count("max_clock_hz"), 0U);
}

TEST(Nvml, AnOlderDriverLacksFunctionsAndStillTellsTheRest) {
  const ScriptedNvml nvml(board_a(), RTXBENCH_NVML_OLD_STUB_LIBRARY);
  const auto board = find(kUuidA, kPciA);
  ASSERT_TRUE(board);
  nvml::Reasons reasons;
  static_cast<void>(board->read(reasons));
  const TelemetryReading reading = board->read(reasons);
  EXPECT_EQ(reading.power_w, 111.0);
  EXPECT_EQ(reading.clock_event_reasons, clock_event::kSwPowerCap);  // through the function's older name
  EXPECT_FALSE(reading.energy_j);
  EXPECT_NE(reasons["energy"].find("lacks it"), std::string::npos);
}

TEST(Nvml, Fault32_AMissingLibraryIsAReasonThatNamesThePlace) {
  const ScriptedNvml nvml("", "/nowhere/libnvidia-ml.so.1");
  std::string reason;
  EXPECT_FALSE(nvml::Library::open(reason));
  EXPECT_NE(reason.find("/nowhere/libnvidia-ml.so.1"), std::string::npos) << reason;
}

TEST(Nvml, Fault32_AVersionMismatchIsAReasonWithItsRemedy) {
  const ScriptedNvml nvml("return nvmlInit_v2 18\n" + board_a());
  std::string reason;
  EXPECT_FALSE(nvml::Library::open(reason));
  EXPECT_NE(reason.find("different versions; reboot"), std::string::npos) << reason;
}

TEST(Nvml, Fault32_WithoutNvmlATelemetryWindowIsEmptyAndSaysWhy) {
  cuda::TelemetrySampler telemetry(std::nullopt, "NVML is not here", [] { return 0.0; });
  telemetry.begin();
  const TelemetryWindow window = telemetry.end();
  EXPECT_TRUE(window.readings.empty());
  for (const Sensor& sensor : kSensors) EXPECT_EQ(window.reasons.at(sensor.key), "NVML is not here");
}

TEST(Nvml, Fault33_AMigInstanceIsFoundByItsOwnUuidAndHasNoUtilisationOrPower) {
  const std::string instance = std::string("device\nuuid MIG-") + kUuidB + "\nmemory 250 200\nclock 1500 3201\n";
  const ScriptedNvml nvml(board_a() + instance);
  const auto board = find(kUuidB, kPciA);
  ASSERT_TRUE(board);
  EXPECT_TRUE(board->mig());
  EXPECT_TRUE(board->instance());
  DeviceInfo info;
  board->describe(info);
  EXPECT_TRUE(info.mig);
  EXPECT_EQ(info.memory_bytes, 250U);  // the instance's share, not the board's
  nvml::Reasons reasons;
  const TelemetryReading reading = board->read(reasons);
  EXPECT_FALSE(reading.utilisation);
  EXPECT_FALSE(reading.power_w);
  EXPECT_FALSE(reading.energy_j);
  EXPECT_EQ(reading.sm_clock_hz, 1500e6);
  EXPECT_NE(reasons["utilisation"].find("GPU is MIG"), std::string::npos);
  EXPECT_NE(reasons["power"].find("GPU is MIG"), std::string::npos);
}

TEST(Nvml, Fault33_ABoardInMigModeWhoseQueriesAreRefusedStillStarts) {
  const ScriptedNvml nvml(board_a("mig 1\nreturn nvmlDeviceGetUtilizationRates 4\nreturn nvmlDeviceGetMemoryInfo 4\n"));
  const auto board = find(kUuidA, kPciA);
  ASSERT_TRUE(board);
  DeviceInfo info;
  board->describe(info);
  EXPECT_TRUE(info.mig);
  EXPECT_FALSE(info.free_bytes);
  nvml::Reasons reasons;
  EXPECT_FALSE(board->read(reasons).utilisation);
}

// NVML orders boards by PCI id, CUDA by speed or as CUDA_VISIBLE_DEVICES says; the same two boards in either order.
TEST(Nvml, Fault34_TheBoardIsFoundByUuidInWhateverOrderNvmlListsThem) {
  for (const std::string& script : {board_a() + board_b(), board_b() + board_a()}) {
    const ScriptedNvml nvml(script);
    for (const auto& [uuid, pci, power] : {std::tuple{kUuidA, kPciA, 111.0}, std::tuple{kUuidB, kPciB, 222.0}}) {
      const auto board = find(uuid, pci);
      ASSERT_TRUE(board);
      nvml::Reasons reasons;
      EXPECT_EQ(board->read(reasons).power_w, power);
    }
  }
}

TEST(Nvml, Fault34_WithoutAUuidThePciIdDecidesWhateverItsLetterCase) {
  const ScriptedNvml nvml("return nvmlDeviceGetHandleByUUID 3\n" + board_b() + board_a());
  const auto board = find(kUuidA, kPciA);
  ASSERT_TRUE(board);
  nvml::Reasons reasons;
  EXPECT_EQ(board->read(reasons).power_w, 111.0);
}

TEST(Nvml, Fault34_ABoardThatNvmlDoesNotKnowGetsNoOtherBoardsSensors) {
  const ScriptedNvml nvml(board_a());
  std::string reason;
  const auto library = nvml::Library::open(reason);
  ASSERT_TRUE(library) << reason;
  EXPECT_FALSE(nvml::Board::find(library, kUuidB, kPciB, reason));
  EXPECT_NE(reason.find(kUuidB), std::string::npos) << reason;
  EXPECT_NE(reason.find(kPciB), std::string::npos) << reason;
}

TEST(TelemetrySampler, AWindowHoldsItsTwoEndsAndEnergyAsACounter) {
  const ScriptedNvml nvml(board_a());
  double now_s = 0;
  cuda::TelemetrySampler telemetry(find(kUuidA, kPciA), "", [&now_s] { return now_s; });
  telemetry.begin();
  const TelemetryWindow window = telemetry.end();
  ASSERT_GE(window.readings.size(), 2U);
  EXPECT_EQ(window.readings.front().energy_j, 1.0);
  EXPECT_GE(window.readings.back().energy_j.value_or(0), 3.0);
  EXPECT_TRUE(window.reasons.empty());
}

TEST(TelemetrySampler, ASecondWindowStartsEmpty) {
  const ScriptedNvml nvml(board_a());
  cuda::TelemetrySampler telemetry(find(kUuidA, kPciA), "", [] { return 0.0; });
  telemetry.begin();
  static_cast<void>(telemetry.end());
  EXPECT_TRUE(telemetry.end().readings.empty());
  telemetry.begin();
  EXPECT_EQ(telemetry.end().readings.front().energy_j, 6.0);  // the counter went on
}

}  // namespace
}  // namespace rtxbench
