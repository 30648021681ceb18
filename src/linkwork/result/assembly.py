"""The report of an assembly: the state, and what was done to reach it."""

from __future__ import annotations

import numpy as np


class Assembly:
    """An assembled mechanism: `state` to go on from, values by name, and a report when printed."""

    def __init__(self, state, first, rank, attempts: int, start, near):
        self.state = state
        self.rank = rank
        self.attempts = attempts
        self._first = first
        self._start = start
        self._near = near

    @property
    def freedom(self) -> int | None:
        """Velocities that are free at this position."""
        return None if self.rank is None else self.rank.freedom

    def __getitem__(self, name: str) -> float:
        return self.state[name]

    @property
    def moved(self) -> dict[str, float]:
        """How far the mass centre of every body was moved from its estimate."""
        model = self.state.model
        size = model.n_q // max(1, len(model.bodies))
        return {body.name: float(np.linalg.norm(self.state.y[size * k:size * k + model.dimension]
                                                - self._first[size * k:size * k + model.dimension]))
                for k, body in enumerate(model.bodies)}

    def __str__(self) -> str:
        model = self.state.model
        size = model.n_q // max(1, len(model.bodies))
        lines = [f"Mechanism '{model.mechanism.name}' assembled at t = {self.state.t:g} s"
                 + (f", freedom {self.rank.freedom}" if self.rank else "")]
        if self._start:
            lines.append("  held: " + ", ".join(self._start))
        if self._near:
            lines.append("  near: " + ", ".join(self._near))
        if self.attempts > 1:
            lines.append(f"  from the estimate itself nothing was found: angles were shaken {self.attempts - 1} times")
        if self.rank and self.rank.singular:
            lines.append("  this is a singular position: the mechanism may go on in more than one way")
        if model.dimension == 2:
            lines.append(f"  {'body':<16}{'x':>12}{'y':>12}{'angle':>12}{'moved':>12}")
            for k, body in enumerate(model.bodies):
                values = [self.state[f"{body.name}.{q}"] for q in ("x", "y")]
                angle = f"{self.state.y[size * k + 2]:12.6f}" if body.has_angle else " " * 12
                lines.append(f"  {body.name:<16}{values[0]:12.6f}{values[1]:12.6f}{angle}"
                             f"{self.moved[body.name]:12.3g}")
        return "\n".join(lines)
