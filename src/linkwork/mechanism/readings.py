"""Readings: a measure that is only looked at."""

from __future__ import annotations

from dataclasses import field

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.measures import Measure
from linkwork.mechanism.recipes import Described
from linkwork.records import dataclass


@dataclass(frozen=True)
class Reading(Described):
    """A `measure` under a `name`, that nothing holds and no force acts along: results read it.

    `m.add("clearance", lw.Reading(lw.Distance(crank.b, m.ground.at(0, 2))))` gives `run["clearance.value"]` with its
    `.rate` and `.acceleration`; a measure that has only a rate (`Slip`, `Spin`) gives `run["blade.speed"]`.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=2.0, mass=1.0, position=(3.0, 4.0), angle="90 deg"))
    >>> _ = m.add("it", lw.Reading(lw.Distance("rod.b", m.ground.at(3, 0))))
    >>> print(f"{m.evaluate()['it.value']:.3f}")
    5.000
    """

    measure: Measure
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.measure, Measure):
            raise DescriptionError(
                message(
                    self.item,
                    "has no measure to read",
                    repr(self.measure),
                    "a measure such as Distance(on, to), or joint.angle",
                )
            )

    @property
    def item(self) -> str:
        """How messages call this reading."""
        return f"Reading '{self.name}'" if self.name else "Reading"
