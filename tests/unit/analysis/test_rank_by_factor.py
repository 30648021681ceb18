"""The rank of many rows, told by the sparse factor, against the dense way."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import rank
from linkwork.coordinates import system_of


def ladder(rungs, tilt=0.0, spread=0.0):
    """Two rails, every rung pinned to both: all but two of the rungs are redundant, unless their lengths differ."""
    m = lw.Mechanism("ladder")
    c, s = np.cos(tilt), np.sin(tilt)
    low, high = ((c * rungs / 2 - s * y, s * rungs / 2 + c * y) for y in (0.0, 1.0))
    rails = [
        m.add(name, lw.bar(length=rungs, mass=1.0, position=where, angle=tilt))
        for name, where in (("low", low), ("high", high))
    ]
    m.add("A", lw.Revolute(m.ground.at(0, 0), rails[0].a))
    for k in range(rungs):
        x = k + 0.5 + spread * np.sin(k)
        place = c * x - s * 0.5, s * x + c * 0.5
        rung = m.add(f"rung{k}", lw.bar(length=1.0, mass=0.1, position=place, angle=tilt + np.pi / 2))
        for name, rail, end in (("p", rails[0], rung.a), ("q", rails[1], rung.b)):
            m.add(f"{name}{k}", lw.Revolute(rail.at(x - rungs / 2, 0), end))
    return m


def spatial_doors(count, rng):
    """Doors, each on two hinges in one line, tilted at random: five rows too many each."""
    m = lw.Mechanism("doors", dimension=3)
    for k in range(count):
        axis = rng.normal(size=3)
        door = m.add(f"door{k}", lw.box(1.0, 0.2, 2.0, mass=1.0, position=(3.0 * k, 0, 0), orientation=(1, 0, 0, 0)))
        for name, way in (("low", -0.3), ("high", 0.4)):
            where = way * axis / np.linalg.norm(axis)
            m.add(
                f"{name}{k}",
                lw.Revolute(m.ground.at(3.0 * k + where[0], *where[1:], axis=axis), door.at(*where, axis=axis)),
            )
    return m


def both_ways(m, coordinates, monkeypatch):
    state = m.assemble(coordinates="body").state
    found = []
    for few in (0, 10**6):
        monkeypatch.setattr(rank, "FEW_ROWS", few)
        system = system_of(state.model, coordinates, state.values, None, state.memory)
        system.keep_turns(state.y)
        found.append((rank.analyse(system, state.t, system.from_body(state.y, state.memory)), system))
    return found


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize(("rungs", "tilt", "spread"), [(3, 0.0, 0.0), (12, 0.4, 0.0), (12, -1.1, 0.3), (40, 2.0, 0.2)])
def test_ladders(rungs, tilt, spread, coordinates, monkeypatch):
    (sparse, system), (dense, _) = both_ways(ladder(rungs, tilt, spread), coordinates, monkeypatch)
    assert (sparse.freedom, sparse.rank, sparse.singular) == (dense.freedom, dense.rank, dense.singular)
    assert len(sparse.dropped) == len(dense.dropped) == rungs - 2
    if coordinates == "body":
        J = system.jacobian()
        assert np.abs(sparse.dependencies @ J).max() < 1e-6
        # they span the same combinations
        both = np.vstack([sparse.dependencies, dense.dependencies])
        assert np.linalg.matrix_rank(both, 1e-5) == rungs - 2


def test_doors_in_space(monkeypatch):
    (sparse, system), (dense, _) = both_ways(spatial_doors(5, np.random.default_rng(3)), "body", monkeypatch)
    assert len(sparse.dropped) == len(dense.dropped) == 25 and sparse.freedom == dense.freedom == 5
    assert np.abs(sparse.dependencies @ system.jacobian()).max() < 1e-6


def test_a_flat_linkage_is_singular_both_ways(monkeypatch):
    m = lw.Mechanism("flat")
    bars = [
        m.add(f"bar{k}", lw.bar(length=1.0, mass=1.0, position=(x, 0.0), angle=angle))
        for k, (x, angle) in enumerate([(0.5, 0.0), (1.5, 0.0), (2.5, 0.0)])
    ]
    m.add("A", lw.Revolute(m.ground.at(0, 0), bars[0].a))
    m.add("B", lw.Revolute(bars[0].b, bars[1].a))
    m.add("C", lw.Revolute(bars[1].b, bars[2].a))
    m.add("D", lw.Revolute(m.ground.at(3, 0), bars[2].b))
    (sparse, _), (dense, _) = both_ways(m, "body", monkeypatch)
    assert sparse.rank == dense.rank == 7 and len(sparse.dropped) == len(dense.dropped)


@pytest.mark.parametrize("name", ["andrews", "six_bar_quick_return", "double_a_arm", "planetary_gear", "n_four_bar"])
def test_where_the_factor_is_sure_all_rows_are_independent(name):
    state = lw.gallery.get(name).assemble(coordinates="body").state
    system = system_of(state.model, "body", state.values, None, state.memory)
    system.derivative(state.t, state.y)
    if system.surely_independent(state.t, state.y):
        J = rank.scaled_rows(system, list(range(system.n_rows)), system.columns)
        assert np.linalg.matrix_rank(J, 1e-9) == system.n_rows
