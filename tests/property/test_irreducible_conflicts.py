"""Conflicts name an irreducible set: together its items cannot be met, without any one of them they can."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkwork as lw
from linkwork.analysis.contradiction import contradicting, needed
from linkwork.coordinates.body import System
from linkwork.errors import AssemblyError
from property.draws import examples

SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS)
@examples(60)
def test_deletion_finds_a_set_that_cannot_be_smaller(seed):
    """Of sets that fail when they hold one of some minimal ones: it ends with one of these, in tries that are few."""
    rng = np.random.default_rng(seed)
    names = [f"n{k}" for k in range(rng.integers(1, 40))]
    minimal = [set(rng.choice(names, rng.integers(1, min(6, len(names)) + 1), replace=False)) for _ in range(3)]
    tries = []

    def fails(items):
        tries.append(items)
        return any(one <= set(items) for one in minimal)

    found = set(needed(names, fails))
    assert fails(found) and not any(fails(found - {one}) for one in found)
    assert len(tries) <= 2 * len(found) * (2 + math.log2(len(names) + 1)) + 2 * len(found) + 8


def assembles(m, **given):
    try:
        m.assemble(**given, coordinates="body")
    except AssemblyError:
        return False
    return True


def irreducible(m, conflict, **given):
    """Whether all of it fails, and each less than it is met: by other mechanisms, put together anew."""
    assert not assembles(m, **given)
    for name in conflict:
        less = m.copy()
        start = {key: value for key, value in given.get("start", {}).items() if key != name}
        if name in m:
            less.remove(name)
        assert assembles(less, start=start), name


def garland(rng, dimension):
    """A chain between two places that are too far apart, with pendulums hanging from it and a four-bar beside it."""
    m = lw.Mechanism("garland", dimension=dimension)
    axes = np.eye(3)
    if dimension == 3:
        q = rng.normal(size=4)
        axes = lw.Orientation.from_quaternion(q / np.linalg.norm(q)).matrix
    along = {} if dimension == 2 else {"axis": tuple(axes[:, 2]), "along": tuple(axes[:, 0])}

    def bar(name, length):
        if dimension == 2:
            return m.add(name, lw.bar(length=length, mass=1.0))
        return m.add(name, lw.cylinder(radius=0.02, length=length, mass=1.0, axis="x"))

    def ground(x, y):
        return m.ground.at(*(axes[:dimension, :dimension] @ [x, y, 0.0][:dimension]), **along)

    lengths = rng.uniform(0.3, 1.0, rng.integers(2, 6))
    before = ground(0.0, 0.0)
    for k, length in enumerate(lengths):
        link = bar(f"link{k}", length)
        m.add(f"J{k}", lw.Revolute(before, link.a))
        if rng.uniform() < 0.5:
            hanging = bar(f"hanging{k}", 0.4)
            m.add(f"H{k}", lw.Revolute(link.b, hanging.a))
        before = link.b
    m.add("end", lw.Revolute(before, ground(lengths.sum() * rng.uniform(1.05, 1.6), 0.0)))
    crank, coupler, rocker = (bar(name, length) for name, length in (("c1", 1.0), ("c2", 3.0), ("c3", 2.5)))
    m.add("A", lw.Revolute(ground(0.0, 5.0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(ground(3.2, 5.0), rocker.a))
    return m, {f"J{k}" for k in range(len(lengths))} | {"end"}


@pytest.mark.parametrize("dimension", [2, 3])
@given(SEEDS)
@examples(6)
def test_a_chain_that_is_too_short_among_what_fits(dimension, seed):
    m, loop = garland(np.random.default_rng(seed), dimension)
    with pytest.raises(AssemblyError, match="Leave out any one of these, and the others go together") as caught:
        m.assemble(coordinates="body")
    assert set(caught.value.conflict) == loop
    irreducible(m, caught.value.conflict)


@given(SEEDS)
@examples(8)
def test_drivers_and_start_values_against_the_lengths(seed):
    """An arm of two links that is asked for a place: within reach it is met, beyond it names who asks and who holds."""
    rng = np.random.default_rng(seed)
    one, two = rng.uniform(0.5, 1.5, 2)
    m = lw.Mechanism("arm")
    upper, lower = m.add("upper", lw.bar(length=one, mass=1.0)), m.add("lower", lw.bar(length=two, mass=1.0))
    m.add("A", lw.Revolute(m.ground, upper.a))
    m.add("B", lw.Revolute(upper.b, lower.a))
    angle = rng.uniform(-3.0, 3.0)
    for far in (0.5 * (abs(one - two) + one + two), 1.1 * (one + two)):
        tip = far * math.cos(angle), far * math.sin(angle)
        driven = m.copy()
        for axis, value in zip("xy", tip):
            driven.add(f"to {axis}", lw.Driver(lw.WorldOffset(m.ground, lower.b, axis), f"{value}"))
        if far < one + two:
            assert assembles(driven)
            continue
        with pytest.raises(AssemblyError) as caught:
            driven.assemble(coordinates="body")
        assert {"A", "B"} <= set(caught.value.conflict) <= {"A", "B", "to x", "to y"}
        assert "on one freedom" not in str(caught.value)
        irreducible(driven, caught.value.conflict)


@given(SEEDS, st.sampled_from(["position", "velocity", "acceleration"]))
@examples(12)
def test_two_drivers_on_one_freedom_are_called_that(seed, level):
    """On a crank with random frames, in the plane and tilted in space; who has no part in it is not named."""
    rng = np.random.default_rng(seed)
    space = rng.uniform() < 0.5
    m = lw.Mechanism("crank", dimension=3 if space else 2)
    axis = tuple(rng.normal(size=3)) if space else None
    body = m.add("crank", lw.cylinder(radius=0.02, length=1.0, mass=1.0) if space else lw.bar(length=1.0, mass=1.0))
    own = tuple(rng.normal(size=3)) if space else None
    m.add("A", lw.Revolute(m.ground.at(0, 0, axis=axis) if space else m.ground, body.at(0.1, 0.2, axis=own)))
    arm = m.add("arm", lw.cylinder(radius=0.02, length=1.0, mass=1.0) if space else lw.bar(length=1.0, mass=1.0))
    m.add("B", lw.Revolute(body.at(0.5, 0, axis=own) if space else body.at(0.5, 0), arm.a))
    m.add("third", lw.Driver("B.angle", "0.1 + t"))
    other = {"position": "0.4 + t", "velocity": "0.3 + 2*t", "acceleration": "0.3 + t + t^2"}[level]
    m.add("one", lw.Driver("A.angle", "0.3 + t"))
    m.add("two", lw.Driver("A.angle", other))
    with pytest.raises(AssemblyError, match="two drivers on one freedom") as caught:
        m.assemble(coordinates="body")
    assert set(caught.value.conflict) == {"one", "two"}
    irreducible(m, caught.value.conflict)


@given(SEEDS)
@examples(20)
def test_linear_conflicts_against_all_subsets(seed):
    """Rates asked of the joints of a four-bar: any two of them, with all its joints, are one too many."""
    rng = np.random.default_rng(seed)
    m = lw.gallery.four_bar()
    state = m.assemble(start={"A.angle": rng.uniform(-3.0, 3.0)}, coordinates="body").state
    model = state.model
    system = System(model.plan(), state.values)
    system.locate(0.0, state.y)
    J = system.jacobian()
    right = J @ rng.normal(size=J.shape[1])
    every = list(range(len(right)))
    assert contradicting(system, right, every) == []
    free = System(model.plan(rows=[model.rows[0]]), np.append(state.values, 0.0))  # the first row of A twice
    free.locate(0.0, state.y)
    twice = np.append(right, right[0] + 1.0)
    assert contradicting(free, twice, list(range(len(twice)))) == ["A"]


def test_too_many_rows_are_not_looked_at():
    m = lw.gallery.four_bar()
    state = m.assemble(coordinates="body").state
    system = System(state.model.plan(), state.values)
    system.locate(0.0, state.y)
    assert contradicting(system, np.ones(8), []) == []


@pytest.mark.parametrize("count", [40])
def test_one_bad_loop_among_many(count):
    """Rows of four-bars, one of which has a coupler that is too short."""
    m = lw.Mechanism("row")
    for k in range(count):
        crank, coupler, rocker = (
            m.add(f"{name}{k}", lw.bar(length=length, mass=1.0))
            for name, length in (
                ("crank", 1.0),
                ("coupler", 0.3 if k == 17 else 3.0),
                ("rocker", 2.5 - 1.3 * (k == 17)),
            )
        )
        m.add(f"A{k}", lw.Revolute(m.ground.at(0, 5 * k), crank.a))
        m.add(f"B{k}", lw.Revolute(crank.b, coupler.a))
        m.add(f"C{k}", lw.Revolute(coupler.b, rocker.b))
        m.add(f"D{k}", lw.Revolute(m.ground.at(3.2, 5 * k), rocker.a))
    with pytest.raises(AssemblyError) as caught:
        m.assemble(coordinates="body")
    assert set(caught.value.conflict) == {"A17", "B17", "C17", "D17"}
