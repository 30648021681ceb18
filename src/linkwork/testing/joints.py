"""The contract of a joint: what it holds and the motion it leaves fit together; its forces come in pairs."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from linkwork.errors import AssemblyError, DescriptionError, MovedWarning, OutOfPlaneError
from linkwork.mechanism.forces import Torque
from linkwork.mechanism.joints import Joint
from linkwork.mechanism.mechanism import Mechanism
from linkwork.testing.places import places
from linkwork.testing.scenes import DIFFERENCES, ROUNDING, Moving, Scene, close, derivative, scenes, state_at

STATES = 3
GRAVITY = {2: (0.7, -9.7), 3: (0.7, -9.7, 1.3)}


def check_joint(kind: type[Joint], dimension: int | None = None, **sample: Any) -> None:
    """Check a kind of joint, made with the arguments in `sample` (without any: those of the class's own
    sample); without a dimension in the plane and in space, where it exists.

    Between two bodies, from ground and to ground, with frames off the mass centres and turned: rows are
    independent and agree with differences; along `motion()` they vanish, and rank and freedom add up to 3 or
    6 (in space only if the motion says all of it); named readings give the joint's values; reactions on both
    sides are opposite; accelerations and multipliers are those of the textbook where it has the joint; every set
    of coordinates gives the same, the joint in its tree or cut; exchanged sides move alike where both
    descriptions mean the same; a file keeps it; a short run keeps the constraints and the energy.
    """
    sample = sample or dict(kind.sample)
    found = [dimension] if dimension is not None else [one for one in (2, 3) if _exists(kind, sample, one)]
    for one in found:
        places(one, "check_joint")
        for name, make in scenes(GRAVITY[one], one).items():
            where = name if one == 2 else f"space, {name}"
            check = _Check(f"{kind.__name__} ({where})", kind, sample, make())
            rng = np.random.default_rng(7)
            for _ in range(STATES):
                check.differences(rng)
                if check.steps is not None:
                    check.motion(rng)
                check.forces(rng)
            check.file()
            check.short_run(rng)


def _exists(kind: type[Joint], sample: dict[str, Any], dimension: int) -> bool:
    """Whether a mechanism of this dimension takes the joint."""
    scene = scenes(None, dimension)["two bodies"]()
    scene.mechanism.add("J", kind(scene.on, scene.to, **sample))
    try:
        scene.mechanism.compile(coordinates="body")
    except OutOfPlaneError:
        return False
    return True


class _Check:
    """One joint in one scene."""

    def __init__(self, name: str, kind: type[Joint], sample: dict[str, Any], scene: Scene):
        self.name, self.kind, self.sample, self.scene = name, kind, sample, scene
        self.mechanism: Mechanism = scene.mechanism
        self.joint = self.mechanism.add("J", kind(scene.on, scene.to, **sample))
        self.dimension = self.mechanism.dimension
        self.places = places(self.dimension, "check_joint")
        self.steps: Any = self.joint.steps(self.dimension)
        if self.dimension == 3 and self.steps is not None:
            if self._freedom() + len(self.joint.rows(3)) != 6:  # only where a body may be, not all it can do
                self.steps = None
        self.model = self.mechanism.compile(coordinates="body")
        self.bodies = scene.bodies

    def _freedom(self) -> int:
        values = self.places.values(self.steps, np.random.default_rng(0))
        return sum(np.size(value) for value in values.values())

    def at(self, state: Any) -> Any:
        """The evaluation at a state."""
        from linkwork.analysis.evaluate import evaluate

        return evaluate(self.model, state, coordinates="body")

    # -- rows anywhere, on the constraints or off ------------------------------------------------------------
    def differences(self, rng: np.random.Generator) -> None:
        """J against differences of the constraints, gamma against differences of J v."""
        for _ in range(20):
            motion = Moving.random(self.places, len(self.bodies), rng)
            here = self.at(motion.state(self.model))
            held = here.state.values
            near = [self.at(motion.state(self.model, s, held)).constraint_error for s in (-2e-3, 2e-3)]
            if np.abs(near[1] - near[0]).max(initial=0.0) < 0.5:  # else an angle jumps by a whole turn just there
                break
        speed = here.jacobian @ here.velocities
        slope = derivative(lambda s: self.at(motion.state(self.model, s, held)).constraint_error)
        positions = [r for r, row in enumerate(self.model.rows) if not row.speed]
        close(
            f"{self.name}: J v against differences of the constraints", speed[positions], slope[positions], DIFFERENCES
        )

        def rate(s: float) -> np.ndarray:
            there = self.at(motion.state(self.model, s))
            speeds: np.ndarray = there.jacobian @ there.velocities
            return speeds

        centers = derivative(lambda s: self.at(motion.state(self.model, s)).velocities)
        close(
            f"{self.name}: gamma against differences of J v",
            here.acceleration_rhs,
            here.jacobian @ centers - derivative(rate),
            DIFFERENCES,
            10.0,
        )
        rank = np.linalg.matrix_rank(here.jacobian, tol=1e-9) if here.rows else 0
        if rank != len(here.rows):
            raise AssertionError(f"{self.name}: {len(here.rows)} rows ({', '.join(here.rows)}) have rank {rank}")

    # -- along motion() --------------------------------------------------------------------------------------
    def _poses(self, base: np.ndarray, values: dict[str, Any]) -> list[np.ndarray]:
        """Poses of the moving bodies for given joint values."""
        p, on, to = self.places, self.scene.on, self.scene.to
        reached = p.through(self.steps, values)
        if self.scene.moving(to):
            first = base if self.scene.moving(on) else p.identity
            second = p.body_under(p.compose(p.world(first, on), reached), to)
            return [first, second] if self.scene.moving(on) else [second]
        # the end of the steps is fixed: the body under `on` follows from it
        return [p.body_under(p.compose(p.world(p.identity, to), p.inverse(reached)), on)]

    def motion(self, rng: np.random.Generator) -> None:
        """Constraints vanish, J S = 0, J S-dot = gamma, rank + freedom = 3 or 6, readings give the values."""
        base = self.places.path(rng)
        value, speed, change = (self.places.values(self.steps, rng) for _ in range(3))

        def poses(s: float) -> list[np.ndarray]:
            return self._poses(base(s), {n: value[n] + s * speed[n] + 0.5 * s * s * change[n] for n in value})

        motion = Moving(self.places, [partial(_one, poses, k) for k in range(len(self.bodies))])
        here = self.at(motion.state(self.model))
        for s in (0.0, 0.4, -0.7):
            there = self.at(motion.state(self.model, s, here.state.values))
            nothing = np.zeros(len(there.rows))
            close(f"{self.name}: constraints along motion()", there.constraint_error, nothing, ROUNDING)
            close(f"{self.name}: J S along motion()", there.velocity_error, nothing, DIFFERENCES)
        centers = derivative(lambda s: self.at(motion.state(self.model, s)).velocities)
        close(f"{self.name}: gamma along motion()", here.acceleration_rhs, here.jacobian @ centers, 1e-6, 10.0)
        rank = np.linalg.matrix_rank(here.jacobian, tol=1e-9) if here.rows else 0
        freedom = self._freedom()
        if rank + freedom != self.places.freedom:
            raise AssertionError(
                f"{self.name}: rank {rank} and {freedom} freedoms of motion() "
                f"({', '.join(value) or 'none'}) do not add up to {self.places.freedom}"
            )
        for name in value:
            if name in self.joint.readings() and np.ndim(value[name]) == 0:
                close(
                    f"{self.name}: reading '{name}' against the value of motion()",
                    here[f"J.{name}"],
                    value[name],
                    ROUNDING,
                )
                close(
                    f"{self.name}: rate of '{name}' against the speed of motion()",
                    here[f"J.{name}.rate"],
                    speed[name],
                    DIFFERENCES,
                )

    # -- forces, at states that meet the constraints ---------------------------------------------------------
    def _again(self, motion: Moving | None = None, joint: Joint | None = None) -> Mechanism:
        """The same mechanism with loads, its bodies at the poses of a motion, perhaps with another joint."""
        m = Mechanism(self.mechanism.name, dimension=self.dimension, gravity=self.mechanism.gravity)
        for k, body in enumerate(self.mechanism.bodies.values()):
            given: dict[str, Any] = {}
            if motion is not None:
                pose, twist, d = self.places.packed(motion.poses()[k]), motion.twists()[k], self.dimension
                given = {"position": tuple(pose[:d]), "velocity": tuple(twist[:d])}
                given |= (
                    {"angle": pose[2], "angular_velocity": twist[2]}
                    if d == 2
                    else {"orientation": tuple(pose[3:]), "angular_velocity": tuple(twist[3:])}
                )
            m.add(body.name, replace(body, name="", points={}, **given))
        m.add("J", joint or self.kind(self.scene.on, self.scene.to, **self.sample))
        for k, (name, one) in enumerate(m.bodies.items()):  # beside their weights, so that every direction is loaded
            m.add(
                f"load on {name}",
                Torque(one if self.dimension == 2 else one.at(0, 0, 0, axis=(0.5, -0.3, 0.8)), 1.7 - 3.1 * k),
            )
        return m

    def _estimate(self, rng: np.random.Generator) -> Moving:
        """Bodies anywhere; in space near where motion() leads, because axes may also meet rows the other way round."""
        count = len(self.bodies)
        if self.dimension == 2 or self.steps is None:
            return Moving.random(self.places, count, rng, 0.6)
        poses = self._poses(self.places.path(rng)(0.0), self.places.values(self.steps, rng))
        near = [self.places.path(rng, 0.1) for _ in poses]

        def there(s: float) -> list[np.ndarray]:
            return [self.places.compose(pose, path(s)) for pose, path in zip(poses, near)]

        return Moving(self.places, [partial(_one, there, k) for k in range(count)])

    def _admissible(self, rng: np.random.Generator) -> Any:
        """A random estimate put together by assembly; another one where it is too far off for that."""
        from linkwork.analysis.assemble import assemble

        for attempt in range(5):
            m = self._again(self._estimate(rng))
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", MovedWarning)  # on purpose: the bodies are anywhere
                    return m, assemble(m, coordinates="body").state
            except AssemblyError:
                if attempt == 4:
                    raise

    def forces(self, rng: np.random.Generator) -> None:
        """Newton's third law, the textbook's equations, exchanged sides."""
        from linkwork.analysis.evaluate import evaluate

        m, state = self._admissible(rng)
        here = evaluate(m, state, coordinates="body")
        nothing = np.zeros(len(here.rows))
        close(f"{self.name}: constraints after assembly", here.constraint_error, nothing, ROUNDING)
        close(f"{self.name}: velocities after assembly", here.velocity_error, nothing, ROUNDING)
        if here.rows:
            self._third_law(here)
        self._sets(m, state, here)
        self._cut(state, here)
        if self.dimension == 2:
            self._textbook(m, here)
        self._exchanged(state, here)

    def _origin(self, frame: Any, here: Any) -> np.ndarray:
        """Where the origin of a frame is."""
        d, position = self.dimension, np.asarray(frame.position)
        if not self.scene.moving(frame):
            return position[:d]
        origin = np.array([here[f"{frame.body}.{axis}"] for axis in "xyz"[:d]])
        if d == 3:
            found: np.ndarray = origin + here.orientation(frame.body).matrix @ position
        else:
            found = self.places.world(np.array([*origin, here[f"{frame.body}.angle"]]), frame)[:2]
        return found

    def _third_law(self, here: Any) -> None:
        total, size = np.zeros(6), 0.0
        for frame in (self.scene.on, self.scene.to):
            found = here.reaction("J", on=frame.body)
            force, arm, moment = np.zeros((3, 3))
            force[: self.dimension], arm[: self.dimension] = found.force, self._origin(frame, here)
            moment[-np.size(found.moment) :] = found.moment
            total += (*force, *(moment + np.cross(arm, force)))  # about the origin of the world
            size = max(size, float(np.abs(force).max()), float(np.abs(moment).max()))
        close(
            f"{self.name}: reactions on both sides, force and moment about one point, added",
            total,
            np.zeros(6),
            ROUNDING,
            max(1.0, size),
        )
        if size < 1e-6:
            raise AssertionError(f"{self.name}: no reaction at all (largest {size:.3g}), so nothing was tested")

    def _sets(self, m: Mechanism, state: Any, here: Any) -> None:
        """Every other coordinate set gives the same accelerations and reaction; joint coordinates are the readings."""
        from linkwork.analysis.evaluate import evaluate
        from linkwork.coordinates import SETS_OF

        for name in SETS_OF[self.dimension]:
            there = evaluate(m, state, coordinates=name)
            self._same(f"in {name} coordinates,", there, here)
        view = here.joint
        rates = dict(zip(view.columns, view.rates))
        for reading in self.joint.readings():
            if f"J.{reading}" in rates:
                close(
                    f"{self.name}: rate of '{reading}' against its joint coordinate",
                    here[f"J.{reading}.rate"],
                    rates[f"J.{reading}"],
                    ROUNDING,
                )

    def _same(self, what: str, there: Any, here: Any) -> None:
        """Accelerations, and reactions if the joint gives any."""
        close(f"{self.name}: {what} accelerations", there.accelerations, here.accelerations, 1e-9, 10.0)
        if here.rows:
            found, wanted = there.reaction("J"), here.reaction("J")
            close(f"{self.name}: {what} force", found.force, wanted.force, 1e-9, 10.0)
            close(f"{self.name}: {what} moment", found.moment, wanted.moment, 1e-9, 10.0)

    def _moved_to(self, m: Mechanism, here: Any) -> Any:
        """The state of another mechanism with its bodies where they are here, and as fast."""
        model = m.compile(coordinates="body")
        found = state_at(model, *_where(here))
        return replace(found, values=here.state.values) if found.values.shape == here.state.values.shape else found

    def _cut(self, state: Any, here: Any) -> None:
        """The joint as one that closes a loop in joint coordinates."""
        from linkwork.analysis.evaluate import evaluate

        m = self._again(joint=self.kind(self.scene.on, self.scene.to, **self.sample, cut=True))
        self._same("cut,", evaluate(m, self._moved_to(m, here), coordinates="joint"), here)

    def _textbook(self, m: Mechanism, here: Any) -> None:
        from linkwork import textbook

        axes = [f"{axis}{end}" for axis in ("x", "y", "angle") for end in ("", ".rate")]
        state = {name: here[name] for name in (f"{body}.{axis}" for body in self.bodies for axis in axes)}
        try:
            book = textbook.planar_bridge.from_mechanism(m, state)
        except DescriptionError:  # the books do not have this joint, or not in this place
            return
        accelerations, lam = textbook.planar.augmented(book, 0.0, book.c, book.cd)
        close(f"{self.name}: accelerations against the textbook", here.accelerations, accelerations, ROUNDING, 10.0)
        close(f"{self.name}: multipliers against the textbook", here.multipliers, lam, 1e-9, 10.0)

    def _exchanged(self, state: Any, here: Any) -> None:
        """The joint with `on` and `to` exchanged gives the same accelerations, where it means the same."""
        from linkwork.analysis.evaluate import evaluate

        pairs = [key for key in self.sample if key.startswith("on_") and f"to_{key[3:]}" in self.sample]
        sample = dict(self.sample)
        for key in pairs:
            sample[key], sample[f"to_{key[3:]}"] = self.sample[f"to_{key[3:]}"], self.sample[key]
        other = self._again(joint=self.kind(self.scene.to, self.scene.on, **sample))
        model = other.compile(coordinates="body")
        there = evaluate(model, state_at(model, *_where(here)), coordinates="body")
        held = [row for row in model.rows if row.value is not None and not row.speed]
        same = bool(pairs) or (len(held) == len(there.rows) and np.abs(there.constraint_error).max(initial=0.0) < 1e-9)
        if same:
            close(
                f"{self.name}: accelerations with `on` and `to` exchanged",
                there.accelerations,
                here.accelerations,
                1e-9,
                10.0,
            )

    def file(self) -> None:
        """A file of the mechanism gives it back."""
        from linkwork.files.declarations import kinds
        from linkwork.files.reader import read
        from linkwork.files.writer import same, to_text

        if self.kind.__name__ in kinds("joints"):  # files know what the package has, and what is registered
            text = to_text(self.mechanism)
            if not same(read(text), self.mechanism):
                raise AssertionError(f"{self.name}: a file gives another mechanism back:\n{text}")

    def short_run(self, rng: np.random.Generator) -> None:
        """Constraints and energy are kept for a while, and every set of coordinates moves alike."""
        from linkwork.analysis.simulate import simulate
        from linkwork.coordinates import BASE, SETS_OF

        m, state = self._admissible(rng)
        ends = []
        for name in SETS_OF[self.dimension]:
            run = simulate(m, 0.2, every=0.04, start=state, coordinates=name, rtol=1e-10)
            what = f"{self.name}: in a run in {name} coordinates,"
            close(f"{what} largest constraint error", run.violation.max(initial=0.0), 0.0, 1e-9)
            exchanged = max(1.0, float(np.ptp(run.energy.kinetic)))
            close(f"{what} energy not accounted for", np.abs(run.energy.balance).max(), 0.0, 1e-7, exchanged)
            ends.append([run[f"{body}.{axis}"][-1] for body in self.bodies for axis in "xyz"[: self.dimension]])
            close(f"{what} its end against '{BASE}'", ends[-1], ends[0], 1e-7)


def _where(here: Any) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Poses and twists of the bodies' frames at an evaluation."""
    m, d = here.state.model.mechanism, here.state.model.dimension
    poses, twists = [], []
    for name in m.bodies:
        pose, twist = ([here[f"{name}.{axis}{end}"] for axis in "xyz"[:d]] for end in ("", ".rate"))
        if d == 2:
            turned, spin = [here[f"{name}.angle"]], [here[f"{name}.angle.rate"]]
        else:
            turned, spin = here.orientation(name).quaternion, here.angular_velocity(name)
        poses.append(np.array([*pose, *turned]))
        twists.append(np.array([*twist, *spin]))
    return poses, twists


def _one(poses: Callable[[float], list[np.ndarray]], k: int, s: float) -> np.ndarray:
    """The pose of one of several bodies."""
    return poses(s)[k]
