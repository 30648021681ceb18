"""A function of time that is known at given times, with its rate and its acceleration there."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.dimensions import settle_values
from linkwork.mechanism.functions import Function
from linkwork.records import dataclass

LISTS = ("times", "values", "rates", "accelerations")
JUMP = 1e-6  # of the largest third derivative: less is rounding


@dataclass(frozen=True, init=False)
class Recorded(Function):
    """Pieces of fifth degree through `values`, `rates` and `accelerations` at `times`, twice continuously
    differentiable; at these times exactly what is given.

    Outside it goes on as a straight line with the rate of its end.

    >>> f = lw.Recorded(times=[0.0, 1.0], values=[0.0, 1.0], rates=[0.0, 3.0], accelerations=[0.0, 6.0])
    >>> f(1.0), round(f(0.5)[0], 12)
    ((1.0, 3.0, 6.0), 0.125)
    """

    times: tuple[float, ...]
    values: tuple[float, ...]  # type: ignore[assignment]  # of an instance; the class has the method below
    rates: tuple[float, ...]
    accelerations: tuple[float, ...]

    sample: ClassVar = {
        "times": (0.0, 0.4, 1.1, 2.0),
        "values": (0.1, 0.9, 0.4, -0.3),
        "rates": (1.0, 0.2, -1.5, 0.4),
        "accelerations": (0.5, -2.0, 1.0, 0.3),
    }

    def __init__(self, times: Any, values: Any, rates: Any, accelerations: Any) -> None:
        item = type(self).__name__
        given = dict(zip(LISTS, (times, values, rates, accelerations)))
        if all(_numbers(one) for one in given.values()):
            for name, one in given.items():
                object.__setattr__(self, name, tuple(np.asarray(one, dtype=float).tolist()))
        else:
            self._settle(given)
        sizes = {len(getattr(self, name)) for name in LISTS}
        if len(sizes) > 1 or 0 in sizes:
            raise DescriptionError(
                message(
                    item,
                    "needs one value, rate and acceleration for each time",
                    ", ".join(f"{len(getattr(self, name))} {name}" for name in LISTS),
                    "equal numbers of all four, at least one",
                )
            )
        for name in LISTS:
            if not np.isfinite(getattr(self, name)).all():
                raise DescriptionError(message(item, f"has {name} that are not finite", wanted="finite numbers"))
        back = np.flatnonzero(np.diff(self.times) <= 0.0)
        if back.size:
            k = int(back[0])
            raise DescriptionError(
                message(
                    item,
                    "needs increasing times",
                    f"times[{k}] = {self.times[k]!r}, times[{k + 1}] = {self.times[k + 1]!r}",
                    "each time greater than the one before it",
                )
            )
        with np.errstate(all="ignore"):
            if not np.isfinite(self._pieces).all():
                raise DescriptionError(
                    message(
                        item,
                        "has numbers that are too large to compute with",
                        remedy="look for a wrong unit, a wrong power of ten, or two times that are nearly one",
                    )
                )

    def _settle(self, given: dict[str, Any]) -> None:
        """Numbers among which there are texts with units."""
        units = []
        for order, (name, listed) in enumerate(given.items()):
            try:
                numbered = {f"{name}[{k}]": (x, max(0, order - 1)) for k, x in enumerate(listed)}
            except TypeError:
                raise DescriptionError(
                    message(type(self).__name__, f"cannot use its {name}", repr(listed), "a list of numbers")
                ) from None
            units.append(numbered)
        settle_values(self, units[0], "times", "argument")
        settle_values(self, units[1] | units[2] | units[3], "values")
        together, first = self.values, 0
        for name, numbered in zip(LISTS[1:], units[1:]):
            object.__setattr__(self, name, together[first : first + len(numbered)])
            first += len(numbered)

    @cached_property
    def _pieces(self) -> np.ndarray:
        """(pieces, 6) in powers of t minus the start of the piece; what the first three leave is met by the others."""
        t, f, r, a = (np.array(getattr(self, name)) for name in LISTS)
        h = np.diff(t)
        left = np.diff(f) - h * (r[:-1] + 0.5 * h * a[:-1])
        rate = np.diff(r) - h * a[:-1]
        acceleration = np.diff(a)
        return np.column_stack(
            [
                f[:-1],
                r[:-1],
                0.5 * a[:-1],
                (10.0 * left / h - 4.0 * rate + 0.5 * h * acceleration) / h**2,
                (-15.0 * left / h + 7.0 * rate - h * acceleration) / h**3,
                (6.0 * left / h - 3.0 * rate + 0.5 * h * acceleration) / h**4,
            ]
        )

    def numbers(self) -> tuple[float, ...]:
        """The n times, six coefficients for each of the n - 1 pieces, and what it is at the last time."""
        last = self.values[-1], self.rates[-1], self.accelerations[-1]
        return (*self.times, *self._pieces.ravel().tolist(), *last)

    @property
    def smooth(self) -> bool:
        return True

    @cached_property
    def corners(self) -> tuple[tuple[float, int], ...]:
        h, pieces = np.diff(self.times), self._pieces
        ends = 6.0 * pieces[:, 3] + h * (24.0 * pieces[:, 4] + h * 60.0 * pieces[:, 5])
        jumps = np.abs(6.0 * pieces[1:, 3] - ends[:-1])
        far = np.flatnonzero(jumps > JUMP * np.abs(pieces[:, 3]).max(initial=0.0)) + 1
        found = {0, len(self.times) - 1, *far.tolist()}
        return tuple((self.times[k], 3) for k in sorted(found))

    # as for Table: numbers of an instance, and the function of the class
    @staticmethod  # type: ignore[no-redef]  # the field above
    def values(t: float, numbers: np.ndarray) -> tuple[float, float, float]:  # type: ignore[override]  # the same
        n = (len(numbers) + 3) // 7
        if t >= numbers[n - 1]:
            outside = t - numbers[n - 1]
            k = n + 6 * (n - 1)
            if outside == 0.0:
                return numbers[k], numbers[k + 1], numbers[k + 2]
            return numbers[k] + numbers[k + 1] * outside, numbers[k + 1], 0.0
        if t < numbers[0]:
            return numbers[n] + numbers[n + 1] * (t - numbers[0]), numbers[n + 1], 0.0
        low = 0
        high = n - 1
        while high - low > 1:
            middle = (low + high) // 2
            if t < numbers[middle]:
                high = middle
            else:
                low = middle
        x = t - numbers[low]
        k = n + 6 * low
        c2 = numbers[k + 2]
        c3 = numbers[k + 3]
        c4 = numbers[k + 4]
        c5 = numbers[k + 5]
        f = numbers[k] + x * (numbers[k + 1] + x * (c2 + x * (c3 + x * (c4 + x * c5))))
        rate = numbers[k + 1] + x * (2.0 * c2 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))
        acceleration = 2.0 * c2 + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5))
        return f, rate, acceleration


def _numbers(given: Any) -> bool:
    """Whether it is a row of plain numbers."""
    try:
        return np.asarray(given).ndim == 1 and np.asarray(given).dtype.kind in "fiu"
    except ValueError:  # rows of different lengths
        return False
