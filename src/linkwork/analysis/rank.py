"""Rank of the constraints: freedom, redundant rows and who takes part, singular positions.

Rows are scaled to unit norm on free bodies and put through a column-pivoted QR of J', over the rows that are in loops;
rank at 1e-9.  A lower rank here but not at positions moved a little along the mechanism's own freedom is a singular
position; a lower rank there too is redundancy, and the row is dropped.  Decided at assembly, never in the time loop.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.compiled.graph import in_loops
from linkwork.compiled.names import all_measures, measure_of
from linkwork.coordinates.readings import read
from linkwork.kernels import layout as at

TOLERANCE = 1e-9
SMALL_MOVE = 1e-3


@dataclass(frozen=True)
class Rank:
    """What the rank says at one position."""

    freedom: int                    # velocities that are free
    rank: int
    dropped: tuple[int, ...]        # rows that follow from the others everywhere
    singular: bool                  # the rank is lower here than nearby
    dependencies: np.ndarray        # (redundant, rows) combinations of rows that vanish
    pivot: float                    # smallest pivot of the factorisation, at a position that is not singular
    stuck: tuple[str, ...] = ()     # motions without inertia


def analyse(system, t: float, y: np.ndarray) -> Rank:
    """Rank at a state that meets the constraints."""
    plan = system.plan
    rows = _rows_in_loops(plan)
    system.held[:] = 1.0
    system.derivative(t, y)
    pivot = system.w[at.PIVOT]
    columns = system.columns
    stuck = _without_inertia(system, columns)
    scaled = scaled_rows(system, rows, columns)
    order, rank = pivoted_qr(scaled.T)
    lost = len(rows) - rank
    total = len(plan.rows) - lost
    freedom = int(columns.sum()) - total
    if lost == 0:
        return Rank(freedom, total, (), False, np.zeros((0, len(plan.rows))), pivot, stuck)
    singular = False
    best = None
    for sign in (1.0, -1.0):
        elsewhere = _moved_rank(system, t, y, rows, columns, sign)
        if elsewhere is not None and (best is None or elsewhere[0] > best[0]):
            best = elsewhere
    if best is not None and best[0] > rank:
        singular = True
        order, lost_elsewhere = best[1], len(rows) - best[0]
    else:
        lost_elsewhere = lost
    dropped = tuple(sorted(rows[k] for k in order[len(rows) - lost_elsewhere:]))
    dependencies = _expanded(plan, rows, scaled, rank)
    system.held[list(dropped)] = 0.0
    base = y if best is None or not singular else best[2]
    system.derivative(t, base)
    pivot = system.w[at.PIVOT]
    return Rank(freedom, total, dropped, singular, dependencies, pivot, stuck)


def dependencies_here(system) -> np.ndarray:
    """Combinations of rows that vanish at the state last located (by redundancy, or because it is singular)."""
    plan = system.plan
    rows = _rows_in_loops(plan)
    scaled = scaled_rows(system, rows, system.columns)
    _, rank = pivoted_qr(scaled.T)
    return _expanded(plan, rows, scaled, rank)


def _expanded(plan, rows, scaled, rank) -> np.ndarray:
    """Combinations that vanish, over all rows of the plan, cleaned of rounding."""
    out = np.zeros((len(rows) - rank, len(plan.rows)))
    if len(out):
        vectors = np.linalg.svd(scaled)[0][:, rank:].T
        out[:, rows] = np.where(np.abs(vectors) > 1e-7, vectors, 0.0)
    return out


def separated(vectors: np.ndarray) -> np.ndarray:
    """The same combinations, mixed so that each has a row of its own (Gauss-Jordan): fewer rows take part in each."""
    out = np.array(vectors, dtype=float)
    for k, row in enumerate(out):
        pivot = int(np.argmax(np.abs(row)))
        row /= row[pivot]
        for other in (*out[:k], *out[k + 1:]):
            other -= other[pivot] * row
    return np.where(np.abs(out) > 1e-6, out, 0.0)


def pivoted_qr(matrix: np.ndarray):
    """Order of the columns by pivoting and their rank: Gram-Schmidt, the largest remaining column first."""
    work = np.array(matrix, dtype=float)
    count = work.shape[1]
    order = np.arange(count)
    for k in range(min(work.shape)):
        sizes = np.sqrt(np.einsum("ij,ij->j", work[:, k:], work[:, k:]))
        # of columns that are equally good the first one written is taken
        best = k + int(np.argmax(sizes > 0.999999 * sizes.max()))
        if sizes[best - k] <= TOLERANCE:
            return order, k
        if best != k:
            work[:, [k, best]] = work[:, [best, k]]
            order[[k, best]] = order[[best, k]]
        direction = work[:, k] / np.linalg.norm(work[:, k])
        rest = work[:, k + 1:]
        for _ in range(2):  # twice is enough: the second pass removes what rounding left
            rest -= np.outer(direction, direction @ rest)
    return order, min(work.shape)


def null_space(matrix: np.ndarray) -> np.ndarray:
    """Orthonormal columns that the matrix maps to zero."""
    if matrix.shape[0] == 0:
        return np.eye(matrix.shape[1])
    _, sizes, rows = np.linalg.svd(matrix)
    rank = int(np.sum(sizes > TOLERANCE * max(1.0, sizes[0])))
    return rows[rank:].T


def independent_measures(system, t: float, y: np.ndarray) -> tuple[list[str], int]:
    """Names of measures, chosen so that the freedom moves each its own way, and the freedom.

    Coordinates of bodies in the plane; in space, where a body has no angles, also what its joints read.  There may be
    more freedom than measures: a rod between two balls turns about itself, and nothing reads it.
    """
    model = system.model
    mechanism, columns = model.mechanism, system.columns
    system.locate(t, y)
    positions = [r for r, row in enumerate(system.plan.rows) if not row.speed]
    free = null_space(scaled_rows(system, positions, columns))
    if model.dimension == 2:
        known = {name: measure_of(mechanism, name)[0]
                 for name, exists in zip(model.coordinate_names, columns, strict=True) if exists}
    else:
        known = {name: measure for name, measure in all_measures(mechanism).items()
                 if not measure.rate_only and name.partition(".")[0] in (*mechanism.bodies, *mechanism.joints)}
    rates = _gradients(model, y, list(known.values()))[:, columns] * system.weights[columns] @ free
    preferred = np.array([10.0 if name.endswith(".angle") else 1.0 for name in known])
    order, rank = pivoted_qr((rates * preferred[:, None]).T)
    return [list(known)[k] for k in order[:rank]], free.shape[1]


def _gradients(model, y, measures) -> np.ndarray:
    """(measures, velocity coordinates of the bodies) at a state."""
    readings = model.readings([one for measure in measures for _, one in measure.terms()])
    index, dof = {one: k for k, one in enumerate(readings.measures)}, model.dof
    state = np.zeros((1, model.n_y + model.n_memory))
    state[0, :model.n_y] = y[:model.n_y]
    ((_, _, _, second),) = read(readings, state, second=True)
    out = np.zeros((len(measures), model.n_v))
    for row, measure in zip(out, measures):
        for weight, one in measure.terms():
            for side, body in enumerate(readings.sides[index[one]]):
                if body >= 0:
                    first = 1 + dof * side
                    row[dof * body:dof * (body + 1)] += weight * second[0, index[one], first:first + dof]
    return out


def _rows_in_loops(plan) -> list[int]:
    names = in_loops([body.name for body in plan.model.bodies], plan.model.edges)
    return [r for r, row in enumerate(plan.rows) if row.item in names]


def scaled_rows(system, rows, columns) -> np.ndarray:
    """Rows of J, angles counting as lengths, each against what it would be between the same bodies if they were free.

    In body coordinates that is unit norm.  In joint coordinates a row may vanish against the tree: divided by its own
    norm, the rounding that is left of it would count as a constraint.
    """
    sizes = system.free_sizes(rows)
    jacobian = system.jacobian(rows)[:, columns] * system.weights[columns]
    return jacobian / np.where(sizes > 0.0, sizes, 1.0)[:, None]


def _moved_rank(system, t, y, rows, columns, sign):
    """Rank after a small move along the mechanism's own freedom, on the constraints."""
    model = system.model
    system.locate(t, y)
    weights = system.weights
    free = null_space(scaled_rows(system, list(range(system.n_rows)), columns))
    if free.shape[1] == 0:
        return None
    mix = np.cos(np.arange(1, free.shape[1] + 1) * 1.7)  # some direction, always the same
    direction = np.zeros(system.plan.n_v)
    direction[columns] = (free @ mix) * weights[columns]
    direction *= sign * SMALL_MOVE * model.length / max(np.abs(direction[columns] / weights[columns]).max(), 1e-300)
    moved = system.moved(y, direction)
    # velocity has no part in this, but the projection corrects it too
    system.project(t, moved)
    if not system.w[at.ERROR_POSITION] < 1e-9:
        return None
    system.locate(t, moved)
    order, rank = pivoted_qr(scaled_rows(system, rows, columns).T)
    return rank, order, moved


def _without_inertia(system, columns) -> tuple[str, ...]:
    """Motions that the constraints leave free and that no inertia resists, named by body and direction."""
    model = system.model
    if system.plan.tree is not None:  # the recursion says so itself
        return ()
    first = system.plan.size(at.P_MASS) + model.dof
    mass = system.p[first:first + model.n_v]
    bare = np.flatnonzero((mass <= 0.0) & columns)
    if bare.size == 0:
        return ()
    part = system.jacobian()[:, bare] * system.weights[bare]
    free = null_space(part / max(1.0, np.abs(part).max(initial=0.0)))
    names = model.coordinate_names
    turning = np.array([3.0 if names[k].endswith("angle") else 1.0 for k in bare])  # a turn moves points, too
    return tuple(dict.fromkeys(names[bare[int(np.argmax(np.abs(column) * turning))]] for column in free.T))
