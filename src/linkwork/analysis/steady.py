"""Steady motion: drivers move at constant speed, and all else stands still against them.

Joint readings p are held where they are while the drivers move; where that needs no effort, p stays by itself.

    symbol   word                                                                     shape
    p        readings that stay, one for each freedom: p = T z                        (freedom,)
    T        rates of p for unit rates of z                                           (freedom, freedom)
    lam      efforts that hold p: those of the rows that hold it                      (freedom,)
    z''      -T' lam, where z has unit mass: what it would do by itself               (freedom,)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal

import numpy as np

from linkwork import cells
from linkwork.analysis.common import as_model, model_in, raise_status
from linkwork.analysis.doors import admitted
from linkwork.analysis.free_motion import ON, FreeMotion, Lost
from linkwork.analysis.modes import Modes, kept_modes
from linkwork.analysis.named import named_gradients, position_named, usual_sizes
from linkwork.analysis.options import Basis, Coordinates, Time, Values, listed
from linkwork.analysis.rank import chosen_names
from linkwork.analysis.resting import AT_REST, begun
from linkwork.analysis.searches import follow
from linkwork.analysis.simulate import simulate
from linkwork.analysis.slopes import slopes_at
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.compiled.names import driver_moving, readings, unit_in
from linkwork.errors import AnalysisError, DescriptionError, message
from linkwork.kernels import layout as at
from linkwork.records import dataclass
from linkwork.result.state import State
from linkwork.units import ANY, si

METHODS = ("downhill", "root")
LOOKS = 25  # times in a turn at which a steady motion is asked whether it stays


@dataclass(frozen=True)
class Steady:
    """A steady motion: `found["arm.angle"]`, `found.state` to go on from, `found.efforts`, `found.modes`.

    `constant` are the readings that stay, `speeds` those of the drivers, `efforts` what they need.  Modes are those of
    small motions against the steady one.
    """

    mechanism: str
    state: State = field(repr=False)
    modes: Modes = field(repr=False)
    constant: tuple[str, ...]
    speeds: dict[str, float]
    efforts: dict[str, float]
    steps: int
    residual: float
    notes: tuple[str, ...] = ()
    units: dict[str, tuple[str, str]] = field(default_factory=dict, repr=False)

    def __getitem__(self, name: str) -> Any:
        """A number by name."""
        return self.state[name]

    @property
    def stability(self) -> str:
        """ "stable", "unstable" or "indifferent": what small motions against the steady one do."""
        return self.modes.stability

    def __str__(self) -> str:
        lines = [
            f"Steady motion of '{self.mechanism}' ({self.steps} steps): {self.stability}",
            f"  accelerations left   {self.residual:.1g}",
        ]
        for name, speed in self.speeds.items():
            of_rate, of_effort = self.units.get(name, ("per second", ""))
            lines.append(f"  {name:<20} {speed:.6g} {of_rate}, effort {self.efforts[name]:.6g} {of_effort}".rstrip())
        unit = self.state._result.unit
        lines += [f"  {name:<20} stays at {float(self[name]):.9g} {unit(name)}".rstrip() for name in self.constant]
        return "\n".join([*lines, *(f"  {note}" for note in self.notes), str(self.modes)])

    def _repr_html_(self) -> str:
        return cells.shown(f"Steady motion of {self.mechanism}", cells.report(str(self)))


@explained
def steady(
    mechanism: Any,
    speeds: Values | None = None,
    *,
    constant: Sequence[str] | None = None,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
    method: Literal["downhill", "root"] = "downhill",
) -> Steady:
    """Where `mechanism` stays while its drivers move at constant speed: a governor, a conical pendulum, a rotor.

    `speeds` moves quantities that have no driver, {"shaft.angle": "300 rpm"}.  Everything else keeps its joint
    readings; `constant` names those that should stay, one for each freedom that is left, else they are chosen.  The
    search begins where `start` and `near` say, at time `t`, and follows forces and inertia downhill, or with `method`
    "root" to the nearest steady motion, stable or not.  What is found is asked over a whole turn whether it stays: a
    motion that does not, because its weight pulls another way in every position, is refused.  `coordinates` and `basis`
    as in `equilibrium`.

    Units: t [s].

    >>> m = lw.Mechanism("conical pendulum", dimension=3)
    >>> _ = m.add("shaft", lw.Body(1.0, (0.1, 0.1, 0.1)))
    >>> _ = m.add("bob", lw.Body(1.0, (1e-9, 1e-9, 1e-9), center=(0.0, 0.0, -0.5)))
    >>> _ = m.add("spin", lw.Revolute("ground", "shaft"))
    >>> _ = m.add("hinge", lw.Revolute(m["shaft"].at(0, 0, 0, axis=(0, 1, 0)), m["bob"].at(0, 0, 0, axis=(0, 1, 0))))
    >>> found = m.steady({"spin.angle": "6 rad/s"}, start={"hinge.angle": 0.5})
    >>> print(f"{np.cos(found['hinge.angle']):.6f} {found.stability}")  # g / (L W^2)
    0.545000 stable
    """
    if method not in METHODS:
        raise DescriptionError(
            message("steady", "has an unknown `method`", repr(method), " or ".join(repr(one) for one in METHODS))
        )
    model = model_in(mechanism, coordinates, basis)
    moved = _speeds(model.mechanism, speeds)
    if moved:
        first = begun(model, "steady", start, near, t, coordinates)
        model = as_model(model.mechanism.driven(_going(first, moved)))
        state = admitted(model, first, None, tell=False)
    else:
        state = begun(model, "steady", start, near, t, coordinates)
    rates = _rates(model, state.t)
    motion = _Carried(model, state, constant, coordinates)
    motion.settles = True
    motion.y = motion.settled(motion.y)
    steps, residual = follow(model, motion, method) if motion.freedom else (0, 0.0)
    motion.settles = False
    found = slopes_at(model, motion, check=False)
    held = motion.state_at(motion.y)
    named = {driver_moving(name): name for name in moved}
    notes = _stays(model, motion, held, rates, found.K, named)
    final = admitted(model, held, None, tell=False)
    modes = Modes(
        model.mechanism.name,
        final,
        found.K,
        found.D,
        motion.shapes,
        kept_modes(model, motion.shapes, found),
        found.error,
        "in steady motion",
    )
    return Steady(
        model.mechanism.name,
        final,
        modes,
        motion.names,
        {named.get(name, name): rate for name, rate in rates.items()},
        {named.get(name, name): float(held[f"{name}.effort"]) for name in rates},
        steps,
        residual,
        notes,
        {named.get(name, name): _units(model, held, name) for name in rates},
    )


def _units(model: Model, held: State, driver: str) -> tuple[str, str]:
    """Units of the rate and the effort of a driver."""
    rate = model.mechanism.drivers[driver].measure.unit(1)
    return rate if rate != ANY else "per second", held._result.unit(f"{driver}.effort")


def _speeds(mechanism: Any, speeds: Any) -> dict[str, float]:
    """Quantities that are moved, and how fast."""
    item = "steady speeds="
    if speeds is None:
        return {}
    if not isinstance(speeds, Mapping) or not speeds:
        raise DescriptionError(message(item, "names nothing", repr(speeds), 'such as {"shaft.angle": "300 rpm"}'))
    found = {}
    for name, value in speeds.items():
        position_named(mechanism, name, item)
        found[name] = si(value, f"{unit_in(mechanism, name)}/s", item, f"'{name}'")
    return found


def _going(state: State, moved: dict[str, float]) -> dict[str, tuple[float, float]]:
    """Drivers that pass the present values at the time of the state: name -> value at t = 0, and rate."""
    return {name: (float(state[name]) - rate * state.t, rate) for name, rate in moved.items()}


def _rates(model: Model, t: float) -> dict[str, float]:
    """Speeds of all drivers; raises for one that accelerates, or for none that moves."""
    found = {}
    for name, driver in model.mechanism.drivers.items():
        if not driver.active:
            continue
        value, rate, change = driver.function(t)
        rate, change = (value, rate) if driver.level == "speed" else (rate, change)
        if abs(change) > AT_REST * max(1.0, abs(rate)):
            raise AnalysisError(
                message(
                    f"Driver '{name}'",
                    f"accelerates at t = {t:g} s, so that no motion is steady",
                    f"{change:.3g}",
                    "drivers of constant speed",
                    "Polynomial(start, speed) is one",
                )
            )
        found[name] = float(rate)
    if not any(found.values()):
        raise DescriptionError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "has no driver that moves",
                wanted="drivers of constant speed",
                remedy='give speeds={"A.angle": "10 rad/s"}; m.equilibrium() is for what stands still',
            )
        )
    return found


class _Carried(FreeMotion):
    """How a mechanism moves against a steady motion of its drivers, from a position in which readings stay."""

    def __init__(self, model: Model, state: State, constant: Sequence[str] | None, coordinates: str):
        names = _chosen(model, FreeMotion(model, state, coordinates), constant)
        held = as_model(model.mechanism.driven({name: (float(state[name]), 0.0) for name in names}))
        rows: list[int] = []
        self.names, self.rows, self.T = names, rows, np.zeros((0, 0))
        super().__init__(held, admitted(held, state, None, tell=False), coordinates)
        if self.freedom:
            self.y = self._held_at(self.y, self.p)

    def look(self) -> None:
        """As it is without what holds the readings, and T."""
        system = self.system
        if self.names and not self.rows:
            of = {row.item: r for r, row in enumerate(system.plan.rows)}
            self.rows = [of[driver_moving(name)] for name in self.names]
        system.held[self.rows] = 0.0
        super().look()
        system.held[self.rows] = 1.0
        rates = [system.rates_of_rows(self.t, self.y, column)[self.rows] for column in self.R.T]
        self.T = np.array(rates).T.reshape(len(self.rows), self.freedom)
        self.p = system.row_values[self.rows].copy()

    def _held_at(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        """The state with the readings at other values, moved by the drivers alone; raises `Lost` where it is none."""
        system = self.system
        system.row_values[self.rows] = p
        out = y.copy()
        system.project(self.t, out)
        if system.w[at.STATUS] != at.OK:
            raise_status(system, self.t)
        system.locate(self.t, out)
        if not np.abs(system.phi / system.row_scale * system.held).max(initial=0.0) <= ON:
            raise Lost
        system.project(self.t, out)  # speeds, once more
        return out

    def position(self, z: np.ndarray) -> np.ndarray:
        """The state with readings p + T z, in steady motion."""
        ahead = self.system.moved(self.y, self.R @ z)
        y = self._held_at(ahead, self.p + self.T @ z)
        return self.settled(y) if self.settles else y

    def second(self, y: np.ndarray, rates: np.ndarray | None = None, speeds: np.ndarray | None = None) -> np.ndarray:
        """-T' lam at a position in steady motion, or with rates of z beside it."""
        state = y.copy()
        if rates is not None:
            state[self.speeds] += self.R @ rates
        self.system.derivative(self.t, state)
        if self.system.w[at.STATUS] != at.OK:
            raise_status(self.system, self.t)
        found: np.ndarray = -self.T.T @ self.system.multipliers[self.rows]
        return found

    def force(self, y: np.ndarray) -> np.ndarray:
        """The force along z, inertia of the steady motion included."""
        return self.second(y)

    def state_at(self, y: np.ndarray) -> State:
        """Where it is, as a state of the mechanism whose readings are held, which moves."""
        self.system.row_values[self.rows] = self.p  # differences leave others
        found = super().state_at(y)
        values = found.values.copy()
        values[self.system.plan.kept] = self.system.row_values[: self.system.plan.kept.size]
        return replace(found, values=values)


