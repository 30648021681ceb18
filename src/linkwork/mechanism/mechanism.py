"""The mechanism: a named collection of bodies, joints, drivers, forces, readings and events, and questions to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from linkwork.arguments import Explained, explained, mirrored
from linkwork.errors import DescriptionError, UnknownNameError, UnlikelyJointWarning, message, plural, warn
from linkwork.mechanism.attached import refuse_used
from linkwork.mechanism.attributes import Parameters, missing, put, put_item, take_item
from linkwork.mechanism.bodies import Body
from linkwork.mechanism.checks import shown_name, vector
from linkwork.mechanism.drivers import Driver
from linkwork.mechanism.events import Event
from linkwork.mechanism.expressions import resolve_parameters
from linkwork.mechanism.fitting import check_bodies, check_points
from linkwork.mechanism.forces import Force
from linkwork.mechanism.frames import Frame
from linkwork.mechanism.joints import Joint
from linkwork.mechanism.measures import Measure
from linkwork.mechanism.readings import Reading
from linkwork.mechanism.recipes import NUMBER, Place, Recipe, hold_texts, read
from linkwork.mechanism.references import all_names, frame_named, measure_named, resolved

if TYPE_CHECKING:
    from linkwork.analysis.assemble import assemble as _assemble
    from linkwork.analysis.check import check as _check
    from linkwork.analysis.energy_motion import energy_motion as _energy_motion
    from linkwork.analysis.equilibria import equilibria as _equilibria
    from linkwork.analysis.equilibrium import equilibrium as _equilibrium
    from linkwork.analysis.evaluate import evaluate as _evaluate
    from linkwork.analysis.fit import fit as _fit
    from linkwork.analysis.frequency import frequency_response as _frequency_response
    from linkwork.analysis.inverse_dynamics import inverse_dynamics as _inverse_dynamics
    from linkwork.analysis.kinematics import kinematics as _kinematics
    from linkwork.analysis.linear import linearize as _linearize
    from linkwork.analysis.loops import loops as _loops
    from linkwork.analysis.modes import modes as _modes
    from linkwork.analysis.ode import ode as _ode
    from linkwork.analysis.optimize import optimize as _optimize
    from linkwork.analysis.prepare import prepare as _prepare
    from linkwork.analysis.ranges import motion_range as _range
    from linkwork.analysis.schedule import schedule as _schedule
    from linkwork.analysis.simulate import simulate as _simulate
    from linkwork.analysis.statics import statics as _statics
    from linkwork.analysis.steady import steady as _steady
    from linkwork.analysis.sweep import sweep as _sweep
    from linkwork.analysis.verify import verify as _verify
    from linkwork.compiled.model import Model
    from linkwork.mechanism.copies import actuated as _actuated
    from linkwork.mechanism.copies import braked as _braked
    from linkwork.mechanism.copies import driven as _driven
    from linkwork.mechanism.copies import pushed as _pushed
    from linkwork.mechanism.copies import standing as _standing
    from linkwork.mechanism.copies import without as _without
    from linkwork.mechanism.present import number as _number
    from linkwork.view.drawing import draw_mechanism as _draw
    from linkwork.view.notebook import mechanism_html as _html

#: what can be added: a body, joint, driver, force, reading or event; it comes back as the same kind, named
Item = TypeVar("Item", Body, Joint, Driver, Force, Reading, Event)

STANDARD_GRAVITY = {2: (0.0, -9.81), 3: (0.0, 0.0, -9.81)}
RESERVED = ("ground", "system", "energy", "time", "t")


class _Standard:
    """Stands for the gravity that there is unless another is given."""

    def __repr__(self) -> str:
        return "standard"


_STANDARD = _Standard()


@explained
class Mechanism(metaclass=Explained):
    """Bodies, joints, drivers, forces, readings and events under one `name`.

    `dimension` is 2 for the plane x-y, 3 for space.  `gravity` [m/s^2] is 9.81 against y, in space against z, unless
    it is given; None stands for none.  `parameters` are numbers, texts with units, or expressions of each other, which
    texts in items may name.

    >>> m = lw.Mechanism("pendulum", parameters={"L": "80 cm"})
    >>> rod = m.add("rod", lw.bar(length="L", mass=1.0))
    >>> joint = m.add("A", lw.Revolute("ground", "rod.a"))
    >>> m
    Mechanism('pendulum', dimension=2: 1 body, 1 joint, 0 drivers, 0 forces)
    """

    def __init__(
        self,
        name: str = "mechanism",
        dimension: int = 2,
        gravity: Any = _STANDARD,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        if dimension not in (2, 3):
            raise DescriptionError(
                message(f"Mechanism '{name}'", "has an unknown dimension", repr(dimension), "2 or 3")
            )
        self.name = str(name)
        self.dimension = dimension
        self._parameters = Parameters(resolve_parameters({} if parameters is None else parameters))
        self._written = dict(zip(self._parameters, (parameters or {}).values(), strict=True))
        self.gravity = STANDARD_GRAVITY[dimension] if gravity is _STANDARD else gravity
        self.ground = Body(mass=0.0, name="ground")
        self.ground.__dict__["_parameters"] = self._parameters
        self._bodies: dict[str, Body] = {}
        self._joints: dict[str, Joint] = {}
        self._drivers: dict[str, Driver] = {}
        self._forces: dict[str, Force] = {}
        self._readings: dict[str, Reading] = {}
        self._events: dict[str, Event] = {}
        #: points that bodies are told by in point coordinates, where a question says so: see `compiled.bases`
        self.bases: tuple[tuple[str, tuple[str, ...]], ...] = ()

    # -- description -----------------------------------------------------------------------------------------------
    @property
    def gravity(self) -> tuple[float, ...]:
        """Acceleration of free fall, m/s^2; None stands for none, and texts of parameters may stand in it."""
        return self._gravity

    @gravity.setter
    def gravity(self, given: Any) -> None:
        given = (0.0,) * self.dimension if given is None else given
        item = f"Mechanism '{self.name}'"
        numbers = read(given, Place(inside=NUMBER), self._parameters, f"the gravity of {item}")
        example = str(STANDARD_GRAVITY[self.dimension])
        self._gravity = vector(numbers, item, "gravity", (self.dimension,), unit="m/s^2", example=example)
        self._written_gravity = tuple(given) if hold_texts(*given) else self._gravity

    @property
    def written_gravity(self) -> tuple[Any, ...]:
        """Gravity as it was written where texts are in it; else its numbers."""
        return self._written_gravity

    @property
    def parameters(self) -> Mapping[str, float]:
        """Parameters by name, as numbers in SI; `with_numbers` gives a mechanism with others."""
        return self._parameters

    @property
    def bodies(self) -> Mapping[str, Body]:
        """Bodies by name, in the order of adding; ground is not among them."""
        return MappingProxyType(self._bodies)

    @property
    def joints(self) -> Mapping[str, Joint]:
        """Joints and couplings by name."""
        return MappingProxyType(self._joints)

    @property
    def drivers(self) -> Mapping[str, Driver]:
        """Drivers by name."""
        return MappingProxyType(self._drivers)

    @property
    def forces(self) -> Mapping[str, Force]:
        """Force elements by name."""
        return MappingProxyType(self._forces)

    @property
    def readings(self) -> Mapping[str, Reading]:
        """Readings by name."""
        return MappingProxyType(self._readings)

    @property
    def events(self) -> Mapping[str, Event]:
        """Events by name, in the order in which those at one time are told."""
        return MappingProxyType(self._events)

    @property
    def _families(self) -> tuple[tuple[type, dict[str, Any]], ...]:
        return (
            (Body, self._bodies),
            (Joint, self._joints),
            (Driver, self._drivers),
            (Force, self._forces),
            (Reading, self._readings),
            (Event, self._events),
        )

    def add(self, name: str, item: Item) -> Item:
        """Add a body, joint, driver, force, reading or event under a name; returns it, named, to go on with."""
        self._check_name(name)
        if isinstance(item, Recipe):
            item = resolved(self, item, name).made(self._parameters, name)
        family = next((family for kind, family in self._families if isinstance(item, kind)), None)
        if family is None:
            raise DescriptionError(
                message(
                    f"'{name}'",
                    "cannot be added to a mechanism",
                    repr(item),
                    "a body, joint, driver, force, reading or event",
                )
            )
        return self._put(family, name, item)

    def _put(self, family: dict[str, Any], name: str, item: Item) -> Item:
        named: Item = item.named(name)
        if isinstance(named, Body):
            named.__dict__["_parameters"] = self._parameters
        else:
            named = self._attached(named)
        family[name] = named
        return named

    def replace(self, name: str, item: Item) -> Item:
        """Put another item of the same family in the place of `name`, keeping the order."""
        kind, family = next(
            ((kind, family) for kind, family in self._families if isinstance(name, str) and name in family),
            (Body, None),
        )
        if family is None:
            raise UnknownNameError("item", name, self._names(), f"in mechanism '{self.name}'")
        if isinstance(item, Recipe):
            item = resolved(self, item, name).made(self._parameters, name)
        if not isinstance(item, kind):
            raise DescriptionError(
                message(
                    f"'{name}'",
                    "cannot be replaced by an item of another family",
                    type(item).__name__,
                    f"a {kind.__name__}",
                )
            )
        if isinstance(item, Body):
            check_points(self, family[name], item)
        found = self._put(family, name, item)
        for key, joint in self._joints.items() if isinstance(item, Body) else ():
            self._joints[key] = self._as_it_was(joint)
        return found

    def _as_it_was(self, joint: Joint) -> Joint:
        """A joint that kept bodies as they were declared, where they are declared otherwise now: its numbers alone."""
        recipe = joint.__dict__.get("_recipe")
        if recipe is None or not recipe.fits(self._parameters) or "as_declared" not in recipe.given:
            return joint
        if recipe.made(self._parameters, joint.name).among(self._bodies, self.dimension) == joint:
            return joint
        return replace(joint)

    def remove(self, name: str) -> None:
        """Take an item out; a body only when nothing is attached to it, and nothing that an event names."""
        if self[name] is self.ground:
            raise DescriptionError(message("'ground'", "cannot be removed: every mechanism has it"))
        refuse_used(name, self[name], [one for _, family in self._families for one in family.values()])
        for _, family in self._families:
            family.pop(name, None)

    def with_numbers(self, numbers: Mapping[str, Any]) -> Mechanism:
        """A mechanism with other numbers: parameters by name, fields as `item.field`, `gravity` and `gravity.y`.

        `m.with_numbers({"L": 0.3, "crank.length": "1.2 m", "spring.stiffness": "k/2"})`: numbers in SI, texts with
        units or of parameters, lists for vectors; `A.on.position` and `A.on.angle` are a frame's.  What depends on them
        follows: expressions of parameters, and what is attached to named points (`crank.b`).  This mechanism stays as
        it is.
        """
        from linkwork.mechanism.renewal import with_numbers

        return with_numbers(self, numbers)

    def recipe(self, name: str) -> Recipe:
        """How an item is described: what to call with which arguments, texts of parameters among them.

        >>> m = lw.Mechanism(parameters={"L": "30 cm"})
        >>> _ = m.add("rod", lw.bar(length="2*L", mass=1.0))
        >>> m.recipe("rod")
        bar(length='2*L', mass=1.0)
        """
        item = self[name]
        recipe = item.__dict__.get("_recipe")
        return recipe if recipe is not None and recipe.fits(self._parameters) else Recipe.of_fields(item)

    @property
    def written_parameters(self) -> Mapping[str, Any]:
        """Parameters as they were written: numbers, texts with units, expressions of others."""
        return MappingProxyType(self._written)

    def copy(self) -> Mechanism:
        """The same description, to be changed without changing this one."""
        other = Mechanism(self.name, self.dimension, self.gravity)
        for key in ("_parameters", "_written", "_written_gravity", "bases"):
            setattr(other, key, getattr(self, key))
        other.__dict__["ground"] = self.ground
        for (_, family), (_, copied) in zip(self._families, other._families):
            copied.update(family)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Pickled as described: what was compiled of it belongs to this process."""
        return {key: value for key, value in self.__dict__.items() if key not in ("_model", "_structures")}

    def frame(self, name: str) -> Frame:
        """The frame that a name means: "crank.a" is a point of a body, "crank" the body's own frame.

        >>> m = Mechanism()
        >>> _ = m.add("crank", Body(mass=1.0, inertia=0.1, points={"a": (-0.5, 0.0)}))
        >>> m.frame("crank.a").position
        (-0.5, 0.0, 0.0)
        """
        return frame_named(self, name)

    def measure(self, name: str) -> Measure:
        """The measure that a name means: "A.angle" of a joint, "crank.x" or "crank.tip.y" against the world.

        >>> m = Mechanism()
        >>> _ = m.add("crank", Body(mass=1.0, inertia=0.1))
        >>> m.measure("crank.angle").unit()
        'rad'
        """
        return measure_named(self, name)

    def __getitem__(self, name: str) -> Any:
        """An item by its name, a point of a body as "crank.a", a measure as "A.angle"."""
        if isinstance(name, str):
            if name == "ground":
                return self.ground
            for _, family in self._families:
                if name in family:
                    return family[name]
            owner, dot, point = name.partition(".")
            if dot and owner in self._names():
                return self.frame(name) if point in getattr(self[owner], "points", ()) else self.measure(name)
        raise UnknownNameError("item", name, self._names(), f"in mechanism '{self.name}'")

    if not TYPE_CHECKING:  # checkers know what there is

        def __getattr__(self, key: str) -> Any:
            if key.startswith("_"):
                raise AttributeError(key)
            raise missing(self, key)

    __setattr__, __setitem__, __delitem__ = put, put_item, take_item

    def _ipython_key_completions_(self) -> list[str]:
        return all_names(self)

    def __contains__(self, name: str) -> bool:
        return name == "ground" or name in self._names()

    def __eq__(self, other: object) -> bool:
        """The same description, item for item in the same order, with the same Python functions."""
        if not isinstance(other, Mechanism):
            return NotImplemented
        from linkwork.files.writer import same

        return self is other or same(self, other)

    __hash__ = None  # type: ignore[assignment]  # it can change; `linkwork.digest` names what it says now

    def __repr__(self) -> str:
        sizes = (len(self._bodies), len(self._joints), len(self._drivers), len(self._forces))
        counts = ", ".join(plural(n, word) for n, word in zip(sizes, ("body", "joint", "driver", "force")))
        return f"Mechanism('{self.name}', dimension={self.dimension}: {counts})"

    def _names(self) -> list[str]:
        return [name for _, family in self._families for name in family]

    def _check_name(self, name: Any) -> None:
        item = f"Mechanism '{self.name}'"
        if not isinstance(name, str) or not name.strip():
            got = repr(name) if isinstance(name, str | int | float | None) else f"a {type(name).__name__}"
            wanted = 'a string that is not empty, before the item: m.add("crank", lw.bar(...))'
            raise DescriptionError(message(item, "a name is not a word", got, wanted))
        if "." in name or name != name.strip():
            raise DescriptionError(
                message(
                    item,
                    "cannot give a name with a dot or outer spaces",
                    repr(name),
                    "a name without them",
                    "dots separate an item from its quantities",
                )
            )
        shown_name(name, item)
        if name in RESERVED:
            raise DescriptionError(
                message(item, "cannot give a name that is taken by the product", repr(name), "another name")
            )
        if any(name in family for _, family in self._families):
            raise DescriptionError(
                message(
                    item,
                    "has two items of one name",
                    repr(name),
                    remedy="choose another name, or mechanism.replace(name, item)",
                )
            )

    def _attached(self, item: Any) -> Any:
        """The item once its bodies have been checked; a joint that asks for declared poses has them put in."""
        check_bodies(self, item)
        for key in ("active", "cut", "locked"):
            if not isinstance(getattr(item, key, True), bool):
                raise DescriptionError(
                    message(item.item, f"{key} is neither true nor false", repr(getattr(item, key)), "True or False")
                )
        if isinstance(item, Joint) and item.in_plane and self.dimension == 2:
            warn(
                message(
                    item.item,
                    f"is made for space; in the plane it is a {item.in_plane}",
                    remedy=f"write {item.in_plane}, or Mechanism(dimension=3)",
                ),
                UnlikelyJointWarning,
            )
        found = item.among(self._bodies, self.dimension) if isinstance(item, Joint) else item
        if found is not item:
            asked = Recipe.of(item)
            found.__dict__["_recipe"] = asked.having(asked.given, asked.used)
        return found

    # -- questions -------------------------------------------------------------------------------------------------
    def compile(self, coordinates: str = "auto", basis: Mapping[str, Sequence[str]] | None = None) -> Model:
        """Words to numbers: the immutable model that analyses work on."""
        from linkwork.analysis import compile_mechanism

        return compile_mechanism(self, coordinates=coordinates, basis=basis)

    def check_start(self, values: Mapping[str, Any]) -> None:
        """Raise unless every name is a quantity that can be started from, and its value a number of the right kind."""
        from linkwork.analysis.common import named_values, start_rows

        start_rows(self, named_values(values, "start", self))

    def check_outputs(self, duration: float, every: float) -> None:
        """Raise unless memory holds the outputs of a run so long, with so much time between them."""
        from linkwork.analysis.outputs import check_asked

        check_asked(self, duration, every)

    def in_space(self) -> Mechanism:
        """The same planar mechanism in space, in the plane z = 0."""
        from linkwork.mechanism.lift import in_space

        return in_space(self)

    # the functions of the same names, whose first argument is the mechanism
    if TYPE_CHECKING:
        assemble = _assemble
        check = _check
        evaluate = _evaluate
        simulate = _simulate
        prepare = _prepare
        ode = _ode
        schedule = _schedule
        verify = _verify
        sweep = _sweep
        optimize = _optimize
        fit = _fit
        number = _number
        loops = _loops
        equilibrium = _equilibrium
        equilibria = _equilibria
        steady = _steady
        modes = _modes
        statics = _statics
        linearize = _linearize
        frequency_response = _frequency_response
        kinematics = _kinematics
        range = _range
        inverse_dynamics = _inverse_dynamics
        energy_motion = _energy_motion
        driven, standing, pushed, actuated, braked, without = _driven, _standing, _pushed, _actuated, _braked, _without
        draw = _draw
        _repr_html_ = _html
    else:
        assemble = mirrored("linkwork.analysis.assemble", "assemble")
        check = mirrored("linkwork.analysis.check", "check")
        evaluate = mirrored("linkwork.analysis.evaluate", "evaluate")
        simulate = mirrored("linkwork.analysis.simulate", "simulate")
        prepare = mirrored("linkwork.analysis.prepare", "prepare")
        ode = mirrored("linkwork.analysis.ode", "ode")
        schedule = mirrored("linkwork.analysis.schedule", "schedule")
        verify = mirrored("linkwork.analysis.verify", "verify")
        sweep = mirrored("linkwork.analysis.sweep", "sweep")
        optimize = mirrored("linkwork.analysis.optimize", "optimize")
        fit = mirrored("linkwork.analysis.fit", "fit")
        number = mirrored("linkwork.mechanism.present", "number")
        loops = mirrored("linkwork.analysis.loops", "loops")
        equilibrium = mirrored("linkwork.analysis.equilibrium", "equilibrium")
        equilibria = mirrored("linkwork.analysis.equilibria", "equilibria")
        steady = mirrored("linkwork.analysis.steady", "steady")
        modes = mirrored("linkwork.analysis.modes", "modes")
        statics = mirrored("linkwork.analysis.statics", "statics")
        linearize = mirrored("linkwork.analysis.linear", "linearize")
        frequency_response = mirrored("linkwork.analysis.frequency", "frequency_response")
        kinematics = mirrored("linkwork.analysis.kinematics", "kinematics")
        range = mirrored("linkwork.analysis.ranges", "motion_range")
        inverse_dynamics = mirrored("linkwork.analysis.inverse_dynamics", "inverse_dynamics")
        energy_motion = mirrored("linkwork.analysis.energy_motion", "energy_motion")
        driven = mirrored("linkwork.mechanism.copies", "driven")
        standing = mirrored("linkwork.mechanism.copies", "standing")
        pushed = mirrored("linkwork.mechanism.copies", "pushed")
        actuated = mirrored("linkwork.mechanism.copies", "actuated")
        braked = mirrored("linkwork.mechanism.copies", "braked")
        without = mirrored("linkwork.mechanism.copies", "without")
        draw = mirrored("linkwork.view.drawing", "draw_mechanism")
        _repr_html_ = mirrored("linkwork.view.notebook", "mechanism_html")
