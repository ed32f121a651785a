// cuBLAS products of every type, layout and awkward size, checked by Gemm::verify against the CPU in fp64.
#include <algorithm>
#include <array>
#include <tuple>

#include "gpu/gpu_fixture.hpp"
#include "rtxbench/problems/gemm.hpp"

namespace rtxbench {
namespace {

class CublasTest : public test::GpuTest {
 protected:
  void SetUp() override {
    test::GpuTest::SetUp();
    if (registry_.providers.empty()) register_provider_gemm_cublas(registry_);
  }
  const Provider& cublas() { return *registry_.providers.front(); }

  // Operands of one set, inputs filled (tensor number = stream), the output poisoned.
  struct Operands {
    std::vector<Held> held;
    TensorSet set;
  };
  Operands make_operands(const Gemm& gemm, Distribution distribution) {
    Operands operands;
    std::uint64_t stream = 0;
    for (const TensorSpec& spec : gemm.tensors()) {
      operands.held.push_back(make(spec));
      const Tensor& tensor = operands.held.back().tensor;
      if (spec.role == TensorRole::input) {
        device().fill(tensor, {distribution, kSeed, stream++});
      } else {
        device().poison(tensor);
      }
      operands.set.push_back(tensor);
    }
    return operands;
  }

  Verification run(const GemmShape& shape, Distribution distribution = Distribution::uniform) {
    const Gemm gemm(shape);
    const Operands operands = make_operands(gemm, distribution);
    Prepared prepared = cublas().prepare(gemm, std::span(&operands.set, 1), device());
    if (const auto* refused = std::get_if<Unsupported>(&prepared)) {
      ADD_FAILURE() << refused->reason;
      return {};
    }
    Invocation& invocation = *std::get<std::unique_ptr<Invocation>>(prepared);
    details_ = invocation.details();
    invocation.enqueue(device().stream(), 0);
    device().stream().synchronize();
    const ResultView view{
        .input =
            [&](std::size_t tensor, std::uint64_t index) {
              return round_to_storage(shape.dtype, element({distribution, kSeed, tensor}, index));
            },
        .output = [&](std::size_t tensor,
                      std::span<const std::uint64_t> indices) { return device().gather(operands.set[tensor], indices); }};
    Verification verification = gemm.verify(view, kSeed);
    verification.unwritten = device().count_nan(operands.set.back());
    return verification;
  }

  void expect_right(const GemmShape& shape) {
    const Support support = cublas().supports(Gemm(shape), device().info());
    if (!support.yes) return;
    const Verification verification = run(shape);
    const std::string label = std::string(name(shape.dtype)) + ' ' + std::string(name(shape.layout)) + ' ' +
                              std::to_string(shape.m) + 'x' + std::to_string(shape.n) + 'x' + std::to_string(shape.k);
    EXPECT_TRUE(verification.passed) << label << ": " << verification.detail;
    EXPECT_EQ(verification.unwritten, 0U) << label;
    EXPECT_GT(verification.checked, 0U) << label;
  }

  static GemmShape shape_of(DType dtype, std::int64_t m, std::int64_t n, std::int64_t k) {
    return {.m = m, .n = n, .k = k, .dtype = dtype, .accumulate = dtype == DType::fp64 ? DType::fp64 : DType::fp32};
  }

  static constexpr std::uint64_t kSeed = 11;
  std::map<std::string, std::string> details_;

 private:
  Registry registry_;
};

constexpr std::array kLayouts{GemmLayout::nn, GemmLayout::nt, GemmLayout::tn, GemmLayout::tt};

TEST_F(CublasTest, EveryTypeLayoutAndOddSizeIsRight) {
  for (const DType dtype : all_dtypes()) {
    for (const GemmLayout layout : kLayouts) {
      for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, std::tuple{17, 1, 17}, std::tuple{1, 129, 17},
                                    std::tuple{129, 129, 129}, std::tuple{1000, 999, 1001}}) {
        GemmShape shape = shape_of(dtype, m, n, k);
        shape.layout = layout;
        expect_right(shape);
      }
    }
  }
}

