"""A full turn of the six-bar quick return by hand: Newton in numpy, in a loop, in a loop tuned by hand, and vectorised.

Body coordinates as in Nikravesh, Planar Multibody Dynamics, 2nd ed., chapter 12: 15 coordinates, 14 constraints and the
driver.  Numbers are those of the gallery's mechanism.

        J dq = -Phi        J v = nu        J a = gamma        J' lam = M a - h

| rows     | hold                                                                              |
|----------|-----------------------------------------------------------------------------------|
| 0 to 9   | pins O (crank on ground), A (crank and block), Q (rocker on ground), B, C         |
| 10, 11   | the block along the rocker: across it, and turned as it                           |
| 12, 13   | the slider along x: its height, and its angle                                     |
| 14       | the crank, 30 degrees + 2 pi t                                                    |
"""

from __future__ import annotations

import math

import numpy as np

COUNT = 15
CRANK, BLOCK, ROCKER, ROD, SLIDER = range(0, COUNT, 3)  # x of each; y and angle are behind it
L1, L3, L5, PIN, HEIGHT = 0.1, 0.6, 0.6, 0.2, 0.55
SPEED, FIRST = 2.0 * math.pi, math.pi / 6
MASSES = np.repeat([1.0, 0.3, 0.2, 0.1, 0.4], 3)
MASSES[2::3] = [1.0, 0.0003, 0.2 * L3**2 / 12.0, 0.1 * L5**2 / 12.0, 0.0004]
WEIGHTS = np.zeros(COUNT)
WEIGHTS[1::3] = -9.81 * MASSES[1::3]
TOLERANCE = 1e-12

#: pins: body and place along its x axis, of the two that they join; None is the ground
PINS = (
    (None, (0.0, PIN), CRANK, 0.0),
    (CRANK, L1, BLOCK, 0.0),
    (None, (0.0, 0.0), ROCKER, -0.5 * L3),
    (ROCKER, 0.5 * L3, ROD, 0.5 * L5),
    (ROD, -0.5 * L5, SLIDER, 0.0),
)


def constant_rows() -> np.ndarray:
    """What of J is always the same."""
    J = np.zeros((COUNT, COUNT))
    for k, (one, _, two, _) in enumerate(PINS):
        for axis in range(2):
            J[2 * k + axis, two + axis] = 1.0
            if one is not None:
                J[2 * k + axis, one + axis] = -1.0
    J[11, BLOCK + 2], J[11, ROCKER + 2] = 1.0, -1.0
    J[12, SLIDER + 1] = J[13, SLIDER + 2] = J[14, CRANK + 2] = 1.0
    return J


CONSTANT = constant_rows()


def first_guess() -> np.ndarray:
    """The position of the gallery's mechanism at 30 degrees, to four digits."""
    q = np.zeros(COUNT)
    rocker, rod = math.radians(70.8934), math.radians(1.6185)
    q[CRANK : CRANK + 3] = 0.0, PIN, FIRST
    q[BLOCK : BLOCK + 3] = L1 * math.cos(FIRST), PIN + L1 * math.sin(FIRST), rocker
    q[ROCKER : ROCKER + 3] = 0.5 * L3 * math.cos(rocker), 0.5 * L3 * math.sin(rocker), rocker
    q[ROD : ROD + 3] = -0.403365 + 0.5 * L5 * math.cos(rod), HEIGHT + 0.5 * L5 * math.sin(rod), rod
    q[SLIDER : SLIDER + 3] = -0.403365, HEIGHT, 0.0
    return q


# -- a loop over positions ---------------------------------------------------------------------------------------------
def constraints(q, t: float) -> np.ndarray:
    """Phi at one position."""
    c1, s1, c3, s3 = math.cos(q[2]), math.sin(q[2]), math.cos(q[8]), math.sin(q[8])
    c5, s5 = math.cos(q[11]), math.sin(q[11])
    return np.array(
        [
            q[0],
            q[1] - PIN,
            q[3] - q[0] - L1 * c1,
            q[4] - q[1] - L1 * s1,
            q[6] - 0.5 * L3 * c3,
            q[7] - 0.5 * L3 * s3,
            q[9] + 0.5 * L5 * c5 - q[6] - 0.5 * L3 * c3,
            q[10] + 0.5 * L5 * s5 - q[7] - 0.5 * L3 * s3,
            q[12] - q[9] + 0.5 * L5 * c5,
            q[13] - q[10] + 0.5 * L5 * s5,
            -s3 * (q[3] - q[6]) + c3 * (q[4] - q[7]),
            q[5] - q[8],
            q[13] - HEIGHT,
            q[14],
            q[2] - FIRST - SPEED * t,
        ]
    )


