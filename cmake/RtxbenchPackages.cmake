# Packages, all carried by Debian 12 and Ubuntu 24.04. A missing one ends the configuration with the name of what to install.

# rtx_require(TARGET PACKAGE APT_NAME)
function(rtx_require TARGET PACKAGE APT)
  find_package(${PACKAGE} QUIET GLOBAL)
  if(NOT TARGET ${TARGET})
    message(FATAL_ERROR "rtxbench needs ${PACKAGE}, which was not found. Install it:  apt-get install ${APT}\n"
                        "(or run scripts/run, which installs everything that is missing)")
  endif()
endfunction()

rtx_require(fmt::fmt fmt libfmt-dev)
rtx_require(CLI11::CLI11 CLI11 libcli11-dev)
rtx_require(nlohmann_json::nlohmann_json nlohmann_json nlohmann-json3-dev)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# OpenBLAS is opened at run time; its header names the functions and its presence here decides nothing but a clear message.
find_package(OpenBLAS QUIET)
if(NOT OpenBLAS_FOUND)
  message(FATAL_ERROR "rtxbench needs OpenBLAS (provider `openblas`), which was not found. Install it:  apt-get install libopenblas-dev")
endif()
