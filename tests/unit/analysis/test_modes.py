"""Frequencies, damping and shapes against closed forms, in the plane and in space, in both sets of coordinates."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import AnalysisError, DescriptionError

G = 9.81


def eigenvalues(M, D, K):
    """Of M q'' + D q' + K q = 0, those with imaginary part not below zero, by size."""
    n, inverse = len(M), np.linalg.inv(M)
    values = np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ K, -inverse @ D]]))
    return np.array(sorted((one for one in values if one.imag >= -1e-12), key=abs))


def double_pendulum(l1=0.7, l2=0.4, m1=1.3, m2=0.6):
    m = lw.Mechanism("double pendulum")
    one, two = m.add("one", lw.bar(length=l1, mass=m1)), m.add("two", lw.bar(length=l2, mass=m2))
    m.add("A", lw.Revolute(m.ground, one.a))
    m.add("B", lw.Revolute(one.b, two.a))
    M = np.array([[m1 * l1**2 / 3 + m2 * l1**2, m2 * l1 * l2 / 2], [m2 * l1 * l2 / 2, m2 * l2**2 / 3]])
    K = np.diag([(m1 / 2 + m2) * G * l1, m2 * G * l2 / 2])
    return m, M, K


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("space", [False, True])
@pytest.mark.parametrize("up", [False, True])
def test_double_pendulum(coordinates, space, up):
    """Hanging and standing: the stiffness of gravity changes its sign."""
    m, M, K = double_pendulum()
    angle = math.pi / 2 if up else -math.pi / 2
    m = m.in_space() if space else m
    state = m.assemble(start={"A.angle": angle, "B.angle": 0.0}, coordinates=coordinates).state
    found = m.modes(state, coordinates=coordinates)
    wanted = np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K)))
    if up:
        assert found.stability == "unstable" and len(found) == 4 and len(found.frequencies) == 0
        got = np.array([one.eigenvalue.real for one in found])
        np.testing.assert_allclose(np.sort(got), np.sort([*wanted, *-wanted]), rtol=1e-8)
    else:
        assert found.stability == "stable" and found.error < 1e-8
        np.testing.assert_allclose(found.frequencies, np.sort(wanted) / (2 * math.pi), rtol=1e-8)
        assert all(one.damping_ratio == 0.0 and one.time_constant == math.inf for one in found)
        assert found.step == pytest.approx(0.1 * 2 * math.pi / wanted.max(), rel=1e-8)


@pytest.mark.parametrize("coordinates", SETS)
def test_shapes_of_the_double_pendulum(coordinates):
    m, M, K = double_pendulum()
    state = m.assemble(start={"A.angle": -math.pi / 2, "B.angle": 0.0}, coordinates=coordinates).state
    values, vectors = np.linalg.eig(np.linalg.solve(M, K))
    for mode, k in zip(m.modes(state, coordinates=coordinates), np.argsort(values)):
        turn = vectors[:, k]
        assert (mode.shape["two.angle"] / mode.shape["one.angle"]).real == pytest.approx(turn[1] / turn[0], rel=1e-7)
        assert abs(mode.shape["one.y"]) < 1e-8 and max(abs(one) for one in mode.shape.values()) > 0.2


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("damping", [0.0, 1500.0, 30000.0])
def test_quarter_car(coordinates, damping):
    """Wheel and body on springs; the strut's damper between them, also more than critical."""
    mw, mb, kt, ks = 40.0, 350.0, 180e3, 22e3
    m = lw.Mechanism("quarter car")
    wheel, body = m.add("wheel", lw.Body(mw, 1.0)), m.add("body", lw.Body(mb, 1.0))
    upright = m.ground.at(0, 0, angle=math.pi / 2)
    m.add("one", lw.Prismatic(upright, wheel.at(0, 0, angle=math.pi / 2)))
    m.add("two", lw.Prismatic(upright, body.at(0, 0, angle=math.pi / 2)))
    m.add("tyre", lw.SpringDamper(m.ground, wheel, stiffness=kt, rest_length=0.3))
    m.add("strut", lw.SpringDamper(wheel, body, stiffness=ks, rest_length=0.5, damping=damping))
    rest = m.equilibrium(start={"one.slide": 0.3, "two.slide": 0.9}, coordinates=coordinates)
    tyre = 0.3 - (mw + mb) * G / kt
    assert rest["one.slide"] == pytest.approx(tyre, abs=1e-9)
    assert rest["two.slide"] == pytest.approx(tyre + 0.5 - mb * G / ks, abs=1e-9)
    M, D = np.diag([mw, mb]), damping * np.array([[1.0, -1.0], [-1.0, 1.0]])
    wanted = eigenvalues(M, D, np.array([[kt + ks, -ks], [-ks, ks]]))
    got = np.array([one.eigenvalue for one in rest.modes])
    np.testing.assert_allclose(got, wanted, rtol=1e-6)
    for mode in rest.modes:
        assert mode.undamped == pytest.approx(abs(mode.eigenvalue) / (2 * math.pi))
        if damping:
            assert mode.time_constant == pytest.approx(-1.0 / mode.eigenvalue.real)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_row_of_masses(coordinates):
    """n masses between n + 1 springs: w = 2 sqrt(k / m) sin(i pi / (2 n + 2))."""
    n, mass, k = 6, 0.7, 300.0
    m = lw.Mechanism("row", gravity=None)
    before = m.ground
    for i in range(1, n + 1):
        block = m.add(f"b{i}", lw.Body(mass, 1.0))
        m.add(f"g{i}", lw.Prismatic(m.ground, block))
        m.add(f"s{i}", lw.SpringDamper(before, block, stiffness=k, rest_length=1.0))
        before = block
    m.add("last", lw.SpringDamper(before, m.ground.at(n + 1.0, 0), stiffness=k, rest_length=1.0))
    state = m.assemble(start={f"g{i}.slide": float(i) for i in range(1, n + 1)}, coordinates=coordinates).state
    wanted = 2 * math.sqrt(k / mass) * np.sin(np.arange(1, n + 1) * math.pi / (2 * n + 2)) / (2 * math.pi)
    np.testing.assert_allclose(m.modes(state, coordinates=coordinates).frequencies, wanted, rtol=1e-8)


