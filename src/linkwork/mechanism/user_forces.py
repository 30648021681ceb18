"""Forces by the user's own laws: along measures, or as force and moment on a body."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.mechanism.checks import PythonFunction, number
from linkwork.mechanism.forces import Force
from linkwork.mechanism.frames import Frame, Place, as_frame
from linkwork.mechanism.functions import Function
from linkwork.mechanism.law_parts import ENERGY, MOST_MEMORY, Energy, LawPart, Starts, starts
from linkwork.mechanism.measures import Alignment, Angle, Measure, Spin, Sum, WorldOffset
from linkwork.records import dataclass
from linkwork.units import ANY

SHORT = "law(value, rate, t, numbers...)"
LONG = "law(values, rates, t, numbers, memory, out)", "law(values, rates, t, numbers, memory, out, states, state_rates)"
TIME = ("t", "time")  # names that say which argument is the time


def _signature(item: str, law: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(law)
    except (TypeError, ValueError):
        raise DescriptionError(message(item, "the law is not a Python function", repr(law), "a function")) from None


def _in_order(item: str, law: Callable[..., Any], given: Mapping[str, float]) -> list[inspect.Parameter]:
    """The arguments of a short law behind value, rate and time; others in their places are refused."""
    arguments = list(_signature(item, law).parameters.values())
    names = [one.name for one in arguments]
    got, wrong = f"{getattr(law, '__name__', law)}({', '.join(names)})", ""
    late = [one for one in names[:2] + names[3:] if one in TIME]
    early = [one for one in names[:3] if one in given]
    if not any(one.kind is one.VAR_POSITIONAL for one in arguments) and len(names) < 3:
        wrong = "has a law with too few arguments"
    elif late and names[2] not in TIME:
        wrong = f"has a law whose argument '{late[0]}' is not the third, which is the time"
    elif early:
        wrong = f"has a law whose number '{early[0]}' is among its first three arguments: value, rate and time"
    if wrong:
        raise DescriptionError(message(item, wrong, got, SHORT))
    return arguments[3:]


def _fits_long(item: str, law: Callable[..., Any], states: bool) -> None:
    """Refuse a long law that cannot be called as it will be."""
    try:
        _signature(item, law).bind(*range(8 if states else 6))
    except TypeError as error:
        got = f"{getattr(law, '__name__', law)}{inspect.signature(law)}"
        raise DescriptionError(message(item, f"has a law with other arguments: {error}", got, LONG[states])) from None


def _law_numbers(item: str, law: Callable[..., Any], given: Mapping[str, float]) -> tuple[float, ...]:
    """Numbers of a law in the order of its arguments, with its defaults; every name is checked."""
    arguments = _in_order(item, law, given)
    names = [argument.name for argument in arguments]
    for key in given:
        if key not in names:
            raise UnknownNameError("number", key, names, f"in law '{getattr(law, '__name__', law)}' of {item}")
    values = []
    for argument in arguments:
        if argument.name in given:
            values.append(number(given[argument.name], item, f"number '{argument.name}'", unit=ANY))
        elif argument.default is not inspect.Parameter.empty:
            values.append(number(argument.default, item, f"number '{argument.name}'"))
        else:
            raise DescriptionError(
                message(item, f"number '{argument.name}' of its law is missing", remedy=f"give {argument.name}=...")
            )
    return tuple(values)


def _listed(item: str, given: Any) -> tuple[float, ...]:
    """The numbers of a long law."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise DescriptionError(message(item, "numbers are not a list", repr(given), "numbers such as [1.0, 2.0]"))
    return tuple(number(one, item, "numbers", unit=ANY) for one in given)


def _places(item: str, memory: Any) -> int:
    """How many numbers a law remembers."""
    if isinstance(memory, bool) or not hasattr(memory, "__index__") or not 0 <= memory <= MOST_MEMORY:
        raise DescriptionError(
            message(item, "memory is not a number of places", repr(memory), f"a whole number from 0 to {MOST_MEMORY}")
        )
    return int(memory)


def _fits_together(item: str, parts: Callable[[], object]) -> None:
    """Refuse what the laws of an element refuse, in the name of the element."""
    try:
        parts()
    except DescriptionError as error:
        raise DescriptionError(str(error).replace("Law 'law'", item, 1).replace("Law 'wrench'", item, 1)) from None


def _check_law(item: str, law: Any, energy: Any, potential: Any = None) -> None:
    if not callable(law):
        raise DescriptionError(message(item, "has no law", repr(law), "a function"))
    if energy not in ENERGY:
        raise DescriptionError(message(item, "energy is unknown", repr(energy), "'stores', 'dissipates' or 'drives'"))
    if potential is not None and not callable(potential):
        raise DescriptionError(
            message(item, "potential is not a function", repr(potential), "a function potential(values, numbers)")
        )


