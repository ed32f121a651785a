// The operand sets of a case: allocated, filled, poisoned, and read back for verification.
#pragma once

#include <memory>
#include <vector>

#include "rtxbench/device.hpp"
#include "rtxbench/problem.hpp"

namespace rtxbench {

class Operands {
 public:
  // Throws OutOfMemoryError. Inputs hold stream set * 16 + tensor number, so that no two hold the same numbers.
  Operands(Device& device, const Problem& problem, std::size_t sets, Distribution distribution, std::uint64_t seed);
  [[nodiscard]] const std::vector<TensorSet>& sets() const { return sets_; }
  // NaN in every output of a set: what a call does not write stays visible.
  void poison(std::size_t set);
  // Compares set 0 with the reference, and counts what is still poisoned over its whole outputs.
  [[nodiscard]] Verification verify(const Problem& problem) const;

 private:
  [[nodiscard]] DataSource source(std::size_t set, std::size_t tensor) const;
  [[nodiscard]] double input_element(std::size_t tensor, std::uint64_t index) const;

  Device& device_;
  Distribution distribution_;
  std::uint64_t seed_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<TensorSet> sets_;
};

}  // namespace rtxbench
