"""How laws tell their slopes to implicit methods: exactly, where they know them; else methods take two differences.

A slope costs rounds of an iteration where it is poor, never accuracy.  Slots are compiled when a method first asks.
"""

from __future__ import annotations

from typing import NamedTuple

from linkwork.compiled.laws import Slot, compiled_slot, known_slot, made_of
from linkwork.errors import UncompiledWarning, message, warn
from linkwork.kernels import jit

_BODY = {
    "short": "q[0, 0], d[0, 0] = law(v[0], r[0], t{numbers})",
    "long": "law(v, r, t, n, m, q, d)",
    "table": "q[0, 0] = -law(v[0] - n[0], n[1:])[1]",
}

_SLOT = """
def {name}(
    t, values, rates, numbers, memory, out, states, changes, n_values, n_numbers, n_memory, n_out, n_states
):
    v = array_at(values, (n_values,))
    r = array_at(rates, (n_values,))
    n = array_at(numbers, (n_numbers,))
    m = array_at(memory, (n_memory,))
    q = array_at(out, (n_out, n_values))
    d = array_at(changes, (n_out, n_values))
    try:
        {body}
    except Exception:
        for i in range(n_out):
            for j in range(n_values):
                q[i, j] = np.nan
"""


class Slopes(NamedTuple):
    """What tells the slopes of every law, or None, and how many there are at most of one law against values."""

    slots: tuple[Slot | None, ...]
    most: int


def slopes_of(laws) -> Slopes:
    """Slots of the slopes of all laws that tell them."""
    most = max((len(law.reads) * len(law.along) for law in laws), default=0)
    return Slopes(tuple(slope_slot(law.part) if law.slot.address else None for law in laws), most)


def slope_source(form: str, count: int = 0) -> str:
    """The text of the slot of slopes, which in the short form take so many numbers."""
    return _SLOT.replace("{body}", _BODY[form].format(numbers="".join(f", n[{k}]" for k in range(count))))


def slope_slot(part) -> Slot | None:
    """The slot of the slopes of one part of a force element, if it tells them."""
    slope = part.law if part.form == "table" else part.slopes  # a table gives its slope beside its value
    if slope is None:
        return None
    count = len(part.numbers) if part.form == "short" else 0
    source = slope_source(part.form, count)
    try:
        return known_slot(
            ("slope", part.form, made_of(slope), count),
            lambda: compiled_slot(slope, source, jit.LAW, None, what=f"Slope '{getattr(slope, '__name__', slope)}'"),
        )
    except Exception as error:  # of numba, or of what it meets while it compiles
        name = getattr(slope, "__name__", slope)
        warn(
            message(
                f"Slope '{name}'",
                "cannot be compiled and is found by differences of its law",
                type(error).__name__,
                "plain arithmetic that numba can compile",
            ),
            UncompiledWarning,
        )
        return None
