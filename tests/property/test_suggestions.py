"""A suggested change does what is said of it: nothing is redundant any more, and it moves as before."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkwork as lw
from property.draws import examples
from property.redundant import REDUNDANT

SEEDS = st.integers(0, 2**32 - 1)


def rank_of(m, state):
    """Rank and shape of the Jacobian, by its singular values; each row of unit size."""
    J = m.evaluate(state, coordinates="body").jacobian
    J = J / np.linalg.norm(J, axis=1)[:, None]
    return int((np.linalg.svd(J, compute_uv=False) > 1e-8).sum()), J.shape


@pytest.mark.parametrize("name", REDUNDANT)
@given(SEEDS)
@examples(6)
def test_nothing_is_redundant_any_more_wherever_it_stands(name, seed):
    make, redundant = REDUNDANT[name]
    m, start = make(np.random.default_rng(seed))
    found = m.check(start=start, coordinates="body")
    assert found.redundant == redundant and found.suggestion is not None, found.searched
    state = m.assemble(start=start, coordinates="body").state
    rank, (rows, columns) = rank_of(m, state)
    assert (found.rank, found.freedom) == (rank, columns - rank)
    changed = found.suggestion.applied(m)
    other = changed.assemble(start=state, coordinates="body").state
    after, (kept, _) = rank_of(changed, other)
    assert after == kept == rows - redundant == rank
    assert found.suggestion.redundant == 0 and all(one in m.joints for one in found.suggestion.joints)


@pytest.mark.parametrize("name", ["shaft", "driveline", "governor", "parallelogram"])
@given(SEEDS)
@examples(4)
def test_the_motion_stays(name, seed):
    """In exact arithmetic: what is let go was held by the others."""
    m, start = REDUNDANT[name][0](np.random.default_rng(seed))
    changed = m.check(start=start, coordinates="body").suggestion.applied(m)
    state = m.assemble(start=start, coordinates="body").state
    one = m.simulate(0.2, every=0.1, start=state, rtol=1e-10, coordinates="body")
    other = changed.simulate(
        0.2, every=0.1, start=changed.assemble(start=state, coordinates="body").state, rtol=1e-10, coordinates="body"
    )
    for body in m.bodies:
        for axis in "xyz":
            np.testing.assert_allclose(one[f"{body}.{axis}"], other[f"{body}.{axis}"], atol=1e-7)
    for joint in changed.joints:
        assert other.reaction(joint).unique


@given(SEEDS, st.integers(3, 6))
@examples(10)
def test_cranks_too_many_in_the_plane(seed, cranks):
    """A plate on equal cranks: two are enough, every further one is redundant, at any angle and with any frames."""
    rng = np.random.default_rng(seed)
    way = 0.8 * np.array([np.cos(angle := rng.uniform(0.4, 2.6)), np.sin(angle)])
    m = lw.Mechanism("plate")
    plate = m.add("plate", lw.Body(5.0, 2.0, position=tuple(way), angle=0.0))
    for k in range(cranks):
        foot = rng.uniform(-2.0, 2.0, 2)
        bar = m.add(f"crank{k}", lw.bar(length=0.8, mass=1.0, position=tuple(foot + way / 2), angle=angle))
        m.add(f"A{k}", lw.Revolute(m.ground.at(*foot, angle=rng.uniform(-3, 3)), bar.a))
        m.add(f"B{k}", lw.Revolute(bar.at(0.4, 0.0, angle=rng.uniform(-3, 3)), plate.at(*foot)))
    found = m.check(coordinates="body")
    assert (found.freedom, found.redundant, found.singular) == (1, cranks - 2, False)
    assert set(found.redundant_joints) == set(m.joints)
    changed = found.suggestion.applied(m).check(start=m.assemble(coordinates="body").state, coordinates="body")
    assert (changed.freedom, changed.redundant) == (1, found.suggestion.redundant)
    assert changed.redundant < found.redundant
