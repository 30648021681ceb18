"""Force elements that stop, carry and brake: limits of a measure, bushings, friction in a ball joint."""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.checks import Quantity, settle
from linkwork.mechanism.forces import Force, Levers
from linkwork.mechanism.frames import Frame, Place, as_frame
from linkwork.mechanism.inertia import is_listed
from linkwork.mechanism.law_parts import LawPart
from linkwork.mechanism.measures import Alignment, Measure, Offset, Spin, Sum
from linkwork.mechanism.symbols import Mark, mark
from linkwork.records import dataclass
from linkwork.units import Measured, Number, si, tell_degrees

FAR = 1e300  # no limit on this side

#: their units are those of the measure: read by the element, which knows it
Bound = Annotated[Quantity, Number()]
Rate = Annotated[Quantity, Number(above=0.0)]
Share = Annotated[Quantity, Number(least=0.0)]
Braking = Annotated[Quantity, Number("N m", least=0.0)]
Slowness = Annotated[Quantity, Number("rad/s", above=0.0)]


# -- laws: kernels compile them, so they use nothing but arithmetic -----------------------------------------------


def stop(value: float, rate: float, t: float, stiffness: float, lower: float, upper: float) -> float:
    """A spring that acts beyond its limits only."""
    if value < lower:
        return stiffness * (lower - value)
    if value > upper:
        return stiffness * (upper - value)
    return 0.0


def stop_energy(values: Any, numbers: Any) -> Any:
    """Energy of a stop that is pressed in."""
    stiffness, lower, upper = numbers
    depth = max(0.0, lower - values[0], values[0] - upper)
    return 0.5 * stiffness * depth * depth


def stop_damping(
    value: float, rate: float, t: float, stiffness: float, lower: float, upper: float, damping: float
) -> float:
    """What a stop takes away, in proportion to its depth; it never pulls back."""
    if value < lower:
        return stiffness * (lower - value) * max(-1.0, -damping * rate)
    if value > upper:
        return stiffness * (upper - value) * max(-1.0, damping * rate)
    return 0.0


def springs(values: Any, rates: Any, t: float, numbers: Any, memory: Any, out: Any) -> None:
    """Linear springs side by side."""
    for k in range(len(out)):
        out[k] = -numbers[k] * values[k]


def springs_slopes(
    values: Any, rates: Any, t: float, numbers: Any, memory: Any, against_values: Any, against_rates: Any
) -> None:
    """Those of linear springs."""
    for k in range(len(numbers)):
        against_values[k, k] = -numbers[k]


def springs_energy(values: Any, numbers: Any) -> Any:
    """Energy of linear springs side by side."""
    return 0.5 * sum(k * value * value for k, value in zip(numbers, values, strict=True))


def dampers(values: Any, rates: Any, t: float, numbers: Any, memory: Any, out: Any) -> None:
    """Linear dampers side by side."""
    for k in range(len(out)):
        out[k] = -numbers[k] * rates[k]


def dampers_slopes(
    values: Any, rates: Any, t: float, numbers: Any, memory: Any, against_values: Any, against_rates: Any
) -> None:
    """Those of linear dampers."""
    for k in range(len(numbers)):
        against_rates[k, k] = -numbers[k]


def braking(values: Any, rates: Any, t: float, numbers: Any, memory: Any, out: Any) -> None:
    """A torque against the turning, whatever its axis; smooth where it stops."""
    speed = math.sqrt(rates[0] ** 2 + rates[1] ** 2 + rates[2] ** 2 + numbers[1] ** 2)
    for k in range(3):
        out[k] = -numbers[0] * rates[k] / speed


def braking_slopes(
    values: Any, rates: Any, t: float, numbers: Any, memory: Any, against_values: Any, against_rates: Any
) -> None:
    """Those of friction."""
    speed = math.sqrt(rates[0] ** 2 + rates[1] ** 2 + rates[2] ** 2 + numbers[1] ** 2)
    for j in range(3):
        for i in range(3):
            part = rates[i] * rates[j] / (speed * speed)
            against_rates[j, i] = -numbers[0] / speed * ((1.0 if i == j else 0.0) - part)


