// General matrix multiply: D = alpha op(A) op(B) + beta C, `batch` independent products.
#pragma once

#include "rtxbench/problem.hpp"

namespace rtxbench {

// Storage of A and B, row-major: n = as used, t = stored transposed.
//   A: batch x m x k (n) or batch x k x m (t);  B: batch x k x n (n) or batch x n x k (t);  C, D: batch x m x n.
enum class GemmLayout : std::uint8_t { nn, nt, tn, tt };
[[nodiscard]] std::string_view name(GemmLayout layout);
[[nodiscard]] std::vector<std::string> gemm_layout_names();
[[nodiscard]] std::optional<GemmLayout> parse_gemm_layout(std::string_view text);
[[nodiscard]] constexpr bool a_transposed(GemmLayout layout) { return layout == GemmLayout::tn || layout == GemmLayout::tt; }
[[nodiscard]] constexpr bool b_transposed(GemmLayout layout) { return layout == GemmLayout::nt || layout == GemmLayout::tt; }

struct GemmShape {
  std::int64_t m = 1, n = 1, k = 1, batch = 1;
  GemmLayout layout = GemmLayout::nn;
  DType dtype = DType::fp32;       // of A, B, C and D
  DType accumulate = DType::fp32;  // fp64 for fp64, fp32 for every other type so far
  double alpha = 1, beta = 0;
};

// Tensors: A, B, [C when beta != 0], D. Inputs are uniform-order streams 0, 1, 2.
// work(): 2 m n k batch FLOP (alpha and beta not counted, as is customary); bytes of A, B, [C] read and D written.
// Tolerance (Higham, Accuracy and Stability of Numerical Algorithms, ch. 3): with u the roundoff of the storage type and u_acc
// that of the accumulate type plus 2^-53 for the reference's own sum, each element within u|ref| + k u_acc sum|a||b| (k plus
// one for each of alpha and beta that rounds), and the norm-wise relative error within 4 (u + sqrt(k) u_acc). tf32 adds 2 *
// 2^-10 sum|a||b| and 4 * 2^-10: tensor cores may truncate both inputs. 16-bit types add u|ref| + 4 u sqrt(sum (ab)^2) to each
// element: a library that splits k may keep partial sums in the output type (seen: cuBLAS, bf16 1000x999x1001). fp16 adds half
// its smallest subnormal. Zeros must be exact; where the reference overflows the type, infinity of its sign is right. Compared:
// the whole output up to about 1.3e8 FLOP and 2^20 elements; above, 32 rows x 32 columns of up to 3 batch elements.
class Gemm final : public Problem {
 public:
  explicit Gemm(const GemmShape& shape);  // throws UsageError: non-positive size, or work that 64 bits cannot hold
  [[nodiscard]] const GemmShape& shape() const { return shape_; }
  [[nodiscard]] std::string_view op() const override { return "gemm"; }
  [[nodiscard]] std::vector<TensorSpec> tensors() const override;
  [[nodiscard]] Work work() const override;
  [[nodiscard]] MathMode math() const override { return {shape_.dtype, shape_.accumulate}; }
  [[nodiscard]] Verification verify(const ResultView& result, std::uint64_t seed) const override;
  [[nodiscard]] bool has_c() const { return shape_.beta != 0; }

 private:
  GemmShape shape_;
};

}  // namespace rtxbench
