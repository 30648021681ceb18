"""Mechanisms far from the origin: rows are met as nearly as their coordinates can say it, and no gap is called met."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import AssemblyError


def four_bar(x, y, rocker=2.5):
    m = lw.Mechanism("four-bar")
    m.add("crank", lw.bar(length=1.0, mass=1.0))
    m.add("coupler", lw.bar(length=3.0, mass=2.0))
    m.add("rocker", lw.bar(length=rocker, mass=1.5))
    m.add("A", lw.Revolute(m.ground.at(x, y), "crank.a"))
    m.add("B", lw.Revolute("crank.b", "coupler.a"))
    m.add("C", lw.Revolute("coupler.b", "rocker.b"))
    m.add("D", lw.Revolute(m.ground.at(x + 3.2, y), "rocker.a"))
    return m


@pytest.mark.parametrize("x", [1e5, 4e5, 7.7e5, 3.1e6])
def test_a_four_bar_far_away_is_the_four_bar_at_the_origin(x):
    near = four_bar(0.0, 0.0).assemble(start={"A.angle": "60 deg"}, coordinates="body")
    far = four_bar(x, -x / 3).assemble(start={"A.angle": "60 deg"}, coordinates="body")
    spacing = np.spacing(x)
    assert far["rocker.angle"] == pytest.approx(near["rocker.angle"], abs=8 * spacing)
    for coordinates in ("body", "joint", "point"):
        runs = [
            four_bar(*place).simulate(0.3, start={"A.angle": "60 deg"}, coordinates=coordinates)
            for place in ((0.0, 0.0), (x, -x / 3))
        ]
        assert runs[1]["rocker.angle"][-1] == pytest.approx(runs[0]["rocker.angle"][-1], abs=1e-7 + 100 * spacing)


def test_a_gap_beyond_rounding_is_refused_far_away_too():
    x = 4e5  # 1e-8 m are 170 times the spacing of numbers there
    with pytest.raises(AssemblyError, match="cannot be assembled"):
        four_bar(x, 0.0, rocker=7.2 + 1e-8).assemble(coordinates="body")
    assert four_bar(x, 0.0, rocker=7.2 - 1e-8).assemble(coordinates="body").freedom == 1


def test_a_linkage_in_space_far_away():
    def rssr(x):
        m = lw.Mechanism("RSSR", dimension=3)
        for name, length in (("crank", 0.1), ("coupler", 0.42), ("rocker", 0.25)):
            m.add(name, lw.cylinder(radius=0.008, length=length, mass=0.5, axis="x"))
        m.add("A", lw.Revolute(m.ground.at(x, 2 * x, -x, axis=(1, 0, 0)), "crank.a"))
        m.add("B", lw.Spherical("crank.b", "coupler.a"))
        m.add("C", lw.Spherical("coupler.b", "rocker.b"))
        m.add("D", lw.Revolute(m.ground.at(x + 0.35, 2 * x + 0.2, -x, axis=(0, 1, 0)), "rocker.a"))
        m.add("motor", lw.Driver("A.angle", "60 rpm*t"))
        return m.assemble(t=0.1, near={"D.angle": 1.6}, coordinates="body")["D.angle"]

    assert rssr(1.3e5) == pytest.approx(rssr(0.0), abs=1e-8)
