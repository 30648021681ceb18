"""Radau IIA: order 5 under constraints, errors that do not grow with stiffness, and all that every method serves."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.integrators import METHODS
from linkwork.errors import AnalysisError, LinkworkError

RADAU = METHODS["radau"]


def slope(counts, errors):
    return -np.polyfit(np.log(counts), np.log(errors), 1)[0]


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


def space():
    """A ball-jointed body on a driven arm in space, on a spring between points."""
    m = lw.Mechanism("driven in space", dimension=3)
    arm = m.add("arm", lw.cylinder(radius=0.02, length=0.5, mass=1.5, axis="x", position=(0.25, 0, 0)))
    bob = m.add("bob", lw.box(0.1, 0.2, 0.5, mass=2.0, position=(0.5, 0, -0.25)))
    m.add("A", lw.Revolute(m.ground, arm.a))
    m.add("B", lw.Spherical(arm.b, bob.at(0, 0, 0.25)))
    m.add("spring", lw.SpringDamper(m.ground.at(0.9, 0.1, -0.4), bob.at(0, 0.1, -0.2), stiffness=60.0, damping=2.0,
                                    rest_length=0.3))  # fmt: skip
    m.add("motor", lw.Driver(m["A"].angle, lw.Harmonic(0.6, 2.5)))
    return m, ("bob.x", "bob.y", "bob.z", "bob.z.rate")


def redundant_in_space():
    """A door on two hinges in space, five of whose rows follow from others, on a spring."""
    m = lw.Mechanism("door", dimension=3, gravity=(2.0, 0.0, -9.81))
    door = m.add("door", lw.box(0.8, 0.05, 2.0, mass=20.0, position=(0.4, 0, 0)))
    m.add("low", lw.Revolute(m.ground.at(0, 0, -0.7), door.at(-0.4, 0, -0.7)))
    m.add("high", lw.Revolute(m.ground.at(0, 0, 0.7), door.at(-0.4, 0, 0.7)))
    m.add("spring", lw.SpringDamper(m.ground.at(0.5, -0.8, 0), door.at(0.2, 0, 0), stiffness=300.0, damping=9.0,
                                    rest_length=0.4))  # fmt: skip
    return m, ("door.x", "door.y", "door.y.rate")


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("build", [five_bars, space, redundant_in_space])
def test_order_five_under_constraints(build, coordinates):
    m, names = build()
    ref = m.simulate(0.8, every=0.8, rtol=1e-13, coordinates=coordinates, method="dop853").final
    counts, errors = (8, 12, 16, 24), []
    for count in counts:
        end = m.simulate(
            0.8, every=0.8, coordinates=coordinates, method=RADAU.with_one_step(), step=0.8 / count * (1 + 1e-9)
        ).final
        errors.append(max(abs(end[name] - ref[name]) for name in names))
    assert slope(counts, errors) > 4.5, errors
    assert errors[-1] < 1e-4


# -- stiffness ---------------------------------------------------------------------------------------------------------
def _towards(value, rate, t, k, c):
    return -k * (value - math.cos(t)) - c * (rate + math.sin(t)) - math.cos(t)


@pytest.mark.parametrize("damped", [0.0, 1.0])
def test_the_error_of_a_linear_stiff_problem_does_not_grow_with_stiffness(damped):
    """x'' = -k (x - cos t) - c (x' + sin t) - cos t, so that x = cos t whatever k and c are."""
    found = {}
    for k in (1e2, 1e4, 1e6, 1e8, 1e10):
        m = lw.Mechanism("Prothero and Robinson", gravity=None)
        block = m.add("block", lw.Particle(1.0, position=(1, 0), velocity=(0, 0)))
        m.add("rail", lw.PinInSlot(m.ground.at(0, 0), block.at(0, 0)))
        m.add("law", lw.UserForce(lw.WorldOffset(m.ground.at(0, 0), block.at(0, 0), "x"), _towards, k=k,
                                  c=damped * 2.0 * math.sqrt(k)))  # fmt: skip
        run = m.simulate(2.0, every=0.1, method=RADAU.with_one_step(), step=0.1, coordinates="joint")
        found[k] = np.abs(run["block.x"] - np.cos(run.t)).max()
        free = m.simulate(2.0, every=0.1, method="radau", rtol=1e-6, coordinates="joint")
        assert np.abs(free["block.x"] - np.cos(free.t)).max() < 1e-5
        assert free.statistics.steps < 600
    # order reduction where h sqrt(k) is near 10, then less and less
    assert max(found.values()) < 3e-7 and found[1e10] < found[1e6] < found[1e4], found


def _chain(k, c):
    m = lw.Mechanism("chain")
    links = [m.add(f"l{i}", lw.bar(length=1.0, mass=1.0, position=(i + 0.5, 0), angle=0)) for i in range(3)]
    m.add("p0", lw.Revolute(m.ground.at(0, 0), links[0].a))
    for i in (1, 2):
        m.add(f"p{i}", lw.Revolute(links[i - 1].b, links[i].a))
        m.add(f"s{i}", lw.TorsionSpringDamper(links[i - 1], links[i], stiffness=k, damping=c))
    return m


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_a_stiff_chain_is_that_of_an_explicit_method_in_few_steps(coordinates):
    m = _chain(1e6, 1e2)
    ref = m.simulate(1.0, every=0.1, method="dop853", rtol=1e-10, coordinates="joint")
    run = m.simulate(1.0, every=0.1, method="radau", rtol=1e-7, coordinates=coordinates)
    assert np.abs(run["l2.y"] - ref["l2.y"]).max() < 1e-5
    assert run.statistics.steps < ref.statistics.steps / 3
    assert np.abs(run.energy.balance).max() < 1e-3 and run.violation.max() < 1e-9


def test_rtol_means_what_it_means_elsewhere():
    m = _chain(1e8, 1e4)
    ref = m.simulate(1.0, every=0.1, method="radau", rtol=1e-11, coordinates="joint")
    for rtol in (1e-3, 1e-5, 1e-7):
        run = m.simulate(1.0, every=0.1, method="radau", rtol=rtol, coordinates="joint")
        assert np.abs(run["l2.y"] - ref["l2.y"]).max() < 30 * rtol
        assert run.statistics.steps < 200


# -- what every method serves ----------------------------------------------------------------------------------------
def test_a_law_with_stiff_states():
    """A spring of k and a damper of c in a row, c / k = 1e-7 s: as the damper alone."""

    def creeping(values, rates, t, numbers, memory, out, states, state_rates):
        tension = numbers[0] * states[0]
        state_rates[0] = rates[0] - tension / numbers[1]
        out[0] = -tension

    m = lw.Mechanism("Maxwell", gravity=None)
    ball = m.add("ball", lw.Particle(1.0, position=(1, 0), velocity=(1, 0)))
    way = lw.Distance(m.ground.at(0, 0), ball.at(0, 0))
    m.add("law", lw.UserForce(reads=[way], along=[way], law=creeping, numbers=[2e7, 2.0], states={"u": 1e-7}))
    run = m.simulate(1.0, every=0.1, method="radau", rtol=1e-7, coordinates="joint")
    assert np.abs(run["ball.x.rate"] - np.exp(-2.0 * run.t)).max() < 1e-5
    assert run.statistics.steps < 200


def test_events_turns_and_outputs_between_steps():
    m = _chain(1e7, 1e4)
    for method in ("radau", "dop853"):
        run = m.simulate(2.0, every=0.01, method=method, rtol=1e-8, until={"l0.angle": -1.0}, coordinates="joint")
        if method == "radau":
            end, middle = run.t[-1], run["l1.x"][len(run.t) // 2]
    assert abs(run.t[-1] - end) < 1e-6 and abs(run["l1.x"][len(run.t) // 2] - middle) < 1e-5

    wheel = lw.Mechanism("wheel", gravity=None)
    disc = wheel.add("disc", lw.disc(radius=0.1, mass=1.0, position=(0, 0), angle=0, angular_velocity=40.0))
    wheel.add("A", lw.Revolute(wheel.ground.at(0, 0), disc.at(0, 0)))
    run = wheel.simulate(1.0, every=0.1, method="radau", coordinates="body")
    assert np.allclose(run["A.angle"], 40.0 * run.t, atol=1e-8)


def test_a_free_body_that_tumbles_in_space():
    m = lw.Mechanism("tumbling", dimension=3, gravity=None)
    m.add("b", lw.box(0.1, 0.2, 0.4, mass=2.0, position=(0, 0, 0), angular_velocity=(5.0, 0.3, 0.2)))
    ref = m.simulate(2.0, every=0.1, rtol=1e-11, method="dop853", coordinates="body")
    run = m.simulate(2.0, every=0.1, rtol=1e-8, method="radau", coordinates="body")
    assert np.abs(run.orientation("b").matrix - ref.orientation("b").matrix).max() < 1e-5
    assert np.abs(run.energy.balance).max() < 1e-6


def test_a_step_over_a_stop_is_seen():
    """A free flight is told exactly from the step before: the step into the stop must not be taken unseen."""
    m = lw.Mechanism("ball")
    ball = m.add("ball", lw.disc(radius=0.1, mass=1.0, position=(0.0, 0.5), angle=0, velocity=(0.5, 0.0)))
    m.add(
        "floor", lw.Limit(lw.WorldOffset(m.ground.at(0, 0), ball.at(0, 0), "y"), lower=0.1, stiffness=1e7, damping=0.5)
    )
    ref = m.simulate(2.0, every=0.1, method="dop853", rtol=1e-10, coordinates="joint")
    run = m.simulate(2.0, every=0.1, method="radau", rtol=1e-7, coordinates="joint")
    assert np.abs(run["ball.y"] - ref["ball.y"]).max() < 1e-3
    assert run["ball.y"].min() > 0.09


def test_what_is_not_finite_is_refused_by_name():
    m = lw.Mechanism("pole", gravity=None)
    ball = m.add("ball", lw.Particle(1.0, position=(1, 0), velocity=(-1, 0)))
    way = lw.WorldOffset(m.ground.at(0, 0), ball.at(0, 0), "x")
    m.add("law", lw.UserForce(way, lambda value, rate, t: math.nan if value < 0.5 else 0.0))
    with pytest.raises(AnalysisError) as told:
        m.simulate(1.0, every=0.1, method="radau", coordinates="body")
    assert "'law'" in str(told.value) or "bounds" in str(told.value)
    assert np.isfinite(told.value.result["ball.x"]).all() and told.value.result["ball.x"].min() > 0.49


def test_a_law_that_jumps_ends_with_a_word():
    m = lw.Mechanism("dry")
    block = m.add("block", lw.Body(1.0, 1.0, position=(0, 0), angle=0, velocity=(1, 0)))
    m.add("rail", lw.Prismatic(m.ground.at(0, 0), block.at(0, 0)))
    way = lw.WorldOffset(m.ground.at(0, 0), block.at(0, 0), "x")
    m.add("law", lw.UserForce(way, lambda value, rate, t: -3.0 if rate > 0 else 3.0))
    try:
        run = m.simulate(1.0, every=0.1, method="radau", rtol=1e-6, most_steps=20_000, coordinates="joint")
    except LinkworkError as error:
        assert str(error)
    else:
        assert np.isfinite(run["block.x"]).all() and abs(run["block.x"][-1] - 1.0 / 6.0) < 1e-3


def test_it_is_not_compiled_where_it_is_not_used():
    import subprocess
    import sys

    text = (
        "import sys, linkwork as lw; lw.gallery.four_bar().simulate(0.1, method='dop853', coordinates='body');"
        "assert not [one for one in sys.modules if one.endswith(('time.radau', 'time.ports', 'time.lu'))]"
    )
    subprocess.run([sys.executable, "-c", text], check=True)
