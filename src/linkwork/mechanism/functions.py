"""Scalar functions of time (or of an elongation) with their first two derivatives.

A function is a frozen description. Kernels never see the object: they read its class, whose static method
``values(t, numbers)`` is plain arithmetic that numba compiles as it stands, and its flat ``numbers()``. Only
`Callable`, a Python function of the user, has no such pair; it answers through ``python_values(t)``.

Values may be texts with units ("90 deg"); the driver or force that takes the function checks them.

Polynomial   c0 + c1 t + c2 t^2 + ...                          a constant is ``Polynomial(c0)``
SmoothStep   f0 + df (10 z^3 - 15 z^4 + 6 z^5), z = (t - t0)/T  rate and acceleration zero at both ends
SpeedRamp    f0 + V T (5/2 z^4 - 3 z^5 + z^6)                  from rest to the speed V, which is kept
Harmonic     offset + amplitude sin(frequency t + phase)       frequency in rad/s, or "2 Hz"
Table        cubic spline through the given values             twice continuously differentiable
Callable     a Python function of the user                     missing derivatives by differences
Expression   the text of a formula, see `expressions`          exact derivatives
"""

import math
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar, Literal

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.breaks import Breaks, within
from linkwork.mechanism.checks import Frequency, PythonFunction, Radians, Seconds, Step, number, settle
from linkwork.mechanism.dimensions import settle_values
from linkwork.mechanism.kinds import Kinds
from linkwork.mechanism.numerics import first_difference, second_difference, spline_curvatures
from linkwork.mechanism.recipes import Described
from linkwork.records import dataclass
from linkwork.units import Unit


class Function(Described):
    """A scalar function of time with its first two derivatives.

    ``f(t)`` gives the value, the rate and the acceleration. A subclass is a frozen dataclass with
    ``numbers()``, the static method ``values(t, numbers)`` and ``sample``, the arguments of an example
    instance.

    >>> value, rate, acceleration = lw.Polynomial(1.0, 2.0, 3.0)(0.5)
    >>> value, rate, acceleration
    (2.75, 5.0, 6.0)
    """

    kinds: ClassVar[Kinds[type["Function"]]] = Kinds()
    sample: ClassVar[Any] = ()
    #: the time from which its own time is counted: see `compiled.events.Later`
    begins: ClassVar[float] = 0.0
    #: analytic everywhere, with nothing that happens between times which its derivatives there do not tell
    entire: ClassVar[bool] = False
    #: what the values measure and what the argument does, where units were given ("90 deg"); None if nobody said
    unit: Unit | None = None
    argument: Unit | None = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        Function.kinds[cls.__name__] = cls

    def numbers(self) -> tuple[float, ...]:
        """The flat parameters that ``values`` reads."""
        raise NotImplementedError

    @staticmethod
    def values(t: float, numbers: np.ndarray) -> tuple[float, float, float]:
        """Value, first and second derivative at t; `numbers` is a one-dimensional array of floats."""
        raise NotImplementedError

    @property
    def corners(self) -> tuple[tuple[float, int], ...]:
        """Times, in order, at which it is not smooth, and the lowest derivative that jumps; 3 for the third and up."""
        return ()

    def breaks(self, first: float, last: float) -> Breaks:
        """Where it is not smooth in a span of time, as far as that is known: runs step there exactly."""
        return within(self.corners, first, last)

    @property
    def smooth(self) -> bool:
        """Whether value, rate and second derivative go on everywhere, as far as that is known."""
        return all(order > 2 for _, order in self.corners)

    @cached_property
    def _array(self) -> np.ndarray:
        return np.array(self.numbers(), dtype=float)

    def __call__(self, t: float) -> tuple[float, float, float]:
        f, rate, acceleration = type(self).values(number(t, type(self).__name__, "time"), self._array)
        return float(f), float(rate), float(acceleration)


@dataclass(frozen=True, init=False)
class Polynomial(Function):
    """``c0 + c1 t + c2 t^2 + ...``, the `coefficients` given as ``Polynomial(c0, c1, c2, ...)``.

    >>> lw.Polynomial(1.0, 2.0, 3.0)(0.5)
    (2.75, 5.0, 6.0)
    >>> lw.Polynomial("30 deg", "60 rpm")(1.0)[1] == 2 * np.pi
    True
    """

    coefficients: tuple[float, ...]

    entire = True
    sample = (0.3, -1.2, 0.7, 0.25)

    def __init__(self, *coefficients: float) -> None:
        item = type(self).__name__
        if not coefficients:
            raise DescriptionError(
                message(item, "has no coefficients", wanted="at least one number", remedy="Write Polynomial(0.0)")
            )
        settle_values(self, {f"coefficient {k}": (c, k) for k, c in enumerate(coefficients)}, "coefficients")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.coefficients))})"

    def numbers(self) -> tuple[float, ...]:
        return self.coefficients

    @staticmethod
    def values(t: float, numbers: np.ndarray) -> tuple[float, float, float]:
        # Horner's rule, carried through both derivatives; `half` is f''/2.
        f = 0.0
        rate = 0.0
        half = 0.0
        for k in range(len(numbers) - 1, -1, -1):
            half = half * t + rate
            rate = rate * t + f
            f = f * t + numbers[k]
        return f, rate, 2.0 * half


