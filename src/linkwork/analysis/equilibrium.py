"""Where a mechanism stays at rest under its forces."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal, get_args

from linkwork import cells
from linkwork.analysis.common import model_in
from linkwork.analysis.free_motion import FreeMotion
from linkwork.analysis.modes import Modes, found_modes
from linkwork.analysis.options import Basis, Coordinates, Time, Values
from linkwork.analysis.resting import begun, free_names, refuse_drivers
from linkwork.analysis.searches import braked_motion, follow, least_energy
from linkwork.arguments import explained
from linkwork.compiled.names import unit_in
from linkwork.errors import DescriptionError, message, plural
from linkwork.records import dataclass
from linkwork.result.state import State

Method = Literal["downhill", "root", "energy", "damping"]
METHODS = get_args(Method)
SHOWN = 6  # quantities


@dataclass(frozen=True)
class Equilibrium:
    """A state of rest: `found["A.angle"]`, `found.state` to go on from, `found.modes`, `found.stability`.

    `residual` is the largest acceleration that is left, against what forces would cause a radian or a size away.
    """

    mechanism: str
    state: State = field(repr=False)
    modes: Modes = field(repr=False)
    steps: int
    residual: float
    method: str

    def __getitem__(self, name: str) -> Any:
        """A number by name."""
        return self.state[name]

    @property
    def stability(self) -> str:
        """ "stable", "unstable" or "indifferent"; a structure, which cannot move, is stable."""
        return self.modes.stability

    def __str__(self) -> str:
        return "\n".join(
            [
                f"Equilibrium of '{self.mechanism}' ({self.method}, {plural(self.steps, 'step')}): {self.stability}",
                *self._places(),
                f"  accelerations left   {self.residual:.1g}",
                str(self.modes),
            ]
        )

    def _places(self) -> list[str]:
        """Where it rests: a line for each of a few quantities that tell the position."""
        mechanism, names = self.state.model.mechanism, free_names(self.state)
        lines = [f"  {name:<20} {float(self[name]):.9g} {unit_in(mechanism, name)}".rstrip() for name in names[:SHOWN]]
        more = len(names) - SHOWN
        return lines + ([f"  and {more} more: found['{names[SHOWN]}']"] if more > 0 else [])

    def _repr_html_(self) -> str:
        return cells.shown(f"Equilibrium of {self.mechanism}", cells.report(str(self)))


@explained
def equilibrium(
    mechanism: Any,
    *,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
    method: Method = "downhill",
) -> Equilibrium:
    """Where `mechanism` stays at rest, from an assembly with `start` values and `near` others, or from a state, at time
    `t`.

    `method` "downhill" follows the forces until they vanish, as a heavily braked motion would, and so ends in a stable
    equilibrium; "root" takes the nearest one by Newton's method, stable or not; "energy" goes to a minimum of the
    potential energy by its values alone, and refuses forces that act at rest without a potential; "damping" runs the
    motion with brakes that it does not have until it rests.  Start values say where it begins, and are not kept.
    Drivers must be at rest.  The search is in the independent coordinates of the set `coordinates`; `basis` as
    in `simulate`.

    Units: t [s].

    >>> found = lw.gallery.double_pendulum().equilibrium(near={"upper.angle": -1.0, "lower.angle": -0.5})
    >>> found.stability, round(found["upper.angle"], 6)
    ('stable', -1.570796)
    """
    if method not in METHODS:
        raise DescriptionError(
            message("equilibrium", "has an unknown `method`", repr(method), " or ".join(repr(one) for one in METHODS))
        )
    model = model_in(mechanism, coordinates, basis)
    state = begun(model, "equilibrium", start, near, t, coordinates)
    free = FreeMotion(model, state, coordinates)
    refuse_drivers(model, free.system, free.t, free.y)
    free.settles = True
    free.y = free.settled(free.y)
    steps, residual = 0, 0.0
    if free.freedom and method == "damping":
        state, steps, residual = braked_motion(model, free.state_at(free.y), coordinates)
        free = FreeMotion(model, state, coordinates)
        free.y = free.settled(free.y)
    elif free.freedom:
        steps, residual = least_energy(model, free) if method == "energy" else follow(model, free, method)
    free.settles = False
    found = found_modes(model, free, check=False)
    return Equilibrium(model.mechanism.name, found.state, found, steps, residual, method)
