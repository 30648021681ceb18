"""Forward dynamics and how constraints are kept on the way (Nikravesh, 13.1 to 13.3; augmented Lagrangian after Bayo).

    standard               [M -D'; D 0] [q''; lambda] = [h; gamma]                                          (13.23)
    stabilisation          gamma - 2 alpha Phi' - beta^2 Phi in place of gamma                              (13.32)
    penalty                (M + m D'D) q'' = h - m D' (-gamma + 2 zeta omega Phi' + omega^2 Phi)            (13.40)
    augmented Lagrangian   the same with D' lambda on the right, and lambda -= m (Phi'' + ...) again and again
    partitioning           q_i are integrated, Phi = 0 gives q_d, D_d q_d' = nu - D_i q_i' the velocities   (13.34)
    momentum               u = [q; p], p = M q', and [M -D'; D 0] [q'; sigma] = [p; nu] gives velocities    (13.44)

    symbol  meaning                                              shape
    M       masses of the coordinates q, constant                n, n
    h       applied forces                                       n
    Phi, D  constraints and their Jacobian                       m; m, n
    nu      right side of D q' = nu; Phi' is D q' - nu           m
    gamma   right side of D q'' = gamma                          m

The signs of lambda are those of the book, M q'' = h + D' lambda.  Eq. (13.46) prints p' = M c', which is M c''; and the
listing of example 13.8 uses velocities before it has solved for them.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ConvergenceError, message
from linkwork.textbook import planar
from linkwork.textbook.elimination import independent_variables

#: another choice of coordinates is taken where the smallest pivot of D_d falls below this part of that of the best one
SWITCH = 0.1


class Equations(NamedTuple):
    """A system as functions of t, q and q': what all methods here ask for."""

    M: np.ndarray
    h: Callable  # of t, q, q'
    Phi: Callable  # of t, q
    D: Callable  # of t, q
    gamma: Callable  # of t, q, q'
    nu: Callable = lambda t, q: 0.0  # of t, q

    @classmethod
    def of(cls, model):
        """Those of a model in body coordinates."""
        return cls(
            model.M,
            lambda t, c, cd: planar.force_array(model, t, c, cd),
            lambda t, c: planar.constraints(model, t, c),
            lambda t, c: planar.jacobian(model, t, c),
            lambda t, c, cd: planar.gamma(model, t, c, cd),
            lambda t, c: planar.velocity_rhs(model, t, c),
        )


def violation(e, t, q, qd):
    """Phi and Phi' (13.29), (13.30)."""
    return np.asarray(e.Phi(t, q)), e.D(t, q) @ qd - e.nu(t, q)


def _saddle(M, D, upper, lower):
    """x and y of [M -D'; D 0] [x; y] = [upper; lower]."""
    matrix = np.block([[M, -D.T], [D, np.zeros((len(D), len(D)))]])
    found = np.linalg.solve(matrix, np.r_[upper, lower])
    return found[: len(M)], found[len(M) :]


# -- accelerations -----------------------------------------------------------------------------------------------------
def standard(e, t, q, qd):
    """q'' and lambda (13.23): only accelerations are held, errors of position grow with t."""
    return _saddle(e.M, e.D(t, q), e.h(t, q, qd), e.gamma(t, q, qd))


def baumgarte(e, t, q, qd, alpha, beta):
    """q'' and lambda with feedback of the violations (13.32); alpha = beta is critical damping."""
    Phi, Phid = violation(e, t, q, qd)
    return _saddle(e.M, e.D(t, q), e.h(t, q, qd), e.gamma(t, q, qd) - 2.0 * alpha * Phid - beta**2 * Phi)


def penalty(e, t, q, qd, m, zeta, omega):
    """q'' and lambda where springs, dampers and masses stand in for the constraints (13.40), (13.37).

    Rows may be redundant.  m of some thousand times the largest mass; omega of the fastest frequency or above.
    """
    D, gamma = e.D(t, q), e.gamma(t, q, qd)
    Phi, Phid = violation(e, t, q, qd)
    pull = 2.0 * zeta * omega * Phid + omega**2 * Phi
    qdd = np.linalg.solve(e.M + m * D.T @ D, e.h(t, q, qd) - m * D.T @ (pull - gamma))
    return qdd, -m * (D @ qdd - gamma + pull)


