"""The symbols of textbook drawings: links, pins, supports, springs, arrows.

A `Pen` draws on axes of equal scale.  Places are in metres; sizes of symbols in points of the paper, so that
a watch and a crane get the same pins.  It remembers where it has drawn, and puts names where there is room.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from linkwork.view.canvas import GREY, INK
from linkwork.view.geometry import across, rounded, unit

PIN = 3.6  # radius of a pin
LINK = 11.0  # width of a link
HATCH = 6.0  # height of hatching
ACCENT = "#b3261e"
FONT = 11.5


class Pen:
    """Draws symbols; `point` is the length in metres of one point of the paper."""

    def __init__(self, axes, point: float):
        from matplotlib import patches
        from matplotlib.lines import Line2D

        self.axes = axes
        self.point = point
        self._patches = patches
        self._line = Line2D
        self._drawn: list[np.ndarray] = []
        self._boxes: list[tuple] = []

    # -- strokes -----------------------------------------------------------------------------------
    def stroke(
        self,
        points,
        *,
        color=INK,
        width=1.2,
        z=4.0,
        alpha=1.0,
        style="-",
        label=None,
        closed=False,
        remember=True,
    ):
        """A line through points."""
        points = np.asarray(points, dtype=float)
        shown = np.vstack([points, points[:1]]) if closed else points
        line = self._line(
            shown[:, 0],
            shown[:, 1],
            color=color,
            linewidth=width,
            zorder=z,
            alpha=alpha,
            linestyle=style,
            solid_capstyle="round",
            solid_joinstyle="round",
        )
        if label:
            line.set_gid(label)
        self.axes.add_line(line)
        if remember:
            self.remember(shown, alpha**2)

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
        patch.set_gid(label)
        self.axes.add_patch(patch)
        if remember:
            self.remember(np.vstack([points, points[:1]]), alpha**2)

    def circle(
        self,
        center,
        radius,
        *,
        face="none",
        edge=INK,
        width=1.1,
        z=3.0,
        alpha=1.0,
        style="-",
        label=None,
        remember=True,
    ):
        """A circle with its radius in metres."""
        patch = self._patches.Circle(
            center,
            radius,
            facecolor=face,
            edgecolor=edge,
            linewidth=width,
            zorder=z,
            alpha=alpha,
            linestyle=style,
        )
        patch.set_gid(label)
        self.axes.add_patch(patch)
        if remember:
            turn = np.linspace(0.0, 2.0 * np.pi, 40)
            rim = np.asarray(center) + radius * np.column_stack([np.cos(turn), np.sin(turn)])
            self.remember(rim, alpha**2)

    def link(self, corners, *, face, edge=INK, width=LINK, z=3.0, alpha=1.0, label=None, remember=True):
        """A bar, or with three and more corners a plate, with round ends about its corners."""
        corners = np.asarray(corners, dtype=float)
        if len(corners) == 1:
            self.circle(
                corners[0],
                0.5 * width * self.point,
                face=face,
                edge=edge,
                z=z,
                alpha=alpha,
                label=label,
                remember=remember,
            )
            return
        outline = rounded(corners, 0.5 * width * self.point)
        patch = self._patches.Polygon(
            outline,
            closed=True,
            facecolor=face,
            edgecolor=edge,
            linewidth=1.1,
            zorder=z,
            alpha=alpha,
            joinstyle="round",
        )
        patch.set_gid(label)
        self.axes.add_patch(patch)
        if remember:
            self.remember(np.vstack([outline, outline[:1]]), alpha**2)

    # -- symbols -----------------------------------------------------------------------------------
    def pin(self, at, *, z=6.0, label=None):
        """A pin seen from its end."""
        self.circle(at, PIN * self.point, face="white", width=1.3, z=z, label=label)

    def dot(self, at, *, color=INK, z=6.0, size=2.2):
        """A filled dot."""
        self.circle(at, size * self.point, face=color, edge=color, width=0.0, z=z)

    def hatch(self, start, end, side, *, z=1.8, label=None):
        """A solid edge with hatching on the side that the direction `side` shows."""
        start, end, side = np.asarray(start), np.asarray(end), unit(side)
        along = unit(end - start)
        length = float(np.hypot(*(end - start)))
        step = 4.6 * self.point
        count = max(2, round(length / step))
        height = HATCH * self.point
        for k in range(count):
            foot = start + along * length * (k + 0.75) / count
            self.stroke(
                [foot, foot + height * (side - 0.8 * along)], color=GREY, width=0.75, z=z, remember=False
            )
        self.stroke([start, end], width=1.4, z=z + 0.1, label=label)
        self.remember(np.array([start, end]) + side * height)

    def support(self, at, down=-1.0, *, z=2.0, label=None):
        """The triangle on hatched ground that carries a fixed pin; `down` is -1 below it, +1 above it."""
        p, at = self.point, np.asarray(at)
        base = at + np.array([0.0, down * 15.0 * p])
        left, right = base + np.array([-9.0 * p, 0.0]), base + np.array([9.0 * p, 0.0])
        self.area([at, left, right], face="#eef1f3", width=1.2, z=z)
        edge = np.array([5.0 * p, 0.0])
        self.hatch(left - edge, right + edge, (0.0, down), z=z - 0.2, label=label)

    def wall(self, at, away, *, label=None):
        """A short hatched edge behind a point of the ground, across the direction `away` into the ground."""
        half = 11.0 * self.point * across(unit(away))
        self.hatch(np.asarray(at) - half, np.asarray(at) + half, away, label=label)

    def spring(self, start, end, *, shift=0.0, label=None):
        """A zigzag with straight ends."""
        start, along, side, length = self._between(start, end, shift)
        lead = min(0.22 * length, 13.0 * self.point)
        coils = int(np.clip((length - 2.0 * lead) / (8.5 * self.point), 5, 16))
        ways = np.concatenate([[0.0], np.linspace(lead, length - lead, 2 * coils + 1), [length]])
        heights = np.zeros(len(ways))
        heights[2:-2] = 6.5 * self.point * np.resize([1.0, -1.0], len(ways) - 4)
        self.stroke(start + np.outer(ways, along) + np.outer(heights, side), width=1.2, z=4.0, label=label)

    def damper(self, start, end, *, shift=0.0, label=None):
        """A dashpot: a cup on `start`, a piston on `end`."""
        start, along, side, length = self._between(start, end, shift)
        p = self.point
        cup, half = min(15.0 * p, 0.4 * length), 5.5 * p * side
        bottom = start + along * (0.5 * length - 0.5 * cup)
        mouth = bottom + along * cup
        piston = bottom + 0.55 * along * cup
        self.stroke([start, bottom], width=1.2, label=label)
        self.stroke([mouth + half, bottom + half, bottom - half, mouth - half], width=1.2)
        self.stroke([piston + 0.75 * half, piston - 0.75 * half], width=2.4)
        self.stroke([piston, start + along * length], width=1.2)

    def cylinder(self, start, end, *, shift=0.0, label=None):
        """A hydraulic cylinder: an actuator in a line."""
        start, along, side, length = self._between(start, end, shift)
        half = 4.5 * self.point * side
        begin, finish = start + 0.12 * along * length, start + 0.58 * along * length
        self.stroke([start, begin], width=1.2)
        self.area(
            [begin + half, finish + half, finish - half, begin - half], face="#e8ecef", z=4.1, label=label
        )
        self.stroke([finish, start + along * length], width=2.2)

    def _between(self, start, end, shift):
        start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
        along = unit(end - start)
        side = across(along)
        return start + side * shift * self.point, along, side, float(np.hypot(*(end - start)))

    def spiral(self, at, *, label=None):
        """A torsion spring about a point."""
        turn = np.linspace(0.0, 5.0 * np.pi, 120)
        radius = np.linspace(6.0, 14.0, turn.size) * self.point
        self.stroke(
            np.asarray(at) + np.column_stack([radius * np.cos(turn), radius * np.sin(turn)]),
            width=1.1,
            z=5.5,
            label=label,
        )

    def turn_arrow(self, at, sense=1.0, *, radius=17.0, color=ACCENT, label=None):
        """An arc with an arrow head about a point; `sense` is +1 to the left, -1 to the right."""
        turn = np.radians(np.linspace(-35.0, 195.0, 60))[:: 1 if sense > 0 else -1]
        radius *= self.point
        arc = np.asarray(at) + radius * np.column_stack([np.cos(turn), np.sin(turn)])
        self.stroke(arc[3:-5] if len(arc) > 10 else arc, color=color, width=1.5, z=7.0, label=label)
        self._head(arc[-1], arc[-1] - arc[-8], color)

    def arrow(self, start, end, *, color=ACCENT, label=None):
        """A straight arrow."""
        start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
        self.stroke(
            [start, end - 5.0 * self.point * unit(end - start)], color=color, width=1.6, z=7.0, label=label
        )
        self._head(end, end - start, color)

    def _head(self, tip, direction, color):
        back = 8.0 * self.point * unit(direction)
        side = 0.42 * across(back)
        self.area(
            [tip, tip - back + side, tip - 0.75 * back, tip - back - side],
            face=color,
            edge=color,
            width=0.3,
            z=7.1,
        )

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
        """Write a name beside a place (with `inside` perhaps upon it), where it covers least."""
        width, height = self._size(text, size, italic)
        drawn = np.vstack(self._drawn) if self._drawn else np.zeros((0, 3))
        (x0, x1), (y0, y1) = self.axes.get_xlim(), self.axes.get_ylim()
        best = None
        for ring in (*([0.0] if inside else []), 1.0, 1.5, 2.1, 3.0, 4.0):
            for k in range(16 if ring else 1):
                turn = np.pi * (0.25 + k / 8.0)
                way = np.array([np.cos(turn), np.sin(turn)])
                middle = np.asarray(at) + way * (
                    ring * reach * self.point + 0.5 * np.abs(way) @ (width, height)
                )
                box = (
                    middle[0] - 0.5 * width,
                    middle[1] - 0.5 * height,
                    middle[0] + 0.5 * width,
                    middle[1] + 0.5 * height,
                )
                pad = 2.5 * self.point
                covered = drawn[
                    (drawn[:, 0] > box[0] - pad)
                    & (drawn[:, 0] < box[2] + pad)
                    & (drawn[:, 1] > box[1] - pad)
                    & (drawn[:, 1] < box[3] + pad),
                    2,
                ].sum()
                for other in self._boxes:
                    covered += 25 * (
                        box[0] < other[2] + pad
                        and other[0] < box[2] + pad
                        and box[1] < other[3] + pad
                        and other[1] < box[3] + pad
                    )
                covered += 50 * (box[0] < x0 or box[2] > x1 or box[1] < y0 or box[3] > y1)
                score = covered + 1.5 * abs(ring - 1.0) + 0.02 * k
                if best is None or score < best[0]:
                    best = (score, middle, box)
        _, middle, box = best
        self._boxes.append(box)
        self.axes.text(
            middle[0],
            middle[1],
            text,
            color=color,
            fontsize=size,
            ha="center",
            va="center_baseline",
            fontstyle="italic" if italic else "normal",
            zorder=8,
            parse_math=False,
        )

    def _size(self, text, size, italic):
        from matplotlib.font_manager import FontProperties
        from matplotlib.textpath import TextPath

        font = FontProperties(style="italic" if italic else "normal")
        plain = text.replace("$", "S")  # a pair of dollars would be read as a formula
        box = TextPath((0.0, 0.0), plain, size=size, prop=font).get_extents()
        return (box.width + 1.0) * self.point, max(box.height, 0.6 * size) * self.point
