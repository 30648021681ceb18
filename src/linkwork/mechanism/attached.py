"""What an item of a mechanism is attached to."""

from __future__ import annotations

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.bodies import Body
from linkwork.mechanism.drivers import Driver
from linkwork.mechanism.events import Event
from linkwork.mechanism.forces import Force
from linkwork.mechanism.frames import Frame
from linkwork.mechanism.joints import Joint
from linkwork.mechanism.measures import Measure
from linkwork.mechanism.readings import Reading


def frames_of(item):
    """All frames that an item refers to."""
    measures = []
    if isinstance(item, Joint):
        yield item.on
        yield item.to
        return
    if isinstance(item, Driver | Reading):
        measures.append(item.measure)
    if isinstance(item, Event) and isinstance(item.when, Measure):
        measures.append(item.when)
    for part in item.parts() if isinstance(item, Force) else ():
        measures += [one for one in (*part.reads, *part.along) if hasattr(one, "terms")]
    for key in ("on", "to", "at"):
        frame = item.__dict__.get(key) if isinstance(item, Force) else None
        if isinstance(frame, Frame):
            yield frame
    for measure in measures:
        for _, one in measure.terms():
            yield one.on
            yield one.to


def refuse_used(name: str, item, items) -> None:
    """Refuse to take an item out that others need: a body that they are attached to, anything that events name."""
    refuse_named(name, item, [one for one in items if isinstance(one, Event)])
    others = [one for one in items if not isinstance(one, Body)] if isinstance(item, Body) else []
    users = [one.item for one in others if any(f.body == name for f in frames_of(one))]
    if users:
        more = f" and {len(users) - 5} more" if len(users) > 5 else ""
        raise DescriptionError(
            message(
                f"Body '{name}'",
                f"cannot be removed: {', '.join(users[:5])}{more} {'is' if len(users) == 1 else 'are'} attached to it",
                remedy="remove first what is attached",
            )
        )


def refuse_named(name: str, item, events) -> None:
    """Refuse to take an item out that events watch, act on or touch by its name."""
    users = [(one, one.names(name)) for one in events if one.name != name and one.names(name)]
    if users:
        told = ", ".join(f"{one.item} (`{'`, `'.join(fields)}`)" for one, fields in users[:5])
        more = f" and {len(users) - 5} more" if len(users) > 5 else ""
        what = f"Body '{name}'" if isinstance(item, Body) else item.item
        first = users[0][0].name
        raise DescriptionError(
            message(
                what,
                f"cannot be removed: {told}{more} {'names' if len(users) == 1 else 'name'} it",
                remedy=f"first m.remove({first!r}), or m.replace({first!r}, ...) by one that does not name it",
            )
        )
