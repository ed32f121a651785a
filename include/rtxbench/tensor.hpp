// Tensors: what a problem needs (TensorSpec) and where it lies (Tensor). Tensors do not own memory; Buffers do (device.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rtxbench/dtype.hpp"

namespace rtxbench {

enum class TensorRole : std::uint8_t { input, output };

// A dense tensor; shape is outermost first, the last dimension contiguous.
struct TensorSpec {
  std::string name;  // "A", "B", "C", "D"
  DType dtype = DType::fp32;
  std::vector<std::int64_t> shape;
  TensorRole role = TensorRole::input;

  [[nodiscard]] std::uint64_t elements() const;
  [[nodiscard]] std::uint64_t bytes() const { return elements() * storage_bytes(dtype); }
};

// `data` points into memory of the device the tensor was made for: dereference it on the host only for the CPU backend.
struct Tensor {
  TensorSpec spec;
  void* data = nullptr;
};

// One complete set of operands of a problem, in the order of Problem::tensors().
using TensorSet = std::vector<Tensor>;

}  // namespace rtxbench
