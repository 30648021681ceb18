"""A state: everything that a motion goes on from."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.arguments import Explained, mirrored
from linkwork.compiled.modes import DROPPED, FREE, HELD, acting, free_rows
from linkwork.compiled.names import all_measures
from linkwork.compiled.variants import core_of
from linkwork.coordinates import system_of
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.records import dataclass

if TYPE_CHECKING:
    from linkwork.result.result import Result
    from linkwork.view.drawing import draw_state as _draw
    from linkwork.view.notebook import state_html as _html

SHOWN = 4  # numbers in one line about a state


class Entry(NamedTuple):
    """A state in a set of coordinates: what a run begins with."""

    system: Any
    y: np.ndarray
    pivot: float  # the smallest, where nothing is singular
    modes: np.ndarray  # of all rows, those that the coordinates absorb told
    energy: float  # what counts as much energy
    dropped: bool  # whether rows are dropped, because they follow from others


def _final(result: Result) -> State:
    """The last state of a result."""
    return result.final


@dataclass(frozen=True)
class State(metaclass=Explained):
    """Time, coordinates and speeds of the bodies and work (`y`), memory, modes of the rows, the values they hold.

    A row is held, dropped because it follows from others, or free: see `compiled.modes`.

    Every set of coordinates starts from it; what a set makes of it is kept in `entered`.

    It comes from an assembly or a result and is given as `start=`; names give its numbers.

    >>> run = lw.gallery.four_bar().simulate(1.0, every=0.1)
    >>> later = lw.gallery.four_bar().simulate(1.0, every=0.1, start=run.final)
    >>> run.final.t, float(later.t[0])
    (1.0, 1.0)
    """

    t: float
    y: np.ndarray
    memory: np.ndarray
    modes: np.ndarray
    values: np.ndarray
    pivot: float
    dependencies: np.ndarray  # (redundant, rows) combinations of rows that vanish
    model: Any = field(repr=False)

    #: angles over full turns that the memory does not keep: measure -> value or None, by `get`
    turned: Any = field(default=None, repr=False, compare=False)
    _made: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rows = len(self.model.rows)
        for name, shape in (
            ("y", (self.model.n_y,)),
            ("memory", (self.model.n_memory,)),
            ("modes", (rows,)),
            ("values", (rows,)),
        ):
            given = getattr(self, name)
            try:
                array = np.ascontiguousarray(given, dtype=np.int64 if name == "modes" else float)
            except (TypeError, ValueError):
                array = None
            if array is None or array.shape != shape:
                raise DescriptionError(
                    message(
                        "State",
                        f"has `{name}` that does not fit its mechanism",
                        f"shape {np.shape(given)}",
                        f"numbers, shape {shape}",
                        "take the state of an assembly or a result",
                    )
                )
            object.__setattr__(self, name, array)
        if ((self.modes != HELD) & (self.modes != DROPPED) & (self.modes != FREE)).any():
            raise DescriptionError(
                message(
                    "State",
                    "has rows in a mode that is none",
                    f"{self.modes.tolist()}"[:80],
                    f"{HELD} (held), {DROPPED} (dropped) or {FREE} (free) for each",
                )
            )

    @property
    def held(self) -> np.ndarray:
        """1 for rows that are held, else 0."""
        return acting(self.modes)

    @property
    def free(self) -> frozenset[int]:
        """Rows that are released."""
        return free_rows(self.modes)

    def mode(self, item: str) -> str:
        """What a joint or a driver is here: "held", "locked", "free" (apart, or off), or one of these partly.

        >>> lw.gallery.four_bar().assemble().state.mode("A")
        'held'
        """
        known = {**dict.fromkeys(self.model.locks_of, ()), **self.model.rows_of}
        if item not in known:
            raise UnknownNameError("joint or driver", item, list(known), "in this state")
        free = [self.modes[r] == FREE for r in known[item]]
        if any(free):
            return "free" if all(free) else "partly free"
        locked = sum(self.modes[r] != FREE for r in self.model.locks_of.get(item, []))
        if not locked:
            return "held" if free else "free"
        return "locked" if locked >= self.model.lock_size(item) else "partly locked"

    def system(self, coordinates: str = "body", held: bool = True) -> Any:
        """The model without what is free, in a set of coordinates, with the values and the memory of this state.

        With `held` the rows that are dropped do not act; without it all rows do.
        """
        return system_of(self.model, coordinates, self.values, self.held if held else None, self.memory, self.free)

    @property
    def entered(self) -> dict[Any, Any]:
        """Set -> Entry, and other things made of this state; of its numbers as they are now, should they be changed."""
        made = self._made
        numbers = self.t, self.y.tobytes(), self.memory.tobytes(), self.modes.tobytes(), self.values.tobytes()
        if made.get("numbers") != numbers:
            made.clear()
            made["numbers"] = numbers
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled without what sets of coordinates made of it, which belongs to this process."""
        if core_of(self.model) is not self.model:  # rows, numbers and functions that events have switched go along
            from linkwork.result.result import Result

            return _final, (Result.of_state(self),)
        return State, (
            self.t,
            self.y,
            self.memory,
            self.modes,
            self.values,
            self.pivot,
            self.dependencies,
            self.model,
            self.known_turns(),
        )

    def known_turns(self) -> dict[Any, float]:
        """Named angles over full turns, as far as they are known: measure -> value."""
        found = (
            {}
            if self.turned is None
            else {
                measure: self.turned.get(measure)
                for measure in all_measures(self.model.mechanism).values()
                if measure.quantity == "angle" and not measure.rate_only
            }
        )
        return {measure: value for measure, value in found.items() if value is not None}

    def __getitem__(self, name: str) -> Any:
        """A number by name, such as `crank.angle` or `crank.x.rate`; of a vector, its components."""
        return self._result.first(name)

    @property
    def _result(self) -> Result:
        """The result that consists of this state."""
        from linkwork.result.result import Result

        kept = self.entered
        if "result" not in kept:
            kept["result"] = Result.of_state(self)
        found: Result = kept["result"]
        return found

    def _ipython_key_completions_(self) -> list[str]:
        return self._result._ipython_key_completions_()

    def __repr__(self) -> str:
        """Where the mechanism is: angles of its bodies in the plane, readings of its joints in space."""
        model, measures = self.model, all_measures(self.model.mechanism)
        names = [f"{body.name}.angle" for body in model.bodies if f"{body.name}.angle" in measures]
        if model.dimension == 3:
            names = [name for name in measures if name.partition(".")[0] in model.mechanism.joints]
        names = names or list(measures)
        shown = ", ".join(f"{name} {self[name]:.4g}" for name in names[:SHOWN])
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        return f"<State of '{model.mechanism.name}' at t = {self.t:g} s: {shown}{more}>"

    if TYPE_CHECKING:
        draw = _draw
        _repr_html_ = _html
    else:
        draw = mirrored("linkwork.view.drawing", "draw_state")
        _repr_html_ = mirrored("linkwork.view.notebook", "state_html")
