"""Free bodies close, parts of a motion add up and loops are closed, in random mechanisms of the plane and of space."""

import numpy as np
from hypothesis import given

from property.draws import assembler, examples
from property.space_plans import space_plans
from property.strategies import Rejections, plans, set_plans

REJECTIONS = Rejections()
assembled = assembler(REJECTIONS)


def bodies_close(m, state):
    """Every body, in both sets of coordinates; loads one by one against what the result says of joints and forces."""
    for coordinates in ("body", "joint"):
        ev = m.evaluate(state, coordinates=coordinates)
        for body in m.bodies:
            free = ev.free_body(body)
            assert free.residual < 1e-8, free
            applied = ev.applied_force(body)
            force, moment = free.total("applied")
            d = m.dimension
            scale = 1.0 + np.abs(applied).max()
            np.testing.assert_allclose(force, applied[:d], rtol=0, atol=1e-9 * scale)
            if m.bodies[body].has_angle:
                turned = np.atleast_1d(applied[d:])
                if d == 3:  # the applied moment is along the axes of the body
                    turned = ev.orientation(body).matrix @ turned
                np.testing.assert_allclose(np.atleast_1d(moment), turned, rtol=0, atol=1e-9 * scale)
            for name, joint in m.joints.items():
                if body in (joint.on.body, joint.to.body) and joint.on.body != joint.to.body:
                    wanted = ev.reaction(name, on=body).force
                    np.testing.assert_allclose(free[name].force, wanted, rtol=0, atol=1e-8 * (1 + np.abs(wanted).max()))


def parts_add_up(m, state):
    ev = m.evaluate(state, coordinates="body")
    names = list(m.bodies)
    for point in names:
        for on in (*names, "ground"):
            assert ev.motion_parts(point, on=on).residual < 1e-9
        base = names[0] if point != names[0] else "ground"
        if np.linalg.norm(np.subtract(ev[point], ev[base] if base != "ground" else 0.0)) > 1e-3:
            assert ev.motion_parts(point, base=base).residual < 1e-9


def loops_close(m, state):
    for loop in m.loops(state):
        assert loop.closing < 1e-8


@given(plan=plans(most=4, loops=2, damped=True))
@examples(12)
def test_in_the_plane(plan):
    m, state = assembled(plan)
    bodies_close(m, state)
    parts_add_up(m, state)
    loops_close(m, state)


@given(plan=set_plans(most=4, loops=1, damped=True, particles="none"))
@examples(12)
def test_with_drivers_and_other_forces(plan):
    m, state = assembled(plan)
    bodies_close(m, state)


@given(plan=space_plans(most=3, loops=1, damped=True))
@examples(12)
def test_in_space(plan):
    m, state = assembled(plan)
    bodies_close(m, state)
    parts_add_up(m, state)
    loops_close(m, state)
