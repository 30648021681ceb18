"""What holds for every planar mechanism, tried on random trees and loops."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import linkwork as lw
from linkwork import textbook
from linkwork.testing.scenes import rotation
from property.draws import assembler, examples
from property.strategies import Rejections, plans

REJECTIONS = Rejections()
assembled = assembler(REJECTIONS)


def body_accelerations(evaluation):
    return evaluation.accelerations.reshape(-1, 3)


def run_of(m, state, duration=1.0, every=0.1, rtol=1e-10):
    return m.simulate(duration, every=every, start=state, coordinates="body", rtol=rtol)


def exchanged(run):
    """What the energies are compared with: all that moved between the forms, at least a joule."""
    energy = run.energy
    return max(1.0, np.ptp(energy.kinetic), np.ptp(energy.potential), np.abs(energy.kinetic).max())


# -- equations ----------------------------------------------------------------------------------------------


@examples(160)
@given(plans(most=4, loops=2))
def test_kernels_agree_with_the_textbook(plan):
    m, state = assembled(plan)
    ev = m.evaluate(state, coordinates="body")
    names = [f"{body}.{q}{end}" for body in m.bodies for q in ("x", "y", "angle") for end in ("", ".rate")]
    book = textbook.planar_bridge.from_mechanism(m, {name: ev[name] for name in names})
    accelerations, multipliers = textbook.planar.augmented(book, 0.0, book.c, book.cd)
    scale = max(1.0, np.abs(accelerations).max())
    assert np.abs(ev.accelerations - accelerations).max() <= 1e-8 * scale
    if multipliers.size:
        assert np.abs(ev.multipliers - multipliers).max() <= 1e-8 * max(1.0, np.abs(multipliers).max())


@examples(120)
@given(plans(most=4, loops=2))
def test_reactions_and_applied_forces_accelerate_every_body(plan):
    m, state = assembled(plan)
    ev = m.evaluate(state, coordinates="body")
    for k, (name, body) in enumerate(m.bodies.items()):
        total = ev.applied_force(name).copy()
        x, y, angle = (ev[f"{name}.{q}"] for q in ("x", "y", "angle"))
        center = np.array([x, y]) + rotation(angle) @ body.center[:2]
        for joint_name, joint in m.joints.items():
            for frame in (joint.on, joint.to):
                if frame.body == name:
                    reaction = ev.reaction(joint_name, on=name)
                    arm = np.array([x, y]) + rotation(angle) @ np.asarray(frame.position)[:2] - center
                    total[:2] += reaction.force
                    total[2] += reaction.moment + arm[0] * reaction.force[1] - arm[1] * reaction.force[0]
        wanted = np.array([body.mass, body.mass, body.inertia]) * body_accelerations(ev)[k]
        assert np.abs(total - wanted).max() <= 1e-9 * max(1.0, np.abs(ev.multipliers).max(initial=0.0))


@examples(120)
@given(plans(most=4, loops=2), st.floats(-3.0, 3.0), st.floats(-2.0, 2.0), st.floats(-2.0, 2.0))
def test_a_rigid_move_turns_the_accelerations_and_nothing_else(plan, turn, dx, dy):
    m, state = assembled(plan)
    here = body_accelerations(m.evaluate(state, coordinates="body"))
    other = plan.build(turn=turn, shift=np.array([dx, dy]))
    there = body_accelerations(other.evaluate(other.assemble(coordinates="body").state, coordinates="body"))
    wanted = here.copy()
    wanted[:, :2] = here[:, :2] @ rotation(turn).T
    # the smallest correction of velocities is the same seen from anywhere, so the states are the same too
    assert np.abs(there - wanted).max() <= 1e-8 * max(1.0, np.abs(wanted).max())


# -- motion -------------------------------------------------------------------------------------------------


@examples(100)
@given(plans(most=3))
def test_trees_keep_energy_and_constraints(plan):
    run = run_of(*assembled(plan))
    assert np.abs(run.energy.total - run.energy.total[0]).max() <= 1e-7 * exchanged(run)
    assert run.violation.max() < 1e-9


@examples(80)
@given(plans(most=4, loops=1))
def test_loops_keep_energy_and_constraints(plan):
    run = run_of(*assembled(plan), duration=0.8, every=0.08)
    assert np.abs(run.energy.total - run.energy.total[0]).max() <= 1e-7 * exchanged(run)
    assert run.violation.max() < 1e-9


@examples(60)
@given(plans(most=3, loops=1, damped=True))
def test_dampers_take_energy_and_the_ledger_balances(plan):
    run = run_of(*assembled(plan), duration=0.8)
    assert np.abs(run.energy.balance).max() <= 1e-7 * exchanged(run)
    assert np.diff(run.energy.dissipated).min() >= -1e-9 * exchanged(run)


@examples(80)
@given(plans(most=4, floating=True))
def test_free_floating_trees_keep_their_momenta(plan):
    run = run_of(*assembled(plan))
    for name in ("system.momentum.x", "system.momentum.y", "system.angular_momentum"):
        assert np.ptp(run[name]) <= 1e-8 * max(1.0, np.abs(run[name]).max()), name
    assert np.abs(run.energy.total - run.energy.total[0]).max() <= 1e-7 * exchanged(run)


@examples(48)
@given(plans(most=4, floating=True, loops=1))
def test_free_floating_loops_keep_their_momenta(plan):
    run = run_of(*assembled(plan), duration=0.8)
    for name in ("system.momentum.x", "system.momentum.y", "system.angular_momentum"):
        assert np.ptp(run[name]) <= 1e-8 * max(1.0, np.abs(run[name]).max()), name


@examples(60)
@given(plans(most=3, loops=1, damped=True), st.floats(0.1, 0.4))
def test_going_on_from_the_end_is_one_long_run(plan, cut):
    m, state = assembled(plan)
    whole = m.simulate(np.array([0.0, cut, 0.5]), start=state, coordinates="body", rtol=1e-11)
    first = m.simulate(np.array([0.0, cut]), start=state, coordinates="body", rtol=1e-11)
    second = m.simulate(np.array([cut, 0.5]), start=first.final, coordinates="body", rtol=1e-11)
    for body in m.bodies:
        for name in (f"{body}.x", f"{body}.y.rate", f"{body}.angle"):
            scale = max(1.0, np.abs(whole[name]).max())
            assert abs(second[name][-1] - whole[name][-1]) <= 1e-7 * scale, name
    for name in ("energy.total",):
        assert abs(second[name][-1] - whole[name][-1]) <= 1e-7 * exchanged(whole)


# -- redundant constraints ----------------------------------------------------------------------------------


def parallelogram(cranks, length, width, mass, third=0.5):
    m = lw.Mechanism("parallelogram")
    plate = m.add("plate", lw.bar(length=width, mass=mass, points={"p": ((third - 0.5) * width, 0.0)}))
    feet = {"left": (0.0, "a"), "right": (width, "b"), "third": (third * width, "p")}
    for name in ("left", "right", "third")[:cranks]:
        x, point = feet[name]
        crank = m.add(name, lw.bar(length=length, mass=0.7))
        m.add(f"{name} foot", lw.Revolute(m.ground.at(x, 0.0), crank.a))
        m.add(f"{name} head", lw.Revolute(crank.b, getattr(plate, point)))
    return m


@examples(48)
@given(st.floats(0.5, 1.5), st.floats(0.5, 2.0), st.floats(0.5, 3.0), st.floats(0.2, 0.8), st.floats(0.4, 1.2))
def test_a_third_crank_is_redundant_and_changes_nothing(length, width, mass, third, angle):
    near = {"left.angle": angle, "right.angle": angle, "third.angle": angle}
    m = parallelogram(3, length, width, mass, third)
    report = m.check(start={"left foot.angle": angle}, near=near, coordinates="body")
    assert (report.freedom, report.redundant) == (1, 1)
    assert {"left foot", "right foot", "third foot"} <= set(report.redundant_joints)
    run = m.simulate(0.5, every=0.1, start={"left foot.angle": angle}, near=near, coordinates="body", rtol=1e-10)
    assert run.violation.max() < 1e-9
    # a crank takes the same part in the motion wherever it stands: two of 1.05 kg move like three of 0.7 kg
    twin = parallelogram(2, length, width, mass)
    for name in ("left", "right"):
        twin.replace(name, lw.bar(length=length, mass=1.05))
    near = {"left.angle": angle, "right.angle": angle}
    other = twin.simulate(0.5, every=0.1, start={"left foot.angle": angle}, near=near, coordinates="body", rtol=1e-10)
    assert np.abs(run["left foot.angle"] - other["left foot.angle"]).max() < 1e-8
    assert not run.reaction("left foot").unique
    # what the feet carry together is determined: weight and inertia of everything
    total = sum(run.reaction(f"{name} foot").force for name in ("left", "right", "third"))
    wanted = sum(other.reaction(f"{name} foot").force for name in ("left", "right"))
    assert np.abs(total - wanted).max() < 1e-6 * max(1.0, np.abs(wanted).max())
