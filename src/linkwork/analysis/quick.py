"""Designs of a sweep by the quick way, where there is one, and by the general way else: the numbers are the same.

The first designs that could go the quick way go both, and it is taken only if not a bit differs; then in blocks.  What
was made ready stays with the model: the next sweep that asks the same of other values begins with it.
"""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from linkwork.analysis.common import as_model, named_values
from linkwork.analysis.design_table import START
from linkwork.analysis.ended import answers
from linkwork.analysis.ensemble import STOPPED
from linkwork.analysis.in_numbers import InNumbers, NotHere
from linkwork.analysis.kept import keep
from linkwork.analysis.run_options import RunOptions
from linkwork.analysis.simulate import simulate
from linkwork.analysis.sweep_task import Answer, Design, Task, number_of, series_of, split
from linkwork.errors import LinkworkError, warnings_are
from linkwork.tape import PLAIN

FEW = 10  # designs: less are done before the quick way is made ready, which takes as long as several of them
PATIENCE = 0.1  # seconds that a thread waits for another one that makes it ready, before it goes on by itself
COMPARED = 2  # designs that go both ways, of those that an event stops and of others
MOST_CUTS = 8  # blocks that end at a design that is to be compared
MISSED = 4  # designs that a kind has no answer for before that: it is not asked again
MOST_KINDS = 4  # outcomes of what is decided by numbers that are made ready
MOST_FLOATS = 2_000_000  # of the outputs of a block
KEPT = 4  # questions that a model keeps the quick way of
ENOUGH = 32  # designs that went the quick way: if it had no answer for half of them, it is left aside
ELSEWHERE = ("store", "checkpoint", "basis", "near")


