"""Vector loops: which chains of vectors close, and how long and how turned each vector is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from linkwork.analysis.assemble import assemble
from linkwork.analysis.common import as_model
from linkwork.analysis.doors import given_state, taken
from linkwork.analysis.options import Values
from linkwork.arguments import explained
from linkwork.compiled.graph import forest
from linkwork.compiled.model import Model
from linkwork.records import OnlyRead, dataclass
from linkwork.result.reactions import frame_pose
from linkwork.result.result import Result
from linkwork.result.state import State

#: of a length of the mechanism: a joint whose frames are nearer holds them together, and has no vector of its own
TOGETHER = 1e-9


@dataclass(frozen=True)
class LoopVector(OnlyRead):
    """A vector of a loop: from a frame to another, on a body or across a joint.

    `length_varies` and `angle_varies` say what can change as the mechanism moves: neither on the ground, the angle on a
    body, the length along a guide of the ground, both along a guide of a body, which then has a Coriolis part.
    """

    name: str
    start: str
    end: str
    components: np.ndarray
    length_varies: bool
    angle_varies: bool

    @property
    def length(self) -> float:
        """Length at the state that was asked for."""
        return float(np.linalg.norm(self.components))

    @property
    def angle(self) -> float:
        """Angle from the world's x axis, in the plane."""
        return math.atan2(self.components[1], self.components[0])


@dataclass(frozen=True)
class Loop:
    """A closed chain of vectors; `closing` is what their sum leaves."""

    name: str  # of the joint that closes it
    vectors: tuple[LoopVector, ...]

    @property
    def closing(self) -> float:
        """Length of the sum of all vectors, which is zero where the mechanism is assembled."""
        return float(np.linalg.norm(sum(one.components for one in self.vectors)))

    def __str__(self) -> str:
        flat = len(self.vectors[0].components) == 2
        long = max(8, *(len(one.name) for one in self.vectors)) + 2
        way = max(8, *(len(f"{one.start} to {one.end}") for one in self.vectors)) + 2
        heads = [*"xyz"[: 2 if flat else 3], "length [m]", *(["angle [deg]"] if flat else [])]
        lines = [
            f"Loop closed by {self.name}: {len(self.vectors)} vectors, their sum is {self.closing:.1g} m",
            f"  {'':<{long}}{'':<{way}}" + "".join(f"{head:>13}" for head in heads) + "   varies",
        ]
        for one in self.vectors:
            numbers = [*one.components, one.length, *([math.degrees(one.angle)] if flat else [])]
            varies = {
                (False, False): "nothing",
                (False, True): "angle",
                (True, False): "length",
                (True, True): "length and angle",
            }[one.length_varies, one.angle_varies]
            lines.append(
                f"  {one.name:<{long}}{f'{one.start} to {one.end}':<{way}}"
                + "".join(f"{number:13.6g}" for number in numbers)
                + f"   {varies}"
            )
        return "\n".join(lines)


@dataclass(frozen=True)
class Loops:
    """The independent loops of a mechanism at a state; `print` them."""

    mechanism: str
    loops: tuple[Loop, ...]

    def __len__(self) -> int:
        return len(self.loops)

    def __iter__(self) -> Iterator[Loop]:
        return iter(self.loops)

    def __getitem__(self, k: int) -> Loop:
        return self.loops[k]

    def __str__(self) -> str:
        if not self.loops:
            return f"Mechanism '{self.mechanism}' has no loops: its joints form open chains"
        return "\n\n".join(str(one) for one in self.loops)


