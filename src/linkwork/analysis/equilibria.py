"""All equilibria in a range: where forces vanish on the way along one freedom, or what many starts lead to."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field
from typing import Any

import numpy as np

from linkwork import cells
from linkwork.analysis.assemble import assemble
from linkwork.analysis.common import as_model, model_in, without_law_states
from linkwork.analysis.doors import admitted, given_state
from linkwork.analysis.equilibrium import Equilibrium, equilibrium
from linkwork.analysis.free_motion import EARTH, FreeMotion
from linkwork.analysis.kinematics import kinematics
from linkwork.analysis.leading import read_ranges
from linkwork.analysis.options import TIME, Basis, Coordinates, Ranges, Time, Values
from linkwork.analysis.resting import at_rest, begun, free_names, freedom_of, refuse_drivers
from linkwork.analysis.searches import standing_all
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.compiled.names import body_coordinates, measure_of, unit_in
from linkwork.errors import (
    AnalysisError,
    DescriptionError,
    LinkworkError,
    MotionEndsWarning,
    MovedWarning,
    RunQualityWarning,
    UnlikelyAngleWarning,
    message,
    warnings_are,
)
from linkwork.kernels import layout as at
from linkwork.records import OnlyRead, dataclass
from linkwork.result.joining import MEET, apart
from linkwork.result.state import State
from linkwork.units import whole

SAMPLES = 361
STARTS = 60
NOTHING = 1e-9  # accelerations against the largest on the way, or those of a pendulum, that are zero everywhere
CLOSE = 1e-2  # of the largest force on the way: there it may touch zero
JUMPS = 0.1  # of the forces around a change of sign: what is left after halving it so often
HALVES = 12  # of a step, until a change of sign is a root or none
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)


@dataclass(frozen=True)
class Equilibria(OnlyRead):
    """States of rest in a range, in the order of what was moved: `found[0]`, `len(found)`; `print` shows a table.

    `searched` says how they were looked for, `notes` what else was seen on the way: where the range ends, where forces
    change sign without vanishing.  `indifferent` is true where forces vanish all over the range.
    """

    mechanism: str
    ranges: dict[str, tuple[float, float]]
    found: tuple[Equilibrium, ...] = field(repr=False)
    places: np.ndarray = field(repr=False)  # (found, names): values of what was moved, angles in the turn of the range
    searched: str
    notes: tuple[str, ...] = ()
    indifferent: bool = False

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Equilibrium]:
        return iter(self.found)

    def __getitem__(self, k: int) -> Equilibrium:
        return self.found[k]

    @property
    def names(self) -> tuple[str, ...]:
        """What was moved."""
        return tuple(self.ranges)

    def values(self, name: str) -> np.ndarray:
        """A named quantity in all of them; what was moved, in the turn of its range."""
        if name in self.ranges:
            return self.places[:, self.names.index(name)].copy()
        return np.array([float(one[name]) for one in self.found])

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for numbers, one in zip(self.places.tolist(), self.found):
            yield (*numbers, one.stability, ", ".join(f"{f:.5g}" for f in one.modes.frequencies[:3]))

    def __str__(self) -> str:
        lines = [f"Equilibria of '{self.mechanism}': {len(self.found)}, {self.searched}"]
        if self.indifferent:
            lines[0] = f"Equilibria of '{self.mechanism}': all over the range, {self.searched}"
        elif self.found:
            lines.append("  " + "".join(f"{name:>18}" for name in self.names) + f"  {'':<12}  frequencies [Hz]")
            for *values, stability, swing in self._rows():
                lines.append(
                    "  " + "".join(f"{value:18.9g}" for value in values) + f"  {stability:<12}  {swing}".rstrip()
                )
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        return cells.shown(
            f"Equilibria of {self.mechanism}, {self.searched}",
            cells.table((*self.names, "", "frequencies [Hz]"), list(self._rows())),
            cells.notes("forces vanish all over the range" if self.indifferent else "", *self.notes),
        )


@explained
def equilibria(
    mechanism: Any,
    over: Ranges,
    *,
    count: int | None = None,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
) -> Equilibria:
    """All states of rest of `mechanism` in a range: `over={"A.angle": (0, "360 deg")}`; each with its stability.

    With one freedom left it is moved by that quantity from one end to the other, through `count` positions (361), on
    the branch that `start` and `near` choose.  Where the force along it changes sign, or comes near to zero, an
    equilibrium is sought between; what two positions enclose twice is missed.  With several freedoms `over` names some
    of them, and searches begin at `count` places (60) spread over the range, all else as near to `start` as it can be,
    downhill and to the nearest root: that is a search, which may miss some.  Drivers stand still where they are at
    time `t`.  `coordinates` and `basis` as in `equilibrium`.

    Units: t [s].

    >>> found = lw.gallery.pendulum().equilibria({"A.angle": (0, "360 deg")})
    >>> [(one.stability, float(round(one["A.angle"], 6))) for one in found]
    [('unstable', 1.570796), ('stable', 4.712389)]
    """
    model = model_in(mechanism, coordinates, basis)
    moment = 0.0 if t is None else TIME.read(t, "equilibria", "t")
    ranges = _ranges(model.mechanism, over)
    first = begun(model, "equilibria", start, near, t, coordinates)
    moment = first.t if t is None else moment
    refuse_drivers(model, first.system(), first.t, at_rest(first).y)
    freedom = freedom_of(first)
    if not freedom:
        raise DescriptionError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "has no freedom, so that there is nothing to look for",
                wanted="a mechanism that can move",
                remedy="m.statics() tells what it carries",
            )
        )
    if given_state(start, "start") is not None:  # it says the branch, the range where to begin
        start, near = None, {name: float(first[name]) for name in body_coordinates(model.mechanism)}
    if freedom == 1:
        if len(ranges) > 1:
            raise DescriptionError(
                message("equilibria over=", "has several names, but the freedom is one", ", ".join(ranges), "one name")
            )
        return _along(model, ranges, _count(count, SAMPLES, 3), start, near, moment, coordinates)
    if len(ranges) > freedom:
        raise DescriptionError(
            message(
                "equilibria over=",
                "has more names than there is freedom",
                ", ".join(ranges),
                f"up to {freedom}, such as {', '.join(free_names(first))}",
            )
        )
    return _many(model, ranges, _count(count, STARTS, 1), start, near, moment, coordinates)


def _count(given: Any, usual: int, least: int) -> int:
    return usual if given is None else whole(given, "equilibria", "count", least)


def _ranges(mechanism: Any, over: Any) -> dict[str, tuple[float, float]]:
    """Names, and the two ends of each."""
    item = "equilibria over="
    found = {}
    for name, (low, high, _) in read_ranges(mechanism, over, item, "(from, to)").items():
        if not low < high:
            raise DescriptionError(message(f"{item} '{name}'", "does not rise", repr(over[name]), "(least, greatest)"))
        found[name] = low, high
    return found


# -- along one freedom -----------------------------------------------------------------------------------------------


class _Way:
    """Positions of a mechanism of one freedom along a quantity, and its acceleration from rest at each."""

    def __init__(
        self,
        model: Model,
        name: str,
        span: tuple[float, float],
        count: int,
        start: Any,
        near: Any,
        t: float,
        coordinates: str,
    ):
        self.model, self.name, self.t, self.coordinates = model, name, t, coordinates
        still = as_model(standing_all(model.mechanism, t))
        # it is moved on purpose, through all, and the result says where it ends
        meant = (MotionEndsWarning, MovedWarning, RunQualityWarning, UnlikelyAngleWarning)
        with warnings_are("told already", *meant):
            self.run = kinematics(
                still, over={name: (*span, count)}, start=start, near=near, coordinates=coordinates, progress=False
            )
        self.values = self.run[name]
        self.forces = self._forces()

    def state(self, k: int) -> State:
        """The k-th position as a state of rest of the mechanism."""
        return admitted(self.model, at_rest(self.run.state(k)), self.t, tell=False)

    def _forces(self) -> np.ndarray:
        """Force along the quantity at each position, at rest: mass times acceleration along its unit rate, S'M a."""
        free = FreeMotion(self.model, self.state(0), "body")
        system, y, masses = free.system, free.y, self.model.masses
        states, n_q, n_v = self.run._series.states, self.model.n_q, self.model.n_v
        out = np.full(len(states), np.nan)
        for k, row in enumerate(states):  # one after the other, as turns are counted
            y[:n_q] = row[:n_q]
            if self.model.law_states:
                y = free.settled(y)
            system.derivative(self.t, y)
            if system.w[at.STATUS] == at.OK:
                out[k] = system.acceleration @ (masses * row[n_q : n_q + n_v])
            system.locate(self.t, y)
            system.remember()
        return out

    @property
    def usual(self) -> float:
        """What counts as a force here: the largest on the way, or that of the weights."""
        return max(float(np.nanmax(np.abs(self.forces))), NOTHING * self._weights())

    def _weights(self) -> float:
        speeds = self.run._series.states[:, self.model.n_q :][:, : self.model.n_v]
        return float(EARTH / self.model.length * (self.model.masses * speeds**2).sum(axis=1).max())


