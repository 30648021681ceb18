"""What is made of a state is made of its numbers as they are."""

from dataclasses import replace

import pytest

import linkwork as lw


def pendulum():
    m = lw.Mechanism("pendulum")
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0, angle=0.3))
    m.add("A", lw.Revolute(m.ground, bar.a))
    return m.compile()


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("in_place", [False, True])
def test_a_state_with_other_numbers_is_another_state(coordinates, in_place):
    model = pendulum()
    state, other = (lw.assemble(model, start={"A.angle": angle}, coordinates="body").state for angle in (0.3, 0.8))
    assert lw.simulate(model, 0.0, start=state, coordinates=coordinates)["A.angle"] == pytest.approx(0.3)
    assert state["A.angle"] == pytest.approx(0.3)
    if in_place:
        state.y[:] = other.y
    else:
        state = replace(state, y=other.y)
    assert state["A.angle"] == pytest.approx(0.8)
    assert lw.simulate(model, 0.0, start=state, coordinates=coordinates)["A.angle"] == pytest.approx(0.8)
