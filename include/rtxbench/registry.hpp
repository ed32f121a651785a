// Everything that a build contains. The build generates make_registry() from the file names in benchmarks/, kernels/<backend>/
// and src/backend/<backend>/, so a new file registers itself by defining one function.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "rtxbench/benchmark.hpp"
#include "rtxbench/device.hpp"
#include "rtxbench/provider.hpp"

namespace rtxbench {

struct Registry {
  std::vector<std::unique_ptr<Backend>> backends;  // in order of preference for --device auto
  std::vector<std::unique_ptr<Provider>> providers;
  std::vector<std::unique_ptr<Benchmark>> benchmarks;

  [[nodiscard]] const Benchmark* find_benchmark(std::string_view name) const;
  [[nodiscard]] const Backend* find_backend(std::string_view name) const;
  [[nodiscard]] const Provider* find_provider(std::string_view op, std::string_view backend, std::string_view name) const;
  [[nodiscard]] std::vector<const Provider*> providers_of(std::string_view op, std::string_view backend) const;
};

// Generated (build/generated/registry.cpp). A file benchmarks/foo.cpp defines
//   void register_benchmark_foo(Registry&);
// kernels/cuda/gemm_bar.cpp defines register_provider_gemm_bar(Registry&), src/backend/x/ register_backend_x(Registry&).
[[nodiscard]] Registry make_registry();

}  // namespace rtxbench
