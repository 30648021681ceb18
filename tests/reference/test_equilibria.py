"""Equilibria and periods of the book by `equilibrium` and `modes`: models AA, MP_A, MP_B, example 14.2, section 13.1.3.

Nikravesh, Planar Multibody Dynamics, 2nd ed., 8.1, 13.1.3, 14.2, 15.6 and 15.7.
"""

import math
from functools import cache

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from reference.book import COORDINATES, agrees, label, load, mechanism_from_case, variable_length_pendulum
from reference.test_nikravesh_applications import corrected, double_a_arm, entry, macpherson

MODELS = ["nik_dapbc_AA_double_a_arm", "nik_dapbc_MP_A_macpherson", "nik_dapbc_MP_B_macpherson"]


@cache
def rest_of(name, coordinates):
    mechanism, info = mechanism_from_case(load(name))
    found = mechanism.equilibrium(coordinates=coordinates)
    return found, mechanism.evaluate(found.state, coordinates=coordinates), info


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize(
    ("name", "e"),
    [
        pytest.param(name, e, id=f"{name}: {label(e)}")
        for name in MODELS
        for e in load(name)["expected"]
        if e["at"] == "equilibrium"
    ],
)
def test_suspensions_at_rest(name, e, coordinates):
    """All that the case knows of the state of rest, found from the listed start."""
    found, ev, info = rest_of(name, coordinates)
    assert found.stability == "stable"
    kind, *rest = str(e["quantity"]).split(".")
    if kind == "q":
        got = found[f"b{rest[0]}.{COORDINATES[rest[1]]}"]
        if rest[1] == "phi":  # as many turns as the book counts
            got += 2.0 * math.pi * round((e["value"] - got) / (2.0 * math.pi))
        agrees(got, e)
    elif kind == "lam":
        agrees(info.by_row(ev, ev.multipliers)[int(rest[0]) - 1], e)
    elif kind in ("v", "a"):
        agrees(ev[f"b{rest[0]}.{COORDINATES[rest[1]]}" + {"v": ".rate", "a": ".acceleration"}[kind]], e)
    else:
        pytest.fail(f"nobody asks for {e['quantity']}")


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize(
    ("name", "case"), [("nik_15_06_double_a_arm", double_a_arm), ("nik_15_07_macpherson", macpherson)]
)
def test_suspensions_of_chapter_15(name, case, coordinates):
    """Where the drop of a run settles is where `equilibrium` goes at once."""
    columns = [f"b{k}.{axis}" for k in (1, 2, 3) for axis in ("x", "y", "angle")]
    mechanism, _ = mechanism_from_case(case(), dict(zip(columns, corrected(case())[0])))
    found = mechanism.equilibrium(coordinates=coordinates)
    agrees([found[key] for key in columns], entry(name, "settled c"))


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("method", ["downhill", "root", "energy", "damping"])
def test_variable_length_pendulum(coordinates, method):
    """Example 14.2, without any damping that the model does not have."""
    (e,) = load("nik_ex14_02_equilibrium")["expected"]
    m = variable_length_pendulum()
    found = m.equilibrium(start={"O.angle": math.pi / 3, "guide.slide": 0.8}, coordinates=coordinates, method=method)
    agrees([found["rod.angle"], found["guide.slide"]], e)
    assert found.stability == "stable"
    # the turn by J = J1 + J2 + m1 l^2 + m2 L^2, against coil and weights; the slide by m2 on the spring
    J = 0.04 + 0.1 + 2.0 * 0.25 + 1.1905**2
    K = 6.0 + 9.81 * (2.0 * 0.5 + 1.1905)
    undamped = np.sort([math.sqrt(K / J), math.sqrt(20.0)]) / (2 * math.pi)
    np.testing.assert_allclose([one.undamped for one in found.modes], undamped, rtol=1e-6)


def test_step_advice_of_13_1_3():
    """Periods by modes, and a tenth of them."""
    name = "nik_s13_1_3_step_size"
    data = load(name)["model"]
    m = lw.Mechanism("mass and spring", gravity=None)
    block = m.add("block", lw.Body(data["mass_spring"]["m"], 1.0))
    m.add("guide", lw.Prismatic(m.ground, block))
    m.add("spring", lw.SpringDamper(m.ground.at(-2, 0), block, stiffness=data["mass_spring"]["k"], rest_length=2.0))
    spring = m.equilibrium(start={"guide.slide": 0.1}, coordinates="joint").modes
    m = lw.Mechanism("rod")
    rod = m.add("rod", lw.bar(length=data["rod_pendulum"]["L"], mass=1.0))
    m.add("A", lw.Revolute(m.ground, rod.a))
    swing = m.equilibrium(start={"A.angle": 0.0}, coordinates="joint").modes
    agrees(1.0 / spring[0].frequency, entry(name, "tau mass-spring"))
    agrees(1.0 / swing[0].frequency, entry(name, "tau pendulum"))
    agrees([spring.step, swing.step], entry(name, "dt limit"))
