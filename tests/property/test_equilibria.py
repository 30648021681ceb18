"""Equilibria of random mechanisms on springs: nothing accelerates there, and both sets find the same modes."""

import numpy as np
from hypothesis import given

import linkwork as lw
from linkwork.result.joining import apart
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


def asked_in_all_ways(plan, seed):
    """All ways to rest stay where downhill came to; both sets find one linear motion; what is held needs no effort."""
    m = held_by_springs(plan.build(), np.random.default_rng(seed))
    rest = m.equilibrium(coordinates="body")
    for method in ("root", "energy", "damping"):
        for coordinates in ("body", "joint"):
            other = m.equilibrium(start=rest.state, method=method, coordinates=coordinates)
            assert apart(rest.state, other.state) < 1e-5, method
    body = next(iter(m.bodies))
    free = len(rest.modes.basis[0]) if rest.modes.basis.size else 0
    outputs = [f"{body}.y", "tie00.tension", f"{body}.x.acceleration"]
    both = [
        m.linearize(rest.state, inputs=[f"{body}.x"], outputs=outputs, coordinates=coordinates)
        for coordinates in ("body", "joint")
    ]
    assert all(len(one.states) == 2 * free for one in both)
    f = [0.7, 3.1]
    one, other = (linear.response(f) for linear in both)
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-4 * np.abs(one).max(initial=1.0))
    if free:
        held = m.statics(start=rest.state, hold="all", coordinates="body")
        assert len(held.held) <= free
        assert all(abs(held.effort(name)) < 1e-3 for name in held.held)


@given(plan=plans(most=3, loops=1, springs=False))
@examples(6)
def test_all_ways_in_the_plane(plan):
    asked_in_all_ways(plan, 3)


@given(plan=space_plans(most=2, loops=1, closing=("Rod", "Spherical")))
@examples(5)
def test_all_ways_in_space(plan):
    asked_in_all_ways(plan, 4)


@given(plan=plans(most=3, loops=1, springs=False))
@examples(10)
def test_in_the_plane(plan):
    at_rest_in_both(plan, 1)


@given(plan=space_plans(most=3, loops=1, closing=("Rod", "Spherical", "UniversalSpherical")))
@examples(8)
def test_in_space(plan):
    at_rest_in_both(plan, 2)
