"""Random mechanisms of space with every joint that can carry a body, closed by joints that fit where the bodies are.

Hypothesis draws the shape, numbers follow from one drawn seed.  A plan can be built as it stands, or moved as a whole.
"""

from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

import linkwork as lw
from linkwork.rotation import from_matrix
from linkwork.testing.places import Space, turn

SPACE = Space()
FREE = "free"  # a body without a joint
TREE = ("Revolute", "Prismatic", "Fixed", "Spherical", "Cylindrical", "Screw", "Universal", "Planar", "PointOnPlane",
        "PinInSlot", "RevoluteSpherical", "SphericalCylindrical", "RevoluteCylindrical", FREE)  # fmt: skip
CLOSING = ("Rod", "UniversalSpherical", "Spherical", "PointOnPlane", "PinInSlot", "SphericalCylindrical", "KnifeEdge")
GRAVITY = (0.5, -1.0, -9.6)


@dataclass
class SpacePlan:
    """A mechanism in words: frames are (body, pose on it)."""

    bodies: list = field(default_factory=list)  # (name, mass, inertia, center, pose, velocity, angular velocity)
    joints: list = field(default_factory=list)  # (name, kind, on, to, sample)
    springs: list = field(default_factory=list)  # (name, on, to, numbers)
    gravity: tuple = GRAVITY

    def build(self, move=SPACE.identity):
        """The mechanism after a rigid move of everything; gravity turns along."""
        R = move[:3, :3]
        m = lw.Mechanism("random", dimension=3, gravity=tuple(R @ self.gravity) if any(self.gravity) else None)
        for name, mass, inertia, center, pose, velocity, spin in self.bodies:
            place = move @ pose
            m.add(name, lw.Body(mass, inertia, center=center, position=tuple(place[:3, 3]),
                                orientation=tuple(from_matrix(place[:3, :3])), velocity=tuple(R @ velocity),
                                angular_velocity=tuple(spin)))  # fmt: skip
        for name, kind, on, to, sample in self.joints:
            m.add(name, getattr(lw, kind)(_frame(on, move), _frame(to, move), **sample))
        for name, on, to, numbers in self.springs:
            m.add(name, lw.SpringDamper(_frame(on, move), _frame(to, move), **numbers))
        return m


def _frame(words, move):
    body, pose = words
    pose = move @ pose if body == "ground" else pose
    return lw.Frame(body, tuple(pose[:3, 3]), 0.0, tuple(pose[:3, 2]), tuple(pose[:3, 0]))


def any_pose(rng, spread=0.8):
    """A pose with any orientation."""
    q = rng.normal(size=4)
    vector = 2.0 * np.arccos(q[0] / np.linalg.norm(q)) * q[1:] / np.linalg.norm(q[1:])
    return SPACE.pose(rng.uniform(-spread, spread, 3), turn(vector))


def _inertia(rng):
    """A full tensor that a body can have: principal values of a box, turned."""
    a, b, c = rng.uniform(0.05, 0.5, 3)
    axes = any_pose(rng)[:3, :3]
    tensor = axes @ np.diag([b + c, a + c, a + b]) @ axes.T
    return ((tensor + tensor.T) / 2).tolist()


def _thin(shape, rng):
    """Mass and inertia of what is thin, or has no mass: principal axes are those of the body."""
    if shape == "massless":
        return 0.0, (0.0, 0.0, 0.0)
    mass, (one, other), k = rng.uniform(0.3, 3.0), rng.uniform(0.05, 0.5, 2), int(rng.integers(3))
    about = [one, other, one + other] if shape == "plate" else [0.0, one, one]  # a bar has none about its axis
    return mass, tuple(about[k:] + about[:k])


