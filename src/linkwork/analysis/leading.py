"""Who leads a mechanism: names that are moved in place of its drivers, and whether drivers leave a freedom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.analysis.assemble import assembled
from linkwork.analysis.common import as_model
from linkwork.analysis.doors import placed
from linkwork.analysis.named import position_named
from linkwork.analysis.rank import Rank, analyse, gradients, independent_measures, null_space, pivoted_qr, scaled_rows
from linkwork.compiled.names import measure_of, unit_in
from linkwork.coordinates import system_of
from linkwork.errors import DescriptionError, SingularConfigurationError, message, plural
from linkwork.kernels import layout as at
from linkwork.result.state import State
from linkwork.units import si, tell_degrees

APART = 1e-9  # rates that drivers of one freedom ask for, against each other


def system_of_lengths(state: State, held: bool = True) -> Any:
    """The system of a state in a metric of lengths instead of masses; weights are those of its masses."""
    model = state.model
    system = system_of(model.of_lengths, "body", state.values, state.held if held else None, state.memory, state.free)
    plan = model.plan()
    system.set_numbers(at.P_GRAVITY, plan.view(plan.parameters, at.P_GRAVITY))
    return system


def ranked(state: State) -> Rank:
    """The rank of the rows of a state, in the metric of lengths."""
    return analyse(system_of_lengths(state, held=False), state.t, state.y)


def rolls(model: Any) -> str | None:
    """An item that holds a speed alone, such as a wheel that rolls: positions depend on the way that was gone."""
    return next((row.item for row in model.rows if row.speed), None)


# -- names instead of drivers ------------------------------------------------------------------------------------------
def read_ranges(mechanism: Any, over: Any, item: str, parts: str) -> dict[str, tuple[float, float, Any]]:
    """Positions by name that are to be moved: from, to, and the last part.

    `parts` are what a range has, "(from, to)" or "(from, to, count)".
    """
    size = 1 + parts.count(",")
    if not isinstance(over, Mapping) or not over:
        example = f'such as {{"A.angle": {(0, "360 deg", 361)[:size]}}}'.replace("'", '"')
        raise DescriptionError(message(item, "names nothing", repr(over), example))
    found = {}
    for name, span in over.items():
        if isinstance(span, str) or not isinstance(span, Sequence) or len(span) != size:
            raise DescriptionError(message(f"{item} '{name}'", "is no range", repr(span), parts))
        position_named(mechanism, name, item)
        if (unit := unit_in(mechanism, name)) == "rad":
            for one in span[:2]:
                tell_degrees(one, f"{item} '{name}'")
        first, last = (si(one, unit, item, f"'{name}'") for one in span[:2])
        found[name] = first, last, span[-1]
    return found


def staying(mechanism: Any, names: Mapping[str, float | None], start, near) -> list[str]:
    """Own drivers that stand still beside names that are moved, with their first values as far as they are known.

    A driver gives way that holds the measure of a name, or that would leave the names no freedom.
    """
    moved = [measure_of(mechanism, name)[0] for name in names]
    left = {name: one for name, one in mechanism.drivers.items() if one.active and one.measure not in moved}
    if not left:
        return []
    bare = as_model(mechanism.driven({}, still=()))
    if isinstance(start, State):
        state = placed(bare, start, 0.0)
    else:
        asked = {**(start or {}), **{name: value for name, value in names.items() if value is not None}}
        state = assembled(bare, asked, near, 0.0, inertia=False).state
    system = state.system()
    system.locate(0.0, state.y)
    columns, weights = system.columns, system.weights
    joints = scaled_rows(system, np.flatnonzero(system.held).tolist(), columns)
    asked_for = gradients(bare, state.y, [*moved, *(one.measure for one in left.values())])[:, columns]
    asked_for = asked_for * weights[columns]
    asked_for /= np.maximum(np.linalg.norm(asked_for, axis=1), 1e-300)[:, None]
    chosen = np.vstack([joints, asked_for[: len(moved)]])
    kept, rank = [], _rank(chosen)
    for name, row in zip(left, asked_for[len(moved) :]):
        more = np.vstack([chosen, row])
        if _rank(more) > rank:
            kept.append(name)
            chosen, rank = more, rank + 1
    return kept


def _rank(rows: np.ndarray) -> int:
    return pivoted_qr(rows.T)[1]


# -- too few, too many -------------------------------------------------------------------------------------------------
def idle_bodies(state: State) -> dict[str, int]:
    """Bodies that can turn by themselves between joints that stay where they are, and in how many ways.

    Such is a rod between two balls, which turns about itself: nothing drives it, and nothing else sees it.
    """
    system = state.system()
    system.locate(state.t, state.y)
    rows, columns = np.flatnonzero(system.held).tolist(), system.columns
    J = scaled_rows(system, rows, np.ones_like(columns))
    joints = [one for one in state.model.mechanism.joints.values() if one.active]
    found = {}
    for k, body in enumerate(state.model.bodies):
        if sum(body.name in (one.on.body, one.to.body) for one in joints) < 2:
            continue
        own = slice(state.model.dof * k, state.model.dof * (k + 1))
        block = J[:, own][:, columns[own]]
        count = null_space(block[block.any(axis=1)]).shape[1]  # few rows know the body
        if count:
            found[body.name] = count
    return found


def check_led(state: State, rank: Rank, name: str = "", moved: bool = False) -> dict[str, int]:
    """Refuse a mechanism that drivers leave a freedom, or ask for too much; returns bodies that may turn idly.

    `name` is the one quantity that leads it, where it is asked how far.
    """
    item = f"Mechanism '{state.model.mechanism.name}'"
    lost = len(state.model.rows) - rank.rank - len(rank.dropped)  # by the position alone
    if lost and not rank.freedom > lost:
        _refuse_too_many(state, rank, item, moved)
        raise SingularConfigurationError(
            message(
                item,
                "begins in a singular position, from which several ways go on",
                remedy="begin a little beside it, by start= or other first values",
            )
        )
    idle = idle_bodies(state) if rank.freedom > 0 else {}
    freedom = rank.freedom - sum(idle.values())
    if freedom > 0:
        raise _too_few(state, item, freedom, name)
    _refuse_too_many(state, rank, item, moved)
    return idle


def _too_few(state: State, item: str, freedom: int, name: str) -> DescriptionError:
    if name:
        return DescriptionError(
            message(
                item,
                f"has {freedom + 1} freedoms, so that '{name}' alone does not move it",
                wanted="a driver for every other freedom",
                remedy="hold the others by drivers",
            )
        )
    names, _ = independent_measures(state.system(), state.t, state.y)
    return DescriptionError(
        message(
            item,
            f"has {plural(freedom, 'freedom')} that no driver moves"
            + (f", for example {', '.join(names[:3])}" if names else ""),
            wanted="a driver for every freedom",
            remedy=f'add lw.Driver(...), or give over={{"{names[0] if names else "A.angle"}": (from, to, count)}}',
        )
    )


def _refuse_too_many(state: State, rank: Rank, item: str, moved: bool) -> None:
    """Refuse drivers that ask one freedom for different speeds."""
    rows = state.model.rows
    system = state.system()
    system.locate(state.t, state.y)
    for combination in rank.dependencies:
        part = np.flatnonzero(combination)
        drivers = [rows[r].item for r in part if rows[r].kind == "driver"]
        asked = combination[part] * system.nu[part]
        if drivers and abs(asked.sum()) > APART * np.abs(asked).max(initial=0.0):
            one = len(set(drivers)) == 1
            raise (SingularConfigurationError if rank.singular else DescriptionError)(
                message(
                    item,
                    f"cannot follow driver {drivers[0]!r} from here: "
                    + ("it begins in a dead centre" if rank.singular else "its joints leave no freedom for it")
                    if one or rank.singular
                    else f"has more drivers than freedoms: {', '.join(repr(name) for name in dict.fromkeys(drivers))} "
                    "move the same one, each its own way",
                    wanted="" if rank.singular else "one driver for every freedom",
                    remedy="begin elsewhere, by start= or other first values"
                    if rank.singular
                    else ("move another name" if moved and one else "leave one of them out"),
                )
            )
