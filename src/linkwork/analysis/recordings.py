"""Recorded series: times, values and noise by the name of what was measured."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.analysis.columns import TIME, columns_of, in_numbers, in_seconds, one_unit
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.units import Number, si

EXAMPLE = '{"A.angle": (times, values)}'


class Recordings:
    """What was measured: `names`, and of each times in s, values in SI, and where they stand among all times."""

    def __init__(self, measured: Any, noise: Any) -> None:
        if measured is not None and (not isinstance(measured, Mapping) or any(one in measured for one in TIME)):
            measured = _recorded(measured)
        if not isinstance(measured, Mapping) or not measured or not all(isinstance(one, str) for one in measured):
            raise DescriptionError(message("fit", "got nothing that was measured", repr(measured)[:60], EXAMPLE))
        self.names = list(measured)
        self.times: dict[str, np.ndarray] = {}
        self.values: dict[str, np.ndarray] = {}
        self.written: dict[str, str] = {}  # units of the values, where they are not in SI
        for name, given in measured.items():
            self.times[name], self.values[name] = self._pair(name, given)
        first = min(0.0, *(float(one[0]) for one in self.times.values()))
        self.all_times = np.unique(np.concatenate([[first], *self.times.values()]))  # of the run
        self.places = {name: np.searchsorted(self.all_times, one) for name, one in self.times.items()}
        self.given = noise

    def _pair(self, name: str, given: Any) -> tuple[np.ndarray, np.ndarray]:
        item = f"fit: '{name}'"
        if isinstance(given, (str, Mapping)) or not hasattr(given, "__len__") or len(given) not in (2, 3):
            raise DescriptionError(message(item, "is no record", repr(given)[:60], "times and values: " + EXAMPLE))
        if len(given) == 3:
            if isinstance(given[0], numbers.Real):  # three values, and no times
                raise DescriptionError(message(item, "has no times", repr(given)[:60], "times and values: " + EXAMPLE))
            if not isinstance(given[2], str):
                raise DescriptionError(message(item, "has a unit that is none", repr(given[2])[:40], '"deg"'))
            self.written[name] = given[2]
        try:
            (t, noted), (values, unit) = (in_numbers(one, item) for one in given[:2])
        except DescriptionError:
            raise
        except (TypeError, ValueError) as error:
            raise DescriptionError(message(item, "has times or values that are no numbers", str(error)[:60])) from None
        t = in_seconds(t, noted, item)
        if unit:
            self.written[name] = one_unit(self.written.get(name, ""), unit, item)
        if t.ndim != 1 or t.shape != values.shape or not len(t):
            raise DescriptionError(
                message(
                    item, "has not as many values as times", f"{t.shape} and {values.shape}", "two lists of one size"
                )
            )
        if not np.isfinite(t).all() or not np.isfinite(values).all():
            wrong = int(np.argmin(np.isfinite(t) & np.isfinite(values)))
            raise DescriptionError(
                message(item, f"has a time or value that is not finite, number {wrong}", remedy="leave out such values")
            )
        if np.any(np.diff(t) <= 0.0):
            raise DescriptionError(message(item, "has times that do not rise", wanted="times in rising order"))
        return t, values

    def settle(self, units: Mapping[str, str]) -> None:
        """Values and noise in SI, now that the units of what is measured are known."""
        for name, unit in self.written.items():
            self.values[name] = self.values[name] * si(f"1 {unit}", units[name], f"fit: '{name}'", "unit")
        if self.given is None:
            self.noise = None
            return
        given = self.given if isinstance(self.given, Mapping) else dict.fromkeys(self.names, self.given)
        unknown = [one for one in given if one not in self.names]
        if unknown:
            raise UnknownNameError("record", str(unknown[0]), self.names, "of fit, for noise=")
        missing = [one for one in self.names if one not in given]
        if missing:
            raise DescriptionError(message("fit", f"has noise= of some records only, not of '{missing[0]}'"))
        self.noise = {}
        for name in self.names:
            item = f"fit: noise of '{name}'"
            number, some = Number(units[name], above=0.0), np.atleast_1d(np.asarray(given[name], dtype=object))
            one = np.array([number.read(value, item, "value") for value in some])
            if len(one) not in (1, len(self.values[name])):
                wanted = f"one, or one for each of the {len(self.values[name])} values"
                raise DescriptionError(message(item, "has another number of values", len(one), wanted))
            self.noise[name] = one

    @property
    def count(self) -> int:
        """How many values there are."""
        return sum(len(one) for one in self.values.values())

    def by_name(self, row: np.ndarray) -> dict[str, np.ndarray]:
        """Numbers of all values, one after the other, by the name of their record."""
        ends = np.cumsum([len(one) for one in self.values.values()])
        return dict(zip(self.values, np.split(np.array(row), ends[:-1])))

    def residuals(self, answer: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """Recorded minus computed; nan where the run ended before, also at the time at which an event stopped it."""
        found = {}
        t = np.asarray(answer["time"], dtype=float)[: len(self.all_times)]
        met = t == self.all_times[: len(t)]
        for name in self.names:
            series = np.full(len(self.all_times), np.nan)
            computed = np.asarray(answer[name], dtype=float)[: len(series)]
            series[: len(computed)] = np.where(met, computed, np.nan)
            found[name] = self.values[name] - series[self.places[name]]
        return found


def _recorded(table: Any) -> dict[str, tuple]:
    """Records of a table; what was not recorded at its times is left out."""
    t, columns = columns_of(table, "fit", EXAMPLE, gaps=True)
    found: dict[str, tuple] = {}
    for name, (values, unit) in columns.items():
        there = np.isfinite(values)
        if not there.any():
            raise DescriptionError(
                message(f"fit: column '{name}'", "is empty", wanted="some numbers in it", remedy="leave it out")
            )
        found[name] = (t[there], values[there], *([unit] if unit else []))
    return found
