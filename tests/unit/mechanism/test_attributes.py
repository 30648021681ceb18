"""Attributes that a mechanism does not have: what is perhaps meant is told."""

import copy
import pickle

import pytest

import linkwork as lw


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("crank", 'by name: mechanism["crank"]'),
        ("dof", "().freedom is meant"),
        ("simulat", "mechanism.simulate"),
        ("crnk", 'mechanism["crank"]'),
        ("xyzzy", "dir(mechanism)"),
    ],
)
def test_what_is_meant_is_told(key, told):
    m = lw.gallery.four_bar()
    with pytest.raises(AttributeError, match=rf"Mechanism 'four-bar' has no attribute '{key}'") as caught:
        getattr(m, key)
    assert told in str(caught.value) and isinstance(caught.value, lw.errors.DescriptionError)
    assert not hasattr(m, key) and getattr(m, key, 7) == 7


def test_copies_and_pickles():
    m = lw.gallery.four_bar()
    for other in (copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert other == m and not hasattr(other, "__nothing__") and not hasattr(other, "_nothing")


def test_every_word_means_something():
    from linkwork.mechanism.attributes import WORDS

    for word, meant in WORDS.items():
        assert not hasattr(lw.Mechanism, word)
        assert eval(f"m.{meant}", {"m": lw.gallery.four_bar()}) is not None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            'm["crank"].mass = 3',
            ["Body 'crank' stays", 'with_numbers({"crank.mass": ...})', 'mechanism.replace("crank"'],
        ),
        ('del m["crank"].mass', ["Body 'crank' stays"]),
        ('m["crank"].mas = 3', ["has no 'mas'", "Perhaps mass is meant"]),
        ('m["A"].on = 3', ["Joint 'A' (Revolute) stays", 'Write mechanism.replace("A", ...)']),
        ("lw.Harmonic(1, 2).amplitude = 3", ["Harmonic stays", "Make another one"]),
        ('m.parameters["L"] = 2', ["Parameters", "with_numbers"]),
        ('m.parameters.update({"L": 2})', ["Parameters", "with_numbers"]),
        ("m.parameters = {}", ["Parameters", "with_numbers"]),
        ('m["crank"] = lw.bar(1, 1)', ['Write mechanism.replace("crank", ...)']),
        ('m["other"] = lw.bar(1, 1)', ['Write mechanism.add("other", ...)']),
        ('del m["crank"]', ['Write mechanism.remove("crank")']),
        ("m.gravty = 1", ["no attribute 'gravty'", "mechanism.gravity is meant"]),
        ("m.dimension = 3", ["'four-bar' keeps its dimension", "in_space()"]),
        ("m.name = 5", ["a name that is no text"]),
        ('m.name = "a\\nb"', ["cannot be shown"]),
        ("m.bodies = {}", ["keeps its bodies", "mechanism.replace"]),
        ("m.simulate = 3", ["keeps its simulate"]),
        ("m.ground = 3", ["keeps its ground"]),
    ],
)
def test_what_cannot_be_changed_says_what_to_write(words, told):
    m = lw.gallery.four_bar()
    with pytest.raises(lw.errors.DescriptionError) as caught:
        exec(words, {"m": m, "lw": lw})
    assert all(one in str(caught.value) for one in told), str(caught.value)
    assert m == lw.gallery.four_bar()


def test_what_is_hers_can_be_changed():
    class Own(lw.Mechanism):
        """Has a number of its own."""

        def __init__(self):
            super().__init__("own")
            self.number = 3

    m = lw.gallery.four_bar()
    m.name, m.gravity = "other", None
    assert m.name == "other" and m.gravity == (0.0, 0.0) and Own().number == 3
    for other in (copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m)), m.copy()):
        assert other.name == "other" and other.parameters == {} and other.ground == m.ground
