"""What the options of analyses are: units, ranges and words, said once for calls, model files and their schema."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from linkwork.analysis.integrators import NAMES
from linkwork.arguments import MACHINE
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
#: what is varied, by name: values, {from, to, count}, least and greatest, or {mean, deviation}
Varied = Mapping[str, Sequence[Annotated[float | str, Number()]] | Mapping[str, Annotated[float | str, Number()]]]
#: least and greatest value, by name
Bounds = Mapping[str, Sequence[Annotated[float | str, Number()]]]
#: the standard deviation of recorded values: one, one for each, or these by name
Noise = Annotated[float | str, Number()] | Sequence[Annotated[float | str, Number()]] | Mapping[str, Any]
#: whether a line says how far it is, where parts are kept and how often they are written, who shares the work
Shown = Annotated[bool | None, MACHINE]
Folder = Annotated[str | os.PathLike | None, MACHINE]
Checkpoint = Annotated[Annotated[float | str, SECONDS] | None, MACHINE]
Workers = Annotated[int, MACHINE]
Processes = Annotated[bool, MACHINE]
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
