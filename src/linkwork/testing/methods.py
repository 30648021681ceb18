"""The contracts of time functions, integration methods and coordinate sets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.bodies import Body
from linkwork.mechanism.drivers import Driver
from linkwork.mechanism.forces import Torque, TorsionSpringDamper
from linkwork.mechanism.functions import Function, Harmonic
from linkwork.mechanism.joints import Revolute
from linkwork.mechanism.measures import WorldOffset
from linkwork.mechanism.mechanism import Mechanism
from linkwork.testing.scenes import ROUNDING, along_columns, close, derivative

FUNCTION_TIMES = np.linspace(-0.43, 2.61, 40)


# -- functions -----------------------------------------------------------------------------------------------


def check_function(function: Function | type[Function]) -> None:
    """Check a function of time, or a kind of them with its `sample`: f' and f'' against differences, in
    Python and as the kernels see them."""
    from linkwork.analysis.evaluate import evaluate

    f = function if isinstance(function, Function) else _sample(function)
    name = type(f).__name__
    for order, word in ((1, "rate"), (2, "acceleration")):
        for t in FUNCTION_TIMES:
            try:
                _check_slope(name, f, order, word, t)
            except AssertionError:
                # a corner of f'' may lie just here; what is wrong is wrong beside it too
                _check_slope(name, f, order, word, t + 5e-3)
    m = Mechanism("driven", gravity=None)
    body = m.add("body", Body(1.0, 1.0, position=(0.0, 0.0), angle=0.0))
    m.add("drive", Driver(WorldOffset(m.ground.at(), body.at(), "x"), f))
    model = m.compile(coordinates="body")
    for t in FUNCTION_TIMES:
        seen = evaluate(model, t=t, coordinates="body")
        got = (-seen.constraint_error[0], seen.velocity_rhs[0], seen.acceleration_rhs[0])
        close(f"{name}: value, rate and acceleration in the kernel at t = {t:.4g}", got, f(t), ROUNDING)


def _sample(kind: type[Function]) -> Function:
    if not kind.sample:
        raise DescriptionError(
            message(
                f"check_function({kind.__name__})",
                "has no `sample` to make a function from",
                remedy="give the class a sample, or check a function of it",
            )
        )
    made: Function = kind(**kind.sample) if isinstance(kind.sample, dict) else kind(*kind.sample)
    return made


def _check_slope(name: str, f: Function, order: int, word: str, t: float) -> None:
    slope = derivative(lambda s: f(s)[order - 1], t, 2e-4)
    close(f"{name}: {word} against differences at t = {t:.4g}", f(t)[order], slope, 1e-7)


# -- integration methods -------------------------------------------------------------------------------------


def check_method(method: Any) -> None:
    """Check an integration method by name (or a `Method`): with steps of one size its error falls with the
    order that it claims, at the end of steps and between them, on a driven oscillator and on a pendulum under
    constraints whose motions are known exactly; with error control the error follows `rtol`."""
    from linkwork.analysis.integrators import get_method

    method = get_method(method)
    fixed = method.with_one_step()
    for what, problem in (("oscillator", _Oscillator()), ("pendulum", _Pendulum())):
        _check_order(f"Method '{method.name}' on the {what}", fixed, problem, False)
    _check_order(f"Method '{method.name}' between steps", fixed, _Oscillator(), True)
    if not method.fixed_step:
        _check_control(method)


class _Oscillator:
    """x'' + w^2 x = c sin(W t), x the angle of a free body on a torsion spring."""

    duration = 3.0
    stiffness, inertia, amplitude, frequency = 9.0, 0.5, 1.3, 2.3

    def mechanism(self) -> Mechanism:
        m = Mechanism("oscillator", gravity=None)
        body = m.add("body", Body(1.0, self.inertia, position=(0.0, 0.0), angle=0.0))
        m.add("spring", TorsionSpringDamper(m.ground.at(), body.at(), stiffness=self.stiffness))
        m.add("torque", Torque(body, Harmonic(self.amplitude, self.frequency)))
        return m

    name, start = "body.angle", {"body.angle": 0.8, "body.angle.rate": -0.4}

    def exact(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Angle and rate."""
        w, W = math.sqrt(self.stiffness / self.inertia), self.frequency
        forced = self.amplitude / self.inertia / (w * w - W * W)
        x0, v0 = 0.8, (-0.4 - forced * W) / w
        return (
            x0 * np.cos(w * t) + v0 * np.sin(w * t) + forced * np.sin(W * t),
            w * (v0 * np.cos(w * t) - x0 * np.sin(w * t)) + forced * W * np.cos(W * t),
        )


