"""Switching constraints: problems 13.17 and 13.18 and sections 15.12, 15.16 and 15.17 of Nikravesh, each against a
solution in closed form or by quadrature.  Dimensions that the print lost are chosen."""

from math import atan2, cos, exp, pi, sin, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ellipk

import linkwork as lw
from linkwork.coordinates import SETS

EXAMPLES = Path(__file__).parents[2] / "examples"
G = 9.81


def ball_on_a_string(*further):
    """A ball on a string of 1 m from the horizontal, and a nail half a metre below its end."""
    m = lw.Mechanism("string")
    m.add("ball", lw.Particle(1.0, position=(1.0, 0.0)))
    m.add("long", lw.Rod("ground", "ball", length=1.0))
    m.add("short", lw.Rod(m.ground.at(0, -0.5), "ball", length=0.5, active=False))
    for name, event in further:
        m.add(name, event)
    return m


def quarter_swing(length):
    """From the horizontal at rest to the vertical: K(1/2) sqrt(l / g)."""
    return sqrt(length / G) * ellipk(0.5)


@pytest.mark.parametrize("coordinates", SETS)
def test_problem_13_17_a_string_meets_a_nail(coordinates):
    """It swings on about the nail; the string goes slack at cos b = -2/3, the ball flies, and the string strikes again.

    v^2 = g (1 + cos b)        tension = m g (2 + 3 cos b)        b from the vertical, about the nail
    """

    def tension(s):
        return s["short.reaction.x"] * s["ball.x"] + s["short.reaction.y"] * (s["ball.y"] + 0.5)

    m = ball_on_a_string(
        ("nail", lw.Event("ball.x", direction="falling", then=[lw.Release("long"), lw.Lock("short")], most=1)),
        ("slack", lw.Event(lambda s: -tension(s), direction="falling", then=lw.Release("short"), most=1)),
        ("taut", lw.Event("short.length", 0.5, direction="rising", then=[lw.Lock("short"), lw.Stop()])),
    )
    run = m.simulate(3.0, every=0.01, coordinates=coordinates, rtol=1e-10)
    nail, slack, taut = run.events
    assert nail.t == pytest.approx(quarter_swing(1.0), abs=1e-8) and nail.energy_lost == pytest.approx(0.0, abs=1e-9)
    b = np.arccos(-2.0 / 3.0)
    half = quad(lambda a: sqrt(0.25 / (G * (1.0 + cos(a)))), 0.0, b)[0]
    assert slack.t - nail.t == pytest.approx(half, abs=1e-7)
    x, y = -0.5 * sin(b), -0.5 - 0.5 * cos(b)
    assert (slack.after["ball.x"], slack.after["ball.y"]) == pytest.approx((x, y), abs=1e-7)
    v = sqrt(G / 3.0)
    vx, vy = -v * cos(b), v * sin(b)
    assert (slack.after["ball.x.rate"], slack.after["ball.y.rate"]) == pytest.approx((vx, vy), abs=1e-6)

    def gap(t):
        return np.hypot(x + vx * t, y + vy * t - 0.5 * G * t * t + 0.5) - 0.5

    flight = brentq(gap, 0.05, 1.0, xtol=1e-14)
    assert taut.t - slack.t == pytest.approx(flight, abs=1e-6)
    place = np.array([x + vx * flight, y + vy * flight - 0.5 * G * flight**2 + 0.5]) / 0.5
    radial = np.dot(place, [vx, vy - G * flight])
    assert radial > 0.0 and taut.energy_lost == pytest.approx(0.5 * radial**2, abs=1e-5)
    (impulse,) = (one for name, one in taut.impulses.items() if name.startswith("short"))
    assert impulse == pytest.approx(-radial, abs=1e-5)
    assert np.abs(run.energy.balance).max() < 1e-7


