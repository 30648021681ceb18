"""Random events on motion that is known: found to 1e-9, each once.  The campaign has ten thousand of them."""

import numpy as np
import pytest

import linkwork as lw
from campaign import WHOLE

EVENTS = 10_000 if WHOLE else 1_000
LEVELS = 50  # of one run


def driven(rng):
    """A particle led along a sum of two waves in the plane, a bar turned in space: quantities of it in closed form."""
    a, b = rng.uniform(0.5, 1.5, 2)
    w1, w2 = rng.uniform(1.0, 6.0, 2)
    text = f"{a}*sin({w1}*t) + {b}*sin({w2}*t + 1)"

    def value(t):
        return a * np.sin(w1 * t) + b * np.sin(w2 * t + 1.0)

    def rate(t):
        return a * w1 * np.cos(w1 * t) + b * w2 * np.cos(w2 * t + 1.0)

    if rng.random() < 0.5:
        m = lw.Mechanism(gravity=None)
        m.add("p", lw.Particle(1.0, position=(value(0.0), 0.0)))
        m.add("d", lw.Driver(lw.WorldOffset(m.ground.at(0, 0), m["p"].at(0, 0), "x"), text))
        m.add("y", lw.Hold("ground", "p", y=0.0))
        return m, "p.x", value, rate
    m = lw.Mechanism(dimension=3, gravity=None)
    m.add("p", lw.rod(length=1.0, mass=1.0))
    m.add("A", lw.Revolute("ground", "p.a"))
    m.add("d", lw.Driver("A.angle", text))
    return m, "A.angle", value, rate


def roots(function, level, end):
    """From many samples, refined by bisection."""
    t = np.linspace(0.0, end, 40_001)
    g = function(t) - level
    found = []
    for k in np.flatnonzero(g[:-1] * g[1:] < 0.0):
        low, high = t[k], t[k + 1]
        for _ in range(60):
            middle = 0.5 * (low + high)
            if (function(middle) - level) * g[k] > 0.0:
                low = middle
            else:
                high = middle
        found.append(0.5 * (low + high))
    return np.array(found)


@pytest.mark.soak
def test_random_events_on_driven_motion():
    rng = np.random.default_rng(7)
    count, end = 0, 3.0
    while count < EVENTS:
        m, name, value, rate = driven(rng)
        samples = value(np.linspace(0.0, end, 4001)), rate(np.linspace(0.0, end, 4001))
        given = []
        for k in range(LEVELS):
            order = int(rng.integers(2))
            level = float(rng.uniform(samples[order].min(), samples[order].max()))
            given.append((order, level))
            m.add(f"e{k}", lw.Event(name + ".rate" * order, level))
        coordinates = ("body", "joint")[int(rng.integers(2))]
        run = m.simulate([0.0, end], coordinates=coordinates, method=("dop853", "dopri5")[int(rng.integers(2))])
        found = {k: [] for k in range(LEVELS)}
        for one in run.marks:
            found[int(one.name[1:])].append(one.t)
        for k, (order, level) in enumerate(given):
            wanted = roots((value, rate)[order], level, end)
            assert len(found[k]) == len(wanted), (count, coordinates, m, level)
            np.testing.assert_allclose(found[k], wanted, rtol=0, atol=1e-9)
            count += len(wanted)


@pytest.mark.soak
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_many_locks_and_releases(coordinates, monkeypatch):
    """A thousand of them, in the campaign, in one run."""
    from unit.analysis import test_events

    monkeypatch.setattr(test_events, "MANY", 1000 if WHOLE else 100)
    test_events.test_many_locks_and_releases(coordinates)
    test_events.test_many_locks_and_releases_in_space(coordinates)
