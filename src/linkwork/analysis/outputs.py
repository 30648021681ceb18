"""At which times does a run write its state?  Never at more of them than memory holds."""

from __future__ import annotations

import math
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.analysis.options import DURATION, TIME
from linkwork.errors import DescriptionError, message

MOST_OUTPUTS = 20_000_000
MOST_STORED = 1e15  # on disk
SHORTEST = 1e-300  # s; shorter spans cannot be divided further
SHARE = 0.5  # of the memory, for the states of one run: reading series from them takes as much again
_USUAL_MEMORY = 4e9  # where the system does not tell
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")  # of a container
NUMBERS = {2: 6, 3: 13}  # positions and speeds of a body


@cache
def memory() -> float:
    """Bytes that this process may take: of the machine, of its container, and of its own limit the least."""
    found = [_USUAL_MEMORY]
    try:
        found = [float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")]
    except (AttributeError, OSError, ValueError):
        pass
    for path in _LIMITS:
        try:
            found.append(float(Path(path).read_text()))  # "max" is no number: no limit
        except (OSError, ValueError):
            pass
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            found.append(float(limit))
    except (ImportError, OSError):
        pass
    return min(one for one in found if one > 0.0)


def most_outputs(numbers: int) -> int:
    """How many outputs of so many numbers each can be kept in memory."""
    return min(MOST_OUTPUTS, int(SHARE * memory() / (8.0 * max(1, numbers))))


def check_count(count: float, numbers: int, item: str = "simulate") -> None:
    """Raise unless so many outputs of so many numbers each can be kept in memory."""
    most = most_outputs(numbers)
    if not count <= most:
        raise DescriptionError(
            message(
                item,
                "asks for more outputs than memory holds",
                f"{count:.3g} outputs",
                f"at most {most:,} of this mechanism here",
                "give a longer time between outputs, every=, or run it in parts: start=run.final goes on",
            )
        )


def check_asked(mechanism, duration: float, every: float) -> None:
    """Raise unless memory holds what a model file asks for."""
    check_count(duration / every, NUMBERS[mechanism.dimension] * len(mechanism.bodies), "analysis (simulate)")


def read_times(times) -> float | np.ndarray:
    """A duration, or output times, as numbers."""
    if not isinstance(times, (list, tuple)) and np.ndim(times) == 0:
        return DURATION.read(times, "simulate", "duration")
    try:
        plain = np.asarray(times)
    except ValueError:  # rows of different lengths
        plain = np.array(None)
    if plain.dtype.kind in "fiu":
        return plain.astype(float)
    if plain.ndim != 1:
        raise DescriptionError(
            message("simulate", "got output times that are no row of numbers", repr(times), "increasing finite numbers")
        )
    return np.array([TIME.read(one, "simulate", f"times[{k}]") for k, one in enumerate(times)])


def grid(times: float | np.ndarray, every: float | str | None, first: float, numbers: int) -> np.ndarray:
    """Output times from a duration or as given, for states of so many numbers; of every "step" the ends."""
    if isinstance(times, np.ndarray):
        return _given(times, every, first, numbers)
    duration, every = times, _between(times, every)
    check_count(float(duration) / float(every), numbers)
    count = math.floor(duration / every * (1.0 + 1e-12))
    out = first + every * np.arange(count + 1)
    if out[-1] < first + duration * (1.0 - 1e-12):
        out = np.append(out, first + duration)
    out[-1] = first + duration
    if not (out[1:] > out[:-1]).all():
        raise DescriptionError(
            message(
                "simulate",
                f"got times so close that they are one at t = {first:g} s",
                f"{min(every, duration):g} s",
                f"at least {8.0 * np.spacing(out[-1]):.2g} s",
            )
        )
    return _long_enough(out, first)


def _between(duration: float, every: float | str | None) -> float:
    """The time between outputs: one that is given, a part of the duration, or of every "step" all of it."""
    if every is None:
        return duration / 200.0 or duration or 1.0
    return duration or 1.0 if isinstance(every, str) else every


class Spaced:
    """Output times with the same time between them, of which only those are made that are asked for.

    The times are those of `grid`, bit for bit.
    """

    def __init__(self, first: float, every: float, last: float, size: int):
        self.first, self.every, self.last, self.size = first, every, last, size

    @classmethod
    def over(cls, duration: float, every: float | str | None, first: float) -> Spaced:
        """The times of a run."""
        every = _between(duration, every)
        last, ratio = first + duration, float(duration) / float(every)
        if not ratio < MOST_STORED:
            raise DescriptionError(
                message("simulate", "asks for more outputs than can be counted", f"{ratio:.3g} outputs")
            )
        count = math.floor(ratio * (1.0 + 1e-12))
        size = count + 1 if first + every * count >= first + duration * (1.0 - 1e-12) else count + 2
        found = cls(first, float(every), last, size)
        ends = np.concatenate([found[:3], found[max(0, size - 3) :]])
        if not every > 2.0 * np.spacing(max(abs(first), abs(last))) or not (np.diff(np.unique(ends)) > 0.0).all():
            grid(duration, every, first, 1)  # says so
        _long_enough(ends, first)
        return found

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            begin, end, _ = k.indices(self.size)
            found = self.first + self.every * np.arange(begin, max(begin, end))
            if end == self.size and found.size:
                found[-1] = self.last
            return found
        k %= self.size
        return self.last if k == self.size - 1 else self.first + self.every * k


def _long_enough(times: np.ndarray, first: float) -> np.ndarray:
    """Refuse a span that cannot be divided into steps."""
    if 0.0 < times[-1] - first < SHORTEST:
        raise DescriptionError(
            message(
                "simulate",
                "got a duration that is too short to be divided into steps",
                f"{times[-1] - first:g} s",
                f"at least {SHORTEST:g} s",
            )
        )
    return times


def _given(times: np.ndarray, every: float | str | None, first: float, numbers: int) -> np.ndarray:
    if times.ndim != 1 or times.size == 0:
        got = "none" if times.size == 0 else f"an array of shape {times.shape}"
        wanted = "increasing numbers in one row, or a duration"
        raise DescriptionError(message("simulate", "got output times that are no row of numbers", got, wanted))
    # a comparison with nan is never true, and what increases up to a finite end is finite
    if not (math.isfinite(times[0]) and math.isfinite(times[-1])) or not (times[1:] > times[:-1]).all():
        raise DescriptionError(
            message("simulate", "got output times that do not increase", repr(times), "increasing finite numbers")
        )
    if every is not None:
        raise DescriptionError(message("simulate", "got output times and `every`", remedy="give one of them"))
    if times[0] < first:
        raise DescriptionError(
            message("simulate", "got an output time before the start", times[0], f"{first:g} or later")
        )
    check_count(times.size, numbers)
    return _long_enough(times, first)
