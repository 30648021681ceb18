"""Newton-Raphson and the kinematic analysis of driven mechanisms (Nikravesh, 12.1).

    Phi(q) = 0      q_dr - f(t) = 0
    [D; D_dr] q' = [0; f']      [D; D_dr] q'' = [gamma; f'']                                       (12.2), (12.3)

q may be any coordinates.  The book prints one dot too many on f in both equations.

| argument | meaning |
|---|---|
| loop | function of q: Phi and D |
| gamma | function of q, q': the right side of D q'' = gamma |
| driven | numbers of the driven coordinates, from 0 |
| f | f, f', f'' of each of them, at the time asked for |
"""

from typing import NamedTuple

import numpy as np


class Newton(NamedTuple):
    """Where Newton-Raphson ended: the root, whether it converged, and the table (n, x, f) of 12.1.2.

    Nothing is raised: a start too far away runs out of iterations, or finds another root.
    """

    x: np.ndarray
    converged: bool
    report: list

    def __str__(self):
        lines = [f"{'n':>3}  {'norm of f':>12}  x"]
        lines += [f"{n:>3}  {np.linalg.norm(f):>12.4g}  {np.round(x, 6)}" for n, x, f in self.report]
        return "\n".join([*lines, "converged" if self.converged else "not converged"])


class Kinematics(NamedTuple):
    """Coordinates, velocities and accelerations at one time, and how Newton-Raphson got there."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    newton: Newton


def NR1(f, x, tolerance=1e-4, iterations=15):
    """Root of a scalar function by x - f / f' from an estimate; `f(x)` gives value and derivative."""
    report = []
    for n in range(1, iterations + 1):
        value, slope = f(x)
        report.append((n, x, value))
        if abs(value) <= tolerance:
            return Newton(x, True, report)
        if slope == 0.0:
            break  # a level tangent meets the axis nowhere
        x = x - value / slope
    return Newton(x, False, report)


def NRn(f, x, tolerance=1e-4, iterations=15):
    """The same in n dimensions: D dx = -Phi; `f(x)` gives Phi and D.  Angles are in radians."""
    x, report = np.array(x, dtype=float), []
    for n in range(1, iterations + 1):
        Phi, D = f(x)
        report.append((n, x.copy(), np.array(Phi)))
        if np.linalg.norm(Phi) <= tolerance:
            return Newton(x, True, report)
        try:
            x = x - np.linalg.solve(D, Phi)
        except np.linalg.LinAlgError:
            break
    return Newton(x, False, report)


def AC(loop, gamma, driven, f, q, tolerance=1e-13, iterations=50):
    """Appended constraints: all coordinates are unknown, with a row q_dr - f for each driver (12.1.1)."""
    f, rows = np.reshape(f, (-1, 3)), np.eye(len(q))[list(driven)]

    def appended(q):
        Phi, D = loop(q)
        return np.r_[Phi, rows @ q - f[:, 0]], np.vstack([D, rows])

    newton = NRn(appended, q, tolerance, iterations)
    D = appended(newton.x)[1]
    qd = np.linalg.solve(D, np.r_[np.zeros(len(D) - len(f)), f[:, 1]])
    return Kinematics(newton.x, qd, np.linalg.solve(D, np.r_[gamma(newton.x, qd), f[:, 2]]), newton)


def CP(loop, gamma, driven, f, q, tolerance=1e-13, iterations=50):
    """Coordinate partitioning: driven coordinates are put in, the dependent ones alone are solved for (12.1.1)."""
    f = np.reshape(f, (-1, 3))
    free = np.setdiff1d(np.arange(len(q)), driven)
    whole = np.array(q, dtype=float)
    whole[list(driven)] = f[:, 0]

    def put_in(dependent, rest=whole):
        found = rest.copy()
        found[free] = dependent
        return found

    def partitioned(dependent):
        Phi, D = loop(put_in(dependent))
        return Phi, D[:, free]

    newton = NRn(partitioned, whole[free], tolerance, iterations)
    q = put_in(newton.x)
    D = loop(q)[1]
    levels = []
    for right, known in ((np.zeros(len(D)), f[:, 1]), (None, f[:, 2])):
        level = np.zeros(len(q))
        level[list(driven)] = known
        right = gamma(q, levels[0]) if right is None else right
        level[free] = np.linalg.solve(D[:, free], right - D[:, list(driven)] @ known)
        levels.append(level)
    return Kinematics(q, *levels, newton)
