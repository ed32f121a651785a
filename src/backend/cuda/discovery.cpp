#include "backend/cuda/discovery.hpp"

#include <driver_types.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace rtxbench::cuda {
namespace {

// One entry of CMAKE_CUDA_ARCHITECTURES.
struct Architecture {
  std::string name;       // "90a"
  int number = 0;         // 90
  bool specific = false;  // suffix a or f: runs on this compute capability (f: its family) only
  bool family = false;
  bool cubin = true, ptx = true;
};

std::optional<Architecture> parse_architecture(std::string_view text) {
  Architecture found;
  const std::size_t dash = text.find('-');
  if (dash != std::string_view::npos) {
    found.cubin = text.substr(dash) != "-virtual";
    found.ptx = text.substr(dash) != "-real";
  }
  found.name = text.substr(0, dash);
  const char* const end = found.name.data() + found.name.size();
  const auto [rest, error] = std::from_chars(found.name.data(), end, found.number);
  if (error != std::errc{} || end - rest > 1) return std::nullopt;
  found.family = rest != end && *rest == 'f';
  found.specific = rest != end;
  return found;
}

std::vector<Architecture> parse_architectures(std::string_view text) {
  std::vector<Architecture> found;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (const auto architecture = parse_architecture(text.substr(0, comma))) found.push_back(*architecture);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return found;
}

bool cubin_runs(const Architecture& architecture, int card) {
  if (!architecture.cubin || architecture.number / 10 != card / 10) return false;
  return architecture.specific && !architecture.family ? architecture.number == card : architecture.number <= card;
}

bool ptx_runs(const Architecture& architecture, int card) {
  if (!architecture.ptx) return false;
  if (architecture.family) return architecture.number / 10 == card / 10 && architecture.number <= card;
  return architecture.specific ? architecture.number == card : architecture.number <= card;
}

}  // namespace

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string minimum_driver(int runtime_version) {
  switch (runtime_version / 1000) {
    case 12:
      return "525.60.13";
    case 13:
      return "580.65.06";
    default:
      return "one that supports CUDA " + version_text(runtime_version);
  }
}

std::string no_device_reason(const NoDevice& seen) {
  const std::string versions = fmt::format("CUDA runtime {}, driver {}, minimum driver {}", version_text(seen.runtime_version),
                                           seen.driver_version == 0 ? "none" : "for CUDA " + version_text(seen.driver_version),
                                           minimum_driver(seen.runtime_version));
  if (seen.visible && seen.driver_version != 0 && (seen.error == 0 || seen.error == cudaErrorNoDevice)) {
    const std::string cause = seen.visible->empty() ? "CUDA_VISIBLE_DEVICES is set and empty, which hides every GPU"
                                                    : fmt::format("CUDA_VISIBLE_DEVICES={} names no GPU here", *seen.visible);
    return fmt::format("{}; unset it or name one that `nvidia-smi -L` lists ({})", cause, versions);
  }
  if (seen.driver_version == 0) {
    return fmt::format("no NVIDIA driver was found; install one, or start the container with the GPU ({})", versions);
  }
  if (seen.error == cudaErrorInsufficientDriver) {
    return fmt::format("the driver is too old for this build; update it ({})", versions);
  }
  if (seen.error == 0 || seen.error == cudaErrorNoDevice) {
    return fmt::format("the driver lists no GPU; see `nvidia-smi -L` ({})", versions);
  }
  return fmt::format("{} ({})", seen.error_text, versions);
}

CodeChoice choose_code(std::string_view architectures, int major, int minor) {
  const int card = 10 * major + minor;
  const std::vector<Architecture> built = parse_architectures(architectures);
  if (built.empty()) return {true, fmt::format("known when opened (built for \"{}\")", architectures)};
  const auto best = [&](auto runs) {
    const Architecture* found = nullptr;
    for (const Architecture& architecture : built) {
      if (runs(architecture, card) && (found == nullptr || architecture.number >= found->number)) found = &architecture;
    }
    return found;
  };
  if (const Architecture* cubin = best(cubin_runs)) return {true, fmt::format("sm_{} cubin", cubin->name)};
  if (const Architecture* ptx = best(ptx_runs)) {
    return {true, fmt::format("PTX of compute_{} compiled at start", ptx->name)};
  }
  return {false, fmt::format("none: this build holds code for {} and the card is sm_{}; rebuild with "
                             "-DCMAKE_CUDA_ARCHITECTURES={}",
                             architectures, card, card)};
}

std::string uuid_text(std::span<const char, 16> bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(bytes[i]));
  }
  return text;
}

std::string pci_text(int domain, int bus, int device) { return fmt::format("{:08x}:{:02x}:{:02x}.0", domain, bus, device); }

bool launches_block(const char* variable) {
  return variable != nullptr && *variable != '\0' && std::string_view(variable) != "0";
}

}  // namespace rtxbench::cuda
