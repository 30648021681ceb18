"""The contract of a measure: value, rate, gradient and acceleration belong together; only what is relative
counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.bodies import Body
from linkwork.mechanism.drivers import Driver, Level
from linkwork.mechanism.forces import constant
from linkwork.mechanism.functions import Polynomial
from linkwork.mechanism.measures import Angle, Measure, Offset, Sum, contains_z
from linkwork.mechanism.mechanism import Mechanism
from linkwork.mechanism.user_forces import UserForce
from linkwork.testing.places import places, turn
from linkwork.testing.scenes import (
    DIFFERENCES,
    ROUNDING,
    Moving,
    Scene,
    add_body,
    along_columns,
    close,
    derivative,
    scenes,
    state_at,
)

STATES = 4


def check_measure(kind_or_instance: type[Measure] | Measure, dimension: int | None = None) -> None:
    """Check a kind of measure (with the arguments of its `sample`), or one measure as it is; without a dimension in
    the plane and in space, where it exists.

    At random states: rate against differences of the value, acceleration against differences of the rate,
    gradient against the rate, no change by a rigid move of everything (but for `WorldOffset`, whose axes are
    the world's); in a motion over full turns, the value against the rate.
    """
    found = _dimensions(kind_or_instance) if dimension is None else [dimension]
    if not found:
        raise DescriptionError(
            message(
                "check_measure",
                "exists neither in the plane nor in space",
                repr(kind_or_instance),
                "a measure with `dimensions` of 2, 3 or both",
            )
        )
    for one in found:
        where = "" if len(found) == 1 else ("in the plane, " if one == 2 else "in space, ")
        places(one, "check_measure")
        if isinstance(kind_or_instance, Measure):
            mechanism = Mechanism("measured", dimension=one, gravity=None)
            for name in kind_or_instance.bodies:
                if name != "ground":
                    add_body(mechanism, name)
            _check(f"{where}as given", mechanism, kind_or_instance)
            continue
        for name, scene in scenes(dimension=one).items():
            here = scene()
            _check(f"{where}{name}", here.mechanism, _sample(kind_or_instance, here))


def _dimensions(thing: type[Measure] | Measure) -> list[int]:
    """Where a kind of measure or a measure exists; one along z, or with frames off the plane, in space only."""
    if not isinstance(thing, Measure):
        return list(thing.dimensions)
    parts = [one for _, one in thing.terms()]
    found = [dimension for dimension in (2, 3) if all(dimension in one.dimensions for one in parts)]
    frames = [frame for one in parts for frame in (one.on, one.to)]
    if contains_z(thing) or any(frame.axis is not None or frame.position[2] for frame in frames):
        found = [dimension for dimension in found if dimension == 3]
    return found


def _sample(kind: type[Measure], scene: Scene) -> Measure:
    on, to = scene.on, scene.to
    if kind is Sum:  # a sum takes parts instead of frames
        return Sum((1.0, Offset(on, to, "x")), (0.4, Angle(on, to)))
    return kind(on, to, **kind.sample)


class _Probe:
    """A mechanism with the measure read in every way: held, not held, and acted along."""

    def __init__(self, mechanism: Mechanism, measure: Measure):
        self.measure = measure
        level: Level = "speed" if measure.rate_only else "position"
        mechanism.add("held", Driver(measure, Polynomial(0.0), level=level))
        mechanism.add("read", Driver(measure, Polynomial(0.0), level=level, active=False))
        mechanism.add("push", UserForce(along=[measure], law=constant, numbers=[1.0]))
        self.model = mechanism.compile(coordinates="body")
        self.bodies = list(mechanism.bodies)
        self.places = places(mechanism.dimension, "check_measure")

    def random(self, rng: np.random.Generator) -> Moving:
        return Moving.random(self.places, len(self.bodies), rng)

    def at(self, motion: Moving, s: float = 0.0) -> Any:
        from linkwork.analysis.evaluate import evaluate

        return evaluate(self.model, motion.state(self.model, s), coordinates="body")


def _check(where: str, mechanism: Mechanism, measure: Measure) -> None:
    name = f"{type(measure).__name__} ({where})"
    probe = _Probe(mechanism, measure)
    rng = np.random.default_rng(20)
    for _ in range(STATES):
        motion = probe.random(rng)
        _check_rates(name, probe, motion)
        _check_gradient(name, probe, motion, rng)
        if "ground" not in measure.bodies and measure.along != "world":
            _check_rigid_move(name, probe, motion)
    if measure.quantity == "angle" and not measure.rate_only:
        _check_turns(name, mechanism, measure)


def _check_rates(name: str, probe: _Probe, motion: Moving) -> None:
    """Value, rate and acceleration along a motion that is known exactly."""
    here = probe.at(motion)
    row = here.jacobian[0]
    rate = here["push.power"]  # force 1 times the rate
    centers = derivative(lambda s: probe.at(motion, s).velocities)  # accelerations in the motion
    if not probe.measure.rate_only:
        close(f"{name}: rate as read", here["read.value.rate"], rate, ROUNDING)
        slope = derivative(lambda s: probe.at(motion, s)["read.value"])
        close(f"{name}: rate against differences of the value", rate, slope, DIFFERENCES)
        of_bodies = derivative(lambda s: probe.at(motion, s)["held.value.rate"])
        # the accelerations of the bodies are those of the held mechanism, not those of the motion: only what
        # is left without them, J-dot v, is compared
        bias = here["held.value.acceleration"] - row @ here.accelerations
        close(f"{name}: acceleration as read", bias, of_bodies - row @ centers, DIFFERENCES)
    second = derivative(lambda s: probe.at(motion, s)["push.power"])
    close(
        f"{name}: right side of the accelerations against differences of the rate",
        here.acceleration_rhs,
        [row @ centers - second],
        DIFFERENCES,
    )


def _check_gradient(name: str, probe: _Probe, motion: Moving, rng: np.random.Generator) -> None:
    """The rate is the gradient times the velocities, whatever they are; a pushed measure pushes along it."""
    from linkwork.analysis.evaluate import evaluate

    row = probe.at(motion).jacobian[0]
    poses = [probe.places.packed(pose) for pose in motion.poses()]
    for _ in range(3):
        twists = rng.uniform(-3.0, 3.0, (len(poses), probe.places.freedom))
        there = evaluate(probe.model, state_at(probe.model, poses, list(twists)), coordinates="body")
        close(f"{name}: rate against gradient times velocities", there["push.power"], row @ there.velocities, ROUNDING)
        close(f"{name}: gradient does not depend on velocities", there.jacobian[0], row, ROUNDING)
    force = np.concatenate([along_columns(probe.model, body, probe.at(motion)) for body in probe.bodies])
    close(f"{name}: force along the measure against its gradient", force, row, ROUNDING)


def _check_rigid_move(name: str, probe: _Probe, motion: Moving) -> None:
    if probe.places.dimension == 2:
        move = np.array([0.7, -1.1, 0.9])
    else:
        move = probe.places.pose((0.7, -1.1, 0.4), turn((0.5, -0.8, 0.9)))
    here, there = probe.at(motion), probe.at(motion.moved(move))
    what = f"{name}: changed by a rigid move of everything, its"
    close(f"{what} rate", there["push.power"], here["push.power"], ROUNDING)
    if not probe.measure.rate_only:
        change = there["read.value"] - here["read.value"]
        if probe.measure.quantity == "angle":  # a lone state cannot know about whole turns
            change -= 2.0 * math.pi * round(change / (2.0 * math.pi))
        close(f"{what} value", change, 0.0, ROUNDING)
    close(f"{what} right side of the accelerations", there.acceleration_rhs, here.acceleration_rhs, ROUNDING, 10.0)


def _check_turns(name: str, mechanism: Mechanism, measure: Measure) -> None:
    """Over several turns the value is the integral of the rate, read afterwards and read by a law alike."""
    from linkwork.analysis.simulate import simulate

    other = Mechanism("turning", dimension=mechanism.dimension, gravity=None)
    for k, body in enumerate(mechanism.bodies.values()):
        spin = 4.0 if k == 0 else -3.0
        given: dict[str, Any] = {"angle": 0.0, "angular_velocity": spin, "inertia": 0.2}
        if mechanism.dimension == 3:  # about a principal axis, which stays where it is
            given = {
                "orientation": (1.0, 0.0, 0.0, 0.0),
                "angular_velocity": (0.0, 0.0, spin),
                "inertia": (0.2, 0.25, 0.3),
            }
        position, velocity = np.zeros((2, mechanism.dimension))
        position[:2] = 1.5 * k, 0.2
        other.add(body.name, Body(1.0, **given, center=body.center, position=tuple(position), velocity=tuple(velocity)))
    other.add("read", Driver(measure, Polynomial(0.0), active=False))
    afterwards = simulate(other, 4.0, every=0.05, coordinates="body", rtol=1e-10)
    other.add("push", UserForce(along=[measure], law=constant, numbers=[0.0]))
    by_law = simulate(other, 4.0, every=0.05, coordinates="body", rtol=1e-10)
    for how, run in (("read afterwards", afterwards), ("read by a law", by_law)):
        value, rate, second = (run[f"read.value{end}"] for end in ("", ".rate", ".acceleration"))
        h = np.diff(run.t)
        # trapezium with end corrections: error of the order h^5 a step
        steps = h / 2.0 * (rate[1:] + rate[:-1]) + h * h / 12.0 * (second[:-1] - second[1:])
        close(
            f"{name}: {how}, value over full turns against the integral of its rate",
            value - value[0],
            np.concatenate([[0.0], np.cumsum(steps)]),
            1e-4,
        )
        if np.ptp(value) < 2.0 * math.pi and "ground" not in measure.bodies and measure.is_turn:
            raise AssertionError(f"{name}: {how}, less than a turn ({np.ptp(value):.3g} rad), so nothing was tested")
