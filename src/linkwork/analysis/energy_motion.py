"""How fast does a machine of one freedom go, position by position?  Energy alone tells (Vlase 14, 20 to 24).

    J(q) q" + J'(q) q'^2 = Q(q)        J = R'M R, J' = R'M dR/dq = 1/2 dJ/dq, Q = R'h, v = R q'
    1/2 J q'^2 = 1/2 J0 q0'^2 + integral of Q dq

J' is half of the derivative of J, as in the paper.  Forces must depend on the position alone: the integral is one over
the position.  R and dR/dq are velocities and accelerations of the motion with q' = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Annotated, Any

import numpy as np

from linkwork.analysis.balance import Balance, chosen
from linkwork.analysis.carrying import carried
from linkwork.analysis.common import model_in
from linkwork.analysis.kinematics import kinematics
from linkwork.analysis.options import Basis, Coordinates, Ranges, Tolerance, Values
from linkwork.analysis.splines import FEWEST, fine_and_coarse
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.compiled.names import unit_in
from linkwork.coordinates.body import System
from linkwork.errors import DescriptionError, message
from linkwork.kernels import layout as at
from linkwork.records import OnlyRead, dataclass
from linkwork.result.result import Result
from linkwork.result.segments import Segment
from linkwork.result.turns import Turned
from linkwork.units import Number, si

#: of the quantity that moves, in rad/s or m/s
Speed = Annotated[float | str, Number()]
SAME = 1e-9  # of the largest force of a law: less is rounding


@dataclass(frozen=True)
class EnergyMotion(OnlyRead):
    """Speed, acceleration and time of a machine at its positions; `run` is the motion as a result, with all reactions.

    Arrays over the positions: `value` and its rates `speed` and `acceleration`; `inertia` J and half its derivative
    `inertia_slope` J'; the reduced `force` Q and its `work` from the first position; the time `t`.
    `error` says how far the kinetic energy may be off, over its largest value; `ended` where the machine comes to rest
    before its last position.
    """

    mechanism: str
    name: str
    unit: str
    value: np.ndarray = field(repr=False)
    speed: np.ndarray = field(repr=False)
    acceleration: np.ndarray = field(repr=False)
    t: np.ndarray = field(repr=False)
    inertia: np.ndarray = field(repr=False)
    inertia_slope: np.ndarray = field(repr=False)
    force: np.ndarray = field(repr=False)
    work: np.ndarray = field(repr=False)
    error: float
    ended: str
    run: Result = field(repr=False)

    @property
    def kinetic(self) -> np.ndarray:
        """Kinetic energy, 1/2 J q'^2."""
        found: np.ndarray = 0.5 * self.inertia * self.speed**2
        return found

    def __str__(self) -> str:
        turning = self.unit == "rad"
        columns = (
            (f"{self.name} [{self.unit}]", self.value),
            (f"speed [{self.unit}/s]", self.speed),
            (f"acceleration [{self.unit}/s^2]", self.acceleration),
            (f"inertia J [{'kg m^2' if turning else 'kg'}]", self.inertia),
            (f"J' [{'kg m^2/rad' if turning else 'kg/m'}]", self.inertia_slope),
            (f"force Q [{'N m' if turning else 'N'}]", self.force),
            ("work [J]", self.work),
        )
        lines = [
            f"Motion of '{self.mechanism}' by its energy: {len(self.value)} positions in {self.t[-1]:.6g} s",
            f"  kinetic energy good to     {self.error:.1g} of its largest",
            *([f"  {self.ended}"] if self.ended else []),
            f"  {'':<26}{'first':>12}{'last':>12}{'least':>12}{'greatest':>12}",
        ]
        lines += [
            f"  {name:<26}{one[0]:12.5g}{one[-1]:12.5g}{one.min():12.5g}{one.max():12.5g}" for name, one in columns
        ]
        return "\n".join(lines)


