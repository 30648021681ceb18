"""The layout of a file put in order."""

import pytest
import yaml

import linkwork as lw
from linkwork.errors import FileError
from linkwork.files.fmt import format_text
from linkwork.files.plain import load_plain
from unit.files.examples import FOUR_BAR, MECHANISMS

UNTIDY = """\


linkwork:   1    #  version   of the format
name:    four-bar


# bodies here  \t
bodies:
     crank:   {shape: bar,length: 1.0 ,  mass: 1.0}   # the crank

     # about the coupler
     coupler: { shape: bar, length: 3.0,
                mass: 2.0 }
     rocker:
            shape:   bar
            points:   {tracer: [ 0.2,0.4 ]}
               # deep in the rocker
            corners:
            -   [0, 1]
            -   - 1
                - 2
            notes: |
                a text
                  more
            length: 2.5
joints:
    A: {type: Revolute,on: {ground: [0, 0]},   to: crank.a}
# the end"""

TIDY = """\
linkwork: 1  #  version   of the format
name: four-bar

# bodies here  \t
bodies:
  crank: {shape: bar, length: 1.0, mass: 1.0}  # the crank

  # about the coupler
  coupler: {shape: bar, length: 3.0,
             mass: 2.0}
  rocker:
    shape: bar
    points: {tracer: [0.2, 0.4]}
    # deep in the rocker
    corners:
    - [0, 1]
    - - 1
      - 2
    notes: |
        a text
          more
    length: 2.5
joints:
  A: {type: Revolute, on: {ground: [0, 0]}, to: crank.a}
# the end
"""


def test_tidy():
    assert format_text(UNTIDY) == TIDY
    assert format_text(TIDY) == TIDY
    assert load_plain(UNTIDY) == load_plain(TIDY)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1", "a: 1\n"),
        ("a:    1   \n\n\n\nb: 2\n\n", "a: 1\n\nb: 2\n"),
        ("a: 1\r\nb: 2\r\n", "a: 1\nb: 2\n"),
        ("a: [1,2,   3]#x\n", None),
        ("a: 'x  #  y'   # z\n", "a: 'x  #  y'  # z\n"),
        ("a: 'x\n   y'\n", "a: 'x\n   y'\n"),
        ("a:\n      b:\n          c: 1\n      d: 2\n", "a:\n  b:\n    c: 1\n  d: 2\n"),
        ("a:\n- 1\n-   2\n", "a:\n- 1\n- 2\n"),
        ("a:\n    - b: 1\n      c: 2\n    -   d: 3\n        e: 4\n", "a:\n  - b: 1\n    c: 2\n  - d: 3\n    e: 4\n"),
        ("---\na:   1\n", "---\na: 1\n"),
        ("a:   &x {b:   1}\nc:   *x\n", "a: &x {b: 1}\nc: *x\n"),
        ("{a:   1,b: 2}\n", "{a: 1, b: 2}\n"),
        ('{\n  "a":1,\n  "b": [1,2]\n}\n', '{\n  "a": 1,\n  "b": [1, 2]\n}\n'),
        ("a: >\n     folded\n     text\nb:   1\n", "a: >\n     folded\n     text\nb: 1\n"),
        ("# only a comment\n", "# only a comment\n"),
        ("a: !!str   12\n", "a: !!str 12\n"),
        ("? a\n: 1\n", None),
    ],
)
def test_small(text, expected):
    found = format_text(text)
    if expected is not None:
        assert found == expected
    assert format_text(found) == found
    assert load_plain(found) == load_plain(text if "\n" in text else text + "\n")


def test_comments_keep_every_character():
    found = format_text(FOUR_BAR)
    assert "linkwork: 1  # version of the format\n" in found
    assert lw.read(found) == lw.read(FOUR_BAR)


@pytest.mark.parametrize("name", MECHANISMS)
def test_what_is_written_is_in_order_already(name):
    text = lw.to_text(MECHANISMS[name]())
    assert format_text(text) == text


def test_wrong_syntax():
    with pytest.raises(FileError, match="The syntax is wrong"):
        format_text("a: [1\n")


@pytest.mark.parametrize(("change", "scans", "parses"), [(str, 1, 1), (lambda text: text.replace("{", "{  "), 2, 1)])
def test_a_text_is_gone_through_no_more_often_than_needed(change, scans, parses, monkeypatch):
    """Once, and once more where it changes: large files cost seconds each time."""
    text = change(format_text(FOUR_BAR))
    counts = {"scan": 0, "parse": 0}

    def counted(name, function):
        def call(*args, **options):
            counts[name] += 1
            return function(*args, **options)

        return call

    for name in counts:
        monkeypatch.setattr(yaml, name, counted(name, getattr(yaml, name)))
    format_text(text)
    assert counts == {"scan": scans, "parse": parses}
