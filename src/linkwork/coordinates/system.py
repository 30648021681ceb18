"""What every coordinate set shares: a model made ready to run, and what its workspace holds."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module

import numpy as np

from linkwork.kernels import layout as at
from linkwork.kernels.jit import announce


class System:
    """A model made ready to run: its own copies of parameters and workspace, and the kernels of its set and dimension.

    `values` are the numbers at which rows are held (those "as assembled" resolved), `held` says which rows act.
    """

    coordinates = ""

    def __init__(self, model, values=None, held=None, memory=None):
        self.model = model
        self.kernels = kernels_of(model.dimension, self.coordinates)
        self.p = model.parameters.copy()
        self.w = model.workspace.copy()
        self.tab = linked_table(model, self.coordinates)
        self.f = np.zeros(model.n_y)
        self.n_rows = count = len(model.rows)
        values_at, held_at, memory_at = model.run_sections
        self.row_values = self.p[values_at]
        self.held = self.w[held_at]
        self.memory = self.w[memory_at]
        if values is not None:
            self.row_values[:] = values[:count]
        if held is not None:
            self.held[:] = held[:count]
        if memory is not None:
            self.memory[:] = memory[:self.memory.size]

    @property
    def pointers(self):
        """Addresses of rhs and project, the way the integrator takes them."""
        return _pointers()

    # -- kernels ---------------------------------------------------------------------------------------------------
    def locate(self, t, y):
        """Frames, measures and rows at a state."""
        self.w[at.STATUS] = at.OK
        self.w[at.DETAIL] = 1.0
        self.kernels.locate(float(t), y, self.p, self.tab, self.w, self.f)

    def remember(self):
        """Count full turns from the state last located."""
        from linkwork.kernels.rows import remember

        remember(self.tab, self.w)

    def sweep(self, t, states, picks):
        """Evaluate stored states (with their memory) and keep places of the workspace: picked, derivatives."""
        from linkwork.kernels.integrate import sweep

        picked = np.empty((len(t), picks.size))
        derivatives = np.empty((len(t), self.model.n_y))
        self.w[at.DETAIL] = 1.0
        sweep(self.pointers[0], np.ascontiguousarray(t), np.ascontiguousarray(states), self.p, self.tab, self.w,
              self.f, np.ascontiguousarray(picks, dtype=np.int64), derivatives, picked)
        return picked, derivatives

    def derivative(self, t, y):
        """State derivative, with every intermediate quantity left in the workspace."""
        self.f[:] = 0.0
        self.w[at.DETAIL] = 1.0
        motion().rhs(float(t), y, self.p, self.tab, self.w, self.f)
        return self.f

    def project(self, t, y):
        """Put y back on the constraints, in place; returns the errors of position and velocity before the last step."""
        motion().project(float(t), y, self.p, self.tab, self.w, self.f)
        return self.w[at.ERROR_POSITION]

    def moved(self, y, step):
        """q (+) step."""
        out = y.copy()
        self.step[:] = step
        self.kernels.move(0.0, out, self.p, self.tab, self.w, self.f)
        return out

    # -- what is in the workspace ----------------------------------------------------------------------------------
    def _view(self, key, count):
        return self.w[self.model.section(key, count)]

    @property
    def phi(self):
        """Constraint errors."""
        return self._view(at.W_PHI, self.n_rows)

    @property
    def nu(self):
        """Right sides of the velocity rows."""
        return self._view(at.W_NU, self.n_rows)

    @property
    def gamma(self):
        """Right sides of the acceleration rows."""
        return self._view(at.W_GAMMA, self.n_rows)

    @property
    def multipliers(self):
        """Multipliers of the rows."""
        return self._view(at.W_LAMBDA, self.n_rows)

    @property
    def row_scale(self):
        """Length or angle that an error of a row is compared with."""
        first = self.model.size(at.P_ROW)
        return self.p[first:first + 2 * self.n_rows].reshape(-1, 2)[:, 1]

    def measure_values(self, measure):
        """Value, rate and bias of a measure that the model has."""
        total = np.zeros(3)
        for weight, one in measure.terms():
            k = self.model.measure_index[one]
            total += weight * np.array([self.w[self.model.size(key) + k] for key in (at.W_VALUE, at.W_RATE, at.W_BIAS)])
        return total

    @property
    def memory_size(self):
        """Entries of the memory that goes with a state."""
        return self.memory.size


def kernels_of(dimension: int, coordinates: str):
    """The kernels of a set in the plane or in space, compiled when first wanted."""
    room = "planar" if dimension == 2 else "spatial"
    name = f"linkwork.kernels.{room}.{coordinates}"
    if name not in sys.modules:
        announce(room, coordinates)
    return import_module(name)


def linked_table(model, coordinates: str) -> np.ndarray:
    """The integer table of a model with the addresses of its kernels in the header; made once for a model."""
    known = model.__dict__.get("_linked_table")
    if known is None:
        known = model.tab.copy()
        known[[at.A_LOCATE, at.A_FACTOR, at.A_SOLVE, at.A_MOVE, at.A_RATES]] = _addresses(model.dimension, coordinates)
        model.__dict__["_linked_table"] = known
    return known


@cache
def _addresses(dimension: int, coordinates: str) -> list[int]:
    from linkwork.kernels.jit import address_of

    kernels = kernels_of(dimension, coordinates)
    return [address_of(one) for one in (kernels.locate, kernels.factor, kernels.solve, kernels.move, kernels.rates)]


@cache
def motion():
    """The state derivative and the projection, which call the kernels of a set."""
    from linkwork.kernels import motion

    return motion


@cache
def _pointers():
    from linkwork.kernels.jit import address_of

    return address_of(motion().rhs), address_of(motion().project)
