"""Examples and program models of Nikravesh, Planar Multibody Dynamics, 2nd ed., by the book's own equations.

Values at states that violate the constraints, corrected by minimum norm, at rest, and along runs without
correction.
"""

import numpy as np
import pytest

from linkwork import textbook as tb
from reference.textbook_cases import Case

CASES = [
    "nik_ch1_double_pendulum",
    "nik_ex_4_2_body_force_array",
    "nik_ex_4_3_body_accel",
    "nik_ex_4_4_ptp_sda",
    "nik_pr_4_7_body",
    "nik_pr_4_8_body",
    "nik_pr_4_10_body",
    "nik_pr_4_11_body",
    "nik_ex_6_1_two_bodies_fbd",
    "nik_ex_6_2_massless_link",
    "nik_ex_7_1_two_free_bodies",
    "nik_ex_7_2_massless_rod",
    "nik_ex_7_3_variable_length_pendulum",
    "nik_pr_7_19_spring",
    "nik_pr_7_20_spring_damper",
    "nik_pr_7_23_pendulum",
    "nik_sec7_1_generic_mechanism",
    "nik_dapbc_SP_sliding_pendulum",
    "nik_dapbc_Cart_A",
    "nik_dapbc_MP_A_macpherson",
    "nik_dapbc_MP_B_macpherson",
    "nik_dapbc_AA_double_a_arm",
]
APART = ("uncorrected run, any t", "exercise_8_2", "exercise_8_2_corrected")  # in tests of their own below
# Steps of a hand calculation, or of the particle formulation: no quantities of the body-coordinate equations.
LEFT_OUT = {
    "nik_ch1_double_pendulum": ("y_B", "particle.lambda1", "particle.lambda2"),
    "nik_ex_4_2_body_force_array": ("moment of f_P",),
    "nik_ex_4_4_ptp_sda": ("L", "u", "L_dot", "f_spring", "f_damper", "f_total"),
}
CACHE = {}


def case(name):
    if name not in CACHE:
        CACHE[name] = Case(name)
    return CACHE[name]


def entries(name):
    return [e for e in case(name).entries() if e["quantity"] not in LEFT_OUT.get(name, ())]


def moments(name):
    """The different `at` of a case, as text."""
    ats = [e["at"] for e in entries(name) if e["at"] not in APART]
    return list(dict.fromkeys(map(str, ats)))


@pytest.mark.parametrize(("name", "at"), [(name, at) for name in CASES for at in moments(name)])
def test_values(name, at):
    c, faults = case(name), []
    chosen = [e for e in entries(name) if str(e["at"]) == at]
    assert chosen
    for e in chosen:
        if e["quantity"] == "number of coordinates":
            got = len(c.model.c)
        elif e["quantity"] == "number of constraints":
            got = len(tb.planar.constraints(c.model, 0.0, c.model.c))
        else:
            got = c.value(e["quantity"], e["at"])
        wanted = [(e["value"], e["tolerance"])]
        if "recomputed" in e:  # the printed digits in full
            wanted.append((e["recomputed"], 1e-9 * max(1.0, abs(e["recomputed"])) if at == "initial" else 1e-6))
        faults += [f"{e['quantity']}: {got!r}, wanted {w!r} +- {tol}" for w, tol in wanted if abs(got - w) > tol]
    assert not faults, "\n" + "\n".join(faults)


def test_uncorrected_driver_moves_nothing():
    # Exercise 8.7: from rest and uncorrected, only the driver's acceleration (zero) is enforced.
    c = case("nik_dapbc_Cart_A")
    (entry,) = [e for e in c.entries() if e["at"] == "uncorrected run, any t"]
    _, cd = tb.planar.simulate(c.model, np.linspace(0.0, 3.0, 7))
    assert np.max(np.abs(cd[:, 5])) <= entry["tolerance"]
    assert tb.planar.velocity_rhs(c.model, 0.0, c.model.c)[8] == pytest.approx(-2 * np.pi)


def exercise_8_2():
    start = case("nik_dapbc_AA_double_a_arm").data["model"]["exercise_8_2_initial"]
    return np.concatenate([start["c1"], start["c2"], start["c3"]])


def test_exercise_8_2_violation():
    c = case("nik_dapbc_AA_double_a_arm")
    wanted = [e for e in c.entries() if e["at"] == "exercise_8_2"]
    Phi = tb.planar.constraints(c.model, 0.0, exercise_8_2())
    assert len(wanted) == len(Phi) == 8
    for e, got in zip(wanted, Phi):
        assert got == pytest.approx(e["value"], abs=e["tolerance"]), e["quantity"]


def test_exercise_8_2_corrected():
    c = case("nik_dapbc_AA_double_a_arm")
    wanted = [e for e in c.entries() if e["at"] == "exercise_8_2_corrected"]
    found = tb.planar.correct_positions(c.model, 0.0, exercise_8_2())
    assert len(wanted) == len(found) == 9
    for e, got in zip(wanted, found):
        assert got == pytest.approx(e["value"], abs=e["tolerance"]), e["quantity"]


def test_uncorrected_run_keeps_its_violation():
    # The rod of example 7.2 starts 4.3e-4 off with a rate of -1.7e-4; Phi'' = 0 leaves Phi on a line.
    m = case("nik_ex_7_2_massless_rod").model
    times = np.linspace(0.0, 1.0, 5)
    c, _ = tb.planar.simulate(m, times, rtol=1e-11)
    got = [tb.planar.constraints(m, t, q)[0] for t, q in zip(times, c)]
    np.testing.assert_allclose(got, -0.000431355730344973 - 0.000172694189888147 * times, rtol=0, atol=1e-9)
