"""The short summary that `print(run)` shows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from linkwork.errors import SingularOrientationWarning, warnings_are
from linkwork.result import blows

ROUNDING = 1e-13  # of the largest number of its unit: less is shown as zero
NO_SIZES: Mapping[str, float] = {}
USUAL = ("angle", "slide", "length", "tension", "effort")  # shown of whatever has them
FEW = 3  # changes of the method that are shown one by one
STILL = 1e-12  # of the energy: where no more is in play, nothing moves
SHOWN = 10  # ranges of named series; of more, the rest is counted


def summary(result) -> str:
    """A few lines: what ran, what it took, how well it kept the constraints and the energy, and some ranges."""
    s = result.statistics
    if not len(result.t):
        return f"{first_line(result)}\n  {result.ended or 'nothing was reached'}"
    lines = [first_line(result)]
    if s.evaluations:
        lines.append(f"  {s.steps} steps ({s.rejected} rejected), {s.evaluations} evaluations, {s.seconds:.3g} s")
    if result.model.rows:
        lines.append(f"  largest constraint error   {result.violation.max():.2g}")
    if all(one.source == "dynamics" for one in result.segments):
        off = np.abs(result.energy.balance).max()
        play, still = result.energy.in_play, STILL * np.abs(result.energy.total).max()
        share = f"  ({off / play:.1g} of the largest in play)" if play > still else ""
        lines.append(f"  energy not accounted for   {off:.2g} J{share}")
    lines += [f"  event                      {event}" for event in result.events[:SHOWN]]
    if len(result.events) > SHOWN:
        lines.append(f"  and {len(result.events) - SHOWN} more events, see run.events")
    lines += [f"  {one}" for one in remarks(result)]
    lines += _of_inverse_dynamics(result.manifest)
    moving = set(result.freedoms())
    names = [n for n in result.names if n in moving or (n.count(".") == 1 and n.partition(".")[2] in USUAL)]
    if result.manifest.get("analysis") == "inverse_dynamics":  # what was asked for comes first
        names.sort(key=lambda name: not name.endswith(".effort"))
    if names:
        lines.append(f"  {'':<26}{'first':>12}{'last':>12}{'least':>12}{'greatest':>12}")
    shown = names[:SHOWN]
    with warnings_are("told already", SingularOrientationWarning):  # Cardan angles may meet one
        found = [[series[0], series[-1], series.min(), series.max()] for series in (result[name] for name in shown)]
    units = [result.unit(name) for name in shown]
    for name, unit, values in zip(shown, units, without_rounding(found, units, _sizes(result.model)), strict=True):
        lines.append(f"  {name + ' [' + unit + ']':<26}" + "".join(f"{value:12.5g}" for value in values))
    if len(names) > SHOWN:
        lines.append(f"  and {len(names) - SHOWN} more of these; run.names lists every name, run[name] reads it")
    return "\n".join(lines)


def _sizes(model) -> dict[str, float]:
    """What is large in a mechanism, by unit, also where nothing of it is shown: a radian, its length, its weights."""
    weight = float(np.abs(model.weights).sum())
    return {"rad": 1.0, "m": model.length, "N": weight, "N m": weight * model.length}


def without_rounding(rows, units, sizes: Mapping[str, float] = NO_SIZES) -> np.ndarray:
    """Numbers of a table, zero where they are rounding: against the largest of all that have the same unit.

    `sizes` are what is large beside them, by unit.
    """
    out = np.array(rows, dtype=float)
    for unit in set(units):
        same = np.array([one == unit for one in units])
        largest = np.nanmax(np.abs(out[same]), initial=sizes.get(unit, 0.0))
        out[same] = np.where(np.abs(out[same]) <= ROUNDING * largest, 0.0, out[same])
    return out


def first_line(result) -> str:
    """What was run, and how its constraints were held."""
    span = f"{result.t[0]:g} to {result.t[-1]:g} s, {len(result.t)} times" if len(result.t) else "no times"
    return f"{_what(result)} of '{result.mechanism.name}' in {result.coordinates} coordinates: {span}{held(result)}"


def remarks(result) -> list[str]:
    """What else there is to say of a result, a sentence each: where it ended and why, what is doubtful."""
    told = result.manifest
    found = [f"turned round at t = {t:.6g} s, {where}" for t, where in result.turned[:SHOWN]]
    if result.ended:
        found.append(result.ended)
    if told.get("crossings"):
        times = ", ".join(f"{t:.6g}" for t in told["crossings"][:SHOWN])
        found.append(f"went straight on over crossings of ways at t = {times} s")
    if told.get("idle"):
        found.append(f"idle: {', '.join(told['idle'])} may turn about itself, and is left still")
    if result.others:
        ways = "way" if len(result.others) == 1 else "ways"
        found.append(f"{len(result.others)} other {ways} to assemble it, see run.others")
    found += _methods(told.get("methods", ()), result.t)
    found += _slowly(result)
    found += [f"doubtful: {doubt}" for doubt in result.doubts]
    found += blows.words(result)
    redundant = max(one.redundant for one in result.segments)
    if redundant:
        found.append(f"redundant constraints      {redundant}: some reactions and efforts are not unique")
    return found


def _slowly(result) -> list[str]:
    """Stiff runs of bodies that are held in space: their directions turn with them, so steps are short."""
    told, plan = result.manifest, result.segments[-1].plan
    stiff = told.get("methods") or str(told.get("method", "")).startswith("radau")
    if not stiff or result.model.dimension == 2 or plan.layout.along_tree or not plan.rows:
        return []
    return [f"stiff in {result.coordinates} coordinates in space: right, not fast (coordinates='joint' may be faster)"]


def _methods(changes, t) -> list[str]:
    """Changes of the method: each where they are few, else their number, the share of the stiff one, first and last."""
    if len(changes) <= FEW or not len(t):
        return [f"method {change}" for change in changes]
    names = [change.split()[0] for change in changes]
    times = [float(change.partition("t = ")[2].split()[0]) for change in changes]
    ends = [*times[1:], max(float(t[-1]), times[-1])]
    stiff = sum(end - begin for name, begin, end in zip(names, times, ends, strict=True) if name == names[0])
    share = stiff / max(ends[-1] - float(t[0]), 1e-300)
    return [
        f"{len(changes)} changes of method, {names[0]} {100.0 * share:.0f} % of the time: run.manifest['methods']",
        f"the first: {changes[0]}",
        f"the last:  {changes[-1]}",
    ]


def _what(result) -> str:
    return "Inverse dynamics" if result.manifest.get("analysis") == "inverse_dynamics" else "Motion"


def _of_inverse_dynamics(told) -> list[str]:
    """How many actuators are too many, and how well a recorded motion was followed."""
    lines = []
    if told.get("over_actuated"):
        lines.append(f"  actuators too many         {told['over_actuated']}: efforts are those of least norm")
    for name, one in (told.get("recorded") or {}).items():
        lines.append(
            f"  {name:<26} splined; its acceleration, up to {one['largest_acceleration']:.3g}, is good to "
            f"{one['acceleration_error']:.1g}"
        )
    return lines


def held(result) -> str:
    """How constraints were held, where that is not the usual way, and a start that was not corrected."""
    return _held(result) + ("" if result.manifest.get("correct", True) else "; from a state that was not corrected")


def _held(result) -> str:
    told = result.manifest
    way = "none" if told.get("projection") is False else told.get("constraints", "projection")
    if way == "projection":
        return ""
    if not any(one.plan.rows for one in result.segments):
        return "; no constraints to hold"
    if way == "none":
        return "; constraints not held"
    if "alpha" not in told:
        return "; constraints by Baumgarte's terms after the steps"
    return f"; constraints by Baumgarte's terms, alpha {told['alpha']:g} and beta {told['beta']:g} 1/s"
