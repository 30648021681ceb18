"""The linear motion around a state of rest, as matrices in independent coordinates of unit mass.

z'' = -K z - D z' + G s        s' = Z z + V z' + S s        s: states of laws
"""

from __future__ import annotations

import math

import numpy as np

from linkwork.analysis.free_motion import FreeMotion
from linkwork.analysis.resting import AT_REST
from linkwork.errors import AnalysisError, message
from linkwork.records import dataclass


@dataclass(frozen=True)
class Slopes:
    """K, D, G, Z, V and S, how far K and D may be off, and what turns ways into speeds, in 1/s."""

    K: np.ndarray
    D: np.ndarray
    G: np.ndarray
    Z: np.ndarray
    V: np.ndarray
    S: np.ndarray
    off: float  # of K
    off_too: float  # of D
    pace: float

    @property
    def matrix(self) -> np.ndarray:
        """A of (z, z', s)' = A (z, z', s)."""
        n = len(self.K)
        top = [np.zeros((n, n)), np.eye(n), np.zeros(self.G.shape)]
        return np.block([top, [-self.K, -self.D, self.G], [self.Z, self.V, self.S]])

    @property
    def error(self) -> float:
        """How far K and D may be off, as a part of the largest."""
        largest = max(np.abs(self.K).max(initial=0.0), self.pace * np.abs(self.D).max(initial=0.0), 1e-300)
        return max(self.off, self.pace * self.off_too) / largest


def slopes_at(model, free: FreeMotion, check: bool = True) -> Slopes:
    """The matrices at the state of a free motion; with `check` a state that forces would move is refused."""
    K, off = free.stiffness()
    pace = math.sqrt(free.usual(K))
    D, off_too = free.damping(pace)
    here = free.second(free.y) if free.freedom else np.zeros(0)
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
    Z, V = free.slopes_of_rates(pace)
    return Slopes(K, D, G, Z, V, S, off, off_too, pace)
