"""From words to numbers: bodies, rows, laws, functions and measures of a mechanism are checked and numbered."""

from __future__ import annotations

from collections import Counter

import numpy as np

from linkwork.compiled import events
from linkwork.compiled import laws as law_slots
from linkwork.compiled.events import Later, locks
from linkwork.compiled.graph import Edge
from linkwork.compiled.model import BodyInfo, LawInfo, Model, RowInfo
from linkwork.compiled.names import all_measures
from linkwork.compiled.scales import typical_length
from linkwork.errors import CompileError, DescriptionError, OutOfPlaneError, message
from linkwork.mechanism.events import in_play, switched
from linkwork.mechanism.measures import contains_z
from linkwork.tape import array, largest

#: principal moments below this part of the largest one are rounding of a matrix, and none
ROUNDING = 1e-14


def model_of(mechanism) -> Model:
    """The model of a mechanism; the one that was made last serves again while nothing has been changed."""
    known = mechanism.__dict__.get("_model")
    if known is None or not _same_items(known.mechanism, mechanism) or not same_laws(known):
        # where only numbers were changed, here or by `with_numbers`, tables serve again
        structures = mechanism.__dict__.setdefault("_structures", {})
        known = mechanism.__dict__["_model"] = _Numbering(mechanism, structures).run()
    return known


def other_numbers(model: Model, mechanism, any_structure: bool = False) -> Model:
    """The model of a mechanism that differs from another one in numbers only: tables are not written again."""
    found = _Numbering(mechanism, model.structures).run()
    if not any_structure and found.plan().tab is not model.plan().tab:
        raise CompileError(
            message(
                f"Mechanism '{mechanism.name}'",
                f"has another structure: {difference(model, found)}",
                remedy="change numbers only, or compile the mechanism anew",
            )
        )
    return found


def numbered(mechanism) -> Model:
    """The model of a mechanism, numbered for itself: it shares nothing, and nobody keeps it."""
    return _Numbering(mechanism, {}).run()


def switching_model(core: Model, mechanism=None) -> Model:
    """The model with what events may switch as well: see `compiled.variants`."""
    found = _Numbering(mechanism or core.mechanism, core.structures, switching=True).run()
    found.__dict__["_core"] = core
    return found


def same_laws(model: Model) -> bool:
    """Whether users' laws still are what was compiled: a global or a closed-over value may have been changed."""
    return all(
        law_slots.law_slot(law.part) is law.slot and law_slots.accept_slot(law.part) is law.accept
        for law in model.laws
        if not law_slots.is_own(law.part.law)
    ) and all(
        law_slots.measure_slot(one, model.dimension) is slot
        for one, slot in model.measure_slots.items()
        if not law_slots.is_own(one.function(model.dimension))
    )


def _same_items(one, other) -> bool:
    """Whether two mechanisms consist of the very same items, in the same order."""
    return (
        one.name == other.name
        and one.dimension == other.dimension
        and one.gravity == other.gravity
        and one.bases == other.bases
        and all(
            len(ours) == len(theirs) and all(a == b and ours[a] is theirs[b] for a, b in zip(ours, theirs))
            for ours, theirs in (
                (one.bodies, other.bodies),
                (one.joints, other.joints),
                (one.drivers, other.drivers),
                (one.forces, other.forces),
                (one.readings, other.readings),
                (one.events, other.events),
            )
        )
    )


