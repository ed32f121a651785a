// OpenBLAS: cblas_dgemm for fp64, cblas_sgemm for fp32. It has no portable 16-bit product, so fp16 and bf16 operands are
// widened to fp32 workspaces, multiplied there and narrowed back, all of it inside the timing and said in the row.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "kernels/cpu/common_convert.hpp"
#include "kernels/cpu/common_openblas_library.hpp"
#include "rtxbench/host.hpp"
#include "rtxbench/problems/gemm.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {
namespace {

using Library = std::shared_ptr<const cpu::OpenblasLibrary>;

// One row-major product, D = alpha op(A) op(B) + beta D, with the arguments that do not change between calls.
template <class Real>
class CblasCall {
 public:
  explicit CblasCall(const GemmShape& shape)
      : trans_a_(a_transposed(shape.layout) ? cpu::kCblasTrans : cpu::kCblasNoTrans),
        trans_b_(b_transposed(shape.layout) ? cpu::kCblasTrans : cpu::kCblasNoTrans),
        m_(static_cast<int>(shape.m)),
        n_(static_cast<int>(shape.n)),
        k_(static_cast<int>(shape.k)),
        alpha_(static_cast<Real>(shape.alpha)),
        beta_(static_cast<Real>(shape.beta)) {}

  void operator()(const cpu::OpenblasLibrary& library, const Real* a, const Real* b, Real* d) const {
    const int lda = trans_a_ == cpu::kCblasTrans ? m_ : k_;
    const int ldb = trans_b_ == cpu::kCblasTrans ? k_ : n_;
    gemm(library)(cpu::kCblasRowMajor, trans_a_, trans_b_, m_, n_, k_, alpha_, a, lda, b, ldb, beta_, d, n_);
  }

 private:
  static cpu::CblasGemm<Real>* gemm(const cpu::OpenblasLibrary& library) {
    if constexpr (std::is_same_v<Real, double>) {
      return library.cblas_dgemm;
    } else {
      return library.cblas_sgemm;
    }
  }
  int trans_a_, trans_b_, m_, n_, k_;
  Real alpha_, beta_;
};

// What every OpenBLAS invocation shares: the library, the operands and their sizes.
class OpenblasGemm : public Invocation {
 public:
  OpenblasGemm(Library library, const GemmShape& shape, std::span<const TensorSet> sets)
      : library_(std::move(library)),
        shape_(shape),
        sets_(sets.begin(), sets.end()),
        a_size_(static_cast<std::size_t>(shape.m) * static_cast<std::size_t>(shape.k)),
        b_size_(static_cast<std::size_t>(shape.k) * static_cast<std::size_t>(shape.n)),
        d_size_(static_cast<std::size_t>(shape.m) * static_cast<std::size_t>(shape.n)) {}

  void enqueue(Stream& /*stream*/, std::size_t set) final {
    for (std::size_t item = 0; item < static_cast<std::size_t>(shape_.batch); ++item) multiply(sets_[set], item);
  }

  [[nodiscard]] std::map<std::string, std::string> details() const override {
    std::map<std::string, std::string> details{{"library", library_->openblas_get_config()},
                                               {"place", library_->library.path()},
                                               {"core", library_->openblas_get_corename()},
                                               {"threads", std::to_string(library_->openblas_get_num_threads())}};
    if (shape_.beta != 0) details["note"] = "D starts as a copy of C, inside the timing";
    return details;
  }

 protected:
  virtual void multiply(const TensorSet& tensors, std::size_t item) = 0;

  Library library_;
  GemmShape shape_;
  std::vector<TensorSet> sets_;
  std::size_t a_size_, b_size_, d_size_;  // elements of one item of the batch
};

// fp64 and fp32: on the operands as they lie.
template <class Real>
class DirectGemm final : public OpenblasGemm {
 public:
  DirectGemm(Library library, const GemmShape& shape, std::span<const TensorSet> sets)
      : OpenblasGemm(std::move(library), shape, sets), call_(shape) {}

