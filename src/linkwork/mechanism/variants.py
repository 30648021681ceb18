"""Copies of a mechanism for a question: with drivers that move quantities or stand still, with one force more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from linkwork.mechanism.drivers import Driver
from linkwork.mechanism.forces import Force, constant
from linkwork.mechanism.functions import Polynomial
from linkwork.mechanism.law_parts import LawPart


def driven(mechanism, values: Mapping[str, tuple[float, float]]) -> Any:
    """A copy with drivers that move quantities evenly: name -> first value and rate."""
    other = mechanism.copy()
    for name, (first, rate) in values.items():
        measure: Any = name  # resolved when added
        other.add(f"drives {name.replace('.', ' ')}", Driver(measure, Polynomial(first, rate)))
    return other


def standing(mechanism, name: str, t: float, acceleration: float = 0.0) -> Any:
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

    def parts(self):
        return (LawPart("push", "long", constant, (), (self.measure,), (self.size,), "drives"),)


def pushed(mechanism, name: str, measure: Any, size: float) -> Any:
    """A copy with a constant force along a measure."""
    other = mechanism.copy()
    other.add(name, _Push(measure, size))
    return other
