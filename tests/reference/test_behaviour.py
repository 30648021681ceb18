"""Behaviour against derivations by hand: rolling, blades, drivers, switches, restarts.

Every reference is a formula written out below or the solution of one, by scipy at 1e-12; nothing in them comes from the
product.
"""

import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.compiled.numbering import other_numbers

G = 9.81
EXACT = {"rtol": 1e-11, "coordinates": "body"}


def solved(rates, start, times):
    """An ordinary differential equation of the reference, at 1e-12."""
    done = solve_ivp(lambda t, y: rates(y), (times[0], times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-13)
    assert done.success
    return done.y


def same_motion(one, other):
    """Bit for bit."""
    assert np.array_equal(one.t, other.t)
    for body in one.mechanism.bodies:
        for axis in ("x", "y", "angle"):
            for order in ("", ".rate"):
                name = f"{body}.{axis}{order}"
                assert np.array_equal(one[name], other[name]), name


# -- rolling -------------------------------------------------------------------------------------------------------


def test_disc_rolling_down_an_incline():
    """m s'' = m g sin - F, m R^2/2 s''/R = F R: s'' = 2/3 g sin, F = 1/3 m g sin, N = m g cos."""
    mass, radius, slope = 3.0, 0.25, math.radians(30)
    m = lw.Mechanism("incline")
    down, out = np.array([math.cos(slope), -math.sin(slope)]), np.array([math.sin(slope), math.cos(slope)])
    disc = m.add("disc", lw.disc(radius, mass, position=tuple(radius * out), angle=0.0))
    m.add("roll", lw.RollingDisc(m.ground.at(0, 0, angle=-slope), disc, radius))
    assert disc.inertia == pytest.approx(mass * radius**2 / 2)
    run = m.simulate(2.0, every=0.1, **EXACT)
    a = 2.0 / 3.0 * G * math.sin(slope)
    way = 0.5 * a * run.t**2
    place = np.outer(way, down) + radius * out
    assert run["disc.x"] == pytest.approx(place[:, 0], abs=1e-9)
    assert run["disc.y"] == pytest.approx(place[:, 1], abs=1e-9)
    assert run["roll.slide"] == pytest.approx(way, abs=1e-9)
    assert run["disc.angle"] == pytest.approx(-way / radius, abs=1e-8)  # down to the right: clockwise
    assert run["disc.angle.acceleration"] == pytest.approx(np.full(run.t.size, -a / radius), rel=1e-9)
    friction, normal = mass * G * math.sin(slope) / 3.0, mass * G * math.cos(slope)
    force = -friction * down + normal * out
    assert run["roll.reaction.x"] == pytest.approx(np.full(run.t.size, force[0]), rel=1e-8)
    assert run["roll.reaction.y"] == pytest.approx(np.full(run.t.size, force[1]), rel=1e-8)
    # about the centre: the friction alone, and it is what speeds up the spin
    assert run["roll.moment"] == pytest.approx(np.full(run.t.size, -friction * radius), rel=1e-8)
    along = m.evaluate(run.final, coordinates="body").reaction("roll", axes="joint")
    assert along.force == pytest.approx([-friction, normal], rel=1e-8)


def test_disc_rolling_on_a_fixed_disc():
    """theta from the top: (R+r) theta'' = 2/3 g sin theta; N = m g (7 cos theta - 4 cos theta0)/3, F = m g sin/3.

    From rest, 3/4 m (R+r)^2 theta'^2 = m g (R+r) (cos theta0 - cos theta), and m (R+r) theta'^2 = m g cos theta - N.
    """
    mass, big, radius, first = 2.0, 0.5, 0.2, 0.1
    arm = big + radius
    m = lw.Mechanism("disc on disc")
    disc = m.add("disc", lw.disc(radius, mass, position=(arm * math.sin(first), arm * math.cos(first)), angle=0.0))
    m.add("roll", lw.RollingDisc(m.ground, disc, radius, on_radius=big))
    times = np.linspace(0.0, 1.1, 111)
    run = m.simulate(times, **EXACT)
    theta, rate = solved(lambda y: (y[1], 2.0 / 3.0 * G * math.sin(y[0]) / arm), (first, 0.0), times)
    assert run["disc.x"] == pytest.approx(arm * np.sin(theta), abs=1e-8)
    assert run["disc.y"] == pytest.approx(arm * np.cos(theta), abs=1e-8)
    assert run["disc.angle"] == pytest.approx(-arm / radius * (theta - first), abs=1e-7)  # the same way on both
    assert arm * rate**2 == pytest.approx(4.0 / 3.0 * G * (math.cos(first) - np.cos(theta)), abs=1e-9)
    x, y = run["roll.reaction.x"], run["roll.reaction.y"]
    normal = x * np.sin(theta) + y * np.cos(theta)
    friction = y * np.sin(theta) - x * np.cos(theta)  # on the disc, against its way
    assert normal == pytest.approx(mass * G * (7 * np.cos(theta) - 4 * math.cos(first)) / 3, abs=1e-6)
    assert friction == pytest.approx(mass * G * np.sin(theta) / 3, abs=1e-6)
    # a real disc lifts off where N = 0: cos theta = 4/7 cos theta0; the joint holds on and its N turns negative
    assert normal[0] > 0.0 > normal[-1]
    lift_off = np.interp(0.0, -normal, np.cos(theta))
    assert lift_off == pytest.approx(4.0 / 7.0 * math.cos(first), abs=1e-6)  # N is linear in cos theta
    assert np.abs(run.energy.balance).max() < 1e-8


def test_knife_edge_is_the_chaplygin_sleigh():
    """Mass centre a ahead of the blade: v' = a w^2, (J + m a^2) w' = -m a v w; blade force m (v w + a w')."""
    mass, inertia, ahead = 2.0, 0.3, 0.4
    v0, w0 = 0.7, 1.5
    m = lw.Mechanism("sleigh", gravity=None)
    sled = m.add(
        "sled",
        lw.Body(
            mass,
            inertia,
            center=(ahead, 0.0),
            position=(0.2, -0.1),
            angle=0.3,
            velocity=(v0 * math.cos(0.3), v0 * math.sin(0.3)),
            angular_velocity=w0,
        ),
    )
    m.add("blade", lw.KnifeEdge(m.ground, sled))
    assert m.check(coordinates="body").freedom == 2
    times = np.linspace(0.0, 4.0, 81)
    run = m.simulate(times, **EXACT)

    def rates(s):
        x, y, angle, v, w = s
        return (
            v * math.cos(angle),
            v * math.sin(angle),
            w,
            ahead * w * w,
            -mass * ahead * v * w / (inertia + mass * ahead**2),
        )

    x, y, angle, v, w = solved(rates, (0.2, -0.1, 0.3, v0, w0), times)
    for name, wanted in (("x", x), ("y", y), ("angle", angle), ("angle.rate", w)):
        assert run[f"sled.{name}"] == pytest.approx(wanted, abs=1e-8), name
    c, s = np.cos(angle), np.sin(angle)
    assert run["sled.x.rate"] * c + run["sled.y.rate"] * s == pytest.approx(v, abs=1e-8)
    assert np.abs(run["sled.y.rate"] * c - run["sled.x.rate"] * s).max() < 1e-11
    side = mass * (v * w - ahead * mass * ahead * v * w / (inertia + mass * ahead**2))
    assert run["blade.reaction.x"] == pytest.approx(-side * s, abs=1e-7)
    assert run["blade.reaction.y"] == pytest.approx(side * c, abs=1e-7)
    assert np.ptp(run["energy.kinetic"]) < 1e-8  # the blade does no work


# -- drivers -------------------------------------------------------------------------------------------------------


def pendulum(**options):
    m = lw.Mechanism("pendulum", **options)
    rod = m.add("rod", lw.bar(length=0.8, mass=1.5))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    return m


def test_speed_and_position_drivers_give_the_same_motion():
    """At constant speed w the torque carries the weight alone, m g L/2 cos; its work is the height gained."""
    first, speed = 0.3, 2.0
    by_position, by_speed = pendulum(), pendulum()
    by_position.add("motor", lw.Driver(by_position["A"].angle, lw.Polynomial(first, speed)))
    by_speed.add("motor", lw.Driver(by_speed["A"].angle, lw.Polynomial(speed), level="speed"))
    start = {"A.angle": first}
    for m in (by_position, by_speed):
        run = m.simulate(3.0, every=0.1, start=start, **EXACT)
        angle = first + speed * run.t
        weight = 1.5 * G * 0.4
        assert run["A.angle"] == pytest.approx(angle, abs=1e-9)
        assert run["A.angle.rate"] == pytest.approx(np.full(run.t.size, speed), abs=1e-10)  # the rate is held
        assert run["rod.x"] == pytest.approx(0.4 * np.cos(angle), abs=1e-9)
        assert run["rod.y"] == pytest.approx(0.4 * np.sin(angle), abs=1e-9)
        assert run["motor.effort"] == pytest.approx(weight * np.cos(angle), abs=1e-7)
        assert run["motor.power"] == pytest.approx(speed * weight * np.cos(angle), abs=1e-7)
        assert run.energy.supplied == pytest.approx(weight * (np.sin(angle) - math.sin(first)), abs=1e-8)


def test_a_speed_driver_of_a_changing_rate():
    """w = w0 + b sin(k t): the angle is its integral, and the torque has the inertia about the pin, m L^2/3, in it."""
    m = pendulum()
    m.add("motor", lw.Driver(m["A"].angle, lw.Harmonic(1.2, 3.0, offset=0.5), level="speed"))
    run = m.simulate(2.0, every=0.05, start={"A.angle": -0.4}, **EXACT)
    t = run.t
    angle = -0.4 + 0.5 * t + 1.2 / 3.0 * (1.0 - np.cos(3.0 * t))
    assert run["A.angle"] == pytest.approx(angle, abs=1e-9)
    torque = 1.5 * 0.8**2 / 3.0 * 3.6 * np.cos(3.0 * t) + 1.5 * G * 0.4 * np.cos(angle)
    assert run["motor.effort"] == pytest.approx(torque, abs=1e-7)
    assert np.abs(run.energy.balance).max() < 1e-8


@pytest.mark.parametrize("offset", [0.0, 0.2])
def test_a_driver_from_assembled_starts_where_assembled(offset):
    m = pendulum()
    m.add("motor", lw.Driver(m["A"].angle, lw.Polynomial(offset, 1.5), from_assembled=True))
    run = m.simulate(1.0, every=0.1, start={"A.angle": 0.7}, **EXACT)
    assert run["A.angle"] == pytest.approx(0.7 + 1.5 * run.t, abs=1e-10)


def test_drivers_move_a_particle_along_a_path():
    """On an ellipse: the efforts are m a, and m g more upwards."""
    m = lw.Mechanism("path")
    pin = m.add("pin", lw.Particle(0.7, position=(1.3, 0.5)))
    m.add("across", lw.Driver(lw.WorldOffset(m.ground.at(1, 0.5), pin, "x"), lw.Harmonic(0.3, 2.0, math.pi / 2)))
    m.add("up", lw.Driver(lw.WorldOffset(m.ground.at(1, 0.5), pin, "y"), lw.Harmonic(0.2, 2.0)))
    run = m.simulate(3.0, every=0.1, **EXACT)
    x, y = 0.3 * np.cos(2 * run.t), 0.2 * np.sin(2 * run.t)
    assert run["pin.x"] == pytest.approx(1 + x, abs=1e-10)
    assert run["pin.y"] == pytest.approx(0.5 + y, abs=1e-10)
    assert run["across.effort"] == pytest.approx(-4 * 0.7 * x, abs=1e-8)
    assert run["up.effort"] == pytest.approx(-4 * 0.7 * y + 0.7 * G, abs=1e-8)


def test_drivers_move_the_pin_of_a_two_bar_arm_along_a_path():
    """The tip goes round a circle; the law of cosines gives both angles (elbow below the line)."""
    one, two, middle, radius = 0.6, 0.5, np.array([0.5, 0.3]), 0.2
    m = lw.Mechanism("arm")
    upper = m.add("upper", lw.bar(length=one, mass=1.0))
    lower = m.add("lower", lw.bar(length=two, mass=0.8))
    m.add("shoulder", lw.Revolute(m.ground, upper.a))
    m.add("elbow", lw.Revolute(upper.b, lower.a))
    m.add("x", lw.Driver(lw.WorldOffset(m.ground.at(*middle), lower.b, "x"), lw.Harmonic(radius, 2.0, math.pi / 2)))
    m.add("y", lw.Driver(lw.WorldOffset(m.ground.at(*middle), lower.b, "y"), lw.Harmonic(radius, 2.0)))
    run = m.simulate(4.0, every=0.05, near={"shoulder.angle": -0.3, "elbow.angle": 1.5}, **EXACT)
    x, y = middle[0] + radius * np.cos(2 * run.t), middle[1] + radius * np.sin(2 * run.t)
    assert run["lower.b.x"] == pytest.approx(x, abs=1e-10)
    assert run["lower.b.y"] == pytest.approx(y, abs=1e-10)
    elbow = np.arccos((x**2 + y**2 - one**2 - two**2) / (2 * one * two))
    shoulder = np.arctan2(y, x) - np.arctan2(two * np.sin(elbow), one + two * np.cos(elbow))
    assert run["elbow.angle"] == pytest.approx(elbow, abs=1e-9)
    assert run["shoulder.angle"] == pytest.approx(shoulder, abs=1e-9)
    # the pin's speed is along the path, so the two efforts together do the work
    power = run["x.effort"] * run["x.value.rate"] + run["y.effort"] * run["y.value.rate"]
    assert run["x.power"] + run["y.power"] == pytest.approx(power, abs=1e-9)
    assert np.abs(run.energy.balance).max() < 1e-8


# -- switches ------------------------------------------------------------------------------------------------------

SWITCHED = {
    "spring": lambda m, **o: lw.SpringDamper(m.ground.at(1, 0), m["rod"].b, 40.0, 0.3, **o),
    "joint": lambda m, **o: lw.Hold(m.ground, m["rod"], angle=0.4, **o),
    "driver": lambda m, **o: lw.Driver(m["A"].angle, lw.Polynomial(0.4, 1.0), **o),
}


@pytest.mark.parametrize("kind", SWITCHED)
def test_what_is_not_active_is_not_there(kind):
    start = {"A.angle": 0.4}
    without, off, on = pendulum(), pendulum(), pendulum()
    off.add("thing", SWITCHED[kind](off, active=False))
    on.add("thing", SWITCHED[kind](on))
    runs = [m.simulate(0.5, every=0.1, start=start, **EXACT) for m in (without, off, on)]
    same_motion(runs[0], runs[1])
    assert abs(runs[2]["A.angle"][-1] - runs[0]["A.angle"][-1]) > 0.05  # switched on it does something
    freedom = [m.check(coordinates="body").freedom for m in (without, off, on)]
    assert freedom == [1, 1, 1 if kind == "spring" else 0]


def test_a_body_without_gravity_is_not_pulled():
    m = lw.Mechanism("two thrown bodies")
    for name, gravity in (("heavy", True), ("floating", False)):
        m.add(name, lw.Body(1.0, 0.1, position=(0, 2), angle=0.0, velocity=(1.0, 3.0), gravity=gravity))
    run = m.simulate(1.0, every=0.1, **EXACT)
    t = run.t
    assert run["heavy.y"] == pytest.approx(2 + 3 * t - 0.5 * G * t**2, abs=1e-10)
    assert run["floating.y"] == pytest.approx(2 + 3 * t, abs=1e-12)
    assert run["floating.x"] == pytest.approx(t, abs=1e-12)
    assert run["energy.potential"] == pytest.approx(G * run["heavy.y"], abs=1e-10)  # weight without pull stores nothing
    assert np.abs(run.energy.balance).max() < 1e-9


# -- laws, restarts, refilled models -------------------------------------------------------------------------------


@pytest.mark.parametrize("ends", [(-0.5, -0.2, 0.1, 0.9), (-0.05, 0.05)], ids=["inside", "beyond"])
def test_a_table_spring_of_linear_data_is_the_linear_spring(ends):
    runs = []
    for stiffness in (60.0, lw.Table(ends, [60.0 * e for e in ends])):
        m = pendulum()
        m.add("spring", lw.SpringDamper(m.ground.at(1, 0.3), m["rod"].b, stiffness, 0.35))
        runs.append(m.simulate(1.5, every=0.05, start={"A.angle": -0.5}, **EXACT))
    linear, table = runs
    assert np.ptp(linear["spring.length"]) > 0.2
    assert linear["spring.tension"] == pytest.approx(60.0 * (linear["spring.length"] - 0.35), abs=1e-10)
    for name in ("rod.x", "rod.y", "rod.angle", "spring.tension", "energy.potential"):
        change = linear[name] - table[name]
        assert np.abs(change - change[0]).max() < 1e-7, name  # a potential has its zero where it likes
    assert linear["rod.angle"] == pytest.approx(table["rod.angle"], abs=1e-9)


def gear_train(r1=0.05, r2=0.10, i1=0.002, i2=0.01, torque=3.0):
    m = lw.Mechanism("gear pair", gravity=None)
    one = m.add("one", lw.Body(1.0, i1, position=(0, 0), angle=0.0))
    two = m.add("two", lw.Body(2.0, i2, position=(r1 + r2, 0), angle=0.0))
    m.add("A", lw.Revolute(m.ground, one))
    m.add("B", lw.Revolute(m.ground.at(r1 + r2, 0), two))
    m.add("G", lw.Gear(one, two, r1, r2))
    m.add("input", lw.Torque(one, torque))
    return m


def test_a_gear_train_started_again_keeps_its_turns():
    """I1 a1 = T - F r1, I2 a1 r1/r2 = F r2: both angles grow as t^2/2 over many turns."""
    m = gear_train()
    a1 = 3.0 / (0.002 + 0.01 * 0.25)
    first = m.simulate(1.0, every=0.1, **EXACT)
    second = m.simulate(1.0, every=0.1, start=first.final, **EXACT)
    third = gear_train().simulate(1.0, every=0.1, start=second.final, **EXACT)  # another mechanism, the same words
    for k, run in enumerate((first, second, third)):
        assert run.t == pytest.approx(k + np.arange(11) / 10, abs=1e-12)
        angle = 0.5 * a1 * run.t**2
        assert run["one.angle"] == pytest.approx(angle, rel=1e-9, abs=1e-9)
        assert run["two.angle"] == pytest.approx(-0.5 * angle, rel=1e-9, abs=1e-9)
        assert run["A.angle"] == pytest.approx(angle, rel=1e-9, abs=1e-9)
    assert third["one.angle"][-1] > 400 * 2 * math.pi


def loaded_pendulum(length=0.8, mass=1.5, stiffness=40.0, speed=None):
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=length, mass=mass))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    m.add("spring", lw.SpringDamper(m.ground.at(1, 0), rod.b, stiffness, 0.3, damping=0.2))
    if speed is not None:
        m.add("motor", lw.Driver(m["A"].angle, lw.Polynomial(0.1, speed)))
    return m


