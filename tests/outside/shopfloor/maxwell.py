"""A force with a state in one file: a spring and a damper in a row, as rubber creeps."""

from dataclasses import dataclass
from typing import ClassVar

import linkwork as lw
from linkwork.mechanism import checks
from linkwork.mechanism.checks import settle
from linkwork.mechanism.forces import Force
from linkwork.mechanism.frames import Place, as_frame
from linkwork.mechanism.law_parts import LawPart


def creeping(values, rates, t, numbers, memory, out, states, state_rates):
    """The spring is stretched by u:  u' = length' - k u / c,  tension = k u."""
    tension = numbers[0] * states[0]
    state_rates[0] = rates[0] - tension / numbers[1]
    out[0] = -tension


def stretched(values, numbers, states):
    """Energy of the spring."""
    return 0.5 * numbers[0] * states[0] ** 2


@dataclass(frozen=True)
class Maxwell(Force):
    """A spring and a damper, one behind the other, between two points; it begins without tension."""

    on: Place
    to: Place
    stiffness: checks.Stiffness = 0.0
    damping: checks.Damping = 0.0

    sample: ClassVar[dict] = {"stiffness": 40.0, "damping": 3.0}

    def __post_init__(self):
        for end in ("on", "to"):
            object.__setattr__(self, end, as_frame(getattr(self, end), self.item, end))
        settle(self, self.item, "stiffness", "damping")

    def parts(self):
        way = (lw.Distance(self.on, self.to),)
        numbers = (self.stiffness, self.damping)
        return (
            LawPart("maxwell", "long", creeping, way, way, numbers, "dissipates", stretched, states={"stretch": 0.0}),
        )

    def readings(self):
        return {"length": lw.Distance(self.on, self.to)}
