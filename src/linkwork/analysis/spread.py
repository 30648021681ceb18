"""Which tolerance matters?  Percentiles of a number over the samples of a sweep, and the share of each varied number.

Shares are first-order Sobol indices, S_k = Var(E[y | x_k]) / Var(y), for numbers that vary independently of each other.
E[y | x_k] is a polynomial of x_k, and all of them together, f = mean + f_1(x_1) + f_2(x_2) + ..., are fitted to the
samples by least squares.  What such a fit gains by chance, degree * (rest of the variance) / runs, is taken off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, message
from linkwork.result.spread import Spread, number_in, varied_in

DEGREES = 4  # at most
RUNS = 8  # for each coefficient, at least
AGAIN = 200  # sets of samples that are drawn again


@explained
def spread(found: Any, name: str | None = None, *, percentiles: Sequence[float] = (5, 50, 95)) -> Spread:
    """How far a number of a sweep over samples spreads, and the share of each varied number in its variance.

    `found` is the table of `lw.sweep(..., over="sobol")` or `"latin"`; `name` is one of its numbers, and may be left
    out where there is one only; `percentiles` are in %.  The shares are first-order Sobol indices, by polynomials of
    one number each; what is left is made by several together, or not followed by the polynomials.

    >>> m = lw.gallery.four_bar()
    >>> vary = {"crank.length": {"mean": 1.0, "deviation": 0.002}, "spring.stiffness": (19.0, 21.0)}
    >>> table = lw.sweep(m, vary, over="sobol", count=32, times=0.5, read="D.angle.max")
    >>> found = lw.spread(table)
    >>> max(found.shares, key=found.shares.get)
    'spring.stiffness'
    """
    name = number_in(found, name, "spread")
    if tuple(found["failed"].dims) != ("run",):
        raise DescriptionError(
            message(
                "spread",
                "got a grid, which is no sample of tolerances",
                ", ".join(map(str, found["failed"].dims)),
                remedy='sweep over="sobol" or over="latin"',
            )
        )
    asked = _percentiles(percentiles)
    y = np.asarray(found[name].values, dtype=float)
    ran = np.isfinite(y) & (np.asarray(found["failed"].values) == "")
    varied = {one: _numbers(found, one)[ran] for one in varied_in(found)}
    y = y[ran]
    least = RUNS * (1 + len(varied))
    if len(y) < least:
        raise DescriptionError(
            message("spread", "has too few runs to tell shares", f"{len(y)} that ran", f"{least} or more")
        )
    degree = max(1, min(DEGREES, (len(y) // RUNS - 1) // len(varied)))
    columns = [_powers(x, degree) for x in varied.values()]
    *shares, rest = _shares(columns, y).tolist()
    random = np.random.default_rng(0)
    drawn = [random.integers(0, len(y), len(y)) for _ in range(AGAIN)]
    off = np.std([_shares([one[k] for one in columns], y[k])[:-1] for k in drawn], axis=0)
    low = np.std([np.percentile(y[k], asked) for k in drawn], axis=0)
    return Spread(
        name,
        str(found[name].attrs.get("units", "1")),
        y,
        float(y.mean()),
        float(y.std(ddof=1)),
        dict(zip(asked, np.percentile(y, asked).tolist())),
        dict(zip(asked, low.tolist())),
        dict(zip(varied, shares)),
        dict(zip(varied, off.tolist())),
        rest,
        degree,
        int(len(ran) - ran.sum()),
    )


def _percentiles(given: Any) -> list[float]:
    try:
        some = np.atleast_1d(np.asarray(given, dtype=object))
        asked = [np.nan if isinstance(one, (str, bool)) else float(one) for one in some]
    except (TypeError, ValueError):
        asked = []
    if not asked or not all(0.0 < one < 100.0 for one in asked):
        raise DescriptionError(
            message("spread", "has percentiles that are none", repr(given)[:60], "numbers between 0 and 100")
        )
    return asked


def _numbers(found: Any, name: str) -> np.ndarray:
    """Values of what was varied; of a list they may be texts, which no share can be told of."""
    values = np.asarray(found[name].values)
    if values.dtype.kind not in "fiu":
        raise DescriptionError(
            message(
                f"spread: '{name}'",
                "was varied as texts",
                repr(str(values[0])),
                "numbers in SI",
                'sweep over="sobol" or over="latin", which take texts with units as bounds and make numbers of them',
            )
        )
    return values.astype(float)


def _powers(x: np.ndarray, degree: int) -> np.ndarray:
    """Polynomials of the degrees 1 to `degree`, orthogonal to each other and to a constant on the samples.

    Of less degrees where x has few values; of none where it does not vary.
    """
    wide = x.std()
    z = (x - x.mean()) / (wide if wide > 0.0 else 1.0)
    degree = min(degree, len(np.unique(x)) - 1)
    q, _ = np.linalg.qr(np.stack([z**k for k in range(degree + 1)], axis=1))
    return q[:, 1:]


def _shares(columns: list[np.ndarray], y: np.ndarray) -> np.ndarray:
    """Shares of the variance of y, of polynomials of one number each, and of what they leave."""
    total = float(y.var())
    if total <= (1e-12 * np.abs(y).max(initial=0.0)) ** 2:
        return np.zeros(len(columns) + 1)  # it does not spread at all
    matrix = np.concatenate([np.ones((len(y), 1)), *columns], axis=1)
    found = np.linalg.lstsq(matrix, y, rcond=None)[0]
    left = y - matrix @ found
    rest = float(left @ left) / max(1, len(y) - matrix.shape[1])
    shares, first = [], 1
    for one in columns:
        last = first + one.shape[1]
        chance = one.shape[1] * rest / len(y)
        shares.append(max(0.0, float((one @ found[first:last]).var()) - chance) / total)
        first = last
    return np.array([*shares, min(1.0, rest / total)])
