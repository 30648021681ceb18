"""Plain data to text."""

import json

import pytest
import yaml

from linkwork.files.emit import WIDTH, to_json, to_yaml
from linkwork.files.plain import load_plain

WORDS = [
    "crank",
    "a b",
    "no",
    "on",
    "y",
    "null",
    "~",
    "true",
    "12",
    "1e5",
    ".5",
    "1:30",
    "2001-01-01",
    "0x1f",
    "1_000",
    "=",
    "<<",
    "",
    " x",
    "x ",
    "a: b",
    "a #b",
    "- a",
    "[x",
    "{x",
    "'x'",
    '"',
    "\\",
    "é",
    "\U0001f600",
    "\u2028",
    "\x85",
    "\ufeff",
    "a\nb",
    "\t",
    "*x",
    "&x",
    "!x",
    "%x",
    "@x",
    "`x",
    "|",
    ">",
    "20 N/mm",
    "2*L",
    "0.1*sin(2*pi*t)",
    "nan",
    "-.inf",
    "<script>",
    "x" * 200,
    "Infinity",
    "yes",
    "OFF",
    "\xa0",
    "\u202e",
]


@pytest.mark.parametrize("word", WORDS)
def test_words_come_back_from_every_reader(word):
    data = {"name": word, "bodies": {word or "x": {"text": word, "list": [word, [word]]}}}
    for text in (to_yaml(data), to_json(data)):
        assert load_plain(text) == data
    assert json.loads(to_json(data)) == data
    found = yaml.safe_load(to_yaml({"name": word}))  # YAML 1.1 as others read it
    assert found == {"name": word}


@pytest.mark.parametrize("number", [0.0, -0.0, 1.0, 0.1, 1e22, 1e-7, 5e-324, 1.7976931348623157e308, 1 / 3, 3, -12])
def test_numbers_keep_every_digit(number):
    for text in (to_yaml({"a": number}), to_json({"a": number})):
        assert repr(load_plain(text + "\n")["a"]) == repr(number)
    assert repr(yaml.safe_load(to_yaml({"a": number}))["a"]) == repr(number)


def test_layout():
    data = {
        "linkwork": 1,
        "gravity": None,
        "bodies": {"b": {"mass": 1.0, "gravity": False}},
        "joints": {},
        "list": [1, [2]],
    }
    assert to_yaml(data) == (
        "linkwork: 1\ngravity: null\nbodies:\n  b: {mass: 1.0, gravity: false}\njoints: {}\nlist: [1, [2]]\n"
    )


def test_long_lines_are_broken():
    data = {
        "bodies": {"b": {"mass": 1.0, "points": {f"p{k}": [k / 7, k / 3] for k in range(30)}}},
        "table": [k / 7 for k in range(100)],
    }
    text = to_yaml(data)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert load_plain(text) == data == yaml.safe_load(text)


def test_not_finite_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        to_json({"a": float("nan")})
