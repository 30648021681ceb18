"""On which branch is it?  What kinematics tells of every position."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import AnalysisError, message


def branch_of(result: Any) -> np.ndarray:
    """(times,): 1 or -1, as `kinematics` told it; see `Result.branch`."""
    told = result.manifest.get("branch")
    if not told:
        raise AnalysisError(
            message(
                f"Result of '{result.mechanism.name}'",
                "has no branches, because forces decide its motion",
                remedy="kinematics tells the branch of every position",
            )
        )
    begins, signs = (np.array(part) for part in zip(*told))
    return signs.astype(int)[np.searchsorted(begins, result.t, side="right") - 1]
