"""Forces: laws on measures.

An element says which laws it is made of (`parts`).  A law reads measures or time functions and gives one force for
each measure it acts along; positive pushes along the growing measure.  Every part says what it does with energy:
it *stores* (its potential is known, or integrated with the motion), *dissipates*, or *drives*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, ClassVar, Literal

from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.mechanism import checks
from linkwork.mechanism.checks import PythonFunction, meanings, settle
from linkwork.mechanism.expressions import function_of
from linkwork.mechanism.frames import GROUND, Frame, Place, as_frame
from linkwork.mechanism.functions import Function, Table
from linkwork.mechanism.kinds import Kinds
from linkwork.mechanism.law_parts import LawPart
from linkwork.mechanism.measures import Angle, Distance, Measure, Slip, Spin, Sum, WorldOffset
from linkwork.mechanism.recipes import Described
from linkwork.mechanism.symbols import Mark, mark
from linkwork.records import dataclass
from linkwork.units import ANY, is_quantity, must_fit

#: what a moment acts along, and the measures that laws act along with the lever that each has there
Levers = tuple[Measure, tuple[tuple[Measure, Measure], ...]]


@dataclass(frozen=True)
class Force(Described):
    """What every force element has: `active`, which switches it off, a `name` given by `Mechanism.add`, and its parts.

    Where a frame is wanted, a body or a name ("rod.a") will do; where a measure is wanted, its name ("A.angle") will.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Revolute("ground", "rod.a"))
    >>> push = m.add("push", lw.PointForce("rod.b", x="5 N"))
    >>> [part.energy for part in push.parts()]
    ['stores']
    """

    active: bool = field(default=True, kw_only=True)
    name: str = field(default="", kw_only=True)

    kinds: ClassVar[Kinds[type[Force]]] = Kinds()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        Force.kinds.add(cls)

    @property
    def item(self) -> str:
        """How messages call this element."""
        return f"Force '{self.name}' ({type(self).__name__})" if self.name else type(self).__name__

    def parts(self) -> tuple[LawPart, ...]:
        """The laws that the element is made of; those without effect are left out."""
        raise TypeError(f"{type(self).__name__} does not say what it does")

    def parts_in(self, dimension: int) -> tuple[LawPart, ...]:
        """The same for the plane (2) or space (3), where that makes a difference."""
        return self.parts()

    def readings(self) -> dict[str, Measure]:
        """Measures that a user may want to read, by name."""
        return {}

    def readings_in(self, dimension: int) -> dict[str, Measure]:
        """The same for the plane (2) or space (3), where that makes a difference."""
        return self.readings()

    def symbol(self) -> tuple[Mark, ...]:
        """How it is drawn, as marks: without one of its own a dot where it acts, or what it acts along."""
        at = self.__dict__.get("at")
        if isinstance(at, Frame):
            return (mark("dot", at, holds=False),)
        first = next((one for part in self.parts() for one in part.along), None)
        return () if first is None else (mark("acts", holds=False, measure=first),)

    def ends_together(self) -> tuple[Measure, ...]:
        """Distances of its ends, where these belong together: small where a motion begins."""
        return ()

    def stops(self) -> Measure | None:
        """What it keeps between two limits, `lower` and `upper`, where it is a stop; else None."""
        return None

    def force_names(self) -> dict[Measure, str]:
        """Names of its forces by the measures that they act along, where the usual ones would not be clear."""
        return {}

    def acts_along(self) -> tuple[Measure, ...]:
        """Measures that it acts along where no number of it is other than 0: names do not depend on numbers."""
        return ()

    def levers(self) -> dict[str, Levers]:
        """Names of its moments that are not forces of its laws but follow from them: M = sum of force times lever.

        With the measure that the moment acts along come pairs of a measure that a law acts along, and the lever.
        """
        return {}

    def __getattr__(self, key: str) -> Measure:
        if key.startswith("_") or "name" not in self.__dict__:
            raise AttributeError(key)
        readings = self.readings()
        if key not in readings:
            raise UnknownNameError("quantity", key, list(readings), f"of {self.item}")
        return readings[key]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.readings()]


# -- built-in laws -------------------------------------------------------------------------------------------------


def spring(value: float, rate: float, t: float, stiffness: float, rest: float) -> float:
    """Linear spring."""
    return -stiffness * (value - rest)


def spring_energy(values: Any, numbers: Any) -> Any:
    """Energy of a linear spring."""
    stiffness, rest = numbers
    return 0.5 * stiffness * (values[0] - rest) ** 2


def spring_slopes(value: float, rate: float, t: float, stiffness: float, rest: float) -> tuple[float, float]:
    """Those of a linear spring."""
    return -stiffness, 0.0


def damper(value: float, rate: float, t: float, damping: float) -> float:
    """Linear damper."""
    return -damping * rate


def damper_slopes(value: float, rate: float, t: float, damping: float) -> tuple[float, float]:
    """Those of a linear damper."""
    return 0.0, -damping


def pull(values: Any, rates: Any, t: float, numbers: Any, memory: Any, out: Any) -> None:
    """Tension that is a function of time."""
    out[0] = -values[0]


def constant(values: Any, rates: Any, t: float, numbers: Any, memory: Any, out: Any) -> None:
    """Constant components."""
    for k in range(len(numbers)):
        out[k] = numbers[k]


def constant_energy(values: Any, numbers: Any) -> Any:
    """Energy of a constant force: minus force times way."""
    return -sum(force * value for force, value in zip(numbers, values, strict=True))


def no_slopes(
    values: Any, rates: Any, t: float, numbers: Any, memory: Any, against_values: Any, against_rates: Any
) -> None:
    """Those of a force that depends on no motion."""


def of_time(values: Any, rates: Any, t: float, numbers: Any, memory: Any, out: Any) -> None:
    """Components that are functions of time."""
    for k in range(len(out)):
        out[k] = values[k]


# -- elements ------------------------------------------------------------------------------------------------------


def _spring_parts(element: Any, measure: Measure, rest: float) -> tuple[LawPart, ...]:
    """Spring, damper and actuator along one measure, without the parts that do nothing."""
    parts = []
    stiffness, one = element.stiffness, (measure,)
    if isinstance(stiffness, Table):
        law: Callable = Table.values  # type: ignore  # the class's function, not the numbers of an instance
        parts.append(LawPart("spring", "table", law, (measure,), (measure,), (rest, *stiffness.numbers()), "stores"))
    elif callable(stiffness):
        parts.append(LawPart("spring", "tension", stiffness, (measure,), (measure,), (rest,), "stores"))
    elif stiffness:
        held = (stiffness, rest)
        parts.append(LawPart("spring", "short", spring, one, one, held, "stores", spring_energy, slopes=spring_slopes))
    if element.damping:
        numbers = (element.damping,)
        parts.append(LawPart("damper", "short", damper, one, one, numbers, "dissipates", slopes=damper_slopes))
    if isinstance(element.actuator, Function):
        parts.append(LawPart("actuator", "long", pull, (element.actuator,), (measure,), (), "drives", slopes=no_slopes))
    elif element.actuator:
        given = (-element.actuator,)
        parts.append(LawPart("actuator", "long", constant, (), (measure,), given, "drives", slopes=no_slopes))
    return tuple(parts)


@dataclass(frozen=True)
class _SpringElement(Force):
    on: Place
    to: Place

    def _check(self, rest: str) -> None:
        """Fields as frames and SI numbers."""
        put = object.__setattr__
        put(self, "on", as_frame(self.on, self.item, "on"))
        put(self, "to", as_frame(self.to, self.item, "to"))
        if self.on.body == self.to.body:
            raise DescriptionError(
                message(
                    self.item,
                    f"has both ends on body '{self.on.body}'",
                    f"{self.on} and {self.to}",
                    "ends on two different bodies",
                )
            )
        known = meanings(type(self))
        if isinstance(self.stiffness, Table):
            for given, name in ((self.stiffness.argument, rest), (self.stiffness.unit, "actuator")):
                if given is not None:
                    must_fit(given, known[name].unit or ANY, self.item, "the table of its stiffness", "Table")
        elif not callable(self.stiffness):
            settle(self, self.item, "stiffness")
        settle(self, self.item, "damping", rest)
        _settle_component(self, "actuator")

    def acts_along(self) -> tuple[Measure, ...]:
        return tuple(self.readings().values())


@dataclass(frozen=True)
class SpringDamper(_SpringElement):
    """Spring, damper and actuator in one line between two points, the origins of `on` and `to`.

        tension = stiffness * (length - rest_length) + damping * rate + actuator

    `stiffness` may be a number, a `Table` of tension against elongation, or a function tension(elongation);
    `actuator` a number or a function of time.

    Units: stiffness [N/m], rest_length [m], damping [N s/m], actuator [N].

    >>> m = lw.Mechanism()
    >>> _ = m.add("mass", lw.Particle(2.0, position=(0.0, -0.6), velocity=(0, 0)))
    >>> _ = m.add("guide", lw.Hold("ground", "mass", x=0.0))
    >>> _ = m.add("spring", lw.SpringDamper("ground", "mass", stiffness="100 N/m", rest_length="50 cm", damping=2))
    >>> print(f"{m.evaluate()['spring.tension']:.4f} N")
    10.0000 N
    """

    on: Place
    to: Place
    stiffness: checks.Stiffness | Table | PythonFunction = 0.0
    rest_length: checks.Width = 0.0
    damping: checks.Damping = 0.0
    actuator: checks.Force | Function = 0.0

    sample: ClassVar[dict[str, Any]] = {"stiffness": 30.0, "rest_length": 0.4, "damping": 2.0, "actuator": 1.5}

    def __post_init__(self) -> None:
        self._check("rest_length")

    def parts(self) -> tuple[LawPart, ...]:
        return _spring_parts(self, Distance(self.on, self.to), self.rest_length)

    def readings(self) -> dict[str, Measure]:
        return {"length": Distance(self.on, self.to)}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("strut", self.on, self.to, parts=tuple(part.label for part in self.parts())),)


@dataclass(frozen=True)
class TorsionSpringDamper(_SpringElement):
    """Torsion spring, damper and actuator between `on` and `to`, about z.

    torque that turns `to` back = stiffness * (angle - rest_angle) + damping * rate + actuator

    Units: stiffness [N m/rad], rest_angle [rad], damping [N m s/rad], actuator [N m].

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Revolute("ground", "rod.a"))
    >>> _ = m.add("spring", lw.TorsionSpringDamper("ground", "rod", stiffness=4.0, rest_angle="30 deg"))
    >>> run = m.simulate(0.1, start={"A.angle": 0.0})
    >>> print(f"{run['spring.torque'][0]:.4f} N m")
    2.0944 N m
    """

    on: Place
    to: Place
    stiffness: checks.TorsionStiffness | Table | PythonFunction = 0.0
    rest_angle: checks.Radians = 0.0
    damping: checks.TorsionDamping = 0.0
    actuator: checks.Torque | Function = 0.0

    sample: ClassVar[dict[str, Any]] = {"stiffness": 3.0, "rest_angle": 0.4, "damping": 0.2, "actuator": 0.5}

    def __post_init__(self) -> None:
        self._check("rest_angle")

    def parts(self) -> tuple[LawPart, ...]:
        return _spring_parts(self, Angle(self.on, self.to), self.rest_angle)

    def readings(self) -> dict[str, Measure]:
        return {"angle": Angle(self.on, self.to)}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("spiral", self.on, self.to, holds=False),)


def _settle_component(force: Force, name: str) -> None:
    """A number, also as a text with its unit, or a function of time, also as the text of an expression."""
    value = getattr(force, name)
    text = isinstance(value, str) and not is_quantity(value, timed=True)
    if isinstance(value, Function) or callable(value) or text:
        unit = meanings(type(force))[name].unit or ANY
        object.__setattr__(force, name, function_of(value, force.item, name, unit))
    else:
        settle(force, force.item, name)


@dataclass(frozen=True)
class PointForce(Force):
    """A force at the origin of the frame `at`, along world axes, or along those of the frame (`axes="body"`: it turns
    along).  Components are numbers or functions of time.

    Units: x [N], y [N], z [N].

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Revolute("ground", "rod.a"))
    >>> _ = m.add("push", lw.PointForce("rod.b", y="5*sin(2*t)"))
    >>> m["push"].y(0.0)
    (0.0, 10.0, 0.0)
    """

    at: Place
    x: checks.Force | Function = 0.0
    y: checks.Force | Function = 0.0
    z: checks.Force | Function = 0.0
    axes: Literal["world", "body"] = field(default="world", kw_only=True)

    sample: ClassVar[dict[str, Any]] = {"x": 3.0, "y": -2.0}

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", as_frame(self.at, self.item, "at"))
        for key in "xyz":
            _settle_component(self, key)
        if self.axes not in ("world", "body"):
            raise DescriptionError(message(self.item, "axes are unknown", repr(self.axes), "'world' or 'body'"))

    def parts(self) -> tuple[LawPart, ...]:
        parts = []
        kind = WorldOffset if self.axes == "world" else Slip
        given = [(axis, getattr(self, axis)) for axis in "xyz" if getattr(self, axis) not in (0.0,)]
        fixed = [(kind(GROUND, self.at, axis), value) for axis, value in given if not isinstance(value, Function)]
        timed = [(kind(GROUND, self.at, axis), value) for axis, value in given if isinstance(value, Function)]
        if fixed:
            along = tuple(measure for measure, _ in fixed)
            stores = self.axes == "world"
            parts.append(
                LawPart(
                    "constant",
                    "long",
                    constant,
                    along,
                    along,
                    tuple(value for _, value in fixed),
                    "stores" if stores else "drives",
                    constant_energy if stores else None,
                    slopes=no_slopes,
                )
            )
        if timed:
            along, values = zip(*timed, strict=True)
            parts.append(LawPart("of time", "long", of_time, values, along, (), "drives", slopes=no_slopes))
        return tuple(parts)

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("push", self.at, x=self.x, y=self.y, z=self.z, axes=self.axes),)


@dataclass(frozen=True)
class Torque(Force):
    """A torque about z on `to`, and its opposite on `on` if given: a number or a function of time.

    In space z is that of the frame `to` (`axes="body"`: it turns along), or of the frame `on` (`axes="world"`).

    Units: value [N m].

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Revolute("ground", "rod.a"))
    >>> _ = m.add("torque", lw.Torque("rod", "3 N m"))
    >>> run = m.simulate(0.5, start={"A.angle": "-90 deg"})
    >>> print(f"{run.energy.supplied[-1] / (run['A.angle'][-1] - run['A.angle'][0]):.4f} N m")
    3.0000 N m
    """

    to: Place
    value: checks.Torque | Function = 0.0
    on: Place = GROUND
    axes: Literal["body", "world"] = field(default="body", kw_only=True)

    sample: ClassVar[dict[str, Any]] = {"value": 2.5}

    def __post_init__(self) -> None:
        object.__setattr__(self, "to", as_frame(self.to, self.item, "to"))
        on = GROUND if self.on is None else as_frame(self.on, self.item, "on")
        object.__setattr__(self, "on", on)
        _settle_component(self, "value")
        if self.axes not in ("body", "world"):
            raise DescriptionError(message(self.item, "axes are unknown", repr(self.axes), "'body' or 'world'"))

    def parts(self) -> tuple[LawPart, ...]:
        spin = (self._spin,)
        if isinstance(self.value, Function):
            return (LawPart("of time", "long", of_time, (self.value,), spin, slopes=no_slopes),)
        return (LawPart("constant", "long", constant, (), spin, (self.value,), slopes=no_slopes),) if self.value else ()

    @property
    def _spin(self) -> Measure:
        """What the torque acts along: it turns `to` against `on`, about z of one of them."""
        return Spin(self.on, self.to) if self.axes == "body" else Sum((-1.0, Spin(self.to, self.on)))

    def readings(self) -> dict[str, Measure]:
        return {"angle": Angle(self.on, self.to)}

    def readings_in(self, dimension: int) -> dict[str, Measure]:
        # in space its axis may stand anywhere against the other frame, so that there is no angle about it
        return self.readings() if dimension == 2 else {"speed": self._spin}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("twist", self.to, self.on, holds=False, value=self.value),)
