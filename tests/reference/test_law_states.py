"""Laws with states of their own, integrated with the motion under the same error control, against closed forms."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import AnalysisError, UserFunctionError


# -- a first-order filter:  T z' = u - z -------------------------------------------------------------------------------
def lag(values, rates, t, numbers, memory, out, states, state_rates):
    state_rates[0] = (values[0] - states[0]) / numbers[0]
    out[0] = numbers[1] * states[0]


def filtered(begin=0.5, gain=0.0, dimension=2):
    m = lw.Mechanism("filter", gravity=None)
    b = m.add("b", lw.Body(2.0, 1.0, position=(0, 0), velocity=(0.1, 0.0), angle=0.0))
    x = lw.WorldOffset(m.ground, b, "x")
    law = lw.UserForce(reads=[lw.Harmonic(1.0, 3.0)], along=[x], law=lag, numbers=[0.2, gain], states={"held": begin})
    m.add("filter", law)
    return m if dimension == 2 else m.in_space()


def response(t, begin, time=0.2, w=3.0):
    """z of  T z' = sin(w t) - z."""
    size = 1.0 / (1.0 + (w * time) ** 2)
    forced = size * (np.sin(w * t) - w * time * np.cos(w * t))
    return forced + (begin + size * w * time) * np.exp(-t / time)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("method", ["dop853", "dopri5", "rkc"])
def test_a_filter_follows_its_closed_form(method, coordinates, dimension):
    """Nothing else moves: the error control of the state alone chooses the steps."""
    for begin in (0.0, 0.5, -3.0):
        m = filtered(begin, dimension=dimension)
        for rtol in (1e-4, 1e-6) if method == "rkc" else (1e-4, 1e-6, 1e-8, 1e-10):
            run = m.simulate(2.0, every=0.05, coordinates=coordinates, method=method, rtol=rtol)
            exact = response(run.t, begin)
            size = np.abs(exact).max()
            assert np.abs(run["filter.held"] - exact).max() < (30.0 if method != "rkc" else 300.0) * rtol * size
    rate = (np.sin(3.0 * run.t) - exact) / 0.2
    assert np.abs(run["filter.held.rate"] - rate).max() < 1e4 * rtol


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e8])
def test_the_unit_of_a_state_has_no_part_in_its_steps(scale):
    """Pressures are large and bristles small: both are followed to the same relative error."""

    def scaled(values, rates, t, numbers, memory, out, states, state_rates):
        state_rates[0] = (numbers[1] * values[0] - states[0]) / numbers[0]
        out[0] = 0.0

    m = filtered()
    law = m.forces["filter"]
    m.replace("filter", lw.UserForce(reads=law.reads, along=law.along, law=scaled, numbers=[0.2, scale],
                                     states={"held": 0.5 * scale}))  # fmt: skip
    run = m.simulate(2.0, every=0.1, coordinates="body", rtol=1e-8)
    assert run["filter.held"] / scale == pytest.approx(response(run.t, 0.5), abs=1e-7)
    assert run.statistics.steps == filtered().simulate(2.0, every=0.1, coordinates="body", rtol=1e-8).statistics.steps


def test_steps_of_one_length():
    run = filtered().simulate(1.0, every=0.1, coordinates="body", method="rk4", step=1e-3)
    assert run["filter.held"] == pytest.approx(response(run.t, 0.5), abs=1e-10)


@pytest.mark.parametrize("coordinates", SETS)
def test_what_a_state_pushes(coordinates):
    """m x'' = c z, so that x' = v0 + c/m times the integral of z, by quadrature of the closed form."""
    run = filtered(0.5, gain=1.7).simulate(2.0, every=0.02, coordinates=coordinates, rtol=1e-10)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    total = 0.5 * 2.0 * np.sum(weights * response(1.0 + nodes, 0.5))
    assert run["b.x.rate"][-1] == pytest.approx(0.1 + 1.7 / 2.0 * total, abs=1e-8)
    assert abs(run.energy.balance[-1]) < 1e-8
    assert run["filter.force"] == pytest.approx(1.7 * run["filter.held"])


