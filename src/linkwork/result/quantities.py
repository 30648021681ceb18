"""The registry of quantities: what can be asked of a result by name.

A quantity belongs to a kind of item and says its names, its unit, its meaning, what it needs and how it is read.  The
names of a result, their units, long names and the table in the documents follow from it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeVar

import numpy as np

from linkwork.arguments import explained
from linkwork.compiled.names import ORDERS, split
from linkwork.errors import DescriptionError, UnitError, UnknownNameError, message, nearest_names
from linkwork.records import dataclass
from linkwork.units.names import WrongUnit, unit_of

#: kind of item -> where a mechanism keeps its items; "system" and "energy" are the mechanism as a whole
FAMILIES = {"body": "bodies", "joint": "joints", "driver": "drivers", "force": "forces", "reading": "readings"}
WHOLE = ("system", "energy")
TIME = ("t", "time")
#: what a quantity may need, from next to nothing to forward dynamics; "work" is integrated with the motion
NEEDS = ("states", "rates", "accelerations", "multipliers", "work")
EXAMPLES = {"body": "crank", "joint": "B", "driver": "motor", "force": "spring", "reading": "clearance"}
Need = Literal["states", "rates", "accelerations", "multipliers", "work"]
Parts = Literal["", "vector", "turning"]
#: of (result, item)
Read = TypeVar("Read", bound=Callable[[Any, str], Any])


@dataclass(frozen=True)
class Named:
    """One name of a mechanism: units of its value and of the rates that exist, its meaning, its needs, its reading."""

    units: tuple[str, ...]
    words: str
    needs: str
    read: Callable[[Any, int], np.ndarray]  # (result, order of the rate) -> (times,)
    local: bool = True  # a time needs no other one: parts of a result can be read by themselves


@dataclass(frozen=True)
class Quantity:
    """What is registered: of which items, an example of its names, unit and meaning for the documents, and its names.

    `named(model, item)` gives {what stands behind the item and a dot: Named}.
    """

    of: str
    example: str
    unit: str
    words: str
    needs: str
    named: Callable[[Any, str], dict[str, Named]]


REGISTRY: list[Quantity] = []
_FIXED: set[tuple[str, str]] = set()


@explained
def quantity(
    name: str,
    *,
    of: str,
    unit: str,
    words: str,
    needs: Need,
    parts: Parts = "",
    exists: Callable[[Any, str], bool] | None = None,
) -> Callable[[Read], Read]:
    """Register a function `(result, item)` as the quantity `item.name` of all results: `name` is what follows the dot.

    `of` is the kind of item: "body", "joint", "driver", "force", "reading", or "system" for the mechanism as a whole.
    The function returns an array (times,); with `parts="vector"` (times, 2) in the plane and (times, 3) in space, whose
    components are `item.name.x` and so on; with `parts="turning"` what has one component in the plane, (times,), and
    three in space.  `unit` is in SI, `words` say what it is, `needs` the most that it needs of a state: "states",
    "rates", "accelerations", "multipliers" or "work".  `exists(mechanism, item)` says whether an item has it.

    >>> @lw.quantity("pace", of="body", unit="m/s", words="size of the velocity of its frame", needs="rates")
    ... def pace(run, body):
    ...     return np.linalg.norm(run[f"{body}.rate"], axis=1)
    >>> lw.gallery.four_bar().simulate(0.1)["crank.pace"].shape
    (201,)
    """
    _check(name, of, unit, needs, parts)

    def register(function: Read) -> Read:
        def named(model: Any, item: str) -> dict[str, Named]:
            if exists is not None and not exists(model.mechanism, item):
                return {}
            whole = parts == "" or (parts == "turning" and model.dimension == 2)
            # who knows what functions of others do with the times
            local = str(getattr(function, "__module__", "")).startswith("linkwork.")

            def read(part: Any, run: Any, order: int) -> Any:
                found = run.whole(name, item, function)
                return found if part is None else found[:, part]

            if whole:
                return {name: Named((unit,), words, needs, partial(read, None), local)}
            return {
                f"{name}.{axis}": Named((unit,), words, needs, partial(read, k), local)
                for k, axis in enumerate("xyz"[: model.dimension])
            }

        example = f"`{EXAMPLES.get(of, of)}.{name}{'.x' if parts == 'vector' else ''}`"
        add(Quantity(of, example, unit, words, needs, named))
        _FIXED.add((of, name))
        return function

    return register


def add(new: Quantity) -> None:
    """Register a quantity."""
    REGISTRY.append(new)


def _check(name: Any, of: Any, unit: Any, needs: Any, parts: Any) -> None:
    item = f"Quantity '{name}'"
    for what, value, known in (
        ("of", of, (*FAMILIES, *WHOLE)),
        ("needs", needs, NEEDS),
        ("parts", parts, ("", "vector", "turning")),
    ):
        if value not in known:
            raise DescriptionError(
                message(
                    item, f"has an unknown `{what}`", repr(value), "one of " + ", ".join(repr(one) for one in known)
                )
            )
    if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
        raise DescriptionError(message(item, "has a name that is no word", repr(name), "words with dots between them"))
    if name.rpartition(".")[2] in ORDERS:
        raise DescriptionError(message(item, "ends like the rate of another", repr(name), "another name"))
    load()
    if (of, name) in _FIXED:
        raise DescriptionError(message(item, f"is registered already for every {of}", remedy="choose another name"))
    try:
        given = unit_of(str(unit))
    except WrongUnit as wrong:
        raise UnitError(
            message(item, f"has a unit that cannot be read: {wrong}", repr(unit), remedy=wrong.remedy)
        ) from None
    if given.factor != 1 or given.turns:
        raise UnitError(
            message(
                item,
                "has a unit that is not of SI",
                repr(unit),
                "metre, kilogram, second, radian",
                f"a result is read in other units by run.read(name, to={unit!r})",
            )
        )


def load() -> None:
    """Have the quantities of the product registered."""
    from linkwork.result import known  # noqa: F401 - it registers them


class Vocabulary:
    """All names of one model; those of an item are made when it is first asked for."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.count = len(REGISTRY)
        self._items: dict[str, dict[str, Named]] = {}

    def kind(self, item: str) -> str | None:
        """Body, joint, driver, force, reading, or system and energy for the whole; time."""
        mechanism = self.model.mechanism
        if item in TIME:
            return "time"
        return (
            item
            if item in WHOLE
            else next((kind for kind, family in FAMILIES.items() if item in getattr(mechanism, family)), None)
        )

    def of(self, item: str) -> dict[str, Named]:
        """{what stands behind the item and a dot: Named}; nothing stands behind time."""
        if item not in self._items:
            kind = self.kind(item)
            found: dict[str, Named] = {}
            for entry in REGISTRY:
                if entry.of == kind:
                    # measures come first: a point that somebody called "momentum" keeps its name
                    for rest, one in entry.named(self.model, item).items():
                        found.setdefault(rest, one)
            self._items[item] = found
        return self._items[item]

    @property
    def items(self) -> list[str]:
        """Names of all items, and of the mechanism as a whole."""
        mechanism = self.model.mechanism
        return [*(item for family in FAMILIES.values() for item in getattr(mechanism, family)), *WHOLE]

    @property
    def names(self) -> list[str]:
        """Every name of a scalar, without those of rates."""
        return [f"{item}.{rest}" for item in self.items for rest in self.of(item)]

    @property
    def with_rates(self) -> list[str]:
        """Every name of a scalar, with those of rates and accelerations."""
        return [
            f"{item}.{rest}{ending}"
            for item in self.items
            for rest, one in self.of(item).items()
            for ending in ("", ".rate", ".acceleration")[: len(one.units)]
        ]

    def find(self, name: str) -> tuple[Named, int] | None:
        """What a name means, and the order of its rate; None for a name that is no scalar."""
        item, dot, rest = name.partition(".")
        known = self.of(item)
        if rest in known and bool(rest) == bool(dot):
            return known[rest], 0
        base, order = split(rest)
        found = known.get(base) if order else None
        return (found, order) if found is not None and order < len(found.units) else None

    def of_name(self, name: str) -> Named:
        """What one of `names` means."""
        item, _, rest = name.partition(".")
        return self.of(item)[rest]

    def components(self, name: str) -> list[str]:
        """Names of the components of a vector; none for a name that is no vector."""
        base, order = split(name)
        ending = name[len(base) :]
        names = [f"{base}.{axis}{ending}" for axis in "xyz"[: self.model.dimension]]
        if order and all(self.find(f"{name}.{axis}") for axis in "xyz"[: self.model.dimension]):
            return []  # a point may have any name
        return names if all(self.find(one) for one in names) else []

    def meaning(self, name: str) -> tuple[Named, int]:
        """What a name means, a vector by its first component; an unknown one is refused."""
        if isinstance(name, str):
            found = self.find(name) or next((self.find(one) for one in self.components(name)[:1]), None)
            if found is not None:
                return found
        near = self.names
        item = str(name).partition(".")[0]
        if self.kind(item) is not None:  # names of the same item come first to mind
            near = [f"{item}.{rest}".removesuffix(".") for rest in self.of(item)] or near
        elif isinstance(name, str) and "." in name and not nearest_names(name, near):
            m = self.model.mechanism
            items = [*m.bodies, *m.joints, *m.drivers, *m.forces, *m.readings]
            raise UnknownNameError("item", item, items, f"in mechanism '{m.name}', wanted by '{name}'")
        raise UnknownNameError(
            "quantity",
            name if isinstance(name, str) else repr(name),
            [*self._rates_meant(str(name)), *near],
            f"in mechanism '{self.model.mechanism.name}'",
        )

    def _rates_meant(self, name: str) -> list[str]:
        """An angular acceleration is the rate of an angular velocity, in the plane that of an angle: its names here."""
        item, _, rest = name.partition(".")
        word, _, axis = rest.partition(".")
        if word != "angular_acceleration":
            return []
        tries = [f"angular_velocity.{axis or 'x'}.rate", "angle.acceleration"]
        found = [f"{item}.{one}" for one in tries if self.find(f"{item}.{one}")][:1]
        return found if axis else [*found, *(one for one in [f"{item}.angular_velocity"] if self.components(one))]


