"""Which lines are seen: how near the nearest face is, on a grid over the paper."""

from __future__ import annotations

import numpy as np

FINE = 1.6  # cells a point of the paper
STEP = 2.5  # points of the paper between two looks along a line
MOST = 1600  # cells along one side


class Depths:
    """The nearest face in every cell of a grid; nearer is greater."""

    def __init__(self, low, high, slack: float):
        self.low = np.asarray(low, dtype=float)
        size = np.asarray(high, dtype=float) - self.low
        self.fine = min(FINE, MOST / max(float(size.max()), 1e-9))
        self.shape = tuple(int(one) for one in np.ceil(size * self.fine)[::-1] + 2)
        self.grid = np.full(self.shape, -np.inf)
        self.slack = slack

    def cover(self, corners: np.ndarray) -> None:
        """Enter a face, (corners, 3) on the paper and how near, as a fan of triangles."""
        flat = np.column_stack([(corners[:, :2] - self.low) * self.fine, corners[:, 2]])
        for k in range(1, len(flat) - 1):
            self._triangle(flat[0], flat[k], flat[k + 1])

    def _triangle(self, a, b, c) -> None:
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        x0, x1 = max(0, int(min(a[0], b[0], c[0]))), min(self.shape[1] - 1, int(max(a[0], b[0], c[0])) + 1)
        y0, y1 = max(0, int(min(a[1], b[1], c[1]))), min(self.shape[0] - 1, int(max(a[1], b[1], c[1])) + 1)
        if abs(area) < 1e-9 or x1 < x0 or y1 < y0:
            return
        x, y = np.arange(x0, x1 + 1)[None, :], np.arange(y0, y1 + 1)[:, None]
        u = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area
        v = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area
        depth = np.where(
            (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0), a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]), -np.inf
        )
        part = self.grid[y0 : y1 + 1, x0 : x1 + 1]
        np.maximum(part, depth, out=part)

    def finish(self) -> None:
        """Take the farthest of each cell and its neighbours, so that an outline is not hidden by its own faces."""
        wide = np.pad(self.grid, 1, constant_values=-np.inf)
        for axis in (0, 1):
            wide = np.minimum(np.minimum(np.roll(wide, 1, axis), wide), np.roll(wide, -1, axis))
        self.grid = wide[1:-1, 1:-1]

    def seen(self, line: np.ndarray) -> list[np.ndarray]:
        """The pieces (points, 2) of a line, (points, 3), that no face hides."""
        lengths = np.hypot(*np.diff(line[:, :2], axis=0).T)
        total = np.concatenate([[0.0], np.cumsum(lengths)])
        if not total[-1] > 0.0:
            return []
        ways = np.unique(np.concatenate([total, np.linspace(0.0, total[-1], 2 + int(total[-1] / STEP))]))
        points = np.column_stack([np.interp(ways, total, line[:, k]) for k in range(3)])
        middle = 0.5 * (points[:-1] + points[1:])
        cells = np.rint((middle[:, :2] - self.low) * self.fine).astype(int)
        inside = ((cells >= 0) & (cells < self.shape[::-1])).all(axis=1)
        depth = np.full(len(cells), -np.inf)
        depth[inside] = self.grid[cells[inside, 1], cells[inside, 0]]
        shown = middle[:, 2] + self.slack >= depth
        found, begin = [], None
        for k, one in enumerate([*shown, False]):
            if one and begin is None:
                begin = k
            elif not one and begin is not None:
                found.append(points[begin : k + 1, :2])
                begin = None
        return found
