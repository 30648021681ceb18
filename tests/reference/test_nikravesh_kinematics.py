"""Kinematic analysis of driven mechanisms: position by assembly at each time, then velocity and acceleration.

Nikravesh, Planar Multibody Dynamics, 2nd ed.: the slider-crank of section 1.3 and the generic mechanism of
7.1.
"""

import math
from functools import cache

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from reference.book import COORDINATES, agrees, label, load, mechanism_from_case

GENERIC = load("nik_sec7_1_generic_mechanism")
CRANK = load("nik_ch1_slider_crank")


@cache
def generic_at(t, coordinates):
    """The evaluation of the generic mechanism, assembled at this time."""
    mechanism, info = mechanism_from_case(GENERIC)
    # The listed estimate is coarse, and the loop closes in two ways: the body at B leans to the right.
    assembled = mechanism.assemble(t=t, near={"b2.angle": 1.2}, coordinates=coordinates)
    return mechanism.evaluate(assembled.state, t=t, coordinates=coordinates), info


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("entry", GENERIC["expected"], ids=label)
def test_generic_mechanism(entry, coordinates):
    ev, _ = generic_at(entry["at"]["t"], coordinates)
    kind, body, coordinate = entry["quantity"].split(".")
    suffix = {"q": "", "v": ".rate", "a": ".acceleration"}[kind]
    agrees(ev[f"b{body}.{COORDINATES[coordinate]}{suffix}"], entry)


@pytest.mark.parametrize("coordinates", SETS)
def test_generic_mechanism_has_as_many_rows_as_coordinates(coordinates):
    ev, _ = generic_at(0.0, coordinates)
    assert ev.jacobian.shape == (9, 9)
    assert np.max(np.abs(ev.constraint_error)) < 1e-12


@pytest.mark.parametrize("coordinates", SETS)
def test_generic_mechanism_driven_through_the_time(coordinates):
    """A run of the driven mechanism passes through the positions found one by one."""
    mechanism, _ = mechanism_from_case(GENERIC)
    times = np.array([0.0, 0.25, 0.5])
    run = mechanism.simulate(times, near={"b2.angle": 1.0}, coordinates=coordinates, rtol=1e-10)
    for entry in GENERIC["expected"]:
        kind, body, coordinate = entry["quantity"].split(".")
        if kind == "q":
            k = int(np.argmin(np.abs(times - entry["at"]["t"])))
            got = run[f"b{body}.{COORDINATES[coordinate]}"][k]
            assert got == pytest.approx(entry["value"], abs=1e-8)


@cache
def slider_crank(coordinates):
    """The slider-crank at t = 0; the rod's frame points from the slider B to the crank pin A, as in the
    book."""
    data = CRANK["model"]
    m = lw.Mechanism("slider-crank", dimension=2, gravity=None)
    crank = m.add("crank", lw.bar(length=data["L1"], mass=1.0))
    rod = m.add("rod", lw.bar(length=data["L2"], mass=1.0))
    slider = m.add("slider", lw.Body(1.0, 1.0))
    m.add("O", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("A", lw.Revolute(crank.b, rod.b))
    m.add("B", lw.Revolute(slider.at(0, 0), rod.a))
    m.add("guide", lw.Prismatic(m.ground.at(0, 0), slider.at(0, 0)))
    m.add("motor", lw.Driver(m["O"].angle, lw.Polynomial(data["theta1"], data["omega1"], data["alpha1"] / 2)))
    assembled = m.assemble(t=0.0, near={"rod.angle": math.radians(160), "slider.x": 0.5}, coordinates=coordinates)
    return m.evaluate(assembled.state, t=0.0, coordinates=coordinates)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("entry", CRANK["expected"], ids=label)
def test_slider_crank(entry, coordinates):
    name = {"theta2": "rod.angle", "d": "slider.x"}
    symbol, _, dots = entry["quantity"].partition("_")
    suffix = {"": "", "dot": ".rate", "ddot": ".acceleration"}[dots]
    got = slider_crank(coordinates)[name[symbol] + suffix]
    if symbol == "theta2" and not dots:
        got %= 2 * math.pi
    agrees(got, entry)
