"""The linear motion around a state of rest, by name: x' = A x + B u, y = C x + D u.

    symbol   word                                                                                shape
    p        named positions that are independent:  p = T z + P u                                (freedom,)
    x        p, p' and states of laws                                                            (states,)
    u        motions of drivers, each by value, rate and acceleration, and forces                (inputs,)
    S        speeds of the coordinates for a unit rate of a driver, z at rest                    (coordinates,)

z are the independent coordinates of unit mass of `free_motion`.  S is at right angles to them in the metric of the
masses, so that an acceleration of a driver does not accelerate z:

    p'' = T z'' + P u''      z'' = -K z - D z' + G s + B0 u + B1 u' + R'Q f      z = T^-1 (p - P u)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from linkwork import cells
from linkwork.analysis.common import as_model, model_in
from linkwork.analysis.doors import admitted, given_state
from linkwork.analysis.free_motion import STEPS, FreeMotion, Lost
from linkwork.analysis.inputs import Input, accelerated, read_inputs, standing
from linkwork.analysis.named import candidates, named_gradients, position_named, usual_sizes
from linkwork.analysis.options import TIME, Basis, Coordinates, Time, Values, listed
from linkwork.analysis.rank import chosen_names, gradients
from linkwork.analysis.resting import rest_of
from linkwork.analysis.slopes import Slopes, slopes_at
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.errors import AnalysisError, DescriptionError, message
from linkwork.records import OnlyRead, dataclass
from linkwork.result.result import Result
from linkwork.result.segments import Segment
from linkwork.result.state import State

UNREAD = "freedom "  # what a position is called that nothing reads
WORST = 1e8  # condition of named coordinates: beyond, they hardly tell the freedoms apart
PUSH = 0.1  # a force, or an acceleration of a driver, that a state is asked with; what follows from it is linear

#: a usual step, and the state after a step
StateStep = tuple[float, Callable[..., np.ndarray]]


@dataclass(frozen=True)
class Linear(OnlyRead):
    """x' = A x + B u, y = C x + D u around a state of rest, every row and column by name; `print` shows it.

    A driver among `inputs` has three columns, `road`, `road.rate` and `road.acceleration`: a motion acts by all three.
    x, u and y count from the state: their values there are `state[name]`.  `error` is how far the differences that A
    is made of may be off, as a part of the largest.
    """

    mechanism: str
    state: State = field(repr=False)
    A: np.ndarray = field(repr=False)
    B: np.ndarray = field(repr=False)
    C: np.ndarray = field(repr=False)
    D: np.ndarray = field(repr=False)
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    output_units: tuple[str, ...] = field(repr=False)
    moved: tuple[Input, ...] = field(repr=False)
    error: float

    @property
    def eigenvalues(self) -> np.ndarray:
        """Eigenvalues of A, the slowest first."""
        found = np.linalg.eigvals(self.A).astype(complex)
        return found[np.lexsort((found.imag, np.abs(found)))]

    def response(self, frequencies: Any) -> np.ndarray:
        """(frequencies, outputs, inputs): outputs for inputs exp(2 pi i f t), f in Hz; a driver is one input here."""
        s = 2j * np.pi * np.asarray(frequencies, dtype=float).ravel()
        W = np.zeros((s.size, len(self.inputs), len(self.moved)), dtype=complex)
        for k, one in enumerate(self.moved):
            for order, name in enumerate(one.columns):
                W[:, self.inputs.index(name), k] = s**order
        try:
            x = np.linalg.solve(s[:, None, None] * np.eye(len(self.A)) - self.A, self.B @ W)
        except np.linalg.LinAlgError:
            raise DescriptionError(
                message(
                    f"Response of '{self.mechanism}'",
                    "has no end at one of its frequencies, where it floats or swings by itself without damping",
                    remedy="leave this frequency out",
                )
            ) from None
        found: np.ndarray = self.C @ x + self.D @ W
        return found

    def __str__(self) -> str:
        lines = [
            f"Linear motion of '{self.mechanism}' around rest: {len(self.states)} states, {len(self.inputs)} inputs, "
            f"{len(self.outputs)} outputs; differences are good to {self.error:.1g}"
        ]
        for name, matrix, rows, columns in self._parts():
            if matrix.size:
                long = max(12, *(len(one) for one in rows)) + 2
                wide = max(14, *(len(one) + 2 for one in columns))
                lines.append(f"  {name:<{long}}" + "".join(f"{one:>{wide}}" for one in columns))
                lines += [
                    f"  {row:<{long}}" + "".join(f"{value:{wide}.6g}" for value in numbers)
                    for row, numbers in zip(rows, matrix, strict=True)
                ]
        return "\n".join(lines)

    def _parts(self) -> tuple[tuple[str, np.ndarray, Sequence[str], Sequence[str]], ...]:
        change = [f"({one})'" for one in self.states]
        return (
            ("A", self.A, change, self.states),
            ("B", self.B, change, self.inputs),
            ("C", self.C, self.outputs, self.states),
            ("D", self.D, self.outputs, self.inputs),
        )

    def _repr_html_(self) -> str:
        tables = [
            cells.table((name, *columns), [(row, *map(float, numbers)) for row, numbers in zip(rows, matrix)])
            for name, matrix, rows, columns in self._parts()
            if matrix.size
        ]
        return cells.shown(f"Linear motion of {self.mechanism} around rest", *tables)


@explained
def linearize(
    mechanism: Any,
    state: Any = None,
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    states: Sequence[str] | None = None,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
) -> Linear:
    """The linear motion of `mechanism` around a `state` of rest: x' = A x + B u, y = C x + D u, by name.

    Constraints are kept, so that x has as many positions and rates as there is freedom; states of laws follow.

    | argument | meaning |
    |---|---|
    | `state` | a state of rest; without one, the equilibrium found from `start` and `near`, at time `t` |
    | `inputs` | drivers by name, whose motions they are; force elements ("push", "push.force.x") and measures |
    | | ("rod.y"), along which a force acts beside all others; without any, all drivers and elements that drive |
    | `outputs` | any names, reactions and efforts among them; without any, the positions of x |
    | `states` | names of independent positions for x; without any, they are chosen |
    | `coordinates` | the set that the differences are taken in; all find the same; `basis` as in `simulate` |

    A driver that is an input stands still, where it is at time `t`; others must be at rest.

    Units: t [s].

    >>> m = lw.Mechanism("mass on a spring", gravity=None)
    >>> block = m.add("block", lw.Body(2.0, 1.0))
    >>> _ = m.add("guide", lw.Prismatic("ground", "block"))
    >>> _ = m.add("spring", lw.SpringDamper(m.ground.at(-1, 0), block, stiffness=50.0, rest_length=1.0, damping=4.0))
    >>> found = m.linearize(inputs=["block.x"])
    >>> found.states, (found.A @ [1.0, 1.0]).round(6).tolist(), found.B.round(6).tolist()
    (('block.x', 'block.x.rate'), [1.0, -27.0], [[0.0], [0.5]])
    """
    model = model_in(mechanism, coordinates, basis)
    moved = read_inputs(model, inputs, "linearize: input")
    given = None if state is None else given_state(getattr(state, "state", state), "state")
    at = TIME.read(t, "linearize", "t") if t is not None else given.t if given is not None else 0.0
    model = as_model(standing(model.mechanism, moved, at))
    free = rest_of(model, "linearize", state, start, near, t, coordinates)
    return _linear(model, free, moved, states, outputs)


def _linear(
    model: Model, free: FreeMotion, moved: Sequence[Input], states: Sequence[str] | None, outputs: Sequence[str] | None
) -> Linear:
    found = slopes_at(model, free)
    names, T = _named(model, free, states)
    n, here = free.freedom, free.state_at(free.y)
    shown = [name for name in names if _has_name(name)] if outputs is None else _scalars(here, outputs)
    back = np.linalg.inv(T)
    outer, inner = _change(n, len(found.S), T), _change(n, len(found.S), back)
    A = outer @ found.matrix @ inner
    columns = tuple(column for one in moved for column in one.columns)
    B, D = np.zeros((len(A), len(columns))), np.zeros((len(shown), len(columns)))
    asked = _Outputs(free, shown)
    C = asked.slopes(_steps_of_states(free, found.pace)) @ inner
    first = 0
    for one in moved:
        if one.driver:
            some = _Driven(free, one, found)
            # x = outer (z, z', s) + (P, P') u: the states themselves move with a driver
            P = _gradients(free, names) @ (free.B @ some.along)
            mine = outer @ some.B
            mine[:n, 1] += P
            mine[n : 2 * n, 2] += P
            direct = np.zeros((len(A), 3))
            direct[:n, 0] = direct[n : 2 * n, 1] = P
            B[:, first : first + 3] = mine - A @ direct
            D[:, first : first + 2] = asked.slopes(some.steps)
            D[:, first + 2] = asked.pushed(one)
            D[:, first : first + 3] -= C @ direct
        else:
            force = gradients(model, here.y, [one.measure])[0] @ free.shapes
            B[n : 2 * n, first] = T @ force
            D[:, first] = asked.pushed(one)
        first += len(one.columns)
    B[:n][np.abs(B[:n]) <= 1e-12] = 0.0
    laws = [f"{element}.{name}" for element, _, name in model.law_states]
    units = tuple(here._result.unit(name) for name in shown)
    return Linear(
        model.mechanism.name,
        here,
        A,
        B,
        C,
        D,
        (*names, *(f"{name}.rate" for name in names), *laws),
        columns,
        tuple(shown),
        units,
        tuple(moved),
        found.error,
    )


def _change(n: int, more: int, T: np.ndarray) -> np.ndarray:
    """z, z' and s to p, p' and s, or back."""
    out = np.eye(2 * n + more)
    out[:n, :n] = out[n : 2 * n, n : 2 * n] = T
    return out


def _scalars(state: State, outputs: Sequence[str]) -> list[str]:
    found = state._result.scalars(listed(outputs))
    for name in found:
        state[name]  # an unknown name is told as such
    return found


# -- named positions ---------------------------------------------------------------------------------------------------


def _has_name(name: str) -> bool:
    return not name.startswith(UNREAD)


def _gradients(free: FreeMotion, names: Sequence[str]) -> np.ndarray:
    """(names, velocity coordinates of the bodies) of named positions; zero where nothing has a name."""
    known = [name for name in names if _has_name(name)]
    out = np.zeros((len(names), free.model.n_v))
    out[: len(known)] = named_gradients(free.state_at(free.y), known)
    return out


def _named(model: Model, free: FreeMotion, asked: Sequence[str] | None) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of independent positions, and T of p = T z; what nothing reads is "freedom 1" and so on, and is z."""
    n, here = free.freedom, free.state_at(free.y)
    if asked is None:
        known = candidates(here)
        rates = _gradients(free, known) @ free.shapes / usual_sizes(here, known, free.size)[:, None]
        names = chosen_names(known, rates / np.where(free.reach > 0.0, free.reach, 1.0))
    else:
        names = listed(asked)
        for name in names:
            position_named(model.mechanism, name, "linearize: state", "a position; its rate follows")
        if len(names) != n:
            raise DescriptionError(
                message("linearize", "has another number of states than freedoms", len(names), f"{n} names")
            )
    T = np.zeros((n, n))
    T[: len(names)] = _gradients(free, names) @ free.shapes
    for k in range(len(names), n):  # at right angles to the others
        T[k] = np.linalg.svd(T[:k], full_matrices=True)[2][k] if k else np.eye(n)[0]
    # against what a size of the whole, or a radian, would be: of a quantity that stands still only rounding is left
    scaled = T / np.append(usual_sizes(here, names, free.size), np.ones(n - len(names)))[:, None] / free.reach
    size = np.abs(scaled).max(axis=1, initial=0.0)
    if n and (size.min() < 1.0 / WORST or np.linalg.cond(scaled / size[:, None]) > WORST):
        raise DescriptionError(
            message(
                "linearize",
                "has states that do not tell all freedoms apart",
                ", ".join(names),
                "positions that move independently",
                "leave out states=, and they are chosen",
            )
        )
    return (*names, *(f"{UNREAD}{k + 1}" for k in range(len(names), n))), T


