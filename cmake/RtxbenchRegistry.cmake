# The registration table, generated from file names.

# rtx_parts() -> rtx_parts: everything named by a file in benchmarks/, kernels/<backend>/ and src/backend/<backend>/.
function(rtx_parts)
  set(BACKENDS cpu)
  if(RTXBENCH_HAVE_CUDA)
    list(PREPEND BACKENDS cuda)  # preferred by --device auto
  endif()
  set(DECLARATIONS "")
  set(CALLS "")
  set(SOURCES "")
  foreach(BACKEND IN LISTS BACKENDS)
    string(APPEND DECLARATIONS "void register_backend_${BACKEND}(Registry&);\n")
    string(APPEND CALLS "  register_backend_${BACKEND}(registry);\n")
    file(GLOB FILES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/backend/${BACKEND}/*.cpp" "${PROJECT_SOURCE_DIR}/src/backend/${BACKEND}/*.cu")
    list(APPEND SOURCES ${FILES})
    # A provider is a file <op>_<name>.cpp|.cu; other files there (headers, helpers named common_*) register nothing.
    file(GLOB FILES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/kernels/${BACKEND}/*.cpp" "${PROJECT_SOURCE_DIR}/kernels/${BACKEND}/*.cu")
    list(APPEND SOURCES ${FILES})
    foreach(FILE IN LISTS FILES)
      cmake_path(GET FILE STEM STEM)
      if(NOT STEM MATCHES "^common_")
        string(APPEND DECLARATIONS "void register_provider_${STEM}(Registry&);\n")
        string(APPEND CALLS "  register_provider_${STEM}(registry);\n")
      endif()
    endforeach()
  endforeach()
  file(GLOB FILES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/benchmarks/*.cpp")
  list(APPEND SOURCES ${FILES})
  foreach(FILE IN LISTS FILES)
    cmake_path(GET FILE STEM STEM)
    string(APPEND DECLARATIONS "void register_benchmark_${STEM}(Registry&);\n")
    string(APPEND CALLS "  register_benchmark_${STEM}(registry);\n")
  endforeach()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/registry.cpp" CONTENT
"// Generated from file names by cmake/RtxbenchRegistry.cmake.
#include \"rtxbench/registry.hpp\"

namespace rtxbench {
@DECLARATIONS@
Registry make_registry() {
  Registry registry;
@CALLS@  return registry;
}
}  // namespace rtxbench
" @ONLY)
  add_library(rtx_parts STATIC ${SOURCES} "${PROJECT_BINARY_DIR}/generated/registry.cpp")
  target_include_directories(rtx_parts PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(rtx_parts PUBLIC rtx_core Threads::Threads PRIVATE rtx_options)
  if(RTXBENCH_HAVE_CUDA)
    # CMake 3.25 drops CUDA_STANDARD 20 without a word. constexpr functions of data.hpp run on the device.
    target_compile_options(rtx_parts PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --expt-relaxed-constexpr>)
    target_include_directories(rtx_parts PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    target_link_libraries(rtx_parts PUBLIC CUDA::cudart_static)
    file(GLOB FILES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/kernels/cuda/sm90a/*.cu")
    if(FILES)  # what only sm_90a can compile, in a target of its own
      add_library(rtx_kernels_sm90a OBJECT ${FILES})
      set_target_properties(rtx_kernels_sm90a PROPERTIES CUDA_ARCHITECTURES 90a-real)
      target_compile_options(rtx_kernels_sm90a PRIVATE -std=c++20 --expt-relaxed-constexpr)
      target_link_libraries(rtx_kernels_sm90a PRIVATE rtx_core)
      target_sources(rtx_parts PRIVATE $<TARGET_OBJECTS:rtx_kernels_sm90a>)
    endif()
  endif()
endfunction()
