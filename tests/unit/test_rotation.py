"""Forms of orientation against scipy, which has the same conventions, and what is singular among them."""

import itertools
import math
import warnings

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from linkwork import rotation
from linkwork.errors import DescriptionError

ORDERS = [
    "".join(axes)
    for letters in ("xyz", "XYZ")
    for axes in itertools.product(letters, repeat=3)
    if axes[0] != axes[1] != axes[2]
]
RANDOM = np.random.default_rng(5).normal(size=(50, 4))


def same_turn(a, b):
    """The largest difference of quaternions but for their signs."""
    a, b = np.asarray(a), np.asarray(b)
    return np.minimum(np.abs(a - b).max(axis=-1), np.abs(a + b).max(axis=-1)).max()


def scipy_of(e):
    return Rotation.from_quat(np.roll(e, -1, axis=-1))  # scipy has the scalar last


def scalar_first(e):
    return np.roll(e, 1, axis=-1)


def test_the_difference_of_orientations_has_no_sign():
    one, other = rotation.from_rotation_vector(np.array([[0.8, 0.0, 0.0], [-0.8, 0.0, 0.0]]))
    assert np.abs(rotation.difference(one, other)).max() == pytest.approx(2.0 * math.sin(0.4))
    assert np.array_equal(rotation.difference(one, -one), np.zeros(4))
    small = rotation.product(rotation.from_rotation_vector(np.array([0.0, 2e-3, 0.0])), one)
    assert np.linalg.norm(rotation.difference(-small, one)) == pytest.approx(1e-3, rel=1e-6)


def test_there_are_24_orders():
    assert len(ORDERS) == 24


def test_forms_are_those_of_scipy():
    e = rotation.normalised(RANDOM)
    theirs = scipy_of(e)
    assert rotation.matrix(e) == pytest.approx(theirs.as_matrix(), abs=1e-14)
    assert rotation.rotation_vector(e) == pytest.approx(theirs.as_rotvec(), abs=1e-13)
    assert same_turn(rotation.from_matrix(theirs.as_matrix()), e) < 1e-14
    assert same_turn(rotation.from_rotation_vector(theirs.as_rotvec()), e) < 1e-14
    found, unbounded = rotation.rodrigues(e)
    size = np.linalg.norm(theirs.as_rotvec(), axis=1, keepdims=True)
    assert found == pytest.approx(theirs.as_rotvec() / size * np.tan(size / 2), rel=1e-9)
    assert not unbounded.any()
    assert same_turn(rotation.from_rodrigues(found), e) < 1e-14
    vectors = np.random.default_rng(1).normal(size=(50, 3))
    assert rotation.apply(e, vectors) == pytest.approx(theirs.apply(vectors), abs=1e-14)
    one = rotation.product(e[:25], e[25:])
    assert same_turn(one, scalar_first((theirs[:25] * theirs[25:]).as_quat())) < 1e-14
    assert same_turn(rotation.inverse(e), scalar_first(theirs.inv().as_quat())) < 1e-15


@pytest.mark.parametrize("order", ORDERS)
def test_angles_are_those_of_scipy(order):
    e = rotation.normalised(RANDOM)
    axes, turning = rotation.axes_of(order)
    found, locked = rotation.angles(e, axes, turning)
    assert found == pytest.approx(scipy_of(e).as_euler(order), abs=1e-13)
    assert not locked.any()
    assert same_turn(rotation.from_angles(axes, turning, found), e) < 1e-14


@pytest.mark.parametrize("order", ORDERS)
def test_angles_where_two_axes_fall_together(order):
    axes, turning = rotation.axes_of(order)
    for middle in (0.0, math.pi) if order[0] == order[2] else (-math.pi / 2, math.pi / 2):
        e = rotation.from_angles(axes, turning, [0.4, middle, 0.9])
        found, locked = rotation.angles(e, axes, turning)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = scipy_of(e).as_euler(order)
        assert locked and found[2] == 0.0
        assert found == pytest.approx(theirs, abs=1e-9)
        assert same_turn(rotation.from_angles(axes, turning, found), e) < 1e-9


@pytest.mark.parametrize("order", ["XYZ", "zyx", "ZXZ", "yxy"])
def test_angles_go_on_over_full_turns_and_past_the_end_of_the_middle_one(order):
    t = np.linspace(0.0, 1.0, 401)
    axes, turning = rotation.axes_of(order)
    given = np.column_stack([0.3 + 20.0 * t, 0.2 + 9.0 * t, -0.1 - 15.0 * t])
    found, locked = rotation.continuous_angles(rotation.from_angles(axes, turning, given), axes, turning)
    assert not locked.any()
    assert found == pytest.approx(given, abs=1e-9)


