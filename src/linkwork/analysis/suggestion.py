"""A change that takes redundancy away and leaves the freedom: looked for where rows depend on each other, then tried.

With N the combinations of rows that vanish, rows S can be let go without a new freedom, and nothing of N is redundant
then, where

    N[:, S] is square and regular

Joints are replaced by joints that hold less between the same frames, or left out.  The changed mechanism is then built,
and its rank found at the same position: only what passes is suggested.  Of large mechanisms one loop is looked at, and
that part is built.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from linkwork.analysis.doors import references
from linkwork.analysis.loops import holds_places, ways_around
from linkwork.analysis.rank import analyse, scaled_rows
from linkwork.analysis.redundancy import counted
from linkwork.compiled.numbering import model_of
from linkwork.coordinates.body import System, pack, unpack
from linkwork.coordinates.frames import frame_in
from linkwork.errors import LinkworkError, warnings_are
from linkwork.records import dataclass

LOOPS = 100  # that are looked at, one after the other
FEW = 8  # redundant rows that are looked at together; of more, those of one loop
MANY_ROWS = 240  # of joints that take part: of more, one loop is looked at
WHOLE = 60  # bodies; of larger mechanisms the part that is concerned is built
TRIES = 2000  # choices of joints that are compared
PARTS = 3  # of those with redundant rows of their own
BUILT = 5  # mechanisms that are built for it
CHANGES = 4  # joints that a suggestion changes at most
REGULAR = 0.05  # smallest singular value of N[:, S], against the largest: enough to take it at once
SINGULAR = 1e-6
ZERO = 1e-7  # singular values of rows that follow from others
FITS = 1e-6  # what a new joint may be off where it is put


@dataclass(frozen=True)
class Suggestion:
    """A change that was tried: what to put in the place of which joints, and what is left then; `print` it.

    `joints` are the new ones by name, None for what is left out.
    """

    joints: dict[str, Any]
    text: str
    freedom: int  # of the mechanism after it
    redundant: int  # constraints that are left then

    def applied(self, mechanism: Any) -> Any:
        """A copy of the mechanism with the change made."""
        return _changed(mechanism, self.joints)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Change:
    """A joint or driver by name, what would be in its place, and the directions that are let go."""

    name: str
    joint: Any  # None: left out
    released: np.ndarray  # (rows, let go): combinations of rows of the whole model
    text: str


def suggest(model, state, rank) -> tuple[Suggestion | None, str]:
    """A change that was tried, or why there is none."""
    system = System(model.plan())
    system.locate(state.t, rank.base)
    looked_at = 0
    for names in itertools.islice(_parts(model, rank), LOOPS + 1):
        vectors = _combinations(model, system, [r for name in names for r in model.rows_of[name]])
        if not len(vectors):
            continue
        looked_at += 1
        with warnings.catch_warnings(), warnings_are("told already", Warning):  # by the mechanism itself
            warnings.simplefilter("ignore")
            for changes in itertools.islice(_choices(model, rank.base, names, vectors), BUILT):
                joints = {change.name: change.joint for change in changes}
                if _helps(model, state, rank, joints, names, len(vectors)):
                    text = counted([change.text for change in changes], "; ", CHANGES)
                    return Suggestion(joints, text, rank.nearby, len(rank.dropped) - len(vectors)), ""
        if looked_at == PARTS:
            break
    if not looked_at:
        return None, f"no change was looked for: no part of up to {MANY_ROWS} rows was found to be redundant alone"
    return None, f"no change of up to {CHANGES} of them was found that helps; {TRIES} choices are looked at at most"


def _parts(model, rank) -> Iterator[list[str]]:
    """Joints and drivers to look at: all that take part where they are few, else those of one loop after the other."""
    vectors = rank.redundancies
    rows = np.flatnonzero(np.any(vectors != 0.0, axis=0))
    names = list(dict.fromkeys(model.rows[r].item for r in rows))
    if len(vectors) <= FEW and sum(len(model.rows_of[name]) for name in names) <= MANY_ROWS:
        yield names
        return
    some = set(names)
    joints = {name: one for name, one in model.mechanism.joints.items() if name in some}
    joints = {name: one for name, one in joints.items() if holds_places(one, model.dimension)}
    for _, way in itertools.islice(ways_around(model, joints), LOOPS):
        yield [name for name, _ in way]
    smallest = min(vectors, key=np.count_nonzero)
    yield list(dict.fromkeys(model.rows[r].item for r in np.flatnonzero(smallest)))


def _combinations(model, system, rows) -> np.ndarray:
    """Orthonormal combinations of all rows that vanish and have these rows alone; none where they are too many."""
    if len(rows) > MANY_ROWS:
        return np.zeros((0, len(model.rows)))
    columns = np.zeros(model.n_v, dtype=bool)
    for body in {body for r in rows for _, body in system.plan.row_blocks[r]}:
        columns[model.dof * body : model.dof * (body + 1)] = True
    left, sizes, _ = np.linalg.svd(scaled_rows(system, rows, columns & system.columns))
    own = left[:, int(np.sum(sizes > ZERO * sizes.max(initial=1.0))) :]
    scale = system.free_sizes(rows)
    out = np.zeros((own.shape[1], len(model.rows)))
    out[:, rows] = np.linalg.qr(own / np.where(scale > 0.0, scale, 1.0)[:, None])[0].T
    return out


# -- what could be changed -----------------------------------------------------------------------------------------
def _choices(model, y, names, vectors) -> Iterator[tuple[Change, ...]]:
    """Sets of changes that let go as many rows as are too many, the fewest changes first, the last joint written first.

    Regular ones first; after them the best of those that are nearly singular.
    """
    known = {name: list(_weaker(model, y, name)) for name in reversed(names)}
    every = (
        changes
        for count in range(1, min(CHANGES, len(vectors)) + 1)
        for some in itertools.combinations(known, count)
        for changes in itertools.product(*(known[name] for name in some))
    )
    without = ((_without(model, name),) for name in known)  # at last
    fitting = (
        changes
        for changes in itertools.chain(itertools.islice(every, 10 * TRIES), without)
        if sum(change.released.shape[1] for change in changes) == len(vectors)
    )
    doubtful: list[tuple[float, tuple[Change, ...]]] = []
    for changes in itertools.islice(fitting, TRIES):
        sizes = np.linalg.svd(vectors @ np.hstack([change.released for change in changes]), compute_uv=False)
        if sizes[-1] > REGULAR * sizes[0]:
            yield changes
        elif sizes[-1] > SINGULAR * sizes[0]:
            doubtful.append((-sizes[-1] / sizes[0], changes))
    yield from (changes for _, changes in sorted(doubtful, key=lambda one: one[0])[:BUILT])


def _without(model, name) -> Change:
    """A joint or driver left out."""
    rows = model.rows_of[name]
    joint = model.mechanism.joints.get(name)
    kind = "driver" if joint is None else type(joint).__name__
    released = np.zeros((len(model.rows), len(rows)))
    released[rows, range(len(rows))] = 1.0
    return Change(name, None, released, f"leave out the {kind} {name}")


def _weaker(model, y, name) -> Iterator[Change]:
    """What could be in the place of a joint or driver: joints between the same frames that hold less, or nothing."""
    rows = model.rows_of[name]
    labels = [model.rows[r].label for r in rows]
    pin = "xyz"[: model.dimension]

    def let_go(*some):
        columns = np.zeros((len(model.rows), len(some)))
        for k, label in enumerate(some):
            r = rows[labels.index(label)]
            if label in pin and model.rows[r].measure.along == "world":  # a pin: in axes of the joint
                columns[[rows[labels.index(axis)] for axis in pin], k] = axes[: len(pin), pin.index(label)]
            else:
                columns[r, k] = 1.0
        return columns

    if len(rows) == 1:
        yield _without(model, name)
    joint = model.mechanism.joints.get(name)
    if joint is not None:
        kind, axes = type(joint).__name__, frame_in(model, joint.on, y)[1]
        for made, released, words in joint.weaker(model.dimension):
            text = f"{type(made).__name__} instead of {kind} for {name}{words}"
            yield Change(name, made, let_go(*released), text)


# -- trying it -----------------------------------------------------------------------------------------------------
def _changed(mechanism, joints):
    """A copy with other joints; None leaves one out."""
    other = mechanism.without([name for name, joint in joints.items() if joint is None])
    for name, joint in joints.items():
        if joint is not None:
            other.replace(name, joint)
    return other


def _part(mechanism, bodies: set[str], names: set[str]):
    """A copy with these bodies, and of joints and drivers those of these names."""
    other = type(mechanism)(mechanism.name, mechanism.dimension, mechanism.gravity)
    for family, some in ((mechanism.bodies, bodies), (mechanism.joints, names), (mechanism.drivers, names)):
        for name, item in family.items():
            if name in some:
                other.add(name, item)
    return other


def _helps(model, state, rank, joints, names, too_many: int) -> bool:
    """Whether the changed mechanism has as much freedom and `too_many` fewer redundant rows, at the same position."""
    base, freedom, redundant = model.mechanism, rank.nearby, len(rank.dropped)
    if len(model.bodies) > WHOLE:
        blocks = model.plan().row_blocks
        touched = {model.bodies[body].name for name in names for r in model.rows_of[name] for _, body in blocks[r]}
        base = _part(base, touched, set(names))
        found = _rank_of(base, model, state.t, rank.base, ())
        freedom, redundant = found.nearby, len(found.dropped)
    try:
        after = _rank_of(_changed(base, joints), model, state.t, rank.base, joints)
    except LinkworkError:  # what is changed cannot be analysed
        return False
    return after is not None and after.nearby == freedom and len(after.dropped) == redundant - too_many


def _rank_of(mechanism, model, t, y, changed):
    """Rank of another mechanism of these bodies, or some of them, where they are in a state; None if it does not fit.

    What is not changed is held as it stands.
    """
    other = model_of(mechanism)
    poses, twists = unpack(model, y)
    order = [model.body_index[info.name] for info in other.bodies]
    place = pack(other, [poses[k] for k in order], [twists[k] for k in order])
    system = System(other.plan(), references(System(other.plan()), t, place))
    system.locate(t, place)
    own = [r for r, row in enumerate(other.rows) if row.item in changed]
    if not np.all(np.abs(system.phi[own]) <= FITS * system.row_scale[own]):
        return None
    system.row_values[:] += system.phi
    system.remember()
    return analyse(system, t, place)
