"""Models that events make of a mechanism: with what may be switched, and with what has been.

| model   | has                                                                                                       |
|---------|-----------------------------------------------------------------------------------------------------------|
| core    | what is active in the description: all analyses but runs with events know only this one                   |
| full    | also rows that lock joints, and what is not active but may be switched on: both idle at first             |
| variant | a full one in which elements are off or on, drivers follow other functions, or numbers are others         |

States of a full model and of its variants have the same numbers in the same places.  Which rows are held is a matter of
the state; the rest is told by `Switches`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linkwork.compiled import laws as law_slots
from linkwork.compiled.events import Later
from linkwork.compiled.laws import OFF
from linkwork.compiled.model import Model
from linkwork.compiled.numbering import other_numbers, switching_model
from linkwork.errors import CompileError, message
from linkwork.mechanism.events import switched
from linkwork.records import dataclass

MOST_KEPT = 32  # variants of a model


@dataclass(frozen=True)
class Switches:
    """What of a full model is not as described: elements that are off, what drivers follow, numbers by name."""

    off: frozenset[str] = frozenset()
    drives: tuple[tuple[str, Any, float, bool], ...] = ()  # driver, function, when it begins, anew
    numbers: tuple[tuple[str, Any], ...] = ()

    def with_drive(self, driver: str, function: Any, begins: float, anew: bool) -> Switches:
        """The same with a driver that follows another function."""
        others = tuple(one for one in self.drives if one[0] != driver)
        return replace(self, drives=(*others, (driver, function, begins, anew)))

    def with_numbers(self, numbers: Mapping[str, Any]) -> Switches:
        """The same with other numbers."""
        return replace(self, numbers=tuple({**dict(self.numbers), **numbers}.items()))


def full_model(core: Model) -> Model:
    """The model with all that events may switch; the very same where they switch nothing that it does not have."""
    known = core.__dict__.get("_full")
    if known is None:
        known = core if not _more(core.mechanism) else switching_model(core)
        core.__dict__["_full"] = known
    return known


def _more(mechanism) -> bool:
    """Whether events switch what the core does not have."""
    if any(name in mechanism.drivers for name in switched(mechanism, "drive")):
        return True
    if any(name in mechanism.joints and not mechanism.joints[name].locked for name in switched(mechanism, "lock")):
        return True
    families = (mechanism.joints, mechanism.drivers, mechanism.forces)
    names = switched(mechanism, "hold")
    return any(not family[name].active for family in families for name in names if name in family)


def switches_of(model: Model) -> Switches:
    """What is switched in a model."""
    return model.__dict__.get("_switches") or Switches(frozenset(model.off_at_start))


def base_of(model: Model) -> Model:
    """The full model that a variant is of; a full one is its own."""
    return model.__dict__.get("_base", model)


def core_of(model: Model) -> Model:
    """The core of a model."""
    base = base_of(model)
    return base.__dict__.get("_core", base)


def variant(model: Model, switches: Switches) -> Model:
    """The model with these switches."""
    base = base_of(model)
    if switches == switches_of(base):
        return base
    kept = base.__dict__.setdefault("_variants", {})
    if switches not in kept:
        if len(kept) >= MOST_KEPT:
            kept.pop(next(iter(kept)))
        kept[switches] = _made(base, switches)
    return kept[switches]


def _made(base: Model, switches: Switches) -> Model:
    other = _with_numbers(base, dict(switches.numbers)) if switches.numbers else base
    laws = tuple(
        replace(law, slot=OFF, accept=None)
        if law.element in switches.off
        else replace(law, slot=law_slots.law_slot(law.part), accept=law_slots.accept_slot(law.part))
        for law in other.laws
    )
    functions, slots, rows = list(other.functions), list(other.function_slots), list(other.rows)
    for driver, function, begins, anew in switches.drives:
        (r,) = other.rows_of[driver]
        k = rows[r].function
        functions[k], slots[k] = Later(function, begins, driver), law_slots.function_slot(function)
        rows[r] = replace(rows[r], value=None if anew and not rows[r].speed else 0.0)
    found = replace(other, laws=laws, rows=tuple(rows), functions=tuple(functions), function_slots=tuple(slots))
    found.__dict__.update(_base=base, _switches=switches)
    return found


def _with_numbers(base: Model, numbers: Mapping[str, Any]) -> Model:
    """The base with other numbers; what changes its structure is refused."""
    mechanism = base.mechanism.with_numbers(numbers)
    found = switching_model(base, mechanism) if "_core" in base.__dict__ else other_numbers(base, mechanism, True)
    named = ", ".join(f"{name} = {value!r}" for name, value in numbers.items())
    same = (
        [row.name for row in found.rows] == [row.name for row in base.rows]
        and [law.element for law in found.laws] == [law.element for law in base.laws]
        and found.work_names == base.work_names
        and found.law_states.keys() == base.law_states.keys()
        and found.n_memory == base.n_memory
        and [(body.name, body.mass > 0.0) for body in found.bodies] == [(b.name, b.mass > 0.0) for b in base.bodies]
    )
    if not same:
        raise CompileError(
            message(
                f"Mechanism '{base.mechanism.name}'",
                "would get another structure by an event",
                named,
                "numbers that leave bodies, rows and laws as they are",
            )
        )
    return found
