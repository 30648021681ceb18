"""A chain of 10 from many random starts, beside MuJoCo's `rollout`: a part of `python -m benchmarks.peers`.

Both are given a table of starts (the angles of all pins, at rest) and give three series of every run: the tip of the
chain, and the angle of the last link.  Reading is inside the clock.  Describing and building the model is outside, and
so is what the first sweep of a model makes ready for later ones, some 60 ms.  Each takes the loosest setting whose
largest error of the tip, at the last time, over the first starts, is the one that is asked for, and Linkwork the
quicker one of two methods; of MuJoCo's, RK4 is the only one of more than first order.  The reference is Linkwork at
1e-12, which MuJoCo's smallest steps agree with (printed).
"""

from __future__ import annotations

import argparse
import math
import os
import time
from functools import cache

import numpy as np

import linkwork as lw
from benchmarks import problems
from benchmarks.peers.report import OURS, Cell
from benchmarks.peers.scheme import translate
from benchmarks.peers.tools import TOOLS

LINKS, END, EVERY = 10, 2.0, 0.02
COORDINATES = "joint"
OUTPUTS = round(END / EVERY)
AIMS = {1e-3: 6.0, 1e-6: 20.0}
READ = [f"link{LINKS}.b.x", f"link{LINKS}.b.y", f"link{LINKS}.angle"]
TOLERANCES = [10.0 ** (-k / 12) for k in range(30, 120)]
STEPS = [OUTPUTS * k for k in (*range(1, 33), 48, 64, 96, 128)]
METHODS = ("dop853", "dopri5")
LOOKED_AT, TIMED = 20, 200  # starts for which errors are found, and by which a method is chosen


def starts(count: int) -> np.ndarray:
    """(count, links): angles of the pins; the chain hangs, bent at random."""
    found = np.random.default_rng(7).uniform(-0.5, 0.5, (count, LINKS))
    found[:, 0] -= 0.5 * math.pi
    return found


# -- Linkwork ----------------------------------------------------------------------------------------------------------
@cache
def chain() -> lw.Mechanism:
    """The chain of the other benchmarks, no pose declared; the same for all sweeps."""
    m = lw.Mechanism("chain", gravity=(0.0, -problems.GRAVITY))
    end = m.ground.at(0.0, 0.0)
    for i in range(1, LINKS + 1):
        link = m.add(f"link{i}", lw.bar(length=1.0, mass=1.0, width=0.1))
        m.add(f"pin{i}", lw.Revolute(end, link.a))
        end = link.b
    return m


def ours(table: np.ndarray, rtol: float, workers: int = 1, method: str = METHODS[0]) -> np.ndarray:
    """(starts, 3, outputs): the three series of every run."""
    found = lw.sweep(
        chain(),
        {f"start:pin{k + 1}.angle": column.tolist() for k, column in enumerate(table.T)},
        over="list",
        times=END,
        every=EVERY,
        rtol=rtol,
        coordinates=COORDINATES,
        method=method,
        read=READ,
        workers=workers,
        progress=False,
    )
    return np.stack([found[name].values for name in READ], axis=1)


# -- MuJoCo ------------------------------------------------------------------------------------------------------------
class Rolled:
    """MuJoCo's model of the same chain, and as many threads as asked for."""

    def __init__(self, threads: int):
        import mujoco
        from mujoco import rollout

        from benchmarks.peers.tools.with_mujoco import description

        problem = problems.chain_planar(LINKS)
        self.model = mujoco.MjModel.from_xml_string(description(translate("chain", problem, 5)))
        self.model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        self.data = [mujoco.MjData(self.model) for _ in range(threads)]
        self.threads = threads
        self.pool = rollout.Rollout(nthread=threads if threads > 1 else 0)
        self.size = mujoco.mj_stateSize(self.model, mujoco.mjtState.mjSTATE_FULLPHYSICS)

    def __call__(self, table: np.ndarray, steps: int) -> np.ndarray:
        """The three series of every run of so many steps."""
        self.model.opt.timestep = END / steps
        first = np.zeros((len(table), self.size))
        first[:, 1 : 1 + LINKS] = table
        state, _ = self.pool.rollout(self.model, self.data, first, nstep=steps)
        each = steps // OUTPUTS
        angles = np.concatenate([table[:, None], state[:, each - 1 :: each, 1 : 1 + LINKS]], axis=1).cumsum(axis=2)
        return np.stack([np.cos(angles).sum(axis=2), np.sin(angles).sum(axis=2), angles[:, :, -1]], axis=1)