# -- the bristle of LuGre:  z' = v - s0 |v| z / g(v),  force = -(s0 z + s1 z' + s2 v) ----------------------------------
def bristle(values, rates, t, numbers, memory, out, states, state_rates):
    stiffness, damping, viscous, coulomb, static, slow = (
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        numbers[4],
        numbers[5],
    )
    v = rates[0]
    g = coulomb + (static - coulomb) * math.exp(-((v / slow) ** 2))
    state_rates[0] = v - stiffness * abs(v) * states[0] / g
    out[0] = -(stiffness * states[0] + damping * state_rates[0] + viscous * v)


def bent(values, numbers, states):
    return 0.5 * numbers[0] * states[0] ** 2


NUMBERS = (1e4, 30.0, 0.4, 1.0, 1.5, 0.01)


def block(numbers=NUMBERS, potential=bent, **options):
    m = lw.Mechanism("block", gravity=None)
    b = m.add("block", lw.Body(1.0, 1.0, **options))
    m.add("rail", lw.Prismatic(m.ground, b))
    x = lw.Offset(m.ground, b, "x")
    m.add("rub", lw.UserForce(reads=[x], along=[x], law=bristle, numbers=numbers, states={"bend": 0.0},
                              energy="dissipates", potential=potential))  # fmt: skip
    return m, x


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("speed", [2e-3, -0.05, 1.0])
def test_a_bristle_at_constant_speed(speed, coordinates):
    """z = (g/s0) sign(v) (1 - exp(-s0 |v| t / g)); the driver that holds the speed bears the friction."""
    m, x = block()
    m.add("motor", lw.Driver(x, f"{speed}*t"))
    s0, s1, s2, coulomb, static, slow = NUMBERS
    g = coulomb + (static - coulomb) * math.exp(-((speed / slow) ** 2))
    end = 6.0 * g / (s0 * abs(speed))
    for rtol in (1e-5, 1e-8, 1e-10):
        run = m.simulate(end, every=end / 20.0, coordinates=coordinates, rtol=rtol)
        bend = g / s0 * math.copysign(1.0, speed) * (1.0 - np.exp(-s0 * abs(speed) * run.t / g))
        assert np.abs(run["rub.bend"] - bend).max() < 10.0 * rtol * g / s0
    rate = speed - s0 * abs(speed) * bend / g
    assert run["motor.effort"] == pytest.approx(s0 * bend + s1 * rate + s2 * speed, rel=1e-6)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_pushed_block_does_not_creep(coordinates):
    """Before it slides, z is nearly x: it swings about F/s0, and comes to rest there as the bristle's damping says."""
    m, x = block((1e4, 200.0, 0.0, 1e9, 1e9, 0.01))  # a bristle that never slides: z' = v to 1e-9
    m.add("push", lw.PointForce(m["block"], x=0.5))
    run = m.simulate(0.2, every=0.005, coordinates=coordinates, rtol=1e-11)
    w, zeta = 100.0, 1.0  # critically damped:  x = F/s0 (1 - (1 + w t) exp(-w t))
    exact = 0.5 / 1e4 * (1.0 - (1.0 + w * run.t) * np.exp(-w * run.t))
    assert zeta == 200.0 / (2.0 * w)
    assert run["rub.bend"] == pytest.approx(exact, abs=1e-11)
    assert run["block.x"] == pytest.approx(exact, abs=1e-11)


def test_the_ledger_of_joined_runs():
    m, _ = block(velocity=(0.05, 0.0))
    first = m.simulate(0.1, every=0.002, coordinates="joint", rtol=1e-10)
    both = first + m.simulate(0.3, every=0.002, start=first.final, coordinates="body", rtol=1e-10)
    assert np.abs(both.energy.balance).max() < 1e-9 * both.energy.in_play
    assert both.energy.potential == pytest.approx(0.5 * 1e4 * both["rub.bend"] ** 2)


def test_the_ledger_knows_what_a_bristle_keeps():
    """A block that slides to rest: what the bristle took is bent into it, or gone; what is gone never comes back."""
    m, _ = block(velocity=(0.05, 0.0))
    run = m.simulate(0.4, every=0.002, coordinates="joint", rtol=1e-10)
    e = run.energy
    assert np.abs(e.balance).max() < 1e-9 * e.in_play
    assert np.diff(e.dissipated).min() > -1e-12
    assert e.potential == pytest.approx(0.5 * 1e4 * run["rub.bend"] ** 2)
    assert e.potential.max() > 0.02 * e.kinetic[0]
    careless, _ = block(potential=None, velocity=(0.05, 0.0))
    bare = careless.simulate(0.4, every=0.002, coordinates="joint", rtol=1e-10).energy
    assert np.diff(bare.dissipated).min() < -1e-6  # it gives back what it kept, and nobody knew
    assert np.abs(bare.balance).max() < 1e-9 * e.in_play


