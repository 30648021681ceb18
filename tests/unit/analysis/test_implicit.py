"""What both implicit methods must show: order 5 under constraints, errors that do not grow with stiffness, and all that
every method serves.  `radau` solves with all laws at once in any coordinates; `radau_soft` with soft rows or links.
"""

import math
import subprocess
import sys

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.integrators import METHODS
from linkwork.errors import AnalysisError
from unit.analysis.stiff_models import chain

WAYS = [("radau", one) for one in ("body", "joint", "point")] + [("radau_soft", one) for one in ("body", "joint")]
METHOD = pytest.mark.parametrize("method", ["radau", "radau_soft"])
WAY = pytest.mark.parametrize(("method", "coordinates"), WAYS)


# -- order -------------------------------------------------------------------------------------------------------------
def five_bars():
    """A parallelogram with a redundant coupler, driven, with a body that swings on it on a spring."""
    m = lw.Mechanism("redundant and driven")
    cranks = [m.add(f"c{k}", lw.bar(length=0.4, mass=1.0, position=(k * 0.5, 0.2), angle="90 deg")) for k in range(3)]
    beam = m.add("beam", lw.bar(length=1.0, mass=2.0, position=(0.5, 0.4), angle=0.0))
    for k, crank in enumerate(cranks):
        m.add(f"A{k}", lw.Revolute(m.ground.at(k * 0.5, 0), crank.a))
        m.add(f"B{k}", lw.Revolute(beam.at(k * 0.5 - 0.5, 0), crank.b))
    arm = m.add("arm", lw.bar(length=0.5, mass=0.7, position=(1.0, 0.15), angle="-90 deg"))
    m.add("P", lw.Revolute(beam.b, arm.a))
    m.add("spring", lw.TorsionSpringDamper(beam, arm, stiffness=30.0, damping=0.4, rest_angle="-90 deg"))
    m.add("motor", lw.Driver(m["A0"].angle, lw.Harmonic(0.5, 3.0, offset=math.pi / 2)))
    return m, ("arm.x", "arm.y", "arm.angle.rate")


def door():
    """A door on two hinges in space, five of whose rows follow from others, on a spring between points."""
    m = lw.Mechanism("door", dimension=3, gravity=(2.0, 0.0, -9.81))
    door = m.add("door", lw.box(0.8, 0.05, 2.0, mass=20.0, position=(0.4, 0, 0)))
    m.add("low", lw.Revolute(m.ground.at(0, 0, -0.7), door.at(-0.4, 0, -0.7)))
    m.add("high", lw.Revolute(m.ground.at(0, 0, 0.7), door.at(-0.4, 0, 0.7)))
    m.add("spring", lw.SpringDamper(m.ground.at(0.5, -0.8, 0), door.at(0.2, 0, 0), stiffness=300.0, damping=9.0,
                                    rest_length=0.4))  # fmt: skip
    return m, ("door.x", "door.y", "door.y.rate")


def arm_in_space():
    """A flap on a driven arm in space, on a spring between points of both."""
    m = lw.Mechanism("flap", dimension=3)
    arm = m.add("arm", lw.cylinder(radius=0.02, length=0.5, mass=1.5, axis="x", position=(0.25, 0, 0)))
    flap = m.add("flap", lw.box(0.1, 0.2, 0.5, mass=2.0, position=(0.5, 0, -0.25)))
    m.add("A", lw.Revolute(m.ground, arm.a))
    m.add("B", lw.Revolute(arm.at(0.25, 0, 0, axis=(1, 0, 0)), flap.at(0, 0, 0.25, axis=(1, 0, 0))))
    m.add("spring", lw.SpringDamper(arm.at(0, 0.3, 0), flap.at(0, 0.1, -0.2), stiffness=60.0, damping=2.0,
                                    rest_length=0.3))  # fmt: skip
    m.add("motor", lw.Driver(m["A"].angle, lw.Harmonic(0.6, 2.5)))
    return m, ("flap.x", "flap.y", "flap.z", "flap.z.rate")


