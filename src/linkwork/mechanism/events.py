"""Events: what is watched while a mechanism moves, and what is done when it happens."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from numbers import Real
from typing import Annotated, Any, ClassVar, Literal, Protocol, get_args

from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.mechanism.checks import Quantity
from linkwork.mechanism.functions import Function, as_function
from linkwork.mechanism.measures import Measure
from linkwork.mechanism.recipes import Described
from linkwork.records import dataclass
from linkwork.units import ANY, Number, must_fit, si, whole

Direction = Literal["both", "rising", "falling"]
DIRECTIONS = get_args(Direction)


class Hands(Protocol):
    """What actions are done by: an analysis that holds the state of the event."""

    def hold(self, item: str, locks: bool = False) -> None:
        """Hold the rows of an item again; where `locks`, also those that lock a joint which is whole."""

    def free(self, item: str) -> None:
        """Free the lock of a joint that is locked, else the rows of an item."""

    def switch(self, item: str, on: bool) -> None:
        """Switch a force or a driver on or off."""

    def follow(self, driver: str, function: Function, anew: bool) -> None:
        """Have a driver follow another function."""

    def put(self, number: str, value: Any) -> None:
        """Give a number of the mechanism another value."""


@dataclass(frozen=True)
class Action(Described):
    """What an event does; `Stop`, `Lock`, `Release`, `On`, `Off`, `Drive` and `Set` are the actions that there are."""

    kinds: ClassVar[dict[str, type[Action]]] = {}
    #: what it may do to the item that it names: "hold" rows, "lock" the motions of a joint, "free" rows, "drive" it
    may: ClassVar[frozenset[str]] = frozenset()
    #: whether the run ends
    ends: ClassVar[bool] = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        Action.kinds[cls.__name__.lower()] = cls

    @property
    def words(self) -> str:
        """What is done, as results tell it."""
        return " ".join([type(self).__name__.lower(), *(str(one) for one in list(vars(self).values())[:1])])

    @property
    def about(self) -> str:
        """The item that it names (of a row, the joint or driver that has it)."""
        return ""

    def do(self, hands: Hands) -> None:
        """Do it, by the hands of an analysis."""

    def check(self, mechanism: Any, event: Event) -> None:
        """Refuse it where it is about what the mechanism does not have, or about something of another kind."""

    def _among(self, mechanism: Any, event: Event, wanted: str, *families: Mapping[str, Any]) -> None:
        """What it is about must be in one of these families of items."""
        name = self.about
        if any(name in family for family in families):
            return
        if name in mechanism:
            got = f"{type(mechanism[name]).__name__} '{name}'"
            raise DescriptionError(message(event.item, f"has {type(self).__name__} of something else", got, wanted))
        known = [one for family in families for one in family]
        where = f"in mechanism '{mechanism.name}', wanted by {event.item}"
        raise UnknownNameError(wanted.removeprefix("a ").replace(" a ", " "), name, known, where)

    def _name(self, what: str) -> None:
        """The field must be the name of an item."""
        given = getattr(self, what)
        if not isinstance(given, str) or not given:
            raise DescriptionError(
                message(type(self).__name__, f"does not say which {what}", repr(given), "the name of an item")
            )


@dataclass(frozen=True)
class Stop(Action):
    """Ends the run.

    >>> m = lw.gallery.pendulum()
    >>> _ = m.add("lowest", lw.Event("A.angle", "-90 deg", then=lw.Stop()))
    >>> run = m.simulate(5.0, start={"A.angle": 0.0, "A.angle.rate": 0.0})
    >>> bool(abs(run["A.angle"][-1] + np.pi / 2) < 1e-9)
    True
    """

    ends: ClassVar[bool] = True


@dataclass(frozen=True)
class _Rows(Action):
    """An action on rows of a joint or a driver, or on all of them."""

    item: str

    def __post_init__(self) -> None:
        self._name("item")

    @property
    def about(self) -> str:
        return self.item.partition(".")[0]

    def check(self, mechanism: Any, event: Event) -> None:
        self._among(mechanism, event, "a joint or a driver", mechanism.joints, mechanism.drivers)


@dataclass(frozen=True)
class _Switch(Action):
    """An action on a force or a driver."""

    item: str

    def __post_init__(self) -> None:
        self._name("item")

    @property
    def about(self) -> str:
        return self.item

    def check(self, mechanism: Any, event: Event) -> None:
        self._among(mechanism, event, "a force or a driver", mechanism.forces, mechanism.drivers)


@dataclass(frozen=True)
class Lock(_Rows):
    """Locks a joint where it is: its motions are held at the values that they have; velocities jump as they must.

    `item` names a joint.  One that came apart (`Release`) is held together again first; so are drivers and single rows.

    >>> m = lw.gallery.pendulum()
    >>> _ = m.add("low", lw.Event("A.angle", "-90 deg", then=lw.Lock("A"), most=1))
    >>> run = m.simulate(1.0, every=0.1)
    >>> print(f"{run['A.angle'][-1]:.4f} rad, {run.energy.lost[-1]:.3f} J lost")
    -1.5708 rad, 4.905 J lost
    """

    may: ClassVar[frozenset[str]] = frozenset({"hold", "lock"})

    def do(self, hands: Hands) -> None:
        hands.hold(self.item, locks=True)


@dataclass(frozen=True)
class Release(_Rows):
    """Lets a joint go: its lock, if it is locked; else the joint itself comes apart.  Velocities do not change.

    `item` names a joint, a driver, or a single row of one.

    >>> m = lw.gallery.pendulum()
    >>> _ = m.add("snap", lw.Event("t", 0.5, then=lw.Release("A")))
    >>> m.simulate(1.0).final.mode("A")
    'free'
    """

    may: ClassVar[frozenset[str]] = frozenset({"free"})

    def do(self, hands: Hands) -> None:
        hands.free(self.item)


@dataclass(frozen=True)
class On(_Switch):
    """Switches a force or a driver on; `active=False` in its description has it off at the start.

    `item` names it.

    >>> m = lw.gallery.pendulum()
    >>> _ = m.add("brake", lw.TorsionSpringDamper("ground", "rod", damping=2.0, active=False))
    >>> _ = m.add("slow", lw.Event("A.angle", "-45 deg", then=lw.On("brake"), most=1))
    >>> print(f"{m.simulate(1.0).energy.dissipated[-1]:.3f} J")
    4.865 J
    """

    may: ClassVar[frozenset[str]] = frozenset({"hold"})

    def do(self, hands: Hands) -> None:
        hands.switch(self.item, True)


@dataclass(frozen=True)
class Off(_Switch):
    """Switches a force or a driver off; what a spring stored is lost, and the ledger says so.

    `item` names it.

    >>> m = lw.gallery.pendulum()
    >>> _ = m.add("coil", lw.TorsionSpringDamper("ground", "rod", stiffness=10.0))
    >>> _ = m.add("cut", lw.Event("t", 0.2, then=lw.Off("coil")))
    >>> print(f"{abs(m.simulate(0.5)['coil.torque'][-1]):.1f} N m")
    0.0 N m
    """

    may: ClassVar[frozenset[str]] = frozenset({"free"})

    def do(self, hands: Hands) -> None:
        hands.switch(self.item, False)


@dataclass(frozen=True)
class Drive(Action):
    """Has a driver follow another `function`, from the event on.

    With `anew` its time is counted from the event, and its value is added to the one that the measure has there, less
    that of the function: the position goes on.  Where the function asks for another speed, velocities jump, and the
    result says so.

    `driver` names the driver.

    >>> m = lw.gallery.pendulum()
    >>> _ = m.add("motor", lw.Driver("A.angle", "sin(2*t)"))
    >>> turn = lw.Drive("motor", "smoothstep(t, 0, 0, 0.5, 30 deg)", anew=True)
    >>> _ = m.add("turn", lw.Event("A.angle.rate", direction="falling", then=turn, most=1))
    >>> print(f"{m.simulate(2.0).read('A.angle', to='deg')[-1]:.3f} deg")
    87.296 deg
    """

    driver: str
    function: Function
    anew: bool = field(default=False, kw_only=True)

    may: ClassVar[frozenset[str]] = frozenset({"drive"})

    def __post_init__(self) -> None:
        self._name("driver")
        given: Any = self.function
        if isinstance(given, Real) and not isinstance(given, bool):
            given = float(given)
        object.__setattr__(self, "function", as_function(given))
        if not isinstance(self.anew, bool):
            raise DescriptionError(message("Drive", "anew is neither true nor false", repr(self.anew), "True or False"))

    @property
    def words(self) -> str:
        """What is done."""
        return f"drive {self.driver}{' anew' if self.anew else ''}"

    @property
    def about(self) -> str:
        return self.driver

    def do(self, hands: Hands) -> None:
        hands.follow(self.driver, self.function, self.anew)

    def check(self, mechanism: Any, event: Event) -> None:
        self._among(mechanism, event, "a driver", mechanism.drivers)
        driver = mechanism.drivers[self.driver]
        unit = driver.measure.unit(1 if driver.level == "speed" else 0)
        for given, needed, part in (
            (self.function.unit, unit, "function"),
            (self.function.argument, "s", "the time of its function"),
        ):
            if given is not None:
                item = f"{part} of Drive('{self.driver}')"
                must_fit(given, needed, event.item, item, type(self.function).__name__)


@dataclass(frozen=True)
class Set(Action):
    """Gives a number of the mechanism another value: `number` is a name as `Mechanism.with_numbers` takes it.

    `value` is a number in SI or a text.  What changes the structure is refused.

    >>> m = lw.gallery.pendulum()
    >>> _ = m.add("coil", lw.TorsionSpringDamper("ground", "rod", stiffness=10.0))
    >>> _ = m.add("soft", lw.Event("t", 0.5, then=lw.Set("coil.stiffness", 1.0)))
    >>> run = m.simulate(1.0)
    >>> print(f"{run['coil.torque'][-1] / run['coil.angle'][-1]:.1f} N m/rad")
    -1.0 N m/rad
    """

    number: str
    value: Any

    def __post_init__(self) -> None:
        self._name("number")

    @property
    def words(self) -> str:
        """What is done."""
        return f"set {self.number} to {self.value}"

    @property
    def about(self) -> str:
        return self.number.partition(".")[0] if "." in self.number else ""

    def do(self, hands: Hands) -> None:
        hands.put(self.number, self.value)

    def check(self, mechanism: Any, event: Event) -> None:
        mechanism.with_numbers({self.number: self.value})  # refuses what it does not know


@dataclass(frozen=True)
class Event(Described):
    """Something that is watched: the moment at which `when` passes `value`, and what is done `then`.

    `when` is any name of a result ("A.angle.rate", "knee.effort", "B.reaction.magnitude"), a measure or a sum of
    measures, or a Python function of the state, which reads names: `lambda s: s["A.angle"] - s["B.angle"]`.
    `value` is a number in SI or a text with a unit; `direction` is "rising", "falling" or "both".
    `then` is an action (`Stop`, `Lock`, `Release`, `On`, `Off`, `Drive`, `Set`), a Python function, or several of them,
    done in their order; without any the event is only recorded.  `most` is how often it may happen.

    A Python function is called with the state, `then(state)`, and returns None, an action, a map of new speeds
    (`{"ball.y.rate": 2.0}`, reached by an impulse along the measure) or numbers, or a list of these.  What it may lock,
    switch or drive is named in `touches`.  `name` comes from `Mechanism.add`.

    Units: value [any], that of what is watched.

    >>> m = lw.gallery.pendulum()
    >>> _ = m.add("top", lw.Event("A.angle.rate", direction="falling"))
    >>> run = m.simulate(8.0, start={"A.angle": 0.5, "A.angle.rate": 0.0})
    >>> [(one.name, round(one.t, 3)) for one in run.events]
    [('top', 2.23), ('top', 4.46), ('top', 6.69)]
    """

    when: Any
    value: Annotated[Quantity, Number(ANY)] = 0.0
    direction: Direction = field(default="both", kw_only=True)
    then: Any = field(default=(), kw_only=True)
    most: int | None = field(default=None, kw_only=True)
    touches: tuple[str, ...] = field(default=(), kw_only=True)
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        put = object.__setattr__
        if not (isinstance(self.when, str | Measure) or callable(self.when)):
            raise DescriptionError(
                message(
                    self.item,
                    "has nothing to watch in `when`",
                    repr(self.when),
                    'a name such as "A.angle.rate", a measure, or a function of the state',
                )
            )
        value = si(self.value, ANY, self.item, "value") if isinstance(self.value, str) else self.value
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
            raise DescriptionError(message(self.item, "value is not a finite number", repr(value), "a number"))
        put(self, "value", value if isinstance(value, float) else float(value))
        if self.direction not in DIRECTIONS:
            raise DescriptionError(
                message(self.item, "direction is unknown", repr(self.direction), "one of " + ", ".join(DIRECTIONS))
            )
        then = tuple(self.then) if isinstance(self.then, list | tuple) else (self.then,)
        for one in then:
            if not isinstance(one, Action) and (isinstance(one, type) or not callable(one)):
                raise DescriptionError(
                    message(
                        self.item,
                        "does something in `then` that is no action",
                        repr(one),
                        "Stop(), Lock(...), Release(...), On(...), Off(...), Drive(...), Set(...) or a function",
                    )
                )
        put(self, "then", then)
        touches = (self.touches,) if isinstance(self.touches, str) else tuple(self.touches)
        put(self, "touches", touches)
        if self.most is not None:
            put(self, "most", whole(self.most, self.item, "most", 1))

    @property
    def item(self) -> str:
        """How messages call this event."""
        return f"Event '{self.name}'" if self.name else "Event"

    def names(self, name: str) -> list[str]:
        """Its fields that speak of an item by its name: `when`, `then`, `touches`."""
        found = {
            "when": isinstance(self.when, str) and self.when.partition(".")[0] == name,
            "then": any(isinstance(one, Action) and one.about == name for one in self.then),
            "touches": any(one.partition(".")[0] == name for one in self.touches),
        }
        return [field for field, here in found.items() if here]


def actions(mechanism: Any) -> Iterator[tuple[Event, Action | Callable[..., Any]]]:
    """Everything that events of a mechanism may do, in their order."""
    for event in mechanism.events.values():
        for one in event.then:
            yield event, one


def drives(mechanism: Any) -> Iterator[tuple[str, int, Any]]:
    """Actions that drive something: name of the event, which of its actions it is, and the action."""
    for event in mechanism.events.values():
        for k, one in enumerate(event.then):
            if isinstance(one, Action) and "drive" in one.may:
                yield event.name, k, one


def switched(mechanism: Any, *may: str) -> set[str]:
    """Names of items that events may "hold", "lock", "free" or "drive", and those that their functions touch."""
    found = {name for event in mechanism.events.values() for name in event.touches}
    return found | {one.about for _, one in actions(mechanism) if isinstance(one, Action) and one.may & set(may)}


def in_play(mechanism: Any, item: Any) -> bool:
    """Whether an item has a part in the motion: from the start, or because an event may switch it on."""
    return bool(item.active) or item.name in switched(mechanism, "hold", "free", "drive")
