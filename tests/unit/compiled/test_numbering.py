"""One model for a mechanism, tables shared by models that differ in numbers only."""

import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.common import start_rows
from linkwork.compiled.numbering import model_of, other_numbers
from linkwork.kernels import layout as at


def four_bar(length=1.0, stiffness=20.0, damping=0.0, mass=2.0):
    m = lw.Mechanism("four-bar")
    crank = m.add("crank", lw.bar(length=length, mass=1.0))
    coupler = m.add("coupler", lw.bar(length=3.0, mass=mass))
    rocker = m.add("rocker", lw.bar(length=2.5, mass=1.5))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    ends = m.ground.at(0, 3), coupler.middle
    m.add("spring", lw.SpringDamper(*ends, stiffness=stiffness, rest_length=1.0, damping=damping))
    return m


def test_a_mechanism_is_compiled_once_until_it_changes():
    m = four_bar()
    model = model_of(m)
    assert model_of(m) is model and model_of(model.mechanism) is model
    m.replace("crank", lw.bar(length=1.0, mass=7.0))
    assert model_of(m) is not model and model_of(m).bodies[0].mass == 7.0
    assert model.bodies[0].mass == 1.0
    assert model_of(m).plan().tab is model.plan().tab  # only a number was changed
    again = model_of(m)
    m.gravity = (0.0, -1.62)
    assert model_of(m) is not again


def test_what_is_compiled_is_not_pickled_with_a_mechanism():
    m = four_bar()
    model_of(m)
    assert "_model" not in pickle.loads(pickle.dumps(m)).__dict__
    assert pickle.loads(pickle.dumps(model_of(m))).rows == model_of(m).rows


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_other_numbers_share_the_tables(coordinates):
    model = model_of(four_bar())
    other = other_numbers(model, four_bar(length=1.1, stiffness=35.0, mass=4.0))
    plan, changed = model.plan(coordinates), other.plan(coordinates)
    assert changed.tab is plan.tab and changed.workspace is plan.workspace
    fresh = model_of(four_bar(length=1.1, stiffness=35.0, mass=4.0)).plan(coordinates)
    assert np.array_equal(changed.parameters, fresh.parameters)
    assert not np.array_equal(changed.parameters, plan.parameters)


def test_other_numbers_move_as_a_mechanism_of_their_own():
    model = model_of(four_bar())
    other = other_numbers(model, four_bar(length=1.1, stiffness=35.0))
    for coordinates in ("body", "joint", "point"):
        options = dict(start={"A.angle": 1.0}, coordinates=coordinates)
        one, two = (lw.simulate(thing, 0.5, **options) for thing in (other, four_bar(length=1.1, stiffness=35.0)))
        assert np.array_equal(one["D.angle"], two["D.angle"])


@pytest.mark.parametrize(
    ("change", "words"), [(dict(damping=1.0), "its laws are others"), (dict(mass=0.0), "body 'coupler' lost its mass")]
)
def test_another_structure_is_told(change, words):
    with pytest.raises(lw.errors.CompileError, match=words):
        other_numbers(model_of(four_bar()), four_bar(**change))


def test_start_rows_extend_the_rows_of_the_model():
    model = model_of(four_bar())
    rows = start_rows(model.mechanism, {"A.angle": 1.0, "crank.angle.rate": 3.0})
    plan = model.plan(rows=rows)
    assert plan.rows == (*model.rows, *rows) and plan.model is model
    assert plan.view(plan.parameters, at.P_ROW)[-2:, at.ROW_VALUE].tolist() == [1.0, 3.0]
    other = model.plan(rows=start_rows(model.mechanism, {"A.angle": 2.0, "crank.angle.rate": -1.0}))
    assert other.tab is plan.tab  # values are numbers, not structure


def test_memory_is_laid_out_alike_in_every_set():
    m = lw.gallery.get("planetary_gear")
    model = model_of(m)
    for coordinates in ("body", "joint", "point"):
        assert model.plan(coordinates).turn_slots == model.turn_slots
        assert model.plan(coordinates).size(at.N_MEMORY) == model.n_memory


STRENGTH = 3.0


def test_a_law_with_other_values_around_it_is_compiled_again():
    def law(value, rate, t):
        return -STRENGTH * value

    m = lw.Mechanism("pendulum", gravity=None)
    rod = m.add("rod", lw.bar(length=1.0, mass=12.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.middle))
    m.add("F", lw.UserForce(m["A"].angle, law))
    found = []
    try:
        for value in (3.0, 30.0, 3.0):
            globals()["STRENGTH"] = value
            found.append(m.evaluate({"rod.angle": 1.0}, coordinates="body")["A.angle.acceleration"])
            model = model_of(m)
            assert model_of(m) is model
    finally:
        globals()["STRENGTH"] = 3.0
    assert found == pytest.approx([-3.0, -30.0, -3.0])


@pytest.mark.parametrize("gravity", [np.array([0.0, -3.0]), [0.0, -3.0], None])
def test_gravity_set_later_is_read_as_in_the_constructor(gravity):
    m = four_bar()
    model_of(m)
    m.gravity = gravity
    assert m.gravity == ((0.0, 0.0) if gravity is None else (0.0, -3.0))
    assert model_of(m) is model_of(m) and m == m.copy() and "gravity" in lw.to_text(m)
    with pytest.raises(lw.errors.DescriptionError, match="gravity"):
        m.gravity = (1.0, 2.0, 3.0)
