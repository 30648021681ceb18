"""Reactions where constraints are redundant: of least norm at every time, and what is not unique is said so."""

import warnings

import numpy as np
import pytest

import linkwork as lw

TIMES = np.linspace(0.0, 1.0, 9)


def twice_driven():
    """A crank that begins along x, where the second driver asks for what its pin holds, and later for its angle."""
    m = lw.Mechanism("twice driven")
    m.add("crank", lw.bar(length=2.0, mass=1.0))
    m.add("A", lw.Revolute("ground", "crank.a"))
    m.add("motor", lw.Driver("A.angle", "t"))
    m.add("rail", lw.Driver("crank.middle.x", "cos(t)"))
    return m


def doubled(start):
    """Two bars on the same two pins, one of them ground's."""
    m = lw.Mechanism("doubled")
    for name in ("one", "other"):
        m.add(name, lw.bar(length=1.0, mass=1.0 + 0.5 * (name == "other"), angle=start))
        m.add(f"{name} pin", lw.Revolute("ground", f"{name}.a"))
    m.add("tip", lw.Revolute("one.b", "other.b"))
    return m


def chain(start):
    """Two bars in a row, each doubled by two pins."""
    m = lw.Mechanism("chain")
    for name in "abcd":
        m.add(name, lw.bar(length=1.0, mass=1.0, angle=start))
    for name, on, to in (("A", "ground", "a.a"), ("P", "a.a", "b.a"), ("Q", "a.b", "b.b"), ("B", "a.b", "c.a"),
                         ("R", "c.a", "d.a"), ("S", "c.b", "d.b")):  # fmt: skip
        m.add(name, lw.Revolute(on, to))
    return m


def simulated(mechanism, coordinates):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are redundant
        return mechanism.simulate(TIMES, coordinates=coordinates, rtol=1e-10)


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize("build", [doubled, chain])
@pytest.mark.parametrize("start", [0.0, np.pi / 2, 0.4])
def test_multipliers_have_the_least_norm_of_all_at_every_time(build, start, coordinates):
    run = simulated(build(start), coordinates)
    for jacobian, found in zip(run.jacobian, run.multipliers, strict=True):
        force = jacobian.T @ found
        assert found == pytest.approx(np.linalg.lstsq(jacobian.T, force, rcond=1e-9)[0], rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_who_takes_part_is_found_anew_where_the_mechanism_has_moved(coordinates):
    """At t the rows are  1, 0, s | 0, 1, -c | 0, 0, 1 | 1, 0, 0  against x, y and angle of the crank."""
    run = simulated(twice_driven(), coordinates)
    for t, found, effort in zip(run.t, run.multipliers, run["motor.effort"], strict=True):
        s, c = np.sin(t), np.cos(t)
        rows = np.array([[1.0, 0.0, s], [0.0, 1.0, -c], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
        needed = np.array([-c, -s + 9.81, 0.0])  # m a less the weight, of a turn at unit speed
        expected = np.linalg.lstsq(rows.T, needed, rcond=None)[0]
        assert found == pytest.approx(expected, abs=1e-7)
        assert effort == pytest.approx(expected[2], abs=1e-7)


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_what_becomes_open_on_the_way_is_not_unique(coordinates):
    """The redundant force is along the bars: along x of ground at first, and along any direction later."""
    run = simulated(doubled(0.0), coordinates)
    assert run.reaction("one pin").unique_components == {"x": False, "y": False}
    assert run.reaction("tip").unique_components == {"x": False, "y": True}  # in the axes of a bar
    assert doubled(0.0).evaluate(coordinates=coordinates).reaction("one pin").unique_components == {
        "x": False,
        "y": True,
    }
