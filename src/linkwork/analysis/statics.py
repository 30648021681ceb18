"""What joints, drivers and force elements carry at rest, where nothing can move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from linkwork import cells
from linkwork.analysis.common import model_in
from linkwork.analysis.doors import given_state
from linkwork.analysis.evaluate import evaluate
from linkwork.analysis.free_motion import FreeMotion
from linkwork.analysis.named import MIDDLE, cosine
from linkwork.analysis.options import Basis, Coordinates, Time, Values
from linkwork.analysis.resting import begun, free_names, freedom_of, holding, refuse_drivers, refuse_speeds
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.compiled.names import driver_moving
from linkwork.errors import AnalysisError, DescriptionError, message, plural
from linkwork.records import dataclass
from linkwork.result.evaluation import Evaluation
from linkwork.result.forces import element_quantities
from linkwork.result.reactions import Reaction
from linkwork.result.state import State

NOTHING = 1e-12  # of the largest number: what rounding leaves is printed as zero
STILL = 1e-6  # accelerations that are left, against weights and forces per mass


@dataclass(frozen=True)
class Load:
    """One line of the table: what carries, force and moment (along world axes, on `to`), what is not unique of it."""

    name: str
    kind: str  # "joint", "driver", "held" or "force"
    values: dict[str, float]  # "force x [N]" and so on
    open: tuple[str, ...] = ()  # components that redundant constraints leave open

    @property
    def unique(self) -> bool:
        """Whether all of it is determined."""
        return not self.open


@dataclass(frozen=True)
class Statics:
    """What everything carries at rest: `found["A.reaction.x"]`, `found.reaction("A")`, `found.effort("A.angle")`.

    `held` are the quantities that were held for it, each by an effort of its own; `print` shows all as a table.
    """

    mechanism: str
    evaluation: Evaluation = field(repr=False)
    held: tuple[str, ...]

    def __getitem__(self, name: str) -> Any:
        """A number by name, such as `A.reaction.x`, `spring.tension` or `motor.effort`."""
        return self.evaluation[name]

    @property
    def state(self) -> State:
        """The state of rest, held quantities among its drivers."""
        return self.evaluation.state

    def reaction(self, joint: str, on: str | None = None, axes: str = "world") -> Reaction:
        """Force and moment of a joint on its `to` body (or the body `on`), at the joint."""
        return self.evaluation.reaction(joint, on, axes)

    def effort(self, name: str) -> float:
        """Force or torque with which a driver, or what holds a quantity, holds it: N along a length, N m about an
        angle.
        """
        found = float(self.evaluation[f"{driver_moving(name) if name in self.held else name}.effort"])
        # the middle one of three angles is held by its sine: the moment about it is that effort times its cosine
        return found * cosine(self.state, name) if name in self.held and name.endswith(MIDDLE) else found

    def free_body(self, body: str) -> Any:
        """All loads on a body, as a table that closes."""
        return self.evaluation.free_body(body)

    @cached_property
    def loads(self) -> tuple[Load, ...]:
        """Everything that carries, one after the other: joints, drivers and held quantities, force elements."""
        model = self.state.model
        return (*self._of_joints(model), *self._of_drivers(model), *self._of_forces(model))

    def _of_joints(self, model: Model) -> Iterator[Load]:
        for name, joint in model.mechanism.joints.items():
            if not joint.active or not model.rows_of.get(name):
                continue
            found = self.reaction(name)
            values = {f"force {axis} [N]": float(one) for axis, one in zip("xyz", found.force)}
            turning = np.atleast_1d(found.moment)
            names = ["moment [N m]"] if turning.size == 1 else [f"moment {axis} [N m]" for axis in "xyz"]
            values |= dict(zip(names, map(float, turning)))
            yield Load(name, "joint", values, tuple(key for key, one in found.unique_components.items() if not one))

    def _of_drivers(self, model: Model) -> Iterator[Load]:
        holds = {driver_moving(name): name for name in self.held}
        open_rows = np.any(np.abs(self.state.dependencies) > 1e-6, axis=0)
        for name, driver in model.mechanism.drivers.items():
            if driver.active:
                named = holds.get(name, name)
                unit = "N m" if driver.measure.quantity == "angle" or named.endswith(MIDDLE) else "N"
                loose = open_rows[model.rows_of[name]].any()
                yield Load(
                    named,
                    "held" if name in holds else "driver",
                    {f"effort [{unit}]": self.effort(named)},
                    ("effort",) if loose else (),
                )

    def _of_forces(self, model: Model) -> Iterator[Load]:
        for name in model.mechanism.forces:
            keys = element_quantities(model, name)
            doubled = {"power", "force"} if "tension" in keys else {"power"}
            values = {
                f"{key} [{unit}]": float(self[f"{name}.{key}"]) for key, unit in keys.items() if key not in doubled
            }
            if values:
                yield Load(name, "force", values)

    @property
    def unique(self) -> bool:
        """Whether all reactions and efforts are determined; else those that are not are marked."""
        return all(one.unique for one in self.loads)

    def __str__(self) -> str:
        lines = [f"Statics of '{self.mechanism}' at t = {self.state.t:g} s{self._said()}"]
        none = NOTHING * max((abs(value) for one in self.loads for value in one.values.values()), default=0.0)
        for kind, title in (
            ("joint", "joint, on `to`, world axes"),
            ("driver", "driver"),
            ("held", "held"),
            ("force", "force element"),
        ):
            some = [one for one in self.loads if one.kind == kind]
            heads = list(dict.fromkeys(key for one in some for key in one.values))
            if not some:
                continue
            long = max(26, *(len(one.name) + 2 for one in some), len(title) + 2)
            lines.append(f"  {title:<{long}}" + "".join(f"{head:>18}" for head in heads))
            for one in some:
                found = [one.values.get(head) for head in heads]
                shown = [None if x is None else 0.0 if abs(x) <= none else x for x in found]
                numbers = "".join(f"{'':18}" if x is None else f"{x:18.6g}" for x in shown)
                note = f"   not unique: {', '.join(one.open)}" if one.open else ""
                lines.append(f"  {one.name:<{long}}{numbers}{note}".rstrip())
        if not self.unique:
            lines.append("  constraints are redundant: where it is not unique, the values of least norm are shown")
        return "\n".join(lines)

    def _said(self) -> str:
        return f", {', '.join(self.held)} held" if self.held else ""

    def _repr_html_(self) -> str:
        rows = [
            (one.name, one.kind, key, value, f"not unique: {', '.join(one.open)}" if one.open else "")
            for one in self.loads
            for key, value in one.values.items()
        ]
        return cells.shown(
            f"Statics of {self.mechanism}{self._said()}", cells.table(("", "", "", "value", ""), rows, most=len(rows))
        )


@explained
def statics(
    mechanism: Any,
    *,
    hold: Sequence[str] | Literal["all"] | None = None,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
) -> Statics:
    """What joints, drivers and force elements of `mechanism` carry at rest, where nothing is free to move.

    A mechanism with freedom left is refused, unless `hold` names quantities that are held where they are, one for each
    freedom: `hold=["A.angle"]`; "all" holds as many as are free, and the result says which.  What holds them has an
    effort of its own: in an equilibrium it is zero.  `start` and `near` choose the position, as in `assemble`; a state
    will do as `start`.  Drivers must be at rest, at time `t`; states of laws are where they come to rest.  Where
    constraints are redundant, what they leave open is marked as not unique.  The reactions are the same in all
    `coordinates` and `basis`.

    Units: t [s].

    >>> m = lw.gallery.pendulum()
    >>> found = m.statics(hold=["A.angle"], start={"A.angle": 0.0})
    >>> print(f"{found.effort('A.angle'):.4f} N m, {found['A.reaction.y']:.4f} N")
    4.9050 N m, 9.8100 N
    """
    model = model_in(mechanism, coordinates, basis)
    given = given_state(start, "start")
    if given is not None:
        refuse_speeds(given.model, given)
    state = begun(model, "statics", start, near, t, coordinates)
    names = _asked(hold, state)
    found = holding(model, state, names, "statics: hold")
    refuse_drivers(found.model, found.system(), found.t, found.y)
    freedom = freedom_of(found)
    if freedom:
        free = free_names(found)
        raise AnalysisError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                f"has {plural(freedom, 'freedom')} left, so that it is no structure"
                + (f": {', '.join(free)}" if free else ""),
                wanted="a mechanism in which nothing can move",
                remedy=f"give hold={[*names, *free]!r} to hold it; m.equilibrium() finds where it rests by itself",
            )
        )
    evaluation = evaluate(found.model, _settled(found), coordinates=coordinates)
    _at_rest(model, evaluation)
    return Statics(model.mechanism.name, evaluation, tuple(names))


def _asked(hold: Any, state: State) -> list[str]:
    """Names of what is held."""
    if hold is None:
        return []
    if isinstance(hold, str) and hold == "all":
        return free_names(state) if freedom_of(state) else []
    if isinstance(hold, str) or not isinstance(hold, Sequence) or not all(isinstance(one, str) for one in hold):
        raise DescriptionError(
            message("statics", "hold= is no list of names", repr(hold), 'names such as ["A.angle"], or "all"')
        )
    return list(dict.fromkeys(hold))


def _settled(state: State) -> State:
    """The state in which states of laws are at rest, too; raises where one does not come to rest."""
    if not state.model.law_states:
        return state
    free = FreeMotion(state.model, state, "body")
    return free.state_at(free.settled(free.y))


def _at_rest(model: Model, evaluation: Evaluation) -> None:
    """Refuse what accelerates all the same: constraints that cannot carry the load where they are."""
    found = np.abs(evaluation.accelerations).max(initial=0.0)
    loads = [np.abs(evaluation.applied_force(name)[: model.dimension]).max() for name in model.mechanism.bodies]
    masses = [body.mass for body in model.bodies]
    usual = max((load / mass for load, mass in zip(loads, masses) if mass > 0.0), default=0.0)
    if not found <= STILL * max(usual, 1.0):
        raise AnalysisError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "accelerates although nothing is free",
                f"up to {found:.3g}",
                "rest",
                "its position may be singular: start it elsewhere",
            )
        )
