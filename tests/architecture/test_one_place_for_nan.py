"""Only `kernels/time/control.py` says what is finite in a motion through time; others ask it."""

import ast

from architecture.rooms import PACKAGE

FOLDER = PACKAGE / "kernels" / "time"
WORDS = {"isfinite", "isnan", "isinf"}


def words_of(file):
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return {name for node in nodes if (name := getattr(node, "attr", getattr(node, "id", ""))) in WORDS}


def test_control_is_the_one_place_that_knows_nan():
    assert {file.stem for file in FOLDER.glob("*.py") if words_of(file)} == {"control"}
