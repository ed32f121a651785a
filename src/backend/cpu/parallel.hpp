// Work on host memory shared out over the processors of this process: filling, first touch, flushing.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace rtxbench::cpu {

// Calls slice(begin, end) over [0, count) from one thread pinned to each processor (fewer when count < processors * grain), and
// waits. Pinned, because a flush has to pass through the private caches of every core. A throwing slice ends the process:
// slices are plain loops over memory.
void parallel_slices(const std::vector<int>& processors, std::uint64_t count, std::uint64_t grain,
                     const std::function<void(std::uint64_t begin, std::uint64_t end)>& slice);

}  // namespace rtxbench::cpu
