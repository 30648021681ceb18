"""Point coordinates: places of points that bodies share, angles of bodies without two of them, and rows of lengths.

Of the plane; `point_in_space` is its twin.  `compiled.points` chooses the points, and says which rows are met by
sharing them.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.compiled.model import RowInfo
from linkwork.compiled.pattern import expand, minimum_degree
from linkwork.compiled.plans.layout import Layout as _Layout
from linkwork.compiled.points import choose_points
from linkwork.compiled.scales import least_and_bare, units_of_inertia
from linkwork.kernels import layout as at
from linkwork.kernels.sections import SECTIONS

#: smallest eigenvalue of M, its diagonal made 1, from which on no digits are lost; larger ones are not looked at
DEFINITE = 1e-4
MOST_LOOKED_AT = 400
#: sides of a parallelogram that differ by less than this part are equal
EVEN = 1e-2


class Length:
    """What rows of the set hold: no measure between bodies, but the length of a direction."""

    quantity = "ratio"

    def terms(self) -> tuple:
        """None: it is no sum of measures."""
        return ()


class Noted:
    """Stands in for a writer where only the numbers are wanted."""

    def __init__(self):
        self.numbers: list[tuple[int, np.ndarray]] = []

    def sizes(self, **sizes: int) -> None:
        """Sizes stay."""

    def put(self, key: int, values) -> None:
        """Note a section of numbers."""
        values = np.array(values)
        if SECTIONS[key].vector == "p" and values.size:
            self.numbers.append((key, values.astype(float)))


class Points(_Layout):
    """What the plane and space have in common."""

    coordinates = "point"
    loses_digits = True
    #: a joint is open by as much as lengths and angles of the set are off
    absorbed_are_met = False
    takes_bases = True
    #: sections of numbers that tell where bodies are, for given points; whole turns are kept there, too
    telling: tuple[int, ...] = ()

    def placing(self, plan) -> np.ndarray:
        """All numbers of the set but masses."""
        return np.concatenate([plan.places(key).ravel() for key in self.telling])

    def digits(self, least: float, bare: bool, rows: int) -> dict[str, int]:
        """Accelerations are always among the unknowns; where bodies are too light for that, the set is refused."""
        return {"SADDLE": 1, "LOW": 0}

    def products(self, t) -> int:
        """Entries of J."""
        return t.size(at.N_ENTRIES)

    def write_entries(self, tables, row_entry, places, block_share, block_term) -> None:
        """J in numbers: see `_entries` of both."""
        writer = tables.writer
        writer.sizes(N_ENTRIES=len(places), N_BLOCK_TERMS=len(block_term))
        writer.put(at.T_ROW_ENTRY, row_entry)
        writer.put(at.T_ENTRY_PLACE, places)
        writer.put(at.T_BLOCK_SHARE, block_share)
        writer.put(at.T_BLOCK_TERM, block_term)

    def put_masses(self, writer, places, values, unit, bare: bool, turns_with_angles: bool = False) -> None:
        """M in numbers: places (entries, 2) and values; what counts as a unit of every coordinate; and whether M may be
        singular: it is not where it is constant and known to be far from it, although bodies have no inertia.
        """
        self.entries, values = np.array(places, dtype=np.int64).reshape(-1, 2), np.array(values, dtype=float)
        one, other = self.entries.T
        diagonal = np.zeros(len(unit))
        diagonal[one[one == other]] = values[one == other]
        sure = bare and not turns_with_angles and _definite(one, other, values, diagonal)
        writer.sizes(N_MASSES=len(values))
        writer.put(at.T_MASS, self.entries)
        writer.put(at.P_MASS_ENTRY, values)
        writer.put(at.P_EASE, 1.0 / np.where(diagonal > at.LITTLE * unit, diagonal, unit))
        writer.put(at.P_UNIT, unit)
        writer.put(at.P_BARE, [float(bare and not sure)])

    def add_pattern(self, tables, pattern, row_entry, places, n_v: int, masses: np.ndarray) -> None:
        """Where the entries of J and of M go, in the order that they have."""
        rows = np.repeat(np.arange(len(tables.rows)), np.diff(row_entry))
        where = np.array(places, dtype=np.int64)
        targets = pattern.positions(where, n_v + rows)
        tables.add_pattern(pattern, np.column_stack([np.arange(where.size), rows, targets]), saddle=True)
        tables.writer.put(at.T_MASS_TARGET, pattern.positions(*masses.T))


class Layout(Points):
    """How point coordinates are written."""

    telling = (at.P_CLASS, at.P_CLASS_TERM, at.P_SHARE, at.P_SHARE_TERM)
    #: rows of the set that are left out before others, where some follow from others: by how much they count less
    reluctance: Any = 1.0

    def __init__(self, model, free):
        super().__init__(model, free)
        self.choice = choice = choose_points(model, free)
        self.chosen = (
            [(place.body, place.joints) for place in choice.places],
            [(one.kind, sorted(one.direction.shares)) for one in choice.turnings],
            [(share.turning, sorted(share.center.shares)) for share in choice.shares],
            choice.absorbed,
        )
        self.absorbed = choice.absorbed
        self.own_rows = tuple(
            RowInfo(f"length of {choice.turnings[c].name}", "", Length(), "own", False, 0.0) for c in choice.directions
        )

    @classmethod
    def of(cls, model, free):
        """That of the plane, or of space."""
        if model.dimension == 2:
            return cls(model, free)
        from linkwork.compiled.plans.point_in_space import Layout

        return Layout(model, free)

    @property
    def n_points(self) -> int:
        """Points that have coordinates."""
        return len(self.choice.places)

    @property
    def n_v(self) -> int:
        """Coordinates that have speeds: two of a point, one of an angle."""
        return 2 * self.n_points + len(self.choice.angles)

    @property
    def sizes(self) -> dict[str, int]:
        """Points and angles; behind them angles that count the turns of directions."""
        return {"N_Q": self.n_v + len(self.choice.directions), "N_V": self.n_v, "N_LINKS": 0}

    @cached_property
    def angle_place(self) -> dict[int, int]:
        """Which position is the angle of a class, or counts its turns."""
        choice = self.choice
        found = {c: 2 * self.n_points + k for k, c in enumerate(choice.angles)}
        return found | {c: self.n_v + k for k, c in enumerate(choice.directions)}

    @cached_property
    def goes_straight(self) -> str:
        """What lets angles go straight where points go round: "angles" of bodies that have them, a "parallelogram" on
        the ground, whose coupler does not turn, or nothing.
        """
        choice = self.choice
        if choice.angles:
            return "angles"
        cranks, couplers = {}, []  # end -> pivot and length; two ends and the length between them
        for c in choice.directions:
            told = choice.turnings[c].direction
            ends = sorted(told.shares)
            if len(ends) == 1:
                cranks[ends[0]] = -told.constant / told.shares[ends[0]], 1.0 / abs(told.shares[ends[0]])
            elif len(ends) == 2 and abs(told.constant) == 0.0:
                couplers.append((*ends, 1.0 / abs(told.shares[ends[0]])))
        for i, j, between in couplers:
            if i in cranks and j in cranks:
                (one, length), (other, across) = cranks[i], cranks[j]
                if abs(length - across) + abs(between - abs(other - one)) <= EVEN * (length + between):
                    return "parallelogram"
        return ""

    @cached_property
    def terms(self) -> list[list[int]]:
        """Points of every body, without the ground."""
        choice = self.choice
        return [
            sorted({*share.center.shares, *choice.turnings[share.turning].direction.shares}) for share in choice.shares
        ]

    # -- tables --------------------------------------------------------------------------------------------------------
    def write_coordinates(self, tables) -> None:
        """Sizes, what turns together, bodies told by points, and M."""
        writer, choice = tables.writer, self.choice
        turning = [0] * (2 * self.n_points) + [1] * len(choice.angles)
        writer.sizes(**self.sizes, **self.digits(tables.least, tables.bare, len(tables.rows)))
        writer.put(at.T_TURNING, turning + [1] * len(choice.directions) + turning)
        looked = {self.model.body_index[frame.body] + 1 for _, frame in tables.frames.values()}
        read = {self.model.body_index[frame.body] + 1 for one in tables.measures for frame in _angles_read(one)}
        self._write_classes(writer, len(tables.kept), looked, read)
        self._write_shares(writer, looked)
        self._write_masses(writer, tables.bare)

    def masses_of_links(self) -> list[tuple[int, np.ndarray]]:
        """All numbers of the set: mass centres are among them."""
        noted = Noted()
        self._write_classes(noted, 0, set(), set())
        self._write_shares(noted, set())
        self._write_masses(noted, least_and_bare(self.model)[1])
        return noted.numbers

    def _write_classes(self, writer, first_row: int, looked, read) -> None:
        choice, table = self.choice, []
        terms: list[int] = []
        numbers: list[tuple] = []
        seen = {choice.shares[b - 1].turning: at.BY_FRAMES for b in looked if b}
        seen |= {choice.shares[b - 1].turning: at.BY_NUMBER for b in read if b}
        for c, one in enumerate(choice.turnings):
            row = first_row + choice.directions.index(c) if one.kind == at.BY_POINTS else -1
            points = sorted(one.direction.shares) if one.kind == at.BY_POINTS else []
            table.append((one.kind, self.angle_place.get(c, 0), row, len(terms), len(points), seen.get(c, 0)))
            terms += [2 * k for k in points]
            numbers += [_pair(one.direction.shares[k]) for k in points]
        writer.sizes(N_CLASSES=len(table), N_CLASS_TERMS=len(terms))
        writer.put(at.T_CLASS, table)
        writer.put(at.T_CLASS_TERM, terms)
        writer.put(at.P_CLASS, [_pair(one.direction.constant) for one in choice.turnings])
        writer.put(at.P_CLASS_TERM, numbers)

    def _write_shares(self, writer, looked) -> None:
        choice, table, own = self.choice, [(0, 0, 0, 0)], [(0.0,) * at.SHARE_NUMBERS]
        terms: list[int] = []
        numbers: list[tuple] = []
        for b, (share, points) in enumerate(zip(choice.shares, self.terms), start=1):
            turning = choice.turnings[share.turning]
            table.append((share.turning, len(terms), len(points), int(b in looked)))
            terms += [2 * k for k in points]
            for k in points:
                e = turning.direction.shares.get(k, 0j) if turning.kind == at.BY_POINTS else 0j
                numbers.append((*_pair(share.center.shares.get(k, 0j)), *_pair(e)))
            if turning.kind == at.BY_ANGLE:
                terms.append(self.angle_place[share.turning])
                numbers.append((0.0,) * 4)
            arms = (*_pair(share.center.constant), *_pair(share.arm))
            own.append((*arms, share.angle, math.cos(share.angle), math.sin(share.angle)))
        writer.sizes(N_SHARE_TERMS=len(terms))
        writer.put(at.T_SHARE, table)
        writer.put(at.T_SHARE_TERM, terms)
        writer.put(at.P_SHARE, own)
        writer.put(at.P_SHARE_TERM, numbers)

    def _write_masses(self, writer, bare: bool) -> None:
        """M: m |r'|^2 + J |a'|^2 of all bodies, a constant but for angles and the points that their bodies hang on."""
        model, choice, n_v = self.model, self.choice, self.n_v
        blocks: dict[tuple[int, int], complex] = {}
        angles = {self.angle_place[c]: 0.0 for c in choice.angles}
        sways: dict[tuple[int, int], complex] = {}
        skew = set()  # x and y of two points know of each other where a mass centre is beside the line through them
        for share, points, (mass, _, inertia), turns in zip(
            choice.shares, self.terms, model.masses.reshape(-1, 3), model.turning
        ):
            inertia = inertia if turns else 0.0
            turning = choice.turnings[share.turning]
            by_points = turning.kind == at.BY_POINTS
            for i in points:
                for j in points:
                    if j >= i:
                        c_i, c_j = share.center.shares.get(i, 0j), share.center.shares.get(j, 0j)
                        by_mass, by_inertia = c_i.conjugate() * c_j, 0j
                        if by_points:
                            e_i, e_j = turning.direction.shares.get(i, 0j), turning.direction.shares.get(j, 0j)
                            by_inertia = e_i.conjugate() * e_j
                        blocks[i, j] = blocks.get((i, j), 0j) + (mass * by_mass + inertia * by_inertia)
                        if i != j and (by_mass.imag != 0.0 or by_inertia.imag != 0.0):
                            skew.add((i, j))
                if turning.kind == at.BY_ANGLE:
                    pull = mass * share.center.shares.get(i, 0j).conjugate() * share.arm
                    sways[share.turning, i] = sways.get((share.turning, i), 0j) + pull
            if turning.kind == at.BY_ANGLE:
                angles[self.angle_place[share.turning]] += inertia + mass * abs(share.arm) ** 2
        entries = []
        for (i, j), both in blocks.items():
            x, y = 2 * i, 2 * j
            entries += [(x, y, both.real), (x + 1, y + 1, both.real)]
            if (i, j) in skew:
                entries += [(x, y + 1, -both.imag), (x + 1, y, both.imag)]
        entries += [(place, place, inertia) for place, inertia in angles.items()]
        unit = np.full(n_v, units_of_inertia(model)[0, 0])
        unit[2 * self.n_points :] *= model.length**2
        self.sways = [(c, 2 * i, self.angle_place[c]) for c, i in sways]
        writer.sizes(N_SWAYS=len(sways))
        writer.put(at.T_SWAY, self.sways)
        writer.put(at.P_SWAY, [_pair(one) for one in sways.values()])
        values = [entry[2] for entry in entries]
        self.put_masses(writer, [entry[:2] for entry in entries], values, unit, bare, bool(choice.angles))

    def write_pattern(self, tables) -> None:
        """The saddle point: a row goes after all of its points."""
        row_entry, places, *blocks = self._entries(tables)
        self.write_entries(tables, row_entry, places, *blocks)
        sways = np.array(self.sways, dtype=np.int64).reshape(-1, 3)
        coupled = [*self.entries.tolist(), *([x + k, angle] for _, x, angle in self.sways for k in (0, 1))]
        pattern = elimination(tables, self.n_v, coupled, row_entry, places)
        self.add_pattern(tables, pattern, row_entry, places, self.n_v, self.entries)
        both = [pattern.positions(sways[:, 1] + k, sways[:, 2]) for k in (0, 1)]
        tables.writer.put(at.T_SWAY_TARGET, np.column_stack(both))

    def _entries(self, tables):
        """J in numbers: first entry of every row, their coordinates, and where the terms of blocks go."""
        choice, first_own = self.choice, len(tables.kept)
        row_entry, places, block_share, block_term = [0], [], [], []
        for r in range(len(tables.rows)):
            where: dict[int, int] = {}
            own = r - first_own
            if 0 <= own < len(self.own_rows):
                points = sorted(choice.turnings[choice.directions[own]].direction.shares)
                places += [2 * k + c for k in points for c in (0, 1)]
            for block in range(tables.row_block[r], tables.row_block[r + 1]):
                body = tables.block_body[block] - 1
                block_share.append(len(block_term))
                for k in self.terms[body]:
                    if 2 * k not in where:
                        where[2 * k] = len(places)
                        places += [2 * k, 2 * k + 1]
                    block_term.append(where[2 * k])
                turning = choice.shares[body].turning
                if choice.turnings[turning].kind == at.BY_ANGLE:
                    place = self.angle_place[turning]
                    if place not in where:
                        where[place] = len(places)
                        places.append(place)
                    block_term.append(where[place])
            row_entry.append(len(places))
        return row_entry, places, block_share, block_term

    def write_places(self, tables) -> None:
        """Nothing: it has room of its own."""

    def words(self) -> tuple[str, ...]:
        """Which points have coordinates, what turns by an angle, and what is told by others."""
        choice, bodies = self.choice, self.model.bodies
        shared = [place.name or " = ".join(place.joints) for place in choice.places if place.joints or place.name]
        alone = [bodies[place.body].name for place in choice.places if not (place.joints or place.name)]
        turning = [choice.turnings[c].name for c in choice.angles]
        parts = [f"points {', '.join(shared) or 'none'}"]
        parts += [f"mass centres of {', '.join(alone)}"] if alone else []
        parts += [f"angles of {', '.join(turning)}"] if turning else []
        parts += [f"secondary {', '.join(' = '.join(one) for one in choice.secondary)}"] if choice.secondary else []
        rows = len(self.model.rows) - len(self.absorbed) - len(self.free) + len(self.own_rows)
        return ("; ".join(parts), f"{self.n_v} coordinates, {rows} rows, {len(self.own_rows)} of them lengths")

    # -- checks --------------------------------------------------------------------------------------------------------
    def check(self, t) -> None:
        """Classes, bodies, entries and masses stay within what they point into."""
        n_v, n_q, classes = t.size(at.N_V), t.size(at.N_Q), t.size(at.N_CLASSES)
        rows, entries, bodies = t.size(at.N_ROWS), t.size(at.N_ENTRIES), t.size(at.N_BODIES)
        most = t.size(at.N_UNKNOWNS) + t.size(at.N_FILL)
        class_terms, share_terms = t.size(at.N_CLASS_TERMS), t.size(at.N_SHARE_TERMS)
        table = t.table(
            at.T_CLASS,
            (at.STILL, at.BY_POINTS + 1),
            (0, max(1, n_q)),
            (-1, rows),
            (0, class_terms + 1),
            (0, class_terms + 1),
            (0, at.BY_NUMBER + 1),
        )
        angles = table[table[:, at.CLASS_KIND] == at.BY_ANGLE]
        if (table[:, at.CLASS_FIRST] + table[:, at.CLASS_COUNT] > class_terms).any() or (
            angles[:, at.CLASS_PLACE] >= n_v
        ).any():
            t.refuse("T_CLASS")
        t.table(at.T_CLASS_TERM, (0, max(1, n_v - 1)))
        shares = t.table(at.T_SHARE, (0, classes), (0, share_terms + 1), (0, share_terms + 1), (0, 2))
        turns = table[shares[:, at.SHARE_CLASS], at.CLASS_KIND] == at.BY_ANGLE
        counts = shares[:, at.SHARE_COUNT] + np.where(np.arange(bodies + 1) > 0, turns, 0)
        if (shares[:, at.SHARE_FIRST] + counts > share_terms).any():
            t.refuse("T_SHARE")
        t.table(at.T_SHARE_TERM, (0, max(1, n_v)))
        first = t.steps(at.T_ROW_ENTRY, 0, entries)
        for kind, _, row, _, count, _ in table.tolist():
            if kind == at.BY_POINTS and (row < 0 or first[row + 1] - first[row] != 2 * count):
                t.refuse("T_CLASS")
        t.table(at.T_ENTRY_PLACE, (0, max(1, n_v)))
        if t.size(at.N_ASSEMBLY) != entries:  # in the order of the entries
            t.refuse("T_ASSEMBLY")
        blocks = t.table(at.T_BLOCK_SHARE, (0, t.size(at.N_BLOCK_TERMS) + 1))[:, 0]
        owners = t.plan.table(at.T_BLOCK_BODY) // t.size(at.DOF)
        if (blocks + counts[owners] > t.size(at.N_BLOCK_TERMS)).any():
            t.refuse("T_BLOCK_SHARE")
        t.table(at.T_BLOCK_TERM, (0, max(1, entries)))
        t.table(at.T_MASS, (0, n_v), (0, n_v))
        t.table(at.T_MASS_TARGET, (0, most))
        t.table(at.T_SWAY, (0, classes), (0, max(1, n_v - 1)), (0, n_v))
        t.table(at.T_SWAY_TARGET, (0, most), (0, most))


def _definite(one, other, values, diagonal) -> bool:
    """Whether a constant M is far from singular; large ones are not looked at."""
    n_v = diagonal.size
    if not 0 < n_v <= MOST_LOOKED_AT or not diagonal.min() > 0.0:
        return False
    M = np.zeros((n_v, n_v))
    M[one, other] = M[other, one] = values
    return bool(np.linalg.eigvalsh(M / np.sqrt(np.outer(diagonal, diagonal)))[0] > DEFINITE)


def elimination(tables, n_v: int, coupled, row_entry, places):
    """The pattern: M couples some coordinates, and the rows of an item go together, after all of their coordinates.

    Coordinates go one by one, those of a point, too: M often couples x with x only, and less is filled in.
    """
    groups = tables.groups()
    members = [*([i] for i in range(n_v)), *([n_v + r for r in rows] for rows in groups)]
    beside: list[set[int]] = [set() for _ in members]

    def join(one, other):
        if one != other:
            beside[one].add(other)
            beside[other].add(one)

    for i, j in coupled:
        join(i, j)
    touched: list[set[int]] = []
    for g, rows in enumerate(groups):
        touched.append({place for r in rows for place in places[row_entry[r] : row_entry[r + 1]]})
        for one in touched[-1]:
            join(n_v + g, one)

    def may_go(one, gone):
        return one < n_v or touched[one - n_v] <= gone

    return expand(members, *minimum_degree([len(own) for own in members], beside, may_go))


def _angles_read(measure) -> tuple:
    """Frames whose angles a measure reads, as numbers."""
    return (measure.on, measure.to) if measure.reads_angles else ()


def _pair(number: complex) -> tuple[float, float]:
    number = complex(number)
    return number.real, number.imag
