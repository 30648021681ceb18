"""Shapes against the formulas of the textbooks."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError
from linkwork.mechanism.bodies import Body
from linkwork.mechanism.shapes import bar, disc, join, plate, polygon


def place(body):
    return tuple(body.center)[:2]


def test_bar():
    body = bar(length=3.0, mass=2.0)
    assert (body.mass, body.inertia) == (2.0, pytest.approx(2.0 * 9.0 / 12.0))
    assert body.points["a"] == (-1.5, 0.0)
    assert body.points["b"] == (1.5, 0.0)
    assert body.points["middle"] == (0.0, 0.0)
    assert body.outline == (("line", ((-1.5, 0.0), (1.5, 0.0))),)
    assert bar(3.0, 2.0, width=0.5).inertia == pytest.approx(2.0 * 9.25 / 12.0)
    assert bar(3.0, 2.0, width=0.5).outline[0][0] == "polygon"


def test_disc_and_plate():
    assert disc(0.4, 5.0).inertia == pytest.approx(5.0 * 0.16 / 2.0)
    assert disc(0.4, 5.0).outline[0] == ("circle", (0.0, 0.0), 0.4)
    assert plate(3.0, 4.0, 12.0).inertia == pytest.approx(25.0)


def test_bodies_for_space():
    """Box m (b^2 + c^2)/12 about each axis; cylinder m r^2/2 and m (3 r^2 + h^2)/12."""
    assert bar(3.0, 12.0, width=2.0, depth=1.0).inertia == pytest.approx((5.0, 10.0, 13.0))
    assert plate(3.0, 2.0, 12.0, thickness=1.0).inertia == pytest.approx((5.0, 10.0, 13.0))
    assert disc(2.0, 12.0, thickness=1.0).inertia == pytest.approx((13.0, 13.0, 24.0))
    assert bar(3.0, 12.0, depth=0.0).points["b"] == (1.5, 0.0, 0.0)


def test_options_go_to_the_body():
    body = bar(1.0, 1.0, position=(1, 2), angle=0.5, points={"tip": (0.5, 0.1)}, gravity=False)
    assert tuple(body.position) == (1, 2)
    assert body.angle == 0.5
    assert set(body.points) == {"a", "b", "middle", "tip"}
    assert not body.gravity
    assert disc(1.0, 1.0, outline=()).outline == ()


def test_triangle():
    """Right triangle b x h: centroid at a third of each side, I about it m (b^2 + h^2)/18."""
    body = polygon([(0, 0), (3, 0), (0, 2)], mass=4.0)
    assert place(body) == pytest.approx((1.0, 2.0 / 3.0))
    assert body.inertia == pytest.approx(4.0 * (9.0 + 4.0) / 18.0)
    assert body.mass == 4.0


@pytest.mark.parametrize("reverse", [False, True])
def test_rectangle_far_from_the_frame(reverse):
    corners = [(1000, 500), (1003, 500), (1003, 504), (1000, 504)]
    body = polygon(corners[::-1] if reverse else corners, mass=12.0)
    assert place(body) == pytest.approx((1001.5, 502.0))
    assert body.inertia == pytest.approx(25.0, rel=1e-12)


def test_regular_polygon():
    """n corners on a circle of radius r: I = m r^2/2 (1 - 2/3 sin^2(pi/n)); it tends to the disc."""
    for n in (3, 5, 6, 90):
        corners = [(2 * math.cos(2 * math.pi * k / n), 2 * math.sin(2 * math.pi * k / n)) for k in range(n)]
        body = polygon(corners, mass=3.0)
        assert place(body) == pytest.approx((0.0, 0.0), abs=1e-14)
        assert body.inertia == pytest.approx(3.0 * 4.0 / 2.0 * (1 - 2 / 3 * math.sin(math.pi / n) ** 2), rel=1e-12)


def test_polygon_with_a_reentrant_corner_equals_its_rectangles():
    """An L of two rectangles, 2 x 1 and 1 x 2."""
    whole = polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0, 3)], mass=8.0)
    parts = join((plate(2.0, 1.0, 4.0), 1.0, 0.5), (plate(1.0, 2.0, 4.0), 0.5, 2.0), points={})
    assert whole.inertia == pytest.approx(parts.inertia, rel=1e-13)
    np.testing.assert_allclose(place(whole), place(parts), rtol=1e-13)


def test_join_by_the_parallel_axis_rule():
    """A T of two bars: m L^2/12 for each plus the distance of each from the common centre."""
    body = join((bar(2.0, 3.0), 0.0, 0.0), (bar(1.0, 1.0), 0.0, -0.5, math.pi / 2), points={"foot": (0.0, -1.0)})
    assert body.mass == 4.0
    assert place(body) == pytest.approx((0.0, -0.125))
    expected = 3.0 * 4.0 / 12.0 + 3.0 * 0.125**2 + 1.0 / 12.0 + 1.0 * 0.375**2
    assert body.inertia == pytest.approx(expected, rel=1e-14)
    assert body.points == {"foot": (0.0, -1.0)}
    assert len(body.outline) == 2
    np.testing.assert_allclose(body.outline[1][1], [(0.0, -1.0), (0.0, 0.0)], atol=1e-15)


def test_join_keeps_points_and_reads_the_centre_of_its_parts():
    lamp = Body(2.0, 0.5, center=(0.1, 0.2), points={"eye": (1.0, 0.0)})
    body = join(bar(1.0, 1.0), (lamp, 3.0, 4.0, math.pi / 2), angle=0.3)
    assert set(body.points) == {"a", "b", "middle", "eye"}
    assert tuple(body.points["eye"]) == pytest.approx((3.0, 5.0))
    assert place(body) == pytest.approx((2.0 / 3.0 * 2.8, 2.0 / 3.0 * 4.1))
    assert body.angle == 0.3
    alone = join((lamp, 0, 0))
    assert (alone.mass, alone.inertia) == (2.0, 0.5)
    assert place(alone) == pytest.approx((0.1, 0.2))


def test_join_in_the_plane_takes_points_as_in_space():
    one, other = bar(1.0, 2.0), disc(0.2, 1.0)
    options = {"points": {}}
    for given, wanted in (
        ((other, (0.5, 0.1)), (other, 0.5, 0.1)),
        ((other, ("500 mm", 0.1), "30 deg"), (other, 0.5, 0.1, math.pi / 6)),
    ):
        assert join(one, given, **options) == join(one, wanted, **options)
    with pytest.raises(DescriptionError, match=r"for the plane among others for space.*in the plane.*\(body, x, y\)"):
        join(one, (other, (0.5, 0.1, 0.0)), **options)


def test_joining_joined_bodies_gives_the_same():
    parts = [(disc(0.3, 1.0), 0.2, 0.1), (plate(0.5, 0.2, 2.0), -0.7, 0.4, 0.6), (bar(1.0, 0.5), 0.0, 0.9, -1.1)]
    at_once = join(*parts, points={})
    in_two = join(join(*parts[:2], points={}), parts[2], points={})
    assert at_once.inertia == pytest.approx(in_two.inertia, rel=1e-13)
    np.testing.assert_allclose(place(at_once), place(in_two), rtol=1e-13)


@pytest.mark.parametrize(
    "make",
    [
        lambda: bar(0.0, 1.0),
        lambda: bar(-1.0, 1.0),
        lambda: bar(1.0, -1.0),
        lambda: bar("long!", 1.0),
        lambda: bar("1 kg", 1.0),
        lambda: bar(1.0, 1.0, width=-0.1),
        lambda: disc(0.0, 1.0),
        lambda: disc(math.inf, 1.0),
        lambda: plate(1.0, 0.0, 1.0),
        lambda: polygon([(0, 0), (1, 0)], 1.0),
        lambda: polygon([(0, 0), (1, 0), (2, 0)], 1.0),
        lambda: polygon([(0, 0), (1, 1), (1, 0), (0, 1)], 1.0),
        lambda: polygon([(0, 0), (1, 0), 3], 1.0),
        lambda: polygon([(0, 0), (1, 0), (0, math.nan)], 1.0),
        lambda: join(),
        lambda: join("bar"),
        lambda: join((bar(1.0, 1.0), 2.0)),
        lambda: join((bar(1.0, 1.0), 2.0, "up!")),
        lambda: join(bar(1.0, 1.0, depth=0.1), (bar(1.0, 1.0), (1.0, 0.0, 0.0))),
        lambda: join(bar(1.0, 1.0), (bar(1.0, 1.0), 1.0, 0.0)),
    ],
)
def test_wrong_input_is_refused(make):
    with pytest.raises(DescriptionError):
        make()


@pytest.mark.parametrize(
    "options, words",
    [
        ({"points": 1}, "points are not places by name. Got 1; wanted a map such as"),
        ({"points": 0}, "points are not places by name. Got 0; wanted a map such as"),
        ({"points": ["tip"]}, "points are not places by name. Got"),
        ({"outline": 1}, "outline is not a list. Got 1; wanted a list such as"),
        ({"outline": "line"}, "outline is not a list. Got 'line'; wanted"),
    ],
)
def test_points_and_outline_of_another_kind_are_told(options, words):
    makes = [
        lambda **more: lw.bar(1.0, 1.0, **more),
        lambda **more: lw.Body(1.0, **more),
        lambda **more: lw.sphere(1.0, 1.0, **more),
        lambda **more: lw.join((lw.disc(0.1, 1.0), 0.0, 0.0), **more),
        lambda **more: lw.join((lw.sphere(0.1, 1.0), (0.0, 0.0, 0.0)), **more),
    ]
    for make in makes:
        with pytest.raises(DescriptionError, match=words):
            make(**options)
    m = lw.Mechanism()
    m.add("b", lw.bar(1.0, 1.0))
    with pytest.raises(DescriptionError, match=f"Body 'b' {words}"):
        m.with_numbers({f"b.{key}": value for key, value in options.items()})
