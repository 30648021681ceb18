"""Designs between bounds: numbers from 0 to 1 in, numbers and series of their runs out, many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from copy import copy
from typing import Any

import numpy as np

from linkwork.analysis.design_table import START, DesignTable, refuse_hertz
from linkwork.analysis.doubts import of_design, retell
from linkwork.analysis.options import truth
from linkwork.analysis.progress import Line
from linkwork.analysis.sweep_task import Answer, Task, mistake, split
from linkwork.analysis.workers import Parts, kind_of
from linkwork.errors import (
    AnalysisError,
    BoundsWarning,
    DescriptionError,
    LinkworkError,
    UnknownNameError,
    message,
    plural,
    warn,
)
from linkwork.units import ANY, is_quantity, si, whole

TRIED = 32  # designs that are tried, where the first cannot be run
REMEMBERED = 64  # designs whose answers are kept, so that value, limits and slopes at one place are one run


def share(given: Any, item: str, what: str) -> float:
    """A number between 0 and 1."""
    found = float(si(given, "1", item, what))
    if not 0.0 < found < 1.0:
        raise DescriptionError(message(item, f"has a {what} that is none", found, "between 0 and 1"))
    return found


def bounds_of(item: str, mechanism: Any, name: str, given: Any) -> tuple[float, float]:
    """Least and greatest value in SI; the mechanism itself says whether units fit.

    A bound may be a value that no design can have, as a length of 0: such designs are stepped back from.
    """
    if isinstance(given, (str, Mapping)) or not hasattr(given, "__len__") or len(given) != 2:
        raise DescriptionError(
            message(f"{item} of '{name}'", "has no bounds", repr(given)[:60], 'a pair: (5, 50), ("5 mm", 1)')
        )
    low, high = (_number(item, mechanism, name, one) for one in given)
    if not low < high:
        raise DescriptionError(
            message(f"{item} of '{name}'", "has bounds in the wrong order", repr(given)[:60], "least, greatest")
        )
    return low, high


def _number(item: str, mechanism: Any, name: str, given: Any) -> float:
    """A bound, or a number to begin with; refuses names and units that are wrong."""
    item = f"{item} of '{name}'"
    if isinstance(given, str) and not is_quantity(given):
        raise DescriptionError(message(item, "has a bound that is no number", repr(given)[:60]))
    found = float(si(given, ANY, item, "bound"))
    wrong = mistake(mechanism, {name: given if isinstance(given, str) else found})
    if wrong is not None and not np.isfinite(found):
        raise wrong
    return found


class Enough(Exception):
    """As many runs as were allowed."""


class Designs:
    """A mechanism whose numbers vary between bounds; a design is a row of numbers from 0 (least) to 1 (greatest)."""

    def __init__(self, item: str, mechanism: Any, vary: Any, begin: Any = None, most_runs: Any = None) -> None:
        self.item, self.mechanism = item, mechanism
        if not isinstance(vary, Mapping) or not vary or not all(isinstance(one, str) for one in vary):
            raise DescriptionError(
                message(item, "got nothing to vary", repr(vary)[:80], 'names and bounds, {"spring.stiffness": (5, 50)}')
            )
        self.names = tuple(vary)
        ends = np.array([bounds_of(item, mechanism, name, given) for name, given in vary.items()])
        self.low, self.high = ends[:, 0], ends[:, 1]
        if begin is not None and not isinstance(begin, Mapping):
            raise DescriptionError(message(item, "got a begin= that has no names", repr(begin)[:60], '{"L": 0.3}'))
        for name, given in (*vary.items(), *(begin or {}).items()):
            refuse_hertz(f"{item} of '{name}'", mechanism, name, given)
        unknown = [name for name in begin or () if name not in vary]
        if unknown:
            raise UnknownNameError("number that is varied", str(unknown[0]), self.names, f"of {item}, for begin=")
        self.moved: list[str] = []  # what does not begin at its present number
        self.begin = np.array([self._begins(k, name, begin or {}) for k, name in enumerate(self.names)])
        if self.moved:
            remedy = "choose where it begins by begin={...}"
            warn(message(item, "; ".join(self.moved), remedy=remedy), BoundsWarning)
        self.most_runs = None if most_runs is None else whole(most_runs, item, "most_runs", 1)
        self.runs, self.failed = 0, 0
        self.reasons: dict[str, int] = {}
        self.best: Callable[[], str] | None = None  # says how good the best is
        self.until = ExitStack()
        self._known: dict[bytes, dict[str, Any]] = {}
        self._told: set[str] = set()

    # -- bounds --------------------------------------------------------------------------------------------------------

    def _begins(self, k: int, name: str, begin: Mapping[str, Any]) -> float:
        """Where a search begins: as asked, as it is now where that lies between the bounds, else in the middle."""
        low, high = self.low[k], self.high[k]
        if name in begin:
            value = _number(self.item, self.mechanism, name, begin[name])
            if not low <= value <= high:
                raise DescriptionError(
                    message(f"{self.item} of '{name}'", "begins outside of its bounds", value, f"{low:g} to {high:g}")
                )
        else:
            try:
                if name.startswith(START):
                    value = float(self.mechanism.assemble().state[name.removeprefix(START)])
                else:
                    value = self.mechanism.number(name)
            except LinkworkError:
                value = np.nan
        if low <= value <= high:
            return float((value - low) / (high - low))
        if np.isfinite(value):
            middle = 0.5 * (low + high)
            self.moved.append(
                f"begins with {name} = {middle:.6g}, the middle: it is {value:.6g}, outside of the bounds"
            )
        return 0.5

    def values(self, x: np.ndarray) -> dict[str, float]:
        """Numbers in SI by name, of a design."""
        x = np.clip(np.asarray(x, dtype=float), 0.0, 1.0)
        found = np.where(x == 1.0, self.high, self.low + (self.high - self.low) * x)
        return {name: float(value) for name, value in zip(self.names, found)}

    def made(self, x: np.ndarray) -> tuple[Any, dict[str, float]]:
        """The mechanism of a design, and its start values."""
        numbers, start = split(self.values(x))
        return self.mechanism.with_numbers(numbers) if numbers else self.mechanism, start

    def units(self) -> dict[str, str]:
        """Units of what is varied, where they are known."""
        return self._points(self.begin[None, :]).units(self.mechanism)

    def on_bounds(self, x: np.ndarray) -> dict[str, str]:
        """Names whose value is the least or the greatest."""
        ends = {0.0: "at its least", 1.0: "at its greatest"}
        return {name: ends[round(float(one))] for name, one in zip(self.names, x) if min(one, 1.0 - one) < 1e-6}

    # -- runs ----------------------------------------------------------------------------------------------------------

    def ask(self, analysis: str, times: Any, read: list[str], reduce: Any, options: dict) -> None:
        """Say what is asked of every design; names are looked at before anything is run."""
        kept = [one for one in ("store", "checkpoint") if options.get(one) is not None]
        if kept:
            raise DescriptionError(
                message(self.item, f"keeps no runs in folders, and got {kept[0]}=", remedy=f"leave out {kept[0]}=")
            )
        self.task = Task(self.mechanism, analysis, times, read, reduce, options, self.item)
        count = len(self.names)
        self.task.check(self._points(np.array([self.begin, np.zeros(count), np.ones(count)])))

    @contextmanager
    def otherwise(self, **options: Any) -> Iterator[None]:
        """Meanwhile the same is asked with other options."""
        before = self.task, self._known
        self.task, self._known = copy(self.task), {}
        self.task.options = {**self.task.options, **options}
        try:
            yield
        finally:
            self.task, self._known = before

    def run_by(self, workers: Any, processes: Any, client: Any, progress: Any) -> None:
        """Say who runs them, and whether a line shows how far they are: both `until` the search ends."""
        self.kind, self.workers = kind_of(self.item, workers, processes, client, self.until)
        self.line = self.until.enter_context(Line(None if progress is None else truth(progress, "progress", self.item)))

    def show(self, ran: int) -> None:
        """Say how many runs there are, and how good the best of them is, if it is time to."""
        if self.line.due():
            best = f", {self.best()}" if self.best is not None else ""
            self.line.say(f"{self.item} of '{self.mechanism.name}': {plural(self.runs + ran, 'run')}{best} ")

    def _points(self, designs: np.ndarray) -> DesignTable:
        rows = [self.values(x) for x in designs]
        return DesignTable({name: [row[name] for row in rows] for name in self.names}, False)

    def run(self, designs: Iterable[np.ndarray]) -> list[dict[str, Any]]:
        """Answers of these designs, in one ensemble; "failed" is the reason of one that could not be run."""
        rows = [np.array(one, dtype=float) for one in designs]
        keys = [one.tobytes() for one in rows]
        new = {key: one for key, one in zip(keys, rows) if key not in self._known}
        if self.most_runs is not None and self.runs + len(new) > self.most_runs:
            raise Enough
        if new:
            points = self._points(np.array(list(new.values())))
            ran: dict[int, Answer] = {}
            for part, answers in self.kind(self.task, Parts(points, range(len(points))), self.workers):
                ran |= zip(part.numbers, answers)
                self.show(len(ran))
            self._tell(ran)
            kept = {key: self._known[key] for key in keys if key in self._known}
            for k, key in enumerate(new):
                self._known[key] = ran[k]
                if ran[k]["failed"]:
                    self.failed += 1
                    self.reasons[ran[k]["failed"]] = self.reasons.get(ran[k]["failed"], 0) + 1
            self.runs += len(new)
            kept |= {key: self._known[key] for key in new}
        else:
            kept = self._known
        found = [kept[key] for key in keys]
        while len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]
        return found

    def _tell(self, ran: Mapping[int, Answer]) -> None:
        """Warn of what the first designs warned of; of what is none of theirs, whenever it comes; of each once."""
        doubts = dict.fromkeys(one for k in sorted(ran) for one in ran[k].get("doubts", ()))
        fresh = [one for one in doubts if one not in self._told and not (self.runs and of_design(one))]
        self._told.update(fresh)
        for one in fresh:
            retell(one)

    def table(self, designs: Iterable[np.ndarray], numbers: Callable[[dict], np.ndarray], width: int) -> np.ndarray:
        """What `numbers` makes of the answers, a row a design; nan where one could not be run."""
        answers = self.run(designs)
        found = np.full((len(answers), width), np.nan)
        for row, answer in zip(found, answers):
            if not answer["failed"]:
                row[:] = numbers(answer)
        return found

    def first(self, everywhere: bool) -> dict[str, Any]:
        """The answer of the design that a search begins with; where that cannot be run, of another if it may look."""
        (answer,) = self.run([self.begin])
        if not answer["failed"]:
            return answer
        if everywhere:
            from scipy.stats import qmc

            tried = qmc.LatinHypercube(len(self.names), seed=0).random(TRIED)
            for x, other in zip(tried, self.run(tried)):
                if not other["failed"]:
                    self.begin = x
                    return other
            wrong, remedy = f"finds none of {TRIED + 1} designs that can be run", "give other bounds"
        else:
            wrong = "begins with a design that cannot be run"
            remedy = 'give other numbers to begin with, begin={...}, or method="evolution"'
        at = ", ".join(f"{name} = {value:.6g}" for name, value in self.values(self.begin).items())
        raise AnalysisError(message(self.item, f"{wrong}: {answer['failed']}", at, remedy=remedy))
