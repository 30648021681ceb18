"""What slopes of records determine, and what not: slopes that are errors of runs tell nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.analysis.recordings import Recordings

ALIKE = 1e-6  # least over greatest singular value: below it slopes do not tell directions apart
ROUNDED = 1e-11  # of a series: runs of the same motion may differ by as much, whatever their tolerance
SURE = 10.0  # times its own error: so large is a slope that shows in less than the tolerance of the runs
SHARE = 0.05  # of a direction that is not determined: a number with more is named


def seen(
    records: Recordings, weights: np.ndarray, slopes: np.ndarray, error: np.ndarray, steps: np.ndarray, rtol: float
) -> np.ndarray:
    """Whether weighted slopes are larger than their errors, (values, numbers): of each record by itself.

    Slopes whose differences of runs are rounding may seem to be, by chance: they are below an absolute floor, the
    rounding of a series over the step.  Up to the tolerance of the runs over the step, two steps must agree well to be
    believed.
    """
    parts, errors, weights_of = (records.by_name(one) for one in (slopes, error, weights))
    found = []
    for name, part in parts.items():
        sizes, off = np.linalg.norm(part, axis=0), np.linalg.norm(errors[name], axis=0)
        series = float(np.linalg.norm(records.values[name] * weights_of[name]))
        shown = sizes * steps  # how far runs beside each other differ
        sure = sizes > np.where(shown > rtol * series, 1.0, SURE) * off
        found.append(np.broadcast_to((shown > ROUNDED * series) & sure, part.shape))
    return np.concatenate(found)


def determined(
    names: Sequence[str], slopes: np.ndarray, error: np.ndarray, told: np.ndarray
) -> tuple[np.ndarray, dict[str, str]]:
    """(J'J)^-1 of slopes that are `told`, infinite where they do not determine a number, and the reasons.

    Columns are taken at size one, so that it does not matter how wide the bounds are.  A direction is not determined
    where the slopes along it are not larger than their own errors.
    """
    slopes, error = np.where(told, slopes, 0.0), np.where(told, error, 0.0)
    sizes, off = np.linalg.norm(slopes, axis=0), np.linalg.norm(error, axis=0)
    covariance = np.full((len(names), len(names)), np.nan)
    undetermined = {n: "what was measured does not depend on it" for n, size in zip(names, sizes) if not size}
    some = np.flatnonzero(sizes)
    if len(some):
        _, s, directions = np.linalg.svd(slopes[:, some] / sizes[some], full_matrices=False)
        lost = s <= max(ALIKE * s[0], float(np.linalg.norm(off[some] / sizes[some])))
        kept = directions[~lost] / s[~lost, None]
        covariance[np.ix_(some, some)] = kept.T @ kept / np.outer(sizes[some], sizes[some])
        for direction in directions[lost]:
            together = [k for k, part in zip(some.tolist(), direction) if abs(part) > SHARE]
            for k in together:
                others = ", ".join(names[j] for j in together if j != k)
                undetermined[names[k]] = f"what was measured depends on it only together with {others}"
    for lone in (names.index(name) for name in undetermined):
        covariance[lone, :] = covariance[:, lone] = np.nan
        covariance[lone, lone] = np.inf
    return covariance, undetermined
