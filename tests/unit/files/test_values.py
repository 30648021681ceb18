"""Nodes to numbers, texts and lists."""

import pytest

from linkwork.files import values
from linkwork.files.nodes import compose
from linkwork.files.problems import Problems, TooManyProblems
from linkwork.files.values import FAILED, Context, convert, number


def node_of(text):
    problems = Problems("m.yaml", text)
    root = compose(f"x: {text}\n", problems)
    assert not problems.found
    return root.get("x"), Context(problems, None, {}, parameters={"L": 0.3})


def value(text, *kinds):
    node, ctx = node_of(text)
    found = convert(ctx, node, kinds, "Item 'i'", "size")
    assert not ctx.problems.found, ctx.problems.found
    return found


def told(text, *kinds):
    node, ctx = node_of(text)
    assert convert(ctx, node, kinds, "Item 'i'", "size") is FAILED
    assert len(ctx.problems.found) == 1
    return ctx.problems.found[0].message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1.0),
        ("-1.5e-3", -0.0015),
        ("1e5", 1e5),
        (".5", 0.5),
        ("5.", 5.0),
        ("+2", 2.0),
        ("'3'", 3.0),
        ("!!str 3", 3.0),
        ("2*L", 0.6),
        ("'2*L'", 0.6),
        ("30 deg", "30 deg"),
        ("'5 kg*cm^2'", "5 kg*cm^2"),
        ("0", 0.0),
        ("-0.0", -0.0),
    ],
)
def test_number(text, expected):
    assert value(text, float) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".nan", "Item 'i' size is not finite. Got '.nan'; wanted a finite number."),
        ("NaN", "is not finite"),
        ("-.inf", "is not finite"),
        ("'Infinity'", "is not finite"),
        ("1e400", "is not finite"),
        ("true", "size is not a number. Got 'true'; wanted a number."),
        ("0123", "begins with a zero"),
        ("0x1F", "size"),
        ("1_000", "size"),
        ("1:30", "size"),
        ("''", "size is empty"),
        ("~", "size is empty. Wanted a number."),
        ("[1]", "size is a list. Got a list; wanted a number."),
        ("{}", "size is a map. Got a map without entries; wanted a number."),
        ("2*M", "There is no name 'M'"),
        ("3 parsecs", "the unit 'parsecs' is not known"),
    ],
)
def test_number_refused(text, message):
    assert message in told(text, float)


def test_other_kinds():
    assert value("true", bool) is True and value("False", bool) is False
    assert value("x", str) == "x" and value("'12'", str) == "12" and value("!!str 12", str) == "12"
    assert value("3", int) == 3
    assert value("~", float, type(None)) is None and value("", float, type(None)) is None
    assert value("[1, L]", tuple[float, ...]) == (1.0, 0.3)
    assert value("[[1, 2], [3, 4]]", tuple[float, ...], tuple[tuple[float, ...], ...]) == ((1.0, 2.0), (3.0, 4.0))
    assert value("[]", tuple[float, ...]) == ()


@pytest.mark.parametrize(
    ("text", "kinds", "message"),
    [
        ("on", (bool,), "size is neither true nor false. Got 'on'; wanted true or false."),
        ("1", (bool,), "is neither true nor false"),
        ("12", (str,), "size is not a text. Got '12'; wanted a text. Put it in quotes."),
        ("[x]", (str,), "size is a list"),
        ("1.5", (int,), "size is not a whole number. Got '1.5'"),
        ("1e300", (int,), "is not a whole number"),
        (
            "[1, 2, 3]",
            (tuple[float, float],),
            "size is a list of another form. Got 3 entries; wanted a list of 2 numbers.",
        ),
        ("[x, 1]", (tuple[str, float], tuple[float]), None),
    ],
)
def test_other_kinds_refused(text, kinds, message):
    if message is None:
        assert value(text, *kinds) == ("x", 1.0)
    else:
        assert message in told(text, *kinds)


def test_all_entries_of_a_list_are_told():
    node, ctx = node_of("[1, x, .nan, 2]")
    assert convert(ctx, node, (tuple[float, ...],), "Item 'i'", "size") is FAILED
    assert [one.message.split(". ")[0] for one in ctx.problems.found] == [
        "Item 'i' size[1]: There is no name 'x' in expression 'x'",
        "Item 'i' size[2] is not finite",
    ]


def test_texts_are_counted(monkeypatch):
    monkeypatch.setattr(values, "MOST_TEXTS", 3)
    node, ctx = node_of("1 + 1")
    for _ in range(3):
        assert number(ctx, node, "Item", "size") == 2.0
    with pytest.raises(TooManyProblems):
        number(ctx, node, "Item", "size")
