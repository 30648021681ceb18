"""What a sweep asks of every design, as a thing that can be sent: to a thread, a process, or another machine.

A *design* is a map of names to values: numbers of `Mechanism.with_numbers`, and start values as `start:A.angle`.  An
*answer* is what was found of one: numbers and series by name, "time" where series are over time, "failed", the reason,
which is empty where all went well, and "doubts", what was warned of.  `Task.run_part` answers a list of designs.  Each
is answered by itself, so the numbers are the same, bit for bit, however the designs are dealt out.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.analysis.catalogue import MOTIONS, OF_ONE, REDUCED, TIMED, UNSTARTED
from linkwork.analysis.common import as_model
from linkwork.analysis.design_table import START
from linkwork.analysis.doubts import doubts_of, line, others_of
from linkwork.analysis.run_options import READERS
from linkwork.arguments import explained
from linkwork.errors import (
    ArgumentError,
    DescriptionError,
    LinkworkError,
    UnitError,
    UnknownNameError,
    UnlikelyAngleWarning,
    message,
    warnings_are,
    warnings_noted,
)
from linkwork.result.quantities import vocabulary
from linkwork.units import is_quantity

#: what may stand behind the name of a series, and makes a number of it
NUMBERS: dict[str, Callable[[np.ndarray], float]] = {
    "first": lambda series: float(series[0]),
    "last": lambda series: float(series[-1]),
    "min": lambda series: float(series.min()),
    "max": lambda series: float(series.max()),
}
LOOKED_AT = 64  # designs, and values of a name, until one is found that can be
RESULT = "result"  # the name of the number of a `reduce` that gives none
RAISED = ("reduce raised", "reduce returned what is")  # so begins the reason where `reduce` failed
OTHERS = "a function of the answer, reduce=, makes others"

Design = Mapping[str, Any]
Answer = dict[str, Any]


class Task:
    """What is asked, of which mechanism.  It can be pickled where the mechanism and `reduce` can."""

    def __init__(
        self,
        mechanism: Any,
        analysis: str,
        times: Any,
        read: list[str],
        reduce: Any,
        options: dict[str, Any],
        item: str = "sweep",
    ):
        if analysis not in OF_ONE:
            raise UnknownNameError("analysis", str(analysis), OF_ONE, f"of {item}")
        if not read and reduce is None:
            raise DescriptionError(
                message(item, "asks for nothing", remedy='give names, read="D.angle.max", or a function, reduce=')
            )
        if read and analysis in REDUCED:
            remedy = f"give reduce=, a function of what m.{analysis}() returns"
            raise DescriptionError(message(item, f"cannot read names of {analysis}", ", ".join(read), remedy=remedy))
        moved = MOTIONS.get(analysis) in options
        if (times is not None) != (analysis in TIMED and not moved):
            raise DescriptionError(
                message(item, f"got no times of {analysis}", wanted="how long each design runs, times=1.0, or a list")
                if times is None
                else message(item, f"got times and {MOTIONS[analysis]}= of {analysis}", remedy="leave out one of them")
                if moved
                else message(item, f"got times, which {analysis} does not take", remedy="leave out times=")
            )
        if reduce is not None and not callable(reduce):
            raise DescriptionError(message(item, "got a reduce= that is no function", repr(reduce)))
        self.item = item
        self.mechanism, self.analysis, self.times = mechanism, analysis, times
        self.names, self.reduce, self.options = read, reduce, options
        self.units: dict[str, str] = {}
        #: what `reduce` raised last, in this process
        self.raised: Exception | None = None
        #: how many designs there will be, where that is known
        self.expected: int | None = None
        self._quick: Any = None
        self._making = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: one for name, one in self.__dict__.items() if name not in ("raised", "_quick", "_making")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, raised=None, _quick=None, _making=threading.Lock())

    def check(self, designs: Any) -> None:
        """Refuse names that do not exist, and values that are none, before anything is run.

        A value that a design cannot have, as a length below zero, is that design's failure, whatever stands first.
        """
        self._check_options()
        started = any(name.startswith(START) for name in designs.values)
        values = self.options.get("start")
        if started and values is not None and not isinstance(values, Mapping):
            raise DescriptionError(
                message(
                    self.item,
                    "varies start values, and got a state to start from",
                    type(values).__name__,
                    'start values by name, such as {"A.angle": 1.0}',
                )
            )
        self._check_values(designs)
        for name, texts in designs.texts().items():  # a unit that does not fit is a mistake in any design
            for text in texts:
                with warnings_are("told already", UnlikelyAngleWarning):  # by the designs themselves
                    wrong = mistake(self.mechanism, {name: text})
                if wrong is not None and not is_quantity(text):
                    raise wrong
        known = vocabulary(as_model(self.mechanism))
        for name in self.names:
            self.units[name] = unit_read(self._named(known), name, self.item, OTHERS)

    def _named(self, known: Any) -> Any:
        """What is known by name: of `known`, or of a mechanism that `actuators` move."""
        actuators = self.options.get("actuators")
        if self.analysis != "inverse_dynamics" or not actuators:
            return known
        return vocabulary(as_model(self.mechanism.actuated(list(actuators))))

    def _check_values(self, designs: Any) -> None:
        """Refuse values where no design can have them; of many designs, some of all are looked at."""
        if any(mistake(self.mechanism, designs[k]) is None for k in _some(len(designs))):
            return
        for name, values in designs.values.items():  # none: so each by itself
            wrong = in_all(self.mechanism, name, values)
            if wrong is not None:
                raise wrong

    def _check_options(self) -> None:
        """Refuse options that are wrong in every design, as far as they can be read without one."""
        if self.analysis == "simulate":
            READERS["times"](self.times, "times")
            for name in self.options.keys() & READERS.keys():
                READERS[name](self.options[name], name)
        elif "coordinates" in self.options:
            READERS["coordinates"](self.options["coordinates"], "coordinates")
        for name in ("start", "near"):
            if isinstance(self.options.get(name), Mapping):
                self.mechanism.check_start(self.options[name])

    def run_part(
        self, designs: Sequence[Design], into: list[Answer] | None = None, stopped: Callable[[], bool] | None = None
    ) -> list[Answer]:
        """Answers to designs, in their order.  They are added to `into` as they come; it ends where it is stopped."""
        answers: list[Answer] = [] if into is None else into
        with warnings_noted() as beside:
            self._run_part(designs, answers, stopped)
        if answers:
            answers[0]["doubts"] = [*answers[0]["doubts"], *others_of(beside)]
        return answers

    def _run_part(self, designs: Sequence[Design], answers: list[Answer], stopped: Callable[[], bool] | None) -> None:
        if self.reduce is None and self.analysis == "simulate":
            self._designs().answer(designs, answers, stopped)
            return
        for design in designs:
            if stopped is not None and stopped():
                break
            answers.append(self.run_alone(design))

    def _designs(self) -> Any:
        """What knows of a quick way; of all threads."""
        with self._making:
            if self._quick is None:
                from linkwork.analysis.quick import QuickDesigns

                self._quick = QuickDesigns(self)
            return self._quick

    def pace(self, design: Design) -> float | None:
        """Seconds that a design takes, if an earlier sweep with the same question tells, or what was made ready."""
        return self._designs().pace(design) if self.reduce is None and self.analysis == "simulate" else None

    def run_alone(self, design: Design) -> Answer:
        """The answer to one design by a mechanism of its own: `with_numbers(...)`, and the analysis of that."""
        with warnings_noted() as noted:
            answer = self._run_alone(design)
        return {**answer, "doubts": doubts_of(noted)}

    def _run_alone(self, design: Design) -> Answer:
        numbers, start = split(design)
        options = dict(self.options)
        if start:
            options["start"] = {**(options.get("start") or {}), **start}
        if self.analysis in TIMED:
            options.setdefault("progress", False)
        given = () if self.times is None else (self.times,)
        if start and self.analysis in UNSTARTED:
            remedy = f"{self.analysis} takes no start values: vary numbers, or ask another analysis"
            raise ArgumentError(message(self.item, "varies start values", ", ".join(start), remedy=remedy))
        try:
            mechanism = self.mechanism.with_numbers(numbers) if numbers else self.mechanism
            answer = getattr(mechanism, self.analysis)(*given, **options)
            return {"failed": "", **self.read(answer), **self.reduced(answer)}
        except ArgumentError:  # an option that the analysis does not take is wrong in every design
            raise
        except LinkworkError as error:
            return {"failed": line(error)}

    def read(self, answer: Any) -> Answer:
        """What is read of a result, or of the answer of another analysis."""
        if not self.names:
            return {}
        source = answer if hasattr(answer, "__getitem__") else answer.state
        found = {name: number_of(name, source[series_of(name)]) for name in self.names}
        if self.analysis in TIMED and any(np.ndim(one) for one in found.values()):
            found["time"] = np.asarray(answer.t)
        return found

    def reduced(self, answer: Any) -> Answer:
        """What `reduce` makes of it."""
        if self.reduce is None:
            return {}
        try:
            made = self.reduce(answer)
            named = made if isinstance(made, Mapping) else {RESULT: made}
            self._refuse_taken(named)
            return {str(name): _returned(made, value) for name, value in named.items()}
        except _NoNumber as error:
            raise DescriptionError(str(error)) from None
        except Exception as error:
            self.raised = error
            raise DescriptionError(message("reduce", f"raised {type(error).__name__}: {str(error)[:200]}")) from error

    def _refuse_taken(self, named: Mapping[Any, Any]) -> None:
        """Refuse names of `reduce` under which an answer has something else."""
        taken = [str(name) for name in named if str(name) in ("failed", "doubts", "time", *self.names)]
        if taken:
            raise DescriptionError(message("reduce", "gives a name that is taken", repr(taken[0]), "another name"))


def mistake(mechanism: Any, design: Design) -> DescriptionError | None:
    """What is wrong with the values of a design; raises where a name, or a unit, is wrong in any design."""
    numbers, start = split(design)
    try:
        _renumbered(mechanism, numbers)
        if start:
            mechanism.check_start(start)
    except (UnknownNameError, UnitError):
        raise
    except DescriptionError as error:
        return error
    return None


def _renumbered(mechanism: Any, numbers: Mapping[str, Any]) -> None:
    """Refuse numbers that cannot be; of a name that is a start value, say how that is written."""
    try:
        mechanism.with_numbers(numbers)
    except UnknownNameError as error:
        name = error.name
        if name in numbers:
            try:
                mechanism.check_start({name: 0.0})
            except LinkworkError:
                raise error from None
            where = f"{error.where} (the start value is written '{START}{name}')"
            raise UnknownNameError(error.kind, name, error.known, where) from None
        raise


def in_all(mechanism: Any, name: str, values: Sequence[Any]) -> DescriptionError | None:
    """What is wrong with all values of a name; None where one of them can be.  Of many, some are looked at."""
    first = None
    for k in _some(len(values)):
        wrong = mistake(mechanism, {name: values[k]})
        if wrong is None:
            return None
        first = first or wrong
    return first


def _some(count: int) -> list[int]:
    """Some places of so many, evenly among them, the first and the last too."""
    return sorted({round(k) for k in np.linspace(0, count - 1, min(count, LOOKED_AT))})


class _NoNumber(Exception):
    """What `reduce` returned is none."""


def _returned(made: Any, value: Any) -> float:
    """A number that `reduce` returned."""
    if not isinstance(value, str) and np.size(value) == 1:
        try:
            return float(np.asarray(value).item())
        except (TypeError, ValueError):
            pass
    shape = np.shape(value) if isinstance(value, (np.ndarray, list, tuple)) else ()
    got = f"{type(value).__name__} of shape {shape}" if shape else repr(value)[:60]
    raise _NoNumber(message("reduce", "returned what is no number", got, "a number, or numbers by name"))


def handed_on(item: str, options: Any, more: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of the analysis: those that are given beside those of `item`, and those given by name in `options`."""
    if options is not None and not (isinstance(options, Mapping) and all(isinstance(one, str) for one in options)):
        wanted = 'arguments of the analysis by name, options={"over": ...}'
        raise DescriptionError(message(item, "got options that have no names", repr(options)[:60], wanted))
    own = dict(options or {})
    if twice := [name for name in own if name in more]:
        raise DescriptionError(message(item, f"got {twice[0]}= twice, once in options=", remedy="leave out one"))
    if kept := [name for name in ("store", "checkpoint") if own.get(name) is not None]:
        remedy = "store= of sweep keeps its designs" if item == "sweep" else f"leave out {kept[0]}"
        raise DescriptionError(message(item, f"got {kept[0]} in options=: one folder for all runs", remedy=remedy))
    return {**more, **own}


