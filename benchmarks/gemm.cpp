// gemm: D = alpha op(A) op(B) + beta C over sizes, types and layouts.
#include "rtxbench/problems/gemm.hpp"

#include "rtxbench/registry.hpp"

namespace rtxbench {
namespace {

constexpr double cube_flop(double size) { return 2 * size * size * size; }

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (const DType type : all_dtypes()) names.emplace_back(name(type));
  return names;
}

Defaults gpu_defaults(Effort effort) {
  Defaults defaults;
  defaults.axes["dtype"] = {"fp32", "tf32", "fp16"};
  defaults.axes["m"] = {"1024", "2048", "4096", "8192", "16384"};
  defaults.sustained_largest = 2;
  if (effort == Effort::quick) {
    defaults.axes["m"] = {"1024", "2048", "4096", "8192"};
    defaults.sustained_largest = 1;
  } else if (effort == Effort::thorough) {  // small sizes, and sizes that no tile divides
    defaults.axes["dtype"] = dtype_names();
    defaults.axes["m"] = {"256", "512", "1000", "1024", "2048", "4095", "4096", "4097", "8192", "16384"};
  }
  defaults.providers = {{"cublas"}};
  return defaults;
}

Defaults cpu_defaults(Effort effort) {
  Defaults defaults;
  defaults.axes["dtype"] = {"fp32", "fp64", "fp16"};
  defaults.axes["m"] = {"256", "512", "1024", "2048"};
  if (effort == Effort::quick) {
    defaults.axes["m"] = {"256", "512", "1024"};
  } else if (effort == Effort::thorough) {
    defaults.axes["dtype"] = {"fp64", "fp32", "fp16", "bf16"};
    defaults.axes["m"] = {"64", "128", "256", "500", "512", "1023", "1024", "1025", "2048", "4096"};
  }
  defaults.providers = {{"openblas"}, {"naive", cube_flop(512)}};
  return defaults;
}

class GemmBenchmark final : public Benchmark {
 public:
  [[nodiscard]] std::string_view name() const override { return "gemm"; }
  [[nodiscard]] std::string_view op() const override { return "gemm"; }
  [[nodiscard]] std::string_view summary() const override { return "matrix multiply D = alpha A B + beta C"; }

  [[nodiscard]] const std::vector<AxisSpec>& axes() const override {
    static const std::vector<AxisSpec> axes{
        {.name = "dtype", .kind = AxisKind::choice, .help = "type of A, B, C and D", .choices = dtype_names()},
        {.name = "m", .help = "rows of A and D"},
        {.name = "n", .help = "columns of B and D", .follows = "m"},
        {.name = "k", .help = "columns of A, rows of B", .follows = "m"},
        {.name = "batch", .help = "independent products in one call", .default_value = "1"},
        {.name = "layout",
         .kind = AxisKind::choice,
         .help = "storage of A and B: n as used, t transposed",
         .choices = gemm_layout_names(),
         .default_value = "nn"},
        {.name = "alpha", .kind = AxisKind::real, .help = "factor of A B", .default_value = "1"},
        {.name = "beta", .kind = AxisKind::real, .help = "factor of C; 0: C is not read", .default_value = "0"},
    };
    return axes;
  }

  [[nodiscard]] Defaults defaults(const DeviceInfo& device, Effort effort) const override {
    return device.backend == "cpu" ? cpu_defaults(effort) : gpu_defaults(effort);
  }

  [[nodiscard]] std::unique_ptr<Problem> problem(const AxisValues& values) const override {
    const DType dtype = parse_dtype(values.at("dtype")).value();
    return std::make_unique<Gemm>(GemmShape{.m = integer_at(values, "m"),
                                            .n = integer_at(values, "n"),
                                            .k = integer_at(values, "k"),
                                            .batch = integer_at(values, "batch"),
                                            .layout = parse_gemm_layout(values.at("layout")).value(),
                                            .dtype = dtype,
                                            .accumulate = dtype == DType::fp64 ? DType::fp64 : DType::fp32,
                                            .alpha = real_at(values, "alpha"),
                                            .beta = real_at(values, "beta")});
  }

  // What tensor cores bring. On a CPU fp16 is converted, so the ratio would say nothing.
  [[nodiscard]] std::vector<DerivedSpec> derived() const override {
    return {{"fp16 / fp32", "dtype", "fp16", "fp32", "cuda"}, {"fp16 / tf32", "dtype", "fp16", "tf32", "cuda"}};
  }
};

}  // namespace

void register_benchmark_gemm(Registry& registry) { registry.benchmarks.push_back(std::make_unique<GemmBenchmark>()); }

}  // namespace rtxbench
