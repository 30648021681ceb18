"""Steady motions against closed forms: conical pendulum, Watt's governor, a pendulum seen from a turning shaft."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import AnalysisError, DescriptionError

G = 9.81


def on_shaft(tilt=(0, 0, 1), length=0.5, mass=2.0, inertia=(0.03, 0.03, 0.01)):
    """A rod on a hinge across a shaft."""
    m = lw.Mechanism("conical pendulum", dimension=3)
    m.add("shaft", lw.Body(1.0, (0.1, 0.1, 0.1)))
    m.add("bob", lw.Body(mass, inertia, center=(0.0, 0.0, -length)))
    m.add("spin", lw.Revolute(m.ground.at(0, 0, 0, axis=tilt), m["shaft"].at(0, 0, 0, axis=tilt)))
    y = {"axis": (0, 1, 0)}
    m.add("hinge", lw.Revolute(m["shaft"].at(0, 0, 0, **y), m["bob"].at(0, 0, 0, **y)))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("W", [5.0, 8.0, -8.0, 20.0])
def test_conical_pendulum(coordinates, W):
    """m g l sin = W^2 (A - C) sin cos with A about the hinge and C along the rod: cos = m g l / (W^2 (A - C)).

    Small motions: A w^2 = W^2 (A - C) sin^2.
    """
    m = on_shaft()
    A, C, weight = 0.03 + 2.0 * 0.25, 0.01, 2.0 * G * 0.5
    found = m.steady({"spin.angle": W}, start={"hinge.angle": 0.4}, coordinates=coordinates)
    assert math.cos(found["hinge.angle"]) == pytest.approx(weight / (W**2 * (A - C)), rel=1e-9)
    assert found.stability == "stable" and found.constant == ("hinge.angle",)
    w = abs(W) * math.sqrt((A - C) / A) * abs(math.sin(found["hinge.angle"]))
    assert found.modes[0].frequency == pytest.approx(w / (2 * math.pi), rel=1e-6)
    assert found.efforts["spin.angle"] == pytest.approx(0.0, abs=1e-8)
    low = m.steady({"spin.angle": W}, start={"hinge.angle": 0.01}, method="root", coordinates=coordinates)
    assert low["hinge.angle"] == pytest.approx(0.0, abs=1e-8)  # above the critical speed it does not stay down
    assert low.stability == "unstable"
    assert max(one.eigenvalue.real for one in low.modes) == pytest.approx(
        math.sqrt((W**2 * (A - C) - weight) / A), rel=1e-6
    )
    slow = m.steady({"spin.angle": 3.0}, start={"hinge.angle": 0.3}, coordinates=coordinates)
    assert slow["hinge.angle"] == pytest.approx(0.0, abs=1e-8) and slow.stability == "stable"


@pytest.mark.parametrize("coordinates", SETS)
def test_a_run_goes_on_so(coordinates):
    m = on_shaft()
    found = m.steady({"spin.angle": "90 rpm"}, start={"hinge.angle": 0.4}, coordinates=coordinates)
    run = found.state.model.mechanism.simulate(1.0, every=0.05, start=found.state, coordinates=coordinates)
    assert np.ptp(run["hinge.angle"]) < 1e-7 and run["spin.angle.rate"][-1] == pytest.approx(3.0 * math.pi)


def governor(friction=0.0):
    """Watt's: two arms on the spindle, links down to a heavy sleeve, balls where they meet; all lengths equal."""
    m = lw.Mechanism("governor", dimension=3)
    m.add("spindle", lw.Body(1.0, (0.1, 0.1, 0.02)))
    m.add("sleeve", lw.Body(5.0, (0.01, 0.01, 0.01)))
    m.add("spin", lw.Revolute("ground", "spindle"))
    y, up = {"axis": (0, 1, 0)}, {"axis": (1, 0, 0), "along": (0, 0, 1)}
    m.add("along", lw.Prismatic(m["spindle"].at(0, 0, 0, **up), m["sleeve"].at(0, 0, 0, **up)))
    tiny = (1e-9, 1e-9, 1e-9)
    for side in (1, -1):
        ball = m.add(f"ball{side}", lw.Body(1.2, tiny, center=(0, 0, -0.3), points={"b": (0, 0, -0.3)}))
        m.add(f"hinge{side}", lw.Revolute(m["spindle"].at(0, 0, 0, **y), ball.at(0, 0, 0, **y)))
        m.add(f"link{side}", lw.Rod("sleeve", f"ball{side}.b", length=0.3))
    if friction:
        m.add("oil", lw.SpringDamper("spindle", "sleeve", damping=friction))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("W", [15.0, 25.0])
