"""Velocity and acceleration of a point in parts: tangential, normal, slip and Coriolis.

Seen on a body that turns with w and alpha, whose point B is the base, s from B to the point:

    v = v_B + w x s + v_s
    a = a_B + alpha x s + w x (w x s) + a_s + 2 w x v_s

    base, tangential, normal, slip and Coriolis, in this order; slip is what an observer on the body sees.

Without a body, the line from the base to the point is what turns: L its length, u its direction, w = u x u',
slip L' u and L'' u, and what is across it is tangential and Coriolis.
"""

from __future__ import annotations

import numpy as np

from linkwork.compiled.names import frame_of, in_world, seen_on
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.records import OnlyRead, dataclass
from linkwork.result.reactions import frame_pose
from linkwork.rotation import cross

NOWHERE = 1e-12  # of a length of the mechanism: points that are nearer have no line between them


@dataclass(frozen=True)
class MotionParts(OnlyRead):
    """Parts of velocity and acceleration by name, (times, 2 or 3) each, or one vector of one state.

    `velocity["slip"]`, `acceleration["coriolis"]`; `velocity["total"]` is that of the point itself.  `residual` is what
    the parts and the point differ by, against the largest part.
    """

    point: str
    base: str
    on: str | None
    velocity: dict[str, np.ndarray]
    acceleration: dict[str, np.ndarray]

    @property
    def residual(self) -> float:
        """The larger one of velocity and acceleration, at the worst time."""
        return max(_left(self.velocity), _left(self.acceleration))

    def at(self, k) -> MotionParts:
        """The parts at one of the times."""
        return MotionParts(
            self.point,
            self.base,
            self.on,
            {name: part[k] for name, part in self.velocity.items()},
            {name: part[k] for name, part in self.acceleration.items()},
        )

    def __str__(self) -> str:
        seen = f"on body '{self.on}', base {self.base}" if self.on else f"along the line from {self.base}"
        one = self.velocity["total"].ndim == 1
        heads = [*("xyz"[: self.velocity["total"].shape[-1]] if one else ()), "size" if one else "largest size"]
        lines = [f"Motion of {self.point} seen {seen}", f"  {'':<24}" + "".join(f"{head:>14}" for head in heads)]
        for word, parts in (("velocity [m/s]", self.velocity), ("acceleration [m/s^2]", self.acceleration)):
            lines.append(f"  {word}")
            for name, part in parts.items():
                numbers = [*(part if one else ()), np.linalg.norm(part, axis=-1).max()]
                lines.append(f"    {name:<22}" + "".join(f"{number:14.6g}" for number in numbers))
        return "\n".join(lines)


def _left(parts: dict[str, np.ndarray]) -> float:
    off = sum(part for name, part in parts.items() if name != "total") - parts["total"]
    size = max(np.abs(part).max() for part in parts.values())
    return float(np.abs(off).max() / size) if size > 0.0 else 0.0


def motion_parts(result, point, on: str | None, base) -> MotionParts:
    """Parts of the motion of a point at every time of a result."""
    series, mechanism, d = result._series, result.mechanism, result.model.dimension
    item = "motion_parts"
    to = frame_of(mechanism, point, item, "point")
    if on is not None and on != "ground" and on not in list(mechanism.bodies):
        raise UnknownNameError("body", str(on), [*mechanism.bodies, "ground"], f"in mechanism '{mechanism.name}'")
    start = frame_of(mechanism, (on or "ground") if base is None else base, item, "base")
    if on is not None and start.body != on:
        raise DescriptionError(
            message(item, f"has a base that does not move with body '{on}'", str(start), f"a point of '{on}'")
        )

    def moved(frame, order):
        if frame.body == "ground":  # no measure: it never changes
            return frame_pose(series, frame)[0] if order == 0 else np.zeros((len(series.t), d))
        return np.column_stack(series.measures(in_world(frame, d), order))

    p, v, a = ([moved(frame, order) for frame in (start, to)] for order in range(3))
    s, ds, dds = (there - here for here, there in (p, v, a))
    split = _on_a_line if on is None else _on_a_body
    tangential, slip, second = split(result, on, start, to, s, ds, dds)
    return MotionParts(
        str(to),
        str(start),
        on,
        {"base": v[0], "tangential": tangential, "slip": slip, "total": v[1]},
        {"base": a[0], **second, "total": a[1]},
    )


def _on_a_body(result, on, start, to, s, ds, dds):
    """Slip by the offsets along the axes of the body, whose rates are found without those of the world."""
    series, d = result._series, result.model.dimension
    if on == "ground":
        w, alpha = (np.zeros(len(series.t)) if d == 2 else np.zeros((len(series.t), 3)) for _ in range(2))
    elif not result.mechanism.bodies[on].has_angle:
        raise DescriptionError(message(f"Body '{on}'", "does not turn", "a particle", "a body that has an angle"))
    elif d == 2:
        w, alpha = result[f"{on}.angle.rate"], result[f"{on}.angle.acceleration"]
    else:
        w, alpha = result.angular_velocity(on, "world"), result.angular_acceleration(on, "world")
    axes = frame_pose(series, start)[1][:, :d, :d]
    slip, slip_acceleration = np.zeros((2, *s.shape))
    if to.body != on:
        slip, slip_acceleration = (
            np.einsum("tij,tj->ti", axes, np.column_stack(series.measures(seen_on(start, to, d), order)))
            for order in (1, 2)
        )
    tangential = cross(w, s)
    return (
        tangential,
        slip,
        {
            "tangential": cross(alpha, s),
            "normal": cross(w, tangential),
            "slip": slip_acceleration,
            "coriolis": 2.0 * cross(w, slip),
        },
    )


def _on_a_line(result, on, start, to, s, ds, dds):
    """Along the line itself: what is along it changes its length, what is across turns it."""
    length = np.linalg.norm(s, axis=1)[:, None]
    if not np.all(length > NOWHERE * result.model.length):
        t = result.t[int(np.argmin(length))]
        raise DescriptionError(
            message(
                "motion_parts", f"has a line without direction at t = {t:g} s", f"{start} is {to}", "two points apart"
            )
        )
    u = s / length
    rate = np.sum(u * ds, axis=1)[:, None]
    across = ds - rate * u
    turn = np.sum(across * across, axis=1)[:, None] / length**2
    second = np.sum(u * dds, axis=1)[:, None] + length * turn  # L'' = u . s'' + L w^2
    coriolis = 2.0 * rate / length * across
    normal = -length * turn * u
    return (
        across,
        rate * u,
        {
            "tangential": dds - second * u - normal - coriolis,
            "normal": normal,
            "slip": second * u,
            "coriolis": coriolis,
        },
    )
