// Facts of the build and files of configs/ that it embeds, so that one binary needs nothing beside it.
#pragma once

#include <string_view>

namespace rtxbench::embedded {

[[nodiscard]] std::string_view gpus_json();           // configs/gpus.json
[[nodiscard]] std::string_view report_schema_json();  // configs/report.schema.json
[[nodiscard]] std::string_view version();             // project version
[[nodiscard]] std::string_view git_hash();            // of the source tree at build time, with "+changes" when it differs
[[nodiscard]] std::string_view build_type();
[[nodiscard]] std::string_view compiler();
[[nodiscard]] std::string_view cuda_architectures();      // as CMake has them, "75,89-real,...", empty without CUDA
[[nodiscard]] std::string_view cuda_toolkit_libraries();  // library folder of the build's toolkit, empty without CUDA

}  // namespace rtxbench::embedded
