"""One law of a force element: what it reads and acts along, what it remembers, the states that it has, its energy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.mechanism import checks
from linkwork.records import dataclass
from linkwork.units import ANY, whole

Energy = Literal["stores", "dissipates", "drives"]
ENERGY = get_args(Energy)

LEAST_NUMBERS = {"short": 0, "long": 0, "tension": 1, "table": 1}  # by the form of a law
MOST_MEMORY = 10_000  # numbers that one law may remember
MOST_STATES = 1_000  # states that one law may have
#: what else can be asked of an element by name
TAKEN = ("force", "torque", "moment", "tension", "power", "length", "angle", "rate", "acceleration")

#: what a function raises that does not take plain numbers
PLAINLY = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)


class Starts(dict):
    """States of a law: names, and the values that they begin with."""

    def __hash__(self) -> int:  # type: ignore[override]  # it is not changed
        return hash(tuple(self.items()))


def starts(item: str, given: Any) -> Starts:
    """States by name from how they are given: {name: value to begin with}, or how many."""
    if given is None:
        return Starts()
    if not isinstance(given, Mapping):
        count = whole(given, item, "states", most=MOST_STATES)
        given = dict.fromkeys(["state"] if count == 1 else [f"state{k + 1}" for k in range(count)], 0.0)
    for name in given:
        if not isinstance(name, str) or not name.isidentifier() or name in TAKEN:
            raise DescriptionError(
                message(item, "has a state whose name cannot be used", repr(name), "a word that nothing else of it has")
            )
    return Starts({name: checks.number(value, item, f"state '{name}'", unit=ANY) for name, value in given.items()})


@dataclass(frozen=True)
class LawPart:
    """One law of a force element.

    form "short":   law(value, rate, t, *numbers) -> force
         "long":    law(values, rates, t, numbers, memory, out), with states
                    law(values, rates, t, numbers, memory, out, states, state_rates)
         "tension": law(elongation) -> tension, numbers = (rest,)
         "table":   tension by a Table of the elongation, numbers = (rest, *table)

    `states` are numbers of its own with z' = state_rates, integrated with the motion: {name: value to begin with}, or
    how many.  `memory` is how many numbers it remembers from step to step.  `accept(values, rates, t, numbers,
    memory)`, with states `accept(values, rates, t, numbers, memory, states)`, runs once for every accepted step and
    alone may change the memory; a law without it keeps what it wrote to its memory at the end of the step.  A potential
    is `potential(values, numbers)`, with states `potential(values, numbers, states)`; a law that dissipates may have
    one too, of what its states store.

    `slopes` are those of the force, for implicit methods; where they are not told, two differences of the law do.
    "short": slopes(value, rate, t, *numbers) -> against the value, against the rate;  "long", without states:
    slopes(values, rates, t, numbers, memory, against_values, against_rates) writes both, [force, what is read] each,
    and leaves alone what is zero.  Those of a table are known.
    """

    label: str
    form: str
    law: Callable
    reads: tuple
    along: tuple
    numbers: tuple[float, ...] = ()
    energy: str = "drives"
    potential: Callable | None = None
    memory: int = 0
    states: Mapping[str, float] = field(default_factory=Starts)
    accept: Callable | None = None
    slopes: Callable | None = None

    def __post_init__(self) -> None:
        item = f"Law '{self.label}'"
        put = object.__setattr__
        if self.form not in LEAST_NUMBERS:
            raise DescriptionError(message(item, "has an unknown form", repr(self.form), ", ".join(LEAST_NUMBERS)))
        for name in ("reads", "along"):
            put(self, name, tuple(getattr(self, name)))
        put(self, "numbers", tuple(checks.number(one, item, "numbers", unit=ANY) for one in self.numbers))
        put(self, "memory", whole(self.memory, item, "memory", most=MOST_MEMORY))
        put(self, "states", starts(item, self.states))
        self._check_steps(item)
        if self.form != "long" and not len(self.reads) == len(self.along) == 1:
            raise DescriptionError(
                message(
                    item,
                    f"of the form '{self.form}' reads and acts along one measure",
                    f"{len(self.reads)} and {len(self.along)}",
                    "1 and 1",
                )
            )
        if not self.along:
            raise DescriptionError(message(item, "acts along nothing", wanted="a measure"))
        if len(self.numbers) < LEAST_NUMBERS[self.form]:
            raise DescriptionError(
                message(
                    item,
                    f"of the form '{self.form}' has too few numbers",
                    str(self.numbers),
                    f"{LEAST_NUMBERS[self.form]} or more",
                )
            )

    @property
    def keeps(self) -> bool:
        """Whether it dissipates, and keeps energy in its states too."""
        return bool(self.states) and self.potential is not None and self.energy == "dissipates"

    def _check_steps(self, item: str) -> None:
        """What is said about memory and states goes together."""
        if self.accept is not None and not callable(self.accept):
            raise DescriptionError(message(item, "accept is not a function", repr(self.accept), "a function"))
        if self.slopes is not None and not callable(self.slopes):
            raise DescriptionError(message(item, "slopes is not a function", repr(self.slopes), "a function"))
        if self.slopes is not None and (self.states or self.form not in ("short", "long")):
            raise DescriptionError(
                message(
                    item,
                    "tells slopes, which is for laws without states, on values and rates",
                    remedy="leave slopes out: they are found by two differences of the law",
                )
            )
        if self.form != "long" and (self.states or self.accept is not None):
            raise DescriptionError(
                message(
                    item,
                    f"of the form '{self.form}' has no memory and no states",
                    remedy="write it in the long form, law(values, rates, t, numbers, memory, out)",
                )
            )
        if self.accept is not None and not self.memory:
            raise DescriptionError(
                message(item, "accepts steps, but has no memory to change", remedy="give memory=1, or more")
            )
        if self.states and self.energy == "stores" and self.potential is None:
            raise DescriptionError(
                message(
                    item,
                    "has states and stores energy, but does not say how much",
                    remedy="give potential(values, numbers, states), or energy='drives'",
                )
            )

    def stored(
        self, values: list[np.ndarray], numbers: tuple[float, ...] | None = None, states: list[np.ndarray] | None = None
    ) -> np.ndarray:
        """Its potential over all times: at once where it takes arrays, else one by one; with its or other numbers."""
        if numbers is None:
            numbers = self.numbers
        potential = self._potential
        more = (states or [],) if self.states else ()
        count = len([*values, *(states or [])][0])
        try:
            out = potential(values, numbers, *more)
            if type(out) is not np.ndarray or out.dtype != float:
                out = np.asarray(out, dtype=float)
            if out.shape == (count,):
                return out
        except (TypeError, ValueError):
            pass
        return np.array(self._stored_singly(values, numbers, states or []))

    def stored_at_few(
        self, values: list[np.ndarray], numbers: tuple[float, ...], states: list[np.ndarray] | None = None
    ) -> list[float]:
        """The same at a few times: with plain numbers, which are faster there, or else with arrays."""
        try:
            return self._stored_singly([v.tolist() for v in values], numbers, [s.tolist() for s in states or ()])
        except PLAINLY:
            return self.stored(values, numbers, states).tolist()

    def stored_plainly(self, read: list[list[float]], numbers: tuple[float, ...]) -> list[float] | None:
        """The same for what it reads at one time after the other; None where it does not take plain numbers."""
        potential = self._potential
        try:
            return [float(potential(one, numbers)) for one in read]
        except PLAINLY:
            return None

    @cached_property
    def _potential(self) -> Callable[..., Any]:
        """Its potential as Python, where indices are checked."""
        assert self.potential is not None
        found: Callable[..., Any] = getattr(self.potential, "py_func", self.potential)
        return found

    def _stored_singly(self, values: list[Any], numbers: tuple[float, ...], states: list[Any]) -> list[float]:
        """Its potential at one time after the other."""
        potential = self._potential
        if not self.states:
            return [float(potential(list(one), numbers)) for one in zip(*values)]
        own = [list(one) for one in zip(*states)]
        read = [list(one) for one in zip(*values)] if values else [[] for _ in own]
        return [float(potential(one, numbers, more)) for one, more in zip(read, own, strict=True)]

    def tension(self, elongation: float) -> float:
        """Tension of a spring that is given by its own characteristic."""
        if self.form == "table":
            return float(self.law(elongation, np.asarray(self.numbers[1:]))[0])
        return float(self.law(elongation))
