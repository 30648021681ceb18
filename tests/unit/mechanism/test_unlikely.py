"""What is accepted and hardly meant: degrees without a unit, joints of space in the plane."""

import math
import warnings

import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, LinkworkWarning, SweepWarning, UnlikelyAngleWarning, UnlikelyJointWarning


def pendulum():
    m = lw.Mechanism("pendulum")
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, bar.a))
    return m


@pytest.mark.parametrize("value", [60, 90.0, -22.5, "60", " 90.0 ", "-22.5"])
def test_a_plain_number_that_looks_like_degrees_is_told(value):
    m = pendulum()
    number = f"{float(value):g}"
    words = rf'looks like degrees, and is in radians. Got {number}. Write "{number} deg", or "{number} rad"'
    for ask in (
        lambda: m.assemble(start={"A.angle": value}, coordinates="body"),
        lambda: m.assemble(near={"A.angle": value}, coordinates="body"),
        lambda: m.simulate(0.0, start={"bar.angle": value}, coordinates="joint"),
        lambda: m.evaluate({"bar.angle": value}, coordinates="body"),
        lambda: m.kinematics(over={"A.angle": (0, value, 3)}, coordinates="body"),
        lambda: m.simulate(0.1, until={"A.angle": value}, coordinates="body"),
        lambda: lw.bar(length=1.0, mass=1.0, angle=value),
        lambda: m["bar"].at(0.1, angle=value),
        lambda: lw.TorsionSpringDamper(m.ground, m["bar"].a, stiffness=1.0, rest_angle=value),
        lambda: lw.Limit(m["A"].angle, lower=value),
        lambda: lw.Limit(m["A"].angle, upper=value),
        lambda: lw.Harmonic(1.0, 2.0, phase=value),
    ):
        with pytest.warns(UnlikelyAngleWarning, match=words):
            ask()


@pytest.mark.parametrize(
    "value", ["60 deg", "60 rad", "6", "57.29577951308232", 6.0, -math.pi, 2.5 * math.pi, 57.29577951308232]
)
def test_other_angles_are_taken_as_they_are(value):
    m = pendulum()
    with warnings.catch_warnings():
        warnings.simplefilter("error", LinkworkWarning)
        m.assemble(start={"A.angle": value, "A.angle.rate": 60}, coordinates="body")
        m.add("other", lw.bar(length=1.0, mass=1.0, angle=value))
        m.add("coil", lw.TorsionSpringDamper(m.ground, m["bar"].a, stiffness=1.0, rest_angle=value))
        m.add("stop", lw.Limit(m["A"].angle, upper=value))
        m.add("far", lw.Limit(lw.Distance(m.ground.at(3, 3), m["bar"].b), lower=7, upper=10))  # metres


def test_degrees_are_told_once_where_they_are_written():
    m = pendulum()
    with pytest.warns(UnlikelyAngleWarning) as told:
        m.add("stop", lw.Limit(m["A"].angle, upper=90))
        m.add("coil", lw.TorsionSpringDamper(m.ground, m["bar"].a, stiffness=1.0, rest_angle=45))
    assert len(told) == 2


@pytest.mark.parametrize("values", [[60, 90], ["60", "90"]])
def test_degrees_of_a_sweep_are_told_once_beside_its_doubts(values):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        lw.sweep(pendulum(), {"start:A.angle": values}, times=0.01, read="A.angle.max", coordinates="body")
    assert [one.category for one in told] == [UnlikelyAngleWarning, SweepWarning]


@pytest.mark.parametrize("name", ["bar.cardan.x", "bar.cardan.y", "A.angle"])
def test_degrees_in_space_are_told(name):
    m = pendulum().in_space()
    with pytest.warns(UnlikelyAngleWarning, match=name):
        try:
            m.assemble(near={name: 60}, coordinates="body")
        except DescriptionError as error:  # the middle one of three angles
            assert "quarter turn" in str(error)


@pytest.mark.parametrize(("kind", "other"), [
    ("Spherical", "Revolute"), ("Cylindrical", "Revolute"), ("Screw", "Revolute"), ("SphericalCylindrical", "Revolute"),
    ("RevoluteSpherical", "Rod"), ("UniversalSpherical", "Rod")])  # fmt: skip
def test_joints_of_space_are_another_joint_in_the_plane_and_say_so(kind, other):
    runs = []
    for name in (kind, other):
        m = lw.Mechanism("pendulum")
        sample = {"length": 0.8} if other == "Rod" else {}
        place = (sample.get("length", 0.0) + 0.5 * math.cos(0.3), 0.5 * math.sin(0.3))
        bar = m.add("bar", lw.bar(length=1.0, mass=1.0, position=place, angle=0.3))
        joint = getattr(lw, name)(m.ground, bar.a, **sample)
        if name == kind:
            with pytest.warns(UnlikelyJointWarning, match=rf"'A' \({kind}\) is made for space; .* it is a {other}"):
                m.add("A", joint)
        else:
            m.add("A", joint)
        runs.append(m.simulate(0.2, coordinates="body"))
    assert runs[0]["bar.angle"][-1] == pytest.approx(runs[1]["bar.angle"][-1], abs=1e-9)
