#include "rtxbench/problems/gemm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kReferenceRoundoff = 0x1.0p-53;  // the reference is summed in fp64

// The whole output is compared up to these amounts (about 0.1 s of host work); above them a sample of it.
constexpr std::uint64_t kFullFlop = 130'000'000;
constexpr std::uint64_t kFullElements = std::uint64_t{1} << 20;
constexpr std::uint64_t kSamples = 32;                            // rows, and columns
constexpr std::uint64_t kPanelElements = std::uint64_t{1} << 20;  // of A and B held at a time

std::string text(const GemmShape& s) {
  return fmt::format("gemm of {} m={} n={} k={} batch={}", name(s.dtype), s.m, s.n, s.k, s.batch);
}

// Product of positive numbers, or nothing when 64 bits cannot hold it.
std::optional<std::uint64_t> product(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t result = 1;
  for (const std::uint64_t factor : factors) {
    if (result > std::numeric_limits<std::uint64_t>::max() / factor) return std::nullopt;
    result *= factor;
  }
  return result;
}

struct Counts {
  std::uint64_t m, n, k, batch;
  explicit Counts(const GemmShape& s)
      : m(static_cast<std::uint64_t>(s.m)),
        n(static_cast<std::uint64_t>(s.n)),
        k(static_cast<std::uint64_t>(s.k)),
        batch(static_cast<std::uint64_t>(s.batch)) {}
};

// Sorted indices below `extent`: all of them, or `count` distinct ones with the first, the last and seeded ones between.
std::vector<std::uint64_t> pick(std::uint64_t extent, std::uint64_t count, std::uint64_t seed) {
  std::vector<std::uint64_t> picked;
  if (extent <= count) {
    for (std::uint64_t i = 0; i < extent; ++i) picked.push_back(i);
    return picked;
  }
  picked = {0, extent - 1};
  for (std::uint64_t counter = 0; picked.size() < count; ++counter) {
    const std::uint64_t candidate = detail::mix(seed + counter) % extent;
    if (std::ranges::find(picked, candidate) == picked.end()) picked.push_back(candidate);
  }
  std::ranges::sort(picked);
  return picked;
}

// Which elements of D are compared: every combination of these.
struct Selection {
  Coverage coverage = Coverage::full;
  std::vector<std::uint64_t> batches, rows, columns;
  [[nodiscard]] std::uint64_t per_batch() const { return rows.size() * columns.size(); }
};

Selection select(const GemmShape& shape, std::uint64_t flop, std::uint64_t seed) {
  const Counts c(shape);
  const bool full = flop <= kFullFlop && c.batch * c.m * c.n <= kFullElements;
  Selection selection;
  selection.batches = pick(c.batch, full ? c.batch : 3, detail::mix(seed ^ 0xba));
  selection.rows = pick(c.m, full ? c.m : kSamples, detail::mix(seed ^ 0x0a));
  selection.columns = pick(c.n, full ? c.n : kSamples, detail::mix(seed ^ 0xc0));
  const bool all = selection.batches.size() * selection.per_batch() == c.batch * c.m * c.n;
  selection.coverage = all ? Coverage::full : Coverage::sampled;
  return selection;
}

// op(A) op(B) of one batch element at the selected rows and columns: the sums, and for the bounds the sums of the terms'
// magnitudes and of their squares.
struct Products {
  std::vector<double> sum, magnitude, squares;
};

// Works through k in panels, so each element of A and B is computed once and memory stays bounded for any k.
Products multiply(const GemmShape& shape, const Selection& selection, std::uint64_t batch, const ResultView& result) {
  const Counts c(shape);
  const std::uint64_t rows = selection.rows.size(), columns = selection.columns.size();
  const std::uint64_t depth = std::clamp<std::uint64_t>(kPanelElements / (rows + columns), 1, c.k);
  const std::uint64_t a_first = batch * c.m * c.k, b_first = batch * c.k * c.n;
  Products products{std::vector<double>(rows * columns), std::vector<double>(rows * columns),
                    std::vector<double>(rows * columns)};
  std::vector<double> a(rows * depth), b(depth * columns);
  for (std::uint64_t first = 0; first < c.k; first += depth) {
    const std::uint64_t terms = std::min(depth, c.k - first);
    for (std::uint64_t i = 0; i < rows; ++i) {
      for (std::uint64_t p = 0; p < terms; ++p) {
        const std::uint64_t row = selection.rows[i], term = first + p;
        a[i * terms + p] = result.input(0, a_first + (a_transposed(shape.layout) ? term * c.m + row : row * c.k + term));
      }
    }
    for (std::uint64_t p = 0; p < terms; ++p) {
      for (std::uint64_t j = 0; j < columns; ++j) {
        const std::uint64_t column = selection.columns[j], term = first + p;
        b[p * columns + j] =
            result.input(1, b_first + (b_transposed(shape.layout) ? column * c.k + term : term * c.n + column));
      }
    }
    for (std::uint64_t i = 0; i < rows; ++i) {
      double* const sum = products.sum.data() + i * columns;
      double* const magnitude = products.magnitude.data() + i * columns;
      double* const squares = products.squares.data() + i * columns;
      for (std::uint64_t p = 0; p < terms; ++p) {
        const double factor = a[i * terms + p];
        const double* const row = b.data() + p * columns;
        for (std::uint64_t j = 0; j < columns; ++j) {
          const double term = factor * row[j];
          sum[j] += term;
          magnitude[j] += std::fabs(term);
          squares[j] += term * term;
        }
      }
    }
  }
  return products;
}

