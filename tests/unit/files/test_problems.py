"""Problems with their places, in one error."""

import pytest

from linkwork.errors import FileError
from linkwork.files.problems import MOST_PROBLEMS, Problems, TooManyProblems, nearest, shortened, shown


def test_one_error_in_the_order_of_the_file():
    problems = Problems("m.yaml", "a: 1\n  b: 2\n")
    problems.add(2, 3, "Second.")
    problems.add(1, 1, "First.")
    problems.add(1, 1, "First.")
    with pytest.raises(FileError) as caught:
        problems.raise_any()
    assert str(caught.value) == "m.yaml:1:1: First.\n    a: 1\nm.yaml:2:3: Second.\n    b: 2"
    assert [one.line for one in caught.value.problems] == [1, 2]
    assert caught.value.problems[1].text == "b: 2"


def test_nothing_found_raises_nothing():
    Problems("m.yaml").raise_any()


def test_a_long_line_is_shown_around_the_place():
    problems = Problems("m.yaml", "x" * 1000 + "HERE" + "y" * 1000)
    problems.add(1, 1001, "Wrong.")
    assert "HERE" in problems.found[0].text and len(problems.found[0].text) < 170


def test_too_many():
    problems = Problems("m.yaml")
    with pytest.raises(TooManyProblems):
        for k in range(1000):
            problems.add(k, 1, "Wrong.")
    assert len(problems.found) == MOST_PROBLEMS


def test_terminals_get_no_control_characters():
    problems = Problems("m\x1b.yaml", "a\u202e: 1")
    problems.add(1, 1, "Got \x1b[2J and \u202e.")
    assert str(problems.error()).replace("\n", "").isprintable()


def test_shortened():
    assert shortened("a" * 1000, 100).endswith("... (1000 characters)") and len(shortened("a" * 1000, 100)) < 110
    assert shown("a" * 1000) == "'" + "a" * 60 + "...'"


def test_nearest():
    assert nearest("lenght", ["length", "mass"]) == " Nearest: 'length'."
    assert nearest("zzz", ["length", "mass"]) == " Known: 'length', 'mass'."
    assert nearest("zzz", []) == ""
    assert nearest("zzz", [f"n{k}" for k in range(20)]).endswith("'n14', ....")
