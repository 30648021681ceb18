"""Where a mechanism stays at rest under its forces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from linkwork.analysis.common import as_model
from linkwork.analysis.free_motion import FreeMotion, Lost
from linkwork.analysis.modes import Modes, found_modes
from linkwork.analysis.options import Coordinates, Time, Values
from linkwork.analysis.resting import begun, refuse_drivers
from linkwork.arguments import explained
from linkwork.errors import ConvergenceError, DescriptionError, message
from linkwork.result.state import State

METHODS = ("downhill", "root")
MOST = 200  # steps
LONGEST = 0.2  # of a step: turns, and ways against the size of the whole
MET = 1e-10  # accelerations against those that forces cause, and steps
SOFTEST = 1e-13  # against the stiffest: softer directions are taken as this soft


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
                f"Equilibrium of '{self.mechanism}' ({self.method}, {self.steps} steps): {self.stability}",
                f"  accelerations left   {self.residual:.1g}",
                str(self.modes),
            ]
        )


@explained
def equilibrium(
    mechanism: Any,
    *,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    method: Literal["downhill", "root"] = "downhill",
) -> Equilibrium:
    """Where `mechanism` stays at rest, from an assembly with `start` values and `near` others, or from a state, at time
    `t`.

    `method` "downhill" follows the forces until they vanish, as a heavily braked motion would, and so ends in a stable
    equilibrium; "root" takes the nearest one by Newton's method, stable or not.  Start values say where it begins, and
    are not kept.  Drivers must be at rest.  The search is in the independent coordinates of the set `coordinates`.

    Units: t [s].

    >>> found = lw.gallery.double_pendulum().equilibrium(near={"upper.angle": -1.0, "lower.angle": -0.5})
    >>> found.stability, round(found["upper.angle"], 6)
    ('stable', -1.570796)
    """
    if method not in METHODS:
        raise DescriptionError(
            message("equilibrium", "has an unknown `method`", repr(method), " or ".join(repr(one) for one in METHODS))
        )
    model = as_model(mechanism)
    state = begun(model, "equilibrium", start, near, t, coordinates)
    free = FreeMotion(model, state, coordinates)
    refuse_drivers(model, free.system, free.t, free.y)
    free.settles = True
    free.y = free.settled(free.y)
    steps, residual = _search(model, free, method) if free.freedom else (0, 0.0)
    free.settles = False
    found = found_modes(model, free, check=False)
    return Equilibrium(model.mechanism.name, found.state, found, steps, residual, method)


def _search(model, free: FreeMotion, method: str) -> tuple[int, float]:
    """Steps until nothing accelerates; moves `free` to where that is."""
    longest, before = LONGEST, np.inf
    for steps in range(MOST):
        g, K = free.force(free.y), free.slope()
        pace = free.usual(K)
        residual = float(np.abs(g * free.reach).max() / pace)
        step = _downhill(free, K, g, pace, longest) if method == "downhill" else np.linalg.lstsq(K, g, rcond=None)[0]
        far = free.far(step)
        # soft directions beside stiff ones: as long as it gets better, the step has to vanish too
        if residual <= MET and (far <= MET or residual > 0.5 * before):
            return steps, residual
        before = residual
        step *= min(1.0, longest / far) if far > 0.0 and method == "root" else 1.0
        far = free.far(step)
        moved = _tried(free, g, step, method)
        if moved is None:
            break
        free.y, part, left = moved
        # what the force along the step has become: turned around, the next one is shorter, hardly less, longer
        gone = part * max(far, 0.1 * longest)
        longest = min(LONGEST, 0.5 * gone if left < 0.0 else 2.0 * gone if left > 0.25 else gone)
        free.system.locate(free.t, free.y)
        free.system.remember()
        free.look()
    raise ConvergenceError(
        message(
            f"Mechanism '{model.mechanism.name}'",
            f"has no equilibrium that was found in {MOST} steps",
            f"accelerations of {residual:.2g} of what forces cause are left",
            remedy="begin nearer to one by start= or near=; a mechanism that falls freely has none",
        ),
        result=free.state_at(free.y),
    )


def _downhill(free: FreeMotion, K, g, pace: float, longest: float) -> np.ndarray:
    """Newton's step, every principal direction taken the way that the force points, also where it is a hill's.

    Each is taken no farther than the longest step, so that soft ones do not hold up the others.
    """
    values, axes = np.linalg.eigh(0.5 * (K + K.T))
    step = (axes.T @ g) / np.maximum(np.abs(values), SOFTEST * max(np.abs(values).max(), pace))
    far = np.array([free.far(axis) for axis in axes.T])
    return axes @ np.clip(step, -longest / far, longest / far)


def _tried(free: FreeMotion, g, step, method: str) -> tuple[np.ndarray, float, float] | None:
    """The position after a step, shortened until it helps, the part of it that was taken, and what the force along it
    has become against what it was.
    """
    part, ahead = 1.0, float(g @ step)
    while part > 1e-10:
        try:
            y = free.position(part * step)
        except Lost:
            part *= 0.5
            continue
        new = free.force(y)
        left = float(new @ step) / ahead if ahead else 0.0
        if method == "root":
            fine = np.linalg.norm(new) < np.linalg.norm(g) * (1.0 - 1e-4 * part) or part < 1e-3
        else:
            fine = left >= -0.5  # at most beyond the bottom by half of what drove it there
        if fine and np.all(np.isfinite(new)):
            return y, part, left
        part *= 0.5
    return None
