"""Are all sizes and indices of a plan within what they point into?  Looked at once, before a kernel sees them.

Kernels follow the tables with bare pointers and check nothing.  Every entry of the integer table is a size, the place
of a section, an index, a code or an address; each has one line here.
"""

from __future__ import annotations

import numpy as np

from linkwork.errors import CompileError, message
from linkwork.kernels import layout as at


class _Tables:
    def __init__(self, plan):
        self.plan = plan
        for what, vector, kind in (("tab", plan.tab, np.int64), ("parameters", plan.parameters, np.float64),
                                   ("workspace", plan.workspace, np.float64)):
            if not (isinstance(vector, np.ndarray) and vector.dtype == kind and vector.ndim == 1
                    and vector.flags.c_contiguous):
                self.refuse(what)
        if plan.tab.size < at.HEADER or plan.workspace.size < at.W_FIXED:
            self.refuse("header")

    def refuse(self, what: str) -> None:
        raise CompileError(message("Plan", f"has compiled tables that do not fit together, at {what}",
                                   remedy="compile its mechanism anew; tables are not to be changed"))

    def size(self, key: int) -> int:
        return int(self.plan.tab[key])

    def exactly(self, what: str, key: int, value: int) -> None:
        if self.size(key) != value:
            self.refuse(what)

    def section(self, what: str, key: int, count: int, vector: np.ndarray) -> np.ndarray:
        """A section of a vector, which must lie within it, behind the header."""
        first = self.size(key)
        begin = at.HEADER if vector is self.plan.tab else at.W_FIXED if vector is self.plan.workspace else 0
        if not (begin <= first and 0 <= count and first + count <= vector.size):
            self.refuse(what)
        return vector[first:first + count]

    def table(self, what: str, key: int, rows: int, *ranges: tuple[int, int]) -> np.ndarray:
        """Rows of integers; each column is from `least` up to `most`, which is not reached."""
        found = self.section(what, key, rows * len(ranges), self.plan.tab).reshape(rows, len(ranges))
        for column, (least, most) in zip(found.T, ranges):
            if column.size and not (least <= column.min() and column.max() < most):
                self.refuse(what)
        return found

    def steps(self, what: str, key: int, count: int, first: int, last: int) -> np.ndarray:
        """Where each of `count` things begins, and where the last one ends."""
        found = self.table(what, key, count + 1, (first, last + 1))[:, 0]
        if found[0] != first or found[-1] != last or (found[1:] < found[:-1]).any():
            self.refuse(what)
        return found


def check(plan) -> None:
    """Raise unless every size and every index of a plan stays within its tables."""
    t = _Tables(plan)
    _sizes(t, plan)
    _geometry(t)
    _bodies(t)
    _laws(t, plan)
    _rows(t)
    _pattern(t, plan)
    if plan.tree is not None:
        _tree(t)


def check_readings(readings) -> None:
    """The same for a few measures that are read from states of the bodies."""
    t = _Tables(readings)
    d, bodies, memory = readings.dimension, len(readings.bodies), t.size(at.N_MEMORY)
    positions, dof = at.COORDINATES[d]
    for what, key, value in (("DIMENSION", at.DIMENSION, d), ("DOF", at.DOF, dof), ("N_BODIES", at.N_BODIES, bodies),
                             ("N_Q", at.N_Q, positions * bodies), ("N_V", at.N_V, dof * bodies), ("N_Z", at.N_Z, 0),
                             ("N_MEASURES", at.N_MEASURES, len(readings.measures)), ("N_ROWS", at.N_ROWS, 0),
                             ("N_LAWS", at.N_LAWS, 0), ("N_FUNCTIONS", at.N_FUNCTIONS, 0),
                             ("N_MEMORY", at.N_MEMORY, readings.columns.size - (positions + dof) * bodies)):
        t.exactly(what, key, value)
    if memory < 0 or t.size(at.N_FRAMES) < 0:
        t.refuse("N_FRAMES")
    _geometry(t)


