"""What a linear motion is moved by: drivers, force elements, and forces along any measure, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from linkwork.analysis.options import listed
from linkwork.compiled.names import measure_of
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.records import dataclass
from linkwork.result.forces import force_measures


@dataclass(frozen=True)
class Input:
    """A driver's motion (`driver` is its name), or a force along a measure beside all that act there already."""

    name: str
    measure: Any
    driver: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """What it is in the matrix B: a motion acts by value, rate and acceleration."""
        return (self.name, f"{self.name}.rate", f"{self.name}.acceleration") if self.driver else (self.name,)

    @property
    def unit(self) -> str:
        """SI unit of the motion or the force."""
        if self.driver:
            return self.measure.unit()
        return "N m" if self.measure.quantity == "angle" or self.measure.is_turn else "N"


def read_inputs(model, names: Sequence[str] | str | None, item: str) -> tuple[Input, ...]:
    """The inputs that names mean; without any, all drivers and all elements that drive."""
    mechanism = model.mechanism
    if names is None:
        forces = [
            name
            for name, laws in model.laws_of.items()
            if name in mechanism.forces and all(law.part.energy == "drives" for law in laws)
        ]
        return (
            *(_driver(mechanism, name, item) for name, one in mechanism.drivers.items() if _moves(one)),
            *(Input(key, one) for name in forces for key, one in _of_force(model, name).items()),
        )
    asked = listed(names)
    if not asked or not all(isinstance(one, str) for one in asked):
        raise DescriptionError(
            message(item, "has inputs that are no names", repr(names), "drivers, force elements or measures by name")
        )
    return tuple(_named(model, name, item) for name in dict.fromkeys(asked))


def _moves(driver) -> bool:
    return driver.active and not driver.measure.rate_only


def _named(model, name: str, item: str) -> Input:
    mechanism = model.mechanism
    owner = name.partition(".")[0]
    if name in mechanism.drivers:
        return _driver(mechanism, name, item)
    if owner in mechanism.forces:
        known = _of_force(model, owner)
        if name in known:
            return Input(name, known[name])
        if name == owner:
            raise UnknownNameError("one force", name, list(known), f"of element '{owner}', which has several or none")
    if name in mechanism.joints or name in mechanism.bodies:
        raise DescriptionError(
            message(f"{item} '{name}'", "is no input", wanted="a driver, a force element, or a measure such as 'rod.y'")
        )
    measure, order = measure_of(mechanism, name)
    if order:
        raise DescriptionError(message(f"{item} '{name}'", "is a rate", wanted="a measure that a force acts along"))
    return Input(name, measure)


def _of_force(model, element: str) -> dict[str, Any]:
    """Forces of an element: by its name where it has one, else by that of each."""
    found = force_measures(model, element)
    return {element if len(found) == 1 else f"{element}.{key}": one for key, one in found.items()}


def _driver(mechanism, name: str, item: str) -> Input:
    driver = mechanism.drivers[name]
    if not _moves(driver):
        raise DescriptionError(
            message(
                f"{item} '{name}'",
                "is a driver that is switched off" if not driver.active else "drives what has a rate only",
                wanted="an active driver of a measure that has a value",
            )
        )
    return Input(name, driver.measure, name)


def standing(mechanism, inputs: Sequence[Input], t: float) -> Any:
    """The mechanism with the drivers among the inputs standing still where they are at time t."""
    for one in inputs:
        if one.driver:
            driver = mechanism.drivers[one.driver]
            if driver.level == "speed" or driver.function(t)[1:] != (0.0, 0.0):
                mechanism = mechanism.standing(one.driver, t)
    return mechanism


def accelerated(mechanism, one: Input, t: float, size: float) -> Any:
    """A copy in which a driver that stands still has an acceleration, or a force more acts."""
    if one.driver:
        return mechanism.standing(one.driver, t, size)
    return mechanism.pushed(f"input {one.name.replace('.', ' ')}", one.measure, size)
