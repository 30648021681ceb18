"""Two results compared: how far every series that both have is apart, where, and what only one of them has."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arguments import explained, mirrored
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.records import dataclass

if TYPE_CHECKING:
    from linkwork.view.notebook import comparison_html as _html
    from linkwork.view.plot import plot_comparison as _plot

#: units of moments, and of what has them on an arm
TURNING = {"N m": "N", "kg m^2/s": "kg m/s"}
SHOWN = 12  # lines of the table; of more, the rest is counted


@dataclass(frozen=True)
class Apart:
    """How far one series of two results is apart at most, when, and against the largest value of its unit."""

    name: str
    unit: str
    largest: float
    time: float
    relative: float
    #: how far reading between the times of the other result may be off; zero where both have the same times
    reading: float


@dataclass(frozen=True)
class Comparison:
    """Two results side by side; `print` it, `plot()` it, or ask for the difference of a series: `found["A.angle"]`.

    Differences are those of the other run from this one, at the times `t` of this one that both cover.
    """

    run: Any = field(repr=False)
    other: Any = field(repr=False)
    names: tuple[str, ...]
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]

    @cached_property
    def _rows(self) -> np.ndarray:
        """Times of this run that the other covers."""
        t, other = self.run.t, self.other.t
        return np.flatnonzero((t >= other[0]) & (t <= other[-1]))

    @property
    def t(self) -> np.ndarray:
        """Times at which both are compared, s."""
        return self.run.t[self._rows]

    @property
    def same_times(self) -> bool:
        """Whether the other has all of these times, so that nothing is read between times."""
        return bool(np.isin(self.t, self.other.t).all())

    def of_other(self, name: str) -> np.ndarray:
        """A series of the other run at the times of this one."""
        if self.same_times:
            return self.other[name][np.searchsorted(self.other.t, self.t)]
        return self.other._curve(name).value(self.t)

    def __getitem__(self, name: str) -> np.ndarray:
        """The other run less this one, at the times `t`."""
        self._known(name)
        return self.of_other(name) - self.run[name][self._rows]

    def _known(self, name: str) -> None:
        if name not in self.names:
            raise UnknownNameError("series", str(name), self.names, "of this comparison")

    @cached_property
    def rows(self) -> tuple[Apart, ...]:
        """One for each series, those that are farthest apart first."""
        largest: dict[str, float] = {}
        for name in self.names:
            unit = self.run.unit(name)
            size = max(np.abs(self.run[name][self._rows]).max(), np.abs(self.of_other(name)).max())
            largest[unit] = max(largest.get(unit, 0.0), float(size))
        for turning, straight in TURNING.items():  # of pins they are rounding: what a force does on its arm is not
            if turning in largest:
                largest[turning] = max(largest[turning], largest.get(straight, 0.0) * self.run.model.length)
        found = []
        for name in self.names:
            gap, unit = np.abs(self[name]), self.run.unit(name)
            k = int(np.argmax(gap))
            off = 0.0 if self.same_times else float(np.max(self.other._curve(name).error(self.t)))
            relative = float(gap[k]) / largest[unit] if largest[unit] else 0.0
            found.append(Apart(name, unit, float(gap[k]), float(self.t[k]), relative, off))
        return tuple(sorted(found, key=lambda one: -one.relative))

    def __str__(self) -> str:
        one, two = (run.mechanism.name for run in (self.run, self.other))
        who = f"Two runs of '{one}'" if one == two else f"'{one}' and '{two}'"
        lines = [f"{who} compared at {len(self.t)} times, {self.t[0]:g} to {self.t[-1]:g} s"]
        if not self.same_times:
            lines.append("  the other has other times: it is read between them by cubics, off by up to `reading`")
        head = f"  {'series':<28}{'largest':>12} {'unit':<10}{'relative':>10}{'time [s]':>11}"
        lines.append(head + ("" if self.same_times else f"{'reading':>11}"))
        for row in self.rows[:SHOWN]:
            line = f"  {row.name:<28}{row.largest:12.4g} {row.unit:<10}{row.relative:10.2g}{row.time:11.4g}"
            lines.append(line + ("" if self.same_times else f"{row.reading:11.2g}"))
        if len(self.rows) > SHOWN:
            lines.append(f"  and {len(self.rows) - SHOWN} more that are less far apart")
        for names, whose in ((self.only_here, "this run"), (self.only_there, "the other")):
            if names:
                more = f" and {len(names) - 6} more" if len(names) > 6 else ""
                lines.append(f"  only {whose} has {', '.join(names[:6])}{more}")
        return "\n".join(lines)

    if TYPE_CHECKING:
        plot = _plot
        _repr_html_ = _html
    else:
        plot = mirrored("linkwork.view.plot", "plot_comparison")
        _repr_html_ = mirrored("linkwork.view.notebook", "comparison_html")


@explained
def compare(run: Any, other: Any, *names: Any) -> Comparison:
    """Compare a run with another one, of the same mechanism or of one like it: `run.compare(other, "A.angle")`.

    Without `names`, all series that both have are compared.  Where the other has other times, it is read between them
    by cubics, and the table says so.  What only one of them has is told.

    >>> m = lw.gallery.four_bar()
    >>> fine, coarse = (m.simulate(1.0, every=0.1, rtol=rtol) for rtol in (1e-10, 1e-4))
    >>> found = fine.compare(coarse, "A.angle", "D.angle")
    >>> found.same_times, max(one.relative for one in found.rows) < 1e-3
    (True, True)
    """
    for one in (run, other):
        if not hasattr(one, "_curve"):
            raise DescriptionError(message("compare", "needs two results", type(one).__name__, "what simulate returns"))
    low, high = max(run.t[0], other.t[0]), min(run.t[-1], other.t[-1])
    if not np.any((run.t >= low) & (run.t <= high)) or len(other.t) < 2:
        raise DescriptionError(
            message(
                "compare",
                "has no times that both runs cover",
                f"{run.t[0]:g} to {run.t[-1]:g} s and {other.t[0]:g} to {other.t[-1]:g} s",
            )
        )
    asked = [one for name in names for one in (name if isinstance(name, (list, tuple)) else [name])]
    if asked:
        for one in (run, other):
            for name in asked:
                one[name]  # an unknown name is told by the run that does not have it
        return Comparison(run, other, tuple(run.scalars(asked)), (), ())
    mine, theirs = dict.fromkeys(run.names), dict.fromkeys(other.names)
    shared = tuple(name for name in mine if name in theirs and run.unit(name) == other.unit(name))
    known = set(shared)
    only_here, only_there = (tuple(name for name in own if name not in known) for own in (mine, theirs))
    if not shared:
        raise DescriptionError(
            message(
                "compare",
                "has no series that both runs have",
                f"{', '.join([*mine][:3])} and {', '.join([*theirs][:3])}",
            )
        )
    return Comparison(run, other, shared, only_here, only_there)
