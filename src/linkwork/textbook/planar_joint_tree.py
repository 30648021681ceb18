"""The tree of joints behind planar joint coordinates (Nikravesh, 9.1): which joint carries which body, and how.

Every body hangs on one joint toward the root; a body that no joint leads to from the ground floats. The joints left
over close the loops: they are the cut joints. Drivers, simple constraints and pairs of discs are always rows.

| type | coordinates | turn = phi_to - phi_on | e = r_to^P - r_on^P in body axes of `on` | to, on |
|---|---|---|---|---|
| float | x, y, angle | angle | (x, y) | body, ground |
| rev | angle | angle | 0 | i, j |
| tran | slide | constant | slide u_j | i, j |
| rev-rev | direction, swing | direction + swing | L (cos, sin)(direction) | i, j |
| rev-tran | slide, angle | angle | -(slide u_i + L rot(u_i)) | j, i |
| disc | slide | p0 - (slide - x0)/R | (slide, y0 + R) | i, ground |
| rigid | none | constant | constant | i, j |

The book has float, rev and tran in table 9.1 and the disc in problem 9.20 (by its angle, here by the way rolled); the
others are two of its blocks one after the other, or none. A joint stands reversed in the tree where its `on` side is
the body it carries: the coordinates stay, the signs turn. Angles are those of the body axes unless `zeros` says what
the frames that they are counted from add.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.textbook.planar_joints import _start_angle, _start_vector
from linkwork.textbook.planar_kinematics import A, rot
from linkwork.textbook.planar_model import BookModel

TURN = 2 * np.pi
NOWHERE = (0.0, 0.0)


@dataclass(frozen=True)
class Coordinate:
    """What one joint coordinate does to the bodies it carries, per unit of its rate (table 9.1).

    A revolute one turns them about the reference `point`, a translational one moves them along `axis`, a disc both.
    """

    name: str
    turn: float = 0.0
    point: tuple = (0, NOWHERE)  # body, s'
    axis: tuple = (0, NOWHERE)  # body, u'


@dataclass(frozen=True)
class TreeJoint:
    """The joint toward the root of one body: its ends (body, s'), its motion theta -> turn, e, and the inverse."""

    on: tuple
    to: tuple
    motion: Callable
    read: Callable
    coordinates: tuple = ()
    name: str = ""
    child: int = 0
    first: int = 0  # its first entry in theta
    absolute: bool = False  # theta = phi of the body it carries (9.12)

    @property
    def sign(self):
        """1, or -1 where the joint is reversed."""
        return 1.0 if self.child == self.to[0] else -1.0

    @property
    def parent(self):
        """The body one step closer to the root, the book's i-."""
        return self.on[0] if self.child == self.to[0] else self.to[0]

    @property
    def place(self):
        """Its entries in theta."""
        return slice(self.first, self.first + len(self.coordinates))


@dataclass(frozen=True)
class JointModel:
    """A model in joint coordinates: the book's model, the joints of its tree (parents first), and the cut joints.

    `drivers` are functions of time that joint coordinates follow, by the name of the coordinate (9.3.6).
    """

    book: BookModel
    joints: tuple
    cut: BookModel  # the same model with only the joints that close loops, drivers and simple constraints
    tree: BookModel  # and with only the joints of the tree
    drivers: tuple = ()  # (number of the coordinate from 0, function)

    @cached_property
    def names(self):
        """Names of the coordinates in the order of theta (9.15)."""
        found = sorted((q.first, [f"{q.name}.{k.name}" for k in q.coordinates]) for q in self.joints)
        return tuple(name for _, names in found for name in names)

    @cached_property
    def paths(self):
        """The joints from the root to every body, by its number."""
        paths = {0: ()}
        for q in self.joints:
            paths[q.child] = (*paths[q.parent], q)
        return paths


def joint_model(book, cut=(), absolute=(), drivers=None, zeros=None):
    """The joint-coordinate model of a book's model, its joints named in `cut` (by name, or number from 1) being cut.

    Coordinates come in the order: bodies that float, then joints as listed. Pins named in `absolute` have the angle of
    the body that they carry as coordinate (9.2.1). `drivers` maps names of coordinates to functions of time. `zeros`
    says what coordinates are counted from: the angles of the two frames of a joint, {"A": (angle on, angle to)}, the
    x of the line of a disc, {"wheel": x}, the reference point of a body that floats, {"chassis": (xi, eta)}.
    """
    zeros, named = zeros or {}, [(q.name or number, q) for number, q in enumerate(book.joints, start=1)]
    for name in (*cut, *absolute):
        if name not in dict(named):
            raise _refused(f"Joint {name!r}", "is not in the model", wanted=f"one of {list(dict(named))}")
    carriers = [_carrier(book, n, q, zeros.get(n)) for n, q in named if n not in cut and q.type in TREE]
    joints = _planted(book, carriers, zeros)
    for n in absolute:
        if n not in {q.name for q in joints if [k.name for k in q.coordinates] == ["angle"]}:
            raise _refused(f"Joint {n!r}", "has no absolute angle", wanted="a revolute joint of the tree")
    in_tree = {q.name for q in joints}
    first, firsts = 0, {}
    for q in sorted(joints, key=lambda q: (q.name in dict(named), _rank(q, named))):
        firsts[q.child], first = first, first + len(q.coordinates)
    joints = tuple(replace(q, first=firsts[q.child], absolute=q.name in absolute) for q in joints)
    model = JointModel(
        book, joints,
        replace(book, joints=tuple(q for n, q in named if n not in in_tree)),
        replace(book, joints=tuple(q for n, q in named if n in in_tree)),
    )  # fmt: skip
    for name in drivers or {}:
        if name not in model.names or name.endswith((".direction", ".swing")):
            wanted = f"one of {list(model.names)}, but not of a rod"
            raise _refused(f"Coordinate {name!r}", "cannot be driven", wanted=wanted)
    driven = tuple((model.names.index(name), f) for name, f in (drivers or {}).items())
    return replace(model, drivers=driven)


def _rank(q, named):
    """Place of a joint in the list; of a body that floats, its number."""
    return next((k for k, (n, _) in enumerate(named) if n == q.name), q.child)


def _planted(book, carriers, zeros):
    """The joints in an order with parents first, bodies without a way to the ground floating."""
    joints, reached, left = [], {0}, list(carriers)
    while left or len(reached) <= len(book.bodies):
        q = next((q for q in left if q.on[0] in reached or q.to[0] in reached), None)
        if q is None:  # the next tree starts at the first body not yet reached
            b = min(set(range(1, len(book.bodies) + 1)) - reached)
            name = book.bodies[b - 1].name or f"body {b}"
            joints.append(replace(_float(b, zeros.get(name, NOWHERE)), name=name, child=b))
            reached.add(b)
            continue
        left.remove(q)
        child = q.to[0] if q.on[0] in reached else q.on[0]
        if child in reached:
            raise _refused(f"Joint {q.name!r}", "closes a loop that is not cut", remedy="Cut it or another of the loop")
        joints.append(replace(q, child=child))
        reached.add(child)
    return joints


def _carrier(book, name, q, zero):
    return replace(TREE[q.type](book, q, zero), name=name)


# One function a type, as in the table above. Where the axes of a joint's frames are turned against those of the
# bodies, zero = (angle on, angle to).


def _float(b, s):
    to, x, y = (b, tuple(s)), (0, (1.0, 0.0)), (0, (0.0, 1.0))
    coordinates = Coordinate("x", axis=x), Coordinate("y", axis=y), Coordinate("angle", 1.0, to)
    return TreeJoint((0, NOWHERE), to, lambda th: (th[2], th[:2]), lambda turn, e: [*e, turn], coordinates)


def _rev(book, q, zero):
    on, to, (a_on, a_to) = _point(book, q.Pj), _point(book, q.Pi), zero or NOWHERE
    return TreeJoint(
        on, to, lambda th: (th[0] + a_on - a_to, np.zeros(2)), lambda turn, e: [turn - a_on + a_to],
        (Coordinate("angle", 1.0, to),),
    )  # fmt: skip


def _tran(book, q, zero):
    on, to = _point(book, q.Pj), _point(book, q.Pi)
    u, u_to = (np.array(book.unit_vectors[U - 1].u) for U in (q.Uj, q.Ui))
    turn = np.arctan2(u[1], u[0]) - np.arctan2(u_to[1], u_to[0])
    turn += TURN * np.round((book.start(to[0])[2] - book.start(on[0])[2] - turn) / TURN)  # nearest to the start
    axis = (on[0], tuple(u))
    return TreeJoint(on, to, lambda th: (turn, th[0] * u), lambda _, e: [u @ e], (Coordinate("slide", axis=axis),))


def _rev_rev(book, q, zero):
    on, to, (a_on, a_to) = _point(book, q.Pj), _point(book, q.Pi), zero or NOWHERE

    def read(turn, e):
        direction = np.arctan2(e[1], e[0]) - a_on
        return [direction, turn - direction - a_on + a_to]

    return TreeJoint(
        on, to, lambda th: (th[0] + th[1] + a_on - a_to, q.L * A(th[0] + a_on)[:, 0]), read,
        (Coordinate("direction", 1.0, on), Coordinate("swing", 1.0, to)),
    )  # fmt: skip


def _rev_tran(book, q, zero):
    on, to, (a_on, a_to) = _point(book, q.Pi), _point(book, q.Pj), zero or NOWHERE
    u = np.array(book.unit_vectors[q.Ui - 1].u)
    return TreeJoint(
        on, to,
        lambda th: (th[1] + a_on - a_to, -th[0] * u - q.L * rot(u)), lambda turn, e: [-u @ e, turn - a_on + a_to],
        (Coordinate("slide", axis=(on[0], tuple(-u))), Coordinate("angle", 1.0, to)),
    )  # fmt: skip


def _disc(book, q, zero):
    to, x_on = (q.i, NOWHERE), zero or 0.0
    return TreeJoint(
        (0, NOWHERE), to,
        lambda th: (q.p0 - (th[0] + x_on - q.x0) / q.R, np.array([th[0] + x_on, q.y0 + q.R])),
        lambda turn, e: [e[0] - x_on],
        (Coordinate("slide", -1.0 / q.R, to, (0, (1.0, 0.0))),),
    )  # fmt: skip


def _rigid(book, q, zero):
    on, to = ((q.j, NOWHERE), (q.i, NOWHERE)) if q.Pi is None else (_point(book, q.Pj), _point(book, q.Pi))
    turn = _start_angle(book, q, to[0], on[0])
    e = _start_vector(book, q, to[0], on[0]) if q.Pi is None else np.zeros(2)
    return TreeJoint(on, to, lambda th: (turn, e), lambda *_: [])


TREE = {"rev": _rev, "tran": _tran, "rev-rev": _rev_rev, "rev-tran": _rev_tran, "disc": _disc, "rigid": _rigid}


def _point(book, P):
    return book.points[P - 1].body, tuple(book.points[P - 1].s)


def _refused(item, wrong, **more):
    return DescriptionError(message(item, wrong, **more))
