"""Joint coordinates: states there and back, the dense twins of the recursion, rows of loops, who shares what."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.entering import enter
from linkwork.compiled.modes import ABSORBED, HELD
from linkwork.coordinates import SETS, definite
from linkwork.coordinates.joint import System
from linkwork.kernels import layout as at


def slider_crank(**driven):
    m = lw.Mechanism("slider-crank")
    crank = m.add("crank", lw.Body(1.0, 0.1, center=(0.2, 0.05), position=(0.0, 0.0), angle=0.7, angular_velocity=2.0))
    rod = m.add("rod", lw.bar(length=1.2, mass=0.8))
    block = m.add("block", lw.Body(0.5, 0.05))
    m.add("O", lw.Revolute(m.ground, crank))
    m.add("A", lw.Revolute(crank.at(0.4, 0.0), rod.a))
    m.add("B", lw.Revolute(rod.b, block))
    m.add("S", lw.Prismatic(m.ground.at(0.0, 0.1), block))
    if driven:
        m.add("motor", lw.Driver(m.joints["O"].angle, lw.Polynomial(0.0, 2.0), from_assembled=True))
    return m


def prepared(m):
    state = m.assemble(coordinates="body").state
    system, y, pivot = enter(state.model, "joint", state)
    return state, system, y, pivot


def test_sets():
    assert SETS == ("body", "joint", "point")
    assert definite("auto") == "body" and definite("joint") == "joint"


@pytest.mark.parametrize("question", ["simulate", "assemble", "evaluate", "check"])
def test_unknown_coordinates_are_refused_with_the_list(question):
    m = slider_crank()
    ask = getattr(m, question)
    with pytest.raises(lw.errors.DescriptionError, match="unknown") as caught:
        ask(*([0.1] if question == "simulate" else []), coordinates="joints")
    assert all(f"'{name}'" in str(caught.value) for name in ("joints", "auto", "body", "joint"))


def test_states_there_and_back():
    state, system, y, _ = prepared(slider_crank())
    assert y.size == system.plan.n_y == 6
    assert system.to_body(y) == pytest.approx(state.y, abs=1e-12)
    names = [one.name for one in system.tree.coordinates]
    assert y[names.index("O.angle")] == pytest.approx(state["O.angle"])
    assert y[3 + names.index("S.slide")] == pytest.approx(state["S.slide.rate"])


def test_rows_of_the_loop_alone_are_left():
    state, system, _, _ = prepared(slider_crank(driven=True))
    assert {row.item for row in system.plan.rows} == {*system.tree.cut, "motor"}
    assert [state.model.rows[r].name for r in system.plan.kept] == [row.name for row in system.plan.rows]
    kept = np.isin(np.arange(len(state.model.rows)), system.plan.kept)
    assert np.array_equal(system.modes, np.where(kept, HELD, ABSORBED))


def test_the_recursion_solves_the_dense_equations():
    """[M -C'; C 0] (v', lam) = (h, rhs), by the products that the kernels never form."""
    m = slider_crank(driven=True)
    ev = m.evaluate(m.assemble(coordinates="body").state, coordinates="joint")
    view = ev.joint
    B, mass = view.transformation, ev.mass_matrix
    applied = np.concatenate([ev.applied_force(body) for body in m.bodies])
    M, h, C = B.T @ mass @ B, B.T @ (applied - mass @ view.bias), view.loop_jacobian
    count = len(C)
    matrix = np.block([[M, -C.T], [C, np.zeros((count, count))]])
    wanted = np.linalg.solve(matrix, np.concatenate([h, view.loop_rhs]))
    assert view.accelerations == pytest.approx(wanted[: len(M)], rel=1e-10, abs=1e-10)
    assert view.multipliers == pytest.approx(wanted[len(M) :], rel=1e-10, abs=1e-10)


def test_projection_meets_positions_and_velocities():
    state, system, y, _ = prepared(slider_crank())
    rng = np.random.default_rng(5)
    y[:3] += 1e-3 * rng.uniform(-1, 1, 3)
    y[3:6] += rng.uniform(-1, 1, 3)
    system.project(0.0, y)
    system.locate(0.0, y)
    assert np.abs(system.phi).max() < 1e-12
    assert np.abs(system.jacobian() @ y[3:6] - system.nu).max() < 1e-10


def test_projection_is_the_smallest_move_in_the_mass_metric():
    _, system, y, _ = prepared(slider_crank())
    before = y[3:6] + np.array([0.3, -0.5, 0.2])
    y[3:6] = before
    system.project(0.0, y)
    system.derivative(0.0, y)
    from linkwork.coordinates.recursion import mass_matrix

    M, C = mass_matrix(system), system.jacobian()
    wanted = before - np.linalg.solve(M, C.T @ np.linalg.solve(C @ np.linalg.solve(M, C.T), C @ before))
    assert y[3:6] == pytest.approx(wanted, abs=1e-9)


def test_part_of_the_jacobian():
    _, system, y, _ = prepared(slider_crank(driven=True))
    system.locate(0.0, y)
    whole = system.jacobian()
    assert whole.shape == (3, 3) and np.array_equal(system.jacobian([2, 0]), whole[[2, 0]])
    assert np.array_equal(system.columns, [True] * 3)
    turning = [one.turning for one in system.tree.coordinates]
    assert system.weights == pytest.approx([1.0 / system.model.length if one else 1.0 for one in turning])


def test_systems_do_not_share_their_workspace():
    state, one, y, _ = prepared(slider_crank())
    two = System(state.model.plan("joint"), state.values)
    one.locate(0.0, y + 0.1)
    assert np.all(two.phi == 0.0) and two.w is not one.w


def test_a_disc_stands_where_it_was_assembled():
    m = lw.Mechanism("disc")
    disc = m.add("disc", lw.disc(radius=0.5, mass=1.0, position=(1.0, 0.5), angle=0.8))
    m.add("R", lw.RollingDisc(m.ground, disc, radius=0.5))
    state, system, y, _ = prepared(m)
    assert y[0] == pytest.approx(1.0)
    assert system.to_body(y)[:3] == pytest.approx([1.0, 0.5, 0.8], abs=1e-12)
    y[0] = 1.5
    assert system.to_body(y)[:3] == pytest.approx([1.5, 0.5, 0.8 - 1.0], abs=1e-12)


def test_whole_turns_stay():
    """Bodies count their turns; joint coordinates are read from them and give them back."""
    m = lw.Mechanism("turns")
    arm = m.add("arm", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, arm.a))
    run = m.simulate(0.1, start={"A.angle": 7.0 * np.pi}, coordinates="joint")
    assert run["A.angle"][0] == pytest.approx(7.0 * np.pi) and run["arm.angle"][0] == pytest.approx(7.0 * np.pi)


@pytest.mark.parametrize("kind", [lw.Fixed, lw.Prismatic])
def test_whole_turns_of_a_body_that_cannot_turn_stay(kind):
    """A body declared turned by 4 pi against its carrier has that angle in both sets."""
    m = lw.Mechanism("turns")
    one = m.add("one", lw.Body(1.0, 1.0, position=(0.0, 0.0), angle=2.0 * np.pi))
    two = m.add("two", lw.Body(1.0, 1.0, position=(1.0, 0.0), angle=-2.0 * np.pi))
    m.add("A", lw.Revolute(m.ground, one))
    m.add("F", kind(one.at(1.0, 0.0), two))
    body, joint = (m.simulate(0.1, coordinates=name)["two.angle"] for name in ("body", "joint"))
    assert joint == pytest.approx(body, abs=1e-7)


def test_a_floating_body_without_mass_is_named():
    m = lw.Mechanism("bare")
    m.add("ghost", lw.Body(0.0, 0.0, position=(0.0, 0.0), angle=0.0))
    with pytest.raises(lw.errors.LinkworkError, match="ghost"):
        m.simulate(0.1, coordinates="joint")


def two_rods():
    """A link without mass between two arms: nothing is missing, because a loop carries it in both sets."""
    m = lw.Mechanism("massless coupler")
    left, right = (m.add(name, lw.bar(length=1.0, mass=1.0, position=(x, 0.5), angle=np.pi / 2))
                   for name, x in (("left", 0.0), ("right", 1.0)))  # fmt: skip
    bridge = m.add("bridge", lw.Body(0.0, 0.0, position=(0.5, 1.0), angle=0.0))
    m.add("A", lw.Revolute(m.ground, left.a))
    m.add("D", lw.Revolute(m.ground.at(1.0, 0.0), right.a))
    m.add("B", lw.Revolute(left.b, bridge.at(-0.5)))
    m.add("C", lw.Revolute(bridge.at(0.5), right.b))
    return m


def test_a_massless_tip_is_named():
    """In the tree the bridge is a tip: the joint that leads to it moves nothing."""
    m = two_rods()
    (tip,) = [joint for body, (_, joint) in m.compile(coordinates="joint").tree.parent.items()
              if body == "bridge"]  # fmt: skip
    with pytest.raises(lw.errors.CompileError, match=f"Joint '{tip}' moves nothing that has inertia"):
        m.simulate(0.1, coordinates="joint")
    with pytest.raises(lw.errors.CompileError, match=f"Joint '{tip}'.*coordinates='body'"):
        m.evaluate(m.assemble(coordinates="body").state, coordinates="joint")


def test_auto_runs_in_body_coordinates_where_joints_lack_inertia():
    m = two_rods()
    start = {"A.angle.rate": -1.0}
    with pytest.raises(lw.errors.CompileError):
        m.simulate(0.1, start=start, coordinates="joint")
    run = m.simulate(0.1, start=start, coordinates="auto")
    assert run.coordinates == "body"
    same = m.simulate(0.1, start=start, coordinates="body")
    assert np.array_equal(run["left.angle"], same["left.angle"])


def test_the_status_is_left_by_the_kernel():
    state = two_rods().assemble(coordinates="body").state
    system, y, _ = enter(state.model, "joint", state)
    system.derivative(0.0, y)
    assert system.w[at.STATUS] == at.NO_INERTIA
    assert system.tree.links[int(system.w[at.CULPRIT])].joint in ("B", "C")
