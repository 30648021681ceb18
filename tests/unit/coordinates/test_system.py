"""What every set of coordinates says in its own way is declared once, and said by each."""

import ast
import inspect
import textwrap

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.rewriting import placing
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


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("turned", ["block", "arm", "wheel"])
def test_what_keeps_turns_is_said_to_place_a_state(coordinates, turned):
    """Other numbers that do not place a state are written over those of its system: turns must not be among them."""
    m = lw.Mechanism("slider")
    block = m.add("block", lw.Body(1.0, 0.1, position=(0.3, 0.0)))
    arm = m.add("arm", lw.Body(0.5, 0.05, center=(0.0, -0.5), position=(0.3, 0.0), angle=0.4))
    wheel = m.add("wheel", lw.Body(0.5, 0.05, position=(0.3, 0.0), angle=0.4))
    m.add("rail", lw.Prismatic(m.ground.at(0, 0), block.at(0, 0)))
    m.add("pin", lw.Revolute(block.at(0, 0), arm.at(0, 0)))
    m.add("weld", lw.Fixed(arm.at(0, 0), wheel.at(0, 0)))
    state = m.assemble(coordinates="body").state
    system, y = state.system(coordinates), state.y.copy()
    before = system.numbers_kept()
    for turns in (1, -2):
        y[3 * list(m.bodies).index(turned) + 2] += turns * 2.0 * np.pi
        system.keep_turns(y)
        changed = system.numbers_kept() != before
        assert not (changed & ~placing(system.plan)).any()
    assert changed.any() == (coordinates != "body")