def _sizes(t: _Tables, plan) -> None:
    model = plan.model
    d, bodies = model.dimension, len(model.bodies)
    if d not in at.COORDINATES:
        t.refuse("DIMENSION")
    positions, dof = at.COORDINATES[d]
    tree = plan.tree
    for what, key, value in (
            ("DIMENSION", at.DIMENSION, d), ("DOF", at.DOF, dof), ("N_BODIES", at.N_BODIES, bodies),
            ("N_Q", at.N_Q, positions * bodies if tree is None else tree.n_q),
            ("N_V", at.N_V, dof * bodies if tree is None else tree.n_v), ("N_Z", at.N_Z, len(model.work_names)),
            ("N_FUNCTIONS", at.N_FUNCTIONS, len(model.function_slots)), ("N_LAWS", at.N_LAWS, len(model.laws)),
            ("N_ROWS", at.N_ROWS, len(plan.rows)), ("N_MEASURES", at.N_MEASURES, len(plan.measures)),
            ("N_LINKS", at.N_LINKS, 0 if tree is None else len(tree.links) - 1)):
        t.exactly(what, key, value)
    for key in range(at.N_BODIES, at.N_ENTRIES + 1):
        if not 0 <= t.size(key) <= plan.tab.size + plan.workspace.size:
            t.refuse("sizes")
    if t.size(at.SADDLE) not in (0, 1) or plan.tab[at.A_LOCATE:at.A_ADD + 1].any():
        t.refuse("SADDLE")


def _geometry(t: _Tables) -> None:
    """Frames and measures."""
    d, dof, bodies = t.size(at.DIMENSION), t.size(at.DOF), t.size(at.N_BODIES)
    frames, measures, memory = t.size(at.N_FRAMES), t.size(at.N_MEASURES), t.size(at.N_MEMORY)
    p, w = t.plan.parameters, t.plan.workspace
    t.table("T_FRAME_BODY", at.T_FRAME_BODY, frames, (0, bodies + 1))
    t.table("T_MEASURE", at.T_MEASURE, measures, (0, at.SPIN + 1), (0, frames), (0, frames), (0, 3), (0, 3),
            (-1, memory))
    for key, count in ((at.P_FRAME, (3 if d == 2 else 12) * frames), (at.P_LENGTH, 1), (at.P_MEASURE, measures)):
        t.section("parameters of frames and measures", key, count, p)
    for key, count in ((at.W_POSE, at.POSE_SCRATCH[d] * (bodies + 1)), (at.W_TWIST, dof * (bodies + 1)),
                       (at.W_FRAME, at.FRAME_SCRATCH[d] * frames), (at.W_VALUE, measures), (at.W_RATE, measures),
                       (at.W_BIAS, measures), (at.W_GRADIENT, 2 * dof * measures), (at.W_MEMORY, memory),
                       (at.W_TURNED, memory), (at.W_SWING, memory)):
        t.section("workspace of frames and measures", key, count, w)


def _bodies(t: _Tables) -> None:
    """Bodies, their coordinates, and angles whose turns are counted."""
    dof, bodies = t.size(at.DOF), t.size(at.N_BODIES)
    t.table("T_TURNING", at.T_TURNING, t.size(at.N_Q) + t.size(at.N_V), (0, 2))
    t.table("T_MEMORY_MEASURE", at.T_MEMORY_MEASURE, t.size(at.N_MEMORY), (-1, t.size(at.N_MEASURES)))
    for key in (at.P_GRAVITY, at.P_MASS, at.P_INVERSE_MASS, at.P_ROOT_INVERSE, at.P_MASS_SCALE):
        t.section("parameters of bodies", key, dof * (bodies + 1), t.plan.parameters)
    t.section("P_LEAST", at.P_LEAST, 1, t.plan.parameters)
    for key, count in ((at.W_APPLIED, dof * (bodies + 1)), (at.W_ACCELERATION, dof * (bodies + 1)),
                       (at.W_CHANGE, t.size(at.N_V)), (at.W_FUNCTION, 3 * t.size(at.N_FUNCTIONS))):
        t.section("workspace of bodies", key, count, t.plan.workspace)


