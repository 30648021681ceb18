"""Mechanisms with stiff laws that several tests look at."""

import linkwork as lw


def chain(count, k, c, dimension=2):
    """Bars, or boxes in space, that hang from the ground on pins; laws of stiffness k and damping c between them."""
    m = lw.Mechanism("chain", dimension=dimension)
    ground = m.ground.at(0, 0) if dimension == 2 else m.ground.at(0, 0, 0, axis=(0, 1, 0))
    before = None
    for i in range(count):
        turned = {"angle": 0} if dimension == 2 else {}
        body = lw.bar(length=1.0, mass=1.0, position=(i + 0.5, 0), **turned) if dimension == 2 else lw.box(
            1.0, 0.1, 0.2, mass=1.0, position=(i + 0.5, 0, 0))  # fmt: skip
        link = m.add(f"l{i}", body)
        left, right = (
            (link.a, link.b)
            if dimension == 2
            else (link.at(-0.5, 0, 0, axis=(0, 1, 0)), link.at(0.5, 0, 0, axis=(0, 1, 0)))
        )
        joint = m.add(f"p{i}", lw.Revolute(before[0] if before else ground, left))
        if before and dimension == 2:
            m.add(f"s{i}", lw.TorsionSpringDamper(before[1], link, stiffness=k, damping=c))
        elif before:
            m.add(f"s{i}", lw.UserForce(joint.angle, lambda value, rate, t, k, c: -k * value - c * rate, k=k, c=c))
        before = right, link
    return m
