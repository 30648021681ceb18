"""The path that drivers lead a mechanism along: followed position by position, through crossings, back from dead ends.

The kernel goes as far as the path is regular.  What it meets there is decided here: redundant rows are chosen anew, a
crossing of ways is stepped over straight on, and in a dead centre the path ends, or turns back on the other branch.

        near the dead centre T      q = q_T - k (T - t)^(1/2)      v = k/2 (T - t)^(-1/2)
        on the other branch         q_T + k (T - t)^(1/2) = q + 4 (T - t) v
"""

from __future__ import annotations

import time
from dataclasses import field
from typing import Any

import numpy as np

from linkwork.analysis.common import raise_status
from linkwork.analysis.leading import system_of_lengths
from linkwork.analysis.progress import Interrupts, Progress
from linkwork.analysis.rank import analyse
from linkwork.errors import SingularConfigurationError, message
from linkwork.kernels import layout as at
from linkwork.kernels import path_places as at_path
from linkwork.records import dataclass
from linkwork.result.statistics import Statistics

ROUNDING = 1e-13  # errors of position that are left, against a length; farther from the origin more
SLICE = 20_000  # tries between two looks at Ctrl-C
CHOICE = 0.1  # redundant rows are chosen anew where the smallest pivot has fallen below this part of its value
OPPOSITE = 0.3  # on the other side of a dead centre velocities are opposite, but for this part
IN_IT = 1e-9  # outputs that are no further behind a dead centre are in it
NEVER = 1e9  # steps that agree
BALANCED = 1e-8  # of the loads: what multipliers may leave of them


@dataclass
class Turning:
    """A dead centre in which the path turned: when, by the clock of the result, and at which time of the drivers."""

    t: float
    at: float


@dataclass
class Found:
    """What a path gave: as many outputs as were reached, and what it met.

    Times are those asked for; one in a dead centre, where speeds have no bounds, is taken a little before it.
    """

    t: np.ndarray
    states: np.ndarray
    accelerations: np.ndarray
    multipliers: Any  # None where they are not known
    reached: int = 0
    end: float | None = None  # time of the drivers in the dead centre in which it ended
    turnings: list[Turning] = field(default_factory=list)
    crossings: list[float] = field(default_factory=list)
    branch: list[tuple[float, int]] = field(default_factory=list)  # from when on, and the sign of det J
    statistics: Statistics = field(default_factory=Statistics)


