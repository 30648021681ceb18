"""Families of classes by name: a class registers itself when it is made; modules are loaded when they are needed."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from functools import cache
from importlib import import_module
from typing import Generic, TypeVar

Kind = TypeVar("Kind", bound=type)


@cache
def load_all() -> None:
    """Load every module of descriptions, so that the families are complete."""
    from pkgutil import iter_modules

    package = import_module("linkwork.mechanism")
    for module in iter_modules(package.__path__):
        import_module(f"{package.__name__}.{module.name}")


def is_ours(kind: type) -> bool:
    """Whether a class is one of the product."""
    return kind.__module__.startswith("linkwork.")


class Kinds(MutableMapping[str, Kind], Generic[Kind]):
    """Classes of one family by name.

    A name that is not known yet, or all names together, load the modules that have not been loaded.
    """

    def __init__(self) -> None:
        self._known: dict[str, Kind] = {}

    def add(self, kind: Kind) -> None:
        """Register a class under its name, unless that begins with _."""
        if not kind.__name__.startswith("_"):
            self[kind.__name__] = kind

    def __setitem__(self, name: str, kind: Kind) -> None:
        known = self._known.get(name)
        if known is None or is_ours(known) or not is_ours(kind):  # the user's stays when ours is loaded later
            self._known[name] = kind

    def __getitem__(self, name: str) -> Kind:
        if name not in self._known:
            load_all()
        return self._known[name]

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __iter__(self) -> Iterator[str]:
        load_all()
        return iter(self._known)

    def __len__(self) -> int:
        load_all()
        return len(self._known)
