"""Items by their declarations: where a problem is placed, and what is too much."""

import pytest

import linkwork as lw
from linkwork.errors import FileError
from linkwork.files import items, reader
from unit.files.examples import refused

HEAD = "linkwork: 1\n"


def places(text):
    with pytest.raises(FileError) as caught:
        lw.read(text)
    return [(one.line, one.column) for one in caught.value.problems]


def test_a_problem_stands_at_the_field_that_it_names():
    text = HEAD + "bodies:\n  b:\n    shape: bar\n    length: 1\n    mass: -1\n    width: -2\n"
    assert places(text) == [(6, 11), (7, 12)]
    assert places(text.replace("width: -2", "width: 2")) == [(6, 11)]
    text = HEAD + "bodies:\n  b:\n    mass: 1\n    orientation: [1, 1, 0, 0]\n"
    text += "    points:\n      mass: [0, 0]\n      2a: [1, 1]\n"
    assert places(text) == [(5, 18), (7, 7), (8, 7)]
    assert places(HEAD + "bodies: {b: {mass: 1}}\njoints:\n  A: {type: Rod, on: ground, to: b, length: 0}\n") == [
        (4, 45)
    ]
    assert places(HEAD + "bodies: {b: {mass: 1}}\njoints:\n  A: {type: Revolute, on: ground, to: ground}\n")[0][0] == 4


def test_names_in_messages_are_those_of_the_file():
    found = refused(HEAD + 'bodies: {<script>: {mass: -1}, "it\'s": {mass: -1}}\n')
    assert found[0].startswith("Body '<script>' mass is too small.") and "it's" in found[1]


def test_a_misspelt_field_is_told_once():
    assert refused(HEAD + "bodies: {b: {shape: bar, lenght: 1, mass: 1}}\n") == [
        "Body 'b' has an unknown field 'lenght'. Nearest: 'length'."
    ]


def test_what_follows_from_a_wrong_body_is_not_told():
    text = (
        HEAD
        + """\
bodies: {b: {mass: x}}
joints: {A: {type: Revolute, on: ground, to: b.tip}}
drivers: {d: {measure: A.angle, function: t}}
"""
    )
    assert len(refused(text)) == 1


def test_a_force_that_comes_later_cannot_be_read():
    text = (
        HEAD
        + """\
bodies: {b: {mass: 1}}
forces:
  f: {type: UserForce, measure: g.length, law: x}
  g: {type: SpringDamper, on: ground, to: b}
"""
    )
    assert (
        "reads force 'g', which is not known here. Put that force before this one." in refused(text, laws={"x": abs})[0]
    )


def test_too_many_corners(monkeypatch):
    monkeypatch.setattr(items, "MOST_WORK", 10)
    text = HEAD + "bodies: {b: {shape: polygon, mass: 1, corners: [[0, 0], [1, 0], [1, 1], [0, 1]]}}\n"
    assert "too many corners" in refused(text)[0]


def test_too_many_items(monkeypatch):
    monkeypatch.setattr(reader, "MOST_ITEMS", 2)
    assert "has too many items" in refused(HEAD + "bodies: {a: {mass: 1}, b: {mass: 1}, c: {mass: 1}}\n")[0]


def test_too_many_parameters(monkeypatch):
    monkeypatch.setattr(reader, "MOST_PARAMETERS", 2)
    assert "has too many parameters. Got 3; wanted at most 2." in refused(HEAD + "parameters: {a: 1, b: 1, c: 1}\n")[0]


def test_a_class_that_keeps_a_unit_as_text_is_told():
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Loose(lw.Joint):
        """Does not look at its number."""

        size: float = 1.0

    try:
        text = HEAD + "bodies: {b: {mass: 1}}\njoints: {A: {type: Loose, on: ground, to: b, size: 3 mm}}\n"
        assert refused(text) == ["Joint 'A' (Loose) size takes no unit. Got '3 mm'; wanted a number."]
    finally:
        del lw.Joint.kinds["Loose"]
