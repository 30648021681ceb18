"""Many four-bars with other lengths and masses: from a table of numbers to three series, beside their time loops."""

from __future__ import annotations

import os
import time
import warnings

import numpy as np

import linkwork as lw
from benchmarks.timing import Row
from linkwork.analysis.sweep_task import Task
from linkwork.coordinates.many import Many

READ = ["D.angle", "coupler.tracer.x", "coupler.tracer.y"]
SPREAD = 0.1  # of lengths, to either side
MOST, FASTER = 1.5, 1.7


def designs(count: int) -> dict[str, list[float]]:
    """Lengths and masses about those of the gallery's four-bar."""
    rng = np.random.default_rng(1)

    def about(value: float) -> list[float]:
        return (value * (1.0 + SPREAD * rng.uniform(-1.0, 1.0, count))).tolist()

    lengths = {"crank.length": 1.0, "coupler.length": 3.0, "rocker.length": 2.5}
    masses = {"crank.mass": 1.0, "coupler.mass": 2.0, "rocker.mass": 1.5}
    return {name: about(value) for name, value in {**lengths, **masses}.items()}


def asked(count: int, **more):
    """The sweep: a table of numbers in, three series out; what it warns of is counted in, and its line left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.errors.SweepWarning)
        return lw.sweep(
            lw.gallery.four_bar(), designs(count), over="list", times=10.0, rtol=1e-6, read=READ, progress=False, **more
        )


class Clock:
    """Processor time of the time loops of designs that run together, and how many of them there were."""

    def __enter__(self):
        self.usual, self.seconds, self.count = Many.run, 0.0, 0

        def run(many, *given):
            begin = time.thread_time()
            try:
                return self.usual(many, *given)
            finally:
                self.seconds += time.thread_time() - begin
                self.count += many.count

        Many.run = run  # type: ignore[method-assign]  # the clock goes around the kernel, for a while
        return self

    def __exit__(self, *unused):
        Many.run = self.usual  # type: ignore[method-assign]  # as it was
        return False


def alone(count: int) -> float:
    """Seconds of processor time of a design, each as a mechanism of its own."""
    vary = designs(count)
    task = Task(lw.gallery.four_bar(), "simulate", 10.0, READ, None, {"rtol": 1e-6})
    begin = time.process_time()
    for k in range(count):
        task.run_alone({name: one[k] for name, one in vary.items()})
    return (time.process_time() - begin) / count


def measure(quick: bool = False) -> list[Row]:
    """Ratios within this run; wall clocks of one thread and two in turns."""
    count, rounds = (60, 1) if quick else (1000, 5)
    asked(30)  # compiled, and made ready
    with Clock() as clock:
        begin = time.process_time()
        found = asked(count)
        whole = time.process_time() - begin
    failed = int((found["failed"] != "").sum())
    best = {1: float("inf"), 2: float("inf")}
    for _ in range(rounds):
        for workers in best:
            begin = time.perf_counter()
            asked(count, workers=workers)
            best[workers] = min(best[workers], time.perf_counter() - begin)
    loops = clock.seconds * count / clock.count  # of those that ran alone, too
    ratio, faster, each = whole / loops, best[1] / best[2], whole / count
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    return [
        Row(
            "sweep",
            f"{count} four-bars with other lengths and masses: whole against their time loops",
            ratio,
            "times",
            f"<= {MOST:g}",
            ratio <= MOST,
            baseline="processor time inside the time loops of the same runs, 10 s each at rtol 1e-6",
            error=f"{failed} failed",
        ),
        Row("sweep", "a design, from numbers to three series", 1e3 * each, "ms"),
        Row("sweep", "the same by a mechanism of its own", 1e3 * alone(min(count, 50)), "ms"),
        Row(
            "sweep",
            "two threads against one, wall clock",
            faster,
            "times",
            f">= {FASTER:g}",
            faster >= FASTER,
            baseline=f"best of {rounds} in turns; {load}",
        ),
    ]
