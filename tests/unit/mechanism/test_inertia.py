"""`Inertia`: moving, turning, joining; and inertias that no body, or hardly any, can have."""

import pickle
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, UnlikelyInertiaWarning
from linkwork.mechanism.inertia import Inertia

MATRIX = np.array([[0.12, 0.01, -0.02], [0.01, 0.2, 0.015], [-0.02, 0.015, 0.15]])
ONE = Inertia(3.2, (0.1, -0.3, 0.2), MATRIX)
TURN = lw.Orientation.from_rotation_vector((0.5, -1.0, 0.3))


def test_parallel_axes():
    """J about a point is J about the mass centre and that of the mass there."""
    arm = np.array([0.1, -0.3, 0.2])
    cross = np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
    assert ONE.about() == pytest.approx(MATRIX - 3.2 * cross @ cross)
    assert ONE.about(ONE.center) == pytest.approx(MATRIX)
    back = Inertia.from_point(3.2, ONE.center, ONE.about((1, 2, 3)), (1, 2, 3))
    assert back.matrix == pytest.approx(MATRIX, rel=1e-12)


def test_shift_and_turn():
    assert ONE.shifted((1, "10 cm", 0)).center == pytest.approx([1.1, -0.2, 0.2])
    assert ONE.shifted((1, 0, 0)).matrix == pytest.approx(MATRIX)
    turned = ONE.rotated(TURN)
    assert turned.center == pytest.approx(TURN.apply(ONE.center))
    assert turned.matrix == pytest.approx(TURN.matrix @ MATRIX @ TURN.matrix.T)
    assert turned.about() == pytest.approx(TURN.matrix @ ONE.about() @ TURN.matrix.T)
    assert turned.rotated(TURN.inverse()).matrix == pytest.approx(MATRIX)


def test_joined_is_a_sum_about_any_point():
    other = ONE.rotated(TURN).shifted((0.2, 0.7, -0.1))
    third = Inertia(0.5, (1, 0, 0))
    whole = ONE.joined(other, third)
    for point in ((0, 0, 0), (1, -2, 0.5)):
        assert whole.about(point) == pytest.approx(ONE.about(point) + other.about(point) + third.about(point))
    assert whole.mass == pytest.approx(6.9)
    assert (ONE + other + third).matrix == pytest.approx(whole.matrix)
    assert Inertia(0.0).joined(Inertia(0.0)).mass == 0.0
    with pytest.raises(TypeError):
        ONE + 3


def test_principal_axes():
    values, axes = ONE.rotated(TURN).principal()
    assert values == pytest.approx(np.linalg.eigvalsh(MATRIX)) and np.all(np.diff(values) > 0)
    assert np.linalg.det(axes) == pytest.approx(1.0)
    assert axes @ np.diag(values) @ axes.T == pytest.approx(ONE.rotated(TURN).matrix)
    straight = ONE.rotated(lw.Orientation.from_matrix(ONE.principal().axes).inverse())
    assert straight.matrix == pytest.approx(np.diag(values), abs=1e-15)


def test_bodies():
    body = ONE.body(points={"tip": (1, 0, 0)})
    assert (body.mass, body.center) == (3.2, (0.1, -0.3, 0.2)) and "tip" in body.points
    assert Inertia.of(body) == ONE
    assert Inertia(1.0, matrix=(1, 2, 2.5)).body().inertia == (1.0, 2.0, 2.5)
    with pytest.raises(DescriptionError, match="one moment of inertia, which is enough in the plane only"):
        Inertia.of(lw.bar(1.0, 1.0))


def test_it_is_a_value():
    again = pickle.loads(pickle.dumps(ONE))
    assert again == ONE and hash(again) == hash(ONE) and ONE != Inertia(3.2) and ONE != 3
    with pytest.raises(ValueError):
        ONE.matrix[0, 0] = 3.0
    with pytest.raises(AttributeError):
        ONE.mass = 1.0


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        (dict(mass=-1.0), "mass is too small"),
        (dict(mass=1.0, matrix=(1, 1, 3)), "larger than the two others together"),
        (dict(mass=1.0, matrix=(1, 2)), "wrong shape"),
        (dict(mass=1.0, matrix=5.0), "one moment of inertia"),
        (dict(mass=1.0, center=(0, 0)), "center has the wrong length"),
    ],
)
def test_what_is_no_inertia_is_refused(given, wrong):
    with pytest.raises(DescriptionError, match=wrong):
        Inertia(**given)


