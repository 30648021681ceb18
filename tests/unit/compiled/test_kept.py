"""What is kept with a model serves again for other numbers, and never for another mechanism."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.names import measure_of
from linkwork.compiled.numbering import model_of
from linkwork.errors import UnknownNameError


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_start_values_are_those_of_each_call(coordinates):
    m = lw.gallery.four_bar()
    for angle in (0.3, 1.1, 0.3, -0.7):
        assert m.assemble(start={"A.angle": angle}, coordinates=coordinates)["A.angle"] == pytest.approx(angle)
    for rate in (2.0, -3.0):
        there = m.assemble(start={"A.angle": 1.0, "A.angle.rate": rate}, coordinates=coordinates)
        assert there["A.angle.rate"] == pytest.approx(rate)


def test_rows_with_other_values_share_all_but_the_values():
    from linkwork.analysis.common import start_rows

    model = model_of(lw.gallery.four_bar())
    one, same, other = (model.plan(rows=start_rows(model.mechanism, {"A.angle": value})) for value in (0.3, 0.3, 0.5))
    assert same is one and other is not one
    assert other.tab is one.tab and other.rows[-1].value == 0.5 and one.rows[-1].value == 0.3
    assert np.flatnonzero(one.parameters != other.parameters).size == 1
    assert not other.parameters.flags.writeable
    speed = model.plan(rows=start_rows(model.mechanism, {"A.angle.rate": 0.3}))
    assert speed.rows[-1].speed and not np.array_equal(speed.tab, one.tab)


def test_few_plans_with_further_rows_are_kept():
    from linkwork.analysis.common import start_rows
    from linkwork.compiled.model import MOST_EXTENDED

    m = lw.Mechanism("many")
    for k in range(3 * MOST_EXTENDED):
        m.add(f"b{k}", lw.Body(1.0, 1.0, position=(k, 0.0)))
    model = model_of(m)
    for k in range(3 * MOST_EXTENDED):
        model.plan(rows=start_rows(model.mechanism, {f"b{k}.angle": 0.1}))
    assert len(model._extended) == MOST_EXTENDED


def test_names_that_were_looked_up_are_not_those_of_a_changed_mechanism():
    m = lw.Mechanism("changing")
    rod = m.add("rod", lw.Body(1.0, 1.0, points={"tip": (1.0, 0.0)}))
    m.add("A", lw.Revolute(m.ground, rod))
    first = m.assemble(start={"rod.tip.x": 0.6}, coordinates="body")
    assert math.hypot(first["rod.tip.x"], first["rod.tip.y"]) == pytest.approx(1.0)
    m.replace("rod", lw.Body(1.0, 1.0, points={"tip": (2.0, 0.0)}))
    second = m.assemble(start={"rod.tip.x": 1.6}, coordinates="body")
    assert math.hypot(second["rod.tip.x"], second["rod.tip.y"]) == pytest.approx(2.0)
    assert measure_of(m, "A.angle")[1] == 0
    with pytest.raises(UnknownNameError):
        measure_of(model_of(m).mechanism, "rod.nothing")


def test_a_tree_of_fixed_joints_has_nothing_to_read():
    """No coordinate at all: what reads coordinates from bodies reads nothing, and the run stands."""
    m = lw.Mechanism("welded", dimension=2)
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Fixed(m.ground.at(0, 0), bar.a))
    run = m.simulate(0.1, coordinates="joint")
    assert run["bar.x"][-1] == run["bar.x"][0] and model_of(m).plan("joint").layout.probe.measures == ()
