"""Reactions: the multipliers of a joint's rows as force and moment on a named body."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from linkwork import cells, rotation
from linkwork.coordinates.body import dense_jacobian
from linkwork.coordinates.frames import frame_at, place_at
from linkwork.coordinates.readings import read_gradients
from linkwork.errors import UnknownNameError
from linkwork.kernels import layout as at
from linkwork.records import OnlyRead, dataclass

RANK = 1e-9  # of the largest size
PART = 1e-6  # of a combination of unit size: what is less has no part in it
PLACES = 16  # times at which rows are looked at for combinations that vanish


@dataclass(frozen=True)
class Reaction(OnlyRead):
    """Force and moment of a joint on a body, at the joint; `unique` says which components are determined.

    Plane: force (..., 2) and moment (...); space: force (..., 3) and moment (..., 3).  Where redundant constraints
    leave a component open, the values are those of least norm over all constraints.
    """

    joint: str
    body: str
    axes: str
    force: np.ndarray
    moment: np.ndarray
    unique: bool
    unique_components: dict

    def __str__(self) -> str:
        size = np.atleast_1d(self.magnitude)
        open_ = [label for label, unique in self.unique_components.items() if not unique]
        note = f", not unique along {', '.join(open_)}" if open_ else ""
        return (
            f"Reaction of joint '{self.joint}' on '{self.body}' ({self.axes} axes): "
            f"force {size.min():.4g} to {size.max():.4g} N{note}"
        )

    def _repr_html_(self) -> str:
        columns = {f"force {axis} [N]": part for axis, part in zip("xyz", np.atleast_2d(self.force).T)}
        moment = np.reshape(self.moment, (len(np.atleast_2d(self.force)), -1)).T
        columns |= {f"moment {axis} [N m]": part for axis, part in zip("xyz" if len(moment) > 1 else "z", moment)}
        columns["size of the force [N]"] = np.atleast_1d(self.magnitude)
        rows = [(name, part[0], part[-1], part.min(), part.max()) for name, part in columns.items()]
        open_ = [label for label, unique in self.unique_components.items() if not unique]
        return cells.shown(
            f"Reaction of joint {self.joint} on {self.body}, {self.axes} axes",
            cells.notes(f"not unique along {', '.join(open_)}: values of least norm" if open_ else ""),
            cells.table(("", "first", "last", "least", "greatest"), rows),
        )

    @property
    def magnitude(self) -> np.ndarray:
        """Size of the force."""
        return np.linalg.norm(self.force, axis=-1)

    def at(self, k: Any) -> Reaction:
        """The reaction at one of the times."""
        return Reaction(
            self.joint, self.body, self.axes, self.force[k], self.moment[k], self.unique, self.unique_components
        )


def row_jacobian(series) -> np.ndarray:
    """(times, rows, velocity coordinates)."""
    places = series.plan.places(at.W_BLOCK)
    blocks = series.pick(places.ravel(), located=True)
    return dense_jacobian(series.plan, blocks.reshape(len(blocks), *places.shape))


def combinations(series, dependencies) -> list[tuple[int, np.ndarray]]:
    """At some of the times: where, and (number, rows) combinations of rows that vanish there.

    Which rows those are changes as a mechanism moves; `dependencies` are those of the position it was assembled in.
    They stay within the groups of rows that can depend on each other, and most of the groups have none.  Positions that
    have more of them than others are singular, and left out.
    """
    model, free = series.model, series._segment.free
    touched = np.unique(model.row_groups[np.any(dependencies != 0.0, axis=0)]).tolist()
    times = np.unique(np.linspace(0, len(series.t) - 1, PLACES).astype(int))
    found: list[list[np.ndarray]] = [[np.zeros((0, len(model.rows)))] for _ in times]
    for group in touched:
        rows = [r for r in np.flatnonzero(model.row_groups == group).tolist() if r not in free]
        pulls = np.concatenate([J for _, J in _pulls(series, rows, times)])
        _, sizes, right = np.linalg.svd(pulls, full_matrices=True)
        rank = np.count_nonzero(sizes > RANK * sizes[:, :1], axis=1)
        for k in np.flatnonzero(rank == rank.max()).tolist():
            some = np.zeros((len(rows) - rank[k], len(model.rows)))
            some[:, rows] = np.where(np.abs(right[k, rank[k] :]) > PART, right[k, rank[k] :], 0.0)
            found[k].append(some)
    return [(k, np.concatenate(some)) for k, some in zip(times.tolist(), found, strict=True)]


def _pulls(series, rows, times=slice(None)) -> Iterator[tuple[slice, np.ndarray]]:
    """Block by block of `times`: where among them, and J' of the rows (times, velocities of their bodies, rows)."""
    dof = series.model.dof
    place = {body: dof * k for k, body in enumerate(sorted({b for r in rows for _, b in series.plan.row_blocks[r]}))}
    for part, gradients in row_gradients(series, rows, times):
        J = np.zeros((part.stop - part.start, dof * len(place), len(rows)))
        for k, of_row in enumerate(gradients):
            for body, gradient in of_row.items():
                J[:, place[body] : place[body] + dof, k] = gradient
        yield part, J


