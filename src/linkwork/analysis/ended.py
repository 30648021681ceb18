"""Answers of many designs, among them those that an event has stopped.

A run that is stopped goes the way of `Eventful`: its first segment ends at the event, the state there is that of the
bodies, and is entered once more; this is its last output.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from linkwork.analysis.ensemble import STOPPED, Block, NoneLeft
from linkwork.analysis.in_numbers import InNumbers
from linkwork.analysis.quality import VIOLATION as MOST_VIOLATION
from linkwork.analysis.quality import Balance, at_start
from linkwork.coordinates.many import Many
from linkwork.coordinates.turns import shift
from linkwork.kernels.designs import BEGAN, ENDED, REACHED, VIOLATION, WHEN
from linkwork.kernels.time.loop import EVENT

SURE = frozenset({False, True})  # of runs to their end, and of those that are stopped


def answers(
    made: InNumbers,
    values: np.ndarray,
    stopped: Callable[[], bool] | None = None,
    sure: frozenset[bool] = SURE,
    cut: bool = False,
    room: list[np.ndarray] | None = None,
) -> list[dict[str, Any] | None]:
    """Series by name, their times, and whether they were stopped, of every design (designs, values).

    None where the general way has to answer: of those too that ended in a way that is not `sure`; with `cut`, the first
    one of these is the last that is told.  "doubts" are what single runs of the others would warn of.  `room` keeps the
    memory of outputs from block to block.
    """
    found: list[dict[str, Any] | None] = [None] * len(values)
    with np.errstate(all="ignore"), suppress(NoneLeft):
        block = Block(made, values, stopped, room)
        block.go()
        told = []
        for part in parts_of(block):
            with suppress(NoneLeft):
                for k, one in part.answers():
                    found[k] = one
                told.append(part)
        unsure = [k for k, one in enumerate(found) if one is not None and one[STOPPED] not in sure]
        for k in unsure:
            found[k] = None
        if cut and unsure:
            del found[unsure[0] + 1 :]
        for part in told:
            part.tell(found)
        if room is not None:
            room.append(block.outputs)
    return found


def parts_of(block: Block) -> list[Block]:
    """The designs of a block that came to their end, and those that were stopped."""
    ended = block.rows["told"][:, ENDED] == EVENT
    if not ended.any():
        return [block]
    return [*([block.part(~ended)] if not ended.all() else []), block.part(ended, Ended)]


class Ended(Block):
    """Designs that an event has stopped."""

    def _judge(self) -> None:
        """Leave those about which anything is doubtful, where they were stopped too, to the general way."""
        made, told, own = self.made, self.rows["told"], self.many["own"]
        rtol = None if made.method.fixed_step else made.options.rtol
        system, fine = made.own.fresh(), np.ones(self.count, dtype=bool)
        for k, (written, end) in enumerate(zip(self.rows["written"], self.rows["ends"])):
            system.take_back(own.numbers[k])
            reached, (usual, energy) = int(told[k, REACHED]), self.rows["scales"][k, :2].tolist()
            balance = Balance(energy)
            times = np.append(made.grid[:reached], told[k, WHEN])
            balance.add(system, times, np.concatenate([written[:reached], end[None, :]]))
            fine[k] = reached > 0 and not (balance.doubts() or at_start(float(told[k, BEGAN]), usual, rtol))
        self._go_on(fine & (told[:, VIOLATION] <= MOST_VIOLATION))

    def _read(self) -> list[dict[str, Any]]:
        rows, grid = self.rows, self.made.grid
        reached, ends = rows["told"][:, REACHED].astype(np.int64), rows["ends"]
        states = np.concatenate([rows["written"], ends[:, None]], axis=1)
        behind = np.arange(states.shape[1]) >= reached[:, None]
        states[behind] = np.broadcast_to(ends[:, None], states.shape)[behind]
        series = self._series(np.append(grid, grid[-1]), states)
        rows["last"] = np.stack(series, axis=2)  # (designs, times, series): goes along with those that are left
        for n, target in self._uncounted():
            rows["last"][:, :, n] += shift(rows["last"][:, 0, n], rows["targets"][:, target])[:, None]
        self._enter_again()
        final = np.stack(self._series(grid[:1], rows["border"][:, None]), axis=2)[:, 0]
        for n, _ in self._uncounted():
            final[:, n] += shift(final[:, n], rows["last"][:, -1, n])
        fine = rows["sound"] & np.isfinite(rows["last"]).all(axis=(1, 2)) & np.isfinite(final).all(axis=1)
        self._go_on(fine)
        found = []
        for told, before, last in zip(rows["told"][fine], rows["last"][fine], final[fine]):
            count = int(told[REACHED])
            whole = np.concatenate([before[:count], last[None, :]])
            one = {name: np.ascontiguousarray(whole[:, n]) for n, name in enumerate(self._names)}
            found.append({**one, "time": np.append(grid[:count], told[WHEN]), STOPPED: True})
        return found

    def _enter_again(self) -> None:
        """The states at the events once more in the coordinates of the run, as `Eventful` goes on from them."""
        made, model, n_y = self.made, self.made.model, self.many["base"].n_y
        system, t = made.own, np.array([self.t])
        found = system.to_bodies(t, self.rows["ends"], self._sweep)
        self.rows["states"] = np.ascontiguousarray(found)
        bodies, memory = found[:, :n_y], found[:, n_y:]
        own = self.many["own"]
        own = self.many["own"] = Many(own.tab, own.numbers.copy(), own.first)
        through = np.concatenate([system.from_bodies(bodies, None, self._read_by), memory], axis=1)
        system.keep_many_turns(own, bodies, system.to_bodies(t, through, self._sweep))
        y = system.from_bodies(bodies, memory, self._read_by)
        self.rows["border"] = np.ascontiguousarray(np.concatenate([y, memory], axis=1))
        base = self.many["base"]
        fine = np.ones(self.count, dtype=bool)
        if model.rows:
            self.rows["pivot"] = self._pivots(base, self.rows["states"])
            fine &= ~np.isnan(self.rows["pivot"])
            if system.n_rows == made.body.n_rows:
                fine &= self._independent(base, made.body, self.rows["states"])
        if system.n_rows and not system.plan.layout.of_bodies:
            self.rows["pivot"] = self._pivots(own, self.rows["border"])
            fine &= self._independent(own, system, self.rows["border"])
        self.rows["sound"] = fine
