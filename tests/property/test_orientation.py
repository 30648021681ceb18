"""Any orientation comes back from every one of its forms, from bodies, and from files."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import linkwork as lw
from linkwork.errors import SingularOrientationWarning

ORDERS = [
    "".join(axes)
    for letters in ("xyz", "XYZ")
    for axes in itertools.product(letters, repeat=3)
    if axes[0] != axes[1] != axes[2]
]
parts = st.floats(-1.0, 1.0)
quaternions = st.tuples(parts, parts, parts, parts).filter(lambda q: np.linalg.norm(q) > 1e-3)
turns = quaternions.map(lw.Orientation.from_quaternion)
FORMS = {
    "quaternion": lambda one: {"quaternion": one.quaternion},
    "matrix": lambda one: {"matrix": one.matrix},
    "axis and angle": lambda one: dict(zip(("axis", "angle"), one.axis_angle)),
    "rotation vector": lambda one: {"rotation_vector": one.rotation_vector},
    "rodrigues": lambda one: {"rodrigues": one.rodrigues},
}


def plain(form):
    return {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in form.items()}


def come_back(turn, form, tolerance):
    made = lw.Body(1.0, (1.0, 1.0, 1.0), orientation=form)
    assert np.abs(lw.Orientation(made.orientation).matrix - turn.matrix).max() < tolerance
    m = lw.Mechanism("m", dimension=3)
    m.add("b", made)
    assert lw.read(lw.to_text(m)).bodies["b"].orientation == made.orientation


@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=50, deadline=None)
@given(turns)
def test_every_form_comes_back(name, turn):
    assume(name != "rodrigues" or abs(turn.quaternion[0]) > 1e-6)
    come_back(turn, FORMS[name](turn), 1e-9)


@settings(max_examples=150, deadline=None)
@given(turns, st.sampled_from(ORDERS))
def test_angles_of_every_order_come_back(turn, order):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SingularOrientationWarning)  # there too, but for the rounding of the middle one
        come_back(turn, {"order": order, "angles": turn.angles(order)}, 1e-6)


@settings(max_examples=60, deadline=None)
@given(turns, turns, st.tuples(parts, parts, parts))
def test_products_and_inverses(a, b, v):
    assert np.abs((a * b).apply(v) - a.apply(b.apply(v))).max() < 1e-14
    assert np.abs((a * b).inverse().matrix - b.inverse().matrix @ a.inverse().matrix).max() < 1e-14
    assert np.abs(a.matrix @ a.matrix.T - np.eye(3)).max() < 1e-14
    assert a.distance(b) == pytest.approx(b.distance(a), abs=1e-7)


@settings(max_examples=60, deadline=None)
@given(turns, st.tuples(parts, parts, parts), st.tuples(*[st.floats(0.1, 2.0)] * 3))
def test_inertia_moved_and_turned_keeps_its_principal_moments(turn, shift, sides):
    one = lw.Inertia.of(lw.box(*sides, density=3.0))
    other = one.shifted(shift).rotated(turn)
    assert other.principal().values == pytest.approx(one.principal().values, rel=1e-9)
    back = lw.Inertia.from_point(other.mass, other.center, other.about())
    assert back.matrix == pytest.approx(other.matrix, abs=1e-9 * np.abs(other.about()).max())