@dataclass(frozen=True)
class SmoothStep(Function):
    """From `start_value` to `end_value` with zero rate and acceleration at both ends; constant outside.

    With z = (t - start_time)/T and T = end_time - start_time: ``start_value + df (10 z^3 - 15 z^4 + 6 z^5)``
    (Nikravesh, Planar Multibody Dynamics, appendix B, function of type b).

    Units: start_time [s], end_time [s].

    >>> step = lw.SmoothStep(start_time=0.0, start_value=0.0, end_time=2.0, end_value=1.0)
    >>> step(0.0), step(1.0)[0], step(5.0)[0]
    ((0.0, 0.0, 0.0), 0.5, 1.0)
    """

    start_time: Seconds
    start_value: float
    end_time: Seconds
    end_value: float

    sample: ClassVar = {"start_time": 0.2, "start_value": -0.4, "end_time": 1.7, "end_value": 1.1}

    def __post_init__(self) -> None:
        settle_values(self, {"start_value": (self.start_value, 0), "end_value": (self.end_value, 0)})
        _check_interval(self)

    def numbers(self) -> tuple[float, ...]:
        return self.start_time, self.start_value, self.end_time, self.end_value

    @property
    def corners(self) -> tuple[tuple[float, int], ...]:
        return (self.start_time, 3), (self.end_time, 3)

    @staticmethod
    def values(t: float, numbers: np.ndarray) -> tuple[float, float, float]:
        if t <= numbers[0]:
            return numbers[1], 0.0, 0.0
        if t >= numbers[2]:
            return numbers[3], 0.0, 0.0
        span = numbers[2] - numbers[0]
        rise = numbers[3] - numbers[1]
        z = (t - numbers[0]) / span
        f = numbers[1] + rise * z * z * z * (10.0 + z * (-15.0 + 6.0 * z))
        rate = rise / span * 30.0 * z * z * (1.0 - z) * (1.0 - z)
        acceleration = rise / (span * span) * 60.0 * z * (1.0 - z) * (1.0 - 2.0 * z)
        return f, rate, acceleration


@dataclass(frozen=True)
class SpeedRamp(Function):
    """From rest at a value to a speed, which is kept afterwards; constant before.

    With z = (t - start_time)/T and T = end_time - start_time: ``start_value + V T (5/2 z^4 - 3 z^5 +
    z^6)``, V being `end_speed`; three derivatives are zero at the start, the second and third at the end
    (Nikravesh, Planar Multibody Dynamics, appendix B, function of type c).

    Units: start_time [s], end_time [s].

    >>> ramp = lw.SpeedRamp(start_time=0.0, start_value=0.0, end_time=2.0, end_speed=3.0)
    >>> ramp(0.0), ramp(4.0)[1]
    ((0.0, 0.0, 0.0), 3.0)
    """

    start_time: Seconds
    start_value: float
    end_time: Seconds
    end_speed: float

    sample: ClassVar = {"start_time": 0.2, "start_value": -0.4, "end_time": 1.7, "end_speed": 2.3}

    def __post_init__(self) -> None:
        settle_values(self, {"start_value": (self.start_value, 0), "end_speed": (self.end_speed, 1)})
        _check_interval(self)

    def numbers(self) -> tuple[float, ...]:
        return self.start_time, self.start_value, self.end_time, self.end_speed

    @property
    def corners(self) -> tuple[tuple[float, int], ...]:
        return (self.start_time, 3), (self.end_time, 3)

    @staticmethod
    def values(t: float, numbers: np.ndarray) -> tuple[float, float, float]:
        if t <= numbers[0]:
            return numbers[1], 0.0, 0.0
        span = numbers[2] - numbers[0]
        speed = numbers[3]
        if t >= numbers[2]:
            # The ramp itself climbs by V T/2.
            return numbers[1] + speed * (0.5 * span + (t - numbers[2])), speed, 0.0
        z = (t - numbers[0]) / span
        f = numbers[1] + speed * span * z * z * z * z * (2.5 + z * (-3.0 + z))
        rate = speed * z * z * z * (10.0 + z * (-15.0 + 6.0 * z))
        acceleration = speed / span * 30.0 * z * z * (1.0 - z) * (1.0 - z)
        return f, rate, acceleration


