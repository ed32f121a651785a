#include "env/environment.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>

#include "rtxbench/embedded.hpp"

namespace rtxbench {
namespace {

// What CUDA, cuBLAS, OpenBLAS and OpenMP read and results depend on; and everything of our own.
constexpr std::array<std::string_view, 15> kVariables{
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",       "CUDA_LAUNCH_BLOCKING", "CUDA_MODULE_LOADING",
    "CUDA_FORCE_PTX_JIT",   "CUDA_DISABLE_PTX_JIT",    "CUDA_CACHE_DISABLE",   "CUDA_DEVICE_MAX_CONNECTIONS",
    "NVIDIA_TF32_OVERRIDE", "CUBLAS_WORKSPACE_CONFIG", "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE",
    "GOTO_NUM_THREADS",     "OMP_NUM_THREADS",         "OMP_PROC_BIND"};
constexpr std::string_view kOwnPrefix = "RTXBENCH_";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// Value of the first line "key<separator>value" of a file, trimmed and without surrounding quotes; empty where there is none.
std::string keyed_line(const char* path, std::string_view key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto at = line.find(separator);
    if (at == std::string::npos || trimmed(std::string_view(line).substr(0, at)) != key) continue;
    std::string_view value = trimmed(std::string_view(line).substr(at + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front()) {
      value = value.substr(1, value.size() - 2);
    }
    return std::string(value);
  }
  return {};
}

std::optional<std::uint64_t> leading_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;  // also the "max" of a control group without limit
  return value;
}

// Installed memory, or the limit of this process' control group (version 2, version 1) where that is lower.
std::uint64_t available_memory_bytes() {
  std::uint64_t bytes = leading_number(keyed_line("/proc/meminfo", "MemTotal", ':')).value_or(0) * 1024;  // "... kB" is KiB
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line)) continue;
    const auto limit = leading_number(line);
    if (limit && *limit > 0) bytes = bytes == 0 ? *limit : std::min(bytes, *limit);
  }
  return bytes;
}

int available_threads() {
  // The kernel refuses a mask shorter than its own, which may exceed the 1024 of cpu_set_t.
  for (int processors = CPU_SETSIZE; processors <= 1 << 18; processors *= 2) {
    std::vector<cpu_set_t> mask(static_cast<std::size_t>(processors / CPU_SETSIZE));
    const std::size_t bytes = mask.size() * sizeof(cpu_set_t);
    if (::sched_getaffinity(0, bytes, mask.data()) == 0) return CPU_COUNT_S(bytes, mask.data());
  }
  return static_cast<int>(std::thread::hardware_concurrency());
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::map<std::string, std::string> relevant_variables() {
  std::map<std::string, std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto at = text.find('=');
    if (at == std::string_view::npos) continue;
    const std::string_view key = text.substr(0, at);
    if (key.starts_with(kOwnPrefix) || std::ranges::find(kVariables, key) != kVariables.end()) {
      found.emplace(key, text.substr(at + 1));
    }
  }
  return found;
}

}  // namespace

Environment collect_environment(const std::vector<std::string>& argv, const std::vector<DeviceInfo>& devices,
                                const std::map<std::string, std::string>& software) {
  Environment environment;
  environment.rtxbench_version = embedded::version();
  environment.git_hash = embedded::git_hash();
  environment.build_type = embedded::build_type();
  environment.compiler = embedded::compiler();
  environment.argv = argv;
  environment.started_at = utc_now();
  utsname system{};
  if (::uname(&system) == 0) {
    environment.host = system.nodename;
    environment.kernel = std::string(system.sysname) + " " + system.release + " " + system.machine;
  }
  environment.os = keyed_line("/etc/os-release", "PRETTY_NAME", '=');
  environment.cpu_model = keyed_line("/proc/cpuinfo", "model name", ':');
  if (environment.cpu_model.empty()) environment.cpu_model = std::string(system.machine) + " CPU";  // Arm names none
  environment.cpu_threads = available_threads();
  environment.memory_bytes = available_memory_bytes();
  environment.devices = devices;
  environment.software = software;
  environment.variables = relevant_variables();
  return environment;
}

}  // namespace rtxbench