def unit_read(known: Any, name: str, item: str, remedy: str | None = None) -> str:
    """The unit of what is read; refuses names that do not exist, vectors, and numbers that there is no word for."""
    series, _, word = name.rpartition(".")
    if word not in NUMBERS and series and known.find(name) is None and not known.components(name):
        if known.find(series) is not None:
            raise DescriptionError(
                message(
                    item,
                    f"reads '{name}', which is no number of '{series}'",
                    repr(word),
                    ", ".join(f".{one}" for one in NUMBERS),
                    remedy,
                )
            )
    series = series_of(name)
    one, order = known.meaning(series)
    if known.find(series) is None:
        length = [f"{series}.magnitude"] if known.find(f"{series}.magnitude") is not None else []
        parts = ", ".join(f"{part}{name[len(series) :]}" for part in (*length, *known.components(series)))
        raise DescriptionError(message(f"{item} reads '{name}',", "which is a vector", wanted=f"one of {parts}"))
    unit: str = one.units[order]
    return unit


def split(design: Design) -> tuple[dict[str, Any], dict[str, Any]]:
    """Numbers, and start values, of a design."""
    start = {name.removeprefix(START): value for name, value in design.items() if name.startswith(START)}
    return {name: value for name, value in design.items() if not name.startswith(START)}, start


def series_of(name: str) -> str:
    """The series that is read: without what makes a number of it."""
    base, _, last = name.rpartition(".")
    return base if last in NUMBERS and base else name


@explained
def is_series(name: str, analysis: str) -> bool:
    """Whether a name is read as a series over time, and not as one number of it."""
    return analysis in TIMED and series_of(name) == name


def number_of(name: str, series: Any) -> Any:
    """The series itself, or the number of it that the name asks for."""
    series = np.asarray(series, dtype=float)
    return series if series_of(name) == name else NUMBERS[name.rpartition(".")[2]](np.atleast_1d(series))
