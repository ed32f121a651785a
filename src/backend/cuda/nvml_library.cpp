#include "backend/cuda/nvml_library.hpp"

#include <array>
#include <utility>

namespace rtxbench::nvml {

template <class... Arguments>
void Library::resolve(Function<Arguments...>& function) {
  function.address = library_.optional_function<Return(Arguments...)>(function.name);
  if (function.address == nullptr) missing_.emplace_back(function.name);
}

Library::Library(DynamicLibrary library) : library_(std::move(library)) {
  resolve(init);
  resolve(shutdown);
  resolve(system_driver_version);
  resolve(device_count);
  resolve(handle_by_uuid);
  resolve(handle_by_pci);
  resolve(name);
  resolve(uuid);
  resolve(pci_info);
  resolve(memory_info);
  resolve(clock);
  resolve(max_clock);
  resolve(memory_bus_width);
  resolve(power);
  resolve(power_limit);
  resolve(energy);
  resolve(temperature);
  resolve(utilization);
  resolve(clock_event_reasons);
  if (clock_event_reasons.address == nullptr) {  // its name before driver 535
    clock_event_reasons.address =
        library_.optional_function<Return(Handle, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons");
  }
  resolve(mig_mode);
  resolve(compute_processes);
  error_string_ = library_.optional_function<const char*(Return)>("nvmlErrorString");
}

Library::~Library() {
  if (initialised_ && shutdown.address != nullptr) shutdown.address();
}

std::shared_ptr<const Library> Library::open(std::string& reason) {
  std::optional<DynamicLibrary> found =
      DynamicLibrary::open({.name = "NVML", .sonames = {"libnvidia-ml.so.1"}, .variable = "RTXBENCH_NVML"}, reason);
  if (!found) return nullptr;
  std::shared_ptr<Library> library(new Library(std::move(*found)));  // the constructor is private
  reason = library->call(library->init);
  if (!reason.empty()) {
    reason = fmt::format("NVML ({}): {}", library->path(), reason);
    return nullptr;
  }
  library->initialised_ = true;
  return library;
}

std::string Library::failure(const char* function, Return status) const {
  switch (status) {
    case kNotSupported:
      return fmt::format("{}: not supported on this board", function);
    case kVersionMismatch:
      return fmt::format("{}: the driver in the kernel and NVML are of different versions; reboot or reload the driver",
                         function);
    default:
      break;
  }
  const char* text = error_string_ == nullptr ? nullptr : error_string_(status);
  return text == nullptr ? fmt::format("{}: NVML error {}", function, status)
                         : fmt::format("{}: {} (NVML error {})", function, text, status);
}

std::string Library::driver_version() const {
  std::array<char, 96> text{};
  return call(system_driver_version, text.data(), static_cast<unsigned>(text.size() - 1)).empty() ? text.data() : "";
}

}  // namespace rtxbench::nvml
