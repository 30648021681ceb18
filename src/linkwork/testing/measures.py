"""The contract of a measure: value, rate, gradient and acceleration belong together; only what is relative
counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linkwork.mechanism.drivers import Driver, Level
from linkwork.mechanism.forces import constant
from linkwork.mechanism.functions import Polynomial
from linkwork.mechanism.measures import Angle, Measure, Offset, Sum, WorldOffset
from linkwork.mechanism.mechanism import Mechanism
from linkwork.mechanism.user_forces import UserForce
from linkwork.testing.scenes import (
    DIFFERENCES,
    ROUNDING,
    Motion,
    Scene,
    add_body,
    close,
    derivative,
    in_the_plane,
    scenes,
)

STATES = 4


def check_measure(kind_or_instance: type[Measure] | Measure, dimension: int = 2) -> None:
    """Check a kind of measure (with the arguments of its `sample`), or one measure as it is.

    At random states: rate against differences of the value, acceleration against differences of the rate,
    gradient against the rate, no change by a rigid move of everything (but for `WorldOffset`, whose axes are
    the world's); in a motion over full turns, the value against the rate.
    """
    in_the_plane(dimension, "check_measure")
    if isinstance(kind_or_instance, Measure):
        measure = kind_or_instance
        mechanism = Mechanism("measured", gravity=None)
        for name in measure.bodies:
            if name != "ground":
                add_body(mechanism, name)
        _check("as given", mechanism, measure)
        return
    for name, scene in scenes().items():
        here = scene()
        _check(name, here.mechanism, _sample(kind_or_instance, here))


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

    def at(self, motion: Motion, s: float = 0.0) -> Any:
        from linkwork.analysis.evaluate import evaluate

        return evaluate(self.model, motion.state(s), coordinates="body")


def _check(where: str, mechanism: Mechanism, measure: Measure) -> None:
    name = f"{type(measure).__name__} ({where})"
    probe = _Probe(mechanism, measure)
    rng = np.random.default_rng(20)
    for _ in range(STATES):
        motion = Motion.random(probe.bodies, rng)
        _check_rates(name, probe, motion)
        _check_gradient(name, probe, motion, rng)
        if "ground" not in measure.bodies and not isinstance(measure, WorldOffset):
            _check_rigid_move(name, probe, motion)
    if measure.quantity == "angle" and not measure.rate_only:
        _check_turns(name, mechanism, measure)


def _check_rates(name: str, probe: _Probe, motion: Motion) -> None:
    """Value, rate and acceleration along a motion that is known exactly."""
    here = probe.at(motion)
    row = here.jacobian[0]
    rate = here["push.power"]  # force 1 times the rate
    if not probe.measure.rate_only:
        close(f"{name}: rate as read", here["read.value.rate"], rate, ROUNDING)
        slope = derivative(lambda s: probe.at(motion, s)["read.value"])
        close(f"{name}: rate against differences of the value", rate, slope, DIFFERENCES)
        of_bodies = derivative(lambda s: probe.at(motion, s)["held.value.rate"])
        # the accelerations of the bodies are those of the held mechanism, not those of the motion: only what
        # is left without them, J-dot v, is compared
        bias = here["held.value.acceleration"] - row @ here.accelerations
        close(f"{name}: acceleration as read", bias, of_bodies - row @ _centers(probe, motion), DIFFERENCES)
    second = derivative(lambda s: probe.at(motion, s)["push.power"])
    gamma = row @ _centers(probe, motion) - second
    close(
        f"{name}: right side of the accelerations against differences of the rate",
        here.acceleration_rhs,
        [gamma],
        DIFFERENCES,
    )


def _centers(probe: _Probe, motion: Motion) -> np.ndarray:
    """Accelerations of the velocity coordinates in the motion."""
    return derivative(lambda s: probe.at(motion, s).velocities)


def _check_gradient(name: str, probe: _Probe, motion: Motion, rng: np.random.Generator) -> None:
    """The rate is the gradient times the velocities, whatever they are; a pushed measure pushes along it."""
    row = probe.at(motion).jacobian[0]
    for _ in range(3):
        other = Motion(motion.bodies, motion.q, rng.uniform(-3.0, 3.0, motion.v.shape), motion.a)
        there = probe.at(other)
        close(
            f"{name}: rate against gradient times velocities",
            there["push.power"],
            row @ there.velocities,
            ROUNDING,
        )
        close(f"{name}: gradient does not depend on velocities", there.jacobian[0], row, ROUNDING)
    force = np.concatenate([probe.at(motion).applied_force(body) for body in probe.bodies])
    close(f"{name}: force along the measure against its gradient", force, row, ROUNDING)


def _check_rigid_move(name: str, probe: _Probe, motion: Motion) -> None:
    here, there = probe.at(motion), probe.at(motion.moved(0.9, (0.7, -1.1)))
    what = f"{name}: changed by a rigid move of everything, its"
    close(f"{what} rate", there["push.power"], here["push.power"], ROUNDING)
    if not probe.measure.rate_only:
        change = there["read.value"] - here["read.value"]
        if probe.measure.quantity == "angle":  # a lone state cannot know about whole turns
            change -= 2.0 * math.pi * round(change / (2.0 * math.pi))
        close(f"{what} value", change, 0.0, ROUNDING)
    close(
        f"{what} right side of the accelerations",
        there.acceleration_rhs,
        here.acceleration_rhs,
        ROUNDING,
        10.0,
    )


def _check_turns(name: str, mechanism: Mechanism, measure: Measure) -> None:
    """Over several turns the value is the integral of the rate, read afterwards and read by a law alike."""
    from linkwork.analysis.simulate import simulate

    moving = [body for body in mechanism.bodies]
    other = Mechanism("turning", gravity=None)
    for body in moving:
        add_body(other, body)
    other.add("read", Driver(measure, Polynomial(0.0), active=False))
    start: dict[str, float] = {}
    for k, body in enumerate(moving):
        spin = 4.0 if k == 0 else -3.0
        start |= {f"{body}.x": 1.5 * k, f"{body}.y": 0.2, f"{body}.angle.rate": spin}
    afterwards = simulate(other, 4.0, every=0.05, start=start, coordinates="body", rtol=1e-10)
    other.add("push", UserForce(along=[measure], law=constant, numbers=[0.0]))
    by_law = simulate(other, 4.0, every=0.05, start=start, coordinates="body", rtol=1e-10)
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