def test_checks_of_laws_with_states():
    m, _ = block()
    lw.testing.check_law(m.forces["rub"])
    careless, _ = block(potential=None)
    with pytest.raises(AssertionError, match="dissipates"):
        lw.testing.check_law(careless.forces["rub"])


# -- carried from run to run, into files and between models ------------------------------------------------------------
@pytest.mark.parametrize("sets", [("body", "joint"), ("joint", "body")])
def test_states_go_on_from_where_they_were(sets):
    m = filtered(0.5, gain=1.7)
    first = m.simulate([0.0, 0.4], coordinates=sets[0], rtol=1e-10)
    assert first.final["filter.held"] == pytest.approx(response(0.4, 0.5), abs=1e-9)
    more = m.simulate([0.4, 1.0], start=first.final, coordinates=sets[1], rtol=1e-10)
    assert more["filter.held"][-1] == pytest.approx(response(1.0, 0.5), abs=1e-9)
    both = first + more
    assert both["filter.held"] == pytest.approx(response(both.t, 0.5), abs=1e-9)
    assert both["filter.held.rate"] == pytest.approx((np.sin(3.0 * both.t) - response(both.t, 0.5)) / 0.2, abs=1e-7)
    prepared = m.prepare([0.4, 1.0], start=first.final, coordinates=sets[1], rtol=1e-10)
    assert prepared()["filter.held"][-1] == more["filter.held"][-1]
    assert m.evaluate(first.final, coordinates=sets[0])["filter.held"] == first["filter.held"][-1]


def test_another_mechanism_takes_states_by_name():
    m = filtered(0.5, gain=1.7)
    first = m.simulate([0.0, 0.4], coordinates="body", rtol=1e-10)
    other = lw.Mechanism("filter", gravity=None)
    b = other.add("b", lw.Body(2.0, 1.0))
    x = lw.WorldOffset(other.ground, b, "x")
    for name, start in (("new", 7.0), ("filter", 9.0)):
        other.add(name, lw.UserForce(reads=[lw.Harmonic(1.0, 3.0)], along=[x], law=lag, numbers=[0.2, 0.0],
                                     states={"held": start}))  # fmt: skip
    run = other.simulate([0.4, 0.5], start=first.final, coordinates="joint")
    assert run["filter.held"][0] == first["filter.held"][-1]
    assert run["new.held"][0] == 7.0


@pytest.mark.parametrize("form", ["nc", "json", "parquet", "csv"])
def test_files_keep_states(form, tmp_path):
    m, _ = block(velocity=(0.05, 0.0))
    run = m.simulate(0.1, every=0.01, coordinates="joint")
    laws = {"bristle": bristle, "bent": bent}
    run.save(tmp_path / f"run.{form}")
    if form == "csv":
        return  # a table for others
    back = lw.load(tmp_path / f"run.{form}", laws=laws)
    assert np.array_equal(back["rub.bend"], run["rub.bend"])
    assert np.array_equal(back.energy.dissipated, run.energy.dissipated)
    assert back.mechanism.forces["rub"].states == {"bend": 0.0}
    more = [one.mechanism.simulate([0.1, 0.2], start=one.final, coordinates="joint")["rub.bend"] for one in (run, back)]
    assert np.array_equal(*more)


def test_model_files_keep_what_a_law_has(tmp_path):
    m = lw.Mechanism("kept", gravity=None)
    b = m.add("b", lw.Body(1.0, 1.0))
    x = lw.WorldOffset(m.ground, b, "x")
    m.add("f", lw.UserForce(reads=[x], along=[x], law=watched, memory=1, states={"p": 3.0}, accept=kept))
    m.add("w", lw.UserWrench(b, watched_wrench, states=2))
    lw.write(m, tmp_path / "m.yaml")
    back = lw.read(tmp_path / "m.yaml", laws={one.__name__: one for one in (watched, kept, watched_wrench)})
    assert back.forces["f"] == m.forces["f"] and back.forces["w"] == m.forces["w"]
    runs = [one.simulate(0.3, coordinates="body") for one in (m, back)]
    assert [name for name in runs[0].names if name.startswith("w.state")] == ["w.state1", "w.state2"]
    assert np.array_equal(runs[0].final.y, runs[1].final.y) and np.array_equal(
        runs[0].final.memory, runs[1].final.memory
    )
    assert runs[0].final.memory[-1] > 3.0


