"""How the constants of `coordinates="auto"` were found: cost of an evaluation against what the tables count.

Run it on a quiet machine, in the folder of the repository: `python -m design.auto_rule`.  It prints the fitted
constants of all sets and, for every mechanism, the measured costs and what the rule, with the constants that it has
now, chooses.  `python -m design.auto_rule runs` takes whole runs of the gallery in all sets instead, beside the one
that `auto` takes: what users wait for.
"""

from __future__ import annotations

import sys
import time
from functools import partial

import numpy as np
from benchmarks.growth import loop
from benchmarks.problems import hanging_ladder

import linkwork as lw
from linkwork import gallery
from linkwork.analysis.assemble import assemble
from linkwork.analysis.entering import enter
from linkwork.coordinates import SETS_OF
from linkwork.coordinates.choice import CONSTANTS, choose, counts
from linkwork.kernels import layout as at

MECHANISMS = [
    ("pendulum", {}),
    ("double_pendulum", {}),
    ("slider_crank", {}),
    ("four_bar", {}),
    ("inverted_slider_crank", {}),
    ("six_bar_quick_return", {}),
    ("sliding_pendulum", {}),
    ("double_a_arm", {}),
    ("macpherson_a", {}),
    ("cart", {}),
    ("andrews", {}),
    ("planetary_gear", {}),
    *(("n_four_bar", {"n": n}) for n in (1, 2, 5, 10, 20, 40)),
    *(("ladder", {"n": n}) for n in (1, 3, 10, 20, 40)),
    *(("spatial_chain", {"n": n}) for n in (2, 5, 10, 20, 50)),
    *(
        (name + " in space", options)
        for name, options in (
            ("four_bar", {}),
            ("double_a_arm", {}),
            ("andrews", {}),
            ("n_four_bar", {"n": 5}),
            ("n_four_bar", {"n": 10}),
            ("n_four_bar", {"n": 20}),
            ("ladder", {"n": 3}),
            ("ladder", {"n": 10}),
            ("ladder", {"n": 20}),
        )
    ),
]


def evaluation(model, coordinates, state):
    """A function that evaluates one state again and again, and gives the seconds of one evaluation."""
    system, y, _ = enter(model, coordinates, state)
    system.note(at.DETAIL, 0.0)  # as in a run: nothing is left for those who read results
    repeats = max(20, 4000 // len(model.bodies))
    work = loop(system.pointers[0], np.concatenate([y, system.memory])[None, :], repeats, system)

    def measure() -> float:
        begin = time.process_time()
        work()
        return (time.process_time() - begin) / repeats

    return measure


def main():
    """Measure, fit and print."""
    shown = []
    for name, options in MECHANISMS:
        plain = name.removesuffix(" in space")
        mechanism = hanging_ladder(options["n"]) if plain == "ladder" else gallery.get(plain, **options)
        model = (mechanism if plain == name else mechanism.in_space()).compile(coordinates="body")
        state = assemble(model, coordinates="body").state
        sets = [one for one in SETS_OF[model.dimension] if (model.dimension, one) in CONSTANTS]
        works = {one: evaluation(model, one, state) for one in sets}
        shown.append((name, options, model, works, dict.fromkeys(works, np.inf)))
    for _ in range(60):  # in turns: a burst of other work on the machine hits every one at most once
        for *_, works, times in shown:
            for one, work in works.items():
                times[one] = min(times[one], work())
    measured: dict = {key: [] for key in CONSTANTS}
    for _, _, model, _, times in shown:
        for one, seconds in times.items():
            measured[model.dimension, one].append((counts(model.plan(one)), seconds * 1e9))
    for key, rows in measured.items():
        matrix = np.array([row[0] for row in rows], dtype=float)
        nanoseconds = np.array([row[1] for row in rows])
        # relative errors count, and no constant is negative
        from scipy.optimize import nnls

        fitted, _ = nnls(matrix / nanoseconds[:, None], np.ones(len(rows)))
        worst = np.abs(matrix @ fitted / nanoseconds - 1.0).max()
        print(key, np.round(fitted, 1), f"worst {100 * worst:.0f} %")
    for name, options, model, _, times in shown:
        taken = choose(model)  # by the constants that are in the product now
        loss = times[taken] / min(times.values())
        costs = "   ".join(f"{one} {seconds * 1e6:8.2f} us" for one, seconds in times.items())
        print(
            f"{name:24}{options!s:12} {costs}  {taken:6}{loss:6.2f} of the best",
            *(counts(model.plan(s)) for s in times),
        )


def runs():
    """Seconds of the kernel in whole runs of the gallery, in all sets, and what the choice of `auto` costs."""
    ready = {}
    for name in gallery.names():
        mechanism = gallery.get(name)
        for one in SETS_OF[mechanism.dimension]:
            state = mechanism.assemble(coordinates=one).state
            ready[name, one] = partial(lw.simulate, state.model, [0.0, 1.0], start=state, coordinates=one, rtol=1e-8)
    best, told = dict.fromkeys(ready, np.inf), {}
    for _ in range(15):
        for key, run in ready.items():
            begin = time.process_time()
            told[key] = run().statistics
            best[key] = min(best[key], time.process_time() - begin)
    for name in gallery.names():
        mechanism = gallery.get(name)
        taken = mechanism.simulate([0.0, 1e-3]).coordinates
        times = {one: best[name, one] for one in SETS_OF[mechanism.dimension]}
        shown = "   ".join(f"{one} {1e3 * t:7.2f} ms, {told[name, one].evaluations:5}" for one, t in times.items())
        print(f"{name:24} {shown}   {taken:6}{times[taken] / min(times.values()):6.2f} of the best")


if __name__ == "__main__":
    runs() if sys.argv[1:] == ["runs"] else main()
