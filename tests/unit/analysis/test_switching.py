"""Joints released and held again in motion: flight, plastic impact, loops opened, redundant twins let go."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.switching import switch
from linkwork.compiled.modes import ABSORBED, DROPPED, FREE, HELD
from linkwork.coordinates import SETS
from linkwork.errors import AssemblyError, CompileError, DescriptionError, UnknownNameError

L, MASS, G = 1.0, 2.0, 9.81
SPIN = math.sqrt(2 * math.pi * G / L)  # of a level bar: flies up, turns once, and has its end at the pin again
FLIGHT = SPIN * L / G


def bar(dimension, length, mass):
    """A thin bar between its points a and b; in space it has some inertia about its line, too."""
    if dimension == 2:
        return lw.bar(length=length, mass=mass)
    inertia = mass * length**2 / 12
    ends = {"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0), "middle": (0, 0, 0)}
    return lw.Body(mass, (0.1 * inertia, inertia, inertia), points=ends)


def pendulum(dimension=2):
    """A bar that hangs in a pin; in space the pin is that of the plane."""
    m = lw.Mechanism("thrown", dimension=dimension, gravity=(0, -G) if dimension == 2 else (0, -G, 0))
    one = m.add("bar", bar(dimension, L, MASS))
    m.add("A", lw.Revolute(m.ground.at(*[0.0] * dimension), one.a))
    return m


def thrown(dimension, coordinates, **options):
    """Swing up to the level, fly, and swing on: the three runs."""
    m = pendulum(dimension)
    angle = -0.7
    rate = math.sqrt(SPIN**2 - 3 * G / L * math.sin(angle))  # energy of the pendulum
    low = m.assemble(start={"A.angle": angle, "A.angle.rate": rate}, coordinates="body").state
    until = swing_time(angle, rate)
    swing = m.simulate(until, every=until / 20, start=low, coordinates=coordinates, **options)
    loose = switch(swing.final, release="A")
    fly = m.simulate(FLIGHT, every=FLIGHT / 40, start=loose.state, coordinates=coordinates, **options)
    caught = switch(fly.final, hold="A")
    more = m.simulate(0.6, every=0.02, start=caught.state, coordinates=coordinates, **options)
    return swing, loose, fly, caught, more


def swing_time(angle, rate):
    """How long a pendulum of a bar takes from an angle to the level, by quadrature of its energy integral."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    at = 0.5 * angle * (1 - nodes)
    speed = np.sqrt(rate**2 + 3 * G / L * (math.sin(angle) - np.sin(at)))
    return float(-0.5 * angle * (weights / speed).sum())


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_released_pendulum_flies_and_is_caught(dimension, coordinates):
    swing, loose, fly, caught, more = thrown(dimension, coordinates, rtol=1e-10)
    assert swing["A.angle"][-1] == pytest.approx(0.0, abs=1e-8)
    assert swing["A.angle.rate"][-1] == pytest.approx(SPIN, rel=1e-8)
    # released: nothing jumps
    assert np.array_equal(loose.state.y, swing.final.y) and loose.energy_lost == 0.0 and not loose.impulses.any()
    # a parabola, and a turn at constant speed
    t = fly.t - fly.t[0]
    for name, wanted in (
        ("bar.x", 0.5 * L + 0 * t),
        ("bar.y", 0.5 * L * SPIN * t - 0.5 * G * t**2),
        ("A.angle", SPIN * t),
        ("A.reaction.y", 0 * t),
        ("bar.y.acceleration", -G + 0 * t),
    ):
        np.testing.assert_allclose(fly[name], wanted, atol=2e-8, err_msg=name)
    assert fly.violation.max() == 0.0
    # caught: moment of momentum about the pin is kept, J_pin w+ = J_centre w - m v L / 2 = -J_pin w / 2
    before = MASS * L**2 / 3 * SPIN**2 / 2
    assert caught.state["A.angle.rate"] == pytest.approx(-0.5 * SPIN, rel=1e-7)
    assert caught.energy_lost == pytest.approx(0.75 * before, rel=1e-7)
    force = dict(zip([row.name for row in fly.model.rows], caught.impulses))
    # m (v+ - v-) of the centre, all of it by the pin: from -w L / 2 to -w L / 4
    assert force["A.y"] == pytest.approx(MASS * L * SPIN / 4, rel=1e-7)
    assert force["A.x"] == pytest.approx(0.0, abs=1e-7)
    # and swings on as one that is started like that
    other = pendulum(dimension).simulate(
        0.6, every=0.02, start={"A.angle": 0.0, "A.angle.rate": -0.5 * SPIN}, coordinates=coordinates, rtol=1e-10
    )
    np.testing.assert_allclose(more["bar.y"], other["bar.y"], atol=1e-7)
    np.testing.assert_allclose(more["A.reaction"], other["A.reaction"], atol=1e-5)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_the_result_reads_through_both_borders(dimension, coordinates):
    swing, _, fly, caught, more = thrown(dimension, coordinates)
    run = swing + fly + more
    assert np.all(np.diff(run.t) > 0.0)
    assert len(run.t) == len(swing.t) + len(fly.t) + len(more.t) - 2
    names = [*run.names, "bar.y.rate", "bar.y.acceleration", "A.angle.rate", "bar", "A.reaction"]
    for name in names:
        if not name.startswith(("energy", "bar.cardan")):  # counted from the start of the run
            parts = np.concatenate([swing[name][:-1], fly[name][:-1], more[name]])
            np.testing.assert_array_equal(run[name], parts, err_msg=name)
    if dimension == 3:  # these go on over full turns in one run
        np.testing.assert_allclose(run["bar.cardan.z"], run["A.angle"], atol=1e-9)
    # angles count on through both
    assert run["A.angle"][-len(more.t)] == pytest.approx(2 * math.pi, abs=1e-6)
    # the ledger closes, with the loss as an entry
    lost = caught.energy_lost
    assert run["energy.lost"][0] == 0.0 and run["energy.lost"][-1] == pytest.approx(lost)
    assert np.abs(run.energy.balance).max() < 1e-6
    assert run.energy.total[0] - run.energy.total[-1] == pytest.approx(lost, abs=1e-6)
    # events beside the grid
    released, held = run.events
    assert released.done == ("release A",) and held.done == ("hold A", "velocities jump")
    assert released.t == swing.t[-1] and held.t == fly.t[-1]
    assert held.before["A.angle.rate"] == pytest.approx(SPIN) and held.after["A.angle.rate"] == pytest.approx(-SPIN / 2)
    assert held.before["bar.y"] == pytest.approx(held.after["bar.y"], abs=1e-9)
    assert held.impulses["A.y"] == pytest.approx(MASS * L * SPIN / 4)
    assert held.energy_lost == pytest.approx(lost) and released.energy_lost == 0.0
    assert "hold A" in str(run.events) and "hold A" in str(run)
    # the grid has the state after; `at` finds both sides of a border
    assert run.at(held.t)["A.angle.rate"] == pytest.approx(-SPIN / 2)
    between = run.at(held.t - 1e-3)
    assert between["A.angle.rate"] == pytest.approx(SPIN) and between.modes[0] == FREE
    assert run.state(len(swing.t) - 1).modes[0] == FREE and run.state(len(swing.t) - 2).modes[0] == HELD
    assert run.final["bar.y"] == more.final["bar.y"]


