"""What is its freedom, which constraints are redundant, what is connected to what?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork import cells
from linkwork.analysis.assemble import assemble
from linkwork.analysis.common import as_model
from linkwork.analysis.kinks import jumps_from
from linkwork.analysis.options import Coordinates, Time, Values
from linkwork.analysis.rank import pivoted_qr, scaled_rows, separated
from linkwork.arguments import explained
from linkwork.compiled.graph import components, count_loops
from linkwork.compiled.linkages import linkage_of
from linkwork.coordinates.body import System
from linkwork.coordinates.frames import frame_in
from linkwork.result.reactions import unique_components
from linkwork.result.state import State


@dataclass(frozen=True)
class Check:
    """A mechanism looked over; `print` it."""

    name: str
    bodies: int
    coordinates: int
    constraints: int
    freedom: int
    position_freedom: int  # more than the freedom of velocity where rows hold speeds only (rolling, a blade)
    loops: int
    unconnected: tuple[str, ...]
    redundant: int
    redundant_rows: tuple[tuple[str, ...], ...]
    redundant_joints: tuple[str, ...]
    not_unique: dict
    singular: bool
    tree: tuple[str, ...]  # joints that carry bodies in joint coordinates
    cut: tuple[str, ...]  # joints and couplings that close loops there
    floating: tuple[str, ...]  # bodies that no joint leads to
    jumps: tuple[str, ...] = ()  # what drivers ask for at once
    linkage: Any = None  # the kind of a four-bar or slider-crank: name, turns_fully, change_point

    def _repr_html_(self) -> str:
        return cells.shown(f"Check of {self.name}", cells.report(str(self).partition("\n")[2]))

    def __str__(self) -> str:
        of_speed = "" if self.position_freedom == self.freedom else f" of velocity, {self.position_freedom} of position"
        lines = [
            f"Mechanism '{self.name}': {self.bodies} bodies, {self.coordinates} coordinates, "
            f"{self.constraints} constraints",
            f"  freedom              {self.freedom}{of_speed}",
            f"  independent loops    {self.loops}",
        ]
        if self.linkage is not None:
            lines.append(f"  kind                 {self.linkage}")
        if self.unconnected:
            lines.append("  not connected to ground: " + ", ".join(self.unconnected))
        if self.redundant:
            joints = ", ".join(self.redundant_joints)
            lines.append(f"  redundant constraints  {self.redundant}, among the joints {joints}")
            for rows in self.redundant_rows:
                lines.append("    follows from each other: " + ", ".join(rows))
            open_ = [f"{joint} along {', '.join(parts)}" for joint, parts in self.not_unique.items()]
            lines.append("    reactions that are not unique: " + "; ".join(open_))
        else:
            lines.append("  redundant constraints  none")
        lines.append(
            "  joint coordinates    tree "
            + (", ".join(self.tree) or "without joints")
            + ("; closed by " + ", ".join(self.cut) if self.cut else "")
            + ("; floating " + ", ".join(self.floating) if self.floating else "")
        )
        lines += [f"  {jump}" for jump in self.jumps]
        if self.singular:
            lines.append("  this is a singular position: the freedom here is larger than nearby")
        return "\n".join(lines)


@explained
def check(
    mechanism: Any,
    *,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
) -> Check:
    """Assemble `mechanism` and say what it is: freedom, loops, unconnected bodies, redundant rows and their joints.

    `start`, `near`, `t` and `coordinates` are those of `assemble`.

    Drivers that ask for another position or speed at once are looked for in the 100 s that follow.

    Units: t [s].

    >>> found = lw.check(lw.gallery.four_bar())
    >>> found.freedom, found.loops, found.redundant
    (1, 1, 0)
    """
    model = as_model(mechanism)
    assembly = assemble(model, start=start, near=near, t=t, coordinates=coordinates)
    rank, m = assembly.rank, model.mechanism
    names = [body.name for body in model.bodies]
    joints = [edge for edge in model.edges if edge.name in m.joints]
    reached = next(set(group) for group in components(["ground", *names], model.edges) if "ground" in group)
    redundant = len(rank.dropped)
    tree = model.tree
    vectors = rank.dependencies if redundant else np.zeros((0, len(model.rows)))
    taking_part = [tuple(model.rows[r].name for r in np.flatnonzero(vector)) for vector in separated(vectors)]
    involved = np.flatnonzero(np.any(vectors != 0.0, axis=0))
    items = tuple(dict.fromkeys(model.rows[r].item for r in involved))
    return Check(
        m.name,
        len(names),
        sum(1 for name in model.coordinate_names if name),
        len(model.rows),
        rank.freedom,
        _position_freedom(model, assembly.state, rank.freedom),
        count_loops(names, joints),
        tuple(name for name in names if name not in reached),
        redundant,
        tuple(taking_part),
        items,
        _not_unique(model, assembly.state, vectors, items),
        rank.singular,
        tree.joints,
        tree.cut,
        tree.floating,
        jumps_from(model, assembly.state.t),
        linkage_of(m),
    )


def _position_freedom(model, state, freedom: int) -> int:
    """Freedom that the rows of position leave, those that hold speeds only not counted."""
    if not any(row.speed for row in model.rows):
        return freedom
    system = System(model.plan(), state.values)
    system.locate(state.t, state.y)
    rows = [r for r, row in enumerate(model.rows) if not row.speed]
    return int(system.columns.sum()) - pivoted_qr(scaled_rows(system, rows, system.columns).T)[1]


def _not_unique(model, state, vectors, items) -> dict:
    """Components of reactions, in the axes of the joint, that redundancy leaves open."""
    found = {}
    for item in items:
        rows = [r for r, row in enumerate(model.rows) if row.item == item]
        joint = model.mechanism.joints.get(item)
        axes = np.eye(3)
        if joint is not None:
            axes = frame_in(model, joint.on, state.y)[1]
        open_ = [
            label or "effort" for label, unique in unique_components(model, rows, vectors, axes).items() if not unique
        ]
        if open_:
            found[item] = tuple(open_)
    return found
