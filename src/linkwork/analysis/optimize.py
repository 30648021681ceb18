"""Which numbers make it best?  Searches between bounds, over any number of any analysis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from linkwork.analysis.designs import Designs, Enough, share
from linkwork.analysis.differences import Slopes
from linkwork.analysis.goals import Goals
from linkwork.analysis.minima import GENERATIONS, ITERATIONS, VALLEY, evolved, least_squares
from linkwork.analysis.options import Bounds, Processes, Shown, Values, Workers
from linkwork.analysis.progress import hand_back
from linkwork.analysis.sweep_task import handed_on
from linkwork.arguments import explained
from linkwork.errors import DescriptionError, SearchWarning, UnknownNameError, message, warn
from linkwork.result.optimum import Optimum, Trial
from linkwork.units import whole

METHODS = ("auto", "slsqp", "least squares", "evolution")
SCALES = 8  # values that a search is measured by, one after the other
ROUNDING = 1e-14  # of the first value: what is left below it is none
ROUGH = 0.05  # of the slopes: so far they may be off, or jump
FLAT = 0.2  # of the largest slope that was seen, and of the value: slopes below count as vanishing
MET = 1e-6  # of the size of a limit: so far it may be broken, and counts as met
BESIDE = 1e-2  # of the way between the bounds: so far beside a place where slopes vanish it is looked at
STAYED = 1e-3  # of the same way: a number that moved by less is looked at there
AGAIN = 3  # times that a search goes on from beside such a place
KINK = "stopped at a kink, or at rough slopes (a maximum over time has kinks), so that a better design may be near: "
EVERYWHERE, ELSEWHERE = "begin elsewhere, begin={...}, or take method='evolution'", "take another seed="
PLATEAU = (
    "nothing near where it began changes the value: begin elsewhere, begin={...}, or take method='evolution', which "
    "looks everywhere"
)
SLSQP_ENDS = {
    0: "the value changes by less than the tolerance",
    4: "the limits cannot all be met near the last design",
    8: "no step makes it better: slopes are as exact as the runs allow (a smaller rtol= makes them better)",
    9: f"it took {ITERATIONS} iterations",
}


@explained
def optimize(
    mechanism: Any,
    vary: Bounds,
    minimize: str | Callable[[Any], Any] | Sequence[Any] | None = None,
    *,
    maximize: str | Callable[[Any], Any] | None = None,
    subject_to: str | Sequence[Any] = (),
    times: Any = None,
    analysis: str = "simulate",
    method: Literal["auto", "slsqp", "least squares", "evolution"] = "auto",
    begin: Values | None = None,
    tolerance: float = 1e-6,
    most_runs: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    processes: Processes = False,
    client: Any = None,
    progress: Shown = None,
    options: Any = None,
    **more: Any,
) -> Optimum:
    """The numbers of a mechanism, between bounds, that make something smallest or largest.

    `vary` has names as in `lw.sweep` (`spring.stiffness`, a parameter, `start:A.angle`), each with its bounds, a pair;
    texts have units.  The search begins at the present numbers, or at those of `begin`; in the middle of the
    bounds, with a warning, where the present number lies outside of them.

    `minimize` (or `maximize`) is one number of an answer as in `lw.sweep`, `"D.angle.max"`, or a function of the
    answer.  A function that returns a list, or a list of names and functions, means the sum of squares.  `subject_to`
    are limits: `"B.reaction.x.max <= 2 kN"`, or `(function, ">=", 0.1)`; the signs are <=, >= and ==.  `analysis`,
    `times`, `options` and all further arguments are those of `lw.sweep`: `options={"method": "radau"}` is of the run.

    `method`: "slsqp" follows slopes and keeps limits; "least squares" does so for sums of squares, without limits;
    "evolution" (differential evolution) looks everywhere between the bounds from `seed`, then one of the others goes on
    from the best; "auto" takes "least squares" for lists without limits, and "slsqp" else.  Slopes are differences with
    steps that are chosen by what they show, and every gradient is one ensemble of runs.  The search ends where the
    value changes by less than `tolerance` of itself, or after `most_runs`.  `workers` threads, or with `processes` as
    many processes, share the runs, or the workers of a Dask cluster by its `client`.  `progress` shows or hides the
    line that says how far it is.  Ctrl-C raises `KeyboardInterrupt` with the best so far in `.result`.

    A design that cannot be run, because it cannot be assembled for example, is stepped back from, and told.  A search
    that did not converge, or whose limits are not met, ends with a `SearchWarning`.

    >>> m = lw.gallery.four_bar()
    >>> found = lw.optimize(m, {"spring.stiffness": (10, 40)}, "D.angle.max", times=0.5)
    >>> round(found.values["spring.stiffness"], 6), found.on_bounds
    (10.0, {'spring.stiffness': 'at its least'})
    """
    if method not in METHODS:
        raise UnknownNameError("method", str(method), METHODS, "of optimize")
    goals = Goals(minimize, maximize, subject_to, analysis, vary if isinstance(vary, Mapping) else ())
    tolerance = share(tolerance, "optimize", "tolerance")
    designs = Designs("optimize", mechanism, vary, begin, most_runs)
    designs.run_by(workers, processes, client, progress)
    designs.ask(analysis, times, goals.read, goals.reduce, handed_on("optimize", options, more))
    seed = whole(seed, "optimize", "seed", 0)
    with designs.until:
        found = Search(designs, goals, tolerance, seed, method == "evolution").found(method)
    if not found.converged:  # as always where a limit is not met
        remedy = "print what it returned, which tells more; its .converged and .met are for programs"
        got = "; ".join(found.unmet()) or None
        warn(
            message(f"optimize of '{mechanism.name}'", f"has not converged: {found.why}", got, None, remedy),
            SearchWarning,
        )
    return found


class Search:
    """One search: what it looked at, and how it went on."""

    def __init__(self, designs: Designs, goals: Goals, tolerance: float, seed: int, everywhere: bool) -> None:
        self.designs, self.goals, self.tolerance, self.seed = designs, goals, tolerance, seed
        answer = designs.first(everywhere)
        goals.settle(designs.task.units, answer)
        self.trials: list[tuple[np.ndarray, np.ndarray, Trial]] = []
        (first,) = self.rows([designs.begin])
        self.first = goals.value(first)
        if not np.isfinite(self.first):
            raise DescriptionError(message("optimize", "gets no finite number", f"{goals.said} = {self.first}"))
        self.scale = abs(self.first) or 1.0
        designs.best = self._so_far
        self.slopes = Slopes(self._neighbours, len(designs.names), goals.width)
        self.at: bytes = b""
        self.level = False  # whether nothing beside changes the value
        self.beside = ""  # told where the search had to leave its begin by itself
        self.last: np.ndarray = first
        self.slope: np.ndarray
        self.steepest = np.full(goals.width, self.scale)  # slopes of goal and slacks, the largest that were seen
        self.steepest[len(goals.keys) :] = 1.0

    # -- numbers of designs --------------------------------------------------------------------------------------------

    def _neighbours(self, designs: list[np.ndarray]) -> np.ndarray:
        return self.designs.table(designs, self.goals.numbers, self.goals.width)

    def rows(self, designs: Sequence[np.ndarray]) -> np.ndarray:
        """Goal and slacks of designs, which are noted in the history."""
        answers = self.designs.run(designs)
        rows = np.full((len(answers), self.goals.width), np.nan)
        for x, row, answer in zip(designs, rows, answers):
            if not answer["failed"]:
                row[:] = self.goals.numbers(answer)
            value = self.goals.sign * self.goals.value(row)
            if not answer["failed"] and not np.isfinite(row).all():
                answer["failed"] = "its numbers are not finite"
            trial = Trial(self.designs.values(x), value, self.goals.violation(row), answer["failed"])
            if not self.trials or not np.array_equal(x, self.trials[-1][0]):
                self.trials.append((np.array(x), row.copy(), trial))
        return rows

    def row(self, x: np.ndarray) -> np.ndarray:
        """Goal and slacks of a design; of one that cannot be run a goal so bad that the search steps back."""
        row: np.ndarray = self.rows([x])[0]
        if np.isfinite(row).all():
            self.last = row
            return row
        seen = [abs(one.value) for _, _, one in self.trials if not one.failed]
        count = len(self.goals.keys)
        worse = self.last.copy()
        worse[:count] = 10.0 * (max(seen) + self.scale) / (count if self.goals.listed else 1)
        if self.goals.listed:
            worse[:count] = np.sqrt(worse[:count])
        return worse

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Slopes of goal and slacks; what cannot be told counts as none."""
        if x.tobytes() != self.at:
            self.slope, self.at = np.nan_to_num(self.slopes.at(np.array(x)), nan=0.0), x.tobytes()
            self.steepest = np.maximum(self.steepest, np.abs(self.slope).max(axis=1, initial=0.0))
        return self.slope

    # -- methods -------------------------------------------------------------------------------------------------------

    def found(self, method: str) -> Optimum:
        """Search, and tell what was found; after Ctrl-C and after `most_runs` the best so far."""
        squares = self.goals.listed and not self.goals.limits
        if method == "auto":
            method = "least squares" if squares else "slsqp"
        if method == "least squares" and not squares:
            wanted = "a list to minimize, and no limits"
            raise DescriptionError(message("optimize", "cannot do that by least squares", wanted=wanted))
        stopped: KeyboardInterrupt | None = None
        told = method
        try:
            x = self.designs.begin
            if method == "evolution":
                x, far = self.evolution()
                told = f"evolution, then {'least squares' if squares else 'slsqp'}"
            follow = self.least_squares if squares else self.slsqp
            converged, why = follow(x)
            if converged and method != "evolution":
                converged, why = self._left_behind(follow, why)
            if converged and not squares and self._rough():
                converged, why = False, KINK + (ELSEWHERE if method == "evolution" else EVERYWHERE)
            if method == "evolution" and not far:
                converged, why = False, f"evolution took {GENERATIONS} generations; {why}"
        except Enough:
            converged, why = False, f"it may not take more than {self.designs.most_runs} runs"
        except KeyboardInterrupt as stop:
            converged, why, stopped = False, "it was interrupted", stop
        optimum = self._optimum(told, converged, why)
        if stopped is not None:
            hand_back(stopped, optimum, f"{optimum.goal} = {optimum.value:.6g} is the best of {optimum.runs} runs")
            raise stopped
        return optimum

    def _left_behind(self, follow: Callable[[np.ndarray], tuple[bool, str]], why: str) -> tuple[bool, str]:
        """Go on where numbers stayed as they began and it is better beside: slopes vanish at maxima, too."""
        for _ in range(AGAIN):
            beside = self._better_beside()
            if beside is None:
                return (False, PLATEAU) if self.level else (True, why)
            self.beside = "it began where slopes vanish and it is no best, and went on from beside"
            converged, why = follow(beside)
            if not converged:
                return False, why
        return False, "it is better beside where slopes vanish: begin elsewhere, begin={...}"

    def _better_beside(self) -> np.ndarray | None:
        """A design beside the best one that is clearly better, by one or two numbers that have hardly moved."""
        x, row, _ = self._best()
        alone = [(k, way) for k in np.flatnonzero(np.abs(x - self.designs.begin) < STAYED) for way in (BESIDE, -BESIDE)]
        pairs = [(one, other) for one in alone for other in alone if one[0] < other[0]]
        enough = self.tolerance * max(abs(self.goals.value(row)), self.scale)
        for ways in ([(one,) for one in alone], pairs):
            places = [x + sum(way * np.eye(len(x))[k] for k, way in steps) for steps in ways]
            places = [one for one in places if (np.clip(one, 0.0, 1.0) == one).all()]
            best: np.ndarray | None = None
            least = self.goals.value(row) - enough
            if not places:
                break
            rows = self._neighbours(places)
            self.level = len(alone) == 2 * len(x) and all(
                self.goals.value(one) == self.goals.value(row) for one in rows
            )
            for place, other in zip(places, rows):
                if np.isfinite(other).all() and self.goals.violation(other) <= MET and self.goals.value(other) < least:
                    best, least = place, self.goals.value(other)
            if best is not None:
                return best
        return None

    def slsqp(self, x: np.ndarray) -> tuple[bool, str]:
        """Sequential quadratic programming; again measured by the value that it ends with, where that is smaller.

        A finer search that gets lost among rounding takes nothing back of what the one before it has found.
        """
        found = False, ""
        for k in range(SCALES):
            done, ended, why = self._slsqp(x)
            if k > 0 and not ended:
                break
            found = ended, why
            value = abs(self.goals.value(self.row(done)))
            if not ended or not ROUNDING * (abs(self.first) or 1.0) < value < 0.5 * self.scale:
                break
            x, self.scale = done, value
        return found

    def _slsqp(self, x: np.ndarray) -> tuple[np.ndarray, bool, str]:
        from scipy.optimize import minimize

        goals, count = self.goals, len(self.goals.keys)

        def slope(x: np.ndarray) -> np.ndarray:
            rows = self.jacobian(x)[:count]
            found: np.ndarray = (2.0 * self.row(x)[:count] @ rows if goals.listed else rows[0]) / self.scale
            return found

        limits = [
            {
                "type": "eq" if one.sign == "==" else "ineq",
                "fun": lambda x, k=k: self.row(x)[count + k],
                "jac": lambda x, k=k: self.jacobian(x)[count + k],
            }
            for k, one in enumerate(goals.limits)
        ]
        done = minimize(
            lambda x: goals.value(self.row(x)) / self.scale,
            x,
            jac=slope,
            method="SLSQP",
            bounds=[(0.0, 1.0)] * len(x),
            constraints=limits,
            options={"ftol": self.tolerance, "maxiter": ITERATIONS},
        )
        return done.x, done.status == 0, SLSQP_ENDS.get(done.status, str(done.message))

    def least_squares(self, x: np.ndarray) -> tuple[bool, str]:
        """Sums of squares, without limits."""
        count = len(self.goals.keys)
        return least_squares(
            lambda x: self.rows([x])[0][:count], lambda x: self.jacobian(x)[:count], x, self.tolerance, flat=1e-10
        )

    def evolution(self) -> tuple[np.ndarray, bool]:
        """Differential evolution, a generation an ensemble; what breaks limits is worse than all that does not."""

        def energies(designs: np.ndarray) -> np.ndarray:
            found = []
            rows = self.rows(list(designs.T))
            bad = 1e6 * max(self.scale, *(abs(one.value) for _, _, one in self.trials if not one.failed))
            for row in rows:
                broken = self.goals.violation(row)
                ran = np.isfinite(row).all()
                value = bad * 1e6 if not ran else bad * (1.0 + broken) if broken > MET else self.goals.value(row)
                found.append(value)
            return np.array(found)

        return evolved(energies, self.designs.begin, max(self.tolerance, VALLEY) * self.scale, self.seed)

    # -- the end -------------------------------------------------------------------------------------------------------

    def _optimum(self, method: str, converged: bool, why: str) -> Optimum:
        goals, designs = self.goals, self.designs
        x, row, best = self._best()
        met = [broken <= MET for broken in (one.broken(s) for one, s in zip(goals.limits, row[len(goals.keys) :]))]
        if not all(met):
            broken = " and ".join(str(one) for one, ok in zip(goals.limits, met) if not ok)
            none = f"no design within the bounds was found that meets {broken}; this is the nearest"
            converged, why = False, f"{none} ({why})"
        mechanism, start = designs.made(x)
        values = [one.value(slack) for one, slack in zip(goals.limits, row[len(goals.keys) :])]
        return Optimum(
            mechanism=mechanism,
            start=start,
            values=best.values,
            bounds={name: (float(a), float(b)) for name, a, b in zip(designs.names, designs.low, designs.high)},
            on_bounds=designs.on_bounds(x),
            goal=f"sum of squares of {goals.said}" if goals.listed else goals.said,
            value=best.value,
            first=goals.sign * self.first,
            limits={str(one): (float(v), ok) for one, v, ok in zip(goals.limits, values, met)},
            method=method,
            converged=converged,
            why=why,
            runs=designs.runs,
            failed=designs.failed,
            reasons=dict(designs.reasons),
            history=tuple(one for _, _, one in self.trials),
            notes=self._notes(),
            units={
                **designs.units(),
                **({} if goals.listed else {goals.said: designs.task.units.get(goals.keys[0], "1")}),
                **{str(one): designs.task.units.get(one.key, "1") for one in goals.limits},
            },
        )

    def _best(self) -> tuple[np.ndarray, np.ndarray, Trial]:
        """Of the designs that could be run, the one that breaks limits least, and has the best value."""
        ran = [one for one in self.trials if not one[2].failed]
        return min(ran, key=lambda one: (max(0.0, one[2].violation - MET), self.goals.value(one[1])))

    def _so_far(self) -> str:
        return f"best {self.goals.said} = {self._best()[2].value:.6g}"

    def _rough(self) -> bool:
        """Whether slopes at the end are not known, or jump: then that they vanish, or balance, tells nothing."""
        if not self.at:
            return False
        here = np.abs(self.slope).max(axis=1, initial=0.0)
        off = np.maximum(self.slopes.error, self.slopes.jump).max(axis=1, initial=0.0)
        return not bool((off <= ROUGH * np.maximum(here, FLAT * self.steepest)).all())

    def _notes(self) -> tuple[str, ...]:
        """Where it began, if not at the present numbers; slopes that the differences of runs do not tell well."""
        return (*self.designs.moved, *([self.beside] if self.beside else []), *self._doubted())

    def _doubted(self) -> tuple[str, ...]:
        if not self.at:
            return ()
        error, size = self.slopes.error, np.abs(self.slope).max(initial=0.0)
        doubtful = [
            name
            for name, one in zip(self.designs.names, error.T)
            if not np.max(one) <= ROUGH * size or not np.isfinite(one).all()
        ]
        return (f"slopes by {', '.join(doubtful)} are known to a twentieth at best",) if doubtful else ()
