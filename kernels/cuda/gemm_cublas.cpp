// cuBLAS with its own heuristic's first choice: the call, the math mode and the workspace that frameworks use by default.
// cuBLAS is column-major, so the row-major D = A B is asked for as D^T = B^T A^T, without moving a byte.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>

#include "backend/cuda/check.hpp"
#include "kernels/cuda/common_cublas_library.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/problems/gemm.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {
namespace {

using Library = std::shared_ptr<const cuda::CublasLibrary>;

struct HandleDeleter {
  Library library;
  void operator()(cublasHandle_t handle) const { static_cast<void>(library->destroy(handle)); }
};
using Handle = std::unique_ptr<std::remove_pointer_t<cublasHandle_t>, HandleDeleter>;

struct Types {
  cudaDataType data;
  cublasComputeType_t compute;
  const char* math;
};

Types types_of(DType dtype) {
  switch (dtype) {
    case DType::fp64:
      return {CUDA_R_64F, CUBLAS_COMPUTE_64F, "fp64"};
    case DType::fp32:
      return {CUDA_R_32F, CUBLAS_COMPUTE_32F, "fp32, no TF32"};
    case DType::tf32:
      return {CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, "fp32 operands rounded to tf32, fp32 accumulate"};
    case DType::fp16:
      return {CUDA_R_16F, CUBLAS_COMPUTE_32F, "fp16, fp32 accumulate, split-K partial sums may be fp16"};
    case DType::bf16:
      return {CUDA_R_16BF, CUBLAS_COMPUTE_32F, "bf16, fp32 accumulate, split-K partial sums may be bf16"};
  }
  throw Error("cublas: unknown data type");
}

// What PyTorch gives cuBLAS by default: 32 MiB from Hopper on, 8 MiB before. cuBLAS must not allocate while a graph is
// captured.
std::uint64_t workspace_bytes(const DeviceInfo& device) { return (device.cc_major >= 9 ? 32ULL : 8ULL) << 20; }

class CublasGemm final : public Invocation {
 public:
  CublasGemm(Library library, const Gemm& gemm, std::span<const TensorSet> sets, Device& device)
      : library_(std::move(library)),
        shape_(gemm.shape()),
        sets_(sets.begin(), sets.end()),
        d_bytes_(gemm.tensors().back().bytes()),
        workspace_(device.allocate(workspace_bytes(device.info()))),
        handle_(create(library_)) {
    library_->check(library_->set_stream(handle_.get(), static_cast<cudaStream_t>(device.stream().native())));
    library_->check(library_->set_workspace(handle_.get(), workspace_->data(), workspace_->bytes()));  // after set_stream
  }

  void enqueue(Stream& stream, std::size_t set) override {
    const TensorSet& tensors = sets_[set];
    if (shape_.beta != 0) {
      cuda::check(cudaMemcpyAsync(tensors.back().data, tensors[2].data, d_bytes_, cudaMemcpyDeviceToDevice,
                                  static_cast<cudaStream_t>(stream.native())));
    }
    const double alpha = shape_.alpha, beta = shape_.beta;
    const auto alpha32 = static_cast<float>(alpha), beta32 = static_cast<float>(beta);
    const bool fp64 = shape_.dtype == DType::fp64;  // alpha and beta have the type that is computed in
    const void* const alpha_in = fp64 ? static_cast<const void*>(&alpha) : &alpha32;
    const void* const beta_in = fp64 ? static_cast<const void*>(&beta) : &beta32;
    if (wide()) {
      multiply(library_->gemm_ex_64, library_->gemm_strided_batched_ex_64, tensors, alpha_in, beta_in);
    } else {
      multiply(library_->gemm_ex, library_->gemm_strided_batched_ex, tensors, alpha_in, beta_in);
    }
  }

