"""What a mechanism does not have, and what cannot be changed: words for who asks for it, or assigns to it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any, NoReturn

from linkwork.errors import DescriptionError, UnknownAttributeError, message, nearest_names
from linkwork.mechanism.checks import shown_name

#: what other programs, and books, call it
WORDS = {
    "dof": "check().freedom",
    "freedom": "check().freedom",
    "degrees_of_freedom": "check().freedom",
    "mobility": "check().freedom",
    "run": "simulate",
    "solve": "simulate",
    "integrate": "simulate",
    "constraints": "joints",
    "links": "bodies",
    "state": "assemble().state",
}


#: attributes of every mechanism
KEPT = ("name", "dimension", "ground", "bases")


def missing(mechanism: Any, key: str) -> UnknownAttributeError:
    """The error for an attribute that a mechanism does not have: an item is asked for by name, methods are told."""
    item = f"Mechanism '{mechanism.name}'"
    what = f"has no attribute '{key}'"
    if key in mechanism:
        return UnknownAttributeError(message(item, what, remedy=f'items are asked for by name: mechanism["{key}"]'))
    known = [name for name in dir(type(mechanism)) if not name.startswith("_")]
    near = [WORDS[key]] if key in WORDS else nearest_names(key, known)
    items = nearest_names(key, mechanism._names())
    found = [f".{one}" for one in near] + [f'["{one}"]' for one in items]
    meant = (
        f"perhaps mechanism{' or mechanism'.join(found)} is meant" if found else "all that it has is in dir(mechanism)"
    )
    return UnknownAttributeError(message(item, what, remedy=meant))


class FrozenError(UnknownAttributeError, FrozenInstanceError):
    """A field of a description that somebody would change."""


class HeldError(DescriptionError, TypeError):
    """Something between brackets that somebody would put there, or take away."""


class Parameters(dict):
    """Numbers by name, which stay as they are."""

    def _refuse(self, *given: Any, **options: Any) -> NoReturn:
        wrong, remedy = "stay as they are", 'write other = mechanism.with_numbers({"L": 0.3})'
        raise HeldError(message("Parameters of a mechanism", wrong, remedy=remedy))

    __setitem__ = __delitem__ = __ior__ = update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple:
        return Parameters, (dict(self),)


def frozen(thing: Any, key: str) -> FrozenError:
    """The error for a change of something that is described: what would be written instead."""
    from linkwork.mechanism.recipes import place_of

    name = thing.__dict__.get("name")
    item = getattr(thing, "item", f"{type(thing).__name__} '{name}'" if name else type(thing).__name__)
    known = [one.name for one in fields(thing)]
    if key not in known:
        near = nearest_names(key, known)
        remedy = f"perhaps {near[0]} is meant" if near else None
        return FrozenError(message(item, f"has no '{key}', and stays as it is", remedy=remedy))
    if not name:
        remedy = f"make another one, with the {key} that is wanted"
    elif place_of(type(thing), key):
        remedy = f'write other = mechanism.with_numbers({{"{name}.{key}": ...}}), or mechanism.replace("{name}", ...)'
    else:
        remedy = f'write mechanism.replace("{name}", ...)'
    return FrozenError(message(item, f"stays as it is, and so does its {key}", remedy=remedy))


def put(mechanism: Any, key: str, value: Any) -> None:
    """Set an attribute of a mechanism: its name and gravity, and what derived classes add."""
    item, kind = f"Mechanism '{mechanism.__dict__.get('name')}'", type(mechanism)
    own, ours = getattr(kind, key, None), kind.__module__.startswith("linkwork.")
    if key == "name":
        if not isinstance(value, str):
            raise DescriptionError(message(item, "gets a name that is no text", repr(value), "a text"))
        value = shown_name(value, "Mechanism", "name")
    elif key == "dimension" and key in mechanism.__dict__:
        raise DescriptionError(
            message(item, "keeps its dimension", remedy="write lw.Mechanism(dimension=3), or mechanism.in_space()")
        )
    elif key == "parameters":
        mechanism.parameters[key] = value  # says what to write
    elif isinstance(own, property) and own.fset is None:
        remedy = "write mechanism.add, mechanism.replace or mechanism.remove, for one at a time"
        raise UnknownAttributeError(message(item, f"keeps its {key}", remedy=remedy))
    elif (key == "ground" and key in mechanism.__dict__) or (callable(own) and ours):
        raise UnknownAttributeError(message(item, f"keeps its {key}", remedy="take another name for what is yours"))
    elif not key.startswith("_") and own is None and key not in KEPT and ours:
        raise missing(mechanism, key)
    object.__setattr__(mechanism, key, value)


def put_item(mechanism: Any, key: Any, value: Any) -> NoReturn:
    """Refuse `mechanism["crank"] = ...`."""
    word = "replace" if key in mechanism else "add"
    raise HeldError(
        message(f"Mechanism '{mechanism.name}'", "takes no items by =", remedy=f'write mechanism.{word}("{key}", ...)')
    )


def take_item(mechanism: Any, key: Any) -> NoReturn:
    """Refuse `del mechanism["crank"]`."""
    raise HeldError(
        message(f"Mechanism '{mechanism.name}'", "loses no items by del", remedy=f'write mechanism.remove("{key}")')
    )
