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

import math
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np

from linkwork.analysis.doors import FINE, able_to_move, admitted
from linkwork.analysis.entering import energy_scale, entry
from linkwork.compiled.modes import HELD
from linkwork.compiled.rewriting import Rewriting, placing
from linkwork.coordinates import BASE
from linkwork.errors import LinkworkError
from linkwork.kernels import layout as at
from linkwork.result.state import Entry, State

REGULAR = 1e-3  # of the smallest pivot with the numbers before
OF_STATE = tuple(one.name for one in fields(State) if one.name != "_made")


class _Set:
    """A plan of the model, a system of it to work with, and which of its numbers place a state."""

    def __init__(self, plan: Any, system: Any) -> None:
        self.plan, self.system = plan, system.fresh()
        fixed = placing(plan)
        self.fixed, self.open = np.flatnonzero(fixed), np.flatnonzero(~fixed)
        self.numbers = plan.parameters.copy()

    def having(self, way: Rewriting, results: list[float]) -> None:
        """Write other numbers."""
        name = self.plan.coordinates
        self.numbers[:] = self.plan.parameters
        self.numbers[way.places[name]] = way.of_plan(name, results)

    def places_alike(self, way: Rewriting, home: Any) -> bool:
        """Whether another plan has the numbers written here where they place a state."""
        if home is self.plan:  # it has those before they were written
            return not np.isin(way.places[self.plan.coordinates], self.fixed).any()
        return bool((self.numbers[self.fixed] == home.parameters[self.fixed]).all())

    def evaluated(self, known: Entry, t: float, y: np.ndarray) -> float | None:
        """The smallest pivot with the numbers written here, of a state as `known` has it; None where too small."""
        system = self.system
        system.become(known.system)
        system.renumber(self.open, self.numbers[self.open])
        system.derivative(t, y)
        if system.w[at.STATUS] != at.OK or not math.isfinite(system.f @ system.f):
            return None
        pivot = float(system.w[at.PIVOT]) if system.n_rows else 1.0
        return pivot if pivot > REGULAR * known.pivot else None


class _Home(NamedTuple):
    """What is known of a state in the model that it is of: what the bodies' and the run's coordinates make of it."""

    body: Entry
    own: Entry
    fits: dict[int, tuple[Rewriting, bool]]  # whether numbers of a program leave it where it is


class Renumbered:
    """States of the models of one structure, taken on with other numbers."""

    def __init__(self, model: Any, coordinates: str, state: State) -> None:
        self.model, self.coordinates = model, coordinates
        self.body = _Set(model.plan(), entry(model, BASE, state).system)
        self.own = _Set(model.plan(coordinates), entry(model, coordinates, state).system)
        self.before = model.centers.ravel()

    def taken(self, way: Rewriting, results: list[float], state: State) -> tuple[State, Entry] | None:
        """The state with other numbers, and what a run begins with; None where a model has to be made of them."""
        kept = state.entered
        if self not in kept:
            kept[self] = self._at_home(state)
        home = kept[self]
        if home is None:
            return None
        self.body.having(way, results)
        self.own.having(way, results)
        view, numbers = self.body.plan.view, self.body.numbers
        length, least = float(view(numbers, at.P_LENGTH)[0]), view(numbers, at.P_LEAST)[0]
        if least < at.LITTLE or not self._stays(way, results, state.model, home):
            return None
        pivot = self.body.evaluated(home.body, state.t, state.y)
        if pivot is None or not self._meets_rows(length, state.model):
            return None
        masses = view(numbers, at.P_MASS)
        if (masses == view(state.model.plan().parameters, at.P_MASS)).all():
            pivot = state.pivot  # where the masses are those of its model, its pivots are its own
        own = pivot if self.coordinates == BASE else self.own.evaluated(home.own, state.t, home.own.y)
        if own is None:
            return None
        model, made = self.model, object.__new__(State)
        made.__dict__.update({one: getattr(state, one) for one in OF_STATE}, model=model, pivot=pivot, _made={})
        energy = energy_scale(
            masses[1:].ravel(),
            np.ascontiguousarray(view(numbers, at.P_GRAVITY)[1:, : model.dimension]),
            length,
            state.y[model.n_q : model.n_q + model.n_v],
        )
        system = (self.body if self.coordinates == BASE else self.own).system
        return made, Entry(system, home.own.y, own, home.own.modes, energy, False)

    def _at_home(self, state: State) -> _Home | None:
        """What the model of a state makes of it; None where that is another structure, or the state needs more."""
        home = state.model
        if home is not self.model and (
            home.plan().tab is not self.body.plan.tab or home.plan(self.coordinates).tab is not self.own.plan.tab
        ):
            return None
        try:
            if not (state.modes == HELD).all() or able_to_move(admitted(home, state)) is not state:
                return None
        except LinkworkError:  # told by a model of the numbers
            return None
        body, own = entry(home, BASE, state), entry(home, self.coordinates, state)
        if body.dropped or own.dropped or body.system.bare_columns().size:
            return None
        return _Home(body, own, {})

    def _stays(self, way: Rewriting, results: list[float], model: Any, home: _Home) -> bool:
        """Whether the numbers that place a state are those of the model that it is of."""
        own = model is self.model
        if own and id(way) in home.fits:  # then it is the same for all that the program gives
            return home.fits[id(way)][1]
        fits = self.body.places_alike(way, model.plan()) and self.own.places_alike(way, model.plan(self.coordinates))
        if fits:
            centers = self.before.copy()
            centers[way.centers] = way.of_centers(results)
            fits = not way.centers.size if own else bool((centers == model.centers.ravel()).all())
        if own:
            home.fits[id(way)] = way, fits
        return fits

    def _meets_rows(self, length: float, model: Any) -> bool:
        """Whether rows are met as before: another length of the mechanism measures their errors otherwise."""
        system = self.body.system
        return length == model.length or bool((np.abs(system.phi) <= FINE * system.row_scale).all())
