"""Redundant constraints in the user's words: how many, who takes part, along and about which axes of the joints.

A combination of rows that vanishes says that each of its rows follows from the others.  Combinations that share an item
are told together.  What the drivers have to do with it is read from the same combinations N:

    rank N[:, drivers]      drivers that ask for what joints or other drivers hold already
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from linkwork.analysis.rank import separated
from linkwork.compiled.graph import Edge, components
from linkwork.coordinates.frames import frame_in
from linkwork.errors import RedundancyWarning, message, plural, warn
from linkwork.result.reactions import unique_components

SHOWN = 6  # groups, and items of a group; of more, the rest is counted
FEW = 60  # combinations that are mixed until few rows take part in each
NONE = 1e-6  # of a combination of unit size: what does not take part


class Redundancy(NamedTuple):
    """Constraints that follow from each other: how many are too many, who takes part, and in which directions."""

    number: int
    joints: tuple[str, ...]  # joints and drivers that take part
    directions: dict[str, tuple[str, ...]]  # of each, in its own axes: "along z", "about x"
    rows: tuple[tuple[str, ...], ...]  # that follow from each other, one list for each constraint too many

    def text(self, drivers: Iterable[str] = ()) -> str:
        """How many among whom, and in which directions; each is named once."""
        known = set(drivers)
        found: dict[str, list[str]] = {}
        for name in self.joints:
            found.setdefault("" if name in known else phrase(self.directions[name]), []).append(name)
        driving = found.pop("", [])
        told = f"the drivers {counted(driving)}" if driving else ""
        if not found:
            return f"{self.number}, among {told}"
        if len(found) == 1:
            ((words, names),) = found.items()
            joints = " and ".join(filter(None, [f"the joints {counted(names)}", told]))
            return f"{self.number}, among {joints}: {words}" + " of each" * (len(names) > 1)
        parts = [f"{words} of {counted(names)}" for words, names in found.items()]
        return f"{self.number}: {'; '.join(filter(None, [*parts, told and f'with {told}']))}"


class Driven(NamedTuple):
    """How drivers and freedom compare: `kind`, drivers, the freedom without them, and who asks in vain."""

    kind: str  # "not driven", "under-driven", "fully driven", "over-driven"
    drivers: int
    freedom: int  # without the drivers
    spare: tuple[tuple[str, ...], ...]  # groups of drivers that drive one freedom; one alone: what joints hold already
    text: str

    def __str__(self) -> str:
        return self.text


def counted(names: Iterable[str], between: str = ", ", most: int = SHOWN) -> str:
    """Names in a row; of many, the rest is counted."""
    names = list(names)
    more = f"{between}and {len(names) - most} more" if len(names) > most else ""
    return between.join(names[:most]) + more


def phrase(words: Iterable[str]) -> str:
    """("along z", "about x", "about y") as "along z, about x and y"."""
    found: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (not word.startswith("along"), word)):
        how, _, axis = word.partition(" ")
        found.setdefault(how, []).append(axis)
    return ", ".join(
        f"{how} {' and '.join(filter(None, [', '.join(axes[:-1]), axes[-1]]))}".strip() for how, axes in found.items()
    )


def direction(label: str) -> str:
    """What a row of a joint holds, in words: along an axis of `on`, or about one.

    x-z keeps x of `on` at right angles to z of `to`, so it holds the turning about y.
    """
    if label in ("x", "y", "z"):
        return f"along {label}"
    if label == "angle":
        return "about z"
    one, dash, other = label.partition("-")
    if dash and {one, other} <= {"x", "y", "z"}:
        left = [axis for axis in "xyz" if axis not in (one, other)]
        return f"about {left[0]}" if len(left) == 1 else f"about the normal of both {one}"
    return label or "as driven"


def groups_of(model, vectors: np.ndarray, y: np.ndarray) -> tuple[Redundancy, ...]:
    """Combinations of rows that vanish at a state, those together that share an item."""
    if not len(vectors):
        return ()
    items = [[model.rows[r].item for r in np.flatnonzero(vector)] for vector in vectors]
    names = list(dict.fromkeys(name for group in items for name in group))
    place = {name: k for k, name in enumerate(model.rows_of)}
    found = []
    for group in components(names, [Edge(str(k), tuple(one)) for k, one in enumerate(items)]):
        some = set(group)
        own = vectors[[k for k, one in enumerate(items) if one[0] in some]]
        group = sorted(group, key=place.__getitem__)
        own = separated(own) if len(own) <= FEW else own
        rows = tuple(tuple(model.rows[r].name for r in np.flatnonzero(one)) for one in own)
        words = {name: tuple(map(direction, open_components(model, name, own, y))) for name in group}
        found.append(Redundancy(len(own), tuple(group), words, rows))
    return tuple(sorted(found, key=lambda one: place[one.joints[0]]))


def open_components(model, item: str, vectors: np.ndarray, y: np.ndarray) -> tuple[str, ...]:
    """Labels of rows of an item that have part in combinations, along and about the axes of its joint."""
    joint = model.mechanism.joints.get(item)
    axes = np.eye(3) if joint is None else frame_in(model, joint.on, y)[1]
    return tuple(
        label for label, unique in unique_components(model, model.rows_of[item], vectors, axes).items() if not unique
    )


def driven_by(model, rank, free=frozenset()) -> Driven:
    """How the drivers compare with the freedom that the joints leave (Nikravesh, 13.6), at a position and nearby.

    Drivers whose rows are free drive nothing.
    """
    rows = [r for r, row in enumerate(model.rows) if row.kind == "driver" and r not in free]
    _, sizes, shares = np.linalg.svd(rank.redundancies[:, rows], full_matrices=False)
    vain = int(np.sum(sizes > NONE))
    freedom, left, count = rank.nearby + len(rows) - vain, rank.nearby, len(rows)
    drivers = f"{plural(count, 'driver')} for {plural(freedom, 'freedom')}"
    if not count:
        text = f"not driven: {plural(left, 'freedom')} left to forces" if left else "not driven, nothing moves"
        return Driven("not driven", 0, freedom, (), text)
    if vain:
        taking_part = separated(shares[:vain])
        spare = tuple(tuple(model.rows[rows[k]].item for k in np.flatnonzero(one)) for one in taking_part)
        told = "; ".join(
            f"{', '.join(names)} drive one freedom" if len(names) > 1 else f"{names[0]} drives what joints hold"
            for names in spare
        )
        rest = f"; {left} left to forces" if left else ""
        return Driven("over-driven", count, freedom, spare, f"over-driven: {drivers}; {told}{rest}")
    if left:
        return Driven("under-driven", count, freedom, (), f"under-driven: {drivers}, {left} left to forces")
    return Driven("fully driven", count, freedom, (), f"fully driven: {drivers}, forces follow from the motion")


def warn_of_redundancy(model, rank) -> None:
    """Say that constraints follow from others, and among whom."""
    told = f"{len(rank.dropped)} redundant constraints"
    if len(rank.dropped) <= FEW:
        groups = groups_of(model, rank.redundancies, rank.base)
        told = "redundant constraints: " + "; ".join(one.text(model.mechanism.drivers) for one in groups)
    warn(
        message(
            f"Mechanism '{model.mechanism.name}'",
            f"has {told}. They fit together and the motion is right, but reactions there are not unique",
            remedy="what mechanism.check() suggests may avoid it",
        ),
        RedundancyWarning,
    )
