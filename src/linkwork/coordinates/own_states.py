"""States of a set that are not those of the bodies, and the way from them to the bodies: by the kernels of the set."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linkwork.coordinates.system import System
from linkwork.kernels import layout as at
from linkwork.rotation import from_matrix


class OwnStates(System):
    """A model in coordinates of their own; a set says by `from_bodies` how states of the bodies are read."""

    def from_body(self, y, memory=None):
        """A state of the set from one of the bodies and its memory of turns."""
        return self.from_bodies(y[None, :], None if memory is None else memory[None, :])[0]

    def to_bodies(self, t, raw, sweep=None):
        """States of the bodies, with work and memory, from those of the set with memory.

        `sweep` evaluates stored states, as `System.sweep`, which does it unless another is given.
        """
        plan, model = self.plan, self.model
        first = model.n_q + model.n_v
        out = np.empty((len(raw), first + raw.shape[1] - plan.n_q - plan.n_v))
        out[:, first:] = raw[:, plan.n_q + plan.n_v :]
        for part, q, twists in self.bodies_in(t, raw, range(len(model.bodies)), sweep):
            out[part, : model.n_q] = q.reshape(len(q), model.n_q)
            out[part, model.n_q : first] = twists.reshape(len(q), model.n_v)
        return out

    def columns_of_bodies(self, t, raw, columns, sweep) -> list[np.ndarray]:
        """Some columns of what `to_bodies` gives, one after the other; `sweep` evaluates all states at once."""
        plan, model = self.plan, self.model
        (size, dof), n_q = at.COORDINATES[model.dimension], model.n_q
        first = n_q + model.n_v
        held = [divmod(one, size) if one < n_q else divmod(one - n_q, dof) for one in columns]
        bodies = sorted({body for one, (body, _) in zip(columns, held) if one < first})
        place = {body: k for k, body in enumerate(bodies)}
        ((_, q, twists),) = self.bodies_in(t, raw, bodies, sweep) if bodies else ((slice(None), raw, raw),)
        behind = plan.n_q + plan.n_v - first
        return [
            raw[:, one + behind] if one >= first else (q if one < n_q else twists)[:, place[body], axis]
            for one, (body, axis) in zip(columns, held)
        ]

    def bodies_in(self, t, raw, bodies, sweep=None) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        """Block by block of times: where, positions (times, bodies, 3 or 7) and twists of some of the bodies."""
        model, d = self.model, self.model.dimension
        kept = 3 if d == 2 else 12  # the plane's cosines are of no use here

        def places() -> np.ndarray:
            number = np.array(bodies, dtype=np.int64) + 1
            return np.hstack([self.plan.places(at.W_POSE)[number, :kept], self.plan.places(at.W_TWIST)[number]])

        picks = self.plan.once("poses of all", places) if len(bodies) == len(model.bodies) else places()
        still = [k for k, body in enumerate(bodies) if not model.bodies[body].has_angle]
        for part, found in (sweep or self.sweep)(t, raw, picks.ravel(), located=True):
            found = found.reshape(-1, *picks.shape)
            if still:  # what carries a particle may turn, the particle does not
                found[:, still, d:kept] = 0.0 if d == 2 else np.eye(3).ravel()
                found[:, still, kept + d :] = 0.0
            q = found[:, :, :kept]
            if d == 3:
                q = np.concatenate([q[:, :, :3], from_matrix(q[:, :, 3:].reshape(*q.shape[:2], 3, 3))], axis=2)
            yield part, q, found[:, :, kept:]

    def to_body(self, y):
        """State of the bodies from one of the set."""
        row = np.concatenate([y, self.memory])[None, :]
        return self.to_bodies(np.zeros(1), row)[0][: self.model.n_y]
