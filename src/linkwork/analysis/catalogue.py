"""Analyses by the words that files, sweeps and searches know them by, and what their answers have by name."""

from __future__ import annotations

from typing import Literal, NamedTuple

from linkwork.arguments import explained


class Known(NamedTuple):
    """An analysis: its function in the public list, and what is read from its answer by the names of quantities.

    "series": numbers over time; "values": one number each; "": an object of its own, which a function has to read;
    "designs": it asks other analyses about many designs.
    """

    function: str
    answers: Literal["series", "values", "", "designs"]


ANALYSES = {
    "simulate": Known("simulate", "series"),
    "assemble": Known("assemble", "values"),
    "evaluate": Known("evaluate", "values"),
    "check": Known("check", ""),
    "kinematics": Known("kinematics", "series"),
    "range": Known("motion_range", ""),
    "inverse_dynamics": Known("inverse_dynamics", "series"),
    "energy_motion": Known("energy_motion", ""),
    "equilibrium": Known("equilibrium", "values"),
    "equilibria": Known("equilibria", ""),
    "steady": Known("steady", ""),
    "statics": Known("statics", "values"),
    "modes": Known("modes", ""),
    "linearize": Known("linearize", ""),
    "frequency_response": Known("frequency_response", ""),
    "sweep": Known("sweep", "designs"),
    "optimize": Known("optimize", "designs"),
    "fit": Known("fit", "designs"),
}
#: those that are asked about one design
OF_ONE = tuple(name for name, one in ANALYSES.items() if one.answers != "designs")
#: whose answers have series over time
TIMED = tuple(name for name, one in ANALYSES.items() if one.answers == "series")
#: whose series a fit can follow
FITTED = ("simulate", "kinematics")
#: arguments of these that give a motion in place of times
MOTIONS = {"kinematics": "over", "inverse_dynamics": "motion"}
#: that have a `count` of their own
COUNTED = ("equilibria", "frequency_response")
#: that take no start values
UNSTARTED = ("evaluate", "energy_motion")
#: whose answers a function has to read
REDUCED = tuple(name for name, one in ANALYSES.items() if not one.answers)


@explained
def known_analyses() -> dict[str, Known]:
    """Analyses that a file may ask for, by the word that `type` takes."""
    return dict(ANALYSES)
