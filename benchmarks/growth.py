"""How the cost of an evaluation grows with the number of bodies: chains in body coordinates."""

from __future__ import annotations

import math

import numpy as np

from benchmarks import problems
from benchmarks.timing import Row, best_times
from linkwork.coordinates.body import System
from linkwork.kernels.integrate import sweep

SIZES = (10, 20, 50, 100, 200)
LINKS_A_TIMING = 20_000  # evaluations in one timing times links: every size is timed for about as long


def evaluations(problem, count: int):
    """A function that evaluates `count` states of the motion in one kernel call."""
    run = problem.mechanism.simulate(np.linspace(0.0, 1.0, 21), coordinates="body", rtol=1e-6)
    model = run.model
    states = [run.state(k) for k in range(len(run.t))]
    system = System(model, states[0].values, states[0].held, states[0].memory)
    rows = np.array([np.concatenate([state.y, state.memory]) for state in states])
    rows = np.ascontiguousarray(np.resize(rows, (count, rows.shape[1])))
    times, out = np.zeros(count), np.empty((count, model.n_y))
    picks, picked = np.zeros(0, dtype=np.int64), np.empty((count, 0))

    def work():
        sweep(system.kernels.rhs, times, rows, system.p, system.tab, system.w, system.f, picks, out, picked)

    return work


def measure(quick: bool = False) -> list[Row]:
    """Time of an evaluation by size, and the exponent of its growth from the smallest to the largest."""
    sizes = (SIZES[0], SIZES[-1]) if quick else SIZES
    rows = []
    for space, build in (("plane", problems.chain_planar), ("space", problems.chain_spatial)):
        works, counts = {}, {}
        for n in sizes:
            counts[n] = max(20, (LINKS_A_TIMING // 10 if quick else LINKS_A_TIMING) // n)
            works[n] = evaluations(build(n), counts[n])
        best = best_times(works, 3 if quick else 30)
        each = {n: best[n] / counts[n] for n in sizes}
        problem = build(10)
        error = problem.error(problem.mechanism.simulate([0.0, problem.end], coordinates="body", rtol=1e-8))
        for n in sizes:
            rows.append(Row("growth", f"chain of {n}, {space}", 1e6 * each[n], "us an evaluation"))
        exponent = math.log(each[sizes[-1]] / each[sizes[0]]) / math.log(sizes[-1] / sizes[0])
        rows.append(Row(
            "growth", f"exponent {sizes[0]} to {sizes[-1]}, {space}", exponent, "", "<= 1.1", exponent <= 1.1,
            baseline=f"the chain of {sizes[0]} in the same run",
            error=f"{error:.1e} m at 2 s (10 links, dop853, rtol 1e-8)",
            outside="describing, compiling, assembling; the kernel is called once for all evaluations"))
    return rows
