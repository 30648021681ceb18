"""Point coordinates beside the other sets: cost of an evaluation, steps of a run, and how the cost grows.

The aims are the ratios that the set had when it was tried before it was built, and 15 percent for noise.  The last rows
are whole prepared runs beside version 0.1.0: `benchmarks.points_before`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median

import numpy as np

import linkwork as lw
from benchmarks import points_before, problems
from benchmarks.growth import OUTSIDE, exponent, loop
from benchmarks.timing import Row, best_times
from linkwork import gallery
from linkwork.analysis.entering import enter
from linkwork.coordinates import SETS
from linkwork.kernels import layout as at

NOISE = 1.15
GROWTH = 1.1
BODIES_A_TIMING = 6_000


@dataclass(frozen=True)
class Case:
    """A mechanism, how long it runs, and what an evaluation cost in points against body and joint when tried; and how
    many evaluations a run took against theirs, where that was counted.
    """

    build: Callable
    seconds: float
    against: tuple[float, float] | None = None
    evaluations: tuple[float, float] | None = None


def _problem(build, *options):
    return lambda: build(*options).mechanism


def stewart() -> lw.Mechanism:
    """A platform on six struts of two halves each, a ball at the top and a cross at the foot, on springs."""
    m = lw.Mechanism("Stewart platform", dimension=3)
    top = m.add("top", lw.Body(20.0, (0.8, 0.8, 1.5), position=(0.0, 0.0, 1.0)))
    for k in range(6):
        turn, other = math.pi / 3 * (k + 0.3 * (-1) ** k), math.pi / 3 * (k + 0.5 - 0.3 * (-1) ** k)
        foot = np.array([0.8 * math.cos(turn), 0.8 * math.sin(turn), 0.0])
        head = np.array([0.4 * math.cos(other), 0.4 * math.sin(other), 1.0])
        way = head - foot
        size = math.hypot(*way)
        turned = orientation_along(way / size)
        halves = []
        for part, start in (("lower", foot), ("upper", head)):
            sign = 1.0 if part == "lower" else -1.0
            place = start + sign * 0.3 * way
            body = lw.Body(1.0, (0.002, 0.03, 0.03), position=tuple(place), orientation=turned)
            halves.append(m.add(f"{part}{k}", body))
        lower, upper = halves
        arm = 0.3 * size
        m.add(f"foot{k}", lw.Universal(m.ground.at(*foot, along=(0, 0, 1)), lower.at(-arm, 0, 0, along=(0, 1, 0))))
        m.add(f"head{k}", lw.Spherical(upper.at(arm, 0, 0), top.at(*(head - [0.0, 0.0, 1.0]))))
        m.add(f"slide{k}", lw.Prismatic(lower.at(0, 0, 0), upper.at(0, 0, 0)))
        ends = m.ground.at(*foot), top.at(*(head - [0.0, 0.0, 1.0]))
        m.add(
            f"spring{k}", lw.SpringDamper(*ends, stiffness=2e3 * (1 + 0.1 * k), damping=20.0, rest_length=size + 0.02)
        )
    return m


def orientation_along(way: np.ndarray) -> dict:
    """The shortest turn that leads x to a direction."""
    axis = np.cross([1.0, 0.0, 0.0], way)
    return {"axis": tuple(axis), "angle": math.atan2(math.hypot(*axis), way[0])}


#: in space the set is a third opinion, not a fast one; planar mechanisms have redundant rows there
CASES = {
    **{
        f"chain of {n}": Case(_problem(problems.chain_planar, n), 0.5, against)
        for n, against in ((10, (0.67, 2.14)), (50, None), (200, (0.75, 2.54)))
    },
    **{
        f"{n} windows": Case(_problem(problems.fourbar, n), 1.0, against, evaluations)
        for n, against, evaluations in (
            (1, (0.50, 0.60), (1.18, 1.44)),
            (10, (0.38, 0.59), None),
            (40, (0.41, 0.64), None),
        )
    },
    "ladder of 10 windows": Case(partial(problems.hanging_ladder, 10), 0.2),
    "Andrews' squeezer": Case(gallery.andrews, 0.03, (0.53, 0.65), (1.04, 1.09)),
    "four-bar with a spring": Case(gallery.four_bar, 1.0, (0.66, 0.81)),
    "slider-crank": Case(gallery.slider_crank, 0.1, (0.79, 0.88)),
    "six-bar quick return": Case(gallery.six_bar_quick_return, 1.0, (0.72, 0.90)),
    "double A-arm": Case(gallery.double_a_arm, 1.0, (0.78, 0.92)),
    "MacPherson strut": Case(gallery.macpherson_a, 1.0),
    "cart": Case(gallery.cart, 1.0, (1.15, 1.48)),
    "planetary gear": Case(gallery.planetary_gear, 1.0, (1.03, 1.19)),
    "double pendulum": Case(gallery.double_pendulum, 1.0),
    "chain of 10 in space": Case(_problem(problems.chain_spatial, 10), 0.5, (0.97, 5.08)),
    "Bricard's mechanism": Case(_problem(problems.bricard), 1.0, (0.72, 1.56)),
    "Stewart platform": Case(stewart, 0.5, (1.20, 1.71)),
    "flyball governor": Case(_problem(problems.flyball), 0.5, (0.92, 5.40)),
    "double A-arm in space": Case(lambda: gallery.double_a_arm().in_space(), 0.5),
    "MacPherson strut in space": Case(lambda: gallery.macpherson_a().in_space(), 0.5),
}


def evaluation(mechanism, coordinates: str, duration: float, count: int):
    """What evaluates states along a motion `count` times, and the steps and evaluations of that motion."""
    times = np.linspace(0.0, duration, 21)
    run = mechanism.simulate(times, coordinates=coordinates, rtol=1e-8)
    states = [run.state(k) for k in range(len(run.t))]
    system = enter(run.model, coordinates, states[0])[0]
    system.note(at.DETAIL, 0.0)  # as in a run
    own = [np.concatenate([enter(run.model, coordinates, one)[1], one.memory]) for one in states]
    return loop(system.pointers[0], np.array(own), count, system), run.statistics


def compare(name: str, case: Case, quick: bool) -> list[Row]:
    """One mechanism in all sets, timed in turns."""
    mechanism = case.build()
    count = max(20, BODIES_A_TIMING // len(mechanism.bodies) // (10 if quick else 1))
    works, told = {}, {}
    for one in SETS:
        works[one], told[one] = evaluation(mechanism, one, case.seconds, count)
    best = best_times(works, 5 if quick else 60, time.process_time)
    rows = []
    for one in SETS:
        note = f"{told[one].steps} steps, {told[one].evaluations} evaluations at rtol 1e-8"
        rows.append(Row("points", f"{name}, {one}", 1e6 * best[one] / count, "us an evaluation", error=note))
    for other, tried in zip(SETS, case.against or ()):
        ratio = best["point"] / best[other]
        most = NOISE * tried
        what = f"{name}, point against {other} ({tried:g} when tried)"
        rows.append(Row("points", what, ratio, "times", f"<= {most:.2f}", ratio <= most, outside=OUTSIDE))
    for other, tried in zip(SETS, case.evaluations or ()):
        ratio, most = told["point"].evaluations / told[other].evaluations, NOISE * tried
        what = f"{name}, evaluations of a run in point against {other} ({tried:g} when tried)"
        rows.append(Row("points", what, ratio, "times", f"<= {most:.2f}", ratio <= most))
    return rows


def growth(what: str, build: Callable, sizes, duration: float, quick: bool) -> Row:
    """The exponent of the growth from the smallest to the largest size: the median of five."""
    found, works = [], {}
    counts = {n: max(20, BODIES_A_TIMING // n) for n in sizes}
    for n in sizes:
        works[n] = evaluation(build(n).mechanism, "point", duration, counts[n])[0]
    for _ in range(1 if quick else 5):
        best = best_times(works, 10, time.process_time)
        found.append(exponent({n: best[n] / counts[n] for n in sizes}))
    return Row("points", what, median(found), "", f"<= {GROWTH}", median(found) <= GROWTH, outside=OUTSIDE)


def measure(quick: bool) -> list[Row]:
    """All cases and the growth of chains and rows of windows."""
    names = ("10 windows", "Andrews' squeezer") if quick else tuple(CASES)
    rows = [row for name in names for row in compare(name, CASES[name], quick)]
    chains = (10, 200)
    rows.append(growth("exponent of chains, 10 to 200", problems.chain_planar, chains, 0.2, quick))
    rows.append(growth("exponent of windows, 1 to 40", partial(problems.fourbar), (1, 40), 0.5, quick))
    return rows + points_before.beside(3 if quick else 30)