@dataclass(frozen=True)
class Harmonic(Function):
    """``offset + amplitude sin(frequency t + phase)``; the frequency in rad/s, also "2 Hz", which is 4 pi rad/s.

    Units: frequency [rad/s], phase [rad].

    >>> shake = lw.Harmonic(amplitude=0.1, frequency="2 Hz")
    >>> print(f"{shake(0.0)[0]:.4f} {shake(0.0)[1]:.4f}")
    0.0000 1.2566
    """

    amplitude: float
    frequency: Frequency
    phase: Radians = 0.0
    offset: float = 0.0

    entire: ClassVar = True
    sample: ClassVar = {"amplitude": 0.8, "frequency": 3.1, "phase": 0.4, "offset": -0.2}

    def __post_init__(self) -> None:
        settle(self, type(self).__name__, "frequency", "phase")
        settle_values(self, {"amplitude": (self.amplitude, 0), "offset": (self.offset, 0)})

    def numbers(self) -> tuple[float, ...]:
        return self.amplitude, self.frequency, self.phase, self.offset

    @staticmethod
    def values(t: float, numbers: np.ndarray) -> tuple[float, float, float]:
        w = numbers[1]
        s = numbers[0] * math.sin(w * t + numbers[2])
        c = numbers[0] * math.cos(w * t + numbers[2])
        return numbers[3] + s, w * c, -w * w * s


@dataclass(frozen=True, init=False)
class Table(Function):
    """Cubic spline through (times, values), twice continuously differentiable.

    `ends` says what happens at the two ends: "natural" (second derivative zero) or "clamped" (slope zero).
    Outside the table the function goes on as a straight line with the slope of its end, so that a spring
    characteristic keeps its last stiffness; with "clamped" that line is level. On a "clamped" table the
    second derivative jumps to zero at the ends.

    On an instance ``values`` are the given numbers; the compiled function is the class's, ``Table.values(t,
    numbers)``.

    >>> curve = lw.Table(times=[0.0, 1.0, 2.0], values=[0.0, 1.0, 4.0])
    >>> print(f"{curve(1.0)[0]:.4f} {curve(1.5)[0]:.4f}")
    1.0000 2.3125
    """

    times: tuple[float, ...]
    values: tuple[float, ...]  # type: ignore[assignment]  # of an instance; the class has the method below
    ends: Literal["natural", "clamped"] = "natural"

    sample: ClassVar = {"times": (0.0, 0.3, 0.7, 1.2, 2.0), "values": (0.1, 0.9, 0.4, -0.3, 0.6), "ends": "natural"}

    def __init__(self, times: Any, values: Any, ends: str = "natural") -> None:
        item = type(self).__name__
        for name, given in (("times", times), ("values", values)):
            try:
                listed = {f"{name}[{k}]": (x, 0) for k, x in enumerate(given)}
            except TypeError:
                raise DescriptionError(
                    message(item, f"cannot use its {name}", repr(given), "a list of numbers")
                ) from None
            settle_values(self, listed, name, "argument" if name == "times" else "unit")
        object.__setattr__(self, "ends", ends)
        if len(self.times) != len(self.values) or len(self.times) < 2:
            raise DescriptionError(
                message(
                    item,
                    "needs one value for each time",
                    f"{len(self.times)} times and {len(self.values)} values",
                    "equal numbers of both, at least two",
                )
            )
        for k in range(1, len(self.times)):
            if not self.times[k] > self.times[k - 1]:
                raise DescriptionError(
                    message(
                        item,
                        "needs increasing times",
                        f"times[{k - 1}] = {self.times[k - 1]!r}, times[{k}] = {self.times[k]!r}",
                        "each time greater than the one before it",
                        "Sort the table and remove repeated times",
                    )
                )
        if ends not in ("natural", "clamped"):
            raise DescriptionError(message(item, "does not know these ends", repr(ends), '"natural" or "clamped"'))
        with np.errstate(all="ignore"):
            if not np.isfinite(self.numbers()).all():
                raise DescriptionError(
                    message(
                        item,
                        "has numbers that are too large to compute with",
                        f"values up to {max(map(abs, self.values)):g}",
                        remedy="look for a wrong unit or a wrong power of ten",
                    )
                )

    def numbers(self) -> tuple[float, ...]:
        """The n times, then four coefficients for each of the n - 1 pieces, in powers of t minus its start."""
        x, y = np.array(self.times), np.array(self.values)
        h = np.diff(x)
        slope = np.diff(y) / h
        curvature = spline_curvatures(h, slope, self.ends)
        pieces = np.empty((len(h), 4))
        pieces[:, 0] = y[:-1]
        pieces[:, 1] = slope - h * (2.0 * curvature[:-1] + curvature[1:]) / 6.0
        pieces[:, 2] = curvature[:-1] / 2.0
        pieces[:, 3] = np.diff(curvature) / (6.0 * h)
        return tuple(x.tolist() + pieces.ravel().tolist())

    @cached_property
    def corners(self) -> tuple[tuple[float, int], ...]:
        last = len(self.times) - 1
        return tuple((t, 2 if self.ends == "clamped" and k in (0, last) else 3) for k, t in enumerate(self.times))

    # the field `values` of an instance and the function `values` of the class share their name on purpose: the numbers
    # are called so by users, the function by every other kind of function
    @staticmethod  # type: ignore[no-redef]  # the field above
    def values(t: float, numbers: np.ndarray) -> tuple[float, float, float]:  # type: ignore[override]  # the same
        n = (len(numbers) + 4) // 5
        outside = 0.0
        if t < numbers[0]:
            outside = t - numbers[0]
            t = numbers[0]
        elif t > numbers[n - 1]:
            outside = t - numbers[n - 1]
            t = numbers[n - 1]
        low = 0
        high = n - 1
        while high - low > 1:
            middle = (low + high) // 2
            if t < numbers[middle]:
                high = middle
            else:
                low = middle
        x = t - numbers[low]
        k = n + 4 * low
        f = numbers[k] + x * (numbers[k + 1] + x * (numbers[k + 2] + x * numbers[k + 3]))
        rate = numbers[k + 1] + x * (2.0 * numbers[k + 2] + x * 3.0 * numbers[k + 3])
        acceleration = 2.0 * numbers[k + 2] + x * 6.0 * numbers[k + 3]
        if outside != 0.0:
            f += rate * outside
            acceleration = 0.0
        return f, rate, acceleration


