"""Steps that collapse at one place because a law jumps there: told with the name of its element.

A force that changes its sign at once, such as -mu N sign(v), pushes a motion back and forth across the jump: no step
that crosses it is accurate, and steps become as short as the error control allows, for ever.  A run that slows down so
far is looked at: where the motion crosses the present state, do forces change by as much however near one looks?
"""

from __future__ import annotations

import numpy as np

from linkwork.errors import AnalysisError, message
from linkwork.kernels import layout as at

#: a run is looked at after so many tries, or so many seconds with at least a few tries
TRIES, SECONDS, FEW = 20_000, 2.0, 500
#: and is suspected where so many more would be needed at this pace, and this part of the tries is rejected
MANY, REJECTED = 2_000_000, 0.05
#: states along the motion that are compared, in steps of the present length
PLACES = (-256, -64, -16, -4, -1, 0, 1, 4, 16, 64, 256)
HALVINGS = 24
JUMP, STAYS = 0.05, 0.5  # of the largest force of the law; of the change that was seen from afar


class Pace:
    """How fast a run gets on."""

    def __init__(self, now: float):
        self._now, self._tries, self._rejected = now, 0, 0
        self._t: float | None = None

    def collapsed(self, now: float, tries: int, rejected: int, t: float, end: float) -> float | None:
        """The usual step of late, where it is suspiciously short; else None."""
        done = tries - self._tries
        if done < FEW or (done < TRIES and now - self._now < SECONDS):
            return None
        before, share = self._t, (rejected - self._rejected) / done
        self._now, self._tries, self._rejected, self._t = now, tries, rejected, t
        if before is None or share < REJECTED:
            return None
        step = max((t - before) / done, 1e-300)
        return step if (end - t) / step > MANY else None


def jumping(system, t: float, y: np.ndarray, step: float) -> str | None:
    """The element whose law jumps where the motion is."""
    model = system.model
    if not model.laws:
        return None
    slope = system.derivative(t, y).copy()

    def forces(k: float) -> np.ndarray:
        system.derivative(t + k * step, y + k * step * slope)
        return system.view(at.W_OUT).copy()

    seen = [forces(k) for k in PLACES]
    worst: tuple[float, str | None] = 0.0, None
    for law in model.laws:
        own = slice(law.first_out, law.first_out + len(law.along))
        outs = np.array([one[own] for one in seen])
        size, changes = np.abs(outs).max(), np.abs(np.diff(outs, axis=0)).max(axis=1)
        where = int(np.argmax(changes))
        if not np.isfinite(size) or changes[where] <= JUMP * size:
            continue
        low, high, change = float(PLACES[where]), float(PLACES[where + 1]), changes[where]
        first, last = outs[where], outs[where + 1]
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            between = forces(middle)[own]
            if np.abs(between - first).max() > np.abs(last - between).max():
                high, last = middle, between
            else:
                low, first = middle, between
        if np.abs(last - first).max() > max(STAYS * change, worst[0]):
            worst = float(np.abs(last - first).max()), law.element
    return worst[1]


def raise_chatter(model, element: str, t: float, step: float, result) -> None:
    """The error that says so."""
    raise AnalysisError(
        message(
            f"Force '{element}'",
            f"has a law that jumps, and the run does not get past it: at t = {t:.6g} s steps are {step:.1g} s long",
            remedy="let the law go over within a small range, for example tanh(v/1e-3) for sign(v); or switch it by an "
            "event where it would jump",
        ),
        result=result,
    )
