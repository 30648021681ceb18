"""Rank of the constraints: freedom, redundant rows and who takes part, singular positions.

Where the rows can meet any speeds, they are independent.  Else rows that are in loops, scaled to unit norm on free
bodies, are put through a column-pivoted QR of J', loop by loop where loops have no two bodies in common; rank at 1e-9.
Of many rows that hang together the sparse factor is asked first.  A
lower rank here but not at positions moved a little along the mechanism's own freedom is a singular position; a lower
rank there too is redundancy, and the row is dropped.  Decided at assembly, never in the time loop.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from linkwork.compiled.names import all_measures, measure_of
from linkwork.coordinates.readings import read
from linkwork.kernels import layout as at
from linkwork.records import dataclass

TOLERANCE = 1e-9
SMALL_MOVE = 1e-3
FEW_ROWS = 120  # in loops that hang together; of more, the sparse factor is asked
LOST = 1e-5  # pivots of rows that follow from others: what regularisation leaves of them
DOUBTFUL = 1e-4  # and of rows of which one cannot be sure


@dataclass(frozen=True)
class Rank:
    """What the rank says at one position."""

    freedom: int  # velocities that are free
    rank: int
    dropped: tuple[int, ...]  # rows that follow from the others everywhere
    singular: bool  # the rank is lower here than nearby
    dependencies: np.ndarray  # (redundant, rows) combinations of rows that vanish
    pivot: float  # smallest pivot of the factorisation, at a position that is not singular
    redundancies: np.ndarray  # (dropped, rows) combinations that vanish nearby, too
    base: np.ndarray  # the state at which they were found: this one, or one nearby where this one is singular
    stuck: tuple[str, ...] = ()  # motions without inertia

    @property
    def nearby(self) -> int:
        """The freedom nearby; that here, unless this is a singular position."""
        return self.freedom - (len(self.dependencies) - len(self.dropped))


def analyse(system, t: float, y: np.ndarray) -> Rank:
    """Rank at a state that meets the constraints."""
    plan = system.plan
    system.held[:] = 1.0
    system.derivative(t, y)
    pivot = system.w[at.PIVOT]
    columns = system.columns
    stuck = without_inertia(system)
    # in most mechanisms no row follows from others, and the sparse factor says so
    found = None if system.surely_independent(t, y) else _dependent(system, t, y)
    total = len(plan.rows) - (len(found.rows) if found else 0)
    freedom = int(columns.sum()) - total
    if not found or not found.rows:
        none = np.zeros((0, len(plan.rows)))
        return Rank(freedom, total, (), False, none, pivot, none, y, stuck)
    moved = [one for sign in (1.0, -1.0) if (one := _elsewhere(system, t, y, found, sign)) is not None]
    best, base = min(moved, key=lambda one: len(one[0].rows), default=(found, y))
    singular = len(best.rows) < len(found.rows)
    if not singular:
        best, base = found, y
    _drop(system, best.rows)
    system.derivative(t, base)
    return Rank(freedom, total, best.rows, singular, _cleaned(found), system.w[at.PIVOT], _cleaned(best), base, stuck)


def of_all_rows(rank: Rank, plan) -> Rank:
    """The rank with rows numbered as those of the model, those that are free among them."""
    if not plan.free:
        return rank
    return replace(
        rank,
        dropped=tuple(plan.kept[list(rank.dropped)].tolist()),
        redundancies=plan.of_model(rank.redundancies),
        dependencies=plan.of_model(rank.dependencies),
    )


class Dependent(NamedTuple):
    """Rows that follow from others, and how: (rows that do, all rows) combinations that vanish."""

    rows: tuple[int, ...]
    combinations: np.ndarray


def _drop(system, rows) -> None:
    """Hold all rows but these."""
    system.held[:] = 1.0
    system.held[list(rows)] = 0.0


def _dependent(system, t, y) -> Dependent:
    """Rows of those in loops that follow from others at a position."""
    found = _by_factor(system, t, y) if max(map(len, system.plan.loops), default=0) > FEW_ROWS else None
    if found is None:
        system.locate(t, y)
        found = _by_pivoting(system)
    return found


def _by_factor(system, t, y) -> Dependent | None:
    """Told by the factor of the rows, which is sparse; None where it leaves a doubt.

    Rows with small pivots are put aside.  Each of them, d, is then asked for:  where J' lam takes away all of J_d', in
    the metric of the masses, it follows from the others; else it is held again.
    """
    if not system.factor_tells:
        return None
    system.held[:] = 1.0
    system.derivative(t, y)
    pivots = system.pivots()
    aside = np.flatnonzero(pivots < LOST)
    if np.any(pivots[pivots >= LOST] < DOUBTFUL):
        return None
    _drop(system, aside)
    lost, combinations, factored = [], [], False
    for d in aside.tolist():
        way = system.pushed(d)
        rest = way + system.newton_step(-system.row_rates(way)[0], again=factored)
        factored = True
        left = np.abs(rest / system.weights).max() / np.abs(way / system.weights).max()
        if left < TOLERANCE:
            x = system.multipliers * system.held
            x[d] = 1.0
            lost.append(d)
            combinations.append(x)
        elif left > DOUBTFUL:
            system.held[d], factored = 1.0, False
        else:
            return None
    if not system.surely_independent(t, y):
        return None
    return Dependent(tuple(lost), np.array(combinations).reshape(-1, system.n_rows))


def _by_pivoting(system) -> Dependent:
    """Told by a dense column-pivoted QR of J' of every loop, at the state last located."""
    lost: list[int] = []
    combinations = [np.zeros((0, system.n_rows))]
    every_size = system.free_sizes()
    for rows, jacobian, places in system.loop_jacobians():
        sizes = every_size[rows]
        columns = system.columns[places] & np.any(jacobian != 0.0, axis=0)
        order, rank, triangle = pivoted_qr(_scaled(jacobian[:, columns] * system.weights[places][columns], sizes).T)
        over = len(rows) - rank
        if not over:
            continue
        part = np.zeros((over, len(rows)))
        part[:, order[rank:]] = np.eye(over)
        part[:, order[:rank]] = -_substituted(triangle[:rank, :rank], triangle[:rank, rank:]).T
        out = np.zeros((over, system.n_rows))
        out[:, rows] = part / np.where(sizes > 0.0, sizes, 1.0)
        lost += [rows[k] for k in order[rank:]]
        combinations.append(out)
    by_row = np.argsort(lost)
    return Dependent(tuple(np.array(lost, dtype=int)[by_row].tolist()), np.concatenate(combinations))


