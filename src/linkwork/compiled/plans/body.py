"""Body coordinates: position and orientation of every mass centre; no row is absorbed."""

from __future__ import annotations

import numpy as np

from linkwork.compiled.model import RowInfo
from linkwork.compiled.pattern import Blocks, choose
from linkwork.compiled.plans.layout import Layout as _Layout
from linkwork.kernels import layout as at


class Layout(_Layout):
    """How body coordinates are written."""

    coordinates = "body"
    of_bodies = True
    in_blocks = True

    @property
    def sizes(self) -> dict[str, int]:
        """Places and speeds of all bodies."""
        return {"N_Q": self.model.n_q, "N_V": self.model.n_v, "N_LINKS": 0}

    def write_coordinates(self, tables) -> None:
        """Sizes, which coordinates turn, whether the saddle point is needed, and twice the digits."""
        model, writer = self.model, tables.writer
        d, (positions, dof), bodies = model.dimension, at.COORDINATES[model.dimension], len(model.bodies)
        writer.sizes(**self.sizes)
        writer.put(at.T_TURNING, ([0] * d + [1] * (positions - d)) * bodies + ([0] * d + [1] * (dof - d)) * bodies)
        writer.sizes(**self.digits(tables.least, tables.bare, len(tables.rows)))

    def digits(self, least: float, bare: bool, rows: int) -> dict[str, int]:
        """With hardly any inertia S has pivots that look singular; with the accelerations among the unknowns it has
        not.
        """
        return {
            "SADDLE": int(bare or least < at.LITTLE),
            "LOW": int(least < (at.LITTLE_BESIDE_NONE if bare else at.LITTLE)),
        }

    def write_pattern(self, tables) -> None:
        """Choose between S and the saddle point by their fill."""
        blocks = Blocks(
            self.model.dof, len(self.model.bodies), tables.groups(), tuple(tables.row_block), tuple(tables.block_body)
        )
        tables.add_pattern(*choose(blocks, saddle_only=bool(tables.writer.head[at.SADDLE])))

    def write_places(self, tables) -> None:
        """Coordinates are those of the bodies, and so are their accelerations."""
        head = tables.writer.head
        head[at.W_CHANGE] = head[at.W_ACCELERATION] + self.model.dof

    def soften(self, plan, channels):
        """One more row for every channel."""
        rows = tuple(RowInfo(f"soft {c}", "", self.model.channels[c], "soft", False, 0.0) for c in channels)
        targets = np.full(len(self.model.channels), -1)
        targets[channels] = len(plan.rows) + np.arange(len(channels))
        soft = self.model.plan(self.coordinates, rows=rows, free=self.free) if rows else plan
        return soft, np.zeros(0, dtype=np.int64), targets

    def products(self, t) -> int:
        """Blocks of J, or with the accelerations among the unknowns their entries."""
        return t.size(at.N_BLOCKS) * (t.size(at.DOF) if t.size(at.SADDLE) else 1)
