"""A result: times and states, and everything else by name, computed when asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from linkwork.arguments import Explained, explained
from linkwork.compiled.names import all_measures, measure_of, split
from linkwork.coordinates import system_of
from linkwork.errors import AnalysisError, DescriptionError, UnknownNameError, message
from linkwork.kernels import layout as at
from linkwork.result.energy import Energy
from linkwork.result.forces import applied_force, element_quantities, element_series
from linkwork.result.orientation import Orientations, angular_velocity, orientation
from linkwork.result.reactions import Reaction, multipliers, reaction, row_jacobian
from linkwork.result.series import Series
from linkwork.result.state import State
from linkwork.result.stored import arrays_of, first_turns, sizes_of, statistics_of, turns_by_measure
from linkwork.result.totals import total
from linkwork.result.turns import Turned, rerun, with_more_outputs
from linkwork.units import Number, convert

ENERGIES = ("kinetic", "potential", "total", "dissipated", "supplied", "balance")


@dataclass(frozen=True)
class Statistics:
    """What a run took."""

    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    projected_stages: int = 0
    seconds: float = 0.0


@explained
class Result(metaclass=Explained):
    """Named series over time.

    `run["A.angle"]` and any other name of the grammar; `run.reaction("A")`, `run.energy`, `run.final`, `run.at(t)`.
    """

    def __init__(self, model, coordinates, t, states, held, values, pivot, dependencies, statistics=None,
                 title="result", manifest=None, raw=None, first=None, began=None):
        self.model = model
        self.mechanism = model.mechanism
        self.coordinates = coordinates
        self.t = t
        self._given = states  # of the bodies; None where only `raw`, in the coordinates of the run, is known
        self._raw = raw
        self._first = first   # the state of the bodies that `raw` began with: whole turns count from there
        self._began = began   # turns that are known at the first time
        self._held = held
        self._values = values
        self._pivot = pivot
        self._dependencies = dependencies
        self.statistics = statistics or Statistics()
        self.title = title
        #: what was asked for: analysis, coordinates, method, tolerances; kept in files beside the numbers
        self.manifest = {"coordinates": coordinates, **(manifest or {})}
        self._cache: dict[str, np.ndarray] = {}
        self._reactions: dict[tuple, Reaction] = {}
        self.finer: Result | None = None  # the same motion with more outputs, where turns had to be counted

    @classmethod
    def of_state(cls, state: State, coordinates: str = "body") -> Result:
        """The result that consists of one state."""
        states = np.concatenate([state.y, state.memory])[None, :]
        return cls(state.model, coordinates, np.array([state.t]), states, state.held, state.values, state.pivot,
                   state.dependencies, began=state.turned)

    def stored(self) -> dict:
        """What the result consists of; all else is computed from it: times, states, rows held, their values."""
        return {"t": self.t, "states": self._states, "held": self._held, "values": self._values,
                "pivot": float(self._pivot), "dependencies": self._dependencies}

    def __reduce__(self):
        return Result.restored, (self.mechanism, self.stored(), self.options(), asdict(self.statistics), self.title)

    def options(self) -> dict:
        """The manifest, and what else goes with the numbers into a file."""
        turns = first_turns(self) if self._began is not None else {}
        return {**self.manifest, **({"turns": turns} if turns else {})}

    @classmethod
    def restored(cls, mechanism, stored: Mapping, manifest: Mapping, statistics: Mapping, title="result",
                 model=None) -> Result:
        """The result of `stored()` numbers and the mechanism that they belong to; what cannot be right is refused."""
        manifest = dict(manifest)
        coordinates = manifest.get("coordinates", "body")
        model = model or mechanism.compile(coordinates=coordinates)
        arrays = arrays_of(mechanism, model, stored)
        began = turns_by_measure(mechanism, manifest.pop("turns", None))
        return cls(model, coordinates, arrays["t"], arrays["states"], arrays["held"], arrays["values"],
                   float(arrays["pivot"]), arrays["dependencies"], statistics_of(Statistics, statistics), title,
                   manifest, began=began)

    @staticmethod
    def sizes(model) -> dict[str, tuple[int | None, ...]]:
        """The shapes of `stored()` for a model; None stands for any number."""
        return sizes_of(model)

    # -- by name ---------------------------------------------------------------------------------------------------
    @cached_property
    def _series(self) -> Series:
        return Series(self.model, self.coordinates, self.t, self._states, self._values, self._held, self._raw,
                      partial(with_more_outputs, self), self._began)

    @cached_property
    def _states(self) -> np.ndarray:
        """States of the bodies, with work and memory."""
        if self._given is not None:
            return self._given
        system = system_of(self.model, self.coordinates, self._values, self._held)
        system.keep_turns(self._first)
        return system.to_bodies(self.t, self._raw)

    @property
    def names(self) -> list[str]:
        """Every name that can be asked for; scalars of motion also with `.rate` and `.acceleration`."""
        names = list(all_measures(self.mechanism))
        axes = "xyz"[:self.model.dimension]
        for joint in self.mechanism.joints:
            if self.mechanism.joints[joint].active:
                names += [f"{joint}.reaction.{axis}" for axis in axes]
                names += [f"{joint}.moment"] if self.model.dimension == 2 else [f"{joint}.moment.{a}" for a in axes]
        for driver in self.mechanism.drivers:
            if self.mechanism.drivers[driver].active:
                names += [f"{driver}.effort", f"{driver}.power"]
        for force in self.mechanism.forces:
            names += [f"{force}.{key}" for key in element_quantities(self.model, force)]
        names += [f"system.{what}.{axis}" for what in ("center", "momentum") for axis in axes]
        turns = [f"{body.name}.angular_velocity" for body in self.model.bodies if body.has_angle]
        moments = ["system.angular_momentum"]
        names += moments if self.model.dimension == 2 else [f"{one}.{a}" for one in turns + moments for a in axes]
        return names + [f"energy.{key}" for key in ENERGIES]

    def __getitem__(self, name: str) -> np.ndarray:
        if not isinstance(name, str):
            raise UnknownNameError("quantity", repr(name), self.names, f"in mechanism '{self.mechanism.name}'")
        if name not in self._cache:
            series = self._compute(name)
            bad = np.flatnonzero(~np.isfinite(series))
            if bad.size:
                raise AnalysisError(message(f"'{name}'", f"is no finite number at t = {self.t[bad[0]]:.6g} s",
                                            remedy="a length of zero has no direction, and what has no mass no centre"),
                                    result=self)
            self._cache[name] = series
        return self._cache[name]

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is doubtful about the run, one sentence each; see `RunQualityWarning`."""
        return tuple(map(str, self.manifest.get("doubts", ())))

    def read(self, name: str, to: str | None = None) -> np.ndarray:
        """A named series, in the unit `to`: `run.read("A.angle", to="deg")`; without it, in SI as `run[name]`."""
        from linkwork.result.tables import unit_of

        series = self[name]
        return series if to is None else convert(series, unit_of(self, name), to, f"'{name}'")

    def __contains__(self, name: str) -> bool:
        try:
            self[name]
        except UnknownNameError:
            return False
        return True

    def _compute(self, name: str) -> np.ndarray:
        if name in ("t", "time"):
            return self.t
        item, _, quantity = name.partition(".")  # only scalars of motion have a rate: others must match as they are
        if item == "energy" and quantity in ENERGIES:
            return getattr(self.energy, quantity)
        if item == "system":
            return total(self._series, name, quantity, self.names)
        if item in self.mechanism.joints and quantity.split(".")[0] in ("reaction", "moment"):
            return self._reaction_component(name, item, quantity)
        if item in self.mechanism.drivers and quantity in ("effort", "power") and self.mechanism.drivers[item].active:
            return self._driver(item, quantity)
        if item in self.mechanism.forces and quantity in element_quantities(self.model, item):
            return element_series(self._series, item, quantity)
        if item in self.mechanism.bodies and quantity.startswith("angular_velocity."):
            return self._spin(name, item, quantity)
        if item in self.mechanism:
            try:
                measure, order = measure_of(self.mechanism, name)
            except UnknownNameError:
                raise UnknownNameError("quantity", name, self.names, f"in mechanism '{self.mechanism.name}'") from None
            return self._series.measure(measure, order)
        raise UnknownNameError("quantity", name, self.names, f"in mechanism '{self.mechanism.name}'")

    def _reaction_component(self, name, item, quantity):
        parts = quantity.split(".")
        axes = "xyz"[:self.model.dimension]
        found = self.reaction(item)
        if parts == ["moment"] and self.model.dimension == 2:
            return found.moment
        if len(parts) == 2 and parts[1] in axes and (parts[0] == "reaction" or self.model.dimension == 3):
            return (found.force if parts[0] == "reaction" else found.moment)[:, axes.index(parts[1])]
        raise UnknownNameError("quantity", name, [n for n in self.names if n.startswith(item + ".")])

    def _driver(self, item, quantity):
        (r,) = self.model.rows_of[item]
        effort = self.multipliers[:, r]
        if quantity == "effort":
            return effort
        return effort * self._series.pick([self._series.plan.size(at.W_NU) + r], located=True)[:, 0]

    # -- turns -----------------------------------------------------------------------------------------------------
    def orientation(self, body: str) -> Orientations:
        """How a body is turned, over time: `.quaternion`, `.matrix`, `.angles("XYZ")` and the other forms as arrays."""
        return orientation(self.model, self.t, self._states, body)

    def angular_velocity(self, body: str, axes: str = "body") -> np.ndarray:
        """(times, 3): angular velocity along the axes of the body, or along those of the "world"."""
        speeds = self._states[:, self.model.n_q:self.model.n_q + self.model.n_v]
        return angular_velocity(self.model, self.t, self._states, speeds, body, axes)

    def _spin(self, name, item, quantity):
        """One component, along an axis of the body, and its rate."""
        base, order = split(quantity)
        axis = base.partition(".")[2]
        if self.model.dimension == 2 or axis not in ("x", "y", "z") or order == 2 or not self.mechanism[item].has_angle:
            raise UnknownNameError("quantity", name, [n for n in self.names if n.startswith(f"{item}.")])
        if order == 0:
            return self.angular_velocity(item)[:, "xyz".index(axis)]
        return angular_velocity(self.model, self.t, self._states, self._series.accelerations, item,
                                "body")[:, "xyz".index(axis)]

    # -- forces ----------------------------------------------------------------------------------------------------
    def reaction(self, joint: str, on: str | None = None, axes: str = "world") -> Reaction:
        """Force and moment of a joint on its `to` body (or the body `on`), at the joint."""
        key = (repr(joint), repr(on), repr(axes))
        if key not in self._reactions:
            self._reactions[key] = reaction(self._series, self.multipliers, self._dependencies, joint, on, axes)
        return self._reactions[key]

    def applied_force(self, body: str) -> np.ndarray:
        """(times, 3): applied force and moment about the mass centre, without reactions."""
        return applied_force(self._series, body)

    @cached_property
    def multipliers(self) -> np.ndarray:
        """(times, rows); of least norm where constraints are redundant."""
        return multipliers(self._series, self._dependencies)

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
        return Energy(self._series)

    @property
    def violation(self) -> np.ndarray:
        """Largest constraint error at every time, in metres or radians."""
        if not self.model.rows:
            return np.zeros(len(self.t))
        return self._series.largest(at.W_PHI, len(self.model.rows))

    # -- states ----------------------------------------------------------------------------------------------------
    def state(self, k: int) -> State:
        """The state at the k-th time."""
        if not hasattr(k, "__index__") or not -len(self.t) <= k < len(self.t):
            raise DescriptionError(message("state", "is not in this result", k, f"0 to {len(self.t) - 1}"))
        n = self.model.n_y
        return State(float(self.t[k]), self._states[k, :n].copy(), self._states[k, n:].copy(), self._held,
                     self._values, self._pivot, self._dependencies, self.model, turned=Turned(self, k))

    @property
    def final(self) -> State:
        """The last state: `start=run.final` goes on from here."""
        return self.state(-1)

    def at(self, t: float) -> State:
        """The state at a time; between stored times the motion is taken up again from the one before, as it was run."""
        t = Number("s").read(t, "at", "time")
        if not self.t[0] <= t <= self.t[-1]:
            raise UnknownNameError("time", f"{t:g}", [f"{self.t[0]:g}", f"{self.t[-1]:g}"], "in this result")
        k = int(np.searchsorted(self.t, t))
        if self.t[k] == t:
            return self.state(k)
        return rerun(self, np.array([self.t[k - 1], t]), self.state(k - 1)).final

    # -- out -------------------------------------------------------------------------------------------------------
    def to_xarray(self, names=None):
        """An xarray Dataset with units and long names."""
        from linkwork.result.tables import to_xarray

        return to_xarray(self, names)

    def to_pandas(self, names=None):
        """A pandas DataFrame over time."""
        from linkwork.result.tables import to_pandas

        return to_pandas(self, names)

    def unit(self, name: str) -> str:
        """SI unit of a named quantity."""
        from linkwork.result.tables import unit_of

        self[name]  # what does not exist has no unit
        return unit_of(self, name)

    def to_netcdf(self, path, names=None) -> None:
        """Write a NetCDF file (with h5netcdf); `linkwork.load` brings the result back."""
        from linkwork.files.results import save

        save(self, path, names, "netcdf")

    def to_parquet(self, path, names=None) -> None:
        """Write a Parquet file (with pyarrow); `linkwork.load` brings the result back."""
        from linkwork.files.results import save

        save(self, path, names, "parquet")

    def to_csv(self, path, names=None) -> None:
        """Write a table with the names in its first line, and `<path>.json` (units, mechanism, digest) beside it."""
        from linkwork.files.results import save

        save(self, path, names, "csv")

    def to_json(self, path, names=None) -> None:
        """Write a JSON file; `linkwork.load` brings the result back."""
        from linkwork.files.results import save

        save(self, path, names, "json")

    def save(self, path, names=None) -> list[Path]:
        """Write a file in the format that its ending says: .nc, .parquet, .csv or .json; returns all that was written.
        """
        from linkwork.files.results import save

        return save(self, path, names)

    def plot(self, *names, file=None):
        """Plot named series over time; with `file`, write the picture."""
        from linkwork.view.plot import plot

        return plot(self, *names, file=file)

    def draw(self, t: float | None = None, file=None, **options):
        """Draw the mechanism at a time; with `file`, write the picture."""
        from linkwork.view.drawing import draw

        return draw(self, t, file=file, **options)

    def __str__(self) -> str:
        from linkwork.result.report import summary

        return summary(self)

    def __repr__(self) -> str:
        return f"<{self.title} of '{self.mechanism.name}': {len(self.t)} times, {self.t[0]:g} to {self.t[-1]:g} s>"
