"""A finished run is looked over: what is doubtful is told in one warning and in `print(run)`."""

import math
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork import errors
from linkwork.coordinates import SETS
from linkwork.errors import RunQualityWarning


def pendulum(gravity=(0.0, -9.81)):
    m = lw.Mechanism("pendulum", gravity=gravity)
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), bar.a))
    return m


def quiet(run_it):
    """The run, with every doubt an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RunQualityWarning)
        return run_it()


@pytest.mark.parametrize("coordinates", SETS)
def test_a_good_run_is_not_doubted(coordinates):
    m = pendulum()
    m.add("spring", lw.SpringDamper(m.ground.at(1, 1), m.bodies["bar"].b, stiffness=5.0, damping=0.3))
    m.add("torque", lw.Torque(m.bodies["bar"].a, 0.4))
    run = quiet(lambda: m.simulate(3.0, coordinates=coordinates))
    assert run.doubts == ()
    assert "doubtful" not in str(run)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_at_rest_there_is_no_energy_to_be_off(coordinates, dimension):
    hanging = pendulum()
    hanging.add("spring", lw.SpringDamper(hanging.ground.at(0.0, 2.0), hanging.bodies["bar"].b, stiffness=5.0))
    if dimension == 3:
        hanging = hanging.in_space()
    run = quiet(lambda: hanging.simulate(1.0, start={"A.angle": -math.pi / 2}, coordinates=coordinates))
    assert run.doubts == ()


@pytest.mark.parametrize("coordinates", SETS)
def test_the_ledger_of_the_warning_is_that_of_the_result(coordinates):
    """Work of dampers, drivers, torques and tables, particles and bodies in space: the doubt gives the true balance."""
    m = lw.Mechanism("all kinds", dimension=3)
    arm = m.add("arm", lw.Body(mass=2.0, inertia=(0.1, 0.2, 0.3), center=(0.4, 0.1, 0.0)))
    ball = m.add("ball", lw.Particle(mass=0.5, position=(1.0, 0.2, 0.0)))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0.3, 1, 0.2)), arm.at(0, 0, 0, axis=(0.3, 1, 0.2))))
    m.add("B", lw.Spherical(arm.at(1.0, 0.2, 0.0), ball))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 1, 1), ball, stiffness=40.0, damping=1.0))
    m.add("motor", lw.Torque(m.joints["A"].to, 2.0))
    with pytest.warns(RunQualityWarning, match="energy balance"):
        run = m.simulate(2.0, every=0.5, method="rk4", step=0.25, coordinates=coordinates)
    off = np.abs(run.energy.balance)
    assert f"off by {off.max():.2g} J at t = {run.t[np.argmax(off)]:.4g} s" in run.doubts[0]
    assert run.doubts[0] in str(run)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_jump_that_nobody_announced_is_told(coordinates):
    """A Python function has no known kinks: the driver drags the bar through them and the balance shows it."""
    m = pendulum()
    m.add("drive", lw.Driver(m.joints["A"].angle, lw.Callable(lambda t: abs(math.sin(9.0 * t)))))
    with pytest.warns(RunQualityWarning, match="drivers that jump"):
        m.simulate(2.0, coordinates=coordinates)


def test_a_tolerance_that_means_nothing():
    with pytest.warns(RunQualityWarning, match="rtol = 0.5 allows any error"):
        run = pendulum().simulate(0.01, rtol=0.5, coordinates="body")
    assert run.doubts


@pytest.mark.parametrize("coordinates", SETS)
def test_constraints_that_are_not_kept(coordinates):
    m = lw.Mechanism("four-bar")
    crank, coupler, rocker = (
        m.add(name, lw.bar(length=length, mass=1.0))
        for name, length in (("crank", 1.0), ("coupler", 3.0), ("rocker", 2.5))
    )
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    with pytest.warns(RunQualityWarning, match=r"constraints are not kept: ([A-D]\.[xy]|length of \w+) is off by"):
        m.simulate(20.0, start={"A.angle": 1.0}, constraints="none", rtol=1e-4, coordinates=coordinates)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_singular_start_is_told(coordinates):
    """A flat parallelogram may go on as one, or as its antiparallel twin."""
    m = lw.Mechanism("parallelogram", gravity=None)
    one, top, two = (
        m.add(name, lw.bar(length=length, mass=1.0, position=(x, 0.0), angle=0.0))
        for name, length, x in (("one", 1.0, 0.5), ("top", 2.0, 2.0), ("two", 1.0, 2.5))
    )
    m.add("A", lw.Revolute(m.ground.at(0, 0), one.a))
    m.add("B", lw.Revolute(one.b, top.a))
    m.add("C", lw.Revolute(top.b, two.b))
    m.add("D", lw.Revolute(m.ground.at(2, 0), two.a))
    with pytest.warns(RunQualityWarning, match="begins in a singular position"):
        m.simulate(0.1, start={"A.angle.rate": 1.0, "D.angle.rate": 1.0}, coordinates=coordinates)


def test_files_keep_the_doubts(tmp_path):
    with pytest.warns(RunQualityWarning):
        run = pendulum().simulate(0.5, rtol=0.5, coordinates="joint")
    run.to_json(tmp_path / "run.json")
    assert lw.load(tmp_path / "run.json").doubts == run.doubts


def test_what_is_not_finite_is_refused_when_it_is_read():
    run = pendulum().simulate(0.5, coordinates="body")
    run._series.states[3, 0] = np.nan
    with pytest.raises(lw.errors.AnalysisError, match=r"'bar\.x' is no finite number at t = ") as caught:
        run["bar.x"]
    assert caught.value.result is run


def test_driven_bodies_without_mass_have_no_energy_that_could_be_off():
    m = lw.Mechanism("massless four-bar")
    crank, coupler, rocker = (
        m.add(name, lw.bar(length=length, mass=0.0))
        for name, length in (("crank", 1.0), ("coupler", 3.0), ("rocker", 2.5))
    )
    A = m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    m.add("motor", lw.Driver(A.angle, "1 + 5*t"))
    run = quiet(lambda: m.simulate(2.0, every=0.1, coordinates="body"))
    assert abs(run["motor.effort"]).max() < 1e-12


@pytest.mark.parametrize("coordinates", SETS)
def test_an_energy_that_is_no_number_is_told(coordinates):
    """The greatest of nan and a number may be either: a balance that is nan somewhere must not pass for zero."""

    def push(value, rate, t, c):
        return -c * value

    def energy(values, numbers):
        return np.where(np.arange(len(values[0])) < 1, 0.0, np.nan)

    m = pendulum()
    m.add("push", lw.UserForce("A.angle", push, c=1.0, energy="stores", potential=energy))
    with pytest.warns(RunQualityWarning, match="balance is off by nan J"):
        m.simulate(0.1, every=0.05, coordinates=coordinates)


# -- runs in segments, and rows at every step --------------------------------------------------------------------------


def switched_pendulum():
    m = pendulum()
    m.add("coil", lw.TorsionSpringDamper(m.ground, "bar", stiffness=20.0, damping=0.1))
    second = m.add("second", lw.bar(length=0.7, mass=0.8))
    m.add("B", lw.Revolute(m["bar"].b, second.a))
    m.add("stick", lw.Event("t", 0.4, then=lw.Lock("B")))
    m.add("cut", lw.Event("t", 0.7, then=[lw.Off("coil"), lw.Release("B")]))
    return m


@pytest.mark.parametrize("coordinates", (*SETS, "point"))
def test_segments_are_judged_together(coordinates):
    m, start = switched_pendulum(), {"A.angle": 1.0, "A.angle.rate": 3.0, "B.angle": 0.5}
    run = quiet(lambda: m.simulate(1.5, every=0.1, start=start, coordinates=coordinates))
    assert len(run.segments) == 3 and run.doubts == ()
    assert run.energy.lost[-1] > 1.0  # what events take out is no doubt
    with pytest.warns(RunQualityWarning, match="energy balance"):
        run = m.simulate(1.5, every=0.1, start=start, coordinates=coordinates, method="rk4", step=0.1)
    off = np.abs(run.energy.balance)
    told = [f"off by {one:.2g} J at t = {t:.4g} s" for one, t in zip(off, run.t)]
    assert any(one in run.doubts[0] for one in told), run.doubts
    assert len(run.segments) == 3 and run.doubts[0] in str(run)


@pytest.mark.parametrize("when", ["first", "last"])
def test_what_is_off_in_one_segment_is_told(when):
    """A law jumps before the event, or after it; the other part of the run is a good one."""
    m = pendulum()
    early = when == "first"

    def push(value, rate, t, c):
        return c if (t < 0.3) == early else 0.0

    m.add("push", lw.UserForce("A.angle", push, c=2.0, energy="stores", potential=lambda v, n: 0.0 * v[0]))
    m.add("stick", lw.Event("t", 0.3, then=lw.Set("push.c", 2.0)))
    with pytest.warns(RunQualityWarning, match="energy balance"):
        run = m.simulate(1.0, every=0.05, coordinates="body")
    assert len(run.segments) == 2


@pytest.mark.parametrize("events", [True, False])
@pytest.mark.parametrize("coordinates", SETS)
def test_rows_are_looked_at_at_every_step(coordinates, events):
    """Baumgarte's terms have put the rows right again at the two times that are asked for; between they were off."""
    m = lw.gallery.four_bar()
    m.add("motor", lw.Driver("A.angle", "60 deg + 6*exp(-8*t)*sin(8*t)"))
    if events:
        m.add("half", lw.Event("t", 1.5, then=lw.Set("spring.stiffness", 100.0)))
    options = {"constraints": "baumgarte", "alpha": 15.0, "method": "rk4", "step": 0.01, "coordinates": coordinates}
    with pytest.warns(RunQualityWarning, match="constraints are not kept"):
        run = m.simulate([0.0, 4.0], **options)
    assert run.violation.max() < 1e-6 < 1e-5 < float(run.doubts[-1].split("off by ")[1].split()[0])
    fine = m.simulate(4.0, every=0.01, **options)
    assert fine.violation.max() == pytest.approx(float(run.doubts[-1].split("off by ")[1].split()[0]), rel=2.0)
    assert len(fine.segments) == 1 + events