def difference(one: Model, other: Model) -> str:
    """What is not alike in two models, and in which items."""
    for what, ours, theirs in (
        ("bodies", [b.name for b in one.bodies], [b.name for b in other.bodies]),
        ("constraint rows", [r.name for r in one.rows], [r.name for r in other.rows]),
        ("laws", [law.element for law in one.laws], [law.element for law in other.laws]),
        ("functions", [*one.function_owners], [*other.function_owners]),
    ):
        if ours != theirs:
            found = (Counter(ours) - Counter(theirs)) + (Counter(theirs) - Counter(ours))
            return f"its {what} are others{_named(found)}"
    masses = _changed_masses(one, other)
    if masses:
        return ", ".join(masses)
    owners = [law.element for law in one.laws]
    kinds = {  # measures by their numbers: where two are alike, they are one
        "laws": (owners, [[law.part.law for law in model.laws] for model in (one, other)]),
        "functions": (one.function_owners, [[type(f) for f in model.functions] for model in (one, other)]),
        "measures": (owners, [[law.reads + law.along for law in model.laws] for model in (one, other)]),
    }
    for what, (names, (before, now)) in kinds.items():
        changed = [name for name, a, b in zip(names, before, now) if a != b]
        if changed:
            return f"{what} are of another kind, or shared otherwise{_named(changed)}"
    return "measures, functions or laws are of another kind, or shared otherwise"


def _named(names) -> str:
    """Up to five names behind what is said of them."""
    names = list(dict.fromkeys(names))
    return f": {', '.join(map(repr, names[:5]))}{f' and {len(names) - 5} more' if len(names) > 5 else ''}"


def _changed_masses(one: Model, other: Model) -> list[str]:
    """Bodies that have a mass or an inertia in one of two models only, in words."""
    found, d = [], one.dimension
    for body, ours, theirs in zip(
        one.bodies, one.masses.reshape(-1, one.dof) > 0.0, other.masses.reshape(-1, one.dof) > 0.0
    ):
        words = [
            what for what, part in (("mass", slice(d)), ("inertia", slice(d, None))) if any((ours != theirs)[part])
        ]
        if words:
            found.append(f"body '{body.name}' {'lost' if any(ours & ~theirs) else 'gained'} its {' and '.join(words)}")
    return found


