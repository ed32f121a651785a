#include "env/environment.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>

#include "rtxbench/embedded.hpp"
#include "rtxbench/host.hpp"

namespace rtxbench {
namespace {

// What CUDA, cuBLAS, OpenBLAS and OpenMP read and results depend on; and everything of our own.
constexpr std::array<std::string_view, 15> kVariables{
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",       "CUDA_LAUNCH_BLOCKING", "CUDA_MODULE_LOADING",
    "CUDA_FORCE_PTX_JIT",   "CUDA_DISABLE_PTX_JIT",    "CUDA_CACHE_DISABLE",   "CUDA_DEVICE_MAX_CONNECTIONS",
    "NVIDIA_TF32_OVERRIDE", "CUBLAS_WORKSPACE_CONFIG", "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE",
    "GOTO_NUM_THREADS",     "OMP_NUM_THREADS",         "OMP_PROC_BIND"};
constexpr std::string_view kOwnPrefix = "RTXBENCH_";

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
  environment.os = host::system_name();
  environment.cpu_model = host::model_name();
  environment.cpu_threads = static_cast<int>(host::allowed_processors().size());
  environment.memory_bytes = host::memory().total_bytes;
  environment.devices = devices;
  environment.software = software;
  environment.variables = relevant_variables();
  return environment;
}

}  // namespace rtxbench
