"""Laws with memory: contact that remembers the speed of approach, against the closed form.

Nikravesh, Planar Multibody Dynamics, Problems 11.9 and 11.10, with the damped Hertz force of Eq. 11.42:

        f = k d^n (1 + 3 (1 - e^2) / 4  d' / v)        v: speed of approach at the first touch

Its effective restitution depends on e alone:  a (1 + r) = ln((1 + a) / (1 - a r)),  a = 3 (1 - e^2) / 4.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import linkwork as lw


def contact(values, rates, t, numbers, memory, out):
    depth = -values[0]
    if depth <= 0.0:
        memory[0] = 0.0
        out[0] = 0.0
    else:
        if memory[0] == 0.0:
            memory[0] = -rates[0]
        damping = 0.75 * (1.0 - numbers[1] ** 2) / memory[0]
        out[0] = numbers[0] * depth**1.5 * (1.0 - damping * rates[0])


def ball(restitution, height, tilt, dimension=2):
    c, s = math.cos(tilt), math.sin(tilt)
    m = lw.Mechanism("ball", gravity=None)
    one = m.add("ball", lw.Body(mass=1.0, inertia=1.0, position=(-s * height, c * height), velocity=(s, -c)))
    depth = lw.Offset(m.ground.at(0, 0, angle=tilt), one.at(0, 0), "y")
    m.add("touch", lw.UserForce(reads=[depth], along=[depth], law=contact, numbers=[1e10, restitution], memory=1))
    return m if dimension == 2 else m.in_space()


def effective(e):
    a = 0.75 * (1.0 - e * e)
    return brentq(lambda r: a * (1.0 + r) - math.log((1.0 + a) / (1.0 - a * r)), 1e-9, 1.0 - 1e-12)


@pytest.mark.parametrize(("e", "printed"), [(0.1, 0.6652654068), (0.5, 0.725241114), (0.9, 0.9131766778)])
def test_the_closed_form_is_that_of_the_table(e, printed):
    assert effective(e) == pytest.approx(printed, abs=1e-9)


@pytest.mark.parametrize("method", ["dop853", "dopri5"])
@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_restitution_at_many_tolerances(method, coordinates):
    """Steps that are tried and rejected leave no trace in the memory; what is left is how exactly the touch is met."""
    rng = np.random.default_rng(11)
    for exponent in (6.0, 7.0, 8.0, 9.0, 10.0):
        e, height, tilt = rng.uniform(0.1, 0.9), rng.uniform(1e-5, 1e-3), rng.uniform(-3.0, 3.0)
        run = ball(e, height, tilt).simulate(
            [0.0, height + 0.001], rtol=10.0**-exponent, method=method, coordinates=coordinates
        )
        away = -math.sin(tilt) * run["ball.x.rate"][-1] + math.cos(tilt) * run["ball.y.rate"][-1]
        assert away == pytest.approx(effective(e), abs=3.0 * 10.0 ** (-0.5 * exponent))


@pytest.mark.parametrize("dimension", [2, 3])
def test_restitution_at_the_default_tolerance(dimension):
    for e in (0.1, 0.5, 0.9):
        run = ball(e, 3e-4, 0.7, dimension).simulate(1.5e-3, coordinates="auto")
        away = -math.sin(0.7) * run["ball.x.rate"][-1] + math.cos(0.7) * run["ball.y.rate"][-1]
        assert away == pytest.approx(effective(e), abs=2e-4)


def counted(values, rates, t, numbers, memory, out):
    memory[0] += 1.0
    out[0] = 0.0


@pytest.mark.parametrize("method", ["dop853", "dopri5", "rkc"])
def test_memory_is_written_once_an_accepted_step(method):
    """A law that counts its calls in its memory counts the start and every accepted step."""
    m = lw.Mechanism("counter")
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), bar.a))
    x = lw.WorldOffset(m.ground.at(0, 0), bar.b, "x")
    m.add("count", lw.UserForce(reads=[x], along=[x], law=counted, numbers=[], memory=1))
    run = m.simulate(2.0, method=method, coordinates="joint")
    assert run.final.memory[-1] == run.statistics.steps + 1
    assert run.state(0).memory[-1] == 1.0
    run["count.force"]  # reading is not a step
    assert run.final.memory[-1] == run.statistics.steps + 1