def _chosen(model: Model, free: FreeMotion, constant: Sequence[str] | None) -> tuple[str, ...]:
    """Readings that stay, one for each freedom: as asked for, or readings of joints that are independent."""
    n, mechanism = free.freedom, model.mechanism
    if constant is not None:
        names = listed(constant)
        for name in names:
            position_named(mechanism, name, "steady:", "a position that stays")
        if len(names) != n:
            raise DescriptionError(
                message("steady", "constant= has another number of names than freedoms are left", len(names), f"{n}")
            )
    else:
        names = [
            f"{joint}.{key}"
            for joint in mechanism.joints
            for key, measure in readings(mechanism, joint).items()
            if not measure.rate_only and (mechanism.dimension == 2 or measure.of_line != "direction")
        ]
    here = free.state_at(free.y)
    rates = named_gradients(here, names) @ free.shapes / usual_sizes(here, names, free.size)[:, None] / free.reach
    found = chosen_names(names, rates) if n else []
    if len(found) < n:
        raise DescriptionError(
            message(
                f"Mechanism '{mechanism.name}'",
                f"has {n} freedoms beside its drivers, and joints read {len(found)} of them",
                ", ".join(found) or "none",
                "readings that stay in the steady motion, one for each freedom",
                "give constant=[...], or joints with readings of their own",
            )
        )
    return tuple(found)


