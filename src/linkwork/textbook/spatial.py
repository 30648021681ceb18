"""The equations of motion of space, dense, in the two forms of D. Negrut's ME751.

r-omega form, unknowns r'', w_bar' and the multipliers of the joints:

    [M,     0,      Phi_r' ] [r''    ]   [F                ]
    [0,     J_bar,  Pi_bar'] [w_bar' ] = [n_bar - ~w J_bar w]
    [Phi_r, Pi_bar, 0      ] [lambda ]   [gamma            ]

r-p form, unknowns r'', p'', the multipliers lambda_p of the normalisations p'p/2 = 1/2, and those of the joints:

    [M,     0,     0,  Phi_r'] [r''     ]   [F      ]
    [0,     J_p,   P', Phi_p'] [p''     ] = [tau_hat]        J_p = 4 G'J_bar G
    [0,     P,     0,  0     ] [lambda_p]   [gamma^p]        tau_hat = 2 G'n_bar + 8 G'(p') J_bar G(p') p
    [Phi_r, Phi_p, 0,  0     ] [lambda  ]   [gamma_p]

Both have the same r'' and lambda, and w_bar' = 2 G p''. The constraint force on a body is -Phi_r'lambda, the torque
in body axes about the mass centre -Pi_bar'lambda. States are taken as given: nothing is corrected unless asked for.
"""

from typing import NamedTuple

import numpy as np

from linkwork.errors import ConvergenceError, message
from linkwork.textbook.linear import solve
from linkwork.textbook.spatial_primitives import Motion, normalisation
from linkwork.textbook.spatial_rotation import G, parameter_torque


class Rows(NamedTuple):
    """All constraints of a system at one state."""

    Phi: np.ndarray
    Phi_r: np.ndarray  # (rows, 3 n)
    Pi_bar: np.ndarray  # (rows, 3 n)
    Phi_p: np.ndarray  # (rows, 4 n)
    nu: np.ndarray
    gamma: np.ndarray  # r-omega form
    gamma_p: np.ndarray  # r-p form


class Accelerations(NamedTuple):
    """r'' and w_bar' (n, 3) and the multipliers of the joints."""

    rdd: np.ndarray
    wd: np.ndarray
    lam: np.ndarray


class ParameterAccelerations(NamedTuple):
    """r'' (n, 3), p'' (n, 4), the multipliers of the joints and those of the normalisations."""

    rdd: np.ndarray
    pdd: np.ndarray
    lam: np.ndarray
    lam_p: np.ndarray


class JointForce(NamedTuple):
    """Force in the world, and moment about a point in the world."""

    force: np.ndarray
    moment: np.ndarray


def primitive_rows(item, x, t):
    """The rows of one primitive."""
    return item.rows(x, t) if hasattr(item, "rows") else [item.row(x, t)]


def rows(model, x, t=0.0):
    """The rows of all joints; the columns of the ground are left out."""
    found = [row for joint in model.joints.values() for item in joint for row in primitive_rows(item, x, t)]
    n, count = len(found), x.count
    Phi_r, Pi_bar, Phi_p = np.zeros((n, count + 1, 3)), np.zeros((n, count + 1, 3)), np.zeros((n, count + 1, 4))
    for k, row in enumerate(found):
        for side, b in enumerate(row.bodies):
            Phi_r[k, b] += row.Phi_r[side]
            Pi_bar[k, b] += row.Pi_bar[side]
            Phi_p[k, b] += row.Phi_p[side]
    flat = (block[:, 1:].reshape(n, count * block.shape[2]) for block in (Phi_r, Pi_bar, Phi_p))
    numbers = ([getattr(row, key) for row in found] for key in ("nu", "gamma", "gamma_p"))
    return Rows(np.array([row.Phi for row in found]), *flat, *map(np.array, numbers))


def loads(model, x, t=0.0):
    """F in the world and n_bar in body axes (n, 3) of all loads, without the gyroscopic part."""
    F, n_bar = np.zeros((x.count + 1, 3)), np.zeros((x.count + 1, 3))
    for load in model.loads:
        for b, force, torque in load.pieces(model, x, t):
            F[b] += force
            n_bar[b] += torque
    return F[1:], n_bar[1:]


