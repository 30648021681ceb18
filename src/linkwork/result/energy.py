"""The energy ledger: kinetic, potential by element, dissipated, supplied, and what does not balance."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from linkwork import cells
from linkwork.records import only_read
from linkwork.result.segments import joined

LEDGER = ("kinetic", "potential", "total", "supplied", "dissipated", "lost", "balance")
PANELS = 64  # of the quadrature of a spring's characteristic


class Energy:
    """Energies at every stored time; work was integrated together with the motion.

    balance = total - total at the start - supplied + dissipated + lost          (zero for exact integration)
    """

    def __init__(self, series: Any, result: Any) -> None:
        self._series = series
        self._result = result

    def plot(self, file: Any = None) -> Any:
        """Plot the ledger; `run.plot("energy")` takes further options."""
        return self._result.plot("energy", file=file)

    def __repr__(self) -> str:
        return f"<energy ledger of '{self._series.model.mechanism.name}', {len(self._series.t)} times>"

    def _repr_html_(self) -> str:
        rows = [(name, one[0], one[-1], one.min(), one.max()) for name in LEDGER for one in [getattr(self, name)]]
        return cells.shown(
            f"Energy ledger of {self._series.model.mechanism.name}",
            cells.picture(self.plot, "energies over time, and what does not balance"),
            cells.table(("energy [J]", "first", "last", "least", "greatest"), rows),
        )

    def __str__(self) -> str:
        lines = [f"{'energy [J]':<14}{'first':>14}{'last':>14}{'least':>14}{'greatest':>14}"]
        for name in LEDGER:
            series = getattr(self, name)
            lines.append(f"{name:<14}{series[0]:14.6g}{series[-1]:14.6g}{series.min():14.6g}{series.max():14.6g}")
        return "\n".join(lines)

    @cached_property
    def _of_bodies(self) -> tuple[np.ndarray, np.ndarray]:
        """Kinetic energy and potential of the weights: 1/2 v' M v and -r' w."""
        if self._alike:
            kinetic, gravity = self._of_bodies_in(self._series)
        else:
            found = [[part[one.outputs] for part in self._of_bodies_in(one.at_hand().series)] for one in self._segments]
            kinetic, gravity = (np.concatenate(parts) for parts in zip(*found))
        return only_read(kinetic), only_read(gravity)

    def _of_bodies_in(self, series) -> tuple[np.ndarray, np.ndarray]:
        model, d = series.model, series.model.dimension
        kinetic, gravity = np.zeros(len(series.t)), np.zeros(len(series.t))
        for part, q, v in series.bodies.parts():
            kinetic[part] = 0.5 * (v * v).reshape(len(v), -1) @ model.masses
            gravity[part] = -q[:, :, :d].reshape(len(q), -1) @ model.weights.ravel()
        return kinetic, gravity

    @property
    def kinetic(self) -> np.ndarray:
        """1/2 v' M v."""
        return self._of_bodies[0]

    @property
    def gravity(self) -> np.ndarray:
        """Potential of the weights, zero at the origin."""
        return self._of_bodies[1]

    @cached_property
    def by_element(self) -> dict[str, np.ndarray]:
        """Potential of every element that stores energy."""
        found: dict[str, np.ndarray] = {}
        for k, law in enumerate(self._series.model.laws):
            if law.part.energy == "stores":
                value = self._integrated_potential(k) if law.part.potential is None else self._stored(k)
                found[law.element] = only_read(found.get(law.element, 0.0) + value)
        return found

    def _stored(self, k: int) -> np.ndarray:
        """What the k-th law stores, by its potential, what it reads and its states; nothing while it is off.

        What a law that dissipates keeps in its states stays there when it is switched off.
        """

        def read(own) -> np.ndarray:
            law, first = own.model.laws[k], own.model.laws[k].first_state
            if law.slot.address == 0 and not law.part.keeps:
                return np.zeros(len(own.t))
            states = own.bodies.of_laws[:, first : first + len(law.part.states)]
            return law.part.stored(own.measures(law.part.reads), states=list(states.T))

        return read(self._series) if self._alike else joined(self._segments, lambda one: read(one.series))

    def _integrated_potential(self, k: int) -> np.ndarray:
        """The same of a law without a potential: its work is integrated with the motion, from what it stores at first.

        Where it is switched on again, that is known of a spring with a characteristic; others go on where they were.
        """
        self._integrated()
        last, found = 0.0, []
        for own in [None] if self._alike else self._segments:
            one = self._series if own is None else own.at_hand().series
            law = one.model.laws[k]
            work = one.bodies.work[:, law.work]
            known = law.part.form in ("table", "tension")
            if law.slot.address == 0:
                value = np.full(len(one.t), 0.0 if known else last)
            else:
                value = (_characteristic(one, law.part) if known else last) - (work - work[0])
            last = float(value[-1])
            found.append(value if own is None else value[own.outputs])
        return np.concatenate(found)

    @property
    def _segments(self):
        return self._result.segments

    @cached_property
    def _alike(self) -> bool:
        """Whether all segments have the same laws and numbers: events have switched rows at most."""
        return all(one.model is self._series.model for one in self._segments)

    @cached_property
    def kept(self) -> np.ndarray:
        """What laws that dissipate keep in their states."""
        laws = enumerate(self._series.model.laws)
        return only_read(sum((self._stored(k) for k, law in laws if law.part.keeps), np.zeros(len(self._series.t))))

    @cached_property
    def potential(self) -> np.ndarray:
        """Gravity, all elements that store energy, and what states of laws keep."""
        return only_read(self.gravity + sum(self.by_element.values(), self.kept))

    @property
    def total(self) -> np.ndarray:
        """Kinetic and potential energy."""
        return self.kinetic + self.potential

    @property
    def _work(self) -> np.ndarray:
        self._integrated()
        return self._series.bodies.work

    def _integrated(self) -> None:
        """Work is known where the motion was integrated."""
        for one in self._result.segments:
            if "work" not in one.needs:
                raise one.lacks("work of elements and drivers")

    @cached_property
    def work(self) -> dict[str, np.ndarray]:
        """Work done on the mechanism since the start by everything that dissipates or drives, by name."""
        return {name: only_read(self._work[:, k]) for k, name in enumerate(self._series.model.work_names)}

    def _sum(self, energy: str) -> np.ndarray:
        total = np.zeros(len(self._series.t))
        for law in self._series.model.laws:
            if law.part.energy == energy:
                total = total + self._work[:, law.work]
        return total

    @cached_property
    def dissipated(self) -> np.ndarray:
        """Energy taken out by dampers and other laws that dissipate, but for what their states keep."""
        work = self._sum("dissipates") + self.kept
        return only_read(work[0] - work)

    @cached_property
    def supplied(self) -> np.ndarray:
        """Energy put in by drivers and laws that drive."""
        work = self._sum("drives")
        for k, name in enumerate(self._series.model.work_names):
            if name in self._series.model.mechanism.drivers:
                work = work + self._work[:, k]
        return only_read(work - work[0])

    @cached_property
    def lost(self) -> np.ndarray:
        """Energy lost in the events, where velocities jump."""
        self._integrated()
        total = np.zeros(len(self._series.t))
        for event in self._result.events:
            total += np.where(self._series.t >= event.t, event.energy_lost, 0.0)
        return only_read(total - total[0])

    @property
    def in_play(self) -> float:
        """The largest of kinetic energy and of what the others changed by: what `balance` is to be compared with."""
        changes = (np.ptp(part) for part in (self.potential, self.supplied, self.dissipated, self.lost))
        return float(max(self.kinetic.max(), *changes))

    @property
    def balance(self) -> np.ndarray:
        """What the ledger does not explain."""
        return self.total - self.total[0] - self.supplied + self.dissipated + self.lost


def _characteristic(series, part) -> float:
    """Energy that a spring with its own characteristic holds at the first time: tension over elongation, from 0."""
    elongation = series.measures(part.reads)[0][0] - part.numbers[0]
    nodes, weights = np.polynomial.legendre.leggauss(8)
    total = 0.0
    edges = np.linspace(0.0, elongation, PANELS + 1)
    for low, high in pairwise(edges):
        for node, weight in zip(nodes, weights):
            total += 0.5 * (high - low) * weight * part.tension(0.5 * (high + low) + 0.5 * (high - low) * node)
    return float(total)
