"""One side of the stiff problems, this source or version 0.1.0, in a process of its own (`benchmarks.peers.worker`).

The clock is around a run from a given state and the reading of what is observed at its end.  Assembling, compiling and
preparing are outside.
"""

from __future__ import annotations

import json
import math
import time
import warnings
from dataclasses import dataclass
from functools import partial

import linkwork as lw
from benchmarks.peers.tools import Method
from benchmarks.stiff_problems import PROBLEMS

VERSION = getattr(lw, "__version__", "unknown")
JOINT_COORDINATES = False  # there is no translated tree
LOOSEST, TIGHTEST = 1e-1, 1e-12
PREPARES = hasattr(lw, "prepare")  # version 0.1.0 does not, and runs from a state
METHODS = ("auto", "radau") if PREPARES else ("rkc", "dopri5", "dop853")
SETS = ("joint", "body")  # that both sides are tried in

warnings.simplefilter("ignore")


@dataclass(frozen=True)
class Scheme:
    """A problem and what is observed at its end."""

    name: str
    reference: tuple[float, ...]


def scheme(case: str) -> Scheme:
    """The case as `benchmarks.stiff` names it: JSON of the name and the values at the end."""
    name, reference = json.loads(case)
    return Scheme(name, tuple(reference))


def methods(case: Scheme) -> list[Method]:
    """All methods of this side, compiled."""
    found = [Method(f"{one}, {where}", "tolerance", LOOSEST, TIGHTEST) for one in METHODS for where in SETS]
    for method in found:
        # "auto" compiles what is stiff where it turns to it; explicit methods take long to the end
        prepare(case, method, 1e-4, share=1.0 if PREPARES else 1e-3)()
    return found


def prepare(case: Scheme, method: Method, rtol: float, share: float = 1.0):
    """A run to the end of the problem, or to a share of it."""
    m, observed, end = PROBLEMS[case.name]()
    by, where = method.name.split(", ")
    options = {"every": share * end, "method": by, "rtol": rtol, "coordinates": where}
    state = m.assemble(coordinates=where).state
    if PREPARES:
        ready = partial(m.prepare(share * end, **options, read=observed), state)
    else:
        ready = partial(lw.simulate, state.model, share * end, start=state, **options)

    def run() -> tuple[float, float]:
        begin = time.process_time()
        result = ready()
        found = [float(result[name][-1]) for name in observed]
        spent = time.process_time() - begin
        error = max(abs(one - known) for one, known in zip(found, case.reference))
        return spent, error if math.isfinite(error) else math.inf

    return run