def _substituted(triangle, right) -> np.ndarray:
    """R^-1 B of an upper triangle; a library would wake its threads for each of many small ones."""
    out = np.array(right)
    for k in range(len(triangle) - 1, -1, -1):
        out[k] = (out[k] - triangle[k, k + 1 :] @ out[k + 1 :]) / triangle[k, k]
    return out


def _cleaned(found: Dependent) -> np.ndarray:
    """Combinations of unit norm, without what rounding left in them."""
    out = found.combinations / np.linalg.norm(found.combinations, axis=1)[:, None]
    return np.where(np.abs(out) > 1e-7, out, 0.0)


def dependencies_here(system) -> np.ndarray:
    """Combinations of rows that vanish at the state last located (by redundancy, or because it is singular)."""
    return _cleaned(_by_pivoting(system))


def separated(vectors: np.ndarray) -> np.ndarray:
    """The same combinations, mixed so that each has a row of its own (Gauss-Jordan): fewer rows take part in each."""
    out = np.array(vectors, dtype=float)
    for k, row in enumerate(out):
        pivot = int(np.argmax(np.abs(row)))
        row /= row[pivot]
        touched = np.flatnonzero(out[:, pivot])
        touched = touched[touched != k]
        out[touched] -= np.outer(out[touched, pivot], row)
    return np.where(np.abs(out) > 1e-6, out, 0.0)


def pivoted_qr(matrix: np.ndarray) -> tuple[np.ndarray, int, np.ndarray]:
    """Order of the columns, the largest remaining one first, their rank, and the triangle R."""
    from scipy.linalg import qr

    count = matrix.shape[1]
    if 0 in matrix.shape:
        return np.arange(count), 0, np.zeros((0, count))
    # of columns that are equally good the first one written is taken
    first = 1.0 - 1e-6 * np.arange(count) / count
    triangle, order = qr(matrix * first, mode="r", pivoting=True)
    triangle = triangle / first[order]
    return order, int(np.count_nonzero(np.abs(np.diagonal(triangle)) > TOLERANCE)), triangle


def null_space(matrix: np.ndarray) -> np.ndarray:
    """Orthonormal columns that the matrix maps to zero."""
    if 0 in matrix.shape:
        return np.eye(matrix.shape[1])
    _, sizes, rows = np.linalg.svd(matrix)
    rank = int(np.sum(sizes > TOLERANCE * max(1.0, sizes[0])))
    return rows[rank:].T


def least_squares(matrix: np.ndarray, right: np.ndarray, nothing: float) -> np.ndarray:
    """The shortest x for which matrix x is nearest to the right side; singular values up to `nothing` count as zero."""
    left, sizes, rows = np.linalg.svd(matrix, full_matrices=False)
    some = sizes > nothing
    return rows[some].T @ ((left[:, some].T @ right) / sizes[some])