@dataclass(frozen=True)
class UserForce(Force):
    """A force by the user's own law.

    Short form, along one `measure`:  `UserForce(measure, law, stiffness=..., ...)` with
    `law(value, rate, t, stiffness, ...) -> force`.
    Long form: `UserForce(reads=[...], along=[...], law=law, numbers=[...], memory=0)` with
    `law(values, rates, t, numbers, memory, out)`.  It reads measures and functions of time, writes to `out` a force for
    each measure `along` which it acts, and gets `numbers`, and `memory` places.
    `energy` says what it does ("stores" may come with `potential(values, numbers)`).  Numbers may have any unit
    ("20 N/mm"): the law gets them in SI, and only it knows which dimension is right.

    A long law may remember numbers from step to step, and have states of its own:

    - `memory=n`: n numbers that change at accepted steps only.  With `accept(values, rates, t, numbers, memory)`, which
      runs once a step, that function alone changes them; without it the law keeps what it wrote at the end of the step.
    - `states={"pressure": 1e5}`: names, and values to begin with, or how many.  The law has two more arguments,
      `law(values, rates, t, numbers, memory, out, states, state_rates)`, and writes their rates; they are integrated
      with the motion, and `run["name.pressure"]` gives them.  `accept` and `potential` get them as last argument.

    `slopes` tells stiff methods how the force changes with what the law reads, exactly where two differences would do:
    `slopes(value, rate, t, stiffness, ...) -> against the value, against the rate`, or for a long law without states
    `slopes(values, rates, t, numbers, memory, against_values, against_rates)`, which writes to [force, what is read].

    >>> m = lw.Mechanism()
    >>> ball = m.add("ball", lw.Particle(1.0, position=(0, 1), velocity=(0, 0)))
    >>> def bump(value, rate, t, stiffness, gap):
    ...     return stiffness * (gap - value) if value < gap else 0.0
    >>> _ = m.add("floor", lw.UserForce("ball.y", bump, stiffness=1e3, gap=0.1, energy="stores"))
    >>> run = m.simulate(0.6, every=0.01)
    >>> bool(run["ball.y"].min() > -0.1)
    True
    """

    reads: tuple[Measure | Function, ...] = ()
    along: tuple[Measure, ...] = ()
    law: PythonFunction = abs
    numbers: tuple[float, ...] = ()
    form: str = "short"
    energy: Energy = "drives"
    potential: PythonFunction | None = None
    memory: int = 0
    states: Mapping[str, float] | int = field(default_factory=Starts)
    accept: PythonFunction | None = None
    slopes: PythonFunction | None = None

    def __init__(
        self,
        measure: Measure | None = None,
        law: Any = None,
        *,
        reads: Any = None,
        along: Any = None,
        numbers: Any = None,
        memory: int = 0,
        states: Any = None,
        accept: PythonFunction | None = None,
        slopes: PythonFunction | None = None,
        energy: Energy = "drives",
        potential: PythonFunction | None = None,
        active: bool = True,
        name: str = "",
        **named_numbers: float,
    ) -> None:
        item = f"Force '{name}' (UserForce)" if name else "UserForce"
        _check_law(item, law, energy, potential)
        if measure is not None:
            reads = along = (measure,)
            form, values = "short", _law_numbers(item, law, named_numbers)
        else:
            if named_numbers:
                raise DescriptionError(
                    message(item, "a long law takes its numbers as a list", ", ".join(named_numbers), "numbers=[...]")
                )
            form = "long"
            reads, along = (
                tuple(given) if isinstance(given, (list, tuple)) else () if given is None else (given,)
                for given in (reads, along)
            )
            values = _listed(item, () if numbers is None else numbers)
        for one in reads:
            if not isinstance(one, (Measure, Function)):
                raise DescriptionError(message(item, "reads something that is no measure", repr(one), "a measure"))
        for one in along:
            if not isinstance(one, Measure):
                raise DescriptionError(message(item, "acts along something that is no measure", repr(one), "a measure"))
        if not along:
            raise DescriptionError(message(item, "acts along nothing", wanted="a measure"))
        for key, value in dict(
            active=active,
            name=name,
            reads=reads,
            along=along,
            law=law,
            numbers=values,
            form=form,
            energy=energy,
            potential=potential,
            memory=_places(item, memory),
            states=starts(item, states),
            accept=accept,
            slopes=slopes,
        ).items():
            object.__setattr__(self, key, value)
        _fits_together(item, self.parts)
        if form == "long":
            _fits_long(item, law, bool(self.states))

    def arguments(self) -> dict[str, Any]:
        """The arguments that make this element again, as a file writes them."""
        common = dict(
            law=self.law, memory=self.memory, energy=self.energy, potential=self.potential, active=self.active
        )
        if self.slopes is not None:
            common["slopes"] = self.slopes
        if self.form == "long":
            more = dict(states=self.states, accept=self.accept)
            return dict(reads=self.reads, along=self.along, numbers=self.numbers, **common, **more)
        names = list(inspect.signature(self.law).parameters)[3:]
        return dict(measure=self.along[0], **common, **dict(zip(names, self.numbers)))

    def parts(self) -> tuple[LawPart, ...]:
        return (
            LawPart(
                "law",
                self.form,
                self.law,
                self.reads,
                self.along,
                self.numbers,
                self.energy,
                self.potential,
                self.memory,
                starts(self.item, self.states),
                self.accept,
                self.slopes,
            ),
        )

    def readings(self) -> dict[str, Measure]:
        return (
            {"length" if self.along[0].quantity == "length" else "angle": self.along[0]}
            if (self.form == "short" and not self.along[0].rate_only)
            else {}
        )


