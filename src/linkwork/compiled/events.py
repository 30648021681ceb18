"""What events ask of a model: rows that lock joints, functions that begin later; and what they name must exist."""

from __future__ import annotations

from typing import Any

from linkwork.errors import UnknownNameError
from linkwork.mechanism.breaks import Breaks
from linkwork.mechanism.events import Action, Event, Set, Stop, drives, in_play, switched
from linkwork.mechanism.measures import Alignment, Angle, Measure, Offset, WorldOffset
from linkwork.mechanism.references import readings
from linkwork.records import dataclass

#: with the words of events that other rooms read them by
__all__ = [
    "CHECKS",
    "Action",
    "Event",
    "Later",
    "Measure",
    "Set",
    "Stop",
    "check",
    "drives",
    "in_play",
    "locks",
    "switched",
    "ways_to_move",
]


@dataclass(frozen=True)
class Later:
    """A function of time whose own time is counted from `begins`; `owner` makes it nobody else's."""

    function: Any
    begins: float = 0.0
    owner: str = ""

    def numbers(self) -> tuple[float, ...]:
        """Those of the function."""
        return self.function.numbers()

    def __call__(self, t):
        """Value, rate and second derivative."""
        return self.function(t - self.begins)

    @property
    def smooth(self) -> bool:
        """As the function is."""
        return self.function.smooth

    def breaks(self, first: float, last: float) -> Breaks:
        """Where it is not smooth, later by as much."""
        found, until = self.function.breaks(first - self.begins, last - self.begins)
        return Breaks(tuple(one._replace(t=one.t + self.begins) for one in found), until + self.begins)


def locks(joint: Any, mechanism: Any) -> dict[str, Measure]:
    """Measures that hold all motions of a joint, by name; none where it leaves none.

    They are those that the joint reads, where these are as many as it leaves free.  Else they are more than are needed,
    so that some hold wherever it stands: `analysis.locking` takes those.
    """
    dimension = mechanism.dimension
    held = {row.measure for row in joint.rows(dimension)}
    found = {key: one for key, one in readings(mechanism, joint.name).items() if one not in held}
    left = ways_to_move(joint, mechanism) - len(held)
    if left <= 0:
        return {}
    read = {one for measure in found.values() for _, one in measure.terms()}
    tied = any(all(one in read for _, one in measure.terms()) for measure in held)  # as slide and angle of a rack
    if len(found) == left and not tied:
        return found
    on, to = joint.on, joint.to
    if not _turns(on, mechanism):
        on, to = to, on
    axes = "xyz"[:dimension]
    kind = Offset if _turns(on, mechanism) else WorldOffset  # what turns takes its axes with it
    measures: dict[str, Measure] = {axis: kind(on, to, axis) for axis in axes}
    if _turns(on, mechanism) and _turns(to, mechanism):
        if dimension == 2:
            measures["angle"] = Angle(on, to)
        else:
            measures |= {f"{one}-{other}": Alignment(on, to, one, other) for one in axes for other in axes}
    return {label: one for label, one in measures.items() if one not in held}


def ways_to_move(joint: Any, mechanism: Any) -> int:
    """In how many ways `to` can move against `on` without the joint; a particle does not turn."""
    both = _turns(joint.on, mechanism) and _turns(joint.to, mechanism)
    return (3 if both else 2) if mechanism.dimension == 2 else (6 if both else 3)


def _turns(frame: Any, mechanism: Any) -> bool:
    return frame.body == "ground" or mechanism.bodies[frame.body].has_angle


def check(mechanism: Any) -> None:
    """Refuse events whose actions are about what does not exist, or is of another kind."""
    for event in mechanism.events.values():
        for look in CHECKS.values():
            look(mechanism, event)


def _check_touches(mechanism: Any, event: Any) -> None:
    """Refuse names of what functions of an event may switch, that do not exist."""
    known = [*mechanism.joints, *mechanism.drivers, *mechanism.forces]
    for name in event.touches:
        if name not in known:
            wanted = f"in mechanism '{mechanism.name}', wanted by {event.item}"
            raise UnknownNameError("joint, driver or force", name, known, wanted)


def _check_then(mechanism: Any, event: Any) -> None:
    """Refuse actions about what does not exist, or is of another kind."""
    for one in event.then:
        if isinstance(one, Action):
            one.check(mechanism, event)


#: what looks at each field of an event
CHECKS = {"touches": _check_touches, "then": _check_then}
