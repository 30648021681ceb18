"""Frequency responses against closed forms and against runs."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import DescriptionError, UnknownNameError
from unit.analysis.test_linear import CAR, crane, quarter_car


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("ratio", [0.02, 0.3, 1.5])
def test_a_mass_on_a_moving_base(coordinates, ratio):
    """x / u = (c s + k) / (m s^2 + c s + k), and its force on the base."""
    mass, k = 3.0, 200.0
    c = 2.0 * ratio * math.sqrt(k * mass)
    m = lw.Mechanism("base")
    up = m.ground.at(0, 0, angle=math.pi / 2)
    for name in ("base", "mass"):
        m.add(name, lw.Body(mass, 1.0))
        m.add(f"guide {name}", lw.Prismatic(up, m[name].at(0, 0, angle=math.pi / 2)))
    m.add("spring", lw.SpringDamper("base", "mass", stiffness=k, damping=c, rest_length=0.6))
    m.add("road", lw.Driver("base.y", lw.Harmonic(0.1, 5.0)))
    found = m.frequency_response("road", ["mass.y", "road.effort"], start={"mass.y": 0.8}, coordinates=coordinates)
    s = 2j * math.pi * found.frequencies
    wanted = (c * s + k) / (mass * s**2 + c * s + k)
    np.testing.assert_allclose(found["mass.y"], wanted, rtol=1e-7)
    np.testing.assert_allclose(found["road.effort"], mass * s**2 * (1.0 + wanted), rtol=1e-6)
    f, most = found.peak("mass.y")
    if ratio < 1.0:  # the closed form of the peak of transmissibility
        r2 = (math.sqrt(1.0 + 8.0 * ratio**2) - 1.0) / (4.0 * ratio**2)
        assert f == pytest.approx(math.sqrt(r2 * k / mass) / (2 * math.pi), rel=2e-3)
        size = math.sqrt((1 + 4 * ratio**2 * r2) / ((1 - r2) ** 2 + 4 * ratio**2 * r2))
        assert most == pytest.approx(size, rel=1e-4)


@pytest.mark.parametrize("coordinates", SETS)
def test_quarter_car(coordinates):
    """Body and wheel to the road, and the body to a force on it, by the matrices of two masses."""
    found = quarter_car().frequency_response(
        ["road", "body.y"], ["wheel.y", "body.y", "strut.tension"], start=CAR, coordinates=coordinates
    )
    M, K = np.diag([40.0, 350.0]), np.array([[202e3, -22e3], [-22e3, 22e3]])
    C = np.array([[1600.0, -1500.0], [-1500.0, 1500.0]])
    for k in range(0, len(found.frequencies), 37):
        s = 2j * math.pi * found.frequencies[k]
        x = np.linalg.solve(M * s**2 + C * s + K, np.array([[180e3 + 100.0 * s, 0.0], [0.0, 1.0]]))
        np.testing.assert_allclose(found.values[k, :2], x, rtol=1e-7)
        np.testing.assert_allclose(found.values[k, 2], (22e3 + 1500.0 * s) * (x[1] - x[0]), rtol=1e-6)
    assert found.unit("body.y", "road") == "1" and found.unit("body.y", "body.y") == "m/N"
    assert found.unit("strut.tension", "road") == "N/m"
    with pytest.raises(UnknownNameError, match="input"):
        found["body.y"]


def test_a_run_swings_as_it_says():
    """The crane, shaken gently by its trolley: after a while the end swings by so much, and so late."""
    f, size = 0.9, 1e-4
    near = {"one.angle": -1.2, "two.angle": -1.4}
    m = crane()
    found = m.frequency_response("motor", "two.b.x", frequencies=[f], near=near)
    rest = m.equilibrium(near=near)
    m.replace("motor", lw.Driver("rail.slide", lw.Harmonic(size, 2 * math.pi * f, offset=0.2)))
    start = {name: float(rest[name]) for name in ("one.angle", "two.angle")}
    t = np.linspace(0.0, 40.0 / f, 40 * 24 + 1)
    run = m.simulate(t, start=start, rtol=1e-10, atol=1e-13, coordinates="joint")
    last = t > 30.0 / f
    waves = np.column_stack([np.sin(2 * math.pi * f * t), np.cos(2 * math.pi * f * t), np.ones_like(t)])[last]
    a, b, _ = np.linalg.lstsq(waves, run["two.b.x"][last], rcond=None)[0] / size
    np.testing.assert_allclose(a + 1j * b, found["two.b.x"][0], rtol=2e-3)


def test_frequencies():
    m = quarter_car()
    one = m.frequency_response("road", "body.y", frequencies=("0.5 Hz", 20.0), count=5, start=CAR)
    np.testing.assert_allclose(one.frequencies, np.geomspace(0.5, 20.0, 5))
    assert one["body.y"].shape == (5,) and abs(one.phase("body.y")[0]) < math.pi
    every = m.frequency_response("road", "body.y", start=CAR)
    for mode in m.modes(start=CAR):
        assert every.frequencies[0] < mode.frequency < every.frequencies[-1]
    assert "body.y" in str(every) and "1.1" in str(every)
    for wrong in ({"frequencies": [2.0, 1.0]}, {"frequencies": "1 Hz"}, {"frequencies": []}, {"count": 3}):
        with pytest.raises(DescriptionError, match="frequenc"):
            m.frequency_response("road", "body.y", start=CAR, **wrong)
    with pytest.raises(DescriptionError, match="count= goes with two"):
        m.frequency_response("road", "body.y", frequencies=[1.0, 2.0, 3.0], count=4, start=CAR)
    with pytest.raises(DescriptionError, match="too small"):
        m.frequency_response("road", "body.y", frequencies=[-1.0, 2.0], start=CAR)


def test_what_is_refused():
    rod = lw.gallery.pendulum()
    top = rod.equilibrium(start={"A.angle": "80 deg"}, method="root")
    with pytest.raises(DescriptionError, match="unstable"):
        rod.frequency_response("rod.x", "rod.y", state=top)
    with pytest.raises(DescriptionError, match="no driver and no force"):
        rod.frequency_response()
    m = lw.Mechanism("floats", gravity=None)
    m.add("block", lw.Body(1.0, 1.0, position=(0, 0), angle=0.0))
    found = m.frequency_response("block.x", "block.x", frequencies=[1.0])
    assert found["block.x"][0] == pytest.approx(-1.0 / (2 * math.pi) ** 2)
    with pytest.raises(DescriptionError, match="this frequency out"):
        m.frequency_response("block.x", "block.x", frequencies=[0.0, 1.0])