def _laws(t: _Tables, plan) -> None:
    """Functions of time and laws: addresses, numbers, memory, what they read and act along."""
    p, w, model = plan.parameters, plan.workspace, plan.model
    far = np.iinfo(np.int64).max
    any_address, number = (-far, far), (0, p.size + 1)
    functions = t.table("T_FUNCTION", at.T_FUNCTION, t.size(at.N_FUNCTIONS), any_address, number, number)
    laws = t.table("T_LAW", at.T_LAW, t.size(at.N_LAWS), any_address, (0, far), (0, far), (1, far), (1, far), number,
                   number, (0, t.size(at.N_MEMORY) + 1), (0, t.size(at.N_MEMORY) + 1), (-1, t.size(at.N_Z)))
    for found, slots in ((functions, model.function_slots), (laws, [law.slot for law in model.laws])):
        if found[:, 0].tolist() != [slot.address for slot in slots]:
            t.refuse("addresses")
    reads, alongs = (int(laws[:, k].sum()) for k in (2, 4))
    alongs += 1 + len(laws)  # guards
    for what, first, count, most in (
            ("numbers of functions", functions[:, 1], functions[:, 2], p.size), ("numbers of laws", laws[:, 5],
             laws[:, 6], p.size), ("memory of laws", laws[:, 7], laws[:, 8], t.size(at.N_MEMORY)),
            ("T_READS", laws[:, 1], laws[:, 2], reads), ("T_ALONG", laws[:, 3], laws[:, 4], alongs - 1)):
        if (first + count > most).any():
            t.refuse(what)
    turns = sum(1 for one in t.table("T_MEMORY_MEASURE", at.T_MEMORY_MEASURE, t.size(at.N_MEMORY),
                                     (-1, t.size(at.N_MEASURES)))[:, 0] if one >= 0)
    if (laws[:, 7] < turns).any():
        t.refuse("memory of laws")
    channels = t.size(at.T_CHANNEL_TERM) - t.size(at.T_CHANNEL) - 1
    if not 0 <= channels < plan.tab.size - t.size(at.T_CHANNEL):
        t.refuse("T_CHANNEL")
    t.table("T_READS", at.T_READS, reads, (-t.size(at.N_FUNCTIONS), channels))
    t.table("T_ALONG", at.T_ALONG, alongs, (0, max(1, channels)))
    t.section("T_CHANNEL", at.T_CHANNEL, channels + 1, plan.tab)
    terms = int(plan.tab[t.size(at.T_CHANNEL) + channels])
    t.steps("T_CHANNEL", at.T_CHANNEL, channels, 0, terms)
    t.table("T_CHANNEL_TERM", at.T_CHANNEL_TERM, terms, (0, t.size(at.N_MEASURES)))
    t.section("P_CHANNEL", at.P_CHANNEL, terms, p)
    t.section("W_READ", at.W_READ, 2 * int(laws[:, 2].max(initial=0)), w)
    out = t.section("W_OUT", at.W_OUT, alongs, w)
    ends = [0, *(laws[:, 3] + laws[:, 4])]
    if (out[ends] != at.GUARD).any() or (out[laws[:, 3] - 1] != at.GUARD).any():
        t.refuse("W_OUT")


def _rows(t: _Tables) -> None:
    """Constraint rows, their terms and their blocks."""
    rows, blocks, terms = t.size(at.N_ROWS), t.size(at.N_BLOCKS), t.size(at.N_TERMS)
    dof, bodies, measures = t.size(at.DOF), t.size(at.N_BODIES), t.size(at.N_MEASURES)
    p, w = t.plan.parameters, t.plan.workspace
    t.table("T_ROW", at.T_ROW, rows, (at.POSITION, at.SPEED + 1), (-1, t.size(at.N_FUNCTIONS)), (-1, t.size(at.N_Z)),
            (0, 2))
    t.steps("T_ROW_TERM", at.T_ROW_TERM, rows, 0, terms)
    t.table("T_TERM", at.T_TERM, terms, (0, measures), (-1, blocks), (-1, blocks))
    t.steps("T_ROW_BLOCK", at.T_ROW_BLOCK, rows, 0, blocks)
    if (t.table("T_BLOCK_BODY", at.T_BLOCK_BODY, blocks, (dof, dof * bodies + 1)) % dof).any():
        t.refuse("T_BLOCK_BODY")
    t.section("P_ROW", at.P_ROW, 2 * rows, p)
    t.section("P_TERM", at.P_TERM, terms, p)
    for key, count in ((at.W_PHI, rows), (at.W_NU, rows), (at.W_GAMMA, rows), (at.W_HELD, rows), (at.W_LAMBDA, rows),
                       (at.W_BLOCK, dof * blocks), (at.W_RESIDUAL, 2 * rows)):
        t.section("workspace of rows", key, count, w)


