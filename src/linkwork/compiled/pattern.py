"""The pattern of the factorisation: elimination order, fill and update targets, fixed once at build."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from linkwork.records import dataclass


@dataclass(frozen=True)
class Pattern:
    """Columns of L in elimination order; positions count the diagonal first, then the columns."""

    place: np.ndarray  # unknown -> place in the elimination
    column: np.ndarray  # (n + 1) first entry of a column, counted in the factor
    entry_row: np.ndarray  # row of every entry of L
    target: np.ndarray  # where the updates go, in the order of the loops of `factorise`

    def positions(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Where the entries of pairs of unknowns are stored in the factor."""
        row, column = self.place[one], self.place[other]
        row, column = np.maximum(row, column), np.minimum(row, column)
        count = self.place.size
        return np.where(row == column, row, count + np.searchsorted(self.keys, column * count + row))

    @cached_property
    def keys(self) -> np.ndarray:
        """One number for each entry of L, by column and then by row: they increase."""
        count = self.place.size
        return np.repeat(np.arange(count), np.diff(self.column)) * count + self.entry_row


def minimum_degree(sizes, neighbours, may_go=None):
    """Order the nodes by least degree; returns the order and, for each, the nodes that remain beside it.

    `may_go(node, gone)` can hold a node back until others have gone.
    """
    neighbours = [set(n) for n in neighbours]
    remaining = set(range(len(sizes)))
    degree = [sum(sizes[m] for m in n) for n in neighbours]
    gone: set[int] = set()
    order, beside = [], []
    buckets: dict[int, set[int]] = {}
    for node in remaining:
        buckets.setdefault(degree[node], set()).add(node)

    def move(node, value):
        buckets[degree[node]].discard(node)
        degree[node] = value
        buckets.setdefault(value, set()).add(node)

    while remaining:
        chosen = None
        for value in sorted(buckets):
            candidates = buckets[value]
            if may_go is not None:
                candidates = [node for node in candidates if may_go(node, gone)]
            if candidates:
                chosen = min(candidates)
                break
        if chosen is None:
            chosen = min(remaining)
        near = neighbours[chosen]
        order.append(chosen)
        beside.append(sorted(near))
        remaining.discard(chosen)
        buckets[degree[chosen]].discard(chosen)
        gone.add(chosen)
        for node in near:
            new = near - neighbours[node]  # a node with many neighbours is not gone through again
            new.discard(node)
            neighbours[node] |= new
            neighbours[node].discard(chosen)
            move(node, degree[node] + sum(sizes[m] for m in new) - sizes[chosen])
        neighbours[chosen] = set()
        if len(buckets) > 64:
            buckets = {k: v for k, v in buckets.items() if v}
    return order, beside


def fill(sizes, order, beside) -> int:
    """Entries of L below the diagonal."""
    return sum(
        sizes[n] * (sizes[n] - 1) // 2 + sizes[n] * sum(sizes[m] for m in near)
        for n, near in zip(order, beside, strict=True)
    )


def expand(members, order, beside) -> Pattern:
    """From blocks to scalars: `members[node]` are the unknowns of a node."""
    count = sum(len(m) for m in members)
    place = np.empty(count, dtype=np.int64)
    at = 0
    for node in order:
        for unknown in members[node]:
            place[unknown] = at
            at += 1
    rows_of = []
    for node, near in zip(order, beside, strict=True):
        own = [int(place[u]) for u in members[node]]
        outer = sorted(int(place[u]) for m in near for u in members[m])
        rows_of += [np.array(own[k + 1 :] + outer, dtype=np.int64) for k in range(len(own))]
    lengths = np.array([len(r) for r in rows_of], dtype=np.int64)
    column = count + np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    entry_row = np.concatenate(rows_of) if count else np.zeros(0, dtype=np.int64)
    # a column updates the triangle of its own rows: the diagonal of each, then the rows below it
    first, second = (
        np.concatenate([rows[_triangle(len(rows))[side]] for rows in rows_of if len(rows)])
        if lengths.any()
        else np.zeros(0, dtype=np.int64)
        for side in (0, 1)
    )
    back = np.empty(count, dtype=np.int64)
    back[place] = np.arange(count)
    pattern = Pattern(place, column, entry_row, first)
    return replace(pattern, target=pattern.positions(back[first], back[second]))


@lru_cache(maxsize=64)
def _triangle(size: int):
    return np.triu_indices(size)


