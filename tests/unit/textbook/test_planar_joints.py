"""D, nu and gamma of every joint against differences of Phi along a motion that keeps the joint."""

import numpy as np
import pytest

from linkwork import textbook as tb
from linkwork.errors import DescriptionError
from linkwork.textbook.planar_joints import JOINTS
from linkwork.textbook.planar_kinematics import A

T = 0.4
BODIES = (
    tb.Body(2.0, 0.7, (0.3, 0.4), 0.3, (0.5, -0.3), 0.7),
    tb.Body(1.5, 0.3, (1.2, 0.9), -0.5, (-0.2, 0.4), -0.6),
    tb.Body(0.8, 0.2, (-0.4, 0.6), 0.9, (0.1, 0.2), 0.45),
)
POINTS = (tb.Point(1, (0.4, 0.1)), tb.Point(2, (-0.3, 0.25)), tb.Point(0, (0.6, -0.2)))
VECTORS = (tb.UnitVector(1, (0.6, 0.8)), tb.UnitVector(2, (-0.28, 0.96)), tb.UnitVector(0, (0.8, 0.6)))
FUNCTIONS = (tb.FunctionA((0.7, 0.3, 0.2)), tb.FunctionB(0.0, 0.5, 1.0, 1.4), tb.FunctionC(-0.5, 0.6, 1.5, 0.9))
JOINT = tb.Joint
TYPES = {
    "rev": JOINT("rev", Pi=1, Pj=2),
    "rev on ground": JOINT("rev", Pi=1, Pj=3),
    "rev of ground": JOINT("rev", Pi=3, Pj=2),
    "tran": JOINT("tran", Pi=1, Pj=2, Ui=1, Uj=2),
    "tran on ground": JOINT("tran", Pi=1, Pj=3, Ui=1, Uj=3),
    "rev-rev": JOINT("rev-rev", Pi=1, Pj=2, L=0.8),
    "rev-rev on ground": JOINT("rev-rev", Pi=1, Pj=3, L=0.8),
    "rev-tran": JOINT("rev-tran", Pi=1, Pj=2, Ui=1, L=0.15),
    "rev-tran negative": JOINT("rev-tran", Pi=2, Pj=1, Ui=2, L=-0.3),
    "rev-tran slot in ground": JOINT("rev-tran", Pi=3, Pj=1, Ui=3, L=0.1),
    "rigid": JOINT("rigid", i=1, j=2),
    "rigid given": JOINT("rigid", i=1, j=2, d0=(0.3, -0.2), theta0=0.4),
    "rigid as pin and angle": JOINT("rigid", Pi=1, Pj=2, theta0=0.4),
    "simple x": JOINT("simple", i=1, coord="x", c=0.2),
    "simple y": JOINT("simple", i=2, coord="y", c=0.2),
    "simple phi": JOINT("simple", i=1, coord="phi", c=0.2),
    "simple x of point": JOINT("simple", Pi=1, coord="x", c=0.2),
    "simple y of point": JOINT("simple", Pi=2, coord="y", c=0.2),
    "disc": JOINT("disc", i=1, R=0.4, x0=0.1, p0=0.2),
    "disc on a raised line": JOINT("disc", i=2, R=0.4, x0=0.1, y0=0.3, p0=0.2),
    "disc-disc": JOINT("disc-disc", i=1, j=2, R=0.4, Rj=0.25, p0=0.1, pj0=-0.3),
    "disc-disc on carrier": JOINT("disc-disc", i=1, j=2, k=3, R=0.4, Rj=0.25, p0=0.1, pj0=-0.3, pk0=0.2),
    "rel-rot": JOINT("rel-rot", i=1, j=2, funct=1),
    "rel-rot on ground": JOINT("rel-rot", i=2, funct=2),
    "rel-tran": JOINT("rel-tran", Pi=1, Pj=2, funct=1),
    "rel-tran on ground": JOINT("rel-tran", Pi=1, Pj=3, funct=3),
}


def model_of(joint):
    return tb.BookModel(BODIES, POINTS, VECTORS, (joint,), (), FUNCTIONS)


def consistent(model):
    """Coordinates, velocities and accelerations that keep the joint at T, near arbitrary ones."""
    c = tb.planar.correct_positions(model, T, model.c)
    cd = tb.planar.correct_velocities(model, T, c, model.cd)
    D = tb.planar.jacobian(model, T, c)
    cdd = np.array([0.3, -0.8, 0.5, 1.1, 0.4, -0.9, 0.2, 0.6, -0.7])
    cdd += np.linalg.lstsq(D, tb.planar.gamma(model, T, c, cd) - D @ cdd, rcond=None)[0]
    return c, cd, cdd


def test_every_type_is_here():
    assert {joint.type for joint in TYPES.values()} == set(JOINTS)


@pytest.mark.parametrize("name", TYPES)
def test_jacobian_is_the_derivative(name):
    model = model_of(TYPES[name])
    c, _, _ = consistent(model)
    assert np.max(np.abs(tb.planar.constraints(model, T, c))) < 1e-12
    step = 1e-6
    columns = [
        (tb.planar.constraints(model, T, c + step * e) - tb.planar.constraints(model, T, c - step * e)) / (2 * step)
        for e in np.eye(9)
    ]
    np.testing.assert_allclose(tb.planar.jacobian(model, T, c), np.array(columns).T, atol=1e-9)


