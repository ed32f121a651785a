#!/usr/bin/env python3
"""Do rtxbench and PyTorch agree about the same work?

    tests/gpu/agreement.py RTXBENCH [--dtypes fp16,bf16,tf32,fp32] [--sizes 2048,4096,8192] [--processes 3] [--out FILE.json]
                           [--regimes burst,sustained] [--warmup 3000] [--rep 3000] [--min-time 1] [--max-time 4]

Square GEMMs, operands uniform in [-1, 1), L2 flushed before every timed call, both on the cuBLAS that PyTorch has loaded. Every
case runs in a process of its own, PyTorch and rtxbench by turns, each first in every other pair and each after the same rest.
  sustained  back to back, hot: triton.testing.do_bench (median, repeated until the board is as hot as rtxbench makes it) against
             `gemm --regime sustained --cache flush --provider cublas`;
  burst      a few calls at a time on a cool chip: do_bench's loop body with the pauses of a burst of rtxbench against
             `--regime burst`.
Beside each time stands the clock, stamped on the device in both. Back to back the board is at its power limit, where its clock, and
with it the time, moves by 2 % from process to process with the same code: there the two have to agree within 2 %, and the ratio in
cycles shows what the clock made of it. Whether rtxbench calls cuBLAS as fast as PyTorch is decided in bursts: at least 0.99 x, and
the range of the ratios reaches 1.

Needs a CUDA device, PyTorch, Triton and nvidia-ml-py. Exits 1 unless all of that holds.
A case takes about 30 s a pair of processes, 17 s with --regimes burst: split long runs by --dtypes.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

TORCH_CHILD = "--torch-child"
CUBLAS_CHILD = "--cublas-child"
FLUSH_BYTES = 256 << 20  # as do_bench
HEATING_S = 4.5
BURSTS_S = 2
REST_S = 5.0  # from the end of a process to the work of the next; importing PyTorch takes most of it


def torch_child(dtype, size, regimes, warmup_ms, rep_ms, start_at):
    """Runs in a process of its own, works from monotonic time `start_at`; prints {regime: {"median_s": s, ...}}."""
    import torch
    import torch_peer

    a, b, d = torch_peer.operands(dtype, size)
    call = lambda: torch.mm(a, b, out=d)
    call()
    stamps = torch_peer.Stamps()
    torch.cuda.synchronize()
    time.sleep(max(0.0, start_at - time.monotonic()))
    rows = {}
    if "burst" in regimes:
        cache = torch.empty(FLUSH_BYTES // 4, dtype=torch.int32, device="cuda")
        rows["burst"] = torch_peer.bursts(call, cache.zero_, stamps, BURSTS_S)
        del cache
    # do_bench plans its repetitions from five calls, of which the first ones are slow: it then lasts far less than it was told to
    # (0.3 s at 2048 instead of 6 s), and the board has not reached its power limit. So it is repeated for as long as rtxbench
    # heats, and its last answer counts.
    if "sustained" in regimes:
        with torch_peer.Sensors(tail_s=1) as sensors:
            started = time.monotonic()
            while time.monotonic() - started < HEATING_S:
                rows["sustained"] = torch_peer.do_bench(call, stamps, warmup_ms, rep_ms)
        rows["sustained"] |= {"power_w": sensors.power_w, "temperature_c": sensors.temperature_c}
    print(json.dumps(rows))


def cublas_of_torch():
    """Prints the cuBLAS that PyTorch loads."""
    import torch
    import torch_peer

    torch.mm(torch.ones(8, 8, device="cuda"), torch.ones(8, 8, device="cuda"))
    print(torch_peer.loaded("libcublas.so"))


def run_torch(dtype, size, arguments, start_at):
    command = [sys.executable, os.path.abspath(__file__), TORCH_CHILD, dtype, str(size), arguments.regimes, str(arguments.warmup),
               str(arguments.rep), str(start_at)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def run_rtxbench(dtype, size, arguments, cublas, start_at):
    time.sleep(max(0.0, start_at - time.monotonic()))
    command = [arguments.rtxbench, "gemm", "--dtype", dtype, "--m", str(size), "--regime", arguments.regimes, "--cache", "flush",
               "--provider", "cublas", "--min-time", f"{arguments.min_time}s", "--max-time", f"{arguments.max_time}s", "--json", "-"]
    environment = dict(os.environ, RTXBENCH_CUBLAS=cublas)
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout)
    rows = {}
    for record in report["records"]:
        assert record["status"] == "passed", record
        measurement, duration = record["measurement"], record["measurement"]["time"]
        regime = "sustained" if "regime=sustained" in record["case"]["id"] else "burst"  # ids leave out the default
        rows[regime] = {"median_s": duration["median_s"], "lower_s": duration["lower_s"], "upper_s": duration["upper_s"],
                        "clock_hz": measurement["clock_hz"] or 0, "power_w": record["telemetry"]["power_w"],
                        "temperature_c": record["telemetry"]["temperature_c"]}
    assert sorted(rows) == sorted(arguments.regimes.split(",")), list(rows)
    return rows


def compare(dtype, size, arguments, cublas):
    """One row a regime: PyTorch and rtxbench by turns."""
    peer, ours = [], []
    sides = [lambda: peer.append(run_torch(dtype, size, arguments, time.monotonic() + REST_S)),
             lambda: ours.append(run_rtxbench(dtype, size, arguments, cublas, time.monotonic() + REST_S))]
    for process in range(arguments.processes):
        for side in sides if process % 2 == 0 else reversed(sides):
            side()
    return [row_of(dtype, size, regime, [p[regime] for p in peer], [o[regime] for o in ours]) for regime in arguments.regimes.split(",")]


def row_of(dtype, size, regime, peer, ours):
    """Speed of rtxbench / PyTorch, pair by pair: the median; the extremes with rtxbench's own 95 % interval put on top."""
    pairs = list(zip(peer, ours))
    ratio = statistics.median(p["median_s"] / o["median_s"] for p, o in pairs)
    low, high = min(p["median_s"] / o["upper_s"] for p, o in pairs), max(p["median_s"] / o["lower_s"] for p, o in pairs)
    cycles = statistics.median(p["median_s"] * p["clock_hz"] / o["median_s"] / o["clock_hz"] for p, o in pairs)
    agreed = abs(ratio - 1) <= 0.02 if regime == "sustained" else ratio >= 0.99 and high >= 1
    return {"dtype": dtype, "size": size, "regime": regime, "pytorch": peer, "rtxbench": ours, "ratio": ratio, "ratio_low": low,
            "ratio_high": high, "cycles_ratio": cycles, "agreed": agreed}


