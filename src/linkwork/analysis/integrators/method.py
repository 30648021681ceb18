"""What a Runge-Kutta method is, explicit or with three implicit stages: its coefficients, order and dense output."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.records import dataclass
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
    #: how far the stability region reaches along the negative real axis, where the last stage is at the end of the
    #: step: then steps can tell that stability alone keeps them short
    stable: float | None = None

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

    #: a step that would grow by less keeps its length
    least_growth: ClassVar[float] = 1.0

    @property
    def fixed_step(self) -> bool:
        """Whether steps are of one size, given by the user."""
        return self.error is None

    @property
    def between(self) -> int:
        """The order inside of steps."""
        return self.order

    def with_one_step(self) -> Method:
        """The same with steps of one size."""
        return replace(self, error=None, error_low=None)

    def allowed(self, rtol: float) -> float:
        """What the error estimate may be where the error of a step may be `rtol`."""
        return rtol

    def promised(self, rtol: float) -> float:
        """What the error of a short motion stays below.

        The tolerance is that of a step, h^(p+1); over a time the errors add up to h^p, which shows at low orders.
        """
        return 30.0 * rtol if self.control is None else 5.0 * rtol ** (self.order / self.control)

    @cached_property
    def arrays(self):
        """a, b, c, e5, e3, d as the kernel takes them."""
        b = np.array(self.weights)
        zeros = np.zeros(b.size + 1)
        padded = [
            zeros if e is None else np.pad(np.array(e), (0, b.size + 1 - len(e))) for e in (self.error, self.error_low)
        ]
        return (np.array(self.stages, order="C"), b, np.array(self.times), *padded, np.array(self.dense, order="C"))


@dataclass(frozen=True, eq=False)
class Implicit:
    """A Runge-Kutta method with three implicit stages, the last of which is the end of the step.

    Its matrix of stages has one real eigenvalue and a complex pair.  `error` weighs the stages in the estimate of the
    error, which grows with the power `control` of the step; the polynomial inside of a step has the order `between`.
    """

    stepper: ClassVar[str] = "radau"
    #: shifted systems are factored for one length: steps that would grow by less keep theirs
    least_growth: ClassVar[float] = 1.2

    name: str
    order: int
    stages: tuple[tuple[float, ...], ...]
    times: tuple[float, ...]
    error: tuple[float, ...]
    control: int
    between: int
    fixed_step: bool = False

    def with_one_step(self) -> Implicit:
        """The same with steps of one size."""
        return replace(self, fixed_step=True)

    def allowed(self, rtol: float) -> float:
        """What the error estimate may be where the error of a step may be `rtol`.

        The estimate is one of order 3, h^4, of a method whose error is h^6: at small tolerances it is far too large.
        """
        return 0.1 * rtol**0.8

    def promised(self, rtol: float) -> float:
        """What the error of a short motion stays below."""
        return 30.0 * rtol

    @cached_property
    def arrays(self):
        """A, c, T, T^-1, (gamma, alpha, beta), error and dense output as the kernel takes them."""
        a, c = np.array(self.stages), np.array(self.times)
        values, vectors = np.linalg.eig(np.linalg.inv(a))
        real, pair = int(np.argmin(np.abs(values.imag))), int(np.argmax(values.imag))
        # A^-1 (x - i y) = (alpha + i beta) (x - i y)
        t = np.stack([vectors[:, real].real, vectors[:, pair].real, -vectors[:, pair].imag], axis=1)
        mu = np.array([values[real].real, values[pair].real, values[pair].imag])
        powers = np.linalg.inv(c[:, None] ** np.arange(1, 4))
        return tuple(np.ascontiguousarray(one) for one in (a, c, t, np.linalg.inv(t), mu, np.array(self.error), powers))


@dataclass(frozen=True, eq=False)
class Choosing:
    """A method that is chosen while running: `first` until its steps tell stiffness, then `stiff`, and back.

    Where `many` channels or more are held by laws and soft evaluations know all of them, `large` takes the place of
    `stiff`.  It goes back where steps of the stiff method times the fastest rate of the laws are below `calm`.
    """

    name: str
    first: Method
    stiff: Implicit
    large: Implicit
    many: int = 50
    calm: float = 3.0

    def other(self, method: Method | Implicit, plan) -> Method | Implicit:
        """The one that a run of this plan goes on with where this one does not serve."""
        if method is not self.first:
            return self.first
        from linkwork.coordinates.softening import fits_softly, held_channels

        return self.large if len(held_channels(plan.model)) >= self.many and fits_softly(plan) else self.stiff

    def limit(self, method: Method | Implicit) -> float:
        """What the steps of a method are asked for, see `stiff` of its stepper."""
        return self.calm if method is not self.first else self.first.stable or 0.0
