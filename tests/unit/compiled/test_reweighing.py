"""Other masses and gravity: numbers written again are those of a mechanism that had them from the beginning."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.model import lasting
from linkwork.compiled.numbering import _Numbering, model_of
from linkwork.compiled.reweighing import reweighed
from linkwork.compiled.tree import Link, Tree
from linkwork.coordinates import SETS


def with_matrix():
    m = lw.Mechanism("with a matrix", dimension=3)
    inertia = ((0.3, 0.02, 0.0), (0.02, 0.4, 0.01), (0.0, 0.01, 0.5))
    m.add("block", lw.Body(2.0, inertia, center=(0.1, 0.2, 0.3)))
    m.add("S", lw.Spherical(m.ground.at(0, 0, 0), m["block"]))
    return m


def chain_in_space():
    m = lw.Mechanism("chain in space", dimension=3)
    before = m.ground.at(0, 0, 0)
    for k in range(3):
        bar = m.add(f"bar{k}", lw.Body(1.0 + k, (0.1, 0.2, 0.25), center=(0.5, 0.0, 0.0)))
        m.add(f"J{k}", lw.Revolute(before, bar))
        before = bar.at(1.0, 0.0, 0.0)
    m.add("load", lw.Particle(0.7))
    m.add("T", lw.Spherical(before, m["load"]))
    return m


MECHANISMS = {"four-bar": lw.gallery.four_bar, "chain": chain_in_space, "matrix": with_matrix}


def fresh(mechanism):
    """A model that shares nothing."""
    return _Numbering(mechanism, {}).run()


def first_body(m):
    return next(iter(m.bodies))


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("what", ["mass", "gravity", "both"])
def test_numbers_are_those_of_a_fresh_model(name, what, coordinates):
    m = MECHANISMS[name]()
    model = model_of(m)
    for one in SETS:
        model.plan(one)
    body = first_body(m)
    numbers = {}
    if what != "gravity":
        numbers[f"{body}.mass"] = 1.37 * m[body].mass
    if what != "mass":
        numbers["gravity"] = (0.3, -1.6, 0.2)[: m.dimension]
    other = m.with_numbers(numbers)
    found, wanted = reweighed(model, other), fresh(other)
    assert found is not None
    plan, new = found.plan(coordinates), wanted.plan(coordinates)
    assert np.array_equal(plan.parameters, new.parameters) and np.array_equal(plan.tab, new.tab)
    assert not np.array_equal(plan.parameters, model.plan(coordinates).parameters)
    assert found.mechanism[body].mass == other[body].mass and found.mechanism.gravity == other.gravity
    assert np.array_equal(found.masses, wanted.masses) and np.array_equal(found.weights, wanted.weights)


def test_another_inertia_matrix_turns_the_axes_and_is_left_to_a_new_model():
    m = with_matrix()
    model = model_of(m)
    other = m.with_numbers({"block.inertia": ((0.3, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, 0.0, 0.5))})
    assert reweighed(model, other) is None


@pytest.mark.parametrize(
    "numbers",
    [{"crank.length": 1.1}, {"crank.mass": 1e-9}, {"crank.mass": 0.0}, {"spring.stiffness": 3.0}],
    ids=lambda one: "-".join(one),
)
def test_what_is_more_than_masses_is_left_to_a_new_model(numbers):
    m = lw.gallery.four_bar()
    model = model_of(m)
    model.plan("joint"), model.plan("body")
    assert reweighed(model, m.with_numbers(numbers)) is None


@pytest.mark.parametrize("coordinates", SETS)
def test_rows_that_follow_from_others_are_chosen_anew(coordinates):
    """Two parallel rods more than a parallelogram needs: the run with other masses is that of a fresh mechanism."""
    m = lw.Mechanism("parallel")
    table = m.add("table", lw.bar(length=2.0, mass=1.0))
    for k, x in enumerate((-1.0, 0.0, 1.0)):
        leg = m.add(f"leg{k}", lw.bar(length=1.0, mass=0.5))
        m.add(f"A{k}", lw.Revolute(m.ground.at(x, 0), leg.a))
        m.add(f"B{k}", lw.Revolute(leg.b, table.at(x, 0)))
    start = {f"A{k}.angle": 1.0 for k in range(1)}
    ready = m.prepare([0.0, 0.2, 0.4], start=start, coordinates=coordinates)
    for mass in (1.0, 3.0, 0.2):
        numbers = {"table.mass": mass, "leg1.mass": 2.0 * mass}
        found = ready(numbers=numbers)
        other = m.with_numbers(numbers)
        wanted = other.simulate([0.0, 0.2, 0.4], start=ready.state, coordinates=coordinates)
        assert np.array_equal(found["table.y"], wanted["table.y"])
        assert np.array_equal(found["A0.reaction.x"], wanted["A0.reaction.x"])
        assert found.mechanism["table"].mass == mass


def alike(one, other):
    """Whether two things say the same, arrays and things with fields included."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, dict):
        return list(one) == list(other) and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(alike(a, b) for a, b in zip(one, other))
    if isinstance(one, Link | Tree):
        return alike(list(vars(one).items()), list(vars(other).items()))
    return one == other


@pytest.mark.parametrize("name", MECHANISMS)
def test_what_lasts_has_no_masses_in_it(name):
    m = MECHANISMS[name]()
    other = m.with_numbers({f"{body}.mass": 2.5 * m[body].mass for body in m.bodies} | {"gravity": [0.1] * m.dimension})
    one, two = fresh(m), fresh(other)
    for first, second in ((one, two), *((one.plan(each), two.plan(each)) for each in SETS)):
        names = [key for key, kind in vars(type(first)).items() if isinstance(kind, lasting)]
        assert len(names) > 5
        for key in names:
            if key != "geometry":  # which says that two models share all this
                assert alike(getattr(first, key), getattr(second, key)), key
