"""Equilibria against closed forms; both methods; what has none."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import CompileError, ConvergenceError, DescriptionError

G = 9.81


def pendulum(stiffness=0.0):
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    m.add("A", lw.Revolute(m.ground, rod.a))
    if stiffness:
        m.add("coil", lw.TorsionSpringDamper(m.ground, rod, stiffness=stiffness, rest_angle=math.pi / 2))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("angle", [-3.0, -1.0, 0.5, 1.5])
def test_downhill_goes_down_and_root_to_the_nearest(coordinates, angle):
    m = pendulum()
    low = m.equilibrium(start={"A.angle": angle}, coordinates=coordinates)
    assert math.remainder(low["A.angle"] + math.pi / 2, 2 * math.pi) == pytest.approx(0.0, abs=1e-9)
    assert low.stability == "stable" and low.residual < 1e-9
    near = m.equilibrium(start={"A.angle": angle}, coordinates=coordinates, method="root")
    assert abs(math.cos(near["A.angle"])) < 1e-9
    assert near.stability == ("stable" if math.sin(near["A.angle"]) < 0 else "unstable")


@pytest.mark.parametrize("coordinates", SETS)
def test_a_coil_that_is_too_weak_to_hold_it_upright(coordinates):
    """k (pi/2 - a) = m g l/2 cos a: below m g l/2 the rod leans, and upright is unstable."""
    strong, weak = 1.2 * G, 0.8 * G
    upright = pendulum(strong).equilibrium(start={"A.angle": 1.2}, coordinates=coordinates)
    assert upright["A.angle"] == pytest.approx(math.pi / 2, abs=1e-9) and upright.stability == "stable"
    lean = pendulum(weak).equilibrium(start={"A.angle": 1.5}, coordinates=coordinates)
    assert lean.stability == "stable" and lean["A.angle"] < 1.4
    assert weak * (math.pi / 2 - lean["A.angle"]) == pytest.approx(G * math.cos(lean["A.angle"]), abs=1e-8)
    top = pendulum(weak).equilibrium(start={"A.angle": math.pi / 2}, method="root", coordinates=coordinates)
    assert top["A.angle"] == pytest.approx(math.pi / 2) and top.stability == "unstable"


@pytest.mark.parametrize("coordinates", SETS)
def test_a_hanging_chain_in_space(coordinates):
    """Bars from one ball to another; the same force along all, and the middle hangs lowest."""
    m = lw.Mechanism("chain", dimension=3, gravity=(0, 0, -G))
    before, n = m.ground, 4
    for i in range(n):
        ends = {"a": (-0.15, 0.0, 0.0), "b": (0.15, 0.0, 0.0)}
        bar = m.add(f"b{i}", lw.Body(0.5, (1e-3, 4e-3, 4e-3), points=ends))
        m.add(f"j{i}", lw.Spherical(before, bar.a))
        before = bar.b
    m.add("pull", lw.SpringDamper(m.ground.at(0.9, 0.2, 0.1), before, stiffness=60.0))
    rest = m.equilibrium(near={f"b{i}.x": 0.2 * i for i in range(n)}, coordinates=coordinates)
    ev = m.evaluate(rest.state, coordinates=coordinates)
    np.testing.assert_allclose(ev.accelerations, 0.0, atol=1e-6)
    side = [ev.reaction(f"j{i}").force[:2] for i in range(n)]
    np.testing.assert_allclose(side, [side[0]] * n, atol=1e-6)
    up = np.array([ev.reaction(f"j{i}").force[2] for i in range(n)])
    np.testing.assert_allclose(np.diff(up), -0.5 * G, atol=1e-6)
    assert rest.stability in ("stable", "indifferent")  # bars turn about their own lines


@pytest.mark.parametrize("coordinates", SETS)
def test_one_sided_contact(coordinates):
    """A wheel falls until its tyre carries it."""

    def tyre(value, rate, t, stiffness, radius):
        return stiffness * (radius - value) if value < radius else 0.0

    m = lw.Mechanism("drop")
    wheel = m.add("wheel", lw.Body(20.0, 1.0))
    m.add("guide", lw.Prismatic(m.ground.at(0, 0, angle=math.pi / 2), wheel.at(0, 0, angle=math.pi / 2)))
    m.add("tyre", lw.UserForce(lw.WorldOffset(m.ground, wheel, "y"), tyre, stiffness=1e5, radius=0.3, energy="stores"))
    rest = m.equilibrium(start={"guide.slide": 2.0}, coordinates=coordinates)
    assert rest["wheel.y"] == pytest.approx(0.3 - 20.0 * G / 1e5, abs=1e-9)
    assert rest.modes[0].frequency == pytest.approx(math.sqrt(1e5 / 20.0) / (2 * math.pi), rel=1e-6)


def test_a_run_from_there_stays():
    m = lw.gallery.double_a_arm()
    rest = m.equilibrium(coordinates="joint")
    run = m.simulate(0.2, every=0.1, start=rest.state, coordinates="joint")
    assert np.ptp(run["wheel.y"]) < 1e-9
    assert "Equilibrium of" in str(rest) and "stable" in str(rest)


def test_a_structure_is_at_rest_at_once():
    m = lw.Mechanism("structure")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Fixed(m.ground, rod.a))
    rest = m.equilibrium(coordinates="body")
    assert rest.steps == 0 and rest.stability == "stable" and len(rest.modes) == 0
    assert m.evaluate(rest.state, coordinates="body").reaction("A").force[1] == pytest.approx(G)


def test_what_has_none_is_told():
    m = lw.Mechanism("falls")
    m.add("block", lw.Body(1.0, 1.0, position=(0, 0), angle=0.0))
    with pytest.raises(ConvergenceError, match="no equilibrium"):
        m.equilibrium(coordinates="body")


def test_wrong_use():
    m = pendulum()
    with pytest.raises(DescriptionError, match="'sideways'"):
        m.equilibrium(method="sideways", coordinates="body")
    massless = lw.Mechanism("massless")
    rod = massless.add("rod", lw.Body(0.0, 0.0))
    massless.add("A", lw.Revolute(massless.ground, rod.at(1.0, 0.0)))
    with pytest.raises(CompileError, match="without any inertia"):
        massless.equilibrium(coordinates="body")


def test_soft_directions_beside_stiff_ones():
    """A blade of many bars: its coils are stiff, the blade is soft, and bends as a beam all the same."""
    m = lw.Mechanism("blade", gravity=None)
    blade = lw.flexible_rod(m, "blade", length=1.0, mass=0.8, bending=20.0, parts=50)
    m.add("clamp", lw.Fixed(m.ground, blade.a))
    m.add("push", lw.PointForce(blade.b, y=1e-4))
    rest = m.equilibrium(coordinates="joint")
    assert rest["blade50.b.y"] == pytest.approx(1e-4 / (3 * 20.0), rel=1e-5) and rest.steps < 20


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize(
    ("method", "stiffness"),
    [(method, stiffness) for method in ("downhill", "root", "energy") for stiffness in (0.0, 1e3, 1e8)]
    + [("damping", 0.0), ("damping", 1e3)],
)
def test_what_falls_beside_a_mechanism_at_rest_is_no_equilibrium(method, stiffness, coordinates):
    m = pendulum(stiffness)
    m.add("ball", lw.Particle(1.0, position=(1, 0)))
    with pytest.raises(ConvergenceError, match="ball.y" if method in ("downhill", "energy") else "no equilibrium"):
        m.equilibrium(start={"A.angle": -1.0}, method=method, coordinates=coordinates)


@pytest.mark.parametrize("coordinates", SETS)
def test_what_floats_beside_a_mechanism_stays(coordinates):
    m = pendulum(1e3)
    m.add("ball", lw.Particle(1.0, position=(1, 0), gravity=False))
    found = m.equilibrium(start={"A.angle": -1.0}, coordinates=coordinates)
    assert found.stability == "indifferent" and (found["ball.x"], found["ball.y"]) == (1.0, 0.0)


def test_print_says_where_it_rests():
    lines = str(pendulum().equilibrium(start={"A.angle": -1.0})).splitlines()
    assert lines[1].split() == ["rod.angle", f"{-math.pi / 2:.9g}", "rad"]
    m = lw.Mechanism("chain")
    last = m.ground
    for k in range(8):
        bar = m.add(f"bar{k}", lw.bar(length=1.0, mass=1.0, angle=-1.0))
        m.add(f"pin{k}", lw.Revolute(last, bar.a))
        last = bar.b
    assert "  and 2 more: found['bar" in str(m.equilibrium())


@pytest.mark.parametrize("method", ["downhill", "root"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_body_that_nothing_holds_is_named(method, dimension):
    m = lw.Mechanism("falls", dimension=dimension)
    m.add("stone", lw.Body(mass=2.0, inertia=0.1 if dimension == 2 else (0.1, 0.2, 0.25)))
    with pytest.raises(ConvergenceError, match=r"nothing holds stone\.[yz]"):
        m.equilibrium(method=method, coordinates="body")
