"""What is made of a state is made of its numbers as they are."""

from dataclasses import replace

import numpy as np
import pytest

import linkwork as lw


def pendulum():
    m = lw.Mechanism("pendulum")
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0, angle=0.3))
    m.add("A", lw.Revolute(m.ground, bar.a))
    return m.compile()


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
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


def test_one_state_is_read_alike_by_state_assembly_and_evaluation():
    """Vectors too: their components, as in a row of a result."""
    m = lw.gallery.four_bar()
    assembly = m.assemble(coordinates="body")
    state, known = assembly.state, m.evaluate(assembly.state, coordinates="body")
    run = m.simulate([0.0, 0.1], start=state, coordinates="body")
    for one in (state, assembly, known):
        for name in ("crank.rate", "crank.momentum", "B.reaction"):
            assert one[name].shape == (2,)
            assert one[name] == pytest.approx(run[name][0], rel=1e-9, abs=1e-9), name
            assert list(one[name]) == [one[part] for part in run.scalars([name])]
        assert type(one["crank.angle"]) is float and type(one["t"]) is float
    state["crank.rate"][:] = 7.0  # what was given away is the reader's own
    assert state["crank.rate"] == pytest.approx(run["crank.rate"][0])


def test_angular_acceleration_at_one_state():
    m = lw.Mechanism("body", dimension=3, gravity=None)
    m.add("body", lw.box(1.0, 0.4, 0.2, mass=2.0))
    run = m.simulate(
        0.5, every=0.1, coordinates="body", start={"body.angular_velocity.x": 1.0, "body.angular_velocity.y": 2.0}
    )
    known = m.evaluate(run.final, coordinates="body")
    for axes in ("body", "world"):
        assert known.angular_acceleration("body", axes) == pytest.approx(
            run.angular_acceleration("body", axes)[-1], rel=1e-9
        )
    # Euler: I w' = -w x (I w)
    inertia = 2.0 / 12.0 * np.array([0.4**2 + 0.2**2, 1.0 + 0.2**2, 1.0 + 0.4**2])
    w = known.angular_velocity("body")
    assert known.angular_acceleration("body") == pytest.approx(-np.cross(w, inertia * w) / inertia, rel=1e-9)


def test_a_state_is_printed_in_one_line():
    m = lw.gallery.four_bar()
    found = m.assemble(start={"A.angle": 1.0}, coordinates="body")
    assert str(found.state).startswith("<State of 'four-bar' at t = 0 s: crank.angle 1, coupler.angle ")
    text = str(found.others)
    assert len(text) < 150 and "rocker.angle" in text and "array" not in text
    assert "A.angle 1, B.angle" in str(m.in_space().assemble(start={"A.angle": 1.0}, coordinates="body").state)
    free = lw.Mechanism("free")
    free.add("p", lw.Particle(1.0, position=(1.0, 2.0)))
    assert "p.x 1, p.y 2" in str(free.assemble(coordinates="body").state)
