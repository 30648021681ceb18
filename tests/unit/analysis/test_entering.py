"""What a state is measured by in a set of coordinates: the same bits for one design and for many."""

import numpy as np
import pytest

from linkwork.analysis.entering import energy_scales


@pytest.mark.parametrize("designs", [1, 2, 7])
@pytest.mark.parametrize("bodies", [1, 3, 10])
def test_energies_of_many_have_the_bits_of_each(designs, bodies):
    rng = np.random.default_rng(designs + bodies)
    masses, speeds = rng.uniform(size=(designs, 3 * bodies)), rng.normal(size=(designs, 9 * bodies))
    weights, lengths = rng.normal(size=(designs, bodies, 2)), rng.uniform(size=designs)
    some = speeds[:, bodies : 4 * bodies]
    found = energy_scales(masses, weights, lengths, some)
    for k in range(designs):
        assert energy_scales(masses[k, None], weights[k, None], lengths[k, None], some[k, None])[0] == found[k]
        moving = pulled = 0.0
        for mass, speed in zip(masses[k].tolist(), some[k].tolist()):
            moving += mass * speed * speed
        for one in weights[k].ravel().tolist():
            pulled += abs(one)
        assert found[k] == 0.5 * moving + pulled * lengths[k] + 1e-30
