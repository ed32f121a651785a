# Build defaults and the one helper for a module.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

option(RTXBENCH_WARNINGS_AS_ERRORS "Treat warnings as errors (set by the dev preset)" OFF)
set(RTXBENCH_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined (host code only)")

# Paths below the tree are hashed as relative ones, so that every clone and build folder shares the cache.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" "${CCACHE_PROGRAM}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}")
endif()

add_library(rtx_options INTERFACE)
target_compile_options(rtx_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers>
  # From -O2 on, GCC 12 sees overflows inside fmt 9, uninitialised values inside std::optional and overlaps inside std::string
  # that are none.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow -Wno-maybe-uninitialized -Wno-restrict>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${RTXBENCH_WARNINGS_AS_ERRORS}>>:-Werror>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${RTXBENCH_WARNINGS_AS_ERRORS}>>:-Werror=all-warnings>)
if(RTXBENCH_SANITIZE)
  # -O1: instrumented code without it is several times slower, and its reports stay as readable.
  target_compile_options(rtx_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-O1 -fsanitize=${RTXBENCH_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all>)
  target_link_options(rtx_options INTERFACE -fsanitize=${RTXBENCH_SANITIZE})
endif()

# rtx_module(core DEPENDS ...) -> library rtx_core of src/core/*.cpp; includes are "rtxbench/x.hpp" and "core/x.hpp".
function(rtx_module NAME)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB SOURCES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${NAME}/*.cpp")
  add_library(rtx_${NAME} STATIC ${SOURCES})
  target_include_directories(rtx_${NAME} PUBLIC "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(rtx_${NAME} PUBLIC ${ARG_DEPENDS} PRIVATE rtx_options)
endfunction()
