"""A prepared run reads nothing of the run before it: every call gives what the first one gave, bit for bit."""

import numpy as np
import pytest

import linkwork as lw

SETS = ("body", "joint", "point")
WAYS = [(method, one) for method in ("auto", "dop853", "rk4", "rkc", "radau") for one in SETS]
WAYS += [("radau_soft", "body"), ("radau_soft", "joint")]


def creeping(values, rates, t, numbers, memory, out, states, state_rates):
    tension = numbers[0] * states[0]
    state_rates[0] = rates[0] - tension / numbers[1]
    out[0] = -tension


def yielding(values, rates, t, numbers, memory, out):
    out[0] = -numbers[0] * (values[0] - memory[0])


def give_way(values, rates, t, numbers, memory):
    if values[0] - memory[0] > 0.1:
        memory[0] = values[0] - 0.1
    if values[0] - memory[0] < -0.1:
        memory[0] = values[0] + 0.1


def arm(events=False):
    m = lw.Mechanism("arm", parameters={"k": 1e6})
    before = m.ground.at(0, 0)
    for i in range(2):
        body = m.add(f"b{i}", lw.Body(1.0, 0.05, center=(0.3, 0.02)))
        m.add(f"J{i}", lw.Revolute(before, body))
        before = body.at(0.5, 0.1)
    creeps, yields = m["J1"].angle, m["J0"].angle
    m.add("creeps", lw.UserForce(reads=[creeps], along=[creeps], law=creeping, numbers=["k", 30.0], states={"u": 0.0}))
    m.add(
        "yields", lw.UserForce(reads=[yields], along=[yields], law=yielding, accept=give_way, numbers=[40.0], memory=1)
    )
    m.add("stop", lw.Limit("J0.angle", lower=0.15, stiffness=1e4, damping=1.0))
    if events:
        m.add("holds", lw.Event("t", 0.05, then=lw.Lock("J0")))
        m.add("frees", lw.Event("t", 0.1, then=lw.Release("J0")))
        m.add("holds again", lw.Event("t", 0.2, then=lw.Lock("J0")))
    return m


def the_same(one, other):
    assert np.array_equal(one._bodies.all, other._bodies.all)
    for name in ("steps", "rejected", "evaluations"):
        assert getattr(one.statistics, name) == getattr(other.statistics, name), name


@pytest.mark.filterwarnings("ignore::linkwork.errors.RunQualityWarning")
@pytest.mark.parametrize("events", [False, True], ids=["plain", "events"])
@pytest.mark.parametrize(("method", "coordinates"), WAYS)
def test_every_call_is_the_first(method, coordinates, events):
    m = arm(events)
    if method == "radau_soft":
        m = m.without(["creeps", "yields"])
        m.add("spring", lw.TorsionSpringDamper("b0", "b1", stiffness="k", damping=3.0))
    if method not in ("auto", "radau", "radau_soft"):
        m = m.with_numbers({"k": 100.0})
    options = dict(step=2e-3) if method == "rk4" else dict(rtol=1e-3)
    start = {"J0.angle": 0.3, "J1.angle": 0.4}
    rest = {"J0.angle.rate": 0.0, "J1.angle.rate": 0.0}
    ready = m.prepare(0.3, every=0.05, start=start | rest, coordinates=coordinates, method=method, **options)
    other = m.assemble(start=start | {"J0.angle.rate": 3.0, "J1.angle.rate": -50.0}, coordinates="body").state
    wanted = ready()
    the_same(ready(), wanted)
    ready(other)
    the_same(ready(), wanted)
    for _ in range(3):  # in general, then by the straight way
        ready(numbers={"k": 70.0})
        the_same(ready(), wanted)
    moved = ready(other, numbers={"k": 70.0})
    ready()
    the_same(ready(other, numbers={"k": 70.0}), moved)
    the_same(m.simulate(0.3, every=0.05, start=ready.state, coordinates=coordinates, method=method, **options), wanted)


@pytest.mark.parametrize("events", [False, True], ids=["plain", "events"])
@pytest.mark.parametrize("coordinates", SETS)
def test_states_of_laws_that_are_zero_at_first(coordinates, events):
    """What a law's state is compared with comes from how fast it changes, which is zero at first: a run must not look
    at how fast it changed in the run before.
    """
    m = lw.Mechanism("creep", gravity=(0.0, 0.0 if events else -9.81))
    arm = m.add("arm", lw.Body(1.0, 0.05, center=(0.3, 0.02)))
    block = m.add("block", lw.Body(1.0, 0.05))
    m.add("J", lw.Revolute(m.ground, arm))
    m.add("K", lw.Prismatic(m.ground.at(0, -1), block))
    angle = m["J"].angle
    given = dict(reads=[angle], along=[angle], numbers=[1e6, 30.0], states={"u": 0.0})
    m.add("creeps", lw.UserForce(law=creeping, **given))
    if events:
        m.add("falls", lw.Event("t", 0.1, then=[lw.Lock("K"), lw.Set("gravity", (0.0, -9.81))]))
    start = {"J.angle": 0.3, "J.angle.rate": 0.0, "K.slide": 0.0, "K.slide.rate": 0.0}
    ready = m.prepare(0.5, every=0.05, start=start, coordinates=coordinates, method="radau", rtol=1e-3)
    wanted = ready()
    for _ in range(2):
        the_same(ready(), wanted)