def _along(
    model: Model, ranges: dict[str, tuple[float, float]], count: int, start: Any, near: Any, t: float, coordinates: str
) -> Equilibria:
    """Equilibria of one freedom: changes of sign of the force along it, and where it comes near to zero."""
    ((name, span),) = ranges.items()
    way = _Way(model, name, span, count, start, near, t, coordinates)
    f, values = way.forces, way.values
    unit = unit_in(model.mechanism, name)
    searched = f"through {len(values)} positions of {name} from {span[0]:.6g} to {values[-1]:.6g} {unit}"
    notes = [f"the way {way.run.ended}"] if way.run.ended else []
    if float(np.nanmax(np.abs(f))) <= NOTHING * way._weights():
        return Equilibria(model.mechanism.name, ranges, (), np.zeros((0, 1)), searched, tuple(notes), True)
    found: list[tuple[float, Equilibrium]] = []
    small = NOTHING * way.usual
    for k in range(len(f) - 1):
        if abs(f[k]) > small and abs(f[k + 1]) > small and f[k] * f[k + 1] < 0.0:
            one = _between(way, k)
            if one is None:
                middle = 0.5 * (values[k] + values[k + 1])
                notes.append(f"the force changes sign at {name} = {middle:.6g} without vanishing there")
            else:
                found.append(one)
    found += _touching(way, small)
    kept = _different(sorted(found, key=lambda one: one[0]))
    places = np.array([[value] for value, _ in kept]).reshape(-1, 1)
    return Equilibria(model.mechanism.name, ranges, tuple(one for _, one in kept), places, searched, tuple(notes))


