"""Drivers: a measure held at a function of time."""

from __future__ import annotations

import math
from dataclasses import field
from numbers import Real
from typing import Any, Literal, get_args

from linkwork.errors import DescriptionError, UnitError, UnlikelyDriverWarning, message, warn
from linkwork.mechanism.expressions import function_of
from linkwork.mechanism.functions import Function
from linkwork.mechanism.measures import Measure
from linkwork.mechanism.recipes import Described
from linkwork.mechanism.symbols import Mark, mark
from linkwork.records import dataclass
from linkwork.units import Measured

Level = Literal["position", "speed"]
LEVELS = get_args(Level)


@dataclass(frozen=True)
class Driver(Described):
    """Holds `measure` at `function(t)`; with `level="speed"` its rate.  The measure may be a name, "A.angle".

    `function` is a `Function`, a number, a text with a unit ("30 deg") or of an expression ("1200 rpm*t"), or a Python
    function.  A number alone holds the measure where it is; as most who write one for an angle mean a speed, more than
    half a turn gives an `UnlikelyDriverWarning`, and a text ("10 rad") or `Polynomial(10)` does not.
    `from_assembled=True` counts it from the value that the measure has when assembled.  The `effort` in a result acts
    on `to` along the growing measure; power = effort x rate.  `active=False` leaves it out; `name` comes from
    `Mechanism.add`.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Revolute("ground", "rod.a"))
    >>> _ = m.add("motor", lw.Driver("A.angle", "60 rpm*t"))
    >>> run = m.simulate(1.0)
    >>> print(f"{run['A.angle'][-1]:.4f} rad, {run['motor.effort'][0]:.4f} N m")
    6.2832 rad, 9.8100 N m
    """

    measure: Measure
    function: Function
    level: Level = field(default="position", kw_only=True)
    from_assembled: bool = field(default=False, kw_only=True)
    active: bool = field(default=True, kw_only=True)
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.measure, Measure):
            raise DescriptionError(
                message(
                    self.item,
                    "has no measure to drive",
                    repr(self.measure),
                    "a measure such as Angle(on, to), or joint.angle",
                )
            )
        if self.level not in LEVELS:
            raise DescriptionError(message(self.item, "level is unknown", repr(self.level), "'position' or 'speed'"))
        given = self.function
        object.__setattr__(self, "function", self._read(given))
        if self.measure.rate_only and self.level == "position":
            raise DescriptionError(
                message(
                    self.item,
                    "drives the position of a measure that has only a rate",
                    type(self.measure).__name__,
                    remedy='use level="speed"',
                )
            )
        if self.from_assembled and self.level == "speed":
            raise DescriptionError(
                message(self.item, "counts a speed from the assembled value", remedy="leave out from_assembled")
            )
        if (
            self.level == "position"
            and self.measure.quantity == "angle"
            and isinstance(given, Real)
            and not isinstance(given, Measured)
            and abs(float(given)) > math.pi
        ):
            warn(
                message(
                    self.item,
                    "holds an angle at a constant, so that nothing turns",
                    f"{given:g} rad",
                    remedy=f'to turn at {given:g} rad/s, give level="speed" or Polynomial(0, {given:g}); to hold '
                    f'it there, write "{given:g} rad"',
                ),
                UnlikelyDriverWarning,
            )

    def _read(self, given: Any) -> Function:
        """The function, which must have the unit of the level; one that fits the other level is told so."""
        order = LEVELS.index(self.level)
        try:
            return function_of(given, self.item, "function", self.measure.unit(order))
        except UnitError as error:
            other = LEVELS[1 - order]
            try:
                function_of(given, self.item, "function", self.measure.unit(1 - order))
            except UnitError:
                raise error from None
            steadily = f', or "{given}*t"' if other == "speed" and isinstance(given, str) else ""
            raise UnitError(f'{error} This is a {other}: give level="{other}"{steadily}.') from None

    @property
    def item(self) -> str:
        """How messages call this driver."""
        return f"Driver '{self.name}'" if self.name else "Driver"

    def symbol(self) -> tuple[Mark, ...]:
        """How it is drawn, as marks: along the first measure that it moves."""
        return (mark("drive", holds=False, measure=self.measure.terms()[0][1]),)
