"""The report of an assembly: the state, and what was done to reach it."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arguments import explained, mirrored
from linkwork.compiled.names import all_measures

if TYPE_CHECKING:
    from linkwork.view.drawing import draw_state as _draw
    from linkwork.view.notebook import assembly_html as _html

FEW = 100  # bodies; of more, independent coordinates are not shown unless asked for
INDEPENDENT = 8  # of them; of more, the rest is counted
SHOWN = 4  # other ways to assemble it; of more, the rest is counted


@explained
class Assembly:
    """An assembled mechanism: `state` to go on from, values by name, and a report when printed."""

    def __init__(self, state, first, rank, attempts: int, start, near, search, choose):
        self.state = state
        self.rank = rank
        self.attempts = attempts
        self._first = first
        self._start = start
        self._near = near
        self._search = search
        self._choose = choose

    @property
    def freedom(self) -> int | None:
        """Velocities that are free at this position."""
        return None if self.rank is None else self.rank.freedom

    @cached_property
    def others(self) -> list:
        """Other ways to assemble it with the same start values, as far as seen: mirrored, or folded the other way.
        Where these leave a freedom open, coordinates of bodies, or readings of joints, are held as they are here.
        """
        return self._search() if self.rank is not None else []

    @cached_property
    def independent(self) -> dict[str, float]:
        """Independent coordinates, chosen by pivoting, and their rates, by names that can be given as start values.

        As many as there is freedom, of position and of velocity; fewer where nothing reads a freedom, as the turn of a
        rod between two balls.
        """
        return self._choose()

    def __getitem__(self, name: str) -> Any:
        """A number by name; of a vector, its components."""
        return self.state[name]

    def _ipython_key_completions_(self) -> list[str]:
        return self.state._ipython_key_completions_()

    @cached_property
    def moved(self) -> dict[str, float]:
        """How far the mass centre of every body was moved from its first position: as declared, or along the joints."""
        model = self.state.model
        size = model.n_q // max(1, len(model.bodies))
        return {
            body.name: float(
                np.linalg.norm(
                    self.state.y[size * k : size * k + model.dimension]
                    - self._first[size * k : size * k + model.dimension]
                )
            )
            for k, body in enumerate(model.bodies)
        }

    def _told_apart(self, other) -> list[str]:
        """What differs in another way to assemble it: angles of bodies in the plane, readings of joints in space."""
        model = self.state.model
        measures = all_measures(model.mechanism)
        if model.dimension == 2:
            names = [f"{body.name}.angle" for body in model.bodies if body.has_angle]
        else:
            names = [name for name, measure in measures.items() if not measure.rate_only]
            names.sort(key=lambda name: name.partition(".")[0] not in model.mechanism.joints)
        found = []
        for name in names:
            here, there = self.state[name], other[name]
            if measures[name].quantity == "angle":  # which turn does not matter: the one nearest to this way
                there = here + math.remainder(there - here, 2.0 * math.pi)
            if abs(there - here) > 1e-6:
                found.append(f'"{name}": {there:.4g}')
        return found

    if TYPE_CHECKING:
        draw = _draw
        _repr_html_ = _html
    else:
        draw = mirrored("linkwork.view.drawing", "draw_state")
        _repr_html_ = mirrored("linkwork.view.notebook", "assembly_html")

    def __repr__(self) -> str:
        return f"<assembly of '{self.state.model.mechanism.name}' at t = {self.state.t:g} s, freedom {self.freedom}>"

    def __str__(self) -> str:
        model = self.state.model
        size = model.n_q // max(1, len(model.bodies))
        lines = [
            f"Mechanism '{model.mechanism.name}' assembled at t = {self.state.t:g} s"
            + (f", freedom {self.rank.freedom}" if self.rank else "")
        ]
        if self._start:
            lines.append("  held: " + ", ".join(self._start))
        if self._near:
            lines.append(
                "  near: "
                + ", ".join(
                    f"{name} {self.state[name]:.4g} (asked for {value:.4g})" for name, value in self._near.items()
                )
            )
        if self.attempts > 1:
            lines.append(
                "  from the first position nothing was found: it was shaken "
                + ("once" if self.attempts == 2 else f"{self.attempts - 1} times")
            )
        if self.rank and self.rank.singular:
            lines.append("  this is a singular position: the mechanism may go on in more than one way")
        if model.dimension == 2:
            lines.append(f"  {'body':<16}{'x [m]':>12}{'y [m]':>12}{'angle [rad]':>12}{'moved [m]':>12}")
            for k, body in enumerate(model.bodies):
                values = [self.state[f"{body.name}.{q}"] for q in ("x", "y")]
                angle = f"{self.state.y[size * k + 2]:12.6f}" if body.has_angle else " " * 12
                lines.append(f"  {body.name:<16}{values[0]:12.6f}{values[1]:12.6f}{angle}{self.moved[body.name]:12.3g}")
        if len(model.bodies) <= FEW and self.independent:
            shown = [f"{name} {value:.4g}" for name, value in list(self.independent.items())[:INDEPENDENT]]
            more = len(self.independent) - len(shown)
            lines.append("  independent: " + ", ".join(shown) + (f" and {more} more" if more else ""))
        if self.others:
            lines.append(
                f"  {len(self.others)} other way{'s' * (len(self.others) > 1)} to assemble it, mirrored or folded; "
                "near= chooses:"
            )
            lines += [f"    near={{{', '.join(self._told_apart(other)[:4])}}}" for other in self.others[:SHOWN]]
            if len(self.others) > SHOWN:
                lines.append(f"    and {len(self.others) - SHOWN} more in assembly.others")
        return "\n".join(lines)
