"""Can a finished run be trusted?  It is looked over at a few of its times, which costs next to nothing."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite

import numpy as np

from linkwork.errors import RunQualityWarning, message, warn
from linkwork.kernels import layout as at

SAMPLES = 5  # times that are looked at, the first and the last among them
LEDGER = 1e-3  # of the largest energy in play: more than this is no rounding and no usual error
VIOLATION = 1e-6  # of a row, against its length or one radian
SINGULAR = 1e-6  # smallest pivot of the rows at the start, where it is larger elsewhere
MEANINGLESS = 0.1  # a tolerance of a tenth of the mechanism and its speeds allows any motion


def judge(
    system, t, raw, *, began: float, usual: float, violation: float | None, energy: float, rtol: float | None
) -> list[str]:
    """What is doubtful about a run, one sentence each.

    `raw` are its states in the coordinates of `system`; `began` is the smallest pivot at the start, `usual` the one
    beside a singular position, `violation` the largest at any step (None: the states were not projected), `energy`
    what counts as much energy, `rtol` the tolerance if one chose the steps.
    """
    doubts = []
    if rtol is not None and not rtol < MEANINGLESS:
        doubts.append(f"rtol = {rtol:g} allows any error (give less than {MEANINGLESS:g})")
    if began < min(SINGULAR, 0.5 * usual):
        doubts.append("it begins in a singular position and follows one of the possible ways on")
    if len(t) > 1:
        if len(t) > SAMPLES:
            some = _samples(len(t))
            t, raw = t[some], raw[some]
        doubts += [*_ledger(system, t, raw, energy), *_violation(system, t, raw, violation)]
    return doubts


@lru_cache(16)
def _samples(count: int) -> np.ndarray:
    """Which of the times are looked at."""
    return np.unique([(count - 1) * k // (SAMPLES - 1) for k in range(SAMPLES)])


def tell(name: str, doubts: list[str]) -> None:
    """One warning with all that is doubtful."""
    warn(message(f"The run of '{name}'", "is doubtful: " + "; ".join(doubts)), RunQualityWarning)


def _ledger(system, t, raw, usual: float) -> list[str]:
    """Whether the balance closes; what is far below any energy that counts may be rounding.

    balance = change of (kinetic + potential) - work of all that has no potential

    Driven bodies without mass and without forces have no energy: what their drivers do is rounding.
    """
    if not system.model.laws and not any(body.mass or np.any(body.inertia) for body in system.model.bodies):
        return []
    kinetic, potential, work = (part.tolist() for part in system.ledger(t, raw))  # a few numbers: plain ones are faster
    total = [k + p - w for k, p, w in zip(kinetic, potential, work)]
    first = total[0]
    off = [abs(one - first) for one in total]
    high, low = max(potential), min(potential)
    in_play = max(*kinetic, high - low, max(work) - min(work), 1e-9 * usual, 1e-12 * max(high, -low))
    largest = max(off)
    if largest <= LEDGER * in_play and isfinite(sum(off)):  # of nan and a number, max may give either
        return []
    worst = next((k for k, one in enumerate(off) if not isfinite(one)), off.index(largest))
    return [
        f"the energy balance is off by {off[worst]:.2g} J at t = {t[worst]:.4g} s, {off[worst] / in_play:.2g} of "
        "the largest energy in play (give a smaller rtol or step; look for laws and drivers that jump)"
    ]


def _violation(system, t, raw, known: float | None) -> list[str]:
    if not system.n_rows or (known is not None and known <= VIOLATION):
        return []
    phi = system.swept(t, raw, system.plan.places(at.W_PHI), located=True)
    off = (np.abs(phi) / system.row_scale).max(axis=0)
    worst = int(np.argmax(off))
    largest = off[worst] if known is None else max(known, off[worst])
    if largest <= VIOLATION:
        return []
    return [f"the constraints are not kept: {system.plan.rows[worst].name} is off by {largest:.2g} of its size"]
