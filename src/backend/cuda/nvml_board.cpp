#include "backend/cuda/nvml_board.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace rtxbench::nvml {
namespace {
constexpr double kHzPerMhz = 1e6;
constexpr const char* kMigShared = "GPU is MIG: the board's figure covers every instance on it";
constexpr std::array kSensors{"clock", "memory_clock", "power", "energy", "temperature", "utilisation", "clock_event_reasons"};

Handle handle_by(const Library& library, const Function<const char*, Handle*>& function, const std::string& key,
                 std::string& reason) {
  Handle handle = nullptr;
  const std::string failure = library.call(function, key.c_str(), &handle);
  if (failure.empty()) return handle;
  reason += (reason.empty() ? "" : "; ") + fmt::format("{} ({})", failure, key);
  return nullptr;
}

// A board in MIG mode: what is measured is one of its instances.
bool mig_enabled(const Library& library, Handle board) {
  unsigned current = 0, pending = 0;
  return library.call(library.mig_mode, board, &current, &pending).empty() && current == 1;
}
}  // namespace

Reasons no_sensor(const std::string& reason) {
  Reasons reasons;
  for (const char* sensor : kSensors) reasons[sensor] = reason;
  return reasons;
}

std::optional<Board> Board::find(std::shared_ptr<const Library> library, std::string_view uuid, const std::string& pci,
                                 std::string& reason) {
  std::string tried;
  const std::string text(uuid);
  Handle board = handle_by(*library, library->handle_by_uuid, "GPU-" + text, tried);
  Handle instance = board == nullptr ? handle_by(*library, library->handle_by_uuid, "MIG-" + text, tried) : nullptr;
  if (board == nullptr && !pci.empty()) board = handle_by(*library, library->handle_by_pci, pci, tried);
  if (board == nullptr && instance == nullptr) {
    reason = "NVML knows no such board: " + tried;
    return std::nullopt;
  }
  if (board == nullptr) board = instance;
  const bool mig = instance != nullptr || mig_enabled(*library, board);
  return Board(std::move(library), board, instance == nullptr ? board : instance, mig);
}

void Board::describe(DeviceInfo& info) const {
  info.mig = info.mig || mig_;
  PciInfo pci{};
  if (library_->call(library_->pci_info, board_, &pci).empty()) {
    info.pci_device_id = (pci.device_id & 0xffffU) << 16 | pci.device_id >> 16;
  }
  describe_memory(info);
  describe_limits(info);
  describe_processes(info);
}

void Board::describe_memory(DeviceInfo& info) const {
  if (mig_ && instance_ == board_) {  // the whole board's memory is not this instance's
    info.reasons["free_bytes"] = kMigShared;
    return;
  }
  Memory memory{};
  const std::string failure = library_->call(library_->memory_info, instance_, &memory);
  if (failure.empty()) {
    info.memory_bytes = memory.total;
    info.free_bytes = memory.free;
  } else {
    info.reasons["free_bytes"] = failure;
  }
}

void Board::describe_limits(DeviceInfo& info) const {
  const auto read = [&](auto& into, const char* field, double unit, const auto& function, auto... arguments) {
    unsigned value = 0;
    const std::string failure = library_->call(function, board_, arguments..., &value);
    if (failure.empty() && value != 0) {
      into = static_cast<typename std::remove_reference_t<decltype(into)>::value_type>(value * unit);
    } else if (!into) {
      info.reasons[field] = failure.empty() ? fmt::format("{}: reads 0", function.name) : failure;
    }
  };
  read(info.max_clock_hz, "max_clock_hz", kHzPerMhz, library_->max_clock, kClockSm);
  read(info.max_memory_clock_hz, "max_memory_clock_hz", kHzPerMhz, library_->max_clock, kClockMemory);
  read(info.memory_bus_bits, "memory_bus_bits", 1.0, library_->memory_bus_width);
  read(info.power_limit_w, "power_limit_w", 1e-3, library_->power_limit);
}

void Board::describe_processes(DeviceInfo& info) const {
  std::array<ProcessInfo, 256> processes{};
  auto count = static_cast<unsigned>(processes.size());
  const std::string failure = library_->call(library_->compute_processes, instance_, &count, processes.data());
  if (!failure.empty()) {
    info.reasons["other_processes"] = failure;
    return;
  }
  info.other_processes.clear();
  for (unsigned i = 0; i < std::min<std::size_t>(count, processes.size()); ++i) {
    const int pid = static_cast<int>(processes[i].pid);
    if (pid != getpid()) info.other_processes.push_back(pid);
  }
}

TelemetryReading Board::read(Reasons& reasons) const {
  TelemetryReading reading;
  const auto sensor = [&](const char* key, std::optional<double>& into, double unit, auto value, const auto& function,
                          auto... arguments) {
    const std::string failure = library_->call(function, board_, arguments..., &value);
    if (failure.empty()) {
      into = static_cast<double>(value) * unit;
    } else {
      reasons[key] = failure;
    }
  };
  sensor("clock", reading.sm_clock_hz, kHzPerMhz, 0U, library_->clock, kClockSm);
  sensor("memory_clock", reading.memory_clock_hz, kHzPerMhz, 0U, library_->clock, kClockMemory);
  sensor("temperature", reading.temperature_c, 1.0, 0U, library_->temperature, kTemperatureGpu);
  if (mig_) {
    reasons["power"] = reasons["energy"] = kMigShared;
    reasons["utilisation"] = "GPU is MIG: NVML reports no utilisation of an instance";
  } else {
    sensor("power", reading.power_w, 1e-3, 0U, library_->power);
    sensor("energy", reading.energy_j, 1e-3, 0ULL, library_->energy);
    Utilization utilization{};
    const std::string failure = library_->call(library_->utilization, board_, &utilization);
    if (failure.empty()) {
      reading.utilisation = utilization.gpu / 100.0;
    } else {
      reasons["utilisation"] = failure;
    }
  }
  unsigned long long mask = 0;
  const std::string failure = library_->call(library_->clock_event_reasons, board_, &mask);
  if (failure.empty()) {
    reading.clock_event_reasons = mask;
  } else {
    reasons["clock_event_reasons"] = failure;
  }
  return reading;
}

}  // namespace rtxbench::nvml
