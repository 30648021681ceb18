"""The three driver functions of the book's program: Nikravesh, Planar Multibody Dynamics, appendix B.2."""

from pathlib import Path

import numpy as np
import pytest
import yaml

from linkwork.mechanism.functions import Polynomial, SmoothStep, SpeedRamp

CASE = yaml.safe_load((Path(__file__).parent / "cases" / "nik_appB_functions_abc.yaml").read_text())


def function(kind):
    """The function of the case of type a, b or c."""
    data = CASE["model"][kind]
    if kind == "a":
        return Polynomial(*data["coeff"])
    if kind == "b":
        return SmoothStep(data["t_start"], data["f_start"], data["t_end"], data["f_end"])
    return SpeedRamp(data["t_start"], data["f_start"], data["t_end"], data["dfdt_end"])


@pytest.mark.parametrize("entry", CASE["expected"], ids=lambda e: f"{e['quantity']} {e['at']}")
def test_value(entry):
    kind = entry["quantity"][0]
    f = function(kind)
    if "coefficients" in entry["quantity"]:
        # The coefficients are those of a polynomial: a fit at more points than it has terms finds them.
        powers = {"b": (3, 4, 5), "c": (3, 4, 5, 6)}[kind]
        x = np.linspace(f.start_time, f.end_time, 12)
        values = [f(t)[0] - f.start_value for t in x]
        got = np.linalg.lstsq(np.stack([(x - f.start_time) ** p for p in powers], 1), values, rcond=None)[0]
    else:
        got = f(entry["at"]["t"])
    np.testing.assert_allclose(got, entry["value"], rtol=0, atol=entry["tolerance"])
