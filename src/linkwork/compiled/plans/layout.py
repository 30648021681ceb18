"""What a set of coordinates says of itself to those who write and check tables; each set derives its `Layout`."""

from __future__ import annotations

from typing import Any

import numpy as np


class Layout:
    """How a set of coordinates is written.  Nobody asks for the name of a set: what differs is a property or a method.

    `write_coordinates`, `write_pattern` and `write_places` are called in this order by `plans.tables`, with the tables
    that all sets share.
    """

    coordinates = ""
    #: states of the set are states of the bodies, number by number
    of_bodies = False
    #: designs of a sweep run in blocks: the set has `keep_many_turns`, and a `probe` unless states are those of bodies
    in_blocks = False
    #: what the coordinates are the values of, to be read from states of the bodies; how they are made of what it reads
    probe: Any = None
    probe_terms: Any = None
    #: users may choose the points that bodies are told by: `compiled.bases`
    takes_bases = False
    #: accelerations come from a recursion from body to body, along a tree
    along_tree = False
    #: digits are lost where light bodies carry heavy ones
    loses_digits = False
    #: names of coordinates that users may give besides those of bodies
    own_names: tuple[str, ...] = ()
    #: rows of the model that the coordinates meet by themselves
    absorbed: frozenset[int] = frozenset()
    #: these are met whatever the numbers of the coordinates are
    absorbed_are_met = True
    #: rows that the coordinates need among themselves; they have no measures
    own_rows: tuple[Any, ...] = ()
    #: what of its structure the set chose by numbers: with other masses it may choose otherwise
    chosen: Any = None
    #: what the coordinates go along, where they do; only the set itself looks at it
    tree: Any = None

    def __init__(self, model: Any, free: frozenset[int]):
        self.model, self.free = model, free

    @property
    def idle_turns(self) -> np.ndarray:
        """(turns, n_v): motions of bodies without inertia on which nothing acts, and which the set leaves alone."""
        return np.zeros((0, self.model.n_v))

    @classmethod
    def of(cls, model: Any, free: frozenset[int]) -> Layout:
        """The one for a model: a set may have another in the plane than in space."""
        return cls(model, free)

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes of the header that are those of the coordinates: what the tables must say."""
        raise NotImplementedError

    def inverse_masses(self, inverse, mass, unit):
        """Inverse masses of the bodies as the kernels of the set want them.

        Zero where there is no mass: such a coordinate is not pushed by S, but found by the saddle point.
        """
        return inverse

    def write_coordinates(self, tables) -> None:
        """Sizes, and which coordinates turn."""
        raise NotImplementedError

    def digits(self, least: float, bare: bool, rows: int) -> dict[str, int]:
        """What the masses have a part in of the structure: where they ask for other equations, or for more digits."""
        raise NotImplementedError

    def masses_of_links(self) -> list[tuple[int, np.ndarray]]:
        """Sections of numbers of the set's own that have masses in them."""
        return []

    def placing(self, plan) -> np.ndarray:
        """Places of the set's own numbers that have a part in where a state is: masses have none."""
        return np.zeros(0, dtype=np.int64)

    def write_pattern(self, tables) -> None:
        """How the equations of the rows are factored."""
        raise NotImplementedError

    def write_places(self, tables) -> None:
        """Places of the workspace that are the set's own."""

    def products(self, t) -> int:
        """How many entries products are made of, where the equations of the rows are added up (`bounds`)."""
        raise NotImplementedError

    def check(self, t) -> None:
        """Refuse tables of the set's own that do not fit together (`bounds`)."""

    def soften(self, plan, channels: list[int]) -> tuple[Any, np.ndarray, np.ndarray] | str:
        """How channels that laws hold are made soft (`kernels.time.soft`): a plan for it, links of it that are no plain
        turns any more, and for every channel the row or link; or why that cannot be.
        """
        return f"there are no soft rows in {self.coordinates} coordinates"

    def words(self) -> tuple[str, ...]:
        """The choice that the set made, in lines for `check`."""
        return ()

    def made_ready(self) -> None:
        """What runs would find out at their first use."""
