"""One module a package: `methods(scheme)` says how it can run a problem, `prepare` makes one run ready for the clock.

`prepare(scheme, method, setting)` builds everything that is outside the clock and returns a function.  Each call of
that function starts from the beginning and returns the seconds of the integration and the error at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

#: end of the names of methods that run on the tree whose loops are closed at the ground
SINGLE = ", closed at ground"


class CannotExpressError(Exception):
    """The package has no words for the problem; the message is the reason, as it stands below the table."""


@dataclass(frozen=True)
class Method:
    """A way of integrating with one knob.

    `kind` is "steps" (number of equal steps, growing from `first`) or "tolerance" (shrinking from `first`); the knob
    is turned until `last`.
    """

    name: str
    kind: str
    first: float
    last: float

    def setting(self, rung: int) -> float:
        """The knob at a rung: 19 % more steps, or a tolerance 1.78 times smaller, from one rung to the next."""
        if self.kind == "steps":
            return round(self.first * 2.0 ** (rung / 4))
        return self.first * 10.0 ** (-rung / 4)

    @property
    def stride(self) -> int:
        """Rungs between the coarse settings that the search tries first: 4 times the steps, a tenth of a tolerance."""
        return 8 if self.kind == "steps" else 4

    @property
    def rungs(self) -> int:
        """Number of rungs up to `last`."""
        rung = 0
        while (self.setting(rung) <= self.last) if self.kind == "steps" else (self.setting(rung) >= self.last):
            rung += 1
        return rung


def remember(kept: dict, key, build, most: int = 3):
    """A built model, from `kept` where it is there; only the last few are kept."""
    if key not in kept:
        while len(kept) >= most:
            kept.pop(next(iter(kept)))
        kept[key] = build()
    return kept[key]


#: name on the command line -> (title, module, distribution whose version is told)
TOOLS = {
    "linkwork": ("Linkwork", "benchmarks.peers.tools.with_linkwork", "linkwork"),
    "exudyn": ("Exudyn", "benchmarks.peers.tools.with_exudyn", "exudyn"),
    "mujoco": ("MuJoCo", "benchmarks.peers.tools.with_mujoco", "mujoco"),
    "pinocchio": ("Pinocchio", "benchmarks.peers.tools.with_pinocchio", "pin"),
    "drake": ("Drake", "benchmarks.peers.tools.with_drake", "drake"),
    "opensim": ("OpenSim", "benchmarks.peers.tools.with_opensim", "opensim"),
}