def _stays(
    model: Model, motion: _Carried, held: State, rates: dict[str, float], K: np.ndarray, named: dict[str, str]
) -> tuple[str, ...]:
    """Raise where what holds the readings would need an effort later on; tell efforts of drivers that vary."""
    turning = [
        abs(rate) for name, rate in rates.items() if rate and model.mechanism.drivers[name].measure.quantity == "angle"
    ]
    moving = [abs(rate) for rate in rates.values() if rate]
    span = 2.0 * math.pi / min(turning) if turning else model.length / max(moving)
    times = held.t + np.linspace(0.0, span, LOOKS)
    begun_at = admitted(motion.model, held, None, tell=False)
    run = simulate(motion.model, times, start=begun_at, coordinates=motion.coordinates, rtol=1e-9, progress=False)
    efforts = np.array([run[f"{driver_moving(name)}.effort"] for name in motion.names]).reshape(-1, LOOKS)
    left = np.abs(motion.T.T @ efforts) * motion.reach[:, None] / motion.usual(K)
    if left.max(initial=0.0) > AT_REST:
        worst = int(left.max(axis=0).argmax())
        most = np.abs(efforts[:, worst])
        name, later = motion.names[int(most.argmax())], times[worst] - held.t
        raise AnalysisError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "has no steady motion here: what stays at one time does not stay later",
                f"an effort of {most.max():.4g} to hold {name} {later:.4g} s later",
                "forces that turn with the drivers, such as weight along the axis",
                "simulate it, and look at its periodic motion",
            )
        )
    notes = []
    usual = float(np.abs(model.weights).sum()) * model.length
    for name in rates:
        effort = run[f"{name}.effort"]
        if np.ptp(effort) > AT_REST * max(float(np.abs(effort).max()), usual):
            ends = f"from {effort.min():.6g} to {effort.max():.6g} {run.unit(f'{name}.effort')}".rstrip()
            notes.append(f"the effort of {named.get(name, name)} varies on the way, {ends}")
    return tuple(notes)
