#include <fmt/format.h>

#include <string_view>

#include "kernels/cpu/common_openblas_library.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench::cpu {

std::shared_ptr<const OpenblasLibrary> OpenblasLibrary::open(std::string& reason) {
  const LibrarySearch search{.name = "OpenBLAS", .sonames = {"libopenblas.so.0"}, .variable = "RTXBENCH_OPENBLAS"};
  auto opened = DynamicLibrary::open(search, reason);
  if (!opened) {
    reason += "; install it with: apt-get install libopenblas0-pthread";
    return nullptr;
  }
  auto table = std::make_shared<OpenblasLibrary>(OpenblasLibrary{.library = std::move(*opened)});
  const DynamicLibrary& library = table->library;
  try {
    table->cblas_sgemm = library.function<CblasGemm<float>>("cblas_sgemm");
    table->cblas_dgemm = library.function<CblasGemm<double>>("cblas_dgemm");
    table->openblas_get_config = library.function<char*()>("openblas_get_config");
    table->openblas_get_corename = library.function<char*()>("openblas_get_corename");
    table->openblas_get_num_threads = library.function<int()>("openblas_get_num_threads");
  } catch (const Error& error) {
    reason = error.what();
    return nullptr;
  }
  if (std::string_view(table->openblas_get_config()).find("USE64BITINT") != std::string_view::npos) {
    reason =
        fmt::format("OpenBLAS ({}) was built with 64-bit integers; the build with 32-bit integers is needed", library.path());
    return nullptr;
  }
  return table;
}

}  // namespace rtxbench::cpu
