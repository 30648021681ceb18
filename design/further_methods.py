"""Whether further methods pay (decision 36): a pair of order 9, and a symplectic method with steps of one size.

`python -m design.further_methods pairs`   evaluations and processor time to an error, beside `dop853`, in turns
`python -m design.further_methods long`    energy and motion over long runs, RATTLE beside `dop853`
"""

import math
import sys
import time
import warnings

import numpy as np
from benchmarks import problems
from design import rattle
from design.verner import check, verner

from linkwork.coordinates import SETS_OF

PROBLEMS = {
    "Andrews": problems.andrews(),
    "double pendulum": problems.double_pendulum(),
    "chain of 10": problems.chain_planar(10),
    "chain of 10, space": problems.chain_spatial(10),
    "Bricard": problems.bricard(),
    "A02, 1 window": problems.fourbar(1),
    "A02, 5 windows": problems.fourbar(5),
}
TOLERANCES = [10.0 ** (-k / 3) for k in range(18, 41)]
ERRORS = (1e-8, 1e-10, 1e-12)
OUTPUTS = (1, 100, 1000)
ROUNDS = 4


def prepared(problem, state, coordinates, outputs, method, rtol):
    """A run to the end of the problem with so many outputs."""
    times = np.linspace(0.0, problem.end, outputs + 1)
    options = dict(coordinates=coordinates, method=method, rtol=rtol, read=problem.observed)
    ready = problem.mechanism.prepare(times, **options)
    return lambda: ready(state)


def at_error(errors, costs, wanted) -> float:
    """Cost at an error, by the straight line through the logarithms near it; nan where runs do not get there."""
    x, y = np.log(errors), np.log(costs)
    near = np.isfinite(x) & (abs(x - math.log(wanted)) < math.log(30.0))
    if near.sum() < 3 or x[near].min() > math.log(wanted):
        return math.nan
    return math.exp(np.polyval(np.polyfit(x[near], y[near], 1), math.log(wanted)))


def ladder(problem, coordinates, outputs, methods) -> dict:
    """{method: (error at the end, largest at outputs, evaluations, seconds) of every tolerance}."""
    state = problem.mechanism.assemble(coordinates=coordinates).state

    def ready(method, rtol):
        return prepared(problem, state, coordinates, outputs, method, rtol)

    right = np.mean([problem.observe(ready(one, 1e-13)()) for one in methods.values()], axis=0)
    known = problem.reference.values if problem.reference.agree < 1e-11 else right[-1]
    found: dict = {name: [] for name in methods}
    for rtol in TOLERANCES:
        runs = {name: ready(method, rtol) for name, method in methods.items()}
        seconds = dict.fromkeys(runs, math.inf)
        for _ in range(ROUNDS):
            for name, run in runs.items():
                begin = time.thread_time()
                run()
                seconds[name] = min(seconds[name], time.thread_time() - begin)
        for name, run in runs.items():
            told = run()
            seen = problem.observe(told)
            errors = problem.difference(seen[-1], known), problem.difference(seen, right)
            found[name].append((*errors, told.statistics.evaluations, seconds[name]))
    return {name: np.array(rows).T for name, rows in found.items()}


def pairs():
    """Ratios above 1 are in favour of the pair of order 9: evaluations / time."""
    check()
    methods = {"dop853": "dop853", "verner": verner()}
    gains: dict = {}
    for name, problem in PROBLEMS.items():
        for coordinates in SETS_OF[problem.mechanism.dimension]:
            for outputs in OUTPUTS:
                found = ladder(problem, coordinates, outputs, methods)
                line = []
                for wanted in ERRORS:
                    old, new = (
                        [at_error(rows[0 if outputs == 1 else 1], rows[cost], wanted) for cost in (2, 3)]
                        for rows in found.values()
                    )
                    gain = np.divide(old, new)
                    line.append("   -/   -" if np.isnan(gain).any() else "{:4.2f}/{:4.2f}".format(*gain))
                    if not np.isnan(gain).any():
                        gains.setdefault((outputs, wanted, name.startswith("A02")), []).append(np.log(gain))
                print(f"{name:20}{coordinates:7}{outputs:5} outputs  ", *line, flush=True)
    for outputs in OUTPUTS:
        for wanted in ERRORS:
            apart = [gains.get((outputs, wanted, singular), []) for singular in (False, True)]
            words = ("without A02", *apart[:1]), ("A02", *apart[1:]), ("all", [*apart[0], *apart[1]])
            told = [
                f"{what} {'{:.2f}/{:.2f}'.format(*np.exp(np.mean(g, axis=0)))} ({len(g)})" for what, g in words if g
            ]
            print(f"geometric mean, {outputs} outputs, error {wanted:g}:", "; ".join(told))


