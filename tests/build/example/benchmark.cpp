// The smallest benchmark: square fp32 products. See CONTRIBUTING.md.
#include "rtxbench/benchmark.hpp"

#include "rtxbench/problems/gemm.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {
namespace {

class ExampleBenchmark final : public Benchmark {
 public:
  [[nodiscard]] std::string_view name() const override { return "example"; }
  [[nodiscard]] std::string_view op() const override { return "gemm"; }
  [[nodiscard]] std::string_view summary() const override { return "square fp32 products"; }
  [[nodiscard]] const std::vector<AxisSpec>& axes() const override {
    static const std::vector<AxisSpec> axes{{.name = "m", .help = "rows and columns of every matrix"}};
    return axes;
  }
  [[nodiscard]] Defaults defaults(const DeviceInfo& /*device*/, Effort /*effort*/) const override {
    return {.axes = {{"m", {"64", "128"}}}, .providers = {{"example"}}};
  }
  [[nodiscard]] std::unique_ptr<Problem> problem(const AxisValues& values) const override {
    const std::int64_t size = integer_at(values, "m");
    return std::make_unique<Gemm>(GemmShape{.m = size, .n = size, .k = size});
  }
};

}  // namespace

void register_benchmark_example(Registry& registry) { registry.benchmarks.push_back(std::make_unique<ExampleBenchmark>()); }

}  // namespace rtxbench
