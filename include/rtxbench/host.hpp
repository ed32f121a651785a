// The host, and what this process may use of it, as the kernel and control groups report it. The CPU backend describes its
// device by it, and the environment of a report its machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rtxbench::host {

// Every reader takes the root of the file system, so that a test can hand it a tree with scripted answers.
using Root = std::filesystem::path;

// PRETTY_NAME of /etc/os-release; empty where there is none.
[[nodiscard]] std::string system_name(const Root& root = "/");

// Marketing name from /proc/cpuinfo ("model name"), or the machine architecture where the kernel gives none.
[[nodiscard]] std::string model_name(const Root& root = "/");

// Logical processors that the scheduler affinity of this process allows, ascending.
[[nodiscard]] std::vector<int> allowed_processors();

// Sum over the distinct level-3 caches that `processors` share (level 2 where there is no level 3). Falls back to sysconf when
// sysfs is hidden, as in some containers; sysfs goes first because sysconf may report the whole socket to a guest with a slice.
[[nodiscard]] std::optional<std::uint64_t> last_level_cache_bytes(const std::vector<int>& processors, const Root& root = "/");

// cpufreq's upper limit; guests usually have none.
[[nodiscard]] std::optional<double> max_clock_hz(const Root& root = "/");

struct Memory {
  std::uint64_t total_bytes = 0;
  std::uint64_t available_bytes = 0;
};
// /proc/meminfo (MemTotal, MemAvailable), lowered to what the control groups (v1 or v2) and the limit on the address space of
// this process still allow. Linux overcommits, so this figure and not malloc's answer says whether an allocation will fit.
[[nodiscard]] Memory memory(const Root& root = "/");

// What the limit on the address space (ulimit -v) leaves to this process; nothing where there is no limit.
[[nodiscard]] std::optional<std::uint64_t> address_space_left(const Root& root = "/");

}  // namespace rtxbench::host
