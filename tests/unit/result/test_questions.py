"""Questions about a result against closed forms: times, extremes, averages, dwell and work."""

import math
import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.switching import switch
from linkwork.errors import AnalysisError, DescriptionError, UnitError, UnknownNameError
from linkwork.result.answers import Estimate

K, MASS, AMPLITUDE = 40.0, 2.5, 0.3
OMEGA = math.sqrt(K / MASS)


def oscillator(damping=0.0, dimension=2):
    """A mass on a spring along x: x = A cos(w t)."""
    m = lw.Mechanism("oscillator", dimension=dimension, gravity=None)
    block = m.add("block", lw.Body(MASS, 1.0 if dimension == 2 else (1.0, 1.0, 1.0)))
    m.add("guide", lw.Prismatic(m.ground, block))
    m.add("spring", lw.SpringDamper(m.ground.at(-2, 0), block, stiffness=K, rest_length=2.0, damping=damping))
    return m


def swing(every=0.02, time=4.0, coordinates="joint", **options):
    dimension = options.pop("dimension", 2)
    m = oscillator(options.pop("damping", 0.0), dimension)
    start = {"guide.slide": AMPLITUDE}
    return m.simulate(time, every=every, start=start, rtol=1e-11, atol=1e-12, coordinates=coordinates, **options)


@pytest.fixture(scope="module")
def run():
    return swing()


def crank(speed=2.0 * math.pi, time=3.0, every=0.013):
    """A crank that turns at constant speed, with a slider at its end: x = r cos(w t) + sqrt(l^2 - (r sin(w t))^2)."""
    m = lw.gallery.slider_crank()
    m.replace("motor", lw.Driver(m["motor"].measure, lw.Polynomial(0.0, speed)))
    return m.simulate(time, every=every, rtol=1e-11, atol=1e-12, coordinates="joint")


# -- when ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_when_against_the_closed_form(coordinates, dimension):
    moved = swing(coordinates=coordinates, dimension=dimension)
    for value in (0.1, 0.0, -0.2999):
        phase = math.acos(value / AMPLITUDE)
        turns = 2.0 * np.pi * np.arange(6)
        for direction, phases in (("falling", phase + turns), ("rising", 2.0 * np.pi - phase + turns)):
            wanted = phases[phases <= 4.0 * OMEGA] / OMEGA
            found = moved.when("guide.slide", value, direction=direction)
            assert len(found) == len(wanted) and set(found.ways) == {direction}
            for got, want in zip(found, wanted):
                assert abs(got - want) <= got.error + 1e-9
        assert len(moved.when("guide.slide", value)) == len(moved.when("guide.slide", value, direction="both"))


@pytest.mark.parametrize("every", [0.2, 0.1, 0.05, 0.02])
def test_the_error_that_is_said_follows_the_grid(every):
    found = swing(every).when("guide.slide", 0.1)
    wanted = math.acos(0.1 / AMPLITUDE) / OMEGA
    assert abs(found[0] - wanted) <= found[0].error
    # of fourth order: the bound of cubics, h^4 f'''' / 384, with the largest f'''', over the slope there
    bound = every**4 / 384 * AMPLITUDE * OMEGA**4 / (OMEGA * math.sqrt(AMPLITUDE**2 - 0.01))
    assert found[0].error <= 4.0 * bound + 1e-10


def test_when_takes_units_and_full_turns():
    moved = crank()
    assert moved.when("crank.angle", "60 deg").times == pytest.approx([1.0 / 6.0], abs=1e-9)
    found = moved.when("crank.angle", "60 deg", every="360 deg")
    assert found.times == pytest.approx([1 / 6, 7 / 6, 13 / 6], abs=1e-9)
    # values at stored times, ends of the run among them, count once
    assert moved.when("crank.angle", 0.0, every="360 deg").times == pytest.approx([0, 1, 2, 3], abs=1e-9)
    assert np.asarray(found).dtype == float and list(found) == [found[0], found[1], found[2]]


def test_when_of_rates_and_of_quantities_without_rate(run):
    turning = run.when("guide.slide.rate", 0.0)
    np.testing.assert_allclose(turning.times, np.pi / OMEGA * np.arange(len(turning)), atol=1e-7)
    # the power of the spring, K A^2 w sin(2 w t) / 2, is given by differences
    power = run.when("spring.power", 0.0)
    wanted = np.pi / 2.0 / OMEGA * np.arange(len(power))
    assert len(power) == 1 + int(4.0 / (np.pi / 2.0 / OMEGA))
    for got, want in zip(power, wanted):
        assert abs(got - want) <= got.error + 1e-9


