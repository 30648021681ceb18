"""How an item is drawn, said by the item itself: marks, which are data; pictures are made of them elsewhere.

A joint, a force or a driver answers `symbol()` with marks.  A class derived from one keeps its marks, and a class of
one's own may give any of these:

| kind | frames | sizes | what it is |
|---|---|---|---|
| `pin`, `ball`, `weld`, `cross`, `bell` | on, to | | both frames at one place |
| `guide`, `slot` | on, to | `offset` | a block, or a pin, along x of `on`, over the reading `slide` |
| `sleeve`, `screw`, `bore` | on, to | | along z of `on`, over the reading `slide` |
| `fork` | on, to | | a pin about z of `on` that carries a sleeve along z of `to` |
| `plane` | on, to | `offset`, `ball` | the plane x-y of `on` |
| `rod` | on, to | `ends` | a massless link, with a pin, ball or cross at each end |
| `wheel` | on, to | `radius`, `on_radius` | `to` rolls on the line x of `on`, or on its disc |
| `gear`, `belt`, `bevel` | on, to | `on_radius`, `to_radius`, `internal`, `shaft_angle` | two wheels |
| `rack` | on, to | `radius` | a rack along x of `on`, a pinion at `to` |
| `hold` | on, to | `x`, `y`, `z`, `angle` | rollers across what is held |
| `blade` | on, to | | a skate along x of `to` |
| `dashes` | on, to | | a dashed line: no symbol of its own |
| `strut` | on, to | `parts` | spring, damper and actuator side by side |
| `spiral`, `bushing` | on, to | | a torsion spring; a block of rubber |
| `push` | at | `x`, `y`, `z`, `axes` | a force with these components, numbers or functions of time |
| `twist` | to, on | `value` | a torque about z |
| `stop` | | `measure`, `lower`, `upper` | the ends of a measure |
| `drive`, `acts` | | `measure` | what a driver moves, or a force acts along |
| `dot` | at | | a place where something acts |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from linkwork.arguments import Explained
from linkwork.records import dataclass

if TYPE_CHECKING:
    from linkwork.mechanism.frames import Frame


@dataclass(frozen=True)
class Mark(metaclass=Explained):
    """A part of a symbol: its kind, the frames that it stands at or between, and its sizes.

    `holds` says that the links of the bodies lead to these frames.
    """

    kind: str
    frames: tuple[Frame, ...] = ()
    sizes: Mapping[str, Any] = field(default_factory=dict)
    holds: bool = True


def mark(kind: str, *frames: Frame, holds: bool = True, **sizes: Any) -> Mark:
    """A mark with its sizes written as keywords."""
    return Mark(kind, frames, sizes, holds)
