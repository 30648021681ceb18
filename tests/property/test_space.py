"""What holds for every mechanism of space, tried on random trees and loops, and for every planar one put into space."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import linkwork as lw
from linkwork import Particle, gallery
from linkwork.coordinates import SETS
from linkwork.testing.places import Space, turn
from property.draws import assembler, examples
from property.space_plans import TREE, space_plans
from property.strategies import LASTING, Rejections, set_plans

REJECTIONS = Rejections()
assembled = assembler(REJECTIONS)
AGREEMENT = 1e-9


def within(got, wanted, tolerance=AGREEMENT):
    """Fail unless two arrays agree, against the largest of the wanted numbers (at least one)."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    gap = np.abs(got - wanted).max(initial=0.0)
    assert gap <= tolerance * max(1.0, np.abs(wanted).max(initial=0.0)), gap


def exchanged(run):
    """What the energies are compared with: all that moved between the forms, at least a joule."""
    energy = run.energy
    return max(1.0, np.ptp(energy.kinetic), np.ptp(energy.potential), np.abs(energy.kinetic).max())


def reactions(ev, axes="world"):
    """Forces and moments of all joints."""
    found = [ev.reaction(name, axes=axes) for name in ev.state.model.mechanism.joints]
    return np.array([[*one.force, *np.atleast_1d(one.moment)] for one in found])


# -- equations ----------------------------------------------------------------------------------------------


def sets_agree(m, state):
    body, joint = (m.evaluate(state, coordinates=one) for one in SETS[:2])
    within(joint.accelerations, body.accelerations)
    within(reactions(joint), reactions(body))


@examples(90)
@given(space_plans(most=4))
def test_sets_agree_on_trees(plan):
    sets_agree(*assembled(plan))


@examples(90)
@given(space_plans(most=4, loops=2))
def test_sets_agree_on_loops(plan):
    sets_agree(*assembled(plan))


@examples(50)
@given(space_plans(most=4, loops=1))
def test_reactions_and_applied_forces_accelerate_every_body(plan):
    """Newton and Euler for each body in the world, from what is reported by name."""
    m, state = assembled(plan)
    ev = m.evaluate(state, coordinates="joint")
    size = max(1.0, np.abs(reactions(ev)).max(initial=0.0))
    for k, (name, body) in enumerate(m.bodies.items()):
        axes, spin = ev.orientation(name).matrix, ev.angular_velocity(name)
        applied = ev.applied_force(name)
        force, moment = applied[:3].copy(), axes @ applied[3:]
        for joint_name, joint in m.joints.items():
            for frame in (joint.on, joint.to):
                if frame.body == name:
                    found = ev.reaction(joint_name, on=name)
                    arm = axes @ (np.asarray(frame.position) - body.center)
                    force += found.force
                    moment += found.moment + np.cross(arm, found.force)
        inertia, principal = np.array(body.inertia), state.model.bodies[k].rotation
        acceleration = ev.accelerations[6 * k : 6 * k + 6]
        change = inertia @ principal @ acceleration[3:] + np.cross(spin, inertia @ spin)
        assert np.abs(force - body.mass * acceleration[:3]).max() <= 1e-9 * size
        assert np.abs(moment - axes @ change).max() <= 1e-9 * size


MOVES = st.builds(lambda *v: Space.pose(v[:3], turn(v[3:])), *[st.floats(-2.0, 2.0)] * 3, *[st.floats(-1.5, 1.5)] * 3)


@examples(60)
@given(space_plans(most=4, loops=1), MOVES)
def test_a_rigid_move_turns_the_accelerations_and_nothing_else(plan, move):
    m, state = assembled(plan)
    here = m.evaluate(state, coordinates="body")
    other = plan.build(move=move)
    there = other.evaluate(other.assemble(coordinates="body").state, coordinates="joint")
    wanted = here.accelerations.reshape(-1, 2, 3).copy()
    wanted[:, 0] = wanted[:, 0] @ move[:3, :3].T  # angular ones are along axes of the bodies
    # the smallest correction of velocities is the same seen from anywhere, so the states are the same too
    within(there.accelerations.reshape(-1, 2, 3), wanted, 1e-8)
    within(reactions(there, "joint"), reactions(here, "joint"), 1e-8)
    assert there.energy.kinetic == pytest.approx(here.energy.kinetic, rel=1e-8)


