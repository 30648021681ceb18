"""Designs of a sweep: a grid of values, a list of them, or samples of distributions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.units import whole

WAYS = ("grid", "list", "latin", "sobol")
MOST = 10_000_000


class Points:
    """Designs in their order: each is a map of names to values."""

    def __init__(self, values: dict[str, list], grid: bool):
        self.values, self.grid = values, grid
        sizes = [len(one) for one in values.values()]
        self.shape = tuple(sizes) if grid else (sizes[0],)
        self.dims = tuple(values) if grid else ("run",)

    def __len__(self) -> int:
        return int(np.prod(self.shape, dtype=object))

    def __getitem__(self, k: int) -> dict[str, Any]:
        where = [int(i) for i in np.unravel_index(k, self.shape)] if self.grid else [k] * len(self.values)
        return {name: one[i] for (name, one), i in zip(self.values.items(), where)}

    def first(self) -> dict[str, Any]:
        """The first design."""
        return self[0]

    def coordinates(self) -> dict[str, Any]:
        """Values of every name, for a table."""
        if self.grid:
            return dict(self.values)
        return {name: ("run", one) for name, one in self.values.items()}

    def told(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"grid": self.grid, "values": {name: list(map(_plain, one)) for name, one in self.values.items()}}


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else float(value)


def points_of(vary: Any, over: str, count: Any, seed: Any) -> Points:
    """The designs that are asked for."""
    if not isinstance(vary, Mapping) or not vary or not all(isinstance(one, str) for one in vary):
        raise DescriptionError(
            message("sweep", "got nothing to vary", repr(vary)[:80], 'names and values, {"spring.stiffness": [10, 20]}')
        )
    if over not in WAYS:
        raise UnknownNameError("way to make designs", str(over), WAYS, "of a sweep")
    if over in ("latin", "sobol"):
        return Points(_samples(vary, over, count, seed), False)
    if count is not None:
        raise DescriptionError(message("sweep", f"got count= and over={over!r}", remedy="give over='latin' or 'sobol'"))
    values = {name: _values(name, one) for name, one in vary.items()}
    sizes = {name: len(one) for name, one in values.items()}
    if over == "list" and len(set(sizes.values())) > 1:
        raise DescriptionError(
            message("sweep", "got lists of different lengths", ", ".join(f"{n}: {k}" for n, k in sizes.items()))
        )
    found = Points(values, over == "grid")
    if len(found) > MOST:
        raise DescriptionError(message("sweep", "has too many designs", f"{len(found):.3g}", f"at most {MOST:,}"))
    return found


def _values(name: str, given: Any) -> list:
    if isinstance(given, (str, Mapping)) or not isinstance(given, (Sequence, np.ndarray)) or np.ndim(given) != 1:
        raise DescriptionError(
            message(f"sweep of '{name}'", "has no list of values", repr(given)[:80], "numbers, or texts with units")
        )
    values = [one if isinstance(one, str) else _number(name, one) for one in given]
    if not values:
        raise DescriptionError(message(f"sweep of '{name}'", "has an empty list of values", wanted="one value or more"))
    return values


def _number(name: str, value: Any) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = np.nan
    if not np.isfinite(found) or isinstance(value, (bool, np.bool_)):
        raise DescriptionError(message(f"sweep of '{name}'", "has a value that is no finite number", repr(value)[:60]))
    return found


def _samples(vary: Mapping[str, Any], over: str, count: Any, seed: Any) -> dict[str, list]:
    """Samples of uniform and normal distributions."""
    from scipy.stats import norm, qmc

    if count is None:
        raise DescriptionError(message("sweep", f"got over={over!r} and no count", remedy="give count=, such as 128"))
    many, seed = whole(count, "sweep", "count", 1), whole(seed, "sweep", "seed", 0)
    if over == "sobol" and many & (many - 1):
        raise DescriptionError(
            message("sweep", "got a count that Sobol's samples are not even for", many, "a power of 2, such as 128")
        )
    engine = qmc.LatinHypercube(len(vary), seed=seed) if over == "latin" else qmc.Sobol(len(vary), seed=seed)
    unit = engine.random(many)
    found = {}
    for column, (name, given) in zip(unit.T, vary.items()):
        if isinstance(given, Mapping):
            if set(given) != {"mean", "deviation"}:
                raise DescriptionError(
                    message(
                        f"sweep of '{name}'", "is no distribution", repr(given)[:80], '{"mean": 1, "deviation": 0.1}'
                    )
                )
            mean, deviation = (_number(name, given[key]) for key in ("mean", "deviation"))
            if not deviation > 0.0:
                raise DescriptionError(
                    message(f"sweep of '{name}'", "has a deviation that is none", deviation, "more than 0")
                )
            found[name] = norm.ppf(np.clip(column, 1e-12, 1.0 - 1e-12), mean, deviation).tolist()
        else:
            ends = _values(name, given)
            if len(ends) != 2 or any(isinstance(one, str) for one in ends) or not ends[0] < ends[1]:
                raise DescriptionError(
                    message(f"sweep of '{name}'", "is no span", repr(given)[:80], "least and greatest, in SI")
                )
            found[name] = (ends[0] + (ends[1] - ends[0]) * column).tolist()
    return found
