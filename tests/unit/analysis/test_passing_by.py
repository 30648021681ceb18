"""Dead centres with a freedom beside the driven one: a saddle is passed by; what cannot be passed is told.

Two bars hang from each other, and a driver pulls the end away from a place at a constant rate.  The distance has a
saddle where the bars lie along the line to the place, the second turned back over the first.  Towards it speeds grow as
(T - t)^(-1/2), and the effort grows faster.  A motion that misses it a little is deflected there and goes on: a
singular position of the rows is nearly met, but not met.  At the greatest distance both bars are stretched, and no
position is beyond it.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import DeadCentreError, SingularConfigurationError

PLACE, LENGTHS, MASSES, WIDTH, GRAVITY = np.array([-0.7, 0.2]), (1.0, 0.6), (1.0, 0.6), 0.1, 9.81
SADDLE, GREATEST = float(np.linalg.norm(PLACE)) + 0.4, float(np.linalg.norm(PLACE)) + 1.6
NEARLY = (0.9, 3.62505)  # from these angles it comes near to the saddle: the effort grows seven hundredfold
TIMES = [0.0, 0.26, 0.29, 0.3]
ALLOWED = 200  # errors at the end, in tolerances: the saddle multiplies them by fifty
METHODS = [
    *(("dop853", rtol) for rtol in (1e-4, 1e-6, 1e-9, 1e-11)),
    *(("dopri5", rtol) for rtol in (1e-6, 1e-9)),
    *(("radau", rtol) for rtol in (1e-6, 1e-8)),
    ("auto", 1e-8),
]


def pulled(angles, dimension):
    m = lw.Mechanism("pulled pendulum", dimension=dimension, gravity=(0, -GRAVITY, 0)[:dimension])
    a, b = (
        m.add(
            name,
            lw.bar(length=length, mass=mass, width=WIDTH, angle=angle)
            if dimension == 2
            else lw.bar(
                length=length,
                mass=mass,
                width=WIDTH,
                depth=WIDTH,
                orientation=(math.cos(angle / 2), 0, 0, math.sin(angle / 2)),
            ),
        )
        for name, length, mass, angle in zip("ab", LENGTHS, MASSES, angles)
    )
    m.add("A", lw.Revolute(m.ground.at(0, 0), a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    away = lw.Distance(m.ground.at(*PLACE), b.b)
    m.add("pull", lw.Driver(away, lw.Polynomial(0.0, 1.0), from_assembled=True))
    return m


def distance(angles):
    return float(np.linalg.norm(sum(n * np.array([np.cos(x), np.sin(x)]) for n, x in zip(LENGTHS, angles)) - PLACE))


# -- the same by two angles, their Lagrangian and one multiplier -------------------------------------------------------


def inertia(x):
    (m1, m2), (l1, l2) = MASSES, LENGTHS
    mixed = 0.5 * m2 * l1 * l2 * math.cos(x[0] - x[1])
    i1, i2 = (m * (n**2 + WIDTH**2) / 12 for m, n in zip(MASSES, LENGTHS))
    return np.array([[i1 + (m1 / 4 + m2) * l1**2, mixed], [mixed, i2 + m2 * l2**2 / 4]])


def slopes(x):
    """Rates of the end by the angles, its direction from the place, and the slope of the distance."""
    arms = np.array([[-n * math.sin(angle), n * math.cos(angle)] for n, angle in zip(LENGTHS, x)]).T
    way = np.array([arms[1].sum(), -arms[0].sum()]) - PLACE
    return arms, way, arms.T @ way / np.linalg.norm(way)


def derivative(_, y):
    (m1, m2), (l1, l2) = MASSES, LENGTHS
    x, v = y[:2], y[2:]
    arms, way, slope = slopes(x)
    turning = 0.5 * m2 * l1 * l2 * math.sin(x[0] - x[1])
    weight = GRAVITY * np.array([(m1 / 2 + m2) * l1 * math.cos(x[0]), m2 / 2 * l2 * math.cos(x[1])])
    force = turning * np.array([-(v[1] ** 2), v[0] ** 2]) - weight
    d, rate, end = np.linalg.norm(way), slope @ v, arms @ v
    inward = -np.array([sum(n * w * w * c(q) for n, w, q in zip(LENGTHS, v, x)) for c in (math.cos, math.sin)])
    bias = (end @ end - rate * rate) / d + way @ inward / d
    whole = np.block([[inertia(x), -slope[:, None]], [slope[None, :], np.zeros((1, 1))]])
    return np.concatenate([v, np.linalg.solve(whole, [*force, -bias])[:2]])


def by_angles(angles, times):
    slope = slopes(np.array(angles))[2]
    moved = np.linalg.solve(inertia(angles), slope)
    y = np.concatenate([angles, moved / (slope @ moved)])
    return solve_ivp(derivative, (0.0, times[-1]), y, "DOP853", t_eval=times, rtol=1e-13, atol=1e-13).y


@pytest.fixture(scope="module")
def places():
    """Middles of both bars."""
    x = by_angles(NEARLY, TIMES)[:2]
    first, second = (n * np.array([np.cos(angle), np.sin(angle)]) for n, angle in zip(LENGTHS, x))
    return first / 2, first + second / 2


@pytest.mark.parametrize("dimension", (2, 3))
@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize(("method", "rtol"), METHODS)
def test_a_saddle_is_passed_by(places, method, rtol, coordinates, dimension):
    run = pulled(NEARLY, dimension).simulate(TIMES, coordinates=coordinates, method=method, rtol=rtol)
    for name, place in zip("ab", places):
        for axis, exact in zip("xy", place):
            assert run[f"{name}.{axis}"] == pytest.approx(exact, abs=ALLOWED * rtol)


@pytest.mark.parametrize("coordinates", SETS)
def test_it_was_a_near_miss(coordinates):
    """Speeds and effort grow as towards a dead centre, up to less than 0.01 s before the rate alone would be there."""
    soon = SADDLE - distance(NEARLY)
    times = np.concatenate([[0.0], np.linspace(0.9 * soon, 1.1 * soon, 501)])
    run = pulled(NEARLY, 2).simulate(times, coordinates=coordinates, rtol=1e-9)
    effort, kinetic = np.abs(run["pull.effort"]), run.energy.kinetic
    worst = int(np.argmax(effort))
    assert effort[worst] > 500 * effort[0] and effort[-1] < 0.1 * effort[worst]
    assert kinetic.max() > 30 * kinetic[0] and abs(run.t[worst] - soon) < 0.01
    assert np.abs(run.energy.balance).max() < 1e-6 * kinetic.max()


@pytest.mark.parametrize("angles", [(0.3, -0.9), (1.2, 0.1)])
@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize(("method", "rtol"), [("dop853", 1e-11), ("dopri5", 1e-11), ("radau", 1e-8), ("auto", 1e-11)])
def test_the_greatest_distance_is_the_end(method, rtol, coordinates, angles):
    """There is no position beyond it, whatever the freedom that is left does."""
    with pytest.raises(SingularConfigurationError) as caught:
        pulled(angles, 2).simulate(3.0, every=0.01, coordinates=coordinates, method=method, rtol=rtol)
    end = GREATEST - distance(angles)
    assert end - 0.01 < caught.value.result.t[-1] <= end
    if isinstance(caught.value, DeadCentreError):
        assert caught.value.time == pytest.approx(end, abs=1e-5)
