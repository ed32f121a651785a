// Kernels with known behaviour, as invocations.
#pragma once

#include <memory>

#include "rtxbench/provider.hpp"

namespace rtxbench::test {

[[nodiscard]] std::unique_ptr<Invocation> empty_call();
// Runs for as many cycles as `seconds` hold at the clock found when it is made.
[[nodiscard]] std::unique_ptr<Invocation> busy_call(double seconds);
// Writes through a null pointer.
[[nodiscard]] std::unique_ptr<Invocation> faulty_call();
// Reads `bytes` of `data`: fast while they lie in the cache, slow from memory.
[[nodiscard]] std::unique_ptr<Invocation> reading_call(const void* data, std::size_t bytes, void* sink);

}  // namespace rtxbench::test
