"""Measures: scalars read between a frame `on` one body and a frame `to` another.

They are the only geometry of the product.  Joints hold them, drivers prescribe them, forces act along them, results
report them.  A measure grows in the sense that `to` moves away from `on` along the axis.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.checks import listed, number
from linkwork.mechanism.frames import Place, as_frame
from linkwork.mechanism.kinds import Kinds
from linkwork.mechanism.recipes import Described
from linkwork.records import dataclass
from linkwork.units import ANY, MEASURE_UNITS, whole

AXES = ("x", "y", "z")
#: what a class says about its own geometry, so that nobody has to ask which class it is; a derived class is the same
#: kind of thing, unless it has functions or terms of its own
WHAT_IT_IS = {"is_turn", "of_line", "along", "of_axes", "reads_angles", "straight"}
#: words that a class may say about itself
ALLOWED = {"memory": ("none", "turns", "parameter"), "quantity": tuple(MEASURE_UNITS)}
if TYPE_CHECKING:
    Axis = str  # it often comes from a loop over "xyz"
else:
    Axis = Literal[AXES]


def checked_axis(value: Any, item: str) -> str:
    """One of the three axes, by its letter."""
    if not isinstance(value, str) or value not in AXES:
        raise DescriptionError(message(item, "axis is unknown", repr(value), "'x', 'y' or 'z'"))
    return value


@dataclass(frozen=True)
class Measure(Described):
    """A scalar between the frames `on` and `to`, which may be given by name.  Every kind registers by being a subclass.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=2.0, mass=1.0, position=(3.0, 4.0), angle="90 deg"))
    >>> _ = m.add("it", lw.Reading(lw.Distance("ground", "rod")))
    >>> print(f"{m.evaluate()['it.value']:.3f}")
    5.000

    How it is computed is one of three: `terms()`, a weighted sum of others; a `formula` of ours; or functions of its
    own, `plane` and `space` (see CONTRIBUTING).
    """

    on: Place
    to: Place

    kinds: ClassVar[Kinds[type[Measure]]] = Kinds()
    #: the formula that the kernels know it by
    formula: ClassVar[str] = ""
    #: functions of its own, of (seen, numbers, memory): SeenInPlane, or SeenInSpace
    plane: ClassVar[Callable[..., Any] | None] = None
    space: ClassVar[Callable[..., Any] | None] = None
    #: what the formula reads of both frames together: "line" between origins, "edge" of a disc on `to`, or nothing
    pair: ClassVar[str] = "line"
    #: whose angle the measure depends on, apart from the position of its frames
    turns_with: ClassVar[tuple[str, ...]] = ()
    #: whether it reads angles of bodies in the plane as numbers, and not only their cosines and sines
    reads_angles: ClassVar[bool] = True
    #: whether it is straight in places and angles, where nothing turns
    straight: ClassVar[bool] = False
    #: what is carried from step to step: "none"; full "turns", so that its value is an angle over full turns; or a
    #: "parameter", as many numbers as `remembers` says, which begin with 0 and which its function reads and writes
    memory: ClassVar[Literal["none", "turns", "parameter"]] = "none"
    remembers: ClassVar[int] = 1
    #: is the turn of `to` against `on` about z, which bodies of the plane count themselves
    is_turn: ClassVar[bool] = False
    #: its "length" or "direction" where it is one of the line between both origins, which must not meet
    of_line: ClassVar[str] = ""
    #: "on" or "world" where it is the component of that line along an axis of these, its `axis`
    along: ClassVar[str] = ""
    #: is the cosine of the angle between `axis` of `on` and the axis `other` of `to`
    of_axes: ClassVar[bool] = False
    #: "length" or "angle": decides units and error scales
    quantity: ClassVar[str] = "length"
    #: has no value, only a rate
    rate_only: ClassVar[bool] = False
    #: where it exists: in the plane (2), in space (3)
    dimensions: ClassVar[tuple[int, ...]] = (2, 3)
    #: further arguments of an example, for contract tests
    sample: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        own = {"plane", "space"} & vars(cls).keys()
        for key, allowed in ALLOWED.items():
            given = vars(cls).get(key)
            if key in vars(cls) and not isinstance(given, property) and given not in allowed:
                wanted = ", ".join(map(repr, allowed[:-1])) + f" or {allowed[-1]!r}"
                raise DescriptionError(message(cls.__name__, f"has an unknown `{key}`", repr(given), wanted))
        if cls.memory == "parameter":
            whole(cls.remembers, cls.__name__, "remembers", 1)
        if own or "terms" in vars(cls):  # it is something else than the class that it comes from
            for key in WHAT_IT_IS - vars(cls).keys():
                setattr(cls, key, getattr(Measure, key))
        if not cls.formula and own:
            # it exists where it has a function, and may read all of the motion, unless it says otherwise
            if "dimensions" not in vars(cls):
                cls.dimensions = tuple(d for d, one in ((2, cls.plane), (3, cls.space)) if one is not None)
            if "turns_with" not in vars(cls):
                cls.turns_with = ("on", "to")
        Measure.kinds.add(cls)

    def __post_init__(self) -> None:
        item = type(self).__name__
        object.__setattr__(self, "on", as_frame(self.on, item, "on"))
        object.__setattr__(self, "to", as_frame(self.to, item, "to"))
        if self.on.body == self.to.body:
            raise DescriptionError(
                message(
                    item,
                    f"both frames are on body '{self.on.body}', so it can never change",
                    f"{self.on} and {self.to}",
                    "frames on two bodies",
                )
            )

    def numbers(self) -> tuple[float, ...]:
        """Its numbers, such as a radius, as its formula or function reads them."""
        return ()

    def checked_numbers(self) -> tuple[float, ...]:
        """The same, checked where a class of anybody says them."""
        if not (self.plane or self.space):
            return self.numbers()
        item = type(self).__name__
        given = listed(self.numbers(), item, "what numbers() gives", "a tuple such as (self.radius,)")
        return tuple(number(one, item, f"number {k} of numbers()") for k, one in enumerate(given))

    def function(self, dimension: int) -> Callable[..., Any] | None:
        """Its own function in the plane (2) or in space (3), if it has one there."""
        return type(self).plane if dimension == 2 else type(self).space

    def terms(self) -> tuple[tuple[float, Measure], ...]:
        """The measure as a weighted sum of those that can be computed."""
        if not (self.formula or self.plane or self.space):
            raise DescriptionError(
                message(
                    type(self).__name__,
                    "is a measure that cannot be computed",
                    remedy="derive it from one that can, such as Offset or Angle; give it terms() that return a sum, "
                    "((1.0, Distance(self.on, self.to)),); or functions of its own, plane and space",
                )
            )
        return ((1.0, self),)

    def unit(self, order: int = 0) -> str:
        """SI unit of the value (0), the rate (1) or the acceleration (2); any may do for a sum of mixed parts."""
        return MEASURE_UNITS[self.quantity][order]

    def heading(self) -> tuple[str, Any, str]:
        """Which way it grows, for pictures: ("turn", frame, "z") about, ("axis", frame, axis) along, ("world", None,
        axis) along that of the world, or ("line", None, "") along the line between both origins."""
        return ("turn", self.to, "z") if self.quantity == "angle" else ("line", None, "")

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies that it touches."""
        return (self.on.body, self.to.body)

    def __str__(self) -> str:
        axes = "".join(f", {one}" for one in (getattr(self, key, "") for key in ("axis", "other")) if one)
        return f"{type(self).__name__}({self.on}, {self.to}{axes})"


