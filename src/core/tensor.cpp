#include "rtxbench/tensor.hpp"

namespace rtxbench {

std::uint64_t TensorSpec::elements() const {
  std::uint64_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::uint64_t>(extent);
  return count;
}

}  // namespace rtxbench