def ball_in_space():
    """A ball-jointed body on a driven arm in space, on a spring between points; Euler parameters."""
    m = lw.Mechanism("driven in space", dimension=3)
    arm = m.add("arm", lw.cylinder(radius=0.02, length=0.5, mass=1.5, axis="x", position=(0.25, 0, 0)))
    bob = m.add("bob", lw.box(0.1, 0.2, 0.5, mass=2.0, position=(0.5, 0, -0.25)))
    m.add("A", lw.Revolute(m.ground, arm.a))
    m.add("B", lw.Spherical(arm.b, bob.at(0, 0, 0.25)))
    m.add("spring", lw.SpringDamper(m.ground.at(0.9, 0.1, -0.4), bob.at(0, 0.1, -0.2), stiffness=60.0, damping=2.0,
                                    rest_length=0.3))  # fmt: skip
    m.add("motor", lw.Driver(m["A"].angle, lw.Harmonic(0.6, 2.5)))
    return m, ("bob.x", "bob.y", "bob.z", "bob.z.rate")


@pytest.mark.parametrize(
    ("build", "method", "coordinates"),
    [(build, *way) for build in (five_bars, door, arm_in_space) for way in WAYS]
    + [(ball_in_space, "radau", one) for one in ("body", "joint", "point")]
    + [(ball_in_space, "radau_soft", "body")],  # in joint coordinates its spring acts over several freedoms
)
def test_order_five_under_constraints(build, method, coordinates):
    m, names = build()
    ref = m.simulate(0.8, every=0.8, rtol=1e-13, coordinates=coordinates, method="dop853").final
    # places of points and unit vectors go as sine and cosine: the order shows in smaller steps
    counts, errors = (12, 16, 24, 48) if coordinates == "point" else (8, 12, 16, 24), []
    one_step = METHODS[method].with_one_step()
    for count in counts:
        end = m.simulate(0.8, every=0.8, coordinates=coordinates, method=one_step, step=0.8 / count * (1 + 1e-9)).final
        errors.append(max(abs(end[name] - ref[name]) for name in names))
    assert -np.polyfit(np.log(counts), np.log(errors), 1)[0] > 4.5, errors
    assert errors[-1] < 1e-4


# -- stiffness ---------------------------------------------------------------------------------------------------------
def _towards(value, rate, t, k, c):
    return -k * (value - math.cos(t)) - c * (rate + math.sin(t)) - math.cos(t)


@WAY
@pytest.mark.parametrize("damped", [0.0, 1.0])
def test_the_error_of_a_linear_stiff_problem_does_not_grow_with_stiffness(damped, method, coordinates):
    """x'' = -k (x - cos t) - c (x' + sin t) - cos t, so that x = cos t whatever k and c are."""
    found = {}
    for k in (1e2, 1e4, 1e6, 1e8, 1e10):
        m = lw.Mechanism("Prothero and Robinson", gravity=None)
        block = m.add("block", lw.Particle(1.0, position=(1, 0), velocity=(0, 0)))
        m.add("rail", lw.PinInSlot(m.ground.at(0, 0), block.at(0, 0)))
        m.add("law", lw.UserForce(lw.WorldOffset(m.ground.at(0, 0), block.at(0, 0), "x"), _towards, k=k,
                                  c=damped * 2.0 * math.sqrt(k)))  # fmt: skip
        run = m.simulate(2.0, every=0.1, method=METHODS[method].with_one_step(), step=0.1, coordinates=coordinates)
        found[k] = np.abs(run["block.x"] - np.cos(run.t)).max()
        free = m.simulate(2.0, every=0.1, method=method, rtol=1e-6, coordinates=coordinates)
        assert np.abs(free["block.x"] - np.cos(free.t)).max() < 1e-5
        assert free.statistics.steps < 600
    # order reduction where h sqrt(k) is near 10, then less and less
    assert max(found.values()) < 3e-7 and found[1e10] < found[1e6] < found[1e4], found


@WAY
def test_a_stiff_chain_is_that_of_an_explicit_method_in_few_steps(method, coordinates):
    m = chain(3, 1e6, 1e2)
    ref = m.simulate(1.0, every=0.1, method="dop853", rtol=1e-10, coordinates="joint")
    run = m.simulate(1.0, every=0.1, method=method, rtol=1e-7, coordinates=coordinates)
    assert np.abs(run["l2.y"] - ref["l2.y"]).max() < 1e-5
    assert run.statistics.steps < ref.statistics.steps / 3
    assert np.abs(run.energy.balance).max() < 1e-3 and run.violation.max() < 1e-9


