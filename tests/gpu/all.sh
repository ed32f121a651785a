#!/usr/bin/env bash
# Runs the C++ tests that need a CUDA device:
#   tests/gpu/all.sh BUILD_FOLDER [GTEST_ARGUMENTS...]
# The test of the broken context starts a process of its own. Exits non-zero when a test fails or when there is no device, since
# tests that are all skipped have shown nothing.
set -euo pipefail
build=${1:?usage: tests/gpu/all.sh BUILD_FOLDER [GTEST_ARGUMENTS...]}
shift
"$build/tests/rtx_backend_cuda_tests" --gtest_brief=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$build/tests/rtx_gpu_tests" "$@" | tee "$log"
if ! grep -q '^\[ *OK \]' "$log"; then
  echo "all.sh: no test ran to its end; the reasons stand above" >&2
  exit 5
fi
