"""Everything at one state, by name."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arguments import explained, mirrored
from linkwork.errors import OutOfPlaneError, message
from linkwork.kernels import layout as at
from linkwork.result.free_body import FreeBody
from linkwork.result.known import ENERGIES
from linkwork.result.motion_parts import MotionParts
from linkwork.result.result import Result
from linkwork.result.violation import Violation, violation_of
from linkwork.rotation import in_plane

if TYPE_CHECKING:
    from linkwork.result.reactions import Reaction
    from linkwork.result.state import State
    from linkwork.view.drawing import draw_state as _draw
    from linkwork.view.notebook import evaluation_html as _html


@explained
class Evaluation:
    """One state: `ev["crank.x.acceleration"]`, `ev.jacobian`, `ev.reaction("A")`, ...  Rows are named by `rows`."""

    def __init__(self, state: State, coordinates: str, notes: tuple[str, ...] = ()):
        self.state = state
        self.notes = notes  # where the state comes from, one sentence each; `print` shows them
        self._result = Result.of_state(state, coordinates)
        self._model = state.model

    def __getitem__(self, name: str) -> Any:
        """A number; of a vector, its components."""
        return self._result.first(name)

    def _ipython_key_completions_(self) -> list[str]:
        return self._result._ipython_key_completions_()

    @property
    def names(self) -> list[str]:
        """Every name that can be asked for."""
        return self._result.names

    @property
    def rows(self) -> list[str]:
        """Names of the constraint rows."""
        return self._result.rows

    @property
    def columns(self) -> list[str]:
        """Names of the velocity coordinates."""
        return self._result.columns

    def _row_section(self, key) -> np.ndarray:
        return self._result._series.section(key, located=True)[0].copy()

    @property
    def constraint_error(self) -> np.ndarray:
        """Values of the constraints."""
        return self._row_section(at.W_PHI)

    @property
    def velocity_rhs(self) -> np.ndarray:
        """nu, of J v = nu."""
        return self._row_section(at.W_NU)

    @property
    def velocity_error(self) -> np.ndarray:
        """J v - nu."""
        return self.jacobian @ self.velocities - self.velocity_rhs

    @cached_property
    def violated(self) -> Violation:
        """Rows that the state does not meet: `.positions` and `.velocities` by name; false where all are met."""
        return violation_of(self.state)

    @property
    def acceleration_rhs(self) -> np.ndarray:
        """gamma, of J a = gamma."""
        return self._row_section(at.W_GAMMA)

    @property
    def multipliers(self) -> np.ndarray:
        """Multipliers of the rows: M a = h + J' lam."""
        return self._result.multipliers[0]

    @property
    def jacobian(self) -> np.ndarray:
        """(rows, columns)."""
        return self._result.jacobian[0]

    @property
    def velocities(self) -> np.ndarray:
        """Velocity coordinates, by `columns`."""
        m = self._model
        return self.state.y[m.n_q : m.n_q + m.n_v][self._result._columns]

    @property
    def accelerations(self) -> np.ndarray:
        """Accelerations, by `columns`."""
        return self._result._series.accelerations[0][self._result._columns]

    @property
    def mass_matrix(self) -> np.ndarray:
        """M, by `columns` (about the mass centres)."""
        return np.diag(self._model.masses[self._result._columns])

    def mass_matrix_about_frames(self) -> np.ndarray:
        """M of the velocities of the users' body frames, whose origins need not be mass centres (plane only).

        For a frame with the mass centre at s:  [m I, m rot(s); m rot(s)', J + m s's].
        """
        if self._model.dimension != 2:
            raise OutOfPlaneError(
                message(
                    "mass_matrix_about_frames",
                    "exists in the plane only",
                    remedy="for the mass centres there is mass_matrix, in both",
                )
            )
        blocks = []
        for k, body in enumerate(self._model.bodies):
            x, y = in_plane(self.state.y[3 * k + 2], *body.center[:2])
            shift = np.array([[1.0, 0.0, -y], [0.0, 1.0, x], [0.0, 0.0, 1.0]])
            mass = np.diag([body.mass, body.mass, body.inertia[0]])
            blocks.append(shift.T @ mass @ shift)
        out = np.zeros((3 * len(blocks), 3 * len(blocks)))
        for k, block in enumerate(blocks):
            out[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = block
        return out[np.ix_(self._result._columns, self._result._columns)]

    def applied_force(self, body: str) -> np.ndarray:
        """Applied force and moment about the mass centre."""
        return self._result.applied_force(body)[0]

    def orientation(self, body: str):
        """How a body is turned: `.quaternion`, `.matrix`, `.angles("XYZ")` and the other forms."""
        return self._result.orientation(body)[0]

    def angular_velocity(self, body: str, axes: str = "body") -> np.ndarray:
        """Angular velocity along the axes of the body, or along those of the "world"."""
        return self._result.angular_velocity(body, axes)[0]

    def angular_acceleration(self, body: str, axes: str = "body") -> np.ndarray:
        """Rate of the angular velocity, along the axes of the body or along those of the "world"."""
        return self._result.angular_acceleration(body, axes)[0]

    def reaction(self, joint: str, on: str | None = None, axes: str = "world") -> Reaction:
        """Force and moment of a joint on its `to` body (or the body `on`), at the joint."""
        return self._result.reaction(joint, on, axes).at(0)

    def free_body(self, body: str) -> FreeBody:
        """All loads on a body, its inertia among them, as a table that closes; see `Result.free_body`."""
        return self._result.free_body(body)

    def motion_parts(self, point: Any, on: str | None = None, base: Any = None) -> MotionParts:
        """Velocity and acceleration of a point in parts; see `Result.motion_parts`."""
        return self._result.motion_parts(point, on, base).at(0)

    @cached_property
    def joint(self):
        """The same state in joint coordinates: B, M, h, C and the generalized forces of reactions."""
        from linkwork.result.joint_view import JointView

        return JointView(self.state)

    @property
    def energy(self):
        """Energies at this state."""
        return _Energies(self._result.energy)

    if TYPE_CHECKING:
        draw = _draw
        _repr_html_ = _html
    else:
        draw = mirrored("linkwork.view.drawing", "draw_state")
        _repr_html_ = mirrored("linkwork.view.notebook", "evaluation_html")

    def __repr__(self) -> str:
        return f"<evaluation of '{self._model.mechanism.name}' at t = {self.state.t:g} s>"

    def __str__(self) -> str:
        off = f": violates {self.violated}" if self.violated else ""
        lines = [f"State of '{self._model.mechanism.name}' at t = {self.state.t:g} s{off}"]
        lines += [
            f"  {name:<24}{self[name]:14.6g}{self[name + '.rate']:14.6g}{self[name + '.acceleration']:14.6g}"
            for name in self.columns
            if name in self.names
        ]
        lines[1:1] = [*(f"  {note}" for note in self.notes), f"  {'':<24}{'value':>14}{'rate':>14}{'acceleration':>14}"]
        if self.rows:
            lines.append(f"  {'constraint':<24}{'error':>14}{'multiplier':>14}")
            lines += [
                f"  {name:<24}{error:14.3g}{force:14.6g}"
                for name, error, force in zip(self.rows, self.constraint_error, self.multipliers, strict=True)
            ]
        return "\n".join(lines)


class _Energies:
    """The ledger at one state."""

    def __init__(self, energy):
        self._energy = energy

    def __getattr__(self, key: str) -> float:
        if key not in (*ENERGIES, "gravity"):
            raise AttributeError(key)
        return float(getattr(self._energy, key)[0])