def test_modes_of_the_segments_and_their_plans():
    run = pendulum().simulate(0.1, coordinates="joint")
    fly = pendulum().simulate(0.1, start=switch(run.final, release="A").state, coordinates="joint")
    assert set(run.segments[0].modes) == {ABSORBED} and set(fly.segments[0].modes) == {FREE}
    assert set(run.final.modes) == {HELD} and set(fly.final.modes) == {FREE}
    held, flying = run.segments[0].plan, fly.segments[0].plan
    assert (held.n_v, flying.n_v) == (1, 3) and flying.layout.tree.floating == ("bar",) and len(flying.rows) == 0
    body = fly.final.system().plan
    assert len(body.rows) == 0  # not even in body coordinates does a released row cost anything
    assert fly.final.system().plan is body  # cached by the rows that are free
    assert "A.angle" in fly and fly["A.moment"].max() == 0.0


# -- against a mechanism that was described without the joint ----------------------------------------------------------


def four_bar(dimension, without=(), twins=()):
    """A four-bar that is pulled out of its plane in space, with further pins on the same axes as others."""
    m = lw.Mechanism("four-bar", dimension=dimension, gravity=(0, -G) if dimension == 2 else (2.0, -3.0, -8.0))

    def spot(x, y):
        return m.ground.at(x, y) if dimension == 2 else m.ground.at(x, y, 0.0)

    crank, coupler, rocker = (
        m.add(name, bar(dimension, length, mass))
        for name, length, mass in (("crank", 1.0, 1.0), ("coupler", 3.0, 2.0), ("rocker", 2.5, 1.5))
    )
    joints = {
        "A": (spot(0, 0), crank.a),
        "B": (crank.b, coupler.a),
        "C": (coupler.b, rocker.b),
        "D": (spot(3.2, 0), rocker.a),
    }
    for name in (*joints, *twins):
        if name not in without:
            m.add(name, lw.Revolute(*joints[name[0]]))
    m.add("spring", lw.SpringDamper(spot(0, 3), coupler.middle, stiffness=20.0, damping=0.4, rest_length=1.0))
    return m


