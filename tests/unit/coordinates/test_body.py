"""Body coordinates: packing states, rows as a dense matrix, projection, quaternions."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.numbering import model_of
from linkwork.coordinates import SETS, system_of
from linkwork.coordinates.body import System, pack
from linkwork.rotation import from_matrix, matrix, product


def slider():
    m = lw.Mechanism("pair", gravity=None)
    one = m.add("one", lw.Body(1.0, 0.5, center=(0.2, 0.1)))
    two = m.add("two", lw.Body(2.0, 0.7, center=(-0.1, 0.3)))
    m.add("A", lw.Revolute(m.ground.at(0, 0), one.at(0, 0)))
    m.add("B", lw.Prismatic(one.at(0.3, 0.0, angle=0.4), two.at(0.1, 0.2, angle=-0.2)))
    return m


def test_sets():
    assert "body" in SETS
    assert type(system_of(model_of(slider()), "body")) is System
    with pytest.raises(lw.errors.DescriptionError, match="coordinates are unknown"):
        system_of(model_of(slider()), "joints")


def test_packing_moves_from_frames_to_mass_centres():
    model = model_of(slider())
    y = pack(model, [(1.0, 2.0, np.pi / 2), (0.0, 0.0, 0.0)], [(0.0, 0.0, 2.0), (1.0, 0.0, 0.0)])
    # center (0.2, 0.1) turned by 90 degrees is (-0.1, 0.2); it moves with 2 rot = (-0.4, -0.2)
    assert y[:3] == pytest.approx([0.9, 2.2, np.pi / 2])
    assert y[3:6] == pytest.approx([-0.1, 0.3, 0.0])
    assert y[6:9] == pytest.approx([-0.4, -0.2, 2.0])
    assert y[9:12] == pytest.approx([1.0, 0.0, 0.0])


def test_rows_as_a_matrix_whole_and_in_part():
    system = System(model_of(slider()).plan())
    y = np.random.default_rng(1).uniform(-1, 1, system.model.n_y)
    system.locate(0.0, y)
    J = system.jacobian()
    assert J.shape == (4, 6)
    assert np.any(J[2:, 3:] != 0.0) and np.all(J[:2, 3:] == 0.0)
    assert np.array_equal(system.jacobian([3, 1]), J[[3, 1]])


def test_projection_meets_positions_and_velocities():
    m = slider()
    system, y = System(model_of(m).plan()), m.assemble(coordinates="body").state.y.copy()
    rng = np.random.default_rng(2)
    y[:6] += 1e-3 * rng.uniform(-1, 1, 6)
    y[6:12] += rng.uniform(-1, 1, 6)
    system.project(0.0, y)
    system.locate(0.0, y)
    assert np.abs(system.phi).max() < 1e-12
    assert np.abs(system.jacobian() @ y[6:12] - system.nu).max() < 1e-10


def test_a_newton_step_solves_the_rows_with_the_smallest_move():
    system = System(model_of(slider()).plan())
    y = np.random.default_rng(3).uniform(-1, 1, system.model.n_y)
    system.locate(0.0, y)
    right = np.array([0.1, -0.2, 0.3, 0.05])
    step = system.newton_step(right)
    J, M = system.jacobian(), np.diag([1.0, 1.0, 0.5, 2.0, 2.0, 0.7])
    wanted = np.linalg.solve(M, J.T @ np.linalg.solve(J @ np.linalg.solve(M, J.T), right))
    assert step == pytest.approx(wanted, abs=1e-10)


def test_systems_do_not_share_their_workspace():
    model = model_of(slider()).plan()
    one, two = System(model), System(model)
    y = np.random.default_rng(4).uniform(-1, 1, model.n_y)
    one.locate(0.0, y)
    assert np.all(two.phi == 0.0)
    assert np.array_equal(model.workspace, two.w)


@pytest.mark.parametrize("seed", range(4))
def test_quaternions_and_matrices(seed):
    rng = np.random.default_rng(seed)
    one, two = (q / np.linalg.norm(q) for q in rng.normal(size=(2, 4)))
    R = matrix(one)
    assert R @ R.T == pytest.approx(np.eye(3), abs=1e-14)
    assert np.linalg.det(R) == pytest.approx(1.0)
    back = from_matrix(R)
    assert back == pytest.approx(one if one[0] > 0 else -one, abs=1e-14)
    assert matrix(product(one, two)) == pytest.approx(R @ matrix(two), abs=1e-14)