def jacobian(q) -> np.ndarray:
    """J at one position: what is always the same is copied."""
    c1, s1, c3, s3 = math.cos(q[2]), math.sin(q[2]), math.cos(q[8]), math.sin(q[8])
    c5, s5 = math.cos(q[11]), math.sin(q[11])
    x, y = q[3] - q[6], q[4] - q[7]
    J = CONSTANT.copy()
    J[2:4, 2] = L1 * s1, -L1 * c1
    J[4:6, 8] = 0.5 * L3 * s3, -0.5 * L3 * c3
    J[6:8, 8] = 0.5 * L3 * s3, -0.5 * L3 * c3
    J[6:8, 11] = -0.5 * L5 * s5, 0.5 * L5 * c5
    J[8:10, 11] = -0.5 * L5 * s5, 0.5 * L5 * c5
    J[10, [3, 4, 6, 7, 8]] = -s3, c3, s3, -c3, -c3 * x - s3 * y
    return J


def right_side(q, v) -> np.ndarray:
    """gamma at one position."""
    out = np.zeros(COUNT)
    gamma_of(q, v, out)
    return out


def in_a_loop(times) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Positions, velocities, accelerations and multipliers, each by a solve with the Jacobian of its position.

    Newton begins with a prediction by velocity and acceleration, and ends as soon as the constraints are met.
    """
    count = len(times)
    Q, V, A, LAM = (np.empty((count, COUNT)) for _ in range(4))
    nu = np.zeros(COUNT)
    nu[14] = SPEED
    q, v, a, before = first_guess(), np.zeros(COUNT), np.zeros(COUNT), times[0]
    for k, t in enumerate(times):
        h, before = t - before, t
        q = q + h * v + 0.5 * h**2 * a
        for _ in range(20):
            phi = constraints(q, t)
            if np.abs(phi).max() < TOLERANCE:
                break
            q = q - np.linalg.solve(jacobian(q), phi)
        J = jacobian(q)
        v = np.linalg.solve(J, nu)
        a = np.linalg.solve(J, right_side(q, v))
        Q[k], V[k], A[k] = q, v, a
        LAM[k] = np.linalg.solve(J.T, MASSES * a - WEIGHTS)
    return Q, V, A, LAM


# -- the same, tuned by hand -------------------------------------------------------------------------------------------
def evaluate(q, t: float, J, phi) -> None:
    """Phi and what changes of J at one position; sines and cosines of floats, entries written one by one."""
    a1, a3, a5 = q[2], q[8], q[11]
    c1, s1, c3, s3, c5, s5 = math.cos(a1), math.sin(a1), math.cos(a3), math.sin(a3), math.cos(a5), math.sin(a5)
    phi[0], phi[1] = q[0], q[1] - PIN
    phi[2], phi[3] = q[3] - q[0] - L1 * c1, q[4] - q[1] - L1 * s1
    phi[4], phi[5] = q[6] - 0.5 * L3 * c3, q[7] - 0.5 * L3 * s3
    phi[6] = q[9] + 0.5 * L5 * c5 - q[6] - 0.5 * L3 * c3
    phi[7] = q[10] + 0.5 * L5 * s5 - q[7] - 0.5 * L3 * s3
    phi[8], phi[9] = q[12] - q[9] + 0.5 * L5 * c5, q[13] - q[10] + 0.5 * L5 * s5
    x, y = q[3] - q[6], q[4] - q[7]
    phi[10] = -s3 * x + c3 * y
    phi[11], phi[12], phi[13] = q[5] - a3, q[13] - HEIGHT, q[14]
    phi[14] = a1 - FIRST - SPEED * t
    J[2, 2], J[3, 2] = L1 * s1, -L1 * c1
    J[4, 8], J[5, 8] = 0.5 * L3 * s3, -0.5 * L3 * c3
    J[6, 11], J[6, 8] = -0.5 * L5 * s5, 0.5 * L3 * s3
    J[7, 11], J[7, 8] = 0.5 * L5 * c5, -0.5 * L3 * c3
    J[8, 11], J[9, 11] = -0.5 * L5 * s5, 0.5 * L5 * c5
    J[10, 3], J[10, 4], J[10, 6], J[10, 7], J[10, 8] = -s3, c3, s3, -c3, -c3 * x - s3 * y


def gamma_of(q, v, out) -> None:
    """Right side of the accelerations at one position."""
    a1, a3, a5 = q[2], q[8], q[11]
    c1, s1, c3, s3, c5, s5 = math.cos(a1), math.sin(a1), math.cos(a3), math.sin(a3), math.cos(a5), math.sin(a5)
    w1, w3, w5 = v[2] * v[2], v[8] * v[8], v[11] * v[11]
    out[2], out[3] = -L1 * c1 * w1, -L1 * s1 * w1
    out[4], out[5] = -0.5 * L3 * c3 * w3, -0.5 * L3 * s3 * w3
    out[6], out[7] = 0.5 * (L5 * c5 * w5 - L3 * c3 * w3), 0.5 * (L5 * s5 * w5 - L3 * s3 * w3)
    out[8], out[9] = 0.5 * L5 * c5 * w5, 0.5 * L5 * s5 * w5
    x, y, vx, vy = q[3] - q[6], q[4] - q[7], v[3] - v[6], v[4] - v[7]
    out[10] = (-s3 * x + c3 * y) * w3 + 2.0 * (c3 * vx + s3 * vy) * v[8]


def in_a_tuned_loop(times) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The same with nothing made anew, entries written one by one, and one inverse for all that follows Newton."""
    count = len(times)
    Q, V, A, LAM = (np.empty((count, COUNT)) for _ in range(4))
    J, phi, nu, gamma = constant_rows(), np.zeros(COUNT), np.zeros(COUNT), np.zeros(COUNT)
    nu[14] = SPEED
    q = first_guess()
    v, a, before = np.zeros(COUNT), np.zeros(COUNT), times[0]
    for k, t in enumerate(times):
        h, before = t - before, t
        q = q + h * (v + 0.5 * h * a)
        for _ in range(20):
            evaluate(q, t, J, phi)
            if max(phi.max(), -phi.min()) < TOLERANCE:
                break
            q = q - np.linalg.solve(J, phi)
        inverse = np.linalg.inv(J)
        v = inverse @ nu
        gamma_of(q, v, gamma)
        a = inverse @ gamma
        Q[k], V[k], A[k], LAM[k] = q, v, a, (MASSES * a - WEIGHTS) @ inverse
    return Q, V, A, LAM


