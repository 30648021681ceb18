"""Kinematics: what drivers alone decide, over times or over a quantity; ends of the motion are answers."""

import math
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import DescriptionError, MotionEndsWarning, UnknownNameError

GRASHOF = (3.2, 1.0, 3.0, 2.5)
ROCKERS = (2.2, 2.0, 1.5, 1.2)


def four_bar(ground, crank, coupler, rocker, mass=1.0):
    m = lw.Mechanism("four-bar")
    a, b, c = (
        m.add(name, lw.bar(length=length, mass=mass))
        for name, length in (("crank", crank), ("coupler", coupler), ("rocker", rocker))
    )
    m.add("A", lw.Revolute(m.ground.at(0, 0), a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    m.add("C", lw.Revolute(b.b, c.b))
    m.add("D", lw.Revolute(m.ground.at(ground, 0), c.a))
    return m


def rocker_angle(lengths, theta, sign):
    """Closed form: the rocker against the line from its pin to the end of the crank."""
    g, a, b, c = lengths
    x, y = a * np.cos(theta) - g, a * np.sin(theta)
    d = np.hypot(x, y)
    return np.arctan2(y, x) + sign * np.arccos((c**2 + d**2 - b**2) / (2.0 * c * d))


def differences(values, step):
    """First and second derivative inside of a closed cycle, by central differences of fourth order."""
    a, b, c, d = (np.roll(values, k) for k in (2, 1, -1, -2))
    return (a - 8 * b + 8 * c - d) / (12 * step), (-a + 16 * b - 30 * values + 16 * c - d) / (12 * step**2)


@pytest.mark.parametrize("branch", [-1.0, 1.0])
@pytest.mark.parametrize("coordinates, mass", [("body", 1.0), ("joint", 1.0), ("body", 0.0)])
def test_a_turn_of_a_four_bar_against_its_closed_form(coordinates, branch, mass):
    m = four_bar(*GRASHOF, mass=mass)
    first = float(rocker_angle(GRASHOF, 0.0, branch))
    run = m.kinematics(over={"A.angle": (0.0, "360 deg", 721)}, near={"D.angle": first}, coordinates=coordinates)
    theta = np.linspace(0.0, 2.0 * math.pi, 721)
    exact = np.unwrap(rocker_angle(GRASHOF, theta, branch))
    turned = run["D.angle"] - exact
    assert np.ptp(turned) < 1e-9 and abs(math.remainder(turned[0], 2.0 * math.pi)) < 1e-9
    step = theta[1]
    rate, second = differences(exact[:-1], step)  # one cycle; it rocks, so that values close
    assert np.abs(run["D.angle.rate"][:-1] - rate).max() < 1e-6
    assert np.abs(run["D.angle.acceleration"][:-1] - second).max() < 1e-4
    assert not run.ended and run.manifest["analysis"] == "kinematics"


@pytest.mark.parametrize("coordinates", SETS)
def test_a_driver_moves_it_over_times(coordinates):
    m = four_bar(*GRASHOF)
    m.add("motor", lw.Driver("A.angle", "1 + 3*t"))
    run = m.kinematics(2.0, every=0.05, coordinates=coordinates)
    same = m.simulate(2.0, every=0.05, coordinates=coordinates, rtol=1e-11)
    for name in ("D.angle", "D.angle.rate", "coupler.x.acceleration", "motor.effort", "B.reaction.y"):
        assert np.abs(run[name] - same[name]).max() < 1e-9 * max(1.0, np.abs(same[name]).max())
    assert np.abs(run["A.angle"] - (1.0 + 3.0 * run.t)).max() < 1e-12


@pytest.mark.parametrize("coordinates", SETS)
def test_an_end_is_a_result(coordinates):
    g, a, b, c = ROCKERS
    limit = math.acos((a**2 + g**2 - (b + c) ** 2) / (2 * a * g))
    m = four_bar(*ROCKERS)
    with pytest.warns(MotionEndsWarning, match="A.angle"):
        run = m.kinematics(over={"A.angle": (1.0, 2.0, 101)}, coordinates=coordinates)
    assert run["A.angle"][-1] < limit < run["A.angle"][-1] + 0.0101
    assert f"A.angle = {limit:.8g}"[:-1] in run.ended and run.ended in str(run)


@pytest.mark.parametrize("coordinates", SETS)
def test_range_of_rockers_and_cranks(coordinates):
    g, a, b, c = ROCKERS
    limit = math.acos((a**2 + g**2 - (b + c) ** 2) / (2 * a * g))
    found = four_bar(*ROCKERS).range("A.angle", start={"A.angle": 1.0}, coordinates=coordinates)
    assert found.greatest == pytest.approx(limit, abs=1e-9) and not found.turns_fully
    inner = math.acos((a**2 + g**2 - (b - c) ** 2) / (2 * a * g))  # the rocker folded back along the coupler
    assert found.least == pytest.approx(inner, abs=1e-9)
    assert found.at == pytest.approx(1.0)
    whole = four_bar(*GRASHOF).range("A.angle", start={"A.angle": 1.0}, coordinates=coordinates)
    assert whole.turns_fully and "turns fully" in str(whole)
    rocker = four_bar(*GRASHOF).range("D.angle", start={"A.angle": 1.0}, coordinates=coordinates)
    ends = []
    for reach in (4.0, 2.0):  # crank and coupler along one line: b + a and b - a from A to the rocker's end
        ends.append(math.pi - math.acos((3.2**2 + 2.5**2 - reach**2) / (2 * 3.2 * 2.5)))
    assert rocker.greatest - rocker.least == pytest.approx(abs(ends[0] - ends[1]), abs=1e-9)


def test_range_of_a_slider():
    m = lw.Mechanism("slider-crank")
    crank, rod = m.add("crank", lw.bar(length=0.5, mass=1.0)), m.add("rod", lw.bar(length=1.3, mass=1.0))
    block = m.add("block", lw.Body(mass=1.0, inertia=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, rod.a))
    m.add("C", lw.Revolute(rod.b, block))
    m.add("S", lw.Prismatic(m.ground.at(0, 0.2), block))
    found = m.range("S.slide", start={"A.angle": 1.0}, near={"S.slide": 1.4}, coordinates="body")
    assert found.greatest == pytest.approx(math.sqrt(1.8**2 - 0.2**2), abs=1e-9)
    assert found.least == pytest.approx(math.sqrt(0.8**2 - 0.2**2), abs=1e-9)
    assert found.unit == "m"
    free = lw.Mechanism("block")
    free.add("block", lw.Body(mass=1.0, inertia=1.0))
    free.add("S", lw.Prismatic(free.ground, free["block"]))
    endless = free.range("S.slide", coordinates="body")
    assert endless.least == -math.inf and endless.greatest == math.inf and "no end" in str(endless)


@pytest.mark.parametrize("begin", [-math.pi, 0.3])
def test_a_screw_does_not_come_round(begin):
    """Half a pitch below the origin it is, a turn later, as far above: not the place that it began at."""
    m = lw.Mechanism("jack", dimension=3, gravity=None)
    m.add("nut", lw.box(0.1, 0.1, 0.1, mass=1.0))
    m.add("S", lw.Screw(m.ground.at(0, 0, 0), "nut", pitch=0.2))
    found = m.range("S.angle", start={"S.angle": begin}, coordinates="body")
    assert not found.turns_fully and found.least == -math.inf and found.greatest == math.inf


@pytest.mark.parametrize("coordinates", SETS)
def test_two_freedoms_moved_together(coordinates):
    m = lw.Mechanism("arm")
    one, two = m.add("one", lw.bar(length=1.0, mass=1.0)), m.add("two", lw.bar(length=0.7, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), one.a))
    m.add("B", lw.Revolute(one.b, two.a))
    run = m.kinematics(over={"A.angle": (0.2, 1.2, 51), "B.angle": (1.0, -2.0, 51)}, coordinates=coordinates)
    a = np.linspace(0.2, 1.2, 51)
    b = np.linspace(1.0, -2.0, 51)
    assert np.abs(run["two.b.x"] - np.cos(a) - 0.7 * np.cos(a + b)).max() < 1e-10
    assert np.abs(run["two.b.y.rate"] - np.cos(a) + 2.0 * 0.7 * np.cos(a + b)).max() < 1e-9


def test_it_goes_on_from_a_state():
    m = four_bar(*GRASHOF)
    crossed = m.assemble(start={"A.angle": 0.7}, coordinates="body").others[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = m.kinematics(over={"A.angle": (0.7, 1.7, 11)}, start=crossed, coordinates="body")
    assert run["D.angle"][0] == pytest.approx(crossed["D.angle"], abs=1e-9)


@pytest.mark.parametrize(
    "options, words",
    [
        ({}, "neither times nor names"),
        ({"times": 1.0, "over": {"A.angle": (0, 1, 3)}}, "both times and names"),
        ({"times": 1.0}, "1 freedom that no driver moves"),
        ({"over": {}}, "names nothing"),
        ({"over": {"A.angle": 3.0}}, "is no range"),
        ({"over": {"A.angle": (1.0, 1.0, 3)}}, "has no length"),
        ({"over": {"A.angle": (1.0, 2.0, 1)}}, "count of 'A.angle'"),
        ({"over": {"A.angle": (1.0, "2 m", 5)}}, "2 m"),
        ({"over": {"A.angle": (1.0, float("nan"), 5)}}, "A.angle"),
        ({"over": {"A.angle.rate": (1.0, 2.0, 5)}}, "is a rate"),
        ({"over": {"A.angle": (1.0, 2.0, 5)}, "every": 0.1}, "together with"),
        ({"over": {"A.angle": (0, 1, 3), "D.angle": (0, 1, 4)}}, "counts that differ"),
    ],
)
def test_wrong_uses(options, words):
    with pytest.raises((DescriptionError, lw.errors.UnitError), match=words):
        four_bar(*GRASHOF).kinematics(options.pop("times", None), coordinates="body", **options)


def test_wrong_names_and_freedoms():
    with pytest.raises(UnknownNameError, match=r"A\.angle"):
        four_bar(*GRASHOF).kinematics(over={"A.angel": (0, 1, 3)}, coordinates="body")
    m = lw.gallery.double_pendulum()
    name = next(iter(m.joints)) + ".angle"
    with pytest.raises(DescriptionError, match="2 freedoms"):
        m.range(name, coordinates="body")
    with pytest.raises(DescriptionError, match="1 freedom that no driver moves"):
        m.kinematics(over={name: (0, 1, 3)}, coordinates="body")


def test_a_range_that_is_asked_for_in_a_dead_centre():
    m = lw.gallery.slider_crank()
    m.remove("motor")
    words = r"range of 'guide\.slide' is asked for where it cannot be moved.*0\.21 m.*start=\{\"crank\.angle\""
    with pytest.raises(lw.errors.AssemblyError, match=words):
        m.range("guide.slide")
    found = m.range("guide.slide", start={"crank.angle": 1.0})  # as the message says
    assert (found.least, found.greatest) == (pytest.approx(0.16 - 0.05), pytest.approx(0.16 + 0.05))


def on_a_sledge(level="position", from_assembled=False):
    """A bar that turns on a sledge, which a driver moves: x = 0.2 + 0.5 t along the rail."""
    m = lw.Mechanism("on a sledge")
    sledge = m.add("sledge", lw.Body(1.0, 0.1))
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0))
    m.add("rail", lw.Prismatic(m.ground, sledge))
    m.add("A", lw.Revolute(sledge, bar.a))
    function = lw.Polynomial(0.5) if level == "speed" else lw.Polynomial(0.2, 0.5)
    m.add("tow", lw.Driver("rail.slide", function, level=level, from_assembled=from_assembled))
    m.add("motor", lw.Driver("A.angle", lw.Polynomial(0.3, 1.0)))
    return m


