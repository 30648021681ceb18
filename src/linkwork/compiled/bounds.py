"""Are all sizes and indices of a plan within what they point into?  Looked at once, before a kernel sees them.

Kernels follow the tables with bare pointers and check nothing.  Every entry of the integer table is a size, the place
of a section, an index, a code or an address; each has one line here.
"""

from __future__ import annotations

import numpy as np

from linkwork.errors import CompileError, message
from linkwork.kernels import layout as at
from linkwork.kernels.sections import SECTIONS, TABLE, span_of


class _Tables:
    def __init__(self, plan):
        self.plan = plan
        for what, vector, kind in (
            ("tab", plan.tab, np.int64),
            ("parameters", plan.parameters, np.float64),
            ("workspace", plan.workspace, np.float64),
        ):
            if not (
                isinstance(vector, np.ndarray)
                and vector.dtype == kind
                and vector.ndim == 1
                and vector.flags.c_contiguous
            ):
                self.refuse(what)
        if plan.tab.size < at.HEADER or plan.workspace.size < at.W_FIXED:
            self.refuse("header")

    def refuse(self, what: str) -> None:
        raise CompileError(
            message(
                "Plan",
                f"has compiled tables that do not fit together, at {what}",
                remedy="compile its mechanism anew; tables are not to be changed",
            )
        )

    def size(self, key: int) -> int:
        return int(self.plan.tab[key])

    def exactly(self, key: str, value: int) -> None:
        if self.size(getattr(at, key)) != value:
            self.refuse(key)

    def within(self, key: int) -> tuple[slice, tuple[int, ...]]:
        """Where a section is, which must be within its vector, behind what is there at fixed places; and its shape."""
        section = SECTIONS[key]
        vector, begin = {
            "tab": (self.plan.tab, at.HEADER),
            "p": (self.plan.parameters, 0),
            "w": (self.plan.workspace, at.W_FIXED),
        }[section.vector]
        span, shape = span_of(key, self.plan.tab)
        if not begin <= span.start <= span.stop <= vector.size:
            self.refuse(section.name)
        return span, shape

    def table(self, key: int, *ranges: tuple[int, int]) -> np.ndarray:
        """A section of integers; each of its columns is from `least` up to `most`, which is not reached."""
        span, shape = self.within(key)
        found = self.plan.tab[span].reshape(shape[0], len(ranges))
        for column, (least, most) in zip(found.T, ranges, strict=True):
            if column.size and not (least <= column.min() and column.max() < most):
                self.refuse(SECTIONS[key].name)
        return found

    def steps(self, key: int, first: int, last: int) -> np.ndarray:
        """Where each of some things begins, and where the last one ends."""
        found = self.table(key, (first, last + 1))[:, 0]
        if found[0] != first or found[-1] != last or (found[1:] < found[:-1]).any():
            self.refuse(SECTIONS[key].name)
        return found


def check(plan) -> None:
    """Raise unless every size and every index of a plan stays within its tables."""
    t = _Tables(plan)
    _sizes(t, plan)
    ours = [one for one in TABLE if one.of(plan.coordinates, plan.model.dimension)]
    for section in ours:
        t.within(section.key)
    t.within(at.W_CHANGE)
    _geometry(t, [plan.model.measure_address(one) for one in plan.measures])
    _laws(t, plan)
    _rows(t)
    _pattern(t, plan)
    _low(t, [one for one in ours if one.doubled])
    plan.layout.check(t)


def check_readings(readings) -> None:
    """The same for a few measures that are read from states of the bodies."""
    t = _Tables(readings)
    d, bodies = readings.dimension, len(readings.bodies)
    positions, dof = at.COORDINATES[d]
    for what, value in (
        ("DIMENSION", d),
        ("DOF", dof),
        ("N_BODIES", bodies),
        ("N_Q", positions * bodies),
        ("N_V", dof * bodies),
        ("N_Z", 0),
        ("N_STATES", 0),
        ("N_MEASURES", len(readings.measures)),
        ("N_ROWS", 0),
        ("N_LAWS", 0),
        ("N_FUNCTIONS", 0),
        ("N_MEMORY", readings.columns.size - (positions + dof) * bodies),
    ):
        t.exactly(what, value)
    if t.size(at.N_FRAMES) < 0 or t.size(at.N_MEMORY) < 0:
        t.refuse("N_FRAMES")
    for key in (
        at.P_FRAME,
        at.P_LENGTH,
        at.P_MEASURE,
        at.W_POSE,
        at.W_TWIST,
        at.W_FRAME,
        at.W_VALUE,
        at.W_RATE,
        at.W_BIAS,
        at.W_GRADIENT,
        at.W_MEMORY,
        at.W_TURNED,
        at.W_SWING,
    ):
        t.within(key)
    _geometry(t, list(readings.addresses))


