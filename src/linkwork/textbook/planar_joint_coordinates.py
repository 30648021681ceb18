"""The equations of motion in planar joint coordinates (Nikravesh, chapter 9), dense and as printed.

    c = c(theta)      c' = B theta'      c'' = B theta'' + B' theta'                       (9.16) to (9.18)
    M_j theta'' = h_j + C' lambda        M_j = B'M B        h_j = B'(h - M Bdot theta')    (9.22) to (9.24), (9.33)
    C theta'' = -Cdot theta'             C = *D B           -Cdot theta' = *gamma - *D Bdot theta'   (9.28) to (9.31)

Here B' before M and h is the transpose, Bdot the rate. c holds x, y, phi of the mass centres as in body coordinates;
*D and *gamma are the body-coordinate rows of the cut joints. Drivers of joint coordinates follow them (9.3.6).
States are taken as given: nothing is corrected unless asked for.
"""

from typing import NamedTuple

import numpy as np

from linkwork.errors import ConvergenceError, message
from linkwork.textbook.planar import constraints, force_array, gamma, jacobian, row_slices, velocity_rhs
from linkwork.textbook.planar_kinematics import A, Ends, Motion, rot


class JointReaction(NamedTuple):
    """The reaction of one joint in both readings of 9.3.5.

    `bodies`: D' lambda, {body: (force x, y, moment about the mass centre)}; `coordinates`: C' lambda, the force or
    moment on every joint coordinate (zero for a joint of the tree).
    """

    bodies: dict
    coordinates: np.ndarray


# Kinematics


def body_coordinates(model, theta):
    """c(theta), from the ground to the leaves (9.1), (9.3), (9.12)."""
    theta, c = np.asarray(theta, dtype=float), np.zeros((len(model.book.bodies) + 1, 3))
    for q in model.joints:
        turn, e = q.motion(theta[q.place])
        i, j = q.child, q.parent  # the book's i and i-
        s_i, s_j = (q.to[1], q.on[1]) if q.sign > 0 else (q.on[1], q.to[1])
        c[i, 2] = theta[q.first] if q.absolute else c[j, 2] + q.sign * turn
        c[i, :2] = c[j, :2] + A(c[j, 2]) @ s_j + q.sign * A(c[q.on[0], 2]) @ e - A(c[i, 2]) @ s_i
    return c[1:].ravel()


def joint_coordinates(model, c):
    """theta read from body coordinates that meet the joints of the tree."""
    x, theta = Motion(model.book, c), np.zeros(len(model.names))
    for q in model.joints:
        (on, s_on), (to, s_to) = q.on, q.to
        e = x.r[to] + A(x.phi[to]) @ s_to - x.r[on] - A(x.phi[on]) @ s_on
        theta[q.place] = q.read(x.phi[to] - x.phi[on], A(x.phi[on]).T @ e)
        if q.absolute:
            theta[q.first] = x.phi[q.child]
    return theta


def joint_rates(model, c, cd):
    """theta' from body velocities: the least-squares solution of B theta' = c' (9.17)."""
    return np.linalg.lstsq(velocity_transformation(model, joint_coordinates(model, c)), cd, rcond=None)[0]


def velocity_transformation(model, theta):
    """B of c' = B theta' (9.17), from the block matrices of table 9.1."""
    x = Motion(model.book, body_coordinates(model, theta))
    B = np.zeros((3 * len(model.book.bodies), len(model.names)))
    for i in range(1, len(model.book.bodies) + 1):
        for k, block, _ in _blocks(model, x, i, x.r[i], x.rd[i]):
            B[3 * i - 3 : 3 * i, k] = block
    return B


def transformation_rate_matrix(model, theta, thetad):
    """Bdot, from the rates of the block matrices of table 9.1."""
    B = velocity_transformation(model, theta)
    x, rates = Motion(model.book, body_coordinates(model, theta), B @ np.asarray(thetad, dtype=float)), np.zeros_like(B)
    for i in range(1, len(model.book.bodies) + 1):
        for k, _, rate in _blocks(model, x, i, x.r[i], x.rd[i]):
            rates[3 * i - 3 : 3 * i, k] = rate
    return rates


def transformation_rate(model, theta, thetad):
    """Bdot theta'."""
    return transformation_rate_matrix(model, theta, thetad) @ np.asarray(thetad, dtype=float)