def mass_matrix(model):
    """M and J_bar of all bodies on one diagonal (6 n, 6 n): first the translations, then the rotations."""
    n = len(model.bodies)
    M = np.zeros((6 * n, 6 * n))
    for k, body in enumerate(model.bodies):
        M[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = body.m * np.eye(3)
        M[3 * (n + k) : 3 * (n + k) + 3, 3 * (n + k) : 3 * (n + k) + 3] = body.J_bar
    return M


def right_side(model, x, t=0.0):
    """h = [F; n_bar - ~w J_bar w] (6 n)."""
    F, n_bar = loads(model, x, t)
    gyroscopic = [np.cross(w, body.J_bar @ w) for w, body in zip(x.w[1:], model.bodies)]
    return np.r_[F.ravel(), (n_bar - gyroscopic).ravel()]


def r_omega(model, x, t=0.0):
    """Accelerations and multipliers in the r-omega form."""
    q, n = rows(model, x, t), x.count
    J = np.hstack([q.Phi_r, q.Pi_bar])
    solution = _saddle_point(model, t, mass_matrix(model), J, right_side(model, x, t), q.gamma)
    return Accelerations(solution[: 3 * n].reshape(n, 3), solution[3 * n : 6 * n].reshape(n, 3), solution[6 * n :])


def J_p(J_bar, p):
    """4 G'J_bar G, the mass matrix of the Euler parameters (rank 3)."""
    return 4.0 * G(p).T @ J_bar @ G(p)


def tau_hat(J_bar, p, pd, n_bar):
    """2 G'n_bar + 8 G'(p') J_bar G(p') p."""
    return parameter_torque(p, n_bar) + 8.0 * G(pd).T @ J_bar @ G(pd) @ p


def r_p(model, x, t=0.0):
    """Accelerations, multipliers of the joints and of the normalisations in the r-p form."""
    q, n = rows(model, x, t), x.count
    F, n_bar = loads(model, x, t)
    M, P, tau, gamma_P = np.zeros((7 * n, 7 * n)), np.zeros((n, 7 * n)), np.zeros((n, 4)), np.zeros(n)
    for k, body in enumerate(model.bodies):
        p, pd = x.p[k + 1], x.pd[k + 1]
        turn = slice(3 * n + 4 * k, 3 * n + 4 * k + 4)
        M[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = body.m * np.eye(3)
        M[turn, turn] = J_p(body.J_bar, p)
        tau[k] = tau_hat(body.J_bar, p, pd, n_bar[k])
        _, P[k, turn], gamma_P[k] = normalisation(p, pd)
    J = np.vstack([P, np.hstack([q.Phi_r, q.Phi_p])])
    solution = _saddle_point(model, t, M, J, np.r_[F.ravel(), tau.ravel()], np.r_[gamma_P, q.gamma_p])
    rdd, pdd = solution[: 3 * n].reshape(n, 3), solution[3 * n : 7 * n].reshape(n, 4)
    return ParameterAccelerations(rdd, pdd, solution[8 * n :], solution[7 * n : 8 * n])


def null_space(model, x, t=0.0):
    """The r-omega accelerations and multipliers by elimination of the reactions (Vlase).

    Velocities are A q' with A a basis of what the constraints leave, accelerations A q'' + b. Reactions do no work on
    A, so A'M A q'' = A'(h - M b); afterwards they follow from what is missing in Newton's and Euler's equations.
    """
    q, n = rows(model, x, t), x.count
    J = np.hstack([q.Phi_r, q.Pi_bar])
    M, h = mass_matrix(model), right_side(model, x, t)
    _, sizes, V = np.linalg.svd(J)
    rank = int(np.sum(sizes > 1e-10 * sizes[0])) if len(sizes) else 0
    A = V[rank:].T
    b = np.linalg.lstsq(J, q.gamma, rcond=1e-10)[0]
    a = A @ np.linalg.solve(A.T @ M @ A, A.T @ (h - M @ b)) + b
    lam = np.linalg.lstsq(-J.T, M @ a - h, rcond=1e-10)[0]
    return Accelerations(a[: 3 * n].reshape(n, 3), a[3 * n :].reshape(n, 3), lam)


def reaction(model, x, lam, name, body, about=None, t=0.0):
    """Force of a joint on a body and its moment about the point `about` of the body (its mass centre), in the world.

    F = -Phi_r'lambda        n_bar = -Pi_bar'lambda        about P:  n_bar - ~s A'F
    """
    force, n_bar, k = np.zeros(3), np.zeros(3), 0
    for joint, items in model.joints.items():
        for row in (row for item in items for row in primitive_rows(item, x, t)):
            for side, b in enumerate(row.bodies):
                if joint == name and b == body:
                    force -= row.Phi_r[side] * lam[k]
                    n_bar -= row.Pi_bar[side] * lam[k]
            k += 1
    s = np.zeros(3) if about is None else np.asarray(about)
    return JointForce(force, x.A[body] @ n_bar - np.cross(x.A[body] @ s, force))


def energy(model, x):
    """Kinetic and potential energy."""
    pairs = zip(model.bodies, x.rd[1:], x.w[1:])
    T = sum(body.m * rd @ rd + w @ body.J_bar @ w for body, rd, w in pairs) / 2
    return T, float(sum(load.potential(model, x) for load in model.loads))


def momentum(model, x):
    """Momentum, and moment of momentum about the world's origin."""
    P, L = np.zeros(3), np.zeros(3)
    for body, r, A, rd, w in zip(model.bodies, x.r[1:], x.A[1:], x.rd[1:], x.w[1:]):
        P += body.m * rd
        L += np.cross(r, body.m * rd) + A @ body.J_bar @ w
    return P, L


def correct_positions(model, x, t=0.0, tolerance=1e-14, iterations=50):
    """The motion moved onto the constraints by Newton steps of minimum norm in r and rotation."""
    n = x.count
    for _ in range(iterations):
        q = rows(model, x, t)
        step = np.linalg.lstsq(np.hstack([q.Phi_r, q.Pi_bar]), -q.Phi, rcond=1e-10)[0]
        p = np.array([p + 0.5 * G(p).T @ turn for p, turn in zip(x.p[1:], step[3 * n :].reshape(n, 3))])
        p /= np.linalg.norm(p, axis=1)[:, None]
        x = Motion(x.r[1:] + step[: 3 * n].reshape(n, 3), p, x.rd[1:], x.w[1:])
        if np.linalg.norm(step) <= tolerance * max(1.0, np.linalg.norm(x.r)):
            break
    violation = np.max(np.abs(rows(model, x, t).Phi), initial=0.0)
    if violation <= 1e4 * tolerance * max(1.0, np.linalg.norm(x.r)):
        return x
    raise ConvergenceError(
        message(
            f"Model {model.name!r}",
            f"found no position that meets its constraints in {iterations} Newton steps",
            got=f"a violation of {violation:.3g}",
            remedy="Start nearer to an assembled position",
        )
    )


def correct_velocities(model, x, t=0.0):
    """The motion with velocities moved by minimum norm to Phi_r r' + Pi_bar w_bar = nu."""
    q, n = rows(model, x, t), x.count
    J, v = np.hstack([q.Phi_r, q.Pi_bar]), np.r_[x.rd[1:].ravel(), x.w[1:].ravel()]
    v = v + np.linalg.lstsq(J, q.nu - J @ v, rcond=1e-10)[0]
    return Motion(x.r[1:], x.p[1:], v[: 3 * n].reshape(n, 3), v[3 * n :].reshape(n, 3))


def simulate(model, times, x=None, *, form="r-omega", rtol=1e-10, atol=1e-12):
    """Motions at `times`, integrated as they are in either form: only accelerations are enforced."""
    from scipy.integrate import solve_ivp

    x, times = model.start if x is None else x, np.asarray(times, dtype=float)
    n = x.count
    turns = 3 * n if form == "r-omega" else 4 * n  # w_bar or p'

    def motion(u):
        r, p, rd = u[: 3 * n].reshape(n, 3), u[3 * n : 7 * n].reshape(n, 4), u[7 * n : 10 * n].reshape(n, 3)
        rates = u[10 * n :].reshape(n, -1)
        w = rates if form == "r-omega" else np.array([2.0 * G(p_b) @ pd for p_b, pd in zip(p, rates)])
        return Motion(r, p, rd, w)

    def ud(t, u):
        here = motion(u)
        if form == "r-omega":
            rdd, turning, _ = r_omega(model, here, t)
        else:
            rdd, turning, _, _ = r_p(model, here, t)
        return np.r_[u[7 * n : 10 * n], here.pd[1:].ravel(), rdd.ravel(), turning.ravel()]

    start = np.r_[x.r[1:].ravel(), x.p[1:].ravel(), x.rd[1:].ravel()]
    start = np.r_[start, (x.w if turns == 3 * n else x.pd)[1:].ravel()]
    run = solve_ivp(ud, (times[0], times[-1]), start, method="DOP853", t_eval=times, rtol=rtol, atol=atol)
    if not run.success:
        text = message(f"Model {model.name!r}", f"stopped at t = {run.t[-1]}", got=run.message)
        raise ConvergenceError(text, result=run)
    return [motion(u) for u in run.y.T]


def _saddle_point(model, t, M, J, h, gamma):
    """[M, J'; J, 0] [a; lambda] = [h; gamma]."""
    matrix = np.block([[M, J.T], [J, np.zeros((len(J), len(J)))]])
    return solve(matrix, np.r_[h, gamma], model, t, "a system matrix")