@dataclass(frozen=True)
class Blocks:
    """Which rows touch which bodies: what the pattern is made from."""

    dof: int
    n_bodies: int
    groups: tuple[list[int], ...]  # rows of one item, eliminated together
    row_block: tuple[int, ...]  # (rows + 1) first block of a row
    block_body: tuple[int, ...]  # body of a block, from 1

    def touched(self) -> list[list[int]]:
        """Bodies of every group."""
        return [
            sorted({b for r in rows for b in self.block_body[self.row_block[r] : self.row_block[r + 1]]})
            for rows in self.groups
        ]


#: pairs of groups at one body beyond which S is not even looked at: it would be dense
MOST_PAIRS = 4_000_000


def choose(blocks: Blocks, saddle_only: bool):
    """The pattern with less fill, its assembly list, and whether it is the saddle point."""
    saddle = _order_saddle(blocks, patient=saddle_only)
    if not saddle_only:
        straight = _order_rows(blocks)
        if straight is not None and fill(*straight) <= fill(*saddle):
            return *_assemble_rows(blocks, straight), False
    return *_assemble_saddle(blocks, saddle), True


def rows_only(blocks: Blocks):
    """The pattern of S and its assembly list, however full it is."""
    return _assemble_rows(blocks, _order_rows(blocks, most=None))


def _order_saddle(blocks, patient):
    """Bodies and groups are nodes; a group waits for one of its bodies, so that its pivot says something.

    A body with hardly any inertia serves no more rows than it has freedoms: a `patient` group waits for all its bodies.
    """
    n = blocks.n_bodies
    sizes = [blocks.dof] * n + [len(rows) for rows in blocks.groups]
    beside: list[set[int]] = [set() for _ in sizes]
    for g, bodies in enumerate(blocks.touched()):
        for body in bodies:
            beside[n + g].add(body - 1)
            beside[body - 1].add(n + g)

    def may_go(node, gone):
        return node < n or not beside[node] or (beside[node] <= gone if patient else bool(beside[node] & gone))

    return sizes, *minimum_degree(sizes, beside, may_go)


def _order_rows(blocks, most=MOST_PAIRS):
    """Groups are nodes, joined where they share a body."""
    at_body: dict[int, list[int]] = {}
    for g, bodies in enumerate(blocks.touched()):
        for body in bodies:
            at_body.setdefault(body, []).append(g)
    if most is not None and sum(len(near) ** 2 for near in at_body.values()) > most:
        return None
    beside: list[set[int]] = [set() for _ in blocks.groups]
    for near in at_body.values():
        for g in near:
            beside[g].update(near)
    for g, near in enumerate(beside):
        near.discard(g)
    sizes = [len(rows) for rows in blocks.groups]
    return sizes, *minimum_degree(sizes, beside)


def _assemble_saddle(blocks, ordered):
    """(entry of a block, row, target) for every coordinate that a row touches."""
    dof, n = blocks.dof, blocks.n_bodies
    scalars = [list(range(dof * b, dof * b + dof)) for b in range(n)]
    scalars += [[dof * n + r for r in rows] for rows in blocks.groups]
    pattern = expand(scalars, *ordered[1:])
    row_block, block_body = np.asarray(blocks.row_block), np.asarray(blocks.block_body, dtype=np.int64)
    row_of = np.repeat(np.arange(len(row_block) - 1), np.diff(row_block))
    component = np.arange(dof)
    entry = (dof * np.arange(block_body.size)[:, None] + component).ravel()
    coordinate = (dof * (block_body - 1)[:, None] + component).ravel()
    row = np.repeat(row_of, dof)
    return pattern, np.column_stack([entry, row, pattern.positions(coordinate, dof * n + row)])


def _assemble_rows(blocks, ordered):
    """(block, block, target) for every pair of rows that share a body."""
    pattern = expand(list(blocks.groups), *ordered[1:])
    row_of = np.repeat(np.arange(len(blocks.row_block) - 1), np.diff(blocks.row_block))
    at_body: dict[int, list[int]] = {}
    for block, body in enumerate(blocks.block_body):
        at_body.setdefault(body, []).append(block)
    near = [np.array(one) for one in at_body.values()]
    pairs = [
        np.concatenate([one[_triangle(one.size)[side]] for one in near]) if near else np.zeros(0, dtype=np.int64)
        for side in (0, 1)
    ]
    return pattern, np.column_stack([*pairs, pattern.positions(row_of[pairs[0]], row_of[pairs[1]])])
