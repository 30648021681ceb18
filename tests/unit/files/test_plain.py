"""Files as plain data, and from one format to the other word for word."""

import json

import pytest

import linkwork as lw
from linkwork.errors import FileError
from linkwork.files.plain import load_plain
from unit.files.examples import FOUR_BAR


def test_values():
    assert load_plain("a: 1\nb: [1.5, 1e3, yes, true, ~, '3', on, -2]\nc: {d: 2 mm}\n") == {
        "a": 1,
        "b": [1.5, 1000.0, "yes", True, None, "3", "on", -2],
        "c": {"d": "2 mm"},
    }
    assert load_plain("# nothing\n") is None


def test_words_are_kept_in_the_other_format(tmp_path):
    text = lw.convert_text(FOUR_BAR, "json")
    data = json.loads(text)
    assert data["bodies"]["crank"] == {"shape": "bar", "length": "L", "mass": 1.0}
    assert data["forces"]["spring"]["stiffness"] == "20 N/m"
    assert lw.read(text) == lw.read(FOUR_BAR)
    path = tmp_path / "m.json"
    path.write_text(text)
    again = lw.convert_text(path, "yaml")
    assert load_plain(again) == data and lw.read(again) == lw.read(FOUR_BAR)


def test_wrong_syntax():
    with pytest.raises(FileError, match=":2:1: The field 'a' is given twice"):
        load_plain("a: 1\na: 2\n")
