"""The same motion in every set, compared; what a set cannot carry is named."""

import dataclasses

import numpy as np
import pytest
from benchmarks.problems import hanging_ladder

import linkwork as lw
from linkwork import gallery
from linkwork.analysis.entering import enter, pick
from linkwork.compiled.modes import DROPPED
from linkwork.coordinates import SETS, SETS_OF
from linkwork.coordinates.choice import CONSTANTS, choose, cost, counts, least_along_joints


def pendulum(**options):
    m = lw.Mechanism("pendulum")
    arm = m.add("arm", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, arm.a))
    for name, item in options.items():
        m.add(name, item(m))
    return m


def test_what_it_says():
    found = pendulum().verify(0.5, every=0.1, start={"A.angle": 1.0})
    text = str(found)
    assert found.agree and bool(found) and "the sets agree" in text and "body - joint" in text and "energy" in text
    assert all(one.relative <= found.tolerance for one in found.differences)
    assert found.runs["joint"]["A.angle"][0] == pytest.approx(1.0)
    assert found.runs["body"].t == pytest.approx(np.arange(6) * 0.1)


def test_efforts_are_compared():
    m = pendulum(motor=lambda m: lw.Driver(m.joints["A"].angle, lw.Polynomial(0.0, 2.0)))
    assert "effort" in {one.quantity for one in m.verify(0.2).differences}


def test_a_tolerance_that_nothing_meets():
    found = pendulum().verify(2.0, rtol=1e-5, tolerance=1e-15)
    assert not found and not found.agree and "do NOT agree" in str(found)


def test_a_set_that_is_wrong_is_found(monkeypatch):
    from linkwork.coordinates import joint
    from linkwork.kernels import layout as at

    class Heavier(joint.System):
        def __init__(self, plan, *arguments):
            super().__init__(plan, *arguments)
            self.set_numbers(at.P_GRAVITY, 1.001 * self.view(at.P_GRAVITY))

    monkeypatch.setattr(joint, "System", Heavier)
    found = pendulum().verify(0.5)
    assert not found and {one.quantity: one.where for one in found.differences}["position"].startswith("arm.")


def swinging_on_a_universal_joint():
    m = lw.Mechanism("up", dimension=3)
    m.add("rod", lw.cylinder(radius=0.01, length=1.0, mass=1.0, axis="x"))
    m.add("U", lw.Universal("ground", "rod.a"))
    return m


def welded(dimension):
    m = pendulum() if dimension == 2 else swinging_on_a_universal_joint()
    m.add(
        "tip",
        lw.Body(mass=1.0, inertia=0.01 if dimension == 2 else (0.01, 0.01, 0.01), center=(0.2, 0.0, 0.0)[:dimension]),
    )
    m.add("weld", lw.Fixed(list(m.bodies.values())[0].b, "tip"))
    return m


@pytest.mark.parametrize("mechanism", [pendulum, swinging_on_a_universal_joint])
def test_a_moment_that_is_rounding_of_the_forces_is_nothing(mechanism):
    found = mechanism().verify(1.0)
    assert found, str(found)
    assert {one.relative < 1e-8 for one in found.differences if one.quantity == "moment"} == {True}


def test_an_effort_that_is_rounding_of_the_forces_is_nothing():
    m = lw.Mechanism("balanced")
    m.add("beam", lw.Body(mass=1.0, inertia=0.1, points={"left": (-1.0, 0.0), "right": (1.0, 0.0)}))
    m.add("A", lw.Revolute("ground", "beam"))
    for side in ("left", "right"):
        m.add(side, lw.bar(length=1.0, mass=1e6))
        m.add(f"at {side}", lw.Revolute(f"beam.{side}", f"{side}.a"))
    m.add("hold", lw.Driver("A.angle", 0.0))
    found = m.verify(1.0, start={"left.angle": 0.3, "right.angle": np.pi - 0.3})
    assert found, str(found)


