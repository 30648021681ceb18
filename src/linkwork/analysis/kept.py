"""What is kept for the next time, and no more than a few of it."""

from __future__ import annotations

from typing import TypeVar

Key = TypeVar("Key")
Thing = TypeVar("Thing")


def keep(known: dict[Key, Thing], key: Key, thing: Thing, most: int) -> None:
    """Keep a thing under a key, the last of at most so many: the oldest go.  Other threads may do the same."""
    known.pop(key, None)
    for old in list(known)[: max(0, len(known) + 1 - most)]:
        known.pop(old, None)
    known[key] = thing