def test_watts_governor(coordinates, W):
    """W^2 = (m + M) g / (m h), with h = L cos the height of the balls below the pins, M the sleeve (two balls)."""
    m = governor()
    start, near = {"hinge1.angle": -0.6}, {"hinge-1.angle": 0.6, "along.slide": -0.5}
    found = m.steady({"spin.angle": W}, start=start, near=near, coordinates=coordinates)
    assert found["hinge-1.angle"] == pytest.approx(-found["hinge1.angle"])
    height = (1.2 + 5.0) * G / (1.2 * W**2)
    assert -0.5 * found["along.slide"] == pytest.approx(height, rel=1e-7)
    assert found.stability == "stable" and len(found.constant) == 1
    # (m L^2 + 2 M L^2 sin^2) w^2 = m L^2 W^2 sin^2 for each half of the sleeve: V'' of the amended potential
    c = height / 0.3
    s2 = 1.0 - c * c
    half = 2.5
    w2 = 1.2 * W**2 * s2 / (1.2 + 4.0 * half * s2)
    assert found.modes[0].frequency == pytest.approx(math.sqrt(w2) / (2 * math.pi), rel=1e-6)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_pendulum_seen_from_a_turning_shaft(coordinates):
    """It swings in the world at w; against the shaft at w + W and |w - W|: only the gyroscopic terms know."""
    m = lw.Mechanism("seen from a shaft", dimension=3)
    m.add("shaft", lw.Body(1.0, (0.1, 0.1, 0.1)))
    m.add("cross", lw.Body(1e-3, (1e-6, 1e-6, 1e-6)))
    m.add("bob", lw.Body(1.0, (1e-8, 1e-8, 1e-8), center=(0.0, 0.0, -0.7)))
    m.add("spin", lw.Revolute("ground", "shaft"))
    x, y = {"axis": (1, 0, 0)}, {"axis": (0, 1, 0)}
    m.add("one", lw.Revolute(m["shaft"].at(0, 0, 0, **x), m["cross"].at(0, 0, 0, **x)))
    m.add("two", lw.Revolute(m["cross"].at(0, 0, 0, **y), m["bob"].at(0, 0, 0, **y)))
    w, W = math.sqrt(G / 0.7), 2.0
    found = m.steady({"spin.angle": W}, start={"one.angle": 0.02, "two.angle": -0.03}, coordinates=coordinates)
    assert found["one.angle"] == pytest.approx(0.0, abs=1e-8)
    np.testing.assert_allclose(2 * math.pi * found.modes.frequencies, [w - W, w + W], rtol=1e-4)
    np.testing.assert_allclose(found.modes.damping, -found.modes.damping.T, atol=1e-5)


def test_a_driver_of_the_mechanism_and_its_effort():
    """A sleeve with drag is carried round: the motor gives what the drag takes."""
    m = on_shaft()
    m.add("drag", lw.TorsionSpringDamper("ground", "shaft", damping=0.3))
    m.add("motor", lw.Driver("spin.angle", "90 rpm*t"))
    found = m.steady(start={"hinge.angle": 0.4}, coordinates="joint")
    assert found.speeds == {"motor": pytest.approx(3 * math.pi)}
    assert found.efforts["motor"] == pytest.approx(0.3 * 3 * math.pi)
    assert "stays at" in str(found) and " rad/s, effort " in str(found) and "in steady motion" in str(found)


@pytest.mark.parametrize("coordinates", SETS)
def test_in_the_plane(coordinates):
    """A mass on a spring in a slot that turns, without gravity: k (r - r0) = m W^2 r; w^2 = k/m - W^2."""
    m = lw.Mechanism("rotor", gravity=None)
    m.add("arm", lw.Body(1.0, 0.2))
    m.add("mass", lw.Body(0.5, 0.01))
    m.add("A", lw.Revolute("ground", "arm"))
    m.add("slot", lw.Prismatic("arm", "mass"))
    m.add("spring", lw.SpringDamper("arm", "mass", stiffness=200.0, rest_length=0.3, damping=1.0))
    W = 12.0
    found = m.steady({"A.angle": W}, start={"slot.slide": 0.3}, coordinates=coordinates)
    assert found["slot.slide"] == pytest.approx(200.0 * 0.3 / (200.0 - 0.5 * W**2), rel=1e-9)
    assert found.modes[0].undamped == pytest.approx(math.sqrt(400.0 - W**2) / (2 * math.pi), rel=1e-7)
    assert found.modes[0].damping_ratio == pytest.approx(1.0 / (2 * 0.5 * math.sqrt(400.0 - W**2)), rel=1e-6)


