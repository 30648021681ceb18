"""The tree of joint coordinates as tables: links, and the ways of the rows from their bodies to the root."""

from __future__ import annotations

import numpy as np

from linkwork.compiled.tree import planar_numbers, spatial_numbers
from linkwork.kernels import layout as at


def write_tree(tree, bodies, dimension, head, tab, p, w) -> list[int]:
    """Links, their numbers and their scratch; returns which coordinates and speeds turn."""
    parents = [link.parent for link in tree.links]
    first = {parents[k]: k for k in range(1, len(parents))}  # of the children the last, which is gathered first
    table, numbers = [], []
    carrier = np.zeros(len(bodies) + 1, dtype=np.int64)
    for k, link in enumerate(tree.links):
        carries, opens = k in first, link.parent > 0 and first[link.parent] == k
        table.append((link.kind, link.parent, link.first_q, link.first_v, link.body, int(carries) + 2 * int(opens)))
        body = bodies[link.body - 1] if link.body else None
        numbers.append(planar_numbers(link, body) if dimension == 2 else spatial_numbers(link, body))
        if link.body:
            carrier[link.body] = k
    head[at.N_LINKS] = len(tree.links) - 1
    head[at.T_LINK] = tab.add(np.array(table, dtype=np.int64))
    head[at.T_BODY_LINK] = tab.add(carrier)
    head[at.P_LINK] = p.add(np.array(numbers))
    head[at.W_LINK] = w.reserve(at.LINK_SCRATCH[dimension] * len(tree.links))
    head[at.W_CHANGE] = w.reserve(tree.n_v)
    speeds = [int(one.turning) for one in tree.coordinates]
    places = np.zeros(tree.n_q, dtype=np.int64)
    for link in tree.links[1:]:
        if link.kind == at.BALL:
            places[link.first_q:link.first_q + 4] = 1
        elif link.kind != at.RIGID:
            places[link.first_q] = speeds[link.first_v]
    return [*places, *speeds]


def write_paths(tree, row_block, block_body, head, tab):
    """For every row the links between its bodies and the root; returns the entries by row and what each stands for."""
    carrier = {link.body: k for k, link in enumerate(tree.links) if link.body}
    row_entry, entries, slots, block_entry = [0], [], [], []
    for r in range(len(row_block) - 1):
        blocks = range(row_block[r], row_block[r + 1])
        links = sorted({k for b in blocks for k in tree.path(carrier[block_body[b]])}, reverse=True)
        first = {}
        at_entry = len(entries)
        for k in links:
            first[k] = at_entry
            at_entry += 3 if tree.links[k].kind == at.BALL else 1
        for k in links:
            for component in range(3 if tree.links[k].kind == at.BALL else 1):
                entries.append((k, first.get(tree.links[k].parent, -1), component))
                slots.append(1 + 3 * k + component)
        row_entry.append(len(entries))
        block_entry += [first[carrier[block_body[b]]] for b in blocks]
    head[at.N_ENTRIES] = len(entries)
    head[at.T_ROW_ENTRY] = tab.add(row_entry)
    head[at.T_ENTRY] = tab.add(np.array(entries, dtype=np.int64))
    head[at.T_BLOCK_ENTRY] = tab.add(block_entry)
    return row_entry, slots
