"""What a run took."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.records import dataclass


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a run took."""

    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    projected_stages: int = 0
    seconds: float = 0.0

    def __add__(self, more: Statistics) -> Statistics:
        return Statistics(*(getattr(self, one.name) + getattr(more, one.name) for one in fields(self)))

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Statistics:
        """Statistics of a run from what a file says: every field a number that can be."""
        known = {one.name: type(one.default) for one in fields(cls)}
        for name, value in said.items():
            if name not in known:
                raise UnknownNameError("statistic", str(name)[:60], known, "of a run")
            right = type(value) is int or (known[name] is float and type(value) is float)
            if not right or not math.isfinite(value) or not 0 <= value < 1 << 62:
                raise DescriptionError(
                    message(
                        f"Statistic '{name}' of a result",
                        "cannot be right",
                        repr(value)[:60],
                        "a number, zero or more" if known[name] is float else "a whole number, zero or more",
                    )
                )
        return cls(**said)
