"""The best design that a search found, how it was found, and why the search stopped."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from linkwork import cells
from linkwork.arguments import Explained
from linkwork.errors import extra_package, plural
from linkwork.records import dataclass
from linkwork.result.answers import with_unit


@dataclass(frozen=True)
class Trial:
    """One design that was looked at: its numbers, its value, how far limits are broken, or why it could not be run."""

    values: dict[str, float]
    value: float
    violation: float
    failed: str = ""


@dataclass(frozen=True)
class Optimum(metaclass=Explained):
    """The best design: `mechanism` has its numbers, `start` its start values, `values` both by name.

    `value` is what was made small or large (of a list the sum of squares), `limits` has the number of every limit and
    whether it is met.  `converged` and `why` tell how it ended, `history` has every design that was looked at, those of
    differences aside.
    """

    mechanism: Any = field(repr=False)
    start: dict[str, float]
    values: dict[str, float]
    bounds: dict[str, tuple[float, float]] = field(repr=False)
    on_bounds: dict[str, str] = field(repr=False)
    goal: str
    value: float
    first: float
    limits: dict[str, tuple[float, bool]]
    method: str
    converged: bool
    why: str
    runs: int
    failed: int
    reasons: dict[str, int] = field(repr=False)
    history: tuple[Trial, ...] = field(repr=False)
    notes: tuple[str, ...] = field(repr=False, default=())
    units: dict[str, str] = field(repr=False, default_factory=dict)  # of values, the goal and limits, where known

    @property
    def met(self) -> bool:
        """Whether all limits are met."""
        return all(met for _, met in self.limits.values())

    def unmet(self) -> list[str]:
        """Limits that are not met, as the report tells them."""
        return [
            f"{said}: {value:.6g}{self._unit(said)}, NOT MET" for said, (value, met) in self.limits.items() if not met
        ]

    def _unit(self, name: str) -> str:
        return "" if self.units.get(name, "1") == "1" else f" {self.units[name]}"

    def _rows(self) -> list[tuple[str, float, float, float, str]]:
        said = {name: with_unit(name, self.units) for name in self.bounds}
        return [(said[n], self.values[n], *ends, self.on_bounds.get(n, "")) for n, ends in self.bounds.items()]

    def _told(self) -> list[str]:
        """Sentences about how it went."""
        lines = [f"{'it stopped because' if self.converged else 'not converged:'} {self.why}"]
        could = ""
        if self.failed:
            reason = max(self.reasons, key=lambda one: self.reasons[one])
            could = f", of which {self.failed} could not be run and were stepped back from: {reason[:120]}"
        lines.append(f"{plural(self.runs, 'run')}{could}")
        return [*lines, *self.notes]

    def __str__(self) -> str:
        unit = self._unit(self.goal)
        was = f"was {self.first:.6g}{unit}"
        lines = [f"{self.goal} = {self.value:.6g}{unit} of '{self.mechanism.name}' ({was}), by {self.method}"]
        wide = max(len(row[0]) for row in self._rows()) + 2
        lines.append(f"  {'':<{wide}}{'best':>12}{'least':>12}{'greatest':>12}")
        lines += [f"  {n:<{wide}}{v:12.6g}{a:12.6g}{b:12.6g}  {end}".rstrip() for n, v, a, b, end in self._rows()]
        lines += [
            f"  {said}: {value:.6g}{self._unit(said)}{'' if met else ', NOT MET'}"
            for said, (value, met) in self.limits.items()
        ]
        return "\n".join([*lines, *(f"  {one}" for one in self._told())])

    def _repr_html_(self) -> str:
        return cells.shown(
            f"{self.goal} = {self.value:.6g}{self._unit(self.goal)} of {self.mechanism.name}",
            cells.table(("number", "best", "least", "greatest", ""), self._rows()),
            cells.table(
                ("limit", "is", ""), [(said, v, "" if met else "not met") for said, (v, met) in self.limits.items()]
            ),
            cells.notes(*self._told()),
        )

    def to_pandas(self) -> Any:
        """The history as a pandas DataFrame: a row for every design that was looked at."""
        pandas = extra_package("pandas", "to_pandas", "frames")
        return pandas.DataFrame(
            [{**one.values, "value": one.value, "broken": one.violation, "failed": one.failed} for one in self.history]
        )
