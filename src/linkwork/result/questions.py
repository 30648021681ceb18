"""Questions about a result: when, how much at most, how long, on average, at what work.

All are answered between the stored times too, on cubics through values and rates (`curve.py`).  Each answer says how
far it may be off by that: more outputs (`every=`) make it less.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arguments import explained
from linkwork.compiled.names import ORDERS, split
from linkwork.errors import AnalysisError, DescriptionError, UnknownNameError, message
from linkwork.result import blows
from linkwork.result.answers import WAYS, Dwell, Estimate, Extremes, Moments
from linkwork.result.curve import Curve
from linkwork.result.free_body import FreeBody, free_body
from linkwork.result.motion_parts import MotionParts, motion_parts
from linkwork.result.quantities import TIME, vocabulary
from linkwork.units import Number

DIRECTIONS = ("rising", "falling", "both")
FINER = 4  # places looked at in a gap, where a band of given width is sought
Band = tuple[Any, Any]


@explained
class Questions:
    """What can be asked of a result beside its series; `Result` has these methods."""

    model: Any
    energy: Any
    segments: tuple[Any, ...]

    if TYPE_CHECKING:  # what a result has, and what is asked of it here

        @property
        def t(self) -> np.ndarray: ...
        @property
        def coordinates(self) -> str: ...
        def __getitem__(self, name: str) -> np.ndarray: ...
        def unit(self, name: str) -> str: ...
        def state(self, k: int) -> Any: ...
        def at(self, t: Any) -> Any: ...
        @classmethod
        def of_state(cls, state: Any, coordinates: str = "body") -> Any: ...

    def when(self, name: str, value: Any, *, direction: str = "both", every: Any = None) -> Moments:
        """Times at which a named quantity has a value: `run.when("A.angle", "60 deg")`; none is an empty answer.

        `direction` is "rising", "falling" or "both".  With `every`, also the values that far apart: an angle counts on
        over full turns, and `every="360 deg"` asks for each of them.

            >>> import linkwork as lw
            >>> run = lw.gallery.six_bar_quick_return().simulate(2, every=0.005)
            >>> [round(t, 6) for t in run.when("O.angle", "60 deg", every="360 deg")]
            [0.083333, 1.083333]
        """
        curve, unit = self._curve(name), self.unit(name)
        item = f"when('{name}')"
        _choice(item, "direction", direction, DIRECTIONS)
        level = Number(unit).read(value, item, "value")
        levels = [level]
        if every is not None:
            apart = Number(unit, above=0.0).read(every, item, "every")
            first, last = (edge - level for edge in (curve.breaks[1].min(), curve.breaks[1].max()))
            count = np.ceil((last - first) / apart)
            if count > 1_000_000:
                raise DescriptionError(
                    message(item, "asks for too many values", f"{count:.3g} of them", remedy="a larger `every`")
                )
            steps = np.arange(np.ceil(first / apart - 1e-9), np.floor(last / apart + 1e-9) + 1.0)
            levels = list(level + apart * steps)
        found: list[tuple[Estimate, str]] = []
        stays: list[tuple[float, float]] = []
        doubtful: list[float] = []
        for one in levels:
            times, ways, kept = curve.reach(one)
            found += [
                (Estimate(t, off), WAYS[way])
                for t, off, way in zip(times, curve.reach_error(times), ways)
                if direction in ("both", WAYS[way])
            ]
            stays += kept
            near = np.abs(curve.value(curve.turns) - one)
            doubtful += curve.turns[(near > curve.rounding) & (near <= curve.error(curve.turns))].tolist()
        found.sort(key=lambda one: float(one[0]))
        return Moments(
            name,
            level,
            unit,
            tuple(t for t, _ in found),
            tuple(way for _, way in found),
            tuple(stays),
            tuple(doubtful),
            _said(curve, unit),
        )

    def extremes(self, name: str) -> Extremes:
        """Least and greatest value of a named quantity, their times, the stroke between them, and where it turns.

        >>> import linkwork as lw
        >>> run = lw.gallery.six_bar_quick_return().simulate(2, every=0.005)
        >>> found = run.extremes("slider.x")
        >>> round(found.stroke, 6), len(found.turning)
        (0.6, 4)
        """
        curve, unit = self._curve(name), self.unit(name)
        t, f = curve.breaks
        notes = tuple(blows.words(self))
        unseen = bool(notes) and blows.peaks(unit)  # no series tells how large it becomes

        def at(k):
            return Estimate(f[k], np.inf if unseen else curve.error(t[k])), Estimate(t[k], _turn_error(curve, t[k]))

        way = np.diff(f)
        sign = np.where(np.abs(way) <= curve.rounding, 0.0, np.sign(way))  # where it stands, rounding turns it
        moving = np.flatnonzero(sign)
        turns = moving[1:][sign[moving[1:]] != sign[moving[:-1]]]
        (least, least_at), (greatest, greatest_at) = at(int(f.argmin())), at(int(f.argmax()))
        turning = tuple(at(k)[::-1] for k in turns)
        return Extremes(name, unit, least, least_at, greatest, greatest_at, turning, notes)

    def stroke(self, name: str) -> Estimate:
        """Greatest minus least value of a named quantity.

        >>> import linkwork as lw
        >>> run = lw.gallery.six_bar_quick_return().simulate(2, every=0.005)
        >>> round(run.stroke("slider.x"), 6)
        0.6
        """
        found = self.extremes(name).stroke
        return Estimate(found, found.error, self.unit(name))

    def mean(self, name: str, where: Mapping[str, Band] | None = None) -> Estimate:
        """Mean over time of a named quantity, over the whole run or while all conditions hold.

        `where` gives the bands of other quantities: `{"motor.power": (0, None), "t": ("1 s", "2 s")}` is the second
        second, as far as the motor gives power.  None leaves a side open.

            >>> import linkwork as lw
            >>> run = lw.gallery.six_bar_quick_return().simulate(2, every=0.005)
            >>> round(run.mean("motor.power", where={"motor.power": (0, None)}), 2)
            10.03
        """
        return self._average(name, where, 1)

    def rms(self, name: str, where: Mapping[str, Band] | None = None) -> Estimate:
        """Root of the mean square over time of a named quantity; `where` as in `mean`.

        >>> import linkwork as lw
        >>> run = lw.gallery.six_bar_quick_return().simulate(2, every=0.005)
        >>> round(run.rms("motor.effort", where={"t": ("1 s", "2 s")}), 3)
        2.85
        """
        return self._average(name, where, 2)

    def dwell(self, name: str, within: Any) -> Dwell:
        """The longest time that a named quantity stays within a band.

        `within` is a width, wherever the band may be, or a pair of edges: `run.dwell("rocker.angle", "1 deg")`,
        `run.dwell("rocker.angle", ("59 deg", "61 deg"))`.

            >>> import linkwork as lw
            >>> run = lw.gallery.six_bar_quick_return().simulate(2, every=0.005)
            >>> round(run.dwell("rocker.angle", "1 deg").duration, 5)
            0.07866
        """
        curve, unit, item = self._curve(name), self.unit(name), f"dwell('{name}')"
        if isinstance(within, (tuple, list)):
            (low, high), best = _band(item, within, unit), False
        else:
            best = True
            low, high = _best_band(curve, Number(unit, above=0.0).read(within, item, "width of the band"))
        inside = _inside(curve, low, high)
        if not inside:
            raise AnalysisError(
                message(item, f"is never between {low:.6g} and {high:.6g} {unit}", _said(curve, unit)), result=self
            )
        start, end = max(inside, key=lambda one: one[1] - one[0])
        turns = curve.turns[(curve.turns > start) & (curve.turns < end)] if best else curve.turns[:0]
        # the best band holds extremes, and is off as they are
        errors = curve.reach_error(np.array([start, end]), float(curve.error(turns).max(initial=0.0)))
        cut = np.array([start == curve.span[0], end == curve.span[1]])
        errors[cut] = 0.0
        return Dwell(name, unit, low, high, Estimate(start, errors[0]), Estimate(end, errors[1]), bool(cut.any()))

    def work(self, item: str, start: Any = None, end: Any = None) -> Estimate:
        """Work that an element, a driver or "gravity" does on the mechanism, from a time to another.

        Without times, over the whole run.  A spring that is wound up does negative work.  Divided by the time it is the
        mean power; `run["spring.power"]` is the power at each time.

            >>> import linkwork as lw
            >>> run = lw.gallery.pendulum().simulate(2, every=0.01)
            >>> bool(abs(run.work("gravity", 0, "0.5 s") + run.energy.gravity[50] - run.energy.gravity[0]) < 1e-9)
            True
        """
        span = []
        for what, given, default in (("start", start, self.t[0]), ("end", end, self.t[-1])):
            t = default if given is None else Number("s").read(given, f"work('{item}')", what)
            if not self.t[0] <= t <= self.t[-1]:
                raise UnknownNameError("time", f"{t:g}", [f"{self.t[0]:g} to {self.t[-1]:g} s"], "in this result")
            span.append(t)
        if span[0] > span[1]:
            raise DescriptionError(
                message(f"work('{item}')", "ends before it starts", f"{span[0]:g} to {span[1]:g} s", "start before end")
            )
        if len(self.t) == 1:
            return Estimate(0.0, 0.0, "J")
        total, error = 0.0, 0.0
        for part in self._parts():
            low, high = max(span[0], part.t[0]), min(span[1], part.t[-1])
            if low < high:
                curve, edges = Curve(part.t, *_work_and_power(part, item)), np.array([low, high])
                total += float(np.diff(curve.value(edges))[0])
                error += float(curve.error(edges).sum())
        return Estimate(total, error, "J")

    # -- bodies and points -----------------------------------------------------------------------------------------
    def free_body(self, body: str, t: Any = None) -> FreeBody:
        """All loads on a body at a time, or at the first one, with its inertia among them: a table that closes.

        >>> import linkwork as lw
        >>> run = lw.gallery.slider_crank().simulate(0.1, every=0.01)
        >>> [load.name for load in run.free_body("rod", 0.05).loads]
        ['weight', 'B', 'C', 'inertia']
        """
        return free_body(self._one(t), body)

    def motion_parts(self, point: Any, on: str | None = None, base: Any = None) -> MotionParts:
        """Velocity and acceleration of a point in parts: of the base, tangential, normal, slip and Coriolis.

        `on` is the turning body that it is seen on, and `base` a point of that body, its origin unless given.  Without
        `on`, the line from `base` (the ground's origin unless given) to the point is what turns.  Points are names
        ("rod.b") or frames.

            >>> import linkwork as lw
            >>> run = lw.gallery.six_bar_quick_return().simulate(1, every=0.01)
            >>> parts = run.motion_parts("block", on="rocker")
            >>> sorted(parts.acceleration)
            ['base', 'coriolis', 'normal', 'slip', 'tangential', 'total']
        """
        return motion_parts(self, point, on, base)

    def _one(self, t: Any) -> Any:
        """The result that consists of the state at a time."""
        return self.of_state(self.state(0) if t is None else self.at(t), self.coordinates)

    # -- on the way ------------------------------------------------------------------------------------------------
    def _curve(self, name: str) -> Curve:
        """A named quantity between its times."""
        kept = self.__dict__.setdefault("_curves", {})
        key = repr(name)
        if key not in kept:
            one, order = vocabulary(self.model).meaning(name)
            series = self[name]
            if series.ndim == 2:
                parts = vocabulary(self.model).components(name)
                raise DescriptionError(
                    message(f"'{name}'", "is a vector", wanted="one number", remedy=f"ask for {' or '.join(parts)}")
                )
            if len(self.t) < 2:
                raise DescriptionError(
                    message("Questions", "need a motion", "a result of one time", "two times or more")
                )
            # what has been supplied or lost is counted over the whole
            alone: list[Any] = [self] if name.startswith("energy.") else self._parts()
            kept[key] = Curve.joined([Curve(each.t, each[name], _slope(each, name, one, order)) for each in alone])
        return kept[key]

    def _parts(self) -> list[Any]:
        """Results of the segments, each with its own state at the borders, where velocities may jump."""
        if len(self.segments) == 1:
            return [self]
        kept = self.__dict__.setdefault("_alone", [])
        if not kept:
            whole = [replace(one, outputs=slice(None)) for one in self.segments if len(one.t) > 1]
            kept += [type(self)([one]) for one in whole]  # type: ignore[call-arg]  # a result, made of segments
        return kept

    def _average(self, name: str, where, power: int) -> Estimate:
        curve, item = self._curve(name), f"{('mean', 'rms')[power - 1]}('{name}')"
        parts, off = self._while(item, where)
        long = sum(high - low for low, high in parts)
        if not long > 0.0:
            raise AnalysisError(message(item, "has no time to be taken over", f"{where}: never met"), result=self)
        total = sum(curve.integral(low, high, power) for low, high in parts) / long
        error = sum(curve.integral_error(low, high) for low, high in parts) / long
        edge = np.abs(curve.f).max() * off / long  # what may be in or out at the edges
        if power == 1:
            return Estimate(total, error + 2.0 * edge, self.unit(name))
        return Estimate(np.sqrt(max(total, 0.0)), error + edge, self.unit(name))

    def _while(self, item: str, where) -> tuple[list[tuple[float, float]], float]:
        """Stretches of time on which all conditions hold, and how far their edges may be off, added up."""
        parts, off = [(float(self.t[0]), float(self.t[-1]))], 0.0
        if where is not None and not isinstance(where, Mapping):
            raise DescriptionError(
                message(
                    item,
                    "has a condition that is no mapping",
                    repr(where)[:60],
                    'names and bands, {"motor.power": (0, None)}',
                )
            )
        for name, band in (where or {}).items():
            curve = self._curve(name)
            low, high = _band(f"{item}, where '{name}'", band, self.unit(name))
            inside = _inside(curve, low, high)
            edges = np.array([edge for part in inside for edge in part if curve.span[0] < edge < curve.span[1]])
            off += float(curve.reach_error(edges).sum()) if edges.size and name not in TIME else 0.0
            parts = [(max(a, c), min(b, d)) for a, b in parts for c, d in inside if min(b, d) > max(a, c)]
        return parts, off


def _slope(result, name: str, one, order: int) -> np.ndarray | None:
    """The rate of a named quantity, where it has one."""
    if name in TIME:
        return np.ones_like(result.t)
    if order + 1 >= len(one.units):
        return None
    base = split(name)[0] if order else name
    return result[f"{base}.{next(key for key, value in ORDERS.items() if value == order + 1)}"]


def _choice(item: str, what: str, given, known) -> None:
    if given not in known:
        raise DescriptionError(
            message(item, f"has an unknown `{what}`", repr(given), " or ".join(repr(one) for one in known))
        )


def _band(item: str, band, unit: str) -> tuple[float, float]:
    """Lower and upper edge; None is an open side."""
    if not isinstance(band, (tuple, list)) or len(band) != 2:
        raise DescriptionError(message(item, "is no band", repr(band)[:60], "(lower edge, upper edge), None for none"))
    low, high = (
        default if edge is None else Number(unit).read(edge, item, "edge of a band")
        for edge, default in zip(band, (-np.inf, np.inf))
    )
    if not low < high:
        raise DescriptionError(
            message(item, "is a band without width", f"{low:.6g} to {high:.6g} {unit}", "the lower edge first")
        )
    return low, high


def _said(curve: Curve, unit: str) -> str:
    (first, last), f = curve.span, curve.breaks[1]
    return f"between {first:.6g} and {last:.6g} s it has values from {f.min():.6g} to {f.max():.6g} {unit}"


def _turn_error(curve: Curve, t) -> float:
    """How far the time of an extreme may be off: an error of the slope over the bend; none at the ends of the run."""
    if t in curve.span:
        return 0.0
    slope, bend = curve.error(t, 1), abs(curve.value(t, 2))
    gap = curve.h[curve.gap(t)]
    return float(min(slope / bend if bend > 0.0 else gap, gap)) + float(np.spacing(abs(t)))


def _inside(curve: Curve, low: float, high: float) -> list[tuple[float, float]]:
    """Stretches of time on which it is within a band, edges included."""
    found_edges = [*curve.span]
    for level in (low, high):
        if np.isfinite(level):
            times, _, stays = curve.reach(level)
            found_edges += [*times, *(end for _, end in stays)]
    edges = np.unique(found_edges)
    middle = curve.value(0.5 * (edges[1:] + edges[:-1]))
    within = (middle >= low - curve.rounding) & (middle <= high + curve.rounding)
    found: list[tuple[float, float]] = []
    for k in np.flatnonzero(within):
        if found and found[-1][1] == edges[k]:
            found[-1] = (found[-1][0], float(edges[k + 1]))
        else:
            found.append((float(edges[k]), float(edges[k + 1])))
    return found


def _best_band(curve: Curve, width: float) -> tuple[float, float]:
    """The band of this width in which it stays longest."""
    t = np.unique(np.concatenate([curve.breaks[0], *(curve.t + curve.h * k / FINER for k in range(1, FINER))]))
    f = curve.value(t)
    low, high = _longest_window(t, f, width)

    def long(edge):
        return max((b - a for a, b in _inside(curve, edge, edge + width)), default=0.0)

    # the best edge is between these two, or where the band just holds an extreme; then by halving around the best
    turns = curve.breaks[1]
    near = 0.05 * width
    tries = np.concatenate([np.linspace(high - width, low, 9), turns, turns - width])
    tries = np.unique(tries[(tries >= high - width - near) & (tries <= low + near)])
    if tries.size > 200:
        tries = tries[:: tries.size // 200 + 1]
    best = max(tries, key=long)
    step = max(low - (high - width), near) / 8.0
    while step > 1e-12 * max(width, abs(best)):
        better = max((best - step, best, best + step), key=long)
        step, best = (step if better != best else 0.5 * step), better
    return float(best), float(best + width)


def _longest_window(t, f, width: float) -> tuple[float, float]:
    """Least and greatest of the values in the longest stretch of samples whose values differ by no more than this."""
    least: deque[int] = deque()
    greatest: deque[int] = deque()
    first, best = 0, (-1.0, 0.0, 0.0)
    for k in range(len(t)):
        for kept, beyond in ((least, f[k].__le__), (greatest, f[k].__ge__)):
            while kept and beyond(f[kept[-1]]):
                kept.pop()
            kept.append(k)
        while f[greatest[0]] - f[least[0]] > width:
            first += 1
            for kept in (least, greatest):
                if kept[0] < first:
                    kept.popleft()
        if t[k] - t[first] > best[0]:
            best = (t[k] - t[first], f[least[0]], f[greatest[0]])
    return float(best[1]), float(best[2])


def _work_and_power(result, item: str) -> tuple[np.ndarray, np.ndarray]:
    """(times,) each: work since the start that an element, a driver or gravity has done, and its power."""
    energy, model = result.energy, result.model
    if item == "gravity":
        power = np.zeros(len(result.t))
        for part, _, v in result._series.bodies.parts():
            power[part] = v[:, :, : model.dimension].reshape(len(v), -1) @ model.weights.ravel()
        return -energy.gravity, power
    known = [*model.laws_of, *(name for name in model.mechanism.drivers if name in energy.work), "gravity"]
    if item in model.mechanism.joints:
        raise UnknownNameError("element", item, known, f"that does work in '{model.mechanism.name}': joints do none")
    if item not in known:
        raise UnknownNameError("element", item, known, f"that does work in '{model.mechanism.name}'")
    if item in model.mechanism.drivers:
        return energy.work[item], result[f"{item}.power"]
    work = -energy.by_element.get(item, np.zeros(len(result.t)))
    for law in model.laws_of[item]:
        if law.part.energy != "stores":
            work = work + energy._work[:, law.work]
    return work, result[f"{item}.power"]