@dataclass(frozen=True)
class _AlongAxis(Measure):
    axis: Axis = "x"

    sample: ClassVar[dict[str, Any]] = {"axis": "y"}

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_axis(self.axis, type(self).__name__)


@dataclass(frozen=True)
class Offset(_AlongAxis):
    """Component, along the `axis` of `on`, of the vector from the origin of `on` to that of `to`.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=2.0, mass=1.0, position=(3.0, 4.0), angle="90 deg"))
    >>> _ = m.add("it", lw.Reading(lw.Offset("rod", "ground", "x")))
    >>> print(f"{m.evaluate()['it.value']:.3f}")
    -4.000
    """

    formula: ClassVar[str] = "offset"
    reads_angles: ClassVar[bool] = False
    straight: ClassVar[bool] = True
    along: ClassVar[str] = "on"
    turns_with: ClassVar[tuple[str, ...]] = ("on",)

    def heading(self) -> tuple[str, Any, str]:
        return "axis", self.on, self.axis


@dataclass(frozen=True)
class WorldOffset(_AlongAxis):
    """Component, along the fixed world `axis`, of the vector from the origin of `on` to that of `to`.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=2.0, mass=1.0, position=(3.0, 4.0), angle="90 deg"))
    >>> _ = m.add("it", lw.Reading(lw.WorldOffset("ground", "rod.b", "y")))
    >>> print(f"{m.evaluate()['it.value']:.3f}")
    5.000
    """

    formula: ClassVar[str] = "world_offset"
    reads_angles: ClassVar[bool] = False
    straight: ClassVar[bool] = True
    along: ClassVar[str] = "world"

    def heading(self) -> tuple[str, Any, str]:
        return "world", None, self.axis