@pytest.mark.parametrize("speed", [None, 1.3])
def test_a_refilled_model_equals_a_fresh_one(speed):
    model = loaded_pendulum(speed=None if speed is None else 2.0).compile(coordinates="body")
    other = loaded_pendulum(length=0.6, mass=0.9, stiffness=25.0, speed=speed)
    refilled, fresh = other_numbers(model, other), other.compile(coordinates="body")
    assert np.array_equal(refilled.plan().tab, fresh.plan().tab)
    assert refilled.length == fresh.length
    start = {"A.angle": 0.1}
    runs = [lw.simulate(one, 1.0, every=0.1, start=start, **EXACT) for one in (refilled, fresh, other)]
    same_motion(runs[0], runs[1])
    same_motion(runs[0], runs[2])
    before = lw.simulate(model, 1.0, every=0.1, start=start, **EXACT)  # the first model keeps its own numbers
    same_motion(
        before, loaded_pendulum(speed=None if speed is None else 2.0).simulate(1.0, every=0.1, start=start, **EXACT)
    )
    assert not np.array_equal(before["rod.x"], runs[0]["rod.x"])
    with pytest.raises(lw.errors.CompileError, match="another structure"):
        other_numbers(model, loaded_pendulum(speed=1.0 if speed is None else None))


