"""Body and joint coordinates are two ways to the same motion, tried on random mechanisms of the plane and of space."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linkwork.coordinates.joint import System
from linkwork.testing.scenes import along_columns
from property.draws import assembler, examples
from property.spatial_strategies import spatial_plans
from property.strategies import LASTING, Rejections, set_plans

REJECTIONS = Rejections()
assembled = assembler(REJECTIONS)
AGREEMENT = 1e-9


def within(got, wanted, tolerance=AGREEMENT):
    """Whether two arrays agree, against the largest of the wanted numbers (at least one)."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    gap = np.abs(got - wanted).max(initial=0.0)
    assert gap <= tolerance * max(1.0, np.abs(wanted).max(initial=0.0)), gap
    return True


def same_in_both(m, state):
    body, joint = (m.evaluate(state, coordinates=one) for one in ("body", "joint"))
    within(joint.accelerations, body.accelerations)
    within(joint.multipliers, body.multipliers)
    forces = {one: [ev.reaction(name) for name in m.joints] for one, ev in (("body", body), ("joint", joint))}
    for part in ("force", "moment"):
        found = {one: np.array([getattr(each, part) for each in forces[one]]) for one in forces}
        within(found["joint"], found["body"])
    for driver in m.drivers:
        within(joint[f"{driver}.effort"], body[f"{driver}.effort"])


def in_joints(m, state):
    """The body evaluation, what is seen in joint coordinates, and the mass matrix and forces of the bodies.

    Columns of bodies are those that exist: a particle has no angle.
    """
    ev = m.evaluate(state, coordinates="joint")
    view, model = ev.joint, state.model
    kept = [k for k, name in enumerate(model.coordinate_names) if name]
    first = model.dimension
    applied = np.concatenate([
        along_columns(model, body, ev)[: None if one.has_angle else first] for body, one in m.bodies.items()
    ])  # fmt: skip
    if first == 3:  # axes of the bodies turn: -w x (J w) beside the applied moments, all in principal axes
        spin, inertia = (part.reshape(-1, 6)[:, 3:] for part in (ev.velocities, np.diag(ev.mass_matrix)))
        applied.reshape(-1, 6)[:, 3:] -= np.cross(spin, inertia * spin)
    return ev, view, kept, applied


def equations_of_the_set(m, state):
    """M = B'M_b B, h = B'(h_b - M_b B-dot v), Newton and Euler, the rows of the loops."""
    ev, view, kept, applied = in_joints(m, state)
    B, bias, mass = view.transformation[kept], view.bias[kept], ev.mass_matrix
    M = view.mass_matrix
    within(ev.velocities, B @ view.rates, 1e-10)
    within(ev.accelerations, B @ view.accelerations + bias)
    within(M, B.T @ mass @ B, 1e-11)
    assert np.array_equal(M, M.T)
    assert np.linalg.eigvalsh(M).min(initial=1.0) > 0.0
    within(view.force, B.T @ (applied - mass @ bias), 1e-10)
    rows, columns = list(ev.rows), view.loop_jacobian
    closing = [rows.index(name) for name in view.loop_rows]
    within(columns, ev.jacobian[closing] @ B, 1e-11)
    within(view.loop_rhs, ev.acceleration_rhs[closing] - ev.jacobian[closing] @ bias, 1e-10)
    within(columns @ view.accelerations, view.loop_rhs)
    # what is left to be done by something when the applied forces have done their part: the loops do it
    within(view.inverse_dynamics(), columns.T @ view.multipliers)
    within(sum((view.reaction(name) for name in (*m.joints, *m.drivers)), np.zeros(len(view.columns))),
           view.inverse_dynamics())  # fmt: skip
    other = np.cos(np.arange(len(view.columns)) + 1.0)
    within(view.inverse_dynamics(other), M @ other - view.force, 1e-10)
    named = dict(zip(view.columns, other))
    assert np.array_equal(view.inverse_dynamics(named), view.inverse_dynamics(other))


