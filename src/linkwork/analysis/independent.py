"""Independent coordinates of a state, chosen by pivoting (Nikravesh, appendix A.3), by names that can be start values.

The coordinates are those of the joints of the tree.  Rows that close loops couple them; in every part that is coupled

    J q' = nu       columns are exchanged so that the largest pivots come first: these are dependent, the rest is free

so that errors of the independent ones change the others least.  Where nothing is coupled, all are independent.  The
three turns of a ball have no reading: Cardan angles of its body, or its angular velocity, stand for them, and are
chosen among the others by how far the freedom moves each.
"""

from __future__ import annotations

import numpy as np

from linkwork.analysis.rank import gradients, null_space, pivoted_qr, scaled_rows
from linkwork.compiled.names import cardan, measure_of
from linkwork.coordinates import ALONG_JOINTS
from linkwork.coordinates.recursion import velocity_transformation
from linkwork.errors import AnalysisError, UnknownNameError, message

COUPLED = 1e-12  # entries of rows of unit size below this are nothing
MOST = 4000  # coordinates of a mechanism with loops: its rows are looked at densely


def independent(state) -> dict[str, float]:
    """Names and values of independent positions, then of independent rates.

    There may be fewer than the freedom: a rod between two balls turns about itself, and nothing reads it.
    """
    model = state.model
    system = state.system(ALONG_JOINTS, held=False)
    system.keep_turns(state.y)
    system.locate(state.t, system.from_body(state.y, state.memory))
    rows, count = system.plan.rows, system.plan.n_v
    if rows and count > MOST:
        raise AnalysisError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "has too many coordinates to choose independent ones among them",
                count,
                f"at most {MOST} where there are loops",
            )
        )
    matrix = scaled_rows(system, list(range(len(rows))), system.columns) if rows else np.zeros((0, count))
    tree = model.tree_without(state.free)
    names = _Names(state, system, tree)
    positions = [r for r, row in enumerate(rows) if not row.speed]
    chosen = [*_chosen(names, matrix[positions], False), *_chosen(names, matrix, True)]
    return {name: float(state[name]) for name in chosen}


def _chosen(names, matrix, rate: bool) -> list[str]:
    """Names of the independent ones of all coordinates, in their order."""
    found: list[tuple[int, str]] = []
    for columns, rows in _parts(matrix, names.balls):
        part = matrix[np.ix_(rows, columns)]
        if not names.has_ball(columns):
            order, rank, _ = pivoted_qr(part)
            found += [(columns[k], names.of(columns[k], rate)) for k in order[rank:]]
        else:
            free = null_space(part)
            places, known, ways = names.candidates(columns, rate)
            order, rank, _ = pivoted_qr((ways @ free).T)
            found += [(places[k], known[k]) for k in order[:rank]]
    return [name for _, name in sorted(found) if name]


def _parts(matrix, balls) -> list[tuple[list[int], list[int]]]:
    """Columns that rows, or balls, couple with each other, and the rows of each part."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = matrix.shape[1]
    row, column = np.nonzero(np.abs(matrix) > COUPLED)
    first = np.full(len(matrix), -1)
    first[row[::-1]] = column[::-1]  # the first column of every row
    ends = [(first[row], column), *((np.full(3, ball[0]), np.array(ball)) for ball in balls)]
    one, other = (np.concatenate([end[k] for end in ends]).astype(int) for k in (0, 1))
    number, owner = connected_components(coo_array((np.ones(len(one)), (one, other)), (count, count)), directed=False)
    columns: list[list[int]] = [[] for _ in range(number)]
    rows: list[list[int]] = [[] for _ in range(number)]
    for v, k in enumerate(owner.tolist()):
        columns[k].append(v)
    for r, v in enumerate(first.tolist()):
        if v >= 0:
            rows[owner[v]].append(r)
    return list(zip(columns, rows, strict=True))


class _Names:
    """Names of the coordinates of the tree, and what stands for the turns of balls."""

    def __init__(self, state, system, tree):
        self.state, self.system, self.tree, self.mechanism = state, system, tree, state.model.mechanism
        child = {joint: body for body, (_, joint) in tree.parent.items() if joint}
        self.balls: dict[tuple[int, int, int], str] = {}  # columns -> body
        for v, one in enumerate(tree.coordinates):
            owner, turn, axis = one.name.rpartition(".turn.")
            if one.measure is None and turn and axis == "x":
                self.balls[v, v + 1, v + 2] = child.get(owner, owner)
        self.of_balls = {v for ball in self.balls for v in ball}

    def has_ball(self, columns) -> bool:
        """Whether some of the coordinates are turns of balls."""
        return not self.of_balls.isdisjoint(columns)

    def of(self, column: int, rate: bool) -> str:
        """The name of a coordinate as a start value; nothing where its joint does not read it."""
        name = self.tree.coordinates[column].name
        try:
            measure_of(self.mechanism, name)
        except UnknownNameError:
            return ""
        return f"{name}.rate" if rate else name

    def candidates(self, columns, rate: bool):
        """Coordinates, names, and how the coordinates of a part change what the names mean (names, columns)."""
        places, known, ways = [], [], []
        for v in columns:
            if v not in self.of_balls and (name := self.of(v, rate)):
                places.append(v)
                known.append(name)
                ways.append(np.eye(len(columns))[columns.index(v)])
        bodies = {body: ball for ball, body in self.balls.items() if ball[0] in columns}
        moved = velocity_transformation(self.system)[:, columns] * self.system.weights[columns]
        for body, ball in bodies.items():
            for column, name, gradient in zip(ball, *self._of_body(body, rate), strict=True):
                places.append(column)
                known.append(name)
                ways.append(gradient @ moved)
        return places, known, np.array(ways).reshape(len(known), len(columns))

    def _of_body(self, body: str, rate: bool):
        """Names of the turns of a body, and how its speeds change them; angles count as lengths."""
        model = self.state.model
        if not rate:
            measures = cardan(self.mechanism, body)
            return [f"{body}.{name}" for name in measures], model.length * gradients(
                model, self.state.y, list(measures.values())
            )
        k, dof = model.body_index[body], model.dof
        out = np.zeros((3, model.n_v))
        out[:, dof * k + 3 : dof * (k + 1)] = model.length * model.axes[k]
        return [f"{body}.angular_velocity.{axis}" for axis in "xyz"], out
