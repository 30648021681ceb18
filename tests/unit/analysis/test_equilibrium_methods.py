"""Four ways to rest: along forces, by a root, by least energy, by a braked motion; they agree, or say why not."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import AnalysisError, ConvergenceError

G = 9.81
STABLE = ("downhill", "energy", "damping")


def chain(seed, n=3):
    """Bars in a row, hung with random springs."""
    random = np.random.default_rng(seed)
    m = lw.Mechanism("chain")
    before = m.ground
    for k in range(n):
        bar = m.add(f"b{k}", lw.bar(length=random.uniform(0.3, 0.8), mass=random.uniform(0.5, 2.0)))
        m.add(f"j{k}", lw.Revolute(before, bar.a))
        spring = {"stiffness": random.uniform(5.0, 60.0), "rest_length": random.uniform(0.1, 0.5)}
        m.add(f"s{k}", lw.SpringDamper(m.ground.at(*random.uniform(-1, 1, 2)), bar.b, damping=0.5, **spring))
        before = bar.b
    return m


def spatial(seed):
    random = np.random.default_rng(seed)
    m = lw.Mechanism("spatial", dimension=3)
    m.add("one", lw.Body(1.5, (0.03, 0.04, 0.02), center=(0.1, 0.0, -0.3), points={"tip": (0.0, 0.1, -0.5)}))
    m.add("two", lw.Body(0.7, (0.01, 0.02, 0.015), center=(0.0, 0.1, -0.2), points={"tip": (0.1, 0.0, -0.4)}))
    m.add("ball", lw.Spherical("ground", "one"))
    axis = tuple(random.normal(size=3))
    m.add("hinge", lw.Revolute(m["one"].at(0.0, 0.1, -0.5, axis=axis), m["two"].at(0, 0, 0, axis=axis)))
    for k, body in enumerate(("one.tip", "two.tip", "one.tip")):
        place = random.uniform(-1, 1, 3)
        m.add(f"s{k}", lw.SpringDamper(m.ground.at(*place), body, stiffness=random.uniform(10, 50), rest_length=0.3))
    side = m["one"].at(0.4, 0.0, 0.0)
    m.add("twist", lw.SpringDamper(m.ground.at(0.2, 1.5, 0.1), side, stiffness=12.0, damping=1.0))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("make", [chain, spatial])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_they_agree(make, seed, coordinates):
    """From the rest that one finds, moved aside, all come back to it."""
    m = make(seed)
    first = m.equilibrium(coordinates=coordinates)
    assert first.stability == "stable"
    names = [
        name
        for name in first.state._result.names
        if name.endswith((".x", ".y", ".z", ".angle")) and name.count(".") == 1
    ]
    wanted = [first[name] for name in names]
    n = first.state.model.n_q
    found = {
        method: m.equilibrium(start=first.state, method=method, coordinates=coordinates) for method in ("root", *STABLE)
    }
    pushed = m.pushed("aside", m.measure("b2.b.x" if make is chain else "two.tip.x"), 0.3)
    aside = pushed.equilibrium(start=first.state, coordinates=coordinates)
    assert np.abs(aside.state.y[:n] - first.state.y[:n]).max() > 1e-3
    start = m.assemble(start=aside.state, coordinates=coordinates)
    found |= {
        f"{method} from aside": m.equilibrium(start=start, method=method, coordinates=coordinates) for method in STABLE
    }
    for method, one in found.items():
        np.testing.assert_allclose([one[name] for name in names], wanted, atol=2e-7, err_msg=method)
        assert one.stability == "stable"


@pytest.mark.parametrize("coordinates", SETS)
def test_energy_leaves_a_top(coordinates):
    """Upright is an equilibrium, but no minimum: the energy alone tells."""
    m = lw.gallery.pendulum()
    low = m.equilibrium(start={"A.angle": math.pi / 2}, method="energy", coordinates=coordinates)
    assert math.remainder(low["A.angle"] + math.pi / 2, 2 * math.pi) == pytest.approx(0.0, abs=1e-8)
    assert low.stability == "stable"


@pytest.mark.parametrize("coordinates", SETS)
def test_a_root_from_where_the_slope_vanishes(coordinates):
    """A level rod: the force is largest, and its slope zero."""
    found = lw.gallery.pendulum().equilibrium(start={"A.angle": 0.0}, method="root", coordinates=coordinates)
    assert abs(math.cos(found["A.angle"])) < 1e-9


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("method", ["downhill", "root", *STABLE])
def test_what_floats_rests_where_it_is(coordinates, method):
    m = lw.gallery.cart()
    m.remove("motor")
    found = m.equilibrium(method=method, coordinates=coordinates)
    assert found.stability == "indifferent" and found.residual < 1e-9


@pytest.mark.parametrize("coordinates", SETS)
def test_closed_loops(coordinates):
    m = lw.gallery.four_bar()
    wanted = m.equilibrium(coordinates=coordinates)
    for method in ("energy", "damping"):
        found = m.equilibrium(method=method, coordinates=coordinates)
        assert found["A.angle"] == pytest.approx(wanted["A.angle"], abs=1e-8)
        assert found.method == method and found.steps > 0 and f"({method}," in str(found)


def one_sided(value, rate, t, stiffness, radius):
    return stiffness * (radius - value) if value < radius else 0.0


def pressed(values, numbers):
    return 0.5 * numbers[0] * max(0.0, numbers[1] - values[0]) ** 2


@pytest.mark.parametrize("method", STABLE)
def test_laws_of_users(method):
    """A wheel falls onto its one-sided tyre; the energy is asked only where the law says its potential."""
    m = lw.Mechanism("drop")
    m.add("wheel", lw.Body(20.0, 1.0))
    m.add("guide", lw.Prismatic(m.ground.at(0, 0, angle=math.pi / 2), m["wheel"].at(0, 0, angle=math.pi / 2)))
    law = {"stiffness": 1e5, "radius": 0.3, "energy": "stores"}
    m.add("tyre", lw.UserForce("guide.slide", one_sided, potential=pressed, **law))
    rest = m.equilibrium(start={"guide.slide": 0.5}, method=method, coordinates="joint")
    assert rest["wheel.y"] == pytest.approx(0.3 - 20.0 * G / 1e5, abs=1e-8)
    m.replace("tyre", lw.UserForce("guide.slide", one_sided, **law))
    if method == "energy":
        with pytest.raises(AnalysisError, match="'tyre' stores energy but gives no potential"):
            m.equilibrium(start={"guide.slide": 0.5}, method=method, coordinates="joint")


def wrong(values, numbers):
    return 0.3 * numbers[0] * max(0.0, numbers[1] - values[0]) ** 2


def test_a_potential_that_is_not_that_of_its_force_is_told():
    m = lw.Mechanism("drop")
    m.add("wheel", lw.Body(20.0, 1.0))
    m.add("guide", lw.Prismatic(m.ground.at(0, 0, angle=math.pi / 2), m["wheel"].at(0, 0, angle=math.pi / 2)))
    law = {"stiffness": 1e5, "radius": 0.3, "energy": "stores"}
    m.add("tyre", lw.UserForce("guide.slide", one_sided, potential=wrong, **law))
    with pytest.raises(AnalysisError, match="check_law compares them"):
        m.equilibrium(start={"guide.slide": 0.3}, method="energy", coordinates="joint")


def test_forces_without_a_potential():
    """A torque drives: the energy refuses it by name, the others find where it holds the rod."""
    m = lw.gallery.pendulum()
    m.add("motor", lw.Torque("rod", 2.0))
    with pytest.raises(AnalysisError, match="'motor' acts at rest and has no potential"):
        m.equilibrium(start={"A.angle": -1.0}, method="energy", coordinates="body")
    for method in ("downhill", "root", "damping"):
        found = m.equilibrium(start={"A.angle": -1.0}, method=method, coordinates="body")
        assert math.cos(found["A.angle"]) == pytest.approx(2.0 / (G * 0.5), abs=1e-8)
    m.replace("motor", lw.Torque("rod", "2 N m*sin(3*t)"))
    low = m.equilibrium(start={"A.angle": -1.0}, method="energy", coordinates="body")  # it does nothing at t = 0
    assert low["A.angle"] == pytest.approx(-math.pi / 2, abs=1e-8)
    with pytest.raises(AnalysisError, match="'motor' changes with time"):
        m.equilibrium(start={"A.angle": -1.0}, method="damping", coordinates="body")


def test_a_driver_that_begins_later_stands_still_for_all():
    m = lw.gallery.double_pendulum()
    m.add("motor", lw.Driver("upper.angle", lw.SmoothStep(1.0, -1.0, 3.0, 0.0)))
    for method in ("downhill", "root", *STABLE):
        found = m.equilibrium(near={"lower.angle": -1.5}, method=method, coordinates="joint")
        assert found["lower.angle"] == pytest.approx(-math.pi / 2, abs=1e-8)
        assert found["upper.angle"] == pytest.approx(-1.0)


@pytest.mark.parametrize("method", ["downhill", "root", *STABLE])
def test_what_falls_has_none(method):
    m = lw.Mechanism("falls")
    m.add("block", lw.Body(1.0, 1.0, position=(0, 0), angle=0.0))
    with pytest.raises(ConvergenceError, match="has no equilibrium"):
        m.equilibrium(method=method, coordinates="body")