@pytest.mark.parametrize("wrong", [lambda moment, force: 1.001 * moment, lambda moment, force: moment + 1e-3])
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_moment_that_is_wrong_is_told(dimension, wrong, monkeypatch):
    from linkwork.result import result

    right = result.reaction

    def reaction(series, *arguments):
        found = right(series, *arguments)
        changed = wrong(found.moment, found.force) if series._segment.coordinates == "joint" else found.moment
        return dataclasses.replace(found, moment=changed)

    mechanism = welded(dimension)
    assert mechanism.verify(0.2)
    monkeypatch.setattr(result, "reaction", reaction)
    found = mechanism.verify(0.2)
    assert not found and {one.quantity for one in found.differences if one.relative > 1e-5} == {"moment"}


def test_a_moment_that_is_none_is_rounding_in_space_too():
    m = swinging_on_a_universal_joint()
    m.add("table", lw.Body(1e4, (1.0, 2.0, 3.0), position=(0.0, 5.0, 0.0)))
    found = m.verify(1.0, start=dict.fromkeys((f"{name}.rate" for name in ("U.angle", "U.tilt")), 1.0))
    assert found, str(found)
    assert {one.relative < 1e-6 for one in found.differences if one.quantity == "moment"} == {True}


def beside_a_table(mass, motor=False):
    """A tip of 5 g, welded to an arm or driven on it, beside a table that swings on its own."""
    m = lw.Mechanism("table and arm")
    m.add("table", lw.Body(mass, 10.0))
    m.add("H", lw.Revolute(m.ground, "table"))
    arm = m.add("arm", lw.bar(length=0.1, mass=0.01))
    m.add("P", lw.Revolute(m.ground.at(1.0, 0.0), arm.a))
    m.add("tip", lw.Body(0.005, 1e-5, center=(0.02, 0.0)))
    m.add("W", (lw.Revolute if motor else lw.Fixed)(arm.b, "tip"))
    if motor:
        m.add("motor", lw.Driver("W.angle", lw.Polynomial(0.0, 2.0)))
    return m


@pytest.mark.parametrize("mass", [1.0, 10.0, 100.0, 1000.0])
@pytest.mark.parametrize("factor", [1.01, 1.1, 2.0, -1.0])
@pytest.mark.parametrize("quantity", ["force", "moment", "effort"])
def test_what_is_wrong_at_something_light_is_told_beside_something_heavy(quantity, factor, mass, monkeypatch):
    from linkwork.result import result

    mechanism = beside_a_table(mass, quantity == "effort")
    assert mechanism.verify(0.2)
    if quantity == "effort":
        right, read = lw.Result.__getitem__, "motor.effort"

        def item(run, name):
            return right(run, name) * (factor if name == read and run.coordinates == "joint" else 1.0)

        monkeypatch.setattr(lw.Result, "__getitem__", item)
    else:
        of_joint, read = result.reaction, "W"

        def reaction(series, lam, segments, name, *arguments):
            found = of_joint(series, lam, segments, name, *arguments)
            wrong = series._segment.coordinates == "joint" and name == read
            return dataclasses.replace(found, **{quantity: getattr(found, quantity) * (factor if wrong else 1.0)})

        monkeypatch.setattr(result, "reaction", reaction)
    found = mechanism.verify(0.2)
    wrong = {(one.quantity, one.where) for one in found.differences if one.relative > found.tolerance}
    assert not found and wrong == {(quantity, read)}


def test_one_set_alone_is_refused():
    with pytest.raises(lw.errors.ArgumentError, match="no argument 'coordinates'"):
        pendulum().verify(0.1, coordinates="body")


def bare():
    """A link without mass between two arms, which joint coordinates cannot carry."""
    m = lw.Mechanism("massless coupler")
    left, right = (m.add(name, lw.bar(length=1.0, mass=1.0, position=(x, 0.5), angle=np.pi / 2))
                   for name, x in (("left", 0.0), ("right", 1.0)))  # fmt: skip
    bridge = m.add("bridge", lw.Body(0.0, 0.0, position=(0.5, 1.0), angle=0.0))
    m.add("A", lw.Revolute(m.ground, left.a))
    m.add("D", lw.Revolute(m.ground.at(1.0, 0.0), right.a))
    m.add("B", lw.Revolute(left.b, bridge.at(-0.5)))
    m.add("C", lw.Revolute(bridge.at(0.5), right.b))
    return m


def test_a_set_that_cannot_carry_it_is_named():
    found = bare().verify(0.1)
    assert list(found.runs) == ["body", "point"] and list(found.left_out) == ["joint"]
    assert "inertia" in found.left_out["joint"] and "left out" in str(found)
    assert found  # the other two agree