class _Pendulum:
    """A body on a pin, let go at an angle of 2 from hanging down: it hangs down after a quarter of its
    period, which is 2 pi / w / agm(1, cos(angle / 2))."""

    arm, inertia, mass, gravity, first = 0.4, 0.3, 1.2, 9.81, 2.0

    @property
    def _w(self) -> float:
        return math.sqrt(self.mass * self.gravity * self.arm / (self.inertia + self.mass * self.arm**2))

    @property
    def duration(self) -> float:
        a, b = 1.0, math.cos(self.first / 2.0)
        for _ in range(40):
            a, b = (a + b) / 2.0, math.sqrt(a * b)
        return math.pi / (2.0 * self._w * a)

    def mechanism(self) -> Mechanism:
        m = Mechanism("pendulum", gravity=(0.0, -self.gravity))
        body = m.add("body", Body(self.mass, self.inertia, center=(0.0, -self.arm)))
        m.add("A", Revolute(m.ground.at(0.0, 0.0), body.at(0.0, 0.0)))
        return m

    name, start = "A.angle", {"A.angle": 2.0, "A.angle.rate": 0.0}

    def exact(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Angle and rate, at the end only."""
        return np.array([0.0]), np.array([-2.0 * self._w * math.sin(self.first / 2.0)])


def _error(method: Any, problem: Any, steps: int, between: bool) -> float:
    """Largest error of angle and rate at the ends of the quarters (pendulum: at the end), or inside every
    step."""
    from linkwork.analysis.simulate import simulate

    end, count = problem.duration, 1 if isinstance(problem, _Pendulum) else 4
    times = end / count * np.arange(1, count + 1)
    if between:
        times = end / steps * (np.arange(steps) + 0.37)
    grid = np.concatenate([[0.0], times, [end] if between else []])
    run = simulate(
        problem.mechanism(),
        grid,
        start=problem.start,
        coordinates="body",
        method=method,
        step=end / steps * (1.0 + 1e-9),
    )
    inside = slice(1, 1 + times.size)
    return max(
        float(np.abs(run[name][inside] - exact).max())
        for name, exact in zip((problem.name, problem.name + ".rate"), problem.exact(times))
    )


def _check_order(what: str, method: Any, problem: Any, between: bool) -> None:
    """The order is the slope of the error over the step, where neither rounding nor the first steps decide
    it."""
    found = []
    for steps in (4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, *((256, 512, 1024) if method.order < 4 else ())):
        error = _error(method, problem, steps, between)
        if error < 2e-12:
            break
        if error < 1e-2:
            found.append((steps, error))
    if len(found) < 3:
        raise AssertionError(f"{what}: errors {found} are too few to tell an order")
    counts, errors = np.log(np.array(found[-5:])).T
    order = -float(np.polyfit(counts, errors, 1)[0])
    wanted = method.between if between else method.order
    if not order > wanted - 0.4:
        raise AssertionError(f"{what}: order {order:.2f}, wanted {wanted}; (steps, error): {found}")


def _check_control(method: Any) -> None:
    from linkwork.analysis.simulate import simulate

    problem = _Oscillator()
    for rtol in (1e-5, 1e-7, 1e-9):
        run = simulate(
            problem.mechanism(),
            problem.duration,
            every=0.1,
            start=problem.start,
            coordinates="body",
            method=method,
            rtol=rtol,
        )
        error = float(np.abs(run[problem.name] - problem.exact(run.t)[0]).max())
        allowed = method.promised(rtol)
        if not error < allowed:
            raise AssertionError(f"Method '{method.name}' at rtol {rtol:g}: error {error:.3g}, allowed {allowed:.3g}")


# -- coordinate sets -----------------------------------------------------------------------------------------


def check_coordinates(mechanism: Mechanism, **start: Any) -> None:
    """Check that every coordinate set gives the same for this mechanism, and that each meets its own
    equations: M a = h + J' lambda and J a = gamma, in joint coordinates also M v' = h + C' lambda with
    M = B'M_b B; then accelerations, reactions and a short motion by name."""
    from linkwork.analysis.assemble import assemble
    from linkwork.analysis.evaluate import evaluate
    from linkwork.analysis.simulate import simulate
    from linkwork.coordinates import BASE, SETS_OF

    first: dict[str, Any] = {}
    for coordinates in SETS_OF[mechanism.dimension]:
        what = f"Coordinates '{coordinates}'"
        state = assemble(mechanism, start=start.get("start"), near=start.get("near"), coordinates=coordinates).state
        here = evaluate(mechanism, state, coordinates=coordinates)
        EQUATIONS.get(coordinates, _check_body_equations)(what, mechanism, here)
        close(f"{what}: J a against gamma", here.jacobian @ here.accelerations, here.acceleration_rhs, 1e-9, 10.0)
        found = {"accelerations": here.accelerations}
        for joint, one in mechanism.joints.items():
            if one.active and here.reaction(joint).unique:
                reaction = here.reaction(joint)
                found[f"reaction of {joint}"] = np.array([*reaction.force, *np.atleast_1d(reaction.moment)])
        run = simulate(mechanism, 0.3, every=0.1, start=state, coordinates=coordinates, rtol=1e-10)
        names = [name for name in here.columns if name in run.names]
        found["positions of a run"] = np.array([run[name] for name in names])
        close(f"{what}: constraint error in a run", run.violation.max(), 0.0, 1e-9)
        for key, value in found.items():
            close(f"{what}: {key} against '{BASE}'", value, first.setdefault(key, value), 1e-8, 10.0)


def _applied(mechanism: Mechanism, here: Any) -> np.ndarray:
    """h of the bodies: what is applied, and in space -w x (J w), because body axes turn."""
    d = mechanism.dimension
    model = here.state.model
    parts = [along_columns(model, name, here)[: None if one.has_angle else d] for name, one in mechanism.bodies.items()]
    if d == 3:
        at, inertia = 0, np.diag(here.mass_matrix)
        for part in parts:
            if part.size == 6:
                spin = here.velocities[at + 3 : at + 6]
                part[3:] -= np.cross(spin, inertia[at + 3 : at + 6] * spin)
            at += part.size
    return np.concatenate(parts) if parts else np.zeros(0)


def _check_body_equations(what: str, mechanism: Mechanism, here: Any) -> None:
    """The equations of the bodies, which every set must meet."""
    close(
        f"{what}: M a against h + J' lambda",
        here.mass_matrix @ here.accelerations,
        _applied(mechanism, here) + here.jacobian.T @ here.multipliers,
        ROUNDING,
        10.0,
    )


def _check_joint_equations(what: str, mechanism: Mechanism, here: Any) -> None:
    """The equations that belong to the joint coordinates, by their dense matrices."""
    view = here.joint
    kept = [k for k, name in enumerate(here.state.model.coordinate_names) if name]
    B, bias = view.transformation[kept], view.bias[kept]
    close(f"{what}: velocities of bodies against B v", here.velocities, B @ view.rates, ROUNDING, 10.0)
    close(
        f"{what}: accelerations of bodies against B v' + B-dot v",
        here.accelerations,
        B @ view.accelerations + bias,
        1e-9,
        10.0,
    )
    close(
        f"{what}: M v' against h + C' lambda",
        view.mass_matrix @ view.accelerations,
        view.force + view.loop_jacobian.T @ view.multipliers,
        1e-9,
        10.0,
    )
    close(f"{what}: M against B' M_b B", view.mass_matrix, B.T @ here.mass_matrix @ B, ROUNDING)
    close(f"{what}: C v' against its right side", view.loop_jacobian @ view.accelerations, view.loop_rhs, 1e-9, 10.0)


#: sets that have equations of their own: how they are checked; of others, those of the bodies
EQUATIONS = {"joint": _check_joint_equations}