def _touching(way: _Way, small: float) -> list[tuple[float, Equilibrium]]:
    """Equilibria at the positions themselves, and where the force comes near to zero without a change of sign."""
    f, values, last = way.forces, way.values, len(way.forces) - 1
    size, found = np.abs(f), []
    for k in range(last + 1):
        near = 0 < k < last and size[k] < min(size[k - 1], size[k + 1]) and f[k - 1] * f[k + 1] > 0.0
        if size[k] <= small or (near and size[k] <= CLOSE * way.usual):
            one = _polished(way, way.state(k), values[max(k - 1, 0)], values[min(k + 1, last)])
            found += [one] if one is not None else []
    return found


def _between(way: _Way, k: int) -> tuple[float, Equilibrium] | None:
    """The equilibrium between two positions with forces of different sign; None where the force jumps."""
    low, high = float(way.values[k]), float(way.values[k + 1])
    sizes = np.abs(way.forces[k : k + 2])
    found = _polished(way, way.state(k if sizes[0] <= sizes[1] else k + 1), low, high)
    if found is not None:
        return found
    state, sign, ends = way.run.state(k), np.sign(way.forces[k]), [float(sizes[0]), float(sizes[1])]
    for _ in range(HALVES):
        middle = 0.5 * (low + high)
        try:
            other = _Way(way.model, way.name, (low, middle), 3, at_rest(state), None, way.t, way.coordinates)
        except LinkworkError:
            return None
        if np.sign(other.forces[-1]) == sign:
            low, state, ends[0] = middle, other.run.state(-1), abs(float(other.forces[-1]))
        else:
            high, ends[1] = middle, abs(float(other.forces[-1]))
    # what vanishes has become less by as much as the way; what jumps has not
    return (
        _polished(way, admitted(way.model, at_rest(state), way.t, tell=False), low, high)
        if (max(ends) < JUMPS * max(sizes))
        else None
    )


