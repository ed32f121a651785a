// Points rtxbench at the scripted NVML for the life of a test.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace rtxbench::test {

class ScriptedNvml {
 public:
  // `library` is the stub's file, or any text for a library that is not there.
  explicit ScriptedNvml(const std::string& script, const std::string& library = RTXBENCH_NVML_STUB_LIBRARY)
      : file_(std::filesystem::temp_directory_path() / ("rtxbench-nvml-" + std::to_string(getpid()) + ".txt")) {
    std::ofstream(file_) << script;
    setenv("RTXBENCH_NVML_STUB", file_.c_str(), 1);
    setenv("RTXBENCH_NVML", library.c_str(), 1);
  }
  ~ScriptedNvml() {
    std::filesystem::remove(file_);
    unsetenv("RTXBENCH_NVML_STUB");
    unsetenv("RTXBENCH_NVML");
  }
  ScriptedNvml(const ScriptedNvml&) = delete;
  ScriptedNvml& operator=(const ScriptedNvml&) = delete;

 private:
  std::filesystem::path file_;
};

}  // namespace rtxbench::test
