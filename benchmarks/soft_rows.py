"""How stiff runs grow with the number of bodies: `python -m benchmarks --only soft`.

Processor time of prepared runs of a second of a chain of bars with stiff joints, all methods and sizes in turns.
"""

from __future__ import annotations

import time
from functools import partial

import linkwork as lw
from benchmarks.growth import exponent
from benchmarks.stiff_problems import chain
from benchmarks.timing import Row, best_times

SIZES = (50, 100, 200, 400)
STIFFNESS, DAMPING, RTOL = 1e6, 1e4, 1e-5
#: method and set of coordinates, and the exponent that is asked
WAYS = {("radau", "joint"): None, ("radau_soft", "joint"): 1.1, ("radau_soft", "body"): 1.1}


def measure(quick: bool = False) -> list[Row]:
    """Times, and exponents from the smallest to the largest size."""
    works = {}
    for size in (SIZES[0], SIZES[-1]) if quick else SIZES:
        m, observed, end = chain(size, STIFFNESS, DAMPING)
        for method, where in WAYS:
            state = m.assemble(coordinates=where).state
            options = {"method": method, "rtol": RTOL, "coordinates": where, "read": observed}
            ready = lw.prepare(state.model, end, every=end, start=state, **options)
            ready(state)  # compiles
            works[method, where, size] = partial(ready, state)
    best = best_times(works, 2 if quick else 5, time.process_time)
    rows = []
    for (method, where), wanted in WAYS.items():
        times = {size: spent for (*way, size), spent in best.items() if way == [method, where]}
        for size, spent in times.items():
            rows.append(Row("soft", f"{size} bars, {method}, {where} coordinates", 1e3 * spent, "ms"))
        found = exponent(times)
        title = f"exponent {min(times)} to {max(times)}, {method}, {where} coordinates"
        asked = "" if wanted is None else f"<= {wanted:g}"
        met = None if wanted is None else found <= wanted
        rows.append(Row("soft", title, found, "", asked, met, outside="assembling, compiling and preparing"))
    return rows