# -- inputs and outputs ------------------------------------------------------------------------------------------------


class _Driven:
    """A driver that moves a little: what it does to z'' and to states of laws, and the states for outputs."""

    def __init__(self, free: FreeMotion, one: Input, found: Slopes):
        self.free = free
        rows = [r for r, row in enumerate(free.system.plan.rows) if row.item == one.driver]
        if not rows or not free.system.held[rows[0]]:
            raise AnalysisError(
                message(
                    f"Driver '{one.driver}'",
                    "cannot be moved by itself: what it drives follows from other joints and drivers",
                    remedy="leave one of them out",
                )
            )
        self.row, self.along = rows[0], free.carried(rows[0])
        reach = float(np.abs(free.counted[:, 0] * (free.B @ self.along)).max(initial=0.0))
        self.scale = np.array([1.0 / reach if reach > 0.0 else 1.0])
        still = np.zeros(free.n_v)
        both = [
            free.differences(lambda step: self._read(self.at(step[0]), still), self.scale)[0],
            free.differences(lambda step: self._read(free.y, self.along * step[0]), self.scale * found.pace)[0],
        ]
        n = free.freedom
        self.B = np.zeros((2 * n + len(found.S), 3))
        for k, columns in enumerate(both):
            self.B[n:, k] = columns[:, 0]
        self.steps = [
            (float(self.scale[0]), lambda step: self.at(step)),
            (float(self.scale[0] * found.pace), lambda step: _moving(free, self.along * step)),
        ]

    def at(self, shift: float) -> np.ndarray:
        return self.free.displaced(self.row, self.along, shift)

    def _read(self, y: np.ndarray, speeds: np.ndarray) -> np.ndarray:
        second = self.free.second(y, speeds=speeds)
        return np.concatenate([second, self.free.system.f[self.free.own]])