def transformation_against_differences(m, state):
    """B v is how fast the mass centres and axes move when the joint coordinates move with v."""
    system = System(state.model.plan("joint"), state.values, state.held, state.memory)
    y, h = system.from_body(state.y), 1e-4
    inner, model = system.plan, state.model
    system.locate(state.t, y)
    B = m.evaluate(state, coordinates="joint").joint.transformation
    kept = [k for k, name in enumerate(model.coordinate_names) if name]
    lines = [k for k in kept if k % model.dof < model.dimension or model.dimension == 2]
    places = [model.n_q // len(model.bodies) * (k // model.dof) + k % model.dof for k in lines]
    for c in range(inner.n_v):
        step = np.zeros(inner.n_v)

        def at(s, c=c, step=step):
            step[c] = s
            return system.to_body(system.moved(y, step))[places]

        slope = (at(-2 * h) - 8 * at(-h) + 8 * at(h) - at(2 * h)) / (12 * h)
        within(B[lines, c], slope, 1e-8)


def there_and_back(state):
    """Joint coordinates from bodies, and bodies from them again; and the other way round."""
    system = System(state.model.plan("joint"), state.values, state.held, state.memory)
    system.keep_turns(state.y)
    y = system.from_body(state.y, state.memory)
    body = system.to_body(y)
    wanted = state.y.copy()
    if state.model.dimension == 3:  # of the two quaternions of an orientation the one with the sign found
        for k in range(len(state.model.bodies)):
            part = slice(7 * k + 3, 7 * k + 7)
            wanted[part] *= np.sign(wanted[part] @ body[part])
    within(body, wanted, 1e-9)
    within(system.from_body(body, state.memory), y, 1e-9)


# -- the plane ----------------------------------------------------------------------------------------------


@examples(150)
@given(set_plans(most=5))
def test_open_planar_mechanisms(plan):
    same_in_both(*assembled(plan))


@examples(200)
@given(set_plans(most=5, loops=2))
def test_closed_planar_mechanisms(plan):
    same_in_both(*assembled(plan))


@examples(60)
@given(set_plans(most=4, loops=1, particles="anywhere"))
def test_particles_anywhere(plan):
    same_in_both(*assembled(plan))


@examples(120)
@given(set_plans(most=4, loops=2))
def test_planar_equations_in_joint_coordinates(plan):
    equations_of_the_set(*assembled(plan))


@examples(60)
@given(set_plans(most=4, loops=1))
def test_planar_transformation_against_differences(plan):
    transformation_against_differences(*assembled(plan))


@examples(100)
@given(set_plans(most=5, loops=1))
def test_planar_states_there_and_back(plan):
    there_and_back(assembled(plan)[1])


def exchanged(run):
    """What the energies are compared with: all that moved between the forms, at least a joule."""
    energy = run.energy
    return max(1.0, np.ptp(energy.kinetic), np.ptp(energy.potential), np.abs(energy.kinetic).max())


def ledger_balances(m, state, duration):
    run = m.simulate(duration, every=duration / 8, start=state, coordinates="joint", rtol=1e-10)
    assert np.abs(run.energy.balance).max() <= 1e-7 * exchanged(run)
    assert run.violation.max() < 1e-9


@examples(40)
@given(set_plans(most=4, damped=True))
def test_planar_ledger_balances(plan):
    ledger_balances(*assembled(plan), 0.4)


@examples(60)
# a driver may ask a loop for what its lengths forbid: none here
@given(set_plans(most=4, loops=1, damped=True, drivers=False, closing=LASTING))
def test_planar_ledger_balances_with_loops(plan):
    ledger_balances(*assembled(plan), 0.4)


def goes_on_in_the_other_set(m, state, cut, order):
    """A run that changes its coordinates on the way is the run that does not."""
    end = 0.4
    whole = m.simulate([0.0, cut, end], start=state, coordinates="body", rtol=1e-11)
    first = m.simulate([0.0, cut], start=state, coordinates=order[0], rtol=1e-11)
    second = m.simulate([cut, end], start=first.final, coordinates=order[1], rtol=1e-11)
    for name in (one for one in state.model.coordinate_names if one in whole.names):
        for series in (name, f"{name}.rate"):
            scale = max(1.0, np.abs(whole[series]).max())
            assert abs(second[series][-1] - whole[series][-1]) <= 1e-7 * scale, series
    for series in ("energy.total", "energy.dissipated", "energy.supplied"):  # the last two count from the start
        gap = np.ptp(second[series][[0, -1]]) - np.ptp(whole[series][[1, -1]])
        assert abs(gap) <= 1e-7 * exchanged(whole), series


@examples(60)
@given(
    set_plans(most=3, loops=1, damped=True, drivers=False, closing=LASTING),
    st.floats(0.1, 0.3),
    st.permutations(["body", "joint"]),
)
def test_going_on_in_the_other_set(plan, cut, order):
    goes_on_in_the_other_set(*assembled(plan), cut, order)


# -- space --------------------------------------------------------------------------------------------------


@examples(100)
@given(spatial_plans(most=4))
def test_open_spatial_mechanisms(plan):
    same_in_both(*assembled(plan))


@examples(100)
@given(spatial_plans(most=4, loops=2))
def test_closed_spatial_mechanisms(plan):
    same_in_both(*assembled(plan))


@examples(60)
@given(spatial_plans(most=4, loops=1))
def test_spatial_equations_in_joint_coordinates(plan):
    equations_of_the_set(*assembled(plan))


@examples(40)
@given(spatial_plans(most=3, loops=1))
def test_spatial_transformation_against_differences(plan):
    transformation_against_differences(*assembled(plan))


@examples(60)
@given(spatial_plans(most=4, loops=1))
def test_spatial_states_there_and_back(plan):
    there_and_back(assembled(plan)[1])


@examples(30)
@given(spatial_plans(most=3, loops=1))
def test_spatial_ledger_balances(plan):
    ledger_balances(*assembled(plan), 0.4)


@examples(30)
@given(spatial_plans(most=3, loops=1), st.floats(0.1, 0.3), st.permutations(["body", "joint"]))
def test_going_on_in_the_other_set_in_space(plan, cut, order):
    goes_on_in_the_other_set(*assembled(plan), cut, order)