@pytest.mark.parametrize("coordinates", SETS)
def test_problem_13_18_the_string_breaks(coordinates):
    m = ball_on_a_string(("nail", lw.Event("ball.x", direction="falling", then=lw.Release("long"), most=1)))
    run = m.simulate(1.5, every=0.01, coordinates=coordinates, rtol=1e-10)
    (nail,) = run.events
    begin, v = quarter_swing(1.0), sqrt(2.0 * G)
    assert nail.t == pytest.approx(begin, abs=1e-8)
    late = run.t > begin
    t = run.t[late] - begin
    assert run["ball.x"][late] == pytest.approx(-v * t, abs=1e-6)
    assert run["ball.y"][late] == pytest.approx(-1.0 - 0.5 * G * t**2, abs=1e-6)
    assert np.all(run["long.reaction.magnitude"][late] == 0.0)


def example(name, coordinates, **options):
    """A model of the examples, run as its file says."""
    document = lw.read_document(EXAMPLES / f"{name}.yaml")
    said = document.analysis
    run = document.mechanism.simulate(
        said["duration"], every=said["every"], start=said.get("start"), coordinates=coordinates, rtol=1e-10, **options
    )
    assert np.abs(run.energy.balance).max() < 1e-6 * max(1.0, run.energy.in_play)
    return run


def passed(stiffness, damping, inertia, x, v):
    """When a damped oscillation passes zero first, and its speed there."""
    decay, w = damping / (2 * inertia), sqrt(stiffness / inertia - (damping / (2 * inertia)) ** 2)
    c = (v + decay * x) / w
    t = (pi - atan2(x, c)) / w if x > 0 else (-atan2(x, c)) / w
    t = brentq(lambda s: x * cos(w * s) + c * sin(w * s), 0.2 * t, 1.5 * t, xtol=1e-15)
    return t, exp(-decay * t) * ((c * w - decay * x) * cos(w * t) - (x * w + decay * c) * sin(w * t))


@pytest.mark.parametrize("coordinates", SETS)
def test_section_15_17_satellite_panels(coordinates):
    """Each phase is a damped oscillator: 2/3 kg m^2 about L1 with the outer panel folded back, then 1/3 about L2.

    When L1 stops, the outer panel keeps its momentum about L2: its angular velocity goes over into -w/2.
    """
    run = example("satellite_panels", coordinates)
    upright, in_line = run.events
    t1, w = passed(30.0, 5.0, 2.0 / 3.0, -pi / 2, 0.0)
    assert upright.t == pytest.approx(t1, abs=1e-8)
    assert upright.before["L1.angle.rate"] == pytest.approx(w, rel=1e-7)
    assert upright.after["L2.angle.rate"] == pytest.approx(-w / 2, rel=1e-7)
    t2, _ = passed(30.0, 5.0, 1.0 / 3.0, pi, -w / 2)
    assert in_line.t == pytest.approx(t1 + t2, abs=1e-7)
    lost = 0.5 * (2.0 / 3.0) * w**2 - 0.5 * (1.0 / 3.0) * (w / 2) ** 2
    assert upright.energy_lost == pytest.approx(lost, rel=1e-6)
    final = run.final
    assert final.mode("L1") == final.mode("L2") == "locked"  # no freedom is left
    assert abs(run["outer.angle.rate"][-1]) < 1e-9 and run["outer.angle"][-1] == pytest.approx(pi / 2, abs=1e-8)