@dataclass(frozen=True)
class UserWrench(Force):
    """Force and moment on a body at the frame `at`, by the user's own law, which gets `numbers` and `memory` places.

    `law(pose, rates, t, numbers, memory, out)`: pose = (x, y, angle) of the frame in the world, rates its rates,
    out = (force x, force y, moment about the frame's origin), world axes.

    In space pose has 15 numbers: x, y, z, three zeros, and the rotation matrix of the frame row by row; rates begin
    with the velocity and the angular velocity, out = (force x, y, z, moment x, y, z), all in world axes.  `energy` is
    "stores", "dissipates" or "drives"; `states`, `accept`, `slopes` and `potential` are those of `UserForce`.

    >>> m = lw.Mechanism(gravity=None)
    >>> ball = m.add("ball", lw.disc(radius=0.1, mass=1.0, position=(0, 0), angle=0, velocity=(2, 0)))
    >>> def drag(pose, rates, t, numbers, memory, out):
    ...     out[0] = -numbers[0] * rates[0]
    ...     out[1] = -numbers[0] * rates[1]
    ...     out[2] = 0.0
    >>> _ = m.add("air", lw.UserWrench("ball", drag, numbers=[3.0], energy="dissipates"))
    >>> m.evaluate()["ball.x.acceleration"]
    -6.0
    """

    at: Place
    law: PythonFunction
    numbers: tuple[float, ...] = ()
    energy: Energy = "drives"
    memory: int = 0
    states: Mapping[str, float] | int = field(default_factory=Starts)
    accept: PythonFunction | None = None
    potential: PythonFunction | None = None
    slopes: PythonFunction | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "at", as_frame(self.at, self.item, "at"))
        put(self, "numbers", _listed(self.item, self.numbers))
        put(self, "memory", _places(self.item, self.memory))
        put(self, "states", starts(self.item, self.states))
        _check_law(self.item, self.law, self.energy, self.potential)
        _fits_together(self.item, self.parts)
        _fits_long(self.item, self.law, bool(self.states))

    def _part(self, reads: tuple[Measure, ...], along: tuple[Measure, ...]) -> tuple[LawPart, ...]:
        more = (self.numbers, self.energy, self.potential, self.memory, starts(self.item, self.states), self.accept)
        return (LawPart("wrench", "long", self.law, reads, along, *more, slopes=self.slopes),)

    def parts(self) -> tuple[LawPart, ...]:
        ground = Frame("ground")
        along = (WorldOffset(ground, self.at, "x"), WorldOffset(ground, self.at, "y"), Angle(ground, self.at))
        return self._part(along, along)

    def _along(self) -> tuple[Measure, ...]:
        """Position and turning of the frame along and about the axes of the world, in space."""
        ground = Frame("ground")
        about = (ground.facing("y", "z"), ground.facing("z", "x"), ground)
        return (
            *(WorldOffset(ground, self.at, axis) for axis in "xyz"),
            *(Sum((-1.0, Spin(self.at, frame))) for frame in about),
        )

    def force_names(self) -> dict[Measure, str]:
        names = [f"{what}.{axis}" for what in ("force", "moment") for axis in "xyz"]
        return dict(zip(self._along(), names, strict=True))

    def parts_in(self, dimension: int) -> tuple[LawPart, ...]:
        if dimension == 2:
            return self.parts()
        cosines = tuple(Alignment(Frame("ground"), self.at, row, column) for row in "xyz" for column in "xyz")
        along = self._along()
        return self._part((*along, *cosines), along)
