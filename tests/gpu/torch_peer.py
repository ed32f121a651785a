"""PyTorch as a peer: triton.testing.do_bench with its events kept, the clock stamped on the device, the board's sensors.

Needs a CUDA device, PyTorch, Triton and nvidia-ml-py.
"""
import statistics
import threading
import time

import pynvml
import torch
import triton
import triton.language as tl
import triton.testing

BURST_CALLS, BURST_WORK_S, BURST_IDLE_S = 10, 0.010, 0.1  # as a burst of rtxbench
TYPES = {"fp64": torch.float64, "fp32": torch.float32, "tf32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}


@triton.jit
def stamp_kernel(out):
    sm = tl.inline_asm_elementwise("mov.u32 $0, %smid;", "=r", [], dtype=tl.int32, is_pure=False, pack=1)
    cycles = tl.inline_asm_elementwise("mov.u64 $0, %clock64;", "=l", [], dtype=tl.int64, is_pure=False, pack=1)
    time_ns = tl.inline_asm_elementwise("mov.u64 $0, %globaltimer;", "=l", [], dtype=tl.int64, is_pure=False, pack=1)
    block = out + 3 * tl.program_id(0)
    tl.store(block, sm.to(tl.int64))
    tl.store(block + 1, cycles)
    tl.store(block + 2, time_ns)


class Stamps:
    """The SM clock between two points of the stream: cycles over time, each multiprocessor with itself."""

    def __init__(self):
        self.blocks = 2 * torch.cuda.get_device_properties(0).multi_processor_count
        self.record()

    def record(self):
        out = torch.empty(self.blocks, 3, dtype=torch.int64, device="cuda")
        stamp_kernel[(self.blocks,)](out, num_warps=1)
        return out

    @staticmethod
    def clock_hz(before, after):
        first = {sm: (cycles, time_ns) for sm, cycles, time_ns in before.tolist()}
        return statistics.median((cycles - first[sm][0]) / (time_ns - first[sm][1]) * 1e9 for sm, cycles, time_ns in after.tolist()
                                 if sm in first)


class Sensors:
    """Power (from the energy counter) and temperature of the board while the block runs, over its last `tail_s` seconds."""

    def __init__(self, tail_s):
        self.tail_s = tail_s
        pynvml.nvmlInit()
        self.board = pynvml.nvmlDeviceGetHandleByUUID(f"GPU-{torch.cuda.get_device_properties(0).uuid}")

    def _poll(self):
        while not self.done.wait(0.1):
            self.readings.append((time.monotonic(), pynvml.nvmlDeviceGetTotalEnergyConsumption(self.board) * 1e-3,
                                  pynvml.nvmlDeviceGetTemperature(self.board, pynvml.NVML_TEMPERATURE_GPU)))

    def __enter__(self):
        self.readings, self.done = [], threading.Event()
        self.poller = threading.Thread(target=self._poll)
        self.poller.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.poller.join()
        tail = [reading for reading in self.readings if reading[0] >= self.readings[-1][0] - self.tail_s]
        self.power_w = (tail[-1][1] - tail[0][1]) / (tail[-1][0] - tail[0][0])
        self.temperature_c = statistics.median(temperature for *_, temperature in tail)


class KeptEvent(torch.cuda.Event):
    """Stands in for torch.cuda.Event within do_bench, which creates two events for an estimate, then all starts, then all stops.
    Stamps the clock before the first start and after the last stop."""

    created = []
    stamps = None
    before = after = None

    def __new__(cls, *arguments, **options):
        cls.created.append(super().__new__(cls, *arguments, **options))
        return cls.created[-1]

    def record(self, *arguments):
        if len(self.created) > 2 and self is self.created[2]:
            KeptEvent.before = self.stamps.record()
        super().record(*arguments)
        if self is self.created[-1]:
            KeptEvent.after = self.stamps.record()


def do_bench(call, stamps, warmup_ms=3000, rep_ms=3000):
    """triton.testing.do_bench's median; with it the time from call to call, and the clock over its timed loop."""
    KeptEvent.created.clear()
    KeptEvent.stamps = stamps
    plain, torch.cuda.Event = torch.cuda.Event, KeptEvent
    try:
        median_s = triton.testing.do_bench(call, warmup=warmup_ms, rep=rep_ms, return_mode="median") * 1e-3
    finally:
        torch.cuda.Event = plain
    starts = KeptEvent.created[2:2 + (len(KeptEvent.created) - 2) // 2]
    row = {"median_s": median_s, "clock_hz": Stamps.clock_hz(KeptEvent.before, KeptEvent.after),
           "period_s": statistics.median(one.elapsed_time(two) * 1e-3 for one, two in zip(starts, starts[1:]))}
    KeptEvent.created.clear()
    return row


def enqueue(call, flush, stamps, count):
    """do_bench's loop body `count` times: the event pairs, with stamps before the first and after the last."""
    events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(count)]
    before = stamps.record()
    for start, stop in events:
        flush()
        start.record()
        call()
        stop.record()
    return events, before, stamps.record()


def read(events, before, after):
    """One group of `enqueue`, once it has run: times of the calls, times from call to call, stamps."""
    events[-1][1].synchronize()
    return ([start.elapsed_time(stop) * 1e-3 for start, stop in events],
            [one[0].elapsed_time(two[0]) * 1e-3 for one, two in zip(events, events[1:])], before, after)


def summary(groups):
    periods = [period for group in groups for period in group[1]]
    return {"median_s": statistics.median(time_s for group in groups for time_s in group[0]),
            "period_s": statistics.median(periods) if periods else None,
            "clock_hz": statistics.median(Stamps.clock_hz(before, after) for *_, before, after in groups)}


def bursts(call, flush, stamps, seconds):
    """Groups of a few calls on a cool chip, each after a pause and one unmeasured call, as a burst of rtxbench."""
    (call_s,), *_ = read(*enqueue(call, flush, stamps, 1))
    count = max(1, min(BURST_CALLS, int(BURST_WORK_S / call_s)))
    groups, started = [], time.monotonic()
    while time.monotonic() - started < seconds:
        torch.cuda.synchronize()
        time.sleep(BURST_IDLE_S)
        flush()
        call()
        groups.append(read(*enqueue(call, flush, stamps, count)))
    return summary(groups)


def operands(dtype, size):
    """a, b uniform in [-1, 1) and d, square; sets the math mode that `dtype` asks for."""
    torch.backends.cuda.matmul.allow_tf32 = dtype == "tf32"
    a, b = ((torch.rand(size, size, device="cuda", dtype=torch.float32) * 2 - 1).to(TYPES[dtype]) for _ in range(2))
    return a, b, torch.empty(size, size, device="cuda", dtype=TYPES[dtype])


def loaded(name):
    """Path of a library of this process."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return sorted({line.split()[-1] for line in maps if name in line})[0]
