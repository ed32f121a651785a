# Shared by scripts/run, scripts/test and .ci/run (bash): packages, configuration and build. Talks on stderr only.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=${RTXBENCH_PRESET:-release}
build=$root/build/$preset

say() { printf 'rtxbench: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# install_packages NAME...: those of them that Debian's package manager does not know as installed.
install_packages() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      sudo=(sudo -n)
    else
      fail "these packages are missing; install them, then start again:
  sudo apt-get update && sudo apt-get install -y ${missing[*]}"
    fi
  fi
  say "installing ${missing[*]}"
  # Without the lists of a package source that is down, what the others offer may still suffice.
  "${sudo[@]}" apt-get update -qq >&2 || true
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
    fail "apt-get could not install ${missing[*]}; its message stands above"
}

# need_tools: a compiler, CMake and Ninja, wherever they come from, new enough.
need_tools() {
  command -v "${CXX:-g++}" >/dev/null || install_packages g++
  command -v cmake >/dev/null || install_packages cmake
  command -v ninja >/dev/null || install_packages ninja-build
  local compiler cmake
  compiler=$("${CXX:-g++}" -dumpversion)
  [ "${compiler%%.*}" -ge 12 ] || fail "${CXX:-g++} is version $compiler; C++20 needs g++ >= 12 (or clang++ >= 15): set CXX"
  cmake=$(cmake --version | sed -n '1s/.* //p')
  printf '3.25\n%s\n' "$cmake" | sort -V -C || fail "CMake is version $cmake; 3.25 or later is needed (Debian 12, Ubuntu 24.04)"
}

# need_packages [TEST]: everything that the build finds by find_package. Elsewhere than on Debian and its kin, CMake names what is
# missing.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    need_tools_elsewhere
    return
  fi
  need_tools
  install_packages libfmt-dev libcli11-dev nlohmann-json3-dev libopenblas-dev
  [ "${1:-}" != TEST ] || install_packages libgtest-dev libgmock-dev python3 python3-jsonschema
}
need_tools_elsewhere() {
  local tool
  for tool in "${CXX:-g++}" cmake ninja; do
    command -v "$tool" >/dev/null || fail "$tool was not found; install it (only Debian and Ubuntu are set up automatically)"
  done
}

have_card() { [ -n "$(ls -A /proc/driver/nvidia/gpus 2>/dev/null)" ] || nvidia-smi -L 2>/dev/null | grep -q '^GPU '; }

# card_models: the driver's names of the cards, each once, at no cost; nothing where it shows none.
card_models() { sed -n 's/^Model:[[:space:]]*//p' /proc/driver/nvidia/gpus/*/information 2>/dev/null | sort -u | paste -sd, - || true; }

# nvcc_version: "13.0" of the nvcc that CMake will take (cmake/RtxbenchCuda.cmake), or nothing.
nvcc_version() {
  local nvcc=${CUDACXX:-}
  [ -n "$nvcc" ] || nvcc=$(PATH="$PATH:/usr/local/cuda/bin" command -v nvcc) || return 0
  "$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p' || true
}

warn_of_missing_toolkit() {
  local version=$1
  [ "$preset" = release ] && have_card || return 0
  [ -z "$version" ] || ! printf '12.8\n%s\n' "$version" | sort -V -C || return 0
  say "there is an NVIDIA card, but ${version:+only }CUDA Toolkit ${version:->= 12.8 is missing}; building for the CPU only.
  Install CUDA Toolkit 12.8 or later (https://developer.nvidia.com/cuda-downloads) and start again to measure the card."
}

# configure ON|OFF: with tests or without. Again only when the toolkit, the cards or the compiler differ from the last time, or
# tests are wanted for the first time.
configure() {
  local tests=$1 nvcc state
  nvcc=$(nvcc_version)
  state="nvcc=$nvcc cards=$(card_models) cxx=${CXX:-g++}"
  if [ -f "$build/build.ninja" ] && [ "$state" = "$(cat "$build/setup.state" 2>/dev/null)" ]; then
    [ "$tests" = ON ] && grep -q '^BUILD_TESTING:BOOL=OFF' "$build/CMakeCache.txt" || return 0
  fi
  warn_of_missing_toolkit "$nvcc"
  say "configuring build/$preset"
  local log=$build/configure.log
  (cd "$root" && cmake --fresh --preset "$preset" -DBUILD_TESTING="$tests") >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
  sed -n 's/^-- \(rtxbench: \)/\1/p' "$log" >&2
  printf '%s\n' "$state" >"$build/setup.state"
}

# build_target TARGET: says so only where there is no program yet; compiler messages go to stderr.
build_target() {
  if [ -x "$build/bin/rtxbench" ]; then
    ninja -C "$build" --quiet "$1" >&2
  else
    say "building build/$preset (a few minutes the first time)"
    ninja -C "$build" "$1" >&2
  fi
}

# set_up TARGET [TEST]: all of the above, one at a time for a build folder.
set_up() {
  local target=$1 kind=${2:-}
  need_packages "$kind"
  mkdir -p "$build"
  exec 9>"$build/setup.lock"
  flock 9
  configure "$([ "$kind" = TEST ] && echo ON || echo OFF)"
  build_target "$target"
  exec 9>&-
}
