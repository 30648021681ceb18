"""What is its freedom, which constraints are redundant, what is connected to what?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from linkwork import cells
from linkwork.analysis.assemble import assembled
from linkwork.analysis.common import model_in
from linkwork.analysis.kinks import jumps_from
from linkwork.analysis.leading import idle_bodies
from linkwork.analysis.options import Basis, Coordinates, Time, Tolerance, Values
from linkwork.analysis.rank import pivoted_qr, scaled_rows
from linkwork.analysis.redundancy import Driven, Redundancy, driven_by, groups_of, open_components
from linkwork.analysis.schedule import schedule
from linkwork.analysis.suggestion import Suggestion, suggest
from linkwork.arguments import explained
from linkwork.compiled.graph import components, count_loops
from linkwork.compiled.linkages import linkage_of
from linkwork.compiled.model import Model
from linkwork.coordinates import definite
from linkwork.coordinates.body import System
from linkwork.errors import MisfitWarning, message, plural, warn
from linkwork.records import dataclass
from linkwork.result.state import State

FEW = 200  # bodies: of more, those that turn by themselves are not looked for
FAR = 0.1  # of the size of a mechanism: so far apart, ends that belong together were hardly meant to be
SHOWN = 6  # groups of redundant constraints; of more, the rest is counted


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
    not_unique: dict[str, Any]
    singular: bool
    tree: tuple[str, ...]  # joints that carry bodies in joint coordinates
    cut: tuple[str, ...]  # joints and couplings that close loops there
    floating: tuple[str, ...]  # bodies that no joint leads to
    jumps: tuple[str, ...] = ()  # what drivers ask for at once
    apart: tuple[str, ...] = ()  # bushings whose ends are far from each other, and springs that are hardly meant so
    chosen: tuple[str, ...] = ()  # what a set that chooses its coordinates chose
    linkage: Any = None  # the kind of a four-bar or slider-crank: name, turns_fully, change_point
    rank: int = 0  # constraints that are independent, here
    nearby: int = 0  # the freedom nearby: less than here in a singular position
    driven: Driven | None = None  # drivers against freedom: kind, drivers, freedom without them
    groups: tuple[Redundancy, ...] = ()  # redundant constraints by who takes part
    suggestion: Suggestion | None = None  # a change that was tried
    searched: str = ""  # why there is none
    drivers: tuple[str, ...] = ()
    idle: Mapping[str, int] = field(default_factory=dict)  # bodies that turn by themselves, and in how many ways

    def _repr_html_(self) -> str:
        return cells.shown(f"Check of {self.name}", cells.report(str(self).partition("\n")[2]))

    def __str__(self) -> str:
        of_speed = "" if self.position_freedom == self.freedom else f" of velocity, {self.position_freedom} of position"
        lines = [
            f"Mechanism '{self.name}': {plural(self.bodies, 'body')}, "
            f"{plural(self.coordinates, 'coordinate')}, {plural(self.constraints, 'constraint')}",
            f"  freedom              {self.freedom}{of_speed}, rank {self.rank} of {self.constraints} constraints",
            f"  independent loops    {self.loops}",
        ]
        if self.linkage is not None:
            lines.append(f"  kind                 {self.linkage}")
        if self.driven is not None:
            lines.append(f"  drivers              {self.driven}")
        if self.idle:
            told = f"{', '.join(self.idle)}, by turns that move nothing else: {sum(self.idle.values())} of the freedom"
            lines.append(f"  idle                 {told}")
        if self.unconnected:
            lines.append("  not connected to ground by joints: " + ", ".join(self.unconnected))
        if self.redundant:
            lines += self._redundancy()
        else:
            lines.append("  redundant constraints  none")
        lines.append(
            "  joint coordinates    tree "
            + (", ".join(self.tree) or "without joints")
            + ("; closed by " + ", ".join(self.cut) if self.cut else "")
            + ("; floating " + ", ".join(self.floating) if self.floating else "")
        )
        lines += [f"  {'point coordinates' if not k else '':<19}  {words}" for k, words in enumerate(self.chosen)]
        lines += [f"  {one}" for one in (*self.jumps, *self.apart)]
        if self.singular:
            lines.append(
                "  this is a singular position: the freedom here is larger than nearby, "
                f"{self.freedom} against {self.nearby}"
            )
        return "\n".join(lines)

    def _redundancy(self) -> list[str]:
        """How many, who, where, and what would help."""
        if len(self.groups) == 1:
            lines = [f"  redundant constraints  {self.groups[0].text(self.drivers)}"]
        else:
            lines = [f"  redundant constraints  {self.redundant}, in {len(self.groups)} groups"]
            lines += [f"    {one.text(self.drivers)}" for one in self.groups[:SHOWN]]
            if len(self.groups) > SHOWN:
                lines.append(f"    and {len(self.groups) - SHOWN} groups more")
        lines.append("    they fit together: the motion is right; how they share their loads there is not unique")
        if self.suggestion is not None:
            left = self.suggestion.redundant
            told = f"then {left} are redundant" if left else "then none is redundant"
            lines.append(f"    would help, as tried: {self.suggestion}; {told}, and the freedom stays")
        elif self.searched:
            lines.append(f"    {self.searched}")
        return lines


@explained
def check(
    mechanism: Any,
    *,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    weights: Mapping[str, Tolerance] | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
) -> Check:
    """Assemble `mechanism` and say what it is: freedom, loops, unconnected bodies, redundant rows and their joints.

    `start`, `near`, `t`, `weights`, `coordinates` and `basis` are those of `assemble`.

    Events that watch what is not there, or for a value with a unit of another kind, are refused as in a run.
    Drivers that ask for another position or speed at once are looked for in the 100 s that follow.  Bushings whose ends
    begin far apart are told, with a warning, and so are springs without any number or with a stiffness below 0.

    Units: t [s].

    >>> found = lw.check(lw.gallery.four_bar())
    >>> found.freedom, found.loops, found.redundant
    (1, 1, 0)
    """
    model = model_in(mechanism, coordinates, basis)
    if model.mechanism.events:
        schedule(model)  # refuses what events watch and nobody knows, and values of another unit
    assembly = assembled(model, start, near, t, weights, coordinates)
    rank, m = assembly.rank, model.mechanism
    names = [body.name for body in model.bodies]
    joints = [edge for edge in model.edges if edge.name in m.joints]
    reached = next(set(group) for group in components(["ground", *names], model.edges) if "ground" in group)
    redundant = len(rank.dropped)
    tree = model.tree
    groups = groups_of(model, rank.redundancies, rank.base)
    items = tuple(name for name in model.rows_of if any(name in group.directions for group in groups))
    suggestion, searched = suggest(model, assembly.state, rank) if redundant else (None, "")
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
        tuple(rows for group in groups for rows in group.rows),
        items,
        {name: open_ for name in items if (open_ := open_components(model, name, rank.redundancies, rank.base))},
        rank.singular,
        tree.joints,
        tree.cut,
        tree.floating,
        jumps_from(model, assembly.state.t),
        (*_apart(model, assembly.state), *_doubtful(m.forces)),
        model.plan(definite(coordinates)).layout.words(),
        linkage_of(m),
        rank.rank,
        rank.nearby,
        driven_by(model, rank, assembly.state.free),
        groups,
        suggestion,
        searched,
        tuple(name for name in m.drivers if name in model.rows_of),
        idle_bodies(assembly.state) if m.dimension == 3 and rank.freedom > 0 and len(names) <= FEW else {},
    )


def _position_freedom(model: Model, state: State, freedom: int) -> int:
    """Freedom that the rows of position leave, those that hold speeds only not counted."""
    if not any(row.speed for row in model.rows):
        return freedom
    system = System(model.plan(), state.values)
    system.locate(state.t, state.y)
    rows = [r for r, row in enumerate(model.rows) if not row.speed]
    return int(system.columns.sum()) - pivoted_qr(scaled_rows(system, rows, system.columns).T)[1]


def _apart(model: Model, state: State) -> tuple[str, ...]:
    """Elements whose ends belong together, and begin far from each other."""
    found = []
    for name, force in model.mechanism.forces.items():
        gap = float(np.linalg.norm([state._result._series.measure(one)[0] for one in force.ends_together()]))
        if gap > FAR * model.length:
            told = f"begins with its ends {gap:.3g} m apart, which belong together"
            found.append(f"{type(force).__name__.lower()} {name} {told}")
            warn(
                message(
                    force.item,
                    told,
                    remedy="look at its frames, on= and to=, and at position= and angle= of its bodies",
                ),
                MisfitWarning,
            )
    return tuple(found)


def _doubtful(forces: Mapping[str, Any]) -> tuple[str, ...]:
    """Elements that make no force, and springs that push away from where they rest."""
    found = []
    for name, force in forces.items():
        stiffness = getattr(force, "stiffness", 0.0)
        if force.acts_along() and not force.parts():
            told, remedy = "makes no force: all its numbers are 0", "give it a stiffness=, a damping= or an actuator="
        elif isinstance(stiffness, (int, float)) and stiffness < 0.0:
            told = f"has a stiffness below 0, {stiffness:g}: it pushes away from where it rests"
            remedy = "a stiffness above 0 pulls back"
        else:
            continue
        found.append(f"{type(force).__name__.lower()} {name} {told}")
        warn(message(force.item, told, remedy=remedy), MisfitWarning)
    return tuple(found)
