"""Mechanisms with stiff laws that several tests look at."""

from benchmarks import stiff_problems

import linkwork as lw


def chain(count, k, c, dimension=2):
    """Bars, or boxes in space, that hang from the ground on pins; laws of stiffness k and damping c between them."""
    if dimension == 2:
        return stiff_problems.chain(count, k, c)[0]
    m = lw.Mechanism("chain", dimension=3)
    before = None
    for i in range(count):
        link = m.add(f"l{i}", lw.box(1.0, 0.1, 0.2, mass=1.0, position=(i + 0.5, 0, 0)))
        left, right = link.at(-0.5, 0, 0, axis=(0, 1, 0)), link.at(0.5, 0, 0, axis=(0, 1, 0))
        joint = m.add(f"p{i}", lw.Revolute(before or m.ground.at(0, 0, 0, axis=(0, 1, 0)), left))
        if before:
            m.add(f"s{i}", lw.UserForce(joint.angle, lambda value, rate, t, k, c: -k * value - c * rate, k=k, c=c))
        before = right
    return m


def belt():
    """A block on a belt, which sticks and slips."""
    return stiff_problems.belt()[0]