# -- stopping ------------------------------------------------------------------------------------------------------

# The signal is noted at once in a pipe, also while a kernel runs; slices that begin afterwards are late.
LONG_RUN = """
import math, os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import linkwork as lw
from linkwork.coordinates.door import Door
m = lw.gallery.double_pendulum()
{more}
m.simulate(0.1, coordinates="body")
heard, noted = os.pipe()
os.set_blocking(heard, False)
os.set_blocking(noted, False)
signal.set_wakeup_fd(noted)
advance, slices, late, signals = Door.advance, 0, 0, b""

def counted(self, *given):
    global slices, late, signals
    try:
        signals += os.read(heard, 100)
    except BlockingIOError:
        pass
    slices += 1
    late += bool(signals)
    if slices == 4:
        print("running", flush=True)
    return advance(self, *given)

Door.advance = counted
try:
    m.simulate([0.0, 1e7], coordinates="body")
    print("ended", flush=True)
finally:
    print("late", late, flush=True)
"""

PYTHON_LAW = """
class Wind:  # an object, which cannot be compiled
    def __call__(self, value, rate, t):
        return 0.01 * math.sin(t)

m.add("wind", lw.UserForce(lw.WorldOffset(m.ground, next(iter(m.bodies.values())), "x"), Wind()))
"""

PYTHON_FUNCTION = """
wheel = m.add("wheel", lw.Body(1.0, 0.1, position=(3, 3), angle=0.0))
m.add("motor", lw.Driver(lw.Angle(m.ground, wheel), lw.Callable(lambda t: math.sin(t))))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("more", ["", PYTHON_LAW, PYTHON_FUNCTION], ids=["compiled", "python law", "python function"])
def test_an_interrupt_ends_a_long_run(more):
    """A real SIGINT, as of Ctrl-C, in the middle of the compiled loop."""
    environment = {**os.environ, "PYTHONPATH": str(Path(lw.__file__).parents[1]), "LINKWORK_PROGRESS": "off"}
    with subprocess.Popen(
        [sys.executable, "-c", LONG_RUN.format(more=more)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        try:
            assert process.stdout.readline() == "running\n"
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=300)  # of a run that would take days
        finally:
            process.kill()
    assert out in ("late 0\n", "late 1\n")  # one where it came between two slices
    *_, name, note = err.rstrip().splitlines()
    assert name == "KeyboardInterrupt" and "stopped by Ctrl-C at t = " in note and "start=run.final" in note, err
    assert "simulate" in err
    assert process.returncode in (-signal.SIGINT, 130)