def error_of(found: np.ndarray, wanted: np.ndarray) -> float:
    """The largest error of the tip at the last time."""
    return float(np.hypot(*(found - wanted)[:, :2, -1].T).max())


def loosest(run, settings, wanted: np.ndarray, target: float) -> tuple[float, float]:
    """The first setting from which on every tighter one reaches the error, and its error."""
    found = None
    for setting in reversed(settings):
        error = error_of(run(setting), wanted)
        if not error <= target:
            break
        found = setting, error
    if found is None:
        raise RuntimeError(f"no setting reaches an error of {target:g}")
    return found


def best(works: dict, rounds: int, clock) -> dict:
    """Shortest time of each, in turns."""
    found = dict.fromkeys(works, math.inf)
    for _ in range(rounds):
        for key, work in works.items():
            begin = clock()
            work()
            found[key] = min(found[key], clock() - begin)
    return found


CORES = {1: ("processor time", time.process_time), 2: ("two cores, wall clock", time.perf_counter)}


def measure(count: int, rounds: int) -> list[Cell]:
    """Cells of the table: seconds for all runs, one core and two, and what is said beside them."""
    table = starts(count)
    few = table[:LOOKED_AT]
    wanted = ours(few, 1e-12)
    rolled = {threads: Rolled(threads) for threads in CORES}
    print(f"MuJoCo's smallest steps and the reference differ by {error_of(rolled[1](few, STEPS[-1]), wanted):.1e} m")
    cells = []
    for target, aim in AIMS.items():
        settings = {
            method: loosest(lambda rtol, method=method: ours(few, rtol, 1, method), TOLERANCES, wanted, target)
            for method in METHODS
        }
        tried = {
            method: lambda rtol=rtol, method=method: ours(table[:TIMED], rtol, 1, method)
            for method, (rtol, _) in settings.items()
        }
        seconds = best(tried, 3, time.process_time)
        method = min(seconds, key=seconds.__getitem__)
        rtol, error = settings[method]
        steps, other = loosest(lambda steps: rolled[1](few, steps), STEPS, wanted, target)
        for threads, (word, clock) in CORES.items():
            works = {
                OURS: lambda rtol=rtol, threads=threads, method=method: ours(table, rtol, threads, method),
                "mujoco": lambda steps=steps, threads=threads: rolled[threads](table, steps),
            }
            times = best(works, rounds, clock)
            case = f"{count} chains of {LINKS}, {word}"
            cells.append(Cell(case, target, OURS, times[OURS], error, f"{method}, rtol", rtol))
            cells.append(Cell(case, target, "mujoco", times["mujoco"], other, "RK4, steps", float(steps)))
            ahead = times["mujoco"] / times[OURS]
            runs = ", ".join(f"{TOOLS[name][0]} {count / one:.0f} runs/s" for name, one in times.items())
            met = "met" if ahead >= aim else "MISSED"
            print(f"{case}, {target:g}, {method}: {runs}; {ahead:.2f} times (wanted {aim:g}: {met})", flush=True)
    return cells


def main(arguments=None) -> int:
    """Measure and print; returns 0 also where an aim is missed: a clock is no test."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.ensemble", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="starts (1000)")
    parser.add_argument("--rounds", type=int, default=5, help="of which the best counts (5)")
    options = parser.parse_args(arguments)
    print(f"chain of {LINKS} from {options.count} random starts, {END:g} s; load {os.getloadavg()[0]:.1f}")
    measure(options.count, options.rounds)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
