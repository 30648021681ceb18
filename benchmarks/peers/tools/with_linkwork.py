"""Linkwork: a motion is prepared; the clock is around a run of it and the reading of what is observed."""

from __future__ import annotations

import time

import linkwork as lw
from benchmarks.peers.tools import Method, remember

COORDINATES = "auto"  # the set that Linkwork chooses by itself
VERSION = lw.__version__
ABOUT = {"coordinates": COORDINATES}
JOINT_COORDINATES = False  # the translated tree is not used
_prepared: dict = {}


def methods(scheme) -> list[Method]:
    """All methods, those for what is stiff where damping is strong; each runs once, so that it is compiled."""
    stiff = [
        Method("auto", "tolerance", 1e-2, 1e-13),
        Method("radau", "tolerance", 1e-2, 1e-13),
        Method("rkc", "tolerance", 1e-4, 1e-13),  # looser, only stability decides
    ]
    found = [
        *(stiff if scheme.damped else []),
        Method("dop853", "tolerance", 1.0, 1e-13),
        Method("dopri5", "tolerance", 1.0, 1e-13),
        Method("rk4", "steps", scheme.steps, 1e6),
    ]
    for method in found:
        if method.kind == "tolerance":
            prepare(scheme, method, 1e-3)()  # "auto" compiles what is stiff where it turns to it
        else:
            prepare(scheme, method, 1e3)
    return found


def _model(scheme):
    def build():
        model = scheme.problem.mechanism.compile()
        return model, lw.assemble(model, coordinates=COORDINATES).state

    return remember(_prepared, scheme.key, build)


def prepare(scheme, method: Method, setting: float):
    """A run to the end of the problem with no outputs between."""
    model, state = _model(scheme)
    knob = {"step": scheme.end / setting} if method.kind == "steps" else {"rtol": setting}
    ready = lw.prepare(
        model,
        [0.0, scheme.end],
        start=state,
        coordinates=COORDINATES,
        method=method.name,
        **knob,
        read=scheme.problem.observed,
    )

    def run():
        begin = time.process_time()
        result = ready(state)
        found = [result[name] for name in scheme.problem.observed]
        spent = time.process_time() - begin
        return spent, scheme.problem.difference([series[-1] for series in found], scheme.problem.reference.values)

    return run
