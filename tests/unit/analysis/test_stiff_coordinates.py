"""Stiff runs whose coordinates are left open go along joints where that takes rows away; others say they are slow."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.numbering import model_of
from linkwork.coordinates import SETS
from linkwork.coordinates.choice import choose

pytestmark = pytest.mark.filterwarnings("ignore::linkwork.errors.RunQualityWarning")


def tower(floors, stiffness=1e6, damping=1e3):
    """Four-bars on top of each other, each held by a torsion spring: so many pinned loops are run in points."""
    m = lw.Mechanism("tower")
    feet, below = (np.zeros(2), np.array([1.0, 0.0])), m.ground
    places = m.ground.at(0, 0), m.ground.at(1, 0)

    def bar(name, a, b):
        way = b - a
        angle = math.atan2(way[1], way[0])
        return m.add(name, lw.bar(length=math.hypot(*way), mass=1.0, position=tuple((a + b) / 2), angle=angle))

    for k in range(floors):
        heads = feet[0] + [0.1, 0.5], feet[1] + [0.05, 0.62]
        left, right = bar(f"left{k}", feet[0], heads[0]), bar(f"right{k}", feet[1], heads[1])
        top = bar(f"top{k}", *heads)
        for name, on, to in (("A", places[0], left.a), ("B", places[1], right.a)):
            m.add(f"{name}{k}", lw.Revolute(on, to))
        for name, on, to in (("C", left.b, top.a), ("D", right.b, top.b)):
            m.add(f"{name}{k}", lw.Revolute(on, to))
        rest = math.atan2(0.5, 0.1) - math.atan2(*(feet[1] - feet[0])[::-1])
        m.add(f"S{k}", lw.TorsionSpringDamper(below, left, stiffness=stiffness, damping=damping, rest_angle=rest))
        feet, places, below = heads, (top.a, top.b), top
    return m


def test_a_run_that_turns_stiff_begins_anew_along_joints():
    m = tower(8)
    assert choose(model_of(m)) == "point"
    run = m.simulate(0.5, every=0.1, rtol=1e-5, coordinates="auto")
    assert run.coordinates == "joint"
    (change,) = run.manifest["methods"]
    assert "; begun anew in joint coordinates, because it was stiff in point coordinates from t = " in change
    assert change in str(run)
    joint = m.simulate(0.5, every=0.1, rtol=1e-5, coordinates="joint")
    assert np.array_equal(run["top7.y"], joint["top7.y"])
    body = m.simulate(0.5, every=0.1, rtol=1e-9, coordinates="body")
    assert np.abs(run["top7.y"] - body["top7.y"]).max() < 1e-5


def test_what_is_asked_for_stays():
    m = tower(8)
    assert m.simulate(0.2, every=0.1, rtol=1e-4, coordinates="point").coordinates == "point"
    assert tower(8, 10.0, 1.0).simulate(0.1, every=0.1, rtol=1e-6, coordinates="auto").coordinates == "point"
    assert m.simulate(0.05, method="radau", rtol=1e-4, coordinates="auto").coordinates == "joint"


def test_what_cannot_begin_anew_says_that_it_stays(tmp_path):
    m = tower(8)
    options = dict(every=0.1, rtol=1e-4)
    told = "; stays in point coordinates, which cost more there: "
    assert told + "its outputs are in a folder" in str(
        m.simulate(0.1, store=tmp_path / "run", coordinates="auto", **options)
    )
    m.add("late", lw.Event("time", 0.08, then=lw.Release("A7")))
    assert told + "its events act" in str(m.simulate(0.1, coordinates="auto", **options))


def hinge(rail):
    m = lw.Mechanism("hinge", dimension=3)
    box = m.add("box", lw.box(1.0, 0.1, 0.1, mass=1.0, position=(0.5, 0, 0)))
    if rail:
        m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 1, 0)), box.at(-0.5, 0, 0, axis=(0, 1, 0))))
        m.add("spring", lw.TorsionSpringDamper(m["A"].on, m["A"].to, stiffness=1e7, damping=1e4))
    else:
        m.add("soft", lw.Bushing(m.ground.at(0, 0, 0), box.at(-0.5, 0, 0), stiffness=(1e7,) * 6, damping=(1e4,) * 6))
    return m


@pytest.mark.parametrize("method", ["auto", "radau"])
def test_stiff_runs_of_bodies_that_are_held_in_space_say_that_they_are_slow(method):
    told = "stiff in body coordinates in space: right, not fast"
    for name in SETS:
        run = hinge(True).simulate(1.0, every=0.5, rtol=1e-4, method=method, coordinates=name)
        assert (told.replace("body", name) in str(run)) == (name != "joint"), name
    assert told not in str(hinge(True).simulate(1.0, every=0.5, rtol=1e-4, method=method, coordinates="auto"))
    free = hinge(False).simulate(1.0, every=0.5, rtol=1e-4, method=method, coordinates="auto")
    assert free.coordinates == "body" and told not in str(free)  # no rows: joints would take nothing away
    calm = lw.gallery.get("spatial_chain").simulate(0.05, coordinates="body")
    assert told not in str(calm)


def test_a_method_of_soft_rows_finds_coordinates_that_allow_it():
    m = lw.Mechanism("arm")
    before = m.ground.at(0, 0)
    for k in range(3):
        bar = m.add(f"bar{k}", lw.bar(length=1.0, mass=1.0, position=(k + 0.5, 0), angle=0))
        m.add(f"J{k}", lw.Revolute(before, bar.a))
        before = bar.b
    m.add("tie", lw.SpringDamper(m.ground.at(1, 2), before, stiffness=1e6, damping=1e4, rest_length=2.0))
    soft = m.simulate(0.5, every=0.25, rtol=1e-6, method="radau_soft", coordinates="auto")
    assert soft.coordinates == "body"  # across three freedoms of joints nothing is soft
    with pytest.raises(lw.errors.DescriptionError, match="force 'tie' acts between bodies that more than one freedom"):
        m.simulate(0.5, method="radau_soft", coordinates="joint")
    known = m.simulate(0.5, every=0.25, rtol=1e-9, method="radau", coordinates="joint")
    assert np.abs(soft["bar2.y"] - known["bar2.y"]).max() < 1e-4
    assert m.simulate(0.1, rtol=1e-6, coordinates="auto").coordinates == "joint"


def test_what_is_only_recorded_leaves_no_trace_in_a_run_that_begins_anew():
    m, options = tower(8), dict(every=0.1, rtol=1e-5)
    once = m.simulate(0.3, coordinates="auto", **options)
    m.add("seen", lw.Event("t", 0.15))
    seen = m.simulate(0.3, coordinates="auto", **options)
    assert seen.coordinates == once.coordinates == "joint" and [one.name for one in seen.events] == ["seen"]
    assert np.array_equal(seen["top7.y"], once["top7.y"])
    m.add("end", lw.Event("t", 0.25, then=lw.Stop()))
    assert m.simulate(0.3, coordinates="auto", **options).coordinates == "point"  # what events do is not done twice


def test_prepared_runs_begin_anew_as_others_do():
    m, options = tower(8), dict(every=0.1, rtol=1e-5)
    ready = m.prepare(0.3, read="top7.y", coordinates="auto", **options)
    for stiffness in (1e6, 2e6, 3e6, 10.0, 1e6):
        numbers = {"S0.stiffness": stiffness, "left1.mass": 1.0 + 1e-7 * stiffness}
        run = ready(numbers=numbers)
        single = m.with_numbers(numbers).simulate(0.3, start=ready.state, coordinates="auto", **options)
        assert run.coordinates == single.coordinates and np.array_equal(run["top7.y"], single["top7.y"])
        assert run.statistics.steps == single.statistics.steps
    assert np.array_equal(ready()["top7.y"], m.simulate(0.3, coordinates="auto", **options)["top7.y"])


def test_what_was_abandoned_is_counted():
    m, options = tower(8), dict(every=0.1, rtol=1e-5)
    run = m.simulate(0.3, coordinates="auto", **options)
    joint = m.simulate(0.3, coordinates="joint", **options)
    before = run.statistics.steps - joint.statistics.steps
    assert before > 0 and run.statistics.evaluations > joint.statistics.evaluations
    tries = run.statistics.steps + run.statistics.rejected
    assert m.simulate(0.3, coordinates="auto", most_steps=tries, **options).coordinates == "joint"
    with pytest.raises(lw.errors.RunLimitError, match=f"after {tries - 1} steps, all") as told:
        m.simulate(0.3, coordinates="auto", most_steps=tries - 1, **options)
    taken = told.value.result.statistics
    assert taken.steps + taken.rejected == tries - 1