def augmented_lagrangian(e, t, q, qd, m, zeta, omega, tolerance=1e-12, iterations=50):
    """q'' and lambda by penalties whose multipliers are found by iteration, so that m need not be large.

        lambda_0 = 0      (M + m D'D) q''_k = h + D' (lambda_k - m (pull - gamma))
        lambda_k+1 = lambda_k - m (D q''_k - gamma + pull)          pull = 2 zeta omega Phi' + omega^2 Phi

    It ends where D q'' = gamma - pull: stabilisation with alpha = zeta omega and beta = omega, redundant rows or not.
    """
    D, gamma = e.D(t, q), e.gamma(t, q, qd)
    Phi, Phid = violation(e, t, q, qd)
    wanted = gamma - 2.0 * zeta * omega * Phid - omega**2 * Phi
    matrix, h, lam = e.M + m * D.T @ D, e.h(t, q, qd), np.zeros(len(D))
    for _ in range(iterations):
        qdd = np.linalg.solve(matrix, h + D.T @ (lam + m * wanted))
        off = D @ qdd - wanted
        lam = lam - m * off
        if np.linalg.norm(off) <= tolerance * max(1.0, np.linalg.norm(wanted), np.linalg.norm(qdd)):
            return qdd, lam
    raise ConvergenceError(
        message(
            "The augmented Lagrangian",
            f"has not settled after {iterations} iterations",
            got=f"accelerations of the constraints off by {np.linalg.norm(off):.3g}",
            remedy="a larger m",
        )
    )


# -- integration -------------------------------------------------------------------------------------------------------
def RK4(fun, tspan, u):
    """States at the times `tspan`, one step from each to the next (13.5) to (13.7)."""
    out = [np.array(u, dtype=float)]
    for t, dt in zip(tspan[:-1], np.diff(tspan)):
        f1 = fun(t, out[-1])
        f2 = fun(t + dt / 2, out[-1] + dt / 2 * f1)
        f3 = fun(t + dt / 2, out[-1] + dt / 2 * f2)
        f4 = fun(t + dt, out[-1] + dt * f3)
        out.append(out[-1] + dt / 6 * (f1 + 2 * f2 + 2 * f3 + f4))
    return np.array(out)


def ode45(fun, tspan, u, rtol=1e-3, atol=1e-6, method="RK45"):
    """The same by a method that chooses its steps; the tolerances are the usual ones of the program of that name."""
    from scipy.integrate import solve_ivp

    run = solve_ivp(fun, (tspan[0], tspan[-1]), u, method=method, t_eval=tspan, rtol=rtol, atol=atol)
    if not run.success:
        raise ConvergenceError(message("ode45", f"stopped at t = {run.t[-1]:g}", got=run.message), result=run)
    return run.y.T


def rates(accelerations, e, **constants):
    """u' of u = [q; q'] as a function of t and u, with the accelerations of one of the methods above (13.24)."""

    def ud(t, u):
        q, qd = np.split(u, 2)
        return np.r_[qd, accelerations(e, t, q, qd, **constants)[0]]

    return ud


def momentum(e):
    """u' of u = [q; p], p = M q' (13.42) to (13.47): velocities meet their constraints, positions drift."""

    def ud(t, u):
        q, p = np.split(u, 2)
        qd = velocities(e, t, q, p)
        return np.r_[qd, e.M @ standard(e, t, q, qd)[0]]

    return ud


def velocities(e, t, q, p):
    """q' of the momenta p, on the velocity constraints (13.44)."""
    return _saddle(e.M, e.D(t, q), p, np.zeros(len(e.D(t, q))) + e.nu(t, q))[0]


# -- coordinate partitioning -------------------------------------------------------------------------------------------
class Partitioned(NamedTuple):
    """Coordinates and velocities by time, the choices of independent coordinates, and evaluations of u'."""

    q: np.ndarray
    qd: np.ndarray
    choices: list[tuple[float, tuple[int, ...]]]  # from which time on, numbers of the coordinates from 0
    evaluations: int


