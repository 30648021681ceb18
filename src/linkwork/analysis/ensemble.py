"""Many designs at once: from their values to the series that are read, in calls that run all of them.

Kernels are called for all designs of a block at once (`coordinates.many`), and hold no lock while they run; numpy over
the block stands between the calls, and energies are added up design by design.  What is searched for and run is what
`simulate` searches for and runs, by the same kernels, so the numbers of a design are the same bit for bit, whichever
designs are in its block.  Warnings are those of single runs, too.

A design that needs more (another method, a dead centre ahead, a position that is nearly singular) has no answer here:
the general way has one, and tells the reason.

| stage     | of all designs                                                                |
|-----------|-------------------------------------------------------------------------------|
| numbers   | the program of their values; designs with light bodies leave                  |
| assembled | first places, the search for a position, full turns, values of the rows       |
| entered   | states of the coordinates that the run goes in, smallest pivots, energy scale |
| run       | the time loops                                                                |
| judged    | whether something is doubtful about the runs                                  |
| read      | series                                                                        |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from linkwork.analysis.assembly.declared import ROUNDING, furthest_first, warn_of_moved
from linkwork.analysis.assembly.many_looks import BORDER
from linkwork.analysis.assembly.positions import HEALTHY
from linkwork.analysis.assembly.velocities import ROUNDS, SLOW
from linkwork.analysis.assembly.velocities import UNMET as TOO_FAST
from linkwork.analysis.doubts import doubts_of
from linkwork.analysis.entering import energy_scales
from linkwork.analysis.in_numbers import InNumbers
from linkwork.analysis.many_series import series_of
from linkwork.analysis.quality import judge, surely_sound, tell
from linkwork.coordinates.linking import linked_readings, pointers
from linkwork.coordinates.many import Many, added
from linkwork.coordinates.system import INDEPENDENT, UNMET, speeds_asked
from linkwork.coordinates.turns import TURN, shift
from linkwork.errors import warnings_noted
from linkwork.kernels import layout as at
from linkwork.kernels.designs import BEGAN, ENDED, JUMPING, VIOLATION
from linkwork.kernels.time.loop import DONE, EVENT

PIVOT = np.array([at.PIVOT, at.STATUS], dtype=np.int64)
STOPPED = "stopped"  # of an answer: whether an event has ended it


class NoneLeft(Exception):
    """All designs of a block are left to the general way."""


class Block:
    """Designs on their way: those that are left, in their order.

    `rows` are arrays with one row for each of them ("number" is which design it is), `many` the same by plans.
    """

    def __init__(
        self,
        made: InNumbers,
        values: np.ndarray,
        stopped: Callable[[], bool] | None,
        room: list[np.ndarray] | None = None,
    ) -> None:
        self.made, self.stopped, self.room, self.t = made, stopped, room, made.now
        self.rows, said = made.followed.many(values)
        self.rows["number"] = np.arange(len(values))
        self.many: dict[str, Many] = {}
        self.doubts: dict[int, list[str]] = {}
        self._go_on(said)

    @property
    def count(self) -> int:
        """How many are left."""
        return len(self.rows["number"])

    def _go_on(self, fine: np.ndarray) -> None:
        """Leave all others to the general way; where none is left, the block ends."""
        if not fine.any():
            raise NoneLeft
        if not fine.all():
            self.rows = {name: one[fine] for name, one in self.rows.items()}
            self.many = {name: one.of(np.flatnonzero(fine)) for name, one in self.many.items()}

    def go(self) -> None:
        """From values to finished runs."""
        for stage in (self._light, self._assemble, self._enter, self._run):
            stage()

    def part(self, some: np.ndarray, kind: Any = None) -> Any:
        """Some of the designs by themselves."""
        other = object.__new__(kind or type(self))
        other.__dict__.update(self.__dict__)
        other.rows = {name: one[some] for name, one in self.rows.items()}
        other.many = {name: one.of(np.flatnonzero(some)) for name, one in self.many.items()}
        return other

    def answers(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Numbers of designs, and their answers."""
        self._judge()
        found = self._read()
        yield from zip(self.rows["number"].tolist(), found)

    def tell(self, found: list[dict[str, Any] | None]) -> None:
        """Put doubts to the answers, which stand at the numbers of their designs: what single runs warn of."""
        model, doubts = self.made.model, self.doubts
        names = [body.name for body in model.bodies]
        moves: list[bool] = self.rows["moved"].any(axis=1).tolist()  # type: ignore[assignment]  # of a row each
        columns = ("moved", "far", "length")
        moved, far, lengths = (self.rows[one].tolist() if True in moves else [] for one in columns)
        with warnings_noted() as noted:
            for k, number in enumerate(self.rows["number"].tolist()):
                answer = found[number] if number < len(found) else None
                if answer is None:
                    continue
                noted.clear()
                if moves[k]:
                    ways = {name: (*way,) for name, way, one in zip(names, far[k], moved[k]) if one}
                    warn_of_moved(model, furthest_first(ways, lengths[k]))
                if number in doubts:
                    tell(model.mechanism.name, doubts[number])
                answer["doubts"] = doubts_of(noted) if noted else []

    def _many(self, system: Any, name: str) -> Many:
        """The designs by the plan of a system."""
        return Many(system.tab, self.rows[name], system.plan.workspace)

    def _located(self, many: Many, *keys: int) -> list[np.ndarray]:
        """Sections of the workspace at the states now, of every design."""
        return many.sections_at(self.t, self.rows["states"], *keys)

    # -- stages --------------------------------------------------------------------------------------------------------
    def _light(self) -> None:
        """Lengths and masses; bodies that are light, or have no inertia, are looked at by others."""
        base = self.many["base"] = self._many(self.made.body, "body")
        self.rows["length"] = base.section(at.P_LENGTH)[:, 0].copy()
        masses = base.section(at.P_MASS)[:, 1:]
        masses = self.rows["masses"] = masses.reshape(len(masses), -1).copy()
        light = base.section(at.P_LEAST)[:, 0] < at.LITTLE
        self._go_on(~light & (masses[:, self.made.model.existing] > 0.0).all(axis=1))

    def _assemble(self) -> None:
        """The states that `assemble` finds: of the bodies, with the memory of the base."""
        made, model = self.made, self.made.model
        sought = made.sought["search"]
        many, states, targets, fine = self._searched("search", np.arange(self.count))
        fine &= self._look_at_moved(states, fine)
        self.many["searched"], self.rows["states"], self.rows["targets"] = many, states, targets
        self._go_on(fine)
        first, states = len(sought.slots), self.rows["states"]
        angles = states[:, made.angles]
        far = made.spoken | (np.abs(angles) > np.pi)
        meant = self.rows["targets"][:, first : first + angles.shape[1]]
        states[:, made.angles] = np.where(far, angles + shift(angles, meant), angles)
        self._go_on(self._begun("search", self.many["searched"], states, self.rows["targets"]))
        self.rows["values"] = self._references()
        if made.moving:
            self._move()
        base, states = self.many["base"], self.rows["states"]
        values = self.rows["values"] = self.rows["values"][:, : len(model.rows)]
        base.section(at.P_ROW)[:, :, at.ROW_VALUE] = values
        memory = sought.system.plan.memory_for(made.body.plan, states[:, base.n_y :])
        states = self.rows["states"] = np.concatenate([states[:, : base.n_y], memory], axis=1)
        (turned,) = self._located(base, at.W_TURNED)
        for slots in made.body.plan.memory_slots.values():
            states[:, base.n_y :][:, slots] = turned[:, slots]
        base.section(at.W_HELD)[:] = 1.0
        self.rows["pivot"] = self._pivots(base, states) if model.rows else np.ones(self.count)
        self._go_on(~np.isnan(self.rows["pivot"]) & self._between_stops(base))
        if model.rows and made.own.n_rows == made.body.n_rows:  # else own rows, fewer or none, are asked instead
            self._go_on(self._independent(self.many["base"], made.body, self.rows["states"]))

    def _searched(self, name: str, some: np.ndarray) -> tuple[Many, np.ndarray, np.ndarray, np.ndarray]:
        """Some designs searched for by start values, or without: by their plan, states, targets, which are found."""
        sought = self.made.sought[name]
        numbers = self.rows[name][some]  # a copy: the search writes a metric in place of masses
        many = Many(sought.system.tab, numbers, sought.system.plan.workspace)
        targets = np.where(sought.said, self.rows[f"{name}_targets"][some, : sought.said.size], 0.0)
        states = self._packed(f"{name}_poses", some, many.n_memory)
        fine = self._begun(name, many, states, targets)
        return many, states, targets, fine & sought.search.find(many, states, self.rows["length"][some])

    def _packed(self, poses: str, some: np.ndarray, memory: int) -> np.ndarray:
        """As `body.pack`, at rest."""
        model = self.made.model
        count, bodies = len(some), len(model.bodies)
        q = self.rows[poses][some].reshape(count, bodies, 3)
        x, y = self._arms(q, some)
        q[:, :, 0] += x
        q[:, :, 1] += y
        rest = np.zeros((count, model.n_v + len(model.work_names)))
        return np.concatenate(
            [q.reshape(count, -1), rest, self.rows["law_states"][some], np.zeros((count, memory))], axis=1
        )

    def _look_at_moved(self, states: np.ndarray, found: np.ndarray) -> np.ndarray:
        """As `Declared.moved`: what was declared and has moved by itself; returns of which designs that is sure."""
        far, moved, sure = self._far(states, np.arange(self.count))
        some = np.flatnonzero(moved.any(axis=1) & sure & found)
        if len(some) and "bare" in self.made.sought:  # as `assemble`: do start values alone move it?
            _, bare, _, closed = self._searched("bare", some)
            _, again, of_bare = self._far(bare, some)
            sure[some] = closed & of_bare
            moved[some[~again.any(axis=1)]] = False
        self.rows["far"], self.rows["moved"] = far, moved
        return sure

    def _far(self, states: np.ndarray, some: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Way and turn from what is declared (designs, bodies, 2); which bodies moved; of which designs it is sure."""
        made = self.made
        poses = states[:, : made.model.n_q].reshape(len(some), -1, 3)
        if not (made.placed | made.turned).any():
            sure: np.ndarray = np.isfinite(poses).all(axis=(1, 2))
            return np.zeros((*poses.shape[:2], 2)), np.zeros(poses.shape[:2], dtype=bool), sure
        x, y = self._arms(poses, some)
        said = self.rows["declared"][some].reshape(poses.shape)
        way = np.hypot(poses[:, :, 0] - x - said[:, :, 0], poses[:, :, 1] - y - said[:, :, 1]) * made.placed
        turn = np.abs(np.remainder(poses[:, :, 2] - said[:, :, 2] + np.pi, TURN) - np.pi) * made.turned
        far = np.stack([way, turn], axis=2)
        against = far / np.stack([self.rows["length"][some], np.ones(len(some))], axis=1)[:, None] / ROUNDING
        sure = (np.isfinite(far) & (np.abs(against - 1.0) > BORDER)).all(axis=(1, 2))
        return far, ~(against <= 1.0).all(axis=2), sure

    def _between_stops(self, base: Many) -> np.ndarray:
        """Whether all stops of angles let the designs begin where they are; else `stops.tell_stops` has a look."""
        fine = np.ones(self.count, dtype=bool)
        if self.made.stops:
            (found,) = self._located(base, at.W_VALUE)
            limits = self.rows["stops"].reshape(self.count, -1, 2)
            for k, terms in enumerate(self.made.stops):
                value = sum(weight * found[:, measure] for weight, measure in terms)
                fine &= (limits[:, k, 0] <= value) & (value <= limits[:, k, 1])
        return fine

    def _move(self) -> None:
        """Velocities as `velocities.find_velocities` finds them where start values are rates."""
        made, model, t, states = self.made, self.made.model, self.t, self.rows["states"]
        count, bodies, system = self.count, len(model.bodies), made.sought["search"].system
        many = self._many(system, "search")
        many.section(at.P_ROW)[:, :, at.ROW_VALUE] = self.rows["values"]
        held = many.section(at.W_HELD)
        held[:] = np.concatenate([np.ones(len(model.rows)), made.speeds])
        speeds = states[:, model.n_q : model.n_q + model.n_v]
        twists = self.rows["search_twists"].reshape(count, bodies, 3)
        x, y = self._arms(states[:, : model.n_q].reshape(count, bodies, 3), np.arange(count))
        moved = twists.copy()
        moved[:, :, 0] -= twists[:, :, 2] * y
        moved[:, :, 1] += twists[:, :, 2] * x
        speeds[:] = moved.reshape(count, -1)
        blocks, nu = self._located(many, at.W_BLOCK, at.W_NU)
        change = many.places(at.W_CHANGE).ravel()

        def wrong() -> np.ndarray:
            """nu - J v, added up as `System.row_rates` does."""
            owners, rows = system.plan.block_owners
            terms = blocks * speeds.reshape(count, bodies, 3)[:, owners]
            left: np.ndarray = nu - added(rows, terms.sum(axis=2), nu.shape[1])
            return left

        for _ in range(ROUNDS):
            error = wrong()
            off = (error * held).any(axis=1)
            if not off.any():
                break
            step = many.solved(t, states, error, change)
            speeds[off] += step[off]
        error = np.abs(wrong() * held).max(axis=1, initial=0.0)
        bulk = np.abs(nu).max(axis=1, initial=0.0) + np.abs(speeds).max(axis=1, initial=0.0)
        self._go_on(error <= 0.5 * TOO_FAST * np.maximum(bulk, SLOW))  # what is nearer to it may be refused

    def _arms(self, poses: np.ndarray, some: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """From origins of the bodies to their mass centres, along world axes: rounded as of one design alone."""
        centers = self.rows["centers"][some].reshape(poses.shape)
        c, s = np.empty(poses.shape[:2]), np.empty(poses.shape[:2])
        for angles, cosines, sines in zip(poses[:, :, 2], c, s):
            np.cos(angles, cosines)
            np.sin(angles, sines)
        return c * centers[:, :, 0] - s * centers[:, :, 1], s * centers[:, :, 0] + c * centers[:, :, 1]

    def _begun(self, name: str, many: Many, states: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """As `coordinates.turns.begin`; which angles are all finite."""
        slots, n_y = self.made.sought[name].slots, many.n_y
        turned, found = many.sections_at(self.t, states, at.W_TURNED, at.W_VALUE)
        values = found[:, slots[:, 1]]
        states[:, n_y + slots[:, 0]] = turned[:, slots[:, 0]] + shift(values, targets[:, : len(slots)])
        fine: np.ndarray = np.isfinite(values).all(axis=1)
        return fine

    def _references(self) -> np.ndarray:
        """As `doors.references`."""
        many = self.many["searched"]
        values = many.section(at.P_ROW)[:, :, at.ROW_VALUE].copy()
        if self.made.as_assembled:
            found, led = self._located(many, at.W_VALUE, at.W_FUNCTION)
            for row, terms, function in self.made.as_assembled:
                values[:, row] = 0.0
                for weight, measure in terms:
                    values[:, row] += weight * found[:, measure]
                if function >= 0:
                    values[:, row] -= led[:, function, at.FUNCTION_VALUE]
        return values

    def _pivots(self, many: Many, states: np.ndarray) -> np.ndarray:
        """The smallest pivots, at accelerations of states; nan where there are none."""
        found = many.evaluated(pointers()[0], np.array([self.t]), states[:, None].copy(), PIVOT)[:, 0]
        return np.where(found[:, 1] == at.OK, found[:, 0], np.nan)

    def _independent(self, many: Many, system: Any, states: np.ndarray) -> np.ndarray:
        """Whether no row follows from others, without any doubt: by pivots, or as `System.surely_independent`."""
        plan, n_rows, pivots = system.plan, system.n_rows, self.rows["pivot"]
        saddle = bool(plan.size(at.SADDLE))
        fine = (pivots > HEALTHY) & (not saddle)
        some = np.flatnonzero(~fine & ((pivots > INDEPENDENT) | saddle))
        if not len(some):
            return fine
        many, states, count = many.of(some), states[some], len(some)
        bodies, rows = plan.block_owners
        turning = np.ones((count, 1, 3))
        turning[:, 0, 2] = 1.0 / self.rows["length"][some]
        (blocks,) = many.sections_at(self.t, states, at.W_BLOCK)
        sizes = np.sqrt(added(rows, ((blocks * turning) ** 2).sum(axis=2), n_rows))
        wanted = speeds_asked(n_rows) * sizes
        moved = states.copy()
        moved[:, plan.n_q : plan.n_q + plan.n_v] = many.solved(self.t, states, wanted, many.places(at.W_CHANGE).ravel())
        blocks, twists = many.sections_at(self.t, moved, at.W_BLOCK, at.W_TWIST)
        met = added(rows, (blocks * twists[:, 1:][:, bodies]).sum(axis=2), n_rows)
        fine[some] = (np.abs(met - wanted) <= 0.5 * UNMET * sizes).all(axis=1)  # what is nearer to it, others look at
        return fine

    def _enter(self) -> None:
        """As `entering.entry`: states of the coordinates of the run, and what it is measured by."""
        made, model, rows, n_y = self.made, self.made.model, self.rows, self.many["base"].n_y
        system, plan, states = made.own, made.own.plan, rows["states"]
        weights = np.ascontiguousarray(self.many["base"].section(at.P_GRAVITY)[:, 1:, :2])
        speeds = states[:, model.n_q : model.n_q + model.n_v]
        energy = energy_scales(rows["masses"], weights, rows["length"], speeds)
        own = self.many["own"] = self._many(system, "own")
        own.section(at.P_ROW)[:, :, at.ROW_VALUE] = rows["values"][:, plan.kept]
        own.section(at.W_HELD)[:] = 1.0
        if made.probe is not None:
            self.many["probe"] = self.reader(made.probe, "probe")
        bodies, memory = states[:, :n_y], states[:, n_y:]
        through = np.concatenate([system.from_bodies(bodies, None, self._read_by), memory], axis=1)
        system.keep_many_turns(own, bodies, system.to_bodies(np.array([self.t]), through, self._sweep))
        y = system.from_bodies(bodies, memory, self._read_by)
        rows["entered"] = np.ascontiguousarray(np.concatenate([y, memory], axis=1))
        fine = np.ones(self.count, dtype=bool)
        if not plan.layout.of_bodies:
            rows["pivot"] = self._pivots(own, rows["entered"]) if system.n_rows else np.ones(self.count)
            if system.n_rows:
                fine = self._independent(own, system, rows["entered"])
        rows["scales"] = np.column_stack([rows["pivot"], energy, rows["length"]])
        self._go_on(fine)

    def reader(self, readings: Any, name: str) -> Many:
        """What reads some measures of every design."""
        return Many(linked_readings(readings), self.rows[name], readings.workspace)

    def _read_by(self, probe: Any, own: np.ndarray) -> Iterator[tuple[slice, np.ndarray, np.ndarray, None]]:
        """As `coordinates.readings.read`, of one state of every design."""
        value, rate = self.measured(self.many["probe"], own[:, None])
        yield slice(None), value[:, 0], rate[:, 0], None

    def measured(self, many: Many, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values and rates (designs, times, measures) of gathered states (designs, times, ...)."""
        picks = np.concatenate([many.places(key).ravel() for key in (at.W_VALUE, at.W_RATE)])
        found = many.located(np.zeros(own.shape[1]), np.ascontiguousarray(own), picks)
        return found[:, :, : picks.size // 2], found[:, :, picks.size // 2 :]

    def _sweep(self, t: np.ndarray, raw: np.ndarray, picks: np.ndarray, located: bool) -> Iterator[tuple[slice, Any]]:
        """As `System.sweep`, of the same times of every design, one behind the other."""
        states, t = np.ascontiguousarray(raw.reshape(self.count, len(t), -1)), self.made.model.right_of(t)
        yield slice(None), self.many["own"].located(t, states, picks).reshape(len(raw), -1)

    def _run(self) -> None:
        made, rows, options = self.made, self.rows, self.made.options
        watched = None if made.watch is None else made.watch.floats(self, made.drive().watched())
        begin, beside = (rows["entered"], rows["scales"], made.drive, made.begun), (self.stopped, made.pieces, watched)
        found = self.many["own"].run(*begin, made.grid, options.most_steps, *beside, self.room)
        rows["written"], told, rows["ends"] = found
        self.outputs: Any = rows["written"].base  # the memory of it
        rows["told"], fine = told, (told[:, ENDED] == DONE) | (told[:, ENDED] == EVENT)
        self._go_on(fine & (told[:, JUMPING] == 0.0))  # of a law that jumps, others tell

    def _judge(self) -> None:
        """Find what is doubtful about runs, as `Run` does."""
        made, written, own, (usual, energy) = (
            self.made,
            self.rows["written"],
            self.many["own"],
            self.rows["scales"][:, :2].T,
        )
        rtol = None if made.method.fixed_step else made.options.rtol
        began, violation = self.rows["told"][:, [BEGAN, VIOLATION]].T
        given = {"began": began, "usual": usual, "violation": violation, "energy": energy}
        sound = surely_sound(made.own, own, made.grid, written, rtol=rtol, **given)
        for k in np.flatnonzero(~sound):
            system = made.own.fresh()
            system.take_back(own.numbers[k])
            of_it = {name: float(one[k]) for name, one in given.items()}
            doubts = judge(system, made.grid, written[k], rtol=rtol, **of_it)
            if doubts:
                self.doubts[int(self.rows["number"][k])] = doubts

    def _read(self) -> list[dict[str, Any]]:
        """As `result.series` reads them."""
        t = self.made.grid.copy()  # of all designs of the block; the grid stays with what is made ready
        series = self._series(t, self.rows["written"])
        for n, one in self._uncounted():
            series[n] += shift(series[n][:, 0], self.rows["targets"][:, one])[:, None]
        fine = np.all([np.isfinite(one).all(axis=1) for one in series], axis=0)
        self._go_on(fine)
        rows, names = zip(*(series if fine.all() else [one[fine] for one in series])), self._names
        return [{**dict(zip(names, one)), "time": t, STOPPED: False} for one in rows]

    @property
    def _names(self) -> list[str]:
        return [name for name, *_ in self.made.names]

    def _uncounted(self) -> list[tuple[int, int]]:
        """Which of the series are angles whose full turns states do not hold, and where their targets are."""
        first = self.made.first_target
        return [
            (n, first + n)
            for n, ((_, order, turns), (*_, uncounted)) in enumerate(zip(self.made.names, self.made.reads))
            if order == 0 and turns and uncounted
        ]

    def _series(self, t: np.ndarray, written: np.ndarray) -> list[np.ndarray]:
        """Series (designs, times) of states in the coordinates of the run; angles may lack full turns."""
        return series_of(self.made, t, written, self._sweep, self.reader)
