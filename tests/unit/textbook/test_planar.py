"""The system: augmented equations, corrections, energy, runs, rest."""

import numpy as np
import pytest

from linkwork import textbook as tb
from linkwork.errors import ConvergenceError, SingularConfigurationError

LENGTH, G = 0.5, 9.81


def pendulum(angle=0.7, **more):
    """A bar with J about its mass centre, pinned LENGTH above it; phi = 0 hangs down."""
    body = tb.Body(2.0, 0.1, (LENGTH * np.sin(angle), -LENGTH * np.cos(angle)), angle)
    points = (tb.Point(1, (0.0, LENGTH)), tb.Point(0, (0.0, 0.0)))
    joints = (tb.Joint("rev", Pi=1, Pj=2, name="O"),)
    return tb.BookModel((body,), points, (), joints, (tb.Force("weight"),), name="pendulum", **more)


def test_acceleration_and_reaction_of_a_pendulum():
    m = pendulum()
    w, phi = 1.3, 0.7
    cd = tb.planar.correct_velocities(m, 0.0, m.c, [0.0, 0.0, 0.0]) + w * np.array(
        [LENGTH * np.cos(phi), LENGTH * np.sin(phi), 1.0]
    )
    a, lam = tb.planar.augmented(m, 0.0, m.c, cd)
    alpha = -2.0 * G * LENGTH * np.sin(phi) / (0.1 + 2.0 * LENGTH**2)
    assert a[2] == pytest.approx(alpha, rel=1e-12)
    np.testing.assert_allclose(lam, 2.0 * (a[:2] + [0.0, G]), rtol=1e-12)  # the pin carries m (a - g)
    reaction = tb.planar.reactions(m, 0.0, m.c, lam)["O"][1]
    np.testing.assert_allclose(reaction, tb.planar.jacobian(m, 0.0, m.c).T @ lam, atol=1e-12)


def test_equations_of_motion_hold():
    m = pendulum()
    a, lam = tb.planar.augmented(m, 0.0, m.c, m.cd)
    D = tb.planar.jacobian(m, 0.0, m.c)
    np.testing.assert_allclose(m.M @ a, tb.planar.force_array(m, 0.0, m.c, m.cd) + D.T @ lam, atol=1e-12)
    np.testing.assert_allclose(D @ a, tb.planar.gamma(m, 0.0, m.c, m.cd), atol=1e-12)


def test_energy_is_kept():
    m = pendulum()
    times = np.linspace(0.0, 2.0, 9)
    energies = [tb.planar.energy(m, t, *q).total for t, *q in zip(times, *tb.planar.simulate(m, times))]
    np.testing.assert_allclose(energies, energies[0], atol=1e-9)
    assert energies[0] == pytest.approx(-2.0 * G * LENGTH * np.cos(0.7))


def test_corrections_are_of_minimum_norm():
    m = pendulum()
    guess = m.c + [0.02, -0.01, 0.015]
    c = tb.planar.correct_positions(m, 0.0, guess)
    assert np.max(np.abs(tb.planar.constraints(m, 0.0, c))) < 1e-14
    cd = tb.planar.correct_velocities(m, 0.0, c, [0.4, 0.3, -0.2])
    D = tb.planar.jacobian(m, 0.0, c)
    np.testing.assert_allclose(D @ cd, 0.0, atol=1e-14)
    free = np.array([0.4, 0.3, -0.2]) - cd  # what was taken away stands on the rows of D
    np.testing.assert_allclose(D.T @ np.linalg.lstsq(D.T, free, rcond=None)[0], free, atol=1e-14)


def test_no_constraints_at_all():
    m = tb.BookModel((tb.Body(2.0, 0.5, (1.0, 2.0), 0.1, (3.0, 0.0), 0.2),), forces=(tb.Force("weight"),))
    assert tb.planar.jacobian(m, 0.0, m.c).shape == (0, 3)
    assert tb.planar.constraints(m, 0.0, m.c).shape == tb.planar.velocity_rhs(m, 0.0, m.c).shape == (0,)
    np.testing.assert_array_equal(tb.planar.correct_positions(m, 0.0, m.c), m.c)
    np.testing.assert_array_equal(tb.planar.correct_velocities(m, 0.0, m.c, m.cd), m.cd)
    a, lam = tb.planar.augmented(m, 0.0, m.c, m.cd)
    np.testing.assert_allclose(a, [0.0, -G, 0.0])
    assert len(lam) == 0
    c, cd = tb.planar.simulate(m, [0.0, 2.0])
    np.testing.assert_allclose(c[-1], [7.0, 2.0 - 2 * G, 0.5], atol=1e-9)
    np.testing.assert_allclose(cd[-1], [3.0, -2 * G, 0.2], atol=1e-9)


def test_row_slices():
    m = pendulum()
    assert tb.planar.row_slices(m) == {"O": slice(0, 2)}


def test_rest_position():
    c, lam = tb.planar.static_equilibrium(pendulum(0.2), pendulum(0.2).c)
    np.testing.assert_allclose(c, [0.0, -LENGTH, 0.0], atol=1e-10)
    np.testing.assert_allclose(lam, [0.0, 2.0 * G], atol=1e-9)


def test_impossible_positions():
    m = tb.BookModel(
        (tb.Body(),),
        (tb.Point(1, (0.0, 0.0)), tb.Point(0, (0.0, 0.0)), tb.Point(0, (3.0, 0.0))),
        joints=(tb.Joint("rev-rev", Pi=1, Pj=2, L=1.0), tb.Joint("rev-rev", Pi=1, Pj=3, L=1.0)),
        name="too far",
    )
    with pytest.raises(ConvergenceError, match=r"'too far'.*violation"):
        tb.planar.correct_positions(m, 0.0, [1.0, 1.0, 0.0])


def test_doubled_joint_is_singular():
    m = pendulum()
    m = tb.BookModel(m.bodies, m.points, (), m.joints * 2, m.forces, name="twice")
    with pytest.raises(SingularConfigurationError, match="'twice'"):
        tb.planar.augmented(m, 0.0, m.c, m.cd)


def test_functions_are_called_by_their_file():
    assert callable(tb.planar.gamma)
    assert "planar" in dir(tb) and "gamma" not in dir(tb)
    with pytest.raises(AttributeError, match="gamma"):
        tb.gamma
    with pytest.raises(AttributeError):
        tb.np  # what a file imports is not its own