def choose(D):
    """Numbers of the independent coordinates: those that are left over in the pivoted L-U of D' (appendix A)."""
    return tuple(sorted(int(k) for k in independent_variables(D)))


def pivot(D, chosen):
    """How well the constraints can be solved for all other coordinates: the smallest singular value of D_d."""
    dependent = np.setdiff1d(np.arange(D.shape[1]), chosen)
    return float(np.linalg.svd(D[:, dependent], compute_uv=False).min(initial=np.inf))


def dependents(e, t, q, chosen, tolerance=1e-13, iterations=20):
    """q with the coordinates `chosen` as they are and the others from Phi = 0, by Newton-Raphson (13.35)."""
    q, d = np.array(q, dtype=float), np.setdiff1d(np.arange(len(q)), chosen)
    for _ in range(iterations):
        Phi = np.asarray(e.Phi(t, q))
        if np.linalg.norm(Phi) <= tolerance * max(1.0, np.linalg.norm(q)):
            return q
        q[d] -= np.linalg.solve(e.D(t, q)[:, d], Phi)
    raise ConvergenceError(
        message(
            "Coordinate partitioning",
            f"cannot solve for the dependent coordinates at t = {t:.6g}",
            got=f"a violation of {np.linalg.norm(Phi):.3g} with the independent coordinates {chosen}",
            remedy="other independent coordinates: with chosen=None they are chosen, and exchanged on the way",
        )
    )


def dependent_velocities(e, t, q, qd, chosen):
    """q' with the velocities `chosen` as they are and the others from D_d q_d' = nu - D_i q_i' (13.36)."""
    qd, d = np.array(qd, dtype=float), np.setdiff1d(np.arange(len(q)), chosen)
    D = e.D(t, q)
    qd[d] = np.linalg.solve(D[:, d], e.nu(t, q) - D[:, list(chosen)] @ qd[list(chosen)])
    return qd


def partitioned(e, times, q, qd, chosen=None, rtol=1e-8, atol=1e-10):
    """The motion by its independent coordinates alone; Phi and Phi' vanish at all times.

    Without `chosen`, they are chosen by the Jacobian, and exchanged after a step where another choice is better by far.
    """
    from scipy.integrate import DOP853

    t, end, fixed = float(times[0]), float(times[-1]), chosen is not None
    chosen = tuple(chosen) if fixed else choose(e.D(t, q))
    last: Any = dependents(e, t, q, chosen)  # where Newton-Raphson begins

    def whole(t, u):
        i = list(chosen)
        q, qd = last.copy(), np.zeros(len(last))
        q[i], qd[i] = np.split(u, 2)
        q = dependents(e, t, q, chosen)
        return q, dependent_velocities(e, t, q, qd, chosen)

    def ud(t, u):
        q, qd = whole(t, u)
        return np.r_[qd[list(chosen)], standard(e, t, q, qd)[0][list(chosen)]]

    def begin(t, q, qd):
        return DOP853(ud, t, np.r_[q[list(chosen)], qd[list(chosen)]], end, rtol=rtol, atol=atol)

    solver, found, choices, evaluations = begin(t, last, qd), [], [(t, chosen)], 0
    times = list(times)
    while times:
        if times[0] > solver.t:
            text = solver.step()
            if solver.status == "failed":
                raise ConvergenceError(message("Coordinate partitioning", f"stopped at t = {solver.t:g}", got=text))
        inside = solver.dense_output() if solver.t_old is not None else None
        while times and times[0] <= solver.t:
            at = times.pop(0)
            found.append(whole(at, solver.y if inside is None or at == solver.t else inside(at)))
        last, speeds = whole(solver.t, solver.y)
        best = choose(e.D(solver.t, last)) if not fixed else chosen
        if times and pivot(e.D(solver.t, last), chosen) < SWITCH * pivot(e.D(solver.t, last), best):
            evaluations += solver.nfev
            chosen = best
            choices.append((solver.t, chosen))
            solver = begin(solver.t, last, speeds)
    return Partitioned(*map(np.array, zip(*found)), choices, evaluations + solver.nfev)