@explained
def loops(mechanism: Any, state: Values | State | None = None) -> Loops:
    """The independent loops of `mechanism` as closed chains of named vectors.

    A loop goes from the ground, or from one of its own bodies, along bodies and joints until it is back.  On a body its
    vector leads from joint to joint; across a joint it leads from `on` to `to` where these are apart: along a guide, or
    a rod.  Gears and other couplings hold no places, and close no loop of vectors.

    `state` is a `State` (also an assembly or an evaluation), or start values of an assembly; without it, the mechanism
    stands as it assembles.  There is one loop for every joint that closes one; each has its `vectors` and says what
    their sum leaves.

    >>> found = lw.gallery.slider_crank().loops()
    >>> [vector.name for vector in found[0].vectors]
    ['crank', 'rod', 'guide']
    """
    model = as_model(mechanism)
    given = given_state(state, "state")
    taken_state = taken(model, given, None) if given is not None else assemble(model, start=state or {}).state
    series = Result.of_state(taken_state, "body")._series
    joints = {
        name: joint
        for name, joint in model.mechanism.joints.items()
        if joint.active and joint.on.body != joint.to.body and holds_places(joint, model.dimension)
    }
    return Loops(model.mechanism.name, tuple(_closed(series, joints, *way) for way in ways_around(model, joints)))


def holds_places(joint: Any, dimension: int) -> bool:
    """Whether a joint holds its frames in place, or at least along a line: not a coupling, which only ties motions."""
    return any(row.measure.along or row.measure.of_line == "length" for row in joint.rows(dimension))


def ways_around(model: Model, joints: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, bool]]]]:
    """Every joint outside of a tree from the ground, and the loop that it closes as (joint, from `on` to `to`?)."""
    beside: dict[str, list[tuple[float, str, str]]] = {name: [] for name in ("ground", *model.mechanism.bodies)}
    for name, joint in joints.items():
        beside[joint.on.body].append((1.0, joint.to.body, name))
        beside[joint.to.body].append((1.0, joint.on.body, name))
    before: dict[str, tuple[Any, Any]] = {}  # node -> (the one before, joint); None at a root
    for node, parent, edge in forest(["ground"], list(beside), beside.__getitem__):
        before[node] = parent, edge
    tree = {edge for _, edge in before.values()}

    def to_root(node: str) -> list[str]:
        path = [node]
        while before[path[-1]][0] is not None:
            path.append(before[path[-1]][0])
        return path

    found = []
    for name, joint in joints.items():
        if name in tree:
            continue
        up, down = to_root(joint.on.body), to_root(joint.to.body)
        while len(up) > 1 and len(down) > 1 and up[-2] == down[-2]:
            up.pop(), down.pop()
        # from the body where both ways part, to `on`, across the joint, and back from `to`
        way = [(before[node][1], joints[before[node][1]].to.body == node) for node in reversed(up[:-1])]
        way.append((name, True))
        way += [(before[node][1], joints[before[node][1]].on.body == node) for node in down[:-1]]
        found.append((name, way))
    return found


def _closed(series: Any, joints: Mapping[str, Any], name: str, way: list[tuple[str, bool]]) -> Loop:
    """The vectors of a loop, from frame to frame."""
    near = TOGETHER * series.model.length
    ends = [(joints[one].on, joints[one].to)[:: 1 if forward else -1] for one, forward in way]
    vectors = []

    def add(item: str, start: Any, end: Any, length_varies: bool, angle_varies: bool) -> None:
        between = frame_pose(series, end)[0][0] - frame_pose(series, start)[0][0]
        if length_varies or np.linalg.norm(between) > near:
            vectors.append(LoopVector(item, str(start), str(end), between, length_varies, angle_varies))

    for k, ((item, _), (entry, leave)) in enumerate(zip(way, ends)):
        before = ends[k - 1][1]  # the frame of the joint before, on the same body
        add(before.body, before, entry, False, before.body != "ground")
        add(item, entry, leave, *_varies(joints[item], series.model.dimension))
    return Loop(name, tuple(vectors))


def _varies(joint: Any, dimension: int) -> tuple[bool, bool]:
    """Whether length and angle of the vector from `on` to `to` can change.

    Held along all axes it is fixed in `on`; along all but one it lies along that axis, unless it is held beside it.
    """
    rows = [row for row in joint.rows(dimension) if row.measure.along]
    if any(row.measure.of_line == "length" for row in joint.rows(dimension)):
        return False, True
    turns = joint.on.body != "ground" or len(rows) < dimension - 1 or any(row.value for row in rows)
    return len(rows) < dimension, turns