# -- motion -------------------------------------------------------------------------------------------------


def keeps_energy(m, state, coordinates, duration=0.5):
    run = m.simulate(duration, every=duration / 5, start=state, coordinates=coordinates, rtol=1e-10)
    assert np.abs(run.energy.total - run.energy.total[0]).max() <= 1e-7 * exchanged(run)
    assert run.violation.max(initial=0.0) < 1e-9


@examples(40)
@given(space_plans(most=3, kinds=TREE), st.sampled_from(SETS))
def test_trees_keep_energy_and_constraints(plan, coordinates):
    keeps_energy(*assembled(plan), coordinates)


@examples(40)
@given(space_plans(most=3, loops=1, kinds=TREE), st.sampled_from(SETS))
def test_loops_keep_energy_and_constraints(plan, coordinates):
    keeps_energy(*assembled(plan), coordinates, 0.3)


@examples(30)
@given(space_plans(most=3, loops=1, damped=True, kinds=TREE), st.sampled_from(SETS))
def test_dampers_take_energy_and_the_ledger_balances(plan, coordinates):
    m, state = assembled(plan)
    run = m.simulate(0.3, every=0.06, start=state, coordinates=coordinates, rtol=1e-10)
    assert np.abs(run.energy.balance).max() <= 1e-7 * exchanged(run)
    assert np.diff(run.energy.dissipated).min() >= -1e-9 * exchanged(run)


MOMENTA = [f"system.{what}.{axis}" for what in ("momentum", "angular_momentum") for axis in "xyz"]


def keeps_momenta(m, state, coordinates, duration):
    run = m.simulate(duration, every=duration / 5, start=state, coordinates=coordinates, rtol=1e-10)
    for name in MOMENTA:
        assert np.ptp(run[name]) <= 1e-8 * max(1.0, np.abs(run[name]).max()), name
    assert np.abs(run.energy.total - run.energy.total[0]).max() <= 1e-7 * exchanged(run)


@examples(40)
@given(space_plans(most=4, floating=True, kinds=TREE), st.sampled_from(SETS))
def test_free_floating_trees_keep_their_momenta(plan, coordinates):
    keeps_momenta(*assembled(plan), coordinates, 0.5)


@examples(30)
@given(space_plans(most=4, floating=True, loops=1, kinds=TREE), st.sampled_from(SETS))
def test_free_floating_loops_keep_their_momenta(plan, coordinates):
    keeps_momenta(*assembled(plan), coordinates, 0.3)


# -- planar mechanisms put into space -----------------------------------------------------------------------


def flat(m):
    """What can be put into space as it is: no disc that rolls in the plane."""
    return not any(type(joint).__name__ == "RollingDisc" for joint in m.joints.values())


def settled(m):
    """The same mechanism with its bodies declared where they are put together, and as fast."""
    state = m.assemble(coordinates="body").state
    for name, body in list(m.bodies.items()):
        place, velocity = (tuple(state[f"{name}.{axis}{end}"] for axis in "xy") for end in ("", ".rate"))
        given = {"position": place, "velocity": velocity}
        if body.has_angle:
            given |= {"angle": state[f"{name}.angle"], "angular_velocity": state[f"{name}.angle.rate"]}
            m.replace(name, replace(body, name="", points=dict(body.points), **given))
        else:
            m.replace(name, Particle(body.mass, gravity=body.gravity, **given))
    return m


def columns_of_the_plane(m, spatial):
    """x, y and turn about z of every body, and what is left, which has to be nothing."""
    rows, at = [], 0
    rest = []
    for body in m.bodies.values():
        size = 6 if body.has_angle else 3
        part = spatial[at : at + size]
        at += size
        rows.append([*part[:2], *part[5:6]])
        rest.extend([part[2], *part[3:5]])
    return np.concatenate(rows), np.array(rest)


