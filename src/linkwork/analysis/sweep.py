"""What if its numbers were others?  One analysis over many designs, on one core or on several."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from types import CodeType
from typing import Any, Literal

import numpy as np

from linkwork.analysis.common import as_model
from linkwork.analysis.options import truth
from linkwork.analysis.points import Points, points_of
from linkwork.analysis.progress import Progress
from linkwork.arguments import explained
from linkwork.errors import ArgumentError, DescriptionError, LinkworkError, UnknownNameError, message
from linkwork.result.quantities import vocabulary
from linkwork.result.state import State
from linkwork.result.tables import maker_of_datasets
from linkwork.units import whole

START = "start:"
#: what may stand behind the name of a series, and makes a number of it
NUMBERS: dict[str, Callable[[np.ndarray], float]] = {
    "first": lambda series: float(series[0]),
    "last": lambda series: float(series[-1]),
    "min": lambda series: float(series.min()),
    "max": lambda series: float(series.max()),
}
TIMED = ("simulate", "kinematics")
ANALYSES = (*TIMED, "assemble", "equilibrium", "statics")
CHUNK = 64  # runs of a part on disk


@explained
def sweep(
    mechanism: Any,
    vary: Mapping[str, Any],
    *,
    times: Any = None,
    read: str | Sequence[str] = (),
    reduce: Callable[[Any], Any] | None = None,
    analysis: str = "simulate",
    over: Literal["grid", "list", "latin", "sobol"] = "grid",
    count: int | None = None,
    seed: int = 0,
    workers: int = 1,
    processes: bool = False,
    store: str | os.PathLike | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Any:
    """Run `mechanism` with other numbers, again and again; returns an xarray Dataset.

    `vary` has names of `Mechanism.with_numbers` (parameters, fields as `spring.stiffness`, gravity) and start values as
    `start:A.angle`, each with its values.  `over` says which designs are made of them: the "grid" of all values with
    each other; a "list", the first values of all, the second ones, and so on; or `count` samples, "latin" (Latin
    hypercube) or "sobol", from `seed`: then each name has a pair (least, greatest), or {"mean": ..., "deviation": ...}
    of a normal distribution.

    `analysis` is "simulate" or "kinematics" (with `times`), "assemble", "equilibrium" or "statics"; `options` are its
    own.  `read` are names of series: over time as they are, or one number by `.first`, `.last`, `.min` or `.max` behind
    the name.  `reduce` is a function of the answer that returns a number, or numbers by name.

    A design that cannot be run has nan, and the reason in `failed`.  `workers` threads, or with `processes` as many
    processes, share the runs; the numbers are the same, bit for bit, whatever they are.  Ctrl-C raises
    `KeyboardInterrupt` with what is done in `.result`.  With `store`, a folder, parts are written as they come, and the
    same call goes on with them.  `progress` shows or hides the line that says how many runs are done.

    >>> found = lw.sweep(lw.gallery.four_bar(), {"spring.stiffness": [10, 20, 40]}, times=1.0, read="D.angle.max")
    >>> found["D.angle.max"].sizes["spring.stiffness"]
    3
    """
    dataset = maker_of_datasets("sweep")
    points = points_of(vary, over, count, seed)
    task = Task(mechanism, analysis, times, _names(read), reduce, options)
    task.check(points)
    workers = whole(workers, "sweep", "workers", 1)
    progress = None if progress is None else truth(progress, "progress", "sweep")
    found: dict[int, dict[str, Any]] = {}
    kept = None
    if store is not None:
        from linkwork.files.sweeps import SweepFolder

        kept = SweepFolder(store, task.told(points), len(points))
        found.update(kept.read())
    left = [k for k in range(len(points)) if k not in found]
    waiting: dict[int, dict[str, Any]] = {}
    stopped: KeyboardInterrupt | None = None
    try:
        with Progress(progress, f"sweep of '{mechanism.name}'", 0, max(1, len(left)), unit="runs") as line:
            for done, (k, answer) in enumerate(_answers(task, points, left, workers, truth(processes, "processes"))):
                found[k] = waiting[k] = answer
                if kept is not None and len(waiting) >= CHUNK:
                    kept.write(waiting)
                    waiting = {}
                line.show(done + 1)
    except KeyboardInterrupt as stop:
        stopped = stop
    if kept is not None and waiting:
        kept.write(waiting)
    data = _dataset(dataset, points, found, task.told(points))
    for name, unit in task.units.items():
        if name in data:
            data[name].attrs["units"] = unit
    if stopped is not None:
        stopped.result = data  # type: ignore[attr-defined]  # of Python's own error
        raise stopped
    return data


def _names(read: Any) -> list[str]:
    names = [read] if isinstance(read, str) else list(read)
    if not all(isinstance(one, str) for one in names):
        raise DescriptionError(message("sweep", "got read= that are no names", repr(read), 'names such as "D.angle"'))
    return names


def _series(name: str) -> str:
    """The series that is read: without what makes a number of it."""
    base, _, last = name.rpartition(".")
    return base if last in NUMBERS and base else name


class Task:
    """One run after the other: what is asked, of which mechanism."""

    def __init__(self, mechanism: Any, analysis: str, times: Any, read: list[str], reduce: Any, options: dict):
        if analysis not in ANALYSES:
            raise UnknownNameError("analysis", str(analysis), ANALYSES, "of a sweep")
        if not read and reduce is None:
            raise DescriptionError(
                message("sweep", "asks for nothing", remedy='give names, read="D.angle.max", or a function, reduce=')
            )
        if (times is not None) != (analysis in TIMED):
            wrong = "got no times" if times is None else "got times, which this analysis does not take"
            raise DescriptionError(message("sweep", wrong, remedy="give times= of simulate and kinematics"))
        if reduce is not None and not callable(reduce):
            raise DescriptionError(message("sweep", "got a reduce= that is no function", repr(reduce)))
        self.mechanism, self.analysis, self.times = mechanism, analysis, times
        self.names, self.reduce, self.options = read, reduce, options

    def check(self, points: Points) -> None:
        """Refuse names that do not exist, and values that are none, before anything is run."""
        numbers, start = self._split(points.first())
        self.mechanism.with_numbers(numbers)
        if start:
            self.mechanism.check_start(start)
        known = vocabulary(as_model(self.mechanism))
        self.units: dict[str, str] = {}
        for name in self.names:
            one, order = known.meaning(_series(name))
            if known.find(_series(name)) is None:
                parts = ", ".join(known.components(_series(name)))
                raise DescriptionError(message(f"sweep reads '{name}'", "which is a vector", wanted=f"one of {parts}"))
            self.units[name] = one.units[order]

    @staticmethod
    def _split(point: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Numbers, and start values, of a design."""
        start = {name.removeprefix(START): value for name, value in point.items() if name.startswith(START)}
        return {name: value for name, value in point.items() if not name.startswith(START)}, start

    def run(self, point: Mapping[str, Any]) -> dict[str, Any]:
        """Numbers and series by name; "failed" is the reason, where there are none."""
        numbers, start = self._split(point)
        options = dict(self.options)
        if start:
            options["start"] = {**(options.get("start") or {}), **start}
        if self.analysis in TIMED:
            options.setdefault("progress", False)
        given = () if self.times is None else (self.times,)
        try:
            mechanism = self.mechanism.with_numbers(numbers) if numbers else self.mechanism
            answer = getattr(mechanism, self.analysis)(*given, **options)
            return {"failed": "", **self._read(answer), **self._reduced(answer)}
        except ArgumentError:  # an option that the analysis does not take is wrong in every design
            raise
        except LinkworkError as error:
            return {"failed": _line(error)}

    def _read(self, answer: Any) -> dict[str, Any]:
        source = answer if hasattr(answer, "__getitem__") else answer.state
        found: dict[str, Any] = {}
        for name in self.names:
            base, series = _series(name), np.asarray(source[_series(name)], dtype=float)
            found[name] = series if base == name else NUMBERS[name.rpartition(".")[2]](np.atleast_1d(series))
        if self.analysis in TIMED and any(np.ndim(one) for one in found.values()):
            found["time"] = np.asarray(answer.t)
        return found

    def _reduced(self, answer: Any) -> dict[str, Any]:
        if self.reduce is None:
            return {}
        try:
            made = self.reduce(answer)
            named = made if isinstance(made, Mapping) else {"result": made}
            return {str(name): float(value) for name, value in named.items()}
        except Exception as error:
            raise DescriptionError(message("reduce", f"raised {type(error).__name__}: {str(error)[:200]}")) from error

    def told(self, points: Points) -> dict[str, Any]:
        """The manifest: what was asked, in words."""
        from linkwork.files.writer import digest

        return {
            "mechanism": self.mechanism.name,
            "digest": digest(self.mechanism),
            "analysis": self.analysis,
            "times": repr(self.times) if np.ndim(self.times) == 0 else np.asarray(self.times).tolist(),
            "read": self.names,
            "reduce": None if self.reduce is None else _in_words(self.reduce),
            "options": {name: _in_words(value) for name, value in self.options.items()},
            "points": points.told(),
        }


