"""What a search makes small, and what must hold: texts and functions, as numbers of an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.analysis.design_table import start_name
from linkwork.analysis.sweep_task import is_series, series_of
from linkwork.errors import DescriptionError, message
from linkwork.records import dataclass
from linkwork.units import si

LIMIT = re.compile(r"^\s*(?P<name>[^<>=]+?)\s*(?P<sign><=|>=|==|=|<|>)\s*(?P<value>[^<>=]+?)\s*$")
SIGNS = {"<=": "<=", "<": "<=", ">=": ">=", ">": ">=", "==": "==", "=": "=="}
EXAMPLE = '"D.angle.max <= 90 deg", or (function, "<=", 3.0)'


class Functions:
    """Functions of an answer as one, which returns numbers by name; a function may return a list of them."""

    def __init__(self, functions: dict[str, Callable]) -> None:
        self.functions = functions

    def __call__(self, answer: Any) -> dict[str, float]:
        found: dict[str, float] = {}
        for key, function in self.functions.items():
            given = function(answer)
            try:
                made = np.asarray([[]] if given is None else given, dtype=float)
            except (TypeError, ValueError):
                made = np.empty((0, 0))
            if made.ndim > 1 or not made.size:
                got = f"shape {made.shape}" if made.size else repr(given)[:60]
                raise DescriptionError(message(key, "returned no number and no list of numbers", got))
            found |= {key: float(made)} if made.ndim == 0 else {f"{key}[{k}]": float(v) for k, v in enumerate(made)}
        return found


@dataclass
class Limit:
    """A number of an answer, and what it must be."""

    key: str
    said: str
    sign: str
    given: Any
    limit: float = np.nan
    scale: float = 1.0

    def slack(self, value: float) -> float:
        """How far it is from being broken, in parts of its size; of an equality, how far it is off."""
        return ((self.limit - value) if self.sign == "<=" else (value - self.limit)) / self.scale

    def value(self, slack: float) -> float:
        """The number that has this slack."""
        return self.limit + self.scale * slack * (-1.0 if self.sign == "<=" else 1.0)

    def broken(self, slack: float) -> float:
        """How far it is broken."""
        return abs(slack) if self.sign == "==" else max(0.0, -slack)

    def __str__(self) -> str:
        return f"{self.said} {self.sign} {self.limit:.6g}"


class Goals:
    """Numbers of an answer: first what is made small, one or a list whose squares are summed; then the limits."""

    def __init__(
        self, minimize: Any, maximize: Any, subject_to: Any, analysis: str, varied: Collection[str] = ()
    ) -> None:
        if (minimize is None) == (maximize is None):
            raise DescriptionError(
                message("optimize", "has nothing, or two things, to go for", remedy="give minimize= or maximize=")
            )
        self.sign = 1.0 if maximize is None else -1.0
        wanted = minimize if maximize is None else maximize
        what = "minimize" if maximize is None else "maximize"
        self.read: list[str] = []
        self.functions: dict[str, Callable] = {}
        self.counts: dict[str, int | None] = {}  # of numbers, of every function
        self.analysis, self.varied = analysis, varied
        several = isinstance(wanted, Sequence) and not isinstance(wanted, str)
        if several and not len(wanted):
            raise DescriptionError(message("optimize", f"got an empty list to {what}"))
        if several:
            self.keys = [self._key(one, f"{what}, entry {k + 1},", f"residual {k}") for k, one in enumerate(wanted)]
        else:
            self.keys = [self._key(wanted, what, what)]
        self.said = ", ".join(map(_said, wanted)) if several else _said(wanted)
        self.listed = several
        given = [subject_to] if isinstance(subject_to, str) or _is_triple(subject_to) else list(subject_to)
        self.limits = [self._limit(k, one) for k, one in enumerate(given)]

    def _key(self, wanted: Any, what: str, key: str) -> str:
        """Where an answer has it: the name itself, or that of a function."""
        if isinstance(wanted, str):
            if (number := series_of(wanted)) in self.varied:
                start = start_name(number)
                function = f"mechanism.number({number!r})" if start is None else f"first({start!r})"
                bounds = f"give its bounds, vary={{{number!r}: (least, greatest)}}, or " if "limit" in what else ""
                remedy = f"{bounds}give a function of the answer, lambda run: run.{function}"
                raise DescriptionError(
                    message(f"optimize: {what}", "is a number that is varied", repr(number), remedy=remedy)
                )
            if is_series(wanted, self.analysis):
                raise DescriptionError(
                    message(f"optimize: {what}", "is a series", repr(wanted), f"one number of it, as {wanted}.max")
                )
            if wanted not in self.read:
                self.read.append(wanted)
            return wanted
        if not callable(wanted):
            raise DescriptionError(
                message(f"optimize: {what}", "is no name and no function", repr(wanted)[:60], '"D.angle.max"')
            )
        self.functions[key] = wanted
        return key

    def _limit(self, k: int, given: Any) -> Limit:
        if isinstance(given, str):
            found = LIMIT.match(given)
            parts: Any = None if found is None else (found["name"], found["sign"], found["value"])
        else:
            parts = tuple(given) if _is_triple(given) else None
        if parts is None or parts[1] not in SIGNS:
            raise DescriptionError(message("optimize", "has a limit that is none", repr(given)[:80], EXAMPLE))
        what, sign, limit = parts
        return Limit(self._key(what, f"limit {k + 1}", f"limit {k}"), _said(what), SIGNS[sign], limit)

    @property
    def reduce(self) -> Functions | None:
        """The functions as one."""
        return Functions(self.functions) if self.functions else None

    def settle(self, units: Mapping[str, str], first: Mapping[str, Any]) -> None:
        """Read limits in their units, and learn from the first answer how many numbers there are, and how large."""
        keys: list[str] = []
        self.counts = {key: _count(key, first) for key in self.functions}
        for key in self.keys:
            listed = [f"{key}[{k}]" for k in range(self.counts.get(key) or 0)]
            if self.sign < 0 and (listed or self.listed):
                raise DescriptionError(message("optimize", "cannot maximize a list", self.said, "one number"))
            self.listed |= bool(listed)
            keys += listed or [key]
        self.keys = keys
        for one in self.limits:
            if one.key not in first:
                raise DescriptionError(message("optimize", "has a limit of a list", one.said, "one number"))
            one.limit = float(si(one.given, units.get(one.key, "1"), "optimize", f"limit of {one.said}"))
            one.scale = max(abs(one.limit), 1e-3 * abs(first[one.key])) or abs(first[one.key]) or 1.0

    def numbers(self, answer: Mapping[str, Any]) -> np.ndarray:
        """What is made small, then the slack of every limit; nan where it is not there."""
        for key, count in self.counts.items():
            now = _count(key, answer)
            if now != count:
                raise DescriptionError(
                    message(
                        f"optimize: {_said(self.functions[key])}",
                        "returns another count of numbers than for the first design",
                        _counted(now),
                        _counted(count),
                        "return as many for every design, 0 where nothing is missed",
                    )
                )
        goal = [self.sign * answer.get(key, np.nan) for key in self.keys]
        return np.array([*goal, *(one.slack(answer.get(one.key, np.nan)) for one in self.limits)], dtype=float)

    @property
    def width(self) -> int:
        """How many numbers there are."""
        return len(self.keys) + len(self.limits)

    def value(self, row: np.ndarray) -> float:
        """The one number that is made small."""
        goal = row[: len(self.keys)]
        return float(goal @ goal) if self.listed else float(goal[0])

    def violation(self, row: np.ndarray) -> float:
        """How far limits are broken, the worst."""
        return max((one.broken(slack) for one, slack in zip(self.limits, row[len(self.keys) :])), default=0.0)


def _count(key: str, answer: Mapping[str, Any]) -> int | None:
    """How long a list a function returned; None where it was a number."""
    return None if key in answer else sum(one.startswith(f"{key}[") for one in answer)


def _counted(count: int | None) -> str:
    return "one number" if count is None else f"a list of {count}"


def _said(what: Any) -> str:
    return what if isinstance(what, str) else str(getattr(what, "__name__", type(what).__name__))


def _is_triple(given: Any) -> bool:
    return isinstance(given, (tuple, list)) and len(given) == 3 and isinstance(given[1], str) and given[1] in SIGNS
