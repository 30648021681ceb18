"""Entries of p as programs of named numbers: what they write is what a mechanism built anew has, bit for bit."""

import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork import errors
from linkwork.compiled import rewriting as own
from linkwork.compiled.numbering import model_of, numbered
from linkwork.compiled.plans.tables import Tables
from linkwork.compiled.rewriting import flat, placing, rewriting
from linkwork.mechanism.renewal import _all_numbers

#: points are chosen by numbers, which a program of numbers does not follow
SETS = ("body", "joint")
GALLERY = [name for name in lw.gallery.names() if name != "n_four_bar"]  # some hundred numbers alike


def in_space():
    m = lw.Mechanism("in space", dimension=3, parameters={"L": "0.7 m", "r": 0.4, "w": "2 kg"})
    arm = m.add("arm", lw.Body("w", (0.1, 0.2, 0.25), center=("L/2", 0.0, 0.1), points={"tip": ("L", "r", 0.0)}))
    m.add("A", lw.Revolute(m.ground.at("L", 0, 0.2, axis=(0.3, 0.4, 1.0)), arm.at(0, 0, 0, axis=(1.0, 0.2, 0.1))))
    load = m.add("load", lw.bar(length="2*L", mass=1.0, width=0.02, depth="0.1*L"))
    m.add("B", lw.Universal(arm.tip, load.a))
    m.add("S", lw.SpringDamper(m.ground.at(0, "L + r", 0), load.b, stiffness="3*r", rest_length="L", damping=0.1))
    return m


def value_of(m, name):
    item, *path = name.split(".")
    found = m[item] if path else m.parameters[name]
    for part in path:
        found = getattr(found, part)
    return float(found) if isinstance(found, float | int) and not isinstance(found, bool) else found


def numbers_of(m):
    """All numbers and lists of numbers of a mechanism, by name."""
    found = {"gravity": m.gravity, **{name: float(value) for name, value in m.parameters.items()}}
    for name in _all_numbers(m):
        try:
            found[name] = value_of(m, name)
        except (errors.LinkworkError, AttributeError):
            continue
    return {name: value for name, value in found.items() if value is not None and flat([value])}


def compare(m, rng, tries=2):
    """How many numbers have a program, each compared with mechanisms built anew; and which have none."""
    model, known = model_of(m), numbers_of(m)
    told, left = 0, []
    for name, value in known.items():
        way = rewriting(model, SETS, {name: value})
        if way is None:
            left.append(name)
            continue
        told += 1
        for _ in range(tries):
            given = [x * rng.uniform(0.4, 2.5) if x else rng.choice([0.0, 0.1]) for x in flat([value])]
            results = way.program(given)
            numbers = own.shaped({name: value}, given)
            if results is None:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # what is told has to be told again
                other = numbered(m.with_numbers(numbers))
            for one in SETS:
                plan = model.plan(one)
                tables = Tables(other, own.layout_of(other, one, frozenset()), ())
                p = plan.parameters.copy()
                p[way.places[one]] = way.of_plan(one, results)
                assert np.array_equal(p, tables.writer.p), numbers
                assert tables.structure() == Tables(model, plan.layout, ()).structure(), numbers
    return told, left


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GALLERY)
def test_every_number_of_the_gallery(name):
    m = getattr(lw.gallery, name)()
    _, left = compare(m, np.random.default_rng(0))
    # orientations are made one by a norm of numpy; and it is asked whether others measure between frames of a joint
    assert all(one.endswith(".orientation") or of_a_joint(m, one) for one in left), left


def of_a_joint(m, name):
    item, *path = name.split(".")
    return item in m.joints and path[0] in ("on", "to")


def test_every_number_in_space():
    told, left = compare(in_space(), np.random.default_rng(1), 6)
    assert left == ["A.on.angle", "A.to.angle"]  # about axes that are given, and made one by a norm of numpy
    assert told >= 16


@pytest.mark.parametrize(
    "numbers, wrong",
    [
        ({"crank.mass": 1.0}, {"crank.mass": 0.0}),
        ({"crank.mass": 1.0}, {"crank.mass": -1.0}),
        ({"crank.mass": 1.0}, {"crank.mass": 1e-9}),  # twice the digits
        ({"crank.length": 1.0}, {"crank.length": 0.0}),
        ({"crank.length": 1.0}, {"crank.length": -1.0}),
        ({"spring.damping": 1.0}, {"spring.damping": 0.0}),
    ],
)
def test_what_changes_the_structure_is_noticed(numbers, wrong):
    m = lw.gallery.four_bar()
    way = rewriting(model_of(m), SETS, numbers)
    if way is not None:
        assert way.results(numbers.values()) is not None
        assert way.results(wrong.values()) is None


def test_frames_that_become_one_are_noticed():
    """Two springs at places of a bar: where the places meet, there is one frame less."""
    m = lw.Mechanism()
    bar = m.add("bar", lw.Body(1.0, 0.1, points={"one": (0.3, 0.0), "two": (0.5, 0.0)}))
    m.add("A", lw.Revolute(m.ground, bar))
    m.add("S", lw.SpringDamper(m.ground.at(0, 1), bar.one, stiffness=1.0))
    m.add("T", lw.SpringDamper(m.ground.at(0, 1), bar.two, stiffness=1.0))
    model = model_of(m)
    way = rewriting(model, SETS, {"bar.points.one": (0.3, 0.0)})
    assert way.results([(0.4, 0.1)]) is not None
    assert way.results([(0.5, 0.0)]) is None


def test_no_plain_numbers():
    m = lw.gallery.four_bar()
    model = model_of(m)
    for value in ("1 kg", None, True, (), (1.0, "2 m"), np.float32(1.0)):
        assert rewriting(model, SETS, {"crank.mass": value}) is None
    assert rewriting(model, SETS, {"crank.nothing": 1.0}) is None
    way = rewriting(model, SETS, {"crank.mass": 1.0})
    assert way.results([np.float64(2.0)]) == way.results([2]) == way.results([2.0])
    assert way.results(["2 kg"]) is None


def test_what_places_a_state():
    m = lw.gallery.four_bar()
    model = model_of(m)
    for one in SETS:
        plan = model.plan(one)
        fixed = placing(plan)
        for name, places in (("crank.mass", False), ("gravity", False), ("spring.stiffness", False)):
            way = rewriting(model, SETS, {name: value_of(m, name) if name != "gravity" else m.gravity})
            assert fixed[way.places[one]].any() == places, name
            assert not way.moves
        way = rewriting(model, SETS, {"crank.length": 1.1})
        assert way.moves and fixed[way.places[one]].any()
