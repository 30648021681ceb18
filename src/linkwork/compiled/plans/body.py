"""Body coordinates: position and orientation of every mass centre; no row is absorbed."""

from __future__ import annotations

from linkwork.compiled.pattern import Blocks, choose
from linkwork.kernels import layout as at


class Layout:
    """How body coordinates are written."""

    coordinates = "body"
    absorbed: frozenset[str] = frozenset()
    tree = None

    def __init__(self, model, free):
        self.model, self.free = model, free

    def inverse_masses(self, inverse, mass, unit):
        """Zero where there is no mass: such a coordinate is not pushed by S, but found by the saddle point."""
        return inverse

    def write_coordinates(self, tables) -> None:
        """Sizes, which coordinates turn, whether the saddle point is needed, and twice the digits."""
        model, writer = self.model, tables.writer
        d, (positions, dof), bodies = model.dimension, at.COORDINATES[model.dimension], len(model.bodies)
        writer.sizes(N_Q=model.n_q, N_V=model.n_v)
        writer.put(at.T_TURNING, ([0] * d + [1] * (positions - d)) * bodies + ([0] * d + [1] * (dof - d)) * bodies)
        # with hardly any inertia S has pivots that look singular; with the accelerations among the unknowns it has not
        writer.sizes(
            SADDLE=int(tables.bare or tables.least < at.LITTLE),
            LOW=int(tables.least < (at.LITTLE_BESIDE_NONE if tables.bare else at.LITTLE)),
        )

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
