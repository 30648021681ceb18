"""Numbers identified from recorded series: how well they are known, and which are not."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork import cells
from linkwork.arguments import Explained, mirrored
from linkwork.errors import UnknownNameError, plural
from linkwork.records import OnlyRead, dataclass
from linkwork.result.answers import with_unit

if TYPE_CHECKING:
    from linkwork.view.fitted import plot_fit as _plot


@dataclass(frozen=True)
class Fit(OnlyRead, metaclass=Explained):
    """Numbers with which a mechanism follows what was recorded.

    `values` by name; `errors` are standard errors and `limits` confidence limits at the level `confidence`, both from
    the slopes of the residuals at the best values.  What the records do not determine is in `undetermined` with the
    reason: its error is infinite.  `correlations` is a matrix in the order of `values`.  `measured` has by name times
    and values that were recorded, in SI (`units`), `residuals` what was recorded minus what the mechanism does;
    `noise` the standard deviation of one recorded value, given or (`estimated`) found from the residuals.  `mechanism`
    has the values, `start` the start values among them.  `plot()` draws records, the fitted motion and residuals.
    """

    mechanism: Any = field(repr=False)
    start: dict[str, float]
    values: dict[str, float]
    errors: dict[str, float]
    limits: dict[str, tuple[float, float]]
    confidence: float
    undetermined: dict[str, str]
    on_bounds: dict[str, str]
    correlations: np.ndarray = field(repr=False)
    measured: dict[str, tuple[np.ndarray, np.ndarray]] = field(repr=False)  # times [s] and values, in SI
    units: dict[str, str] = field(repr=False)
    residuals: dict[str, np.ndarray] = field(repr=False)
    noise: dict[str, float]
    estimated: bool
    misfit: float  # sum of squares of residuals over noise, for each value more than there are numbers
    converged: bool
    why: str
    runs: int
    failed: int
    notes: tuple[str, ...] = ()
    value_units: dict[str, str] = field(repr=False, default_factory=dict)  # of `values`, where known

    def computed(self, name: str) -> np.ndarray:
        """What the mechanism does at the times at which a series was recorded."""
        if name not in self.measured:
            raise UnknownNameError("record", str(name), tuple(self.measured), "of this fit")
        return self.measured[name][1] - self.residuals[name]

    if TYPE_CHECKING:
        plot = _plot
    else:
        plot = mirrored("linkwork.view.fitted", "plot_fit")

    def _rows(self) -> list[tuple[str, float, float, float, float, str]]:
        said = {**self.on_bounds, **dict.fromkeys(self.undetermined, "NOT DETERMINED")}
        return [
            (with_unit(name, self.value_units), value, self.errors[name], *self.limits[name], said.get(name, ""))
            for name, value in self.values.items()
        ]

    def _correlated(self) -> list[str]:
        names = list(self.values)
        pairs = [
            f"{names[i]} and {names[j]} ({self.correlations[i, j]:+.3f})"
            for i in range(len(names))
            for j in range(i)
            if abs(self.correlations[i, j]) > 0.9
        ]
        return [f"strongly correlated: {', '.join(pairs)}"] if pairs else []

    def _told(self) -> list[str]:
        lines = [f"{name} is not determined: {why}" for name, why in self.undetermined.items()]
        lines += self._correlated()
        for name, one in self.residuals.items():
            how = "found from the residuals" if self.estimated else "as given"
            unit = "" if self.units.get(name, "1") == "1" else f" {self.units[name]}"
            lines.append(f"{name}: {len(one)} values, noise {self.noise[name]:.4g}{unit} ({how})")
        if not self.estimated:
            lines.append(f"residuals are {np.sqrt(self.misfit):.3g} times the noise that was given")
        lines.append(f"{'it stopped because' if self.converged else 'not converged:'} {self.why}")
        lines.append(plural(self.runs, "run") + (f", of which {self.failed} could not be run" if self.failed else ""))
        return [*lines, *self.notes]

    def __str__(self) -> str:
        wide = max(len(row[0]) for row in self._rows()) + 2
        level = f"{100 * self.confidence:g} %"
        lines = [
            f"Fit of '{self.mechanism.name}' to {', '.join(self.residuals)}",
            f"  {'':<{wide}}{'value':>12}{'error':>12}{level + ' from':>14}{'to':>12}",
        ]
        lines += [
            f"  {n:<{wide}}{v:12.6g}{e:12.3g}{a:14.6g}{b:12.6g}  {said}".rstrip()
            for n, v, e, a, b, said in self._rows()
        ]
        return "\n".join([*lines, *(f"  {one}" for one in self._told())])

    def _repr_html_(self) -> str:
        level = f"{100 * self.confidence:g} % from"
        return cells.shown(
            f"Fit of {self.mechanism.name}",
            cells.table(("number", "value", "error", level, "to", ""), self._rows()),
            cells.notes(*self._told()),
            cells.picture(self.plot, "records, what was fitted, and residuals"),
        )
