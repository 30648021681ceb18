"""One state seen in joint coordinates: the velocity transformation and what it makes of masses, forces and rows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from linkwork.coordinates import recursion
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.kernels import layout as at
from linkwork.result.result import Result


class JointView:
    """Matrices of the joint coordinates at one state; columns and entries are named by `columns`.

    twists of bodies = B v                      M = B'M_b B         h = B'(h_b - M_b B-dot v)
    rows that close loops:  C = J_b B           M v' = h + C'lam    C v' = loop_rhs
    """

    def __init__(self, state):
        self._state, self._model = state, state.model
        self._system = state.system("joint")
        self._system.keep_turns(state.y)
        self._y = self._system.from_body(state.y, state.memory)
        self._system.derivative(state.t, self._y)
        self._inner = self._system.plan

    @property
    def columns(self) -> list[str]:
        """Names of the joint coordinates: "A.angle", "B.slide", "crank.x" of a body that floats."""
        return [one.name for one in self._system.tree.coordinates]

    @property
    def tree_joints(self) -> list[str]:
        """Joints that carry bodies."""
        return list(self._system.tree.joints)

    @property
    def cut_joints(self) -> list[str]:
        """Joints and couplings that close loops."""
        return list(self._system.tree.cut)

    @property
    def rates(self) -> np.ndarray:
        """Rates of the joint coordinates."""
        return self._y[self._inner.n_q : self._inner.n_q + self._inner.n_v].copy()

    @property
    def values(self) -> np.ndarray:
        """Joint coordinates, an orientation as its four Euler parameters; angles in the turn in which they are read."""
        values = self._y[: self._inner.n_q].copy()
        tree = self._system.tree
        turning = [link for link in tree.links[1:] if link.kind in (at.TURN, at.HELIX)]
        measures = [tree.coordinates[link.first_v].measure for link in turning]
        for link, series in zip(turning, Result.of_state(self._state)._series.measures(measures)):
            values[link.first_q] = series[0]
        return values

    @property
    def accelerations(self) -> np.ndarray:
        """Second rates of the joint coordinates."""
        return self._system.step.copy()

    @cached_property
    def transformation(self) -> np.ndarray:
        """B (velocity coordinates of all bodies, joint coordinates)."""
        return recursion.velocity_transformation(self._system)

    @cached_property
    def bias(self) -> np.ndarray:
        """B-dot v: accelerations of the bodies while the joint rates do not change."""
        return recursion.bias_acceleration(self._system)

    @cached_property
    def mass_matrix(self) -> np.ndarray:
        """M, by composite bodies."""
        return recursion.mass_matrix(self._system)

    @property
    def force(self) -> np.ndarray:
        """h: applied forces and what the speeds need, along the joint coordinates."""
        return -recursion.inverse_dynamics(self._system, np.zeros(self._inner.n_v))

    @property
    def loop_rows(self) -> list[str]:
        """Names of the rows that close loops, drivers included."""
        return [row.name for row in self._inner.rows]

    @cached_property
    def loop_jacobian(self) -> np.ndarray:
        """C (rows that close loops, joint coordinates)."""
        return self._system.body_jacobian() @ self.transformation

    @property
    def loop_rhs(self) -> np.ndarray:
        """Right side of C v' = loop_rhs."""
        return self._system.gamma - self._system.body_jacobian() @ self.bias

    @property
    def loop_error(self) -> np.ndarray:
        """Values of the rows that close loops; zero where they are closed."""
        return self._system.phi.copy()

    @property
    def multipliers(self) -> np.ndarray:
        """Multipliers of the rows that close loops."""
        return self._system.multipliers.copy()

    def reaction(self, item: str) -> np.ndarray:
        """Generalized force of a joint or driver along the joint coordinates; zero for a joint of the tree."""
        if item in self._system.tree.joints:
            return np.zeros(self._inner.n_v)
        rows = [r for r, row in enumerate(self._inner.rows) if row.item == item]
        if not rows:
            known = [*self._system.tree.joints, *dict.fromkeys(row.item for row in self._inner.rows)]
            raise UnknownNameError("joint or driver", item, known, f"in mechanism '{self._model.mechanism.name}'")
        return self.loop_jacobian[rows].T @ self.multipliers[rows]

    def inverse_dynamics(self, accelerations=None) -> np.ndarray:
        """Generalized forces along the joint coordinates that given second rates need, by Newton and Euler.

        `accelerations` are numbers in the order of `columns`, or by name with zero for those left out; without them,
        those that the mechanism has.  Applied forces already act; loops are not closed by anything.
        """
        if accelerations is None:
            change = self.accelerations
        elif isinstance(accelerations, Mapping):
            change = np.zeros(self._inner.n_v)
            for name, value in accelerations.items():
                if name not in self.columns:
                    raise UnknownNameError("joint coordinate", name, self.columns)
                change[self.columns.index(name)] = value
        else:
            change = np.asarray(accelerations, dtype=float)
            if change.shape != (self._inner.n_v,):
                raise DescriptionError(
                    message(
                        "inverse_dynamics",
                        "got the wrong number of accelerations",
                        str(change.shape),
                        f"{self._inner.n_v}, in the order of `columns`",
                    )
                )
        return recursion.inverse_dynamics(self._system, change)

    @cached_property
    def to_absolute(self) -> np.ndarray:
        """A of the plane, where absolute rates = A v: an angle is that of the link against the ground, not its parent.

        The same equations in absolute angles are B A^-1, A^-T M A^-1 and C A^-1.
        """
        if self._model.dimension != 2:
            raise DescriptionError(
                message("Absolute angles", "exist in the plane only", wanted="Mechanism(dimension=2)")
            )
        tree, n_v = self._system.tree, self._inner.n_v
        matrix = np.eye(n_v)
        for k, link in enumerate(tree.links):
            if link.kind == at.TURN:
                matrix[link.first_v] = 0.0
                for one in tree.path(k):
                    if tree.links[one].turn:
                        matrix[link.first_v, tree.links[one].first_v] = tree.links[one].turn
        return matrix