class _Numbering:
    def __init__(self, mechanism, structures, switching: bool = False):
        self.structures, self.switching = structures, switching
        self.mechanism = mechanism.copy()  # what is added later belongs to another model
        self.dimension = mechanism.dimension
        self.plane = self.dimension == 2
        self.measures: dict = {}
        self.channels: dict = {}
        self.functions: dict = {}
        self.function_owners: list[str] = []
        self.rows: list[RowInfo] = []
        self.laws: list[LawInfo] = []
        self.outputs = 1  # a guard stands before the first
        self.states = 0
        self.work: list[str] = []
        self.edges: list[Edge] = []
        self.idle: list[int] = []  # rows that are free at the start
        self.off: list[str] = []  # elements that are off then

    def run(self) -> Model:
        if not self.mechanism.bodies:
            raise CompileError(
                message(
                    f"Mechanism '{self.mechanism.name}'",
                    "has no bodies, so nothing can move",
                    remedy='add one, for example mechanism.add("rod", lw.bar(length=1, mass=1))',
                )
            )
        self.bodies = tuple(body_info(body, self.dimension) for body in self.mechanism.bodies.values())
        for joint in self._numbered(self.mechanism.joints):
            self._joint(joint)
        for driver in self._numbered(self.mechanism.drivers):
            self._driver(driver)
        for force in self._numbered(self.mechanism.forces):
            for part in force.parts_in(self.dimension):
                self._law(force, part)
        if self.switching:
            for name in sorted(switched(self.mechanism, "lock") & self.mechanism.joints.keys()):
                if not self.mechanism.joints[name].locked:
                    self._lock(self.mechanism.joints[name])
        for reading in self.mechanism.readings.values():  # results read it: it has no part in the motion
            check_measure(self.mechanism, reading.measure, reading.item)
        for measure in all_measures(self.mechanism).values():  # but what it remembers is carried through the motion
            for _, one in measure.terms():
                if one.memory == "parameter":
                    self.measures.setdefault(one)
        events.check(self.mechanism)
        model = Model(
            self.mechanism,
            self.dimension,
            self.bodies,
            tuple(self.rows),
            tuple(self.laws),
            tuple(self.channels),
            tuple(self.functions),
            tuple(self.function_owners),
            tuple(law_slots.function_slot(f) for f in self.functions),
            tuple(self.measures),
            tuple(self.edges),
            typical_length(self.bodies, self.measures, self.rows),
            tuple(self.work),
            self.structures,
            frozenset(self.idle),
            frozenset(self.off),
        )
        if not self.switching:
            self.mechanism.__dict__["_model"] = model
        return model

    def _numbered(self, family) -> list:
        """Items that have a part in the motion; with `switching`, also those that an event may give one."""
        return [one for one in family.values() if one.active or (self.switching and in_play(self.mechanism, one))]

    def _lock(self, joint) -> None:
        """Rows that hold the motions of a joint where they are; idle at first unless it is locked."""
        for label, measure in locks(joint, self.mechanism).items():
            self._measure(measure, joint.item)
            if not joint.locked or not joint.active:
                self.idle.append(len(self.rows))
            self.rows.append(RowInfo(joint.name, f"lock.{label}", measure, "lock", measure.rate_only, None))
        self.edges.append(Edge(f"{joint.name} lock", (joint.on.body, joint.to.body)))  # beside the joint: a loop

    def _joint(self, joint):
        rows = joint.rows(self.dimension)
        if self.dimension not in joint.dimensions:
            raise OutOfPlaneError(
                message(
                    joint.item,
                    f"exists in {'space' if self.plane else 'the plane'} only",
                    remedy=f"use another joint, or Mechanism(dimension={joint.dimensions[0]})",
                )
            )
        for row in rows:
            self._measure(row.measure, joint.item)
            if not joint.active:
                self.idle.append(len(self.rows))
            self.rows.append(RowInfo(joint.name, row.label, row.measure, "joint", row.measure.rate_only, row.value))
        if not rows and joint.constraints():
            raise OutOfPlaneError(
                message(
                    joint.item,
                    "holds nothing in the plane of this 2-D mechanism",
                    remedy="use another joint, or Mechanism(dimension=3)",
                )
            )
        self.edges.append(Edge(joint.name, (joint.on.body, joint.to.body)))
        if joint.locked:
            self._lock(joint)

    def _driver(self, driver):
        self._measure(driver.measure, driver.item)
        given = driver.function
        if self.switching and driver.name in switched(self.mechanism, "drive"):
            given = Later(given, 0.0, driver.name)
        function = self._function(given, driver.item)
        if not driver.active:
            self.idle.append(len(self.rows))
        value = None if driver.from_assembled else 0.0
        self.rows.append(RowInfo(driver.name, "", driver.measure, "driver", driver.level == "speed", value, function))
        self.work.append(driver.name)
        self.edges.append(Edge(driver.name, driver.measure.bodies))

    def _law(self, force, part):
        reads = tuple(
            self._channel(one, force.item) if hasattr(one, "terms") else -1 - self._function(one, force.item)
            for one in part.reads
        )
        along = tuple(self._channel(one, force.item) for one in part.along)
        work = -1
        if part.energy != "stores" or part.potential is None:
            work = len(self.work)
            self.work.append(f"{force.name}.{part.label}")
        slots = law_slots.law_slot(part), law_slots.accept_slot(part)
        if not force.active:
            slots = law_slots.OFF, None
            self.off.append(force.name)
        self.laws.append(LawInfo(force.name, part, slots[0], reads, along, self.outputs, work, self.states, slots[1]))
        self.outputs += len(along) + 1  # a guard stands behind them
        self.states += len(part.states)

    def _channel(self, measure, owner: str) -> int:
        """What a law reads or acts along: a measure, or a sum of them."""
        self._measure(measure, owner)
        return self.channels.setdefault(measure, len(self.channels))

    def _function(self, function, owner: str) -> int:
        if function not in self.functions:
            self.functions[function] = len(self.functions)
            self.function_owners.append(owner)
        return self.functions[function]

    def _measure(self, measure, owner: str) -> None:
        check_measure(self.mechanism, measure, owner)
        for _, one in measure.terms():
            self.measures.setdefault(one)


