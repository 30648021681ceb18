"""What many designs watch, that may stop their runs: events about measures, which do nothing or stop.

Numbers of what is watched stand behind those of a run (`coordinates.watching`); these are they for every design.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.analysis.run_options import RunOptions
from linkwork.analysis.watches import events_of, watch_of
from linkwork.compiled.events import Stop
from linkwork.compiled.names import measure_of
from linkwork.coordinates.turns import shift
from linkwork.errors import LinkworkWarning, UnknownNameError, warnings_are
from linkwork.kernels.time import watches as of


def watched_measures(mechanism: Any, options: RunOptions) -> list[Any] | None:
    """The events of a run; None where one does more than stop, or watches what is no measure, or its second rate."""
    events = events_of(mechanism, options.until, options.events)
    for event in events:
        if not isinstance(event.when, str) or not all(one == Stop() for one in event.then):
            return None
        try:
            measure, order = measure_of(mechanism, event.when)
        except UnknownNameError:
            return None
        if order > 1 or any(one.memory == "parameter" for _, one in measure.terms()):
            return None
    return events


class Watched:
    """What is watched by designs of one structure."""

    def __init__(self, made: Any, run: Any) -> None:
        watching = self.watching = run.watched.watching
        model = made.model
        for event in run.events:  # what is told of one is told of every design
            with warnings_are("raised"):
                try:
                    watch_of(model, event, 1.0, None)
                except LinkworkWarning as told:
                    raise made.refused(str(told)) from None
        kinds = {kind for watch in watching.watches for _, kind, _ in watch.terms}
        if run.model is not model or watching.counted or not kinds <= {of.OF_VALUE, of.OF_RATE}:
            raise made.refused("what it watches is looked at one by one")
        self.duration = max(float(run.end - run.asked[0]), 1e-9)
        #: events about lengths, by their number: the order of the rate, and what counts as much at least
        self.lengths = []
        for k, (event, watch) in enumerate(zip(run.events, watching.watches)):
            measure, order = measure_of(model.mechanism, event.when)
            if measure.quantity == "length":
                self.lengths.append((k, order, abs(watch.level) if order == 0 else 0.0))
        #: angles: where full turns are remembered, which measure it is, and where its target is
        self.turns = [
            (slot, watching.measures.index(one), made.straight(one), one not in model.plan().measure_index)
            for one, slot in watching.turns.items()
        ]

    def floats(self, block: Any, first: Any) -> np.ndarray:
        """Of every design what stands behind the numbers of a run; `first` is that of a drive."""
        found = np.tile(first.floats, (block.count, 1))
        header = first.integers[: of.HEADER]

        def place(key: int) -> int:
            return int(header[key]) - first.first_float

        numbers, readings = place(of.F_NUMBERS), self.watching.readings
        found[:, numbers : numbers + readings.parameters.size] = block.rows["watched"]
        for k, order, least in self.lengths:
            size = block.rows["length"] / self.duration**order
            found[:, place(of.F_WATCH) + of.NUMBERS * k + of.SIZE] = np.maximum(size, least)
        if self.turns:
            self._remember(block, found[:, place(of.F_REMEMBERED) :])
        return found

    def _remember(self, block: Any, remembered: np.ndarray) -> None:
        """Full turns that angles begin with, as `watches.turns_at` and `coordinates.watching` have them."""
        states = block.rows["states"]
        without = states.copy()
        without[:, block.many["base"].n_y :] = 0.0
        readings = self.watching.readings
        reader = block.reader(readings, "watched")
        values, bare = (block.measured(reader, readings.gather(one)[:, None])[0][:, 0] for one in (states, without))
        first = block.made.first_target + len(block.made.names)
        for n, (slot, k, where, uncounted) in enumerate(self.turns):
            value = values[:, k] if where is None else states[:, 3 * where[0] + where[1]]
            if uncounted:
                value = value + shift(value, block.rows["targets"][:, first + n])
            remembered[:, slot] = value - bare[:, k]