def test_never_is_empty_and_said(run):
    found = run.when("guide.slide", "2 m")
    assert len(found) == 0 and not found
    assert "never 2 m" in str(found) and "from -0.3 to 0.3 m" in str(found)
    assert "3 times" in str(run.when("guide.slide", 0.0, direction="falling")) and "±" in str(
        run.when("guide.slide", 0)
    )


def test_a_quantity_at_rest_stays_and_says_so(run):
    found = run.when("block.y", 0.0)
    assert len(found) == 1 and found.stays == ((0.0, 4.0),) and "stays there from 0 to 4 s" in str(found)


def test_a_value_that_may_be_missed_is_told():
    """The largest value is met by a hair: interpolation on a coarse grid cannot tell."""
    moved = swing(0.3)
    greatest = moved.extremes("guide.slide").turning[0]
    assert moved.when("guide.slide", greatest[1] - 0.5 * greatest[1].error).doubtful


# -- extremes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("every", [0.15, 0.05, 0.02])
def test_extremes_and_stroke(every):
    found = swing(every).extremes("guide.slide")
    assert abs(found.least + AMPLITUDE) <= found.least.error + 1e-9
    nearest = np.pi / OMEGA * np.round(found.least_at * OMEGA / np.pi)
    assert abs(found.least_at - nearest) <= found.least_at.error + 1e-8
    assert abs(found.stroke - 2.0 * AMPLITUDE) <= found.stroke.error + 1e-9
    times = np.array([float(t) for t, _ in found.turning])
    np.testing.assert_allclose(times, np.pi / OMEGA * np.arange(1, len(times) + 1), atol=every**3 * 10)
    assert len(times) == int(4.0 * OMEGA / np.pi)


def test_stroke_of_a_slider_crank():
    moved = crank()
    length = moved.mechanism["crank"]
    assert moved.stroke("guide.slide") == pytest.approx(0.1, abs=1e-7), length
    assert moved.stroke("guide.slide").error < 1e-5
    assert "turns around" in str(moved.extremes("guide.slide"))


# -- averages ------------------------------------------------------------------------------------------------------


def test_mean_and_rms_over_the_run(run):
    end = 4.0
    wanted = AMPLITUDE * math.sin(OMEGA * end) / OMEGA / end
    assert abs(run.mean("guide.slide") - wanted) <= run.mean("guide.slide").error + 1e-9
    square = AMPLITUDE**2 * (0.5 + math.sin(2 * OMEGA * end) / (4 * OMEGA * end))
    assert abs(run.rms("guide.slide") - math.sqrt(square)) <= run.rms("guide.slide").error + 1e-9
    assert run.mean("t") == pytest.approx(2.0) and run.mean("t").error < 1e-12


@pytest.mark.parametrize("every", [0.11, 0.037, 0.01])
def test_averages_over_conditions(every):
    """While x > 0 the mean of A cos is 2 A / pi, whole half periods given; the grid misses all edges."""
    moved = swing(every)
    periods = ("t", (math.pi / 2.0 / OMEGA, math.pi / 2.0 / OMEGA + 2.0 * (2.0 * math.pi / OMEGA)))
    where = dict([("guide.slide", (0.0, None)), periods])
    mean, rms = moved.mean("guide.slide", where), moved.rms("guide.slide", where)
    assert abs(mean - 2.0 * AMPLITUDE / math.pi) <= mean.error + 1e-9
    assert abs(rms - AMPLITUDE / math.sqrt(2.0)) <= rms.error + 1e-9
    assert mean.error < 20 * every**4 + 1e-8
    below = moved.mean("guide.slide", {"guide.slide": (None, 0.0), periods[0]: periods[1]})
    assert below == pytest.approx(-float(mean), abs=2 * mean.error + 1e-9)


def test_where_takes_units_and_several_bands():
    moved = crank()
    # between 60 and 120 degrees of the first turn, x of the crank's end goes from r/2 to -r/2: mean zero
    where = {"crank.angle": ("60 deg", "120 deg")}
    assert moved.mean("crank.b.x", where) == pytest.approx(0.0, abs=1e-9)
    half = moved.mean("crank.angle.rate", {**where, "t": (None, 0.25)})
    assert half == pytest.approx(2.0 * math.pi)