TEST_F(CublasTest, AlphaAndBetaAreAppliedToACopyOfC) {
  for (const DType dtype : all_dtypes()) {
    GemmShape shape = shape_of(dtype, 129, 65, 257);
    shape.alpha = 0.5;
    shape.beta = -1.5;
    expect_right(shape);
    if (!cublas().supports(Gemm(shape), device().info()).yes) continue;
    EXPECT_NE(details_["note"].find("copy of C"), std::string::npos) << name(dtype);
  }
}

TEST_F(CublasTest, BatchesAreIndependentProducts) {
  for (const DType dtype : all_dtypes()) {
    for (const GemmLayout layout : kLayouts) {
      GemmShape shape = shape_of(dtype, 65, 33, 129);
      shape.batch = 5;
      shape.layout = layout;
      expect_right(shape);
    }
  }
}

// 1024.5 has 12 significant bits; TF32 keeps 11 and makes it 1024 or 1025. Every partial sum is exact in fp32.
TEST_F(CublasTest, Fault39_Fp32IsExactOn1024AndAHalf) {
  constexpr std::int64_t kSize = 256;
  const std::vector<std::uint64_t> first{0};
  const auto product = [&](DType dtype) {
    const Gemm gemm(shape_of(dtype, kSize, kSize, kSize));
    const Operands operands = make_operands(gemm, Distribution::ones);
    // A becomes 1024.5 everywhere through an fp32 product with k = 1: 1024.5 x (1 x 1).
    GemmShape outer = shape_of(DType::fp32, kSize, kSize, 1);
    outer.alpha = 1024.5;
    Operands filling = make_operands(Gemm(outer), Distribution::ones);
    filling.set.back().data = operands.set[0].data;
    Prepared fill = cublas().prepare(Gemm(outer), std::span(&filling.set, 1), device());
    std::get<std::unique_ptr<Invocation>>(fill)->enqueue(device().stream(), 0);
    Prepared prepared = cublas().prepare(gemm, std::span(&operands.set, 1), device());
    std::get<std::unique_ptr<Invocation>>(prepared)->enqueue(device().stream(), 0);
    device().stream().synchronize();
    EXPECT_EQ(device().gather(operands.set[0], first).front(), 1024.5);
    return device().gather(operands.set.back(), first).front();
  };
  EXPECT_EQ(product(DType::fp32), kSize * 1024.5);
  if (device().info().cc_major >= 8) {
    EXPECT_NE(product(DType::tf32), kSize * 1024.5) << "tf32 was asked for, and the operands were not rounded";
  }
}

TEST_F(CublasTest, DetailsNameLibraryPlaceAlgorithmAndMath) {
  static_cast<void>(run(shape_of(DType::fp32, 64, 64, 64)));
  for (const char* key : {"library", "place", "algorithm", "math", "workspace_bytes"})
    EXPECT_FALSE(details_[key].empty()) << key;
}

TEST_F(CublasTest, Fault40_TheKernelOfACallIsNamed) {
  const Gemm gemm(shape_of(DType::fp32, 256, 256, 256));
  const Operands operands = make_operands(gemm, Distribution::uniform);
  Prepared prepared = cublas().prepare(gemm, std::span(&operands.set, 1), device());
  std::string reason;
  const auto names = device().kernel_names(*std::get<std::unique_ptr<Invocation>>(prepared), reason);
  EXPECT_FALSE(names.empty()) << reason;
}

TEST_F(CublasTest, Fault21_TimesScaleWithTheWork) {
  const auto time_s = [&](std::int64_t size) {
    const Gemm gemm(shape_of(DType::fp16, size, size, size));
    const Operands operands = make_operands(gemm, Distribution::uniform);
    Prepared prepared = cublas().prepare(gemm, std::span(&operands.set, 1), device());
    const auto timer = device().make_timer({.invocation = std::get<std::unique_ptr<Invocation>>(prepared).get()});
    timer->submit(10, true);
    std::vector<double> samples = timer->collect().elapsed_s;
    std::ranges::sort(samples);
    return samples.empty() ? 0.0 : samples[samples.size() / 2];
  };
  const double small_s = time_s(2048), large_s = time_s(8192);  // 64 times the work
  EXPECT_GT(large_s, 20 * small_s);
  EXPECT_LT(large_s, 200 * small_s);
}

}  // namespace
}  // namespace rtxbench
