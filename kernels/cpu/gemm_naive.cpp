// The reference: three loops, one thread. fp64 accumulates in fp64, every other type in fp32; fp16
// and bf16 operands are widened to fp32 first, inside the timing.
#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "kernels/cpu/common_convert.hpp"
#include "rtxbench/problems/gemm.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {
namespace {

constexpr std::uint64_t kMaxFlop = std::uint64_t{2} << 30;  // 2 x 1024^3: about a second on one thread

// results[j] = sum over l of row[l] * op(B)(l, j), each sum in the order of l. B is read as it lies: by rows (k x n), or
// transposed (n x k).
template <class Real>
void multiply_row(const Real* row, const Real* b, bool b_transposed, std::size_t n, std::size_t k, Real* results) {
  std::fill_n(results, n, Real{0});
  if (b_transposed) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t l = 0; l < k; ++l) results[j] += row[l] * b[j * k + l];
    }
  } else {
    for (std::size_t l = 0; l < k; ++l) {
      for (std::size_t j = 0; j < n; ++j) results[j] += row[l] * b[l * n + j];
    }
  }
}

// Real: the type of arithmetic, fp64 or fp32.
template <class Real>
class NaiveGemm final : public Invocation {
 public:
  NaiveGemm(const GemmShape& shape, std::span<const TensorSet> sets, Device& device)
      : shape_(shape),
        sets_(sets.begin(), sets.end()),
        m_(static_cast<std::size_t>(shape.m)),
        n_(static_cast<std::size_t>(shape.n)),
        k_(static_cast<std::size_t>(shape.k)) {
    const std::size_t widened = widens() ? m_ * k_ + k_ * n_ + n_ : 0;
    workspace_ = device.allocate((k_ + n_ + widened) * sizeof(Real));
  }

  void enqueue(Stream& /*stream*/, std::size_t set) override {
    const TensorSet& tensors = sets_[set];
    for (std::size_t item = 0; item < static_cast<std::size_t>(shape_.batch); ++item) multiply(tensors, item);
  }

  [[nodiscard]] std::map<std::string, std::string> details() const override {
    std::map<std::string, std::string> details{
        {"algorithm", "three loops"}, {"threads", "1"}, {"workspace_bytes", std::to_string(workspace_->bytes())}};
    if (widens()) details["note"] = fmt::format("{} operands widened to fp32 inside the timing", name(shape_.dtype));
    return details;
  }

 private:
  [[nodiscard]] bool widens() const { return shape_.dtype == DType::fp16 || shape_.dtype == DType::bf16; }

  // Elements [first, first + count) of the tensor as Real: in place, or widened into `room`.
  const Real* operand(const Tensor& tensor, std::size_t first, std::size_t count, Real* room) const {
    if constexpr (std::is_same_v<Real, float>) {
      if (widens()) {
        cpu::widen(shape_.dtype, static_cast<const std::uint16_t*>(tensor.data) + first, room, count);
        return room;
      }
    }
    return static_cast<const Real*>(tensor.data) + first;
  }

  void multiply(const TensorSet& tensors, std::size_t item) {
    Real* a_row = static_cast<Real*>(workspace_->data());
    Real* results = a_row + k_;
    Real* a_room = results + n_;
    Real* b_room = a_room + m_ * k_;
    Real* c_room = b_room + k_ * n_;
    const Real* a = operand(tensors[0], item * m_ * k_, m_ * k_, a_room);
    const Real* b = operand(tensors[1], item * k_ * n_, k_ * n_, b_room);
    const bool at = a_transposed(shape_.layout), bt = b_transposed(shape_.layout);
    const auto alpha = static_cast<Real>(shape_.alpha);
    const auto beta = static_cast<Real>(shape_.beta);
    for (std::size_t row = 0; row < m_; ++row) {
      const std::size_t first = (item * m_ + row) * n_;
      for (std::size_t l = 0; l < k_; ++l) a_row[l] = at ? a[l * m_ + row] : a[row * k_ + l];
      multiply_row(a_row, b, bt, n_, k_, results);
      for (std::size_t j = 0; j < n_; ++j) results[j] *= alpha;
      if (beta != 0) {
        const Real* c = operand(tensors[2], first, n_, c_room);
        for (std::size_t j = 0; j < n_; ++j) results[j] += beta * c[j];
      }
      store(tensors.back(), first, results);
    }
  }

  void store(const Tensor& tensor, std::size_t first, const Real* row) const {
    if constexpr (std::is_same_v<Real, float>) {
      if (widens()) return cpu::narrow(shape_.dtype, row, static_cast<std::uint16_t*>(tensor.data) + first, n_);
    }
    std::copy_n(row, n_, static_cast<Real*>(tensor.data) + first);
  }

  GemmShape shape_;
  std::vector<TensorSet> sets_;
  std::size_t m_, n_, k_;
  std::unique_ptr<Buffer> workspace_;  // a row of op(A), a row of results, then A, B and a row of C widened
};

class NaiveGemmProvider final : public TypedProvider<Gemm> {
 public:
  [[nodiscard]] std::string_view name() const override { return "naive"; }
  [[nodiscard]] std::string_view op() const override { return "gemm"; }
  [[nodiscard]] std::string_view backend() const override { return "cpu"; }
  [[nodiscard]] std::string_view summary() const override { return "three loops on one thread, for reference; small sizes"; }

 protected:
  [[nodiscard]] Support supports_typed(const Gemm& gemm, const DeviceInfo& /*device*/) const override {
    if (gemm.shape().dtype == DType::tf32) return Support::no("CPUs have no tf32 arithmetic; use fp32");
    if (gemm.work().flop > kMaxFlop) {
      return Support::no(fmt::format("naive is limited to 2 m n k batch <= {} FLOP (1024^3), this is {}; use openblas",
                                     kMaxFlop, gemm.work().flop));
    }
    return {};
  }
  [[nodiscard]] Prepared prepare_typed(const Gemm& gemm, std::span<const TensorSet> sets, Device& device) const override {
    if (gemm.shape().dtype == DType::fp64) return std::make_unique<NaiveGemm<double>>(gemm.shape(), sets, device);
    return std::make_unique<NaiveGemm<float>>(gemm.shape(), sets, device);
  }
};

}  // namespace

void register_provider_gemm_naive(Registry& registry) { registry.providers.push_back(std::make_unique<NaiveGemmProvider>()); }

}  // namespace rtxbench
