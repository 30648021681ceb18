"""What an explicit Runge-Kutta method is: its coefficients, its order, its dense output."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.units import whole


def matrix(entries, rows: int, columns: int) -> np.ndarray:
    """A matrix from {row: {column: value}}."""
    out = np.zeros((rows, columns))
    for i, row in entries.items():
        for j, value in row.items():
            out[i, j] = value
    return out


def cubic(weights) -> np.ndarray:
    """Dense output through both ends and both slopes of a step, for a method with these weights:

    b_i (3 th^2 - 2 th^3), plus th - 2 th^2 + th^3 at the first slope and th^3 - th^2 at the last
    """
    out = np.zeros((len(weights) + 1, 3))
    out[:-1, 1], out[:-1, 2] = 3.0 * np.asarray(weights), -2.0 * np.asarray(weights)
    out[0] += 1.0, -2.0, 1.0
    out[-1] = 0.0, -1.0, 1.0
    return out


@dataclass(frozen=True, eq=False)
class Method:
    """An explicit Runge-Kutta method.

    `stages` has one row a stage; the row after the last weight is f at the end of the step, later rows serve the
    dense output only.  `error` and `error_low` weigh the stages (a second estimate may be missing); without `error`
    the method takes steps of one size.  `dense[i, j]` is the factor of theta^(j+1) for stage i.  The error estimate
    grows with the power `control` of the step; where it is not said, it is taken as `order`.
    """

    #: the file of `kernels.time` that takes its steps
    stepper: ClassVar[str] = "explicit"

    name: str
    order: int
    stages: np.ndarray
    weights: tuple[float, ...]
    times: tuple[float, ...]
    dense: np.ndarray
    error: tuple[float, ...] | None = None
    error_low: tuple[float, ...] | None = None
    control: int | None = None

    def __post_init__(self):
        item, put = f"Method '{self.name}'", object.__setattr__
        for name, dimensions in (
            ("stages", 2),
            ("dense", 2),
            ("weights", 1),
            ("times", 1),
            ("error", 1),
            ("error_low", 1),
        ):
            given = getattr(self, name)
            if given is None and name in ("error", "error_low"):
                continue
            try:
                array = np.array(given, dtype=float)
            except (TypeError, ValueError):
                array = np.full(1, np.nan)
            if array.ndim != dimensions or not np.isfinite(array).all():
                raise DescriptionError(message(item, f"has {name} that are no table of finite numbers", repr(given)))
            array.flags.writeable = False
            put(self, name, array if dimensions == 2 else tuple(array.tolist()))
        rows, count = self.stages.shape[0], len(self.weights)
        for name, found, wanted, fits in (
            (
                "stages",
                self.stages.shape,
                "more rows than weights, each as long as there are rows",
                0 < count < rows <= self.stages.shape[1],
            ),
            ("times", (len(self.times),), f"{rows}, one for each row of stages", len(self.times) == rows),
            (
                "dense",
                self.dense.shape,
                f"{rows} rows, one for each of stages",
                self.dense.shape[0] == rows and self.dense.shape[1] > 0,
            ),
            ("error", (len(self.error or ()),), f"at most {count + 1}", len(self.error or ()) <= count + 1),
            ("error_low", (len(self.error_low or ()),), f"at most {count + 1}", len(self.error_low or ()) <= count + 1),
        ):
            if not fits:
                raise DescriptionError(message(item, f"has {name} of the wrong size", str(found), wanted))
        if np.triu(self.stages).any():
            raise DescriptionError(
                message(
                    item,
                    "has a stage that needs itself or a later one",
                    remedy="an explicit method has zeros on and above the diagonal of stages",
                )
            )
        if abs(sum(self.weights) - 1.0) > 1e-9:
            raise DescriptionError(message(item, "has weights whose sum is not 1", f"{sum(self.weights):.12g}", "1"))
        put(self, "order", whole(self.order, item, "order", 1))
        if self.control is not None:
            put(self, "control", whole(self.control, item, "control", 1))

    @property
    def fixed_step(self) -> bool:
        """Whether steps are of one size, given by the user."""
        return self.error is None

    @cached_property
    def arrays(self):
        """a, b, c, e5, e3, d as the kernel takes them."""
        b = np.array(self.weights)
        zeros = np.zeros(b.size + 1)
        padded = [
            zeros if e is None else np.pad(np.array(e), (0, b.size + 1 - len(e))) for e in (self.error, self.error_low)
        ]
        return (np.array(self.stages, order="C"), b, np.array(self.times), *padded, np.array(self.dense, order="C"))
