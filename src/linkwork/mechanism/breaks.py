"""Where a function of time is not smooth.

At a break the value jumps (order 0), or the rate (1), the second derivative (2), the third or a higher one (3). What
stands exactly at a break belongs to its right side, and is evaluated a `gap` behind it, some rounding errors of a time.

The breaks of an expression are zeros of what its operations switch at: of u in abs(u), of u - v in min(u, v). These are
found between samples of value and rate, which are refined until a cubic through them says what lies between.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from linkwork.mechanism import jets

MOST = 5000  # breaks of a function in one run
SAMPLES = 1024
MOST_SAMPLES = 60_000  # of one search; a longer one is divided
MOST_WORK = 300_000  # samples of all searches together
#: how far a cubic through two samples may be off between them, of the largest value there
OFF = 0.1
#: a jump is more than this part of what the derivative is elsewhere
JUMP = 1e-6

Program = tuple[float, ...]


class Break(NamedTuple):
    """A time, and the lowest derivative that jumps there; 3 stands for the third and all higher ones.

    Closer than `beside` the function has no finite derivatives, asin(sin(t)) for one; zero where it has them all.
    """

    t: float
    order: int
    beside: float = 0.0

    @property
    def sides(self) -> tuple[float, float]:
        """Just before and just behind it; the same where value, rate and second derivative go on."""
        near = gap(self.t) if self.order < 3 else 0.0
        return self.t - near, self.t + near


class Breaks(NamedTuple):
    """Breaks in order, and how far they are known: what lies beyond `until` was not looked for."""

    found: tuple[Break, ...] = ()
    until: float = math.inf


NONE = Breaks()


def gap(t: float) -> float:
    """How far beside a break at t its sides are evaluated."""
    return 8.0 * math.ulp(max(1.0, abs(t)))


def _gaps(t: np.ndarray) -> np.ndarray:
    return 8.0 * np.spacing(np.maximum(1.0, abs(t)))


def within(known: Sequence[tuple[float, int]], first: float, last: float) -> Breaks:
    """Those breaks, in order, that lie in a span of time, its ends included."""
    begin = bisect_left(known, first - gap(first), key=lambda one: one[0])
    end = bisect_right(known, last + gap(last), key=lambda one: one[0])
    return Breaks(tuple(Break(t, order) for t, order in known[begin:end]))


# -- of programs -------------------------------------------------------------------------------------------------------

#: operations that change over to another formula; the others have breaks at some of their zeros only
_SWITCHES = (jets.ABS, jets.SIGN, jets.MIN, jets.MAX, jets.STEP)


@lru_cache(maxsize=256)
def switches(program: Program) -> tuple[tuple[Program, bool], ...]:
    """Programs at whose zeros a program may break, inner ones first, and whether the formula changes there."""
    ends: list[int] = []  # where the code of every waiting operand begins
    found: list[tuple[Program, bool]] = []
    for k in range(0, len(program), 2):
        op, number = int(program[k]), program[k + 1]
        count = 0 if op in (jets.CONSTANT, jets.TIME) else jets.operands(op)
        begins = ends[len(ends) - count :]
        parts = [program[a:b] for a, b in zip(begins, [*begins[1:], k])]
        for one in _zeros_of(op, number, parts):
            if any(one[j] == jets.TIME for j in range(0, len(one), 2)):
                found.append((one, op in _SWITCHES))
        ends = [*ends[: len(ends) - count], begins[0] if count else k]
    return tuple(dict.fromkeys(found))


def _zeros_of(op: int, number: float, parts: list[Program]) -> list[Program]:
    """What an operation with these operands switches, or is singular, at the zeros of."""
    minus = (float(jets.SUBTRACT), 0.0)
    if op in (jets.ABS, jets.SIGN, jets.SQRT, jets.ATAN2):
        return parts[:1]
    if op in (jets.MIN, jets.MAX):
        return [parts[0] + parts[1] + minus]
    if op == jets.STEP:
        return [parts[0] + parts[k] + minus for k in (1, 3)]
    if op == jets.TAN:
        return [(*parts[0], float(jets.COS), 0.0)]
    if op in (jets.ASIN, jets.ACOS):
        return [(*parts[0], float(jets.POWER_OF), 2.0, float(jets.CONSTANT), 1.0, *minus)]
    if op == jets.DIVIDE:
        return parts[1:]
    if op == jets.POWER_OF and (number < 0.0 or number != round(number)):
        return parts
    return []


@lru_cache(maxsize=256)
def of_program(program: Program, first: float, last: float) -> Breaks:
    """Breaks of a program in a span of time."""
    inner = switches(program)
    if not inner:
        return NONE
    found: list[Break] = []
    at, width, work = first, last - first, 0
    span = last - first
    scale = _scale(program, first + span * (np.arange(16) * 0.6180339887498949 % 1.0))
    while at <= last:
        end = min(at + width, last)
        try:
            times, samples = _candidates(inner, at, end)
        except _TooFine:
            width *= 0.25
            work += MOST_SAMPLES
            if work > MOST_WORK:
                return Breaks(tuple(found), at)
            continue
        for t, sure in times[: MOST + 1]:
            if (one := _break(program, t, scale, span, sure)) and not (found and t <= found[-1].t + gap(t)):
                found.append(one)
        work += samples
        if end == last:
            break
        at = end
        if len(found) > MOST or work > MOST_WORK:
            return Breaks(tuple(found), at)
    return Breaks(tuple(found))


def _scale(program: Program, times: np.ndarray) -> np.ndarray:
    """How large value, rate and second derivative become at some times."""
    known = np.array([_side(program, t) for t in times])
    return np.array([np.abs(one[np.isfinite(one)]).max(initial=0.0) for one in known.T])


def _side(program: Program, t: float) -> tuple[float, float, float]:
    """Value, rate and second derivative; nan where there are none."""
    try:
        with np.errstate(all="ignore"):
            return jets.run(float(t), np.array(program))
    except (ArithmeticError, ValueError):
        return math.nan, math.nan, math.nan


def _break(program: Program, t: float, scale: np.ndarray, span: float, sure: bool) -> Break | None:
    """The break at t, by the derivatives on both sides; None where nothing jumps, or nothing has a value."""
    near = gap(t)
    for wider in (1.0, 1e2, 1e4, 1e6, 1e8, 1e9):
        before, after = np.array(_side(program, t - wider * near)), np.array(_side(program, t + wider * near))
        if np.isfinite([before, after]).all():
            break
    else:
        return None
    change = abs(after - before)
    if np.any(change > 1e3 * scale):  # all is small there where the samples were: what it is nearby
        scale = np.maximum(scale, _scale(program, t + span * np.array([-1e-3, 1e-3, -1e-5, 1e-5, -1e-7, 1e-7])))
    smooth = JUMP * scale + 4.0 * wider * near * np.append(scale[1:], 0.0)
    jumps = np.flatnonzero(change > smooth)
    if not jumps.size and not sure:
        return None
    return Break(t, int(jumps[0]) if jumps.size else 3, 0.0 if wider == 1.0 else wider * near)


# -- zeros between samples ---------------------------------------------------------------------------------------------


class _TooFine(Exception):
    """A program varies faster than samples can follow."""


def _candidates(programs: Sequence[tuple[Program, bool]], first: float, last: float) -> tuple[list, int]:
    """Times of zeros, each with whether a formula changes there; and how many samples that took."""
    margin = 8.0 * gap(max(abs(first), abs(last)))
    known: dict[float, bool] = {}
    count = 0
    for program, switch in programs:

        def values(t: np.ndarray, program: Program = program) -> tuple[np.ndarray, np.ndarray]:
            with np.errstate(all="ignore"):
                return jets.rates(t, program)

        times, samples = _zeros(values, first - margin, last + margin, np.array(sorted(known)))
        count += samples
        left, right = (np.sign(values(times + side * _gaps(times))[0]) for side in (-1.0, 1.0))
        for t, crossed in zip(times.tolist(), left != right):
            known[t] = known.get(t, False) or (switch and bool(crossed))
    inside = [(t, known[t]) for t in sorted(known) if first - gap(t) <= t <= last + gap(t)]
    return inside, count


def _zeros(f: Callable, first: float, last: float, marks: np.ndarray) -> tuple[np.ndarray, int]:
    """Times at which f, which gives value and rate, is zero or jumps over zero; `marks` are breaks of f itself."""
    n = np.arange(min(SAMPLES, round((last - first) / gap(last))))
    spread = (n + 0.5 * np.sqrt(2.0) * (n % 2)) / max(1, n.size)  # of no period
    samples = [first + (last - first) * spread, marks - _gaps(marks), marks + _gaps(marks), np.array([first, last])]
    t = _understood(f, np.unique(np.clip(np.concatenate(samples), first, last)))
    value, rate = f(t)
    turns = np.flatnonzero(rate[:-1] * rate[1:] < 0.0)
    lowest = _bisected(lambda x: f(x)[1], t[turns], t[turns + 1])
    touching = np.abs(f(lowest)[0]) <= 1e-9 * np.maximum(abs(value[turns]), abs(value[turns + 1]))
    t = np.unique(np.concatenate([t, lowest]))
    value = f(t)[0]
    crossed = np.flatnonzero(value[:-1] * value[1:] < 0.0)
    still = np.concatenate([[True], value == 0.0, [True]])
    alone = (value == 0.0) & ~(still[:-2] & still[2:])  # not in a stretch where it is zero all the time
    found = np.concatenate([_bisected(lambda x: f(x)[0], t[crossed], t[crossed + 1]), lowest[touching], t[alone]])
    return np.unique(found) + 0.0, t.size  # no zero with a sign


def _understood(f: Callable, t: np.ndarray) -> np.ndarray:
    """Samples so close that a cubic by value and rate at two of them tells f between them."""
    value, rate = f(t)
    fresh = np.ones(t.size - 1, dtype=bool)  # intervals not looked at yet
    while fresh.any():
        k = np.flatnonzero(fresh)
        h = t[k + 1] - t[k]
        inner, good = [], np.ones(k.size, dtype=bool)
        for s in (0.382, 0.729):
            x = t[k] + s * h
            there = f(x)
            cubic = (
                (1.0 + 2.0 * s) * (1.0 - s) ** 2 * value[k]
                + s * (1.0 - s) ** 2 * h * rate[k]
                + s * s * (3.0 - 2.0 * s) * value[k + 1]
                - s * s * (1.0 - s) * h * rate[k + 1]
            )
            size = np.max(np.abs([value[k], value[k + 1], there[0]]), axis=0)
            good &= ~(abs(there[0] - cubic) > OFF * size)  # where there is no number, nothing is to be found
            inner.append((x, *there))
        good |= h <= 4.0 * gap(float(np.abs(t).max()))
        split = k[~good]
        if t.size + 2 * split.size > MOST_SAMPLES:
            raise _TooFine
        new = [np.concatenate([one[j][~good] for one in inner]) for j in range(3)]
        order = np.argsort(np.concatenate([t, new[0]]), kind="stable")
        again = np.zeros(order.size, dtype=bool)
        again[np.flatnonzero(np.isin(order, [*split, *range(t.size, order.size)]))] = True
        t, value, rate = (np.concatenate([old, one])[order] for old, one in zip((t, value, rate), new))
        fresh = again[:-1]
    return t


def _bisected(f: Callable, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Where f changes its sign between pairs of times, to the last digit or two."""
    low, high = low.copy(), high.copy()
    sign = np.sign(f(low))
    while np.any(high - low > 0.25 * _gaps(high)):
        middle = 0.5 * (low + high)
        same = np.sign(f(middle)) == sign
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return 0.5 * (low + high)
