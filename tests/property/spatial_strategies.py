"""Random spatial mechanisms: trees of bodies, also free ones, closed by rods and pins that fit where the bodies are."""

from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

import linkwork as lw
from linkwork.rotation import from_matrix, matrix

SPATIAL_JOINTS = ("Revolute", "Prismatic", "Fixed", "free")


@dataclass
class SpatialPlan:
    """A spatial mechanism in words."""

    bodies: list = field(default_factory=list)  # (name, item)
    joints: list = field(default_factory=list)  # (name, kind, on, to, sample)
    forces: list = field(default_factory=list)  # (name, item)

    def build(self):
        m = lw.Mechanism("random", dimension=3, gravity=(0.5, -1.0, -9.6))
        for name, item in self.bodies:
            m.add(name, item)
        for name, kind, on, to, sample in self.joints:
            m.add(name, getattr(lw, kind)(on, to, **sample))
        for name, item in self.forces:
            m.add(name, item)
        return m


def _turn(rng):
    return matrix(rng.normal(size=4))


def _frame(rng, body):
    axes = _turn(rng)
    return lw.Frame(body, tuple(rng.uniform(-0.8, 0.8, 3)), 0.0, tuple(axes[:, 2]), tuple(axes[:, 0]))


def _world(pose, frame):
    """Origin and axes of a frame."""
    return pose[0] + pose[1] @ np.asarray(frame.position), pose[1] @ frame.rotation()


def _inertia(rng):
    """A full tensor that a body can have: principal values of a box, turned."""
    a, b, c = rng.uniform(0.05, 0.5, 3)
    axes = _turn(rng)
    tensor = axes @ np.diag([b + c, a + c, a + b]) @ axes.T
    return ((tensor + tensor.T) / 2).tolist()


@st.composite
def spatial_plans(draw, most=4, loops=0):
    """A tree of up to `most` bodies, with up to `loops` rods or pins that close it."""
    count = draw(st.integers(2 if loops else 1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    plan, poses = SpatialPlan(), {"ground": (np.zeros(3), np.eye(3))}
    for k in range(count):
        name, parent = f"b{k}", draw(st.sampled_from(list(poses)))
        kind, backward = draw(st.sampled_from(SPATIAL_JOINTS)), draw(st.booleans())
        near, own = _frame(rng, parent), _frame(rng, name)
        if kind == "free":
            poses[name] = (rng.uniform(-1.0, 1.0, 3), _turn(rng))
        else:
            poses[name] = _reached(kind, poses[parent], near, own, backward, rng)
            plan.joints.append((f"J{k}", kind, *((own, near) if backward else (near, own)), {}))
        plan.bodies.append((name, lw.Body(
            rng.uniform(0.3, 3.0), _inertia(rng), center=tuple(rng.uniform(-0.3, 0.3, 3)),
            position=tuple(poses[name][0]), orientation=tuple(from_matrix(poses[name][1])),
            velocity=tuple(rng.uniform(-1.5, 1.5, 3)), angular_velocity=tuple(rng.uniform(-1.5, 1.5, 3)),
        )))  # fmt: skip
    for k in range(draw(st.integers(1, loops)) if loops else 0):
        one, other = draw(st.permutations(list(poses)))[:2]
        plan.joints.append(_closing(f"L{k}", draw(st.sampled_from(("Rod", "Rod", "Revolute"))), one, other, poses, rng))
    for k in range(draw(st.integers(0, 2))):
        one, other = draw(st.permutations(list(poses)))[:2]
        spring = lw.SpringDamper(_frame(rng, one), _frame(rng, other), stiffness=rng.uniform(2.0, 40.0),
                                 rest_length=rng.uniform(0.2, 1.5), damping=rng.uniform(0.0, 1.0))  # fmt: skip
        plan.forces.append((f"S{k}", spring))
    return plan


def _reached(kind, pose, near, own, backward, rng):
    """Pose of a body at the other end of a joint with a random value."""
    value = rng.uniform(-1.5, 1.5)
    c, s = np.cos(value), np.sin(value)
    shift, turn = np.zeros(3), np.eye(3)
    if kind == "Revolute":
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    elif kind == "Prismatic":
        shift = np.array([value, 0.0, 0.0])
    if backward:  # from the frame of the body to the near one
        shift, turn = -turn.T @ shift, turn.T
    origin, axes = _world(pose, near)
    rotation = axes @ turn @ own.rotation().T
    return origin + axes @ shift - rotation @ np.asarray(own.position), rotation


def _closing(name, kind, one, other, poses, rng):
    """A joint between two bodies that is met where they are."""
    on, to = _frame(rng, one), _frame(rng, other)
    origin, axes = _world(poses[one], on)
    place, rotation = poses[other]
    if kind == "Rod":
        reach = place + rotation @ np.asarray(to.position) - origin
        return name, kind, on, to, {"length": float(np.linalg.norm(reach))}
    local, seen = rotation.T @ (origin - place), rotation.T @ axes
    return name, kind, on, lw.Frame(other, tuple(local), 0.0, tuple(seen[:, 2]), tuple(seen[:, 1])), {}
