# RTXBENCH_CUDA: AUTO takes CUDA where a toolkit >= 12.8 is found, ON insists, OFF builds for CPUs only.

set(RTXBENCH_CUDA AUTO CACHE STRING "CUDA backend: AUTO, ON or OFF")
set_property(CACHE RTXBENCH_CUDA PROPERTY STRINGS AUTO ON OFF)
set(RTXBENCH_HAVE_CUDA OFF)
# Without these the C++ standard is required of CUDA too, which CMake 3.25 refuses for nvcc; the targets pass -std=c++20 themselves.
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED OFF)

if(NOT RTXBENCH_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75 CACHE STRING "" FORCE)
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit 12.8 QUIET)
    if(CUDAToolkit_FOUND)
      set(RTXBENCH_HAVE_CUDA ON)
    endif()
  endif()
  if(NOT RTXBENCH_HAVE_CUDA AND RTXBENCH_CUDA STREQUAL "ON")
    message(FATAL_ERROR "RTXBENCH_CUDA=ON, but no CUDA Toolkit >= 12.8 was found. Install one and put nvcc on PATH (or set CUDACXX), "
                        "or configure with -DRTXBENCH_CUDA=OFF.")
  endif()
endif()
message(STATUS "rtxbench: CUDA backend ${RTXBENCH_HAVE_CUDA}")
