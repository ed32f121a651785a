// cuBLAS, opened at first use: the functions that rtxbench calls, by their exact exported names.
#pragma once

#include <cublas_v2.h>

#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string>

#include "rtxbench/dynamic_library.hpp"

namespace rtxbench::cuda {

// The types are written out: the header overloads some of these names in C++, so decltype would be ambiguous.
template <class Integer>
using GemmEx = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, Integer m, Integer n, Integer k,
                              const void* alpha, const void* a, cudaDataType, Integer lda, const void* b, cudaDataType,
                              Integer ldb, const void* beta, void* c, cudaDataType, Integer ldc, cublasComputeType_t,
                              cublasGemmAlgo_t);
template <class Integer>
using GemmStridedBatchedEx = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, Integer m, Integer n,
                                            Integer k, const void* alpha, const void* a, cudaDataType, Integer lda,
                                            long long stride_a, const void* b, cudaDataType, Integer ldb, long long stride_b,
                                            const void* beta, void* c, cudaDataType, Integer ldc, long long stride_c,
                                            Integer batch, cublasComputeType_t, cublasGemmAlgo_t);

struct CublasLibrary {
  DynamicLibrary library;
  cublasStatus_t (*create)(cublasHandle_t*) = nullptr;                            // cublasCreate_v2
  cublasStatus_t (*destroy)(cublasHandle_t) = nullptr;                            // cublasDestroy_v2
  cublasStatus_t (*get_property)(libraryPropertyType, int*) = nullptr;            // cublasGetProperty
  cublasStatus_t (*set_stream)(cublasHandle_t, cudaStream_t) = nullptr;           // cublasSetStream_v2
  cublasStatus_t (*set_workspace)(cublasHandle_t, void*, std::size_t) = nullptr;  // cublasSetWorkspace_v2
  const char* (*status_string)(cublasStatus_t) = nullptr;                         // cublasGetStatusString
  // The calls that frameworks make for one product and for a batch, and their forms for sizes that 32 bits do not hold.
  GemmEx<int>* gemm_ex = nullptr;                                            // cublasGemmEx
  GemmStridedBatchedEx<int>* gemm_strided_batched_ex = nullptr;              // cublasGemmStridedBatchedEx
  GemmEx<std::int64_t>* gemm_ex_64 = nullptr;                                // cublasGemmEx_64
  GemmStridedBatchedEx<std::int64_t>* gemm_strided_batched_ex_64 = nullptr;  // cublasGemmStridedBatchedEx_64

  // Null with every place tried when there is no usable library.
  [[nodiscard]] static std::shared_ptr<const CublasLibrary> open(std::string& reason);
  [[nodiscard]] std::string version() const;  // "13.1.0"
  // Throws DeviceError (OutOfMemoryError for a failed allocation).
  void check(cublasStatus_t status, const std::source_location& where = std::source_location::current()) const;
};

// The exported names above, for the test that resolves each of them.
[[nodiscard]] std::span<const char* const> cublas_symbols();
[[nodiscard]] LibrarySearch cublas_search();

}  // namespace rtxbench::cuda
