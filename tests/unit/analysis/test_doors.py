"""Every way into a state: what violates the constraints is corrected or refused, and told."""

import math
from dataclasses import replace

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import AssemblyError, DescriptionError, MovedWarning


def driven_four_bar():
    m = lw.gallery.four_bar()
    m.add("motor", lw.Driver(m["A"].angle, lw.Polynomial(1, 5)))
    return m


def pendulum(**said):
    """A bar of mass 1 and inertia 1 about its middle, 1 m from the pin."""
    m = lw.Mechanism("pendulum")
    bar = m.add("bar", lw.Body(1.0, 1.0, position=(1.0, 0.0), angle=0.0, **said))
    m.add("A", lw.Revolute(m.ground, bar.at(-1.0, 0.0)))
    return m


def contradicting():
    """The bar turns with 1 rad/s while its middle stands still."""
    m = pendulum()
    return m, m.evaluate({"bar.angle.rate": 1.0}, coordinates="body").state


# -- other branches ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_space", [False, True])
def test_other_branches_have_velocities_of_their_own(in_space):
    m = driven_four_bar()
    m = m.in_space() if in_space else m
    first = m.assemble(coordinates="body")
    (other,) = first.others
    ev = m.evaluate(other, coordinates="body")
    assert not ev.violated
    name = "coupler.angle" if not in_space else "B.angle"
    again = m.assemble(near={name: other[name]}, coordinates="body")
    assert ev["motor.effort"] == pytest.approx(m.evaluate(again, coordinates="body")["motor.effort"], rel=1e-9)
    for coordinates in SETS:
        run = m.simulate(0.01, start=other, coordinates=coordinates)
        assert run["motor.effort"][0] == pytest.approx(ev["motor.effort"], rel=1e-9)


def test_what_is_held_as_assembled_is_held_as_it_is_on_the_other_branch():
    m = lw.gallery.four_bar()
    m.add("motor", lw.Driver(m["D"].angle, lw.Polynomial(0.0, 1.0), from_assembled=True))
    first = m.assemble(start={"A.angle": 1.0}, coordinates="body")
    for other in first.others:
        assert not m.evaluate(other, coordinates="body").violated
        assert m.simulate(0.0, start=other, coordinates="body")["D.angle"][0] == pytest.approx(other["D.angle"])


def test_start_rates_are_met_on_other_branches():
    m = lw.gallery.four_bar()
    first = m.assemble(start={"A.angle": 1.0, "D.angle.rate": 2.0}, coordinates="body")
    (other,) = first.others
    assert other["D.angle.rate"] == pytest.approx(2.0, rel=1e-12)
    assert not m.evaluate(other, coordinates="body").violated


# -- states that violate the constraints ---------------------------------------------------------------------------


@pytest.mark.parametrize("coordinates", SETS)
def test_velocities_that_contradict_each_other_are_corrected_and_told(coordinates):
    m, state = contradicting()
    with pytest.warns(MovedWarning, match=r"velocities of A\.y \(-1\).*bar changed in speed by 0.5 m/s and 0.5 rad/s"):
        run = m.simulate(0.1, start=state, coordinates=coordinates)
    # least change in the metric of the masses: (v - 0)^2 + (w - 1)^2 with v = w
    assert run["A.angle.rate"][0] == pytest.approx(0.5, rel=1e-12)
    assert np.abs(run.energy.balance).max() < 1e-9


@pytest.mark.parametrize("coordinates", SETS)
def test_positions_that_violate_the_joints_are_refused_and_can_be_assembled(coordinates):
    m = pendulum()
    state = m.evaluate({"bar.x": 1.2}, coordinates="body").state
    with pytest.raises(AssemblyError, match=r"violates positions of A\.x \(0.2\).*assemble\(start=state\)"):
        m.simulate(0.1, start=state, coordinates=coordinates)
    with pytest.warns(MovedWarning, match="bar moved by 0.2 m"):
        found = m.assemble(start=state, coordinates=coordinates)
    assert found["bar.x"] == pytest.approx(1.0)
    assert found.moved["bar"] == pytest.approx(0.2)
    assert m.simulate(0.1, start=found, coordinates=coordinates).t[-1] == pytest.approx(0.1)