NAMES = ("crank.x", "coupler.y", "rocker.x", "rocker.y.rate", "coupler.y.acceleration", "B.reaction.y")


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("joint", ["A", "B", "C", "D"])
def test_a_loop_is_opened(dimension, coordinates, joint):
    """Release one joint of a loop: as a mechanism that never had it, from the same state."""
    m = four_bar(dimension)
    near = {"coupler.angle": 0.3} if dimension == 2 else {}
    run = m.simulate(0.3, start={"A.angle": 1.0, "A.angle.rate": 2.0}, near=near, coordinates=coordinates)
    loose = switch(run.final, release=joint).state
    more = m.simulate(0.4, every=0.05, start=loose, coordinates=coordinates, rtol=1e-10)
    bare = four_bar(dimension, without=(joint,))
    other = bare.simulate(0.4, every=0.05, start=run.final, coordinates=coordinates, rtol=1e-10)
    for name in NAMES:
        if not name.startswith(joint):
            np.testing.assert_allclose(more[name], other[name], atol=2e-7, err_msg=name)
    assert np.abs(more[f"{joint}.reaction"]).max() == 0.0
    assert np.abs((run + more).energy.balance).max() < 1e-5
    assert (run + more).events[0].done == (f"release {joint}",)
    # evaluated, released as described without it
    one, two = m.evaluate(loose, coordinates=coordinates), bare.evaluate(run.final, coordinates=coordinates)
    np.testing.assert_allclose(one.accelerations, two.accelerations, rtol=1e-9, atol=1e-9)
    assert not one.violated


@pytest.mark.parametrize("coordinates", SETS)
def test_closed_again_somewhere_else_it_is_refused(coordinates):
    m = four_bar(2)
    run = m.simulate(0.1, start={"A.angle": 1.0}, near={"coupler.angle": 0.3}, coordinates=coordinates)
    loose = m.simulate(0.3, start=switch(run.final, release="C").state, coordinates=coordinates)
    with pytest.raises(AssemblyError, match=r"is open: .*C\.x"):
        switch(loose.final, hold="C")


@pytest.mark.parametrize("coordinates", SETS)
def test_closed_again_at_once_nothing_jumps(coordinates):
    m = four_bar(2)
    run = m.simulate(0.1, start={"A.angle": 1.0}, near={"coupler.angle": 0.3}, coordinates=coordinates)
    back = switch(switch(run.final, release="C").state, hold="C")
    np.testing.assert_allclose(back.state.y, run.final.y, atol=1e-12)
    assert abs(back.energy_lost) < 1e-12
    whole = run + m.simulate(0.1, start=back.state, coordinates=coordinates)
    assert len(whole.events) == 0 and len(whole.segments) == 2


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("twin", ["C", "C2"])
def test_the_twin_of_a_redundant_joint_is_released(twin, coordinates):
    """Two pins on one axis: whichever goes, the other one holds, and what is redundant is chosen anew.

    In points both pins are one point and one axis, and no row of a joint is left to be redundant.
    """
    m = four_bar(3, twins=("C2",))
    run = m.simulate(0.2, start={"A.angle": 1.0, "A.angle.rate": 2.0}, coordinates=coordinates)
    state = run.final
    before = int((state.modes == DROPPED).sum())
    loose = switch(state, release=twin).state
    after = int((loose.modes == DROPPED).sum())
    all_rows = coordinates != "point"
    if all_rows:  # five rows of the twin, three of a planar loop in space
        assert before == 8 and after == 3
    assert np.all(loose.modes[m.compile().rows_of[twin]] == FREE)
    left = ({"C", "C2"} - {twin}).pop()
    assert np.any(loose.modes[m.compile().rows_of[left]] == HELD)
    more = m.simulate(0.3, every=0.1, start=loose, coordinates=coordinates, rtol=1e-10)
    other = four_bar(3).simulate(0.3, every=0.1, start=state, coordinates=coordinates, rtol=1e-10)
    for name in ("crank.x", "coupler.y", "rocker.z", "coupler.y.acceleration"):
        np.testing.assert_allclose(more[name], other[name], atol=2e-7, err_msg=name)
    np.testing.assert_allclose(more[f"{left}.reaction"], other["C.reaction"], atol=1e-5)
    # together they share the force, alone it is all of one: the marks of the joined result say so
    whole = run + more
    assert not whole.reaction(left).unique
    back = switch(more.final, hold=twin)
    assert abs(back.energy_lost) < 1e-9 and (not all_rows or int((back.state.modes == DROPPED).sum()) == 8)
    np.testing.assert_allclose(back.impulses, 0.0, atol=1e-7)


