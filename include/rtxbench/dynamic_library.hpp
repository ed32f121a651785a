// A shared library opened at first use. One table a library of typed function pointers is built on it (see
// src/backend/cuda/nvml_library.hpp), so a missing or broken library costs only the rows that need it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rtxbench {

struct LibrarySearch {
  std::string name;                  // "cuBLAS", for messages
  std::vector<std::string> sonames;  // "libcublas.so.13", "libcublas.so.12": tried in order at each place
  std::string variable;              // "RTXBENCH_CUBLAS": full path or folder that overrides everything
  std::string python_folder;         // below site-packages/nvidia: "cu13/lib", "cublas/lib"; empty: not searched
  bool cuda_toolkit = false;         // search the build's toolkit, CUDA_HOME and CUDA_PATH
};

class DynamicLibrary {
 public:
  // Order: variable, the loader's own paths, the toolkit of the build, CUDA_HOME / CUDA_PATH, then the nvidia/*/lib folders of
  // the Python environment on PATH. Returns the open library, or nothing with every place tried and its error in `reason`.
  [[nodiscard]] static std::optional<DynamicLibrary> open(const LibrarySearch& search, std::string& reason);

  // Throws Error naming the library, its place and the symbol.
  template <class Function>
  [[nodiscard]] Function* function(const char* symbol) const {
    return reinterpret_cast<Function*>(address(symbol, true));
  }
  // nullptr when the library lacks it.
  template <class Function>
  [[nodiscard]] Function* optional_function(const char* symbol) const {
    return reinterpret_cast<Function*>(address(symbol, false));
  }
  [[nodiscard]] const std::string& path() const { return path_; }  // where it was found, resolved

 private:
  [[nodiscard]] void* address(const char* symbol, bool required) const;
  std::shared_ptr<void> handle_;
  std::string path_, name_;
};

}  // namespace rtxbench
