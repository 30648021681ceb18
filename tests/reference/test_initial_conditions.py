"""Initial conditions and independent coordinates of Nikravesh 14.3 and appendix A, as mechanisms.

A linear equation is a driver of a weighted sum of places; particles on a line are its unknowns.
"""

import numpy as np
import pytest

import linkwork as lw
from reference.book import agrees, load


def equations(matrix, right, estimate=None, rates=None):
    """B x = c: particles at the places x, each held on the line y = 0."""
    m = lw.Mechanism("equations", gravity=None)
    count = len(matrix[0])
    for k in range(count):
        place = {} if estimate is None else {"position": (estimate[k], 0.0)}
        speed = {} if rates is None else {"velocity": (rates[k], 0.0)}
        m.add(f"x{k + 1}", lw.Particle(1.0, **place, **speed))
        m.add(f"line{k + 1}", lw.Hold("ground", f"x{k + 1}", y=0.0))
    for r, (row, value) in enumerate(zip(matrix, right), start=1):
        parts = [(weight, m.measure(f"x{k}.x")) for k, weight in enumerate(row, start=1) if weight]
        m.add(f"row{r}", lw.Driver(lw.Sum(*parts), f"{value}"))
    return m


def places(found, end=""):
    return np.array([found[f"x{k}.x{end}"] for k in (1, 2, 3)])


D, RIGHT = [[1.0, 2.0, -1.0], [2.0, -1.0, 1.0]], [2.0, 3.0]


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_both_methods_of_section_14_3(coordinates):
    """Method 1 holds a coordinate, `start=`; method 2 changes all, by the least sum of squares."""
    case = load("nik_s14_3_ic_correction")
    estimate = np.array(case["model"]["estimate"])
    m = equations(D, RIGHT, estimate)
    residuals, kept, kept_sum, least, least_sum = case["expected"]
    agrees(np.array(D) @ estimate - RIGHT, residuals)
    one = places(m.assemble(start={"x1.x": estimate[0]}, coordinates=coordinates))
    two = places(m.assemble(coordinates=coordinates))
    assert one[0] == pytest.approx(estimate[0], abs=1e-15)
    for got, e in zip((one[1:], np.sum((one - estimate) ** 2), two, np.sum((two - estimate) ** 2)),
                      (kept, kept_sum, least, least_sum)):  # fmt: skip
        agrees(got, e)


@pytest.mark.parametrize("weights", [(1.0, 1.0, 1.0), (9.0, 1.0, 1.0), (0.2, 30.0, 4.0)])
def test_weights_in_closed_form(weights):
    """x = estimate - W^-1 D'(D W^-1 D')^-1 (D estimate - right), of places and of speeds."""
    estimate, rates = np.array([0.9, 2.1, 3.2]), np.array([0.3, -0.2, 0.5])
    m = equations(D, RIGHT, estimate, rates)
    given = {f"x{k}.position": w for k, w in enumerate(weights, start=1)}
    given |= {f"x{k}.velocity": w for k, w in enumerate(weights, start=1)}
    found = m.assemble(weights=given, coordinates="body")
    J, inverse = np.array(D), np.diag(1.0 / np.array(weights))
    step = inverse @ J.T @ np.linalg.inv(J @ inverse @ J.T)
    np.testing.assert_allclose(places(found), estimate - step @ (J @ estimate - RIGHT), atol=1e-12)
    np.testing.assert_allclose(places(found, ".rate"), rates - step @ J @ rates, atol=1e-12)


def test_a_very_heavy_coordinate_is_kept():
    m = equations(D, RIGHT, [0.9, 2.1, 3.2])
    (kept,) = [e for e in load("nik_s14_3_ic_correction")["expected"] if str(e["quantity"]).startswith("method 1")]
    found = places(m.assemble(weights={"x1.x": 1e13}, coordinates="body"))
    np.testing.assert_allclose(found, [0.9, *kept["value"]], atol=1e-9)


def test_independent_variable_of_example_a_3():
    """x1 is chosen, as by the book's permutation; an error of it changes the others by the norm that is printed."""
    case = load("nik_exA_3_independent_variable")
    data, (first, *_, order) = case["model"], case["expected"]
    m = equations(data["B"], data["c"], data["x"])
    chosen = m.assemble(coordinates="body").independent
    assert list(chosen) == ["x1.x", "x1.x.rate"] and f"x{order['value'][-1]}.x" in chosen
    x = places(m.assemble(start={"x1.x": chosen["x1.x"] + data["error"]}, coordinates="body"))
    agrees([*x, np.linalg.norm(x - data["x"])], first)


def test_redundant_row_of_example_a_4():
    case = load("nik_exA_4_redundant_row")
    matrix = np.array(case["model"]["D"], dtype=float)
    rank = next(e for e in case["expected"] if "rank" in str(e["quantity"]))
    x = np.array([0.3, -0.7, 1.1, 0.4][: matrix.shape[1]])
    m = equations(matrix.tolist(), (matrix @ x).tolist(), x)
    found = m.check(coordinates="body")
    agrees(found.rank - matrix.shape[1], rank)  # without the rows that hold the particles on their line
    assert found.redundant == 1 and set(found.redundant_joints) <= {"row1", "row2", "row3"}
    assert found.driven.kind == "over-driven" and found.suggestion is not None
    off = (matrix @ x + [0.0, 0.0, 0.1]).tolist()
    with pytest.raises(lw.errors.AssemblyError) as caught:
        equations(matrix.tolist(), off, x).assemble(coordinates="body")
    assert set(caught.value.conflict) == set(found.redundant_joints)
