#!/usr/bin/env python3
"""Where does a difference between rtxbench and triton.testing.do_bench come from?

    tests/gpu/explain.py RTXBENCH [--cases fp16:4096,bf16:4096,bf16:2048,tf32:2048] [--seconds 5] [--out FILE.json]

Square GEMMs, L2 flushed before each call, in PyTorch's process. One thing varies at a time:
  do_bench triton.testing.do_bench itself, its events read as they are;
  loop     do_bench's own loop, flush, event, torch.mm, event, launched call by call from Python;
  graph    the same launches replayed from a CUDA graph, so that the host cannot hold the device up;
  cublas   the graph again, with cublasGemmEx as rtxbench calls it for torch.mm;
  memset   the graph again, with cudaMemsetAsync for zero_();
  bursts   do_bench's loop in groups of at most ten with 100 ms of rest, as a burst of rtxbench.
Beside the median of each stands what the heat of the chip depends on: the time from one call to the next, the clock stamped on the
device by a kernel before and after (cycles over time, each multiprocessor with itself), power and temperature. Then rtxbench's own
rows, sustained to be compared with all but `bursts`, burst with that. Needs a CUDA device, PyTorch, Triton and nvidia-ml-py.
"""
import argparse
import ctypes
import json
import os
import subprocess
import sys
import time

import torch
import torch_peer
from torch_peer import loaded

FLUSH_BYTES = 256 << 20
CUDA_R_32F, CUDA_R_16F, CUDA_R_16BF = 0, 2, 14
COMPUTE_32F, COMPUTE_32F_FAST_TF32 = 68, 77
DEFAULT_ALGORITHM = -1
EVENT_RECORD_EXTERNAL = 1
CALLS_PER_GRAPH = 50
REST_S = 3  # before each row: at its power limit a warmer board holds a lower clock
CUBLAS_TYPES = {"fp16": (CUDA_R_16F, COMPUTE_32F), "bf16": (CUDA_R_16BF, COMPUTE_32F),
                "tf32": (CUDA_R_32F, COMPUTE_32F_FAST_TF32), "fp32": (CUDA_R_32F, COMPUTE_32F)}


class Cublas:
    """cublasGemmEx as rtxbench calls it, on PyTorch's current stream."""

    def __init__(self):
        self.library = ctypes.CDLL(loaded("libcublas.so"))
        self.handle = ctypes.c_void_p()
        assert self.library.cublasCreate_v2(ctypes.byref(self.handle)) == 0
        self.workspace = torch.empty(32 << 20, dtype=torch.uint8, device="cuda")

    def mm(self, dtype, a, b, d):
        data, compute = CUBLAS_TYPES[dtype]
        size = a.shape[0]
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        assert self.library.cublasSetStream_v2(self.handle, current_stream()) == 0
        assert self.library.cublasSetWorkspace_v2(self.handle, ctypes.c_void_p(self.workspace.data_ptr()),
                                                  ctypes.c_size_t(self.workspace.numel())) == 0
        pointer = lambda tensor: ctypes.c_void_p(tensor.data_ptr())
        status = self.library.cublasGemmEx(self.handle, 0, 0, size, size, size, ctypes.byref(one), pointer(b), data, size, pointer(a),
                                           data, size, ctypes.byref(zero), pointer(d), data, size, compute, DEFAULT_ALGORITHM)
        assert status == 0, status


class Runtime:
    """The CUDA runtime that PyTorch has loaded: the few functions that PyTorch does not show."""

    def __init__(self):
        self.library = ctypes.CDLL(loaded("libcudart.so"))

    def event(self):
        event = ctypes.c_void_p()
        assert self.library.cudaEventCreate(ctypes.byref(event)) == 0
        return event

    def record_in_graph(self, event):
        assert self.library.cudaEventRecordWithFlags(event, current_stream(), EVENT_RECORD_EXTERNAL) == 0

    def elapsed_s(self, before, after):
        elapsed_ms = ctypes.c_float()
        assert self.library.cudaEventElapsedTime(ctypes.byref(elapsed_ms), before, after) == 0
        return elapsed_ms.value * 1e-3

    def zero(self, tensor):
        assert self.library.cudaMemsetAsync(ctypes.c_void_p(tensor.data_ptr()), 0, ctypes.c_size_t(tensor.nbytes), current_stream()) == 0


def current_stream():
    return ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)


def run_loop(call, flush, stamps, seconds):
    """do_bench's loop, two groups ahead of the device. The samples of the last second."""
    groups, queue, started = [], [], time.monotonic()
    while time.monotonic() - started < seconds or queue:
        if time.monotonic() - started < seconds:
            queue.append((time.monotonic() - started, torch_peer.enqueue(call, flush, stamps, CALLS_PER_GRAPH)))
            if len(queue) < 3:
                continue
        at_s, group = queue.pop(0)
        group = torch_peer.read(*group)
        if at_s > seconds - 1:
            groups.append(group)
    return torch_peer.summary(groups)


