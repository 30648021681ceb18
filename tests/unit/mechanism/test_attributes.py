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
