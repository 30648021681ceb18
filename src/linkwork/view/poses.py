"""Where bodies and frames are: read from a result by name, once, for one or many times."""

from __future__ import annotations

import numpy as np

from linkwork.errors import DescriptionError, OutOfPlaneError, message
from linkwork.result.result import Result
from linkwork.result.state import State


def result_of(source) -> Result:
    """The result behind a result, a state, an assembly or an evaluation."""
    state = source if isinstance(source, State) else getattr(source, "state", None)
    if isinstance(source, Result):
        result = source
    elif isinstance(state, State):
        result = Result.of_state(state)
    else:
        raise DescriptionError(
            message(
                "draw",
                "needs positions to draw",
                type(source).__name__,
                "a result, an assembly, an evaluation or a state",
                "a mechanism alone has none yet: draw(m.assemble())",
            )
        )
    if result.mechanism.dimension != 2:
        raise OutOfPlaneError(
            message(
                f"Drawing of mechanism '{result.mechanism.name}'",
                "leaves the plane",
                f"dimension {result.mechanism.dimension}",
                "dimension 2",
                'its motion over time is shown by plot("body.x", "body.z")',
            )
        )
    return result


class Poses:
    """Poses of all bodies at the times of a result; frames are placed by them."""

    def __init__(self, result: Result):
        self.t = result.t
        self.mechanism = result.mechanism
        self._result = result
        zero = np.zeros(len(result.t))
        self._known = {"ground": (zero, zero, zero)}

    def _pose(self, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """x, y and angle of a body over time, read when first asked for."""
        if name not in self._known:
            result, has_angle = self._result, self.mechanism.bodies[name].has_angle
            angle = result[f"{name}.angle"] if has_angle else np.zeros(len(self.t))
            self._known[name] = (result[f"{name}.x"], result[f"{name}.y"], angle)
        return self._known[name]

    def points(self, body: str, local) -> np.ndarray:
        """World places (times, points, 2) of points given in the axes of a body."""
        x, y, angle = self._pose(body)
        local = np.atleast_2d(np.asarray(local, dtype=float))[:, :2]
        c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
        px, py = local[:, 0], local[:, 1]
        return np.stack([x[:, None] + c * px - s * py, y[:, None] + s * px + c * py], axis=-1)

    def place(self, frame) -> np.ndarray:
        """World place (2,) of a frame's origin at the first time."""
        return self.points(frame.body, frame.position)[0, 0]

    def axis(self, frame, axis: str = "x") -> np.ndarray:
        """World direction (2,) of an axis of a frame at the first time."""
        turned = self._pose(frame.body)[2][0] + frame.angle + (0.5 * np.pi if axis == "y" else 0.0)
        return np.array([np.cos(turned), np.sin(turned)])

    def along(self, frame, values) -> np.ndarray:
        """World places (values, 2), at the first time, of points at given distances along x of a frame."""
        return self.place(frame) + np.multiply.outer(np.asarray(values, dtype=float), self.axis(frame))