# -- elements ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Limit(Force):
    """Keeps `measure` between `lower` and `upper` by a stiff spring beyond them: a stop of a joint coordinate.

        force = stiffness * depth * (1 + damping * speed into the stop), never pulling

    One of the limits may be left out.  `stiffness` is in N/m or N m/rad, `damping` in s/m or s/rad, as the measure is.
    A blow is short: outputs that are farther apart do not show its force, and the run says so; `every="step"` shows it.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Revolute("ground", "rod.a"))
    >>> _ = m.add("stop", lw.Limit("A.angle", lower="-120 deg", stiffness=2e4, damping=0.1))
    >>> run = m.simulate(2.0, every=0.01, start={"A.angle": 0.0})
    >>> bool(run["A.angle"].min() > np.radians(-125))
    True
    """

    measure: Measure
    lower: Bound | None = None
    upper: Bound | None = None
    stiffness: Rate = 1e6
    damping: Share = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.measure, Measure) or self.measure.rate_only:
            raise DescriptionError(
                message(
                    self.item, "limits no measure with a value", repr(self.measure), "a measure such as joint.angle"
                )
            )
        unit = self.measure.unit()
        units = {"lower": unit, "upper": unit}
        if unit in ("m", "rad"):
            units |= {"stiffness": "N/m" if unit == "m" else "N m/rad", "damping": f"s/{unit}"}
        for name, wanted in units.items():
            if wanted == "rad" and not self.name:
                tell_degrees(getattr(self, name), f"{self.item} {name}")
            if isinstance(getattr(self, name), str | Measured):
                object.__setattr__(self, name, si(getattr(self, name), wanted, self.item, name))
        settle(self, self.item, "lower", "upper", "stiffness", "damping")
        if self.lower is self.upper is None:
            raise DescriptionError(message(self.item, "has no limit", wanted="lower, upper, or both"))
        if self.lower is not None and self.upper is not None and not self.lower < self.upper:
            raise DescriptionError(
                message(
                    self.item,
                    "has limits that leave nothing between them",
                    f"lower {self.lower:g}, upper {self.upper:g}",
                    "lower below upper",
                )
            )

    def parts(self) -> tuple[LawPart, ...]:
        one = (self.measure,)
        ends = (-FAR if self.lower is None else self.lower, FAR if self.upper is None else self.upper)
        numbers: tuple[float, ...] = (self.stiffness, *ends)
        # no slopes: differences see a corner before it is met, exact ones do not, and runs by radau lost digits there
        parts = [LawPart("stop", "short", stop, one, one, numbers, "stores", stop_energy)]
        if self.damping:
            numbers = (*numbers, self.damping)
            parts.append(LawPart("damping", "short", stop_damping, one, one, numbers, "dissipates"))
        return tuple(parts)

    def stops(self) -> Measure:
        return self.measure

    def readings(self) -> dict[str, Measure]:
        return {"value": self.measure}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("stop", holds=False, measure=self.measure, lower=self.lower, upper=self.upper),)


@dataclass(frozen=True)
class _Between(Force):
    on: Place
    to: Place

    def __post_init__(self) -> None:
        for name in ("on", "to"):
            object.__setattr__(self, name, as_frame(getattr(self, name), self.item, name))
        if self.on.body == self.to.body:
            raise DescriptionError(
                message(
                    self.item,
                    f"has both ends on body '{self.on.body}'",
                    f"{self.on} and {self.to}",
                    "ends on two different bodies",
                )
            )


def _turns(on: Frame, to: Frame) -> tuple[Measure, ...]:
    """Turning of `to` against `on` about x, y and z: half the skew part of the rotation, sin(angle) about its axis."""
    pairs = (("z", "y"), ("x", "z"), ("y", "x"))
    return tuple(Sum((0.5, Alignment(on, to, a, b)), (-0.5, Alignment(on, to, b, a))) for a, b in pairs)


def _turn_levers(on: Frame, to: Frame) -> dict[str, Levers]:
    """Moments on `to` about x, y and z of `on` from forces f along the turns s of `_turns`.

        s' = 1/2 (tr(R) 1 - R) w        M = 1/2 (tr(R) 1 - R') f

    with R the rotation of `to` against `on` and w its angular velocity in axes of `on`.
    """
    turns = _turns(on, to)
    found: dict[str, Levers] = {}
    for b, facing in (("x", on.facing("y", "z")), ("y", on.facing("z", "x")), ("z", on)):
        levers = [
            Sum(*((0.5, Alignment(on, to, c, c)) for c in "xyz" if c != b))
            if a == b
            else Sum((-0.5, Alignment(on, to, a, b)))
            for a in "xyz"
        ]
        found[f"moment.{b}"] = Sum((-1.0, Spin(to, facing))), tuple(zip(turns, levers, strict=True))
    return found


