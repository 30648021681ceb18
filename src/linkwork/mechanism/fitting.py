"""Whether an item fits a mechanism: its frames are on bodies that there are, at points that are where they were."""

from __future__ import annotations

from typing import Any

from linkwork.errors import DescriptionError, OutOfPlaneError, UnknownNameError, message
from linkwork.mechanism.attached import frames_of
from linkwork.mechanism.bodies import Body


def check_points(mechanism, old: Body, new: Body) -> None:
    """A body may be replaced while the points that others are attached to stay where they are."""
    attached: list[Any] = [one for kind, family in mechanism._families if kind is not Body for one in family.values()]
    for item in attached:
        for frame in frames_of(item):
            if frame.body == old.name and frame.name and new.points.get(frame.name) != old.points.get(frame.name):
                raise DescriptionError(
                    message(
                        f"Body '{old.name}'",
                        f"cannot be replaced: {item.item} is attached to its point "
                        f"'{frame.name}', which is elsewhere on the new one",
                        new.points.get(frame.name),
                        str(old.points.get(frame.name)),
                        "describe the mechanism anew, for example by a function",
                    )
                )


def check_bodies(mechanism, item) -> None:
    """Every frame must be on a body of this mechanism, and a planar mechanism must stay in its plane."""
    if mechanism.dimension == 2 and getattr(item, "planar_instead", ""):
        wrong = f"is a {type(item).__name__}, which there is only in space"
        raise OutOfPlaneError(message(item.item, wrong, remedy=f"in the plane use {item.planar_instead}"))
    for frame in frames_of(item):
        if frame.body != "ground" and frame.body not in mechanism.bodies:
            raise UnknownNameError(
                "body",
                frame.body,
                [*mechanism.bodies, "ground"],
                f"in mechanism '{mechanism.name}', wanted by {item.item}",
            )
        recipe = frame.__dict__.get("_recipe")
        known = recipe is not None and recipe.used.keys() <= mechanism.parameters.keys()
        if known and not recipe.fits(mechanism.parameters):
            raise DescriptionError(
                message(
                    item.item,
                    f"has a frame {frame} that was made with other parameters, {recipe!r}",
                    remedy="make it with a body of this mechanism",
                )
            )
        own = mechanism.bodies[frame.body].points if frame.body != "ground" else {}
        if frame.name in own and (*own[frame.name], 0.0)[:3] != frame.position:
            raise DescriptionError(
                message(
                    item.item,
                    f"is attached to {frame}, which is elsewhere on the body of that name in this mechanism",
                    f"{frame.position}",
                    f"{(*own[frame.name], 0.0)[:3]}",
                    f"take the point of the body that belongs to mechanism '{mechanism.name}'",
                )
            )
        if mechanism.dimension == 2 and (frame.position[2] != 0.0 or frame.axis is not None):
            raise OutOfPlaneError(
                message(
                    item.item,
                    f"frame {frame} leaves the plane of this 2-D mechanism",
                    remedy="leave out z and axis, or use Mechanism(dimension=3)",
                )
            )