def _pattern(t: _Tables, plan) -> None:
    """The factorisation: order, columns, targets of updates, and where products of blocks are added."""
    n, fill, w = t.size(at.N_UNKNOWNS), t.size(at.N_FILL), plan.workspace
    dof, blocks, rows = t.size(at.DOF), t.size(at.N_BLOCKS), t.size(at.N_ROWS)
    tree, saddle = plan.tree is not None, t.size(at.SADDLE) == 1
    t.exactly("N_UNKNOWNS", at.N_UNKNOWNS, rows + (t.size(at.N_V) if saddle else 0))
    place = t.table("T_PERMUTATION", at.T_PERMUTATION, n, (0, n))[:, 0]
    if np.unique(place).size != n:
        t.refuse("T_PERMUTATION")
    heights = np.diff(t.steps("T_COLUMN", at.T_COLUMN, n, n, n + fill))
    t.table("T_ENTRY_ROW", at.T_ENTRY_ROW, fill, (0, n))
    t.table("T_TARGET", at.T_TARGET, int((heights * (heights + 1) // 2).sum()), (0, n + fill))
    one = t.size(at.N_ENTRIES) if tree else dof * blocks if saddle else blocks
    t.table("T_ASSEMBLY", at.T_ASSEMBLY, t.size(at.N_ASSEMBLY), (0, one), (0, rows if saddle else one), (0, n + fill))
    bodies = dof * (t.size(at.N_BODIES) + 1)
    for key, count in ((at.W_FACTOR, n + fill), (at.W_SCALE, n), (at.W_UNKNOWN, n), (at.W_STEP, max(n, bodies)),
                       (at.W_SCALED, t.size(at.N_ENTRIES) if tree else dof * blocks)):
        t.section("workspace of the factorisation", key, count, w)
    low = t.size(at.LOW)  # behind the solution and all that follows there is as much again, for its low parts
    if low:
        if not 0 < low or t.size(at.W_SCALED) + 2 * low > w.size:
            t.refuse("LOW")
        t.section("W_PULL", at.W_PULL, 3 * (t.size(at.N_LINKS) + 1), w)


def _tree(t: _Tables) -> None:
    """The links of joint coordinates, and the ways of the rows to the root."""
    d, links, entries, rows = t.size(at.DIMENSION), t.size(at.N_LINKS), t.size(at.N_ENTRIES), t.size(at.N_ROWS)
    n_q, n_v, bodies = t.size(at.N_Q), t.size(at.N_V), t.size(at.N_BODIES)
    table = t.table("T_LINK", at.T_LINK, links + 1, (at.RIGID, at.BALL + 1), (-1, links), (0, n_q + 1), (0, n_v + 1),
                    (0, bodies + 1), (0, 4))
    kind, parent, first_q, first_v = table[1:, :4].T
    ball, moves = kind == at.BALL, kind != at.RIGID
    if ((parent < 0) | (parent >= np.arange(1, links + 1)) | (moves & (first_q + np.where(ball, 4, 1) > n_q))
            | (moves & (first_v + np.where(ball, 3, 1) > n_v))).any():
        t.refuse("T_LINK")
    t.table("T_BODY_LINK", at.T_BODY_LINK, bodies + 1, (0, links + 1))
    t.steps("T_ROW_ENTRY", at.T_ROW_ENTRY, rows, 0, entries)
    t.table("T_ENTRY", at.T_ENTRY, entries, (0, links + 1), (-1, entries), (0, 3))
    t.table("T_BLOCK_ENTRY", at.T_BLOCK_ENTRY, t.size(at.N_BLOCKS), (0, entries))
    t.section("P_LINK", at.P_LINK, at.LINK_NUMBERS[d] * (links + 1), t.plan.parameters)
    t.section("W_LINK", at.W_LINK, at.LINK_SCRATCH[d] * (links + 1), t.plan.workspace)
    t.section("W_PUSH", at.W_PUSH, (t.size(at.DOF) + 1) * entries, t.plan.workspace)