@explained
def energy_motion(
    mechanism: Any,
    over: Ranges,
    *,
    speed: Speed = 0.0,
    near: Values | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
    rtol: Tolerance = 1e-8,
) -> EnergyMotion:
    """Speed and acceleration of `mechanism`, a machine of one freedom, position by position: no integration over time.

    `over={"A.angle": (0, "360 deg", 361)}` goes through positions as `kinematics` does; `speed` is that of the quantity
    at the first of them, along the way or zero.  The reduced inertia J(q), its half derivative J'(q) and the force Q(q)
    come with it, and the time and all reactions, `found.run`.  Forces may depend on the position alone.  Where the
    machine comes to rest on the way the positions end, and `found.ended` says where.

    `near` chooses the branch; `coordinates`, `basis` and `rtol` are those of `kinematics`.

    Units: speed [rad/s or m/s].

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Revolute("ground", "rod.a"))
    >>> found = m.energy_motion({"A.angle": (0, "-90 deg", 91)})
    >>> print(f"{found.speed[-1]:.6f} {-((3 * 9.81) ** 0.5):.6f}")
    -5.424942 -5.424942
    """
    model = model_in(mechanism, coordinates, basis)
    _may_move(model, over)
    ((name, _),) = over.items()
    unit = unit_in(model.mechanism, name)
    begin = si(speed, f"{unit}/s", "energy_motion", "speed")
    run = kinematics(model, over=over, near=near, coordinates=coordinates, rtol=rtol)
    segment = run.segments[0]
    if len(segment.t) < FEWEST:
        raise DescriptionError(
            message("energy_motion", "has too few positions", len(segment.t), f"at least {FEWEST}", run.ended or None)
        )
    value, way = run[name], float(np.sign(run[f"{name}.rate"][0]))
    if begin * way < 0.0 or not np.isfinite(begin):
        raise DescriptionError(
            message("energy_motion", "has a speed against its way", f"{begin:g} {unit}/s", "one along it, or zero")
        )
    states, unitary = carried(segment, model)
    n_q, n_v = model.n_q, model.n_v
    R = way * states[:, n_q : n_q + n_v]
    momentum = model.masses * R
    momentum[:, ~model.existing] = 0.0
    J, slope = np.einsum("ti,ti->t", momentum, R), np.einsum("ti,ti->t", momentum, unitary)
    if not (J > 0.0).all():
        raise DescriptionError(
            message(f"Mechanism '{model.mechanism.name}'", "has no mass that moves", wanted="masses")
        )
    state, involved, _ = chosen(segment, model, states)
    system = System(model.plan("body", free=state.free), state.values, state.held)
    at_rest = states.copy()
    at_rest[:, n_q : n_q + n_v] = 0.0
    h, forces = _loads(system, np.zeros(len(states)), at_rest)
    Q = np.einsum("ti,ti->t", R, h)
    s = way * (value - value[0])
    kinetic, error, whole = _kinetic(s, way * Q, 0.5 * J[0] * begin**2)

    def place(x: float) -> str:
        return f"{name} = {value[0] + way * x:.9g} {unit}"

    if begin == 0.0 and not (way * Q[0] > 0.0 and kinetic[1] > 0.0):
        raise DescriptionError(
            message(
                "energy_motion",
                f"begins at rest, and nothing pushes it along its way at {place(0.0)}",
                f"a force of {Q[0]:.6g}",
                remedy="give a speed to begin with, the other direction, or another first position",
            )
        )
    last, ended = _until(place, s, kinetic, whole)
    ended = ended or run.ended
    keep = slice(0, last)
    v = way * np.sqrt(2.0 * np.maximum(kinetic[keep], 0.0) / J[keep]) + 0.0  # no minus zero
    a = (Q[keep] - slope[keep] * v**2) / J[keep]
    t = _times(s[keep], np.abs(v), way * a)
    moving = states[keep].copy()
    moving[:, n_q : n_q + n_v] = R[keep] * v[:, None]
    accelerations = R[keep] * a[:, None] + unitary[keep] * v[:, None] ** 2
    _, now = _loads(system, t, moving)
    _by_position_alone(model, forces[keep], now)
    balance = Balance(system, t, moving, accelerations, state.dependencies, involved)
    found = Segment(
        model,
        "body",
        t,
        state.modes,
        state.values,
        state.pivot,
        state.dependencies,
        given=moving,
        began=Turned(segment, 0),
        source="given",
        known_accelerations=accelerations,
        known_multipliers=balance.multipliers(None),
        options={"analysis": "energy_motion"},
    )
    told = {"analysis": "energy_motion", **({"ended": ended} if ended else {})}
    return EnergyMotion(
        mechanism=model.mechanism.name,
        name=name,
        unit=unit,
        value=value[keep],
        speed=v,
        acceleration=a,
        t=t,
        inertia=J[keep],
        inertia_slope=slope[keep],
        force=Q[keep],
        work=kinetic[keep] - kinetic[0],
        error=error,
        ended=ended,
        run=Result([found], title="motion by energy", manifest=told),
    )