# -- dwell ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [0.01, 0.1, 0.35])
@pytest.mark.parametrize("every", [0.05, 0.02])
def test_dwell_of_a_swing(width, every):
    """The longest stay in a band of width b is around a dead centre: 2 acos(1 - b / A) / w."""
    found = swing(every).dwell("guide.slide", width)
    wanted = 2.0 * math.acos(1.0 - width / AMPLITUDE) / OMEGA
    assert abs(found.duration - wanted) <= found.duration.error + 1e-8
    assert found.high - found.low == pytest.approx(width) and not found.cut


def test_dwell_within_given_edges(run):
    found = run.dwell("guide.slide", ("-10 cm", "10 cm"))
    assert found.duration == pytest.approx(2.0 * math.asin(1.0 / 3.0) / OMEGA, abs=1e-6)
    assert "stays between -0.1 and 0.1 m" in str(found)
    whole = run.dwell("guide.slide", "1 m")
    assert whole.duration == 4.0 and whole.cut and "cut off" in str(whole)


def test_dwell_of_something_that_only_rises():
    moved = crank()
    assert moved.dwell("crank.angle", "90 deg").duration == pytest.approx(0.25, abs=1e-9)


# -- work ----------------------------------------------------------------------------------------------------------


def test_work_of_a_spring_between_any_times(run):
    for start, end in ((0.0, 4.0), (0.333, 1.777), ("500 ms", 0.5001)):
        t1, t2 = (0.5 if isinstance(one, str) else one for one in (start, end))
        stored = [0.5 * K * (AMPLITUDE * math.cos(OMEGA * t)) ** 2 for t in (t1, t2)]
        found = run.work("spring", start, end)
        assert abs(found - (stored[0] - stored[1])) <= found.error + 1e-8
    assert run.work("spring", 1.0, 1.0) == 0.0


def test_work_of_all_adds_up_to_the_kinetic_energy():
    """A damped pendulum with a motor: what gravity, damper and motor do is what the energy of motion changes by."""
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    m.add("damper", lw.TorsionSpringDamper(m.ground, rod, stiffness=2.0, damping=0.3))
    m.add("motor", lw.Torque(rod, 1.5))
    moved = m.simulate(2.0, every=0.01, start={"A.angle": 0.4}, rtol=1e-10, coordinates="body")
    items = ("gravity", "damper", "motor")
    for t1, t2 in ((0.0, 2.0), (0.123, 1.456)):
        kinetic = [moved.mechanism.evaluate(moved.at(t), coordinates="body").energy.kinetic for t in (t1, t2)]
        assert sum(moved.work(one, t1, t2) for one in items) == pytest.approx(kinetic[1] - kinetic[0], abs=1e-7)
    assert moved.work("motor") == pytest.approx(1.5 * (moved["A.angle"][-1] - moved["A.angle"][0]), abs=1e-8)


def test_work_of_a_driver_is_its_power_over_time():
    moved = crank(time=1.0, every=0.002)
    assert abs(moved.work("motor", 0.1, 0.3) - 0.2 * moved.mean("motor.power", {"t": (0.1, 0.3)})) < 1e-6


# -- wrong use -----------------------------------------------------------------------------------------------------


def test_wrong_uses_are_told(run):
    with pytest.raises(UnknownNameError, match=r"guide\.slide"):
        run.when("guide.slid", 0.1)
    with pytest.raises(DescriptionError, match=r"is a vector.*block.momentum.x"):
        run.extremes("block.momentum")
    with pytest.raises(UnitError):
        run.when("guide.slide", "30 deg")
    with pytest.raises(DescriptionError, match=r"'sideways'.*'rising' or 'falling' or 'both'"):
        run.when("guide.slide", 0.1, direction="sideways")
    with pytest.raises(DescriptionError, match="every is too small"):
        run.when("guide.slide", 0.1, every=0.0)
    with pytest.raises(DescriptionError, match="too many values"):
        run.when("guide.slide", 0.1, every=1e-9)
    for width in (0.0, -1.0, float("nan")):
        with pytest.raises(DescriptionError):
            run.dwell("guide.slide", width)
    for band in ((0.1, 0.1), (0.2, 0.1), (0.1,), (float("nan"), 1.0)):
        with pytest.raises(DescriptionError):
            run.dwell("guide.slide", band)
    with pytest.raises(AnalysisError, match="never between 1 and 2 m"):
        run.dwell("guide.slide", (1.0, 2.0))
    with pytest.raises(AnalysisError, match="never met"):
        run.mean("guide.slide", {"guide.slide": (1.0, None)})
    with pytest.raises(DescriptionError, match="no mapping"):
        run.mean("guide.slide", run["guide.slide"] > 0)
    with pytest.raises(UnknownNameError):
        run.mean("guide.slide", {"guide.slid": (1.0, None)})
    with pytest.raises(UnknownNameError, match="joints do none"):
        run.work("guide")
    with pytest.raises(UnknownNameError, match="spring"):
        run.work("sprin")
    with pytest.raises(DescriptionError, match="ends before it starts"):
        run.work("spring", 2.0, 1.0)
    with pytest.raises(UnknownNameError, match="time"):
        run.work("spring", 0.0, 99.0)
    with pytest.raises(DescriptionError, match="need a motion"):
        lw.Result.of_state(run.final).when("guide.slide", 0.0)


