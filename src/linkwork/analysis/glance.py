"""What events read of a motion inside of a step: the kernel is there, so most names are in its own workspace.

| name                | read from                                                                              |
|---------------------|----------------------------------------------------------------------------------------|
| a measure, its rate | what the watched functions read there, see `coordinates.watching`                      |
| effort of a driver  | its multiplier                                                                         |
| force of a joint    | sum of lam J' over its rows; where coordinates absorb it, what moves the bodies beyond |
| `energy.kinetic`    | 1/2 v' M v                                                                             |

    force on the bodies S beyond a joint of a tree = sum over S of (m a - h) - sum of lam J' of other rows

All else, and forces that redundant constraints leave open, is read from a state as results have it, a hundred times
slower.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from linkwork.compiled.graph import Edge, components
from linkwork.compiled.modes import ABSORBED, FREE
from linkwork.compiled.names import measure_of
from linkwork.errors import UnknownNameError
from linkwork.kernels import layout as at
from linkwork.result.quantities import TIME

Reader = Callable[[], float]
_NEW: Any = object()


class Glance:
    """A state that a function which is watched gets: names are read where the kernel is, all else from a `State`."""

    def __init__(self, run: Any, t: float, y: np.ndarray, memory: np.ndarray):
        self.t = t
        self._run, self._y, self._memory, self._turns = run, y, memory, run.watched.kept()
        self._made: Any = None

    def __getitem__(self, name: str) -> Any:
        """A number by name, such as `crank.angle` or `motor.effort`; of a vector, its components."""
        if self._run.glance is self and isinstance(name, str):  # later, the kernel is elsewhere
            if name in TIME:
                return self.t
            found = self._run.live.read(name)
            if found is not None:
                return found
        return self._state[name]

    @property
    def _state(self) -> Any:
        if self._made is None:
            self._made = self._run.state_at(self.t, self._y, self._memory, self._turns)
        return self._made

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._state, name)


class Live:
    """Reads names in the workspace of a system, at the state that it is at."""

    def __init__(self, system: Any, watched: Any, modes: np.ndarray, unique: bool):
        """`modes` are those of all rows in the coordinates of the run; not `unique`: rows follow from others."""
        self.system, self.watched, self.modes, self.unique = system, watched, modes, unique
        self.model = system.model
        self._readers: dict[str, Reader | None] = {}

    def read(self, name: str) -> float | None:
        """The number, or None for a name that is not in the workspace."""
        reader = self._readers.get(name, _NEW)
        if reader is _NEW:
            reader = self._readers[name] = self._reader(name)
        return None if reader is None else reader()

    def _reader(self, name: str) -> Reader | None:
        mechanism = self.model.mechanism
        item, _, what = name.partition(".")
        if name == "energy.kinetic":
            return self._kinetic()
        if item in mechanism.drivers and what == "effort":
            return self._effort(item)
        if item in mechanism.joints and what.startswith("reaction."):
            return self._reaction(item, what.removeprefix("reaction."))
        try:
            measure, order = measure_of(mechanism, name)
        except UnknownNameError:
            return None
        return None if ".cardan." in name else self._measure(measure, order)

    def _measure(self, measure: Any, order: int) -> Reader | None:
        terms = [(weight, self.watched.place(one)) for weight, one in measure.terms()]
        if order > 1 or any(k is None for _, k in terms):
            return None
        values = self.watched.values if order == 0 else self.watched.rates
        if len(terms) == 1 and terms[0][0] == 1.0:
            k = terms[0][1]
            return lambda: float(values[k])
        return lambda: float(sum(weight * values[k] for weight, k in terms))

    def _kinetic(self) -> Reader:
        twists, there = self.system.view(at.W_TWIST)[1:], self.model.existing
        masses = np.where(there, 0.5 * self.model.masses, 0.0).reshape(twists.shape)
        return lambda: float((masses * twists * twists).sum())

    def _place(self, row: int) -> int | None:
        """Where a row of the model is in the plan of the run; None for one that is absorbed."""
        found = np.flatnonzero(self.system.plan.kept == row)
        return int(found[0]) if found.size else None

    def _effort(self, driver: str) -> Reader | None:
        rows = self.model.rows_of.get(driver)
        if rows is None or not self.unique:
            return None
        (row,) = rows
        if self.modes[row] == FREE:
            return lambda: 0.0
        k, lam = self._place(row), self.system.multipliers
        return None if k is None else lambda: float(lam[k])

    def _reaction(self, name: str, part: str) -> Reader | None:
        """A component of the force of a joint on its `to`, or its size."""
        d = self.model.dimension
        if not self.unique or part not in (*"xyz"[:d], "magnitude"):
            return None
        force = self._force(name)
        if force is None:
            return None
        if part == "magnitude":
            return lambda: math.sqrt(float((force() ** 2).sum()))
        axis = "xyz".index(part)
        return lambda: float(force()[axis])

    def _force(self, name: str) -> Callable[[], np.ndarray] | None:
        model, plan = self.model, self.system.plan
        joint, d = model.mechanism.joints[name], model.dimension
        rows = [*model.rows_of.get(name, []), *model.locks_of.get(name, [])]
        acting = [r for r in rows if self.modes[r] != FREE]
        if not acting:
            return lambda: np.zeros(d)
        own = [self._place(r) for r in acting]
        lam, blocks = self.system.multipliers, self.system.view(at.W_BLOCK)
        side, sign = (joint.to.body, 1.0) if joint.to.body != "ground" else (joint.on.body, -1.0)
        if all(k is not None for k in own):
            body = model.body_index[side]
            pairs = [(k, b) for k in own if k is not None for b, owner in plan.row_blocks[k] if owner == body]
            at_rows, at_blocks = (np.array(one, dtype=int) for one in zip(*pairs, strict=True)) if pairs else ([], [])
            return lambda: sign * (lam[at_rows] @ blocks[at_blocks, :d])
        beyond = None if plan.layout.of_bodies else self._beyond(name)
        if beyond is None:
            return None
        bodies = [model.body_index[one] for one in beyond]
        sign *= 1.0 if side in beyond else -1.0
        skipped = {k for k in own if k is not None}
        others = [
            (k, b)
            for k, pairs in enumerate(plan.row_blocks)
            if k not in skipped and not all(owner in bodies for _, owner in pairs)
            for b, owner in pairs
            if owner in bodies
        ]
        at_rows, at_blocks = (np.array([one[i] for one in others], dtype=int) for i in (0, 1))
        here = [1 + k for k in bodies]  # ground is the first
        applied, moving = self.system.view(at.W_APPLIED), self.system.view(at.W_ACCELERATION)
        masses = np.array([model.bodies[k].mass for k in bodies])

        def force() -> np.ndarray:
            whole = masses @ moving[here, :d] - applied[here, :d].sum(axis=0)
            if at_rows.size:
                whole = whole - lam[at_rows] @ blocks[at_blocks, :d]
            return sign * whole

        return force

    def _beyond(self, name: str) -> set[str] | None:
        """Bodies on one side of a joint of the tree, without ground; None where ground is on both."""
        model = self.model
        absorbed = {model.rows[r].item for r in np.flatnonzero(self.modes == ABSORBED)} - {name}
        edges = [Edge(one.name, one.bodies) for one in model.edges if one.name in absorbed]
        joint = model.mechanism.joints[name]
        names = ["ground", *(body.name for body in model.bodies)]
        for group in components(names, edges):
            some = set(group)
            if "ground" not in some and (joint.on.body in some) != (joint.to.body in some):
                return some
        return None