class Path:
    """A driven mechanism at a position that meets its rows, to be led on by its drivers."""

    def __init__(self, state, freedom: int = 0, forces: bool = True):
        model = self.model = state.model
        self.system = system_of_lengths(state)
        self.y = state.y.copy()
        masses = np.concatenate([np.zeros(model.dof), model.masses])
        self.walk = self.system.door.walk(masses)
        self.at = self.walk.kernel
        c = self.control = self.walk.control
        c[at_path.TIME], c[at_path.SLICE] = state.t, SLICE
        c[at_path.SENSE] = c[at_path.WAY] = 1.0
        c[at_path.FORCES], c[at_path.IDLE] = float(forces), float(freedom > 0)
        far = np.abs(self.y[: model.n_q]).max(initial=0.0)
        c[at_path.TOLERANCE] = max(ROUNDING, 16.0 * np.finfo(float).eps * far / model.length)
        self.redundant = bool(np.count_nonzero(self.system.held) < self.system.n_rows)
        self.freedom, self.forces = freedom, forces

    # -- all of it -------------------------------------------------------------------------------------------------
    def lead(self, times: np.ndarray, reverse: bool = False, progress=False, stops=()) -> Found:
        """Outputs at all times, or up to a dead centre; with `reverse` the drivers turn back there, again and again.

        At `stops` functions of the drivers break: velocities begin anew there.
        """
        began = time.perf_counter()
        model, rows, width = self.model, self.system.n_rows, self.model.n_y + self.model.n_memory
        found = Found(
            times, np.zeros((times.size, width)), np.zeros((times.size, model.n_v)), np.zeros((times.size, rows))
        )
        self.system.note(at.EVALUATIONS, 0.0)
        with Progress(progress, model.mechanism.name, times[0], times[-1]) as line, Interrupts(False) as interrupts:
            self.line, self.interrupts = line, interrupts
            clock = found.t = np.array(times, dtype=float)
            driven, found.branch = clock.copy(), [(float(clock[0]), self.sign())]
            pieces = [stop for stop in stops if clock[0] < stop[0] < clock[-1]]
            for before, after in pieces:  # what stands at a break belongs to its right side
                driven[(before < driven) & (driven < after)] = after
            while self._piece(found, clock, driven, pieces):
                self._nudged(found, clock, driven)
                if found.reached < clock.size and not (reverse and self._turned_back(found, clock, driven)):
                    found.end = float(self.control[at_path.END])
                    break
        c = self.control
        found.statistics = Statistics(
            int(c[at_path.STEPS]),
            int(c[at_path.REJECTED]),
            int(self.system.w[at.EVALUATIONS]),
            0,
            time.perf_counter() - began,
        )
        for name in ("t", "states", "accelerations", "multipliers"):
            setattr(found, name, getattr(found, name)[: found.reached])
        if not self.forces or c[at_path.UNBALANCED] > BALANCED * c[at_path.LOADED]:
            found.multipliers = None
        return found

    def _piece(self, found: Found, clock, driven, stops) -> bool:
        """On to the last of the times, True where a dead centre is in the way."""
        while found.reached < clock.size:
            last = clock.size
            border = None
            if stops and not found.turnings:
                before, after = stops[0]
                last, border = int(np.searchsorted(clock, before, side="right")), after
                rest = np.append(driven[found.reached : last], before)
            else:
                rest = driven[found.reached :]
            if self._followed(found, rest, last):
                return True
            found.reached = last
            if border is not None:
                stops.pop(0)
                self.control[at_path.TIME], self.control[at_path.STARTED] = border, 0.0
        return False

    def _followed(self, found: Found, times: np.ndarray, last: int) -> bool:
        """Outputs at these times, from those reached on; True where a dead centre is in the way."""
        k, c, first = self.at, self.control, found.reached
        out = self._room(found, first, times.size)
        times = np.ascontiguousarray(times)
        c[at_path.OUTPUT] = 0.0
        dead = False
        while True:
            verdict = self.system.door.follow(self.y, self.walk, times, *out)
            self.interrupts.heed()
            self.line.show(c[at_path.TIME])
            if verdict == k.MORE:
                continue
            if verdict == k.CHOOSE_ROWS:
                self._choose_rows()
                continue
            if verdict == k.CROSSED:
                self._cross(found, times, out)
                continue
            dead = verdict == k.DEAD_CENTRE
            if verdict in (k.STUCK, k.FAILED):
                self._keep(found, first, last, out)
                raise self._stuck(verdict)
            break
        self._keep(found, first, last, out)
        return dead

    def _room(self, found: Found, first: int, count: int) -> list[np.ndarray]:
        """Where outputs go: straight to their places, unless there is one more than those."""
        rooms = [found.states, found.accelerations, found.multipliers]
        if first + count <= len(found.states):
            return [one[first : first + count] for one in rooms]
        return [np.zeros((count, one.shape[1])) for one in rooms]

    def _keep(self, found: Found, first: int, last: int, out) -> None:
        count = min(int(self.control[at_path.OUTPUT]), last - first)
        for one, part in zip((found.states, found.accelerations, found.multipliers), out):
            if not np.shares_memory(one, part):
                one[first : first + count] = part[:count]
        found.reached = first + count

    # -- what it meets ---------------------------------------------------------------------------------------------
    def sign(self) -> int:
        """The sign of the determinant of all rows: a path keeps it while it meets no singular position."""
        system = self.system
        system.locate(self.control[at_path.TIME], self.y)
        J = system.jacobian(np.flatnonzero(system.held).tolist())[:, system.columns]
        return int(np.linalg.slogdet(J * system.weights[system.columns])[0]) if J.shape[0] == J.shape[1] else 0

    def _choose_rows(self) -> None:
        """Of redundant rows others, where those that are held have become nearly dependent."""
        c, system = self.control, self.system
        held, pivot = system.held.copy(), c[at_path.PIVOT]
        rank = analyse(system, c[at_path.TIME], self.y)
        if rank.pivot < 2.0 * pivot:  # no better choice: this is the mechanism's own position
            system.held[:] = held
            c[at_path.CHOICE_LIMIT] = CHOICE * pivot
        else:
            system.held[:] = 1.0
            system.held[list(rank.dropped)] = 0.0
            c[at_path.CHOICE_LIMIT] = CHOICE * rank.pivot
            c[at_path.MOST_PIVOT] = 0.0
        c[at_path.STARTED] = 0.0

    def _at_once(self, t: float) -> list[np.ndarray]:
        """What there is to tell at the time where it is."""
        model, c = self.model, self.control
        out = [np.zeros((1, n)) for n in (model.n_y + model.n_memory, model.n_v, self.system.n_rows)]
        c[at_path.OUTPUT] = 0.0
        self.system.door.follow(self.y, self.walk, np.array([t]), *out)
        return [one[0] for one in out]

    def _cross(self, found: Found, times: np.ndarray, out) -> None:
        """Straight on over a crossing; outputs on it by the polynomial between its two sides."""
        c = self.control
        output, t, spot = int(c[at_path.OUTPUT]), float(c[at_path.TIME]), float(c[at_path.END])
        before = self._at_once(t)
        if not self.system.door.hop(self.y, self.walk):  # ways only come near each other: small steps will tell
            c[at_path.AGREEING], c[at_path.OUTPUT] = -NEVER, output
            return
        later = float(c[at_path.TIME])
        after = self._at_once(later)
        way = c[at_path.WAY]
        while output < times.size and (times[output] - later) * way < 0.0:
            self._between(out, output, times[output], t, later, before, after)
            output += 1
        c[at_path.OUTPUT] = output
        found.crossings.append(spot)
        found.branch.append((spot if c[at_path.SENSE] > 0.0 else self._clock_of(found, spot), self.sign()))

    def _between(self, out, output: int, now: float, t: float, later: float, before, after) -> None:
        """State and accelerations by two sides: from the nearer one on, accelerations changing evenly between them."""
        model, sense = self.model, self.control[at_path.SENSE]
        n_q, n_v = model.n_q, model.n_v
        share = (now - t) / (later - t)
        base, s = (before, now - t) if share <= 0.5 else (after, now - later)
        speed, pull = sense * base[0][n_q : n_q + n_v], base[1]
        jerk = (after[1] - before[1]) / (later - t)
        state = base[0].copy()
        step = s * (speed + s * (0.5 * pull + s * jerk / 6.0))
        state[: model.n_y] = self.system.moved(base[0][: model.n_y].copy(), step)
        state[n_q : n_q + n_v] = sense * (speed + s * (pull + 0.5 * s * jerk))
        if model.dimension == 2:
            state[:n_q] = before[0][:n_q] + _quintic(share, later - t, sense, before, after, n_q, n_v)
        out[0][output], out[1][output] = state, pull + s * jerk
        out[2][output] = (1.0 - share) * before[2] + share * after[2]

    def _clock_of(self, found: Found, at_time: float) -> float:
        """The time of the result at a time of the drivers, after the last turning."""
        last = found.turnings[-1]
        return last.t + abs(at_time - last.at)

    def _nudged(self, found: Found, clock: np.ndarray, driven: np.ndarray) -> None:
        """An output in the dead centre itself is taken where the path was last."""
        c, output = self.control, found.reached
        off = (driven[output] - c[at_path.END]) * c[at_path.WAY]
        if off <= IN_IT * max(1.0, abs(c[at_path.END])):
            clock[output] -= (driven[output] - c[at_path.TIME]) * c[at_path.WAY]
            for one, part in zip(
                (found.states, found.accelerations, found.multipliers), self._at_once(c[at_path.TIME])
            ):
                one[output] = part
            found.reached += 1

    def _turned_back(self, found: Found, clock: np.ndarray, driven: np.ndarray) -> bool:
        """Go over to the other branch in a dead centre, from where the drivers go back; False where there is none."""
        c, system = self.control, self.system
        end, left, way = float(c[at_path.END]), float(c[at_path.LEFT]), float(c[at_path.WAY])
        n_q, n_v = self.model.n_q, self.model.n_v
        speed = self.y[n_q : n_q + n_v].copy()
        other = self.y.copy()
        other[: self.model.n_y] = system.moved(self.y, 4.0 * way * left * speed)
        now = end if not found.turnings else self._clock_of(found, end)
        kept = self.y.copy()
        self.y[:] = other
        c[at_path.STARTED] = 0.0
        c[at_path.WAY], c[at_path.SENSE] = -way, -c[at_path.SENSE]
        self._at_once(c[at_path.TIME])
        size = np.abs(speed).max()
        if not np.abs(self.y[n_q : n_q + n_v] + speed).max() <= OPPOSITE * size:
            self.y[:] = kept
            c[at_path.WAY], c[at_path.SENSE] = way, -c[at_path.SENSE]
            return False
        found.turnings.append(Turning(now, end))
        soon = (clock >= now) & (clock < now + left)
        clock[soon] = now + left  # at most one: what is so near is in the dead centre
        driven[found.reached :] = end - way * (clock[found.reached :] - now)
        driven[soon] = c[at_path.TIME]
        found.branch.append((now, self.sign()))
        return found.reached < clock.size

    def _stuck(self, verdict: int) -> Exception:
        """The error that says where it cannot go on, and why."""
        system, c = self.system, self.control
        t = float(c[at_path.TIME])
        if verdict == self.at.FAILED or system.w[at.STATUS] in (at.CONFLICT, at.FUNCTION_FAILED):
            try:
                raise_status(system, t)
            except Exception as error:
                return error
        near = c[at_path.PIVOT] < 1e-6 * c[at_path.MOST_PIVOT]
        return SingularConfigurationError(
            message(
                f"Mechanism '{self.model.mechanism.name}'",
                f"comes to a singular position at t = {t:.9g} s, from which several ways may go on"
                if near
                else f"cannot be carried on at t = {t:.9g} s: the constraints can no longer be met there",
                remedy="begin behind it, or drive another joint"
                if near
                else "a driver may ask for more than the lengths allow",
            )
        )


def _quintic(u: float, h: float, sense: float, before, after, n_q: int, n_v: int) -> np.ndarray:
    """The way from one side, by the polynomial with positions, velocities and accelerations of both."""
    way = after[0][:n_q] - before[0][:n_q]
    v0, v1 = (sense * h * one[0][n_q : n_q + n_v] for one in (before, after))
    a0, a1 = (0.5 * h * h * one[1] for one in (before, after))
    left, rate, pull = way - v0 - a0, v1 - v0 - 2.0 * a0, a1 - a0
    third = 10.0 * left - 4.0 * rate + pull
    fourth = -15.0 * left + 7.0 * rate - 2.0 * pull
    fifth = 6.0 * left - 3.0 * rate + pull
    return u * (v0 + u * (a0 + u * (third + u * (fourth + u * fifth))))
