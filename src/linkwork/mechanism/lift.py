"""A planar mechanism in space: the same bodies and joints in the plane z = 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.bodies import Body, Particle

if TYPE_CHECKING:
    from linkwork.mechanism.mechanism import Mechanism


def in_space(mechanism: Mechanism) -> Mechanism:
    """A copy of a planar mechanism with dimension 3.

    Each body gets half its moment of inertia about x and about y, as a flat plate has it; nothing turns about them
    while the motion stays in the plane, so that any values would do.  A pin on a particle becomes a ball.
    """
    from linkwork.mechanism.mechanism import Mechanism

    if mechanism.dimension != 2:
        raise DescriptionError(message(f"Mechanism '{mechanism.name}'", "is in space already"))
    gravity = (*mechanism.gravity, 0.0)
    lifted = Mechanism(mechanism.name, dimension=3, gravity=gravity if any(gravity) else None)
    for name, body in mechanism.bodies.items():
        lifted.add(name, _body(body))
    for name, joint in mechanism.joints.items():
        ends = [frame.body for frame in (joint.on, joint.to) if frame.body != "ground"]
        lifted.add(name, joint.in_space(all(mechanism.bodies[one].has_angle for one in ends)))
    others: list[tuple[str, Any]] = [*mechanism.drivers.items(), *mechanism.forces.items(), *mechanism.events.items()]
    for name, item in others:
        lifted.add(name, item)
    return lifted


def _body(body):
    position = None if body.position is None else (*body.position[:2], 0.0)
    velocity = None if body.velocity is None else (*body.velocity[:2], 0.0)
    if isinstance(body, Particle):
        return Particle(body.mass, position=position, velocity=velocity, gravity=body.gravity, outline=body.outline)
    spin = None if body.angular_velocity is None else (0.0, 0.0, body.angular_velocity)
    inertia = (body.inertia / 2.0, body.inertia / 2.0, body.inertia)
    center = (*body.center[:2], 0.0)
    points = {name: (*point[:2], 0.0) for name, point in body.points.items()}
    return Body(
        body.mass,
        inertia,
        center=center,
        position=position,
        angle=body.angle,
        velocity=velocity,
        angular_velocity=spin,
        points=points,
        outline=body.outline,
        gravity=body.gravity,
    )
