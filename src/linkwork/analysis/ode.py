"""The equations of motion as plain functions of t and y, for anybody's integrator."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from linkwork import cells
from linkwork.analysis.assemble import assemble
from linkwork.analysis.common import model_in, raise_status
from linkwork.analysis.doors import able_to_move, admitted, given_state, nothing_to_choose
from linkwork.analysis.entering import enter, pick
from linkwork.analysis.options import RATE, Basis, Coordinates, Rate, Time, Values
from linkwork.arguments import Explained, explained
from linkwork.compiled.model import Model
from linkwork.coordinates import definite
from linkwork.errors import DescriptionError, SingularConfigurationError, message
from linkwork.kernels import layout as at
from linkwork.result.state import State

STEP = 2e-4  # of differences, against the size of a coordinate: (f(-2) - 8 f(-1) + 8 f(1) - f(2)) / 12 STEP
MOST_LEFT = 1e-6  # errors of position that a projection may leave, as in runs


@explained
def ode(
    mechanism: Any,
    *,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
    alpha: Rate | None = None,
    beta: Rate | None = None,
) -> Ode:
    """The equations of motion of `mechanism` as plain functions: y' = rhs(t, y), with projection and Jacobian.

    `start`, `near`, `t`, `coordinates` and `basis` are those of `simulate`: they give `t0` and `y0`.
    Constraints are held by accelerations alone, so errors grow with time, unless the integrator lets states be put back
    by `project`, or `alpha` and `beta`, Baumgarte's constants, are given (`beta` is as `alpha` unless it is given).

    Units: t [s], alpha [1/s], beta [1/s].

    >>> ode = lw.gallery.four_bar().ode(coordinates="joint")
    >>> ode.names[:3], ode.rhs(ode.t0, ode.y0).shape == ode.y0.shape
    (('A.angle', 'D.angle', 'B.angle'), True)
    """
    model = model_in(mechanism, coordinates, basis)
    definite(coordinates)
    constants = [
        None if one is None else RATE.read(one, "ode", what) for one, what in ((alpha, "alpha"), (beta, "beta"))
    ]
    if constants[0] is None and constants[1] is not None:
        raise DescriptionError(
            message("ode", "got beta= without alpha=, and errors would swing for ever", remedy="give alpha= too")
        )
    given = given_state(start, "start")
    if given is not None:
        nothing_to_choose(near=near)
        state = able_to_move(admitted(model, given, t))
    else:
        state = able_to_move(
            assemble(model, start=start, near=near, t=0.0 if t is None else t, coordinates=coordinates).state
        )
    _refuse_memory(model)
    return Ode(state, pick(model, coordinates, state), *constants)


def _refuse_memory(model: Model) -> None:
    """What changes at accepted steps alone is no function of t and y."""
    laws = [law.element for law in model.laws if law.part.memory]
    others = [type(one).__name__ for one in model.plan("body").memory_slots if one.memory != "turns"]
    if laws or others:
        raise DescriptionError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "has what changes its memory at accepted steps alone, so its motion is no function of t and y: "
                + ", ".join(map(repr, dict.fromkeys([*laws, *others]))),
                remedy="simulate runs it; states of a law (states=) are part of y",
            )
        )


@explained
class Ode(metaclass=Explained):
    """y' = rhs(t, y) of a mechanism; `y0` at `t0`, and `names` of the numbers in y.

    | part of y | in body coordinates | in joint coordinates |
    |---|---|---|
    | positions | mass centre and angle of every body; in space Euler parameters of its principal axes | of the joints |
    | speeds | their rates; in space angular velocity along the principal axes | their rates |
    | work | of drivers, and of forces without a potential | the same |
    | states of laws | as they are called there | the same |

    It comes from `mechanism.ode()`: `state` and `coordinates` say where it begins, `alpha` and `beta` are Baumgarte's
    constants [1/s], or None.

    >>> ode = lw.gallery.pendulum().ode(coordinates="joint", start={"A.angle": "-90 deg"})
    >>> np.round(ode.jacobian(ode.t0, ode.y0), 3).tolist()
    [[0.0, 1.0], [-14.715, 0.0]]
    """

    def __init__(self, state: State, coordinates: str, alpha: float | None = None, beta: float | None = None) -> None:
        model = state.model
        self._system, y, _ = enter(model, coordinates, state)
        self._state, self._memory = state, self._system.memory.copy()
        beta = alpha if beta is None else beta
        self._system.note(at.STABILISE_RATE, 2.0 * (alpha or 0.0))
        self._system.note(at.STABILISE_PLACE, (beta or 0.0) ** 2)
        #: the set of coordinates
        self.coordinates = coordinates
        #: when it begins, and the state there
        self.t0, self.y0 = float(state.t), y.copy()
        #: what the numbers of y are called
        laws = (f"{element}.{name}" for element, _, name in model.law_states)
        self.names = (*self._system.state_names, *(f"{one}.work" for one in model.work_names), *laws)

    def __repr__(self) -> str:
        mechanism = self._state.model.mechanism
        return f"Ode('{mechanism.name}', {self.coordinates} coordinates, {len(self.names)} states, from {self.t0:g} s)"

    def _repr_html_(self) -> str:
        title = f"y' = f(t, y) of {self._state.model.mechanism.name} in {self.coordinates} coordinates"
        return cells.shown(title, cells.table(("y", "at the start"), list(zip(self.names, map(float, self.y0)))))

    def rhs(self, t: float, y: Any) -> np.ndarray:
        """y' at time t [s], a new array."""
        t, y = self._read(t, y)
        found: np.ndarray = self._system.derivative(t, y).copy()
        self._check(t)
        self._system.remember()
        return found

    def project(self, t: float, y: Any) -> np.ndarray:
        """A copy of y on the constraints: positions, then speeds, by the smallest move in the metric of the masses."""
        t, state = self._read(t, y)
        self._system.project(t, state)
        self._check(t)
        if self._system.n_rows and not self._system.w[at.ERROR_POSITION] < MOST_LEFT:
            raise SingularConfigurationError(
                message(
                    "project",
                    f"found no position near y that meets all constraints at t = {t:.6g} s",
                    f"an error of {self._system.w[at.ERROR_POSITION]:.2g}",
                    remedy="project more often, or integrate with shorter steps",
                )
            )
        self._system.remember()
        return state

    def jacobian(self, t: float, y: Any) -> np.ndarray:
        """dy'/dy at time t [s], (states, states), by differences of fourth order: good to about 1e-10 of its size."""
        t, y = self._read(t, y)
        n, memory = y.size, self._system.memory.copy()
        sizes = STEP * np.maximum(np.abs(y), self._sizes())
        states = np.tile(np.concatenate([y, memory]), (4 * n, 1))
        for k, way in enumerate((-2.0, -1.0, 1.0, 2.0)):
            states[k * n : (k + 1) * n, :n] += way * np.diag(sizes)
        slopes = self._system.derivatives(np.full(4 * n, t), states).reshape(4, n, n)
        self._system.memory[:] = memory
        if not np.isfinite(slopes).all():
            self.rhs(t, y)  # tells why, if it can
            raise SingularConfigurationError(message("jacobian", f"is not finite at t = {t:.6g} s"))
        back, before, after, further = slopes
        found: np.ndarray = ((back - further + 8.0 * (after - before)) / (12.0 * sizes[:, None])).T
        return found

    def constraints(self, t: float, y: Any) -> np.ndarray:
        """Errors of all constraints at time t [s], in metres and radians; in joint coordinates of what closes loops."""
        t, y = self._read(t, y)
        self._system.locate(t, y)
        errors: np.ndarray = self._system.phi.copy()
        return errors

    def state(self, t: float, y: Any) -> State:
        """The state of the mechanism that y is: `mechanism.evaluate(state)` reads anything of it by name."""
        t, y = self._read(t, y)
        self._system.locate(t, y)
        self._check(t)
        self._system.remember()
        body = self._system.to_bodies(np.array([t]), np.concatenate([y, self._system.memory])[None, :])[0]
        n = self._state.model.n_y
        return replace(self._state, t=t, y=body[:n].copy(), memory=self._system.memory.copy(), turned=None)

    def _read(self, t: Any, y: Any) -> tuple[float, np.ndarray]:
        """Time and a copy of the state; at t0, full turns are those of the start, later those of the call before."""
        y = np.array(y, dtype=float)
        if y.shape != self.y0.shape:
            raise DescriptionError(
                message("y", "does not fit the mechanism", f"shape {y.shape}", f"shape {self.y0.shape}, as y0")
            )
        t = float(t)
        if t == self.t0:
            self._system.memory[:] = self._memory
        return t, y

    def _check(self, t: float) -> None:
        if self._system.w[at.STATUS] != at.OK:
            raise_status(self._system, t)

    def _sizes(self) -> np.ndarray:
        """What changes of the numbers of y are compared with: lengths, radians, and the same a second."""
        plan, model = self._system.plan, self._state.model
        out = np.ones(self.y0.size)
        turning = plan.table(at.T_TURNING)
        out[: plan.n_q + plan.n_v][turning == 0] = model.length
        return out