@pytest.mark.parametrize("level, from_assembled", [("position", False), ("position", True)])
def test_drivers_stand_where_they_are_at_the_time_of_a_state(level, from_assembled):
    m = on_a_sledge(level, from_assembled)
    state = m.simulate(0.8, start={"rail.slide": 0.2}, coordinates="body").final
    slide = float(state["rail.slide"])
    assert slide == pytest.approx(0.2 + 0.4, abs=1e-9)
    first = float(state["A.angle"])
    assert first == pytest.approx(1.1, abs=1e-9)
    run = m.kinematics(over={"A.angle": (first, first + 1.0, 11)}, start=state)
    assert run["rail.slide"] == pytest.approx(slide, abs=1e-12)
    assert run["bar.x"] == pytest.approx(slide + 0.5 * np.cos(run["A.angle"]), abs=1e-9)
    assert np.allclose(run["sledge.x.rate"], 0.0)
    found = m.range("A.angle", start=state)
    assert found.turns_fully and found.at == pytest.approx(first, abs=1e-9)
    assert m.range("rail.slide", start=state).at == pytest.approx(slide, abs=1e-9)


def test_what_drives_a_speed_holds_what_it_finds():
    m = on_a_sledge("speed")
    state = m.simulate(0.8, start={"rail.slide": 0.1}, coordinates="body").final
    assert float(state["rail.slide"]) == pytest.approx(0.5, abs=1e-9)
    first = float(state["A.angle"])
    run = m.kinematics(over={"A.angle": (first, first - 1.0, 5)}, start=state)
    assert run["rail.slide"] == pytest.approx(0.5, abs=1e-9)
