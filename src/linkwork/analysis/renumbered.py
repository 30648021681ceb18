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


class _Set:
    """A plan of the model, a system of it to work with, and which of its numbers place a state."""

    def __init__(self, plan: Any, system: Any) -> None:
        self.plan, self.system = plan, system.fresh()
        fixed = placing(plan)
        self.fixed, self.open = np.flatnonzero(fixed), np.flatnonzero(~fixed)
        self.numbers = plan.parameters.copy()
        self.name, self.last = plan.coordinates, None

    def having(self, way: Any, results: list[float]) -> None:
        """Write other numbers."""
        if self.last is not way:
            self.numbers[:], self.last = self.plan.parameters, way
        self.numbers[way.places[self.name]] = way.of_plan(self.name, results)

    def places_alike(self, placing: np.ndarray) -> bool:
        """Whether the numbers written here are these where they place a state."""
        return bool((self.numbers[self.fixed] == placing).all())

    def moved_by(self, way: Rewriting) -> bool:
        """Whether a program writes numbers that place a state."""
        return bool(np.isin(way.places[self.name], self.fixed).any())

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
    placing: tuple[np.ndarray, np.ndarray]  # numbers of its model that place it, of either set
    centers: np.ndarray
    centered: bool  # whether these are those of the model that was prepared
    masses: np.ndarray
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
        masses, pivot = view(numbers, at.P_MASS), state.pivot
        same = bool((masses == home.masses).all())  # then its pivots are those of the state: bodies are not asked
        if not same or self.coordinates == BASE or length != state.model.length:
            found = self.body.evaluated(home.body, state.t, state.y)
            if found is None or not self._meets_rows(length, state.model):
                return None
            pivot = pivot if same else found
        own = pivot if self.coordinates == BASE else self.own.evaluated(home.own, state.t, home.own.y)
        if own is None:
            return None
        model, made = self.model, object.__new__(State)
        made.__dict__.update(state.__dict__, model=model, pivot=pivot, _made={})
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
        plans, centers = (home.plan(), home.plan(self.coordinates)), home.centers.ravel()
        one, two = (plan.parameters[each.fixed] for plan, each in zip(plans, (self.body, self.own)))
        masses = plans[0].view(plans[0].parameters, at.P_MASS)
        return _Home(body, own, (one, two), centers, bool((centers == self.before).all()), masses, {})

    def _stays(self, way: Rewriting, results: list[float], model: Any, home: _Home) -> bool:
        """Whether the numbers that place a state are those of the model that it is of."""
        if model is self.model:  # then it is the same for all that a program gives
            if id(way) not in home.fits:
                stays = not (way.centers.size or self.body.moved_by(way) or self.own.moved_by(way))
                home.fits[id(way)] = way, stays
            return home.fits[id(way)][1]
        if not self.body.places_alike(home.placing[0]) or not self.own.places_alike(home.placing[1]):
            return False
        if not way.centers.size:
            return home.centered
        centers = self.before.copy()
        centers[way.centers] = way.of_centers(results)
        return bool((centers == home.centers).all())

    def _meets_rows(self, length: float, model: Any) -> bool:
        """Whether rows are met as before: another length of the mechanism measures their errors otherwise."""
        system = self.body.system
        return length == model.length or bool((np.abs(system.phi) <= FINE * system.row_scale).all())
