"""The contract of laws that tell their slopes: they are those of the law, by differences at random values and rates."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.compiled.laws import call_plainly
from linkwork.kernels.checked import plainly
from linkwork.mechanism.functions import Function
from linkwork.mechanism.law_parts import LawPart
from linkwork.testing.scenes import DIFFERENCES, close

PLACES = 12
STEP = 1e-5
#: where the two halves of a difference are so far apart, in parts of it, the law has a corner there
CORNER = 1e-2


def check_slopes(name: str, part: LawPart, rng: np.random.Generator) -> None:
    """Compare the slopes that a law tells with differences of its forces; places where it bends are left out.

    Those against functions of time are nobody's: no motion changes them.
    """
    if part.slopes is None and part.form != "table":
        return
    for _ in range(PLACES):
        values, rates = rng.uniform(-2.0, 2.0, len(part.reads)), rng.uniform(-5.0, 5.0, len(part.reads))
        t = float(rng.uniform(0.0, 1.0))
        told = told_slopes(part, values, rates, t)
        for kind, word in enumerate(("value", "rate")):
            for i in (k for k, one in enumerate(part.reads) if not isinstance(one, Function)):
                found = _difference(part, values, rates, t, kind, i)
                if found is not None:
                    close(
                        f"{name}: slope of its forces against {word} {i + 1} of what it reads, values "
                        f"{np.round(values, 3).tolist()}, rates {np.round(rates, 3).tolist()}",
                        told[kind][:, i],
                        found,
                        DIFFERENCES,
                    )


def told_slopes(part: LawPart, values: np.ndarray, rates: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
    """The slopes that a law tells, in plain Python: against values, and against rates, [force, what is read]."""
    against_values, against_rates = np.zeros((2, len(part.along), len(part.reads)))
    numbers = np.array(part.numbers)
    if part.form == "table":
        against_values[0, 0] = -part.law(values[0] - numbers[0], numbers[1:])[1]
        return against_values, against_rates
    assert part.slopes is not None
    slopes = plainly(part.slopes)
    if part.form == "short":
        against_values[0, 0], against_rates[0, 0] = slopes(values[0], rates[0], t, *numbers)
    else:
        slopes(values, rates, t, numbers, np.zeros(part.memory), against_values, against_rates)
    return against_values, against_rates


def _difference(part: LawPart, values: Any, rates: Any, t: float, kind: int, i: int) -> np.ndarray | None:
    """The slope of the forces by differences; None where there is none."""

    def forces(way: float) -> np.ndarray:
        read = [values.copy(), rates.copy()]
        read[kind][i] += way
        out, none = np.zeros(len(part.along)), np.zeros(0)
        given = (*read, np.array(part.numbers), np.zeros(part.memory), out, none, none)
        call_plainly(part, plainly(part.law), t, *given)
        return out

    below, here, above = (forces(way) for way in (-STEP, 0.0, STEP))
    one, other = (above - here) / STEP, (here - below) / STEP
    slope = 0.5 * (one + other)
    size = max(np.abs(slope).max(), np.abs(here).max() * 1e-3, 1e-12)
    return slope if np.isfinite(slope).all() and np.abs(one - other).max() <= CORNER * size else None