class QuickDesigns:
    """Designs of one task, for all threads of a process."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.series = list(dict.fromkeys(series_of(name) for name in task.names))
        self.seen = self.tried = self.missed = 0
        self.kinds: list[_Kind] = []
        self.able = all(task.options.get(name) is None for name in ELSEWHERE)
        self.able = self.able and (task.expected is None or task.expected >= FEW)
        self._learning = threading.Lock()
        self.room: list[np.ndarray] = []  # for outputs of blocks, as many as ran at the same time
        #: kinds that the model has ready, by what was asked; and what is asked here, None where that cannot be told
        self.known: dict[Any, Any] | None = None
        self.question: str | None = None

    def answer(self, designs: Sequence[Design], into: list[Answer], stopped: Callable[[], bool] | None = None) -> None:
        """Add the answers to designs, in their order, until it is stopped."""
        done = 0
        if self.known is None:
            self._recall(designs[0] if designs else {})
        while done < len(designs):
            values = self._block(designs[done:], self._ready())
            found = self._quick(values, stopped) if len(values) else self._guessed(designs[done:], stopped) or [None]
            for design, answer in zip(designs[done:], found):
                if answer is None and stopped is not None and stopped():
                    return
                into.append(self._singly(design) if answer is None else answer)
            done += len(found)

    def pace(self, design: Design) -> float | None:
        """Seconds of a design in a block, where one has run; None where it is not known."""
        if self.known is None:
            self._recall(design)
        return max((one.pace for one in self.kinds if self.able and one.pace is not None), default=None)

    def _recall(self, design: Design) -> None:
        """Begin with the kinds that an earlier sweep with the same question has made ready."""
        task, model = self.task, as_model(self.task.mechanism)
        asked = (task.times, task.names, task.options, list(design))
        if _is_plain(asked) and all(slot.compiled for slot in (*model.slots, *model.measure_slots.values())):
            self.question = repr(asked)
        self.known = model.__dict__.setdefault("_swept", {})
        self.kinds = list(self.known.get(self.question, ()))

    def _keep(self) -> None:
        """The kinds that are ready, for the next sweep."""
        ready = self._ready()
        if ready and self.known is not None and self.question is not None:
            keep(self.known, self.question, ready, KEPT)

    # -- in blocks -----------------------------------------------------------------------------------------------------
    def _ready(self) -> list[_Kind]:
        return [one for one in self.kinds if one.sure] if self.able else []

    def _block(self, designs: Sequence[Design], kinds: list[_Kind]) -> np.ndarray:
        """Values of as many designs, from the first on, as go the quick way at once; none where it is not ready."""
        found: list[Sequence[float]] = []
        names: list[str] = []
        row: Any = None  # plain numbers as they stand in a row, where all come from designs
        floats: list[type] = []
        for design in designs[: min((one.most for one in kinds), default=0)]:
            if row is not None and list(design) == names and list(map(type, design.values())) == floats:
                found.append(row(design))
                continue
            try:
                found.append(_values(*self._plain(design)))
            except (NotHere, LinkworkError):
                break
            if self.task.options.get("start") is None:
                names = list(design)
                floats = [float] * len(names)
                order = sorted(names, key=lambda name: name.startswith(START))
                row = itemgetter(*order) if len(order) > 1 else lambda design: list(design.values())
        return np.array(found, dtype=float)

    def _quick(self, values: np.ndarray, stopped: Callable[[], bool] | None) -> list[Answer | None]:
        """Answers by the quick way, None where it has none."""
        found: list[Answer | None] = [None] * len(values)
        for kind in self._ready():
            left = [k for k, one in enumerate(found) if one is None]
            if left:
                began = time.perf_counter()
                some = kind.believed(values[left], stopped, cut=len(left) == len(found), room=self.room)
                kind.pace = (time.perf_counter() - began) / len(some)
                if len(some) < len(left):  # the last one is compared before others like it are believed
                    del found[len(some) :]
                for k, one in zip(left, some):
                    found[k] = one
        return self._counted(found)

    def _guessed(self, designs: Sequence[Design], stopped: Callable[[], bool] | None) -> list[Answer | None]:
        """Answers by a kind that another thread compares meanwhile; none where it is not sure when they are there."""
        kinds = [one for one in self.kinds if one.learns and one.pace is not None and len(one.compared) == 1][:1]
        if not (self.able and self._learning.locked()):
            return []
        values = self._block(designs, kinds)
        if not len(values):
            return []
        found = kinds[0].answers(values, stopped, room=self.room)
        if self._learning.acquire(timeout=PATIENCE):
            self._learning.release()
        return self._counted(found) if kinds[0] in self._ready() else []

    def _counted(self, found: list[Answer | None]) -> list[Answer | None]:
        """The same, and whether it is worth to go on."""
        self.tried += len(found)
        self.missed += sum(one is None for one in found)
        if self.tried >= ENOUGH and 2 * self.missed > self.tried:
            self.able = False
        return found

    # -- one by one ----------------------------------------------------------------------------------------------------
    def _singly(self, design: Design) -> Answer:
        """The general way; the quick one is made ready and compared by one thread at a time."""
        self.seen += 1
        if self.able and self._learning.acquire(timeout=PATIENCE):
            try:
                return self._learning_from(design)
            finally:
                self._learning.release()
        return self.task.run_alone(design)

    def _learning_from(self, design: Design) -> Answer:
        try:
            numbers, start = self._plain(design)
        except (NotHere, LinkworkError):
            return self.task.run_alone(design)
        values = np.array([_values(numbers, start)])
        told = [kind for kind in self.kinds if kind.tells(values)]
        wanted = self.task.run_alone(design)
        for kind in told:
            if kind.learns and not wanted["failed"]:
                with warnings_are("told already"):
                    found = kind.looked(values)[0]
                if found is None:
                    kind.missed += 1
                elif self._agree(kind, found, wanted):  # looked at first: who counts two of them believes it at once
                    kind.compared[found[STOPPED]] += 1
                    self._keep()
        if not told and not wanted["failed"] and len(self.kinds) < min(MOST_KINDS, self.seen / 10 + 1):
            try:
                with warnings_are("told already"):
                    self.kinds.append(self._new_kind(numbers, start, wanted))
            except (NotHere, LinkworkError):
                self.able = self.able and bool(self.kinds)
        return wanted

    def _agree(self, kind: _Kind, found: dict[str, Any], wanted: Answer) -> bool:
        """Whether both ways give the same; if not, the quick one is believed no more, nor by the next sweeps."""
        same = _same(kind.asked_of(found), wanted)
        if not same:
            self.able = False
            if self.known is not None:
                self.known.pop(self.question, None)
        return same

    def _new_kind(self, numbers: dict[str, float], start: dict[str, float], wanted: Answer) -> _Kind:
        """The kind of a design that was answered: how long it takes is known at once."""
        kind = _Kind(self, numbers, start)
        began = time.perf_counter()
        found = kind.looked(np.array([_values(numbers, start)]))[0]
        if found is None:
            kind.missed += 1
        else:
            kind.pace = time.perf_counter() - began
            self._agree(kind, found, wanted)
        return kind

    def _plain(self, design: Design) -> tuple[dict[str, float], dict[str, float]]:
        """Numbers and start values, those that all designs have among them."""
        numbers, start = split(design)
        if not all(type(one) in PLAIN for one in numbers.values()):
            raise NotHere("numbers are texts")
        given = self.task.options.get("start")
        if given is not None and not hasattr(given, "items"):
            raise NotHere("it starts from a state")
        start = {**(given or {}), **start}
        if any(type(one) is not float for one in start.values()):
            start = named_values(start, "start", self.task.mechanism)
        return {name: float(one) for name, one in numbers.items()}, start


class _Kind:
    """Designs of one structure."""

    def __init__(self, owner: QuickDesigns, numbers: dict[str, float], start: dict[str, float]) -> None:
        task = owner.task
        self.missed = self.cuts = 0
        self.pace: float | None = None  # seconds of a design in the last block
        mechanism = task.mechanism.with_numbers(numbers) if numbers else task.mechanism
        self.quick = InNumbers(mechanism, _options(task, start), start, owner.series, numbers)
        self.asked = [(name, series_of(name)) for name in task.names]
        self.timed = any(name == series for name, series in self.asked)
        self.most = max(1, MOST_FLOATS // self.quick.floats)
        #: designs that went both ways, by whether an event has stopped them
        self.compared = dict.fromkeys((False, True) if self.quick.ended_early else (False,), 0)

    @property
    def sure(self) -> frozenset[bool]:
        """In which ways designs may end that are believed."""
        return frozenset(one for one, count in self.compared.items() if count >= COMPARED)

    @property
    def learns(self) -> bool:
        """Whether more designs go both ways."""
        return len(self.sure) < len(self.compared) and self.missed < MISSED

    def tells(self, values: np.ndarray) -> bool:
        """Whether a design has this structure."""
        return bool(self.quick.followed.many(values)[1].all())

    def answers(
        self, values: np.ndarray, stopped: Callable[[], bool] | None = None, room: list[np.ndarray] | None = None
    ) -> list[Answer | None]:
        """Numbers and series as they are asked for, of every design; None where the general way has to answer."""
        return [None if one is None else self.asked_of(one) for one in self.looked(values, stopped, room=room)]

    def believed(
        self,
        values: np.ndarray,
        stopped: Callable[[], bool] | None = None,
        cut: bool = False,
        room: list[np.ndarray] | None = None,
    ) -> list[Answer | None]:
        """The same of those that end in a way that was compared; with `cut` up to the first other one."""
        cut = cut and self.learns and self.cuts < MOST_CUTS
        found = self.looked(values, stopped, sure=self.sure, cut=cut, room=room)
        self.cuts += len(found) < len(values)
        return [None if one is None else self.asked_of(one) for one in found]

    def looked(self, values: np.ndarray, stopped: Callable[[], bool] | None = None, **options: Any) -> list[Any]:
        """Series by name of every design, and how it ended; None where the general way has to answer."""
        try:
            return answers(self.quick, values, stopped, **options)
        except LinkworkError:  # each by itself, and it says why
            return [None] * len(values)

    def asked_of(self, found: dict[str, Any]) -> Answer:
        answer: Answer = {"failed": "", "doubts": found["doubts"]}
        for name, series in self.asked:
            answer[name] = found[series] if name == series else number_of(name, found[series])
        if self.timed:
            answer["time"] = found["time"]
        return answer


def _is_plain(thing: Any) -> bool:
    """Whether `repr` tells all of it."""
    if isinstance(thing, (list, tuple)):
        return all(map(_is_plain, thing))
    if type(thing) is dict:
        return all(map(_is_plain, thing.items()))
    return thing is None or type(thing) in (bool, int, float, str)


def _values(numbers: dict[str, float], start: dict[str, float]) -> list[float]:
    return [*numbers.values(), *start.values()]


def _options(task: Task, start: dict[str, float]) -> RunOptions:
    """Options of `simulate`, those that are not given as it has them."""
    usual = {
        name: one.default
        for name, one in inspect.signature(simulate).parameters.items()
        if name in RunOptions.__dataclass_fields__
    }
    given = {name: one for name, one in task.options.items() if name in usual}
    return RunOptions.read(**{**usual, **given, "times": task.times, "start": start})


def _same(one: Answer, other: Answer) -> bool:
    """Whether two answers have the same bits."""
    return one.keys() == other.keys() and all(
        np.asarray(one[name]).tobytes() == np.asarray(other[name]).tobytes() for name in one
    )
