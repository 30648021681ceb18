"""What an event does to a state: joints locked and released, elements switched, drivers taken up, numbers set.

All that one event does to rows happens at one instant: what is released lets go before what is held strikes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np

from linkwork.analysis.common import start_rows
from linkwork.analysis.doors import rows_chosen
from linkwork.analysis.locking import spare_locks
from linkwork.analysis.switching import allowed, rows_named, switch_rows, too_far
from linkwork.compiled.events import Action, Set, Stop, switched
from linkwork.compiled.modes import FREE, HELD
from linkwork.compiled.variants import switches_of, variant
from linkwork.coordinates.body import System
from linkwork.errors import AnalysisError, AssemblyError, DescriptionError, LinkworkError, UserFunctionError, message
from linkwork.records import dataclass
from linkwork.result.events import jump
from linkwork.result.state import State
from linkwork.result.violation import TOLD, violation_of


@dataclass
class Done:
    """A state after an event, what was done in words, and whether the run ends."""

    state: State
    words: list[str] = field(default_factory=list)
    stops: bool = False


def perform(event: Any, state: State, drifts: bool = False) -> Done:
    """Everything that an event does, one after the other; with `drifts` nothing puts states back on their rows."""
    done, pending = Done(state), _Pending(event, drifts)
    for one in event.then:
        for action in [one] if isinstance(one, Action) else _answer(event, one, pending.apply(done).state):
            if isinstance(action, Mapping):
                _put(event, action, pending.apply(done), drifts)
            elif action.ends:
                done.stops = True
            else:
                pending.add(action, done)
    pending.apply(done)
    if done.stops:
        done.words.append(Stop().words)
    return done


def _answer(event, function, state: State) -> list[Any]:
    """What a Python function wants to be done."""
    name = getattr(function, "__name__", type(function).__name__)
    try:
        found = function(state)
    except Exception as error:
        raise UserFunctionError(
            message(event.item, f"has an action '{name}' that raised {type(error).__name__}: {error}")
        ) from error
    answers = [] if found is None else list(found) if isinstance(found, list | tuple) else [found]
    for one in answers:
        if not isinstance(one, Action | Mapping):
            raise UserFunctionError(
                message(
                    event.item,
                    f"has an action '{name}' that returned what is no answer",
                    repr(one)[:80],
                    'None, an action such as Lock("A"), a map such as {"ball.y.rate": 2.0}, or a list of them',
                )
            )
    return answers


class _Pending:
    """Changes of rows and elements that are waiting to be made together: the hands that actions are done by."""

    state: State  # of the action that is being added

    def __init__(self, event, drifts: bool):
        self.event, self.drifts = event, drifts
        self.clear()

    def clear(self) -> None:
        """Nothing is waiting."""
        self.gone: list[int] = []
        self.back: list[int] = []
        self.words: list[str] = []
        self.switches: Any = None

    def add(self, action, done: Done) -> None:
        """One more action."""
        self.state = done.state
        self.words.append(action.words)
        action.do(self)

    def put(self, number: str, value: Any) -> None:
        """Another value of a number."""
        self.switches = self._switches().with_numbers({number: value})

    def follow(self, driver: str, function: Any, anew: bool) -> None:
        """Another function of a driver."""
        begins = self.state.t if anew else 0.0
        self.switches = self._switches().with_drive(driver, function, begins, anew)
        self.back += rows_named(self.state.model, driver)

    def switch(self, item: str, on: bool) -> None:
        """A force without its laws, or with them; a driver without its row, or with it."""
        if item not in self.state.model.mechanism.forces:
            self.hold(item) if on else self.free(item)
            return
        switches = self._switches()
        off = item in switches.off
        if off != on:
            self._refuse(item, "switched off" if off else "switched on", "off" if off else "on")
        change = switches.off - {item} if off else switches.off | {item}
        self.switches = replace(switches, off=frozenset(change))

    def hold(self, item: str, locks: bool = False) -> None:
        """Rows that are held again."""
        self.back += self._held(self.state, self._modes(), item, locks)

    def free(self, item: str) -> None:
        """Rows that are released."""
        self.gone += self._freed(self.state.model, self._modes(), item)

    def _switches(self) -> Any:
        return self.switches or switches_of(self.state.model)

    def _modes(self) -> np.ndarray:
        """Modes of the rows with what is waiting."""
        modes = self.state.modes.copy()
        modes[self.gone], modes[self.back] = FREE, HELD
        return modes

    def _refuse(self, item: str, what: str, already: str) -> None:
        raise AnalysisError(message(self.event.item, f"cannot have '{item}' {what}: it is {already} already"))

    def _held(self, state: State, modes, item: str, locks: bool) -> list[int]:
        """Rows that are held again; of a joint that is whole, those that lock it."""
        model = state.model
        rows = rows_named(model, item)
        free = [r for r in rows if modes[r] == FREE]
        if not free and locks:
            own = model.locks_of.get(item, [])
            if own and sum(modes[r] != FREE for r in own) < model.lock_size(item):
                spare = spare_locks(model, state.y, item)
                free = [r for r in own if modes[r] == FREE and r not in spare]
            if not free and item in model.mechanism.joints and item not in model.locks_of:
                named = item in switched(model.mechanism, "lock")
                raise AnalysisError(
                    message(
                        self.event.item,
                        f"locks '{item}', {'which leaves nothing to lock' if named else 'and did not say that it may'}",
                        remedy=None if named else f"give touches=['{item}']",
                    )
                )
            if not free:
                self._refuse(item, "locked", "locked" if item in model.locks_of else "held")
        elif not free:
            self._refuse(item, "switched on", "on")
        return free

    def _freed(self, model, modes, item: str) -> list[int]:
        """Rows that are released: of a joint that is locked its lock, else its own."""
        locked = [r for r in model.locks_of.get(item, []) if modes[r] != FREE]
        rows = locked or [r for r in rows_named(model, item) if modes[r] != FREE]
        if not rows:
            self._refuse(item, "released", "free")
        return rows

    def apply(self, done: Done) -> Done:
        """Make all that is waiting happen at once."""
        if not self.words:
            return done
        before = state = done.state
        try:
            if self.switches is not None:
                state = replace(state, model=variant(state.model, self.switches))
                _must_fit(state, self.event, self.back, allowed(before).position if self.drifts else TOLD)
            state = switch_rows(state, self.gone, self.back, self.switches is not None, self.drifts)
        except LinkworkError as error:
            raise _with(f"{self.event.item} cannot {' and '.join(self.words)}.", error) from None
        way = "with a jump" if jump(before, state) else "smoothly"
        done.words += [f"{one}, {way}" if one.startswith("drive ") else one for one in self.words]
        done.state = state
        self.clear()
        return done


def _with(told: str, error: LinkworkError) -> LinkworkError:
    """The same error with more words before its own; one that is made of other things stays as it is."""
    try:
        return type(error)(f"{told} {error}")
    except TypeError:
        return error


def _must_fit(state: State, event, back, most: float) -> None:
    """Other numbers must leave the positions on the rows that are held."""
    rows = [r for r in range(len(state.modes)) if r not in back]
    kept = state.modes.copy()
    kept[back] = FREE
    off = violation_of(replace(state, modes=kept)) if rows else None
    if off is not None and not off.position <= most:
        raise DescriptionError(
            message(
                event.item,
                f"sets a number that moves things apart: {', '.join(off.positions)}",
                f"{off.position:.3g}",
                f"at most {most:g}",
            )
        )


def _put(event, given: Mapping, done: Done, drifts: bool) -> None:
    """Speeds by impulses along their measures (names that end in .rate), and other numbers."""
    state = done.state
    rates = {name: value for name, value in given.items() if isinstance(name, str) and name.endswith(".rate")}
    numbers = {name: value for name, value in given.items() if name not in rates}
    try:
        if rates:
            done.state = struck_to(state, rates, drifts)
            done.words.append("strike " + ", ".join(str(name).removesuffix(".rate") for name in rates))
        if numbers:
            pending = _Pending(event, drifts)
            for name, value in numbers.items():
                pending.add(Set(name, value), done)
            pending.apply(done)
    except LinkworkError as error:
        raise _with(f"{event.item} has an action that returned {dict(given)!r}.", error) from None


def struck_to(state: State, rates: Mapping[str, Any], drifts: bool = False) -> State:
    """The state after impulses along some measures that give them these rates; rows that are held stay met.

    M (v+ - v) = J' L + g' l        J v+ = nu        g v+ = rates
    """
    model = state.model
    rows = start_rows(model.mechanism, {name: float(value) for name, value in rates.items()})
    plan = model.plan(rows=rows, free=state.free)
    values = np.concatenate([state.values, [row.value or 0.0 for row in rows]])
    held = np.concatenate([state.held, np.ones(len(rows))])
    system = System(plan, values, held, model.plan().memory_for(plan, state.memory))
    y, first = state.y.copy(), model.n_q + model.n_v
    for _ in range(2):
        system.locate(state.t, y)
        right = system.nu - system.row_rates(y[model.n_q : first])[0]
        y[model.n_q : first] += system.newton_step(right * system.held)
        for r, row in enumerate(system.plan.rows):
            if row.kind == "driver":
                y[first + model.driver_work[row.item]] += system.multipliers[r] * system.nu[r]
    found = replace(state, y=y)
    system.locate(state.t, y)
    right = system.nu - system.row_rates(y[model.n_q : first])[0]
    if too_far(found, allowed(state) if drifts else None) or not np.abs(right * system.held).max(
        initial=0.0
    ) <= 1e-6 * max(1.0, *(abs(float(one)) for one in rates.values())):
        raise AssemblyError(
            message("speeds", "cannot be reached by impulses", ", ".join(map(str, rates)), "speeds that rows allow")
        )
    return rows_chosen(found) if len(state.dependencies) else found
