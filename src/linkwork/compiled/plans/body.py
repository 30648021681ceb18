"""Body coordinates: position and orientation of every mass centre; no row is absorbed."""

from __future__ import annotations

from linkwork.compiled.pattern import Blocks, choose
from linkwork.kernels import layout as at


class Layout:
    """How body coordinates are written."""

    absorbed: frozenset[str] = frozenset()
    tree = None

    def __init__(self, model):
        self.model = model

    def inverse_masses(self, inverse, mass, unit):
        """Zero where there is no mass: such a coordinate is not pushed by S, but found by the saddle point."""
        return inverse

    def write_coordinates(self, tables) -> None:
        """Sizes, which coordinates turn, whether the saddle point is needed, and twice the digits."""
        model, head = self.model, tables.head
        d, (positions, dof), bodies = model.dimension, at.COORDINATES[model.dimension], len(model.bodies)
        head[at.N_Q], head[at.N_V] = model.n_q, model.n_v
        head[at.T_TURNING] = tables.tab.add(([0] * d + [1] * (positions - d)) * bodies
                                            + ([0] * d + [1] * (dof - d)) * bodies)
        # with hardly any inertia S has pivots that look singular; with the accelerations among the unknowns it has not
        head[at.SADDLE] = int(tables.bare or tables.least < at.LITTLE)
        head[at.LOW] = int(tables.least < (at.LITTLE_BESIDE_NONE if tables.bare else at.LITTLE))

    def write_pattern(self, tables) -> None:
        """Choose between S and the saddle point by their fill."""
        blocks = Blocks(self.model.dof, len(self.model.bodies), tables.groups(), tuple(tables.row_block),
                        tuple(tables.block_body))
        tables.add_pattern(*choose(blocks, saddle_only=bool(tables.head[at.SADDLE])))

    def scaled_size(self, tables) -> int:
        """J M^-1/2 has the blocks of J."""
        return self.model.dof * int(tables.head[at.N_BLOCKS])

    def write_places(self, tables) -> None:
        """Coordinates are those of the bodies, and so are their accelerations."""
        tables.head[at.W_CHANGE] = tables.head[at.W_ACCELERATION] + self.model.dof
