// A Problem is an operator with its shapes and data types: pure data that knows its own work and how to check a result.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rtxbench/data.hpp"
#include "rtxbench/tensor.hpp"

namespace rtxbench {

// Exact operation and byte counts of one call. A fused multiply-add is 2 FLOP. Bytes are compulsory traffic: each input read
// once, each output written once.
struct Work {
  std::uint64_t flop = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
  [[nodiscard]] std::uint64_t moved_bytes() const { return read_bytes + written_bytes; }
};

// The arithmetic that a peak is looked up for (configs/gpus.json): multiplicand type and accumulate type.
struct MathMode {
  DType multiply = DType::fp32;
  DType accumulate = DType::fp32;
};

enum class Coverage : std::uint8_t { full, sampled, shrunk };
[[nodiscard]] std::string_view name(Coverage coverage);
[[nodiscard]] std::optional<Coverage> parse_coverage(std::string_view text);

// Outcome of comparing an output with an independent reference computed in fp64.
struct Verification {
  bool passed = false;
  Coverage coverage = Coverage::full;
  std::string reference;           // e.g. "cpu fp64"
  std::uint64_t checked = 0;       // elements compared
  std::uint64_t unwritten = 0;     // elements that still hold the poison (NaN), over the whole output
  double relative_error = 0;       // ||out - ref||_2 / ||ref||_2 over the checked elements
  double tolerance = 0;            // bound on relative_error
  double worst_element_ratio = 0;  // max over elements of |out - ref| / element bound; must be <= 1
  std::string detail;              // on failure: which element, got, expected
};

// Access to one finished operand set: inputs are recomputed from their DataSource, outputs are gathered from the device.
struct ResultView {
  // Value of element `index` of tensor number `tensor` (an input), rounded to its storage type.
  std::function<double(std::size_t tensor, std::uint64_t index)> input;
  // Values of the elements `indices` of tensor number `tensor` (an output).
  std::function<std::vector<double>(std::size_t tensor, std::span<const std::uint64_t> indices)> output;
};

class Problem {
 public:
  virtual ~Problem() = default;
  [[nodiscard]] virtual std::string_view op() const = 0;              // "gemm"
  [[nodiscard]] virtual std::vector<TensorSpec> tensors() const = 0;  // operands in the order providers receive them
  [[nodiscard]] virtual Work work() const = 0;                        // exact; construction refuses what 64 bits cannot hold
  [[nodiscard]] virtual MathMode math() const = 0;
  // Compares with the reference; `unwritten` is filled in by the caller. Seeded sampling above a budget of operations.
  [[nodiscard]] virtual Verification verify(const ResultView& result, std::uint64_t seed) const = 0;
};

}  // namespace rtxbench