def test_efforts_that_vary_are_told():
    """A rod that is turned evenly about a level axis: the motor lifts and lets down its weight."""
    found = lw.gallery.pendulum().steady({"A.angle": 3.0}, start={"A.angle": 0.0}, coordinates="joint")
    assert found.constant == () and found.efforts["A.angle"] == pytest.approx(G / 2)
    (note,) = found.notes
    assert "the effort of A.angle varies on the way, from -4.905 to 4.905" in note and note in str(found)
    assert not on_shaft().steady({"spin.angle": 8.0}, start={"hinge.angle": 0.4}, coordinates="joint").notes


def late(values, rates, t, numbers, memory, out, states, state_rates):
    """A spring that follows late: s' = (x - s) / T, force -k s."""
    state_rates[0] = (values[0] - states[0]) / numbers[1]
    out[0] = -numbers[0] * states[0]


@pytest.mark.parametrize("coordinates", SETS)
def test_states_of_laws_settle_too(coordinates):
    m = lw.Mechanism("rotor", gravity=None)
    m.add("arm", lw.Body(1.0, 0.2))
    m.add("mass", lw.Body(0.5, 0.01, center=(0.3, 0.0)))
    m.add("A", lw.Revolute("ground", "arm"))
    m.add("slot", lw.Prismatic("arm", "mass"))
    m.add("damper", lw.SpringDamper(m["arm"].at(-1, 0), "mass", damping=8.0))
    x = [m.measure("slot.slide")]
    m.add("law", lw.UserForce(reads=x, along=x, law=late, numbers=[200.0, 0.05], states={"s": 0.0}))
    W = 12.0
    found = m.steady({"A.angle": W}, coordinates=coordinates)
    slide = 0.5 * W**2 * 0.3 / (200.0 - 0.5 * W**2)  # k x = m W^2 (0.3 + x)
    assert found["slot.slide"] == pytest.approx(slide, rel=1e-8)
    assert found["law.s"] == pytest.approx(slide, rel=1e-8)
    wanted = np.linalg.eigvals([[0, 1, 0], [W**2, -16.0, -400.0], [20.0, 0, -20.0]])
    got = [one.eigenvalue for one in found.modes]
    kept = sorted((one for one in wanted if one.imag >= 0.0), key=abs)
    np.testing.assert_allclose(got, kept, rtol=1e-6)


def test_what_is_refused():
    with pytest.raises(AnalysisError, match="no steady motion here"):
        on_shaft(tilt=(0.3, 0, 1)).steady({"spin.angle": 8.0}, start={"hinge.angle": 0.4}, coordinates="joint")
    m = on_shaft()
    with pytest.raises(DescriptionError, match="no driver that moves"):
        m.steady(coordinates="joint")
    with pytest.raises(DescriptionError, match="is a rate"):
        m.steady({"spin.angle.rate": 3.0}, coordinates="joint")
    with pytest.raises(DescriptionError, match="another number of names"):
        m.steady({"spin.angle": 3.0}, constant=["hinge.angle", "bob.x"], coordinates="joint")
    with pytest.raises(DescriptionError, match="unknown `method`"):
        m.steady({"spin.angle": 3.0}, method="energy", coordinates="joint")
    m.add("motor", lw.Driver("spin.angle", "1 rad/s^2*t^2"))
    with pytest.raises(AnalysisError, match="'motor' accelerates"):
        m.steady(coordinates="joint")
    ball = lw.Mechanism("ball", dimension=3)
    ball.add("shaft", lw.Body(1.0, (0.1, 0.1, 0.1)))
    ball.add("bob", lw.Body(1.0, (0.1, 0.1, 0.1), center=(0, 0, -0.5)))
    ball.add("spin", lw.Revolute("ground", "shaft"))
    ball.add("on", lw.Spherical("shaft", "bob"))
    with pytest.raises(DescriptionError, match="joints read 0 of them"):
        ball.steady({"spin.angle": 3.0}, coordinates="joint")


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.filterwarnings("error")
def test_steps_of_its_own_are_not_told(coordinates):
    found = lw.gallery.pendulum().steady({"A.angle": 3.0}, coordinates=coordinates)
    assert found.speeds["A.angle"] == pytest.approx(3.0)
    assert "inf s" not in str(found)
