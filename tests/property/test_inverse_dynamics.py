"""What inverse dynamics gives, put on as forces, moves random mechanisms as they were moved: plane and space, all sets.

A motion is simulated with forces of all kinds.  The mechanism that is asked has the same joints, but other masses,
centres and inertias, and other forces.  Its efforts become forces along the measures of the actuators, and forward
dynamics has to give the accelerations of the motion again.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import linkwork as lw
from linkwork.analysis.rank import independent_measures
from property.draws import assembler, examples
from property.redundant import REDUNDANT
from property.space_plans import _inertia, space_plans
from property.strategies import LASTING, Rejections, plans, set_plans

REJECTIONS = Rejections()
assembled = assembler(REJECTIONS)
TIMES = np.linspace(0.0, 0.05, 4)


def pushing(values, rates, t, numbers, memory, out):
    """A force that is given."""
    out[0] = numbers[0]


def other_bodies(plan, rng):
    """The same joints between bodies with other masses, and other forces."""
    bodies = []
    for name, mass, inertia, center, *motion in plan.bodies:
        if inertia is not None:
            inertia = _inertia(rng) if len(center) == 3 else rng.uniform(0.05, 0.6)
            center = tuple(rng.uniform(-0.3, 0.3, len(center)))
        bodies.append((name, mass * rng.uniform(0.5, 2.0), inertia, center, *motion))
    gravity = tuple(rng.uniform(-5.0, 5.0, len(plan.gravity)))
    if hasattr(plan, "springs"):
        return replace(plan, bodies=bodies, gravity=gravity, springs=plan.springs[:1])
    return replace(plan, bodies=bodies, gravity=gravity, forces=plan.forces[:1], drivers=[])


def measures_of_all(m, body):
    """Measures that every freedom of a body moves."""
    axes = "xyz"[: m.dimension]
    found = [lw.WorldOffset(m.ground, m[body], axis) for axis in axes]
    if not m.bodies[body].has_angle:
        return found
    if m.dimension == 2:
        return [*found, lw.Angle(m.ground, m[body])]
    directions = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
    return [*found, *(lw.Spin(m.ground, lw.Frame(body, axis=directions[one])) for one in axes)]


def actuate(m, state, all_freedoms):
    """Drivers that wait to be actuators: one for every freedom, or all that can be thought of."""
    names, freedom = independent_measures(state.system(), state.t, state.y)
    if not all_freedoms and len(names) == freedom:
        measures = [m.measure(name) for name in names]
    else:
        measures = [one for body in m.bodies for one in measures_of_all(m, body)]
    names = []
    for k, measure in enumerate(measures):
        names.append(f"act{k}")
        level = "speed" if measure.rate_only else "position"
        m.add(names[-1], lw.Driver(measure, 0.0, level=level, active=False))
    return names


def forward_again(m, run, inverse, names, k):
    """Accelerations of forward dynamics at the k-th time, with the efforts as forces."""
    driven = m.copy()
    for name in names:
        measure = m.drivers[name].measure
        effort = float(inverse[f"{name}.effort"][k])
        driven.add(f"push {name}", lw.UserForce(reads=[measure], along=[measure], law=pushing, numbers=[effort]))
    state = driven.assemble(start=inverse.state(k), t=float(run.t[k]), coordinates="body").state
    return driven.evaluate(state, coordinates="body")


def there_and_back(plan, seed, all_freedoms, coordinates):
    m, state = assembled(plan)
    rng = np.random.default_rng(seed)
    run = m.simulate(TIMES, start=state, coordinates=coordinates)
    assume(np.abs(run._series.accelerations).max() < 1e4)
    asked = other_bodies(plan, rng).build()
    names = actuate(asked, asked.assemble(start=state, coordinates="body").state, all_freedoms)
    assume(names)
    inverse = asked.inverse_dynamics(motion=run, actuators=names, coordinates=coordinates)
    checks = inverse.check_efforts()
    assert not any(one.applies.any() and not one.gap < 1e-8 for one in checks.values()), checks
    for k in (0, len(TIMES) - 1):
        ev = forward_again(asked, run, inverse, names, k)
        scale = 1.0 + np.abs(inverse._series.accelerations[k]).max()
        size = max([1.0, *(abs(float(inverse[f"{name}.effort"][k])) for name in names)])
        for body in asked.bodies:
            for axis in "xyz"[: asked.dimension]:
                name = f"{body}.{axis}.acceleration"
                assert abs(ev[name] - run[name][k]) <= 1e-8 * (scale + size), name
        for joint in asked.joints:
            got, wanted = inverse.reaction(joint), ev.reaction(joint)
            if wanted.unique and got.unique:
                gap = np.abs(got.force[k] - wanted.force).max()
                assert gap <= 1e-7 * (size + np.abs(wanted.force).max()), joint
    return inverse


@examples(15)
@given(plan=plans(most=4, loops=2, damped=True), seed=st.integers(0, 2**31), over=st.booleans(),
       coordinates=st.sampled_from(["body", "joint", "point"]))  # fmt: skip
def test_in_the_plane(plan, seed, over, coordinates):
    there_and_back(plan, seed, over, coordinates)


@examples(15)
@given(plan=set_plans(most=4, loops=1, damped=True, closing=LASTING), seed=st.integers(0, 2**31), over=st.booleans(),
       coordinates=st.sampled_from(["body", "joint", "point"]))  # fmt: skip
def test_with_drivers_particles_and_rolling(plan, seed, over, coordinates):
    there_and_back(plan, seed, over, coordinates)


@examples(15)
@given(plan=space_plans(most=3, loops=1, damped=True), seed=st.integers(0, 2**31), over=st.booleans(),
       coordinates=st.sampled_from(["body", "joint", "point"]))  # fmt: skip
def test_in_space(plan, seed, over, coordinates):
    there_and_back(plan, seed, over, coordinates)


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("name", list(REDUNDANT))
def test_redundant_mechanisms_of_space(name, coordinates):
    """Their own motion needs no further efforts, and reactions are spread as forward dynamics spreads them."""
    m, start = REDUNDANT[name][0](np.random.default_rng(5))
    run = m.simulate(0.1, every=0.05, start=start, coordinates=coordinates)
    free = m.actuated([])
    state = free.assemble(start=run.state(0), coordinates="body").state
    names, freedom = independent_measures(state.system(), state.t, state.y)
    assert len(names) == freedom
    inverse = free.inverse_dynamics(motion=run, actuators=names, coordinates=coordinates)
    size = max(np.abs(run.reaction(joint).force).max() for joint in m.joints)
    for joint in m.joints:
        assert np.abs(inverse.reaction(joint).force - run.reaction(joint).force).max() < 1e-9 * size
    if not m.drivers:
        assert max(np.abs(one).max() for one in inverse.efforts.values()) < 1e-9 * size
    assert inverse.check_efforts().gap < 1e-10