# -- what every method serves ----------------------------------------------------------------------------------------
@WAY
def test_events_turns_and_outputs_between_steps(method, coordinates):
    m = chain(3, 1e7, 1e4)
    for one in (method, "dop853"):
        run = m.simulate(2.0, every=0.01, method=one, rtol=1e-8, until={"l0.angle": -1.0}, coordinates=coordinates)
        if one == method:
            end, middle = run.t[-1], run["l1.x"][len(run.t) // 2]
    assert abs(run.t[-1] - end) < 1e-6 and abs(run["l1.x"][len(run.t) // 2] - middle) < 1e-5

    wheel = lw.Mechanism("wheel", gravity=None)
    disc = wheel.add("disc", lw.disc(radius=0.1, mass=1.0, position=(0, 0), angle=0, angular_velocity=40.0))
    wheel.add("A", lw.Revolute(wheel.ground.at(0, 0), disc.at(0, 0)))
    run = wheel.simulate(1.0, every=0.1, method=method, coordinates=coordinates)
    assert np.allclose(run["A.angle"], 40.0 * run.t, atol=1e-8)


@METHOD
def test_a_free_body_that_tumbles_in_space(method):
    m = lw.Mechanism("tumbling", dimension=3, gravity=None)
    m.add("b", lw.box(0.1, 0.2, 0.4, mass=2.0, position=(0, 0, 0), angular_velocity=(5.0, 0.3, 0.2)))
    ref = m.simulate(2.0, every=0.1, rtol=1e-11, method="dop853", coordinates="body")
    run = m.simulate(2.0, every=0.1, rtol=1e-8, method=method, coordinates="body")
    assert np.abs(run.orientation("b").matrix - ref.orientation("b").matrix).max() < 1e-5
    assert np.abs(run.energy.balance).max() < 1e-8


@METHOD
def test_a_step_over_a_stop_is_seen(method):
    """A free flight is told exactly from the step before: the step into the stop must not be taken unseen."""
    m = lw.Mechanism("ball")
    ball = m.add("ball", lw.disc(radius=0.1, mass=1.0, position=(0.0, 0.5), angle=0, velocity=(0.5, 0.0)))
    m.add(
        "floor", lw.Limit(lw.WorldOffset(m.ground.at(0, 0), ball.at(0, 0), "y"), lower=0.1, stiffness=1e7, damping=0.5)
    )
    ref = m.simulate(2.0, every=0.1, method="dop853", rtol=1e-10, coordinates="body")
    run = m.simulate(2.0, every=0.1, method=method, rtol=1e-7, coordinates="body")
    assert np.abs(run["ball.y"] - ref["ball.y"]).max() < 1e-3
    assert run["ball.y"].min() > 0.09


@METHOD
def test_what_is_not_finite_is_refused_by_name(method):
    m = lw.Mechanism("pole", gravity=None)
    ball = m.add("ball", lw.Particle(1.0, position=(1, 0), velocity=(-1, 0)))
    way = lw.WorldOffset(m.ground.at(0, 0), ball.at(0, 0), "x")
    m.add("law", lw.UserForce(way, lambda value, rate, t: math.nan if value < 0.5 else 0.0))
    with pytest.raises(AnalysisError) as told:
        m.simulate(1.0, every=0.1, method=method, coordinates="body")
    assert "'law'" in str(told.value) or "bounds" in str(told.value)
    assert np.isfinite(told.value.result["ball.x"]).all() and told.value.result["ball.x"].min() > 0.49


@pytest.mark.parametrize(
    "parts", ["('time.radau', 'time.ports', 'time.lu')", "('time.triangle', 'time.soft', 'softening')"]
)
def test_it_is_not_compiled_where_it_is_not_used(parts):
    text = (
        "import sys, linkwork as lw; lw.gallery.four_bar().simulate(0.1, coordinates='body');"
        f"assert not [one for one in sys.modules if one.endswith({parts})]"
    )
    subprocess.run([sys.executable, "-c", text], check=True)
