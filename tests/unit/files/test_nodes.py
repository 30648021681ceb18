"""Text to nodes with places, within limits."""

import pytest

from linkwork.files import nodes
from linkwork.files.nodes import MOST_DEPTH, compose
from linkwork.files.problems import Problems


def composed(text):
    problems = Problems("m.yaml", text)
    root = compose(text, problems)
    assert not problems.found, problems.found
    return root


def refused(text):
    problems = Problems("m.yaml", text)
    root = compose(text, problems)
    assert root is None or problems.found
    return [str(one) for one in problems.found]


def test_places_and_kinds():
    root = composed("a: 1\nb:\n  - 'x'\n  - {c: [~, 2]}\n")
    assert root.kind == "map" and [key.text for key, _ in root.items] == ["a", "b"]
    b = root.get("b")
    assert (b.kind, b.line, b.column) == ("list", 3, 3)
    assert (b.items[0].text, b.items[0].plain, b.items[0].line, b.items[0].column) == ("x", False, 3, 5)
    assert (b.items[1].get("c").items[1].line, b.items[1].get("c").items[1].column) == (4, 13)
    assert root.get("z") is None
    assert (root.size, root.height) == (11, 5)


def test_json_with_tabs_and_escapes():
    root = composed('{\n\t"a": "\\ud83d\\ude00 \\u00e9 \\/",\n\t"b": 1e5\n}')
    assert root.get("a").text == "\U0001f600 é /" and root.get("b").text == "1e5"
    assert composed('{"a": "\\\\ud83d\\\\ude00"}').get("a").text == "\\ud83d\\ude00"


def test_half_a_character():
    assert refused('{"a": "\\ud800"}')[0].startswith("m.yaml:1:")


def test_duplicate_keys_are_all_told():
    assert refused("a: 1\nb: {c: 1, c: 2}\na: 2\n") == [
        "m.yaml:2:11: The field 'c' is given twice. The first is in line 2; remove one.",
        "m.yaml:3:1: The field 'a' is given twice. The first is in line 1; remove one.",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: 1\n\tb: 2\n", ":2:1: The line is indented by a tab. Use spaces"),
        ("bodies:\n\tb: {mass: 1}\n", ":2:1: The line is indented by a tab."),
        ("a: [1\n", "The syntax is wrong in the list that began in line 1"),
        ("a: 'x\n", "The syntax is wrong"),
        ("a: b: c\n", "The syntax is wrong"),
        ("a: 1\n---\nb: 1\n", ":2:1: The file holds a second document."),
        ("? [1, 2]\n: 3\n", "A list or a map stands where the name of a field is wanted."),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", "Merge keys '<<' are not read."),
        ("a: *b\n", "The alias '*b' has no anchor before it"),
        ("a: &a [*a]\n", "The alias '*a' has no anchor before it, or stands inside its own anchor."),
        ("a: !!python/object:os.system {}\n", "python/object:os.system' is not allowed here."),
        ("a: !!python/name:os.system\n", "is not allowed here. A file holds text"),
        ("a: !mine 1\n", "The tag '!mine' is not allowed here."),
        ("a: !!binary aGVsbG8=\n", "is not allowed here"),
        ("!!set {a, b}\n", "is not allowed here"),
        ("a: !!map [1]\n", "is not allowed here"),
        ("%TAG ! tag:example.com,2000:\n--- !x 1\n", "is not allowed here"),
        ("a: \ufffe\n", "a character that is not allowed"),
        ('a: "\\x"\n', "The syntax is wrong"),
        ('a: "\\UFFFFFFFF"\n', "The syntax is wrong"),
    ],
)
def test_refused(text, told):
    found = refused(text)
    assert len(found) == 1 and told in found[0], found


def test_standard_tags_are_allowed():
    root = composed("a: !!str 12\nb: !!float 1\nc: !!map {x: !!null ~}\nd: !!seq []\n")
    assert [value.tag for _, value in root.items] == ["str", "float", "map", "seq"]


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_depth(opening):
    assert f"nested too deeply. Wanted at most {MOST_DEPTH} levels" in refused(opening * 100_000)[0]


def test_depth_by_indentation():
    assert "nested too deeply" in refused("\n".join(" " * k + "a:" for k in range(200)))[0]


def test_depth_by_aliases():
    lines = ["a0: &a0 [1]"] + [f"a{k}: &a{k} [*a{k - 1}]" for k in range(1, 60)]
    assert "nested too deeply" in refused("\n".join(lines))[0]


def test_alias_bomb():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]" for k in range(1, 10)]
    assert "too many values, aliases counted by what they stand for" in refused("\n".join(lines))[0]


def test_long_value(monkeypatch):
    assert "A value is too long. Got 30000 characters" in refused(f"a: {'x' * 30_000}\n")[0]


def test_many_values(monkeypatch):
    monkeypatch.setattr(nodes, "MOST_NODES", 100)
    assert "too many values" in refused("[" + "1, " * 200 + "1]")[0]


@pytest.mark.parametrize("text", ["a: [1\n", "a: 1\n\tb: 2\n", "a: !x 1\n", "a: {b: [1, 'x']}\n", "a: \x7f\n"])
def test_without_libyaml(monkeypatch, text):
    import yaml

    expected = refused(text) if text != "a: {b: [1, 'x']}\n" else composed(text)
    monkeypatch.setattr(nodes, "LOADER", yaml.SafeLoader)
    if isinstance(expected, list):
        assert refused(text)[0].split(":")[1] == expected[0].split(":")[1]  # the same line
    else:
        assert composed(text).get("a").get("b").items[1].text == "x"
