#!/usr/bin/env bash
# Runs that must end well although launches are serialised or watched:
#   tests/gpu/sanitize.sh RTXBENCH
# compute-sanitizer memcheck over small products of every type (0 errors expected), CUDA_LAUNCH_BLOCKING=1, and --no-spin.
set -euo pipefail
rtxbench=${1:?usage: tests/gpu/sanitize.sh RTXBENCH}
small=(gemm --provider cublas --m 129 --n 65 --k 257 --regime burst --min-time 0.05s --max-time 0.2s)

echo "== CUDA_LAUNCH_BLOCKING=1"
CUDA_LAUNCH_BLOCKING=1 "$rtxbench" "${small[@]}" --dtype fp16,fp32
echo "== --no-spin"
"$rtxbench" "${small[@]}" --dtype fp16,fp32 --no-spin
echo "== compute-sanitizer memcheck"
# The worker holds the device, so children are followed; the spin kernel is on: its time-out must end the wait.
compute-sanitizer --tool memcheck --target-processes all --error-exitcode 99 "$rtxbench" "${small[@]}" --timeout 5m \
  --dtype fp64,fp32,tf32,fp16,bf16
echo "sanitize: all ended well"