def _moving(free: FreeMotion, speeds: np.ndarray) -> np.ndarray:
    y: np.ndarray = free.y.copy()
    y[free.speeds] = speeds
    return y


def _steps_of_states(free: FreeMotion, pace: float) -> list[StateStep]:
    """For z, z' and s: a usual step of each, and the state after a step."""

    def unit(k: int) -> np.ndarray:
        out = np.zeros(free.freedom)
        out[k] = 1.0
        return out

    def other(k: int, step: float) -> np.ndarray:
        y: np.ndarray = free.y.copy()
        y[free.own.start + k] += step
        return y

    steps: list[StateStep] = []
    for k in range(free.freedom):
        steps.append((1.0 / free.reach[k], lambda step, k=k: free.position(step * unit(k))))
    for k in range(free.freedom):
        steps.append((pace / free.reach[k], lambda step, k=k: _moving(free, free.R @ (step * unit(k)))))
    for k in range(free.own.stop - free.own.start):
        size = max(1.0, abs(float(free.y[free.own.start + k])))
        steps.append((size, lambda step, k=k: other(k, step)))
    return steps


class _Outputs:
    """Named outputs at states around one of rest, all states at once."""

    def __init__(self, free: FreeMotion, names: list[str]):
        self.free, self.names = free, names
        self.state = free.state_at(free.y)
        self.memory = self.state.memory

    def slopes(self, steps: list[StateStep]) -> np.ndarray:
        """(outputs, steps): derivatives by differences of fourth order; of several steps the two that agree best."""
        ways, parts = [], (1.0, -1.0, 2.0, -2.0)
        for size in STEPS:
            for scale, make in steps:
                try:
                    ways += [make(part * size * scale) for part in parts]
                except Lost:
                    ways = [*ways[: len(ways) - len(ways) % 4], *(np.full(self.free.y.size, np.nan) for _ in parts)]
        if not ways or not self.names:
            return np.zeros((len(self.names), len(steps)))
        read = self._read(np.array(ways)).reshape(len(self.names), len(STEPS), len(steps), 4)
        scales = np.array([scale for scale, _ in steps]) * np.array(STEPS)[:, None]
        near, far = read[..., 0] - read[..., 1], read[..., 2] - read[..., 3]
        tries = (8.0 * near - far) / (12.0 * scales)  # (outputs, sizes, steps)
        gaps = np.abs(np.diff(tries, axis=1))
        best = np.argmin(np.where(np.isnan(gaps), np.inf, gaps), axis=1)
        return np.take_along_axis(tries[:, 1:], best[:, None, :], axis=1)[:, 0]

    def _read(self, ways: np.ndarray) -> np.ndarray:
        """(outputs, states)."""
        free, state = self.free, self.state
        good = np.isfinite(ways).all(axis=1)
        t = np.full(int(good.sum()), free.t)
        raw = np.hstack([ways[good], np.tile(free.system.memory, (len(t), 1))])
        given = free.system.to_bodies(t, raw)
        segment = Segment(
            state.model, "body", t, state.modes, state.values, state.pivot, state.dependencies, given=given
        )
        result = Result([segment])
        out = np.full((len(self.names), len(ways)), np.nan)
        for k, name in enumerate(self.names):
            out[k, good] = result[name]
        return out

    def pushed(self, one: Input) -> np.ndarray:
        """(outputs,): what a unit force, or a unit acceleration of a driver, changes at once."""
        ends = []
        for sign in (1.0, -1.0):
            other = as_model(accelerated(self.state.model.mechanism, one, self.free.t, sign * PUSH))
            result = Result.of_state(admitted(other, self.state, None, tell=False))
            ends.append(np.array([result.first(name) for name in self.names]))
        change: np.ndarray = (ends[0] - ends[1]) / (2.0 * PUSH)
        return change
