"""Joint coordinates: the freedoms of the joints along a tree, whose rows are absorbed; the others close loops."""

from __future__ import annotations

import numpy as np

from linkwork.compiled.pattern import Blocks, rows_only
from linkwork.compiled.tree_tables import write_paths, write_tree
from linkwork.kernels import layout as at


class Layout:
    """How joint coordinates are written."""

    coordinates = "joint"

    def __init__(self, model, free):
        self.model, self.free = model, free
        self.tree = model.tree_without(free) if free else model.tree
        self.absorbed = frozenset(self.tree.joints)

    def inverse_masses(self, inverse, mass, unit):
        """What has hardly any inertia of its own is carried: its rows are measured by the usual inertia."""
        return np.where(mass > at.LITTLE * unit, inverse, 1.0 / unit)

    def write_coordinates(self, tables) -> None:
        """Links, which coordinates turn, and whether loops need twice the digits."""
        write_tree(self.tree, self.model.bodies, self.model.dimension, tables.writer)
        tables.writer.sizes(LOW=int(bool(tables.rows) and tables.least < at.LITTLE))

    def write_pattern(self, tables) -> None:
        """S of the rows that close loops, summed along their ways to the root."""
        row_entry, entry_slot = write_paths(self.tree, tables.row_block, tables.block_body, tables.writer)
        blocks = Blocks(1, 0, tables.groups(), tuple(row_entry), tuple(entry_slot))
        tables.add_pattern(*rows_only(blocks), saddle=False)

    def write_places(self, tables) -> None:
        """Accelerations of the coordinates have a place of their own."""