def body_info(body, dimension: int) -> BodyInfo:
    """A body in numbers: its frame at the mass centre, along the principal axes."""
    center = array((*body.center, 0.0)[:3])
    item = f"Body '{body.name}'"
    if dimension == 2:
        if np.ndim(body.inertia):
            raise DescriptionError(
                message(item, "has an inertia for space", str(body.inertia), "one number in a 2-D mechanism")
            )
        if center[2] or any(v and len(v) == 3 and v[2] for v in (body.position, body.velocity)):
            raise OutOfPlaneError(message(item, "leaves the plane of this 2-D mechanism", remedy="leave out z"))
        if body.orientation is not None:
            raise OutOfPlaneError(message(item, "has a quaternion in a 2-D mechanism", remedy="use angle="))
        if np.ndim(body.angular_velocity or 0.0):
            raise OutOfPlaneError(
                message(
                    item,
                    "has an angular_velocity for space",
                    str(body.angular_velocity),
                    "one number in a 2-D mechanism",
                )
            )
        return BodyInfo(body.name, body.has_angle, center, np.eye(3), body.mass, array([body.inertia]))
    if body.angular_velocity is not None and np.ndim(body.angular_velocity) == 0:
        raise DescriptionError(
            message(
                item,
                "has an angular_velocity of one number in a 3-D mechanism",
                repr(body.angular_velocity),
                "three numbers, along the axes of the body",
            )
        )
    if body.angle is not None and body.orientation is not None:
        raise DescriptionError(message(item, "has an angle and an orientation", remedy="give one of them"))
    inertia = array(body.inertia)
    if inertia.ndim == 0 and body.has_angle and inertia != 0.0:
        raise DescriptionError(
            message(
                item,
                "has one moment of inertia in a 3-D mechanism",
                repr(body.inertia),
                "three principal values or a 3 x 3 matrix",
            )
        )
    if inertia.ndim == 2:
        values, axes = np.linalg.eigh(inertia)
        values = np.where(np.abs(values) <= ROUNDING * np.abs(values).max(), 0.0, values)
        if np.linalg.det(axes) < 0.0:
            axes[:, 0] = -axes[:, 0]
    else:
        values, axes = np.broadcast_to(inertia, (3,)), np.eye(3)
    if any(value < -1e-12 * largest([1e-30, *values]) for value in values):
        raise DescriptionError(message(item, "has an inertia that is not positive", str(values), "values >= 0"))
    return BodyInfo(body.name, body.has_angle, center, axes, body.mass, array(values).copy())


def check_measure(mechanism, measure, owner: str) -> None:
    """Refuse a measure (of a sum, each term) that a particle or the plane does not have."""
    plane = mechanism.dimension == 2
    for _, one in measure.terms():
        kind = type(one).__name__
        if plane and contains_z(one):
            raise OutOfPlaneError(
                message(
                    owner,
                    f"uses {kind} along z, which leaves the plane of this 2-D mechanism",
                    remedy="use x or y, or Mechanism(dimension=3)",
                )
            )
        if mechanism.dimension not in one.dimensions:
            where = "space" if plane else "the plane"
            elsewhere = f"use Mechanism(dimension={one.dimensions[0]})"
            raise OutOfPlaneError(
                message(
                    owner,
                    f"uses {kind}, which exists in {where} only",
                    remedy="use Angle" if one.of_axes else elsewhere,
                )
            )
        for side in one.turns_with:
            name = getattr(one, side).body
            if name != "ground" and not mechanism.bodies[name].has_angle:
                raise DescriptionError(
                    message(
                        owner,
                        f"needs the angle of '{name}', which is a Particle and has none",
                        remedy="use a Body, with inertia 0 if it has none",
                    )
                )
