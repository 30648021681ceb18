"""A state taken on with other numbers of its mechanism, without a model of them.

| numbers that changed                           | what happens                                                        |
|------------------------------------------------|---------------------------------------------------------------------|
| of laws alone                                  | they are written to their places, and nothing is asked              |
| masses, gravity, frames of forces, and others  | the rows are factored once with them, in the bodies' and the run's  |
| that do not place a state                      | coordinates: their smallest pivot is what a run compares its own by |
| that place it: lengths, joints, drivers        | the same, where the state is of a model that has these numbers      |

All this is for states with no rows that follow from others, far from singular positions, of bodies that are neither
without inertia nor too light.  Others are left to a model of their own (`numbers.model_with`), with all its doors.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.analysis.doors import FINE, able_to_move, admitted
from linkwork.analysis.entering import entry
from linkwork.compiled.modes import HELD
from linkwork.compiled.rewriting import Rewriting, placing
from linkwork.coordinates import BASE
from linkwork.coordinates.taking import Numbers, Taking, Written
from linkwork.errors import LinkworkError
from linkwork.kernels import layout as at
from linkwork.kernels import taking as of
from linkwork.result.state import Entry, State


class _Home(NamedTuple):
    """What is known of a state in the model that it is of: what the bodies' and the run's coordinates make of it."""

    body: Entry
    own: Entry
    placed: list[np.ndarray]  # numbers of its model that place it, of either set
    centers: np.ndarray
    centered: bool  # whether these are those of the model that was prepared
    masses: np.ndarray
    told: np.ndarray  # what the kernel compares with, and finds
    calls: dict[int, tuple[Rewriting, Taking | None]]  # by programs; None where numbers move it, and it stays behind


class Renumbered:
    """States of the models of one structure, taken on with other numbers."""

    def __init__(self, model: Any, coordinates: str, state: State) -> None:
        self.model, self.coordinates = model, coordinates
        #: numbers of the bodies' plan, and of the run's where that is another
        self.sets = [
            Numbers(entry(model, name, state).system, placing(model.plan(name)))
            for name in dict.fromkeys((BASE, coordinates))
        ]
        self.before = model.centers.ravel()
        self.last: Rewriting | None = None

    def taken(self, way: Rewriting, results: list[float], state: State) -> tuple[State, Entry] | None:
        """The state with other numbers, and what a run begins with; None where a model has to be made of them."""
        kept = state.entered
        if self not in kept:
            kept[self] = self._at_home(state)
        home: _Home | None = kept[self]
        if home is None:
            return None
        call = (home.calls.get(id(way)) or self._called(way, home, state))[1]
        if call is None or not (self._centered(way, results, home) if way.centers.size else home.centered):
            return None
        if self.last is not way:
            for one in self.sets:
                one.forget()
            self.last = way
        way.put(results)
        found = call()
        if found != of.TAKEN and not (found == of.LONGER and self._meets_rows()):
            return None
        pivot, own, _, energy = home.told[of.PIVOT :].tolist()
        made = object.__new__(State)
        made.__dict__.update(state.__dict__, model=self.model, pivot=pivot, _made={})
        return made, Entry(self.sets[-1].system, home.own.y, own, home.own.modes, energy, False)

    def _at_home(self, state: State) -> _Home | None:
        """What the model of a state makes of it; None where that is another structure, or the state needs more."""
        home, plans = state.model, [state.model.plan(one.plan.coordinates) for one in self.sets]
        if home is not self.model and any(plan.tab is not one.plan.tab for plan, one in zip(plans, self.sets)):
            return None
        try:
            if not (state.modes == HELD).all() or able_to_move(admitted(home, state)) is not state:
                return None
        except LinkworkError:  # told by a model of the numbers
            return None
        body, own = entry(home, BASE, state), entry(home, self.coordinates, state)
        if body.dropped or own.dropped or body.system.bare_columns().size:
            return None
        placed = [plan.parameters[one.fixed] for plan, one in zip(plans, self.sets)]
        masses = plans[0].view(plans[0].parameters, at.P_MASS).ravel().copy()
        told, centers = np.zeros(of.C_TOLD), home.centers.ravel()
        told[[of.USUAL, of.OWN_USUAL, of.BEFORE, of.STATED]] = body.pivot, own.pivot, home.length, state.pivot
        return _Home(body, own, placed, centers, bool((centers == self.before).all()), masses, told, {})

    def _called(self, way: Rewriting, home: _Home, state: State) -> tuple[Rewriting, Taking | None]:
        """What takes on a state with the results of a program, and the program, which has to stay."""
        prepared = state.model is self.model  # then it is the same for all that a program gives
        call = None
        if not (prepared and self._moves(way)):
            tables = [
                one.table(Written(way.room, *way.of_set(one.plan.coordinates)), known, None if prepared else placed)
                for one, known, placed in zip(self.sets, (home.body, home.own), home.placed)
            ]
            now = self.model.right_of(state.t)
            call = Taking(tables, now, (state.y, home.own.y), home.masses, home.told)
        home.calls[id(way)] = way, call
        return home.calls[id(way)]

    def _moves(self, way: Rewriting) -> bool:
        """Whether a program writes numbers that place a state."""
        return bool(way.centers.size) or any(
            np.isin(way.places[one.plan.coordinates], one.fixed).any() for one in self.sets
        )

    def _centered(self, way: Rewriting, results: list[float], home: _Home) -> bool:
        """Whether mass centres are those of the model that the state is of."""
        centers = self.before.copy()
        centers[way.centers] = way.of_centers(results)
        return bool((centers == home.centers).all())

    def _meets_rows(self) -> bool:
        """Whether rows are met as before: another length of the mechanism measures their errors otherwise."""
        system = self.sets[0].system
        return bool((np.abs(system.phi) <= FINE * system.row_scale).all())
