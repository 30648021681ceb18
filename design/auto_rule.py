"""How the constants of `coordinates="auto"` were found: cost of an evaluation against what the tables count.

Run it on a quiet machine: `python design/auto_rule.py`.  It prints the fitted constants and, for every mechanism, both
measured costs and what the rule chooses.
"""

from __future__ import annotations

import time

import numpy as np

from linkwork import gallery
from linkwork.analysis.assemble import assemble
from linkwork.analysis.entering import enter
from linkwork.coordinates.choice import counts

MECHANISMS = [("pendulum", {}), ("double_pendulum", {}), ("slider_crank", {}), ("four_bar", {}),
              ("inverted_slider_crank", {}), ("six_bar_quick_return", {}), ("sliding_pendulum", {}),
              ("double_a_arm", {}), ("macpherson_a", {}), ("cart", {}), ("andrews", {}), ("planetary_gear", {}),
              *(("n_four_bar", {"n": n}) for n in (1, 2, 5, 10, 20, 40)),
              *(("spatial_chain", {"n": n}) for n in (2, 5, 10, 20, 50))]


def cost(model, coordinates, state, repeats=400):
    """Seconds of one evaluation: the best of several sweeps over the same state."""
    system, y, _ = enter(model, coordinates, state)
    row = np.concatenate([y, system.memory])
    states = np.tile(row, (repeats, 1))
    t = np.full(repeats, state.t)
    best = np.inf
    for _ in range(7):
        begin = time.perf_counter()
        system.sweep(t, states, np.zeros(0, dtype=np.int64))
        best = min(best, time.perf_counter() - begin)
    return best / repeats


def main():
    """Measure, fit and print."""
    measured: dict = {(d, s): [] for d in (2, 3) for s in ("body", "joint")}
    shown = []
    for name, options in MECHANISMS:
        model = gallery.get(name, **options).compile(coordinates="body")
        state = assemble(model, coordinates="body").state
        times = {}
        for one in ("body", "joint"):
            times[one] = cost(model, one, state)
            measured[model.dimension, one].append((counts(model, one), times[one] * 1e9))
        shown.append((name, options, model, times))
    for key, rows in measured.items():
        matrix = np.array([row[0] for row in rows], dtype=float)
        nanoseconds = np.array([row[1] for row in rows])
        # relative errors count, and no constant is negative
        from scipy.optimize import nnls

        fitted, _ = nnls(matrix / nanoseconds[:, None], np.ones(len(rows)))
        worst = np.abs(matrix @ fitted / nanoseconds - 1.0).max()
        print(key, np.round(fitted, 1), f"worst {100 * worst:.0f} %")
    for name, options, model, times in shown:
        print(f"{name:24}{options!s:12} body {times['body'] * 1e6:8.2f} us   joint {times['joint'] * 1e6:8.2f} us",
              counts(model, "body"), counts(model, "joint"))


if __name__ == "__main__":
    main()
