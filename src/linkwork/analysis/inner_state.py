"""The inner state of a run into a folder: what it is written as, and how a run is taken up again from it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.analysis.pieces import Past, stacked
from linkwork.compiled.variants import base_of, core_of
from linkwork.errors import LinkworkWarning
from linkwork.kernels.library import sources
from linkwork.kernels.time import places as at_run
from linkwork.result import switching
from linkwork.result.events import Mark
from linkwork.result.segments import Segment
from linkwork.result.stored import first_turns

if TYPE_CHECKING:
    from linkwork.analysis.eventful import Eventful as _Base
else:
    _Base = object

BALANCE = ("usual", "off", "in_play", "worst", "when")  # of the ledger over segments


class InnerState(_Base):
    """What goes on from step to step of a run into a folder, beside its outputs."""

    folder: Any
    done: Any
    reading: Any
    goes_on: bool
    put_out: int
    carried: int
    crossed: int
    window: int
    samples: list[tuple[float, np.ndarray]]
    times: Any

    def _inner(self) -> tuple:
        """What a slice changes."""
        return self.y.copy(), self.system.door.w.copy(), *self.drive.kept(), self._seen()

    def _restore(self, inner: tuple) -> None:
        y, workspace, run, count, own, seen = inner
        slices = int(self.count[at_run.SLICE])
        self.y[:] = y
        self.system.door.take_up(workspace)
        self.drive.take_up(run, count, own)
        self.count[at_run.SLICE] = slices
        if seen is not None:
            self.watched.take_up(seen)

    def _seen(self) -> Any:
        return self.watched.counted_so_far() if self.eventful else None

    def _write_reached(self, how: str, told: dict[str, Any]) -> None:
        state, model = self.state, self.model
        words: dict[str, Any] = {
            "how": how,
            "told": {"ended": self._so_far(how)} | ({"methods": self.changes} if self.changes else {}) | told,
            "statistics": asdict(self._statistics()),
            "t": float(self.control[at_run.TIME]),
        }
        if how == "running":
            run, count, own = self.drive.kept()
            turned = state.turned is not None and not self.goes_on
            words |= {
                "count": count,
                "own": own,
                "method": self.method.name,
                "chosen by": None if self.choosing is None else self.choosing.name,
                "changes": self.changes,
                "kernels": sources(),
                "put_out": self.put_out,
                "carried": self.carried,
                "crossed": self.crossed,
                "goes_on": self.goes_on,
                "steps_before": self.steps_before,
                "pieces": len(self.done),
                "marks": [[one.name, one.segment] for one in self.marks],
                "state": {"t": state.t, "pivot": float(state.pivot)},
                "turns": first_turns(Segment.of_state(state, "body")) if turned else {},
                "switched": switching.words_of(Segment.of_state(state, "body")).get("switches"),
                "full": core_of(model) is not base_of(model),
                "events": self._of_events(),
            }
            arrays = {
                "y": self.y,
                "run": run,
                "workspace": self.system.door.w,
                "parameters": self.system.door.p,
                "window": np.concatenate([self.grid[: self.carried, None], self.states[: self.carried]], axis=1),
                "state": np.concatenate([state.y, state.memory]),
                "modes": state.modes,
                "values": state.values,
                "dependencies": state.dependencies,
                "samples": stacked([(t, row) for t, row in self.samples]),
                "marks": stacked([(one.t, one.row) for one in self.marks]),
            }
        else:
            arrays = {}
        self.folder.reach(words, arrays)

    def _so_far(self, how: str) -> str:
        if how != "running":
            return ""
        return f"not finished: t = {self.control[at_run.TIME]:.6g} s of {self.end:g} s; lw.resume(folder) goes on"

    def _of_events(self) -> dict[str, Any]:
        """What events have done so far."""
        if not self.eventful:
            return {}
        last = float(self.last_event)
        return {
            "seen": self.watched.counted_so_far(),
            "balance": [float(getattr(self.balance, key)) for key in BALANCE],
            "usual_pivot": float(self.usual_pivot),
            "fired": [int(one) for one in self.fired],
            "began_by": None if self.began_by is None else [self.began_by[0], list(self.began_by[1])],
            "soon": int(self.soon),
            "last": last if np.isfinite(last) else None,
        }

    # -- taken up again ------------------------------------------------------------------------------------------------
    def take_up(self, reached: Any) -> Any:
        """Go on from what the folder says, once the run has begun from the state that its segment began with."""
        said, arrays = reached.header, reached.arrays()
        try:
            self._taken_up(said, arrays)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
            raise reached.wrong(f"says of the run what cannot be right ({error})") from None
        if not np.array_equal(arrays["parameters"], self.system.door.p, equal_nan=True):
            raise reached.wrong(
                "was run with other numbers than its mechanism gives here: by another version, or on another machine"
            )
        return self

    def _taken_up(self, said: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        for name in ("put_out", "carried", "crossed", "steps_before", "pieces"):
            if type(said[name]) is not int or not 0 <= said[name] < 1 << 60:
                raise ValueError(name)
        if self.choosing is not None and said["method"] != self.method.name:
            self._take_other()
        self.changes = [str(one) for one in said["changes"]]
        if self.eventful:
            events = said["events"]
            self.fired = [int(one) for one in events["fired"]]
            if len(self.fired) != len(self.events):
                raise ValueError("events")
            for key, value in zip(BALANCE, events["balance"], strict=True):
                setattr(self.balance, key, float(value))
            self.usual_pivot = float(events["usual_pivot"])
            self.soon = int(events["soon"])
            self.last_event = -np.inf if events["last"] is None else float(events["last"])
            began_by = events["began_by"]
            self.began_by = None if began_by is None else (str(began_by[0]), tuple(map(str, began_by[1])))
            self.border = None
        self.goes_on, self.carried = bool(said["goes_on"]), min(1, said["carried"])
        self.put_out, self.steps_before = said["put_out"], said["steps_before"]
        self.done = Past(said["pieces"], next(iter(self.reading.lazy()[-1:]), None))
        self.spent = float(said["statistics"]["seconds"])
        self.samples = [(float(row[0]), row[1:].copy()) for row in arrays["samples"]]
        numbers = self.states.shape[1]
        names = zip(said["marks"], arrays["marks"])
        self.marks = [Mark(float(row[0]), str(one[0]), int(one[1]), row[1:]) for one, row in names]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LinkworkWarning)
            for _ in range(said["crossed"]):
                if self.kinks.cross() is None:
                    raise ValueError("crossed")
        self.crossed = said["crossed"]
        window = arrays["window"]
        if window.shape != (self.carried, 1 + numbers):
            raise ValueError("window")
        end = self.control[at_run.END] = self.kinks.end
        more = np.zeros(0) if self.each_step else self.times[self.put_out : self.put_out + self.window]
        self.grid = np.concatenate([window[:, 0], more]) if self.carried or not self.each_step else np.zeros(1)
        self.states = np.zeros((self.grid.size, numbers))
        self.states[: self.carried] = window[:, 1:]
        self._restore(
            (
                arrays["y"],
                arrays["workspace"],
                arrays["run"],
                said["count"],
                said["own"],
                said["events"]["seen"] if self.eventful else None,
            )
        )
        if self.control[at_run.END] != end or self.count[at_run.OUTPUT] != self.carried:
            raise ValueError("end")
        if self.y.shape != arrays["y"].shape or not np.isfinite(self.y).all():
            raise ValueError("y")
        if self.most_steps is not None:  # those of this call
            self.most_steps += int(self.count[at_run.STEPS] + self.count[at_run.REJECTED])
