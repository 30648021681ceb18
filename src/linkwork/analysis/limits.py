"""What ends a run before its end: limits of steps, seconds and memory; and coordinates in which it is begun anew."""

from __future__ import annotations

from typing import Any

from linkwork.errors import RunLimitError, message
from linkwork.kernels.time import places as at_run


class TurnedStiff(Exception):
    """A run whose coordinates were left open has turned stiff: it begins anew in those that serve better there."""

    def __init__(self, coordinates: str, run: Any):
        super().__init__(coordinates)
        self.coordinates, self.taken = coordinates, run._statistics()
        why = f"it was stiff in {run.coordinates} coordinates from t = {run.control[at_run.TIME]:.6g} s on"
        self.anew = f"; begun anew in {coordinates} coordinates, because {why}"

    def told(self, again: Any) -> None:
        """Have the run that begins anew say so, count what was done before, and keep to what is left of the limits."""
        again.anew, again.abandoned, options = self.anew, self.taken, again.options
        if options.most_steps is not None:
            again.most_steps = options.most_steps - self.taken.steps - self.taken.rejected
        if options.most_seconds is not None:
            again.most_seconds = options.most_seconds - self.taken.seconds


def raise_limit(run: Any, result: Any) -> None:
    """The error of a run that has reached one of its limits."""
    if run.each_step and len(result.t) >= run.most_outputs:
        what = f"{len(result.t)} outputs, all that memory holds of every='step'"
    elif run._tries_left() <= 0:
        more = " since it was resumed" if run.most_steps > run.options.most_steps else ""
        what = f"{run.options.most_steps} steps{more}, all that most_steps= allows"
    else:
        what = f"{result.statistics.seconds:.3g} s, more than most_seconds= allows"
    raise RunLimitError(
        message(
            f"Mechanism '{run.model.mechanism.name}'",
            f"was stopped at t = {run.control[at_run.TIME]:.6g} s of {run.end:g} s after {what}",
            remedy="what was reached is in the .result of this error; allow more, or look for what makes its steps "
            + ("short; resume goes on from there" if run.stored else "short"),
        ),
        result=result,
    )