@dataclass(frozen=True)
class Bushing(_Between):
    """A block of rubber between `on` and `to` in space: six springs and six dampers along and about the axes of `on`.

    `stiffness` and `damping` are six numbers: along x, y, z (N/m, N s/m), then about them (N m/rad, N m s/rad).
    Turning is meant to be small.  The springs store 1/2 stiffness sin(angle)^2, so that about one axis

        moment = -stiffness sin(angle) cos(angle) - damping cos(angle)^2 speed

    with its largest value at an eighth of a turn and none at a quarter.  `force` and `moment` are those on `to`, in
    axes of `on`, the moment about the origin of `to`.

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Bushing("ground", "rod.a", stiffness=(2e4, 2e4, 2e4, 50, 50, 50)))
    >>> found = m.evaluate({"rod.z": 0.499})
    >>> print(f"{found['A.force.z']:.3f} N")
    20.000 N
    """

    stiffness: tuple[float, ...] = (0.0,) * 6
    damping: tuple[float, ...] = (0.0,) * 6

    sample: ClassVar[dict[str, Any]] = {
        "stiffness": (200.0, 150.0, 100.0, 5.0, 4.0, 3.0),
        "damping": (2.0, 1.5, 1.0, 0.1, 0.1, 0.1),
    }
    dimensions: ClassVar[tuple[int, ...]] = (3,)
    #: what there is in its place in the plane
    planar_instead: ClassVar[str] = "SpringDamper, one for each direction, and TorsionSpringDamper"

    def __post_init__(self) -> None:
        super().__post_init__()
        units = (("N/m", "N m/rad"), ("N s/m", "N m s/rad"))
        for name, (line, turn) in zip(("stiffness", "damping"), units, strict=True):
            given = getattr(self, name)
            if not is_listed(given) or len(given) != 6:
                raise DescriptionError(
                    message(
                        self.item,
                        f"{name} has the wrong length",
                        str(len(given)) if is_listed(given) else repr(given),
                        "six numbers: along x, y, z, then about them",
                    )
                )
            values = tuple(
                si(value, line if k < 3 else turn, self.item, f"{name}[{k}]") for k, value in enumerate(given)
            )
            if min(values) < 0.0:
                raise DescriptionError(message(self.item, f"{name} is negative", str(min(values)), "0 or more"))
            object.__setattr__(self, name, values)

    def along(self) -> tuple[Measure, ...]:
        """What its six forces act along."""
        return (*(Offset(self.on, self.to, axis) for axis in "xyz"), *_turns(self.on, self.to))

    def ends_together(self) -> tuple[Measure, ...]:
        return self.along()[:3]

    def force_names(self) -> dict[Measure, str]:
        return {one: f"force.{axis}" for one, axis in zip(self.along()[:3], "xyz", strict=True)}

    def levers(self) -> dict[str, Levers]:
        return _turn_levers(self.on, self.to)

    def parts(self) -> tuple[LawPart, ...]:
        along = self.along()
        parts = []
        for label, law, numbers, energy, potential, slopes in (
            ("spring", springs, self.stiffness, "stores", springs_energy, springs_slopes),
            ("damper", dampers, self.damping, "dissipates", None, dampers_slopes),
        ):
            used = [k for k in range(6) if numbers[k]]
            if used:
                chosen = tuple(along[k] for k in used)
                given = tuple(numbers[k] for k in used)
                parts.append(LawPart(label, "long", law, chosen, chosen, given, energy, potential, slopes=slopes))
        return tuple(parts)

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("bushing", self.on, self.to),)


@dataclass(frozen=True)
class BallFriction(_Between):
    """Dry friction in a ball joint: a torque of this size against the turning of `to` on `on`, whatever its axis.

    Below the speed `slow` it fades to zero, so that a joint at rest creeps instead of sticking.

    Units: torque [N m], slow [rad/s].

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Spherical("ground", "rod.a"))
    >>> _ = m.add("friction", lw.BallFriction("ground", "rod.a", torque=0.3))
    >>> run = m.simulate(0.5, start={"rod.angular_velocity.x": 1.0})
    >>> bool(run.energy.dissipated[-1] > 0.0)
    True
    """

    torque: Braking = 0.0
    slow: Slowness = 0.01

    sample: ClassVar[dict[str, Any]] = {"torque": 0.3, "slow": 0.2}
    dimensions: ClassVar[tuple[int, ...]] = (3,)

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, self.item, "torque", "slow")

    def along(self) -> tuple[Measure, ...]:
        """What its torque acts along: turning about x, y and z of `to`."""
        frames = (self.to.facing("y", "z"), self.to.facing("z", "x"), self.to)
        return tuple(Spin(self.on, frame) for frame in frames)

    def force_names(self) -> dict[Measure, str]:
        return {one: f"torque.{axis}" for one, axis in zip(self.along(), "xyz", strict=True)}

    def parts(self) -> tuple[LawPart, ...]:
        spins = self.along()
        numbers = (self.torque, self.slow)
        return (LawPart("friction", "long", braking, spins, spins, numbers, "dissipates", slopes=braking_slopes),)
