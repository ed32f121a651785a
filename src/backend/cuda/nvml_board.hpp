// One physical board as NVML sees it: found by UUID, then by PCI id, never by index (CUDA and NVML order boards differently).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "backend/cuda/nvml_library.hpp"
#include "rtxbench/device.hpp"

namespace rtxbench::nvml {

using Reasons = std::map<std::string, std::string>;

class Board {
 public:
  // `uuid` without its prefix, `pci` as in DeviceInfo. Nothing, with the reason, where NVML knows neither.
  [[nodiscard]] static std::optional<Board> find(std::shared_ptr<const Library> library, std::string_view uuid,
                                                 const std::string& pci, std::string& reason);
  [[nodiscard]] bool mig() const { return mig_; }                      // MIG is on: what is measured is one of its instances
  [[nodiscard]] bool instance() const { return instance_ != board_; }  // and NVML knows that instance by its own UUID

  // Fills what NVML knows better than the CUDA runtime; what it refuses is left alone, with the reason where nothing is known.
  void describe(DeviceInfo& info) const;

  // All sensors once. `reasons` gets an entry for each that gave nothing.
  [[nodiscard]] TelemetryReading read(Reasons& reasons) const;

 private:
  Board(std::shared_ptr<const Library> library, Handle board, Handle instance, bool mig)
      : library_(std::move(library)), board_(board), instance_(instance), mig_(mig) {}
  void describe_memory(DeviceInfo& info) const;
  void describe_limits(DeviceInfo& info) const;
  void describe_processes(DeviceInfo& info) const;

  std::shared_ptr<const Library> library_;
  Handle board_ = nullptr;     // sensors
  Handle instance_ = nullptr;  // memory and processes: the MIG instance where there is one, else the board
  bool mig_ = false;
};

// Runs when NVML gives no board at all: the reason under every sensor's name.
[[nodiscard]] Reasons no_sensor(const std::string& reason);

}  // namespace rtxbench::nvml