def _blocks(model, x, i, r, rd):
    """(number of the coordinate, block, rate of the block) at a point r of body i, along the way from the ground.

    Revolute [rot(d); 1], translational [u; 0], disc both (table 9.1); d runs from the reference point of the joint to
    r, or only to the first pin with an absolute angle on the way, beyond which nothing turns (9.14).
    """
    path, end, turns = model.paths[i], (r, rd), 1.0
    for q in reversed(path):
        for k, coordinate in enumerate(q.coordinates):
            block, rate = np.zeros(3), np.zeros(3)
            if coordinate.turn:
                p, pd = _place(x, *coordinate.point)
                block += coordinate.turn * np.append(rot(end[0] - p), turns)
                rate[:2] += coordinate.turn * rot(end[1] - pd)
            b, u = coordinate.axis[0], A(x.phi[coordinate.axis[0]]) @ coordinate.axis[1]
            block[:2] += u
            rate[:2] += rot(u) * x.w[b]
            sign = 1.0 if q.absolute else q.sign
            yield q.first + k, sign * block, sign * rate
        if q.absolute:
            end, turns = _place(x, *q.to), 0.0


def _place(x, b, s):
    """Position and velocity of the point s' of body b."""
    s = A(x.phi[b]) @ s
    return x.r[b] + s, x.rd[b] + rot(s) * x.w[b]


# Constraints of the cut joints, then the drivers of joint coordinates


def cut_constraints(model, t, theta):
    """*Phi(c(theta)) of the cut joints (9.26), then theta_i - f(t) (9.35)."""
    driven = [theta[k] - f(t)[0] for k, f in model.drivers]
    return np.r_[constraints(model.cut, t, body_coordinates(model, theta)), driven]


def cut_jacobian(model, t, theta):
    """C = *D B (9.28), and a row with a one for every driver."""
    C = jacobian(model.cut, t, body_coordinates(model, theta)) @ velocity_transformation(model, theta)
    return np.vstack([C, *(np.eye(len(model.names))[[k]] for k, _ in model.drivers)])


def cut_velocity_rhs(model, t, theta):
    """Right side of C theta' (9.37): the rates of the drivers, zero elsewhere."""
    return np.r_[velocity_rhs(model.cut, t, body_coordinates(model, theta)), [f(t)[1] for _, f in model.drivers]]


def cut_gamma(model, t, theta, thetad):
    """Right side of C theta'' (9.31), (9.38): *gamma - *D Bdot theta', then f''."""
    c, bias = body_coordinates(model, theta), transformation_rate(model, theta, thetad)
    cd = velocity_transformation(model, theta) @ thetad
    of_joints = gamma(model.cut, t, c, cd) - jacobian(model.cut, t, c) @ bias
    return np.r_[of_joints, [f(t)[2] for _, f in model.drivers]]


def cut_jacobian_by_table(model, theta):
    """C of the cut revolute and translational joints from table 9.2, without D and B.

    The rows of a translational joint are in the order of (7.20): across the axis, then the angle.
    """
    x, parts = Motion(model.book, body_coordinates(model, theta)), [np.zeros((0, len(model.names)))]
    for q in model.cut.joints:
        if q.type not in ("rev", "tran"):
            continue
        e, C = Ends(x, q.Pi, q.Pj), np.zeros((3, len(model.names)))
        star = x.r[e.i] + e.s_i  # reference point of the cut joint
        for sign, b in ((1.0, e.i), (-1.0, e.j)):  # the two sides of its constraint
            for k, block, _ in _blocks(model, x, b, star, x.rd[b]):
                C[:, k] += sign * block
        parts.append(C[:2] if q.type == "rev" else np.vstack([rot(x.u(q.Uj)) @ C[:2], C[2]]))
    return np.vstack(parts)


# Equations of motion


def joint_mass_matrix(model, theta):
    """B'M B (9.23)."""
    B = velocity_transformation(model, theta)
    return B.T @ model.book.M @ B


def coriolis_matrix(model, theta, thetad):
    """C(theta, theta') = B'M Bdot of M_j theta'' + C theta' = B'h, which is (9.22) with its velocity terms on the left.

    M_j' = Bdot'M B + B'M Bdot = C' + C, so C - M_j'/2 is skew: these terms neither give nor take power.
    """
    return velocity_transformation(model, theta).T @ model.book.M @ transformation_rate_matrix(model, theta, thetad)


def joint_force_array(model, t, theta, thetad):
    """B'(h - M Bdot theta') (9.24)."""
    B = velocity_transformation(model, theta)
    h = force_array(model.book, t, body_coordinates(model, theta), B @ thetad)
    return B.T @ (h - model.book.M @ transformation_rate(model, theta, thetad))


def joint_augmented(model, t, theta, thetad):
    """theta'' and the multipliers of cut joints and drivers (9.34); without them M_j theta'' = h_j (9.22)."""
    M, C = joint_mass_matrix(model, theta), cut_jacobian(model, t, theta)
    matrix = np.block([[M, -C.T], [C, np.zeros((len(C), len(C)))]])
    right = np.r_[joint_force_array(model, t, theta, thetad), cut_gamma(model, t, theta, thetad)]
    solution = np.linalg.solve(matrix, right)
    return solution[: len(M)], solution[len(M) :]