def _may_move(model: Model, over: Any) -> None:
    """Refuse what has no energy alone to decide its speed."""
    item = f"Mechanism '{model.mechanism.name}'"
    if not isinstance(over, Mapping) or len(over) != 1:
        raise DescriptionError(
            message("energy_motion", "moves one quantity", repr(over)[:60], '{"A.angle": (0, "360 deg", 361)}')
        )
    drivers = [name for name, driver in model.mechanism.drivers.items() if driver.active]
    if drivers:
        raise DescriptionError(
            message(
                item,
                f"has drivers, which decide its speed: {', '.join(drivers)}",
                remedy="leave them out (active=False), or ask kinematics or inverse_dynamics",
            )
        )
    states = [law.element for law in model.laws if law.part.states or law.part.memory]
    if states:
        raise DescriptionError(
            message(item, f"has a force that remembers how it moved: {states[0]}", remedy="use simulate")
        )


def _loads(system: System, t: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Applied forces of the bodies (times, n_v), without gyroscopic moments, and what every law gives."""
    plan, model = system.plan, system.model
    applied, out = plan.places(at.W_APPLIED)[1:].ravel(), plan.places(at.W_OUT).ravel()
    found = system.swept(t, states, np.concatenate([applied, out]))
    h = found[:, : applied.size]
    h[:, ~model.existing] = 0.0
    return h, found[:, applied.size :]


def _kinetic(s: np.ndarray, force: np.ndarray, first: float) -> tuple[np.ndarray, float, Callable[[float], float]]:
    """Kinetic energy over the way, how far it may be off over its largest, and the function that gives it."""
    fine, coarse = (one.antiderivative() for one in fine_and_coarse(s, force))
    kinetic = first + fine(s) - fine(0.0)
    inside = s <= s[::2][-1]
    off = np.abs(fine(s) - fine(0.0) - coarse(s) + coarse(0.0))[inside].max()
    return kinetic, float(off / max(np.abs(kinetic).max(), 1e-300)), lambda x: first + fine(x) - fine(0.0)


def _until(
    place: Callable[[float], str], s: np.ndarray, kinetic: np.ndarray, whole: Callable[[float], float]
) -> tuple[int, str]:
    """How many positions are reached, and where the machine comes to rest before the others."""
    from scipy.optimize import brentq

    stopped = np.flatnonzero(~(kinetic[1:] > 1e-12 * np.abs(kinetic).max())) + 1
    if not stopped.size:
        return len(s), ""
    k = int(stopped[0])
    end = s[k] if kinetic[k] >= 0.0 else brentq(whole, s[k - 1], s[k], xtol=1e-14 * s[-1])
    if k < 2:
        raise DescriptionError(message("energy_motion", f"comes to rest before its second position, at {place(end)}"))
    return k, f"comes to rest at {place(end)}"


def _times(s: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Times at the places s, from speeds and accelerations: s1 - s0 = h (v0 + v1)/2 + h^2 (a0 - a1)/12."""
    way, half, bend = np.diff(s), 0.5 * (v[1:] + v[:-1]), (a[:-1] - a[1:]) / 12.0
    h = 2.0 * way / (half + np.sqrt(np.maximum(half**2 + 4.0 * bend * way, 0.0)))
    return np.concatenate([[0.0], np.cumsum(h)])


def _by_position_alone(model: Model, at_rest: np.ndarray, moving: np.ndarray) -> None:
    """Refuse laws that speed or time has a part in."""
    for law in model.laws:
        columns = slice(law.first_out, law.first_out + len(law.part.along))
        one, other = at_rest[:, columns], moving[:, columns]
        size = max(float(np.abs(part).max(initial=0.0)) for part in (one, other))
        if not np.abs(other - one).max(initial=0.0) <= SAME * size:
            raise DescriptionError(
                message(
                    f"Force '{law.element}'",
                    "depends on speed or time, so that energy alone does not tell the motion",
                    wanted="forces that depend on the position",
                    remedy="use simulate",
                )
            )
