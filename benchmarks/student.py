"""What one writes without a multibody program: equations derived by hand, numpy, `scipy.integrate.solve_ivp`.

The baseline of the whole runs.  `double_pendulum` and `andrews` give the right-hand side, the start, and what
is observed in the order of `benchmarks.problems`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, hypot, sin

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.problems import GRAVITY, SQUEEZER, SQUEEZER_START


@dataclass(frozen=True)
class Equations:
    """y' = rhs(t, y) from `start` to `end`; `observe(y)` as in the problem of the same name."""

    rhs: Callable
    start: np.ndarray
    end: float
    observe: Callable

    def solve(self, method: str, rtol: float):
        """Observed values at the end, with the method and tolerance of scipy."""
        found = solve_ivp(self.rhs, (0.0, self.end), self.start, method=method, rtol=rtol, atol=1e-2 * rtol)
        return self.observe(found.y[:, -1])


def double_pendulum(links: int = 2) -> Equations:
    """Lagrange's equations of equal links, in the absolute angles th and their rates w.

    sum_j c_ij cos(th_i - th_j) w_j' = -sum_j c_ij sin(th_i - th_j) w_j^2 - g_i cos(th_i)
    """
    length, mass, inertia = 1.0, 1.0, 1.01 / 12
    index = np.arange(links)
    beyond = links - 1 - np.maximum.outer(index, index)  # links beyond both i and j
    coupling = mass * length**2 * (beyond + 0.5)
    np.fill_diagonal(coupling, mass * length**2 * (links - 1 - index + 0.25) + inertia)
    weight = mass * GRAVITY * length * (links - 1 - index + 0.5)

    def rhs(t, y):
        th, w = y[:links], y[links:]
        difference = th[:, None] - th[None, :]
        matrix = coupling * np.cos(difference)
        right = -(coupling * np.sin(difference)) @ (w * w) - weight * np.cos(th)
        return np.concatenate([w, np.linalg.solve(matrix, right)])

    def observe(y):
        return [length * np.sum(np.cos(y[:links])), length * np.sum(np.sin(y[:links]))]

    return Equations(rhs, np.zeros(2 * links), 3.0, observe)


def both(angle):
    """Sine and cosine."""
    return sin(angle), cos(angle)


