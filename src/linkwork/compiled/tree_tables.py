"""The tree of joint coordinates as tables: links, and the ways of the rows from their bodies to the root."""

from __future__ import annotations

import numpy as np

from linkwork.compiled.tree import planar_numbers, spatial_numbers
from linkwork.kernels import layout as at


def link_numbers(tree, bodies, dimension) -> list[list[float]]:
    """What the kernels read of every link."""
    of_link = planar_numbers if dimension == 2 else spatial_numbers
    return [of_link(link, bodies[link.body - 1] if link.body else None) for link in tree.links]


def write_tree(tree, bodies, dimension, writer) -> None:
    """Coordinates, links and their numbers."""
    parents = [link.parent for link in tree.links]
    first = {parents[k]: k for k in range(1, len(parents))}  # of the children the last, which is gathered first
    table = []
    carrier = np.zeros(len(bodies) + 1, dtype=np.int64)
    for k, link in enumerate(tree.links):
        carries, opens = k in first, link.parent > 0 and first[link.parent] == k
        table.append(
            (link.kind, link.parent, link.first_q, link.first_v, link.body, at.CARRIES * carries + at.OPENS * opens)
        )
        if link.body:
            carrier[link.body] = k
    writer.sizes(N_LINKS=len(tree.links) - 1, N_Q=tree.n_q, N_V=tree.n_v)
    writer.put(at.T_LINK, table)
    writer.put(at.T_BODY_LINK, carrier)
    writer.put(at.P_LINK, link_numbers(tree, bodies, dimension))
    speeds = [int(one.turning) for one in tree.coordinates]
    places = np.zeros(tree.n_q, dtype=np.int64)
    for link in tree.links[1:]:
        if link.kind == at.BALL:
            places[link.first_q : link.first_q + 4] = 1
        elif link.kind != at.RIGID:
            places[link.first_q] = speeds[link.first_v]
    writer.put(at.T_TURNING, [*places, *speeds])


def write_paths(tree, row_block, block_body, writer):
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
    writer.sizes(N_ENTRIES=len(entries))
    writer.put(at.T_ROW_ENTRY, row_entry)
    writer.put(at.T_ENTRY, entries)
    writer.put(at.T_BLOCK_ENTRY, block_entry)
    return row_entry, slots
