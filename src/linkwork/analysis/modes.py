"""Small oscillations around a state of rest: stiffness, damping, frequencies, shapes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field
from typing import Any

import numpy as np

from linkwork import cells
from linkwork.analysis.common import model_in
from linkwork.analysis.free_motion import FreeMotion
from linkwork.analysis.options import Basis, Coordinates, Time, Values
from linkwork.analysis.resting import rest_of
from linkwork.analysis.slopes import Slopes, slopes_at
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.records import OnlyRead, dataclass
from linkwork.result.state import State

STILL = 1e-6  # against the fastest: eigenvalues below this are zero, as rounding of K leaves them


@dataclass(frozen=True)
class Mode:
    """One way to move by itself: z = shape exp(eigenvalue t).

    An oscillation stands for both of its eigenvalues, the conjugate left out.  `shape` has the velocity coordinates of
    the bodies by name (ways of mass centres, turns), the largest way, or turn times a length of the mechanism, being 1.
    """

    eigenvalue: complex
    shape: dict[str, complex] = field(repr=False)

    @property
    def oscillates(self) -> bool:
        """Whether it swings, rather than creeps, runs away or floats."""
        return self.eigenvalue.imag != 0.0

    @property
    def frequency(self) -> float:
        """Cycles a second as it swings, damping included; 0 where it does not."""
        return abs(self.eigenvalue.imag) / (2.0 * math.pi)

    @property
    def undamped(self) -> float:
        """|eigenvalue| / 2 pi: the frequency in Hz without its damping."""
        return abs(self.eigenvalue) / (2.0 * math.pi)

    @property
    def damping_ratio(self) -> float:
        """1 is critical, 0 none, less than 0 grows; nan of what only floats."""
        return 0.0 - self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else math.nan

    @property
    def time_constant(self) -> float:
        """Time in s in which it falls to 1/e, less than 0 where it grows; infinite without damping."""
        return -1.0 / self.eigenvalue.real if self.eigenvalue.real else math.inf


@dataclass(frozen=True)
class Modes(OnlyRead):
    """All modes of a state of rest, slowest first: `modes[0].frequency`, `modes.frequencies`; `print` them.

    `stiffness` and `damping` are K and D of z'' = -K z - D z', in independent coordinates of unit mass and with states
    of laws as they are, which only the modes take along; columns of `basis` are the speeds of the bodies for unit rates
    of z.  `error` is how far K and D may be off, as a part of the largest.
    """

    mechanism: str
    state: State = field(repr=False)
    stiffness: np.ndarray = field(repr=False)
    damping: np.ndarray = field(repr=False)
    basis: np.ndarray = field(repr=False)
    modes: tuple[Mode, ...]
    error: float
    around: str = "at rest"  # or "in steady motion"

    def __len__(self) -> int:
        return len(self.modes)

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.modes)

    def __getitem__(self, k: int) -> Mode:
        return self.modes[k]

    @property
    def frequencies(self) -> np.ndarray:
        """Frequencies in Hz of the modes that oscillate, damping included."""
        return np.array([one.frequency for one in self.modes if one.oscillates])

    @property
    def stability(self) -> str:
        """ "stable", "unstable" or "indifferent": whether small motions die out or stay small, grow, or float."""
        if any(one.eigenvalue.real > 0.0 for one in self.modes):
            return "unstable"
        return "indifferent" if any(one.eigenvalue == 0.0 for one in self.modes) else "stable"

    @property
    def step(self) -> float:
        """A tenth of the shortest undamped period: a step that shows all of it."""
        fastest = max((one.undamped for one in self.modes), default=0.0)
        return 0.1 / fastest if fastest else math.inf

    def __str__(self) -> str:
        lines = [f"Modes of '{self.mechanism}' {self.around}: {len(self.modes)}, {self.stability}"]
        if self.modes:
            lines.append(
                f"  {'':<4}{'frequency [Hz]':>16}{'undamped [Hz]':>16}{'damping ratio':>16}{'time constant [s]':>20}"
            )
        for k, one in enumerate(self.modes):
            largest = max(one.shape, key=lambda name: abs(one.shape[name]), default="")
            lines.append(
                f"  {k:<4}{one.frequency:16.6g}{one.undamped:16.6g}{one.damping_ratio:16.4g}{one.time_constant:20.4g}"
                f"   mostly {largest}"
            )
        if math.isfinite(self.step):
            lines.append(f"  a step of {self.step:.3g} s shows all of them; differences are good to {self.error:.1g}")
        else:
            lines.append("  nothing swings, grows or dies away")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return cells.shown(f"Modes of {self.mechanism} {self.around}", cells.report(str(self).partition("\n")[2]))


@explained
def modes(
    mechanism: Any,
    state: Any = None,
    *,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
) -> Modes:
    """Small oscillations of `mechanism` around a `state` of rest: frequencies, damping, shapes.

    The state is that of an equilibrium, an assembly, an evaluation or a run; constraints and drivers at rest are kept.
    Without one it is the equilibrium that is found from `start` and `near`, at time `t`.  The accelerations that the
    equations of motion give are differentiated in independent coordinates, which are found in the `coordinates` (and
    the `basis`) asked for.  A state that moves, or that forces would move, is refused: `mechanism.equilibrium()` finds
    one that is not.

    Units: t [s].

    >>> found = lw.gallery.double_pendulum().modes(near={"upper.angle": -1.5, "lower.angle": -1.5})
    >>> found.stability, len(found)
    ('stable', 2)
    """
    model = model_in(mechanism, coordinates, basis)
    return found_modes(model, rest_of(model, "modes", state, start, near, t, coordinates))


def found_modes(model: Model, free: FreeMotion, check: bool = True) -> Modes:
    """Eigenvalues and shapes of the linear motion around a state of rest."""
    found = slopes_at(model, free, check)
    kept = kept_modes(model, free.shapes, found)
    return Modes(model.mechanism.name, free.state_at(free.y), found.K, found.D, free.shapes, kept, found.error)


def kept_modes(model: Model, shapes: np.ndarray, found: Slopes) -> tuple[Mode, ...]:
    """Modes of a linear motion, the slowest first; `shapes` are the speeds of the bodies for unit rates of z."""
    n = len(found.K)
    values, vectors = np.linalg.eig(found.matrix) if n else (np.zeros(0), np.zeros((0, 0)))
    fastest = np.abs(values).max(initial=0.0)
    # eigenvalues of zero come in pairs, which rounding of K spreads by its square root
    noise = max(STILL * fastest, 10.0 * math.sqrt(found.off)) if n else 0.0
    modes = []
    for value, vector in zip(values, vectors.T):
        exact = complex(0.0 if abs(value) <= noise else value)
        if abs(exact.real) <= max(1e-7 * fastest, found.off_too):
            exact = complex(0.0, exact.imag)
        if exact.imag < 0.0:
            continue
        modes.append(Mode(exact, _shape(model, shapes, vector[:n])))
    zeros = [one for one in modes if one.eigenvalue == 0.0]
    kept = sorted((one for one in modes if one.eigenvalue != 0.0), key=lambda one: abs(one.eigenvalue))
    return (*zeros[: (len(zeros) + 1) // 2], *kept)  # a freedom that floats has the eigenvalue zero twice


def _shape(model: Model, shapes: np.ndarray, z: np.ndarray) -> dict[str, complex]:
    """Ways and turns of the bodies, the largest as one."""
    moved = shapes @ z
    ways = np.array([1.0] * model.dimension + [model.length] * (model.dof - model.dimension))
    size = moved * np.tile(ways, len(model.bodies))
    largest = size[int(np.abs(size).argmax())] if size.size else 1.0
    scaled = moved / (largest if largest != 0.0 else 1.0)
    return {name: complex(value) for name, value in zip(model.coordinate_names, scaled) if name}
