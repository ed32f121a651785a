#include "backend/cpu/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace rtxbench::cpu {
namespace {

// Best effort: a control group may have taken the processor away meanwhile, and the work is right anywhere.
void pin_to(int processor) {
  const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(processor) + 1);
  std::vector<unsigned long> words(bytes / sizeof(unsigned long));
  auto* mask = reinterpret_cast<cpu_set_t*>(words.data());
  CPU_SET_S(static_cast<std::size_t>(processor), bytes, mask);
  static_cast<void>(sched_setaffinity(0, bytes, mask));
}

}  // namespace

void parallel_slices(const std::vector<int>& processors, std::uint64_t count, std::uint64_t grain,
                     const std::function<void(std::uint64_t begin, std::uint64_t end)>& slice) {
  const std::uint64_t slices = std::clamp<std::uint64_t>(count / std::max<std::uint64_t>(grain, 1), 1, processors.size());
  if (slices == 1) {
    slice(0, count);
    return;
  }
  const std::uint64_t share = count / slices;
  const std::uint64_t rest = count % slices;  // the first `rest` slices take one more
  const auto begin_of = [&](std::uint64_t i) { return i * share + std::min(i, rest); };
  std::vector<std::jthread> threads;
  for (std::uint64_t i = 0; i < slices; ++i) {
    threads.emplace_back([&, i] {
      pin_to(processors[i]);
      slice(begin_of(i), begin_of(i + 1));
    });
  }
}

}  // namespace rtxbench::cpu
