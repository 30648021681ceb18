"""How far a number spreads under tolerances, and which of them make it spread."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork import cells
from linkwork.arguments import Explained, mirrored
from linkwork.errors import DescriptionError, UnknownNameError, message, plural
from linkwork.records import OnlyRead, dataclass
from linkwork.result.answers import rounded

if TYPE_CHECKING:
    from linkwork.view.tolerances import plot_spread as _plot

REST = "several together"  # what the numbers make together, and what the polynomials do not follow
SUM = 0.01  # so far shares may be off from a sum of one, before it is told


@dataclass(frozen=True)
class Spread(OnlyRead, metaclass=Explained):
    """Mean, standard deviation and percentiles of a number, and the share of each varied number in its variance.

    `shares` are first-order Sobol indices: the part of the variance that a number makes alone.  `rest` is what is left
    of the variance: what numbers make together, and what a polynomial of the `degree` does not follow.  `errors` are
    standard errors of the shares, and `percentile_errors` those of the percentiles, from samples that are drawn again
    (bootstrap).
    """

    name: str
    unit: str
    values: np.ndarray = field(repr=False)
    mean: float
    deviation: float
    percentiles: dict[float, float]
    percentile_errors: dict[float, float] = field(repr=False)
    shares: dict[str, float]
    errors: dict[str, float] = field(repr=False)
    rest: float
    degree: int
    failed: int = 0

    def _rows(self) -> list[tuple[str, float, float]]:
        found = [(name, 100 * share, 100 * self.errors[name]) for name, share in self.shares.items()]
        return sorted(found, key=lambda one: -one[1])

    def _told(self) -> list[str]:
        lines = [f"{plural(len(self.values), 'run')}, shares by polynomials of degree {self.degree}"]
        total = sum(self.shares.values()) + self.rest
        if abs(total - 1.0) > SUM and total > 0.0:
            lines.append(
                f"together {100 * total:.1f} %, not 100: numbers of few samples are not quite independent (see ±)"
            )
        if self.failed:
            lines.append(f"{plural(self.failed, 'further run')} failed: the spread may be wider")
        return lines

    def __str__(self) -> str:
        unit = "" if self.unit == "1" else f" {self.unit}"
        lines = [f"{self.name} = {self.mean:.6g} ± {self.deviation:.3g}{unit} (standard deviation)"]
        lines += [
            f"  {percent:5g} % are below {value:.6g} ± {rounded(self.percentile_errors[percent])}"
            for percent, value in self.percentiles.items()
        ]
        wide = max([len(REST), *(len(name) for name in self.shares)]) + 2
        lines.append("  share in the variance")
        lines += [f"  {name:<{wide}}{share:6.1f} % ± {error:.1f}" for name, share, error in self._rows()]
        lines.append(f"  {REST:<{wide}}{100 * self.rest:6.1f} %")
        return "\n".join([*lines, *(f"  {one}" for one in self._told())])

    def _repr_html_(self) -> str:
        facts = [("mean", self.mean), ("standard deviation", self.deviation)]
        facts += [(f"{percent:g} % are below", value) for percent, value in self.percentiles.items()]
        return cells.shown(
            f"{self.name} [{self.unit}]",
            cells.facts(facts),
            cells.table(("share in the variance", "%", "±"), self._rows()),
            cells.notes(*self._told()),
            cells.picture(self.plot, "histogram and shares"),
        )

    if TYPE_CHECKING:
        plot = _plot
    else:
        plot = mirrored("linkwork.view.tolerances", "plot_spread")


def number_in(table: Any, name: Any, item: str, over_time: bool = False) -> str:
    """The name of one number of each run in a sweep's table, or a series where it may be; it may be left out of one."""
    if "failed" not in getattr(table, "data_vars", ()):
        raise DescriptionError(message(item, "got no table of a sweep", type(table).__name__, "that of lw.sweep"))
    long = [one for one, values in table.data_vars.items() if values.ndim > table["failed"].ndim]  # over time, too
    known = [str(one) for one in table.data_vars if one not in ("failed", "doubts") and one not in long]
    series = [str(one) for one in long if one != "time"]
    if over_time and (name is not None or not known):
        known, series = [*known, *series], []
    if name is None and len(known) == 1:
        return known[0]
    if name is None and known:
        remedy = f'choose one by its name, lw.{item}(table, "{known[0]}")'
        raise DescriptionError(message(item, "got a table of several numbers", ", ".join(known), remedy=remedy))
    if name in series or (name is None and series):
        wanted = f"one number of each run, such as {name or series[0]}.max, among what is read"
        raise DescriptionError(message(item, "got a series over time", name or ", ".join(series), wanted))
    if name not in known:
        raise UnknownNameError("number", str(name), known, "in this table")
    return name


def varied_in(table: Any) -> list[str]:
    """Names of what was varied, of a table of samples or of a list."""
    return [str(one) for one, values in table.coords.items() if values.dims == ("run",) and one != "run"]
