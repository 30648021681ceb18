"""Stiff torsion springs in point coordinates, where a torque is forces whose directions turn with the points.

The truth are Lagrange's equations of three angles by scipy; Linkwork has no part in them.
"""

import warnings
from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw

STIFF, DAMPED = 6e7, 6e4
TIMES = np.linspace(0.0, 1.0, 11)
MASSES, INERTIAS = (2.0, 0.4, 0.3), (2.0 / 12, 0.02, 0.015)
#: arms along p, bob and bob2 to their mass centres, and to the end of the soft spring
ARMS = (((0.5, 0),), ((1, 0), (0.4, 0)), ((1, 0), (0.7, 0), (0.3, 0.05)))
END = ((1, 0), (0.7, 0), (0.3, 0))


def bobs():
    """A bar, a bob whose mass centre is off its frame, another one with a stiff torsion spring between them."""
    m = lw.Mechanism("bobs")
    p = m.add("p", lw.bar(length=1.0, mass=2.0))
    bob = m.add("bob", lw.Body(0.4, 0.02, center=(0.4, 0)))
    bob2 = m.add("bob2", lw.Body(0.3, 0.015, center=(0.3, 0.05)))
    m.add("P", lw.Revolute(m.ground.at(0, 0.4), p.a))
    m.add("H", lw.Revolute(p.b, bob))
    m.add("K", lw.Revolute(bob.at(0.7, 0), bob2))
    m.add("tor", lw.TorsionSpringDamper(bob, bob2, stiffness=STIFF, damping=DAMPED))
    m.add("sp", lw.SpringDamper(m.ground.at(0, 2.5), bob2.at(0.3, 0), stiffness=30, rest_length=1.0, damping=0.1))
    return m


def along(q, v, arms):
    """Place of a point from the pin P, its Jacobian, and its acceleration without those of the angles."""
    x, J, bias = np.array([0.0, 0.4]), np.zeros((2, 3)), np.zeros(2)
    for j, (a, b) in enumerate(arms):
        cos, sin = np.cos(q[j]), np.sin(q[j])
        arm = np.array([cos * a - sin * b, sin * a + cos * b])
        x, J[:, j], bias = x + arm, (-arm[1], arm[0]), bias - arm * v[j] ** 2
    return x, J, bias


def slope(t, y):
    """Of the angles of p and bob and that of the spring, which has digits of its own."""
    q, v = y[:3] + (0.0, 0.0, y[1]), y[3:] + (0.0, 0.0, y[4])
    M, h = np.diag(INERTIAS), np.zeros(3)
    for mass, arms in zip(MASSES, ARMS):
        _, J, bias = along(q, v, arms)
        M = M + mass * J.T @ J
        h += J.T @ (mass * (np.array([0.0, -9.81]) - bias))
    torque = -STIFF * y[2] - DAMPED * y[5]
    h += (0.0, -torque, torque)
    x, J, _ = along(q, v, END)
    way = x - (0.0, 2.5)
    length = np.hypot(*way)
    h += J.T @ ((-30 * (length - 1.0) - 0.1 * (way / length) @ (J @ v)) * way / length)
    a = np.linalg.solve(M, h)
    return np.concatenate([y[3:], a - (0.0, 0.0, a[1])])


@cache
def truth(first, second):
    """The angle of p at the times, for rates of p and of the joint H at the start."""
    begin, fine = [0.3, 0.4, 0.0, first, first + second, 0.0], [1e-10, 1e-10, 1e-15, 1e-9, 1e-9, 1e-12]
    return solve_ivp(slope, (0.0, 1.0), begin, "Radau", TIMES, rtol=1e-9, atol=fine).y[0]


def start(first, second):
    return {"P.angle": 0.3, "H.angle": 0.1, "K.angle": 0.0,
            "P.angle.rate": first, "H.angle.rate": second, "K.angle.rate": 0.0}  # fmt: skip


@pytest.mark.parametrize("rates", [(0.0, 0.0), (0.0, 3.0), (2.0, -5.0)])
@pytest.mark.parametrize("method", ["radau", "auto"])
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_rtol_means_the_same_in_every_set(coordinates, method, rates):
    """In points the error was 1e-3 rad at rtol 1e-6, untold, with 4000 tries at a step."""
    for rtol in (1e-4, 1e-5, 1e-6, 1e-7, 1e-8):
        run = bobs().simulate(TIMES, start=start(*rates), coordinates=coordinates, method=method, rtol=rtol)
        assert np.abs(run["P.angle"] - truth(*rates)).max() < 15 * rtol, rtol
        assert run.coordinates == coordinates
        assert run.statistics.steps + run.statistics.rejected < 900


def test_a_prepared_run_is_the_same_again():
    """Directions that a run asked for stage by stage are nothing to the next one."""
    m = bobs()
    ready = m.prepare(TIMES, coordinates="point", method="radau", rtol=1e-6, start=start(0.0, 3.0))
    runs = [ready(), ready(), m.simulate(TIMES, coordinates="point", method="radau", rtol=1e-6, start=start(0.0, 3.0))]
    assert all((one["P.angle"] == runs[0]["P.angle"]).all() for one in runs)
    assert len({(one.statistics.steps, one.statistics.rejected) for one in runs}) == 1


def _spring(value, rate, t, k, c):
    return -k * value - c * rate


@pytest.mark.parametrize("rate", [0.0, 3.0])
def test_in_space_too(rate):
    """Beside joint coordinates, in which directions of this torque do not turn: in few steps."""
    m = lw.Mechanism("hinges", dimension=3)
    p = m.add("p", lw.Body(2.0, (0.05, 0.3, 0.35), center=(0.4, 0.02, 0.05)))
    bob = m.add("bob", lw.Body(0.4, (0.02, 0.025, 0.03), center=(0.4, 0, 0.03)))
    bob2 = m.add("bob2", lw.Body(0.3, (0.012, 0.015, 0.02), center=(0.3, 0.05, 0)))
    m.add("P", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 1, 0)), p.at(0, 0, 0, axis=(0, 1, 0))))
    m.add("H", lw.Revolute(p.at(1, 0, 0), bob.at(0, 0, 0)))
    m.add("K", lw.Revolute(bob.at(0.7, 0, 0, axis=(0, 1, 1)), bob2.at(0, 0, 0, axis=(0, 1, 1))))
    m.add("tor", lw.UserForce(m["K"].angle, _spring, k=STIFF, c=DAMPED))
    begin = {"P.angle": 0.3, "H.angle": 0.2, "K.angle": 0.0,
             "P.angle.rate": 1.0, "H.angle.rate": rate, "K.angle.rate": 0.0}  # fmt: skip
    wanted = m.simulate(TIMES, start=begin, coordinates="joint", method="radau", rtol=1e-11)
    for rtol in (1e-4, 1e-6, 1e-8):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            run = m.simulate(TIMES, start=begin, coordinates="point", method="radau", rtol=rtol)
        assert np.abs(run["P.angle"] - wanted["P.angle"]).max() < 10 * rtol
        assert run.statistics.steps + run.statistics.rejected < 400