// Relative errors that the arithmetic may commit; see the head of gemm.hpp.
struct Allowance {
  double output;      // rounding of the result
  double accumulate;  // one addition, of the implementation and of the reference
  double input;       // of a product, from inputs that tensor cores round (or truncate) to tf32's 10 bits
  double terms;       // of the sum
  double partial;     // of the partial sums that a library may keep in the 16-bit output type when it splits k
  double underflow;   // half the smallest subnormal of fp16, the one type whose subnormals are within reach of the data

  explicit Allowance(const GemmShape& shape)
      : output(unit_roundoff(shape.dtype == DType::tf32 ? DType::fp32 : shape.dtype)),
        accumulate(unit_roundoff(shape.accumulate) + kReferenceRoundoff),
        input(shape.dtype == DType::tf32 ? 0x1.0p-10 : 0),
        // alpha and beta add a rounding each.
        terms(static_cast<double>(shape.k) + (shape.alpha != 1 ? 1 : 0) + (shape.beta != 0 ? 1 : 0)),
        partial(storage_bytes(shape.dtype) == 2 ? unit_roundoff(shape.dtype) : 0),
        underflow(shape.dtype == DType::fp16 ? 0x1.0p-25 : 0) {}

  // `spread`: root of the sum of squared products, the size of a partial sum of terms of random sign.
  [[nodiscard]] double element(double reference, double products, double spread, double all) const {
    return (output + partial) * std::fabs(reference) + 4 * partial * spread + terms * accumulate * all + 2 * input * products +
           underflow;
  }
  [[nodiscard]] double norm() const { return 4 * (output + std::sqrt(terms) * accumulate + input); }
};

// Collects the comparison of single elements.
class Comparison {
 public:
  explicit Comparison(DType type) : type_(type) {}

  void add(std::uint64_t index, double got, double reference, double bound) {
    ++checked_;
    const bool overflows = std::isinf(round_to_storage(type_, std::fabs(reference) + bound));
    if (std::isinf(got) && overflows && std::signbit(got) == std::signbit(reference)) return;  // beyond the type, rightly
    const double error = std::fabs(got - reference);
    double ratio = error == 0 ? 0 : error / bound;
    if (!std::isfinite(got) || std::isnan(ratio)) ratio = kInfinity;
    if (ratio > 1) ++beyond_;
    if (!worst_ || ratio > worst_->ratio) worst_ = Worst{index, got, reference, bound, ratio};
    error_squares_ += std::isfinite(got) ? error * error : kInfinity;
    reference_squares_ += reference * reference;
  }

  [[nodiscard]] Verification finish(const GemmShape& shape, Coverage coverage, double tolerance) const {
    Verification v{.coverage = coverage, .reference = "cpu fp64", .checked = checked_, .tolerance = tolerance};
    if (worst_) v.worst_element_ratio = worst_->ratio;
    if (error_squares_ != 0) v.relative_error = std::sqrt(error_squares_ / reference_squares_);  // x / 0 is infinity: wrong
    v.passed = v.worst_element_ratio <= 1 && v.relative_error <= tolerance;
    if (v.passed) return v;
    const auto m = static_cast<std::uint64_t>(shape.m), n = static_cast<std::uint64_t>(shape.n);
    const Worst& w = *worst_;
    v.detail = fmt::format(
        "{} of {} elements compared are beyond their bound; norm-wise relative error {:.3g}, allowed {:.3g}; "
        "worst is element {} of D (batch {}, row {}, column {}): got {:.9g}, expected {:.9g} +- {:.3g}",
        beyond_, checked_, v.relative_error, tolerance, w.index, w.index / (m * n), w.index / n % m, w.index % n, w.got,
        w.reference, w.bound);
    return v;
  }

 private:
  struct Worst {
    std::uint64_t index = 0;
    double got = 0, reference = 0, bound = 0, ratio = 0;
  };
  DType type_;
  std::uint64_t checked_ = 0, beyond_ = 0;
  std::optional<Worst> worst_;
  double error_squares_ = 0, reference_squares_ = 0;
};

}  // namespace