def test_a_row_of_a_joint_alone():
    """A pin that lets go along x holds along y: the pendulum's end slides."""
    m = pendulum()
    state = m.assemble(start={"A.angle": -0.8}, coordinates="body").state
    more = {one: m.simulate(0.5, start=switch(state, release="A.x").state, coordinates=one) for one in SETS}
    for run in more.values():
        assert np.abs(run["bar.a.y"]).max() < 1e-9 and abs(run["bar.a.x"][-1]) > 1e-2
        assert np.abs(run["system.momentum.x"]).max() < 1e-8
        assert run.segments[0].modes.tolist() == [FREE, HELD]
    np.testing.assert_allclose(more["body"]["bar.angle"], more["joint"]["bar.angle"], atol=1e-7)
    done = (m.simulate(0.0, start=state, coordinates="body") + more["body"]).events[0].done
    assert done == ("release A.x",)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_driver_is_let_go_and_taken_up(coordinates):
    """Its work in the jump is its own, what is lost beyond that is told, and the work of others keeps its place."""
    m = pendulum()
    m.add("brake", lw.TorsionSpringDamper(m.ground.at(0, 0), m.bodies["bar"].at(0, 0), damping=0.3))
    m.add("motor", lw.Driver("A.angle", lw.Polynomial(0.2, 3.0)))
    run = m.simulate(0.2, coordinates=coordinates, rtol=1e-10)
    free = m.simulate(0.3, start=switch(run.final, release="motor").state, coordinates=coordinates, rtol=1e-10)
    assert abs(free["A.angle.rate"][-1] - 3.0) > 0.1 and np.abs(free["motor.effort"]).max() == 0.0
    assert np.ptp(free.energy.work["motor"]) == 0.0 and free.energy.dissipated[-1] > 0.0
    with pytest.raises(AssemblyError, match="motor"):  # it has run away
        switch(free.final, hold="motor")
    # a motor that starts from where the bar is; what was free by name is free in the changed mechanism, too
    m.replace("motor", lw.Driver("A.angle", lw.Polynomial(0.0, 3.0), from_assembled=True))
    free = m.simulate(0.05, start=free.final, coordinates=coordinates, rtol=1e-10)
    state, angle, rate = free.final, free["A.angle"][-1], free["A.angle.rate"][-1]
    assert len(state.free) == 1
    back = switch(state, hold="motor")
    inertia = MASS * L**2 / 3
    assert back.state["A.angle"] == pytest.approx(angle) and back.state["A.angle.rate"] == pytest.approx(3.0)
    assert back.energy_lost == pytest.approx(0.5 * inertia * (3.0 - rate) ** 2)
    row = [row.name for row in m.compile().rows].index("motor")
    assert back.impulses[row] == pytest.approx(inertia * (3.0 - rate))
    more = m.simulate(0.2, start=back.state, coordinates=coordinates, rtol=1e-10)
    whole = free + more
    assert np.abs(whole.energy.balance).max() < 1e-6
    assert whole["energy.supplied"][-1] != 0.0 and whole["energy.lost"][-1] == pytest.approx(back.energy_lost)


@pytest.mark.parametrize("seed", range(6))
def test_impulses_are_those_of_the_dense_equations(seed):
    """[M, -J'; J, 0] [dv; L] = [0; -J v] over all rows, solved densely by the pseudo-inverse."""
    rng = np.random.default_rng(seed)
    dimension = 2 + seed % 2
    m = four_bar(dimension)
    state = m.simulate(
        0.1, start={"A.angle": 1.0}, near={"coupler.angle": 0.3} if dimension == 2 else {}, coordinates="body"
    ).final
    loose = switch(state, release="C").state
    model = m.compile()
    y = loose.y.copy()
    y[model.n_q : model.n_q + model.n_v] = rng.normal(size=model.n_v)
    start = m.assemble(
        start=type(loose)(**{**_fields(loose), "y": y}), coordinates="body"
    ).state  # on the rows that are left
    back = switch(start, hold="C")
    ev = m.evaluate(start, coordinates="body")
    J, M, v = ev.jacobian, ev.mass_matrix, ev.velocities
    impulses = np.linalg.pinv(J @ np.linalg.solve(M, J.T), rcond=1e-9) @ (-J @ v)
    dv = np.linalg.solve(M, J.T @ impulses)
    after = m.evaluate(back.state, coordinates="body").velocities
    np.testing.assert_allclose(after, v + dv, atol=1e-9)
    np.testing.assert_allclose(J.T @ back.impulses, J.T @ impulses, atol=1e-9)
    assert back.energy_lost == pytest.approx(0.5 * dv @ M @ dv)


