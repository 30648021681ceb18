"""Where functions of time jump or bend: runs stop on the left side of such a break and begin anew on its right side.

What a break means depends on who reads the function:

| reader             | value jumps | rate jumps  | higher derivatives jump |
|--------------------|-------------|-------------|-------------------------|
| driver of position | refused     | an impulse  | stepped on exactly      |
| driver of speed    | an impulse  | stepped on exactly                     ||
| law                | stepped on exactly                                    |||

An impulse L of the drivers and joints takes the velocities v to those behind the break; the work of a driver is its
impulse times the mean of its rates, and that of all drivers together is what the kinetic energy grows by.

        M (v+ - v) = J' L        J v+ = nu+        work = L (nu + nu+)/2
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linkwork.errors import DescriptionError, KinkWarning, message, warn
from linkwork.kernels import layout as at

#: spans in which `check` looks for the first jump
HORIZONS = (0.1, 1.0, 10.0, 100.0)
SMOOTHLY = "let it go over within a short time, for example by smoothstep(t, t0, f0, t1, f1)"


class Stop(NamedTuple):
    """Where a run ends on the left side and begins anew; `jumps` where velocities do."""

    before: float
    after: float
    jumps: bool


class Jump(NamedTuple):
    """A break at which a driver asks for another position (order 0) or speed (1) at once."""

    driver: str
    t: float
    order: int
    before: float
    after: float
    beside: float

    def words(self) -> str:
        """What happens, as the end of a sentence."""
        what = "position" if self.order == 0 else "speed"
        return f"changes its {what} at once at t = {self.t:.6g} s, from {self.before:.6g} to {self.after:.6g}"


class Kinks:
    """The stops of one run: where it begins, and the pieces that it consists of."""

    def __init__(self, model, first: float, last: float):
        jumps: list[Jump] = []
        stops: list[Stop] = []
        for k, function in enumerate(model.functions):
            found, until = function.breaks(first, last)
            drivers = [row for row in model.rows if row.function == k]
            if until < last:
                _too_many(model, k, drivers, until)
                continue
            for one in found:
                inside = first < one.sides[0] < last
                here = [jump for row in drivers if inside and (jump := _jump(model, row, one)) is not None]
                jumps += here
                if not one.beside:
                    before, after = one.sides
                    stops.append(Stop(before, after, bool(here)))
        _tell(jumps)
        self.begin = first
        self.last = last
        self._stops: list[Stop] = []
        for stop in sorted(stops):
            if stop.before <= first:  # what stands at a break is already on its right side
                self.begin = max(self.begin, stop.after)
            elif self._stops and stop.before <= self._stops[-1].after:
                near = self._stops.pop()
                self._stops.append(Stop(near.before, max(near.after, stop.after), near.jumps or stop.jumps))
            elif stop.before < last:
                self._stops.append(stop)
        self._stops.reverse()

    @property
    def end(self) -> float:
        """Where the piece ends that the run is in."""
        return self._stops[-1].before if self._stops else max(self.begin, self.last)

    @property
    def pieces(self) -> list[tuple[float, float]]:
        """First and last time of every piece from here on."""
        ahead = self._stops[::-1]
        begins = [self.begin, *(one.after for one in ahead)]
        return list(zip(begins, [*(one.before for one in ahead), max(begins[-1], self.last)]))

    @property
    def jumps(self) -> bool:
        """Whether velocities jump at a stop ahead."""
        return any(one.jumps for one in self._stops)

    def cross(self) -> Stop | None:
        """The stop that the run has come to; None where it has come to its end."""
        if not self._stops:
            return None
        stop = self._stops.pop()
        self.begin = stop.after
        return stop


def strike(system, t: float, y: np.ndarray) -> bool:
    """Give y, in place, the velocities and the work behind a break at t; False where no velocities meet the rows."""
    plan = system.plan
    work = plan.table(at.T_ROW)[:, at.ROW_WORK]
    driven = np.flatnonzero(work >= 0)
    work = plan.n_q + plan.n_v + work[driven]
    errors = []
    for _ in range(2):  # the second time takes away what rounding left
        system.locate(t, y)
        error = system.nu - system.row_rates(system.view(at.W_TWIST)[1:])[0]  # nu+ - J v
        y[plan.n_q : plan.n_q + plan.n_v] += system.newton_step(error)
        y[work] += system.multipliers[driven] * (system.nu[driven] - 0.5 * error[driven])
        errors.append(float(np.abs(error / system.row_scale * system.held).max(initial=0.0)))
    return errors[1] <= 1e-6 * errors[0] + 1e-12


def jumps_from(model, first: float) -> tuple[str, ...]:
    """What drivers do at once in the time after `first`, of each the first such thing, in words."""
    told: dict[str, str] = {}
    for k, function in enumerate(model.functions):
        for row in (row for row in model.rows if row.function == k and row.kind == "driver"):
            for span in HORIZONS:
                jumps = [
                    _jump(model, row, one) for one in function.breaks(first, first + span).found if one.sides[0] > first
                ]
                found = next((jump for jump in jumps if jump is not None), None)
                if found is not None:
                    what = "refused by simulate" if found.order == 0 or found.beside else "velocities jump there"
                    told[row.item] = f"driver {row.item} {found.words()}: {what}"
                    break
    return tuple(told.values())


def _jump(model, row, one) -> Jump | None:
    """What a break means to a driver; None where its velocity goes on."""
    function, speed = model.functions[row.function], int(row.speed)
    side = one.beside or 0.0
    before, after = (np.array(function(t)) for t in ((one.t - side, one.t + side) if side else one.sides))
    order = one.order + speed
    if order == 0 and _turns(row) and _whole(after[0] - before[0]):
        # the angle is the same: only what the rate does counts
        order = 1 if abs(after[1] - before[1]) > 1e-6 * max(abs(after[1]), abs(before[1])) else 2
    if order > 1:
        return None
    level = order - speed
    return Jump(row.item, one.t, order, float(before[level]), float(after[level]), one.beside)


def _turns(row) -> bool:
    terms = row.measure.terms()
    return len(terms) == 1 and terms[0][1].quantity == "angle" and abs(terms[0][0]) == 1.0


def _whole(angle: float) -> bool:
    turns = angle / math.tau
    return abs(turns - round(turns)) < 1e-9 * max(1.0, abs(turns))


def _tell(jumps: list[Jump]) -> None:
    """Refuse what no mechanism can follow; warn of impulses, once for each driver."""
    for one in jumps:
        if one.order == 0:
            raise DescriptionError(
                message(f"Driver '{one.driver}'", f"{one.words()}, which no mechanism can follow", remedy=SMOOTHLY)
            )
        if one.beside:
            raise DescriptionError(
                message(
                    f"Driver '{one.driver}'",
                    f"{one.words()}, and close to that its function has no finite derivatives",
                    remedy="write it with abs, min or max, or " + SMOOTHLY,
                )
            )
    for driver in dict.fromkeys(one.driver for one in jumps):
        times = [one for one in jumps if one.driver == driver]
        more = {1: "", 2: ", and once more"}.get(len(times), f", and {len(times) - 1} times more")
        warn(
            message(
                f"Driver '{driver}'",
                f"{times[0].words()}{more}: velocities jump there by an impulse, whose work is its own",
                remedy=f"if that is not meant, {SMOOTHLY}",
            ),
            KinkWarning,
        )


def _too_many(model, k: int, drivers: list, until: float) -> None:
    """A function with more kinks than can be stepped on one by one."""
    told = message(
        model.function_owners[k],
        "jumps or bends too often to step on every place",
        f"thousands of them up to t = {until:.3g} s",
        "at most some thousand in a run",
        "run shorter spans, or take a smooth function of the same mean",
    )
    if drivers:
        raise DescriptionError(told)
    warn(f"{told} This run steps across them.", KinkWarning)
