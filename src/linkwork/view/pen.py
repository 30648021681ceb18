"""Strokes, areas, arrows and names on axes of equal scale.

Places are in the units of the axes; `point` is how many of them a point of the paper has.  The pen remembers where it
has drawn, and puts names where there is room.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from linkwork.view.canvas import GREY, INK
from linkwork.view.geometry import across, unit

HATCH = 6.0  # height of hatching
FONT = 11.5
RINGS = (0.0, 1.0, 1.5, 2.1, 3.0, 4.0, 5.5, 7.5)  # how far from its place a name is tried, in turns of its reach
FAR = 3.0  # from here on a line leads to the place
CROSSED = 500.0  # points that a name on another name, or outside the picture, counts for


class Pen:
    """Draws on axes; `point` is the length of one point of the paper in their units."""

    halo: dict = {}  # options of names that must be read upon what is drawn
    keeps = False  # whether what it draws is kept and moved later, as for a film

    def __init__(self, axes, point: float):
        from matplotlib import patches
        from matplotlib.lines import Line2D

        self.axes = axes
        self.point = point
        self._patches = patches
        self._line = Line2D
        self._drawn: list[np.ndarray] = []
        self._boxes: list[tuple] = []

    # -- strokes ---------------------------------------------------------------------------------------------------
    def stroke(self, points, *, color=INK, width=1.2, z=4.0, alpha=1.0, dash=(), label=None, remember=True):
        """A line through points."""
        points = np.asarray(points, dtype=float)
        line = self._line(
            points[:, 0],
            points[:, 1],
            color=color,
            linewidth=width,
            zorder=z,
            alpha=alpha,
            linestyle=(0, tuple(dash)) if dash else "-",
            solid_capstyle="round",
            solid_joinstyle="round",
        )
        if label:
            line.set_gid(label)
        self.axes.add_line(line)
        if remember:
            self.remember(points, alpha**2)

    def area(self, points, *, face, edge=INK, width=1.1, z=3.0, alpha=1.0, label=None, remember=True):
        """A filled polygon."""
        points = np.asarray(points, dtype=float)
        patch = self._patches.Polygon(
            points,
            closed=True,
            facecolor=face,
            edgecolor=edge,
            linewidth=width,
            zorder=z,
            alpha=alpha,
            joinstyle="round",
        )
        patch.set_gid(label or None)
        self.axes.add_patch(patch)
        if remember:
            self.remember(np.vstack([points, points[:1]]), alpha**2)

    def circle(
        self, center, radius, *, face="none", edge=INK, width=1.1, z=3.0, alpha=1.0, dash=(), label=None, remember=True
    ):
        """A circle."""
        patch = self._patches.Circle(
            center,
            radius,
            facecolor=face,
            edgecolor=edge,
            linewidth=width,
            zorder=z,
            alpha=alpha,
            linestyle=(0, tuple(dash)) if dash else "-",
        )
        patch.set_gid(label or None)
        self.axes.add_patch(patch)
        if remember:
            turn = np.linspace(0.0, 2.0 * np.pi, 40)
            self.remember(np.asarray(center) + radius * np.column_stack([np.cos(turn), np.sin(turn)]), alpha**2)

    def hatch(self, start, end, side, *, color=INK, width=1.4, z=1.8, label=None):
        """A solid edge with hatching on the side that the direction `side` shows."""
        start, end, side = np.asarray(start), np.asarray(end), unit(side)
        for foot, tip in hatching(start, end, side, self.point):
            self.stroke([foot, tip], color=GREY, width=0.75, z=z, remember=False)
        self.stroke([start, end], color=color, width=width, z=z + 0.1, label=label)
        self.remember(np.array([start, end]) + side * HATCH * self.point)

    def turn_arrow(self, at, sense=1.0, *, radius=17.0, color=INK, width=1.5, z=7.0, label=None):
        """An arc with an arrow head about a point; `sense` is +1 to the left, -1 to the right."""
        arc = turning(sense, radius * self.point) + np.asarray(at)
        self.stroke(arc[3:-5], color=color, width=width, z=z, label=label)
        self.head(arc[-1], arc[-1] - arc[-8], color, z=z)

    def arrow(self, start, end, *, color=INK, width=1.6, z=7.0, label=None):
        """A straight arrow; one that is too short for its head has a smaller one."""
        start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
        long = float(np.hypot(*(end - start))) / self.point
        size = min(1.0, long / 12.0)
        self.stroke(
            [start, end - 5.0 * size * self.point * unit(end - start)], color=color, width=width, z=z, label=label
        )
        self.head(end, end - start, color, size=size, z=z)

    def head(self, tip, direction, color, *, size=1.0, z=7.0):
        """The head of an arrow."""
        back = 8.0 * size * self.point * unit(direction)
        side = 0.42 * across(back)
        self.area(
            [tip, tip - back + side, tip - 0.75 * back, tip - back - side], face=color, edge=color, width=0.3, z=z + 0.1
        )

    def write(self, at, text, *, color=INK, va="center", **options) -> None:
        """Words at a place."""
        self.axes.text(at[0], at[1], text, color=color, va=va, zorder=8, parse_math=False, **options)

    # -- names -------------------------------------------------------------------------------------
    def remember(self, points, weight: float = 1.0) -> None:
        """Keep names away from a line through these points, the more so the greater its weight."""
        step = 4.0 * self.point
        for a, b in pairwise(points):
            count = min(400, 2 + int(np.hypot(*(b - a)) / step))
            line = a + np.linspace(0.0, 1.0, count)[:, None] * (b - a)
            self._drawn.append(np.column_stack([line, np.full(count, weight)]))

    def shows(self, at) -> bool:
        """Whether a place is inside the picture."""
        (x0, x1), (y0, y1) = self.axes.get_xlim(), self.axes.get_ylim()
        return bool(x0 <= at[0] <= x1 and y0 <= at[1] <= y1)

    def hide(self, corners) -> None:
        """Forget what was drawn behind an area."""
        from matplotlib.path import Path

        area = Path(np.asarray(corners))
        self._drawn = [line[~area.contains_points(line[:, :2])] for line in self._drawn]

    def name(self, text, at, *, color=INK, size=FONT, italic=False, reach=10.0, inside=False):
        """Write a name beside a place (with `inside` perhaps upon it), where it covers least; far away with a line."""
        width, height = self._size(text, size, italic)
        ring, middle, box = self._best(np.asarray(at, dtype=float), width, height, reach, inside)
        self._boxes.append(box)
        if ring >= FAR:
            end = np.clip(at, box[:2], box[2:])
            self.stroke([at, end], color=GREY, width=0.6, z=7.8, remember=False)
        self.write(
            middle,
            text,
            color=color,
            fontsize=size,
            ha="center",
            va="center_baseline",
            fontstyle="italic" if italic else "normal",
            **self.halo,
        )

    def _best(self, at, width, height, reach, inside):
        """Ring, middle and box of the place for a name that covers least of what is drawn, and no other name."""
        drawn = np.vstack(self._drawn) if self._drawn else np.zeros((0, 3))
        boxes = np.array(self._boxes).reshape(-1, 4)
        (x0, x1), (y0, y1) = self.axes.get_xlim(), self.axes.get_ylim()
        far = 0.5 * np.array([width, height]) + (RINGS[-1] * reach + 3.0) * self.point + 0.5 * np.array([width, height])
        drawn = drawn[(np.abs(drawn[:, :2] - at) <= far).all(axis=1)]
        best = None
        pad, half = 2.5 * self.point, 0.5 * np.array([width, height])
        for ring in RINGS if inside else RINGS[1:]:
            for k in range(16 if ring else 1):
                turn = np.pi * (0.25 + k / 8.0)
                way = np.array([np.cos(turn), np.sin(turn)])
                middle = at + way * (ring * reach * self.point + np.abs(way) @ half)
                box = (*(middle - half), *(middle + half))
                near = (np.abs(drawn[:, :2] - middle) < half + pad).all(axis=1)
                covered = drawn[near, 2].sum()
                covered += (
                    CROSSED
                    * (
                        (boxes[:, 0] < box[2] + pad)
                        & (box[0] < boxes[:, 2] + pad)
                        & (boxes[:, 1] < box[3] + pad)
                        & (box[1] < boxes[:, 3] + pad)
                    ).sum()
                )
                covered += CROSSED * (box[0] < x0 or box[2] > x1 or box[1] < y0 or box[3] > y1)
                score = covered + 1.5 * abs(ring - 1.0) + 0.02 * k
                if best is None or score < best[0]:
                    best = (score, ring, middle, box)
        assert best is not None
        return best[1:]

    def _size(self, text, size, italic):
        from matplotlib.font_manager import FontProperties
        from matplotlib.textpath import TextPath

        font = FontProperties(style="italic" if italic else "normal")
        plain = text.replace("$", "S")  # a pair of dollars would be read as a formula
        box = TextPath((0.0, 0.0), plain, size=size, prop=font).get_extents()
        return (box.width + 1.0) * self.point, max(box.height, 0.95 * size) * self.point


def hatching(start, end, side, point):
    """The strokes, (foot, tip), that hatch an edge on one side."""
    along = unit(end - start)
    length = float(np.hypot(*(end - start)))
    count = max(2, round(length / (4.6 * point)))
    for k in range(count):
        foot = start + along * length * (k + 0.75) / count
        yield foot, foot + HATCH * point * (side - 0.8 * along)


def turning(sense, radius) -> np.ndarray:
    """Points on the arc of an arrow that turns to the left (+1) or to the right (-1)."""
    turn = np.radians(np.linspace(-35.0, 195.0, 60))[:: 1 if sense > 0 else -1]
    return radius * np.column_stack([np.cos(turn), np.sin(turn)])
