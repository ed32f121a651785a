#include <fmt/format.h>

#include <array>
#include <string_view>

#include "kernels/cuda/common_cublas_library.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench::cuda {
namespace {
constexpr std::array kSymbols{"cublasCreate_v2",       "cublasDestroy_v2",
                              "cublasGetProperty",     "cublasSetStream_v2",
                              "cublasSetWorkspace_v2", "cublasGetStatusString",
                              "cublasGemmEx",          "cublasGemmStridedBatchedEx",
                              "cublasGemmEx_64",       "cublasGemmStridedBatchedEx_64"};

template <class Signature>
void resolve(const DynamicLibrary& library, Signature*& function, const char* symbol) {
  function = library.function<Signature>(symbol);
}
}  // namespace

std::span<const char* const> cublas_symbols() { return kSymbols; }

LibrarySearch cublas_search() {
  return {.name = "cuBLAS",
          .sonames = {"libcublas.so.13", "libcublas.so.12"},
          .variable = "RTXBENCH_CUBLAS",
          .python_folder = "cu13/lib",
          .cuda_toolkit = true};
}

std::shared_ptr<const CublasLibrary> CublasLibrary::open(std::string& reason) {
  auto opened = DynamicLibrary::open(cublas_search(), reason);
  if (!opened) return nullptr;
  auto table = std::make_shared<CublasLibrary>(CublasLibrary{.library = std::move(*opened)});
  const DynamicLibrary& library = table->library;
  try {
    resolve(library, table->create, kSymbols[0]);
    resolve(library, table->destroy, kSymbols[1]);
    resolve(library, table->get_property, kSymbols[2]);
    resolve(library, table->set_stream, kSymbols[3]);
    resolve(library, table->set_workspace, kSymbols[4]);
    resolve(library, table->status_string, kSymbols[5]);
    resolve(library, table->gemm_ex, kSymbols[6]);
    resolve(library, table->gemm_strided_batched_ex, kSymbols[7]);
    resolve(library, table->gemm_ex_64, kSymbols[8]);
    resolve(library, table->gemm_strided_batched_ex_64, kSymbols[9]);
  } catch (const Error& error) {
    reason = error.what();
    return nullptr;
  }
  return table;
}

std::string CublasLibrary::version() const {
  int major = 0, minor = 0, patch = 0;
  check(get_property(MAJOR_VERSION, &major));
  check(get_property(MINOR_VERSION, &minor));
  check(get_property(PATCH_LEVEL, &patch));
  return fmt::format("{}.{}.{}", major, minor, patch);
}

void CublasLibrary::check(cublasStatus_t status, const std::source_location& where) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const std::string_view file(where.file_name());
  const std::string message =
      fmt::format("cuBLAS: {} at {}:{}", status_string(status), file.substr(file.find_last_of('/') + 1), where.line());
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfMemoryError(message);
  throw DeviceError(message, status == CUBLAS_STATUS_EXECUTION_FAILED || status == CUBLAS_STATUS_INTERNAL_ERROR);
}

}  // namespace rtxbench::cuda