def test_states_of_the_very_model_are_checked_too():
    model = pendulum().compile()
    state = lw.assemble(model, coordinates="body").state
    y = state.y.copy()
    y[0] += 0.1
    with pytest.raises(AssemblyError, match=r"positions of A\.x"):
        lw.simulate(model, 0.1, start=replace(state, y=y), coordinates="body")


def test_what_is_corrected_or_refused_is_so_every_time():
    model = pendulum().compile()
    fast = lw.evaluate(model, {"bar.angle.rate": 1.0}, coordinates="body").state
    for coordinates in SETS * 2:
        with pytest.warns(MovedWarning, match="velocities of A"):
            lw.simulate(model, 0.0, start=fast, coordinates=coordinates)
    apart = lw.evaluate(model, {"bar.x": 1.2}, coordinates="body").state
    assert lw.assemble(model, start=apart, coordinates="body")["bar.x"] == pytest.approx(1.0)
    with pytest.raises(AssemblyError, match="violates positions"):
        lw.simulate(model, 0.0, start=apart, coordinates="body")


def test_euler_parameters_of_another_length_are_refused():
    m = pendulum().in_space()
    state = m.assemble(coordinates="body").state
    y = state.y.copy()
    y[3:7] *= 1.1
    with pytest.raises(AssemblyError, match="orientation of bar"):
        m.simulate(0.1, start=replace(state, y=y), coordinates="body")


@pytest.mark.parametrize("part", ["t", "y", "memory", "values"])
def test_numbers_that_are_not_finite_are_refused(part):
    m = lw.gallery.four_bar()
    m.add("coil", lw.TorsionSpringDamper(m.ground, m["crank"].a, stiffness=1.0))
    m = m.in_space()
    state = m.assemble(start={"A.angle": 1.0}, coordinates="body").state
    assert state.memory.size
    numbers = np.full_like(np.atleast_1d(getattr(state, part)), math.nan)
    state = replace(state, **{part: numbers if part != "t" else math.nan})
    for call in (
        lambda: m.simulate(0.1, start=state, coordinates="body"),
        lambda: m.evaluate(state, coordinates="body"),
    ):
        with pytest.raises(DescriptionError, match="not finite"):
            call()


def test_uncorrected_runs_are_asked_for_and_say_so():
    m, state = contradicting()
    run = m.simulate(0.0, start=state, correct=False, constraints="none", coordinates="body")
    assert run["A.angle.rate"][0] == pytest.approx(1.0)
    assert "not corrected" in str(run).splitlines()[0]
    with pytest.raises(DescriptionError, match="constraints='baumgarte' or 'none' too"):
        m.simulate(0.1, start=state, correct=False, coordinates="body")
    with pytest.raises(DescriptionError, match="no state to start from"):
        m.simulate(0.1, correct=False, constraints="none", coordinates="body")
    with pytest.raises(DescriptionError, match="open where joint coordinates are closed"):
        m.simulate(0.1, start=state, correct=False, constraints="none", coordinates="joint")


def test_runs_that_drift_can_be_read_between_their_outputs():
    m = lw.gallery.four_bar()
    run = m.simulate(
        2.0,
        every=0.5,
        method="rk4",
        step=0.02,
        constraints="none",
        coordinates="body",
        start={"A.angle": 1.0, "A.angle.rate": 6.0},
    )
    assert run.violation[-1] > 1e-6
    assert run.at(1.7).t == 1.7
    with pytest.raises(AssemblyError, match="violates positions"):
        m.simulate(0.1, start=run.final, coordinates="body")


def test_declared_speeds_that_had_to_change_are_told():
    m = pendulum(velocity=(0.0, 0.0), angular_velocity=1.0)
    with pytest.warns(MovedWarning, match=r"bar\.velocity by 0\.5, bar\.angular_velocity by 0\.5"):
        m.simulate(0.0, coordinates="joint")


def test_declared_speeds_are_those_of_the_frame_where_the_body_is_found():
    """The mass centre is off the origin, and the estimate of the pose is off: the origin still moves as declared."""
    m = lw.Mechanism("slider", gravity=None)
    block = m.add(
        "block",
        lw.Body(1.0, 0.3, center=(0.4, 0.3), position=(0.0, 0.1), angle=0.2, velocity=(2.0, 0.0), angular_velocity=3.0),
    )
    m.add("slot", lw.PinInSlot(m.ground, block))
    found = m.assemble(start={"block.angle": 0.5}, coordinates="body")
    assert [found["block.x.rate"], found["block.y.rate"], found["block.angle.rate"]] == pytest.approx([2.0, 0.0, 3.0])


