"""Everything registered keeps its contract: a new joint, measure, force, function or method is tested by
being there."""

import math
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

import linkwork as lw
from linkwork import testing
from linkwork.analysis.integrators import METHODS
from linkwork.coordinates import SETS
from linkwork.mechanism.forces import Force
from linkwork.mechanism.functions import Function
from linkwork.mechanism.joints import Joint
from linkwork.mechanism.measures import Measure

ROOT = Path(__file__).parents[2]

# what a planar mechanism refuses, and must go on refusing
MEASURES_OF_SPACE = ("Alignment", "EdgeHeight", "EdgeSlip")


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("name", sorted(Measure.kinds))
def test_measure(name, dimension):
    if dimension == 2 and name in MEASURES_OF_SPACE:
        with pytest.raises(lw.errors.OutOfPlaneError, match="exists in space only"):
            testing.check_measure(Measure.kinds[name], dimension)
    else:
        testing.check_measure(Measure.kinds[name], dimension)


def test_measure_of_both_dimensions_is_checked_in_both(monkeypatch):
    seen = []
    monkeypatch.setattr("linkwork.testing.measures._check", lambda where, mechanism, measure: seen.append(where))
    testing.check_measure(lw.Distance)
    testing.check_measure(lw.Alignment)
    testing.check_measure(lw.Offset(lw.Frame("one"), lw.Frame("two"), "z"))
    assert [where for where in seen if "two bodies" in where] == [
        "in the plane, two bodies", "in space, two bodies", "two bodies"
    ]  # fmt: skip
    assert seen[-1] == "as given"


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("kind", [lw.Offset, lw.WorldOffset, lw.Slip])
def test_measure_along_each_axis_of_space(kind, axis):
    one = lw.Frame("one", (0.2, 0.1, -0.3), 0.0, (0.3, 0.1, 1.0), (1.0, 0.4, 0.0))
    testing.check_measure(kind(one, lw.Frame("two", (-0.1, 0.3, 0.2), -1.1), axis))


@pytest.mark.parametrize("axis", "xyz")
@pytest.mark.parametrize("other", "xyz")
def test_alignment_of_each_pair_of_axes(axis, other):
    testing.check_measure(lw.Alignment(lw.Frame("one"), lw.Frame("two", (0.2, 0.1, -0.3), -1.1), axis, other))


def test_edge_slip_along_the_other_axis():
    testing.check_measure(Measure.kinds["EdgeSlip"](lw.Frame("one"), lw.Frame("two", (0.2, 0.1, -0.3)), 0.4, "x"))


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("kind", [lw.Offset, lw.WorldOffset, lw.Slip])
def test_measure_along_each_axis(kind, axis):
    one, two = lw.Frame("one", (0.2, 0.1, 0.0), 0.3), lw.Frame("two", (-0.1, 0.3, 0.0), -1.1)
    testing.check_measure(kind(one, two, axis))


def test_sum_over_three_bodies():
    one, two, three = (lw.Frame(name, (0.2, 0.1, 0.0), 0.3) for name in ("one", "two", "three"))
    gears = lw.Sum((0.3, lw.Direction(one, two)), (0.5, lw.Direction(two, three)), (2.0, lw.Distance(one, three)))
    testing.check_measure(gears)


@pytest.mark.parametrize(("name", "dimension"), [(name, d) for name in sorted(Joint.kinds) for d in (2, 3)])
def test_joint(name, dimension):
    if dimension not in Joint.kinds[name].dimensions:
        with pytest.raises(lw.errors.OutOfPlaneError):
            testing.check_joint(Joint.kinds[name], dimension)
    else:
        testing.check_joint(Joint.kinds[name], dimension)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "sample"),
    [
        (lw.RollingDisc, {"radius": 0.4, "reference": 0.3}),
        (lw.RollingDisc, {"radius": 0.4, "on_radius": 0.7}),
        (lw.Hold, {"x": 0.3}),
        (lw.Hold, {"angle": -2.0}),
        (lw.Hold, {"x": 0.3, "y": -0.2, "angle": 0.4}),
        (lw.Hold, {"z": 0.3}),
        (lw.Hold, {"x": 0.3, "z": -0.2, "angle": 0.4}),
        (lw.PinInSlot, {"offset": 0.0}),
        (lw.PointOnPlane, {"offset": 0.0}),
        (lw.Screw, {"pitch": -1.5}),
        (lw.Gear, {"on_radius": 0.9, "to_radius": 0.3, "internal": True}),
    ],
)
def test_joint_with_other_arguments(kind, sample):
    testing.check_joint(kind, **sample)


