"""The contract of a joint: what it holds and the motion it leaves fit together; its forces come in pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError
from linkwork.mechanism.forces import Torque
from linkwork.mechanism.joints import Joint
from linkwork.mechanism.mechanism import Mechanism
from linkwork.testing.scenes import (
    DIFFERENCES,
    ROUNDING,
    Motion,
    Scene,
    body_under,
    close,
    derivative,
    in_the_plane,
    rotation,
    scenes,
    state_of,
    through,
    world,
)

STATES = 3
GRAVITY = (0.7, -9.7)


def check_joint(kind: type[Joint], dimension: int = 2, **sample: Any) -> None:
    """Check a kind of joint, made with the arguments in `sample` (without any: those of the class's own
    sample).

    Between two bodies, from ground and to ground, with frames off the mass centres and turned: rows are
    independent and agree with differences; along `motion()` they vanish, and rank and freedom add up to 3;
    named readings give the joint's values; reactions on both sides are opposite; accelerations and
    multipliers are those of the textbook where it has the joint; exchanged sides move alike where both
    descriptions mean the same; a short run keeps the constraints and the energy.
    """
    in_the_plane(dimension, "check_joint")
    sample = sample or dict(kind.sample)
    for name, make in scenes(GRAVITY).items():
        check = _Check(f"{kind.__name__} ({name})", kind, sample, make())
        rng = np.random.default_rng(7)
        for _ in range(STATES):
            check.differences(rng)
            if check.steps is not None:
                check.motion(rng)
            check.forces(rng)
        check.short_run(rng)


class _Check:
    """One joint in one scene."""

    def __init__(self, name: str, kind: type[Joint], sample: dict, scene: Scene):
        self.name, self.kind, self.sample, self.scene = name, kind, sample, scene
        self.mechanism: Mechanism = scene.mechanism
        self.joint = self.mechanism.add("J", kind(scene.on, scene.to, **sample))
        self.steps: Any = self.joint.motion()
        self.model = self.mechanism.compile(coordinates="body")
        self.bodies = scene.bodies

    def at(self, state: Any, like: Any = None) -> Any:
        """The evaluation at a state; with `like`, "as assembled" means as there."""
        from linkwork.analysis.evaluate import evaluate

        found = evaluate(self.model, state, coordinates="body")
        if like is None:
            return found
        same = replace(found.state, values=like.state.values)
        return evaluate(self.model, same, coordinates="body")

    # -- rows anywhere, on the constraints or off ------------------------------------------------------------
    def differences(self, rng: np.random.Generator) -> None:
        """J against differences of the constraints, gamma against differences of J v."""
        for _ in range(20):
            motion = Motion.random(self.bodies, rng)
            here = self.at(motion.state())
            near = [self.at(motion.state(s), here).constraint_error for s in (-2e-3, 2e-3)]
            if np.abs(near[1] - near[0]).max() < 0.5:  # else an angle jumps by a whole turn just there
                break
        speed = here.jacobian @ here.velocities
        slope = derivative(lambda s: self.at(motion.state(s), here).constraint_error)
        positions = [r for r, row in enumerate(self.model.rows) if not row.speed]
        close(
            f"{self.name}: J v against differences of the constraints",
            speed[positions],
            slope[positions],
            DIFFERENCES,
        )

        def rate(s: float) -> np.ndarray:
            there = self.at(motion.state(s))
            return there.jacobian @ there.velocities

        centers = derivative(lambda s: self.at(motion.state(s)).velocities)
        close(
            f"{self.name}: gamma against differences of J v",
            here.acceleration_rhs,
            here.jacobian @ centers - derivative(rate),
            DIFFERENCES,
            10.0,
        )
        rank = np.linalg.matrix_rank(here.jacobian, tol=1e-9)
        if rank != len(here.rows):
            raise AssertionError(
                f"{self.name}: {len(here.rows)} rows ({', '.join(here.rows)}) have rank {rank}"
            )

    # -- along motion() --------------------------------------------------------------------------------------
    def _poses(self, base: np.ndarray, values: dict[str, float]) -> np.ndarray:
        """Poses of the moving bodies for given joint values."""
        on, to = self.scene.on, self.scene.to
        if to.body != "ground":
            first = base if self.scene.moving(on) else np.zeros(3)
            second = body_under(through(world(first, on), self.steps, values), to)
            return np.array([first, second] if self.scene.moving(on) else [second])
        # the end of the steps is fixed: the body under `on` follows from it
        reached = through(np.zeros(3), self.steps, values)
        target = world(np.zeros(3), to)
        angle = target[2] - reached[2]
        origin = target[:2] - rotation(angle) @ reached[:2]
        return np.array([body_under(np.array([*origin, angle]), on)])

    def motion(self, rng: np.random.Generator) -> None:
        """Constraints vanish, J S = 0, J S-dot = gamma, rank + freedom = 3, readings give the values."""
        names = [step.name for step in self.steps if hasattr(step, "name")]
        base, base_v, base_a = rng.uniform(-1.0, 1.0, (3, 3))
        value, speed, change = (dict(zip(names, rng.uniform(-1.0, 1.0, len(names)))) for _ in range(3))

        def poses(s: float) -> np.ndarray:
            now = {n: value[n] + s * speed[n] + 0.5 * s * s * change[n] for n in names}
            return self._poses(base + s * base_v + 0.5 * s * s * base_a, now)

        def state(s: float) -> dict[str, float]:
            return state_of(self.bodies, poses(s), derivative(poses, s))

        here = self.at(state(0.0))
        for s in (0.0, 0.4, -0.7):
            there = self.at(state(s), here)
            close(
                f"{self.name}: constraints along motion()",
                there.constraint_error,
                np.zeros(len(there.rows)),
                ROUNDING,
            )
            close(
                f"{self.name}: J S along motion()",
                there.velocity_error,
                np.zeros(len(there.rows)),
                DIFFERENCES,
            )
        centers = derivative(lambda s: self.at(state(s)).velocities)
        close(
            f"{self.name}: gamma along motion()", here.acceleration_rhs, here.jacobian @ centers, 1e-6, 10.0
        )
        rank = np.linalg.matrix_rank(here.jacobian, tol=1e-9)
        if rank + len(names) != 3:
            raise AssertionError(
                f"{self.name}: rank {rank} and {len(names)} freedoms of motion() "
                f"({', '.join(names) or 'none'}) do not add up to 3"
            )
        for name in names:
            if name in self.joint.readings():
                wanted = value[name]
                close(
                    f"{self.name}: reading '{name}' against the value of motion()",
                    here[f"J.{name}"],
                    wanted,
                    ROUNDING,
                )
                close(
                    f"{self.name}: rate of '{name}' against the speed of motion()",
                    here[f"J.{name}.rate"],
                    speed[name],
                    DIFFERENCES,
                )

    # -- forces, at states that meet the constraints ---------------------------------------------------------
    def _admissible(self, rng: np.random.Generator) -> Any:
        """A random estimate put together by assembly."""
        from linkwork.analysis.assemble import assemble

        motion = Motion.random(self.bodies, rng, 0.6)
        m = Mechanism(self.mechanism.name, gravity=self.mechanism.gravity)
        for k, body in enumerate(self.mechanism.bodies.values()):
            m.add(
                body.name,
                replace(
                    body,
                    name="",
                    points={},
                    position=tuple(motion.q[k, :2]),
                    angle=motion.q[k, 2],
                    velocity=tuple(motion.v[k, :2]),
                    angular_velocity=motion.v[k, 2],
                ),
            )
        m.add("J", self.kind(self.scene.on, self.scene.to, **self.sample))
        self._load(m)
        return m, assemble(m, coordinates="body").state

    def _load(self, m: Mechanism) -> None:
        """A torque on every body beside its weight, so that every direction is loaded."""
        for k, (name, body) in enumerate(m.bodies.items()):
            m.add(f"load on {name}", Torque(body, 1.7 - 3.1 * k))

    def forces(self, rng: np.random.Generator) -> None:
        """Newton's third law, the textbook's equations, exchanged sides."""
        from linkwork.analysis.evaluate import evaluate

        m, state = self._admissible(rng)
        here = evaluate(m, state, coordinates="body")
        close(
            f"{self.name}: constraints after assembly",
            here.constraint_error,
            np.zeros(len(here.rows)),
            ROUNDING,
        )
        close(
            f"{self.name}: velocities after assembly", here.velocity_error, np.zeros(len(here.rows)), ROUNDING
        )
        self._third_law(here)
        self._sets(m, state, here)
        self._textbook(m, here)
        self._exchanged(m, state, here)

    def _third_law(self, here: Any) -> None:
        total, size = np.zeros(3), 0.0
        for frame in (self.scene.on, self.scene.to):
            found = here.reaction("J", on=frame.body)
            pose = np.zeros(3)
            if self.scene.moving(frame):
                pose = np.array([here[f"{frame.body}.{axis}"] for axis in ("x", "y", "angle")])
            x, y, _ = world(pose, frame)
            force, moment = found.force, float(found.moment)
            total += (*force, moment + x * force[1] - y * force[0])  # about the origin of the world
            size = max(size, float(np.abs(force).max()), abs(moment))
        close(
            f"{self.name}: reactions on both sides, force and moment about one point, added",
            total,
            np.zeros(3),
            ROUNDING,
            max(1.0, size),
        )
        if size < 1e-6:
            raise AssertionError(
                f"{self.name}: no reaction at all (largest {size:.3g}), so nothing was tested"
            )

    def _sets(self, m: Mechanism, state: Any, here: Any) -> None:
        """Every other coordinate set gives the same accelerations and reaction, the joint in its tree or cut."""
        from linkwork.analysis.evaluate import evaluate
        from linkwork.coordinates import SETS

        for name in SETS:
            there = evaluate(m, state, coordinates=name)
            what = f"{self.name}: in {name} coordinates,"
            close(f"{what} accelerations", there.accelerations, here.accelerations, 1e-9, 10.0)
            found, wanted = there.reaction("J"), here.reaction("J")
            close(f"{what} force", found.force, wanted.force, 1e-9, 10.0)
            close(f"{what} moment", found.moment, wanted.moment, 1e-9, 10.0)

    def _textbook(self, m: Mechanism, here: Any) -> None:
        from linkwork import textbook

        names = [
            f"{body}.{axis}{end}"
            for body in self.bodies
            for axis in ("x", "y", "angle")
            for end in ("", ".rate")
        ]
        state = {name: here[name] for name in names}
        try:
            book = textbook.from_mechanism(m, state)
        except DescriptionError:  # the books do not have this joint, or not in this place
            return
        accelerations, lam = textbook.augmented(book, 0.0, book.c, book.cd)
        close(
            f"{self.name}: accelerations against the textbook",
            here.accelerations,
            accelerations,
            ROUNDING,
            10.0,
        )
        close(f"{self.name}: multipliers against the textbook", here.multipliers, lam, 1e-9, 10.0)

    def _exchanged(self, m: Mechanism, state: Any, here: Any) -> None:
        """The joint with `on` and `to` exchanged gives the same accelerations, where it means the same."""
        from linkwork.analysis.evaluate import evaluate

        pairs = [key for key in self.sample if key.startswith("on_") and f"to_{key[3:]}" in self.sample]
        sample = dict(self.sample)
        for key in pairs:
            sample[key], sample[f"to_{key[3:]}"] = self.sample[f"to_{key[3:]}"], self.sample[key]
        other = Mechanism(m.name, gravity=m.gravity)
        for name, body in m.bodies.items():
            other.add(name, replace(body, name="", points={}))
        other.add("J", self.kind(self.scene.to, self.scene.on, **sample))
        self._load(other)
        names = [
            f"{body}.{axis}{end}"
            for body in self.bodies
            for axis in ("x", "y", "angle")
            for end in ("", ".rate")
        ]
        there = evaluate(other, {name: here[name] for name in names}, coordinates="body")
        held = [row for row in there.state.model.rows if row.value is not None and not row.speed]
        same = bool(pairs) or (
            len(held) == len(there.rows) and np.abs(there.constraint_error).max(initial=0.0) < 1e-9
        )
        if same:
            close(
                f"{self.name}: accelerations with `on` and `to` exchanged",
                there.accelerations,
                here.accelerations,
                1e-9,
                10.0,
            )

    def short_run(self, rng: np.random.Generator) -> None:
        """Constraints and energy are kept for half a second."""
        from linkwork.analysis.simulate import simulate

        m, state = self._admissible(rng)
        run = simulate(m, 0.5, every=0.05, start=state, coordinates="body", rtol=1e-10)
        close(f"{self.name}: largest constraint error in a run", run.violation.max(), 0.0, 1e-9)
        exchanged = max(1.0, float(np.ptp(run.energy.kinetic)))
        close(
            f"{self.name}: energy not accounted for in a run",
            np.abs(run.energy.balance).max(),
            0.0,
            1e-7,
            exchanged,
        )
