"""Small oscillations around a state of rest: stiffness, damping, frequencies, shapes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linkwork.analysis.common import as_model
from linkwork.analysis.doors import admitted, given_state
from linkwork.analysis.free_motion import FreeMotion
from linkwork.analysis.options import Coordinates
from linkwork.arguments import explained
from linkwork.errors import AnalysisError, DescriptionError, message
from linkwork.result.state import State

AT_REST = 1e-6  # speeds, and accelerations against those that forces cause, below which a state is one of rest
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
class Modes:
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

    def __len__(self) -> int:
        return len(self.modes)

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.modes)

    def __getitem__(self, k) -> Mode:
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
        lines = [f"Modes of '{self.mechanism}' at rest: {len(self.modes)}, {self.stability}"]
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
        lines.append(f"  a step of {self.step:.3g} s shows all of them; differences are good to {self.error:.1g}")
        return "\n".join(lines)


@explained
def modes(mechanism: Any, state: Any, *, coordinates: Coordinates = "auto") -> Modes:
    """Small oscillations of `mechanism` around a `state` of rest: frequencies, damping, shapes.

    The state is that of an equilibrium, an assembly, an evaluation or a run; constraints and drivers at rest are kept.
    The accelerations that the equations of motion give are differentiated in independent coordinates, which are found
    in the `coordinates` asked for ("body", "joint" or "auto").  A state that moves, or that forces would move, is
    refused: `mechanism.equilibrium()` finds one that is not.

    >>> m = lw.gallery.double_pendulum()
    >>> found = m.modes(m.equilibrium(near={"upper.angle": -1.5, "lower.angle": -1.5}))
    >>> found.stability, len(found)
    ('stable', 2)
    """
    model = as_model(mechanism)
    given = given_state(getattr(state, "state", state), "state")
    if given is None:
        raise DescriptionError(
            message(
                "modes", "needs a state", repr(state)[:60], "a State, an assembly or an equilibrium", "m.equilibrium()"
            )
        )
    free = FreeMotion(model, admitted(model, given, None), coordinates)
    refuse_motion(model, free, given)
    return found_modes(model, free)


def refuse_motion(model, free: FreeMotion, given: State) -> None:
    """Raise for a state that moves, or drivers that do."""
    n_q, n_v = model.n_q, model.n_v
    speed = np.abs(given.y[n_q : n_q + n_v]).max(initial=0.0)
    free.system.locate(free.t, free.y)
    speeds = free.system.nu.copy()
    free.second(free.y)
    for asked, what in ((speeds, "a speed"), (free.system.gamma, "an acceleration")):
        asked = np.abs(asked * free.system.held)
        if asked.max(initial=0.0) > AT_REST:
            row = free.system.plan.rows[int(asked.argmax())]
            raise AnalysisError(
                message(
                    f"Mechanism '{model.mechanism.name}'",
                    f"is moved by '{row.item}' at t = {free.t:g} s",
                    f"{what} of {asked.max():.3g}",
                    "drivers at rest",
                    "hold it at a value",
                )
            )
    if speed > AT_REST:
        raise AnalysisError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "moves in this state",
                f"speeds up to {speed:.3g}",
                "a state of rest",
                "mechanism.equilibrium() finds one",
            )
        )


def found_modes(model, free: FreeMotion, check: bool = True) -> Modes:
    """Eigenvalues and shapes of the linear motion around a state of rest."""
    n = free.freedom
    K, off = free.stiffness()
    pace = math.sqrt(free.usual(K))
    D, off_too = free.damping(pace)
    here = free.second(free.y) if n else np.zeros(0)
    left = float(np.abs(here * free.reach).max(initial=0.0))
    if check and left > AT_REST * pace**2:
        raise AnalysisError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "is not in equilibrium in this state",
                f"accelerations up to {left:.3g} rad/s^2, or {left * free.size:.3g} m/s^2",
                "a state of rest",
                "mechanism.equilibrium() finds one",
            )
        )
    G, S = free.state_slopes(free.y)
    drift = float(np.abs(G @ free.rates(free.y) * free.reach).max(initial=0.0)) if S.size else 0.0
    if drift > AT_REST * pace**3:
        raise AnalysisError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "has laws whose states are not at rest in this state",
                f"accelerations change by up to {drift:.3g} rad/s^3",
                "a state of rest",
                "mechanism.equilibrium() finds one",
            )
        )
    matrix = np.block([[np.zeros((n, n)), np.eye(n), np.zeros(G.shape)], [-K, -D, G], [*free.slopes_of_rates(pace), S]])
    values, vectors = np.linalg.eig(matrix) if n else (np.zeros(0), np.zeros((0, 0)))
    fastest = np.abs(values).max(initial=0.0)
    # eigenvalues of zero come in pairs, which rounding of K spreads by its square root
    noise = max(STILL * fastest, 10.0 * math.sqrt(off)) if n else 0.0
    found = []
    for value, vector in zip(values, vectors.T):
        exact = complex(0.0 if abs(value) <= noise else value)
        if abs(exact.real) <= max(1e-7 * fastest, off_too):
            exact = complex(0.0, exact.imag)
        if exact.imag < 0.0:
            continue
        found.append(Mode(exact, _shape(model, free, vector[:n])))
    zeros = [one for one in found if one.eigenvalue == 0.0]
    kept = sorted((one for one in found if one.eigenvalue != 0.0), key=lambda one: abs(one.eigenvalue))
    kept = [*zeros[: (len(zeros) + 1) // 2], *kept]  # a freedom that floats has the eigenvalue zero twice
    largest = max(np.abs(K).max(initial=0.0), pace * np.abs(D).max(initial=0.0), 1e-300)
    error = max(off, pace * off_too) / largest
    return Modes(model.mechanism.name, free.state_at(free.y), K, D, free.shapes, tuple(kept), error)


def _shape(model, free: FreeMotion, z) -> dict[str, complex]:
    """Ways and turns of the bodies, the largest as one."""
    moved = free.shapes @ z
    ways = np.array([1.0] * model.dimension + [model.length] * (model.dof - model.dimension))
    size = moved * np.tile(ways, len(model.bodies))
    largest = size[int(np.abs(size).argmax())] if size.size else 1.0
    scaled = moved / (largest if largest != 0.0 else 1.0)
    return {name: complex(value) for name, value in zip(model.coordinate_names, scaled) if name}
