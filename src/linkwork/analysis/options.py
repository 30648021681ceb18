"""What the options of analyses are: units, ranges and words, said once for calls, model files and their schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from linkwork.analysis.integrators import NAMES
from linkwork.coordinates import CHOICES
from linkwork.errors import DescriptionError, message
from linkwork.units import Number

TIME = Number("s")
DURATION = Number("s", least=0.0)
INTERVAL = Number("s", above=0.0)
TOLERANCE = Number(above=0.0)
SECONDS = Number("s", above=0.0)
FREQUENCY = Number("Hz", least=0.0)
RATE = Number("1/s", least=0.0)
#: how a run holds its constraints: it puts states back on them, adds Baumgarte's terms, or lets them drift
CONSTRAINTS = ("projection", "baumgarte", "none")


def listed(names: str | Iterable[str]) -> list[str]:
    """One name, or several, as a list."""
    return [names] if isinstance(names, str) else list(names)


def truth(value: object, what: str, item: str = "simulate") -> bool:
    """True or False of an option; a text such as "no" would count as true."""
    if not isinstance(value, (bool, np.bool_)):
        raise DescriptionError(message(item, f"{what} is neither true nor false", repr(value), "True or False"))
    return bool(value)


Time = Annotated[float | str, TIME]
Duration = Annotated[float | str, DURATION]
Interval = Annotated[float | str, INTERVAL]
Tolerance = Annotated[float, TOLERANCE]
Seconds = Annotated[float | str, SECONDS]
Frequency = Annotated[float | str, FREQUENCY]
Rate = Annotated[float | str, RATE]
#: the time between outputs, or every step of the integrator
Every = Interval | Literal["step"]
#: by the names of measures; a text has a unit ("30 deg")
Values = Mapping[str, Annotated[float | str, Number()]]
#: by the names of quantities: from, to, count
Ranges = Mapping[str, Sequence[Annotated[float | str, Number()]]]
#: points of bodies that point coordinates go along: body -> names of points
Basis = Mapping[str, Sequence[str]]
#: an event by name, "rest", or one name and its value
Until = str | Values | None
if TYPE_CHECKING:
    Coordinates = str  # it often comes from a loop
    MethodName = str
    Constraints = str
else:
    Coordinates = Literal[CHOICES]
    MethodName = Literal[NAMES]
    Constraints = Literal[CONSTRAINTS]
