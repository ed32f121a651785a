// Names of the kernels in a captured graph. Library kernels have no host symbol, so only the driver can name them; its
// functions come through the runtime, since libcuda is never linked.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <fmt/format.h>

#include "backend/cuda/device.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench::cuda {
namespace {

// Versions of the driver interface that brought each function in its present form.
template <class Function>
Function driver_function(const char* name, unsigned version) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found{};
  check(cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess || address == nullptr) {
    throw DeviceError(fmt::format("the driver has no {}: update it to one for CUDA 12.3 or later", name), false);
  }
  return reinterpret_cast<Function>(address);
}

void check_driver(CUresult status, const char* name) {
  if (status != CUDA_SUCCESS) throw DeviceError(fmt::format("{} failed (CUresult {})", name, static_cast<int>(status)), false);
}

struct Driver {
  PFN_cuGraphKernelNodeGetParams_v12000 node_parameters =
      driver_function<PFN_cuGraphKernelNodeGetParams_v12000>("cuGraphKernelNodeGetParams", 12000);
  PFN_cuFuncGetName_v12030 function_name = driver_function<PFN_cuFuncGetName_v12030>("cuFuncGetName", 12030);
  PFN_cuKernelGetName_v12030 kernel_name = driver_function<PFN_cuKernelGetName_v12030>("cuKernelGetName", 12030);

  [[nodiscard]] std::string name_of(CUgraphNode node) const {
    CUDA_KERNEL_NODE_PARAMS_v2 parameters{};
    check_driver(node_parameters(node, &parameters), "cuGraphKernelNodeGetParams");
    const char* name = nullptr;
    if (parameters.func != nullptr) {
      check_driver(function_name(&name, parameters.func), "cuFuncGetName");
    } else {
      check_driver(kernel_name(&name, parameters.kern), "cuKernelGetName");
    }
    return name == nullptr ? "?" : name;
  }
};

}  // namespace

std::vector<std::string> kernel_names_of(cudaGraph_t graph) {
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(graph, nodes.data(), &count));
  const Driver driver;
  std::vector<std::string> names;
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    check(cudaGraphNodeGetType(node, &type));
    if (type == cudaGraphNodeTypeKernel) names.push_back(driver.name_of(node));
  }
  return names;
}

}  // namespace rtxbench::cuda