def vocabulary(model: Any) -> Vocabulary:
    """The names of a model, made once; again when a quantity has been registered since."""
    load()
    known: Vocabulary | None = model.__dict__.get("_vocabulary")
    if known is None or known.count != len(REGISTRY):
        known = model.__dict__["_vocabulary"] = Vocabulary(model)
    return known


def long_name(model: Any, name: str) -> str:
    """A name in words: 'B.reaction.x' is 'reaction x of joint B'."""
    base, order = split(name)
    item, _, rest = base.partition(".")
    kind, parts = vocabulary(model).kind(item), rest.split(".")
    if kind in (None, "time"):
        return kind or name
    owner = {"system": "the system", "energy": ""}.get(kind, f"{kind} {item}")
    if kind == "body" and parts[0] in model.mechanism.bodies[item].points:
        owner = f"point {parts.pop(0)} of {owner}"
    words = " ".join(parts).replace("_", " ") or "position"
    if kind == "energy":
        return f"{words} energy" if words in ("kinetic", "potential", "total") else f"energy {words}"
    return f"{('', 'rate of ', 'acceleration of ')[order]}{words} of {owner}"


def table() -> str:
    """The registered quantities as a table of Markdown: name, meaning, unit, what it needs."""
    load()
    lines = ["| name | meaning | unit | needs |", "|---|---|---|---|"]
    return "\n".join([*lines, *(f"| {one.example} | {one.words} | {one.unit} | {one.needs} |" for one in REGISTRY)])
