"""What a mechanism does not have: words for who asks for it."""

from __future__ import annotations

from typing import Any

from linkwork.errors import UnknownAttributeError, message, nearest_names

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
