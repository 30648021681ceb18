"""The recursions by plain numpy against products and differences, plane and space."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.entering import enter
from linkwork.coordinates import recursion


def branches(dimension):
    """Two branches on a carriage, one with a slide; another body floats."""
    m = lw.Mechanism("branches", dimension=dimension)
    inertia = 0.2 if dimension == 2 else ((0.3, 0.02, 0.0), (0.02, 0.4, 0.01), (0.0, 0.01, 0.5))
    rng = np.random.default_rng(8)

    def body(name, **options):
        return m.add(name, lw.Body(rng.uniform(0.5, 2.0), inertia, center=tuple(rng.uniform(-0.3, 0.3, dimension)),
                                   **options))  # fmt: skip

    where = {"orientation": (0.5, 0.5, -0.5, 0.5)} if dimension == 3 else {"angle": 0.4}
    spin = (0.5, -1.0, 0.8) if dimension == 3 else 1.2
    carriage, one, two = body("carriage"), body("one"), body("two")
    free = body("free", position=(1.0,) * dimension, velocity=(0.3,) * dimension, angular_velocity=spin, **where)
    m.add("C", lw.Prismatic(m.ground.at(0.1, 0.2), carriage))
    m.add("A", lw.Revolute(carriage.at(0.5, 0.1), one.at(0.1, 0.0)))
    m.add("B", lw.Prismatic(two.at(0.2, 0.3), carriage.at(-0.5, 0.0)))
    m.add("F", lw.Revolute(free.at(0.3, 0.1), body("last").at(0.2, 0.2)))
    m.add("spring", lw.SpringDamper(one.at(0.4), free.at(0.1), stiffness=9.0, rest_length=0.3))
    start = {"C.slide": 0.3, "A.angle": 0.8, "B.slide": -0.2, "F.angle": 0.5, "C.slide.rate": 0.7,
             "A.angle.rate": -1.1, "B.slide.rate": 0.9, "F.angle.rate": 0.6}  # fmt: skip
    state = m.assemble(start=start, coordinates="body").state
    system, y, _ = enter(state.model, "joint", state)
    system.derivative(0.0, y)
    return state, system, y


@pytest.fixture(scope="module", params=[2, 3], ids=["plane", "space"])
def at_state(request):
    return branches(request.param)


def test_bodies_move_with_b_v(at_state):
    state, system, y = at_state
    model = state.model
    v = y[system.plan.n_q : system.plan.n_q + system.plan.n_v]
    wanted = state.y[model.n_q : model.n_q + model.n_v]
    assert recursion.velocity_transformation(system) @ v == pytest.approx(wanted, abs=1e-12)


def test_bias_is_the_change_of_b(at_state):
    """B-dot v by differences of B v along q, with the rates kept."""
    state, system, y = at_state
    inner, h = system.plan, 1e-4
    v = y[inner.n_q : inner.n_q + inner.n_v]

    def twists(s):
        moved = system.moved(y, s * v)
        system.locate(0.0, moved)
        return recursion.velocity_transformation(system) @ v

    slope = (twists(-2 * h) - 8 * twists(-h) + 8 * twists(h) - twists(2 * h)) / (12 * h)
    system.derivative(0.0, y)
    bias = recursion.bias_acceleration(system)
    assert bias == pytest.approx(slope, abs=1e-8)
    assert np.abs(bias).max() > 0.1


def test_mass_matrix_is_that_of_the_bodies(at_state):
    state, system, _ = at_state
    B = recursion.velocity_transformation(system)
    masses = state.model.masses
    M = recursion.mass_matrix(system)
    assert M == pytest.approx(B.T @ (masses[:, None] * B), abs=1e-12)
    # coordinates on different branches meet only at what carries both
    names = [one.name for one in system.tree.coordinates]
    assert M[names.index("A.angle"), names.index("F.angle")] == 0.0
    assert M[names.index("A.angle"), names.index("C.slide")] != 0.0


def test_newton_and_euler_give_the_accelerations_of_the_recursion(at_state):
    """No loops here: the motion needs nothing but the applied forces."""
    _, system, y = at_state
    system.derivative(0.0, y)
    change = system.step.copy()
    assert recursion.inverse_dynamics(system, change) == pytest.approx(np.zeros(change.size), abs=1e-10)
    M = recursion.mass_matrix(system)
    h = -recursion.inverse_dynamics(system, np.zeros(change.size))
    assert np.linalg.solve(M, h) == pytest.approx(change, rel=1e-10, abs=1e-10)
