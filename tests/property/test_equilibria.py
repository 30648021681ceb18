"""Equilibria of random mechanisms on springs: nothing accelerates there, and both sets find the same modes."""

import numpy as np
from hypothesis import given

import linkwork as lw
from property.draws import examples
from property.space_plans import space_plans
from property.strategies import plans


def held_by_springs(m, rng):
    """Each body tied to the ground by three springs, so that there is an equilibrium for sure."""
    for k, body in enumerate(list(m.bodies)):
        for j in range(3):
            ends = [rng.uniform(-0.6, 0.6, m.dimension) for _ in range(2)]
            spring = lw.SpringDamper(
                m.ground.at(*ends[0]),
                m[body].at(*ends[1]),
                stiffness=200.0,
                rest_length=0.5,
                damping=rng.uniform(0.0, 3.0),
            )
            m.add(f"tie{k}{j}", spring)
    return m


def at_rest_in_both(plan, seed):
    m = held_by_springs(plan.build(), np.random.default_rng(seed))
    rest = m.equilibrium(coordinates="body")
    ev = m.evaluate(rest.state, coordinates="body")
    assert np.abs(ev.accelerations).max() < 1e-4 * 200.0
    assert np.abs(ev.constraint_error).max(initial=0.0) < 1e-9
    assert rest.stability != "unstable"  # downhill ends in a hollow
    own, other = (m.modes(rest.state, coordinates=one) for one in ("body", "joint"))
    got, wanted = (np.sort_complex([mode.eigenvalue for mode in one]) for one in (own, other))
    assert len(got) == len(wanted)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-4 * np.abs(wanted).max(initial=1.0))
    # conservative forces have a symmetric stiffness
    for one in (own, other):
        np.testing.assert_allclose(
            one.stiffness, one.stiffness.T, rtol=0, atol=1e-5 * np.abs(one.stiffness).max(initial=1.0)
        )


@given(plan=plans(most=3, loops=1, springs=False))
@examples(10)
def test_in_the_plane(plan):
    at_rest_in_both(plan, 1)


@given(plan=space_plans(most=3, loops=1, closing=("Rod", "Spherical", "UniversalSpherical")))
@examples(8)
def test_in_space(plan):
    at_rest_in_both(plan, 2)
