// OpenBLAS, opened at first use: the functions that rtxbench calls, by their exported names.
#pragma once

#include <memory>
#include <string>

#include "rtxbench/dynamic_library.hpp"

namespace rtxbench::cpu {

// cblas.h of the reference CBLAS; its enumerations are ints of these values.
inline constexpr int kCblasRowMajor = 101, kCblasNoTrans = 111, kCblasTrans = 112;

// blasint: 32 bits, which open() has checked.
template <class Real>
using CblasGemm = void(int order, int trans_a, int trans_b, int m, int n, int k, Real alpha, const Real* a, int lda,
                       const Real* b, int ldb, Real beta, Real* c, int ldc);

struct OpenblasLibrary {
  DynamicLibrary library;
  CblasGemm<float>* cblas_sgemm = nullptr;
  CblasGemm<double>* cblas_dgemm = nullptr;
  char* (*openblas_get_config)() = nullptr;  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ... MAX_THREADS=64"
  char* (*openblas_get_corename)() = nullptr;
  int (*openblas_get_num_threads)() = nullptr;

  // Loading starts OpenBLAS's threads, so only prepare() does it. Null with the reason when there is no usable library.
  [[nodiscard]] static std::shared_ptr<const OpenblasLibrary> open(std::string& reason);
};

}  // namespace rtxbench::cpu