def push(value, rate, t, stiffness, damping):
    return -stiffness * value - damping * rate + 0.3 * math.sin(t)


def cubic(values, rates, t, numbers, memory, out):
    out[0] = -numbers[0] * values[0] ** 3
    out[1] = -numbers[1] * values[1]


def cubic_energy(values, numbers):
    return numbers[0] * values[0] ** 4 / 4 + numbers[1] * values[1] ** 2 / 2


def drag(values, rates, t, numbers, memory, out):
    for k in range(3):
        out[k] = -numbers[0] * rates[k] * abs(rates[k])


ONE, TWO = lw.Frame("one", (0.2, 0.1, 0.0), 0.3), lw.Frame("two", (-0.1, 0.3, 0.0), -1.1)
OWN_LAWS = {
    "UserForce": [
        lw.UserForce(lw.Distance(ONE, TWO), push, stiffness=3.0, damping=0.2),
        lw.UserForce(
            reads=[lw.Offset(ONE, TWO, "x"), lw.Angle(ONE, TWO)],
            along=[lw.Offset(ONE, TWO, "x"), lw.Angle(ONE, TWO)],
            law=cubic, numbers=[1.2, 0.7], energy="stores", potential=cubic_energy,
        ),
        lw.UserForce(lw.Sum((1.0, lw.Offset(ONE, TWO, "x")), (0.4, lw.Angle(ONE, TWO))), push, stiffness=3.0,
                     damping=0.2),
    ],
    "UserWrench": [lw.UserWrench(TWO, drag, (0.3,), energy="dissipates")],
    "Limit": [
        lw.Limit(lw.Angle(ONE, TWO), lower=50.0, stiffness=3.0, damping=0.2),
        lw.Limit(lw.Distance(ONE, TWO), upper=1e-3, stiffness=3.0, damping=0.2),
    ],
}  # fmt: skip


def drag_in_space(values, rates, t, numbers, memory, out):
    for k in range(6):
        out[k] = -numbers[0] * rates[k] * abs(rates[k])


TILTED = lw.Frame("two", (-0.1, 0.3, 0.2), 0.4, (0.2, -0.3, 1.0))
LEANING = lw.Frame("one", (0.2, 0.1, -0.1), 0.3, (0.5, 0.1, 1.0))
LAWS_OF_SPACE = {
    "UserForce": [lw.UserForce(lw.Distance(LEANING, TILTED), push, stiffness=3.0, damping=0.2)],
    "UserWrench": [lw.UserWrench(TILTED, drag_in_space, (0.3,), energy="dissipates")],
    "Limit": [
        lw.Limit(lw.Angle(LEANING, TILTED), lower=50.0, stiffness=3.0, damping=0.2),
        lw.Limit(lw.Distance(LEANING, TILTED), upper=1e-3, stiffness=3.0, damping=0.2),
    ],
}


@pytest.mark.parametrize("name", sorted(Force.kinds))
def test_law(name):
    if name in OWN_LAWS:
        for element in OWN_LAWS[name]:
            testing.check_law(element)
        for element in LAWS_OF_SPACE[name]:
            testing.check_law(element, 3)
    else:
        testing.check_law(Force.kinds[name])