#: of long runs: how far apart outputs are, when errors are told, and until when places are compared
EVERY, TIMES, COMPARED = (
    0.1,
    (100.0, 1000.0, 3000.0),
    {"four_bar": (10.0, 100.0, 1000.0), "double_pendulum": (5.0, 10.0)},
)
#: steps an output, by order
STEPS = {2: (10,), 4: (4,), 6: (2, 4), 8: (1, 2, 4)}


def told(what, cost, microseconds, places, right, energy, apart, case):
    """One line of a long run: errors of places over the last fifth before a time."""
    motion = []
    for end in COMPARED[case.name]:
        part = slice(round(0.8 * end / EVERY), round(end / EVERY) + 1)
        motion.append(f"{abs(places[part] - right[part]).max():.0e}")
    ledger = [f"{energy[: round(end / EVERY) + 1].max():.1e}" for end in TIMES]
    print(
        f"{what:22}{cost:6.0f}{microseconds:7.0f}   {' '.join(motion):22}  {' '.join(ledger)}   {apart:.0e}", flush=True
    )


def long():
    """Both mechanisms of the table of a million steps: cost and time of a second, then errors."""
    for case in (rattle.FOUR_BAR, rattle.DOUBLE_PENDULUM):
        m, state, moving, arrays = case.arrays()
        names = [f"{body}.{axis}" for body in case.bodies for axis in "xy"]
        end = max(COMPARED[case.name])

        def run(end, rtol, coordinates, m=m, state=state, names=names):
            begin = time.thread_time()
            told = m.simulate(end, every=EVERY, start=state, method="dop853", rtol=rtol, coordinates=coordinates)
            return told, time.thread_time() - begin, np.column_stack([told[name] for name in names])

        fine = [run(end, 1e-13, one)[2] for one in ("joint", "body")]
        right = fine[case.coordinates == "joint"]  # by the other set
        print(f"\n{m.name}: places at {end:g} s are known to {abs(fine[0] - fine[1])[-50:].max():.0e}")
        print("evaluations (solutions) and microseconds a second; errors of places at", COMPARED[case.name], "s;")
        print("largest error of energy [J] until", TIMES, "s; violation")
        for rtol in (1e-6, 1e-8, 1e-10, 1e-12, 1e-13):
            one, seconds, places = run(TIMES[-1], rtol, case.coordinates)
            cost, energy = one.statistics.evaluations / TIMES[-1], abs(one.energy.balance)
            told(
                f"dop853, {rtol:.0e}", cost, 1e6 * seconds / TIMES[-1], places, right, energy, one.violation.max(), case
            )
        rattle.rattle(*moving, 1e-3, rattle.PARTS[2], 10, 1, *arrays)  # compiled
        for order, parts in rattle.PARTS.items():
            for steps in STEPS[order]:
                begin = time.thread_time()
                all_steps = round(TIMES[-1] / EVERY) * steps
                r, energy, apart, count = rattle.rattle(*moving, EVERY / steps, parts, all_steps, steps, *arrays)
                seconds = time.thread_time() - begin
                places = np.delete(r, slice(2, None, 3), axis=1)
                what = f"RATTLE {order}, h = {EVERY / steps:g}"
                told(what, count / TIMES[-1], 1e6 * seconds / TIMES[-1], places, right, energy, apart, case)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    {"pairs": pairs, "long": long}[sys.argv[1]]()