def _sizes(t: _Tables, plan) -> None:
    model, d = plan.model, plan.model.dimension
    if d not in at.COORDINATES:
        t.refuse("DIMENSION")
    for what, value in (
        ("DIMENSION", d),
        ("DOF", at.COORDINATES[d][1]),
        ("N_BODIES", len(model.bodies)),
        *plan.layout.sizes.items(),
        ("N_Z", len(model.work_names)),
        ("N_STATES", len(model.law_states)),
        ("N_FUNCTIONS", len(model.function_slots)),
        ("N_LAWS", len(model.laws)),
        ("N_ROWS", len(plan.rows)),
        ("N_MEASURES", len(plan.measures)),
        ("N_CHANNELS", len(model.channels)),
    ):
        t.exactly(what, value)
    most = plan.tab.size + plan.parameters.size + plan.workspace.size
    for key in range(at.N_BODIES, at.N_ENTRIES + 1):
        if not 0 <= t.size(key) <= most:
            t.refuse("sizes")
    if t.size(at.SADDLE) not in (0, 1) or plan.tab[at.A_LOCATE : at.A_ADD + 1].any():
        t.refuse("SADDLE")


def _geometry(t: _Tables, addresses: list[int]) -> None:
    """Frames and measures."""
    frames, memory = t.size(at.N_FRAMES), t.size(at.N_MEMORY)
    t.table(at.T_FRAME_BODY, (0, t.size(at.N_BODIES) + 1))
    numbers, _ = t.within(at.P_MEASURE)
    seen, far = t.size(at.N_SEEN), np.iinfo(np.int64).max
    found = t.table(
        at.T_MEASURE,
        (0, at.OWN + 1),
        (0, frames),
        (0, frames),
        (0, max(1, seen)),
        (-1, at.MOTION + 1),
        (0, 3),
        (0, 3),
        (-1, memory),
        (0, memory + 1),
        (numbers.start, numbers.stop + 1),
        (0, numbers.stop + 1),
        (-far, far),
        (0, 1),
    )
    for first, count, end in (
        (at.MEASURE_SLOT, at.MEASURE_N_MEMORY, memory),
        (at.MEASURE_NUMBERS, at.MEASURE_N_NUMBERS, numbers.stop),
    ):
        if (found[:, first] + found[:, count] > end).any():
            t.refuse("T_MEASURE")
    own = [code == at.OWN for code in found[:, at.MEASURE_CODE]]
    if found[:, at.MEASURE_FUNCTION].tolist() != addresses or own != [address != 0 for address in addresses]:
        t.refuse("addresses")
    sizes = at.PAIR_SCRATCH[t.size(at.DIMENSION)]
    opened = found[:, [at.MEASURE_OPENS, at.MEASURE_PAIR]].tolist()
    if any(code >= 0 and (code not in sizes or place + sizes[code] > seen) for code, place in opened):
        t.refuse("W_PAIR")
    t.within(at.W_PAIR)


