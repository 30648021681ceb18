"""Mechanisms to files and back."""

import json

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, FileError
from unit.files.examples import FOUR_BAR, LAWS, MECHANISMS, bump, everything, four_bar, two_bodies

BY_NAME = pytest.mark.parametrize("name", MECHANISMS)


@BY_NAME
@pytest.mark.parametrize("format", ["yaml", "json"])
def test_nothing_is_lost(name, format):
    m = MECHANISMS[name]()
    text = lw.to_text(m, format)
    again = lw.read(text, laws=LAWS)
    assert again == m
    assert lw.digest(again) == lw.digest(m)
    assert lw.to_text(again, format) == text
    for family in ("bodies", "joints", "drivers", "forces"):
        first, second = getattr(m, family), getattr(again, family)
        assert list(first) == list(second)
        for item in first:
            assert first[item].__dict__ == second[item].__dict__ or family == "drivers"


def test_every_joint_and_force_takes_part():
    m = everything()
    kinds = {type(one).__name__ for one in (*m.joints.values(), *m.forces.values())}
    of_space = {"Bushing", "BallFriction"}  # in tests/unit/mechanism/test_elements.py
    assert {
        name for name, kind in {**lw.Joint.kinds, **lw.Force.kinds}.items() if kind.__module__.startswith("linkwork.")
    } - of_space <= kinds


def test_layout():
    m = lw.Mechanism("pendulum", gravity=None)
    rod = m.add("rod", lw.Body(1.0, 0.1, points={"a": (0.5, 0)}))
    m.add("A", lw.Revolute(m.ground, rod.a))
    m.add("motor", lw.Driver(m["A"].angle, lw.Expression("0.1*sin(t)")))
    m.add("no", lw.SpringDamper(m.ground.at(0, 1), rod.at(0, 0, angle=0.5), stiffness=1e-5))
    assert (
        lw.to_text(m)
        == """\
linkwork: 1
name: pendulum
dimension: 2
gravity: null
bodies:
  rod: {mass: 1.0, inertia: 0.1, points: {a: [0.5, 0.0]}}
joints:
  A: {type: Revolute, on: ground, to: rod.a}
drivers:
  motor: {measure: A.angle, function: 0.1*sin(t)}
forces:
  "no": {type: SpringDamper, on: {ground: [0.0, 1.0]}, to: {body: rod, angle: 0.5}, stiffness: 1.0e-05}
""".replace("function: 0.1*sin(t)", 'function: "0.1*sin(t)"')
    )


def test_gravity_is_written_where_it_is_not_the_usual():
    assert "gravity" not in lw.to_text(lw.Mechanism("m"))
    assert "gravity: null" in lw.to_text(lw.Mechanism("m", gravity=None))
    assert "gravity: [0.0, -1.62]" in lw.to_text(lw.Mechanism("m", gravity=(0, -1.62)))
    for gravity in (None, (0, -1.62)):
        m = lw.Mechanism("m", gravity=gravity)
        assert lw.read(lw.to_text(m)).gravity == m.gravity


@pytest.mark.parametrize("suffix", ["yaml", "yml", "json"])
def test_file(tmp_path, suffix):
    path = tmp_path / f"m.{suffix}"
    m = four_bar()
    lw.write(m, path, analysis={"type": "simulate", "duration": 10, "start": {"A.angle": np.float64(1.0)}})
    found = lw.read_document(path)
    assert found.mechanism == m == lw.read(path)
    assert found.analysis == {"type": "simulate", "duration": 10.0, "start": {"A.angle": 1.0}}
    assert found.source == str(path)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]  # nothing else is left
    if suffix == "json":
        assert json.loads(path.read_text())["linkwork"] == 1


def test_file_with_another_ending(tmp_path):
    with pytest.raises(FileError, match=r"Got '.txt'; wanted .yaml, .yml or .json"):
        lw.write(four_bar(), tmp_path / "m.txt")


def test_format_is_unknown():
    with pytest.raises(DescriptionError, match=r"Got 'yam'; wanted 'yaml' or 'json'. Nearest: 'yaml'"):
        lw.to_text(four_bar(), "yam")


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "m.yaml"
    path.write_text("old")
    m = two_bodies()
    m.add("f", lw.UserForce(lw.Distance(m["one"], m["two"]), Unnamed(), stiffness=1.0))
    with pytest.raises(FileError, match="Force 'f' uses a Python function without a name to write"):
        lw.write(m, path)
    assert path.read_text() == "old"