@dataclass(frozen=True)
class Callable(Function):
    """A Python function of the user, ``function(t) -> float``.

    `rate` and `acceleration` are Python functions too. A derivative that is not given is taken by central
    differences at the steps `step`, `step`/2 and `step`/4, extrapolated to step zero (Richardson), with an
    error of the order step^6. For a function that varies over times longer than 0.05 s (20 rad/s) the
    default step gives the rate to about 1e-11, and the acceleration to about 1e-8, of the function's size
    (1e-11 when `rate` is given); give a smaller `step` where it varies faster. The function is then also
    asked at times up to `step` before and after t.

    Units: step [s].

    >>> import math
    >>> wave = lw.Callable(math.sin, rate=math.cos)
    >>> [float(round(one, 8)) for one in wave(0.5)]
    [0.47942554, 0.87758256, -0.47942554]
    """

    function: PythonFunction
    rate: PythonFunction | None = None
    acceleration: PythonFunction | None = None
    step: Step = 4.0e-3

    sample: ClassVar = {"function": math.sin, "rate": math.cos}

    def __post_init__(self) -> None:
        item = type(self).__name__
        for name in ("function", "rate", "acceleration"):
            given = getattr(self, name)
            if given is None and name != "function":
                continue
            if not callable(given) or isinstance(given, type):
                raise DescriptionError(
                    message(item, f"cannot use its {name}", repr(given), "a Python function of the time")
                )
        settle(self, item, "step")

    def numbers(self) -> tuple[float, ...]:
        return ()

    def python_values(self, t: float) -> tuple[float, float, float]:
        """Value, first and second derivative at t, in plain Python."""
        f = float(self.function(t))
        rate = float(self.rate(t)) if self.rate is not None else first_difference(self.function, t, self.step)
        if self.acceleration is not None:
            acceleration = float(self.acceleration(t))
        elif self.rate is not None:
            acceleration = first_difference(self.rate, t, self.step)
        else:
            acceleration = second_difference(self.function, f, t, self.step)
        return f, rate, acceleration

    def __call__(self, t: float) -> tuple[float, float, float]:
        return self.python_values(number(t, type(self).__name__, "time"))


def as_function(x: Any) -> Function:
    """The argument as a `Function`: a number is a constant, a text an `Expression`, a Python callable a `Callable`."""
    if isinstance(x, Function):
        return x
    if isinstance(x, str):
        from linkwork.mechanism.expressions import Expression  # which is itself a Function

        return Expression(x)
    if isinstance(x, Real) and not isinstance(x, bool):
        return Polynomial(float(x))
    if callable(x) and not isinstance(x, type):
        return Callable(x)
    raise DescriptionError(
        message(
            "Function of time",
            "cannot be made from this",
            repr(x),
            "a number, an expression, a Function or a Python function of the time",
            "Write for example Polynomial(0.0, 2.0) for 2 t",
        )
    )


def _check_interval(function: Any) -> None:
    """Finite times, and an end after the start."""
    item = type(function).__name__
    settle(function, item, "start_time", "end_time")
    if not function.end_time > function.start_time:
        raise DescriptionError(
            message(
                item,
                "ends before it starts",
                f"start_time = {function.start_time!r}, end_time = {function.end_time!r}",
                "end_time greater than start_time",
            )
        )
