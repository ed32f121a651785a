#!/usr/bin/env python3
"""How far do fresh processes differ?

    tests/gpu/processes.py RTXBENCH [--processes 5] [--dtype fp16] [--sizes 4096,8192] [--out FILE.json]

Runs `gemm --provider cublas` in fresh processes, burst and sustained, and prints the spread of the process medians:
(largest - smallest) / median. Exits 1 when bursts spread by more than 0.5 % or sustained rows by more than 2 %.
"""
import argparse
import json
import statistics
import subprocess
import sys

LIMITS = {"burst": 0.005, "sustained": 0.02}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rtxbench")
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--dtype", default="fp16")
    parser.add_argument("--sizes", default="4096,8192")
    parser.add_argument("--out", help="keep the last process' report here")
    arguments = parser.parse_args()
    medians, clocks, powers, flops = {}, {}, {}, {}
    for _ in range(arguments.processes):
        command = [arguments.rtxbench, "gemm", "--dtype", arguments.dtype, "--m", arguments.sizes, "--provider", "cublas",
                   "--regime", "burst,sustained", "--json", "-"]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        for record in json.loads(text)["records"]:
            assert record["status"] == "passed", record
            key = (record["case"]["values"]["regime"], record["case"]["values"]["m"])
            medians.setdefault(key, []).append(record["measurement"]["time"]["median_s"])
            clocks.setdefault(key, []).append(record["measurement"]["clock_hz"] or 0)
            powers.setdefault(key, []).append(record["telemetry"]["power_w"] or 0)
            flops[key] = record["work"]["flop"]
        if arguments.out:
            with open(arguments.out, "w", encoding="utf-8") as file:
                file.write(text)
    good = True
    for key, values in medians.items():
        middle = statistics.median(values)
        spread = (max(values) - min(values)) / middle
        good &= spread <= LIMITS[key[0]]
        print(f"{key[0]:9} {key[1]:6}  {flops[key] / middle / 1e12:7.1f} TFLOPS  spread of {len(values)} processes "
              f"{spread * 100:.3f} % (limit {LIMITS[key[0]] * 100} %)  clock {statistics.median(clocks[key]) / 1e6:.0f} MHz  "
              f"power {statistics.median(powers[key]):.0f} W  {'ok' if spread <= LIMITS[key[0]] else 'TOO FAR APART'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