class Unnamed:
    def __call__(self, value, rate, t, stiffness):
        return -stiffness * value


def test_two_functions_of_one_name():
    m = two_bodies()
    one, two = m["one"], m["two"]
    m.add("f", lw.SpringDamper(one, two, stiffness=softening(1.0)))
    m.add("g", lw.SpringDamper(one, two, stiffness=softening(2.0)))
    with pytest.raises(DescriptionError, match="Force 'g' uses one of two different Python functions named 'law'"):
        lw.to_text(m)
    assert lw.digest(m)  # which only counts names


def softening(factor):
    def law(x):
        return factor * x

    return law


@pytest.mark.parametrize("format", ["yaml", "json"])
def test_a_lambda_has_no_name_to_write(format, tmp_path):
    m = two_bodies()
    m.add("f", lw.SpringDamper(m["one"], m["two"], stiffness=lambda x: x))
    with pytest.raises(FileError, match=r"Force 'f' uses a Python function without a name to write.*made by def"):
        lw.to_text(m, format)
    with pytest.raises(FileError, match="without a name to write"):
        lw.write(m, tmp_path / f"m.{format}")
    assert not list(tmp_path.iterdir())
    assert lw.digest(m) and m == m.copy()


def test_a_function_is_written_by_name_and_must_be_given():
    m = two_bodies()
    m.add("f", lw.UserForce(lw.Distance(m["one"], m["two"]), bump, stiffness=3.0))
    text = lw.to_text(m)
    assert "law: {law: bump}" in text and "stiffness: 3.0" in text
    assert lw.read(text, laws={"bump": bump}) == m
    with pytest.raises(FileError, match="Python function 'bump', which a file cannot hold"):
        lw.read(text)


def test_a_class_of_its_own_is_refused_where_no_file_could_name_it():
    class _Hidden(lw.Revolute):
        """Not registered."""

    m = two_bodies()
    m.add("A", _Hidden(m["one"], m["two"]))
    with pytest.raises(DescriptionError, match=r"Joint 'A' is of a class that no file can name. Got _Hidden"):
        lw.to_text(m)


def test_analysis_with_something_that_no_file_can_hold():
    with pytest.raises(DescriptionError, match="analysis has a value that no file can hold"):
        lw.to_text(four_bar(), analysis={"start": object()})


# -- equality and digest ---------------------------------------------------------------------------------------------


def test_equality():
    assert four_bar() == four_bar()
    assert four_bar() == lw.read(FOUR_BAR)
    assert four_bar() != two_bodies() and four_bar() != 1
    changed = four_bar()
    changed.replace("crank", lw.bar(length=1.0, mass=1.0000000001))
    assert changed != four_bar() and lw.digest(changed) != lw.digest(four_bar())


def test_equality_counts_the_functions_themselves():
    def other():
        def bump(value, rate, t, stiffness, damping=0.1):
            return 0.0

        return bump

    def build(law):
        m = two_bodies()
        m.add("f", lw.UserForce(lw.Distance(m["one"], m["two"]), law, stiffness=3.0))
        return m

    assert build(bump) == build(bump)
    assert build(bump) != build(other())
    assert lw.digest(build(bump)) == lw.digest(build(other()))


def test_digest_is_the_same_in_every_process():
    m = lw.Mechanism("m")
    m.add("b", lw.Body(1.0, 0.5))
    canonical = '{"linkwork":1,"name":"m","dimension":2,"bodies":{"b":{"mass":1.0,"inertia":0.5}}}'
    import hashlib

    assert lw.digest(m) == hashlib.sha256(canonical.encode()).hexdigest()


def test_same_motion():
    m = four_bar()
    again = lw.read(lw.to_text(m))
    start = {"A.angle": 1.0}
    first, second = (
        one.simulate(0.5, every=0.1, start=start, near={"coupler.angle": 0.5}, coordinates="body") for one in (m, again)
    )
    assert np.array_equal(first["D.angle"], second["D.angle"])
