"""Radau IIA by soft evaluations: chains in plane and space, linear in the bodies, what it refuses, beside scipy."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates.softening import fits_softly, softened
from linkwork.errors import DescriptionError, RunLimitError
from linkwork.kernels import layout as at
from unit.analysis.stiff_models import chain


def slope(counts, errors):
    return -np.polyfit(np.log(counts), np.log(errors), 1)[0]


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_a_stiff_chain_is_that_of_an_explicit_method_in_few_steps(coordinates, dimension):
    m = chain(3, 1e6, 1e2, dimension)
    height = "l2.y" if dimension == 2 else "l2.z"
    ref = m.simulate(1.0, every=0.1, method="dop853", rtol=1e-10, coordinates="joint")
    run = m.simulate(1.0, every=0.1, method="radau_soft", rtol=1e-7, coordinates=coordinates)
    assert np.abs(run[height] - ref[height]).max() < 1e-5 and abs(ref[height][-1]) > 1.0
    assert run.statistics.steps < ref.statistics.steps / 3
    assert np.abs(run.energy.balance).max() < 1e-3 and run.violation.max() < 1e-9


@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_rtol_means_what_it_means_elsewhere(coordinates):
    m = chain(20, 1e7, 1e4)
    ref = m.simulate(1.0, every=0.1, method="radau", rtol=1e-10, coordinates="joint")
    for rtol in (1e-3, 1e-5, 1e-7, 1e-9):
        run = m.simulate(1.0, every=0.1, method="radau_soft", rtol=rtol, coordinates=coordinates)
        assert np.abs(run["l19.y"] - ref["l19.y"]).max() < 30 * rtol * 20.0  # the chain is 20 m long
        assert run.statistics.steps < 600


# -- linear in the number of bodies ------------------------------------------------------------------------------------
@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_tables_grow_with_the_bodies_and_evaluations_do_not(coordinates):
    """Numbers that a soft evaluation goes through, and evaluations of a run: what time is made of."""
    sizes, evaluations = [], []
    for count in (50, 100, 200):
        m = chain(count, 1e6, 1e4)
        plan = m.compile(coordinates=coordinates).plan(coordinates)
        found = softened(plan)
        sizes.append(found.tab.size + found.w.size)
        fill = [int(found.tab[key]) for key in (at.N_TARGETS, at.N_ASSEMBLY, at.N_ENTRIES)]
        assert sum(fill) < 100 * count
        run = m.simulate(0.5, every=0.5, method="radau_soft", rtol=1e-5, coordinates=coordinates)
        evaluations.append(run.statistics.evaluations)
    assert slope([50, 100, 200], sizes) > -1.05
    assert max(evaluations) < 1.5 * min(evaluations) and max(evaluations) < 1000


def test_it_is_what_auto_takes_where_many_joints_are_stiff():
    m = chain(60, 1e6, 1e4)
    ref = m.simulate(0.5, every=0.1, method="radau", rtol=1e-8, coordinates="joint")
    for coordinates in ("joint", "body"):
        run = m.simulate(0.5, every=0.1, rtol=1e-6, coordinates=coordinates)
        assert [one.split()[0] for one in run.manifest["methods"]] == ["radau_soft"]
        assert np.abs(run["l59.y"] - ref["l59.y"]).max() < 30e-6 * 60.0
    few = chain(20, 1e6, 1e4).simulate(0.2, every=0.1, rtol=1e-6, coordinates="joint")
    assert few.manifest["methods"][0].startswith("radau ")


def test_auto_takes_radau_where_slopes_are_not_all_known():
    m = chain(60, 1e6, 1e4)
    m.add("tie", lw.SpringDamper(m.ground.at(1, 1), m["l40"].at(0, 0), stiffness=1e5, damping=10.0, rest_length=40.0))
    model = m.compile()
    assert fits_softly(model.plan("body")) and not fits_softly(model.plan("joint"))
    run = m.simulate(0.05, every=0.05, rtol=1e-4, coordinates="joint")
    assert run.manifest["methods"][0].startswith("radau ")
    with pytest.raises(DescriptionError, match=r"'tie'.*more than one freedom.*radau.*body"):
        m.simulate(0.05, every=0.05, method="radau_soft", coordinates="joint")
    with pytest.raises(DescriptionError, match=r"point coordinates"):
        chain(3, 1e6, 1e4).simulate(0.05, every=0.05, method="radau_soft", coordinates="point")


def test_a_law_with_memory_counts_accepted_steps():
    """A spring that remembers how often it was accepted, beside a stiff one."""

    def spring(values, rates, t, numbers, memory, out):
        out[0] = -1e5 * values[0] - 1e3 * rates[0]

    def count(values, rates, t, numbers, memory):
        memory[0] += 1.0

    m = chain(3, 1e6, 1e3)
    joint = m["p1"]
    m.add("law", lw.UserForce(reads=[joint.angle], along=[joint.angle], law=spring, memory=1, accept=count))
    run = m.simulate(0.5, every="step", method="radau_soft", rtol=1e-6, coordinates="joint")
    ref = m.simulate(0.5, every=0.5, method="radau", rtol=1e-8, coordinates="joint")
    assert abs(run["l2.y"][-1] - ref["l2.y"][-1]) < 3e-5
    assert run.final.memory[-1] == run.statistics.steps


def test_a_run_into_a_folder_is_taken_up_with_the_same_bits(tmp_path):
    m = chain(10, 1e6, 1e4)
    whole = m.simulate(0.5, every=0.01, method="radau_soft", rtol=1e-6, coordinates="joint")
    with pytest.raises(RunLimitError):
        m.simulate(0.5, every=0.01, method="radau_soft", rtol=1e-6, coordinates="joint", store=tmp_path / "run",
                   most_steps=20)  # fmt: skip
    run = lw.resume(tmp_path / "run")
    assert np.array_equal(run["l9.y"], whole["l9.y"])


# -- against somebody else ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", [1, 2])
def test_a_random_stiff_tree_moves_as_by_scipy(seed):
    """The equations of motion by scipy's Radau."""
    from scipy.integrate import solve_ivp

    rng = np.random.default_rng(seed)
    m = lw.Mechanism("tree")
    bars, start = [], {}
    for i in range(5):
        bar = m.add(f"b{i}", lw.bar(length=rng.uniform(0.3, 1.0), mass=rng.uniform(0.3, 2.0)))
        joint = m.add(f"j{i}", lw.Revolute(bars[rng.integers(0, i)].b if i else m.ground.at(0, 0), bar.a))
        k = 10 ** rng.uniform(3, 7) if i else 20.0
        m.add(f"s{i}", lw.UserForce(joint.angle, lambda value, rate, t, k, c, rest: -k * (value - rest) - c * rate,
                                    k=k, c=0.03 * k, rest=rng.uniform(-1, 1)))  # fmt: skip
        start[f"j{i}.angle"] = float(rng.uniform(-1, 1))
        bars.append(bar)
    ode = m.ode(start=start, coordinates="joint")
    n = 2 * len(start)  # behind them is work, which has no part in the motion

    def moves(t, y):
        return ode.rhs(t, np.concatenate([y, ode.y0[n:]]))[:n]

    ref = solve_ivp(moves, (0.0, 0.5), ode.y0[:n], method="Radau", rtol=1e-8, atol=1e-9).y[:, -1]
    for coordinates in ("joint", "body"):
        for rtol in (1e-3, 1e-5, 1e-7):
            run = m.simulate(0.5, every=0.5, start=start, method="radau_soft", rtol=rtol, coordinates=coordinates)
            for name in start:
                assert abs(run[name][-1] - ref[ode.names.index(name)]) < 30 * rtol + 3e-7
        assert run.statistics.steps < 400
