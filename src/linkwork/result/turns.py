"""Full turns between outputs: where they cannot be told, the motion is run again with more outputs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.compiled.variants import core_of
from linkwork.errors import warnings_are

if TYPE_CHECKING:
    from linkwork.result.result import Result


class Turned:
    """Angles of a segment at one of its times, over full turns: measure -> value."""

    def __init__(self, segment, k: int):
        self._segment, self._k = segment, k

    def get(self, measure) -> float:
        """The value of a measure."""
        return float(self._segment.series.measure(measure)[self._k])


RUN_OPTIONS = ("method", "rtol", "atol", "step", "constraints", "alpha", "beta")
MOST_OUTPUTS = 20_000_000


def can_run_again(segment) -> bool:
    """Whether a segment is a motion that was integrated, or one of drivers that did not turn round."""
    return (segment.source, segment.options.get("analysis")) in (("dynamics", "simulate"), ("kinematics", "kinematics"))


def rerun(segment: Any, times: Any, start: Any) -> Result:
    """The motion of a segment again from one of its states, as it was run; what it warns of has been said then."""
    if segment.source == "kinematics":
        with warnings_are("told already"):
            return segment.model.mechanism.kinematics(times, start=start, progress=False)
    start.entered["as run"] = True
    options = {key: segment.options[key] for key in RUN_OPTIONS if segment.options.get(key) is not None}
    if segment.options.get("projection") is False:  # results of Linkwork 0.1 say it so
        options["constraints"] = "none"
    with warnings_are("told already"):
        return core_of(segment.model).mechanism.simulate(
            times, start=start, coordinates=segment.coordinates, progress=False, events=False, **options
        )


def with_more_outputs(segment, rate):
    """The same motion with so many outputs that no angle with these rates turns unseen; None if it has them."""
    gaps = np.diff(segment.t)
    turned = np.maximum(np.abs(rate[1:]), np.abs(rate[:-1])) * gaps
    steps = segment.steps
    if (turned.max() <= 1.0 and len(gaps) >= steps) or not can_run_again(segment):
        return None
    parts = np.ceil(np.maximum(4.0 * turned, 4.0 * steps * gaps / (segment.t[-1] - segment.t[0]))).astype(int) + 1
    if parts.sum() > MOST_OUTPUTS:
        return None
    if segment.finer is None or len(segment.finer.t) < parts.sum():
        grid = np.concatenate(
            [
                *(np.linspace(a, b, n, endpoint=False) for a, b, n in zip(segment.t[:-1], segment.t[1:], parts)),
                segment.t[-1:],
            ]
        )
        segment.finer = rerun(segment, grid, replace(segment.state(0), turned=None))
    return segment.finer