# -- all positions at once ---------------------------------------------------------------------------------------------
def evaluate_all(q, t, J) -> np.ndarray:
    """Phi of all positions (times, 15); what changes of J (times, 15, 15) is written."""
    c1, s1, c3, s3 = np.cos(q[:, 2]), np.sin(q[:, 2]), np.cos(q[:, 8]), np.sin(q[:, 8])
    c5, s5 = np.cos(q[:, 11]), np.sin(q[:, 11])
    phi = np.empty_like(q)
    phi[:, 0], phi[:, 1] = q[:, 0], q[:, 1] - PIN
    phi[:, 2], phi[:, 3] = q[:, 3] - q[:, 0] - L1 * c1, q[:, 4] - q[:, 1] - L1 * s1
    phi[:, 4], phi[:, 5] = q[:, 6] - 0.5 * L3 * c3, q[:, 7] - 0.5 * L3 * s3
    phi[:, 6] = q[:, 9] + 0.5 * L5 * c5 - q[:, 6] - 0.5 * L3 * c3
    phi[:, 7] = q[:, 10] + 0.5 * L5 * s5 - q[:, 7] - 0.5 * L3 * s3
    phi[:, 8], phi[:, 9] = q[:, 12] - q[:, 9] + 0.5 * L5 * c5, q[:, 13] - q[:, 10] + 0.5 * L5 * s5
    x, y = q[:, 3] - q[:, 6], q[:, 4] - q[:, 7]
    phi[:, 10] = -s3 * x + c3 * y
    phi[:, 11], phi[:, 12], phi[:, 13] = q[:, 5] - q[:, 8], q[:, 13] - HEIGHT, q[:, 14]
    phi[:, 14] = q[:, 2] - FIRST - SPEED * t
    J[:, 2, 2], J[:, 3, 2] = L1 * s1, -L1 * c1
    J[:, 4, 8], J[:, 5, 8] = 0.5 * L3 * s3, -0.5 * L3 * c3
    J[:, 6, 11], J[:, 6, 8] = -0.5 * L5 * s5, 0.5 * L3 * s3
    J[:, 7, 11], J[:, 7, 8] = 0.5 * L5 * c5, -0.5 * L3 * c3
    J[:, 8, 11], J[:, 9, 11] = -0.5 * L5 * s5, 0.5 * L5 * c5
    J[:, 10, 3], J[:, 10, 4], J[:, 10, 6], J[:, 10, 7] = -s3, c3, s3, -c3
    J[:, 10, 8] = -c3 * x - s3 * y
    return phi