def independent_measures(system, t: float, y: np.ndarray) -> tuple[list[str], int]:
    """Names of measures, chosen so that the freedom moves each its own way, and the freedom.

    Coordinates of bodies in the plane; in space, where a body has no angles, also what its joints read.  There may be
    more freedom than measures: a rod between two balls turns about itself, and nothing reads it.
    """
    model = system.model
    columns = system.columns
    system.locate(t, y)
    positions = [r for r, row in enumerate(system.plan.rows) if not row.speed]
    free = null_space(scaled_rows(system, positions, columns))
    known = named_measures(model, columns)
    rates = gradients(model, y, list(known.values()))[:, columns] * system.weights[columns] @ free
    return chosen_names(list(known), rates), free.shape[1]


def named_measures(model, columns) -> dict:
    """Measures that coordinates may be chosen of, by name."""
    mechanism = model.mechanism
    if model.dimension == 2:
        return {
            name: measure_of(mechanism, name)[0]
            for name, exists in zip(model.coordinate_names, columns, strict=True)
            if exists
        }
    return {
        name: measure
        for name, measure in all_measures(mechanism).items()
        if not measure.rate_only
        and measure.of_line != "direction"  # of a line along z there is none
        and name.partition(".")[0] in (*mechanism.bodies, *mechanism.joints)
    }


def chosen_names(names: list[str], rates: np.ndarray) -> list[str]:
    """Names whose rates (names, ways to move) are independent, angles before others."""
    preferred = np.array([10.0 if name.endswith(".angle") else 1.0 for name in names])
    order, rank, _ = pivoted_qr((rates * preferred[:, None]).T)
    return [names[k] for k in order[:rank]]


def gradients(model, y, measures) -> np.ndarray:
    """(measures, velocity coordinates of the bodies) at a state."""
    readings = model.readings([one for measure in measures for _, one in measure.terms()])
    index, dof = {one: k for k, one in enumerate(readings.measures)}, model.dof
    state = np.zeros((1, model.n_y + model.n_memory))
    state[0, : model.n_y] = y[: model.n_y]
    ((_, _, _, second),) = read(readings, readings.gather(state), second=True)
    out = np.zeros((len(measures), model.n_v))
    for row, measure in zip(out, measures):
        for weight, one in measure.terms():
            for side, body in enumerate(readings.sides[index[one]]):
                if body >= 0:
                    first = 1 + dof * side
                    row[dof * body : dof * (body + 1)] += weight * second[0, index[one], first : first + dof]
    return out


def scaled_rows(system, rows, columns) -> np.ndarray:
    """Rows of J, angles counting as lengths, each against what it would be between the same bodies if they were free.

    In body coordinates that is unit norm.  In joint coordinates a row may vanish against the tree: divided by its own
    norm, the rounding that is left of it would count as a constraint.
    """
    sizes = system.free_sizes(rows)
    return _scaled(system.jacobian(rows)[:, columns] * system.weights[columns], sizes)


def _scaled(jacobian, sizes) -> np.ndarray:
    return jacobian / np.where(sizes > 0.0, sizes, 1.0)[:, None]


def _elsewhere(system, t, y, found: Dependent, sign):
    """Rows that follow from others after a small move along the mechanism's own freedom, and the state there."""
    columns, weights = system.columns, system.weights
    some = np.where(columns, np.cos(np.arange(1, weights.size + 1) * 1.7), 0.0) * weights  # always the same
    _drop(system, found.rows)
    direction = -system.rates_of_rows(t, y, some)
    direction = some + system.newton_step(direction)  # what the rows leave of it
    size = np.abs(direction[columns] / weights[columns]).max(initial=0.0)
    if size < 1e-9:
        return None
    moved = system.moved(y, sign * SMALL_MOVE * system.model.length / size * direction)
    system.held[:] = 1.0
    # velocity has no part in this, but the projection corrects it too
    system.project(t, moved)
    if not system.w[at.ERROR_POSITION] < 1e-9:
        return None
    return _dependent(system, t, moved), moved


def without_inertia(system, idle=None) -> tuple[str, ...]:
    """Motions that the constraints leave free and that no inertia resists, named by body and direction.

    Those that are `idle` (motions, velocity coordinates of the bodies) are no matter.
    """
    bare = system.bare_columns()
    if bare.size == 0:
        return ()
    part = system.jacobian()[:, bare] * system.weights[bare]
    if idle is not None:
        part = np.concatenate([part, idle[:, bare]])
    free = null_space(part / max(1.0, np.abs(part).max(initial=0.0)))
    names = system.model.coordinate_names
    turning = np.array([3.0 if names[k].endswith("angle") else 1.0 for k in bare])  # a turn moves points, too
    return tuple(dict.fromkeys(names[bare[int(np.argmax(np.abs(column) * turning))]] for column in free.T))
