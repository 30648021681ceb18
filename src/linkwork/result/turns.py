"""Full turns between outputs: where they cannot be told, the motion is run again with more outputs."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np

from linkwork.errors import LinkworkWarning


class Turned:
    """Angles of a result at one of its times, over full turns: measure -> value."""

    def __init__(self, result, k: int):
        self._result, self._k = result, k

    def get(self, measure) -> float:
        """The value of a measure."""
        return float(self._result._series.measure(measure)[self._k])


RUN_OPTIONS = ("method", "rtol", "atol", "step", "projection")
MOST_OUTPUTS = 20_000_000


def rerun(result, times, start):
    """The motion of a result again from one of its states, as it was run; what it warns of has been said then."""
    start.entered["as run"] = True
    options = {key: result.manifest[key] for key in RUN_OPTIONS if result.manifest.get(key) is not None}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinkworkWarning)
        return result.mechanism.simulate(times, start=start, coordinates=result.coordinates, progress=False, **options)


def with_more_outputs(result, rate):
    """The same motion with so many outputs that no angle with these rates turns unseen; None if it has them."""
    gaps = np.diff(result.t)
    turned = np.maximum(np.abs(rate[1:]), np.abs(rate[:-1])) * gaps
    steps = result.statistics.steps
    if (turned.max() <= 1.0 and len(gaps) >= steps) or result.manifest.get("analysis") != "simulate":
        return None
    parts = np.ceil(np.maximum(4.0 * turned, 4.0 * steps * gaps / (result.t[-1] - result.t[0]))).astype(int) + 1
    if parts.sum() > MOST_OUTPUTS:
        return None
    if result.finer is None or len(result.finer.t) < parts.sum():
        grid = np.concatenate(
            [
                *(np.linspace(a, b, n, endpoint=False) for a, b, n in zip(result.t[:-1], result.t[1:], parts)),
                result.t[-1:],
            ]
        )
        result.finer = rerun(result, grid, replace(result.state(0), turned=None))
    return result.finer