  [[nodiscard]] std::map<std::string, std::string> details() const override {
    std::map<std::string, std::string> details{{"library", "cuBLAS " + library_->version()},
                                               {"place", library_->library.path()},
                                               {"algorithm", "cuBLAS default heuristic"},
                                               {"math", types_of(shape_.dtype).math},
                                               {"workspace_bytes", std::to_string(workspace_->bytes())}};
    if (shape_.beta != 0) details["note"] = "D starts as a copy of C, inside the timing: cuBLAS adds to D in place";
    if (const char* value = std::getenv("NVIDIA_TF32_OVERRIDE")) details["NVIDIA_TF32_OVERRIDE"] = value;
    return details;
  }

 private:
  static Handle create(const Library& library) {
    cublasHandle_t raw = nullptr;
    library->check(library->create(&raw));
    return Handle(raw, HandleDeleter{library});
  }

  // Whether an extent, and with it a leading dimension, leaves the plain call's 32-bit integers.
  [[nodiscard]] bool wide() const {
    return std::max({shape_.m, shape_.n, shape_.k, shape_.batch}) > std::numeric_limits<int>::max();
  }

  template <class Integer>
  void multiply(cuda::GemmEx<Integer>* single, cuda::GemmStridedBatchedEx<Integer>* batched, const TensorSet& tensors,
                const void* alpha, const void* beta) const {
    const Types types = types_of(shape_.dtype);
    const auto m = static_cast<Integer>(shape_.m), n = static_cast<Integer>(shape_.n), k = static_cast<Integer>(shape_.k);
    const auto operation = [](bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
    const cublasOperation_t op_a = operation(a_transposed(shape_.layout)), op_b = operation(b_transposed(shape_.layout));
    const Integer lda = a_transposed(shape_.layout) ? m : k, ldb = b_transposed(shape_.layout) ? k : n;
    const void* a = tensors[0].data;
    const void* b = tensors[1].data;
    void* d = tensors.back().data;
    if (shape_.batch == 1) {
      library_->check(single(handle_.get(), op_b, op_a, n, m, k, alpha, b, types.data, ldb, a, types.data, lda, beta, d,
                             types.data, n, types.compute, CUBLAS_GEMM_DEFAULT));
      return;
    }
    library_->check(batched(handle_.get(), op_b, op_a, n, m, k, alpha, b, types.data, ldb, shape_.k * shape_.n, a, types.data,
                            lda, shape_.m * shape_.k, beta, d, types.data, n, shape_.m * shape_.n,
                            static_cast<Integer>(shape_.batch), types.compute, CUBLAS_GEMM_DEFAULT));
  }

  Library library_;
  GemmShape shape_;
  std::vector<TensorSet> sets_;
  std::uint64_t d_bytes_;
  std::unique_ptr<Buffer> workspace_;  // outlives the handle
  Handle handle_;
};

class CublasGemmProvider final : public TypedProvider<Gemm> {
 public:
  [[nodiscard]] std::string_view name() const override { return "cublas"; }
  [[nodiscard]] std::string_view op() const override { return "gemm"; }
  [[nodiscard]] std::string_view backend() const override { return "cuda"; }
  [[nodiscard]] std::string_view summary() const override { return "cuBLAS, its default choice: what frameworks call"; }

 protected:
  [[nodiscard]] Support supports_typed(const Gemm& gemm, const DeviceInfo& device) const override {
    const GemmShape& shape = gemm.shape();
    if ((shape.dtype == DType::bf16 || shape.dtype == DType::tf32) && device.cc_major < 8) {
      return Support::no(fmt::format("{} needs compute capability 8.0, this device has {}.{}; use fp16 or fp32",
                                     rtxbench::name(shape.dtype), device.cc_major, device.cc_minor));
    }
    return {};
  }

  [[nodiscard]] Prepared prepare_typed(const Gemm& gemm, std::span<const TensorSet> sets, Device& device) const override {
    std::string reason;
    if (library_ == nullptr) library_ = cuda::CublasLibrary::open(reason);
    if (library_ == nullptr) return Unsupported{reason};
    return std::make_unique<CublasGemm>(library_, gemm, sets, device);
  }

 private:
  mutable Library library_;  // stays open between cases: loading it takes a good part of a second
};

}  // namespace

void register_provider_gemm_cublas(Registry& registry) { registry.providers.push_back(std::make_unique<CublasGemmProvider>()); }

}  // namespace rtxbench
