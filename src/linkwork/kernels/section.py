"""One section of the three vectors of the kernels: see `sections`."""

from __future__ import annotations

from dataclasses import dataclass, field

from linkwork.kernels import layout as at


@dataclass(frozen=True)
class Section:
    """One section: where its offset is in the header, its shape, what it holds.

    `coordinates` are the sets that alone have it, `dimension` is 2 or 3 where only the plane or space has it, and
    `doubled` says that low parts may stand behind it (see `doubled`).
    """

    name: str
    shape: str
    meaning: str
    columns: dict[str, str] = field(default_factory=dict)
    coordinates: str = ""
    doubled: bool = False
    dimension: int = 0

    def of(self, coordinates: str, dimension: int) -> bool:
        """Whether a set has it, in the plane (2) or in space (3)."""
        return self.dimension in (0, dimension) and (not self.coordinates or coordinates in self.coordinates.split())

    @property
    def key(self) -> int:
        """Its entry in the header."""
        return int(getattr(at, self.name))

    @property
    def vector(self) -> str:
        """The vector that it is in: tab, p or w."""
        return {"T": "tab", "P": "p", "W": "w"}[self.name[0]]
