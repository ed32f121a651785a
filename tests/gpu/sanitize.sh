#!/usr/bin/env bash
# Runs that must end well although launches are serialised or watched:
#   tests/gpu/sanitize.sh RTXBENCH [BUILD_FOLDER]
# CUDA_LAUNCH_BLOCKING=1, --no-spin, and compute-sanitizer memcheck (0 errors expected) over small products of every type and,
# with a build folder, over the GPU tests. Left out of those: what times something, because a serialised launch has no time worth
# comparing, and what provokes an error on purpose.
set -euo pipefail
rtxbench=${1:?usage: tests/gpu/sanitize.sh RTXBENCH [BUILD_FOLDER]}
build=${2:-}
small=(gemm --provider cublas --m 129 --n 65 --k 257 --regime burst --min-time 0.05s --max-time 0.2s)
# The worker holds the device, so children are followed.
memcheck=(compute-sanitizer --tool memcheck --target-processes all --error-exitcode 99)

echo "== CUDA_LAUNCH_BLOCKING=1"
CUDA_LAUNCH_BLOCKING=1 "$rtxbench" "${small[@]}" --dtype fp16,fp32
echo "== --no-spin"
"$rtxbench" "${small[@]}" --dtype fp16,fp32 --no-spin
echo "== compute-sanitizer memcheck: rtxbench"
# The spin kernel is on: where launches are serialised, its time-out must end the wait.
"${memcheck[@]}" "$rtxbench" "${small[@]}" --timeout 5m --dtype fp64,fp32,tf32,fp16,bf16
if [[ -n $build ]]; then
  echo "== compute-sanitizer memcheck: GPU tests"
  "${memcheck[@]}" "$build/tests/rtx_gpu_tests" --gtest_filter='DataTest.*:CublasTest.*-*Fault42*:*Fault21*'
fi
echo "sanitize: all ended well"
