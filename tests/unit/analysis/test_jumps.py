"""Laws that jump are named by the run, with the time; those that bend, or are stiff, are not."""

import math
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import AnalysisError, RunQualityWarning


def kick(value, rate, t, force, place):
    return force if value > place else 0.0


def smoothly(value, rate, t, force, place):
    return force * (0.5 + 0.5 * math.tanh((value - place) / 1e-4))


def block(law=kick, **numbers):
    m = lw.Mechanism("block", gravity=None)
    one = m.add("one", lw.Particle(1.0, position=(0, 0), velocity=(1, 0)))
    m.add("rail", lw.PinInSlot(m.ground.at(0, 0), one.at(0, 0)))
    m.add("spring", lw.SpringDamper(m.ground.at(-1, 0), one.at(0, 0), stiffness=50.0, rest_length=1.0))
    m.add("law", lw.UserForce(lw.WorldOffset(m.ground.at(0, 0), one.at(0, 0), "x"), law, **numbers))
    return m


WHEN = math.asin(0.05 * math.sqrt(50.0)) / math.sqrt(50.0)  # x = sin(w t) / w = 0.05


@pytest.mark.filterwarnings("ignore::linkwork.errors.RunQualityWarning")
@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("method", ["auto", "dop853", "dopri5", "radau", "radau_soft"])
def test_a_law_that_jumps_is_named_with_its_time(method, coordinates):
    for rtol in (1e-4, 1e-6, 1e-8, 1e-10):
        with pytest.warns(RunQualityWarning, match="the law of force 'law' jumps at t = 0.051"):
            run = block(force=-3.0, place=0.05).simulate(
                0.2, every=0.1, method=method, rtol=rtol, coordinates=coordinates
            )
        (told,) = (one for one in run.doubts if "jumps" in one)
        assert float(told.split("t = ")[1].split(" s")[0]) == pytest.approx(WHEN, abs=30 * math.sqrt(rtol) * WHEN)
        assert "jumps" in str(run)


def test_laws_of_events_and_pieces_are_counted_together():
    m = block(force=-3.0, place=0.05)
    m.add("turn", lw.Event("one.x.rate", then=lw.Set("gravity", (0.0, 0.0))))
    with pytest.warns(RunQualityWarning, match="the law of force 'law' jumps at t = 0.0511.* and .* more"):
        m.simulate(1.0, every=0.1, rtol=1e-6, coordinates="body")


@pytest.mark.parametrize("method", ["auto", "dopri5", "radau"])
def test_a_law_of_python_is_named_too(method):
    def plain(value, rate, t, force):
        return -force * float(str(np.sign(rate)))

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        block(plain, force=0.4).simulate(0.5, every=0.1, method=method, rtol=1e-6, coordinates="joint")
    assert any("force 'law' jumps" in str(one.message) for one in told)


@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("method", ["auto", "dopri5", "radau"])
def test_what_is_steep_or_bends_is_not_named(method, rtol):
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "(?s).*jumps at")
        block(smoothly, force=-3.0, place=0.05).simulate(1.0, every=0.1, method=method, rtol=rtol, coordinates="joint")
        m = block(force=0.0, place=0.05)
        m.add("stop", lw.Limit("one.x", -0.05, 0.06, stiffness=1e7, damping=0.2))
        m.simulate(1.0, every=0.1, method=method, rtol=rtol, coordinates="joint")


def bump(value, rate, t):
    return -1.0 if 0.5 < value < 0.6 else 0.0


def rubbing(value, rate, t, force):
    return -force * np.sign(rate)


@pytest.mark.parametrize("method", ["auto", "dopri5", "rkc"])
def test_a_run_that_sticks_at_a_jump_ends_early(method):
    """Nothing but friction: every step of some 1e-8 s is accurate, and nearly none is refused."""
    m = lw.Mechanism("block")
    m.add("block", lw.Body(2.0, 1.0))
    m.add("rail", lw.Prismatic("ground", "block"))
    m.add("other", lw.UserForce("rail.slide", bump))  # is passed before
    m.add("rub", lw.UserForce("rail.slide", rubbing, force=3.0))
    with pytest.raises(AnalysisError, match=r"Force 'rub' has a law that jumps.* steps are .*tanh") as told:
        start, most = {"rail.slide.rate": 2.0}, 20_000_000
        m.simulate(30, every=0.01, start=start, method=method, rtol=1e-10, most_steps=most, coordinates="joint")
    reached = told.value.result
    assert 1.0 < reached.t[-1] < 1.5 and reached["rail.slide.rate"][-1] == pytest.approx(0.0, abs=0.05)
    assert reached.statistics.rejected < 0.05 * reached.statistics.steps
