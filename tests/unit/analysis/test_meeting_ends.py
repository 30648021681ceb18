"""Springs between points that a joint holds together, at any place and inclination."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import SingularConfigurationError


def swinging(dimension, seed):
    """Two bars that hang off the origin, turned at random; the second is held to the first by joint B."""
    rng = np.random.default_rng(seed)
    m = lw.Mechanism("swinging", dimension=dimension)
    pin = tuple(rng.uniform(-2.0, 2.0, dimension))
    inertia, points = (0.1, {"a": (-0.37, 0.11), "b": (0.53, -0.07)})
    bars = []
    for name in ("one", "two"):
        if dimension == 2:
            bars.append(m.add(name, lw.Body(1.0, inertia, angle=rng.uniform(-3, 3), points=points)))
        else:
            turn = lw.Orientation.from_rotation_vector(rng.uniform(-1.0, 1.0, 3))
            bars.append(
                m.add(
                    name,
                    lw.Body(
                        1.0,
                        (0.02, inertia, inertia),
                        orientation=turn,
                        points={key: (*value, 0.0) for key, value in points.items()},
                    ),
                )
            )
    joint = lw.Revolute if dimension == 2 else lw.Spherical
    m.add("A", joint(m.ground.at(*pin), bars[0].a))
    m.add("B", joint(bars[0].b, bars[1].a))
    return m, bars


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("numbers", [{"stiffness": 50.0}, {"stiffness": 50.0, "damping": 3.0}])
def test_one_that_needs_no_direction_does_nothing(dimension, seed, numbers):
    m, bars = swinging(dimension, seed)
    without = m.simulate(0.3, every=0.1, coordinates="joint", rtol=1e-9)
    m.add("spring", lw.SpringDamper(bars[0].b, bars[1].a, **numbers))
    for coordinates in SETS:
        run = m.simulate(0.3, every=0.1, coordinates=coordinates, rtol=1e-9)
        for joint in ("A", "B"):
            force = run.reaction(joint).force
            assert np.isfinite(force).all()
            assert force == pytest.approx(without.reaction(joint).force, abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("numbers", [{"stiffness": 50.0, "rest_length": 0.3}, {"actuator": 2.0}])
def test_one_that_needs_a_direction_is_named_with_the_joint(dimension, seed, numbers):
    m, bars = swinging(dimension, seed)
    m.add("other", lw.SpringDamper(m.ground, bars[1].b, stiffness=5.0, rest_length=0.1))
    m.add("spring", lw.SpringDamper(bars[0].b, bars[1].a, **numbers))
    for coordinates in SETS:
        for ask in (
            lambda one=coordinates: m.simulate(0.3, coordinates=one),
            lambda one=coordinates: m.evaluate(m.assemble(coordinates=one), coordinates=one),
        ):
            with pytest.raises(
                SingularConfigurationError, match=r"Force 'spring' has ends that meet.*joint 'B' holds them together"
            ):
                ask()
