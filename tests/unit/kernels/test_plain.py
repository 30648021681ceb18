"""Kernels as plain Python: the same numbers as compiled, and every index checked."""

import json
import os
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from linkwork.kernels import plain
from unit.kernels.plain_cases import CASES, numbers

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def told():
    """What a process tells in which nothing is compiled."""
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "LINKWORK_PROGRESS": "off",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]),
    }
    program = Path(__file__).with_name("plain_cases.py")
    done = subprocess.run(
        [sys.executable, str(program), "--plain"], env=environment, text=True, capture_output=True, timeout=1800
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", CASES)
def test_the_same_numbers_as_compiled(name, told):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = numbers(name)
    assert np.isfinite(compiled).all() and len(compiled) > 10
    np.testing.assert_allclose(told["cases"][name], compiled, rtol=1e-12, atol=1e-12)


def test_overruns_are_named(told):
    said = told["overruns"]
    assert "evaluate_measures" in said["section"] and "behind the end of a section" in said["section"]
    assert "evaluate_measures" in said["vector"] and "outside of a vector" in said["vector"]
    assert "outside of a vector" in said["before"]


# -- the parts ---------------------------------------------------------------------------------------------------------
def test_pointers_stay_within_their_array():
    here = plain.beyond(plain.pointer(np.arange(6.0).reshape(2, 3)), 4)
    here[1] = 7.0
    assert here[0] == 4.0 and here[1] == 7.0 and here[-4] == 0.0
    for i in (2, -5, 10**9):
        with pytest.raises(IndexError, match=rf"test_pointers_stay.*index {i} is outside of a vector of 6"):
            here[i]
        with pytest.raises(IndexError):
            here[i] = 1.0
    with pytest.raises(IndexError, match="do not fit"):
        plain.array_at(here, (3,))
    assert plain.array_at(here, (2,)).tolist() == [4.0, 7.0]


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_marks_are_not_to_be_touched(kind):
    values = np.array([1, plain.MARK, 2], dtype=np.int64)
    values = values if kind is np.int64 else values.view(np.float64)
    here = plain.pointer(values)
    with pytest.raises(IndexError, match="behind the end of a section"):
        here[1]
    with pytest.raises(IndexError, match="behind the end of a section"):
        here[1] = 0
    other = np.array([np.nan, np.inf, -np.inf])
    assert np.isnan(plain.pointer(other)[0])  # a nan of arithmetic is none


def test_arithmetic_is_that_of_compiled_kernels():
    with np.errstate(all="ignore"):
        assert np.isnan(plain.math.sqrt(-1.0)) and 1.0 / plain.math.sqrt(0.0) == np.inf
        assert plain.math.exp(1e4) == np.inf and np.isnan(plain.math.floor(np.nan))
    third = 1.0 / 3.0
    assert plain.fused(third, 3.0, -1.0) == -(2.0**-54)  # what rounding took away
    assert plain.fused(np.inf, 1.0, 0.0) == np.inf
    assert np.isnan(plain.fused(np.inf, 0.0, 1.0)) and plain.fused(1e200, 1e200, -1.0) == np.inf
    rng = np.random.default_rng(3)
    for _ in range(300):
        a, b, c = rng.normal(size=3) * 10.0 ** rng.integers(-12, 13, 3)
        a, c = (a, c) if rng.random() < 0.7 else (a * 10.0 ** rng.integers(-280, 280), -a * b)
        assert plain.fused(a, b, c) == float(Fraction(a) * Fraction(b) + Fraction(c))


def test_unknown_addresses():
    for address in (0, -1, 10**9):
        with pytest.raises(IndexError, match="not the address of a kernel"):
            plain.at_address(address)
    assert plain.at_address(plain.address_of(max)) is max