def cantilever(n, length=1.0, density=0.8, bending=20.0):
    """A clamped beam as n bars with coils between them: half of a bar's flexibility on each side of a pin."""
    m = lw.Mechanism("beam", gravity=None)
    part, before = length / n, m.ground
    for i in range(n):
        bar = m.add(f"b{i}", lw.bar(length=part, mass=density * part))
        m.add(f"p{i}", lw.Revolute(before, bar.a))
        # the clamp has half a bar beside it, all others one
        m.add(
            f"c{i}",
            lw.TorsionSpringDamper(
                m.ground if i == 0 else m[f"b{i - 1}"], bar, stiffness=bending / part * (2 if i == 0 else 1)
            ),
        )
        before = bar.b
    return m


def test_a_beam_of_bars_comes_to_the_beam():
    """First two frequencies of a clamped beam, 1.8751^2 and 4.6941^2 sqrt(EI / (rho L^4)); error falls as 1 / n^2."""
    exact = np.array([1.8751040687, 4.6940911330]) ** 2 * math.sqrt(20.0 / 0.8) / (2 * math.pi)
    off = {}
    for n in (6, 12, 24):
        m = cantilever(n)
        found = m.modes(m.assemble(coordinates="joint").state, coordinates="joint")
        off[n] = np.abs(found.frequencies[:2] / exact - 1.0)
    assert np.all(off[24] < 0.012)
    assert np.all(off[12] < 0.35 * off[6]) and np.all(off[24] < 0.35 * off[12])


@pytest.mark.parametrize("coordinates", SETS)
def test_a_spherical_pendulum_has_two_equal_modes(coordinates):
    m = lw.Mechanism("spherical", dimension=3, gravity=(0, 0, -G))
    ball = m.add("ball", lw.Body(2.0, (0.02, 0.02, 0.01), center=(0.0, 0.0, -0.5)))
    m.add("A", lw.Spherical(m.ground, ball))
    found = m.modes(m.assemble(coordinates=coordinates).state, coordinates=coordinates)
    wanted = math.sqrt(2.0 * G * 0.5 / (0.02 + 2.0 * 0.25)) / (2 * math.pi)
    np.testing.assert_allclose(found.frequencies, [wanted, wanted], rtol=1e-7)
    assert found.stability == "indifferent"  # it turns about its own axis
    assert sum(one.eigenvalue == 0.0 for one in found) == 1