def test_estimates_are_numbers_that_keep_their_error():
    one = Estimate(2.0, 1e-3)
    assert one == 2.0 and repr(one) == "2 ± 0.001" and f"{one:.1f}" == "2.0"
    assert pickle.loads(pickle.dumps(one)).error == 1e-3


# -- runs of several segments --------------------------------------------------------------------------------------


def caught_bar(every=0.05):
    """A level bar thrown up with a spin, whose end is caught by a pin when it is level again: its speed jumps."""
    L, g = 1.0, 9.81
    spin = math.sqrt(2 * math.pi * g / L)
    flight = spin * L / g
    m = lw.Mechanism("caught", gravity=(0, -g))
    bar = m.add("bar", lw.bar(length=L, mass=2.0))
    m.add("A", lw.Revolute(m.ground, bar.a))
    level = m.assemble(start={"A.angle": 0.0, "A.angle.rate": spin}, coordinates="body").state
    times = np.linspace(0.0, flight, round(flight / every) + 1)
    fly = m.simulate(times, start=switch(level, release="A").state, coordinates="body", rtol=1e-10)
    times = np.linspace(0.0, 0.6, round(0.6 / every) + 1) + fly.t[-1]
    swing = m.simulate(times, start=switch(fly.final, hold="A").state, coordinates="body", rtol=1e-10)
    return fly + swing, flight, spin, L, g


@pytest.mark.parametrize("every", [0.1, 0.05, 0.02])
def test_jumps_between_segments_stay_jumps(every):
    """Before the catch the speed of the spin is constant, behind it the bar swings back with half of it."""
    run, flight, spin, L, g = caught_bar(every)
    before, after = run.when("bar.angle.rate", 0.0)[:1], run.extremes("bar.angle.rate")
    assert before[0] == pytest.approx(flight, abs=1e-9)  # the jump from spin to -spin/2 passes zero
    assert after.greatest == pytest.approx(spin, abs=1e-8) and after.least_at >= flight
    # the mass centre flies along a parabola until then: cubics have it exactly, whatever the slope behind
    top = run.extremes("bar.middle.y")
    wanted = (spin * L / 2) ** 2 / (2 * g)
    assert top.greatest == pytest.approx(wanted, abs=1e-8) and top.greatest_at == pytest.approx(flight / 2, abs=1e-7)
    mean = run.mean("bar.middle.y", {"t": (None, float(flight))})
    assert mean == pytest.approx(2.0 / 3.0 * wanted, abs=1e-8) and mean.error < 1e-8
    # gravity gives back in flight what it took
    assert run.work("gravity", 0.0, float(flight)) == pytest.approx(0.0, abs=1e-8)
    lost = run.energy.gravity
    assert run.work("gravity") == pytest.approx(lost[0] - lost[-1], abs=1e-8)


def test_averages_strokes_and_work_have_their_unit(run):
    for value, unit in ((run.mean("block.x"), "m"), (run.rms("block.x.rate"), "m/s"), (run.stroke("block.x"), "m")):
        assert str(value).endswith(f" {unit}") and value.unit == unit and f"{value:.3f}" == f"{float(value):.3f}"
    assert str(run.work("spring")).endswith(" J") and pickle.loads(pickle.dumps(run.work("spring"))).unit == "J"
    assert str(Estimate(3677.49, 12.0)) == "3677.49 ± 10" and str(Estimate(1.0, 0.1, "1")) == "1 ± 0.1"
