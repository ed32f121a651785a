// cuBLAS, opened at first use: the functions that rtxbench calls, by their exact exported names.
#pragma once

#include <cublas_v2.h>

#include <memory>
#include <source_location>
#include <span>
#include <string>

#include "rtxbench/dynamic_library.hpp"

namespace rtxbench::cuda {

// The types are written out: the header overloads some of these names in C++, so decltype would be ambiguous.
struct CublasLibrary {
  DynamicLibrary library;
  cublasStatus_t (*create)(cublasHandle_t*) = nullptr;                            // cublasCreate_v2
  cublasStatus_t (*destroy)(cublasHandle_t) = nullptr;                            // cublasDestroy_v2
  cublasStatus_t (*get_property)(libraryPropertyType, int*) = nullptr;            // cublasGetProperty
  cublasStatus_t (*set_stream)(cublasHandle_t, cudaStream_t) = nullptr;           // cublasSetStream_v2
  cublasStatus_t (*set_workspace)(cublasHandle_t, void*, std::size_t) = nullptr;  // cublasSetWorkspace_v2
  const char* (*status_string)(cublasStatus_t) = nullptr;                         // cublasGetStatusString
  // cublasGemmEx and cublasGemmStridedBatchedEx: the calls that frameworks make for one product and for a batch.
  cublasStatus_t (*gemm_ex)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*, const void*,
                            cudaDataType, int, const void*, cudaDataType, int, const void*, void*, cudaDataType, int,
                            cublasComputeType_t, cublasGemmAlgo_t) = nullptr;
  cublasStatus_t (*gemm_strided_batched_ex)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                                            const void*, cudaDataType, int, long long, const void*, cudaDataType, int,
                                            long long, const void*, void*, cudaDataType, int, long long, int,
                                            cublasComputeType_t, cublasGemmAlgo_t) = nullptr;

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
