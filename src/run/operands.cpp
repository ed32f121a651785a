#include "run/operands.hpp"

#include <fmt/format.h>

namespace rtxbench {
namespace {
constexpr std::uint64_t kStreamsPerSet = 16;  // more tensors than any operator has
}

Operands::Operands(Device& device, const Problem& problem, std::size_t sets, Distribution distribution, std::uint64_t seed)
    : device_(device), distribution_(distribution), seed_(seed) {
  const std::vector<TensorSpec> specs = problem.tensors();
  for (std::size_t set = 0; set < sets; ++set) {
    TensorSet tensors;
    for (const TensorSpec& spec : specs) {
      buffers_.push_back(device.allocate(spec.bytes()));
      tensors.push_back({spec, buffers_.back()->data()});
      if (spec.role == TensorRole::input) device.fill(tensors.back(), source(set, tensors.size() - 1));
    }
    sets_.push_back(std::move(tensors));
    poison(set);
  }
}

DataSource Operands::source(std::size_t set, std::size_t tensor) const {
  return {distribution_, seed_, set * kStreamsPerSet + tensor};
}

double Operands::input_element(std::size_t tensor, std::uint64_t index) const {
  return round_to_storage(sets_.front()[tensor].spec.dtype, element(source(0, tensor), index));
}

void Operands::poison(std::size_t set) {
  for (const Tensor& tensor : sets_[set]) {
    if (tensor.spec.role == TensorRole::output) device_.poison(tensor);
  }
}

Verification Operands::verify(const Problem& problem) const {
  const TensorSet& tensors = sets_.front();
  std::uint64_t unwritten = 0;
  for (const Tensor& tensor : tensors) {
    if (tensor.spec.role == TensorRole::output) unwritten += device_.count_nan(tensor);
  }
  const ResultView view{
      .input = [&](std::size_t tensor, std::uint64_t index) { return input_element(tensor, index); },
      .output = [&](std::size_t tensor,
                    std::span<const std::uint64_t> indices) { return device_.gather(tensors[tensor], indices); }};
  Verification verification = problem.verify(view, seed_);
  verification.unwritten = unwritten;
  if (unwritten > 0) {
    verification.passed = false;
    verification.detail = fmt::format("{} elements were not written or are NaN{}{}", unwritten,
                                      verification.detail.empty() ? "" : "; ", verification.detail);
  }
  return verification;
}

}  // namespace rtxbench
