"""Random planar mechanisms: trees of bodies, closed to loops by joints that fit where the bodies happen to
be.

Hypothesis draws the shape (how many bodies, which joints, who hangs on whom); lengths and masses follow from
one drawn seed, because numbers at the edges of their range (all zero, all equal) make every mechanism
singular. Positions are computed here, not by assembly, so the mechanisms are together from the start.
"""

from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

import linkwork as lw
from linkwork.testing.scenes import body_under, rotation, through, world

WORST_CONDITION = 1e4
GRAVITY = (0.3, -9.7)

TREE_JOINTS = ("Revolute", "Prismatic", "Rod", "PinInSlot", "Fixed")
LOOP_JOINTS = ("Revolute", "Rod", "PinInSlot")


@dataclass
class Plan:
    """A mechanism in words: what is needed to build it, as it stands or moved as a whole."""

    bodies: list = field(default_factory=list)  # (name, mass, inertia, center, pose, twist); inertia None: particle
    joints: list = field(default_factory=list)  # (name, kind, on, to, sample); a frame is (body, x, y, angle)
    forces: list = field(default_factory=list)  # (name, kind, on, to, numbers)
    drivers: list = field(default_factory=list)  # (name, joint, reading, function, options)
    gravity: tuple = GRAVITY
    dissipates: bool = False

    def build(self, turn=0.0, shift=(0.0, 0.0)):
        """The mechanism, moved by a turn about the origin and then a shift; gravity turns along."""
        R = rotation(turn)
        m = lw.Mechanism("random", gravity=tuple(R @ self.gravity) if any(self.gravity) else None)
        for name, mass, inertia, center, pose, twist in self.bodies:
            if inertia is None:
                place, velocity = tuple(R @ pose[:2] + shift), tuple(R @ twist[:2])
                m.add(name, lw.Particle(mass, position=place, velocity=velocity))
                continue
            m.add(
                name,
                lw.Body(
                    mass,
                    inertia,
                    center=center,
                    position=tuple(R @ pose[:2] + shift),
                    angle=pose[2] + turn,
                    velocity=tuple(R @ twist[:2]),
                    angular_velocity=twist[2],
                ),
            )
        for name, kind, on, to, sample in self.joints:
            m.add(name, getattr(lw, kind)(_frame(on, R, turn, shift), _frame(to, R, turn, shift), **sample))
        for name, kind, on, to, numbers in self.forces:
            on, to = _frame(on, R, turn, shift), _frame(to, R, turn, shift)
            if kind == "PointForce":
                m.add(name, lw.PointForce(to, axes="body", **numbers))
            elif kind == "Torque":
                m.add(name, lw.Torque(to, on=on, **numbers))
            else:
                m.add(name, getattr(lw, kind)(on, to, **numbers))
        for name, joint, reading, function, options in self.drivers:
            m.add(name, lw.Driver(getattr(m.joints[joint], reading), function, **options))
        return m


def _frame(words, R, turn, shift):
    body, x, y, angle = words
    if body == "ground":
        x, y = R @ (x, y) + shift
        angle += turn
    return lw.Frame(body, (float(x), float(y), 0.0), float(angle))


def _words(rng, body):
    return (body, *rng.uniform(-0.8, 0.8, 2), rng.uniform(-3.0, 3.0))


def _local(pose, frame):
    return lw.Frame("any", (frame[1], frame[2], 0.0), frame[3]), pose