def _in_words(value: Any) -> Any:
    """What an argument says, whole: states and arrays print rounded, and functions of one name may do other things."""
    if isinstance(value, State):
        return [value.t, value.y.tolist(), value.memory.tolist()]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(name): _in_words(one) for name, one in value.items()}
    code = getattr(value, "__code__", None)
    if code is None:
        return getattr(value, "__qualname__", None) or repr(value)
    around = [one.cell_contents for one in value.__closure__ or ()]
    return [value.__qualname__, *_texts(code), repr((value.__defaults__, value.__kwdefaults__, around))]


def _texts(code: CodeType) -> Iterator[str]:
    """What a function does, as texts that are the same in every process."""
    yield code.co_code.hex()
    yield repr((code.co_names, [one for one in code.co_consts if not isinstance(one, CodeType)]))
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _texts(one)


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:500]


# -- workers -----------------------------------------------------------------------------------------------------------
_TASK: Task | None = None  # of a process that works for another


def _take(task: Task) -> None:
    global _TASK
    _TASK = task


def _work(point: Mapping[str, Any]) -> dict[str, Any]:
    assert _TASK is not None
    return _TASK.run(point)


def _answers(task: Task, points: Points, left: list[int], workers: int, processes: bool) -> Iterator[tuple[int, dict]]:
    """Answers as they come, with the number of the design."""
    if workers == 1 and not processes:
        for k in left:
            yield k, task.run(points[k])
        return
    pool: Executor
    if processes:
        import multiprocessing

        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _take, (task,))
        work: Callable = _work
    else:
        pool, work = ThreadPoolExecutor(workers), task.run
    try:
        for first in range(0, len(left), CHUNK * workers):  # not all at once: there may be very many
            asked: dict[Future, int] = {pool.submit(work, points[k]): k for k in left[first : first + CHUNK * workers]}
            for one in as_completed(asked):
                yield asked[one], one.result()
    finally:
        pool.shutdown(cancel_futures=True)


