"""What a stepper keeps from step to step beside plain floats, for runs that are taken up again from files.

Counts and indices lead kernels to places in memory, so those that a file gives are looked at; a stepper that is not
named here cannot be taken up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.errors import DescriptionError, message


class Kept(NamedTuple):
    """Counts that change: place, and place of the largest value; floats that are indices: where, how many, span."""

    counts: tuple[tuple[int, int], ...]
    indices: tuple[tuple[int, int, range], ...]

    def fits(self, counts: list[int], count: np.ndarray, run: np.ndarray) -> bool:
        """Whether values that a file gives are such counts and indices."""
        if len(counts) != len(self.counts) or not all(type(one) is int for one in counts):
            return False
        if not all(0 <= one <= count[most] for one, (_, most) in zip(counts, self.counts)):
            return False
        for first, size, span in self.indices:
            part = run[first : first + size]
            if not ((part >= span.start) & (part < span.stop) & (part == np.floor(part))).all():
                return False
        return True


def kept_by(stepper: str, count: np.ndarray) -> Kept:
    """What a stepper keeps, with its places in `count`."""
    if stepper in ("explicit", "triangle"):
        return Kept((), ())
    if stepper == "radau":
        from linkwork.kernels.time import ports, shifted

        many = int(count[ports.PORTS])
        lists = (
            (ports.R_ACTIVE, many, range(many)),
            (ports.R_FIRST, many, range(many + 1)),
            (ports.R_LAST, many, range(-1, many)),
            (shifted.R_SWAP, 2 * many, range(many)),
        )
        return Kept(((ports.ACTIVE, ports.PORTS),), tuple((int(count[one]), size, span) for one, size, span in lists))
    raise DescriptionError(
        message(
            f"Stepper '{stepper}'",
            "keeps from step to step what is not known, so that its runs cannot be taken up again",
            remedy="leave out store=, or say it in coordinates/keeping.py",
        )
    )