def flat_parallelogram():
    m = lw.Mechanism("flat parallelogram")
    a, b, c = (m.add(name, lw.bar(length=length, mass=1.0)) for name, length in (("a", 1.0), ("b", 2.0), ("c", 1.0)))
    m.add("A", lw.Revolute(m.ground, a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    m.add("C", lw.Revolute(b.b, c.b))
    m.add("D", lw.Revolute(m.ground.at(2.0, 0.0), c.a))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("rate", [0.3, -2.0, 5.0])
def test_velocities_that_fit_none_of_the_ways_on_from_a_singular_position(coordinates, rate):
    m = flat_parallelogram()
    start = {"A.angle": 0.0, "A.angle.rate": 1.0}
    with pytest.raises(AssemblyError, match="fit none of the ways on"):
        m.simulate(0.1, start={**start, "B.angle.rate": rate}, coordinates=coordinates)
    good = m.assemble(start={**start, "B.angle.rate": -1.0}, coordinates="body").state  # the coupler stays level
    assert m.simulate(0.1, start=good, coordinates=coordinates)["b.angle"] == pytest.approx(0.0, abs=1e-7)
    bad = m.evaluate(
        {"a.angle.rate": 1.0, "a.y.rate": 0.5, "c.angle.rate": -1.0, "c.y.rate": -0.5, "b.angle.rate": -1.0},
        coordinates="body",
    )
    assert not bad.violated
    with pytest.raises(AssemblyError, match="fit none of the ways on"):
        m.simulate(0.1, start=bad, coordinates=coordinates)


# -- as given ------------------------------------------------------------------------------------------------------


def test_evaluate_takes_a_state_as_given_in_every_set_and_names_what_is_violated():
    m, state = contradicting()
    evs = {one: m.evaluate(state, coordinates=one) for one in SETS}
    for ev in evs.values():
        assert ev["bar.angle.rate"] == 1.0 and ev["bar.y.rate"] == 0.0
        assert str(ev).splitlines()[0].endswith("violates velocities of A.y (-1)")
        assert list(ev.violated.velocities) == ["A.y"] and not ev.violated.positions
    assert evs["joint"].accelerations == pytest.approx(evs["body"].accelerations, abs=1e-12)
    assert "equations of body coordinates" in str(evs["joint"])
    both = m.evaluate({"bar.x": 1.2, "bar.y.rate": 3.0}, coordinates="joint")
    assert (both["bar.x"], both["bar.y.rate"]) == (1.2, 3.0)
    assert "violates positions of A.x (0.2) and velocities of A.y (3)" in str(both).splitlines()[0]
    assert not m.evaluate(coordinates="joint").violated


def test_a_body_without_orientation_is_not_turned_and_one_without_position_is_told():
    for position in ((0.0, 0.0, 0.0), None):
        m = lw.Mechanism("door", dimension=3)
        door = m.add("door", lw.Body(1.0, (0.1, 0.1, 0.1), center=(0.5, 0, 0), position=position))
        m.add("A", lw.Revolute(m.ground.at(axis=(1, 0, 0)), door.at(axis=(0, 0, 1))))
        for coordinates in SETS:
            ev = m.evaluate(coordinates=coordinates)
            if position is not None:
                assert ev.orientation("door").matrix == pytest.approx(np.eye(3))
                assert "violates positions of A" in str(ev).splitlines()[0]
            else:
                assert not ev.violated
                assert "placed along the joints, as no position is declared: door" in str(ev)


def test_readings_of_joints_are_start_values_of_an_assembly():
    m = lw.gallery.four_bar()
    ev = m.evaluate({"A.angle": 0.3, "D.angle.rate": 2.0}, coordinates="body")
    assert (ev["A.angle"], ev["D.angle.rate"]) == pytest.approx((0.3, 2.0))
    assert not ev.violated
    assert "assembled with start values, as A.angle, D.angle.rate are no coordinate of a body" in str(ev)
    same = m.evaluate(m.assemble(start={"A.angle": 0.3, "D.angle.rate": 2.0}, coordinates="body"), coordinates="body")
    assert ev.accelerations == pytest.approx(same.accelerations, rel=1e-12)


# -- what is taken as a state --------------------------------------------------------------------------------------


@pytest.mark.parametrize("coordinates", SETS)
def test_assemblies_and_evaluations_are_states(coordinates):
    m = lw.gallery.four_bar()
    found = m.assemble(start={"A.angle": 0.7, "A.angle.rate": 2.0}, coordinates=coordinates)
    ev = m.evaluate(found, coordinates=coordinates)
    assert ev["A.angle"] == pytest.approx(0.7)
    runs = [m.simulate(0.1, start=one, coordinates=coordinates) for one in (found, ev, found.state)]
    for run in runs:
        assert np.array_equal(run["A.angle"], runs[0]["A.angle"])
    assert m.check(start=found, coordinates=coordinates).freedom == 1
    assert m.assemble(start=found, coordinates=coordinates).freedom == 1
    assert m.verify(0.05, start=found)
    with pytest.raises(DescriptionError, match=r"run\.final"):
        m.simulate(0.1, start=runs[0], coordinates=coordinates)


def test_options_that_a_state_leaves_nothing_to_do_for_are_refused():
    m = lw.gallery.four_bar()
    state = m.assemble(start={"A.angle": 0.7}, coordinates="body").state
    with pytest.raises(DescriptionError, match="near= to choose"):
        m.simulate(0.1, start=state, near={"C.angle": 1.0}, coordinates="body")
    with pytest.raises(DescriptionError, match="weights= to choose"):
        m.assemble(start=state, weights={"crank": 2.0}, coordinates="body")


@pytest.mark.parametrize("coordinates", SETS)
def test_a_state_goes_on_when_a_joint_is_released(coordinates):
    """A bar on two pins loses one: it swings from rest like the pendulum that it is then."""
    m = lw.Mechanism("trap")
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0, angle=0.0))
    m.add("A", lw.Revolute(m.ground, bar.a))
    catch = lw.Rod(m.ground.at(1.0, 0.5), bar.b, length=0.5)
    m.add("catch", catch)
    before = m.simulate(0.2, coordinates=coordinates)
    m.replace("catch", replace(catch, active=False))
    after = m.simulate(0.5, start=before.final, coordinates=coordinates)
    assert after.t[0] == pytest.approx(0.2)
    free = lw.Mechanism("pendulum")
    free.add("A", lw.Revolute(free.ground, free.add("bar", lw.bar(length=1.0, mass=1.0, angle=0.0)).a))
    wanted = free.simulate(0.5, coordinates="body")
    assert after["A.angle"][-1] == pytest.approx(wanted["A.angle"][-1], abs=1e-7)
    assert m.evaluate(before.final, coordinates=coordinates)["bar.angle.acceleration"] == pytest.approx(-9.81 * 1.5)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_joint_that_catches_takes_the_speed_out_and_says_so(coordinates):
    m = lw.Mechanism("trap")
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0, angle=0.3))
    m.add("A", lw.Revolute(m.ground, bar.a))
    swinging = m.simulate(0.1, coordinates=coordinates).final
    m.add("lock", lw.Driver(m["A"].angle, lw.Polynomial(0.0), from_assembled=True))
    with pytest.warns(MovedWarning, match="violates velocities of lock"):
        held = m.simulate(0.1, start=swinging, coordinates=coordinates)
    assert held["A.angle"] == pytest.approx(np.full(len(held.t), swinging["A.angle"]), abs=1e-12)


