"""Why a mechanism does not go together: what is off, and what asks for it."""

from __future__ import annotations

import math

import numpy as np

from linkwork.analysis.assembly.conflict import Finder
from linkwork.analysis.assembly.fits import flipped
from linkwork.analysis.common import raise_measure
from linkwork.analysis.contradiction import listed, on_one_freedom
from linkwork.errors import AssemblyError, message
from linkwork.kernels import layout as at

SHOWN = 4  # rows that are off
ITEMS = 6


def refuse_against_drivers(system, t, y, start) -> None:
    """Raise where a start value asks for another value, or another rate, of what a driver drives."""
    system.locate(t, y)
    if system.w[at.STATUS] != at.OK:
        return  # told by the search
    rows = system.plan.rows
    driven = {row.measure: r for r, row in enumerate(rows) if row.kind == "driver"}
    for row in rows:
        r = driven.get(row.measure)
        if row.kind != "start" or row.name not in start or r is None:
            continue
        if row.speed:
            wanted, unit = float(system.nu[r]), row.measure.unit(1)
            off = row.value - wanted
        elif rows[r].speed or rows[r].value is None:  # a speed, or counted from where it is assembled
            continue
        else:
            wanted, unit = float(system.measure_values(row.measure)[0] - system.phi[r]), row.measure.unit()
            off = row.value - wanted
            if row.measure.quantity == "angle":  # whole turns are the same position
                off = math.remainder(off, 2.0 * math.pi)
        if not abs(off) <= 1e-9 * max(1.0, abs(wanted)):
            raise AssemblyError(
                message(
                    f"Mechanism '{system.model.mechanism.name}'",
                    f"is asked for two things at once: start value '{row.name}' is {row.value:.6g} {unit}, but driver "
                    f"'{rows[r].item}' is {wanted:.6g} {unit} at t = {t:g} s",
                    remedy="leave out the start value, change the driver, or switch it off with active=False",
                )
            )


def refuse(system, t, nearest, first, over, start) -> None:
    """Raise the error that says what stands in the way, from the nearest position (or one with axes reversed)."""
    model = system.model
    what = f"Mechanism '{model.mechanism.name}'"
    if over is not None:
        raise AssemblyError(
            message(
                what,
                "is found to go together only with axes of "
                f"{', '.join(flipped(model, over))} pointing against each other",
                remedy="turn one of the two frames, or give the bodies beside it an orientation",
            )
        )
    system.locate(t, nearest)
    raise_measure(system, f"at t = {t:.6g} s")
    off = np.abs(system.phi)
    rest = off / system.row_scale * system.held
    worst = rest.max(initial=0.0)
    rows = system.plan.rows
    worst_rows = [r for r in np.argsort(-rest)[:SHOWN] if rest[r] > 1e-3 * worst]
    lines = [f"{rows[r].name} off by {off[r]:.4g} {rows[r].measure.unit(0)}".rstrip() for r in worst_rows]
    where = f"In the nearest position found, {'; '.join(lines)}"
    found = Finder(system, t, nearest, first).find()
    if found is not None and found.asked:
        *others, last = (listed(system, [item]) for item in found.asked)
        together = f", together with {', '.join(others)}" if others else ""
        asking = f": {on_one_freedom(system, found.asked)}" if found.one_freedom else ""
        less = (
            f" Leave out any one of these, and it goes together: {listed(system, [*found.asked, *found.joints])}."
            if found.joints
            else ""
        )
        fit = "its joints go together, but not" if found.joints_fit else "it does not go together"
        raise AssemblyError(
            message(
                what,
                f"cannot be assembled: {fit} with {last} where asked{together}{asking}.{less} {where}",
                remedy="drivers and start values may not ask for more than the joints leave free, "
                "nor for what they do not reach: take one away, or ask for another value",
            ),
            conflict=(*found.asked, *found.joints),
        )
    items = sorted({rows[r].item for r in np.flatnonzero(rest > 1e-2 * worst)})
    less = ""
    if found is not None:
        items = list(found.joints)
        less = f" Leave out any one of these, and the others go together: {listed(system, items)}." * (len(items) > 1)
    more = f" and {len(items) - ITEMS} more" if len(items) > ITEMS else ""
    raise AssemblyError(
        message(
            what,
            f"cannot be assembled.{less} {where}",
            remedy="check the lengths and places of "
            + ", ".join(items[:ITEMS])
            + more
            + (", and the start values" if start else ""),
        ),
        conflict=() if found is None else found.joints,
    )