@dataclass(frozen=True)
class Alignment(Measure):
    """Cosine of the angle between `axis` of `on` and the axis `other` of `to`.

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add(
    ...     "rod", lw.box(1, 1, 1, mass=1, position=(0, 0, 0), orientation={"axis": (0, 0, 1), "angle": "30 deg"})
    ... )
    >>> _ = m.add("it", lw.Reading(lw.Alignment("ground", "rod", "x", "y")))
    >>> print(f"{m.evaluate()['it.value']:.3f}")
    -0.500
    """

    axis: Axis = "x"
    other: Axis = "y"

    formula: ClassVar[str] = "alignment"
    pair: ClassVar[str] = ""
    of_axes: ClassVar[bool] = True
    turns_with: ClassVar[tuple[str, ...]] = ("on", "to")
    quantity: ClassVar[str] = "cosine"
    dimensions: ClassVar[tuple[int, ...]] = (3,)
    sample: ClassVar[dict[str, Any]] = {"axis": "x", "other": "y"}

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_axis(self.axis, "Alignment")
        checked_axis(self.other, "Alignment")


@dataclass(frozen=True)
class Angle(Measure):
    """Turn of `to` against `on` about z, over full turns, which begins within half a turn unless something says
    otherwise.  Held, it means the nearest whole turn.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=2.0, mass=1.0, position=(3.0, 4.0), angle="90 deg"))
    >>> _ = m.add("it", lw.Reading(lw.Angle("ground", "rod")))
    >>> print(f"{m.evaluate()['it.value']:.3f}")
    1.571
    """

    formula: ClassVar[str] = "angle"
    straight: ClassVar[bool] = True
    pair: ClassVar[str] = ""
    is_turn: ClassVar[bool] = True
    turns_with: ClassVar[tuple[str, ...]] = ("on", "to")
    memory: ClassVar[Literal["none", "turns", "parameter"]] = "turns"
    quantity: ClassVar[str] = "angle"


@dataclass(frozen=True)
class Direction(Measure):
    """Angle, about z of `on` and against its x, of the line from its origin to that of `to`, over full turns.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=2.0, mass=1.0, position=(3.0, 3.0), angle="45 deg"))
    >>> _ = m.add("it", lw.Reading(lw.Direction("ground", "rod.b")))
    >>> print(f"{m.evaluate()['it.value']:.3f}")
    0.785
    """

    formula: ClassVar[str] = "direction"
    of_line: ClassVar[str] = "direction"
    turns_with: ClassVar[tuple[str, ...]] = ("on",)
    memory: ClassVar[Literal["none", "turns", "parameter"]] = "turns"
    quantity: ClassVar[str] = "angle"

    def heading(self) -> tuple[str, Any, str]:
        return "turn", self.on, "z"


@dataclass(frozen=True)
class Distance(Measure):
    """Length of the line between the origins of `on` and `to`; it must never be zero.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=2.0, mass=1.0, position=(3.0, 4.0), angle="90 deg"))
    >>> _ = m.add("it", lw.Reading(lw.Distance("ground", "rod")))
    >>> print(f"{m.evaluate()['it.value']:.3f}")
    5.000
    """

    formula: ClassVar[str] = "distance"
    reads_angles: ClassVar[bool] = False
    of_line: ClassVar[str] = "length"


