"""Poses that the user declared: held while what is not declared can close the mechanism, else let go, and told.

Place and turn of a body are declared apart.  A value of `start` or `near` for the coordinate of a body replaces what
was declared of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.analysis.assembly.newton import use_metric
from linkwork.analysis.common import start_rows
from linkwork.coordinates.body import unpack
from linkwork.errors import MovedWarning, message, warn
from linkwork.rotation import about_z, matrix

DEARER = 1e4  # a declared body that must move, against one that was not declared
ROUNDING = 2e-3  # a move below this (radian, or against the length of the mechanism) is that of three digits
SHOWN = 6  # bodies that are told to have moved; of more, the rest is counted


class Declared:
    """Which places and turns are declared, by body of a model; `held` says which of them are still held."""

    def __init__(self, model: Any, values: Iterable[str]) -> None:
        self.model = model
        self.place, self.turn = model.declared.place.copy(), model.declared.turn.copy()
        for name in values:
            item, _, what = name.partition(".")
            k = model.body_index.get(item, -1)
            if k >= 0 and what in ("x", "y", "z"):
                self.place[k] = False
            elif k >= 0 and what == "angle":
                self.turn[k] = False
        self.entirely = self.place & (self.turn | ~model.turning)
        self.held = np.ones(len(model.bodies), dtype=bool)
        #: places that hold the mass centre: it does not turn about them
        self._whole = self.place & (self.turn | ~model.turning | ~model.centers.any(axis=1))

    @cached_property
    def rows(self) -> list:
        """Rows for places about which the mass centre may turn; the last ones of the system."""
        values = {
            f"{self.model.bodies[k].name}.{axis}": value
            for k in self._turning
            for axis, value in zip("xyz"[: self.model.dimension], self._body(k).position)
        }
        return start_rows(self.model.mechanism, values)

    @property
    def _turning(self) -> np.ndarray:
        return np.flatnonzero(self.place & ~self._whole)

    def _body(self, k: int):
        return self.model.mechanism.bodies[self.model.bodies[k].name]

    def coordinates(self) -> np.ndarray:
        """Which velocity coordinates are held (bodies, dof)."""
        d = self.model.dimension
        out = np.zeros((len(self.model.bodies), self.model.dof), dtype=bool)
        out[:, :d] = (self._whole & self.held)[:, None]
        out[:, d:] = (self.turn & self.held)[:, None]
        return out

    @property
    def any_held(self) -> bool:
        """Whether something is held."""
        return bool(((self.place | self.turn) & self.held).any())

    @property
    def all_held(self) -> bool:
        """Whether nothing is left that could move."""
        return bool((self.entirely & self.held).all())

    def let_go(self, names) -> None:
        """Let go these bodies, or all, where none of them is held."""
        free = np.isin([info.name for info in self.model.bodies], list(names))
        if not (self.held & free & (self.place | self.turn)).any():
            free[:] = True
        self.held &= ~free

    def apply(self, system, metric) -> None:
        """Give a system the metric (bodies, dof) of its moves: what is held stays, what was let go is dear to move."""
        d = self.model.dimension
        metric = metric.copy()
        gone = ~self.held
        if (gone & ~self.entirely).any():  # else all that can move was declared, and all count alike
            metric[gone & self.place, :d] *= DEARER
            metric[gone & self.turn, d:] *= DEARER
        use_metric(system, metric, self.coordinates())
        count = len(self.rows)
        system.held[system.n_rows - count :] = np.repeat(self.held[self._turning], d)

    def moved(self, y) -> dict[str, tuple[float, float]]:
        """How far (m, rad) a state has moved what was declared, by body, the furthest first; rounding left out."""
        model, found = self.model, {}
        said = np.flatnonzero(self.place | self.turn).tolist()
        poses = unpack(model, y)[0] if said else []
        for k in said:
            pose = poses[k]
            body = model.mechanism.bodies[model.bodies[k].name]
            way = turn = 0.0
            if self.place[k]:
                declared = (*body.position, 0.0)[: model.dimension]  # of a place in the plane, z is zero
                off = np.subtract(pose[: model.dimension], declared)
                way = float(np.hypot(*off) if model.dimension == 2 else np.linalg.norm(off))  # as `Block` has it
            if self.turn[k]:
                turn = _turned(model.dimension, body, pose)
            if not (way <= ROUNDING * model.length and turn <= ROUNDING):
                found[body.name] = way, turn
        return furthest_first(found, model.length)


def furthest_first(moved: dict[str, tuple[float, float]], length: float) -> dict[str, tuple[float, float]]:
    """Bodies in the order of how far they moved, angles counting as lengths."""
    return dict(sorted(moved.items(), key=lambda one: -max(one[1][0], one[1][1] * length)))


def _turned(dimension: int, body, pose) -> float:
    """Angle between the declared turn of a body and that of a pose; whole turns do not count in the plane."""
    if dimension == 2:
        return float(abs(np.remainder(pose[2] - body.angle + np.pi, 2.0 * np.pi) - np.pi))
    angle = body.angle or 0.0
    declared = about_z(np.cos(angle), np.sin(angle)) if body.orientation is None else matrix(body.orientation)
    return float(2.0 * np.arcsin(min(1.0, np.linalg.norm(matrix(pose[3:]) - declared) / np.sqrt(8.0))))


def warn_of_moved(model, moved) -> None:
    """Say which declared poses could not be kept, and how far they were moved."""
    texts = []
    for name, (way, turn) in list(moved.items())[:SHOWN]:
        parts = [f"{way:.3g} m"] * (way > 0.0) + [f"{turn:.3g} rad"] * (turn > 0.0)
        texts.append(f"{name} by {' and '.join(parts)}")
    more = f", and {len(moved) - SHOWN} more" if len(moved) > SHOWN else ""
    warn(
        message(
            f"Mechanism '{model.mechanism.name}'",
            f"does not close with its bodies where they were declared; assembly moved {', '.join(texts)}{more}",
            remedy="correct these poses, or leave out those that should follow from the others; print the "
            "assembly for where the bodies are",
        ),
        MovedWarning,
    )
