// The smallest provider: one dot product an element, fp32, A and B as used. See CONTRIBUTING.md.
#include "rtxbench/problems/gemm.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {
namespace {

class ExampleGemm final : public Invocation {
 public:
  ExampleGemm(const GemmShape& shape, std::span<const TensorSet> sets) : shape_(shape), sets_(sets.begin(), sets.end()) {}
  void enqueue(Stream& /*stream*/, std::size_t set) override {
    const auto* a = static_cast<const float*>(sets_[set][0].data);
    const auto* b = static_cast<const float*>(sets_[set][1].data);
    auto* d = static_cast<float*>(sets_[set].back().data);
    for (std::int64_t i = 0; i < shape_.m; ++i) {
      for (std::int64_t j = 0; j < shape_.n; ++j) {
        float sum = 0;
        for (std::int64_t l = 0; l < shape_.k; ++l) sum += a[i * shape_.k + l] * b[l * shape_.n + j];
        d[i * shape_.n + j] = sum;
      }
    }
  }

 private:
  GemmShape shape_;
  std::vector<TensorSet> sets_;
};

class ExampleProvider final : public TypedProvider<Gemm> {
 public:
  [[nodiscard]] std::string_view name() const override { return "example"; }
  [[nodiscard]] std::string_view op() const override { return "gemm"; }
  [[nodiscard]] std::string_view backend() const override { return "cpu"; }
  [[nodiscard]] std::string_view summary() const override { return "one dot product an element"; }

 protected:
  [[nodiscard]] Support supports_typed(const Gemm& gemm, const DeviceInfo& /*device*/) const override {
    const GemmShape& s = gemm.shape();
    const bool plain = s.dtype == DType::fp32 && s.layout == GemmLayout::nn && s.batch == 1 && s.alpha == 1 && s.beta == 0;
    return plain ? Support{} : Support::no("example takes fp32, layout nn, batch 1, alpha 1, beta 0");
  }
  [[nodiscard]] Prepared prepare_typed(const Gemm& gemm, std::span<const TensorSet> sets, Device& /*device*/) const override {
    return std::make_unique<ExampleGemm>(gemm.shape(), sets);
  }
};

}  // namespace

void register_provider_gemm_example(Registry& registry) { registry.providers.push_back(std::make_unique<ExampleProvider>()); }

}  // namespace rtxbench
