"""Which numbers does it have?  Parameters identified from recorded series, with what is known about them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np

from linkwork.analysis.catalogue import FITTED
from linkwork.analysis.certain import determined, seen
from linkwork.analysis.designs import Designs, Enough, share
from linkwork.analysis.differences import Slopes
from linkwork.analysis.minima import VALLEY, evolved, least_squares
from linkwork.analysis.options import Bounds, Noise, Processes, Shown, Values, Workers
from linkwork.analysis.progress import hand_back
from linkwork.analysis.recordings import Recordings
from linkwork.analysis.run_options import READERS
from linkwork.analysis.sweep_task import handed_on, is_series, series_of
from linkwork.arguments import explained
from linkwork.errors import DescriptionError, SearchWarning, UndeterminedWarning, UnknownNameError, message, warn
from linkwork.result.fitted import Fit
from linkwork.units import whole

ROUNDS = 8  # of noise that is found from residuals
FREE = 8  # values that a record has more than there are numbers, where its noise is found from what is left
UNEXPLAINED = 0.5  # of the variance of a record: more of it left is told
EXPLAINS, LARGER = "the mechanism explains", "errors are larger than told"  # notes that are warned of
NOISY = 1.5  # times the noise that was given: residuals that are less are noise
QUIET = 0.1  # times the noise that was given: residuals that are less make no error larger
CORRELATED = "residuals of neighbours are correlated"
ELSEWHERE = 'the search may have ended in the wrong place (method="evolution" looks everywhere)'
RTOL = 1e-8  # of `simulate` and `kinematics`, where none is given
FINER = 1e-2  # of the tolerance of runs: with so much of it they tell how far others are off
FINEST = 1e-13  # tolerance of runs: below it they are rounding
BELOW = 10.0  # times the error of the runs: for records whose noise is less, runs are made finer
CLEAR = 1e3  # times the error of the runs: slopes of records with such noise have no part of it


@explained
def fit(
    mechanism: Any,
    vary: Bounds,
    measured: Mapping[str, Any] | str | os.PathLike[str] | Any,
    *,
    noise: Noise | None = None,
    confidence: float = 0.95,
    analysis: Literal["simulate", "kinematics"] = "simulate",
    method: Literal["least squares", "evolution"] = "least squares",
    begin: Values | None = None,
    tolerance: float = 1e-8,
    most_runs: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    processes: Processes = False,
    client: Any = None,
    progress: Shown = None,
    options: Any = None,
    **more: Any,
) -> Fit:
    """Numbers, between bounds, with which the mechanism follows recorded series best, and how well they are known.

    `vary` has names and bounds as in `lw.optimize`; start values, `start:A.angle`, may be among them.  `measured` has
    for each series that was recorded times [s] and values: `{"A.angle": (times, values)}`, with a unit if they are not
    in SI, `(times, values, "deg")`; or it is a table with times ("t" or "time") and a column for each series, units in
    brackets, `A.angle [deg]`: a CSV file by its name, a table of pandas or xarray (whose `attrs["units"]` are read,
    too), or a mapping.  Cells may be empty.
    The run begins at 0 s, or at the first time if that is earlier.

    `noise` is the standard deviation of one recorded value: a number or a text with a unit, a list of one for each, or
    these by name.  Without it, it is found from the residuals, of every series by itself.  Standard errors and limits
    at the level `confidence` come from the slopes of the residuals at the best values (Student's distribution where
    noise is found from residuals); they hold where the mechanism is right and noise is independent.

    What the records do not determine is named, with a warning: its error is infinite, whatever the search ended at.
    A `SearchWarning` says that it did not converge, hardly explains a record, or tells errors that are too small.

    `method="evolution"` looks everywhere between the bounds first.  `begin`, `tolerance`, `most_runs`, `seed`,
    `workers`, `processes`, `client`, `progress` and `options` are those of `lw.optimize`; `analysis` is "simulate" or
    "kinematics".  Ctrl-C raises `KeyboardInterrupt` with the best values so far in `.result`, without their errors.

    >>> m = lw.gallery.four_bar()
    >>> run = m.simulate(0.5, every=0.02)
    >>> found = lw.fit(
    ...     m, {"spring.stiffness": (5, 80)}, {"D.angle": (run.t, run["D.angle"])}, begin={"spring.stiffness": 50}
    ... )
    >>> round(found.values["spring.stiffness"], 3)
    20.0
    """
    if analysis not in FITTED:
        raise UnknownNameError("analysis", str(analysis), FITTED, "of fit, which needs times")
    if method not in ("least squares", "evolution"):
        raise UnknownNameError("method", str(method), ("least squares", "evolution"), "of fit")
    asked = handed_on("fit", options, more)
    level, tolerance = share(confidence, "fit", "confidence"), share(tolerance, "fit", "tolerance")
    own = [one for one in ("times", "every", "duration") if one in asked]
    if own:
        remedy = f"leave out {own[0]}="
        raise DescriptionError(message("fit", "takes its times from what was measured", f"{own[0]}=", remedy=remedy))
    records = Recordings(measured, noise)
    for name in records.names:
        if not is_series(name, analysis):
            raise DescriptionError(
                message(f"fit: '{name}'", "is one number of a run, and no series", wanted=f"'{series_of(name)}'")
            )
    designs = Designs("fit", mechanism, vary, begin, most_runs)
    designs.run_by(workers, processes, client, progress)
    designs.ask(analysis, records.all_times, records.names, None, asked)
    records.settle(designs.task.units)
    short = [name for name, one in records.values.items() if len(one) < len(designs.names) + FREE]
    if records.noise is None and len(records.names) > 1 and short:
        raise DescriptionError(
            message(
                f"Record '{short[0]}'",
                "is too short to tell its own noise beside other records",
                f"{len(records.values[short[0]])} values",
                f"{len(designs.names) + FREE} or more, for {len(designs.names)} numbers",
                "give noise=, the standard deviation of its values",
            )
        )
    if records.count <= len(designs.names):
        raise DescriptionError(
            message(
                "fit", "has not more recorded values than numbers to find", f"{records.count} values", "more of them"
            )
        )
    seed = whole(seed, "fit", "seed", 0)
    with designs.until:
        return _Fitting(designs, records, tolerance, level, method == "evolution").found(method, seed)


class _Fitting:
    """One identification: residuals are weighted by the noise of each value."""

    def __init__(self, designs: Designs, records: Recordings, tolerance: float, level: float, everywhere: bool) -> None:
        self.designs, self.records, self.tolerance, self.level = designs, records, tolerance, level
        self.everywhere, options = everywhere, designs.task.options
        self.rtol, self.atol = (READERS[n](options.get(n, one), n) for n, one in (("rtol", RTOL), ("atol", None)))
        answer = designs.first(everywhere)
        self.left = self._raw(answer)  # residuals of the best
        self.off: dict[tuple[float, bytes], dict[str, float]] = {}  # error of the runs, by tolerance and design
        self.unknown = ""  # why finer runs do not tell it
        if not np.isfinite(self.left).all():
            remedy = "look at until= and at events that stop it"
            raise DescriptionError(message("fit", "begins with a run that ends before the last record", remedy=remedy))
        sizes = {name: _size(one) for name, one in records.values.items()}
        self.weights = self._weights(sizes if records.noise is None else records.noise)
        self.slopes = Slopes(lambda xs: designs.table(xs, self._raw, records.count), len(designs.names), records.count)
        self.best, self.least = designs.begin, np.inf
        designs.best = self._so_far

    def _so_far(self) -> str:
        return f"residuals of {np.sqrt(np.mean((self.left * self.weights) ** 2)):.4g} times their noise or size"

    def _raw(self, answer: Mapping[str, Any]) -> np.ndarray:
        return np.concatenate(list(self.records.residuals(answer).values()))

    def _weights(self, noise: Mapping[str, Any]) -> np.ndarray:
        """1 / noise, of every value."""
        values = self.records.values
        return np.concatenate([np.broadcast_to(1.0 / np.asarray(noise[n]), values[n].shape) for n in values])

    def _residuals(self, x: np.ndarray) -> np.ndarray:
        """Weighted residuals of a design; nan where it cannot be run, from which the search steps back."""
        found: np.ndarray = self._rows([x])[0]
        return found

    def _rows(self, designs: Iterable[np.ndarray]) -> np.ndarray:
        """Weighted residuals of designs; the best one is kept."""
        designs = list(designs)
        raw = self.designs.table(designs, self._raw, self.records.count)
        rows: np.ndarray = raw * self.weights
        for x, left, total in zip(designs, raw, (rows * rows).sum(axis=1)):
            if total < self.least:
                self.best, self.left, self.least = np.array(x), left, float(total)
        return rows

    def _jacobian(self, x: np.ndarray) -> np.ndarray:
        """Slopes of weighted residuals, as far as they are seen: a search is led astray by those that are rounding."""
        slopes, error = self._differences(x)
        found: np.ndarray = np.where(self._seen(slopes, error), slopes, 0.0)
        return found

    def _seen(self, slopes: np.ndarray, error: np.ndarray) -> np.ndarray:
        return seen(self.records, self.weights, slopes, error, self.slopes.steps, self.rtol)

    def _differences(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Slopes of weighted residuals, and their errors."""
        slopes, weights = np.nan_to_num(self.slopes.at(np.array(x)), nan=0.0), self.weights[:, None]
        return slopes * weights, np.nan_to_num(self.slopes.error, nan=np.inf, posinf=np.inf) * weights

    # -- the search ----------------------------------------------------------------------------------------------------

    def found(self, method: str, seed: int) -> Fit:
        """Search, and tell what is known."""
        converged, why = False, ""
        try:
            self._resolve()
            if method == "evolution":
                evolved(self._energies, self.best, VALLEY * self.records.count, seed)  # the best is kept
            for _ in range(ROUNDS):
                self.least = np.inf
                converged, why = self._search(self.best)
                if self.records.noise is not None or len(self.records.names) == 1:
                    break
                before, self.weights = self.weights, self._weights(self._found_noise())
                if np.allclose(before, self.weights, rtol=1e-3):
                    break
            while self._resolve():  # at the best as well
                converged, why = self._search(self.best)
        except Enough:
            converged, why = False, f"it may not take more than {self.designs.most_runs} runs"
        except KeyboardInterrupt as stop:
            hand_back(stop, self._interrupted(), f"these values are the best of {self.designs.runs} runs")
            raise
        self.designs.most_runs = None  # to tell what is known takes a few more
        return self._told(self.best, converged, why)

    def _energies(self, designs: np.ndarray) -> np.ndarray:
        rows = self._rows(designs.T)
        sums = (rows * rows).sum(axis=1)
        found: np.ndarray = np.where(np.isfinite(sums), sums, 1e6 * np.nanmax(sums, initial=1.0))
        return found

    def _search(self, x: np.ndarray) -> tuple[bool, str]:
        return least_squares(self._residuals, self._jacobian, x, self.tolerance, flat=1e-12)

    def _finer(self) -> dict[str, float]:
        """Options of runs that are more exact; none where rounding is near."""
        if self.rtol * FINER < FINEST:
            return {}
        return {"rtol": self.rtol * FINER} | ({} if self.atol is None else {"atol": self.atol * FINER})

    def _resolve(self) -> bool:
        """Have runs as exact as the noise that is given asks for; whether they were not."""
        begun = self.rtol
        while self.records.noise is not None and self._above(self.records.noise, BELOW):
            self.designs.until.enter_context(self.designs.otherwise(**self._finer()))
            self.rtol, self.atol = self.rtol * FINER, self.atol and self.atol * FINER
            self.least, self.slopes.pairs = np.inf, None
        return bool(self.rtol < begun)

    def _above(self, noise: Mapping[str, Any], times: float) -> dict[str, float]:
        """Errors of the runs at the best, of records whose noise is less than so many `times` as much."""
        key = (self.rtol, self.best.tobytes())
        if key not in self.off:
            self.off = {key: self._error_of_runs()}  # what was asked last
        return {name: one for name, one in self.off[key].items() if np.min(noise[name]) < times * one}

    def _error_of_runs(self) -> dict[str, float]:
        """How far runs at the best are off, by record, as finer ones tell; nothing where those cannot be had."""
        finer = self._finer()
        if not finer:
            return {}
        (here,) = self.designs.run([self.best])
        with self.designs.otherwise(**finer):
            (there,) = self.designs.run([self.best])
        if here["failed"] or there["failed"]:
            self.unknown = str(there["failed"])
            return {}
        apart = self.records.by_name(self._raw(here) - self._raw(there))
        return {name: float(np.sqrt(np.mean(one**2))) for name, one in apart.items()}

    def _found_noise(self) -> dict[str, float]:
        """Standard deviations of the residuals of every series, for the values that the numbers leave free there.

        The numbers take up the trace of Q Q' in the rows of a series, J = Q R.
        """
        (answer,) = self.designs.run([self.best])
        taken = np.sum(np.linalg.qr(self._jacobian(self.best))[0] ** 2, axis=1)
        noise, first = {}, 0
        for name, one in self.records.residuals(answer).items():
            last = first + len(one)
            free = max(1.0, len(one) - float(taken[first:last].sum()))
            noise[name] = max(float(np.sqrt(one @ one / free)), 1e-13 * _size(self.records.values[name]))
            first = last
        return noise

    # -- what is known -------------------------------------------------------------------------------------------------

    def _told(self, x: np.ndarray, converged: bool, why: str) -> Fit:
        from scipy.stats import norm, t

        designs, records = self.designs, self.records
        noise = self._found_noise() if records.noise is None else records.noise
        self.weights = self._weights(noise)
        residuals = self._residuals(x)
        freedom = records.count - len(designs.names)
        slopes, error = self._slopes(x, noise)
        covariance, undetermined = determined(designs.names, slopes, error, self._seen(slopes, error))
        wide = designs.high - designs.low
        errors = np.sqrt(np.diag(covariance)) * wide
        for name, error, whole_way in zip(designs.names, errors, wide):
            if np.isfinite(error) and error > whole_way:
                undetermined[name] = f"its error, {error:.3g}, is larger than the way between its bounds"
        with np.errstate(invalid="ignore"):
            sizes = np.sqrt(np.diag(covariance))
            correlations = covariance / np.outer(sizes, sizes)
        upper = 0.5 + self.level / 2
        times = float(t.ppf(upper, freedom) if records.noise is None else norm.ppf(upper))
        if undetermined:
            warn(
                message(
                    f"fit of '{designs.mechanism.name}'",
                    f"cannot tell {', '.join(undetermined)} from what was measured",
                    remedy="reasons: " + "; ".join(f"{name}, {reason}" for name, reason in undetermined.items()),
                ),
                UndeterminedWarning,
            )
        notes = self._notes(records.by_name(self.left), designs.on_bounds(x))
        if records.noise is not None:
            coarse = f"noise is less than the error of the runs: {LARGER}; give a smaller rtol"
            notes += tuple(f"{name}: {coarse}, {self.rtol * FINER:g}" for name in self._above(records.noise, 1.0))
            notes += (f"how far runs are off is not known, as finer ones fail: {self.unknown}",) * bool(self.unknown)
        wrong = [f"not converged: {why}"] * (not converged) + self._misleading(notes)
        if wrong:
            remedy = "print what it returned, which tells more"
            item = f"fit of '{designs.mechanism.name}'"
            warn(message(item, f"is doubtful: {'; '.join(wrong)}", remedy=remedy), SearchWarning)
        misfit = float(residuals @ residuals) / freedom
        return self._fit(
            errors=errors,
            times=times,
            undetermined=undetermined,
            correlations=correlations,
            noise=noise,
            misfit=misfit,
            converged=converged,
            why=why,
            notes=notes,
        )

    def _interrupted(self) -> Fit:
        """The best so far; to tell how well it is known would take further runs."""
        count = len(self.designs.names)
        left = self.records.by_name(self.left)
        noise: Any = self.records.noise or {name: np.sqrt(np.mean(one**2)) for name, one in left.items()}
        return self._fit(
            errors=np.full(count, np.nan),
            times=1.0,
            undetermined={},
            correlations=np.full((count, count), np.nan),
            noise=noise,
            misfit=np.nan,
            converged=False,
            why="it was interrupted",
            notes=("errors are not known: it was interrupted",),
        )

    def _fit(
        self,
        *,
        errors: np.ndarray,
        times: float,
        undetermined: dict[str, str],
        correlations: np.ndarray,
        noise: Mapping[str, Any],
        misfit: float,
        converged: bool,
        why: str,
        notes: tuple[str, ...],
    ) -> Fit:
        """The best design, with what is known of it; limits are so many `times` its errors away."""
        designs, records, x = self.designs, self.records, self.best
        mechanism, start = designs.made(x)
        values = designs.values(x)
        return Fit(
            mechanism=mechanism,
            start=start,
            values=values,
            errors=dict(zip(designs.names, errors.tolist())),
            limits={n: (v - times * e, v + times * e) for (n, v), e in zip(values.items(), errors.tolist())},
            confidence=self.level,
            undetermined=undetermined,
            on_bounds=designs.on_bounds(x),
            correlations=correlations,
            measured={name: (records.times[name], records.values[name]) for name in records.names},
            units={name: designs.task.units[name] for name in records.names},
            residuals=records.by_name(self.left),
            noise={name: float(np.sqrt(np.mean(np.square(one)))) for name, one in noise.items()},
            estimated=records.noise is None,
            misfit=misfit,
            converged=converged,
            why=why,
            runs=designs.runs,
            failed=designs.failed,
            notes=notes,
            value_units=designs.units(),
        )

    def _slopes(self, x: np.ndarray, noise: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
        """Slopes at x, and their errors.

        Runs choose steps by all that moves, so that what has no part in a record moves it by their error, and smoothly.
        Where noise is little, finer runs tell how much of a slope that is.
        """
        slopes, error = self._differences(x)
        if self._above(noise, CLEAR):
            with self.designs.otherwise(**self._finer()):
                fine, error = self._differences(x)
            slopes, error = fine, np.maximum(error, np.abs(fine - slopes))
        return slopes, error

    def _notes(self, residuals: Mapping[str, np.ndarray], on_bounds: Mapping[str, str]) -> tuple[str, ...]:
        """Where the errors that are told cannot be right."""
        notes = [f"{name} is {where}: limits beside a bound do not hold" for name, where in on_bounds.items()]
        for name, one in residuals.items():
            values = self.records.values[name]
            left = float(np.mean(one**2) / (np.var(values) or 1.0))
            if left > UNEXPLAINED:
                notes.append(
                    f"{name}: {EXPLAINS} {max(0.0, 1.0 - left):.0%} of how it varies: "
                    + ("it may lack something, or the bounds are wrong" if self.everywhere else ELSEWHERE)
                )
            along = float(one[1:] @ one[:-1] / (one @ one)) if np.any(one) else 0.0  # correlation of neighbours
            if len(one) >= 20 and along > 4.0 / np.sqrt(len(one)):
                notes.append(
                    f"{name}: {CORRELATED} ({along:+.2f}), as no noise is: the mechanism "
                    f"misses something, or the noise is slow; {LARGER}"
                )
        return tuple(notes)

    def _misleading(self, notes: Iterable[str]) -> list[str]:
        """Notes that say that values or errors are wrong.

        Not of residuals that are those of the runs, or no larger (of correlated ones: far less) than the noise given.
        """
        left = {name: float(np.sqrt(np.mean(one**2))) for name, one in self.records.by_name(self.left).items()}
        shares = {n: left[n] / np.sqrt(np.mean(np.square(one))) for n, one in (self.records.noise or {}).items()}
        noisy, quiet = ({name for name, one in shares.items() if one <= most} for most in (NOISY, QUIET))
        fine = [(EXPLAINS, noisy), (CORRELATED, quiet | set(self._above(left, CLEAR)))]
        said = [note for note in notes if EXPLAINS in note or LARGER in note]
        return [note for note in said if not any(w in note and note.partition(":")[0] in some for w, some in fine)]


def _size(values: np.ndarray) -> float:
    return float(np.std(values) or np.max(np.abs(values)) or 1.0)
