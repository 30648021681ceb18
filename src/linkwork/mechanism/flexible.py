"""A rod that bends, as a chain of stiff bars with pins and coils between them."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, OutOfPlaneError, message
from linkwork.mechanism.bodies import Body
from linkwork.mechanism.checks import Mass, Quantity, Size, meanings
from linkwork.mechanism.forces import TorsionSpringDamper
from linkwork.mechanism.frames import Frame
from linkwork.mechanism.joints import Revolute
from linkwork.mechanism.shapes import bar
from linkwork.units import Number, whole

Bending = Annotated[Quantity, Number("N m^2", above=0.0)]
Seconds = Annotated[Quantity, Number("s", least=0.0)]


class FlexibleRod(NamedTuple):
    """The bars of a flexible rod in order, and its ends `a` and `b`, which joints attach to."""

    bodies: tuple[Body, ...]

    @property
    def a(self) -> Frame:
        """The first end."""
        end: Frame = self.bodies[0].a
        return end

    @property
    def b(self) -> Frame:
        """The last end."""
        end: Frame = self.bodies[-1].b
        return end


@explained
def flexible_rod(
    mechanism: Any, name: str, length: Size, mass: Mass, bending: Bending, parts: int = 8, damping: Seconds = 0.0
) -> FlexibleRod:
    """Add to `mechanism` a straight rod that bends in the plane: `parts` bars, a pin and a coil between each two.

    `bending` is the modulus of elasticity times the second moment of the section.  The coils have the stiffness with
    which a rod clamped at one end bends under a force at the other exactly as a beam does,
    bending / length (n - 1) (2 n - 1) / (2 n) for n parts (Nikravesh 14.12).  `damping` is the damping of a coil over
    its stiffness.  Items are called `name1`, `name_pin1`, `name_coil1` and so on.

    Units: length [m], mass [kg], bending [N m^2], damping [s].

    >>> m = lw.Mechanism("blade", gravity=None)
    >>> blade = lw.flexible_rod(m, "blade", length=1.0, mass=0.8, bending=20.0, parts=8)
    >>> _ = m.add("clamp", lw.Fixed("ground", blade.a))
    >>> print(f"{m.modes(m.assemble()).frequencies[0]:.2f} Hz")
    2.90 Hz
    """
    item = f"Flexible rod '{name}'"
    known = meanings(flexible_rod)
    given = {"length": length, "mass": mass, "bending": bending, "damping": damping}
    length, mass, bending, damping = (known[key].read(value, item, key) for key, value in given.items())
    count = whole(parts, item, "number of parts", 2, 10_000)
    if mechanism.dimension != 2:
        raise OutOfPlaneError(
            message(
                item, "bends in the plane only", "a mechanism in space", remedy="build it in the plane, then in_space()"
            )
        )
    if not mass > 0.0:
        raise DescriptionError(message(item, "has no mass", repr(mass), "more than 0"))
    stiffness = bending / length * (count - 1) * (2 * count - 1) / (2 * count)
    bodies: list[Body] = []
    for k in range(1, count + 1):
        bodies.append(mechanism.add(f"{name}{k}", bar(length=length / count, mass=mass / count)))
        if k > 1:
            mechanism.add(f"{name}_pin{k - 1}", Revolute(bodies[-2].b, bodies[-1].a))
            coil = TorsionSpringDamper(bodies[-2], bodies[-1], stiffness=stiffness, damping=damping * stiffness)
            mechanism.add(f"{name}_coil{k - 1}", coil)
    return FlexibleRod(tuple(bodies))