# -- the table ---------------------------------------------------------------------------------------------------------
def _dataset(made: Any, points: Points, found: dict[int, dict[str, Any]], told: dict[str, Any]) -> Any:
    """An xarray Dataset of what was found; nan where there is nothing."""
    shape, dims = points.shape, points.dims
    size = len(points)
    times: np.ndarray | None = None
    for answer in found.values():
        t = answer.get("time")
        if t is not None and (times is None or len(t) > len(times)):
            times = t
    names = list(dict.fromkeys(name for answer in found.values() for name in answer if name not in ("failed", "time")))
    reasons = np.full(size, "not run", dtype=object)
    series = {name for answer in found.values() for name, value in answer.items() if np.ndim(value)} - {"time"}
    if times is not None:
        columns = {name: np.full((size, len(times)) if name in series else size, np.nan) for name in names}
    else:
        columns = {name: np.full(size, np.nan) for name in names}
    for k, answer in found.items():
        reasons[k], t = answer["failed"], answer.get("time")
        if t is not None and times is not None and not np.array_equal(t, times[: len(t)]):
            reasons[k] = "has other times than the others: read one number of each run, or give reduce="
            continue
        for name in names:
            value = answer.get(name)
            if value is not None and np.ndim(value):
                columns[name][k, : len(value)] = value
            elif value is not None:
                columns[name][k] = value
    data = {
        name: ((*dims, "time"), values.reshape(*shape, -1)) if values.ndim == 2 else (dims, values.reshape(shape))
        for name, values in columns.items()
    }
    data["failed"] = dims, reasons.astype(str).reshape(shape)
    coordinates = points.coordinates() | ({"time": times} if times is not None and series else {})
    return made(data, coordinates, {"sweep": json.dumps(told)})
