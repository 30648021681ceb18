"""The equations of motion in planar body coordinates (Nikravesh, chapters 7, 8 and 14), dense and as printed.

    Phi(c, t) = 0      D c' = nu      D c'' = gamma      M c'' = h + D' lambda

c holds x, y, phi of each body in turn, cd its rates. States are taken as given: nothing is corrected unless
asked for.
"""

from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ConvergenceError, message
from linkwork.textbook.linear import solve
from linkwork.textbook.planar_forces import force_pieces, potential
from linkwork.textbook.planar_joints import joint_rows
from linkwork.textbook.planar_kinematics import Motion


class Energy(NamedTuple):
    """Kinetic, potential and total energy."""

    kinetic: float
    potential: float
    total: float


def constraints(model, t, c):
    """Phi(c, t), the violation of every constraint (7.1)."""
    return _stack([q.Phi for q in _rows(model, t, c)])


def jacobian(model, t, c):
    """D, the Jacobian of the system (7.2.9); the columns of the ground are left out."""
    parts = _rows(model, t, c)
    D = np.zeros((sum(len(q.Phi) for q in parts), 3 * len(model.bodies)))
    row = 0
    for q in parts:
        n = len(q.Phi)
        for b, D_b in q.D:
            if b > 0:
                D[row : row + n, 3 * b - 3 : 3 * b] += D_b
        row += n
    return D


def velocity_rhs(model, t, c):
    """nu of D c' = nu: the rates of the drivers, zero elsewhere (7.44, 7.46)."""
    return _stack([q.nu for q in _rows(model, t, c)])


def gamma(model, t, c, cd):
    """gamma of D c'' = gamma (7.6)."""
    return _stack([q.gamma for q in _rows(model, t, c, cd)])


def row_slices(model, t=0.0, c=None):
    """Rows of every joint by its name (or its number from 1 where it has none): {"A": slice(0, 2), ...}.

    Joints that follow each other under one name count as one.
    """
    slices, row = {}, 0
    parts = _rows(model, t, model.c if c is None else c)
    for number, (joint, q) in enumerate(zip(model.joints, parts), start=1):
        key, end = joint.name or number, row + len(q.Phi)
        slices[key] = slice(slices[key].start if key in slices else row, end)
        row = end
    return slices


def force_array(model, t, c, cd):
    """h, the applied forces and moments about the mass centres (6.3)."""
    h, x = np.zeros(3 * len(model.bodies)), Motion(model, c, cd)
    for q in model.forces:
        if q.type == "user":
            h += q.law(t, model, np.asarray(c), np.asarray(cd))
            continue
        for b, force, moment in force_pieces(x, q, t):
            if b > 0:
                h[3 * b - 3 : 3 * b] += (*force, moment)
    return h