 private:
  void multiply(const TensorSet& tensors, std::size_t item) override {
    Real* d = static_cast<Real*>(tensors.back().data) + item * d_size_;
    if (shape_.beta != 0) std::copy_n(static_cast<const Real*>(tensors[2].data) + item * d_size_, d_size_, d);
    call_(*library_, static_cast<const Real*>(tensors[0].data) + item * a_size_,
          static_cast<const Real*>(tensors[1].data) + item * b_size_, d);
  }
  CblasCall<Real> call_;
};

// fp16 and bf16: through fp32 workspaces for one item of the batch.
class WidenedGemm final : public OpenblasGemm {
 public:
  WidenedGemm(Library library, const GemmShape& shape, std::span<const TensorSet> sets, Device& device)
      : OpenblasGemm(std::move(library), shape, sets),
        call_(shape),
        workspace_(device.allocate((a_size_ + b_size_ + d_size_) * sizeof(float))) {}

  [[nodiscard]] std::map<std::string, std::string> details() const override {
    auto details = OpenblasGemm::details();
    std::string& note = details["note"];
    if (!note.empty()) note += "; ";
    note += fmt::format("stored as {}, computed in fp32, conversion inside the timing", name(shape_.dtype));
    details["workspace_bytes"] = std::to_string(workspace_->bytes());
    return details;
  }

 private:
  [[nodiscard]] static std::uint16_t* halves(const Tensor& tensor) { return static_cast<std::uint16_t*>(tensor.data); }

  void multiply(const TensorSet& tensors, std::size_t item) override {
    float* a = static_cast<float*>(workspace_->data());
    float* b = a + a_size_;
    float* d = b + b_size_;
    cpu::widen(shape_.dtype, halves(tensors[0]) + item * a_size_, a, a_size_);
    cpu::widen(shape_.dtype, halves(tensors[1]) + item * b_size_, b, b_size_);
    if (shape_.beta != 0) cpu::widen(shape_.dtype, halves(tensors[2]) + item * d_size_, d, d_size_);
    call_(*library_, a, b, d);
    cpu::narrow(shape_.dtype, d, halves(tensors.back()) + item * d_size_, d_size_);
  }
  CblasCall<float> call_;
  std::unique_ptr<Buffer> workspace_;
};

class OpenblasGemmProvider final : public TypedProvider<Gemm> {
 public:
  [[nodiscard]] std::string_view name() const override { return "openblas"; }
  [[nodiscard]] std::string_view op() const override { return "gemm"; }
  [[nodiscard]] std::string_view backend() const override { return "cpu"; }
  [[nodiscard]] std::string_view summary() const override { return "OpenBLAS; fp16 and bf16 are computed in fp32"; }

 protected:
  [[nodiscard]] Support supports_typed(const Gemm& gemm, const DeviceInfo& /*device*/) const override {
    const GemmShape& shape = gemm.shape();
    if (shape.dtype == DType::tf32) return Support::no("CPUs have no tf32 arithmetic; use fp32");
    if (std::max({shape.m, shape.n, shape.k}) > std::numeric_limits<int>::max()) {
      return Support::no("OpenBLAS takes m, n and k of at most 2147483647 (32-bit integers)");
    }
    return {};
  }

  [[nodiscard]] Prepared prepare_typed(const Gemm& gemm, std::span<const TensorSet> sets, Device& device) const override {
    // Once loaded, it asks for a buffer a thread again and again until it gets it: without room it hangs.
    constexpr std::uint64_t kPerThread = std::uint64_t{192} << 20;  // buffer 128 MiB, malloc arena and stack of the thread
    const std::uint64_t needed = (host::allowed_processors().size() + 1) * kPerThread;
    const auto left = host::address_space_left();
    if (library_ == nullptr && left && *left < needed) return NeedsMemory{needed};
    std::string reason;
    if (library_ == nullptr) library_ = cpu::OpenblasLibrary::open(reason);
    if (library_ == nullptr) return Unsupported{reason};
    const GemmShape& shape = gemm.shape();
    switch (shape.dtype) {
      case DType::fp64:
        return std::make_unique<DirectGemm<double>>(library_, shape, sets);
      case DType::fp32:
        return std::make_unique<DirectGemm<float>>(library_, shape, sets);
      default:
        return std::make_unique<WidenedGemm>(library_, shape, sets, device);
    }
  }

 private:
  mutable Library library_;  // stays open between cases: closing would end its threads
};

}  // namespace

void register_provider_gemm_openblas(Registry& registry) {
  registry.providers.push_back(std::make_unique<OpenblasGemmProvider>());
}

}  // namespace rtxbench