def test_a_set_whose_run_fails_is_reported(monkeypatch):
    """An error of one set is part of the answer."""
    from linkwork.analysis import verify as module

    def failing(model, *arguments, coordinates, **options):
        if coordinates != "body":
            raise lw.errors.SingularConfigurationError("it ends here")
        return lw.simulate(model, *arguments, coordinates=coordinates, **options)

    monkeypatch.setattr(module, "simulate", failing)
    found = pendulum().verify(0.1)
    assert not found and list(found.runs) == ["body"] and list(found.failed) == ["joint", "point"]
    assert "joint    failed: it ends here" in str(found) and "no two runs" in str(found)


def test_a_mechanism_that_no_set_can_carry_on_is_reported():
    """A driver asks for more than the bars can reach."""
    m = lw.Mechanism("out of reach")
    one, two = (m.add(name, lw.bar(length=1.0, mass=1.0)) for name in ("one", "two"))
    m.add("A", lw.Revolute(m.ground, one.a))
    m.add("B", lw.Revolute(one.b, two.a))
    m.add("C", lw.PinInSlot(m.ground, two.b))
    m.add("pull", lw.Driver(m.joints["C"].slide, lw.Polynomial(1.5, 1.0)))
    found = m.verify(1.0, near={"A.angle": 0.7, "B.angle": -1.4})
    assert not found and set(found.failed) == set(SETS_OF[2]) and not found.runs
    assert all(error.result.t[-1] == pytest.approx(0.5, abs=0.02) for error in found.failed.values())


# -- the choice ---------------------------------------------------------------------------------------------

#: what `auto` takes where it does not take points: for trees, small loops and all of space
TAKEN = ("body", "joint")


@pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "n_four_bar", "spatial_chain", "planetary_gear"])
def test_auto_takes_the_set_that_costs_less(name):
    m = gallery.get(name)
    model = m.compile(coordinates="body")
    costs = {one: cost(model.plan(one)) for one in TAKEN}
    assert choose(model) == min(reversed(TAKEN), key=costs.get)
    run = m.simulate(0.01, coordinates="auto")
    assert run.coordinates == choose(model)


def test_auto_takes_points_for_pinned_loops_and_never_in_space():
    m = hanging_ladder(12)
    assert choose(m.compile()) == "point" and choose(hanging_ladder(1).compile()) == "joint"
    assert choose(m.in_space().compile()) in TAKEN
    runs = {one: m.simulate(0.2, every=0.05, coordinates=one, rtol=1e-10) for one in ("auto", "body")}
    assert runs["auto"].coordinates == "point"
    for name in ("rung11.x", "rung11.angle", "hook.reaction.y"):
        np.testing.assert_allclose(runs["auto"][name], runs["body"][name], atol=1e-6)


def crank_and_rocker(coupler, rocker):
    """Four bars between pivots 0.5 m apart, the crank 0.3 m."""
    m = lw.Mechanism("four bars")
    crank, rod = m.add("crank", lw.bar(0.3, 1.0)), m.add("rod", lw.bar(coupler, 1.0))
    other = m.add("rocker", lw.bar(rocker, 1.0))
    m.add("A", lw.Revolute(m.ground, crank.a))
    m.add("B", lw.Revolute(crank.b, rod.a))
    m.add("C", lw.Revolute(rod.b, other.b))
    m.add("D", lw.Revolute(m.ground.at(0.5, 0), other.a))
    return m


def test_auto_knows_where_angles_go_straight():
    """Where a coupler only shifts, or a wheel spins, runs in points take up to twice the evaluations."""
    straight = lambda m: m.compile(coordinates="point").plan("point").layout.goes_straight
    assert choose(gallery.andrews().compile()) == "point" and straight(gallery.andrews()) == ""
    assert straight(crank_and_rocker(0.5, 0.3)) == "parallelogram" and straight(crank_and_rocker(0.55, 0.35)) == ""
    assert straight(gallery.n_four_bar(3)) == "parallelogram" and straight(gallery.planetary_gear()) == "angles"
    counts = {}
    for name, m in (("even", crank_and_rocker(0.5, 0.3)), ("uneven", crank_and_rocker(0.55, 0.35))):
        start = m.assemble(start={"A.angle": 1.0}, near={"D.angle": 1.0}, coordinates="body").state
        runs = [m.simulate(3.0, start=start, coordinates=one, rtol=1e-8, method="dop853") for one in ("point", "joint")]
        counts[name] = runs[0].statistics.evaluations / runs[1].statistics.evaluations
    assert counts["even"] > 1.2 > counts["uneven"]


