"""States of the bodies of a run, made from those of its own coordinates as far as they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from linkwork.coordinates import system_on
from linkwork.coordinates.system import blocks
from linkwork.kernels import layout as at

#: numbers: up to here the states of all bodies are made together; in space orientations cost more than the rest
SMALL = {2: 2_000_000, 3: 20_000}
FEW = 4  # bodies that are made alone; whoever asks for more will ask for all


class BodyStates:
    """Positions and velocities of the bodies over time, their work and memory."""

    def __init__(self, plan, t, given, raw, first, values, held):
        self.model, self._plan = plan.model, plan
        self.t = t
        self.given = given  # states of the bodies; None where only `raw`, in the coordinates of the run, is known
        self.raw = raw
        self._first = first  # the state of the bodies that `raw` began with: whole turns count from there
        self._values, self._held = values, held
        self._alone: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    @cached_property
    def system(self):
        """The model in the coordinates of the run."""
        system = system_on(self._plan, self._values, self._held)
        system.keep_turns(self._first)
        return system

    @cached_property
    def all(self) -> np.ndarray:
        """(times, positions, velocities, work, memory)."""
        return self.given if self.given is not None else self.system.to_bodies(self.t, self.raw)

    def row(self, k: int) -> np.ndarray:
        """The state at the k-th time."""
        if self._whole:
            return self.all[k].copy()
        k %= len(self.t)
        return self.system.to_bodies(self.t[k : k + 1], self.raw[k : k + 1])[0]

    @property
    def _whole(self) -> bool:
        """Whether states of all bodies are known, or made at once."""
        return (
            self.given is not None
            or "all" in self.__dict__
            or self._plan.layout.of_bodies
            or self.raw.shape[0] * self.model.n_y <= SMALL[self.model.dimension]
        )

    def of(self, body: int) -> tuple[np.ndarray, np.ndarray]:
        """(times, 3 or 7) and (times, 3 or 6): mass centre and orientation of a body, and its twist."""
        size, dof = at.COORDINATES[self.model.dimension]
        if self._whole or (body not in self._alone and len(self._alone) >= FEW):
            first = self.model.n_q + dof * body
            return self.all[:, size * body : size * (body + 1)], self.all[:, first : first + dof]
        if body not in self._alone:
            q, v = np.empty((len(self.t), size)), np.empty((len(self.t), dof))
            for part, places, twists in self.system.bodies_in(self.t, self.raw, [body]):
                q[part], v[part] = places[:, 0], twists[:, 0]
            self._alone[body] = q, v
        return self._alone[body]

    def parts(self) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        """Block by block of times: where, positions (times, bodies, 3 or 7) and twists (times, bodies, 3 or 6)."""
        model, (size, dof) = self.model, at.COORDINATES[self.model.dimension]
        count = len(model.bodies)
        if not self._whole:
            yield from self.system.bodies_in(self.t, self.raw, range(count))
            return
        for part in blocks(len(self.t), model.n_q + model.n_v):
            some = self.all[part]
            yield (
                part,
                some[:, : model.n_q].reshape(-1, count, size),
                some[:, model.n_q : model.n_q + model.n_v].reshape(-1, count, dof),
            )

    @property
    def work(self) -> np.ndarray:
        """(times, work): what elements and drivers have done."""
        return self._behind(0, len(self.model.work_names))

    @property
    def of_laws(self) -> np.ndarray:
        """(times, states of laws)."""
        return self._behind(len(self.model.work_names), len(self.model.law_states))

    def _behind(self, first: int, count: int) -> np.ndarray:
        """Some of what is stored behind positions and velocities."""
        source, of = (self.given, self.model) if self.given is not None else (self.raw, self.system.plan)
        first += of.n_q + of.n_v
        return source[:, first : first + count]

    def gather(self, readings) -> np.ndarray:
        """(times, columns): what readings want of the states."""
        if self._whole or len({*self._alone, *readings.bodies}) > FEW:
            return readings.gather(self.all)
        known = [self.of(body) for body in readings.bodies]
        memory = np.zeros((len(self.t), int((readings.columns < 0).sum() + (readings.columns >= self.model.n_y).sum())))
        for k, column in enumerate(readings.columns[readings.columns.size - memory.shape[1] :]):
            if column >= 0:
                memory[:, k] = self.raw[:, column - self.model.n_y + self.system.plan.n_y]
        return np.concatenate([*(q for q, _ in known), *(v for _, v in known), memory], axis=1)