def body_accelerations(model, theta, thetad, thetadd):
    """c'' = B theta'' + Bdot theta' (9.18)."""
    return velocity_transformation(model, theta) @ thetadd + transformation_rate(model, theta, thetad)


def joint_reactions(model, t, theta, thetad):
    """The `JointReaction` of every joint by its name; drivers of joint coordinates are not joints.

    Multipliers of the tree joints from D D' lambda = D (M c'' - h - *D' *lambda) (9.25), (9.32).
    """
    c, B = body_coordinates(model, theta), velocity_transformation(model, theta)
    thetadd, lam = joint_augmented(model, t, theta, thetad)
    D_cut, D = jacobian(model.cut, t, c), jacobian(model.tree, t, c)
    missing = model.book.M @ body_accelerations(model, theta, thetad, thetadd) - D_cut.T @ lam[: len(D_cut)]
    missing -= force_array(model.book, t, c, B @ thetad) + _motors(model, c, lam[len(D_cut) :])
    lam_tree = np.linalg.lstsq(D @ D.T, D @ missing, rcond=None)[0]
    found = {}
    for part, D_part, lam_part in ((model.tree, D, lam_tree), (model.cut, D_cut, lam)):
        for name, rows in row_slices(part, t, c).items():
            h = D_part[rows].T @ lam_part[rows]
            touched = np.flatnonzero(np.any(D_part[rows].reshape(len(D_part[rows]), -1, 3), axis=(0, 2)))
            found[name] = JointReaction({int(b) + 1: h[3 * b : 3 * b + 3] for b in touched}, B.T @ h)
    return found


def _motors(model, c, efforts):
    """What the drivers of joint coordinates exert on the bodies: a moment on both, or a force at the `to` point."""
    x, h = Motion(model.book, c), np.zeros((len(model.book.bodies) + 1, 3))
    for (k, _), effort in zip(model.drivers, efforts):
        q = next(q for q in model.joints if q.place.start <= k < q.place.stop)
        (b, u), p = q.coordinates[k - q.first].axis, _place(x, *q.to)[0]
        force = effort * A(x.phi[b]) @ u
        # an absolute angle is driven from the ground
        for sign, body in ((1.0, q.child),) if q.absolute else ((1.0, q.to[0]), (-1.0, q.on[0])):
            moment = 0.0 if any(u) else effort
            h[body] += sign * np.append(force, moment + rot(p - x.r[body]) @ force)
    return h[1:].ravel()


# Initial conditions and motion


def correct_joint_positions(model, t, theta, held=(), tolerance=1e-13, iterations=50):
    """theta after Newton steps of minimum norm on the cut joints, coordinates named in `held` staying (9.3.4)."""
    theta, free = np.array(theta, dtype=float), _free(model, held)
    for _ in range(iterations):
        Phi = cut_constraints(model, t, theta)
        step = np.linalg.lstsq(cut_jacobian(model, t, theta)[:, free], -Phi, rcond=None)[0]
        theta[free] += step
        if np.linalg.norm(step) <= tolerance * max(1.0, np.linalg.norm(theta)):
            break
    violation = np.max(np.abs(cut_constraints(model, t, theta)), initial=0.0)
    if violation <= 1e4 * tolerance * max(1.0, np.linalg.norm(theta)):
        return theta
    raise ConvergenceError(
        message(
            f"Model {model.book.name!r}",
            f"found no joint coordinates that close its loops in {iterations} Newton steps",
            got=f"a violation of {violation:.3g}",
            remedy="Start nearer to an assembled position, or hold fewer coordinates",
        )
    )


def correct_joint_velocities(model, t, theta, thetad, held=()):
    """theta' after one step of minimum norm to C theta' = its right side, rates named in `held` staying (9.3.4)."""
    thetad, free, C = np.array(thetad, dtype=float), _free(model, held), cut_jacobian(model, t, theta)
    thetad[free] += np.linalg.lstsq(C[:, free], cut_velocity_rhs(model, t, theta) - C @ thetad, rcond=None)[0]
    return thetad


def _free(model, held):
    return np.array([name not in held for name in model.names])


def simulate_joint_coordinates(model, times, theta, thetad, *, rtol=1e-10, atol=1e-12, method="DOP853"):
    """theta and theta' at `times` from (9.34), integrated as they are; one row a time."""
    from scipy.integrate import solve_ivp

    times, n = np.asarray(times, dtype=float), len(model.names)

    def ud(t, u):
        return np.r_[u[n:], joint_augmented(model, t, u[:n], u[n:])[0]]

    run = solve_ivp(ud, (times[0], times[-1]), np.r_[theta, thetad], method=method, t_eval=times, rtol=rtol, atol=atol)
    if not run.success:
        text = message(f"Model {model.book.name!r}", f"stopped at t = {run.t[-1]}", got=run.message)
        raise ConvergenceError(text, result=run)
    return run.y[:n].T, run.y[n:].T