@pytest.mark.parametrize("name", TYPES)
def test_rows_hold_along_a_consistent_motion(name):
    # Phi(t + s) = Phi + s Phi' + s^2/2 Phi'' with Phi' = D c' - nu = 0 and Phi'' = D c'' - gamma = 0
    model = model_of(TYPES[name])
    c, cd, cdd = consistent(model)
    step = 1e-4

    def Phi(s):
        return tb.planar.constraints(model, T + s, c + s * cd + s**2 / 2 * cdd)

    rate = (Phi(step) - Phi(-step)) / (2 * step)
    np.testing.assert_allclose(rate, 0.0, atol=2e-7)
    np.testing.assert_allclose((Phi(step) - 2 * Phi(0.0) + Phi(-step)) / step**2, 0.0, atol=2e-7)


@pytest.mark.parametrize("name", TYPES)
def test_gamma_needs_the_given_velocity(name):
    # a test of the test above: gamma is not simply zero where the joint turns or is driven
    model = model_of(TYPES[name])
    c, cd, _ = consistent(model)
    linear = "simple x", "simple y", "simple phi", "disc", "disc on a raised line", "tran on ground"
    still = name in linear or name.startswith("disc-disc")
    assert (np.max(np.abs(tb.planar.gamma(model, T, c, cd))) < 1e-12) == still


@pytest.mark.parametrize(
    ("joint", "c"),
    [
        (JOINT("disc-disc", i=1, j=2, R=0.4, Rj=0.2, p0=0.1, pj0=-0.3), [0, 0, 0.1 + 1.0, 0, 0, -0.3 - 2.0]),
        # the carrier turns by 0.5; seen from it, disc 1 turns by 1.0 and disc 2 by -2.0
        (
            JOINT("disc-disc", i=1, j=2, k=3, R=0.4, Rj=0.2, p0=0.1, pj0=-0.3, pk0=0.7),
            [0, 0, 0.1 + 1.5, 0, 0, -0.3 - 1.5, 0, 0, 0.7 + 0.5],
        ),
        # a wheel that has turned clockwise by 2 has gone 0.8 to the right
        (JOINT("disc", i=1, R=0.4, x0=0.1, y0=0.3, p0=0.2), [0.9, 0.7, -1.8]),
        (JOINT("simple", i=1, coord="phi", c=0.6), [0, 0, 0.6]),
        (JOINT("rigid", Pi=1, Pj=3, theta0=np.pi / 2), [0.7, -0.6, np.pi / 2]),
        (JOINT("rev-tran", Pi=3, Pj=1, Ui=4, L=0.25), [-5.0, -0.55, 0.0]),
    ],
    ids=lambda item: getattr(item, "type", ""),
)
def test_known_places(joint, c):
    level = (*VECTORS, tb.UnitVector(0, (1.0, 0.0)))
    model = tb.BookModel(BODIES, POINTS, level, (joint,), (), FUNCTIONS)
    c = np.append(np.asarray(c, dtype=float), np.zeros(9 - len(c)))
    np.testing.assert_allclose(tb.planar.constraints(model, 0.0, c), 0.0, atol=1e-14)


def test_two_drawings_of_the_rigid_joint_agree():
    # figures 7.7a and 7.7b hold the same relative motion: equal accelerations, also while turning
    c = np.array([0.3, 0.4, 0.3, 1.2, 0.9, -0.5])
    s_1 = np.array([0.2, 0.5])
    s_2 = A(c[5]).T @ (c[:2] + A(c[2]) @ s_1 - c[3:5])  # the same place, seen from body 2
    points = (tb.Point(1, tuple(s_1)), tb.Point(2, tuple(s_2)))
    forces = (tb.Force("weight"), tb.Force("T", i=1, T=3.0))
    one, other = (
        tb.BookModel(BODIES[:2], points, (), (joint,), forces).started(c)
        for joint in (tb.Joint("rigid", i=1, j=2), tb.Joint("rigid", Pi=1, Pj=2))
    )
    cd = tb.planar.correct_velocities(one, 0.0, c, [0.5, -0.3, 0.7, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(tb.planar.jacobian(other, 0.0, c) @ cd, 0.0, atol=1e-14)
    expected, _ = tb.planar.augmented(one, 0.0, c, cd)
    np.testing.assert_allclose(tb.planar.augmented(other, 0.0, c, cd)[0], expected, atol=1e-12)
    assert abs(cd[2]) > 0.1


def test_opposite_axes_are_the_books_trap():
    # where u_i = -u_j the printed derivative of the second row, 1, has the wrong sign
    model = model_of(TYPES["tran"])
    c, _, _ = consistent(model)
    c[2] += np.pi
    step = 1e-6 * np.eye(9)[2]
    slope = (tb.planar.constraints(model, T, c + step) - tb.planar.constraints(model, T, c - step))[1] / 2e-6
    assert slope == pytest.approx(-1.0)
    assert tb.planar.jacobian(model, T, c)[1, 2] == 1.0


def test_unknown_type_is_refused():
    model = model_of(JOINT("ball", name="B"))
    with pytest.raises(DescriptionError, match=r"'B'.*unknown type.*'ball'.*rev-tran"):
        tb.planar.constraints(model, T, model.c)