def least_norm(series, lam, found) -> np.ndarray:
    """(times, rows) multipliers or impulses with the same forces, of least norm over all rows where some are redundant.

    `found` are `combinations` of rows that vanish.  Which rows of a joint have a part changes as it turns against the
    axes that they are written in, so that all rows of the joints have one.
    """
    model, free = series.model, series._segment.free
    items = {model.rows[r].item for _, some in found for r in np.flatnonzero(np.any(some != 0.0, axis=0)).tolist()}
    involved = np.array([r for r, row in enumerate(model.rows) if row.item in items and r not in free], dtype=np.int64)
    if involved.size == 0:
        return lam
    out = lam.copy()
    for rows in _connected(series.plan, involved.tolist()):
        for part, J in _pulls(series, rows):  # the force of these rows on the bodies, spread over them with least norm
            force = J @ lam[part][:, rows, None]
            out[part, rows] = (np.linalg.pinv(J, rcond=RANK) @ force)[:, :, 0]
    return out


def _connected(plan, rows: list[int]) -> list[list[int]]:
    """Rows in groups that share no body: each spreads its force among itself."""
    groups: list[tuple[set[int], list[int]]] = []
    for r in rows:
        bodies, found = {body for _, body in plan.row_blocks[r]}, [r]
        apart = []
        for group in groups:
            if group[0] & bodies:
                bodies, found = bodies | group[0], group[1] + found
            else:
                apart.append(group)
        groups = [*apart, (bodies, found)]
    return [sorted(found) for _, found in groups]


def row_gradients(series, rows, times=slice(None)) -> Iterator[tuple[slice, list[dict[int, np.ndarray]]]]:
    """Block by block of `times`: where among them, and for each of the rows {body: gradient (times, dof)}."""
    return gradients_of(series, [series.model.rows[r].measure for r in rows], times)


def gradients_of(series, measures, times=slice(None)) -> Iterator[tuple[slice, list[dict[int, np.ndarray]]]]:
    """The same of measures: how each changes with the velocity coordinates of every body."""
    terms = [measure.terms() for measure in measures]
    readings = series.model.readings([one for parts in terms for _, one in parts])
    index = {one: k for k, one in enumerate(readings.measures)}
    for part, gradients in read_gradients(readings, series.bodies.gather(readings)[times]):
        found: list[dict[int, np.ndarray]] = []
        for parts in terms:
            found.append({})
            for weight, one in parts:
                for side, body in enumerate(readings.sides[index[one]]):
                    if body >= 0:
                        gradient = gradients[:, index[one], side]
                        gradient = gradient if weight == 1.0 else weight * gradient
                        found[-1][body] = found[-1][body] + gradient if body in found[-1] else gradient
        yield part, found


