"""Drivers: a measure held at a function of time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.expressions import function_of
from linkwork.mechanism.functions import Function
from linkwork.mechanism.measures import Measure

Level = Literal["position", "speed"]
LEVELS = get_args(Level)


@dataclass(frozen=True)
class Driver:
    """Holds a measure at `function(t)`; with `level="speed"` its rate.

    `function` is a `Function`, a number, a text with a unit ("30 deg") or of an expression ("0.1*sin(2*pi*t)"), or a
    Python function.  `from_assembled=True` counts it from the value that the measure has when assembled.  The `effort`
    in a result acts on `to` along the growing measure; power = effort x rate.
    """

    measure: Measure
    function: Function
    level: Level = field(default="position", kw_only=True)
    from_assembled: bool = field(default=False, kw_only=True)
    active: bool = field(default=True, kw_only=True)
    name: str = field(default="", kw_only=True)

    def __post_init__(self):
        if not isinstance(self.measure, Measure):
            raise DescriptionError(message(self.item, "has no measure to drive", repr(self.measure),
                                           "a measure such as Angle(on, to), or joint.angle"))
        if self.level not in LEVELS:
            raise DescriptionError(message(self.item, "level is unknown", repr(self.level), "'position' or 'speed'"))
        unit = self.measure.unit(LEVELS.index(self.level))
        object.__setattr__(self, "function", function_of(self.function, self.item, "function", unit))
        if self.measure.rate_only and self.level == "position":
            raise DescriptionError(message(self.item, "drives the position of a measure that has only a rate",
                                           type(self.measure).__name__, remedy='use level="speed"'))
        if self.from_assembled and self.level == "speed":
            raise DescriptionError(message(self.item, "counts a speed from the assembled value",
                                           remedy="leave out from_assembled"))

    @property
    def item(self) -> str:
        """How messages call this driver."""
        return f"Driver '{self.name}'" if self.name else "Driver"

    def named(self, name: str) -> Driver:
        """The same driver with a name."""
        return replace(self, name=name)
