"""The contract of a force element: power, potential and sign agree with what it says about energy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.forces import Force, LawPart
from linkwork.mechanism.mechanism import Mechanism
from linkwork.testing.scenes import DIFFERENCES, ROUNDING, Motion, Scene, add_body, close, derivative, scenes

STATES = 2
TIMES = (0.0, 0.37, 1.1)
#: what the ledger may leave at rtol 1e-10, relative to the energy exchanged
LEDGER = 1e-7


@dataclass(frozen=True)
class _OnePart(Force):
    """A force element that is one part of another."""

    part: LawPart | None = None

    def parts(self) -> tuple[LawPart, ...]:
        return (self.part,) if self.part is not None else ()


def check_law(force_element_or_kind: Force | type[Force]) -> None:
    """Check a force element, or a kind of them with the arguments of its `sample`.

    At random states: power of the element against power of its forces on the bodies; a part that stores has a
    force that is minus the gradient of its potential and depends on position only; a part that dissipates
    never adds energy; an element that is not active does nothing.  In a short run the energy ledger balances.
    """
    if isinstance(force_element_or_kind, Force):
        element = force_element_or_kind
        bodies = dict.fromkeys(
            name
            for part in element.parts()
            for one in (*part.reads, *part.along)
            if hasattr(one, "bodies")
            for name in one.bodies
            if name != "ground"
        )
        _check(f"{type(element).__name__}", list(bodies), element)
        return
    for name in ("two bodies", "on ground"):
        scene = scenes()[name]()
        _check(
            f"{force_element_or_kind.__name__} ({name})", scene.bodies, _sample(force_element_or_kind, scene)
        )


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


def _mechanism(bodies: list[str], element: Force) -> Mechanism:
    m = Mechanism("law", gravity=None)
    for name in bodies:
        add_body(m, name)
    m.add("E", element)
    return m


def _check(name: str, bodies: list[str], element: Force) -> None:
    if not element.parts():
        raise AssertionError(f"{name}: has no parts, so nothing can be tested")
    rng = np.random.default_rng(11)
    whole = _Law(f"{name}", bodies, element)
    for t in TIMES:
        for _ in range(STATES):
            whole.check_power(Motion.random(bodies, rng), t)
    for part in element.parts():
        law = _Law(f"{name}, part '{part.label}'", bodies, _OnePart(part=part))
        for t in TIMES:
            for _ in range(STATES):
                motion = Motion.random(bodies, rng)
                if part.energy == "stores":
                    law.check_stores(motion, t, rng)
                    law.check_path(motion, t)
                elif part.energy == "dissipates":
                    law.check_dissipates(motion, t, rng)
    _check_switch(name, bodies, element, rng)
    _check_ledger(name, bodies, element, rng)


class _Law:
    """An element alone on its bodies, without gravity."""

    def __init__(self, name: str, bodies: list[str], element: Force):
        self.name, self.bodies = name, bodies
        self.model = _mechanism(bodies, element).compile(coordinates="body")
        self.stores = [part for part in element.parts() if part.energy == "stores"]

    def at(self, motion: Motion, t: float, s: float = 0.0) -> Any:
        from linkwork.analysis.evaluate import evaluate

        return evaluate(self.model, motion.state(s), t=t, coordinates="body")

    def force(self, found: Any) -> np.ndarray:
        """Applied forces on all velocity coordinates."""
        return np.concatenate([found.applied_force(body) for body in self.bodies])

    def check_power(self, motion: Motion, t: float) -> None:
        here = self.at(motion, t)
        close(
            f"{self.name}: power against forces on the bodies times their speeds, t = {t}",
            here["E.power"],
            self.force(here) @ here.velocities,
            ROUNDING,
        )

    def check_stores(self, motion: Motion, t: float, rng: np.random.Generator) -> None:
        here = self.at(motion, t)
        force = self.force(here)
        for _ in range(2):
            other = Motion(motion.bodies, motion.q, rng.uniform(-5.0, 5.0, motion.v.shape), motion.a)
            close(
                f"{self.name}: stores energy, so its force must not depend on speeds, t = {t}",
                self.force(self.at(other, t)),
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

    def check_path(self, motion: Motion, t: float) -> None:
        """Forces with a potential, whether it is given or not, have a symmetric matrix of derivatives."""
        q = motion.q.ravel()
        along = [partial(lambda line, s: self._generalised(q + s * line, t), line) for line in np.eye(q.size)]
        matrix = np.array([derivative(function) for function in along]).T
        close(
            f"{self.name}: stores energy, but its work depends on the path (derivatives of force, t = {t})",
            matrix,
            matrix.T,
            1e-7,
        )

    def _generalised(self, q: np.ndarray, t: float) -> np.ndarray:
        """Forces on the coordinates of the body frames: the power at unit speed of each."""
        still = 0.0 * q
        found = [self.at(Motion(self.bodies, q, unit, still), t) for unit in np.eye(q.size)]
        force = self.force(found[0])
        return np.array([force @ one.velocities for one in found])

    def check_dissipates(self, motion: Motion, t: float, rng: np.random.Generator) -> None:
        for _ in range(8):
            speeds = rng.uniform(-5.0, 5.0, motion.v.shape)
            power = self.at(Motion(motion.bodies, motion.q, speeds, motion.a), t)["E.power"]
            if power > ROUNDING:
                raise AssertionError(
                    f"{self.name}: dissipates, but adds {power:.6g} W at t = {t} with speeds "
                    f"{np.round(speeds, 3).tolist()}"
                )


def _check_switch(name: str, bodies: list[str], element: Force, rng: np.random.Generator) -> None:
    """Not active: no force."""
    from linkwork.analysis.evaluate import evaluate

    off = element.named("E")
    object.__setattr__(off, "active", False)
    motion = Motion.random(bodies, rng)
    idle = evaluate(_mechanism(bodies, off), motion.state(), t=0.37, coordinates="body")
    force = np.concatenate([idle.applied_force(body) for body in bodies])
    close(f"{name}: force although active=False", force, np.zeros(force.size), 0.0)


def _check_ledger(name: str, bodies: list[str], element: Force, rng: np.random.Generator) -> None:
    """Energy in, out and stored add up."""
    from linkwork.analysis.simulate import simulate

    for _ in range(2):
        motion = Motion.random(bodies, rng)
        start = motion.state()
        run = simulate(
            _mechanism(bodies, element), 0.5, every=0.02, start=start, coordinates="body", rtol=1e-10
        )
        e = run.energy
        exchanged = max(
            float(np.ptp(series)) for series in (e.kinetic, e.potential, e.supplied, e.dissipated)
        )
        if exchanged < 1e-9:
            raise AssertionError(f"{name}: no energy was exchanged in a run, so nothing was tested")
        close(f"{name}: energy not accounted for in a run", np.abs(e.balance).max() / exchanged, 0.0, LEDGER)
        if np.diff(e.dissipated).min(initial=0.0) < -LEDGER * exchanged:
            raise AssertionError(
                f"{name}: energy dissipated falls by {-np.diff(e.dissipated).min():.3g} J in a run"
            )
