"""`Orientation`: what it takes, what it refuses, and bodies that are given one."""

import math
import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, FileError, SingularOrientationWarning, UnitError
from linkwork.mechanism.orientation import Orientation

TILT = Orientation.from_axis_angle((1.0, 2.0, -2.0), 0.8)


def test_all_forms_of_one_turn():
    axis, angle = TILT.axis_angle
    assert axis == pytest.approx(np.array([1.0, 2.0, -2.0]) / 3.0) and angle == pytest.approx(0.8)
    forms = [
        Orientation.from_quaternion(TILT.quaternion),
        Orientation.from_quaternion(-3.0 * np.array(TILT.quaternion)),
        Orientation.from_matrix(TILT.matrix),
        Orientation.from_axis_angle(-axis, -angle),
        Orientation.from_rotation_vector(TILT.rotation_vector),
        Orientation.from_rodrigues(TILT.rodrigues),
        Orientation.from_angles("ZXZ", TILT.angles("ZXZ")),
        Orientation.from_angles("zyx", TILT.angles("zyx")),
    ]
    for one in forms:
        assert TILT.distance(one) < 1e-7 and one.matrix == pytest.approx(TILT.matrix, abs=1e-14)
    assert Orientation().matrix.tolist() == np.eye(3).tolist()


def test_angles_have_units():
    quarter = Orientation.from_angles("Z", "90 deg")
    assert quarter.apply((1, 0, 0)) == pytest.approx([0, 1, 0], abs=1e-15)
    assert quarter == Orientation.from_angles("z", ["90 deg"]) == Orientation.from_axis_angle((0, 0, 5), "90 deg")
    assert Orientation.from_rotation_vector((0, 0, "90 deg")).distance(quarter) < 1e-15
    two = Orientation.from_angles("XY", ("30 deg", 0.2))
    assert two.distance(Orientation.from_angles("XYZ", (math.pi / 6, 0.2, 0.0))) < 1e-15
    with pytest.raises(UnitError):
        Orientation.from_axis_angle((0, 0, 1), "3 m")


def test_products_turn_by_the_right_factor_first():
    a, b = Orientation.from_angles("X", 0.3), Orientation.from_angles("Y", 0.5)
    assert (a * b).distance(Orientation.from_angles("XYZ", (0.3, 0.5, 0.0))) < 1e-15
    assert (a * b).apply((1, 2, 3)) == pytest.approx(a.apply(b.apply((1, 2, 3))))
    assert (a * a.inverse()).distance(Orientation()) < 1e-15
    assert TILT.inverse().matrix == pytest.approx(TILT.matrix.T)
    assert TILT.apply(np.eye(3)) == pytest.approx(TILT.matrix.T)
    with pytest.raises(TypeError):
        a * 3


def test_it_is_a_value():
    assert pickle.loads(pickle.dumps(TILT)) == TILT and hash(TILT) == hash(Orientation(TILT.quaternion))
    with pytest.raises(AttributeError):
        TILT.quaternion = (1, 0, 0, 0)


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (lambda: Orientation((0, 0, 0, 0)), "quaternion without length"),
        (lambda: Orientation((1, 0, 0)), "quaternion has the wrong length"),
        (lambda: Orientation((1, 0, 0, float("nan"))), "quaternion is not finite"),
        (lambda: Orientation.from_axis_angle((0, 0, 0), 1.0), "axis has no direction"),
        (lambda: Orientation.from_matrix(np.diag([1.0, 1.0, -1.0])), "mirrors. Got determinant -1"),
        (lambda: Orientation.from_matrix(1.001 * np.eye(3)), "not a rotation. Got columns"),
        (lambda: Orientation.from_matrix(np.zeros((3, 3))), "not a rotation"),
        (lambda: Orientation.from_matrix(1e300 * np.ones((3, 3))), "not a rotation"),
        (lambda: Orientation.from_matrix(np.eye(2)), "matrix of the wrong shape"),
        (lambda: Orientation.from_matrix([[1, 0, 0], [0, 1], [0, 0, 1]]), "matrix of the wrong shape"),
        (lambda: Orientation.from_angles("XYY", (1, 2, 3)), "one axis twice running"),
        (lambda: Orientation.from_angles("XYZ", (1, 2)), "angles has the wrong length"),
        (lambda: TILT.angles("XY"), "unknown order of angles"),
        (lambda: Orientation.from_axis_angle((0, 1, 0), math.pi).rodrigues, "half turn, whose Rodrigues parameters"),
    ],
)
def test_what_is_no_orientation_is_refused(make, wrong):
    with pytest.raises(DescriptionError, match=wrong):
        make()


def test_angles_that_cannot_be_told_apart_are_reported():
    with pytest.warns(SingularOrientationWarning, match="middle angle of 1.5707963.*third is given as zero"):
        found = Orientation.from_angles("ZYX", (0.3, "90 deg", 0.1)).angles("ZYX")
    assert found == pytest.approx([0.2, math.pi / 2, 0.0], abs=1e-7)
    with pytest.warns(SingularOrientationWarning):
        assert Orientation().angles("ZXZ") == pytest.approx([0, 0, 0])


# -- bodies


def oriented(value):
    return lw.Body(1.0, (1.0, 1.0, 1.0), orientation=value).orientation


@pytest.mark.parametrize(
    "form",
    [
        TILT,
        TILT.quaternion,
        np.array(TILT.quaternion),
        TILT.matrix,
        TILT.matrix.tolist(),
        {"axis": (1, 2, -2), "angle": 0.8},
        {"order": "XYZ", "angles": TILT.angles("XYZ")},
        {"rotation_vector": TILT.rotation_vector},
        {"rodrigues": TILT.rodrigues},
        {"matrix": TILT.matrix},
        {"quaternion": 2 * np.array(TILT.quaternion)},
    ],
)
def test_a_body_takes_every_form_and_keeps_the_quaternion(form):
    assert oriented(form) == pytest.approx(TILT.quaternion, abs=1e-15)
    assert isinstance(oriented(form), tuple)