@pytest.mark.parametrize("order", ["XYZ", "xyz", "ZXZ", "zxz"])
def test_angles_of_a_series_that_stands_where_two_axes_fall_together(order):
    """The third angle stays where it was, so that the series does not jump."""
    axes, turning = rotation.axes_of(order)
    end = 0.0 if order[0] == order[2] else math.pi / 2
    middle = np.concatenate([np.linspace(end - 0.5, end, 20), np.full(5, end)])
    given = np.column_stack([np.full(25, 0.4), middle, np.full(25, 0.7)])
    given[20:, 0] += np.linspace(0.0, 0.2, 5)
    found, locked = rotation.continuous_angles(rotation.from_angles(axes, turning, given), axes, turning)
    assert locked.sum() == 6
    shift = found[0] - given[0]  # of the two triples the usual one is taken first
    assert np.abs(np.diff(found, axis=0)).max() < 0.06
    assert same_turn(rotation.from_angles(axes, turning, found), rotation.from_angles(axes, turning, given)) < 1e-7
    assert np.ptp(found[:, 2]) < 1e-6 and shift.shape == (3,)


def test_half_turns():
    for axis in ([1.0, 0.0, 0.0], [0.6, 0.0, -0.8], [0.0, 1.0, 0.0]):
        e = np.array([0.0, *axis])
        assert same_turn(rotation.from_matrix(rotation.matrix(e)), e) < 1e-15
        assert rotation.axis_angle(e)[1] == pytest.approx(math.pi)
        _, unbounded = rotation.rodrigues(e)
        assert unbounded


def test_small_turns_keep_their_digits():
    for size in (1e-3, 1e-9, 1e-200, 0.0):
        v = size * np.array([0.6, 0.0, 0.8])
        assert rotation.rotation_vector(rotation.from_rotation_vector(v)) == pytest.approx(v, rel=1e-14, abs=0.0)
    axis, angle = rotation.axis_angle([1.0, 0.0, 0.0, 0.0])
    assert axis.tolist() == [0.0, 0.0, 1.0] and angle == 0.0


def test_quaternions_of_any_length():
    for size in (1e-200, 1.0, 1e200):
        assert np.linalg.norm(rotation.normalised(size * RANDOM), axis=1) == pytest.approx(np.ones(50), abs=1e-15)
    unit = np.array([0.1**0.5, 0.2**0.5, 0.3**0.5, 0.4**0.5])
    assert rotation.normalised(unit).tolist() == unit.tolist()


def test_signs_of_a_series_go_on():
    e = rotation.normalised(
        np.column_stack([np.cos(np.linspace(0, 9, 50)), np.zeros((50, 2)), np.sin(np.linspace(0, 9, 50))])
    )
    mixed = e * np.where(np.arange(50) % 3 == 1, -1.0, 1.0)[:, None]
    assert rotation.continuous(mixed) == pytest.approx(e)


@pytest.mark.parametrize("order", ["XYz", "XY", "", "ABC", 3, None, "XYZX"])
def test_unknown_orders_are_refused(order):
    with pytest.raises(DescriptionError, match="unknown order of angles"):
        rotation.axes_of(order)


def test_an_order_that_turns_twice_about_one_axis_is_refused():
    with pytest.raises(DescriptionError, match="one axis twice running"):
        rotation.axes_of("XXY")


def test_turns_of_the_plane_and_cross_products():
    c, s = np.cos([0.3, -1.2]), np.sin([0.3, -1.2])
    assert rotation.about_z(c, s) == pytest.approx(
        rotation.matrix(rotation.from_rotation_vector([[0.0, 0.0, 0.3], [0.0, 0.0, -1.2]])), abs=1e-15
    )
    x, y = rotation.in_plane(np.array([0.3, -1.2]), 0.7, 0.2)
    assert np.column_stack([x, y, 0.0 * x]) == pytest.approx(rotation.about_z(c, s) @ [0.7, 0.2, 0.0], abs=1e-15)
    a, b = np.array([0.3, -0.2, 0.9]), np.array([1.1, 0.4, -0.6])
    assert rotation.skew(a) @ b == pytest.approx(np.cross(a, b), abs=1e-15)


def test_a_turn_about_an_axis():
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    for angle in (0.3, -2.0, 4.0):
        assert rotation.about(axis, angle) == pytest.approx(Rotation.from_rotvec(angle * axis).as_matrix(), abs=1e-15)
    quarter = rotation.about(np.array([0.0, 0.0, 1.0]), -0.5 * math.pi)
    assert quarter.tolist() == [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


def test_cross_products_in_the_plane_are_those_in_space():
    w, v = np.array([2.0, -3.0]), np.array([[1.0, 4.0], [0.5, -1.0]])
    in_space = rotation.cross(np.column_stack([0 * w, 0 * w, w]), np.column_stack([v, 0 * w]))
    assert in_space[:, :2].tolist() == rotation.cross(w, v).tolist() and not in_space[:, 2].any()