@pytest.mark.parametrize("coordinates", SETS)
def test_section_15_16_swing(coordinates):
    """Until the first event nothing but the swing moves: a rigid pendulum, with half a swing of 2 K sqrt(I / (m g l)).

    It goes higher with every swing.
    """
    run = example("swing", coordinates)
    first = run.state(0)
    m = run.mechanism
    assert m.check(coordinates="body").freedom == 1
    mass = inertia = 0.0
    moment = np.zeros(2)
    for name, body in m.bodies.items():
        angle, at = first[f"{name}.angle"], np.array([first[f"{name}.x"], first[f"{name}.y"]])
        center = np.array([body.center[0], body.center[1]])
        place = at + np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]]) @ center
        mass, moment = mass + body.mass, moment + body.mass * place
        inertia += body.inertia + body.mass * place @ place
    arm = np.linalg.norm(moment) / mass
    swing = abs(atan2(moment[0], -moment[1]))
    half = 2.0 * ellipk(sin(swing / 2) ** 2) * sqrt(inertia / (mass * G * arm))
    assert run.events[0].name == "front" and run.events[0].t == pytest.approx(half, abs=1e-7)
    fronts = [one.after["P.angle"] for one in run.events if one.name == "front"]
    backs = [one.after["P.angle"] for one in run.events if one.name == "back"]
    assert len(fronts) >= 10 and np.all(np.diff(fronts) > 0.02) and np.all(np.diff(backs) < -0.02)
    assert all("smoothly" in str(one) for one in run.events)


@pytest.mark.parametrize("coordinates", SETS)
def test_section_15_12_creeping_robot(coordinates):
    """It goes on by twice the crank in every turn, and brakes change twice, without a jump."""
    run = example("creeping_robot", coordinates)
    assert [one.t for one in run.events] == pytest.approx(0.5 * np.arange(1, 9), abs=1e-9)
    assert all(one.energy_lost == pytest.approx(0.0, abs=1e-12) for one in run.events)
    for turn in range(5):
        k = int(np.argmin(np.abs(run.t - turn)))
        assert run["rear.x"][k] == pytest.approx(0.12 * turn, abs=1e-9)
        assert run["front.x"][k] == pytest.approx(0.14 + 0.12 * turn, abs=1e-9)
    assert run["rear.angle"][-1] == pytest.approx(-run["rear.x"][-1] / 0.05, abs=1e-8)


# -- crossings of two pendulums that pass each other -------------------------------------------------------------------
LENGTH, MASS, INERTIA = 0.1, 0.1, 5e-6


def levels():
    rng = np.random.default_rng(1)
    return np.concatenate([rng.uniform(0.015, 0.08, 60), 0.02 * (1 + 10.0 ** rng.uniform(-6, -2, 40))])


def crossings():
    """How often each level is crossed in 2 s, from many samples of the closed-form swing (Jacobi's functions)."""
    from scipy.special import ellipj

    k = sin(pi / 6) ** 2
    w = sqrt(MASS * G * LENGTH / (INERTIA + MASS * LENGTH**2))
    t = np.linspace(0.0, 2.0, 2_000_001)
    sn, *_ = ellipj(ellipk(k) - w * t, k)
    phi = 2.0 * np.arcsin(sqrt(k) * sn)
    gap = np.hypot(0.02 + LENGTH * np.sin(phi), LENGTH - LENGTH * np.cos(phi))
    return np.array([np.count_nonzero(np.diff(np.sign(gap - level))) for level in levels()])


@pytest.mark.parametrize("method", ["dop853", "dopri5"])
def test_no_crossing_is_missed(method):
    m = lw.Mechanism("passing")
    for k, (x, angle) in enumerate(((0.02, pi / 3), (0.0, 0.0))):
        body = m.add(f"b{k}", lw.Body(mass=MASS, inertia=INERTIA, angle=angle))
        m.add(f"p{k}", lw.Revolute(m.ground.at(x, 0), body.at(0, LENGTH)))
    distance = lw.Distance(m["b0"].at(0, 0), m["b1"].at(0, 0))
    for k, level in enumerate(levels()):
        m.add(f"e{k}", lw.Event(distance, float(level)))
    wanted = crossings()
    assert wanted.sum() == 1200
    for rtol in (1e-4, 1e-5, 1e-6, 1e-8):
        run = m.simulate([0.0, 2.0], method=method, rtol=rtol, coordinates="body")
        found = np.bincount([int(one.name[1:]) for one in run.marks], minlength=100)
        assert np.array_equal(found, wanted), (method, rtol, found.sum())
