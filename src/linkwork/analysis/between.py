"""Positions between positions: where outputs are dense, few of them are followed, and the others are read between them.

Without force laws everything that drivers decide is an analytic function of time, as long as theirs are.  Of every
`m`-th output position, velocity, acceleration and multipliers are found as ever.  Between them

        q, v    polynomials through q and v, and through v and a, of six of these, of degree 11
        a, lam  polynomials through ten of these, of degree 9

and what that is worth is asked before it is taken: every second of those that were followed is left out, and read
between the others.  Twice as far apart, errors are 2^12 times as large, or 2^10 of a and lam.  Then one output in every
part is put into the rows.  A mechanism that needs shorter steps somewhere, or comes to an end, is followed all along.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from linkwork.analysis.path import Found, Path
from linkwork.kernels import layout as at
from linkwork.kernels import path_places as at_path
from linkwork.result.state import State

FOLLOWED = (16, 8)  # one of so many outputs is followed
LEAST = 5000  # outputs; of fewer it saves nothing
PROBE = 40  # parts that are looked at first
NODES, MORE_NODES = 6, 10  # of polynomials with rates, and without
#: what is left of those that were left out; twice as dense it is less than rounding of what it is read from
WORTH = 1e-10
ORDER = 10  # of the polynomials through values alone
SMALL = 1e-2  # numbers below this part of the largest of their kind are measured by it
EVEN = 1e-9  # of a step
MET = 50.0  # times the error that positions are followed to


def readable(state: State, grid: np.ndarray, freedom: int) -> bool:
    """Whether everything between positions is analytic, and the times are even and many."""
    model, steps = state.model, np.diff(grid)
    return bool(
        grid.size >= LEAST
        and model.dimension == 2
        and not model.laws
        and not freedom
        and state.held.all()
        and all(getattr(one, "entire", False) for one in model.functions)
        and all(one.memory != "parameter" and one.function(model.dimension) is None for one in model.measures)
        and grid[0] == state.t
        and (np.abs(steps - steps[0]) <= EVEN * steps[0]).all()
    )


def lead(state: State, grid: np.ndarray, forces: bool, progress: Any) -> Found | None:
    """The path at all times, most of them read between others; None where it has to be followed all along."""
    off, tried = 0.0, 1
    for m in FOLLOWED:
        if off * (m / tried) ** ORDER > WORTH:  # so dense it would not do either
            continue
        parts = (grid.size - 1) // m
        times = np.concatenate([grid[: parts * m + 1 : m], grid[parts * m + 1 :]])
        for few in (PROBE, parts):  # the first ones tell whether to go on
            path = Path(state, forces=forces)
            found = path.lead(times if few == parts else times[: few + 1], progress=progress and few == parts)
            if found.end is not None or found.crossings:
                return None
            off, tried = np.inf, m
            if found.statistics.steps == len(found.t) - 1 and not found.statistics.rejected:
                off = _worth(state, found, few, float(times[1] - times[0]))
            if off > WORTH:  # also where it goes in shorter steps
                off = 0.0 if off == np.inf else off
                break
        else:
            return _filled(path, state, grid, found, parts, m)
    return None


def _worth(state: State, found: Found, parts: int, step: float) -> float:
    """The largest error of what was followed where it is read between every second, against what there is of each."""
    nodes = _nodes(state, found, parts - parts % 2 + 1)
    found_off: list[float] = []
    for known, read in zip(nodes, _read(tuple(one[::2] for one in nodes), 2.0 * step, 2)):
        sizes = np.abs(known).max(axis=0)
        sizes = np.maximum(sizes, SMALL * sizes.max(initial=0.0))
        found_off += (np.abs(read[:, 0] - known[1::2]).max(axis=0) / np.where(sizes > 0.0, sizes, 1.0)).tolist()
    worst = float(np.max(found_off))
    return worst if np.isfinite(worst) else np.inf


def _filled(path: Path, state: State, grid: np.ndarray, found: Found, parts: int, m: int) -> Found | None:
    """All outputs; None where one that is read does not meet its rows, or turns were counted on the way."""
    model, n = state.model, parts + 1
    n_q, n_v = model.n_q, model.n_v
    memory = found.states[:, model.n_y :]
    if (memory != memory[0]).any():
        return None
    many = slice(0, parts * m + 1)
    followed = [found.states, found.accelerations, _multipliers(found)]
    out = [np.empty((grid.size, one.shape[1])) for one in followed]
    out[0][:, n_q + n_v :] = found.states[0, n_q + n_v :]
    for one, known in zip(out, followed):
        one[many][::m] = known[:n]
        one[parts * m + 1 :] = known[n:]
    columns = (out[0], slice(0, n_q)), (out[0], slice(n_q, n_q + n_v)), (out[1], slice(None)), (out[2], slice(None))
    for (whole, part), read in zip(columns, _read(_nodes(state, found, n), float(grid[m] - grid[0]), m)):
        whole[: parts * m].reshape(parts, m, -1)[:, 1:, part] = read
    some = np.arange(parts) * m + 1 + (7 * np.arange(parts)) % (m - 1)  # one of every part, here and there
    system = path.system
    phi = system.swept(grid[some], out[0][some], system.plan.places(at.W_PHI), located=True)
    if not np.abs(phi / system.row_scale).max(initial=0.0) <= MET * float(path.control[at_path.TOLERANCE]):
        return None
    found.t, (found.states, found.accelerations, multipliers) = np.array(grid, dtype=float), out
    found.multipliers = None if found.multipliers is None else multipliers
    found.reached = grid.size
    return found


def _multipliers(found: Found) -> np.ndarray:
    return np.zeros((len(found.states), 0)) if found.multipliers is None else found.multipliers


def _nodes(state: State, found: Found, count: int) -> tuple[np.ndarray, ...]:
    """q, v, a and lam of the first ones that were followed."""
    n_q, n_v = state.model.n_q, state.model.n_v
    q, v = found.states[:count, :n_q], found.states[:count, n_q : n_q + n_v]
    return q, v, found.accelerations[:count], _multipliers(found)[:count]


# -- polynomials -------------------------------------------------------------------------------------------------------
def _read(known: tuple[np.ndarray, ...], step: float, m: int) -> tuple[np.ndarray, ...]:
    """q, v, a and lam at m - 1 places in every part between even nodes (nodes, numbers): (parts, places, numbers)."""
    q, v, a, lam = known
    return (
        _between(m, NODES, q, step * v),
        _between(m, NODES, v, step * a),
        _between(m, MORE_NODES, a),
        _between(m, MORE_NODES, lam),
    )


def _between(m: int, nodes: int, *known: np.ndarray) -> np.ndarray:
    """Values at m - 1 places in every part, each by the values, and where they are known the rates, of nodes around."""
    parts, width, middle = len(known[0]) - 1, known[0].shape[1], nodes // 2 - 1
    inner = parts - nodes + 2  # parts that have as many nodes on either side
    out = np.zeros((parts, m - 1, width))
    for part in (*range(middle), *range(middle + inner, parts)):
        first = 0 if part < middle else parts + 1 - nodes
        for weights, one in zip(_weights(m, nodes, part - first, len(known) > 1), known):
            out[part] += weights @ one[first : first + nodes]
    for weights, one in zip(_weights(m, nodes, middle, len(known) > 1), known):
        around = np.lib.stride_tricks.sliding_window_view(one, nodes, axis=0).swapaxes(1, 2)
        out[middle : middle + inner] += weights @ around
    return out


@lru_cache(maxsize=256)
def _weights(m: int, nodes: int, part: int, rates: bool) -> list[np.ndarray]:
    """Weights of nodes at 0, 1, 2, ..., and with `rates` of their rates, for m - 1 places in a part between them.

    With Lagrange's l_j, which is 1 at its own node and 0 at others:
        values alone   l_j                with rates    (1 - 2 l_j' (x - x_j)) l_j^2   and   (x - x_j) l_j^2
    """
    x, j = part + np.arange(1, m) / m, np.arange(nodes)
    value, slope = np.empty((nodes, m - 1)), np.empty((nodes, 1))
    for k in range(nodes):
        others = j[j != k]
        value[k] = ((x[:, None] - others) / (k - others)).prod(axis=1)
        slope[k] = np.sum(1.0 / (k - others))  # at its own node
    away = x - j[:, None]
    found = [(1.0 - 2.0 * slope * away) * value**2, away * value**2] if rates else [value]
    return [np.ascontiguousarray(one.T) for one in found]