def test_a_matrix_about_the_wrong_point_is_found():
    """Less than what the mass alone has there."""
    with pytest.raises(DescriptionError, match="not positive"):
        Inertia.from_point(1.0, (1, 0, 0), (0.1, 0.1, 0.1))


# -- bodies with an inertia that they cannot have


def test_impossible_inertias_are_refused():
    with pytest.raises(
        DescriptionError,
        match=r"Body 'link' inertia is one that no body has: .* Got principal moments "
        r"1, 1, 3; wanted at most 2 for the largest. Look at the axes",
    ):
        lw.Body(1.0, (1, 1, 3), name="link")
    with pytest.raises(DescriptionError, match=r"inertia is not positive. Got principal moments -1, 1, 3"):
        lw.Body(1.0, ((1, 2, 0), (2, 1, 0), (0, 0, 1)))
    turned = TURN.matrix @ np.diag([1.0, 1.0, 3.0]) @ TURN.matrix.T
    with pytest.raises(DescriptionError, match="larger than the two others together"):
        lw.Body(1.0, turned)
    with pytest.raises(DescriptionError, match="inertia is too small"):
        lw.Body(1.0, (1, 1, -1))


@pytest.mark.parametrize(
    "moments",
    [
        (1, 1, 2),
        (0, 1, 1),
        (0, 0, 0),
        0.0,
        (0.333, 0.333, 0.667),
        (1e-12, 2e-12, 3e-12),
        (1e300, 1e300, 1e300),
        (TURN.matrix @ np.diag([0.0, 1.0, 1.0]) @ TURN.matrix.T).round(15),
    ],
)
def test_thin_plates_rods_points_and_rounded_numbers_are_right(moments):
    lw.Body(1.0, moments)


def test_a_file_tells_it_at_its_line():
    with pytest.raises(lw.errors.FileError, match=r"<text>:4:.*Body 'b' inertia is one that no body has"):
        lw.read("linkwork: 1\ndimension: 3\nbodies:\n  b: {mass: 1, inertia: [1, 1, 3]}\n")


@pytest.mark.parametrize(
    ("inertia", "said"),
    [
        ((2e4, 2e4, 2e4), r"far outside the body. Got sqrt\(inertia/mass\) = 100 m; wanted about the size of the body"),
        (2e4, "far outside the body"),
        ((2e-8, 2e-8, 2e-8), "far smaller than the body"),
    ],
)
def test_unlikely_inertias_are_told_when_the_body_has_a_name(inertia, said):
    given = dict(mass=2.0, inertia=inertia, points={"tip": (0.5, 0.0, 0.0)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        body = lw.Body(**given)
    with pytest.warns(UnlikelyInertiaWarning, match=f"Body 'link' inertia is unlikely: .*{said}.*Look at the units"):
        lw.Mechanism("m", dimension=3).add("link", body)


def test_likely_ones_are_not():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for body in (
            lw.bar(1.0, 1.0),
            lw.disc(0.3, 5.0, thickness=0.01),
            lw.box(1, 0.001, 0.001, 1.0),
            lw.rod(2, 1.0),
            lw.cone(0.01, 3, 1.0),
            lw.Body(1.0, 3.0),
            lw.Body(0.0, 1.0, points={"a": (1, 0)}),
            lw.Body(1.0, 0.0, points={"a": (1, 0)}),
            lw.Body(1.0, 1.0, points={"a": (0, 0)}),
            lw.Body(1.0, 1.0, outline=("odd",)),
        ):
            body.named("b")
        for name in lw.gallery.names():
            lw.gallery.get(name)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Inertia("M", ("L", 0, 0), np.eye(3)),
        lambda: Inertia(1.0, ("M", 0, 0)),
        lambda: Inertia(1.0, (0, 0, 0), [["M", 0, 0], [0, 1, 0], [0, 0, 1]]),
        lambda: Inertia.from_point(1.0, (0, 0, 0), (1, 1, 1), ("M", 0, 0)),
    ],
)
def test_texts_of_parameters_are_told_who_takes_them(make):
    with pytest.raises(DescriptionError, match=r"Inertia cannot be made of 'M': .*Body\(mass=\"M\", inertia="):
        make()
    m = lw.Mechanism(dimension=3, parameters={"M": "2 kg", "J": "0.1 kg m^2", "L": "1 m"})
    body = m.add("b", lw.Body(mass="M", inertia=("J", "J", "J"), center=("L", 0, 0)))
    assert Inertia.of(body) == Inertia(2.0, (1.0, 0.0, 0.0), (0.1, 0.1, 0.1))