def reaction(series, lam, segments, name: str, on: str | None, axes: str) -> Reaction:
    """Force and moment of one joint, from the multipliers of all rows; `segments` know which rows are redundant."""
    model = series.model
    mechanism = model.mechanism
    if name not in list(mechanism.joints):
        raise UnknownNameError("joint", name, list(mechanism.joints), f"in mechanism '{mechanism.name}'")
    if axes not in ("world", "joint"):
        raise UnknownNameError("choice of axes", axes, ["world", "joint"])
    joint = mechanism.joints[name]
    sides = {joint.to.body: joint.to, joint.on.body: joint.on}
    body = joint.to.body if on is None else on
    if body not in list(sides):
        raise UnknownNameError("body", body, list(sides), f"at joint '{name}'")
    sign = 1.0
    if body == "ground":  # the other body knows what ground feels
        body_of_rows, sign = (joint.on.body if joint.to.body == "ground" else joint.to.body), -1.0
    else:
        body_of_rows = body
    rows = [*model.rows_of.get(name, []), *model.locks_of.get(name, [])]
    k = model.body_index[body_of_rows]
    wrench = sign * _wrench(series, lam, rows, k)
    d = model.dimension
    center, kernel_axes = _center(series, k)
    arm = _place(series, sides[body]) - center
    force = wrench[:, :d]
    if d == 2:
        moment = wrench[:, 2] - (arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0])
    else:
        moment = np.einsum("tij,tj->ti", kernel_axes, wrench[:, 3:]) - np.cross(arm, force)
    if axes == "joint":
        on_axes = _axes(series, joint.on, slice(None))
        force = np.einsum("tji,tj->ti", on_axes[:, :d, :d], force)
        if d == 3:
            moment = np.einsum("tji,tj->ti", on_axes, moment)
    components = {model.rows[r].label: True for r in rows}
    for one in segments:
        for k, some in one.combinations:
            found = unique_components(model, rows, some, _axes(one.series, joint.on, slice(k, k + 1))[0])
            components = {label: unique and found[label] for label, unique in components.items()}
    return Reaction(name, body, axes, force, moment, all(components.values()), components)


def _wrench(series, lam, rows, body: int) -> np.ndarray:
    """(times, dof): the rows' gradients on one body, times their multipliers."""
    out = np.zeros((len(series.t), series.model.dof))
    for part, gradients in row_gradients(series, rows):
        for r, of_row in zip(rows, gradients):
            if body in of_row:
                out[part] += lam[part, r, None] * of_row[body]
    return out


def unique_components(model, rows, dependencies, axes) -> dict[str, bool]:
    """Which components of a joint, along its own axes, redundant constraints leave determined."""
    part = np.array(dependencies[:, rows]) if len(dependencies) else np.zeros((0, len(rows)))
    labels = [model.rows[r].label for r in rows]
    d = model.dimension
    if len(part) and {*"xyz"[:d]} <= {*labels}:
        pin = [labels.index(axis) for axis in "xyz"[:d]]
        if all(model.rows[rows[k]].measure.along == "world" for k in pin):
            part[:, pin] = part[:, pin] @ axes[:d, :d]  # world components to the axes of the joint
    return {label: not np.any(np.abs(part[:, k]) > PART) for k, label in enumerate(labels)}


def _center(series, k: int):
    """Mass centre and kernel axes of a moving body."""
    q, _ = series.bodies.of(k)
    if series.model.dimension == 2:
        return q[:, :2], None
    return q[:, :3], rotation.matrix(q[:, 3:])


def _place(series, frame) -> np.ndarray:
    """(times, 2 or 3): where a frame is."""
    k = series.model.body_index[frame.body]
    return place_at(series.model, frame, series.bodies.of(k)[0] if k >= 0 else np.zeros((len(series.t), 0)))


def _axes(series, frame, times: slice) -> np.ndarray:
    """(times, 3, 3): axes of a frame, at some of the times."""
    k = series.model.body_index[frame.body]
    q = series.bodies.of(k)[0][times] if k >= 0 else np.zeros((len(series.t[times]), 0))
    return frame_at(series.model, frame, q)[1]


def frame_pose(series, frame) -> tuple[np.ndarray, np.ndarray]:
    """World place of a frame's origin (times, 2 or 3) and its axes (times, 3, 3)."""
    k = series.model.body_index[frame.body]
    place, axes = frame_at(series.model, frame, series.bodies.of(k)[0] if k >= 0 else np.zeros((len(series.t), 0)))
    return place[:, : series.model.dimension], axes