def _fields(state):
    return {
        key: getattr(state, key) for key in ("t", "y", "memory", "modes", "values", "pivot", "dependencies", "model")
    }


# -- wrong use ---------------------------------------------------------------------------------------------------------


def test_wrong_use_is_answered():
    m = pendulum()
    state = m.assemble(coordinates="body").state
    with pytest.raises(UnknownNameError, match="no joint or driver 'B'"):
        switch(state, release="B")
    with pytest.raises(DescriptionError, match="'A' cannot be held: it is held already"):
        switch(state, hold="A")
    loose = switch(state, release=["A"]).state
    with pytest.raises(DescriptionError, match="'A' cannot be released: it is free already"):
        switch(loose, release="A")


def test_what_would_move_without_inertia_is_refused():
    """A massless rod that one pin lets go would hang in the other one: as in an assembly, and by `start=` too."""
    m = four_bar(2)
    m.replace("coupler", lw.Body(0.0, 0.0, points={"a": (-1.5, 0), "b": (1.5, 0), "middle": (0, 0)}))
    state = m.assemble(start={"A.angle": 1.0}, near={"coupler.angle": 0.3}, coordinates="body").state
    with pytest.raises(CompileError, match=r"can move without any inertia: coupler\.angle"):
        switch(state, release="C")
    m.replace("C", lw.Revolute("coupler.b", "rocker.b", active=False))
    for coordinates in SETS:
        with pytest.raises(CompileError, match=r"can move without any inertia: coupler\.angle"):
            m.simulate(0.1, start=state, coordinates=coordinates)


def test_a_prepared_run_goes_on_with_other_rows():
    m = pendulum()
    state = m.assemble(start={"A.angle": 0.4}, coordinates="body").state
    ready = m.prepare(0.2, start=state, coordinates="joint")
    held, fly, again = ready(), ready(switch(state, release="A").state), ready(state)
    assert fly["bar.y.acceleration"] == pytest.approx(-G) and held["bar.y"][-1] != fly["bar.y"][-1]
    np.testing.assert_array_equal(held["bar.y"], again["bar.y"])


@pytest.mark.parametrize("coordinates", SETS)
def test_many_locks_and_releases(coordinates):
    """The pin of a free double bar locks and opens: momenta are kept, and the ledger closes over all events."""
    m = lw.Mechanism("free", dimension=2, gravity=None)
    one, other = (m.add(name, lw.bar(length=L, mass=MASS, position=at)) for name, at in (("p", (0, 0)), ("q", (1, 0))))
    m.add("B", lw.Revolute(one.b, other.a))
    m.add("lock", lw.Driver("B.angle", lw.Polynomial(0.0), from_assembled=True))
    locked = m.assemble(coordinates="body").state
    start = {"p.angle.rate": 3.0, "q.angle.rate": -2.0, "p.x.rate": 0.4}
    m.replace("lock", lw.Driver("B.angle", lw.Polynomial(0.0), from_assembled=True, active=False))
    moving = m.assemble(start=start, coordinates="body").state
    m.replace("lock", lw.Driver("B.angle", lw.Polynomial(0.0), from_assembled=True))
    state = switch(locked, release="lock").state
    state = type(state)(**{**_fields(state), "y": np.append(moving.y, 0.0), "model": m.compile()})
    whole = None
    for k in range(60):
        run = m.simulate(0.01, start=state, coordinates=coordinates, rtol=1e-10)
        whole = run if whole is None else whole + run
        change = {"hold" if k % 2 == 0 else "release": "lock"}
        state = switch(run.final, **change).state
    assert len(whole.events) == 59 and whole.events[0].done[0] == "hold lock"
    for name in ("system.momentum.x", "system.momentum.y", "system.angular_momentum"):
        np.testing.assert_allclose(whole[name], whole[name][0], atol=1e-9, err_msg=name)
    assert np.abs(whole.energy.balance).max() < 1e-9 and whole.energy.lost[-1] > 1.0
    assert np.all(np.diff(whole.energy.lost) >= -1e-12)
