"""Bodies, loads and joints of a spatial system in the words of the books: `SpaceModel`.

Bodies are numbered from 1, 0 is the ground; the origin of a body is its mass centre. Loads give pieces
(body, force in the world, torque in body axes about the mass centre):

    F = sum F_U        n_bar = sum ~s_U A'F_U + sum n_bar_V        weight: m g, no torque
"""

from dataclasses import dataclass, field

import numpy as np

from linkwork.textbook.spatial_primitives import Motion, settled


@dataclass(frozen=True)
class SpaceBody:
    """Mass, inertia (three principal values or 3 x 3, about the mass centre in body axes), and the start."""

    m: float
    J: object
    r: object = (0.0, 0.0, 0.0)
    p: object = (1.0, 0.0, 0.0, 0.0)
    rd: object = (0.0, 0.0, 0.0)
    w: object = (0.0, 0.0, 0.0)  # in body axes

    @property
    def J_bar(self):
        """The inertia as a matrix."""
        J = np.asarray(self.J, dtype=float)
        return np.diag(J) if J.ndim == 1 else J


@dataclass(frozen=True)
class Weight:
    """The weight of every body, or of the listed ones."""

    g: object = (0.0, 0.0, -9.81)
    bodies: object = None

    def _numbers(self, model):
        return range(1, len(model.bodies) + 1) if self.bodies is None else self.bodies

    def pieces(self, model, x, t):
        """m g at each mass centre."""
        return [(b, model.bodies[b - 1].m * np.asarray(self.g, dtype=float), np.zeros(3)) for b in self._numbers(model)]

    def potential(self, model, x):
        """-m g'r."""
        return -sum(model.bodies[b - 1].m * np.asarray(self.g) @ x.r[b] for b in self._numbers(model))


@dataclass(frozen=True)
class ForceAt:
    """A force with world components at the point s of body i."""

    i: int
    s: object
    F: object

    def pieces(self, model, x, t):
        """F, and ~s A'F."""
        F = np.asarray(self.F, dtype=float)
        return [(self.i, F, np.cross(self.s, x.A[self.i].T @ F))]

    def potential(self, model, x):
        """-F'r_P of the constant force."""
        return -np.asarray(self.F, dtype=float) @ x.point(self.i, self.s)


@dataclass(frozen=True)
class TorqueOn:
    """A torque with body components on body i."""

    i: int
    n_bar: object

    def pieces(self, model, x, t):
        """n_bar."""
        return [(self.i, np.zeros(3), np.asarray(self.n_bar, dtype=float))]

    def potential(self, model, x):
        """It has none."""
        return 0.0


@dataclass(frozen=True)
class Strut:
    """Spring, damper and actuator between s_i of body i and s_j of body j: tension k (l - l0) + c l' + f."""

    i: int
    j: int
    s_i: object
    s_j: object
    k: float = 0.0
    l0: float = 0.0
    c: float = 0.0
    f: object = 0.0

    def line(self, x):
        """Length, its rate and the unit vector from i to j."""
        d = x.point(self.j, self.s_j) - x.point(self.i, self.s_i)
        length = np.linalg.norm(d)
        u = d / length
        return length, u @ (x.point_velocity(self.j, self.s_j) - x.point_velocity(self.i, self.s_i)), u

    def pieces(self, model, x, t):
        """The tension pulls i towards j and j towards i."""
        length, rate, u = self.line(x)
        F = (self.k * (length - self.l0) + self.c * rate + settled(self.f, t)[0]) * u
        return ForceAt(self.i, self.s_i, F).pieces(model, x, t) + ForceAt(self.j, self.s_j, -F).pieces(model, x, t)

    def potential(self, model, x):
        """k (l - l0)^2 / 2."""
        return self.k * (self.line(x)[0] - self.l0) ** 2 / 2


@dataclass(frozen=True)
class SpaceModel:
    """A spatial system: bodies, joints by name (each a sequence of primitives), loads."""

    bodies: tuple
    joints: dict = field(default_factory=dict)
    loads: tuple = ()
    name: str = ""

    @property
    def start(self):
        """The motion that the bodies list."""
        return Motion(*([getattr(b, key) for b in self.bodies] for key in ("r", "p", "rd", "w")))
