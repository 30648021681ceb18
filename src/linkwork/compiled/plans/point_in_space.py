"""Point coordinates of space: places of points and unit vectors, and rows of the products of basic vectors.

`compiled.points_in_space` chooses them, and says which rows are met by sharing them.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from linkwork.compiled.bars import idle_turns
from linkwork.compiled.model import RowInfo
from linkwork.compiled.plans.point import Length, Noted, Points, elimination
from linkwork.compiled.points_in_space import choose_in_space
from linkwork.compiled.scales import units_of_inertia
from linkwork.kernels import layout as at

#: second moments below this part of the largest one of a body count as none: a plate, or a bar
THIN = 1e-12
#: part of the usual inertia that a bar without any mass is given about its axis
FOR_NONE = 0.1


class Layout(Points):
    """How point coordinates of space are written."""

    telling = (at.P_VECTOR, at.P_VECTOR_TERM, at.P_PRODUCT, at.P_BODY, at.P_BODY_TERM)

    def __init__(self, model, free):
        super().__init__(model, free)
        self.choice = choice = choose_in_space(model, free)
        self.chosen = (
            [(one.body, one.is_vector, one.joints) for one in choice.sources],
            [sorted(one.shares) for one in choice.vectors],
            [one.vectors for one in choice.turnings],
            [(share.turning, sorted(share.center.shares)) for share in choice.shares],
            [one[:2] for one in choice.products],
            choice.absorbed,
            len(self.idle_turns),
        )
        self.absorbed = choice.absorbed
        self.own_rows = tuple(RowInfo(one.name, "", Length(), "own", False, 0.0) for one in choice.products)

    @property
    def n_v(self) -> int:
        """Coordinates: three of a point or vector."""
        return 3 * len(self.choice.sources)

    @property
    def sizes(self) -> dict[str, int]:
        """Points and vectors."""
        return {"N_Q": self.n_v, "N_V": self.n_v, "N_LINKS": 0}

    @cached_property
    def vectors(self) -> list[int]:
        """Which of the sources are unit vectors."""
        return [k for k, one in enumerate(self.choice.sources) if one.is_vector]

    @cached_property
    def right_angles(self) -> np.ndarray:
        """Which of the rows of the set are of two vectors, not of a length."""
        return np.array([one.one != one.other for one in self.choice.products], dtype=bool)

    @property
    def reluctance(self) -> np.ndarray:
        """Right angles are left out before lengths, whose pivots would collapse on the way."""
        return np.where(self.right_angles, 10.0, 1.0)

    @cached_property
    def terms(self) -> list[list[int]]:
        """Sources of every body, without the ground."""
        choice, found = self.choice, []
        for share in choice.shares:
            two = [choice.vectors[v] for v in choice.turnings[share.turning].vectors[:2]]
            found.append(sorted({*share.center.shares, *(k for one in two for k in one.shares)}))
        return found

    @cached_property
    def idle_turns(self) -> np.ndarray:
        """Turns of bars about themselves, which have no inertia, and which this set leaves alone."""
        return idle_turns(self.model, self.free)

    def _idle_inertia(self, body: int, inertia: np.ndarray) -> np.ndarray:
        """(3, 3), what a bar is given about its axis: it does not turn there, so that any number will do.

        With none at all, rounding would turn it.
        """
        axes = self.idle_turns[:, 6 * body + 3 : 6 * body + 6]
        sizes = np.sqrt((axes**2).sum(axis=1))
        for e in axes[sizes > 0.5] / sizes[sizes > 0.5, None]:
            if e @ (inertia * e) <= THIN * inertia.max():
                return np.outer(e, e) * (inertia.max() or FOR_NONE * units_of_inertia(self.model)[0, -1])
        return np.zeros((3, 3))

    # -- tables --------------------------------------------------------------------------------------------------------
    def write_coordinates(self, tables) -> None:
        """Sizes, basic vectors, what turns together, bodies told by sources, and M."""
        writer = tables.writer
        turning = np.repeat([int(one.is_vector) for one in self.choice.sources], 3)
        writer.sizes(**self.sizes, **self.digits(tables.least, tables.bare, len(tables.rows)))
        writer.put(at.T_TURNING, np.concatenate([turning, turning]))
        looked = {self.model.body_index[frame.body] + 1 for _, frame in tables.frames.values()}
        self._write_vectors(writer, len(tables.kept), looked)
        self._write_shares(writer, looked)
        self._write_masses(writer)

    def masses_of_links(self) -> list[tuple[int, np.ndarray]]:
        """All numbers of the set: mass centres are among them."""
        noted = Noted()
        self._write_vectors(noted, 0, set())
        self._write_shares(noted, set())
        self._write_masses(noted)
        return noted.numbers

    def _write_vectors(self, writer, first_row: int, looked) -> None:
        choice = self.choice
        table: list[tuple[int, int]] = []
        terms: list[int] = []
        shares: list[float] = []
        for one in choice.vectors:
            table.append((len(terms), len(one.shares)))
            terms += [3 * k for k in sorted(one.shares)]
            shares += [one.shares[k] for k in sorted(one.shares)]
        writer.sizes(N_VECTORS=len(table), N_VECTOR_TERMS=len(terms), N_BASES=len(choice.turnings))
        writer.put(at.T_VECTOR, table)
        writer.put(at.T_VECTOR_TERM, terms)
        writer.put(at.P_VECTOR, [one.constant for one in choice.vectors])
        writer.put(at.P_VECTOR_TERM, shares)
        seen = {choice.shares[b - 1].turning for b in looked if b}
        bases = [(*(one.vectors[:2] or (-1, -1)), int(c in seen)) for c, one in enumerate(choice.turnings)]
        writer.put(at.T_BASIS, bases)
        rows: list[tuple[int, int, int, int]] = []
        places: list[int] = []
        for r, product in enumerate(choice.products):
            where = {k: 3 * n for n, k in enumerate(self._touched(product))}
            rows.append((first_row + r, product.one, product.other, len(places)))
            places += [where[k] for v in (product.one, product.other) for k in sorted(choice.vectors[v].shares)]
        self.product_places = places, rows
        writer.sizes(N_PRODUCTS=len(rows), N_PRODUCT_TERMS=len(places))
        writer.put(at.T_PRODUCT, rows)
        writer.put(at.P_PRODUCT, [one.value for one in choice.products])

    def _touched(self, product) -> list[int]:
        """Sources in a product."""
        vectors = self.choice.vectors
        return sorted({*vectors[product.one].shares, *vectors[product.other].shares})

    def _write_shares(self, writer, looked) -> None:
        choice, table, own = self.choice, [(0, 0, 0, 0)], [np.concatenate([np.zeros(3), np.eye(3).ravel()])]
        terms: list[int] = []
        numbers: list[tuple] = []
        for b, (share, sources) in enumerate(zip(choice.shares, self.terms), start=1):
            table.append((share.turning, len(terms), len(sources), int(b in looked)))
            two = [choice.vectors[v].shares for v in choice.turnings[share.turning].vectors[:2]] or [{}, {}]
            terms += [3 * k for k in sources]
            numbers += [(share.center.shares.get(k, 0.0), *(one.get(k, 0.0) for one in two)) for k in sources]
            own.append(np.concatenate([share.center.constant, share.axes.ravel()]))
        writer.sizes(N_SHARE_TERMS=len(terms))
        writer.put(at.T_SHARE, table)
        writer.put(at.T_SHARE_TERM, terms)
        writer.put(at.P_BODY, own)
        writer.put(at.P_BODY_TERM, numbers)

    def _write_masses(self, writer) -> None:
        """M: m |r'|^2 + sum of j_mn f_m' f_n' of all bodies, with j = tr(I)/2 - I, in principal axes."""
        model, choice = self.model, self.choice
        # places do not depend on which masses are zero; what has no mass has its place nevertheless
        blocks, bare = {(k, k): 0.0 for k in range(len(choice.sources))}, False
        for k, (share, body) in enumerate(zip(choice.shares, model.bodies)):
            inertia = np.array(body.inertia, dtype=float) if body.has_angle else np.zeros(3)
            whole = np.diag(inertia) + self._idle_inertia(k, inertia)
            moments = 0.5 * np.trace(whole) * np.eye(3) - whole
            own = np.diag(moments)
            thin = bool(body.has_angle and own.min() <= THIN * own.max())
            bare = bare or thin or body.mass <= 0.0
            parts = [(body.mass, share.center, share.center)]
            parts += [
                (float(moments[m, n]), one, other)
                for m, one in enumerate(share.told)
                for n, other in enumerate(share.told)
                if m == n or moments[m, n] != 0.0
            ]
            for weight, told, beside in parts:
                for i, one in told.shares.items():
                    for j, other in beside.shares.items():
                        if i <= j:
                            blocks[i, j] = blocks.get((i, j), 0.0) + weight * one * other
        pairs = np.array(sorted(blocks), dtype=np.int64).reshape(-1, 2)
        places = (3 * pairs[:, None, :] + np.arange(3)[None, :, None]).reshape(-1, 2)
        values = np.repeat([blocks[i, j] for i, j in pairs.tolist()], 3)
        unit = np.full(self.n_v, units_of_inertia(model)[0, 0])
        unit[[3 * k + c for k in self.vectors for c in range(3)]] *= model.length**2
        self.put_masses(writer, places, values, unit, bare)

    def write_pattern(self, tables) -> None:
        """The saddle point: a row goes after all of its sources."""
        row_entry, places, *blocks = self._entries(tables)
        self.write_entries(tables, row_entry, places, *blocks)
        first = np.array(row_entry, dtype=np.int64)
        own, rows = self.product_places
        counts = np.diff([row[3] for row in rows] + [len(own)]).astype(np.int64)
        starts = np.repeat([first[row[0]] for row in rows], counts) if rows else np.zeros(0, dtype=np.int64)
        tables.writer.put(at.T_PRODUCT_TERM, starts + np.array(own, dtype=np.int64))
        pattern = elimination(tables, self.n_v, self.entries.tolist(), row_entry, places)
        self.add_pattern(tables, pattern, row_entry, places, self.n_v, self.entries)

    def _entries(self, tables):
        """J in numbers: first entry of every row, their coordinates, and where the terms of blocks go."""
        first_own = len(tables.kept)
        row_entry, places, block_share, block_term = [0], [], [], []
        for r in range(len(tables.rows)):
            if 0 <= r - first_own < len(self.own_rows):
                places += [3 * k + c for k in self._touched(self.choice.products[r - first_own]) for c in range(3)]
            where: dict[int, int] = {}
            for block in range(tables.row_block[r], tables.row_block[r + 1]):
                block_share.append(len(block_term))
                for k in self.terms[tables.block_body[block] - 1]:
                    if k not in where:
                        where[k] = len(places)
                        places += [3 * k, 3 * k + 1, 3 * k + 2]
                    block_term.append(where[k])
            row_entry.append(len(places))
        return row_entry, places, block_share, block_term

    def words(self) -> tuple[str, ...]:
        """Which points and vectors have coordinates, and what is told by others."""
        choice = self.choice
        points = [
            " = ".join(one.joints) or one.name
            for one in choice.sources
            if not one.is_vector and (one.joints or not one.name.endswith(".center"))
        ]
        axes = [" = ".join(one.joints) for one in choice.sources if one.joints and one.is_vector]
        alone = [
            one.name.removesuffix(".center")
            for one in choice.sources
            if not one.joints and not one.is_vector and one.name.endswith(".center")
        ]
        own: dict[str, int] = {}
        for one in choice.sources:
            if one.is_vector and not one.joints:
                name = one.name.rpartition(".")[0]
                own[name] = own.get(name, 0) + 1
        parts = [f"points {', '.join(points) or 'none'}"]
        parts += [f"mass centres of {', '.join(alone)}"] if alone else []
        parts += [f"axes of {', '.join(axes)}"] if axes else []
        vectors = [f"{name} ({count})" for name, count in own.items()]
        parts += [f"unit vectors of {', '.join(vectors)}"] if vectors else []
        parts += [f"secondary {', '.join(' = '.join(one) for one in choice.secondary)}"] if choice.secondary else []
        bars = [
            " = ".join(body.name for k, body in enumerate(self.model.bodies) if one[6 * k + 3 : 6 * k + 6].any())
            for one in self.idle_turns
        ]
        parts += [f"not turned about itself {', '.join(bars)}"] if bars else []
        rows = len(self.model.rows) - len(self.absorbed) - len(self.free) + len(self.own_rows)
        angles = int(self.right_angles.sum())
        kept = f"{len(self.own_rows) - angles} of them lengths, {angles} angles"
        return ("; ".join(parts), f"{self.n_v} coordinates, {rows} rows, {kept}")

    # -- checks --------------------------------------------------------------------------------------------------------
    def check(self, t) -> None:
        """Vectors, bodies, entries and masses stay within what they point into."""
        n_v, vectors, terms = t.size(at.N_V), t.size(at.N_VECTORS), t.size(at.N_VECTOR_TERMS)
        rows, entries, bases = t.size(at.N_ROWS), t.size(at.N_ENTRIES), t.size(at.N_BASES)
        most = t.size(at.N_UNKNOWNS) + t.size(at.N_FILL)
        sources = (0, max(1, n_v - 2))
        table = t.table(at.T_VECTOR, (0, terms + 1), (0, terms + 1))
        if (table.sum(axis=1) > terms).any():
            t.refuse("T_VECTOR")
        t.table(at.T_VECTOR_TERM, sources)
        basis = t.table(at.T_BASIS, (-1, vectors), (-1, vectors), (0, 2))
        if ((basis[:, 0] < 0) != (basis[:, 1] < 0)).any():
            t.refuse("T_BASIS")
        product_terms = t.size(at.N_PRODUCT_TERMS)
        found = t.table(at.T_PRODUCT, (0, rows), (0, vectors), (0, vectors), (0, product_terms + 1))
        counts = table[found[:, at.PRODUCT_ONE], 1] + table[found[:, at.PRODUCT_OTHER], 1]
        if (found[:, at.PRODUCT_FIRST] + counts > product_terms).any():
            t.refuse("T_PRODUCT")
        t.table(at.T_PRODUCT_TERM, (0, max(1, entries - 2)))
        share_terms = t.size(at.N_SHARE_TERMS)
        shares = t.table(at.T_SHARE, (0, bases), (0, share_terms + 1), (0, share_terms + 1), (0, 2))
        if (shares[:, at.SHARE_FIRST] + shares[:, at.SHARE_COUNT] > share_terms).any():
            t.refuse("T_SHARE")
        t.table(at.T_SHARE_TERM, sources)
        t.steps(at.T_ROW_ENTRY, 0, entries)
        t.table(at.T_ENTRY_PLACE, (0, max(1, n_v)))
        if t.size(at.N_ASSEMBLY) != entries:  # in the order of the entries
            t.refuse("T_ASSEMBLY")
        block_terms = t.size(at.N_BLOCK_TERMS)
        blocks = t.table(at.T_BLOCK_SHARE, (0, block_terms + 1))[:, 0]
        owners = t.plan.table(at.T_BLOCK_BODY) // t.size(at.DOF)
        if (blocks + shares[owners, at.SHARE_COUNT] > block_terms).any():
            t.refuse("T_BLOCK_SHARE")
        t.table(at.T_BLOCK_TERM, (0, max(1, entries - 2)))
        t.table(at.T_MASS, (0, n_v), (0, n_v))
        t.table(at.T_MASS_TARGET, (0, most))
