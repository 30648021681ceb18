"""Names that are read of every run of a prepared motion, found together with it: one sweep over its states.

What is a length (a place along an axis, a distance) follows from the states of a run in its own coordinates: the plan
of the run has its measure as a further row, which is not held.  Other names are read when they are asked for, as of
any result.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.analysis.entering import entry
from linkwork.compiled.model import RowInfo
from linkwork.compiled.names import measure_of
from linkwork.errors import UnknownNameError
from linkwork.kernels import layout as at
from linkwork.result.quantities import vocabulary
from linkwork.result.state import State


class Reader:
    """Reads names of runs of one model in one set of coordinates."""

    def __init__(self, model: Any, coordinates: str, names: list[str]) -> None:
        self.model, self.coordinates = model, coordinates
        known = vocabulary(model)
        self.names, measures, orders = [], [], []
        for name in names:
            for one in (known.components(name) if known.find(name) is None else ()) or [name]:
                known.meaning(one)  # refuses an unknown one
                try:
                    measure, order = measure_of(model.mechanism, one)
                except UnknownNameError:
                    continue  # no measure: a reaction, an energy
                if (
                    len(measure.terms()) == 1
                    and measure.quantity == "length"
                    and order < 2
                    and measure.memory == "none"
                ):
                    self.names.append(one)
                    measures.append(measure)
                    orders.append(order)
        self.rows = [RowInfo(name, "", one, "start", False, 0.0) for name, one in zip(self.names, measures)]
        self.state: State | None = None
        if self.rows:
            plan = self.plan = model.plan(coordinates, rows=self.rows)
            places = plan.places(at.W_VALUE), plan.places(at.W_RATE)
            self.picks = np.array([places[order][plan.measure_index[one]] for one, order in zip(measures, orders)])

    def read(self, state: State, t: np.ndarray, raw: np.ndarray) -> dict[str, np.ndarray]:
        """Series by name, of the states of a run that began with `state`."""
        if not self.rows or state.model is not self.model:
            return {}
        if state is not self.state:
            known = entry(self.model, self.coordinates, state).system
            if known.plan is not self.model.plan(self.coordinates):  # rows are released: coordinates may be others
                return {}
            self.system = type(known)(self.plan, np.concatenate([state.values, np.zeros(len(self.rows))]))
            self.system.door.know(self.picks)  # looked at once, not in every run
            self.state = state
        found = self.system.swept(t, raw, self.picks, located=True)
        return dict(zip(self.names, found.T)) if np.isfinite(found).all() else {}