Gemm::Gemm(const GemmShape& shape) : shape_(shape) {
  for (const auto& [axis, size] : {std::pair{"m", shape.m}, {"n", shape.n}, {"k", shape.k}, {"batch", shape.batch}}) {
    if (size < 1) throw UsageError(fmt::format("{}: {} is {}, but must be at least 1", text(shape), axis, size));
  }
  const DType accumulate = shape.dtype == DType::fp64 ? DType::fp64 : DType::fp32;
  if (shape.accumulate != accumulate) {
    throw UsageError(fmt::format("{}: cannot accumulate in {}; {} accumulates in {}", text(shape), name(shape.accumulate),
                                 name(shape.dtype), name(accumulate)));
  }
  if (!std::isfinite(shape.alpha) || !std::isfinite(shape.beta)) {
    throw UsageError(
        fmt::format("{}: alpha and beta must be finite numbers, not {} and {}", text(shape), shape.alpha, shape.beta));
  }
  const double largest = shape.dtype == DType::fp64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  if (std::fabs(shape.alpha) > largest || std::fabs(shape.beta) > largest) {
    throw UsageError(
        fmt::format("{}: alpha {} and beta {} must be at most {:.4g}, the largest number of {}, in which it computes",
                    text(shape), shape.alpha, shape.beta, largest, name(accumulate)));
  }
  const Counts c(shape);
  // Four operands at most, so a quarter of the range for the largest bounds their sum.
  const std::uint64_t bytes = 4 * storage_bytes(shape.dtype);
  const bool fits = product({2, c.m, c.n, c.k, c.batch}) && product({c.batch, c.m, c.k, bytes}) &&
                    product({c.batch, c.k, c.n, bytes}) && product({c.batch, c.m, c.n, bytes});
  if (!fits) throw UsageError(fmt::format("{}: its FLOP or bytes exceed 64 bits; choose smaller sizes", text(shape)));
}

std::vector<TensorSpec> Gemm::tensors() const {
  const GemmShape& s = shape_;
  const auto matrix = [&](const char* tensor, std::int64_t rows, std::int64_t columns, TensorRole role) {
    return TensorSpec{tensor, s.dtype, {s.batch, rows, columns}, role};
  };
  const bool at = a_transposed(s.layout), bt = b_transposed(s.layout);
  std::vector<TensorSpec> specs{matrix("A", at ? s.k : s.m, at ? s.m : s.k, TensorRole::input),
                                matrix("B", bt ? s.n : s.k, bt ? s.k : s.n, TensorRole::input)};
  if (has_c()) specs.push_back(matrix("C", s.m, s.n, TensorRole::input));
  specs.push_back(matrix("D", s.m, s.n, TensorRole::output));
  return specs;
}

Work Gemm::work() const {
  const Counts c(shape_);
  Work work{.flop = 2 * c.m * c.n * c.k * c.batch};
  for (const TensorSpec& spec : tensors()) {
    (spec.role == TensorRole::input ? work.read_bytes : work.written_bytes) += spec.bytes();
  }
  return work;
}

Verification Gemm::verify(const ResultView& result, std::uint64_t seed) const {
  const Counts c(shape_);
  const Selection selection = select(shape_, work().flop, seed);
  const Allowance allowance(shape_);

  std::vector<std::uint64_t> indices;
  indices.reserve(selection.batches.size() * selection.per_batch());
  for (const std::uint64_t batch : selection.batches) {
    for (const std::uint64_t row : selection.rows) {
      for (const std::uint64_t column : selection.columns) indices.push_back((batch * c.m + row) * c.n + column);
    }
  }
  const std::vector<double> got = result.output(has_c() ? 3 : 2, indices);
  if (got.size() != indices.size()) {
    throw Error(fmt::format("{}: asked the device for {} elements of D, got {}", text(shape_), indices.size(), got.size()));
  }

  Comparison comparison(shape_.dtype);
  std::size_t next = 0;
  for (const std::uint64_t batch : selection.batches) {
    const Products products = multiply(shape_, selection, batch, result);
    for (std::uint64_t e = 0; e < selection.per_batch(); ++e, ++next) {
      const double addend = has_c() ? shape_.beta * result.input(2, indices[next]) : 0;
      const double reference = shape_.alpha * products.sum[e] + addend;
      const double magnitude = std::fabs(shape_.alpha) * products.magnitude[e];
      const double spread = std::fabs(shape_.alpha) * std::sqrt(products.squares[e]);
      const double bound = allowance.element(reference, magnitude, spread, magnitude + std::fabs(addend));
      comparison.add(indices[next], got[next], reference, bound);
    }
  }
  return comparison.finish(shape_, selection.coverage, allowance.norm());
}

}  // namespace rtxbench
