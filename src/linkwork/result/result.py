"""A result: times and states, and everything else by name, computed when asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arguments import Explained, explained, mirrored
from linkwork.compiled.bases import asked_for
from linkwork.errors import AnalysisError, DescriptionError, UnknownNameError, message
from linkwork.records import only_read
from linkwork.result import switching
from linkwork.result.branches import branch_of
from linkwork.result.efforts import WAYS, EffortChecks, Efforts, check_efforts
from linkwork.result.energy import Energy
from linkwork.result.events import Events, Mark, events_of
from linkwork.result.forces import applied_force
from linkwork.result.joining import following
from linkwork.result.orientation import Orientations, angular_velocity, orientation
from linkwork.result.quantities import NEEDS, long_name, vocabulary
from linkwork.result.questions import Questions
from linkwork.result.reactions import Reaction, reaction, row_jacobian
from linkwork.result.segments import JoinedSeries, Segment, joined, state_shown
from linkwork.result.series import Series
from linkwork.result.state import State
from linkwork.result.statistics import Statistics
from linkwork.result.stored import arrays_of, known_motion, segments_of, sizes_of, words_of
from linkwork.result.turns import can_run_again, rerun
from linkwork.units import Number, convert

if TYPE_CHECKING:
    from linkwork.result.compare import compare as _compare
    from linkwork.result.freedoms import freedoms as _freedoms
    from linkwork.view.drawing import draw as _draw
    from linkwork.view.film import animate as _animate
    from linkwork.view.notebook import result_html as _html
    from linkwork.view.notebook import result_of_interrupt as _shown
    from linkwork.view.page.write import page as _page
    from linkwork.view.plot import plot as _plot
    from linkwork.view.plot import plot_path as _plot_path

Names = str | Sequence[str] | None


@explained
class Result(Questions, metaclass=Explained):
    """Named series over time: arrays that are only to be read, `run["A.angle"].copy()` is one to write.

    `run["A.angle"]` and any other name of the grammar; `run.reaction("A")`, `run.energy`, `run.final`, `run.at(t)`.

    >>> run = lw.gallery.four_bar().simulate(1.0, every=0.1)
    >>> run["A.angle"].shape, run["coupler.tracer"].shape, run.unit("B.reaction.x")
    ((11,), (11, 2), 'N')
    >>> run.at(0.55).t
    0.55
    """

    def __init__(
        self,
        segments: Sequence[Segment],
        statistics: Any = None,
        title: str = "result",
        manifest: Any = None,
        marks: Sequence[Mark] = (),
    ):
        #: parts in which the same rows are held, in the order of time
        self.segments = tuple(segments)
        #: events that were only recorded, in the order of time
        self.marks = tuple(marks)
        self.statistics = statistics or Statistics()
        self.title = title
        self._told = manifest or {}
        self._cache: dict[str, np.ndarray] = {}
        self._wholes: dict[tuple[str, str], np.ndarray] = {}
        self._reactions: dict[tuple[Any, ...], Reaction] = {}

    #: results of the other ways to assemble it, where they were asked for; see `kinematics(others=True)`
    others: tuple[Result, ...] = ()

    @property
    def coordinates(self) -> str:
        """The set that it was run in."""
        return str(self.segments[0].coordinates)

    @cached_property
    def t(self) -> np.ndarray:
        """Its times."""
        return only_read(self._times())

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """What was asked for: analysis, coordinates, method, tolerances; kept in files beside the numbers."""
        return {"coordinates": self.coordinates, **asked_for(self.segments[0]), **self._told}

    @classmethod
    def of_state(cls, state: State, coordinates: str = "body") -> Result:
        """The result that consists of one state."""
        return cls([Segment.of_state(state, coordinates)])

    @classmethod
    def of_motion(
        cls,
        mechanism: Any,
        t: Any,
        states: Any,
        accelerations: Any = None,
        multipliers: Any = None,
        source: str = "kinematics",
        title: str = "motion",
    ) -> Result:
        """A result of a motion that is known, not integrated; `stored.known_motion` says what the numbers are."""
        segment = known_motion(mechanism.compile(), t, states, accelerations, multipliers, source)
        return cls([segment], title=title)

    def __add__(self, more: Result) -> Result:
        """This result, and another one that goes on from its last state; where velocities jump, `events` has it."""
        if not isinstance(more, Result):
            return NotImplemented
        told = {**more.manifest, **self.manifest, "ended": more.ended}  # where the first one ended, the other goes on
        if self.doubts or more.doubts:
            told["doubts"] = [*self.doubts, *more.doubts]
        count = len(self.segments)
        marks = [*self.marks, *(replace(one, segment=one.segment + count) for one in more.marks)]
        return Result(following(self, more), self.statistics + more.statistics, self.title, told, marks)

    @classmethod
    def of_parts(
        cls, mechanism: Any, manifest: Mapping[str, Any], parts: Sequence[Any], statistics: Mapping[str, Any]
    ) -> Result:
        """A result whose states stay on disk; `in_parts.Reading` says what a part is."""
        from linkwork.result.in_parts import ResultInParts

        return ResultInParts.made(mechanism, manifest, parts, statistics)

    def _times(self) -> np.ndarray:
        return joined(self.segments, lambda one: one.t)

    @property
    def model(self) -> Any:
        """The model of the mechanism."""
        return self.segments[0].model

    @property
    def mechanism(self) -> Any:
        """The mechanism, a copy of what it was when the analysis began."""
        return self.model.mechanism

    def stored(self) -> dict[str, np.ndarray]:
        """What the result consists of, as arrays; all else is computed from it."""
        return arrays_of(self.segments)

    def __reduce__(self) -> tuple[Any, ...]:
        return Result.restored, (self.mechanism, self.stored(), self.options(), asdict(self.statistics), self.title)

    def options(self) -> dict[str, Any]:
        """The manifest, and what else goes with the numbers into a file."""
        return {**self.manifest, **words_of(self.segments), **switching.marks_out(self.segments, self.marks)}

    @classmethod
    def restored(
        cls,
        mechanism: Any,
        stored: Mapping[str, Any],
        manifest: Mapping[str, Any],
        statistics: Mapping[str, Any],
        title: str = "result",
        model: Any = None,
    ) -> Result:
        """The result of `stored()` numbers and the mechanism that they belong to; what cannot be right is refused."""
        manifest = dict(manifest)
        model = model or cls.compiled(mechanism, manifest)
        segments = segments_of(model, stored, manifest.pop("segments", None), manifest.pop("turns", None))
        marks = switching.marks_in(segments, manifest.pop("marks", None))
        return cls(segments, Statistics.of(statistics), title, manifest, marks)

    @staticmethod
    def compiled(mechanism: Any, manifest: Mapping[str, Any]) -> Any:
        """The model that stored numbers belong to: with what events may switch, where some did."""
        asked = {"coordinates": manifest.get("coordinates", "body"), "basis": manifest.get("basis")}
        return switching.model_of(mechanism.compile(**asked), manifest)

    @staticmethod
    def sizes(model: Any) -> dict[str, tuple[int | None, ...]]:
        """The shapes of `stored()` for a model; None stands for any number."""
        return sizes_of(model)

    # -- by name ---------------------------------------------------------------------------------------------------
    @cached_property
    def _series(self) -> Series | JoinedSeries:
        alone = len(self.segments) == 1 and self.segments[0].outputs == slice(None)
        return self.segments[0].series if alone else JoinedSeries(self.segments)

    @property
    def _bodies(self) -> Any:
        return self._series.bodies

    @property
    def names(self) -> list[str]:
        """Every name that can be asked for; scalars of motion also with `.rate` and `.acceleration`."""
        known = vocabulary(self.model)
        missing = {need for one in self.segments for need in NEEDS if need not in one.needs}
        return [name for name in known.names if known.of_name(name).needs not in missing] if missing else known.names

    def _ipython_key_completions_(self) -> list[str]:
        return vocabulary(self.model).with_rates

    def __getitem__(self, name: str) -> np.ndarray:
        """A series (times,); of a vector, whose components have names, (times, 2) or (times, 3)."""
        if not isinstance(name, str):
            raise UnknownNameError("quantity", repr(name), self.names, f"in mechanism '{self.mechanism.name}'")
        if name not in self._cache:
            series = self._compute(name)
            bad = np.flatnonzero(~np.isfinite(series if series.ndim == 1 else series.sum(axis=1)))
            if bad.size:
                raise AnalysisError(
                    message(
                        f"'{name}'",
                        f"is no finite number at t = {self.t[bad[0]]:.6g} s",
                        remedy="a length of zero has no direction, and what has no mass no centre",
                    ),
                    result=self,
                )
            self._cache[name] = only_read(series)
        return self._cache[name]

    def know(self, series: Mapping[str, np.ndarray]) -> None:
        """Take series by name that were found on the way."""
        self._cache.update({name: only_read(one) for name, one in series.items()})

    def _compute(self, name: str) -> np.ndarray:
        known = vocabulary(self.model)
        parts = known.components(name) if isinstance(name, str) and known.find(name) is None else []
        if parts:
            return np.column_stack([self[part] for part in parts])
        one, order = known.meaning(name)
        return one.read(self, order)

    def first(self, name: str) -> Any:
        """A named quantity at the first time, for results of one state: a number; of a vector, its components."""
        found = self[name][0]
        return float(found) if np.ndim(found) == 0 else found.copy()

    def whole(self, name: str, item: str, function: Callable[[Result, str], Any]) -> np.ndarray:
        """What a function `(result, item)` gives for a quantity of an item, all its components, computed once."""
        key = item, name
        if key not in self._wholes:
            self._wholes[key] = only_read(np.asarray(function(self, item), dtype=float))
        return self._wholes[key]

    def unit(self, name: str) -> str:
        """SI unit of a named quantity."""
        one, order = vocabulary(self.model).meaning(name)
        return one.units[order]

    def scalars(self, names: Names = None) -> list[str]:
        """Names for the columns of a table: those asked for, a vector as its components; without any, all."""
        known, found = vocabulary(self.model), []
        for one in self.names if names is None else names if isinstance(names, (list, tuple)) else [names]:
            name = one if isinstance(one, str) else repr(one)
            found += (known.components(name) if known.find(name) is None else []) or [name]
        return list(dict.fromkeys(found))

    def long_name(self, name: str) -> str:
        """A name in words: 'B.reaction.x' is 'reaction x of joint B'."""
        return long_name(self.model, name)

    def describe(self, name: str) -> str:
        """What a name means: in words, with its unit."""
        one, order = vocabulary(self.model).meaning(name)
        return f"{name} [{one.units[order]}]: {long_name(self.model, name)} ({one.words})"

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is doubtful about the run, one sentence each; see `RunQualityWarning`."""
        return tuple(map(str, self.manifest.get("doubts", ())))

    @property
    def ended(self) -> str:
        """Where and why a motion ended before all that was asked for, or nothing."""
        return str(self.manifest.get("ended", ""))

    @property
    def turned(self) -> tuple[tuple[float, str], ...]:
        """Dead centres in which what is moved turned round: when, and where; see `kinematics(reverse=True)`."""
        return tuple((float(t), str(where)) for t, where in self.manifest.get("turned", ()))

    @property
    def branch(self) -> np.ndarray:
        """The branch of every position, 1 or -1: the sign of the determinant of all joints and drivers.

        It changes where the motion passes a dead centre or a crossing, and nowhere else; 0 where a body is idle.
        """
        return branch_of(self)

    def read(self, name: str, to: str | None = None) -> np.ndarray:
        """A named series, in the unit `to`: `run.read("A.angle", to="deg")`; without it, in SI as `run[name]`."""
        series = self[name]
        return series if to is None else convert(series, self.unit(name), to, f"'{name}'")

    def __contains__(self, name: str) -> bool:
        try:
            self[name]
        except UnknownNameError:
            return False
        return True

    # -- turns -----------------------------------------------------------------------------------------------------
    def orientation(self, body: str) -> Orientations:
        """How a body is turned, over time: `.quaternion`, `.matrix`, `.angles("XYZ")` and the other forms as arrays."""
        return orientation(self._bodies, body)

    def angular_velocity(self, body: str, axes: str = "body") -> np.ndarray:
        """(times, 3): angular velocity along the axes of the body, or along those of the "world"."""
        return angular_velocity(self._bodies, body, axes)

    def angular_acceleration(self, body: str, axes: str = "body") -> np.ndarray:
        """(times, 3): rate of the angular velocity, along the axes of the body or along those of the "world"."""
        return angular_velocity(self._bodies, body, axes, self._series.accelerations)

    # -- forces ----------------------------------------------------------------------------------------------------
    def reaction(self, joint: str, on: str | None = None, axes: str = "world") -> Reaction:
        """Force and moment of a joint on its `to` body (or the body `on`), at the joint."""
        key = (repr(joint), repr(on), repr(axes))
        if key not in self._reactions:
            self._reactions[key] = reaction(self._series, self.multipliers, self.segments, joint, on, axes)
        return self._reactions[key]

    def applied_force(self, body: str) -> np.ndarray:
        """(times, 3): applied force and moment about the mass centre, without reactions."""
        return applied_force(self._series, body)

    @property
    def efforts(self) -> dict[str, np.ndarray]:
        """Effort of every driver or actuator by its name, or by what it moves ("A.angle"), (times,) each."""
        names = [row.item for row in self.model.rows if row.kind == "driver"]
        return Efforts({name: self[f"{name}.effort"] for name in names})

    def check_efforts(self, by: str | Sequence[str] = WAYS) -> EffortChecks:
        """Efforts by the "power" balance and by "elimination" of all reactions, beside those by multipliers."""
        return check_efforts(self, by)

    @cached_property
    def multipliers(self) -> np.ndarray:
        """(times, rows); zero where a row is free, of least norm where constraints are redundant."""
        return only_read(joined(self.segments, lambda one: one.reacting))

    @property
    def dependencies(self) -> np.ndarray:
        """(redundant, rows) combinations of rows that vanish, of every segment."""
        return np.concatenate([one.dependencies for one in self.segments])

    @cached_property
    def events(self) -> Events:
        """What was done at the borders of segments: time, what, state before and after, impulses, energy lost."""
        return Events(events_of(self.segments, self.marks))

    @property
    def jacobian(self) -> np.ndarray:
        """(times, rows, columns) with respect to the velocity coordinates `columns`."""
        return row_jacobian(self._series)[:, :, self._columns]

    @property
    def rows(self) -> list[str]:
        """Names of the constraint rows."""
        return [row.name for row in self.model.rows]

    @property
    def columns(self) -> list[str]:
        """Names of the velocity coordinates (x, y of mass centres, angles)."""
        return [name for name in self.model.coordinate_names if name]

    @property
    def _columns(self) -> list[int]:
        return [k for k, name in enumerate(self.model.coordinate_names) if name]

    @cached_property
    def energy(self) -> Energy:
        """The energy ledger."""
        return Energy(self._series, self)

    @property
    def violation(self) -> np.ndarray:
        """Largest error of a row that is held at every time, in m or rad; in joint coordinates of what closes loops."""
        return only_read(self._series.violation)

    # -- states ----------------------------------------------------------------------------------------------------
    def state(self, k: int) -> State:
        """The state at the k-th time."""
        if not hasattr(k, "__index__") or not -len(self.t) <= k < len(self.t):
            raise DescriptionError(message("state", "is not in this result", k, f"0 to {len(self.t) - 1}"))
        return state_shown(self.segments, k % len(self.t))

    @property
    def final(self) -> State:
        """The last state: `start=run.final` goes on from here."""
        return self.state(-1)

    def at(self, t: float) -> State:
        """The state at a time; between stored times the motion is taken up again from the one before, as it was run.

        At an event it is the state after it.
        """
        t = Number("s").read(t, "at", "time")
        if not self.t[0] <= t <= self.t[-1]:
            raise UnknownNameError("time", f"{t:g}", [f"{self.t[0]:g} to {self.t[-1]:g} s"], "in this result")
        own: Segment = next(one for one in reversed(self.segments) if one.begins <= t).at_hand()
        k = int(np.searchsorted(own.t, t))
        if own.t[k] == t:
            return own.state(k)
        if not can_run_again(own):
            raise DescriptionError(
                message(
                    f"Result of '{self.mechanism.name}'",
                    f"has no state at this time, and its motion comes from {own.source}",
                    f"{t:g} s",
                    "one of its times, run.t",
                )
            )
        return rerun(own, np.array([own.t[k - 1], t]), own.state(k - 1)).final

    # -- out -------------------------------------------------------------------------------------------------------
    def to_xarray(self, names: Names = None) -> Any:
        """An xarray Dataset with units and long names."""
        from linkwork.result.tables import to_xarray

        return to_xarray(self, names)

    def to_pandas(self, names: Names = None) -> Any:
        """A pandas DataFrame over time."""
        from linkwork.result.tables import to_pandas

        return to_pandas(self, names)

    def to_netcdf(self, path: str | os.PathLike[str], names: Names = None) -> None:
        """Write a NetCDF file (with h5netcdf); `linkwork.load` brings the result back."""
        from linkwork.files.results import save

        save(self, path, names, "netcdf")

    def to_parquet(self, path: str | os.PathLike[str], names: Names = None) -> None:
        """Write a Parquet file (with pyarrow); `linkwork.load` brings the result back."""
        from linkwork.files.results import save

        save(self, path, names, "parquet")

    def to_csv(self, path: str | os.PathLike[str], names: Names = None) -> None:
        """Write a table with the names in its first line, and `<path>.json` (units, mechanism, digest) beside it."""
        from linkwork.files.results import save

        save(self, path, names, "csv")

    def to_json(self, path: str | os.PathLike[str], names: Names = None) -> None:
        """Write a JSON file; `linkwork.load` brings the result back."""
        from linkwork.files.results import save

        save(self, path, names, "json")

    def save(self, path: str | os.PathLike[str], names: Names = None) -> list[Path]:
        """Write a file in the format of its ending: .nc, .parquet, .csv or .json; returns all that was written."""
        from linkwork.files.results import save

        return save(self, path, names)

    if TYPE_CHECKING:
        draw, animate, page = _draw, _animate, _page
        plot, plot_path, compare, freedoms = _plot, _plot_path, _compare, _freedoms
        _repr_html_, _in_place_of_traceback = _html, _shown
    else:
        draw = mirrored("linkwork.view.drawing", "draw")
        animate = mirrored("linkwork.view.film", "animate")
        page = mirrored("linkwork.view.page.write", "page")
        plot = mirrored("linkwork.view.plot", "plot")
        plot_path = mirrored("linkwork.view.plot", "plot_path")
        compare = mirrored("linkwork.result.compare", "compare")
        freedoms = mirrored("linkwork.result.freedoms", "freedoms")
        _repr_html_ = mirrored("linkwork.view.notebook", "result_html")
        _in_place_of_traceback = mirrored("linkwork.view.notebook", "result_of_interrupt")

    def __str__(self) -> str:
        from linkwork.result.report import summary

        return summary(self)

    def __repr__(self) -> str:
        span = f", {self.t[0]:g} to {self.t[-1]:g} s" if len(self.t) else ""
        return f"<{self.title} of '{self.mechanism.name}': {len(self.t)} times{span}>"
