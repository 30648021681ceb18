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
from linkwork.errors import DescriptionError, UserFunctionError


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
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
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


# -- the same with a part that accepts steps ---------------------------------------------------------------------------
def touch(values, rates, t, numbers, memory, out):
    """Eq. 11.42 with the speed of approach that `approach` keeps."""
    if values[0] < 0.0:
        speed = memory[0] if memory[0] > 0.0 else -rates[0]
        out[0] = numbers[0] * (-values[0]) ** 1.5 * (1.0 - 0.75 * (1.0 - numbers[1] ** 2) * rates[0] / speed)


def approach(values, rates, t, numbers, memory):
    """The speed at the last accepted step outside; of a motion that begins inside, at its first step."""
    if values[0] >= 0.0 or memory[0] == 0.0:
        memory[0] = -rates[0]


def accepting_ball(restitution, height, tilt, dimension=2):
    m = ball(restitution, height, tilt)
    law = m.forces["touch"]
    m.replace("touch", lw.UserForce(reads=law.reads, along=law.along, law=touch, numbers=law.numbers, memory=1,
                                    accept=approach))  # fmt: skip
    return m if dimension == 2 else m.in_space()


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize(("rtol", "allowed"), [(1e-6, 2e-2), (1e-8, 2e-4), (1e-10, 1e-5)])
def test_problem_11_9_by_a_law_that_accepts_steps(rtol, allowed, coordinates):
    rng = np.random.default_rng(119)
    for e in np.linspace(0.1, 0.9, 9):
        for method in ("dop853", "dopri5"):
            height, tilt = rng.uniform(1e-5, 1e-3), rng.uniform(-3.0, 3.0)
            run = accepting_ball(e, height, tilt).simulate(
                [0.0, height + 0.001], rtol=rtol, method=method, coordinates=coordinates
            )
            away = -math.sin(tilt) * run["ball.x.rate"][-1] + math.cos(tilt) * run["ball.y.rate"][-1]
            assert away == pytest.approx(effective(e), abs=allowed)


def test_problem_11_9_in_space():
    run = accepting_ball(0.5, 3e-4, 0.7, 3).simulate(1.5e-3, coordinates="auto")
    away = -math.sin(0.7) * run["ball.x.rate"][-1] + math.cos(0.7) * run["ball.y.rate"][-1]
    assert away == pytest.approx(effective(0.5), abs=2e-4)


# -- a law that counts accepted steps ----------------------------------------------------------------------------------
def kicks(values, rates, t, numbers, memory, out):
    """A hard stop, so that steps are rejected; what it writes to its memory is of no account."""
    memory[0] = -1e9
    if values[0] < 0.0:
        out[0] = -numbers[0] * values[0]


def counts(values, rates, t, numbers, memory):
    memory[0] += 1.0


def counting(stiffness=1e6):
    """A double pendulum over a floor, whose torque has kinks."""
    m = lw.gallery.double_pendulum()
    names = list(m.bodies)
    height = lw.WorldOffset(m.ground.at(0.0, -0.5), m[names[-1]], "y")
    m.add(
        "floor", lw.UserForce(reads=[height], along=[height], law=kicks, numbers=[stiffness], memory=1, accept=counts)
    )
    m.add("push", lw.Torque(m[names[0]], value="3*sign(sin(9*t))"))
    return m


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize("method", ["dop853", "dopri5", "rkc", "rk4"])
def test_a_law_that_counts_accepted_steps(method, coordinates, monkeypatch):
    """Rejected steps, kinks, and slices that are cut anywhere have no part in it; nor has going on from a state."""
    from linkwork.analysis import run as module

    options = dict(method=method, coordinates=coordinates, **({"step": 1e-3} if method == "rk4" else {"rtol": 1e-5}))
    m = counting(1e3 if method == "rk4" else 1e6)
    found = []
    for first, least in ((200, 50), (1, 1), (7, 3)):
        monkeypatch.setattr(module, "FIRST_SLICE", first)
        monkeypatch.setattr(module, "LEAST_SLICE", least)
        run = m.simulate(1.3, every=0.011, **options)
        assert run.final.memory[-1] == run.statistics.steps
        found.append((run.statistics.steps, *run.final.y))
    assert found[0] == found[1] == found[2]
    assert method == "rk4" or run.statistics.rejected > 0
    assert run.state(0).memory[-1] == 0.0
    more = m.simulate([1.3, 1.9], start=run.final, **options)
    assert more.final.memory[-1] == run.statistics.steps + more.statistics.steps


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_steps_are_counted_where_rows_are_chosen_anew(coordinates):
    """A parallelogram with a middle link that is redundant goes over its flat position."""
    m = lw.Mechanism("parallelogram")
    a, c, d = (m.add(name, lw.bar(length=1.0, mass=1.0)) for name in "acd")
    b = m.add("b", lw.bar(length=2.0, mass=1.0))
    for name, on, to in (("A", m.ground.at(0, 0), a.a), ("B", a.b, b.a), ("C", b.b, c.b), ("D", m.ground.at(2, 0), c.a),
                         ("E", m.ground.at(1, 0), d.a), ("F", b.at(0, 0), d.b)):  # fmt: skip
        m.add(name, lw.Revolute(on, to))
    x = lw.WorldOffset(m.ground, b, "x")
    m.add("count", lw.UserForce(reads=[x], along=[x], law=idle, memory=1, accept=counts))
    run = m.simulate(4.0, start={"a.angle": 1.0, "a.angle.rate": 9.0}, coordinates=coordinates)
    assert run.statistics.projected_stages > 0
    assert run.final.memory[-1] == run.statistics.steps


def idle(values, rates, t, numbers, memory, out):
    out[0] = 0.0


def spoils(values, rates, t, numbers, memory):
    memory[0] = 1.0 / (0.3 - t) if t < 0.3 else math.inf


def raises(values, rates, t, numbers, memory):
    if t > 0.3:
        raise ValueError("too late")


@pytest.mark.parametrize(("accept", "words"), [(spoils, "leaves a memory that is not finite"),
                                               (raises, "raised ValueError: too late")])  # fmt: skip
def test_memory_that_is_not_finite_ends_the_run(accept, words):
    m = counting()
    law = m.forces["floor"]
    m.replace("floor", lw.UserForce(reads=law.reads, along=law.along, law=idle, memory=1, accept=accept))
    with pytest.raises(UserFunctionError, match=f"Force 'floor' has an accept part '{accept.__name__}' that {words}"):
        m.simulate(1.0, coordinates="body")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (dict(accept=counts), "accepts steps, but has no memory"),
        (dict(accept=3, memory=1), "accept is not a function"),
        (dict(states=-1), "states"),
        (dict(states={"force": 0.0}), "a state whose name cannot be used"),
        (dict(states={"a b": 0.0}), "a state whose name cannot be used"),
        (dict(states={"p": math.nan}), "state 'p'"),
        (dict(states=1, energy="stores"), "does not say how much"),
    ],
)
def test_what_does_not_go_together_is_refused(options, words):
    x = lw.WorldOffset(lw.Frame("ground"), lw.Frame("b"), "x")
    with pytest.raises(DescriptionError, match=words):
        lw.UserForce(reads=[x], along=[x], law=idle, name="f", **options)
    if "accept" in options:
        with pytest.raises(DescriptionError, match=r"UserForce.*long form"):
            lw.UserForce(x, lambda value, rate, t: 0.0, accept=counts, memory=1)
