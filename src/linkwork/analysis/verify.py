"""Do all coordinate sets agree?  The same motion in each, and how far they differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from linkwork import cells
from linkwork.analysis.assemble import assemble
from linkwork.analysis.common import model_in
from linkwork.analysis.integrators.method import Method
from linkwork.analysis.options import (
    Basis,
    Constraints,
    Duration,
    Interval,
    MethodName,
    Rate,
    Seconds,
    Time,
    Tolerance,
    Values,
)
from linkwork.analysis.simulate import simulate, start_time
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.coordinates import SETS_OF
from linkwork.errors import AnalysisError, CompileError
from linkwork.records import dataclass
from linkwork.result.result import Result
from linkwork.result.state import State

TOLERANCE = 1e-5
EFFORT = ".effort"
LITTLE = 1e-2  # of the loads of the same bodies: what is less is compared with so much of them
ROUNDED = 1e-6  # of the largest load of all: what is less is compared with so much of it


@dataclass(frozen=True)
class Difference:
    """The largest difference of one kind of quantity between two sets, against the size of what differs."""

    sets: tuple[str, str]
    quantity: str
    relative: float
    where: str  # the series that differs most
    time: float


@dataclass(frozen=True)
class Verification:
    """Runs of the same mechanism in several sets, compared; `print` it."""

    name: str
    runs: dict[str, Result]
    left_out: dict[str, str]  # set -> why it cannot carry this mechanism
    failed: dict[str, Any]  # set -> the error that ended its run
    differences: tuple[Difference, ...]
    tolerance: float

    @property
    def agree(self) -> bool:
        """Whether every difference is within the tolerance, there were two sets to compare, and none of them failed."""
        within = all(one.relative <= self.tolerance for one in self.differences)
        return bool(self.differences) and within and not self.failed

    def __bool__(self) -> bool:
        return self.agree

    def _repr_html_(self) -> str:
        rows = [(" - ".join(one.sets), one.quantity, one.relative, one.where, one.time) for one in self.differences]
        more = [*(f"{name} failed: {error}" for name, error in self.failed.items())]
        more += [f"{name} left out: {why}" for name, why in self.left_out.items()]
        return cells.shown(
            str(self).partition("\n")[0],
            cells.table(("sets", "quantity", "difference", "most at", "time [s]"), rows),
            cells.notes(*more),
        )

    def __str__(self) -> str:
        verdict = "the sets agree" if self.agree else "the sets do NOT agree"
        if not self.differences:
            verdict = "there are no two runs to compare"
        sets = " and ".join(", ".join([*self.runs, *self.failed]).rsplit(", ", 1))
        lines = [f"Mechanism '{self.name}' in {sets} coordinates: {verdict} (tolerance {self.tolerance:g})"]
        if self.differences:
            lines += [f"  {'sets':<16}{'quantity':<12}{'difference':>12}  {'most at':<28}{'time [s]':>10}"]
        lines += [
            f"  {' - '.join(one.sets):<16}{one.quantity:<12}{one.relative:12.2e}  {one.where:<28}{one.time:10.4g}"
            for one in self.differences
        ]
        lines += [
            f"  {name:<8} {run.statistics.steps} steps, {run.statistics.evaluations} evaluations"
            for name, run in self.runs.items()
        ]
        lines += [f"  {name:<8} failed: {error}" for name, error in self.failed.items()]
        lines += [f"  {name:<8} left out: {why}" for name, why in self.left_out.items()]
        return "\n".join(lines)


@explained
def verify(
    mechanism: Any,
    duration: Duration | Sequence[Time] | np.ndarray = 1.0,
    *,
    every: Interval | None = None,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    basis: Basis | None = None,
    method: MethodName | Method = "dop853",
    rtol: Tolerance = 1e-10,
    atol: Tolerance | None = None,
    step: Interval | None = None,
    constraints: Constraints = "projection",
    alpha: Rate | None = None,
    beta: Rate | None = None,
    correct: bool = True,
    most_steps: int | None = None,
    most_seconds: Seconds | None = None,
    progress: bool | None = None,
    tolerance: Tolerance = TOLERANCE,
) -> Verification:
    """Simulate `mechanism` in every set of coordinates and compare motion, reactions, efforts and energy.

    Differences are relative to the largest value of their kind; those of a force, a moment or an effort to the largest
    value of its own, and to a small part of what acts on the same bodies, so that rounding is no difference.  `bool()`
    of the answer says whether all are within `tolerance`.  A set that cannot carry the mechanism is named with the
    reason; one whose run fails is named with its error, and the sets do not agree.  `start`, `near`, `method`, `rtol`,
    `atol`, `constraints`, `correct`, `basis`, `most_steps`, `progress` and the others are those of `simulate`.

    Units: duration [s], every [s], t [s], step [s], alpha [1/s], beta [1/s],
    most_seconds [s].

    >>> bool(lw.verify(lw.gallery.four_bar(), 0.2))
    True
    """
    model = model_in(mechanism, "point", basis)
    runs, left_out, failed = {}, {}, {}
    sets = SETS_OF[model.mechanism.dimension]
    for name in sets:  # the state is the same in all: the first set that can carry the mechanism finds it
        try:
            state = assemble(model, start=start, near=near, t=start_time(duration, t, start), coordinates=name).state
            break
        except CompileError:
            if name == sets[-1]:
                raise
    for name in sets:
        try:
            runs[name] = simulate(
                model,
                duration,
                every=every,
                start=state,
                coordinates=name,
                method=method,
                rtol=rtol,
                atol=atol,
                step=step,
                constraints=constraints,
                alpha=alpha,
                beta=beta,
                correct=correct,
                most_steps=most_steps,
                most_seconds=most_seconds,
                progress=progress,
            )
        except CompileError as error:
            left_out[name] = str(error)
        except AnalysisError as error:
            failed[name] = error
    found = [one for pair in combinations(runs, 2) for one in _compare(model, runs, pair)]
    return Verification(model.mechanism.name, runs, left_out, failed, tuple(found), tolerance)


def _compare(model: Model, runs: Mapping[str, Result], pair: tuple[str, str]) -> list[Difference]:
    mechanism = model.mechanism
    coordinates = [name for name in model.coordinate_names if name in runs[pair[0]].names]
    joints = [name for name, joint in mechanism.joints.items() if joint.active]
    drivers = [name for name, driver in mechanism.drivers.items() if driver.active]
    kinds = {
        "position": _series(runs, pair, coordinates),
        "speed": _series(runs, pair, [f"{name}.rate" for name in coordinates]),
        "force": {name: [runs[one].reaction(name).force for one in pair] for name in joints},
        "moment": {name: [_columns(runs[one].reaction(name).moment) for one in pair] for name in joints},
        "effort": _series(runs, pair, [name + EFFORT for name in drivers]),
        "energy": _series(runs, pair, ["energy.kinetic", "energy.potential", "energy.balance"]),
    }
    every = {quantity: dict.fromkeys(series, _size(series.values())) for quantity, series in kinds.items()}
    sizes = {**every, **_loads(model, kinds)}
    t = runs[pair[0]].t
    return [_largest(pair, quantity, series, sizes[quantity], t) for quantity, series in kinds.items() if series]


def _loads(model: Model, kinds: Mapping[str, Mapping[str, list[np.ndarray]]]) -> dict[str, dict[str, float]]:
    """What every force, moment and effort is compared with: how large it is itself, and no less than rounding.

    One that is none, as the moment in a joint that turns freely, is rounding of what acts on the same bodies.  What
    acts on others has no part in it, but for the rounding of what is largest of all.
    """
    own = {kind: {name: _size([both]) for name, both in kinds[kind].items()} for kind in ("force", "moment", "effort")}
    mechanism, length = model.mechanism, model.length
    arms = {name: _arm(mechanism.drivers[name.removesuffix(EFFORT)].measure, length) for name in own["effort"]}
    carried = {name: max(own["force"][name], own["moment"][name] / length) for name in own["force"]}
    carried |= {name: size / arms[name] for name, size in own["effort"].items()}
    held = {name: _held(mechanism.joints[name], model.dimension) for name in own["force"]}
    held |= {name: set(mechanism.drivers[name.removesuffix(EFFORT)].measure.bodies) for name in own["effort"]}
    loads = {body.name: float(np.abs(pull).sum()) for body, pull in zip(model.bodies, model.weights)}
    largest = max([*carried.values(), *loads.values()], default=0.0)
    for name, bodies in held.items():
        for body in bodies & loads.keys():
            loads[body] = max(loads[body], carried[name])
    least = {name: max(ROUNDED * largest, *(LITTLE * loads.get(body, 0.0) for body in held[name])) for name in held}
    scale = {**dict.fromkeys(own["force"], length), **arms}
    return {
        kind: {name: max(size, least[name] * (1.0 if kind == "force" else scale[name])) for name, size in sizes.items()}
        for kind, sizes in own.items()
    }


def _arm(measure: Any, length: float) -> float:
    """The effort along a measure that a force of 1 N makes, at the length of the mechanism."""
    return {"length": 1.0, "angle": length}.get(measure.quantity, max(1.0, length))


def _held(joint: Any, dimension: int) -> set[str]:
    """Names of the bodies that a joint acts on."""
    return {joint.on.body, joint.to.body}.union(*(row.measure.bodies for row in joint.rows(dimension)))


def _size(series: Iterable[list[np.ndarray]]) -> float:
    return float(max((np.abs(values).max(initial=0.0) for both in series for values in both), default=0.0))


def _series(runs: Mapping[str, Result], pair: tuple[str, str], names: Sequence[str]) -> dict[str, list[np.ndarray]]:
    return {name: [_columns(runs[one][name]) for one in pair] for name in names}


def _columns(values: np.ndarray) -> np.ndarray:
    return np.asarray(values).reshape(len(values), -1)


def _largest(
    pair: tuple[str, str], quantity: str, series: Mapping[str, list[np.ndarray]], sizes: dict[str, float], t: np.ndarray
) -> Difference:
    worst, where, time = 0.0, "-", float(t[0])
    for name, (one, other) in series.items():
        gap = np.abs(one - other).max(axis=1) / (sizes[name] if sizes[name] > 1e-9 else 1.0)
        if gap.max() > worst:
            worst, where, time = float(gap.max()), name, float(t[int(np.argmax(gap))])
    return Difference(pair, quantity, worst, where, time)
