"""Steps that collapse at one place because a law jumps there: told with the name of its element.

A force that changes its sign at once, such as -mu N sign(v), pushes a motion back and forth across the jump: no step
that crosses it is accurate, and steps become as short as the error control allows, for ever.  Most of them are taken
at once, so that few refusals tell it.  Of a run that would need very many more steps at its pace of late, some steps
are looked at by the kernel, one after the other (`kernels.time.jumps`): where laws jump in many of them, again and
again for a while, the run is ended.
"""

from __future__ import annotations

from typing import Any

from linkwork.errors import AnalysisError, message
from linkwork.kernels.time import jumps
from linkwork.kernels.time import places as at_run

#: a run is looked at after so many tries, or so many seconds with at least a few tries
TRIES, SECONDS, FEW = 20_000, 2.0, 500
#: and is suspected where so many more would be needed at this pace
MANY = 2_000_000
#: steps that are then looked at, one after the other; a law jumps in so many of them at least
LOOKED, OFTEN = 256, 3
#: and so it is in so many looks, one after the other
STAYS = 5


class Pace:
    """How fast a run gets on, and whether laws jump in its steps of late."""

    def __init__(self, now: float):
        self._now, self._tries = now, 0
        self._t: float | None = None
        self._step = 0.0  # the usual one, of late
        self._jumps: int | None = None  # those before the steps that are looked at
        self._until = 0  # tries
        self._looks = 0  # in which steps were full of jumps, one after the other

    @property
    def most_tries(self) -> int:
        """Tries of the next slice: no more than are looked at."""
        return 1 << 60 if self._jumps is None else LOOKED

    def chatters(self, run: Any, now: float) -> bool:
        """Whether steps have collapsed, and stay so, because a law jumps."""
        count = run.count
        tries = int(count[at_run.STEPS] + count[at_run.REJECTED])
        if self._jumps is not None:
            if tries < self._until and now - self._now < SECONDS:
                return False
            often, self._jumps = int(count[at_run.JUMPS]) - self._jumps, None
            self._looks = self._looks + 1 if often >= OFTEN else 0
            return self._looks >= STAYS
        if self._collapsed(now, tries, run):
            if run.first_jump is None and count[at_run.JUMPED]:
                run.first_jump = int(count[at_run.JUMPED]), float(run.control[at_run.JUMP_TIME])
            self._jumps, self._until, count[at_run.JUMPED] = int(count[at_run.JUMPS]), tries + LOOKED, 0
            count[at_run.REFUSED] = jumps.REFUSALS + LOOKED  # as if as many had been refused: all are looked at
        return False

    def _collapsed(self, now: float, tries: int, run: Any) -> bool:
        """Whether the usual step of late is suspiciously short."""
        done, t, before = tries - self._tries, float(run.control[at_run.TIME]), self._t
        if done < FEW or (done < TRIES and now - self._now < SECONDS):
            return False
        self._now, self._tries, self._t = now, tries, t
        if before is None:
            return False
        self._step = max((t - before) / done, 1e-300)
        return (float(run.end) - t) / self._step > MANY

    def raise_chatter(self, run: Any, result: Any) -> None:
        """The error that says so."""
        element = run.model.laws[int(run.count[at_run.JUMPED]) - 1].element
        raise AnalysisError(
            message(
                f"Force '{element}'",
                f"has a law that jumps, and the run does not get past it: at t = {run.control[at_run.TIME]:.6g} s "
                f"steps are {self._step:.1g} s long",
                remedy="let the law go over within a small range, for example tanh(v/1e-3) for sign(v); or switch it "
                "by an event where it would jump",
            ),
            result=result,
        )


def told_jumps(run: Any) -> list[str]:
    """What a run noted of laws that jump, one sentence: the first one, when, and in how many steps."""
    often = int(run.count[at_run.JUMPS])
    if not often:
        return []
    which, when = run.first_jump or (int(run.count[at_run.JUMPED]), float(run.control[at_run.JUMP_TIME]))
    law = run.model.laws[which - 1]
    more = "" if often == 1 else " and once more" if often == 2 else f" and {often - 1} times more"
    return [
        f"the law of force '{law.element}' jumps at t = {when:.6g} s{more} (let it go over within "
        "a small range, for example tanh(v/1e-3) for sign(v), or switch it by an event where it would jump)"
    ]
