"""What every set of coordinates says in its own way is declared once, and said by each."""

import ast
import inspect
import textwrap

import pytest

from linkwork.coordinates import SETS, _room
from linkwork.coordinates.system import System


def declared():
    """Names of what the base leaves to the sets."""
    return {
        node.name
        for node in ast.parse(textwrap.dedent(inspect.getsource(System))).body[0].body
        if isinstance(node, ast.FunctionDef) and isinstance(node.body[-1], ast.Raise)
    }


def test_the_base_declares_what_sets_say():
    assert {"columns", "weights", "jacobian", "from_body", "to_body", "pivots", "pushed"} <= declared()


@pytest.mark.parametrize("coordinates", SETS)
def test_each_set_says_it(coordinates):
    own = _room(coordinates).System
    wanted = declared() - (set() if own.factor_tells else {"pivots", "pushed"})
    if coordinates == "point":  # designs of a sweep do not run in blocks there
        wanted -= {"keep_many_turns"}
    assert [name for name in sorted(wanted) if getattr(own, name) is getattr(System, name)] == []
