"""Can a finished run be trusted?  Its energy is looked over at a few of its times, its rows were at every step."""

from __future__ import annotations

from functools import lru_cache
from math import inf, isfinite

import numpy as np

from linkwork.coordinates import system_on
from linkwork.coordinates.system import stored_in
from linkwork.errors import RunQualityWarning, message, warn
from linkwork.kernels import layout as at

SAMPLES = 5  # times that are looked at, the first and the last among them
MORE = 200  # the same, where those leave a doubt
LEDGER = 1e-3  # of the largest energy in play: more than this is no rounding and no usual error
VIOLATION = 1e-6  # of a row, against its length or one radian
SINGULAR = 1e-6  # smallest pivot of the rows at the start, where it is larger elsewhere
MEANINGLESS = 0.1  # a tolerance of a tenth of the mechanism and its speeds allows any motion


def judge(
    system, t, raw, *, began: float, usual: float, violation: float, energy: float, rtol: float | None
) -> list[str]:
    """What is doubtful about a run, one sentence each.

    `raw` are its states in the coordinates of `system`; `began` is the smallest pivot at the start, `usual` the one
    beside a singular position, `violation` the largest at any step, `energy` what counts as much energy, `rtol` the
    tolerance if one chose the steps.
    """
    doubts = at_start(began, usual, rtol)
    if len(t) > 1:
        doubts += _ledger(system, t, raw, energy)
        if not violation <= VIOLATION:
            doubts += _violation([(system, t, raw)], violation)
    return doubts


def surely_sound(system, many, t, raw, *, began, usual, violation, energy, rtol: float | None) -> np.ndarray:
    """Which of many designs, run over the same times, `judge` would surely find nothing doubtful about.

    `raw` (designs, times, state and memory) and all others are as there, one of each for every design.
    """
    if rtol is not None and not rtol < MEANINGLESS:
        return np.zeros(len(raw), dtype=bool)
    sound = (began >= np.minimum(SINGULAR, 0.5 * usual)) & (violation <= VIOLATION)
    if len(t) < 2 or not _has_energy(system):
        return sound
    some = samples_of(len(t))
    states = np.ascontiguousarray(raw[:, some])
    parts, picks = system.plan.stores
    energies, picked = many.energies(np.ascontiguousarray(t[some]), states, picks)
    kinetic, potential, work = np.moveaxis(energies, 2, 0)
    if parts:
        potential = potential + [
            np.sum(list(map(np.array, stored_in(parts, many.numbers[k], picked[k], states[k]))), axis=0)
            for k in range(len(raw))
        ]
    total = kinetic + potential - work
    high, low = potential.max(axis=1), potential.min(axis=1)
    in_play = np.max(
        [kinetic.max(axis=1), high - low, np.ptp(work, axis=1), 1e-9 * energy, 1e-12 * np.maximum(high, -low)], axis=0
    )
    off = np.abs(total - total[:, :1]).max(axis=1)
    return sound & (off <= 0.999 * LEDGER * in_play)  # what is nearer to it is added up in another order there


def at_start(began: float, usual: float, rtol: float | None) -> list[str]:
    """What makes a run doubtful from the start."""
    doubts = []
    if rtol is not None and not rtol < MEANINGLESS:
        doubts.append(f"rtol = {rtol:g} allows any error (give less than {MEANINGLESS:g})")
    if began < min(SINGULAR, 0.5 * usual):
        doubts.append("it begins in a singular position and follows one of the possible ways on")
    return doubts


def _some(t, raw) -> tuple[np.ndarray, np.ndarray]:
    """A few of the times, with their states."""
    some = samples_of(len(t))
    return t[some], raw[some]


class Balance:
    """The energy balance over several segments: what each leaves is added up.

    What an event takes out is told by itself (`EventRecord.energy_lost`): between the end of a segment and the start of
    the next one nothing else can be off.
    """

    def __init__(self, usual: float):
        self.usual = usual
        self.off = self.in_play = 0.0
        self.worst, self.when = 0.0, 0.0

    def add(self, system, t, raw) -> None:
        """One more segment, with the states at both of its ends."""
        if len(t) < 2 or not _has_energy(system):
            return
        t, raw = _some(t, raw)
        total, in_play = _energies(system, t, raw, self.usual)
        self.in_play = max(self.in_play, in_play) if isfinite(in_play) else in_play
        for when, one in zip(t, total):
            off = abs(self.off + one - total[0])
            if not off <= self.worst and isfinite(self.worst):
                self.worst, self.when = off, float(when)
        self.off += total[-1] - total[0]

    def doubts(self) -> list[str]:
        """Whether it closes."""
        return _told(self.worst, self.when, self.in_play)


