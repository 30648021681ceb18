"""A full turn of the six-bar quick return at 10,000 positions: everything that drivers decide, and all reactions.

The clock is processor time around the whole question and the reading of its answer: arrays of positions, velocities and
accelerations of all bodies and of the multipliers of all rows, which is what the loops give.  A further row reads the
same by names: 45 series, seven reactions, the effort of the motor; another one is for uneven times, where nothing is
read between positions (`analysis/between.py`).
"""

from __future__ import annotations

import time

import numpy as np

import linkwork as lw
from benchmarks import quick_return
from benchmarks.timing import Row

POSITIONS = 10_000
QUICK = 1_000
FASTER = 50.0
NAMES = ("crank", "block", "rocker", "rod", "slider")  # in the order of the loops
#: rows of the loops that are forces of pins, along x and y
PINS = {"O": 0, "A": 2, "Q": 4, "B": 6, "C": 8}


def arrays(run) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What the loops give, of a result."""
    stored = run.stored()
    states = stored["states"]
    return states[:, :15], states[:, 15:30], stored["accelerations"], run.multipliers


def by_names(run, mechanism) -> list:
    """Every coordinate with its rates, every reaction, and the effort of the motor."""
    read: list = [
        run[f"{body}.{axis}{order}"]
        for body in mechanism.bodies
        for axis in ("x", "y", "angle")
        for order in ("", ".rate", ".acceleration")
    ]
    return [*read, *(run.reaction(joint) for joint in mechanism.joints), run["motor.effort"]]


def processor_times(works: dict, rounds: int) -> dict:
    """Shortest processor time of every piece of work, in turns."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for key, work in works.items():
            begin = time.process_time()
            work()
            best[key] = min(best[key], time.process_time() - begin)
    return best


def errors(run, loop) -> str:
    """The largest differences between our answer and that of the loop, against the largest numbers there."""
    q, v, a, lam = loop
    off = {"position": 0.0, "velocity": 0.0, "acceleration": 0.0}
    for (what, order), theirs in zip(
        (("position", ""), ("velocity", ".rate"), ("acceleration", ".acceleration")), loop
    ):
        for k, body in enumerate(NAMES):
            for c, axis in enumerate(("x", "y", "angle")):
                ours = run[f"{body}.{axis}{order}"]
                off[what] = max(off[what], float(np.abs(ours - theirs[:, 3 * k + c]).max() / np.abs(theirs).max()))
    forces = [np.abs(run.reaction(joint).force - lam[:, r : r + 2]).max() for joint, r in PINS.items()]
    off["reaction"] = float(max(*forces, np.abs(run["motor.effort"] - lam[:, 14]).max()) / np.abs(lam).max())
    return ", ".join(f"{what} {value:.0e}" for what, value in off.items())


def measure(quick: bool = False) -> list[Row]:
    """How many times faster than by hand."""
    mechanism = lw.gallery.six_bar_quick_return()
    model, state = mechanism.compile(), mechanism.assemble(coordinates="body").state
    times = np.linspace(0.0, 1.0, QUICK if quick else POSITIONS)

    def ours():
        return lw.kinematics(model, times, start=state)

    uneven = times + 1e-7 * np.sin(7.0 * times)  # positions that are not even are followed one by one

    works = {
        "ours": lambda: arrays(ours()),
        "each": lambda: arrays(lw.kinematics(model, uneven, start=state)),
        "names": lambda: by_names(ours(), mechanism),
        "loop": lambda: quick_return.in_a_loop(times),
        "tuned": lambda: quick_return.in_a_tuned_loop(times),
        "at once": lambda: quick_return.at_once(times),
    }
    off = errors(ours(), quick_return.in_a_loop(times))
    best = processor_times(works, 2 if quick else 5)
    section = "kinematics"
    told = f"{times.size} positions"
    outside = "describing, compiling and assembling once; the loops begin with a position to four digits"
    rows = [
        Row(
            section,
            f"{told}: faster than a loop",
            best["loop"] / best["ours"],
            "times",
            f">= {FASTER:g}",
            best["loop"] / best["ours"] >= FASTER,
            baseline="body coordinates, analytic Jacobian, Newton from a prediction: benchmarks/quick_return.py",
            error=off,
            outside=outside,
        ),
        Row(
            section,
            f"{told}: faster than vectorised over all",
            best["at once"] / best["ours"],
            "times",
            ">= 1",
            best["at once"] >= best["ours"],
        ),
        Row(section, f"{told}: faster than a loop tuned by hand", best["tuned"] / best["ours"], "times"),
    ]
    rows += [
        Row(section, f"{told}: {what}", 1e3 * best[key], "ms")
        for key, what in (
            ("ours", "Linkwork, read as arrays"),
            ("each", "Linkwork at uneven times, every position followed"),
            ("names", "Linkwork, read by 45 names, 7 reactions and an effort"),
            ("loop", "a loop"),
            ("tuned", "a loop tuned by hand"),
            ("at once", "vectorised over all positions"),
        )
    ]
    return rows
