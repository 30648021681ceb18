"""Positions that are compared: orientations have two signs, and angles in the plane have full turns."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.assembly.trials import same_position, shaken, way_between
from linkwork.compiled.numbering import model_of
from linkwork.rotation import from_rotation_vector, product


def two_bodies(dimension):
    m = lw.Mechanism("two", dimension=dimension)
    inertia = 1.0 if dimension == 2 else (1.0, 2.0, 3.0)
    for name in ("one", "two"):
        m.add(name, lw.Body(1.0, inertia))
    m.add("ball", lw.Particle(1.0))
    m.add("A", lw.Rod(m["one"].at(0.5, 0.0), m["two"].at(-0.5, 0.0), length=1.0))
    return model_of(m)


def turned(model, y, body, vector):
    out = y.copy()
    out[7 * body + 3 : 7 * body + 7] = product(from_rotation_vector(np.array(vector)), out[7 * body + 3 : 7 * body + 7])
    return out


@pytest.fixture
def space():
    model = two_bodies(3)
    y = np.zeros(model.n_y)
    y[: model.n_q].reshape(-1, 7)[:, 3] = 1.0
    return model, y


def test_turns_to_one_side_and_to_the_other_are_two_positions(space):
    model, y = space
    one, other = (turned(model, y, 1, (sign * 0.8, 0.0, 0.0)) for sign in (1.0, -1.0))
    assert not same_position(model, one, other)
    assert same_position(model, one, other, places_only=True)


def test_either_sign_of_a_quaternion_is_one_orientation(space):
    model, y = space
    one = turned(model, y, 0, (0.3, 0.2, -1.4))
    other = one.copy()
    other[3:7] *= -1.0
    assert same_position(model, one, other)
    assert way_between(model, one, other) == 0.0


def test_an_angle_counts_as_the_angle_times_a_length(space):
    model, y = space
    assert way_between(model, y, turned(model, y, 0, (0.0, 1e-3, 0.0))) == pytest.approx(1e-3 * model.length, rel=1e-6)
    plane = two_bodies(2)
    first = np.zeros(plane.n_y)
    other = first.copy()
    other[2] = 1e-3
    assert way_between(plane, first, other) == pytest.approx(1e-3 * plane.length, rel=1e-12)


def test_full_turns_are_the_same_position_in_the_plane():
    model = two_bodies(2)
    one = np.linspace(0.1, 0.9, model.n_y)
    other = one.copy()
    other[[2, 5]] += 2.0 * np.pi * np.array([3.0, -2.0])
    other[8] += 1.0  # a particle has no angle
    assert same_position(model, one, other)
    other[2] += 1e-3
    assert not same_position(model, one, other)


@pytest.mark.parametrize("dimension", [2, 3])
def test_what_is_shaken_stays_a_position(dimension):
    model = two_bodies(dimension)
    y = np.zeros(model.n_y)
    if dimension == 3:
        y[: model.n_q].reshape(-1, 7)[:, 3] = 1.0
    out = shaken(model, y, 3)
    assert not same_position(model, out, y)
    if dimension == 3:
        turns = out[: model.n_q].reshape(-1, 7)[:, 3:]
        assert np.linalg.norm(turns, axis=1) == pytest.approx(1.0)
        assert np.array_equal(turns[2], [1.0, 0.0, 0.0, 0.0])  # a particle has none
    else:
        assert out[8] == 0.0