@pytest.mark.parametrize(
    ("form", "wrong"),
    [
        ((1, 1, 0, 0), "Body orientation is not a unit quaternion. Got norm 1.41421; wanted norm 1."),
        ((0, 0, 0, 0), "not a unit quaternion. Got norm 0"),
        ((1, 0, 0), "orientation has the wrong length"),
        ("XYZ", "orientation is not a list of numbers"),
        (np.diag([1.0, -1.0, 1.0]), "Body orientation has a matrix that mirrors"),
        ({"axis": (0, 0, 1)}, "orientation has unknown fields. Got \\['axis'\\]; wanted {quaternion} or"),
        ({"axis": (0, 0, 0), "angle": 1}, "Body orientation: Orientation axis has no direction"),
    ],
)
def test_a_body_refuses_others(form, wrong):
    with pytest.raises(DescriptionError, match=wrong):
        oriented(form)


HEAD = "linkwork: 1\ndimension: 3\nbodies:\n"


@pytest.mark.parametrize(
    "form",
    [
        "{axis: [1, 2, -2], angle: 0.8}",
        "{axis: [1, 2, -2], angle: 45.83662361046586 deg}",
        f"{{order: XYZ, angles: {TILT.angles('XYZ').tolist()}}}",
        f"{{rotation_vector: {TILT.rotation_vector.tolist()}}}",
        f"{{angles: {TILT.angles('zxz').tolist()}, order: zxz}}",
        f"{{rodrigues: {TILT.rodrigues.tolist()}}}",
        f"{TILT.matrix.tolist()}",
        f"{{matrix: {TILT.matrix.tolist()}}}",
        f"{list(TILT.quaternion)}",
    ],
)
def test_a_file_takes_every_form(form):
    m = lw.read(f"{HEAD}  b: {{mass: 1, inertia: [1, 1, 1], orientation: {form}}}\n")
    assert m.bodies["b"].orientation == pytest.approx(TILT.quaternion, abs=1e-14)
    assert lw.read(lw.to_text(m)).bodies["b"].orientation == m.bodies["b"].orientation
    assert lw.read(lw.to_text(m, "json")) == m


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("{axis: [0, 0, 1], angel: 30 deg}", "unknown field 'angel'. Nearest: 'angle'"),
        ("{axis: [0, 0, 1]}", "Body 'b' orientation has no angle"),
        ("{axis: [0, 0, 1], angle: 3 m}", "angle has a unit of another kind"),
        ("{axis: [0, 0], angle: 3}", "axis is a list of another form"),
        ("{order: XXZ, angles: [1, 2, 3]}", "turns about one axis twice running"),
        ("{}", "is a map of no known form"),
        ("{tilt: 3}", "is a map of no known form. Got tilt; wanted {quaternion} or {matrix} or {axis, angle}"),
        ("[[1, 0, 0], [0, 1, 0], [0, 0, -1]]", "Body 'b' orientation has a matrix that mirrors"),
        ("upright", "Body 'b' orientation has the wrong kind"),
    ],
)
def test_a_file_tells_what_is_wrong(form, told):
    with pytest.raises(FileError) as caught:
        lw.read(f"{HEAD}  b: {{mass: 1, inertia: [1, 1, 1], orientation: {form}}}\n")
    assert told in str(caught.value) and str(caught.value).startswith("<text>:4:")


def test_the_schema_knows_every_form():
    jsonschema = pytest.importorskip("jsonschema")
    check = jsonschema.Draft202012Validator(lw.schema())
    body = {"mass": 1, "inertia": [1, 1, 1]}

    def fits(form):
        return check.is_valid({"linkwork": 1, "dimension": 3, "bodies": {"b": {**body, "orientation": form}}})

    for form in (
        [1, 0, 0, 0],
        np.eye(3).tolist(),
        {"axis": [0, 0, 1], "angle": "30 deg"},
        {"order": "XYZ", "angles": [1, 2, "3 deg"]},
        {"rotation_vector": [1, 2, 3]},
    ):
        assert fits(form)
    for form in ([1, 0], {"axis": [0, 0, 1]}, {"axis": [0, 0, 1], "angle": 1, "order": "XYZ"}, {}, 3):
        assert not fits(form)


@pytest.mark.parametrize(
    ("make", "form"),
    [
        (lambda: Orientation.from_axis_angle((0, 0, 1), "2*a"), {"axis": (0, 0, 1), "angle": "2*a"}),
        (lambda: Orientation.from_angles("XYZ", ("2*a", 0, "a")), {"order": "XYZ", "angles": ("2*a", 0, "a")}),
        (lambda: Orientation.from_rotation_vector((0, 0, "2*a")), {"rotation_vector": (0, 0, "2*a")}),
    ],
)
def test_texts_of_parameters_are_told_the_form_that_takes_them(make, form):
    with pytest.raises(DescriptionError) as caught:
        make()
    assert "cannot be made of '2*a': parameters are known to a mechanism alone" in str(caught.value)
    assert str(caught.value).endswith(f"Give the body the map itself: orientation={form!r}.")
    m = lw.Mechanism(dimension=3, parameters={"a": "10 deg"})
    m.add("ball", lw.sphere(0.1, 1.0, orientation=form))  # as the message says
    assert m.with_numbers({"a": "20 deg"})["ball"].orientation != m["ball"].orientation
