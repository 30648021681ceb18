"""Every name that `start=` and `near=` take has an effect, in random mechanisms in plane and space.

A start value is met, or refused.  A `near` value is met, or the freedom that is left cannot bring it any nearer: seen
by speeds within the null space of a dense Jacobian, of which none changes the measure.
"""

import warnings
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import null_space

from linkwork.compiled.names import all_measures, cardan, further
from linkwork.errors import AnalysisError, DescriptionError, MovedWarning
from property.draws import assembler, examples
from property.spatial_strategies import spatial_plans
from property.strategies import LASTING, Rejections, set_plans

assembled = assembler(Rejections())
STEPS = (0.01, -0.05, 0.3, -1.3)


def names_of(m):
    """Every name that a start value may have."""
    names = list(all_measures(m))
    for body in m.bodies:
        names += [f"{body}.{rest}" for rest in cardan(m, body)]
    names += [f"{name}.rate" for name in names if not name.endswith("cardan.y")]
    return names + [f"{item}.{rest}" for item in (*m.bodies, *m.readings) for rest in further(m, item)]


def slopes(m, state, name):
    """How fast the value of a name changes for each of the free motions of the mechanism, at unit speeds."""
    model = state.model
    exists = [bool(coordinate) for coordinate in model.coordinate_names]  # a particle has no angle
    free = null_space(m.evaluate(state, coordinates="body").jacobian, rcond=1e-9)
    found = []
    for way in free.T:
        y = state.y.copy()
        y[model.n_q : model.n_q + model.n_v][exists] = way
        found.append(replace(state, y=y)[name])
    return np.array(found)


def is_rate(name):
    return name.endswith(".rate") or "angular_velocity" in name or name.endswith(".speed")


def all_have_an_effect(m, state, seed, count):
    rng = np.random.default_rng(seed)
    names = names_of(m)
    for k in rng.permutation(len(names))[:count]:
        one_has_an_effect(m, state, rng, names[k])


def one_has_an_effect(m, state, rng, name):
    value = state[name] + rng.choice(STEPS)
    if name.endswith("cardan.y"):
        value = np.clip(value, -1.5, 1.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MovedWarning)
        try:
            near_is_met(m, name, value)
        except DescriptionError as refusal:
            assert "is a length" in str(refusal) and value <= 0.0
            return
        try:
            got = m.assemble(start={name: value}, coordinates="body")[name]
        except AnalysisError:
            return
    assert abs(turned(name, got - value)) <= 1e-9 * max(1.0, abs(value)), (name, value, got)


def near_is_met(m, name, value):
    found = m.assemble(near={name: value}, coordinates="body").state
    assert not m.evaluate(found, coordinates="body").violated
    off = abs(turned(name, found[name] - value))
    if off > 1e-8 * max(1.0, abs(value)):
        steep = np.abs(slopes(m, found, name if is_rate(name) else f"{name}.rate")).max(initial=0.0)
        assert steep <= (1e-7 if is_rate(name) else 2e-3 * np.sqrt(max(1.0, off))), (name, value, found[name], steep)


def turned(name, off):
    """In space an orientation alone does not say the turn of a Cardan angle."""
    return np.remainder(off + np.pi, 2.0 * np.pi) - np.pi if "cardan" in name and not is_rate(name) else off


SEEDS = st.integers(0, 2**32 - 1)


@examples(60)
@given(set_plans(most=4, loops=1, closing=LASTING), SEEDS)
def test_names_in_the_plane(plan, seed):
    all_have_an_effect(*assembled(plan), seed, count=4)


@examples(40)
@given(spatial_plans(most=3, loops=1), SEEDS)
def test_names_in_space(plan, seed):
    all_have_an_effect(*assembled(plan), seed, count=4)