def _sample(kind, rng):
    return {
        "PinInSlot": lambda: {"offset": rng.uniform(-0.5, 0.5)},
        "PointOnPlane": lambda: {"offset": rng.uniform(-0.5, 0.5)},
        "RevoluteSpherical": lambda: {"length": rng.uniform(0.5, 1.5)},
        "Screw": lambda: {"pitch": rng.uniform(0.1, 1.0)},
    }.get(kind, dict)()


@st.composite
def space_plans(draw, most=4, loops=0, floating=False, damped=False, kinds=TREE, closing=CLOSING, shapes=("box",)):
    """A tree of up to `most` bodies with up to `loops` further joints; a `floating` one has no weight and no ground.

    `shapes` are those of the bodies: "box", "plate", "bar", "massless".
    """
    count = draw(st.integers(2 if loops or floating else 1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    plan = SpacePlan(gravity=(0.0, 0.0, 0.0) if floating else GRAVITY)
    poses = {} if floating else {"ground": SPACE.identity}
    for k in range(count):
        name = f"b{k}"
        kind = draw(st.sampled_from(kinds)) if poses else FREE
        if kind == FREE:
            poses[name] = any_pose(rng, 1.0)
        else:
            parent, backward = draw(st.sampled_from(list(poses))), draw(st.booleans())
            sample, near, own = _sample(kind, rng), (parent, any_pose(rng)), (name, any_pose(rng))
            steps = getattr(lw, kind)(lw.Frame("a"), lw.Frame("b"), **sample).motion()
            reached = SPACE.through(steps, SPACE.values(steps, rng))
            reached = SPACE.inverse(reached) if backward else reached
            poses[name] = poses[parent] @ near[1] @ reached @ SPACE.inverse(own[1])
            plan.joints.append((f"J{k}", kind, *((own, near) if backward else (near, own)), sample))
        shape = draw(st.sampled_from(shapes)) if len(shapes) > 1 else shapes[0]
        mass, inertia = _thin(shape, rng) if shape != "box" else (rng.uniform(0.3, 3.0), _inertia(rng))
        center = tuple(rng.uniform(-0.3, 0.3, 3)) if mass else (0.0, 0.0, 0.0)
        plan.bodies.append((name, mass, inertia, center, poses[name],
                            rng.uniform(-1.5, 1.5, 3), rng.uniform(-1.5, 1.5, 3)))  # fmt: skip
    for k in range(draw(st.integers(1, loops)) if loops else 0):
        one, other = draw(st.permutations(list(poses)))[:2]
        plan.joints.append(_closing(f"L{k}", draw(st.sampled_from(closing)), one, other, poses, rng))
    for k in range(draw(st.integers(0, 2)) if len(poses) > 1 else 0):
        one, other = draw(st.permutations(list(poses)))[:2]
        numbers = {"stiffness": rng.uniform(2.0, 40.0), "rest_length": rng.uniform(0.2, 1.5)}
        if damped:
            numbers["damping"] = rng.uniform(0.1, 1.0)
        plan.springs.append((f"S{k}", (one, any_pose(rng)), (other, any_pose(rng)), numbers))
    return plan


def _closing(name, kind, one, other, poses, rng):
    """A joint between two bodies that is met where they are."""
    on, to = any_pose(rng), any_pose(rng)
    seen = SPACE.inverse(poses[one] @ on) @ poses[other]  # the other body, from the first frame
    d = (seen @ to)[:3, 3]
    sample = {}
    if kind in ("Rod", "UniversalSpherical"):
        sample = {"length": float(np.linalg.norm(d))}
    elif kind == "PointOnPlane":
        sample = {"offset": float(d[2])}
    elif kind != "KnifeEdge":  # bring the origin of `to` where it has to be on `on`
        wanted = {"PinInSlot": (d[0], 0.0, 0.0), "SphericalCylindrical": (0.0, 0.0, d[2])}.get(kind, (0.0, 0.0, 0.0))
        to[:3, 3] = (SPACE.inverse(seen) @ (*wanted, 1.0))[:3]
    return name, kind, (one, on), (other, to), sample