def gamma_of_all(q, v) -> np.ndarray:
    """Right sides of the accelerations."""
    c1, s1, c3, s3 = np.cos(q[:, 2]), np.sin(q[:, 2]), np.cos(q[:, 8]), np.sin(q[:, 8])
    c5, s5 = np.cos(q[:, 11]), np.sin(q[:, 11])
    w1, w3, w5 = v[:, 2] ** 2, v[:, 8] ** 2, v[:, 11] ** 2
    out = np.zeros_like(q)
    out[:, 2], out[:, 3] = -L1 * c1 * w1, -L1 * s1 * w1
    out[:, 4], out[:, 5] = -0.5 * L3 * c3 * w3, -0.5 * L3 * s3 * w3
    out[:, 6], out[:, 7] = 0.5 * (L5 * c5 * w5 - L3 * c3 * w3), 0.5 * (L5 * s5 * w5 - L3 * s3 * w3)
    out[:, 8], out[:, 9] = 0.5 * L5 * c5 * w5, 0.5 * L5 * s5 * w5
    x, y, vx, vy = q[:, 3] - q[:, 6], q[:, 4] - q[:, 7], v[:, 3] - v[:, 6], v[:, 4] - v[:, 7]
    out[:, 10] = (-s3 * x + c3 * y) * w3 + 2.0 * (c3 * vx + s3 * vy) * v[:, 8]
    return out


def at_once(times, coarse: int = 100) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The same for all positions together: first positions by cubics between a few of the loop, then Newton."""
    few = np.linspace(times[0], times[-1], coarse)
    q0, v0, *_ = in_a_tuned_loop(few)
    k = np.clip(np.searchsorted(few, times, side="right") - 1, 0, coarse - 2)
    h = few[1] - few[0]
    u = ((times - few[k]) / h)[:, None]
    q = (1.0 + 2.0 * u) * (1.0 - u) ** 2 * q0[k] + u**2 * (3.0 - 2.0 * u) * q0[k + 1]
    q += h * u * (1.0 - u) * ((1.0 - u) * v0[k] - u * v0[k + 1])
    J = np.tile(constant_rows(), (len(times), 1, 1))
    for _ in range(20):
        phi = evaluate_all(q, times, J)
        if np.abs(phi).max() < TOLERANCE:
            break
        q -= np.linalg.solve(J, phi[:, :, None])[:, :, 0]
    inverse = np.linalg.inv(J)
    v = SPEED * inverse[:, :, 14]
    a = (inverse @ gamma_of_all(q, v)[:, :, None])[:, :, 0]
    lam = ((MASSES * a - WEIGHTS)[:, None, :] @ inverse)[:, 0, :]
    return q, v, a, lam
