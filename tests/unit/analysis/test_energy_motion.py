"""Speed by position: pendulum and slider-crank against closed forms and against a simulated motion; refusals."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import DescriptionError

G = 9.81


def pendulum():
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    m.add("A", lw.Revolute("ground", rod.a))
    return m


def engine(space=False):
    m = lw.Mechanism("engine")
    crank = m.add("crank", lw.bar(length=0.1, mass=1.0))
    rod = m.add("rod", lw.bar(length=0.3, mass=0.7))
    slider = m.add("slider", lw.Body(2.0, 0.1))
    m.add("O", lw.Revolute("ground", crank.a))
    m.add("A", lw.Revolute(crank.b, rod.a))
    m.add("B", lw.Revolute(rod.b, slider))
    m.add("guide", lw.Prismatic("ground", slider))
    m.add("gas", lw.PointForce(slider, x=-20.0))
    m.add("motor", lw.Torque(crank, 6.0))
    m.add("spring", lw.SpringDamper(m.ground.at(0.6, 0.0), slider, stiffness=50.0, rest_length=0.2))
    if not space:
        return m
    m = m.in_space()
    m.gravity = (0.0, -G, 0.0)
    return m


NEAR = {"slider.x": 0.4}


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize(("last", "speed"), [("-170 deg", 0.0), ("-170 deg", -3.0), ("60 deg", 8.0)])
def test_a_pendulum_against_its_closed_form(coordinates, last, speed):
    found = pendulum().energy_motion({"A.angle": (0.0, last, 101)}, speed=speed, coordinates=coordinates)
    inertia = 2.0 / 3.0
    wanted = speed**2 - 2.0 * 2.0 * G * 0.5 * np.sin(found.value) / inertia
    assert np.abs(found.speed**2 - wanted).max() < 1e-9 * wanted.max()
    assert np.sign(found.speed[-1]) == (-1.0 if last == "-170 deg" else 1.0)
    assert np.abs(found.acceleration + 2.0 * G * 0.5 * np.cos(found.value) / inertia).max() < 1e-9
    assert np.abs(found.inertia - inertia).max() < 1e-12 and np.abs(found.inertia_slope).max() < 1e-12
    assert np.abs(found.kinetic - found.kinetic[0] - found.work).max() < 1e-12 * found.kinetic.max()
    assert not found.ended and found.error < 1e-10
    # the pin carries weight and the inertia of the mass centre
    force = found.run.reaction("A").force
    c, s, w, e = np.cos(found.value), np.sin(found.value), found.speed, found.acceleration
    assert np.abs(force[:, 0] - 2.0 * 0.5 * (-s * e - c * w**2)).max() < 1e-9 * np.abs(force).max()
    assert np.abs(force[:, 1] - 2.0 * (0.5 * (c * e - s * w**2) + G)).max() < 1e-9 * np.abs(force).max()


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("space", [False, True])
def test_an_engine_against_its_simulated_motion(coordinates, space):
    m = engine(space)
    found = m.energy_motion({"O.angle": (0.3, 0.3 + 2 * math.pi, 241)}, speed=12.0, near=NEAR, coordinates=coordinates)
    run = m.simulate(found.t, start={"O.angle": 0.3, "O.angle.rate": 12.0}, near=NEAR, coordinates="body", rtol=1e-11)
    fast = np.abs(found.speed).max()
    assert np.abs(run["O.angle"] - found.value).max() < 1e-6  # of the times
    assert np.abs(run["O.angle.rate"] - found.speed).max() < 1e-5 * fast
    for joint in ("O", "A", "B"):
        wanted = run.reaction(joint).force
        assert np.abs(found.run.reaction(joint).force - wanted).max() < 1e-4 * np.abs(wanted).max()
    # at its own positions and speeds the equations of motion have the same accelerations
    for k in (0, 100, 240):
        ev = m.evaluate(found.run.state(k), coordinates="body")
        assert ev["O.angle.acceleration"] == pytest.approx(found.acceleration[k], rel=1e-9)
    # J' is half of the derivative of J
    h = found.value[1] - found.value[0]
    J = found.inertia
    slope = (J[:-4] - 8 * J[1:-3] + 8 * J[3:-1] - J[4:]) / (12 * h)
    assert np.abs(0.5 * slope - found.inertia_slope[2:-2]).max() < 1e-5 * np.abs(found.inertia_slope).max()


def test_times_from_rest_against_the_elliptic_integral():
    """Quarter of the period of a rod that falls from level: K(1/2) over the small-swing frequency."""
    found = pendulum().energy_motion({"A.angle": (0.0, "-90 deg", 401)})
    omega = math.sqrt(1.5 * G)
    k = 1.854074677301372  # K at modulus squared 1/2
    assert found.t[-1] == pytest.approx(k / omega, rel=2e-6)


def test_a_machine_that_comes_to_rest_says_where():
    found = pendulum().energy_motion({"A.angle": (0.0, "90 deg", 91)}, speed=4.0)
    stop = math.asin(16.0 / 3.0 / G)
    assert found.ended.startswith("comes to rest at A.angle = ")
    assert float(found.ended.split(" = ")[1].split()[0]) == pytest.approx(stop, abs=1e-8)
    assert found.value[-1] < stop < found.value[-1] + math.radians(1.0)
    assert found.ended in str(found) and found.run.ended == found.ended


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"over": {"A.angle": (0.0, 1.0, 21)}}, "nothing pushes it along its way"),
        ({"over": {"A.angle": (0.0, 1.0, 21)}, "speed": -1.0}, "against its way"),
        ({"over": {"A.angle": (0.0, 1.0, 21)}, "speed": 0.1}, "before its second position"),
        ({"over": {"A.angle": (0.0, -1.0, 5)}}, "too few positions"),
        ({"over": {}}, "moves one quantity"),
        ({"over": {"A.angle": (0.0, 1.0, 21), "rod.x": (0, 1, 21)}}, "moves one quantity"),
        ({"over": {"A.angle": (0.0, -1.0, 21)}, "speed": "1 m"}, "unit"),
    ],
)
def test_what_is_refused(given, words):
    with pytest.raises(DescriptionError, match=words):
        pendulum().energy_motion(**given)


def whisper(value, rate, t):
    return 1.0 + 0.01 * math.sin(t)


def test_forces_of_speed_time_and_memory_are_refused_by_name():
    over = {"A.angle": (0.0, -1.0, 21)}
    m = pendulum()
    m.add("brake", lw.TorsionSpringDamper("ground", m["rod"], damping=1.0))
    with pytest.raises(DescriptionError, match=r"'brake' depends on speed or time"):
        m.energy_motion(over)
    m = pendulum()
    m.add("wind", lw.UserForce("A.angle", whisper))
    with pytest.raises(DescriptionError, match=r"'wind' depends on speed or time"):
        m.energy_motion(over)
    m = pendulum()
    m.add("motor", lw.Driver("A.angle", "t"))
    with pytest.raises(DescriptionError, match="has drivers"):
        m.energy_motion(over)
    m = lw.gallery.double_pendulum()
    with pytest.raises(DescriptionError, match="1 freedom"):
        m.energy_motion(over)
