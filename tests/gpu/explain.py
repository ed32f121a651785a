#!/usr/bin/env python3
"""Where does a difference between rtxbench and PyTorch come from?

    tests/gpu/explain.py RTXBENCH [--cases fp16:2048,fp16:8192,tf32:4096,tf32:8192] [--seconds 5] [--out FILE.json]

For each case one process runs square GEMMs back to back with a flush of L2 before each and varies one thing at a time:
  call   torch.mm, or cublasGemmEx with rtxbench's arguments on the very same operands;
  flush  PyTorch's zero_() as in triton.testing.do_bench, or cudaMemsetAsync as in rtxbench.
It prints the median of each second (a drift is heat), the kernels that ran, and then what rtxbench says of the case.
"""
import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import time

import torch

FLUSH_BYTES = 256 << 20
CUDA_R_32F, CUDA_R_16F, CUDA_R_16BF = 0, 2, 14
COMPUTE_32F, COMPUTE_32F_FAST_TF32 = 68, 77
DEFAULT_ALGORITHM = -1
TYPES = {"fp16": (torch.float16, CUDA_R_16F, COMPUTE_32F), "bf16": (torch.bfloat16, CUDA_R_16BF, COMPUTE_32F),
         "tf32": (torch.float32, CUDA_R_32F, COMPUTE_32F_FAST_TF32), "fp32": (torch.float32, CUDA_R_32F, COMPUTE_32F)}


def loaded(name):
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return sorted({line.split()[-1] for line in maps if name in line})[0]


class DirectCublas:
    """cublasGemmEx as rtxbench calls it, on PyTorch's stream."""

    def __init__(self):
        self.library = ctypes.CDLL(loaded("libcublas.so"))
        self.handle = ctypes.c_void_p()
        assert self.library.cublasCreate_v2(ctypes.byref(self.handle)) == 0
        self.workspace = torch.empty(32 << 20, dtype=torch.uint8, device="cuda")
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        assert self.library.cublasSetStream_v2(self.handle, stream) == 0
        assert self.library.cublasSetWorkspace_v2(self.handle, ctypes.c_void_p(self.workspace.data_ptr()),
                                                  ctypes.c_size_t(self.workspace.numel())) == 0

    def mm(self, dtype, a, b, d):
        _, data, compute = TYPES[dtype]
        size = a.shape[0]
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        pointer = lambda tensor: ctypes.c_void_p(tensor.data_ptr())
        status = self.library.cublasGemmEx(self.handle, 0, 0, size, size, size, ctypes.byref(one), pointer(b), data, size, pointer(a),
                                           data, size, ctypes.byref(zero), pointer(d), data, size, compute, DEFAULT_ALGORITHM)
        assert status == 0, status


def kernels_of(call):
    from torch.profiler import ProfilerActivity, profile
    with profile(activities=[ProfilerActivity.CUDA]) as profiler:
        call()
        torch.cuda.synchronize()
    return [event.key for event in profiler.key_averages()]


def medians_by_second(call, flush, seconds):
    """Enqueues in batches, two ahead, so that the device never waits."""
    windows, batches, started = [[] for _ in range(seconds)], [], time.monotonic()
    while True:
        batch = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(50)]
        for before, after in batch:
            flush()
            before.record()
            call()
            after.record()
        batches.append(batch)
        if len(batches) < 3:
            continue
        oldest = batches.pop(0)
        oldest[-1][1].synchronize()
        second = int(time.monotonic() - started)
        if second >= seconds:
            torch.cuda.synchronize()
            return [statistics.median(window) * 1e-3 for window in windows if window]
        windows[second] += [before.elapsed_time(after) for before, after in oldest]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rtxbench")
    parser.add_argument("--cases", default="fp16:2048,fp16:8192,tf32:4096,tf32:8192")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--out")
    arguments = parser.parse_args()
    torch.mm(torch.ones(8, 8, device="cuda"), torch.ones(8, 8, device="cuda"))  # loads cuBLAS
    direct = DirectCublas()
    runtime = ctypes.CDLL(loaded("libcudart.so"))
    cache = torch.empty(FLUSH_BYTES // 4, dtype=torch.int32, device="cuda")
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    flushes = {"zero_": cache.zero_,
               "memset": lambda: runtime.cudaMemsetAsync(ctypes.c_void_p(cache.data_ptr()), 0, ctypes.c_size_t(FLUSH_BYTES), stream)}
    results = []
    for case in arguments.cases.split(","):
        dtype, size = case.split(":")[0], int(case.split(":")[1])
        element = TYPES[dtype][0]
        torch.backends.cuda.matmul.allow_tf32 = dtype == "tf32"
        a, b = ((torch.rand(size, size, device="cuda") * 2 - 1).to(element) for _ in range(2))
        d = torch.empty(size, size, device="cuda", dtype=element)
        calls = {"torch.mm": lambda: torch.mm(a, b, out=d), "cublasGemmEx": lambda: direct.mm(dtype, a, b, d)}
        for call_name, call in calls.items():
            kernels = kernels_of(call)
            for flush_name, flush in flushes.items():
                medians = medians_by_second(call, flush, arguments.seconds)
                print(f"{case:10} {call_name:12} {flush_name:6} " + " ".join(f"{x * 1e6:9.2f}" for x in medians) + f" us  {kernels}",
                      flush=True)
                results.append({"case": case, "call": call_name, "flush": flush_name, "kernels": kernels, "medians_s": medians})
        command = [arguments.rtxbench, "gemm", "--dtype", dtype, "--m", str(size), "--regime", "sustained", "--cache", "flush",
                   "--provider", "cublas", "--min-time", "1s", "--max-time", "4s", "--json", "-"]
        environment = dict(os.environ, RTXBENCH_CUBLAS=loaded("libcublas.so"))
        report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout)
        record = report["records"][0]
        measurement = record["measurement"]
        print(f"{case:10} rtxbench            {measurement['time']['median_s'] * 1e6:9.2f} us  {record['kernels']}  clock "
              f"{(measurement['clock_hz'] or 0) / 1e6:.0f} MHz  power {record['telemetry']['power_w'] or 0:.0f} W", flush=True)
        results.append({"case": case, "call": "rtxbench", "record": record})
    print("flush kernels:", {name: kernels_of(flush) for name, flush in flushes.items()})
    if arguments.out:
        with open(arguments.out, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
