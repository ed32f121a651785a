#include "rtxbench/host.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <string_view>

namespace rtxbench::host {
namespace {

std::optional<std::string> first_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) return std::nullopt;
  return line;
}

// Leading decimal number of `text` after spaces; nothing for "max" and other words.
std::optional<std::uint64_t> leading_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> number_in(const std::filesystem::path& file) {
  const auto line = first_line(file);
  return line ? leading_number(*line) : std::nullopt;
}

// "32768K" -> bytes.
std::optional<std::uint64_t> cache_size(const std::filesystem::path& file) {
  const auto line = first_line(file);
  const auto value = line ? leading_number(*line) : std::nullopt;
  if (!value) return std::nullopt;
  if (line->find('K') != std::string::npos) return *value << 10;
  if (line->find('M') != std::string::npos) return *value << 20;
  return value;
}

// Value of `key` in a file of lines "key value", "key : value" or "key=value"; lines without a value do not count.
std::optional<std::string> keyed_text(const std::filesystem::path& file, std::string_view key) {
  constexpr std::string_view kSeparators = " \t:=";
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(key) || line.find_first_of(kSeparators, key.size()) != key.size()) continue;
    const auto begin = line.find_first_not_of(kSeparators, key.size());
    if (begin == std::string::npos) continue;
    return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> keyed_number(const std::filesystem::path& file, std::string_view key) {
  const auto text = keyed_text(file, key);
  return text ? leading_number(*text) : std::nullopt;
}

struct GroupFiles {
  std::string mount, limit, usage, reclaimable;
};
const GroupFiles kVersion2{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};
const GroupFiles kVersion1{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

// A limit anywhere above binds as well, so every ancestor is asked. Page cache counts as used but gives way.
void lower_to_group(Memory& memory, const Root& root, const GroupFiles& files, std::string path) {
  for (;;) {
    const std::filesystem::path folder = root / files.mount / path.substr(std::min<std::size_t>(1, path.size()));
    const auto limit = number_in(folder / files.limit);
    const auto usage = number_in(folder / files.usage);
    if (limit && usage && *limit < memory.total_bytes) {
      const std::uint64_t reclaimable = keyed_number(folder / "memory.stat", files.reclaimable).value_or(0);
      const std::uint64_t used = *usage - std::min(*usage, reclaimable);
      memory.total_bytes = *limit;
      memory.available_bytes = std::min(memory.available_bytes, *limit - std::min(*limit, used));
    }
    if (path.size() <= 1) return;
    path.resize(path.rfind('/'));
  }
}

}  // namespace

std::string system_name(const Root& root) {
  const std::string quoted = keyed_text(root / "etc/os-release", "PRETTY_NAME").value_or("");
  const bool quotes =
      quoted.size() >= 2 && (quoted.front() == '"' || quoted.front() == '\'') && quoted.back() == quoted.front();
  return quotes ? quoted.substr(1, quoted.size() - 2) : quoted;
}

std::string model_name(const Root& root) {
  if (auto name = keyed_text(root / "proc/cpuinfo", "model name")) return *name;
  utsname names{};
  return uname(&names) == 0 ? std::string(names.machine) + " CPU" : "CPU";
}

std::vector<int> allowed_processors() {
  // The kernel refuses a mask smaller than its own, which may exceed cpu_set_t's 1024.
  for (int bits = CPU_SETSIZE; bits <= (1 << 18); bits *= 2) {
    const std::size_t bytes = CPU_ALLOC_SIZE(bits);
    std::vector<unsigned long> words(bytes / sizeof(unsigned long));
    auto* mask = reinterpret_cast<cpu_set_t*>(words.data());
    if (sched_getaffinity(0, bytes, mask) != 0) continue;
    std::vector<int> allowed;
    for (int cpu = 0; cpu < bits; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, mask)) allowed.push_back(cpu);
    }
    if (!allowed.empty()) return allowed;
  }
  return {0};
}

std::optional<std::uint64_t> last_level_cache_bytes(const std::vector<int>& processors, const Root& root) {
  std::map<std::uint64_t, std::set<std::string>> seen;  // level -> caches, by the list of processors that share each
  std::map<std::uint64_t, std::uint64_t> bytes;         // level -> sum
  for (const int processor : processors) {
    const auto caches = root / "sys/devices/system/cpu" / ("cpu" + std::to_string(processor)) / "cache";
    for (int index = 0; std::filesystem::exists(caches / ("index" + std::to_string(index))); ++index) {
      const auto cache = caches / ("index" + std::to_string(index));
      const auto level = number_in(cache / "level");
      const auto size = cache_size(cache / "size");
      if (!level || *level < 2 || !size) continue;
      const auto shared = first_line(cache / "shared_cpu_list").value_or(std::to_string(processor));
      if (seen[*level].insert(shared).second) bytes[*level] += *size;
    }
  }
  if (!bytes.empty()) return bytes.rbegin()->second;
  if (const long size = sysconf(_SC_LEVEL3_CACHE_SIZE); size > 0) return static_cast<std::uint64_t>(size);
  return std::nullopt;
}

std::optional<double> max_clock_hz(const Root& root) {
  const auto khz = number_in(root / "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  if (!khz || *khz == 0) return std::nullopt;
  return static_cast<double>(*khz) * 1e3;
}

Memory memory(const Root& root) {
  const auto meminfo = root / "proc/meminfo";
  const auto total_kib = keyed_number(meminfo, "MemTotal");
  const auto available_kib = keyed_number(meminfo, "MemAvailable");
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));  // sysconf knows a little less, where /proc is hidden
  Memory memory{total_kib ? *total_kib << 10 : page * static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)),
                available_kib ? *available_kib << 10 : page * static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES))};
  std::ifstream groups(root / "proc/self/cgroup");  // lines "hierarchy:controllers:path"; version 2 has the empty list
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") lower_to_group(memory, root, kVersion2, path);
    if (controllers.find(",memory,") != std::string::npos) lower_to_group(memory, root, kVersion1, path);
  }
  if (const auto left = address_space_left(root)) memory.available_bytes = std::min(memory.available_bytes, *left);
  return memory;
}

std::optional<std::uint64_t> address_space_left(const Root& root) {
  const auto limit = keyed_number(root / "proc/self/limits", "Max address space");
  const std::uint64_t used = keyed_number(root / "proc/self/status", "VmSize").value_or(0) << 10;
  if (!limit) return std::nullopt;
  return *limit - std::min(*limit, used);
}

}  // namespace rtxbench::host
