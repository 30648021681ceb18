"""The comparison of a library with numba looks at every part of the kernels.  No speed is asserted."""

import math

import pytest
from benchmarks import beside, beside_cases

from linkwork.analysis.entering import enter
from linkwork.kernels import layout as at

FURTHER = [(group, *case) for group, some in beside_cases.FURTHER.items() for case in some]


@pytest.mark.parametrize("group, name, size, coordinates", FURTHER)
def test_a_case_is_what_its_group_says(group, name, size, coordinates):
    case = beside_cases.made(name, size)
    state = case.mechanism.assemble(coordinates=coordinates).state
    system = enter(state.model, coordinates, state)[0]
    assert (system.tab[at.LOW] > 0) == (group == "light bodies")  # where numbers have twice the digits
    assert (case.options.get("method") == "radau") == (group == "radau")
    assert (coordinates == "point") == (group == "points")
    assert bool(state.model.mechanism.events) == (group == "events")


def test_only_a_library_is_looked_at_from_all_sides(tmp_path):
    assert set(beside.grouped(None).values()) == {beside.EXPLICIT}
    assert set(beside.grouped(tmp_path).values()) == {beside.EXPLICIT, *beside_cases.FURTHER}
    assert beside.mean([2.0, 8.0]) == pytest.approx(4.0)


def test_two_sources_are_compared(monkeypatch, capsys):
    monkeypatch.setattr(beside, "CASES", (("pendulum", None, ("body",)),))
    beside.compare(beside.ROOT / "src", 1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("pendulum, body") and lines[1].endswith("0.0e+00")
    assert lines[2].startswith("geometric mean of all 1") and len(lines) == 3


def test_growth_is_compared(monkeypatch, capsys):
    monkeypatch.setattr(beside, "GROWING", (("chain_planar", "joint"),))
    monkeypatch.setattr(beside, "SIZES", (2, 4))
    beside.compare_growth(beside.ROOT / "src", 1)
    lines = capsys.readouterr().out.splitlines()
    here, there, apart = map(float, lines[-1].split()[1:])
    assert lines[-1].startswith("exponent") and here - there == pytest.approx(apart, abs=2e-3)
    assert all(map(math.isfinite, (here, there)))
