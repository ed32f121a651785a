#!/usr/bin/env python3
"""Do rtxbench and PyTorch agree about the same work?

    tests/gpu/agreement.py RTXBENCH [--dtypes fp16,bf16,tf32,fp32] [--sizes 2048,4096,8192] [--processes 3] [--out FILE.json]
                           [--warmup 3000] [--rep 3000] [--min-time 1] [--max-time 4]

Square GEMMs, operands uniform in [-1, 1), L2 flushed before every timed call, back to back. PyTorch is timed by
triton.testing.do_bench (median, repeated until the board is as hot as rtxbench makes it), rtxbench by `gemm --regime sustained
--cache flush --provider cublas`, both on the cuBLAS that PyTorch has loaded. Every case runs in a process of its own, PyTorch and
rtxbench by turns, each first in every other pair and each after the same rest: at its power limit a warmer board holds a lower
clock. Beside each time stand the clock, stamped on the device in both, power and temperature; where a board is at its power limit,
times differ as clocks do, and the last column compares cycles. do_bench times from its first second on, rtxbench after 4 s of
heating, and a power-limited board holds a higher clock at first; so do_bench's last second alone is compared as well.

Needs a CUDA device, PyTorch, Triton and nvidia-ml-py. Exits 1 unless every ratio of medians lies within 2 %, rtxbench is not slower
than 0.99 x, and the range of the ratios reaches 1, with do_bench's median or with that of its last second.
A case takes about 20 s a process: split long runs by --dtypes.
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
HEATING_S = 4.5
REST_S = 5.0  # from the end of a process to the work of the next; importing PyTorch takes most of it


def torch_child(dtype, size, warmup_ms, rep_ms, start_at):
    """Runs in a process of its own, heats from monotonic time `start_at`; prints {"median_s": s, ...}."""
    import torch
    import torch_peer

    a, b, d = torch_peer.operands(dtype, size)
    call = lambda: torch.mm(a, b, out=d)
    call()
    stamps = torch_peer.Stamps()
    torch.cuda.synchronize()
    time.sleep(max(0.0, start_at - time.monotonic()))
    # do_bench plans its repetitions from five calls, of which the first ones are slow: it then lasts far less than it was told to
    # (0.3 s at 2048 instead of 6 s), and the board has not reached its power limit. So it is repeated for as long as rtxbench
    # heats, and its last answer counts.
    with torch_peer.Sensors(tail_s=1) as sensors:
        started = time.monotonic()
        while time.monotonic() - started < HEATING_S:
            row = torch_peer.do_bench(call, stamps, warmup_ms, rep_ms)
    print(json.dumps(row | {"power_w": sensors.power_w, "temperature_c": sensors.temperature_c}))


def cublas_of_torch():
    """Prints the cuBLAS that PyTorch loads."""
    import torch
    import torch_peer

    torch.mm(torch.ones(8, 8, device="cuda"), torch.ones(8, 8, device="cuda"))
    print(torch_peer.loaded("libcublas.so"))


def run_torch(dtype, size, arguments, start_at):
    command = [sys.executable, os.path.abspath(__file__), TORCH_CHILD, dtype, str(size), str(arguments.warmup), str(arguments.rep),
               str(start_at)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def run_rtxbench(dtype, size, arguments, cublas, start_at):
    time.sleep(max(0.0, start_at - time.monotonic()))
    command = [arguments.rtxbench, "gemm", "--dtype", dtype, "--m", str(size), "--regime", "sustained", "--cache", "flush",
               "--provider", "cublas", "--min-time", f"{arguments.min_time}s", "--max-time", f"{arguments.max_time}s", "--json", "-"]
    environment = dict(os.environ, RTXBENCH_CUBLAS=cublas)
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout)
    (record,) = report["records"]
    assert record["status"] == "passed", record
    duration, clock_hz = record["measurement"]["time"], record["measurement"]["clock_hz"]
    return {"median_s": duration["median_s"], "lower_s": duration["lower_s"], "upper_s": duration["upper_s"], "clock_hz": clock_hz or 0,
            "power_w": record["telemetry"]["power_w"] or 0, "temperature_c": record["telemetry"]["temperature_c"] or 0}


def compare(dtype, size, arguments, cublas):
    """One row: PyTorch and rtxbench by turns."""
    peer, ours = [], []
    sides = [lambda: peer.append(run_torch(dtype, size, arguments, time.monotonic() + REST_S)),
             lambda: ours.append(run_rtxbench(dtype, size, arguments, cublas, time.monotonic() + REST_S))]
    for process in range(arguments.processes):
        for side in sides if process % 2 == 0 else reversed(sides):
            side()

    def speed(key):
        """rtxbench / PyTorch, pair by pair: the median; the extremes with rtxbench's own 95 % interval put on top."""
        pairs = list(zip(peer, ours))
        return (statistics.median(p[key] / o["median_s"] for p, o in pairs), min(p[key] / o["upper_s"] for p, o in pairs),
                max(p[key] / o["lower_s"] for p, o in pairs))

    row = {"dtype": dtype, "size": size, "pytorch": peer, "rtxbench": ours}
    row["ratio"], row["ratio_low"], row["ratio_high"] = speed("median_s")
    row["late_ratio"], row["late_ratio_low"], row["late_ratio_high"] = speed("late_median_s")
    row["agreed"] = abs(row["ratio"] - 1) <= 0.02 and row["ratio"] >= 0.99 and max(row["ratio_high"], row["late_ratio_high"]) >= 1
    return row


def text_of(row):
    def side(runs):
        middle = {key: statistics.median(run[key] for run in runs) for key in ("median_s", "clock_hz", "power_w", "temperature_c")}
        tflops = 2 * row["size"]**3 / middle["median_s"] / 1e12
        return (f"{middle['median_s'] * 1e6:9.2f} us {tflops:6.1f} TFLOPS {middle['clock_hz'] / 1e6:5.0f} MHz {middle['power_w']:4.0f} W "
                f"{middle['temperature_c']:2.0f} C",
                middle["median_s"] * middle["clock_hz"])

    peer_text, peer_cycles = side(row["pytorch"])
    our_text, our_cycles = side(row["rtxbench"])
    cycles = f"{peer_cycles / our_cycles:.4f}" if our_cycles else "-"
    return (f"{row['dtype']:5} {row['size']:5}  PyTorch {peer_text}  rtxbench {our_text}  speed ratio {row['ratio']:.4f} "
            f"[{row['ratio_low']:.4f}, {row['ratio_high']:.4f}]  to its last second {row['late_ratio']:.4f} "
            f"[{row['late_ratio_low']:.4f}, {row['late_ratio_high']:.4f}]  in cycles {cycles}  {'ok' if row['agreed'] else 'DIFFERS'}")


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
    child = subprocess.run([sys.executable, os.path.abspath(__file__), CUBLAS_CHILD], check=True, stdout=subprocess.PIPE, text=True)
    cublas = child.stdout.strip()
    rows = []
    for dtype in arguments.dtypes.split(","):
        for size in arguments.sizes.split(","):
            rows.append(compare(dtype, int(size), arguments, cublas))
            print(text_of(rows[-1]), flush=True)
            if arguments.out:
                with open(arguments.out, "w", encoding="utf-8") as file:
                    json.dump(rows, file, indent=1)
    return 0 if all(row["agreed"] for row in rows) else 1


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == TORCH_CHILD:
        torch_child(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]), float(sys.argv[6]))
    elif sys.argv[1:] == [CUBLAS_CHILD]:
        cublas_of_torch()
    else:
        sys.exit(main())
