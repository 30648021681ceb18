"""Copies of a mechanism for a question: with drivers that move quantities or stand still, with actuators in place of
drivers, with one force more, with brakes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.mechanism.attached import refuse_used
from linkwork.mechanism.checks import listed
from linkwork.mechanism.drivers import Driver
from linkwork.mechanism.forces import Force, constant
from linkwork.mechanism.frames import GROUND, Frame
from linkwork.mechanism.functions import Polynomial
from linkwork.mechanism.law_parts import LawPart
from linkwork.mechanism.measures import Angle, Spin, WorldOffset
from linkwork.records import dataclass

#: times, values, rates and accelerations
Track = tuple[Any, Any, Any, Any]


@explained
def without(mechanism: Any, names: Iterable[str]) -> Any:
    """A copy without these items, for a question that needs none of them; events that name one of them are left out,
    too.

    >>> list(lw.gallery.four_bar().without(["spring"]).forces)
    []
    """
    other, names = mechanism.copy(), known_names(names, "item", ["ground", *mechanism._names()], mechanism)
    if "ground" in names:
        raise DescriptionError(message("'ground'", "cannot be left out: every mechanism has it"))
    left_out = {name: mechanism[name] for name in names}
    for name in names:
        for _, family in other._families:
            family.pop(name, None)
        for event in [event for event in other.events.values() if event.names(name)]:
            other._events.pop(event.name)
    for name, item in left_out.items():
        refuse_used(name, item, [one for _, family in other._families for one in family.values()])
    return other


def known_names(names: Any, kind: str, known: Sequence[str], mechanism: Any) -> tuple[str, ...]:
    """A list of names that there are, or an error that says what is wrong with it."""
    found = listed(names, f"Mechanism '{mechanism.name}'", f"what names its {kind}s", "a list of names")
    for name in found:
        if name not in known:
            raise UnknownNameError(kind, name, known, f"in mechanism '{mechanism.name}'")
    return found


@explained
def driven(
    mechanism: Any,
    values: Mapping[str, Any],
    still: Sequence[str] | None = None,
    measures: Mapping[str, Any] | None = None,
    at: float = 0.0,
) -> Any:
    """A copy with drivers that move quantities: name -> first value and rate, or a function of time.

    Of its own drivers only those named by `still` are left, and stand as they are at the time `at`; without it all stay
    as they are.
    `measures` are those of names that a mechanism does not know itself.

    >>> m = lw.gallery.four_bar().driven({"A.angle": (1.0, 2.0)})
    >>> m.drivers["drives A angle"].function
    Polynomial(1.0, 2.0)
    """
    stay = () if still is None else known_names(still, "driver", list(mechanism.drivers), mechanism)
    active = [] if still is None else [name for name, driver in mechanism.drivers.items() if driver.active]
    other = mechanism.without([name for name in active if name not in stay])
    for name in active:
        if name in stay:
            other = other.standing(name, at)
    for name, move in values.items():
        measure: Any = (measures or {}).get(name, name)  # a name is resolved when added
        function: Any = Polynomial(*move) if isinstance(move, tuple) else move
        other.add(driver_moving(name), Driver(measure, function))
    return other


def driver_moving(name: str) -> str:
    """What the driver is called that moves, or holds, a quantity in a copy made by `driven`."""
    return f"drives {name.replace('.', ' ')}"


@explained
def standing(mechanism: Any, name: str, t: float, acceleration: float = 0.0) -> Any:
    """A copy with a driver that has no speed at time t, at its value then; what drives a speed holds what it finds."""
    other, driver = mechanism.copy(), mechanism.drivers[name]
    speed = driver.level == "speed"
    value = 0.0 if speed else driver.function(t)[0]
    function = Polynomial(value + 0.5 * acceleration * t * t, -acceleration * t, 0.5 * acceleration)
    counted = speed or driver.from_assembled
    other.replace(name, replace(driver, function=function, level="position", from_assembled=counted))
    return other


@dataclass(frozen=True)
class _Push(Force):
    """A constant force along a measure."""

    measure: Any = None
    size: float = 0.0

    def parts(self) -> tuple[LawPart, ...]:
        return (LawPart("push", "long", constant, (), (self.measure,), (self.size,), "drives"),)


@explained
def pushed(mechanism: Any, name: str, measure: Any, size: float) -> Any:
    """A copy with a constant force along a measure."""
    other = mechanism.copy()
    other.add(name, _Push(measure, size))
    return other


@explained
def actuated(mechanism: Any, actuators: Sequence[str], tracks: Sequence[Track] | None = None) -> Any:
    """A copy with drivers along `actuators` alone, named as `driver_names` says, the active ones of old left out.

    An actuator is the name of a driver, active or not, or of a quantity such as "A.angle".  With `tracks` each follows
    its own (times, values, rates, accelerations).

    >>> m = lw.gallery.four_bar().actuated(["A.angle"])
    >>> list(m.drivers)
    ['A angle']
    """
    names = driver_names(mechanism, actuators)
    other = mechanism.without(
        [name for name, driver in mechanism.drivers.items() if driver.active and name not in names]
    )
    for k, (name, asked) in enumerate(zip(names, actuators)):
        own = mechanism.drivers.get(asked)
        measure = mechanism.measure(asked) if own is None else own.measure
        speed = measure.rate_only or (own is not None and own.level == "speed")
        if tracks is not None:
            times, values, rates, accelerations = tracks[k]
            if speed:
                values, rates, accelerations = rates, accelerations, [0.0] * len(times)
            from linkwork.mechanism.recorded import Recorded  # most runs need none

            function: Any = Recorded(times, values, rates, accelerations)
            driver = Driver(measure, function, level="speed" if speed else "position")
        elif own is not None:
            driver = replace(own, active=True)
        else:
            driver = Driver(measure, Polynomial(0.0), level="speed" if speed else "position", from_assembled=not speed)
        if name in other.drivers:
            other.replace(name, driver)
        else:
            other.add(name, driver)
    return other


def driver_names(mechanism: Any, actuators: Sequence[str]) -> list[str]:
    """What the drivers along `actuators` are called: "A.angle" becomes "A angle", a driver keeps its name."""
    found: list[str] = []
    for asked in actuators:
        name = asked if asked in mechanism.drivers else asked.replace(".", " ")
        if name in found:
            raise DescriptionError(message("actuators", "name one of them twice", repr(asked), "each once"))
        found.append(name)
    return found


@dataclass(frozen=True)
class _Brake(Force):
    """Slows a body: a force against the speed of its mass centre, a moment against its turning."""

    body: str = ""
    center: Any = (0.0, 0.0)
    slows: tuple[float, float] = (0.0, 0.0)  # N s/m and N m s/rad

    def parts(self):
        way = [WorldOffset(GROUND, Frame(self.body, self.center), axis) for axis, _ in zip("xyz", self.center)]
        turns: list = []
        if self.slows[1]:
            axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
            flat = len(self.center) == 2
            turns = (
                [Angle(GROUND, Frame(self.body))] if flat else [Spin(GROUND, Frame(self.body, axis=a)) for a in axes]
            )
        along = (*way, *turns)
        numbers = (self.slows[0],) * len(way) + (self.slows[1],) * len(turns)
        from linkwork.mechanism.elements import dampers, dampers_slopes

        return (LawPart("brake", "long", dampers, along, along, numbers, "dissipates", slopes=dampers_slopes),)


@explained
def braked(mechanism: Any, brakes: Mapping[str, tuple[Any, float, float]]) -> Any:
    """A copy in which bodies are slowed: name -> mass centre in the body, N s/m and N m s/rad."""
    other = mechanism.copy()
    for name, (center, way, turning) in brakes.items():
        other.add(f"brakes {name}", _Brake(name, tuple(float(one) for one in center), (way, turning)))
    return other
