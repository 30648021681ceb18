"""The contract of a force element: power, potential and sign agree with what it says about energy."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.forces import Force
from linkwork.mechanism.law_parts import LawPart
from linkwork.mechanism.mechanism import Mechanism
from linkwork.testing.law_slopes import check_slopes
from linkwork.testing.law_steps import check_states, check_steps
from linkwork.testing.places import places
from linkwork.testing.scenes import (
    DIFFERENCES,
    ROUNDING,
    Moving,
    Scene,
    add_body,
    along_columns,
    close,
    derivative,
    scenes,
    state_at,
)

STATES = 2
TIMES = (0.0, 0.37, 1.1)
#: what the ledger may leave at rtol 1e-10, relative to the energy exchanged
LEDGER = 1e-7
#: points around a closed path, where sums are as good as integrals
POINTS = 160


@dataclass(frozen=True)
class _OnePart(Force):
    """A force element that is one part of another."""

    part: LawPart | None = None

    def parts(self) -> tuple[LawPart, ...]:
        return (self.part,) if self.part is not None else ()


def check_law(force_element_or_kind: Force | type[Force], dimension: int | None = None) -> None:
    """Check a force element, or a kind of them with the arguments of its `sample`; without a dimension a kind is
    checked in the plane and in space, where it exists, and an element in the plane, if it exists there.

    At random states: power of the element against power of its forces on the bodies; a part that stores has a
    force that is minus the gradient of its potential and depends on position only; a part that dissipates
    never adds energy; an element that is not active does nothing.  In a short run the energy ledger balances.

    Of a law with states or memory: the same state gives the same forces and rates whatever was evaluated before, rates
    of states are finite, `accept` runs once for every accepted step, and a run that is cut in two ends as one that is
    not.  Where states store energy, power and potential are compared along a run.  Slopes that a law tells are compared
    with differences of its forces.
    """
    if isinstance(force_element_or_kind, Force):
        element = force_element_or_kind
        own = dimension or getattr(element, "dimensions", (2,))[0]
        bodies = dict.fromkeys(
            name
            for part in element.parts_in(own)
            for one in (*part.reads, *part.along)
            if hasattr(one, "bodies")
            for name in one.bodies
            if name != "ground"
        )
        _check(f"{type(element).__name__}", list(bodies), element, own)
        return
    kind = force_element_or_kind
    for own in (dimension,) if dimension else getattr(kind, "dimensions", (2, 3)):
        for name in ("two bodies", "on ground"):
            scene = scenes(dimension=own)[name]()
            where = name if own == 2 else f"space, {name}"
            _check(f"{kind.__name__} ({where})", scene.bodies, _sample(kind, scene), own)


def _sample(kind: type[Force], scene: Scene) -> Force:
    given = getattr(kind, "sample", None)
    if given is None:
        raise DescriptionError(
            message(
                f"check_law({kind.__name__})",
                "has no `sample` to make an element from",
                remedy="give the class a sample, or check an element of it",
            )
        )
    ends: dict[str, Any] = {"on": scene.on, "to": scene.to, "at": scene.to}
    fields = kind.__dataclass_fields__
    return kind(**{key: frame for key, frame in ends.items() if key in fields}, **given)


def _mechanism(bodies: list[str], element: Force, dimension: int) -> Mechanism:
    m = Mechanism("law", dimension=dimension, gravity=None)
    for name in bodies:
        add_body(m, name)
    m.add("E", element)
    return m


def _check(name: str, bodies: list[str], element: Force, dimension: int) -> None:
    parts = element.parts_in(dimension)
    if not parts:
        raise AssertionError(f"{name}: has no parts, so nothing can be tested")
    rng = np.random.default_rng(11)
    whole = _Law(f"{name}", bodies, element, dimension)
    for t in TIMES:
        for _ in range(STATES):
            whole.check_power(whole.random(rng), t)
    for part in parts:
        law = _Law(f"{name}, part '{part.label}'", bodies, _OnePart(part=part), dimension)
        check_slopes(law.name, part, np.random.default_rng(12))
        if part.states or part.memory:
            check_steps(law, part, rng)
        if part.states:
            check_states(law, part, rng)
            continue
        for t in TIMES:
            for _ in range(STATES):
                motion = law.random(rng)
                if part.energy == "stores":
                    law.check_stores(motion, t, rng)
                elif part.energy == "dissipates":
                    law.check_dissipates(motion, t, rng)
        if part.energy == "stores":
            law.check_path(TIMES[1], rng)
    _check_switch(name, bodies, element, dimension, rng)
    if all(part.states and part.energy == "drives" for part in parts) and not _works(whole, rng):
        return  # a sensor
    _check_ledger(name, whole, rng)


class _Law:
    """An element alone on its bodies, without gravity."""

    def __init__(self, name: str, bodies: list[str], element: Force, dimension: int):
        self.name, self.bodies, self.dimension = name, bodies, dimension
        self.places = places(dimension, "check_law")
        self.model = _mechanism(bodies, element, dimension).compile(coordinates="body")
        self.stores = [part for part in element.parts_in(dimension) if part.energy == "stores"]

    def of(self, part: LawPart) -> Any:
        """The model with another part in place of its own."""
        return _mechanism(self.bodies, _OnePart(part=part), self.dimension).compile(coordinates="body")

    def random(self, rng: np.random.Generator) -> Moving:
        return Moving.random(self.places, len(self.bodies), rng)

    def speeds(self, rng: np.random.Generator) -> np.ndarray:
        return rng.uniform(-5.0, 5.0, (len(self.bodies), self.places.freedom))

    def at(self, motion: Moving, t: float, s: float = 0.0, speeds: Any = None) -> Any:
        from linkwork.analysis.evaluate import evaluate

        poses = [self.places.packed(pose) for pose in motion.poses(s)]
        state = state_at(self.model, poses, motion.twists(s) if speeds is None else speeds)
        return evaluate(self.model, replace(state, t=t), coordinates="body")

    def force(self, found: Any) -> np.ndarray:
        """Applied forces on all velocity coordinates."""
        return np.concatenate([along_columns(self.model, body, found) for body in self.bodies])

    def check_power(self, motion: Moving, t: float) -> None:
        here = self.at(motion, t)
        close(
            f"{self.name}: power against forces on the bodies times their speeds, t = {t}",
            here["E.power"],
            self.force(here) @ here.velocities,
            ROUNDING,
        )

    def check_stores(self, motion: Moving, t: float, rng: np.random.Generator) -> None:
        here = self.at(motion, t)
        force = self.force(here)
        for _ in range(2):
            close(
                f"{self.name}: stores energy, so its force must not depend on speeds, t = {t}",
                self.force(self.at(motion, t, speeds=self.speeds(rng))),
                force,
                ROUNDING,
            )
        close(
            f"{self.name}: stores energy, so its force must not depend on time",
            self.force(self.at(motion, t + 0.6)),
            force,
            ROUNDING,
        )
        if self.stores[0].potential is not None:
            slope = derivative(lambda s: self.at(motion, t, s).energy.potential)
            close(
                f"{self.name}: change of its potential against minus its power",
                slope,
                -(force @ here.velocities),
                DIFFERENCES,
            )

    def check_path(self, t: float, rng: np.random.Generator) -> None:
        """Forces with a potential, whether it is given or not, do no work on a way that comes back."""
        closed = Moving.random(self.places, len(self.bodies), rng, closed=True)
        steps = 2.0 * math.pi / POINTS * np.arange(POINTS)
        power = np.array([self.at(closed, t, s)["E.power"] for s in steps])
        close(
            f"{self.name}: stores energy, but its work depends on the path (work on the way round, t = {t})",
            2.0 * math.pi * float(power.mean()) / max(1.0, float(np.abs(power).max())),
            0.0,
            1e-7,
        )

    def check_dissipates(self, motion: Moving, t: float, rng: np.random.Generator) -> None:
        for _ in range(8):
            speeds = self.speeds(rng)
            power = self.at(motion, t, speeds=speeds)["E.power"]
            if power > ROUNDING:
                raise AssertionError(
                    f"{self.name}: dissipates, but adds {power:.6g} W at t = {t} with speeds "
                    f"{np.round(speeds, 3).tolist()}"
                )


def _check_switch(name: str, bodies: list[str], element: Force, dimension: int, rng: np.random.Generator) -> None:
    """Not active: no force."""
    off = element.named("E")
    object.__setattr__(off, "active", False)
    idle = _Law(name, bodies, off, dimension)
    force = idle.force(idle.at(idle.random(rng), 0.37))
    allowed = 0.0 if dimension == 2 else 1e-15  # in space gyroscopic moments are taken out of what is reported
    close(f"{name}: force although active=False", force, np.zeros(force.size), allowed)


def _works(law: _Law, rng: np.random.Generator) -> bool:
    """Whether an element that only drives gives any force."""
    return any(law.force(law.at(law.random(rng), t)).any() for t in TIMES)


def _check_ledger(name: str, law: _Law, rng: np.random.Generator) -> None:
    """Energy in, out and stored add up."""
    from linkwork.analysis.simulate import simulate

    for _ in range(2):
        start = law.random(rng).state(law.model)
        run = simulate(law.model, 0.5, every=0.02, start=start, coordinates="body", rtol=1e-10)
        e = run.energy
        exchanged = max(float(np.ptp(series)) for series in (e.kinetic, e.potential, e.supplied, e.dissipated))
        if exchanged < 1e-9:
            raise AssertionError(f"{name}: no energy was exchanged in a run, so nothing was tested")
        close(f"{name}: energy not accounted for in a run", np.abs(e.balance).max() / exchanged, 0.0, LEDGER)
        if np.diff(e.dissipated).min(initial=0.0) < -LEDGER * exchanged:
            raise AssertionError(f"{name}: energy dissipated falls by {-np.diff(e.dissipated).min():.3g} J in a run")