@pytest.mark.parametrize("coordinates", SETS)
def test_a_rolling_wheel_on_a_spring(coordinates):
    """m + J / R^2 swings on the spring."""
    m = lw.Mechanism("wheel")
    wheel = m.add("wheel", lw.Body(3.0, 0.2))
    m.add("road", lw.RollingDisc(m.ground, wheel, 0.4))
    m.add("spring", lw.SpringDamper(m.ground.at(-2.0, 0.4), wheel, stiffness=90.0, rest_length=2.0, damping=1.5))
    rest = m.equilibrium(start={"wheel.x": 0.3}, coordinates=coordinates)
    assert rest["wheel.x"] == pytest.approx(0.0, abs=1e-9)
    mass = 3.0 + 0.2 / 0.16
    (mode,) = rest.modes
    assert mode.undamped == pytest.approx(math.sqrt(90.0 / mass) / (2 * math.pi), rel=1e-8)
    assert mode.damping_ratio == pytest.approx(1.5 / (2 * math.sqrt(90.0 * mass)), rel=1e-7)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_closed_loop_swings_as_it_says(coordinates):
    """The four-bar on its spring: the period of a small swing, asked of a run, is that of its mode."""
    m = lw.gallery.four_bar()
    rest = m.equilibrium(coordinates=coordinates)
    (mode,) = rest.modes
    assert rest.stability == "stable"
    start = {"A.angle": rest["A.angle"] + 1e-4}
    near = {f"{body}.angle": rest[f"{body}.angle"] for body in m.bodies}
    run = m.simulate(6.0, every=0.01, start=start, near=near, coordinates=coordinates, rtol=1e-11, atol=1e-14)
    crossings = run.when("A.angle", float(rest["A.angle"]), direction="rising")
    period = (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    assert 1.0 / period == pytest.approx(mode.frequency, rel=2e-4)


def test_drivers_at_rest_hold():
    """A driven crank is no freedom: what hangs on it swings alone."""
    m, _, _ = double_pendulum()
    m.add("hold", lw.Driver(m["A"].angle, -math.pi / 2))
    found = m.modes(m.assemble(near={"two.angle": -math.pi / 2}, coordinates="body").state, coordinates="body")
    assert len(found) == 1
    assert found.frequencies[0] == pytest.approx(math.sqrt(1.5 * G / 0.4) / (2 * math.pi), rel=1e-8)


def test_floating_and_structures():
    m = lw.Mechanism("floating", gravity=None)
    m.add("block", lw.Body(1.0, 1.0, position=(0, 0), angle=0.0))
    found = m.modes(m.assemble(coordinates="body").state, coordinates="body")
    assert found.stability == "indifferent" and len(found) == 3 and found.step == math.inf
    m.add("A", lw.Fixed(m.ground, m["block"]))
    found = m.modes(m.assemble(coordinates="body").state, coordinates="body")
    assert len(found) == 0 and found.stability == "stable" and "0, stable" in str(found)


def test_wrong_use():
    m, _, _ = double_pendulum()
    state = m.assemble(start={"A.angle": 0.0, "B.angle": 0.0}, coordinates="body").state
    with pytest.raises(AnalysisError, match="not in equilibrium"):
        m.modes(state, coordinates="body")
    moving = m.assemble(start={"A.angle": -math.pi / 2, "B.angle": 0.0, "A.angle.rate": 1.0}, coordinates="body").state
    with pytest.raises(AnalysisError, match="moves in this state"):
        m.modes(moving, coordinates="body")
    with pytest.raises(DescriptionError, match="needs a state"):
        m.modes({"A.angle": 0.0}, coordinates="body")
    crank = lw.gallery.slider_crank()
    with pytest.raises(AnalysisError, match="moved by 'motor'"):
        crank.modes(crank.assemble(coordinates="body").state, coordinates="body")
    with pytest.raises(AnalysisError, match="moved by 'motor'"):
        crank.equilibrium(coordinates="body")


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("up", [False, True])
def test_a_slow_mode_beside_a_very_fast_one_does_not_float(coordinates, up):
    """A pendulum beside a mass on a spring of 1e10 N/m, 26000 times as fast: neither changes the other."""
    m = lw.Mechanism("slow and fast")
    m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute("ground", "rod.a"))
    m.add("block", lw.Body(1.0, 1.0))
    m.add("guide", lw.Prismatic(m.ground.at(3, 0), "block"))
    m.add("spring", lw.SpringDamper(m.ground.at(2, 0), "block", stiffness=1e10, rest_length=1.0))
    start = {"A.angle": math.pi / 2 if up else -math.pi / 2, "guide.slide": 0.0}
    found = m.modes(m.assemble(start=start, coordinates=coordinates), coordinates=coordinates)
    slow = math.sqrt(1.5 * G)
    assert found.stability == ("unstable" if up else "stable")
    assert max(found[0].eigenvalue.real, found[1].eigenvalue.real) == pytest.approx(slow if up else 0.0, rel=1e-7)
    assert abs(found[0].eigenvalue) == pytest.approx(slow, rel=1e-7)
    assert found[-1].undamped == pytest.approx(1e5 / (2 * math.pi), rel=1e-9)


def test_what_only_floats_has_no_step():
    m = lw.Mechanism("floats", gravity=None)
    m.add("plate", lw.Body(mass=1.0, inertia=1.0))
    told = str(m.modes(coordinates="body"))
    assert "nothing swings, grows or dies away" in told and "inf s" not in told