def text_of(row):
    def side(runs):
        median_s, clock_hz = (statistics.median(run[key] for run in runs) for key in ("median_s", "clock_hz"))
        spread = max(run["median_s"] for run in runs) / min(run["median_s"] for run in runs) - 1
        return f"{median_s * 1e6:9.2f} us {2 * row['size']**3 / median_s / 1e12:6.1f} TFLOPS {clock_hz / 1e6:5.0f} MHz, spread {spread:.2%}"

    return (f"{row['dtype']:5} {row['size']:5} {row['regime']:9}  PyTorch {side(row['pytorch'])}  rtxbench {side(row['rtxbench'])}  "
            f"speed ratio {row['ratio']:.4f} [{row['ratio_low']:.4f}, {row['ratio_high']:.4f}]  in cycles {row['cycles_ratio']:.4f}  "
            f"{'ok' if row['agreed'] else 'DIFFERS'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rtxbench")
    parser.add_argument("--dtypes", default="fp16,bf16,tf32,fp32")
    parser.add_argument("--sizes", default="2048,4096,8192")
    parser.add_argument("--regimes", default="burst,sustained")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--warmup", type=int, default=3000, help="of do_bench, ms")
    parser.add_argument("--rep", type=int, default=3000, help="of do_bench, ms")
    parser.add_argument("--min-time", type=float, default=1, help="of an rtxbench measurement, s")
    parser.add_argument("--max-time", type=float, default=4, help="of an rtxbench measurement, s")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    child = subprocess.run([sys.executable, os.path.abspath(__file__), CUBLAS_CHILD], check=True, stdout=subprocess.PIPE, text=True)
    cublas = child.stdout.strip()
    rows = []
    for dtype in arguments.dtypes.split(","):
        for size in arguments.sizes.split(","):
            for row in compare(dtype, int(size), arguments, cublas):
                rows.append(row)
                print(text_of(row), flush=True)
            if arguments.out:
                with open(arguments.out, "w", encoding="utf-8") as file:
                    json.dump(rows, file, indent=1)
    return 0 if all(row["agreed"] for row in rows) else 1


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == TORCH_CHILD:
        torch_child(sys.argv[2], int(sys.argv[3]), sys.argv[4].split(","), int(sys.argv[5]), int(sys.argv[6]), float(sys.argv[7]))
    elif sys.argv[1:] == [CUBLAS_CHILD]:
        cublas_of_torch()
    else:
        sys.exit(main())