@lru_cache(16)
def samples_of(count: int, most: int = SAMPLES) -> np.ndarray:
    """Which of so many times are looked at."""
    if count <= most:
        return np.arange(count)
    return np.array(sorted({(count - 1) * k // (most - 1) for k in range(most)}))


def tell(name: str, doubts: list[str]) -> None:
    """One warning with all that is doubtful."""
    warn(message(f"The run of '{name}'", "is doubtful: " + "; ".join(doubts)), RunQualityWarning)


def _ledger(system, t, raw, usual: float) -> list[str]:
    """Whether the balance closes; what is far below any energy that counts may be rounding.

    balance = change of (kinetic + potential) - work of all that has no potential

    Driven bodies without mass and without forces have no energy: what their drivers do is rounding.
    """
    if not _has_energy(system):
        return []
    seen, states = (t, raw) if len(t) <= SAMPLES else _some(t, raw)
    parts = system.ledger(seen, states)
    total, kinetic = _total(parts), parts[0]
    if max(total) - min(total) <= 0.5 * LEDGER * max(kinetic) and isfinite(sum(total)):  # max may hide a nan
        return []
    in_play = _in_play(parts, usual)
    off = [abs(one - total[0]) for one in total]
    worst = off.index(max(off))
    if not isfinite(sum(off)):  # max may hide a nan
        worst = next((k for k, one in enumerate(off) if not isfinite(one)), worst)
    if in_play < off[worst] / LEDGER < inf and len(t) > len(seen):  # a few may all be those of rest: more know better
        more = samples_of(len(t), MORE)
        in_play = max(in_play, _energies(system, t[more], raw[more], usual)[1])
    return _told(off[worst], seen[worst], in_play)


def _has_energy(system) -> bool:
    return bool(system.model.laws) or any(body.mass or np.any(body.inertia) for body in system.model.bodies)


def _energies(system, t, raw, usual: float) -> tuple[list[float], float]:
    """Kinetic and potential energy less work, at every time, and the largest energy in play."""
    parts = system.ledger(t, raw)
    return _total(parts), _in_play(parts, usual)


def _total(parts: tuple[list[float], ...]) -> list[float]:
    return [k + p - w for k, p, w in zip(*parts)]


def _in_play(parts: tuple[list[float], ...], usual: float) -> float:
    """The largest energy that comes and goes; below a part of what counts as much, or is stored, there is rounding."""
    kinetic, potential, work = parts
    high, low = max(potential), min(potential)
    return max(*kinetic, high - low, max(work) - min(work), 1e-9 * usual, 1e-12 * max(high, -low))


def _told(off: float, when: float, in_play: float) -> list[str]:
    if off <= LEDGER * in_play:
        return []
    return [
        f"the energy balance is off by {off:.2g} J at t = {when:.4g} s, {off / max(in_play, 1e-300):.2g} of "
        "the largest energy in play (give a smaller rtol or step; look for laws and drivers that jump)"
    ]


def _violation(parts, known: float) -> list[str]:
    """Whether rows are kept; of `parts`, systems with times and states, the worst row is named."""
    if known <= VIOLATION:
        return []
    largest, name = known, ""
    seen = 0.0
    for system, t, raw in parts:
        if not system.n_rows:
            continue
        for _, phi in system.sweep(t, raw, system.plan.places(at.W_PHI), located=True):
            off = (np.abs(phi) / system.row_scale).max(axis=0)
            worst = int(np.argmax(off))
            if off[worst] > seen:
                seen, name = float(off[worst]), system.plan.rows[worst].name
    largest = max(known, seen)
    return [f"the constraints are not kept: {name or 'a row'} is off by {largest:.2g} of its size"]


def judge_segments(segments, balance: Balance, violation: float, first: list[str]) -> list[str]:
    """The same of a run in segments, whose balance was kept on the way."""
    parts = (
        (system_on(one.plan, one.values, one.held), one.t, one.raw) for one in segments if len(one.t) and one.plan.rows
    )
    return [*first, *balance.doubts(), *_violation(parts, violation)]
