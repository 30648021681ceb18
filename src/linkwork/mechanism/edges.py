"""Measures of a disc that stands on a plane: the height of its lowest point, and how that slips."""

from __future__ import annotations

from typing import Any, ClassVar

from linkwork.mechanism.checks import Size, settle
from linkwork.mechanism.measures import Axis, Measure, checked_axis
from linkwork.records import dataclass


@dataclass(frozen=True)
class EdgeHeight(Measure):
    """Height of the lowest point of a disc, about z of `to` and of this radius, over the plane z = 0 of `on`.

    Units: radius [m].

    >>> m = lw.Mechanism(dimension=3)
    >>> disc = m.add(
    ...     "disc",
    ...     lw.disc(
    ...         radius=0.3,
    ...         mass=1,
    ...         thickness=0.01,
    ...         position=(0, 0, 0.5),
    ...         orientation={"axis": (1, 0, 0), "angle": "90 deg"},
    ...     ),
    ... )
    >>> _ = m.add("it", lw.Reading(lw.EdgeHeight("ground", "disc", radius=0.3)))
    >>> print(f"{m.evaluate()['it.value']:.3f}")
    0.200
    """

    radius: Size = 1.0

    formula: ClassVar[str] = "edge_height"
    pair: ClassVar[str] = "edge"
    turns_with: ClassVar[tuple[str, ...]] = ("on", "to")
    dimensions: ClassVar[tuple[int, ...]] = (3,)
    sample: ClassVar[dict[str, Any]] = {"radius": 0.3}

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, type(self).__name__, "radius")

    def numbers(self) -> tuple[float, ...]:
        return (self.radius,)


@dataclass(frozen=True)
class EdgeSlip(EdgeHeight):
    """Speed of the lowest point of a disc (see `EdgeHeight`) over the plane of `on`, along `axis` of `on`.

    It has no value.

    Units: radius [m].

    >>> m = lw.Mechanism(dimension=3)
    >>> disc = m.add(
    ...     "disc",
    ...     lw.disc(
    ...         radius=0.3,
    ...         mass=1,
    ...         thickness=0.01,
    ...         position=(0, 0, 0.3),
    ...         orientation={"axis": (1, 0, 0), "angle": "90 deg"},
    ...         velocity=(2, 0, 0),
    ...     ),
    ... )
    >>> _ = m.add("it", lw.Reading(lw.EdgeSlip("ground", "disc", radius=0.3)))
    >>> print(f"{m.evaluate()['it.speed']:.3f}")
    2.000
    """

    axis: Axis = "x"

    formula: ClassVar[str] = "edge_slip"
    rate_only: ClassVar[bool] = True
    sample: ClassVar[dict[str, Any]] = {"radius": 0.3, "axis": "y"}

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_axis(self.axis, "EdgeSlip")

    def heading(self) -> tuple[str, Any, str]:
        return "axis", self.on, self.axis
