"""A series between its times: cubics by value and slope, and how far they may be off.

    symbol  word                                                                     shape
    t, f    times and values at the beginnings of the gaps between stored times      (gaps,)
    d       slopes there: rates where they are known, else differences               (gaps,)
    h       lengths of the gaps                                                      (gaps,)
    c       f[t0, t0, t1, t1], the coefficient of the cubic of a gap                 (gaps,)
    e       f[t0, t0, t1, t1, t2], the next one, which the cubics leave out          (gaps,)
    u       place within a gap, 0 to 1

Within a gap   f = f0 + d0 x + (s - d0)/h x^2 + c x^2 (x - h),  x = t - t0,  s = (f1 - f0)/h,
and what is left out is  f'''' / 24  x^2 (x - h)^2,  estimated by e from the cubics of the gaps beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property

import numpy as np

EPS = np.finfo(float).eps
STENCIL = 5  # times whose values give a slope by differences
AT_NODE = 1e-7  # of a gap: a turning point nearer to its end is that end


@cache
def _gauss() -> tuple[tuple[float, float], ...]:
    """Places and weights in a gap about its middle, exact for a cubic squared."""
    return tuple(zip(*(part * 0.5 for part in np.polynomial.legendre.leggauss(4))))


class Curve:
    """Piecewise cubics through values with slopes; without slopes, those of the values around."""

    def __init__(self, t: np.ndarray, f: np.ndarray, d: np.ndarray | None = None):
        d, wrong = (d, np.zeros_like(t)) if d is not None else _differences(t, f)
        self.nodes = t, f  # as they are given
        self.t, self.f, self.d, self.h = t[:-1], f[:-1], d[:-1], np.diff(t)
        steep = np.diff(f) / self.h
        self.bend = (steep - self.d) / self.h
        self.c = ((d[1:] - steep) / self.h - self.bend) / self.h
        self.e = _next_term(t, self.c, self.h)
        self.slope_error = np.maximum(wrong[:-1], wrong[1:])

    @classmethod
    def joined(cls, parts: Sequence[Curve]) -> Curve:
        """One after the other, the next from where the last ends; values and slopes may jump there."""
        if len(parts) == 1:
            return parts[0]
        made = cls.__new__(cls)
        t, f = (np.concatenate([one.nodes[k] for one in parts]) for k in range(2))
        made.nodes = t, f
        for key in ("t", "f", "d", "h", "bend", "c", "e", "slope_error"):
            setattr(made, key, np.concatenate([getattr(one, key) for one in parts]))
        return made

    @property
    def span(self) -> tuple[float, float]:
        """First and last time."""
        return float(self.nodes[0][0]), float(self.nodes[0][-1])

    @cached_property
    def rounding(self) -> float:
        """What counts as nothing."""
        return 4.0 * EPS * float(np.abs(self.nodes[1]).max())

    def gap(self, t) -> np.ndarray:
        """Which gap a time is in; at a border, the later one."""
        return np.clip(np.searchsorted(self.t, t, side="right") - 1, 0, len(self.h) - 1)

    def value(self, t, order: int = 0):
        """Value, first or second derivative of the cubics."""
        return self._in_gap(self.gap(t), t, order)

    def _in_gap(self, k, t, order: int = 0):
        x, h, d, b, c = t - self.t[k], self.h[k], self.d[k], self.bend[k], self.c[k]
        if order == 0:
            return self.f[k] + x * (d + x * (b + c * (x - h)))
        if order == 1:
            return d + x * (2.0 * (b - c * h) + 3.0 * c * x)
        return 2.0 * (b - c * h) + 6.0 * c * x

    def error(self, t, order: int = 0):
        """How far value or slope may be off at a time, rounding included."""
        k = self.gap(t)
        x, h = t - self.t[k], self.h[k]
        if order == 0:
            return self.e[k] * (x * (h - x)) ** 2 + 8.0 / 27.0 * h * self.slope_error[k] + self.rounding
        return 2.0 * self.e[k] * np.abs(x * (h - x) * (h - 2.0 * x)) + self.slope_error[k]

    # -- where it has a value --------------------------------------------------------------------------------------
    @cached_property
    def breaks(self) -> tuple[np.ndarray, np.ndarray]:
        """Times between which it only rises or only falls, stored times among them, and the values there."""
        times = np.concatenate([self.nodes[0], self.turns])
        order = np.argsort(times, kind="stable")  # where it jumps, a time is there twice: before comes first
        return times[order], np.concatenate([self.nodes[1], self.value(self.turns)])[order]

    @cached_property
    def turns(self) -> np.ndarray:
        """Times within gaps at which the slope vanishes."""
        # 3 c x^2 + 2 (b - c h) x + d = 0, solved without a difference of large numbers
        a, b, d = 3.0 * self.c, self.bend - self.c * self.h, self.d
        with np.errstate(divide="ignore", invalid="ignore"):
            q = -(b + np.copysign(np.sqrt(b * b - a * d), b))
            x = np.stack([q / a, d / q])
            inside = (x > AT_NODE * self.h) & (x < (1.0 - AT_NODE) * self.h)
        return np.unique((self.t + x)[inside])

    def reach(self, level: float) -> tuple[np.ndarray, np.ndarray, list[tuple[float, float]]]:
        """Times at which it has the level, whether it rises (1), falls (-1) or only touches (0), and where it stays.

        A stretch on which it stays at the level counts by its first time.
        """
        t, f = self.breaks
        off = f - level
        off[np.abs(off) <= max(self.rounding, 4.0 * EPS * abs(level))] = 0.0
        sign = np.sign(off)
        k = np.flatnonzero(sign[:-1] * sign[1:] < 0.0)
        times, ways, stays = list(self._between(t[k], t[k + 1], level)), list(sign[k + 1]), []
        zero = np.flatnonzero(sign == 0.0)
        for run in np.split(zero, np.flatnonzero(np.diff(zero) > 1) + 1) if zero.size else []:
            before = sign[run[0] - 1] if run[0] > 0 else 0.0
            after = sign[run[-1] + 1] if run[-1] + 1 < len(sign) else 0.0
            times.append(t[run[0]])
            ways.append(float(np.sign(after - before)) if after != before else 0.0)
            if t[run[-1]] > t[run[0]]:
                stays.append((float(t[run[0]]), float(t[run[-1]])))
        order = np.argsort(times, kind="stable")
        return np.array(times, dtype=float)[order], np.array(ways, dtype=float)[order], stays

    def _between(self, low, high, level: float) -> np.ndarray:
        """The level on pieces that rise or fall, by halving; the last halves are rounding."""
        k = self.gap(0.5 * (low + high))
        low, high = low.copy(), high.copy()
        falls = self._in_gap(k, low) > level
        for _ in range(60):
            middle = 0.5 * (low + high)
            beyond = (self._in_gap(k, middle) > level) != falls
            high, low = np.where(beyond, middle, high), np.where(beyond, low, middle)
        return 0.5 * (low + high)

    def reach_error(self, t, more: float = 0.0) -> np.ndarray:
        """How far times at which it has a value may be off, the value itself by `more`; where it turns, by its bend."""
        off, slope, bend = self.error(t) + more, np.abs(self.value(t, 1)), np.abs(self.value(t, 2))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.fmin(np.fmin(off / slope, np.sqrt(2.0 * off / bend)), self.span[1] - self.span[0])

    # -- sums over time --------------------------------------------------------------------------------------------
    def integral(self, low: float, high: float, power: int = 1) -> float:
        """Of the cubics, or of their squares, from a time to a later one."""
        edges = np.concatenate([[low], self.t[(self.t > low) & (self.t < high)], [high]])
        h, middle = np.diff(edges), 0.5 * (edges[1:] + edges[:-1])
        k = self.gap(middle)
        return float(sum(w * (h * self._in_gap(k, middle + h * x) ** power).sum() for x, w in _gauss()))

    def integral_error(self, low: float, high: float) -> float:
        """How far the integral of the cubics may be off: of x^2 (h - x)^2 over a gap, h^5 / 30."""
        inside = (self.t + self.h > low) & (self.t < high)
        off = self.e * self.h**5 / 30.0 + self.h**2 / 6.0 * self.slope_error
        return float(off[inside].sum() + self.rounding * (high - low))


def _next_term(t, c, h) -> np.ndarray:
    """Twice the largest of f'''' / 24 around each gap, by how c = f''' / 6 changes from gap to gap: an estimate."""
    if len(c) == 1:
        return np.abs(c) / h  # nothing to compare with: the cubic's own last term
    middle = t[:-1] + 0.5 * h
    change = np.abs(np.diff(c)) / (2.0 * np.diff(middle))
    # of four changes around a gap the largest: f'''' may vanish in passing
    padded = np.concatenate([change[:1], change[:1], change, change[-1:], change[-1:]])
    return np.max([padded[k : k + len(c)] for k in range(4)], axis=0)


def _differences(t, f) -> tuple[np.ndarray, np.ndarray]:
    """Slopes at the times by the values around, and how far they may be off: by the farthest value left out."""
    count = min(STENCIL, len(t))
    first = np.clip(np.arange(len(t)) - count // 2, 0, len(t) - count)
    near = first[:, None] + np.arange(count)
    own = np.arange(len(t)) - first
    slope = _slope(t[near], f[near], own)
    if count < 3:
        return slope, np.abs(slope)
    # of the two ends of a stencil, leave out the farther one
    later = t[near[:, -1]] - t > t - t[near[:, 0]]
    fewer = np.where(later[:, None], near[:, :-1], near[:, 1:])
    return slope, np.abs(slope - _slope(t[fewer], f[fewer], own - ~later))


def _slope(t, f, own) -> np.ndarray:
    """Derivative of the polynomials through values (each a row) at the column `own`."""
    count, here = t.shape[1], t[np.arange(len(t)), own]
    total = np.zeros(len(t))
    for j in range(count):
        mine, others = np.zeros(len(t)), np.ones(len(t))
        for k in range(count):
            if k == j:
                continue
            base = k == own  # its factor is differentiated, the others stay
            others *= np.where(base, 1.0, here - t[:, k]) / (t[:, j] - t[:, k])
            with np.errstate(divide="ignore"):
                mine += np.where(base, 0.0, 1.0 / (here - t[:, k]))
        total += f[:, j] * np.where(own == j, mine, others)
    return total
