"""Drivers that push a mechanism into its dead centre: told quickly, and exactly where; what passes by is let pass."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import DeadCentreError


def four_bar(ground, crank, coupler, rocker, driver, mass=1.0):
    m = lw.Mechanism("four-bar")
    a, b, c = (
        m.add(name, lw.bar(length=length, mass=mass))
        for name, length in (("crank", crank), ("coupler", coupler), ("rocker", rocker))
    )
    A = m.add("A", lw.Revolute(m.ground.at(0, 0), a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    m.add("C", lw.Revolute(b.b, c.b))
    m.add("D", lw.Revolute(m.ground.at(ground, 0), c.a))
    m.add("motor", lw.Driver(A.angle, driver))
    return m


def limit(ground, crank, coupler, rocker):
    """Crank angle at which coupler and rocker lie along one line."""
    return math.acos((crank**2 + ground**2 - (coupler + rocker) ** 2) / (2 * crank * ground))


@pytest.mark.parametrize("coordinates", (*SETS, "point"))
@pytest.mark.parametrize(
    ("method", "rtol"),
    [
        *(("dop853", rtol) for rtol in (1e-4, 1e-8, 1e-12, 1e-14)),
        *(("dopri5", rtol) for rtol in (1e-6, 1e-12)),
        ("radau", 1e-6),
        ("auto", 1e-8),
    ],
)
def test_a_crank_that_cannot_turn_is_told_where(coordinates, method, rtol):
    m = four_bar(2.2, 2.0, 1.5, 1.2, "1 + 0.5*t + 0.3*t^2")
    angle = limit(2.2, 2.0, 1.5, 1.2)
    t = (-0.5 + math.sqrt(0.25 + 1.2 * (angle - 1.0))) / 0.6
    with pytest.raises(DeadCentreError, match=r"dead centre at t = .* by 'motor'") as caught:
        m.simulate(3, every=0.1, coordinates=coordinates, rtol=rtol, method=method)
    assert caught.value.time == pytest.approx(t, abs=1e-11)
    assert caught.value.result.t[-1] == pytest.approx(math.floor(t / 0.1) * 0.1)
    assert caught.value.result.statistics.evaluations < 2000


@pytest.mark.parametrize("coordinates", SETS[:2])
def test_random_four_bars_and_speeds(coordinates):
    rng = np.random.default_rng(3)
    tried = 0
    while tried < 12:
        g, a, b, c = rng.uniform(0.5, 3.0, 4)
        if not abs(b - c) < abs(g - a) < b + c < g + a:  # it can be built with the crank along ground, and not across
            continue
        speed, first = rng.uniform(0.2, 20.0) * rng.choice([-1.0, 1.0]), 0.3 * limit(g, a, b, c)
        m = four_bar(g, a, b, c, lw.Polynomial(first, speed))
        end = (math.copysign(limit(g, a, b, c), speed) - first) / speed
        with pytest.raises(DeadCentreError) as caught:
            m.simulate(2.0 * end, coordinates=coordinates)
        assert caught.value.time == pytest.approx(end, rel=1e-9)
        tried += 1


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("margin", [1e-2, 1e-4, 1e-5])
def test_what_passes_by_a_little_is_carried_on(coordinates, margin):
    """Coupler and rocker are longer than needed by a little when the crank stands away from ground."""
    m = four_bar(2.0, 1.0, 1.7, 1.3 + margin, lw.Polynomial(0.5, 1.0))
    run = m.simulate(6.0, coordinates=coordinates)
    assert run.t[-1] == 6.0 and run.violation.max() < 1e-9


@pytest.mark.parametrize("coordinates", SETS)
def test_events_and_prepared_runs_tell_it_too(coordinates):
    m = four_bar(2.2, 2.0, 1.5, 1.2, lw.Polynomial(1.0, 1.0))
    m.add("half", lw.Event("A.angle", "1.2 rad", then=lw.Off("bob"), most=1))
    m.add("bob", lw.Torque(m["rocker"].a, 0.1))
    end = limit(2.2, 2.0, 1.5, 1.2) - 1.0
    with pytest.raises(DeadCentreError) as caught:
        m.simulate(3.0, coordinates=coordinates)
    assert caught.value.time == pytest.approx(end, abs=1e-11)
    assert [one.name for one in caught.value.result.events] == ["half"]
    prepared = m.prepare(3.0, coordinates=coordinates, events=False)
    for _ in range(2):
        with pytest.raises(DeadCentreError) as caught:
            prepared()
        assert caught.value.time == pytest.approx(end, abs=1e-11)


def slider_crank(driver):
    m = lw.Mechanism("slider-crank")
    crank, rod = m.add("crank", lw.bar(length=0.5, mass=1.0)), m.add("rod", lw.bar(length=1.3, mass=1.0))
    block = m.add("block", lw.Body(mass=1.0, inertia=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, rod.a))
    m.add("C", lw.Revolute(rod.b, block))
    S = m.add("S", lw.Prismatic(m.ground.at(0, 0.2), block))
    m.add("pull", lw.Driver(S.slide, driver))
    return m


@pytest.mark.parametrize("coordinates", SETS)
def test_a_slider_driven_beyond_its_stroke(coordinates):
    m = slider_crank("1.2 + 0.4*t")
    with pytest.raises(DeadCentreError, match="pull") as caught:
        m.simulate(5, near={"A.angle": 1.0}, coordinates=coordinates)
    assert caught.value.time == pytest.approx((math.sqrt(1.8**2 - 0.2**2) - 1.2) / 0.4, abs=1e-10)


@pytest.mark.parametrize("coordinates", SETS)
def test_outputs_before_it_are_written(coordinates):
    """Times near the limit are asked for: all of them before it are there."""
    m = four_bar(2.2, 2.0, 1.5, 1.2, lw.Polynomial(1.0, 1.0))
    end = limit(2.2, 2.0, 1.5, 1.2) - 1.0
    times = [0.0, end - 0.1, end - 1e-2, end - 1e-3, end - 1e-4, end - 1e-5, end + 1e-6]
    with pytest.raises(DeadCentreError) as caught:
        m.simulate(times, coordinates=coordinates)
    run = caught.value.result
    assert run.t.tolist() == times[:-1]
    assert run["A.angle"] == pytest.approx(1.0 + run.t, abs=1e-12)
    with pytest.raises(DeadCentreError) as caught:
        m.simulate(3.0, every="step", coordinates=coordinates)
    assert caught.value.time == pytest.approx(end, abs=1e-11)


@pytest.mark.parametrize("method", ["dop853", "dopri5"])
@pytest.mark.parametrize("rtol", [1e-8, 1e-12])
@pytest.mark.parametrize("coordinates", SETS)
def test_a_freedom_beside_the_driven_one_does_not_hide_it(coordinates, method, rtol):
    m = four_bar(2.2, 2.0, 1.5, 1.2, "1 + t")
    bob = m.add("bob", lw.bar(length=0.6, mass=0.4))
    m.add("P", lw.Revolute(m["coupler"].middle, bob.a))
    with pytest.raises(DeadCentreError) as caught:
        m.simulate(3, coordinates=coordinates, method=method, rtol=rtol)
    assert caught.value.time == pytest.approx(limit(2.2, 2.0, 1.5, 1.2) - 1.0, abs=1e-9)


@pytest.mark.parametrize("coordinates", SETS[:2])
def test_a_spatial_four_bar(coordinates):
    """A crank about z and a rocker about x with a rod between balls: the limit by the distance of the rod's ends."""
    m = lw.Mechanism("RSSR", dimension=3)
    crank = m.add("crank", lw.Body(mass=1.0, inertia=(0.1, 0.1, 0.1), points={"end": (0.8, 0, 0)}))
    rocker = m.add("rocker", lw.Body(mass=1.0, inertia=(0.1, 0.1, 0.1), points={"end": (0, 0.6, 0)}))
    A = m.add("A", lw.Revolute(m.ground.at(0, 0, 0), crank))
    m.add("D", lw.Revolute(m.ground.at(1.5, 0, 0.3, axis=(1, 0, 0)), rocker.at(0, 0, 0, axis=(1, 0, 0))))
    m.add("rod", lw.Rod(crank.end, rocker.end, length=1.2))
    m.add("motor", lw.Driver(A.angle, lw.Polynomial(0.5, 1.0)))

    def reach(angle):  # the shortest and longest distance from the crank's end to the circle of the rocker's end
        x, y = 0.8 * math.cos(angle), 0.8 * math.sin(angle)
        across = math.hypot(y, 0.3)
        return math.hypot(1.5 - x, across - 0.6), math.hypot(1.5 - x, across + 0.6)

    low, high = 0.5, 2.5
    assert reach(low)[0] < 1.2 < reach(low)[1] and not reach(high)[0] < 1.2
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if reach(middle)[0] < 1.2 < reach(middle)[1] else (low, middle)
    with pytest.raises(DeadCentreError) as caught:
        m.simulate(3, coordinates=coordinates)
    assert caught.value.time == pytest.approx(low - 0.5, abs=1e-9)
