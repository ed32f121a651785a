#include "rtxbench/registry.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace rtxbench {
namespace {

struct NamedBackend final : Backend {
  explicit NamedBackend(std::string text) : name_(std::move(text)) {}
  std::string_view name() const override { return name_; }
  std::vector<DeviceInfo> enumerate(std::string&) const override { return {}; }
  std::unique_ptr<Device> open(const DeviceInfo&) const override { return nullptr; }
  std::map<std::string, std::string> software() const override { return {}; }
  std::string name_;
};

struct NamedProvider final : Provider {
  NamedProvider(std::string op, std::string backend, std::string text)
      : op_(std::move(op)), backend_(std::move(backend)), name_(std::move(text)) {}
  std::string_view name() const override { return name_; }
  std::string_view op() const override { return op_; }
  std::string_view backend() const override { return backend_; }
  std::string_view summary() const override { return ""; }
  Support supports(const Problem&, const DeviceInfo&) const override { return {}; }
  Prepared prepare(const Problem&, std::span<const TensorSet>, Device&) const override { return Unsupported{}; }
  std::string op_, backend_, name_;
};

struct NamedBenchmark final : Benchmark {
  std::string_view name() const override { return "gemm"; }
  std::string_view op() const override { return "gemm"; }
  std::string_view summary() const override { return ""; }
  const std::vector<AxisSpec>& axes() const override { return engine_axes(); }
  Defaults defaults(const DeviceInfo&, Effort) const override { return {}; }
  std::unique_ptr<Problem> problem(const AxisValues&) const override { return nullptr; }
};

Registry filled() {
  Registry registry;
  registry.backends.push_back(std::make_unique<NamedBackend>("cuda"));
  registry.backends.push_back(std::make_unique<NamedBackend>("cpu"));
  registry.providers.push_back(std::make_unique<NamedProvider>("gemm", "cuda", "naive"));
  registry.providers.push_back(std::make_unique<NamedProvider>("gemm", "cpu", "naive"));
  registry.providers.push_back(std::make_unique<NamedProvider>("conv", "cpu", "naive"));
  registry.providers.push_back(std::make_unique<NamedProvider>("gemm", "cpu", "openblas"));
  registry.benchmarks.push_back(std::make_unique<NamedBenchmark>());
  return registry;
}

TEST(Registry, FindsByExactName) {
  const Registry registry = filled();
  EXPECT_EQ(registry.find_backend("cpu"), registry.backends[1].get());
  EXPECT_EQ(registry.find_backend("cp"), nullptr);
  EXPECT_EQ(registry.find_benchmark("gemm"), registry.benchmarks[0].get());
  EXPECT_EQ(registry.find_benchmark("gem"), nullptr);
}

TEST(Registry, ProvidersAreKeptApartByOperatorAndBackend) {
  const Registry registry = filled();
  EXPECT_EQ(registry.find_provider("gemm", "cpu", "naive"), registry.providers[1].get());
  EXPECT_EQ(registry.find_provider("conv", "cpu", "naive"), registry.providers[2].get());
  EXPECT_EQ(registry.find_provider("conv", "cuda", "naive"), nullptr);
  EXPECT_EQ(registry.find_provider("gemm", "cuda", "openblas"), nullptr);
}

TEST(Registry, ProvidersOfKeepTheirOrder) {
  const Registry registry = filled();
  EXPECT_EQ(registry.providers_of("gemm", "cpu"),
            (std::vector<const Provider*>{registry.providers[1].get(), registry.providers[3].get()}));
  EXPECT_TRUE(registry.providers_of("conv", "cuda").empty());
}

TEST(Registry, AnEmptyOneFindsNothing) {
  const Registry registry;
  EXPECT_EQ(registry.find_backend("cpu"), nullptr);
  EXPECT_EQ(registry.find_benchmark(""), nullptr);
  EXPECT_EQ(registry.find_provider("", "", ""), nullptr);
}

}  // namespace
}  // namespace rtxbench