def test_auto_leaves_light_and_massless_bodies_to_those_who_can():
    for mass in (0.0, 1e-12):
        m = hanging_ladder(12).with_numbers({"left3.mass": mass})
        auto, body = (m.simulate(0.1, every=0.05, coordinates=one, rtol=1e-10) for one in ("auto", "body"))
        np.testing.assert_allclose(auto["rung11.x"], body["rung11.x"], atol=1e-6)


def test_costs_are_the_counts_by_their_constants():
    model = gallery.get("four_bar").compile(coordinates="body")
    body, joint = counts(model.plan("body")), counts(model.plan("joint"))
    assert body[:2] == (1, 3) and joint[:2] == (1, 3)
    assert body[3] > 0 and joint[5] < body[5]
    assert cost(model.plan("joint")) == pytest.approx(np.dot(CONSTANTS[2, "joint"], joint))


@pytest.mark.parametrize(
    "mechanism", [*map(gallery.get, gallery.names()), hanging_ladder(12), hanging_ladder(3).in_space()]
)
def test_the_graph_never_says_more_than_the_tables_of_joint_coordinates(mechanism):
    model = mechanism.compile()
    exact = cost(model.plan("joint"))
    assert 0.3 * exact < least_along_joints(model) <= exact * (1.0 + 1e-12)


def test_tables_of_joint_coordinates_are_not_written_where_the_graph_leaves_them_no_chance():
    model = hanging_ladder(80).compile()
    assert choose(model) in ("body", "point")
    assert {coordinates for coordinates, _ in model._plans} == {"body", "point"}
    costs = {one: cost(model.plan(one)) for one in ("body", "joint")}
    assert costs["joint"] > 2.0 * costs["body"]


def test_the_choice_stays_with_the_state():
    state = bare().assemble(coordinates="body").state
    assert pick(state.model, "auto", state) == "body" == state.entered["auto"]
    assert pick(state.model, "joint", state) == "joint"


def test_entering_twice_gives_the_same_state_and_a_fresh_workspace():
    m = gallery.get("four_bar")
    state = m.assemble(coordinates="body").state
    (one, y, pivot), (two, z, again) = (enter(state.model, "joint", state) for _ in range(2))
    assert np.array_equal(y, z) and y is not z and one.w is not two.w and pivot == again > 0.0


def test_redundant_rows_are_dropped_by_the_set():
    """Three cranks under a plate: each set drops as many rows as are redundant, from those that it has.

    Those of points are no rows of joints but lengths of their own.
    """
    m = lw.Mechanism("parallelogram")
    plate = m.add("plate", lw.Body(5.0, 2.0, position=(0.5, 1.0), angle=0.0))
    for k in range(3):
        crank = m.add(f"crank{k}", lw.bar(length=1.0, mass=1.0, position=(k / 2, 0.5), angle=np.pi / 2))
        m.add(f"A{k}", lw.Revolute(m.ground.at(k / 2, 0), crank.a))
        m.add(f"B{k}", lw.Revolute(crank.b, plate.at(k / 2 - 0.5, 0)))
    state = m.assemble(coordinates="body").state
    for name in SETS:
        system, _, _ = enter(state.model, name, state)
        assert int((system.held == 0.0).sum()) == 1
        assert int((system.modes == DROPPED).sum()) == (0 if name == "point" else 1)


def test_check_prints_the_tree_and_what_is_cut():
    report = gallery.get("four_bar").check(coordinates="joint")
    assert set(report.tree) | set(report.cut) == {"A", "B", "C", "D"} and len(report.cut) == 1
    line = next(line for line in str(report).splitlines() if "joint coordinates" in line)
    assert "tree " + ", ".join(report.tree) in line and f"closed by {report.cut[0]}" in line
    m = lw.Mechanism("stone")
    m.add("stone", lw.Body(1.0, 1.0))
    assert "tree without joints; floating stone" in str(m.check(coordinates="body"))