def test_lengths_of_the_new_mechanism_count():
    """A rod of another length is not the old one by a state that was made with it."""

    def on_a_rod(length):
        m = lw.Mechanism("rod")
        bead = m.add("bead", lw.Particle(0.5, position=(length, 0.0)))
        m.add("rod", lw.Rod(m.ground, bead, length=length))
        return m

    m = on_a_rod(2.0)
    state = m.assemble(coordinates="body").state
    m.simulate(0.1, start=state, coordinates="body")  # it has passed once, elsewhere
    with pytest.raises(AssemblyError, match="positions of rod"):
        on_a_rod(2.5).simulate(0.1, start=state, coordinates="body")


def test_bodies_in_another_order_keep_their_places():
    def two(names):
        m = lw.Mechanism("two")
        for name in names:
            m.add(name, lw.Particle(1.0, position=(float(ord(name)), 0.0)))
        return m

    state = two("ab").assemble(coordinates="body").state
    assert two("ba").evaluate(state, coordinates="body")["a.x"] == ord("a")
    more = two("abc").evaluate(state, coordinates="body")  # declared: it is where it says
    assert more["c.x"] == ord("c") and more["a.x"] == ord("a")
    assert two("b").evaluate(state, coordinates="body")["b.x"] == ord("b")
    with pytest.raises(DescriptionError, match="its bodies are others"):
        two("cd").evaluate(state, coordinates="body")


