#!/usr/bin/env python3
"""Do rtxbench and PyTorch agree about the same work?

    tests/gpu/agreement.py RTXBENCH [--dtypes fp16,bf16,tf32,fp32] [--sizes 2048,4096,8192] [--processes 3] [--out FILE.json]
                           [--warmup 3000] [--rep 3000] [--min-time 1] [--max-time 4]

Square GEMMs, operands uniform in [-1, 1), L2 flushed before every timed call, back to back. PyTorch is timed by
triton.testing.do_bench (median), rtxbench by `gemm --regime sustained --cache flush --provider cublas`, both on the cuBLAS that
PyTorch has loaded. Fresh processes take turns: PyTorch, rtxbench, PyTorch, ... per data type. Needs a CUDA device, PyTorch and
Triton. With the defaults a data type takes about three minutes: choose types or shorter times to fit a limit. Prints a row a shape and exits 1 unless every ratio of medians lies within 2 % and rtxbench is not slower than 0.99 x.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

TORCH_CHILD = "--torch-child"


def torch_child(dtype, sizes, warmup_ms, rep_ms):
    """Runs in a process of its own: prints {"cublas": path, "median_s": {size: s}}."""
    import torch
    import triton.testing

    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = dtype == "tf32"
    element = {"fp64": torch.float64, "fp32": torch.float32, "tf32": torch.float32, "fp16": torch.float16,
               "bf16": torch.bfloat16}[dtype]
    medians = {}
    for size in sizes:
        a = (torch.rand(size, size, device="cuda", dtype=torch.float32) * 2 - 1).to(element)
        b = (torch.rand(size, size, device="cuda", dtype=torch.float32) * 2 - 1).to(element)
        d = torch.empty(size, size, device="cuda", dtype=element)
        medians[size] = triton.testing.do_bench(lambda: torch.mm(a, b, out=d), warmup=warmup_ms, rep=rep_ms,
                                                return_mode="median") * 1e-3
    with open("/proc/self/maps", encoding="utf-8") as maps:
        libraries = {line.split()[-1] for line in maps if "libcublas.so" in line}
    print(json.dumps({"cublas": sorted(libraries)[0], "median_s": medians}))


def run_torch(dtype, sizes, arguments):
    command = [sys.executable, os.path.abspath(__file__), TORCH_CHILD, dtype, ",".join(map(str, sizes)), str(arguments.warmup),
               str(arguments.rep)]
    output = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return output["cublas"], {int(size): seconds for size, seconds in output["median_s"].items()}


def run_rtxbench(dtype, sizes, arguments, cublas):
    command = [arguments.rtxbench, "gemm", "--dtype", dtype, "--m", ",".join(map(str, sizes)), "--regime", "sustained", "--cache",
               "flush", "--provider", "cublas", "--min-time", f"{arguments.min_time}s", "--max-time", f"{arguments.max_time}s", "--json",
               "-"]
    environment = dict(os.environ, RTXBENCH_CUBLAS=cublas)
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout)
    found = {}
    for record in report["records"]:
        assert record["status"] == "passed", record
        found[record["case"]["values"]["m"]] = record["measurement"]["time"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rtxbench")
    parser.add_argument("--dtypes", default="fp16,bf16,tf32,fp32")
    parser.add_argument("--sizes", default="2048,4096,8192")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--warmup", type=int, default=3000, help="of do_bench, ms")
    parser.add_argument("--rep", type=int, default=3000, help="of do_bench, ms")
    parser.add_argument("--min-time", type=float, default=1, help="of an rtxbench measurement, s")
    parser.add_argument("--max-time", type=float, default=4, help="of an rtxbench measurement, s")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    rows, agreed = [], True
    for dtype in arguments.dtypes.split(","):
        peer, ours, cublas = {size: [] for size in sizes}, {size: [] for size in sizes}, None
        for _ in range(arguments.processes):
            cublas, medians = run_torch(dtype, sizes, arguments)
            for size in sizes:
                peer[size].append(medians[size])
            for size, time in run_rtxbench(dtype, sizes, arguments, cublas).items():
                ours[size].append(time)
        for size in sizes:
            # Speed ratio rtxbench / PyTorch, process by process; its extremes with rtxbench's own 95 % interval put on top.
            ratios = [p / o["median_s"] for p, o in zip(peer[size], ours[size])]
            low = min(p / o["upper_s"] for p, o in zip(peer[size], ours[size]))
            high = max(p / o["lower_s"] for p, o in zip(peer[size], ours[size]))
            peer_s = statistics.median(peer[size])
            our_s = statistics.median(o["median_s"] for o in ours[size])
            ratio = statistics.median(ratios)
            good = abs(ratio - 1) <= 0.02 and ratio >= 0.99 and high >= 1.0
            agreed &= good
            rows.append({"dtype": dtype, "size": size, "pytorch_s": peer[size], "rtxbench_s": [o["median_s"] for o in ours[size]],
                         "ratio": ratio, "ratio_low": low, "ratio_high": high, "cublas": cublas, "agreed": good})
            flop = 2 * size**3
            print(f"{dtype:5} {size:6}  PyTorch {peer_s * 1e6:10.2f} us {flop / peer_s / 1e12:7.1f} TFLOPS   rtxbench "
                  f"{our_s * 1e6:10.2f} us {flop / our_s / 1e12:7.1f} TFLOPS   speed ratio {ratio:.4f} [{low:.4f}, {high:.4f}] "
                  f"{'ok' if good else 'DIFFERS'}", flush=True)
            if arguments.out:
                with open(arguments.out, "w", encoding="utf-8") as file:
                    json.dump(rows, file, indent=1)
    return 0 if agreed else 1


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == TORCH_CHILD:
        torch_child(sys.argv[2], [int(size) for size in sys.argv[3].split(",")], int(sys.argv[4]), int(sys.argv[5]))
    else:
        sys.exit(main())
