"""A result whose states stay on disk: they are read part by part, and one part is in memory at a time.

A part is what `stored` makes of some segments.  Where a run was only written down, and nothing happened, the last state
of a part is the first of the next one, which `goes_on` from it and does not show it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, LinkworkError, message
from linkwork.result.events import Mark
from linkwork.result.quantities import vocabulary
from linkwork.result.result import Result
from linkwork.result.segments import Segment
from linkwork.result.statistics import Statistics
from linkwork.result.stored import segments_of, sizes_of
from linkwork.result.switching import marks_in
from linkwork.result.turns import Turned


class Reading:
    """Parts on disk, and the segments of the one that was read last.

    A part has `words`, `spans`, `turns` and `goes_on`, and gives numbers by `times()`, `stored(sizes)` and
    `marks(wide)`; `wrong(what)` is the error that names it.
    """

    def __init__(self, model: Any, parts: Sequence[Any]):
        self.model, self.parts = model, parts
        self._kept: tuple[int, list[Segment]] | None = None
        self._turns: dict[Any, list[float]] = {}  # measure -> its value at the end of every part so far

    def segments(self, k: int) -> list[Segment]:
        """The segments of a part, in memory."""
        if self._kept is not None and self._kept[0] == k:
            return self._kept[1]
        for one in self._kept[1] if self._kept is not None else ():
            one.forget()
        self._kept = None
        self._kept = k, self._read(k)
        return self._kept[1]

    def _read(self, k: int) -> list[Segment]:
        part = self.parts[k]
        stored = part.stored(sizes_of(self.model))
        try:
            found = segments_of(self.model, stored, part.words, part.turns)
        except LinkworkError as error:
            raise part.wrong(f"cannot be right: {error}") from error
        first = found[0]
        if k > 0 and not part.goes_on:
            raise part.wrong("does not begin where the part before it ends")
        if part.goes_on:
            last = first.outputs.indices(len(first.t))[1]
            # in place: the segment behind it counts turns from this one
            first.outputs, first.began, first.goes_on = slice(1, last), Before(self, k), True
        for one, (count, start, shown, begin, end, redundant) in zip(found, part.spans, strict=True):
            first_shown, last_shown, _ = one.outputs.indices(len(one.t))
            told = count, start, shown, begin, end, redundant
            if told != (len(one.t), first_shown, last_shown - first_shown, one.t[0], one.t[-1], len(one.dependencies)):
                raise part.wrong("says another thing of its segments than they hold")
        return found

    def turned(self, measure: Any, k: int) -> float:
        """An angle over full turns at the end of the part before the k-th: found part by part, and kept."""
        known = self._turns.setdefault(measure, [])
        for before in range(len(known), k):
            for one in self.segments(before):
                last = one.series.measure(measure)[-1]
            known.append(float(last))
        return known[k - 1]

    def lazy(self) -> list[Lazy]:
        """All segments, none of them read."""
        return [Lazy(self, k, j) for k, part in enumerate(self.parts) for j in range(len(part.spans))]


class Before:
    """Angles over full turns at the end of the part before: measure -> value."""

    def __init__(self, reading: Reading, k: int):
        self._reading, self._k = reading, k

    def get(self, measure: Any) -> float:
        """The value of a measure."""
        return self._reading.turned(measure, self._k)


class Lazy:
    """A segment on disk: what is asked of it is asked of the one that is read."""

    __slots__ = ("_index", "_part", "_reading")

    def __init__(self, reading: Reading, part: int, index: int):
        self._reading, self._part, self._index = reading, part, index

    def at_hand(self) -> Segment:
        """The segment, in memory."""
        return self._reading.segments(self._part)[self._index]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.at_hand(), name)

    @property
    def _words(self) -> Mapping[str, Any]:
        return self._reading.parts[self._part].words[self._index]

    @property
    def _span(self) -> tuple:
        return self._reading.parts[self._part].spans[self._index]

    @property
    def goes_on(self) -> bool:
        """Whether nothing happens where it begins."""
        return self._index == 0 and self._reading.parts[self._part].goes_on

    @property
    def count(self) -> int:
        """How many times it has."""
        return self._span[0]

    @property
    def begins(self) -> float:
        """Its first time."""
        return self._span[3]

    @property
    def outputs(self) -> slice:
        """Which of its times the result shows."""
        return slice(self._span[1], self._span[1] + self._span[2])

    @property
    def redundant(self) -> int:
        """Rows that follow from others."""
        return self._span[5]

    @property
    def model(self) -> Any:
        """The model of the mechanism."""
        return self.at_hand().model if "switches" in self._words else self._reading.model

    @property
    def coordinates(self) -> str:
        """The set that it was run in."""
        return str(self._words["coordinates"])

    @property
    def source(self) -> str:
        """Where its accelerations come from."""
        return str(self._words["source"])

    @property
    def needs(self) -> tuple[str, ...]:
        """What its states can give."""
        # mypy takes a property for what it returns
        return Segment.needs.fget(self) if self.source == "dynamics" else self.at_hand().needs  # type: ignore[attr-defined]


class ResultInParts(Result):
    """A result whose states are on disk; a name is read part by part."""

    def __init__(self, model: Any, parts: Sequence[Any], statistics: Any, title: str, manifest: Any):
        self._reading = Reading(model, parts)
        super().__init__(self._reading.lazy(), statistics, title, manifest)  # type: ignore[arg-type]  # as if they were
        self.t  # noqa: B018 - looked at now: in a file of somebody else's they may be wrong

    @classmethod
    def made(cls, mechanism: Any, manifest: Mapping, parts: Sequence[Any], statistics: Mapping) -> ResultInParts:
        """The result of parts, and of the mechanism that they belong to."""
        told = dict(manifest)
        model = cls.compiled(mechanism, told)
        if not any(sum(span[2] for span in part.spans) for part in parts):
            raise DescriptionError(message(f"Result of '{mechanism.name}'", "has no outputs"))
        return cls(model, parts, Statistics.of(statistics), "motion", told)

    def _times(self) -> np.ndarray:
        """The times that it shows, which alone are in memory."""
        found = []
        for part in self._reading.parts:
            times = part.times()
            if not np.isfinite(times).all() or len(times) != sum(span[2] for span in part.spans):
                raise part.wrong("has times that cannot be right")
            found.append(times)
        t = np.concatenate(found)
        if np.any(np.diff(t) <= 0.0):
            raise DescriptionError(message(f"Result of '{self.mechanism.name}'", "has times that do not increase"))
        return t

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Events that were only recorded, in the order of time."""
        found: list[Mark] = []
        before = 0
        for k, part in enumerate(self._reading.parts):
            said = part.marks(self.model.n_y + self.model.n_memory)
            if said:
                own = marks_in(self._reading.segments(k), said)
                found += [replace(one, segment=one.segment + before) for one in own]
            before += len(part.spans)
        return tuple(found)

    @marks.setter
    def marks(self, given: Any) -> None:
        """They are read when they are asked for."""

    def _compute(self, name: str) -> np.ndarray:
        """A name, read part by part; of energies, and of what users register, the parts are read beneath it."""
        known = vocabulary(self.model)
        parts = known.components(name) if known.find(name) is None else []
        one, _ = known.meaning(parts[0] if parts else name)
        if not one.local or known.kind(name.partition(".")[0]) == "energy" or name in ("t", "time"):
            return super()._compute(name)
        return np.concatenate([Result([one])[name].copy() for one in self._each()])  # not views of more

    def _each(self, whole: bool = False) -> Iterator[Segment]:
        """The segments one after the other, each in memory by itself: those that show times, or `whole` ones."""
        for one in self.segments:
            if whole and one.count > 1:  # type: ignore[attr-defined]  # segments are lazy here
                yield replace(one.at_hand(), outputs=slice(None))
            elif not whole and one.outputs.stop > one.outputs.start:
                yield one.at_hand()

    def in_memory(self) -> Result:
        """The same result with all states in memory, and only the segments between events: as files have it."""
        groups: list[list[Segment]] = []
        for lazy in self.segments:
            one = lazy.at_hand()
            one = replace(one, given=one.bodies.all)
            if one.goes_on:
                groups[-1].append(one)
            else:
                groups.append([one])
        found = []
        for first, *more in groups:
            last = more[-1] if more else first
            t = np.concatenate([first.t, *(one.t[1:] for one in more)])
            # `given` is there: all segments were read above
            given = np.concatenate([first.given, *(one.given[1:] for one in more)])  # type: ignore[list-item, index]
            hidden = len(last.t) - last.outputs.indices(len(last.t))[1]
            shown = slice(first.outputs.indices(len(first.t))[0], len(t) - hidden)
            steps = sum(one.steps for one in (first, *more))
            whole = slice(None) if len(groups) == 1 and shown == slice(0, len(t)) else shown
            found.append(replace(first, t=t, given=given, outputs=whole, steps=steps))
        for before, after in pairwise(found):
            after.began = Turned(before, -1)
        number = np.cumsum([not one.goes_on for one in self.segments]) - 1
        marks = [replace(one, segment=int(number[one.segment])) for one in self.marks]
        return Result(found, self.statistics, self.title, self.manifest, marks)

    def stored(self) -> dict[str, np.ndarray]:
        """What the result consists of, as arrays, all of them in memory."""
        return self.in_memory().stored()

    def options(self) -> dict:
        """The manifest, and what else goes with the numbers into a file."""
        return self.in_memory().options()

    def _parts(self) -> Any:
        """Results of the segments, made one after the other."""
        return (Result([one]) for one in self._each(whole=True))

    def looked_at(self, k: int) -> None:
        """Read a part whole, and compare it with all that is said of it."""
        self._reading.segments(k)
        self._reading.parts[k].marks(self.model.n_y + self.model.n_memory)