# -- times ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("coordinates", SETS)
def test_when_a_motion_starts(coordinates):
    m = pendulum()
    whole = m.simulate([0.0, 0.5, 1.0], coordinates=coordinates, rtol=1e-10)
    late = m.simulate([0.5, 1.0], coordinates=coordinates)
    assert late["A.angle"][0] == 0.0
    early = m.simulate([0.5, 1.0], t=0.0, coordinates=coordinates, rtol=1e-10)
    assert early["A.angle"] == pytest.approx(whole["A.angle"][1:], abs=1e-8)
    shifted = m.simulate(0.5, every=0.5, t="2 s", coordinates=coordinates, rtol=1e-10)
    assert shifted.t == pytest.approx([2.0, 2.5])
    assert shifted["A.angle"][-1] == pytest.approx(whole["A.angle"][1], abs=1e-8)
    with pytest.raises(DescriptionError, match="output time before the start"):
        m.simulate([0.5, 1.0], t=0.7, coordinates=coordinates)


def test_the_time_of_a_state_may_be_another():
    m = driven_four_bar()
    state = m.assemble(coordinates="body").state
    with pytest.raises(AssemblyError, match="positions of motor"):
        m.simulate(0.1, start=state, t=0.1, coordinates="body")
    assert "violates positions of motor" in str(m.evaluate(state, t=0.1, coordinates="body")).splitlines()[0]
    free = pendulum()
    assert free.simulate(0.1, start=free.assemble(coordinates="body"), t=3.0, coordinates="body").t[0] == 3.0
    assert m.verify(0.05, t=0.02).runs["body"].t[0] == 0.02


# -- near ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_space", [False, True])
def test_rates_in_near_are_met_as_far_as_the_joints_allow(in_space):
    m = lw.gallery.four_bar()
    m = m.in_space() if in_space else m
    for name, wanted in (("A.angle.rate", 1.0), ("C.angle.rate", -2.0)):
        found = m.assemble(start={"A.angle": 1.0}, near={name: wanted}, coordinates="body")
        assert found[name] == pytest.approx(wanted, rel=1e-9)
        assert not m.evaluate(found, coordinates="body").violated
        run = m.simulate(0.0, start={"A.angle": 1.0}, near={name: wanted}, coordinates="joint")
        assert run[name][0] == pytest.approx(wanted, rel=1e-9)
    held = m.assemble(start={"A.angle": 1.0, "A.angle.rate": 3.0}, near={"A.angle.rate": 1.0}, coordinates="body")
    assert held["A.angle.rate"] == pytest.approx(3.0, rel=1e-9)
    # one freedom, two wishes: least squares, weighted by nothing
    ratio = held["D.angle.rate"] / held["A.angle.rate"]
    both = m.assemble(start={"A.angle": 1.0}, near={"A.angle.rate": 1.0, "D.angle.rate": 1.0}, coordinates="body")
    assert both["A.angle.rate"] == pytest.approx((1.0 + ratio) / (1.0 + ratio**2), rel=1e-9)
    assert "asked for 1" in str(both)


def test_rates_in_near_leave_declared_speeds_alone_where_others_can_move():
    m = lw.Mechanism("double pendulum")
    one = m.add("one", lw.bar(length=1.0, mass=1.0, angle=0.0, angular_velocity=2.0))
    two = m.add("two", lw.bar(length=1.0, mass=1.0, angle=0.5))
    m.add("A", lw.Revolute(m.ground, one.a))
    m.add("B", lw.Revolute(one.b, two.a))
    found = m.assemble(near={"B.angle.rate": 5.0}, coordinates="body")
    assert (found["A.angle.rate"], found["B.angle.rate"]) == pytest.approx((2.0, 5.0), rel=1e-9)
