"""Joint coordinates: the freedoms of the joints along a tree, whose rows are absorbed; the others close loops."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from linkwork.compiled.pattern import Blocks, rows_only
from linkwork.compiled.plans.layout import Layout as _Layout
from linkwork.compiled.probe import probe_of, probe_terms
from linkwork.compiled.tree_tables import link_numbers, write_paths, write_tree
from linkwork.kernels import layout as at


class Layout(_Layout):
    """How joint coordinates are written."""

    coordinates = "joint"
    along_tree = True
    loses_digits = True
    in_blocks = True

    def __init__(self, model, free):
        super().__init__(model, free)
        self.tree = model.tree_without(free) if free else model.tree
        self.absorbed = frozenset(r for joint in self.tree.joints for r in model.rows_of.get(joint, ()))

    @property
    def sizes(self) -> dict[str, int]:
        """Freedoms of the joints along the tree, and its links without the ground."""
        return {"N_Q": self.tree.n_q, "N_V": self.tree.n_v, "N_LINKS": len(self.tree.links) - 1}

    def ways(self) -> tuple[int, int]:
        """Links on the ways of all rows to the root, a ball three times; and the products that couple rows which share
        one.  For both the tree is enough: no table is written.
        """
        links, shared = self.tree.links, [0] * len(self.tree.links)
        index, carrier = self.model.body_index, {link.body - 1: k for k, link in enumerate(links)}
        for r in set(range(len(self.model.rows))) - self.absorbed - self.free:
            moved = {index.get(name, -1) for _, one in self.model.rows[r].measure.terms() for name in one.bodies}
            for k in {k for body in moved - {-1} for k in self.tree.path(carrier[body])}:
                shared[k] += 1
        turns = [3 if link.kind == at.BALL else 1 for link in links]
        entries = sum(n * count for n, count in zip(turns, shared))
        return entries, sum(n * count * (count + 1) // 2 for n, count in zip(turns, shared))

    @cached_property
    def has_orientations(self) -> bool:
        """Whether there are Euler parameters among the coordinates."""
        return any(link.kind == at.BALL for link in self.tree.links)

    @cached_property
    def own_names(self) -> tuple[str, ...]:  # type: ignore[override]  # found when asked for
        """Names of the joint coordinates."""
        return tuple(one.name for one in self.tree.coordinates)

    @cached_property
    def probe(self):
        """What joint coordinates are the values of, to be read from states of the bodies."""
        return probe_of(self.model, self.tree)

    @cached_property
    def probe_terms(self):
        """How joint coordinates are made of what `probe` reads."""
        return probe_terms(self.model, self.tree, self.probe)

    def made_ready(self) -> None:
        """How states of the bodies are read."""
        self.probe  # noqa: B018 - found now

    def inverse_masses(self, inverse, mass, unit):
        """What has hardly any inertia of its own is carried: its rows are measured by the usual inertia."""
        return np.where(mass > at.LITTLE * unit, inverse, 1.0 / unit)

    def write_coordinates(self, tables) -> None:
        """Links, which coordinates turn, and whether loops need twice the digits."""
        write_tree(self.tree, self.model.bodies, self.model.dimension, tables.writer)
        tables.writer.sizes(**self.digits(tables.least, tables.bare, len(tables.rows)))

    def digits(self, least: float, bare: bool, rows: int) -> dict[str, int]:
        """Loops need twice the digits where bodies are light."""
        return {"LOW": int(bool(rows) and least < at.LITTLE)}

    def masses_of_links(self) -> list[tuple[int, np.ndarray]]:
        """Numbers of the links."""
        return [(at.P_LINK, np.array(link_numbers(self.tree, self.model.bodies, self.model.dimension)))]

    def placing(self, plan) -> np.ndarray:
        """Numbers of the links up to their masses."""
        from linkwork.kernels.planar.links import L_MASS as IN_PLANE
        from linkwork.kernels.spatial.links import L_MASS as IN_SPACE

        return plan.places(at.P_LINK)[:, : IN_PLANE if self.model.dimension == 2 else IN_SPACE].ravel()

    def write_pattern(self, tables) -> None:
        """S of the rows that close loops, summed along their ways to the root."""
        row_entry, entry_slot = write_paths(self.tree, tables.row_block, tables.block_body, tables.writer)
        blocks = Blocks(1, 0, tables.groups(), tuple(row_entry), tuple(entry_slot))
        tables.add_pattern(*rows_only(blocks), saddle=False)

    def soften(self, plan, channels):
        """A channel between two bodies that one step of the tree lies between is an addition to that step."""
        links, carrier = self.tree.links, plan.table(at.T_BODY_LINK)
        targets = np.full(len(self.model.channels), -1)
        for c in channels:
            steps: set[int] = set()
            for _, one in self.model.channels[c].terms():
                ends = (carrier[self.model.body_index[frame.body] + 1] for frame in (one.on, one.to))
                there, here = (set(self.tree.path(int(end))) for end in ends)
                steps |= {k for k in there ^ here if links[k].kind != at.RIGID}
            if len(steps) != 1 or links[min(steps)].kind == at.BALL:
                elements = {law.element for law in self.model.laws if c in law.along}
                return f"force '{min(elements)}' acts between bodies that more than one freedom of joints lies between"
            targets[c] = min(steps)
        turns = [k for k in set(targets.tolist()) if k > 0 and links[k].kind == at.TURN]
        return plan, np.array(turns if self.model.dimension == 2 else [], dtype=np.int64), targets

    def products(self, t) -> int:
        """Entries of the ways of the rows to the root."""
        return t.size(at.N_ENTRIES)

    def check(self, t) -> None:
        """The links, and the ways of the rows to the root."""
        links, entries = t.size(at.N_LINKS), t.size(at.N_ENTRIES)
        n_q, n_v, bodies = t.size(at.N_Q), t.size(at.N_V), t.size(at.N_BODIES)
        table = t.table(
            at.T_LINK,
            (at.RIGID, at.BALL + 1),
            (-1, links),
            (0, n_q + 1),
            (0, n_v + 1),
            (0, bodies + 1),
            (0, at.CARRIES + at.OPENS + 1),
        )
        kind, parent, first_q, first_v = table[1:, [at.LINK_KIND, at.LINK_PARENT, at.LINK_PLACE, at.LINK_SPEED]].T
        ball, moves = kind == at.BALL, kind != at.RIGID
        if (
            (parent < 0)
            | (parent >= np.arange(1, links + 1))
            | (moves & (first_q + np.where(ball, 4, 1) > n_q))
            | (moves & (first_v + np.where(ball, 3, 1) > n_v))
        ).any():
            t.refuse("T_LINK")
        t.table(at.T_BODY_LINK, (0, links + 1))
        t.steps(at.T_ROW_ENTRY, 0, entries)
        t.table(at.T_ENTRY, (0, links + 1), (-1, entries), (0, 3))
        t.table(at.T_BLOCK_ENTRY, (0, entries))
