"""Rows released and held again: what a change of modes does to a state.

A row that is released changes no velocity.  A row that is held in motion is met at once, as by a plastic impact: the
velocities jump, and of all velocities that meet the rows those after the jump are nearest in the metric of the masses,

    M (v+ - v-) = J' L        J v+ = nu

with impulses L on all rows that are held.  Of the kinetic energy 1/2 (v+ - v-)' M (v+ - v-) is lost; a driver that
moves gives L nu besides, which is its work.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from linkwork.analysis.doors import FINE, references, rows_chosen, taken
from linkwork.analysis.options import listed
from linkwork.compiled.modes import FREE, HELD
from linkwork.errors import AssemblyError, DescriptionError, UnknownNameError, message
from linkwork.result.events import energy_lost, impulses
from linkwork.result.state import State
from linkwork.result.violation import TOLD, Violation, violation_of

DRIFT = 10.0  # times what a state was off before an event, where nothing puts it back on its rows
MOST_MOVES = 8  # of Newton, to take away what rounding and the search for a time have left of an error


class Switched(NamedTuple):
    """A state after a change of modes, the impulses of all rows, and the energy that is lost."""

    state: State
    impulses: np.ndarray | None
    energy_lost: float


def switch(state: State, *, release: Iterable[str] = (), hold: Iterable[str] = ()) -> Switched:
    """Release joints, drivers or single rows of them by name, and hold others again, at the same instant.

    What is held must be met in position.  Where it holds "as assembled", it does so at the value that it has now.  Rows
    that follow from others are chosen anew.
    """
    state = taken(state.model, state)
    gone, back = _rows(state, release, "released", free=False), _rows(state, hold, "held", free=True)
    now, after = _switched(state, gone, back)
    if not back:
        return Switched(after, np.zeros(len(after.modes)), 0.0)
    return Switched(after, impulses(now, after), energy_lost(now, after))


def switch_rows(state: State, gone: list[int], back: list[int], again: bool = False, drifts: bool = False) -> State:
    """The same by numbers of rows; `again` where laws, functions or numbers are others now: velocities must meet them.

    A row that is held already may be among those to hold: its driver follows another function now.  With `drifts` the
    run does not put its states back on the rows: positions stay as they are, and may be off as far as they were.
    """
    return _switched(state, gone, back, again, allowed(state) if drifts else None)[1]


def allowed(state: State) -> Violation:
    """What a state may be off after an event that was off before, because nothing puts it back on its rows."""
    off = violation_of(state)
    return Violation({}, {}, max(TOLD, DRIFT * off.position), max(TOLD, DRIFT * off.velocity))


def too_far(state: State, most: Violation | None) -> Violation | None:
    """What a state violates, where that is more than it may."""
    left = violation_of(state)
    if most is None:
        return left if left else None
    return None if left.position <= most.position and left.velocity <= most.velocity else left


def _switched(
    state: State, gone: list[int], back: list[int], again: bool = False, most: Violation | None = None
) -> tuple[State, State]:
    """The state just before the jump, with the rows as they will be, and the one after it."""
    modes = state.modes.copy()
    modes[modes != FREE] = HELD
    modes[gone], modes[back] = FREE, HELD
    now = replace(state, modes=modes, values=_values(state, back), dependencies=np.zeros((0, len(modes))))
    if not back and not again:
        found = rows_chosen(now)
        return found, found
    now = rows_chosen(_in_place(now, back, most))
    after = _struck(now)
    left = too_far(after, most)
    if left or not np.isfinite(after.y).all():
        held = list(dict.fromkeys(state.model.rows[r].item for r in back))
        others = ", ".join(_against(now, back, held)) or "other joints and drivers"
        raise AssemblyError(
            message(
                f"Holding {', '.join(held) or 'these rows'}",
                f"asks for velocities that do not go together with {others}: it leaves {left}",
                remedy="release what contradicts it at the same instant",
            )
        )
    return now, after


def _against(state: State, back: list[int], held: list[str]) -> list[str]:
    """Other items whose rows depend on those that are held."""
    found: dict[str, None] = {}
    for combination in state.dependencies:
        rows = np.flatnonzero(np.abs(combination) > 1e-9 * np.abs(combination).max())
        if set(rows.tolist()) & set(back):
            found.update(dict.fromkeys(state.model.rows[r].item for r in rows))
    return [item for item in found if item not in held]


def _rows(state: State, names, what: str, free: bool) -> list[int]:
    """Rows of items, or single rows, by name; all of them must be free, or none."""
    found: list[int] = []
    for name in listed(names):
        rows = [r for r in rows_named(state.model, name) if (state.modes[r] == FREE) == free]
        if not rows:
            raise DescriptionError(
                message(f"'{name}'", f"cannot be {what}: it is {'held' if free else 'free'} already at this state")
            )
        found += rows
    return found


def rows_named(model, name) -> list[int]:
    """Rows of an item, or a single row, by name."""
    none: dict[str, list[int]] = {
        item: [] for item in model.locks_of
    }  # a joint that holds nothing itself may be locked
    known = {**none, **model.rows_of, **{row.name: [r] for r, row in enumerate(model.rows)}}
    if not isinstance(name, str) or name not in known:
        raise UnknownNameError("joint or driver", str(name), list(known), f"in mechanism '{model.mechanism.name}'")
    return known[name]


def _values(state: State, back: list[int]) -> np.ndarray:
    """Values of the rows; those that are held again as they are take what they have here."""
    values = state.values.copy()
    here = references(replace(state, modes=np.full_like(state.modes, HELD)).system(), state.t, state.y)
    values[back] = here[back]
    return values


def _in_place(state: State, back: list[int], most: Violation | None = None) -> State:
    """The state with positions on the rows that are held; further off than rounding it is refused.

    With `most` it stays where it is, and may be off by that.
    """
    off = violation_of(state)
    if off.position <= (FINE if most is None else most.position):
        return state
    if most is not None or not off.position <= TOLD:
        raise AssemblyError(
            message(
                f"'{', '.join(dict.fromkeys(state.model.rows[r].item for r in back))}', held again,",
                f"is open: the state violates positions of {', '.join(off.positions)}",
                f"{off.position:.3g}",
                f"at most {TOLD:g}",
                "hold it where its bodies meet",
            )
        )
    chosen = rows_chosen(state)
    system, y = chosen.system(), chosen.y.copy()
    of_position = system.held * [not row.speed for row in system.plan.rows]
    for _ in range(MOST_MOVES):
        system.locate(state.t, y)
        if np.abs(system.phi * of_position).max(initial=0.0) <= FINE * 1e-3:
            break
        y = system.moved(y, system.newton_step(-system.phi * of_position))
    return replace(state, y=y)


def _struck(state: State) -> State:
    """The state after the impulses of all rows that are held."""
    model, system = state.model, state.system()
    y, first = state.y.copy(), state.model.n_q + state.model.n_v
    works = [(r, first + model.driver_work[row.item]) for r, row in enumerate(system.plan.rows) if row.kind == "driver"]
    for _ in range(2):  # the second time takes away what rounding left
        system.locate(state.t, y)
        right = system.nu - system.row_rates(y[model.n_q : first])[0]
        y[model.n_q : first] += system.newton_step(right * system.held)
        for r, place in works:
            y[place] += system.multipliers[r] * system.nu[r]
    return replace(state, y=y)