def same_at_once(m, coordinates):
    """Accelerations and reactions of a planar mechanism and of the same in space, where it was put together."""
    lifted = m.in_space()
    plane = m.evaluate(m.assemble(coordinates="body").state, coordinates="body")
    state = lifted.assemble(coordinates="body").state
    space = lifted.evaluate(state, coordinates=coordinates)
    found, rest = columns_of_the_plane(m, space.accelerations)
    size = max(1.0, np.abs(plane.accelerations).max(initial=0.0))
    within(found / size, plane.accelerations / size, 1e-8)
    within(rest / size, np.zeros(rest.size), 1e-8)
    load = max(1.0, np.abs(reactions(plane)).max(initial=0.0))
    for name in m.joints:
        one, other = space.reaction(name), plane.reaction(name)
        if other.unique:
            wanted = np.array([*other.force, 0.0, 0.0, 0.0, other.moment])
            within(np.array([*one.force, *one.moment]) / load, wanted / load, 1e-8)
    for name in m.drivers:
        within(space[f"{name}.effort"] / load, plane[f"{name}.effort"] / load, 1e-8)


@examples(60)
@given(set_plans(most=4, loops=2), st.sampled_from(SETS))
def test_planar_mechanisms_are_the_same_in_space(plan, coordinates):
    m = plan.build()
    assume(flat(m))
    ev = m.evaluate(coordinates="body")
    assume(REJECTIONS.well_conditioned(ev))
    same_at_once(m, coordinates)


def same_motion(m, duration, coordinates, rtol=1e-10):
    plane = m.simulate(duration, every=duration / 4, coordinates="body", rtol=rtol)
    space = m.in_space().simulate(duration, every=duration / 4, coordinates=coordinates, rtol=rtol)
    length = m.compile(coordinates="body").length
    for body in m.bodies:
        for axis in "xy":
            for ending in ("", ".rate"):
                name = f"{body}.{axis}{ending}"
                scale = max(length, np.abs(plane[name]).max())
                assert np.abs(space[name] - plane[name]).max() <= 1e-6 * scale, name
        assert np.abs(space[f"{body}.z"]).max() <= 1e-8 * length
    for name in ("energy.total", "energy.dissipated", "energy.supplied"):
        assert np.abs(space[name] - plane[name]).max() <= 1e-6 * exchanged(plane), name


@examples(30)
@given(set_plans(most=3, loops=1, damped=True, drivers=False, closing=LASTING), st.sampled_from(SETS))
def test_planar_mechanisms_move_alike_in_space(plan, coordinates):
    m = plan.build()
    assume(flat(m))
    ev = m.evaluate(coordinates="body")
    assume(REJECTIONS.well_conditioned(ev))
    same_motion(m, 0.3, coordinates)


PLANAR = [name for name in gallery.names() if gallery.get(name).dimension == 2 and flat(gallery.get(name))]


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("name", PLANAR)
def test_gallery_in_space(name, coordinates):
    m = settled(gallery.get(name))
    same_at_once(m, coordinates)
    same_motion(m, {"andrews": 0.01, "slider_crank": 0.02}.get(name, 0.2), coordinates, rtol=1e-9)


def test_most_of_the_gallery_can_be_in_space():
    assert set(gallery.names()) - set(PLANAR) <= {"spatial_chain", "cart"}
    assert len(PLANAR) >= 12


@pytest.mark.parametrize("kind", [kind for kind in TREE if kind != "free"])
def test_every_joint_of_the_trees_is_drawn(kind):
    """One joint of a kind between two bodies that float: what the trees above are made of."""

    @examples(4)
    @given(space_plans(most=2, floating=True, kinds=(kind,)))
    def check(plan):
        assert [joint[1] for joint in plan.joints] == [kind]
        m, state = assembled(plan)
        sets_agree(m, state)
        keeps_momenta(m, state, "joint", 0.3)

    check()


@pytest.mark.parametrize("coordinates", SETS)
def test_a_particle_pinned_to_a_bar_is_the_same_in_space(coordinates):
    m = lw.Mechanism("bob")
    bar = m.add("bar", lw.bar(1.0, 1.0, angle=0.3, position=(0.5 * math.cos(0.3), 0.5 * math.sin(0.3))))
    bob = m.add("bob", lw.Particle(0.5, position=(math.cos(0.3), math.sin(0.3))))
    m.add("A", lw.Revolute(m.ground, bar.a))
    m.add("B", lw.Revolute(bar.b, bob))
    runs = [one.simulate(1.0, every=0.1, coordinates=coordinates, rtol=1e-10) for one in (m, m.in_space())]
    for name in ("bob.x", "bob.y", "A.angle"):
        np.testing.assert_allclose(runs[0][name], runs[1][name], atol=1e-8)
    np.testing.assert_allclose(runs[0].reaction("B").force, runs[1].reaction("B").force[:, :2], atol=1e-7)
