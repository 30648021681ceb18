"""What may happen, and in which order: the events of a mechanism as a table."""

from __future__ import annotations

from typing import Any

from linkwork.analysis.common import as_model
from linkwork.analysis.watches import watch_of
from linkwork.arguments import Explained, explained
from linkwork.compiled.events import CHECKS, Action, Event, Measure
from linkwork.compiled.model import Model
from linkwork.compiled.variants import core_of, full_model
from linkwork.errors import LinkworkError, UnitError, warnings_are
from linkwork.records import dataclass
from linkwork.result.quantities import vocabulary
from linkwork.units import Measured


@dataclass(frozen=True)
class Schedule(metaclass=Explained):
    """The events of a mechanism: `start` says what is not active at first, `rows` have name, when, and what is done."""

    start: tuple[str, ...]
    rows: tuple[tuple[str, str, str], ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        if not self.rows:
            return "no events"
        table = [("event", "when", "then"), ("(start)", "", ", ".join(self.start) or "all as described"), *self.rows]
        wide = [max(len(row[k]) for row in table) for k in (0, 1)]
        return "\n".join(f"{name:<{wide[0]}}  {when:<{wide[1]}}  {then}".rstrip() for name, when, then in table)


@explained
def schedule(mechanism: Any) -> Schedule:
    """What may happen in a run of `mechanism`: its events in their order, with what each waits for and does.

    Names that events watch and items that they switch are checked.

    >>> m = lw.gallery.pendulum()
    >>> _ = m.add("low", lw.Event("A.angle", "-90 deg", direction="falling", then=lw.Lock("A"), most=1))
    >>> print(m.schedule())
    event    when                         then
    (start)                               all as described
    low      A.angle falls to -1.571 rad  lock A, once
    """
    model = full_model(core_of(as_model(mechanism)))
    mechanism = model.mechanism
    idle = [f"{name} off" for name in sorted(model.off_at_start)]
    idle += [
        f"{name} {'free' if name in mechanism.joints else 'off'}"
        for name in dict.fromkeys(model.rows[r].item for r in sorted(model.idle) if model.rows[r].kind != "lock")
    ]
    rows = []
    for name, event in mechanism.events.items():
        watch_of(model, event, 1.0, lambda when: when)  # refuses what it does not know
        rows.append((name, _when(model, event), _then(event)))
    return Schedule(tuple(idle), tuple(rows))


def _when(model: Model, event: Event) -> str:
    way = {"both": "passes", "rising": "rises to", "falling": "falls to"}[event.direction]
    what = event.when if isinstance(event.when, str) else getattr(event.when, "__name__", type(event.when).__name__)
    unit = ""
    if isinstance(event.when, Measure):
        unit = event.when.unit(int(event.when.rate_only))
    elif isinstance(event.when, str) and (found := vocabulary(model).find(event.when)):
        unit = found[0].units[found[1]]
    value = float(event.value) if isinstance(event.value, Measured) else event.value
    return f"{what} {way} {value:.4g} {unit}".rstrip()


def _then(event: Event) -> str:
    done = [one.words if isinstance(one, Action) else getattr(one, "__name__", "a function") for one in event.then]
    often = {None: "", 1: ", once", 2: ", twice"}.get(event.most, f", {event.most} times")
    return (", ".join(done) or "recorded") + often


@explained
def check_events(mechanism: Any) -> list[tuple[str, str, LinkworkError]]:
    """What is wrong with events, each with its name and the field: what they do, what they watch, its value.

    Of a mechanism that is wrong in other ways, only what they do is looked at.
    """
    found: list[tuple[str, str, LinkworkError]] = []
    for name, event in mechanism.events.items():
        for part, look in CHECKS.items():
            try:
                look(mechanism, event)
            except LinkworkError as error:
                found.append((name, part, error))
    if found:
        return found
    with warnings_are("told already"):  # to whoever runs it
        try:
            model = full_model(core_of(as_model(mechanism.copy())))
        except LinkworkError:
            return []
        for name, event in mechanism.events.items():
            try:
                watch_of(model, event, 1.0, lambda when: when)
            except LinkworkError as error:
                found.append((name, "value" if isinstance(error, UnitError) else "when", error))
    return found
