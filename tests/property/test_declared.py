"""Random mechanisms with some of their poses left out: what is declared stays, or a warning says what moved."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkwork as lw
from linkwork.rotation import matrix
from property.draws import examples
from property.space_plans import any_pose, space_plans
from property.strategies import plans

LEAST = 0.9  # of the mechanisms close without moving anything declared; all of them could


def forget(m, rng):
    """Leave out place, turn or both of about half of the bodies, and all speeds."""
    turn = "angle" if m.dimension == 2 else "orientation"
    for name, body in list(m.bodies.items()):
        out = {"velocity": None}
        if body.has_angle:
            out["angular_velocity"] = None
        choice = rng.integers(6)
        if choice < 3:
            out["position"] = None
        if choice in (1, 2, 3) and body.has_angle:
            out[turn] = None
        if isinstance(body, lw.Particle):
            m.replace(name, lw.Particle(body.mass, position=out.get("position", body.position)))
        else:
            m.replace(name, replace(body, **out))
    return m


def off(m, assembly):
    """How far the worst declared place or turn was moved."""
    worst = 0.0
    axes = "xyz"[: m.dimension]
    for k, (name, body) in enumerate(m.bodies.items()):
        if body.position is not None:
            place = np.array([assembly[f"{name}.{axis}"] for axis in axes])
            worst = max(worst, np.abs(place - body.position[: m.dimension]).max())
        if m.dimension == 2 and body.has_angle and body.angle is not None:
            worst = max(worst, abs(np.sin((assembly[f"{name}.angle"] - body.angle) / 2.0)))
        if m.dimension == 3 and body.orientation is not None:
            there = matrix(assembly.state.y[7 * k + 3 : 7 * k + 7]) @ assembly.state.model.bodies[k].rotation.T
            worst = max(worst, np.abs(there - matrix(body.orientation)).max())
    return worst


def put_together(m, tally):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assembly = m.assemble(coordinates="body")
    told = [one for one in told if issubclass(one.category, lw.errors.MovedWarning)]
    moved = off(m, assembly)
    assert bool(told) == (moved > 1e-9), (moved, [str(one.message) for one in told])
    tally.append(not told)


@pytest.fixture
def tally():
    """Whether each mechanism closed as declared; most must."""
    found = []
    yield found
    assert np.mean(found) >= LEAST, f"{sum(found)} of {len(found)} closed without moving what was declared"


@pytest.mark.parametrize("loops", [0, 1, 2])
def test_declared_poses_are_kept_in_the_plane(loops, tally):
    @examples(40)
    @given(plans(most=6, loops=loops, springs=False), st.integers(0, 2**32 - 1))
    def each(plan, seed):
        rng = np.random.default_rng(seed)
        put_together(forget(plan.build(rng.uniform(-3.0, 3.0), rng.uniform(-1.0, 1.0, 2)), rng), tally)

    each()


@pytest.mark.parametrize("loops", [0, 1, 2])
def test_declared_poses_are_kept_in_space(loops, tally):
    @examples(40)
    @given(space_plans(most=5, loops=loops), st.integers(0, 2**32 - 1))
    def each(plan, seed):
        rng = np.random.default_rng(seed)
        put_together(forget(plan.build(any_pose(rng)), rng), tally)

    each()
