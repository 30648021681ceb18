"""Designs of one structure in numbers alone: all that `simulate` would make of them, as a program of their values.

First places of the bodies, numbers of the kernels, full turns that are meant: `compiled.following` has them for any
values.  `ensemble` searches and runs what `simulate` searches and runs, with the same kernels.

This is for motions in the plane, of mechanisms without declared speeds, jumps of drivers, gears, events that do more
than stop and rows that follow from others, of which measures are read.  `NotHere` says that a task is none of these:
the general way answers it then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from linkwork.analysis.assembly.declared import Declared
from linkwork.analysis.assembly.many_looks import ManyLooks
from linkwork.analysis.assembly.placement import place
from linkwork.analysis.assembly.turns import turns_of, turns_of_drivers
from linkwork.analysis.common import start_rows
from linkwork.analysis.kinks import Kinks
from linkwork.analysis.run import Run
from linkwork.analysis.run_options import RunOptions
from linkwork.analysis.simulate import made_ready, watches
from linkwork.analysis.stops import stops_of_angles
from linkwork.analysis.watched import Watched, watched_measures
from linkwork.analysis.watches import events_of
from linkwork.compiled.following import Collected, followed
from linkwork.compiled.geometry import memory_of
from linkwork.compiled.graph import components
from linkwork.compiled.in_time import what_breaks
from linkwork.compiled.model import Model
from linkwork.compiled.names import angle_of_body, driver_moving, measure_of
from linkwork.compiled.plans import layout_of
from linkwork.compiled.plans.tables import Tables
from linkwork.compiled.readings import compile_readings
from linkwork.coordinates import BASE, system_of
from linkwork.coordinates.body import System
from linkwork.coordinates.door import wants_softness
from linkwork.coordinates.turns import Said
from linkwork.errors import UnknownNameError
from linkwork.result.state import State
from linkwork.tape import array


class NotHere(Exception):
    """A question that is left to the general way."""


class Sought(NamedTuple):
    """What is searched for by some start values."""

    system: System
    search: ManyLooks
    slots: np.ndarray  # of memory that counts turns, and the measures that they count of
    said: np.ndarray  # of which targets something is said


class InNumbers:
    """What designs of one structure, with the same names, have in common; nothing changes in it once it is made."""

    def __init__(self, mechanism: Any, options: RunOptions, start: Mapping[str, float], names: list[str], numbers: Any):
        """Made of a first design: its mechanism, its start values, and `numbers`, those that will be others."""
        events = watched_measures(mechanism, options) if watches(mechanism.compile(), options) else []
        if events is None:
            raise NotHere("events do more than stop, or are functions")
        self.ended_early = any(event.then for event in events)
        if not self.ended_early:
            options = replace(options, events=False)  # what is only recorded leaves no trace in the motion
        run, state = made_ready(mechanism.compile(), options)
        model = self.model = state.model
        self.options, self.start = options, dict(start)
        self._refuse(run, state)
        declared = Declared(model, self.start)
        #: bodies whose place holds the mass centre, and not the turn, only where it is the origin
        self.about = declared.place & ~declared.turn & model.turning
        if declared.rows:
            raise NotHere("places are declared about which bodies may turn")
        #: places and turns that are declared, by body; what is searched for with start values, and to see whether they
        #: alone move what is declared
        self.placed, self.turned = declared.place, declared.turn
        moving = bool(start) and (declared.place | declared.turn).any()
        self.starts = {"search": self.start, **({"bare": {}} if moving else {})}
        self.run: Run = run
        self.coordinates = run.coordinates
        self.t = state.t
        #: when it is evaluated: where functions of time break, on their right side
        self.now = model.right_of(state.t)
        self.names = [_measured(model, name) for name in names]
        found = followed(model, numbers, start, self._collect)
        if found is None:
            raise NotHere("its numbers cannot be followed")
        self.followed = found
        self._make_systems(state)
        self._begin(state)

    def _refuse(self, run: Run, state: State) -> None:
        model, options = self.model, self.options
        declared, layout = model.declared, model.plan(run.coordinates).layout
        wrong = (
            model.dimension == 3
            or options.every == "step"
            or run.grid[0] != state.t  # full turns are counted from the first output
            or options.near
            or options.most_seconds is not None
            or not options.correct
            or self._led_otherwise(run, state)
            or model.locks_of
            or state.free
            or len(state.dependencies)
            or declared.velocity.any()
            or declared.spin.any()
            or model.misfits  # each design has to be looked at
            or not layout.in_blocks
            or run.slots
        )
        if wrong:
            raise NotHere("it is run in the general way")

    def _led_otherwise(self, run: Run, state: State) -> bool:
        """Whether functions of time ask for more: jumps, or a look at what drivers and start values want."""
        model, drivers = self.model, self.model.mechanism.drivers
        self.pieces = [(state.t, float(run.end))]
        if not model.functions:
            return False
        known = [function.breaks(state.t, run.end).until for function in model.functions]
        kinks = Kinks(model, state.t, run.end)
        self.pieces = kinks.pieces
        driven = {row.measure: row for row in model.rows if row.kind == "driver"}
        given = [(one, driven[one.measure]) for one in start_rows(model.mechanism, self.start) if one.measure in driven]
        return (
            kinks.begin != state.t
            or kinks.jumps
            or any(
                one[1] != other[0] for one, other in zip(self.pieces, self.pieces[1:])
            )  # more than higher derivatives
            or (len(self.pieces) > 1 and run.method.fixed_step)
            or min(known) < run.end
            or any(one.speed or not (row.speed or row.value is None) for one, row in given)
            or any(driver_moving(name) in drivers for name in self.start)
            or (state.t != 0.0 and bool((model.declared.place | model.declared.turn).any()))
        )

    # -- what depends on numbers ---------------------------------------------------------------------------------------
    def _collect(self, model: Model, start: Mapping[str, Any]) -> Collected:
        """All that a design needs of its model."""
        mechanism, none = model.mechanism, frozenset[int]()
        sets = {"body": BASE, "own": self.coordinates}
        tables = {name: Tables(model, layout_of(model, one, none), ()) for name, one in sets.items()}
        read, straight, other = self._asked(model)
        arrays = {
            "centers": model.centers.ravel(),
            "law_states": array(list(model.law_states.values())).ravel(),
            "declared": array([_declared(mechanism.bodies[one.name]) for one in model.bodies]).ravel(),
            "stops": array([list(one.part.numbers[1:]) for one in stops_of_angles(model)]).ravel(),
        }
        structure: list[Any] = [straight, [other.index(one) if one in other else -1 for one in read]]
        structure += [[part != 0.0 for part in model.centers[k]] for k in np.flatnonzero(self.about)]
        structure += map(what_breaks, model.functions)
        for name, values in {"search": start, "bare": {}}.items():
            if name not in self.starts:
                continue
            rows = tuple(start_rows(mechanism, dict(values)))
            tables[name] = Tables(model, layout_of(model, BASE, none), rows)
            counted = [one for one in memory_of(tables[name].measures)[0] if one.memory == "turns"]
            targets = self._targets(model, name, values, counted, read)
            poses, twists = place(model, dict(values))
            arrays[f"{name}_poses"], arrays[f"{name}_twists"] = array(poses).ravel(), array(twists).ravel()
            arrays[f"{name}_targets"] = array([0.0 if one is None else one for one in targets] or [0.0])
            structure += [len(counted), [one is None for one in targets]]
        arrays |= {name: one.writer.p for name, one in tables.items()}
        structure += [one.structure() for one in tables.values()]
        layout = tables["own"].layout
        if layout.probe is not None:
            arrays["probe"] = layout.probe.parameters
            structure += [layout.probe.tab.tobytes(), *(one.tolist() for one in layout.probe_terms)]
        if other:
            readings = compile_readings(model, other)
            arrays["readings"] = readings.parameters
            structure += [readings.tab.tobytes()]
        if self.ended_early:
            events, watched = self._watched(model)
            readings = compile_readings(model, watched)
            arrays["watched"] = readings.parameters
            structure += [readings.tab.tobytes(), *events]
        return Collected(arrays, tables, structure)

    def _make_systems(self, state: State) -> None:
        """Systems of the first design: all others have their structure."""
        model = self.model
        self.body = System(model.plan())
        measures, straight, other = self._asked(model)
        one_group = len(components([body.name for body in model.bodies], model.edges)) == 1
        self.sought = {name: self._sought(name, state, measures, one_group) for name in self.starts}
        searched = self.sought["search"].system
        self.own = system_of(model, self.coordinates, state.values, None, state.memory, frozenset())
        if self.own.depends_on_assembly:
            raise NotHere("links stand as assembled")
        self.own.held[:] = 1.0
        layout = self.own.plan.layout
        self.probe = layout.probe
        self.readings = compile_readings(model, other) if other else None
        bodies = [k for k, body in enumerate(model.bodies) if body.has_angle]
        self.angles = 3 * np.array(bodies, dtype=np.int64) + 2
        spoken = {
            frame.body
            for measure in self._turned(model, "search", self.start)
            for _, one in measure.terms()
            for frame in (one.on, one.to)
        }
        self.spoken = np.array([model.bodies[k].name in spoken for k in bodies], dtype=bool)
        self.reads = [
            (place, other.index(one) if place is None else -1, one not in model.plan().measure_index)
            for one, place in zip(measures, straight)
        ]
        #: rows of speeds that are given to begin with, behind those of the model
        self.speeds = np.array([row.speed for row in searched.plan.rows[len(model.rows) :]], dtype=float)
        #: whether there are velocities to look for
        self.moving = bool(self.speeds.any()) or any(row.function >= 0 for row in model.rows)
        #: rows that are held as assembled: which, what they measure, and the function that is counted from there
        self.as_assembled = [
            (r, _places(searched, row.measure), row.function)
            for r, row in enumerate(searched.plan.rows[: len(model.rows)])
            if row.value is None
        ]
        #: what stops of angles measure
        self.stops = [_places(self.body, one.part.reads[0]) for one in stops_of_angles(model)]

    def _sought(self, name: str, state: State, read: list[Any], one_group: bool) -> Sought:
        model, start = self.model, self.starts[name]
        system = System(model.plan(rows=start_rows(model.mechanism, start)))
        if system.plan.counting:
            raise NotHere("rows are met in one turn only")
        places = [(slot, system.plan.measure_index[one]) for one, slot in system.plan.turn_slots.items()]
        targets = self._targets(model, name, start, list(system.plan.turn_slots), read)
        return Sought(
            system,
            ManyLooks(system, self.now, state.y, Declared(model, start), one_group),
            np.array(places, dtype=np.int64).reshape(-1, 2),
            np.array([one is not None for one in targets], dtype=bool),
        )

    def _begin(self, state: State) -> None:
        """What the time loop begins with."""
        run = self.run.begin(state)
        self.method, self.grid = run.method, run.grid
        self.watch = Watched(self, run) if self.ended_early else None
        if wants_softness(self.method):
            raise NotHere("its method needs numbers of the model")
        self.begun = run.begun()
        self.floats = run.states.size  # of the outputs of a design

    def _asked(self, model: Model) -> tuple[list[Any], list[tuple[int, int] | None], tuple[Any, ...]]:
        """Measures that are read, where states hold them, and those that they do not hold."""
        read = [measure_of(model.mechanism, name)[0] for name, *_ in self.names]
        straight = [_straight(model, one) for one in read]
        return read, straight, tuple(dict.fromkeys(one for one, place in zip(read, straight) if place is None))

    def _watched(self, model: Model) -> tuple[list[Any], tuple[Any, ...]]:
        """What events are about, and the simple measures that they watch, where they may stop a run."""
        if not self.ended_early:
            return [], ()
        events = [
            (event.when, event.value, event.direction, event.most, measure_of(model.mechanism, event.when)[0].terms())
            for event in events_of(model.mechanism, self.options.until, self.options.events)
        ]
        told = [(*words, [weight for weight, _ in terms]) for *words, terms in events]
        return told, tuple(dict.fromkeys(one for *_, terms in events for _, one in terms))

    def refused(self, why: str) -> NotHere:
        """The error that says that it is left to the general way."""
        return NotHere(why)

    def straight(self, measure: Any) -> tuple[int, int] | None:
        """Body and coordinate where a measure is one as states hold it."""
        return _straight(self.model, measure)

    @property
    def first_target(self) -> int:
        """Where targets of what is read begin; behind them are those of what is watched."""
        return len(self.sought["search"].slots) + len(self.angles)

    def drive(self) -> Any:
        """What a time loop needs beside a system; threads have one each."""
        return self.own.drive(self.method, self.watch.watching if self.watch is not None else None)

    def _turned(self, model: Model, name: str, start: Mapping[str, Any]) -> dict[Any, Any]:
        """Angles that start values say over full turns, and drivers where these have a part in the search."""
        turned = turns_of(model.mechanism, dict(start))
        return turned | (turns_of_drivers(model, self.t, turned) if name == "search" else {})

    def _targets(
        self, model: Model, name: str, start: Mapping[str, Any], counted: list[Any], read: list[Any]
    ) -> list[Any]:
        """Angles that are meant, where something says them: of what counts turns, of bodies, of what is read."""
        said = Said(model, self._turned(model, name, start))
        read = [*read, *(one for one in self._watched(model)[1] if one.memory == "turns")]
        of_bodies = [angle_of_body(model.mechanism, body.name) for body in model.bodies if body.has_angle]
        return [said.get(one) for one in (*counted, *of_bodies, *read)]


def _measured(model: Model, name: str) -> tuple[str, int, bool]:
    """A name, the order of its rate, and whether it counts full turns; refused where it is more than a measure."""
    try:
        measure, order = measure_of(model.mechanism, name)
    except UnknownNameError:
        raise NotHere("more than measures are read") from None
    terms = measure.terms()
    simple = len(terms) == 1 and terms[0][0] == 1.0 and order < 2 and measure.function(2) is None
    turns = measure.memory == "turns"
    if not simple or measure.memory == "parameter" or (turns and not measure.is_turn):
        raise NotHere("more than simple measures are read")
    return name, order, turns


def _declared(body: Any) -> list[Any]:
    """Place and turn of a body as declared, zero where they are not."""
    place = (0.0, 0.0) if body.position is None else body.position
    return [*place[:2], 0.0 if body.angle is None else body.angle]


def _places(system: System, measure: Any) -> list[tuple[float, int]]:
    """Weights of a measure and where what it is the sum of is among the values."""
    return [(weight, system.plan.measure_index[one]) for weight, one in measure.terms()]


def _straight(model: Model, measure: Any) -> tuple[int, int] | None:
    """Body and coordinate where a measure is one as states hold it."""
    return None if measure in set(model.measures) else model.coordinate(measure)
