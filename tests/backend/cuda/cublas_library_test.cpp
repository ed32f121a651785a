// The cuBLAS table against the library itself, and without one.
#include <gtest/gtest.h>

#include <cstdlib>

#include "kernels/cuda/common_cublas_library.hpp"

namespace rtxbench::cuda {
namespace {

TEST(CublasLibrary, EveryNameResolvesInTheToolkitsOwnLibrary) {
  std::string reason;
  const auto library = DynamicLibrary::open(cublas_search(), reason);
  if (!library) GTEST_SKIP() << reason;
  ASSERT_FALSE(cublas_symbols().empty());
  for (const char* symbol : cublas_symbols()) {
    EXPECT_NE(library->optional_function<void()>(symbol), nullptr) << symbol << " in " << library->path();
  }
}

TEST(CublasLibrary, VersionAndPlaceAreKnownWithoutADevice) {
  std::string reason;
  const auto library = CublasLibrary::open(reason);
  if (!library) GTEST_SKIP() << reason;
  EXPECT_GE(std::stoi(library->version()), 12) << library->version();
  EXPECT_NE(library->library.path().find("cublas"), std::string::npos) << library->library.path();
}

TEST(CublasLibrary, Fault38_AMissingLibraryIsAReasonThatNamesThePlace) {
  setenv("RTXBENCH_CUBLAS", "/nowhere/libcublas.so", 1);
  std::string reason;
  EXPECT_EQ(CublasLibrary::open(reason), nullptr);
  unsetenv("RTXBENCH_CUBLAS");
  EXPECT_NE(reason.find("/nowhere/libcublas.so"), std::string::npos) << reason;
}

}  // namespace
}  // namespace rtxbench::cuda
