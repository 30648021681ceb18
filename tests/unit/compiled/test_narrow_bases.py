"""Bases of points that are close together, or nearly in one line: refused where digits would be lost, right before."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.bases import MUCH_TOO_CLOSE, NEARLY_IN_LINE
from linkwork.errors import CompileError, DescriptionError

BASIS = {"plate": ("p", "q", "r")}
SERIES = ("ball.reaction", "plate.angular_velocity.x", "plate.angular_velocity.y", "plate.angular_velocity.z")
#: radius of gyration of the plate, which is that of half the trace in space
GYRATION = math.sqrt(0.5 * (0.06 + 0.05 + 0.07) / 2.0)


def hanging(size, sine, out=1.5):
    """A plate on a ball, on a spring: p and q are `size` apart, r is `out` times as far, and beside their line."""
    m = lw.Mechanism("plate", dimension=3, gravity=(0, 0, -9.81))
    r = (out * size * math.sqrt(1.0 - sine**2), out * size * sine, 0.0)
    body = lw.Body(
        2.0,
        (0.06, 0.05, 0.07),
        center=(0.2, 0.1, 0.05),
        points={"p": (0, 0, 0), "q": (size, 0, 0), "r": r},
        angular_velocity=(1.0, 2.0, 0.5),
    )
    plate = m.add("plate", body)
    m.add("ball", lw.Spherical(m.ground.at(0, 0, 0), plate.at(0, 0, 0)))
    m.add("spring", lw.SpringDamper(m.ground.at(0.5, 0.5, -0.5), plate.at(0.3, 0.2, 0.1), stiffness=30.0, damping=0.5))
    return m


def rod_between_balls(size, sine):
    """A crank, a rod between two balls and a slider; the points of the rod are `size` apart at one of its ends."""
    m = lw.Mechanism("crank and slider", dimension=3, gravity=(0, 0, -9.81))
    crank = m.add("crank", lw.Body(1.0, (0.02, 0.05, 0.05), center=(0.1, 0, 0)))
    points = {"a": (-0.5, 0, 0), "b": (0.5, 0, 0), "d": (size - 0.5, 0, 0)}
    points["c"] = (size * math.sqrt(1.0 - sine**2) - 0.5, size * sine, 0.0)
    rod = m.add("rod", lw.Body(0.5, (0.001, 0.04, 0.04), points=points))
    slider = m.add("slider", lw.Body(2.0, (0.1, 0.1, 0.1)))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0), crank.at(0, 0, 0)))
    m.add("B", lw.Spherical(crank.at(0.2, 0, 0), rod.a))
    m.add("C", lw.Spherical(rod.b, slider.at(0, 0, 0)))
    m.add("G", lw.Prismatic(m.ground.at(0, 0, 0.3, along=(1, 0, 0)), slider.at(0, 0, 0)))
    m.add("T", lw.SpringDamper(m.ground.at(1, 1, 0), rod.at(0.1, 0.05, 0), stiffness=40.0, damping=0.3))
    return m


def swinging(apart):
    """A crank and a coupler on it, whose points p and q are `apart`."""
    m = lw.Mechanism("swinging")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0, angle=0.9))
    points = {"p": (0.05, 0.1), "q": (0.05 + 0.6 * apart, 0.1 + 0.8 * apart)}
    coupler = m.add("coupler", lw.Body(2.0, 0.2, points=points))
    m.add("A", lw.Revolute(m.ground, crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.at(-0.7, 0)))
    m.add("S", lw.SpringDamper(m.ground.at(1, 1), coupler.at(0.5, 0.1), stiffness=30.0, damping=0.3))
    return m


def compare(m, basis, series, **options):
    """A motion in points of a basis and in bodies: the same to nine digits, and without more work."""
    options |= dict(every=0.1, rtol=1e-11)
    wanted, usual = (m.simulate(0.5, coordinates=one, **options) for one in ("body", "point"))
    narrow = m.simulate(0.5, coordinates="point", basis=basis, **options)
    for name in series:
        size = np.abs(wanted[name]).max()
        np.testing.assert_allclose(narrow[name], wanted[name], rtol=0.0, atol=1e-9 * size, err_msg=name)
    assert narrow.statistics.evaluations < 1.2 * usual.statistics.evaluations


@pytest.mark.parametrize(
    ("size", "sine"), [(1.0, NEARLY_IN_LINE), (GYRATION, NEARLY_IN_LINE), (MUCH_TOO_CLOSE * GYRATION, 1.0)]
)
def test_a_plate_at_the_limit(size, sine):
    compare(hanging(size, sine), BASIS, SERIES)


@pytest.mark.parametrize(("part", "sine"), [(1.0, NEARLY_IN_LINE), (0.1, 0.1), (MUCH_TOO_CLOSE, 1.0)])
def test_a_rod_at_the_limit(part, sine):
    gyration = math.sqrt(0.5 * 0.081 / 0.5)
    m = rod_between_balls(part * gyration, sine)
    compare(m, {"rod": ("a", "d", "c")}, ("B.reaction", "C.reaction", "A.reaction"), start={"A.angle": 0.5})


def test_two_points_at_the_limit():
    names = ("B.reaction.x", "B.reaction.y", "crank.angle", "coupler.angle")
    compare(swinging(MUCH_TOO_CLOSE * math.sqrt(0.1)), {"coupler": ("p", "q")}, names)


@pytest.mark.parametrize("sine", [0.0, 1e-5, 1e-4, 1e-3, 0.9 * NEARLY_IN_LINE])
def test_three_points_nearly_in_one_line(sine):
    with pytest.raises(DescriptionError, match=r"has points nearly in one line.*'p' has a sine of .* at least 0.01"):
        hanging(1.0, sine).check(coordinates="point", basis=BASIS)


def test_two_points_that_are_seen_in_one_direction():
    """q and r are close together as seen from p; beginning with one of them is another thing."""
    m = hanging(1.0, 0.009, out=1.0)
    with pytest.raises(DescriptionError, match="Begin with another one of them"):
        m.check(coordinates="point", basis=BASIS)
    assert m.check(coordinates="point", basis={"plate": ("q", "p", "r")})


def test_points_that_are_close_against_how_the_mass_is_spread():
    with pytest.raises(CompileError, match=r"m apart, and digits would be lost.*a hundredth of its radius of gyration"):
        hanging(0.9 * MUCH_TOO_CLOSE * GYRATION, 1.0).check(coordinates="point", basis=BASIS)
    with pytest.raises(CompileError, match="m beside the line of the others, and digits would be lost"):
        hanging(0.1 * GYRATION, 0.09).check(coordinates="point", basis=BASIS)
    with pytest.raises(CompileError, match="m apart, and digits would be lost"):
        swinging(0.9 * MUCH_TOO_CLOSE * math.sqrt(0.1)).check(coordinates="point", basis={"coupler": ("p", "q")})
