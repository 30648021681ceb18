"""Cosines and sines of the links, many at once, against those of the system's library."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.entering import enter
from linkwork.kernels import layout as at
from linkwork.kernels.cosines import SPARE

QUARTERS = [k * math.pi / 2 for k in (-7, -3, -2, -1, 0, 1, 2, 3, 6, 1001)]
EIGHTHS = [k * math.pi / 4 + d for k in (-3, -1, 1, 3, 5) for d in (-1e-9, 0.0, 1e-9)]


def fan(angles):
    """Bars that hang on the ground side by side; the angles as the kernels find them, their cosines and their sines."""
    m = lw.Mechanism("fan")
    for k in range(len(angles)):
        m.add(f"bar{k}", lw.bar(length=1.0, mass=1.0, position=(k + 0.5, 0.0), angle=0.0))
        m.add(f"pin{k}", lw.Revolute(m.ground.at(k, 0.0), f"bar{k}.a"))
    state = m.assemble(coordinates="body").state
    system, y, _ = enter(state.model, "joint", state)
    order = [system.state_names.index(f"pin{k}.angle") for k in range(len(angles))]
    y[order] = angles
    system.derivative(0.0, y)
    found = system.view(at.W_ANGLE)[:, : len(angles)]
    assert sorted(found[0]) == sorted(angles)
    return found


def same_places(found, wanted):
    """Whether numbers are equal but for the last place of a double."""
    return all(abs(one - other) <= np.spacing(abs(other)) for one, other in zip(found, wanted))


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 9, 17])
@pytest.mark.parametrize("most", [0.1, 3.0, 50.0, 1e4, 9e5, 1e8])
def test_they_are_right_to_the_last_place(count, most):
    angles, cosines, sines = fan(np.random.default_rng(count).uniform(-most, most, count))
    assert same_places(cosines, map(math.cos, angles))
    assert same_places(sines, map(math.sin, angles))


def test_borders_between_quarters_and_eighths_are_right():
    angles, cosines, sines = fan(np.array(EIGHTHS))
    assert same_places(cosines, map(math.cos, angles)) and same_places(sines, map(math.sin, angles))
    angles, cosines, sines = fan(np.array(QUARTERS))  # where they vanish a double has places to spare
    assert max(abs(one - math.cos(angle)) for one, angle in zip(cosines, angles)) < 1e-20
    assert max(abs(one - math.sin(angle)) for one, angle in zip(sines, angles)) < 1e-20


def test_what_is_no_number_stays_none():
    angles = np.array([0.3, math.nan, math.inf, -0.4])
    m = lw.Mechanism("fan")
    for k in range(4):
        m.add(f"bar{k}", lw.bar(length=1.0, mass=1.0, position=(k + 0.5, 0.0), angle=0.0))
        m.add(f"pin{k}", lw.Revolute(m.ground.at(k, 0.0), f"bar{k}.a"))
    state = m.assemble(coordinates="body").state
    system, y, _ = enter(state.model, "joint", state)
    y[:4] = angles
    system.derivative(0.0, y)
    assert np.isnan(system.view(at.W_ANGLE)[1:, :4]).tolist() == [[False, True, True, False]] * 2


def test_the_section_has_room_for_whole_blocks():
    m = lw.gallery.four_bar()
    state = m.assemble(coordinates="body").state
    system = enter(state.model, "joint", state)[0]
    assert system.view(at.W_ANGLE).shape == (3, system.plan.size(at.N_LINKS) + SPARE)