def _laws(t: _Tables, plan) -> None:
    """Functions of time and laws: addresses, numbers, memory, what they read and act along."""
    model, memory, states = plan.model, t.size(at.N_MEMORY), t.size(at.N_STATES)
    numbers, _ = t.within(at.P_NUMBERS)
    far = np.iinfo(np.int64).max
    address, number, count = (-far, far), (numbers.start, numbers.stop + 1), (0, numbers.stop + 1)
    functions = t.table(at.T_FUNCTION, address, number, count)
    laws = t.table(
        at.T_LAW,
        address,
        (0, far),
        (0, far),
        (1, far),
        (1, far),
        number,
        count,
        (0, memory + 1),
        (0, memory + 1),
        (0, states + 1),
        (0, states + 1),
        (-1, t.size(at.N_Z)),
        address,
    )
    for found, slots in (
        (functions[:, at.FUNCTION_ADDRESS], model.function_slots),
        (laws[:, at.LAW_ADDRESS], [law.slot for law in model.laws]),
        (laws[:, at.LAW_ACCEPT], [law.accept for law in model.laws]),
    ):
        if found.tolist() != [0 if slot is None else slot.address for slot in slots]:
            t.refuse("addresses")
    counts = laws[:, [at.LAW_N_READS, at.LAW_N_ALONG, at.LAW_N_NUMBERS]].T
    reads, alongs = int(counts[0].sum()), int(counts[1].sum()) + 1 + len(laws)  # guards
    for what, value in (
        ("N_READS", reads),
        ("N_ALONG", alongs),
        ("MOST_READS", int(counts[0].max(initial=0))),
        ("N_NUMBERS", int(counts[2].sum() + functions[:, at.FUNCTION_N_NUMBERS].sum())),
    ):
        t.exactly(what, value)
    for what, table, column, most in (
        ("numbers of functions", functions, at.FUNCTION_NUMBERS, numbers.stop),
        ("numbers of laws", laws, at.LAW_NUMBERS, numbers.stop),
        ("memory of laws", laws, at.LAW_MEMORY, memory),
        ("states of laws", laws, at.LAW_STATES, states),
        ("T_READS", laws, at.LAW_READS, reads),
        ("T_ALONG", laws, at.LAW_ALONG, alongs - 1),
    ):
        if (table[:, column] + table[:, column + 1] > most).any():
            t.refuse(what)
    owners = t.table(at.T_MEMORY_MEASURE, (-1, t.size(at.N_MEASURES)))
    if (laws[:, at.LAW_MEMORY] < max(0, np.flatnonzero(owners >= 0).max(initial=-1) + 1)).any():
        t.refuse("memory of laws")
    channels = t.size(at.N_CHANNELS)
    t.table(at.T_READS, (-t.size(at.N_FUNCTIONS), channels))
    t.table(at.T_ALONG, (0, max(1, channels)))
    t.steps(at.T_CHANNEL, 0, t.size(at.N_CHANNEL_TERMS))
    t.table(at.T_CHANNEL_TERM, (0, t.size(at.N_MEASURES)))
    out = plan.workspace[t.within(at.W_OUT)[0]]
    first = laws[:, at.LAW_ALONG]
    ends = [0, *(first + laws[:, at.LAW_N_ALONG])]
    if (out[ends] != at.GUARD).any() or (out[first - 1] != at.GUARD).any():
        t.refuse("W_OUT")


def _rows(t: _Tables) -> None:
    """Constraint rows, their terms and their blocks; which coordinates turn."""
    blocks, dof, bodies = t.size(at.N_BLOCKS), t.size(at.DOF), t.size(at.N_BODIES)
    t.table(at.T_TURNING, (0, 2))
    t.table(at.T_ROW, (at.POSITION, at.SPEED + 1), (-1, t.size(at.N_FUNCTIONS)), (-1, t.size(at.N_Z)), (0, 2))
    t.steps(at.T_ROW_TERM, 0, t.size(at.N_TERMS))
    t.table(at.T_TERM, (0, t.size(at.N_MEASURES)), (-1, blocks), (-1, blocks))
    t.steps(at.T_ROW_BLOCK, 0, blocks)
    if (t.table(at.T_BLOCK_BODY, (dof, dof * bodies + 1)) % dof).any():
        t.refuse("T_BLOCK_BODY")


def _pattern(t: _Tables, plan) -> None:
    """The factorisation: order, columns, targets of updates, and where products of blocks are added."""
    n, fill, rows = t.size(at.N_UNKNOWNS), t.size(at.N_FILL), t.size(at.N_ROWS)
    saddle = t.size(at.SADDLE) == 1
    t.exactly("N_UNKNOWNS", rows + (t.size(at.N_V) if saddle else 0))
    place = t.table(at.T_PERMUTATION, (0, n))[:, 0]
    if (np.bincount(place, minlength=n) != 1).any():  # every unknown has a place of its own
        t.refuse("T_PERMUTATION")
    heights = np.diff(t.steps(at.T_COLUMN, n, n + fill))
    t.exactly("N_TARGETS", int((heights * (heights + 1) // 2).sum()))
    t.table(at.T_ENTRY_ROW, (0, n))
    t.table(at.T_TARGET, (0, n + fill))
    one = plan.layout.products(t)
    t.table(at.T_ASSEMBLY, (0, one), (0, rows if saddle else one), (0, n + fill))


def _low(t: _Tables, doubled) -> None:
    """Behind the sections that have low parts there is as much again for these, where they are wanted."""
    low, spans = t.size(at.LOW), [t.within(one.key)[0] for one in doubled]
    first, last = min(span.start for span in spans), max(span.stop for span in spans)
    if low and not last - first <= low <= t.plan.workspace.size - last:
        t.refuse("LOW")
