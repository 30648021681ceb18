"""The pattern of the factorisation: elimination order, fill and update targets, fixed once at build."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Pattern:
    """Columns of L in elimination order; positions count the diagonal first, then the columns."""

    place: np.ndarray      # unknown -> place in the elimination
    column: np.ndarray     # (n + 1) first entry of a column, counted in the factor
    entry_row: np.ndarray  # row of every entry of L
    target: np.ndarray     # where the updates go, in the order of the loops of `factorise`

    def position(self, one: int, other: int) -> int:
        """Where the entry of two unknowns is stored in the factor."""
        row, column = sorted((int(self.place[one]), int(self.place[other])), reverse=True)
        if row == column:
            return row
        first, last = self.column[column], self.column[column + 1]
        base = self.column[0]
        at = np.searchsorted(self.entry_row[first - base:last - base], row)
        return int(first + at)


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
            neighbours[node] |= near
            neighbours[node] -= {node, chosen}
            move(node, sum(sizes[m] for m in neighbours[node]))
        neighbours[chosen] = set()
        if len(buckets) > 64:
            buckets = {k: v for k, v in buckets.items() if v}
    return order, beside


def fill(sizes, order, beside) -> int:
    """Entries of L below the diagonal."""
    return sum(sizes[n] * (sizes[n] - 1) // 2 + sizes[n] * sum(sizes[m] for m in near)
               for n, near in zip(order, beside, strict=True))


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
        rows_of += [np.array(own[k + 1:] + outer, dtype=np.int64) for k in range(len(own))]
    lengths = np.array([len(r) for r in rows_of], dtype=np.int64)
    column = count + np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    entry_row = np.concatenate(rows_of) if count else np.zeros(0, dtype=np.int64)
    targets = []
    for rows in rows_of:
        for a, j in enumerate(rows):
            targets.append(np.array([j], dtype=np.int64))
            if a + 1 < len(rows):
                targets.append(column[j] + np.searchsorted(rows_of[j], rows[a + 1:]))
    target = np.concatenate(targets) if targets else np.zeros(0, dtype=np.int64)
    return Pattern(place, column, entry_row, target.astype(np.int64))