def run_do_bench(call, stamps, seconds):
    started = time.monotonic()
    while time.monotonic() - started < seconds:
        row = torch_peer.do_bench(call, stamps)
    return row


def run_graph(call, flush, stamps, runtime, seconds):
    """The same launches from a CUDA graph. Its events keep the times of the last replay, so every third replay is read."""
    events = [(runtime.event(), runtime.event()) for _ in range(CALLS_PER_GRAPH)]
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for start, stop in events:
            flush()
            runtime.record_in_graph(start)
            call()
            runtime.record_in_graph(stop)
    groups, started = [], time.monotonic()
    while time.monotonic() - started < seconds:
        at_s = time.monotonic() - started
        before = stamps.record()
        for _ in range(3):
            graph.replay()
        after = stamps.record()
        torch.cuda.synchronize()
        if at_s > seconds - 1:
            groups.append(([runtime.elapsed_s(start, stop) for start, stop in events],
                           [runtime.elapsed_s(one[0], two[0]) for one, two in zip(events, events[1:])], before, after))
    return torch_peer.summary(groups)


def run_rtxbench(program, dtype, size, regime):
    command = [program, "gemm", "--dtype", dtype, "--m", str(size), "--regime", regime, "--cache", "flush", "--provider", "cublas",
               "--min-time", "1s", "--max-time", "4s", "--json", "-"]
    environment = dict(os.environ, RTXBENCH_CUBLAS=loaded("libcublas.so"))
    (record,) = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout)["records"]
    assert record["status"] == "passed", record
    return {"median_s": record["measurement"]["time"]["median_s"], "period_s": None, "clock_hz": record["measurement"]["clock_hz"],
            "power_w": record["telemetry"]["power_w"],
            "temperature_c": record["telemetry"]["temperature_c"], "kernels": record["kernels"]}


def text_of(case, name, row, peer=None):
    period = f"{row['period_s'] * 1e6:9.2f}" if row["period_s"] else " " * 8 + "-"
    power = f"{row['power_w']:4.0f} W" if row["power_w"] else "   - W"
    power += f"  {row['temperature_c']:2.0f} C" if row["temperature_c"] else "   - C"
    against = f"  speed ratio to {peer[0]} {peer[1]['median_s'] / row['median_s']:.4f}, in cycles " \
              f"{peer[1]['median_s'] * peer[1]['clock_hz'] / row['median_s'] / row['clock_hz']:.4f}" if peer else ""
    return f"{case:10} {name:18} {row['median_s'] * 1e6:9.2f} us  every {period} us  {row['clock_hz'] / 1e6:5.0f} MHz  {power}{against}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rtxbench")
    parser.add_argument("--cases", default="fp16:4096,bf16:4096,bf16:2048,tf32:2048")
    parser.add_argument("--seconds", type=float, default=5, help="of each loop; its last second counts")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    torch.mm(torch.ones(8, 8, device="cuda"), torch.ones(8, 8, device="cuda"))  # loads cuBLAS
    cublas, runtime, stamps = Cublas(), Runtime(), torch_peer.Stamps()
    sensors = torch_peer.Sensors(tail_s=1)
    cache = torch.empty(FLUSH_BYTES // 4, dtype=torch.int32, device="cuda")
    results = []
    for case in arguments.cases.split(","):
        dtype, size = case.split(":")[0], int(case.split(":")[1])
        a, b, d = torch_peer.operands(dtype, size)
        mm = lambda: torch.mm(a, b, out=d)
        zero = cache.zero_
        mm()
        torch.cuda.synchronize()
        variants = {"do_bench": lambda: run_do_bench(mm, stamps, arguments.seconds),
                    "graph": lambda: run_graph(mm, zero, stamps, runtime, arguments.seconds),
                    "loop": lambda: run_loop(mm, zero, stamps, arguments.seconds),
                    "cublas": lambda: run_graph(lambda: cublas.mm(dtype, a, b, d), zero, stamps, runtime, arguments.seconds),
                    "memset": lambda: run_graph(mm, lambda: runtime.zero(cache), stamps, runtime, arguments.seconds),
                    "bursts": lambda: torch_peer.bursts(mm, zero, stamps, arguments.seconds)}
        rows = {}
        for name, variant in variants.items():
            time.sleep(REST_S)
            with sensors:
                rows[name] = variant()
            rows[name] |= {"power_w": sensors.power_w, "temperature_c": sensors.temperature_c}
            print(text_of(case, name, rows[name]), flush=True)
        for regime, peer in (("sustained", "do_bench"), ("sustained", "loop"), ("sustained", "graph"), ("burst", "bursts")):
            name = f"rtxbench {regime}"
            if name not in rows:
                time.sleep(REST_S)
                rows[name] = run_rtxbench(arguments.rtxbench, dtype, size, regime)
            print(text_of(case, name, rows[name], (peer, rows[peer])), flush=True)
        results.append({"case": case, "rows": rows})
        if arguments.out:
            with open(arguments.out, "w", encoding="utf-8") as file:
                json.dump(results, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