def andrews() -> Equations:
    """Andrews' squeezer in the seven angles of Hairer and Wanner II, VI.9.

    M q'' + G' lam = f,    G q'' = gamma
    """
    g = SQUEEZER
    m2, m4, m6, i2, i4, i6 = (g[key] for key in ("m2", "m4", "m6", "i2", "i4", "i6"))
    d, da, e, rr, ss, zf, zt, u = (g[key] for key in ("d", "da", "e", "rr", "ss", "zf", "zt", "u"))
    sc, sd, c0, l0, motor = (g[key] for key in ("sc", "sd", "c0", "l0", "mom"))
    e4, e6 = g["e"] - g["ea"], g["zf"] - g["fa"]  # from the pin to the mass centre of bodies 4 and 6
    about_o = g["m1"] * g["ra"] ** 2 + g["i1"] + i2
    about_b = g["m3"] * (g["sa"] ** 2 + g["sb"] ** 2) + g["i3"]
    about_a5 = g["m5"] * (g["ta"] ** 2 + g["tb"] ** 2) + g["i5"]
    about_a7 = g["m7"] * (g["ua"] ** 2 + g["ub"] ** 2) + g["i7"]
    to_c = g["xb"] - g["xc"], g["yb"] - g["yc"]

    def rhs(t, y):
        beta, theta, gamma, phi, delta, omega, epsilon = y[:7]
        beta1, theta1, gamma1, phi1, delta1, omega1, epsilon1 = y[7:]
        s_be, c_be, s_th, c_th, s_bt, c_bt = *both(beta), *both(theta), *both(beta + theta)
        s_ph, c_ph, s_de, c_de, s_pd, c_pd = *both(phi), *both(delta), *both(phi + delta)
        s_om, c_om, s_ep, c_ep, s_oe, c_oe = *both(omega), *both(epsilon), *both(omega + epsilon)
        s_ga, c_ga = both(gamma)

        matrix = np.zeros((13, 13))  # [M G'; G 0]
        matrix[0, 0] = about_o + m2 * (rr * rr - 2.0 * da * rr * c_th + da * da)
        matrix[0, 1] = matrix[1, 0] = m2 * (da * da - da * rr * c_th) + i2
        matrix[1, 1] = m2 * da * da + i2
        matrix[2, 2] = about_b
        matrix[3, 3] = m4 * e4 * e4 + i4
        matrix[3, 4] = matrix[4, 3] = m4 * (e4 * e4 + zt * e4 * s_ph) + i4
        matrix[4, 4] = m4 * (zt * zt + 2.0 * zt * e4 * s_ph + e4 * e4) + i4 + about_a5
        matrix[5, 5] = m6 * e6 * e6 + i6
        matrix[5, 6] = matrix[6, 5] = m6 * (e6 * e6 - u * e6 * s_om) + i6
        matrix[6, 6] = m6 * (e6 * e6 - 2.0 * u * e6 * s_om + u * u) + i6 + about_a7

        rows = np.zeros((6, 7))  # E seen from body 2, less E seen from bodies 3, 4 and 6
        rows[0::2, 0], rows[1::2, 0] = -rr * s_be + d * s_bt, rr * c_be - d * c_bt
        rows[0::2, 1], rows[1::2, 1] = d * s_bt, -d * c_bt
        rows[0, 2], rows[1, 2] = -ss * c_ga, -ss * s_ga
        rows[2, 3], rows[3, 3] = -e * c_pd, -e * s_pd
        rows[2, 4], rows[3, 4] = -e * c_pd + zt * s_de, -e * s_pd - zt * c_de
        rows[4, 5], rows[5, 5] = zf * s_oe, -zf * c_oe
        rows[4, 6], rows[5, 6] = zf * s_oe - u * c_ep, -zf * c_oe - u * s_ep
        matrix[7:, :7], matrix[:7, 7:] = rows, rows.T

        x, y_ = sd * c_ga + sc * s_ga + to_c[0], sd * s_ga - sc * c_ga + to_c[1]  # from C to D
        length = hypot(x, y_)
        pull = -c0 * (length - l0) / length
        bt2, pd2, oe2 = (beta1 + theta1) ** 2, (phi1 + delta1) ** 2, (omega1 + epsilon1) ** 2
        end_x, end_y = d * c_bt * bt2 - rr * c_be * beta1**2, d * s_bt * bt2 - rr * s_be * beta1**2
        right = np.array(
            [
                motor - m2 * da * rr * theta1 * (theta1 + 2.0 * beta1) * s_th,
                m2 * da * rr * beta1**2 * s_th,
                pull * (x * (sc * c_ga - sd * s_ga) + y_ * (sd * c_ga + sc * s_ga)),
                m4 * zt * e4 * delta1**2 * c_ph,
                -m4 * zt * e4 * phi1 * (phi1 + 2.0 * delta1) * c_ph,
                -m6 * u * e6 * epsilon1**2 * c_om,
                m6 * u * e6 * omega1 * (omega1 + 2.0 * epsilon1) * c_om,
                -end_x - ss * s_ga * gamma1**2,
                -end_y + ss * c_ga * gamma1**2,
                -end_x - e * s_pd * pd2 - zt * c_de * delta1**2,
                -end_y + e * c_pd * pd2 - zt * s_de * delta1**2,
                -end_x - zf * c_oe * oe2 - u * s_ep * epsilon1**2,
                -end_y - zf * s_oe * oe2 + u * c_ep * epsilon1**2,
            ]
        )
        return np.concatenate([y[7:], np.linalg.solve(matrix, right)[:7]])

    def observe(y):
        beta, theta, gamma, phi, delta, omega, epsilon = y[:7]
        return [beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon]

    return Equations(rhs, np.array([*SQUEEZER_START, *[0.0] * 7]), 0.03, observe)