@st.composite
def plans(draw, most=4, loops=0, floating=False, springs=True, damped=False, joints=TREE_JOINTS):
    """A tree of up to `most` bodies with up to `loops` further joints."""
    count = draw(st.integers(2 if floating or loops else 1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    plan = Plan(gravity=(0.0, 0.0) if floating else GRAVITY)
    poses = {"ground": np.zeros(3)}
    for k in range(count):
        name, free = f"b{k}", floating and k == 0
        parent = draw(
            st.sampled_from(
                ["ground", *(f"b{j}" for j in range(k))] if not floating else [f"b{j}" for j in range(k)] or ["ground"]
            )
        )
        kind = draw(st.sampled_from(joints))
        on, to = _words(rng, parent), _words(rng, name)
        sample = {"Rod": {"length": rng.uniform(0.5, 1.5)}, "PinInSlot": {"offset": rng.uniform(-0.5, 0.5)}}.get(
            kind, {}
        )
        place = world(poses[parent], _local(None, on)[0])
        steps = getattr(lw, kind)(lw.Frame("a"), lw.Frame("b"), **sample).motion()
        values = {step.name: rng.uniform(-1.5, 1.5) for step in steps if hasattr(step, "name")}
        poses[name] = (
            rng.uniform(-1.0, 1.0, 3) if free else body_under(through(place, steps, values), _local(None, to)[0])
        )
        plan.bodies.append(
            (
                name,
                rng.uniform(0.3, 3.0),
                rng.uniform(0.05, 0.6),
                tuple(rng.uniform(-0.3, 0.3, 2)),
                poses[name],
                rng.uniform(-1.5, 1.5, 3),
            )
        )
        if not free:
            plan.joints.append((f"J{k}", kind, on, to, sample))
    names = [body[0] for body in plan.bodies]
    for k in range(draw(st.integers(1, loops)) if loops else 0):
        kind = draw(st.sampled_from(LOOP_JOINTS))
        pair = draw(st.permutations(names if floating else [*names, "ground"]))[:2]
        plan.joints.append(_closing(f"L{k}", kind, pair, poses, rng))
    for k in range(draw(st.integers(0, 2)) if springs else 0):
        one, other = draw(st.permutations(names if floating else [*names, "ground"]))[:2]
        numbers = {"stiffness": rng.uniform(2.0, 40.0), "rest_length": rng.uniform(0.2, 1.5)}
        if damped:
            numbers["damping"] = rng.uniform(0.1, 1.0)
            plan.dissipates = True
        plan.forces.append((f"S{k}", "SpringDamper", _words(rng, one), _words(rng, other), numbers))
    return plan


def _closing(name, kind, pair, poses, rng):
    """A joint between two bodies that is met where they are."""
    on, to = (_words(rng, body) for body in pair)
    if kind == "Revolute":  # the same point of the world, seen from both
        point = world(poses[pair[0]], _local(None, on)[0])[:2]
        x, y = rotation(poses[pair[1]][2]).T @ (point - poses[pair[1]][:2])
        return name, kind, on, (pair[1], x, y, to[3]), {}
    first, second = (world(poses[body], _local(None, frame)[0]) for body, frame in zip(pair, (on, to)))
    d = rotation(first[2]).T @ (second[:2] - first[:2])
    return (name, kind, on, to, {"length": float(np.linalg.norm(d))} if kind == "Rod" else {"offset": float(d[1])})


# -- mechanisms for the comparison of coordinate sets -------------------------------------------------------

MOVING_JOINTS = ("Revolute", "Prismatic", "Fixed", "Rod", "PinInSlot", "RollingDisc")
PARTICLE_JOINTS = ("Revolute", "Rod", "PinInSlot")
COUPLINGS = ("Gear", "Belt", "RackAndPinion", "KnifeEdge")
#: what may close a loop in a run: wheels without a bearing between them may run into each other
LASTING = (*LOOP_JOINTS, "RackAndPinion", "KnifeEdge")
DRIVEN = {"Revolute": "angle", "Prismatic": "slide", "PinInSlot": "slide", "Rod": "direction", "RollingDisc": "slide"}
FREE = "free"


@st.composite
def set_plans(draw, most=4, loops=0, drivers=True, particles="leaves", damped=False,
              closing=(*LOOP_JOINTS, *COUPLINGS)):  # fmt: skip
    """Trees with every joint that can carry a body, also from `to` to `on`, with free bodies and particles; up to
    `loops` joints and couplings close them.

    `particles` are "leaves" (at the far side of their joint, which no other joint hangs on) or "anywhere".
    """
    count = draw(st.integers(2 if loops else 1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    plan, poses, carriers = Plan(), {"ground": np.zeros(3)}, ["ground"]
    for k in range(count):
        name, parent = f"b{k}", draw(st.sampled_from(carriers))
        particle = draw(st.integers(0, 5)) == 0
        stands_on = [b for b in plan.bodies if b[0] == parent and b[2] is None]
        kinds = PARTICLE_JOINTS if particle or stands_on else MOVING_JOINTS
        kind = draw(st.sampled_from((*kinds, FREE)))
        backward = draw(st.booleans()) and kind != FREE and (not particle or particles == "anywhere")
        if kind == "PinInSlot":  # a particle has no axes: it is the pin
            backward = bool(stands_on) or (backward and not particle)
        if particle and stands_on and kind == "PinInSlot":
            kind = "Rod"
        own = (name, 0.0, 0.0, 0.0) if particle else _words(rng, name)
        near = (parent, 0.0, 0.0, 0.0) if stands_on else _words(rng, parent)
        sample = _sample(kind, rng)
        if kind == FREE:
            poses[name] = rng.uniform(-1.0, 1.0, 3)
        else:
            poses[name] = _reached(kind, sample, poses[parent], near, own, backward, rng)
            if kind == "RollingDisc" and draw(st.booleans()):
                sample = {"radius": sample["radius"]}  # as assembled
            plan.joints.append((f"J{k}", kind, *((own, near) if backward else (near, own)), sample))
        center = (0.0, 0.0) if particle else tuple(rng.uniform(-0.3, 0.3, 2))
        inertia = None if particle else rng.uniform(0.05, 0.6)
        if particle:
            poses[name] = np.array([*poses[name][:2], 0.0])
        plan.bodies.append((name, rng.uniform(0.3, 3.0), inertia, center, poses[name], rng.uniform(-1.5, 1.5, 3)))
        if not particle or particles == "anywhere":
            carriers.append(name)
    solid = ["ground", *(body[0] for body in plan.bodies if body[2] is not None)]
    for k in range(draw(st.integers(1, loops)) if loops and len(solid) > 1 else 0):
        pair = draw(st.permutations(solid))[:2]
        plan.joints.append(_loop(f"L{k}", draw(st.sampled_from(closing)), pair, poses, rng))
    for k in range(draw(st.integers(0, 2)) if len(solid) > 1 else 0):
        plan.forces.append(_acting(f"F{k}", draw(st.integers(0, 4)), draw(st.permutations(solid))[:2], damped, rng))
    driven = [joint for joint in plan.joints if joint[1] in DRIVEN and not joint[0].startswith("L")
              and joint[2][0] in solid and joint[3][0] in solid]  # fmt: skip
    if drivers and driven and draw(st.booleans()):
        joint = draw(st.sampled_from(driven))
        speed = draw(st.booleans())
        options = {"level": "speed"} if speed else {"from_assembled": True}
        function = lw.Harmonic(rng.uniform(0.2, 1.0), rng.uniform(1.0, 4.0), rng.uniform(-1.0, 1.0))
        plan.drivers.append(("motor", joint[0], DRIVEN[joint[1]], function, options))
    return plan


def _sample(kind, rng):
    return {
        "Rod": lambda: {"length": rng.uniform(0.5, 1.5)},
        "PinInSlot": lambda: {"offset": rng.uniform(-0.5, 0.5)},
        "RollingDisc": lambda: {"radius": rng.uniform(0.3, 0.8), "reference": rng.uniform(-2.0, 2.0)},
    }.get(kind, dict)()


def _reached(kind, sample, pose, near, own, backward, rng):
    """Pose of a body at the other end of a joint with random values."""
    steps = getattr(lw, kind)(lw.Frame("a"), lw.Frame("b"), **sample).motion()
    values = {step.name: rng.uniform(-1.5, 1.5) for step in steps if hasattr(step, "name")}
    place, frame = world(pose, _local(None, near)[0]), _local(None, own)[0]
    if not backward:
        return body_under(through(place, steps, values), frame)
    end = through(np.zeros(3), steps, values)
    angle = place[2] - end[2]
    return body_under(np.array([*(place[:2] - rotation(angle) @ end[:2]), angle]), frame)


def _loop(name, kind, pair, poses, rng):
    """A joint or coupling between two bodies that is met where they are."""
    if kind not in COUPLINGS:
        return _closing(name, kind, pair, poses, rng)
    on, to = (_words(rng, body) for body in pair)
    radii = {"on_radius": rng.uniform(0.2, 0.8), "to_radius": rng.uniform(0.2, 0.8)}
    sample = {"RackAndPinion": {"radius": radii["on_radius"]}, "KnifeEdge": {}}.get(kind, radii)
    return name, kind, on, to, sample


def _acting(name, which, pair, damped, rng):
    """A force element between two bodies."""
    on, to = (_words(rng, body) for body in (pair if pair[1] != "ground" else pair[::-1]))
    damping = {"damping": rng.uniform(0.1, 1.0)} if damped else {}
    kind, numbers = [
        ("SpringDamper", {"stiffness": rng.uniform(2.0, 40.0), "rest_length": rng.uniform(0.2, 1.5), **damping}),
        ("TorsionSpringDamper", {"stiffness": rng.uniform(1.0, 9.0), "rest_angle": rng.uniform(-1.0, 1.0), **damping}),
        ("Torque", {"value": rng.uniform(-3.0, 3.0)}),
        ("PointForce", {"x": rng.uniform(-5.0, 5.0), "y": rng.uniform(-5.0, 5.0)}),
        ("SpringDamper", {"actuator": rng.uniform(-5.0, 5.0), **damping}),
    ][which]
    return name, kind, on, to, numbers


class Rejections:
    """Counts draws that are too close to a singular position to tell anything."""

    def __init__(self):
        self.seen = 0
        self.refused = 0

    def well_conditioned(self, evaluation):
        """Whether cond(J), rows scaled to unit norm, is at most 1e4."""
        self.seen += 1
        jacobian = evaluation.jacobian
        if len(jacobian) == 0:
            return True
        sizes = np.linalg.svd(jacobian / np.linalg.norm(jacobian, axis=1)[:, None], compute_uv=False)
        good = len(jacobian) <= jacobian.shape[1] and sizes[-1] * WORST_CONDITION >= sizes[0]
        self.refused += not good
        return good
