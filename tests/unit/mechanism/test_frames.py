"""Axes of frames: angle, axis and along, alone and together."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError


@pytest.fixture
def body():
    return lw.Mechanism("frames", dimension=3).add("body", lw.box(1, 1, 1, mass=1))


def turned(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize("options", [{}, {"axis": (0, 1, 0)}, {"axis": (1, 2, 3), "along": (1, 0, 0)},
                                     {"along": (1, 2, 0)}, {"along": (1, 0, 1)}])  # fmt: skip
def test_an_angle_turns_the_axes_about_z(body, options):
    plain = body.at(0.1, 0.2, 0.3, **options)
    for found in (body.at(0.1, 0.2, 0.3, angle=0.5, **options), plain.turned(0.5)):
        np.testing.assert_allclose(found.rotation(), plain.rotation() @ turned(0.5), atol=1e-15)


@pytest.mark.parametrize("along", [(1, 0, 1), (1, 2, -3), (0, 0, 1), (0, 0, -2)])
def test_x_points_along_a_slanted_direction(body, along):
    axes = body.at(along=along).rotation()
    np.testing.assert_allclose(axes[:, 0], np.array(along) / np.linalg.norm(along), atol=1e-15)
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-15)
    assert axes[2, 2] >= 0.0  # z stays as near to that of the body as it can


def test_ahead_goes_along_z(body):
    frame = body.at(1, 2, 3, axis=(1, 1, 0))
    np.testing.assert_allclose(frame.ahead(2.0).position, np.array([1, 2, 3]) + np.array([1, 1, 0]) * math.sqrt(2))
    np.testing.assert_array_equal(frame.ahead(2.0).rotation(), frame.rotation())


def test_a_slide_along_a_slanted_line_falls_with_half_of_gravity():
    m = lw.Mechanism("slope", dimension=3, gravity=(0, 0, -9.81))
    block = m.add("block", lw.box(1, 1, 1, mass=1))
    m.add("P", lw.Prismatic(m.ground.at(along=(1, 0, 1)), block.at(along=(1, 0, 1))))
    run = m.simulate(1.0, coordinates="body")
    assert run["block.z"][-1] == pytest.approx(-9.81 / 4, abs=1e-9)
    assert run["P.slide"][-1] == pytest.approx(-9.81 / 2 / math.sqrt(2), abs=1e-9)


def test_along_the_axis_is_refused(body):
    with pytest.raises(DescriptionError, match="`along` points along `axis`"):
        body.at(axis=(0, 1, 0), along=(0, 2, 0))


def test_a_frame_with_axis_and_angle_survives_a_file(body):
    m = lw.Mechanism("frames", dimension=3)
    one = m.add("one", lw.box(1, 1, 1, mass=1))
    m.add("A", lw.Revolute(m.ground.at(axis=(0, 1, 0), angle=0.3), one.at(axis=(0, 1, 1), along=(1, 0, 0), angle=0.7)))
    again = lw.read(lw.to_text(m))
    for side in ("on", "to"):
        np.testing.assert_array_equal(getattr(again.joints["A"], side).rotation(),
                                      getattr(m.joints["A"], side).rotation())  # fmt: skip