def watched(values, rates, t, numbers, memory, out, states, state_rates):
    state_rates[0] = 1.0
    out[0] = states[0]


def kept(values, rates, t, numbers, memory, states):
    memory[0] = states[0]


def watched_wrench(pose, rates, t, numbers, memory, out, states, state_rates):
    state_rates[0] = rates[0]
    state_rates[1] = -states[0]


# -- what goes wrong ---------------------------------------------------------------------------------------------------
def bursts(values, rates, t, numbers, memory, out, states, state_rates):
    state_rates[0] = states[0] ** 2
    out[0] = 0.0


def nothing(values, rates, t, numbers, memory, out, states, state_rates):
    state_rates[0] = math.nan if t > 0.5 else 0.0
    out[0] = 0.0


def in_python(values, rates, t, numbers, memory, out, states, state_rates):
    state_rates[:] = [float(str((values[0] - states[0]) / 0.2))]  # text is not compiled
    out[:] = [0.0]


def law_of(law, **options):
    m = filtered()
    old = m.forces["filter"]
    m.replace("filter", lw.UserForce(reads=old.reads, along=old.along, law=law, states={"held": 1.0}, **options))
    return m


def test_a_state_without_bound_ends_the_run():
    """z' = z^2 from 1 leaves all bounds at t = 1."""
    with pytest.raises(AnalysisError) as caught:
        law_of(bursts).simulate(2.0, coordinates="body")
    assert 0.9 < caught.value.result.t[-1] <= 1.0


def test_rates_that_are_not_finite_are_told():
    with pytest.raises(UserFunctionError, match="Force 'filter' has a law 'nothing' that gives rates of its states"):
        law_of(nothing).simulate(2.0, coordinates="joint")


def test_laws_in_python_have_states_too():
    with pytest.warns(RuntimeWarning, match="in_python"):
        run = law_of(in_python).simulate(0.5, coordinates="body", rtol=1e-8)
    assert run["filter.held"][-1] == pytest.approx(response(0.5, 1.0), abs=1e-7)


# -- start values by name ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("coordinates", SETS)
def test_states_of_laws_have_start_values(coordinates, dimension):
    """The filter begins where the start value says, not where its law does; 30 is no angle of degrees here."""
    m = filtered(0.5, dimension=dimension)
    for begin in (-3.0, 30.0, 0.0):
        start = {"filter.held": begin, "b.x.rate": 0.4}
        run = m.simulate(1.0, every=0.1, start=start, coordinates=coordinates, rtol=1e-10)
        assert np.abs(run["filter.held"] - response(run.t, begin)).max() < 1e-8 * max(1.0, abs(begin))
        assert run["b.x.rate"][0] == pytest.approx(0.4, abs=1e-12)
        found = m.assemble(start=start, coordinates=coordinates)
        assert found.state["filter.held"] == begin
        here = m.evaluate({"filter.held": begin}, coordinates=coordinates)
        assert here["filter.held"] == begin and here["filter.held.rate"] == pytest.approx(-begin / 0.2)
        here = m.evaluate({"filter.held": begin, "b.x": 0.3}, t=0.1, coordinates=coordinates)
        assert here["filter.held"] == begin and here["b.x"] == 0.3


def test_wrong_start_values_of_states():
    m = filtered()
    with pytest.raises(lw.errors.DescriptionError, match=r"start value 'filter\.held' is not a finite number"):
        m.assemble(start={"filter.held": np.nan}, coordinates="body")
    with pytest.raises(lw.errors.DescriptionError, match=r"start value 'filter\.held' is not a finite number"):
        m.assemble(start={"filter.held": "3 Pa"}, coordinates="body")
    with pytest.raises(lw.errors.UnknownNameError, match=r"filter\.hold"):
        m.assemble(start={"filter.hold": 1.0}, coordinates="body")
    with pytest.raises(lw.errors.UnknownNameError, match=r"filter\.held"):
        m.assemble(near={"filter.held": 1.0}, coordinates="body")
