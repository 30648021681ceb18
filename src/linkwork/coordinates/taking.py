"""States taken on with other numbers by one call: what stands between `kernels.taking` and Python.

As `Door` for evaluations: behind it are bare pointers, so every size is looked at here, once for a state and a program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from linkwork.coordinates.door import INTEGERS, fits
from linkwork.coordinates.linking import pointers
from linkwork.errors import DescriptionError, message
from linkwork.kernels import layout as at
from linkwork.kernels import taking as of
from linkwork.kernels.jit import called, place_of, place_of_table, table_of


class Numbers:
    """Numbers of a plan that are written by programs, one after the other, and a system to evaluate them with.

    `fixed` are the places that have a part in where a state is.
    """

    def __init__(self, system: Any, fixed: np.ndarray) -> None:
        self.plan, self.system = system.plan, system.fresh()
        self.fixed, self.open = np.flatnonzero(fixed), np.flatnonzero(~fixed)
        self.values = self.plan.parameters.copy()
        fits("places of numbers", fixed, self.values.shape, np.dtype(bool))

    def forget(self) -> None:
        """Have the numbers of the plan again."""
        self.values[:] = self.plan.parameters

    def table(self, written: Written, known: Any, placed: np.ndarray | None) -> Table:
        """What the kernel is given of this set; `placed` are the numbers that `fixed` ones are compared with."""
        door, of_state, places = self.system.door, known.system.door, written.places
        if of_state.tab is not door.tab:
            raise DescriptionError(message("state", "is of another structure"))
        fits("places that are written", places, (places.size,), INTEGERS)
        inside = not places.size or 0 <= places.min() <= places.max() < self.values.size
        if not inside or written.first + places.size > written.results.size:
            raise DescriptionError(message("places that are written", "lie outside of the numbers"))
        compared = np.zeros(0) if placed is None else placed
        fits("numbers that place a state", compared, (0,) if placed is None else self.fixed.shape)
        vectors = door._p, door._w, door.f, of_state._p, of_state._w, self.values, written.results
        lists = places, self.open, self.fixed
        sizes = places.size, self.open.size, compared.size, door.p.size, door.w.size, door.n_y
        given = [*map(place_of, (door.tab, *vectors, *lists, compared)), written.first, *sizes]
        n_masses = int(door.tab[at.DOF] * (door.tab[at.N_BODIES] + 1))
        return Table(table_of(pointers()[0], *given), door.n_y, n_masses, (vectors, lists, compared))


class Written(NamedTuple):
    """Where results of a program go: the first of them that is one of a set, and its places."""

    results: np.ndarray
    first: int
    places: np.ndarray


class Table(NamedTuple):
    """What `kernels.taking` is given of one set, and the sizes of what it is given beside it."""

    places: Any
    n_y: int
    n_masses: int
    kept: Any  # what has to stay where it is


class Taking:
    """One state with the numbers of one program: called for every set of results.

    `sets` are tables of `Numbers`, of the bodies and of the run where that goes in others, `states` the state in each.
    """

    def __init__(
        self, sets: Sequence[Table], t: float, states: Sequence[np.ndarray], masses: np.ndarray, told: np.ndarray
    ) -> None:
        body, own = sets[0], sets[-1]
        for one, state in zip((body, own), states, strict=True):
            fits("state", state, (one.n_y,))
        fits("masses", masses, (body.n_masses,))
        fits("what is told", told, (of.C_TOLD,))
        tables = [place_of_table(one.places) for one in (body, own)]
        self._table = table_of(*tables, *map(place_of, (*states, masses, told)), int(own is body))
        #: what has to stay where it is
        self._kept = sets, states, masses, told, self._table
        self._t, self._place, self._kernel = t, place_of_table(self._table), called(of.take)

    def __call__(self) -> int:
        """What came back: NOTHING, TAKEN, LONGER; numbers are in what is told."""
        found: int = self._kernel(self._t, self._place)
        return found