def changes(values, numbers):
    """A potential that makes other numbers of what it is given, and takes no arrays."""
    k, x = numbers
    x -= 1.0
    if values[0] > 1e9:
        return 0.0
    return 0.5 * k * values[0] ** 2 * (1.5 if x > 0.5 else 1.0)


def reduces(values, numbers):
    """A potential that would mix designs, were it given the numbers of several."""
    return 0.5 * numbers[0] * values[0] ** 2 * (1.5 if np.median(numbers[1]) > 1.5 else 1.0)


@pytest.mark.parametrize("potential", [changes, reduces])
def test_designs_of_a_sweep_are_in_doubt_as_each_alone(potential):
    m = lw.Mechanism("p", parameters={"X": 1.0})
    m.add("bob", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute("ground", "bob.a"))

    def law(values, rates, t, numbers, memory, out):
        out[0] = -numbers[0] * values[0]

    more = dict(law=law, numbers=[3.0, "X"], energy="stores", potential=potential)
    m.add("u", lw.UserForce(reads=["bob.angle"], along=["bob.angle"], **more))
    values = [1.0 + 0.001 * k for k in range(20)] + [2.0] * 8
    asked = dict(times=[0.0, 0.3, 0.6, 0.9], read="A.angle.last", progress=False, start={"A.angle": 0.5})
    for workers in (1, 2):
        with pytest.warns(errors.SweepWarning):
            found = m.sweep({"X": values}, workers=workers, **asked)
        told = ["energy balance" in str(one) for one in found["doubts"].values]
        assert told == [False] * 20 + [True] * 8, workers