@pytest.mark.slow
@pytest.mark.parametrize(
    "element",
    [
        lw.SpringDamper(ONE, TWO, stiffness=lw.Table((-1.0, 0.0, 1.5), (-4.0, 0.0, 9.0)), rest_length=0.5),
        lw.SpringDamper(ONE, TWO, stiffness=lambda x: 3.0 * x + x**3, rest_length=0.5),
        lw.SpringDamper(ONE, TWO, damping=0.5, actuator=lw.Harmonic(2.0, 5.0)),
        lw.TorsionSpringDamper(ONE, TWO, stiffness=lw.Table((-4.0, 0.0, 5.0), (-3.0, 0.0, 6.0)), damping=0.1),
        lw.PointForce(TWO, x=lw.Harmonic(2.0, 5.0), y=1.0),
        lw.PointForce(TWO, x=2.0, y=lw.Polynomial(0.0, 1.0), axes="body"),
        lw.Torque(TWO, lw.Harmonic(2.0, 5.0), on=ONE),
    ],
    ids=["table", "tension", "actuator", "torsion table", "force of time", "force in body axes", "torque of time"],
)
def test_law_with_other_arguments(element):
    testing.check_law(element)


@pytest.mark.parametrize("name", sorted(Function.kinds))
def test_function(name):
    testing.check_function(Function.kinds[name])


@pytest.mark.parametrize("name", sorted(METHODS))
def test_method(name):
    testing.check_method(name)


def test_a_method_of_order_9_can_be_checked():
    """Rounding leaves few steps to tell such an order by; the table is that of decision 36."""
    table = runpy.run_path(str(ROOT / "design" / "verner.py"))
    assert max(table["conditions"](table["WEIGHTS"], n) for n in range(1, 10)) < 1e-14
    assert max(table["conditions"](table["LOWER"], n) for n in range(1, 9)) < 1e-14
    method = table["verner"]()
    testing.check_method(method)
    with pytest.raises(AssertionError, match="order 9"):
        testing.check_method(replace(method, order=10))


def four_bar():
    m = lw.Mechanism("four-bar")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0))
    coupler = m.add("coupler", lw.bar(length=3.0, mass=2.0))
    rocker = m.add("rocker", lw.bar(length=2.5, mass=1.5))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 3), coupler.middle, stiffness=20, rest_length=1.0))
    return m


def chain_in_space():
    m = lw.Mechanism("chain", dimension=3)
    before = m.ground.at(0, 0, 0, axis=(0, 1, 0.2))
    for k in range(3):
        link = m.add(f"link{k}", lw.Body(1.0 + k, (0.3, 0.5, 0.4), center=(0.4, 0.1, 0.0)))
        m.add(f"J{k}", lw.Revolute(before, link.at(0, 0, 0, axis=(0, 1, 0.2))))
        before = link.at(0.8, 0.1, 0.0, axis=(1, k, 0.3))
    stone = m.add("stone", lw.Body(1.5, (0.2, 0.3, 0.25), position=(1.0, 1.0, 1.0), orientation=(1, 0, 0, 0),
                                   velocity=(0.1, 0.2, 0.3), angular_velocity=(1.0, -2.0, 0.5)))  # fmt: skip
    m.add("rope", lw.SpringDamper(before, stone.at(0.1, 0, 0), stiffness=20.0, rest_length=0.5))
    m.add("rod", lw.Rod(m.ground.at(1, 0, 1), stone.at(0.0, 0.2, 0.0), length=1.02))
    return m


def test_coordinates():
    assert "joint" in SETS  # every set is gone through by the check
    testing.check_coordinates(four_bar(), start={"A.angle": 1.0}, near={"coupler.angle": 0.5})


def test_coordinates_in_space():
    testing.check_coordinates(chain_in_space(), start={"J0.angle": 0.3, "J1.angle.rate": 2.0})


def test_coordinates_with_a_particle_and_a_driver():
    m = four_bar()
    bob = m.add("bob", lw.Particle(0.4, position=(2.0, -1.0)))
    m.add("string", lw.Rod(m["coupler"].middle, bob, length=1.5))
    m.add("motor", lw.Driver(m.joints["A"].angle, lw.Harmonic(0.5, 2.0), from_assembled=True))
    testing.check_coordinates(m, start={"A.angle": 1.0}, near={"coupler.angle": 0.5})