def augmented(model: Any, t: float, c: Any, cd: Any) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations and multipliers from [M, -D'; D, 0] [c''; lambda] = [h; gamma] (7.56)."""
    D, M = jacobian(model, t, c), model.M
    n, m = len(M), len(D)
    matrix = np.block([[M, -D.T], [D, np.zeros((m, m))]])
    right = np.r_[force_array(model, t, c, cd), gamma(model, t, c, cd)]
    solution = solve(matrix, right, model, t, "an augmented matrix")
    return solution[:n], solution[n:]


def reactions(model, t, c, lam):
    """D' lambda by joint and body: {joint: {body: (force x, y, moment about the mass centre)}} (7.54)."""
    result, row = {}, 0
    for number, (joint, q) in enumerate(zip(model.joints, _rows(model, t, c)), start=1):
        here, of_joint = np.asarray(lam)[row : row + len(q.Phi)], result.setdefault(joint.name or number, {})
        for b, D_b in q.D:
            if b > 0:
                of_joint[b] = of_joint.get(b, 0.0) + D_b.T @ here
        row += len(q.Phi)
    return result


def correct_positions(model, t, c, tolerance=1e-13, iterations=50):
    """The coordinates after Newton steps of minimum norm, D' (D D')^-1 Phi, undamped (14.7)."""
    c = np.array(c, dtype=float)
    for _ in range(iterations):
        D, Phi = jacobian(model, t, c), constraints(model, t, c)
        step = np.linalg.lstsq(D, -Phi, rcond=None)[0] if len(Phi) else np.zeros_like(c)
        c += step
        if np.linalg.norm(step) <= tolerance * max(1.0, np.linalg.norm(c)):
            break
    violation = np.max(np.abs(constraints(model, t, c)), initial=0.0)
    if violation <= 1e4 * tolerance * max(1.0, np.linalg.norm(c)):
        return c
    raise ConvergenceError(
        message(
            f"Model {model.name!r}",
            f"found no position that meets its constraints in {iterations} Newton steps",
            got=f"a violation of {violation:.3g}",
            remedy="Start nearer to an assembled position",
        )
    )


def correct_velocities(model, t, c, cd):
    """The velocities after one step of minimum norm to D c' = nu (14.9)."""
    cd, D = np.array(cd, dtype=float), jacobian(model, t, c)
    if len(D) == 0:
        return cd
    return cd + np.linalg.lstsq(D, velocity_rhs(model, t, c) - D @ cd, rcond=None)[0]


def energy(model, t, c, cd):
    """Kinetic energy c' M c' / 2 (7.65), potential energy of weights and springs, and their sum (7.67)."""
    cd, x = np.asarray(cd, dtype=float), Motion(model, c, cd)
    T = 0.5 * cd @ model.M @ cd
    V = float(sum(potential(x, q) for q in model.forces))
    return Energy(T, V, T + V)


def simulate(model, times, c=None, cd=None, *, rtol=1e-10, atol=1e-12, method="DOP853"):
    """Coordinates and velocities at `times` from the augmented equations, integrated as they are.

    Only accelerations are enforced: violations of the start stay and grow, and a driver's rate is never
    imposed (exercise 8.7). The start at times[0] is the model's own unless given. Returns c and cd, one row a
    time.
    """
    from scipy.integrate import solve_ivp

    times, n = np.asarray(times, dtype=float), 3 * len(model.bodies)
    u0 = np.r_[model.c if c is None else c, model.cd if cd is None else cd]

    def ud(t, u):
        return np.r_[u[n:], augmented(model, t, u[:n], u[n:])[0]]

    run = solve_ivp(ud, (times[0], times[-1]), u0, method=method, t_eval=times, rtol=rtol, atol=atol)
    if not run.success:
        text = message(f"Model {model.name!r}", f"stopped at t = {run.t[-1]}", got=run.message)
        raise ConvergenceError(text, result=run)
    return run.y[:n].T, run.y[n:].T


def static_equilibrium(model, c, t=0.0, tolerance=1e-12):
    """Coordinates and multipliers at rest, h + D' lambda = 0 with Phi = 0, near c (14.4)."""
    from scipy.optimize import root

    n, rest = 3 * len(model.bodies), np.zeros(3 * len(model.bodies))

    def residual(y):
        q, lam = y[:n], y[n:]
        return np.r_[force_array(model, t, q, rest) + jacobian(model, t, q).T @ lam, constraints(model, t, q)]

    c = np.asarray(c, dtype=float)
    lam = np.linalg.lstsq(jacobian(model, t, c).T, -force_array(model, t, c, rest), rcond=None)[0]
    found = root(residual, np.r_[c, lam], method="hybr", options={"xtol": tolerance})
    if not found.success:
        text = message(f"Model {model.name!r}", "has no equilibrium found near the start", got=found.message)
        raise ConvergenceError(text)
    return found.x[:n], found.x[n:]


def _rows(model, t, c, cd=None):
    x = Motion(model, c, cd)
    return [joint_rows(x, q, t) for q in model.joints]


def _stack(parts):
    return np.concatenate(parts) if parts else np.zeros(0)
