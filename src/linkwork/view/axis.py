"""What stands at an axis: what a unit measures in words, and the unit as it is printed."""

from __future__ import annotations

from linkwork.units.names import KINDS, WrongUnit, unit_of

#: joules and watt hours are of energies; newton metres, of the same dimension, are of moments
ENERGIES = ("J", "Wh")


def unit_text(unit: str) -> str:
    """A unit as it is printed: powers raised, factors with a dot between."""
    return unit.replace("^2", "²").replace("^3", "³").replace(" ", "·")


def axis_label(unit: str, of: str | None = None) -> str:
    """What an axis shows, with its unit in brackets; `of` is the unit in SI of what is shown, where that is known."""
    if unit in ("", "1"):
        return "value" if not unit else "value [–]"
    return f"{measured(of or unit)} [{unit_text(unit)}]"


def measured(unit: str) -> str:
    """What a unit measures, in whatever scale: "force" of "kN"; "value" where nobody can say."""
    try:
        known = unit_of(unit)
    except WrongUnit:
        return "value"
    words = KINDS.get((*known.dimension, known.angle), "a pure number")
    if words == "a torque or energy":
        return "energy" if unit.endswith(ENERGIES) else "moment"
    if words == "a pure number" or (words == "a frequency" and not known.cycles):  # 1/s is the rate of any number
        return "value"
    return words.partition(" ")[2]