def _polished(way: _Way, state: State, low: float, high: float) -> tuple[float, Equilibrium] | None:
    """The nearest root from a state, if it is within two values, and its own value."""
    try:
        found = equilibrium(way.model, start=state, method="root", coordinates=way.coordinates)
    except LinkworkError:
        return None
    value, off = float(found[way.name]), 1e-6 * (high - low)
    if measure_of(way.model.mechanism, way.name)[0].quantity == "angle":  # a state may not count its turns
        value += 2.0 * math.pi * round((0.5 * (low + high) - value) / (2.0 * math.pi))
    return (value, found) if low - off <= value <= high + off else None


def _different(found: list[tuple[Any, Equilibrium]]) -> list[tuple[Any, Equilibrium]]:
    kept: list[tuple[Any, Equilibrium]] = []
    for one in found:
        if all(apart(one[1].state, other[1].state, turns=False) > 10.0 * MEET for other in kept):
            kept.append(one)
    return kept


# -- many starts -----------------------------------------------------------------------------------------------------


def _many(
    model: Model, ranges: dict[str, tuple[float, float]], count: int, start: Any, near: Any, t: float, coordinates: str
) -> Equilibria:
    """Equilibria that searches from many places lead to, downhill and to the nearest root."""
    names = tuple(ranges)
    found: list[Equilibrium] = []
    # the range decides where a search begins; what it leaves is as near to the start values as can be
    start = dict(start or {})
    places_only, _ = without_law_states(model, start)
    own = {name: value for name, value in start.items() if name not in places_only}
    wished = {**(near or {}), **places_only} or None
    begun_at, still = 0, as_model(standing_all(model.mechanism, t))
    for place in _spread(len(ranges), count):
        values = {name: low + part * (high - low) for part, (name, (low, high)) in zip(place, ranges.items())}
        try:
            state = admitted(
                model,
                at_rest(assemble(still, start=own | values, near=wished, coordinates=coordinates).state),
                t,
                tell=False,
            )
        except LinkworkError:
            continue
        begun_at += 1
        for method in ("root", "downhill"):
            try:
                found.append(equilibrium(model, start=state, method=method, coordinates=coordinates))
            except LinkworkError:
                continue
    if not begun_at:
        raise AnalysisError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "goes together nowhere in the range",
                ", ".join(f"{name} from {low:g} to {high:g}" for name, (low, high) in ranges.items()),
                remedy="give another range, or near= for the other bodies",
            )
        )
    placed = [([_in_range(model, name, float(one[name]), *ranges[name]) for name in names], one) for one in found]
    inside = [one for one in placed if all(_inside(value, *ranges[name]) for value, name in zip(one[0], names))]
    kept = sorted(_different(inside), key=lambda one: [round(value, 6) for value in one[0]])
    places = np.array([values for values, _ in kept]).reshape(-1, len(names))
    searched = f"a search from {begun_at} places, which may have missed some"
    notes = [] if begun_at == count else [f"{count - begun_at} of {count} places do not go together"]
    return Equilibria(model.mechanism.name, ranges, tuple(one for _, one in kept), places, searched, tuple(notes))


def _in_range(model: Model, name: str, value: float, low: float, high: float) -> float:
    """A value; of an angle, in the turn that begins with its range, where that is no longer than a turn."""
    off = 1e-9 * (high - low)
    if measure_of(model.mechanism, name)[0].quantity != "angle" or high - low > 2.0 * math.pi + off:
        return value
    return low - off + (value - low + off) % (2.0 * math.pi)


def _inside(value: float, low: float, high: float) -> bool:
    """Whether a value is within a range, but for rounding."""
    off = 2e-9 * (high - low)
    return low - off <= value <= high + off


def _spread(dimensions: int, count: int) -> np.ndarray:
    """(count, dimensions) places in the unit cube, evenly spread (Halton)."""
    out = np.zeros((count, dimensions))
    for j in range(dimensions):
        base = PRIMES[j % len(PRIMES)]
        for k in range(count):
            part, number = 1.0, k + 1
            while number:
                part /= base
                out[k, j] += part * (number % base)
                number //= base
    return out
