"""What was warned of while designs were answered: it comes back with the answers, and whoever asked tells it.

A *doubt* is one warning as a text, "MovedWarning: Mechanism 'four-bar' ...".  Those of a design are the same whoever
runs it.  Others are of laws and options, such as a law that cannot be compiled: each process meets them once, and they
are told once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from linkwork import errors
from linkwork.errors import LinkworkWarning, warn

LONGEST = 500  # letters of a reason or a doubt


def line(words: object) -> str:
    """A text as one line, cut where it is too long."""
    return " ".join(str(words).split())[:LONGEST]


def doubts_of(noted: Iterable[tuple[type[Warning], str]]) -> list[str]:
    """Doubts of a design among what was noted of it; what is no doubt of a design is warned of here."""
    found = []
    for kind, text in noted:
        if issubclass(kind, LinkworkWarning) and not issubclass(kind, RuntimeWarning):
            found.append(f"{kind.__name__}: {line(text)}")
        else:
            warn(text, kind)
    return list(dict.fromkeys(found))


def others_of(noted: Iterable[tuple[type[Warning], str]]) -> list[str]:
    """The other way round: what was noted beside designs, without doubts of designs."""
    found = [f"{kind.__name__}: {line(text)}" for kind, text in noted]
    return [one for one in dict.fromkeys(found) if not of_design(one)]


def kind_of(doubt: str) -> str:
    """The name of its kind of warning."""
    return doubt.partition(":")[0]


def of_design(doubt: str) -> bool:
    """Whether it is one of a design."""
    kind = _kind(doubt)
    return issubclass(kind, LinkworkWarning) and not issubclass(kind, RuntimeWarning)


def retell(doubt: str) -> None:
    """Warn of it, here."""
    warn(doubt.partition(":")[2].strip(), _kind(doubt))


def _kind(doubt: str) -> type[Warning]:
    return _named(kind_of(doubt))


@lru_cache
def _named(name: str) -> type[Warning]:
    for one in (RuntimeWarning, DeprecationWarning):
        if name == one.__name__:
            return one
    found = getattr(errors, name, None)
    return found if isinstance(found, type) and issubclass(found, LinkworkWarning) else LinkworkWarning
