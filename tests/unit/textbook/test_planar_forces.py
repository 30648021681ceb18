"""Force elements: pairs balance, springs derive from their potential, dampers take power away."""

import numpy as np
import pytest

from linkwork import textbook as tb
from linkwork.errors import DescriptionError

BODIES = (tb.Body(2.0, 0.7, (0.3, 0.4), 0.3), tb.Body(1.5, 0.3, (1.2, 0.9), -0.5))
POINTS = (tb.Point(1, (0.4, 0.1)), tb.Point(2, (-0.3, 0.25)), tb.Point(0, (0.6, -0.2)))
CD = np.array([0.5, -0.3, 0.7, -0.2, 0.4, -0.6])
FORCE = tb.Force


def model_of(*forces):
    return tb.BookModel(BODIES, POINTS, (), (), forces)


def h_of(*forces, t=0.0, cd=CD):
    model = model_of(*forces)
    return tb.planar.force_array(model, t, model.c, cd)


@pytest.mark.parametrize(
    "force",
    [
        FORCE("weight", g=3.0, dir=(0.6, -0.8)),
        FORCE("weight", bodies=(2,)),
        FORCE("ptp", Pi=1, Pj=2, k=20.0, L0=0.3),
        FORCE("ptp", Pi=1, Pj=3, k=20.0, L0=0.3),
        FORCE("ptp", Pi=3, Pj=2, k=20.0, L0=0.3),
        FORCE("rot-sda", i=1, j=2, k=4.0, theta0=0.2),
        FORCE("rot-sda", i=2, k=4.0, theta0=0.2),
        FORCE("f", i=2, f=(3.0, -1.0)),
    ],
    ids=lambda f: f.type,
)
def test_force_is_minus_the_slope_of_the_potential(force):
    model = model_of(force)
    step = 1e-6
    slope = [
        (
            tb.planar.energy(model, 0.0, model.c + step * e, CD).potential
            - tb.planar.energy(model, 0.0, model.c - step * e, CD).potential
        )
        / (2 * step)
        for e in np.eye(6)
    ]
    h = tb.planar.force_array(model, 0.0, model.c, CD)
    assert np.max(np.abs(h)) > 0.1
    np.testing.assert_allclose(h, -np.array(slope), atol=1e-8)


@pytest.mark.parametrize(
    "force",
    [
        FORCE("ptp", Pi=1, Pj=2, k=20.0, L0=0.3, dc=5.0, f_a=2.0),
        FORCE("rot-sda", i=1, j=2, k=4.0, dc=3.0, T_a=1.5),
        FORCE("T", i=1, j=2, T=2.0),
    ],
    ids=lambda f: f.type,
)
def test_pairs_balance(force):
    h, c = h_of(force), model_of().c
    total = h[:3] + h[3:]
    about_origin = total[2] + sum(c[b] * h[b + 1] - c[b + 1] * h[b] for b in (0, 3))
    np.testing.assert_allclose([*total[:2], about_origin], 0.0, atol=1e-13)
    assert np.max(np.abs(h)) > 0.1


@pytest.mark.parametrize("force", [FORCE("ptp", Pi=1, Pj=2, dc=5.0), FORCE("rot-sda", i=1, j=2, dc=3.0)])
def test_dampers_take_power_away(force):
    assert h_of(force) @ CD < -0.1
    np.testing.assert_allclose(h_of(force, cd=-CD), -h_of(force), atol=1e-14)


def test_positive_actuator_pulls():
    model = model_of(FORCE("ptp", Pi=1, Pj=2, f_a=7.0))
    h, c = tb.planar.force_array(model, 0.0, model.c, CD), model.c
    assert np.hypot(*h[:2]) == pytest.approx(7.0)
    assert h[:2] @ (c[3:5] - c[:2]) > 0.0


def test_functions_of_time():
    grows = FORCE("ptp", Pi=1, Pj=2, f_a=tb.FunctionA((1.0, 2.0, 0.0)))
    np.testing.assert_allclose(h_of(grows, t=3.0), 7.0 * h_of(FORCE("ptp", Pi=1, Pj=2, f_a=1.0)))
    np.testing.assert_allclose(h_of(FORCE("f", i=1, f=(lambda t: 2 * t, 1.0)), t=3.0), [6.0, 1.0, 0, 0, 0, 0])


def test_tension_law():
    model = model_of(FORCE("ptp", Pi=1, Pj=2, k=lambda e: 20.0 * e, L0=0.3))
    straight = model_of(FORCE("ptp", Pi=1, Pj=2, k=20.0, L0=0.3))
    np.testing.assert_allclose(*(tb.planar.force_array(m, 0.0, m.c, CD) for m in (model, straight)))


def test_local_force_turns_with_the_body():
    phi = BODIES[1].phi
    np.testing.assert_allclose(
        h_of(FORCE("flocal", i=2, flocal=(2.0, 0.0)))[3:], [2 * np.cos(phi), 2 * np.sin(phi), 0.0], atol=1e-15
    )


def test_force_at_a_point():
    # n = s_x f_y - s_y f_x with s = A s'
    phi, (xi, eta) = BODIES[0].phi, POINTS[0].s
    s = np.array([xi * np.cos(phi) - eta * np.sin(phi), xi * np.sin(phi) + eta * np.cos(phi)])
    h = h_of(FORCE("fP", P=1, f=(2.0, -1.0)))
    np.testing.assert_allclose(h, [2.0, -1.0, -s[0] - 2 * s[1], 0, 0, 0], atol=1e-15)
    local = h_of(FORCE("fP", P=1, flocal=(2.0, -1.0)))
    assert local[2] == pytest.approx(-xi - 2 * eta)  # the moment does not depend on the angle
    assert np.hypot(*local[:2]) == pytest.approx(np.sqrt(5.0))


def test_torque_on_the_ground_is_dropped():
    np.testing.assert_allclose(h_of(FORCE("T", i=2, T=4.0)), [0, 0, 0, 0, 0, 4.0])


def test_user_force():
    np.testing.assert_allclose(h_of(FORCE("user", law=lambda t, model, c, cd: -2.0 * cd)), -2.0 * CD)


def test_unknown_type_is_refused():
    with pytest.raises(DescriptionError, match=r"'F'.*unknown type.*'magic'.*user"):
        h_of(FORCE("magic", name="F"))
