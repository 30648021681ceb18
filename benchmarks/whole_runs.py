"""Whole simulations against equations derived by hand with numpy and scipy, both at an error of 1e-6."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import linkwork as lw
from benchmarks import problems, student
from benchmarks.timing import Row, best_times

ERROR = 1e-6
TOLERANCES = [10.0 ** (-k / 4) for k in range(12, 49)]  # 1e-3, 5.6e-4, 3.2e-4, ... 1e-12

CASES = {
    "Andrews' squeezer": (problems.andrews, student.andrews, 4.0),
    "double pendulum": (problems.double_pendulum, student.double_pendulum, 30.0),
}


def loosest(error_at) -> tuple[float, float]:
    """The loosest tolerance from which on every tighter one reaches the error: no lucky hit is taken."""
    found = None
    for rtol in reversed(TOLERANCES):
        error = error_at(rtol)
        if error > ERROR:
            break
        found = rtol, error
    if found is None:
        raise RuntimeError(f"the tolerance {TOLERANCES[-1]:g} does not reach an error of {ERROR:g}")
    return found


@dataclass(frozen=True)
class Entry:
    """One method at the tolerance it needs."""

    method: str
    rtol: float
    error: float
    work: Callable


def quickest(solve, error_of, methods) -> Entry:
    """The fastest of the methods, each at its loosest tolerance.  `solve(method, rtol)` is what is timed."""
    entries = {}
    for method in methods:
        rtol, error = loosest(lambda rtol, method=method: error_of(solve(method, rtol)))
        entries[method] = Entry(method, rtol, error, lambda method=method, rtol=rtol: solve(method, rtol))
    times = best_times({method: entry.work for method, entry in entries.items()}, 10)
    return entries[min(times, key=times.get)]


def prepared(problem):
    """Model and start state of a problem: what is done once before many runs."""
    model = problem.mechanism.compile()
    return model, lw.assemble(model, coordinates="body").state


def compare(what: str, problem, equations, wanted: float, rounds: int) -> list[Row]:
    """Both sides timed in turns, the ratio first."""
    model, state = prepared(problem)
    times = [0.0, problem.end]

    def simulate(method, rtol):
        return lw.simulate(model, times, start=state, coordinates="body", method=method, rtol=rtol)

    def hand_error(values):
        return problem.difference(values, problem.reference.values)

    ours = quickest(simulate, problem.error, ("dop853", "dopri5"))
    hand = quickest(equations.solve, hand_error, ("DOP853", "RK45"))
    best = best_times({"ours": ours.work, "hand": hand.work}, rounds)
    ratio = best["hand"] / best["ours"]
    unit = "rad" if problem.angles else "m"
    return [
        Row(
            "whole runs",
            f"{what}: faster than by hand",
            ratio,
            "times",
            f">= {wanted:g}",
            ratio >= wanted,
            baseline=f"numpy and scipy's solve_ivp; each side with the faster of two methods, at the loosest "
            f"tolerance that reaches {ERROR:g}",
            error=f"{ours.error:.1e} against {hand.error:.1e} {unit} at the end",
            outside="describing, compiling and assembling once; reading the result (by hand: constants)",
        ),
        Row("whole runs", f"{what}: Linkwork, {ours.method}, rtol {ours.rtol:.1e}", 1e3 * best["ours"], "ms"),
        Row("whole runs", f"{what}: by hand, {hand.method}, rtol {hand.rtol:.1e}", 1e3 * best["hand"], "ms"),
    ]


def measure(quick: bool = False) -> list[Row]:
    """How many times faster than by hand."""
    rows = []
    for what, (build, by_hand, wanted) in CASES.items():
        rows += compare(what, build(), by_hand(), wanted, 3 if quick else 30)
    return rows