@dataclass(frozen=True)
class Slip(_AlongAxis):
    """Speed of the origin of `to` against the coincident point of `on`, along `axis` of `to`.  It has no value.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=2.0, mass=1.0, position=(0, 0), angle="90 deg", velocity=(0, 3)))
    >>> _ = m.add("it", lw.Reading(lw.Slip("ground", "rod", "x")))
    >>> print(f"{m.evaluate()['it.speed']:.3f}")
    3.000
    """

    formula: ClassVar[str] = "slip"
    reads_angles: ClassVar[bool] = False
    turns_with: ClassVar[tuple[str, ...]] = ("to",)
    rate_only: ClassVar[bool] = True

    def heading(self) -> tuple[str, Any, str]:
        return "axis", self.to, self.axis


@dataclass(frozen=True)
class Spin(Measure):
    """Angular velocity of `to` against `on`, about z of `to`.  It has no value.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=2.0, mass=1.0, position=(0, 0), angle=0, angular_velocity="60 rpm"))
    >>> _ = m.add("it", lw.Reading(lw.Spin("ground", "rod")))
    >>> print(f"{m.evaluate()['it.speed']:.3f}")
    6.283
    """

    formula: ClassVar[str] = "spin"
    reads_angles: ClassVar[bool] = False
    pair: ClassVar[str] = ""
    turns_with: ClassVar[tuple[str, ...]] = ("on", "to")
    quantity: ClassVar[str] = "angle"
    rate_only: ClassVar[bool] = True


@dataclass(frozen=True)
class Sum(Measure):
    """Weighted sum of measures: `Sum((2.0, a), (-1.0, b))`; `parts` are pairs of weight and measure.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=2.0, mass=1.0, position=(3.0, 4.0), angle="90 deg"))
    >>> _ = m.add("it", lw.Reading(lw.Sum((2.0, "rod.x"), (-1.0, "rod.y"))))
    >>> print(f"{m.evaluate()['it.value']:.3f}")
    2.000
    """

    parts: tuple[tuple[float, Measure], ...] = ()

    def __init__(self, *parts: Any) -> None:
        item = "Sum"
        checked: list[tuple[float, Measure]] = []
        for part in parts:
            try:
                weight, measure = part
            except (TypeError, ValueError):
                raise DescriptionError(message(item, "a part is not a pair", repr(part), "(weight, measure)")) from None
            if not isinstance(measure, Measure):
                raise DescriptionError(message(item, "a part has no measure", repr(measure), "a measure")) from None
            checked.extend((number(weight, item, "weight") * w, one) for w, one in measure.terms())
        if not checked:
            raise DescriptionError(message(item, "has no parts", wanted="at least one (weight, measure)"))
        object.__setattr__(self, "parts", tuple(checked))
        object.__setattr__(self, "on", checked[0][1].on)
        object.__setattr__(self, "to", checked[0][1].to)

    def terms(self) -> tuple[tuple[float, Measure], ...]:
        return self.parts

    def __str__(self) -> str:
        return f"Sum({', '.join(f'{weight:g} {one}' for weight, one in self.parts)})"

    def unit(self, order: int = 0) -> str:
        # a weight may be a radius or a pure number: of a sum of weighted angles, only the user knows the unit
        kinds = {one.quantity for _, one in self.parts}
        pure = all(abs(weight) == 1.0 for weight, _ in self.parts) or kinds == {"length"}
        return super().unit(order) if pure and len(kinds) == 1 else ANY

    @property
    def bodies(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for _, measure in self.parts for name in measure.bodies))

    @property
    def quantity(self) -> str:  # type: ignore[override]  # of a sum it depends on its parts
        kinds = {
            "length" if one.quantity == "length" or abs(weight) != 1.0 else one.quantity for weight, one in self.parts
        }
        return kinds.pop() if len(kinds) == 1 else "length"

    @property
    def rate_only(self) -> bool:  # type: ignore[override]  # of a sum it depends on its parts
        return any(one.rate_only for _, one in self.parts)


def contains_z(measure: Measure) -> bool:
    """Whether a measure reads anything along z, which the plane does not have."""
    return any("z" in (getattr(one, "axis", ""), getattr(one, "other", "")) for _, one in measure.terms())
