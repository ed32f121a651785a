// Owners of CUDA handles: each frees what it holds on destruction. Errors of freeing are dropped, as the call that caused them
// has reported them already.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <type_traits>

#include "backend/cuda/check.hpp"

namespace rtxbench::cuda {

template <auto Destroy>
struct Destroyer {
  template <class Pointee>
  void operator()(Pointee* handle) const {
    static_cast<void>(Destroy(handle));
  }
};
template <class Handle, auto Destroy>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroyer<Destroy>>;

using StreamHandle = Owned<cudaStream_t, cudaStreamDestroy>;
using EventHandle = Owned<cudaEvent_t, cudaEventDestroy>;
using GraphHandle = Owned<cudaGraph_t, cudaGraphDestroy>;
using GraphExecHandle = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;

[[nodiscard]] inline EventHandle make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event));
  return EventHandle(event);
}

// Page-locked host memory that kernels see at the same address (unified addressing).
template <class T>
using MappedArray = std::unique_ptr<T[], Destroyer<cudaFreeHost>>;

template <class T>
[[nodiscard]] MappedArray<T> make_mapped(std::size_t count) {
  static_assert(std::is_trivial_v<T>);
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, count * sizeof(T), cudaHostAllocMapped));
  T* items = static_cast<T*>(memory);
  for (std::size_t i = 0; i < count; ++i) items[i] = T{};
  return MappedArray<T>(items);
}

}  // namespace rtxbench::cuda
