"""What `python -m benchmarks.beside src --library FILE` runs besides explicit runs in body and joint coordinates.

Other parts of the kernels: events that are recorded, the stiff method, point coordinates, and light bodies, which are
solved for with twice the digits in body coordinates.  `events` and `stiff_problems` have their descriptions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

#: group -> cases: name, size or None, coordinates
FURTHER = {
    "events": [("watched", 1, "body"), ("watched", 20, "body"), ("watched", 20, "joint")],
    "radau": [
        ("stiff_chain", 3, "joint"),
        ("stiff_chain", 10, "body"),
        ("flyball", None, "body"),
        ("a_arm", None, "body"),
        ("belt", None, "body"),
    ],
    "points": [
        ("chain_planar", 10, "point"),
        ("chain_planar", 50, "point"),
        ("fourbar", 10, "point"),
        ("andrews", None, "point"),
        ("chain_spatial", 10, "point"),
        ("bricard", None, "point"),
    ],
    "light bodies": [
        ("light_chain", 5, "body"),
        ("light_chain", 20, "body"),
        ("light_chain_in_space", 5, "body"),
        ("light_fourbar", None, "body"),
    ],
}
LIGHT = 1e-9  # kg, beside 1 kg


@dataclass(frozen=True)
class Case:
    """A mechanism, how long it runs, and options of the run."""

    mechanism: Any
    seconds: float
    options: dict = field(default_factory=dict)


def made(name: str, size: int | None) -> Case:
    """The case of a name: one of the problems, or one of those here."""
    from benchmarks import problems

    if name in HERE:
        return HERE[name](size)
    problem = getattr(problems, name)(*([] if size is None else [size]))
    return Case(problem.mechanism, min(problem.end, 2.0), RADAU if name == "flyball" else {})


RADAU = {"method": "radau"}


def watched(levels: int | None) -> Case:
    """A pendulum whose angle is recorded at some levels."""
    from benchmarks import events

    return Case(events.pendulum(levels or 1), 10.0)


def stiff_chain(n: int | None) -> Case:
    """Bars on torsion springs."""
    from benchmarks import stiff_problems

    return Case(stiff_problems.chain(n or 3, 1e6, 1e3)[0], 1.0, RADAU)


def a_arm(_: int | None) -> Case:
    """A double A-arm with a stiff tyre."""
    from benchmarks import stiff_problems

    return Case(stiff_problems.a_arm(bushings=False)[0], 0.5, RADAU)


def belt(_: int | None) -> Case:
    """A block that sticks and slips on a belt; its friction is a law of a user, which numba compiles either way."""
    from benchmarks import stiff_problems

    return Case(stiff_problems.belt()[0], 1.0, RADAU)


def light_chain(n: int | None) -> Case:
    """Bars in turn of 1 kg and very light."""
    import linkwork as lw

    m = lw.Mechanism("light chain")
    end = m.ground.at(0.0, 0.0)
    for k in range(n or 5):
        mass = LIGHT if k % 2 else 1.0
        bar = m.add(f"bar{k}", lw.bar(length=1.0, mass=mass, width=0.1, position=(k + 0.5, 0.0), angle=0.0))
        m.add(f"pin{k}", lw.Revolute(end, bar.a))
        end = bar.b
    return Case(m, 1.0)


def light_chain_in_space(n: int | None) -> Case:
    """The same in space."""
    return Case(light_chain(n).mechanism.in_space(), 1.0)


def light_fourbar(_: int | None) -> Case:
    """A four-bar with a very light coupler."""
    from linkwork import gallery

    return Case(gallery.four_bar().with_numbers({"coupler.mass": LIGHT}), 2.0)


HERE: dict[str, Callable[[int | None], Case]] = {
    one.__name__: one for one in (watched, stiff_chain, a_arm, belt, light_chain, light_chain_in_space, light_fourbar)
}
