"""The entities of a planar model in body coordinates, named as in the book's program (tables B.1 to B.6).

Numbers count from 1 as in the book: body 1 is `bodies[0]`, and body 0 is the ground, which has no entry.
Angles are in radians. The origin of a body is its mass centre.

| symbol | field | meaning |
|---|---|---|
| m, J | m, J | mass, moment of inertia about the mass centre |
| r, phi | r, phi | position of the mass centre, angle from x to the body axis xi |
| s'^P | Point.s | point in body components |
| u' | UnitVector.u | unit vector in body components |
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from dataclasses import fields as fields_of

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.textbook.planar_functions import function


@dataclass(frozen=True)
class Body:
    """A rigid body with its coordinates and velocities at the start (table B.1)."""

    m: float = 1.0
    J: float = 1.0
    r: tuple = (0.0, 0.0)
    phi: float = 0.0
    rd: tuple = (0.0, 0.0)
    phid: float = 0.0
    name: str = ""


@dataclass(frozen=True)
class Point:
    """A point of a body, in body components (table B.2)."""

    body: int = 0
    s: tuple = (0.0, 0.0)
    name: str = ""


@dataclass(frozen=True)
class UnitVector:
    """A direction of a body, in body components, brought to unit length (table B.3)."""

    body: int = 0
    u: tuple = (1.0, 0.0)
    name: str = ""

    def __post_init__(self):
        length = float(np.hypot(*self.u))
        if length == 0.0:
            raise DescriptionError(message(f"Unit vector {self.name!r}", "has no direction", got=repr(self.u)))
        object.__setattr__(self, "u", (self.u[0] / length, self.u[1] / length))


@dataclass(frozen=True)
class Joint:
    """A joint, constraint or driver (table B.5).

    `type` is one of rev, tran, rev-rev, rev-tran, rigid, simple, disc, disc-disc, rel-rot, rel-tran.
    Points, unit vectors, bodies and functions are named by their numbers; a joint between points takes its
    bodies from them.
    """

    type: str
    Pi: int | None = None
    Pj: int | None = None
    Ui: int | None = None
    Uj: int | None = None
    i: int | None = None
    j: int = 0
    k: int = 0  # disc-disc: the carrier both discs are pinned to
    L: float = 0.0  # length of the rod; signed offset of the slot
    R: float = 1.0  # radius of disc i
    Rj: float = 1.0  # disc-disc: radius of disc j
    x0: float = 0.0  # disc: x at the angle p0
    y0: float = 0.0  # disc: height of the level line it rolls on, 0 in the book
    p0: float = 0.0  # angle of disc i at the start
    pj0: float = 0.0  # disc-disc: angle of disc j at the start
    pk0: float = 0.0  # disc-disc: angle of the carrier at the start
    d0: tuple | None = None  # rigid: vector between the origins in components of j; None = from the start
    theta0: float | None = None  # rigid: phi_i - phi_j; None = from the start
    coord: str = "x"  # simple: x, y or phi
    c: float = 0.0  # simple: the constant
    funct: int | None = None  # drivers: number of the function
    name: str = ""


@dataclass(frozen=True)
class Force:
    """A force element (table B.4).

    `type` is one of weight, ptp, rot-sda, f, flocal, fP, T, user. f_a, T_a, T and the components of f and
    flocal are numbers or callables of t; k of a spring is a number or a callable giving its force at a
    stretch.
    """

    type: str
    Pi: int | None = None
    Pj: int | None = None
    P: int | None = None  # fP: the point; components f along x-y or flocal along the body axes
    i: int | None = None
    j: int = 0
    k: float | Callable = 0.0
    L0: float = 0.0
    theta0: float = 0.0
    dc: float = 0.0
    f_a: float | Callable = 0.0
    T_a: float | Callable = 0.0
    g: float = 9.81
    dir: tuple = (0.0, -1.0)
    bodies: tuple | None = None  # weight: the bodies that have weight; None = all
    f: tuple = (0.0, 0.0)
    flocal: tuple = (0.0, 0.0)
    T: float | Callable = 0.0
    law: Callable | None = None  # user: law(t, model, c, cd) -> array like h, added to it
    name: str = ""


@dataclass(frozen=True)
class BookModel:
    """Bodies, points, unit vectors, joints, forces and functions of time: a model of the book's program."""

    bodies: tuple = ()
    points: tuple = ()
    unit_vectors: tuple = ()
    joints: tuple = ()
    forces: tuple = ()
    functions: tuple = ()
    name: str = field(default="", compare=False)

    @property
    def c(self):
        """The coordinates at the start, x1 y1 phi1 x2 ... (7.2)."""
        return np.array([value for b in self.bodies for value in (*b.r, b.phi)], dtype=float)

    @property
    def cd(self):
        """The velocities at the start (7.3)."""
        return np.array([value for b in self.bodies for value in (*b.rd, b.phid)], dtype=float)

    @property
    def M(self):
        """The mass matrix diag(m, m, J, ...) (6.2)."""
        return np.diag([float(value) for b in self.bodies for value in (b.m, b.m, b.J)])

    def start(self, b):
        """x, y, phi of body b at the start; zeros for the ground."""
        return np.zeros(3) if b == 0 else np.array([*self.bodies[b - 1].r, self.bodies[b - 1].phi])

    def started(self, c, cd=None):
        """A copy that starts at c, cd (a rigid joint without d0 and theta0 takes them from there)."""
        c = np.reshape(c, (-1, 3))
        cd = np.zeros_like(c) if cd is None else np.reshape(cd, (-1, 3))
        bodies = tuple(
            replace(b, r=tuple(q[:2]), phi=q[2], rd=tuple(v[:2]), phid=v[2])
            for b, q, v in zip(self.bodies, c.tolist(), cd.tolist(), strict=True)
        )
        return replace(self, bodies=bodies)

    @classmethod
    def from_case(cls, data, laws=None):
        """The model of a mapping of lists: bodies, points, unit_vectors, joints, forces, functions.

        Each entry is a mapping of the fields above, with `id` for its number where the order does not tell
        it. `laws` turns a force type of its own into a user force: laws[type](entry) -> law(t, model, c,
        cd).
        """
        laws = laws or {}
        lists = "bodies", "points", "unit_vectors", "functions"
        numbers = {key: _numbers(data.get(key) or []) for key in lists}
        fields = {
            "bodies": ("body", "i", "j"), "points": ("Pi", "Pj", "P"),
            "unit_vectors": ("Ui", "Uj"), "functions": ("funct",),
        }  # fmt: skip

        def read(kind, entry):
            refer = {name: key for key, names in fields.items() for name in names}
            if kind is Joint:
                refer["k"] = "bodies"  # the carrier of two discs; of a force, k is the stiffness
            values = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
            values.pop("id", None)
            for key in refer.keys() & values.keys():
                values[key] = _lookup(numbers[refer[key]], values[key], refer[key])
            return kind(**_known(kind, values))

        def read_force(entry):
            if entry["type"] in laws:
                return Force("user", law=laws[entry["type"]](entry), name=str(entry.get("name", "")))
            return read(Force, entry)

        def items(key):
            return data.get(key) or []

        return cls(
            bodies=tuple(read(Body, e) for e in items("bodies")),
            points=tuple(read(Point, e) for e in items("points")),
            unit_vectors=tuple(read(UnitVector, e) for e in items("unit_vectors")),
            joints=tuple(read(Joint, e) for e in items("joints")),
            forces=tuple(read_force(e) for e in items("forces")),
            functions=tuple(function(**{k: e[k] for k in e if k != "id"}) for e in items("functions")),
        )


def _numbers(entries):
    """Number in the model (from 1, by order) of every id."""
    return {0: 0} | {entry.get("id", n): n for n, entry in enumerate(entries, start=1)}


def _lookup(numbers, number, key):
    if number not in numbers:
        wanted = f"one of {sorted(numbers)}"
        raise DescriptionError(message(f"A number of {key}", "is not known", got=repr(number), wanted=wanted))
    return numbers[number]


def _known(kind, values):
    names = {f.name for f in fields_of(kind)}
    unknown = sorted(values.keys() - names)
    if unknown:
        wanted = f"fields among {sorted(names)}"
        raise DescriptionError(message(f"A {kind.__name__}", "has unknown fields", got=str(unknown), wanted=wanted))
    return values
