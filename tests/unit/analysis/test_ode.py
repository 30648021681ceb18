"""The equations of motion as plain functions, with the integrators of SciPy, against simulate."""

import numpy as np
import pytest
from scipy.integrate import DOP853, solve_ivp

import linkwork as lw
from linkwork.errors import AssemblyError, DescriptionError, SingularConfigurationError

TIGHT = dict(method="DOP853", rtol=1e-10, atol=1e-12)


def driven():
    m = lw.gallery.four_bar()
    m.add("motor", lw.Driver("A.angle", "1 + 2*t + sin(3*t)"))
    return m


def ball_chain():
    """Two bodies on balls in space, with a damper that works: Euler parameters in both sets."""
    m = lw.Mechanism("balls", dimension=3)
    one = m.add("one", lw.box(0.6, 0.1, 0.2, mass=2.0, angular_velocity=(0.3, 1.0, -2.0)))
    two = m.add("two", lw.box(0.4, 0.1, 0.1, mass=1.0))
    m.add("S1", lw.Spherical(m.ground.at(0, 0, 0), one.at(-0.3, 0, 0)))
    m.add("S2", lw.Spherical(one.at(0.3, 0.02, 0), two.at(-0.2, 0, 0.01)))
    m.add(
        "spring",
        lw.SpringDamper(m.ground.at(0.5, 0.5, 0.5), two.at(0.2, 0, 0), stiffness=30.0, rest_length=0.3, damping=0.5),
    )
    return m


def loop_in_space():
    """A four-bar of space without redundant rows: two pins and two balls, tilted."""
    m = lw.Mechanism("RSSR", dimension=3)
    crank = m.add("crank", lw.cylinder(radius=0.008, length=0.1, mass=0.5, axis="x"))
    rocker = m.add("rocker", lw.cylinder(radius=0.008, length=0.25, mass=1.0, axis="x"))
    coupler = m.add("coupler", lw.cylinder(radius=0.006, length=0.42, mass=0.6, axis="x"))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(1, 0, 0.1)), crank.a))
    m.add("B", lw.Spherical(crank.b, coupler.a))
    m.add("C", lw.Spherical(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(0.35, 0.2, 0, axis=(0, 1, 0)), rocker.a))
    return m


MODELS = {
    "four-bar": (lw.gallery.four_bar, {"A.angle.rate": 3.0}, ("B.angle", "D.angle.rate")),
    "driven": (driven, {}, ("B.angle", "D.angle.rate", "energy.supplied")),
    "suspension": (lw.gallery.double_a_arm, {}, ("wheel.y", "O.angle.rate", "energy.dissipated")),
    "balls": (ball_chain, {}, ("two.x", "two.z.rate", "energy.dissipated")),
    "loop in space": (loop_in_space, {"A.angle.rate": 5.0}, ("D.angle", "coupler.z")),
    "chain in space": (lw.gallery.spatial_chain, {}, ("pin10.angle", "link5.z.rate")),
}


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("name", MODELS)
def test_solve_ivp_is_simulate(name, coordinates):
    build, start, read = MODELS[name]
    m = build()
    run = m.simulate([0.0, 0.3, 0.6], start=start, coordinates=coordinates, rtol=1e-11)
    ode = m.ode(start=start, coordinates=coordinates)
    assert len(ode.names) == ode.y0.size and all(ode.names) and len(set(ode.names)) == ode.y0.size
    found = solve_ivp(ode.rhs, (0.0, 0.6), ode.y0, t_eval=run.t, **TIGHT)
    assert found.success
    for k, t in enumerate(run.t):
        seen = m.evaluate(ode.state(t, found.y[:, k]), coordinates="body")
        for quantity in read:
            if not quantity.startswith("energy"):
                assert seen[quantity] == pytest.approx(
                    run[quantity][k], abs=1e-6 * max(1.0, np.abs(run[quantity]).max())
                )
    assert np.abs(ode.constraints(0.6, found.y[:, -1])).max(initial=0.0) < 1e-7
    # work is part of y: all that has no potential
    work = [k for k, one in enumerate(ode.names) if one.endswith(".work")]
    ledger = run.energy.supplied[-1] - run.energy.dissipated[-1]
    assert found.y[work, -1].sum() - found.y[work, 0].sum() == pytest.approx(ledger, abs=1e-6)


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("name", ["four-bar", "suspension", "loop in space", "balls"])
def test_jacobian_is_the_slope_of_the_right_side(name, coordinates):
    build, start, _ = MODELS[name]
    ode = build().ode(start=start, coordinates=coordinates)
    y = ode.project(0.0, ode.y0)
    J = ode.jacobian(0.1, y)
    rng = np.random.default_rng(1)
    for _ in range(3):
        way = rng.standard_normal(y.size)
        found = []
        for h in (1e-4, 5e-5):  # extrapolated: of fourth order
            found.append((ode.rhs(0.1, y + h * way) - ode.rhs(0.1, y - h * way)) / (2 * h))
        slope = (4 * found[1] - found[0]) / 3
        assert J @ way == pytest.approx(slope, abs=1e-6 * np.abs(slope).max())


def test_jacobian_of_a_pendulum_in_closed_form():
    ode = lw.gallery.pendulum().ode(coordinates="joint", start={"A.angle": 0.4})
    omega2 = -ode.rhs(0.0, ode.y0)[1] / np.cos(0.4)
    assert ode.names == ("A.angle", "A.angle.rate")
    assert ode.jacobian(0.0, ode.y0) == pytest.approx(np.array([[0.0, 1.0], [omega2 * np.sin(0.4), 0.0]]), abs=1e-9)


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_an_implicit_method_with_the_jacobian(coordinates):
    m = lw.gallery.double_a_arm()
    ode = m.ode(coordinates=coordinates)
    found = solve_ivp(ode.rhs, (0.0, 0.3), ode.y0, method="Radau", jac=ode.jacobian, rtol=1e-8, atol=1e-10)
    run = m.simulate([0.0, 0.3], coordinates=coordinates, rtol=1e-11)
    assert found.success and found.njev > 0
    end = m.evaluate(ode.state(0.3, found.y[:, -1]), coordinates="body")
    assert end["wheel.y"] == pytest.approx(run["wheel.y"][-1], abs=1e-6)


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("name", ["four-bar", "loop in space"])
def test_projection_after_every_step(name, coordinates):
    build, start, _ = MODELS[name]
    ode = build().ode(start=start, coordinates=coordinates)
    ends = []
    for often in (False, True):
        solver = DOP853(ode.rhs, 0.0, ode.y0, 3.0, rtol=1e-5, atol=1e-7)
        while solver.status == "running":
            solver.step()
            if often:
                solver.y = ode.project(solver.t, solver.y)
        ends.append(np.abs(ode.constraints(3.0, solver.y)).max())
    assert ends[1] < 1e-12 < 1e-9 < ends[0]


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_stabilised_right_sides(coordinates):
    m = lw.gallery.four_bar()
    plain, held = m.ode(coordinates=coordinates), m.ode(coordinates=coordinates, alpha="5 1/s")
    ends = [
        np.abs(one.constraints(10.0, solve_ivp(one.rhs, (0.0, 10.0), one.y0, rtol=1e-4).y[:, -1])).max()
        for one in (plain, held)
    ]
    assert ends[1] < 0.1 * ends[0]
    assert plain.rhs(0.0, plain.y0) == pytest.approx(held.rhs(0.0, held.y0), abs=1e-9)  # on the constraints the same


def coiled():
    """A coil in space that is wound over full turns: what it does depends on how often."""
    m = lw.Mechanism("coil", dimension=3, gravity=None)
    rod = m.add("rod", lw.box(1.0, 0.1, 0.1, mass=1.0))
    A = m.add("A", lw.Revolute(m.ground.at(0, 0, 0), rod.at(0, 0, 0)))
    m.add("coil", lw.TorsionSpringDamper(A.on, A.to, stiffness=0.01))
    return m


@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_full_turns_are_followed_and_begin_anew(coordinates):
    m = coiled()
    start = {"A.angle.rate": 8.0}
    run = m.simulate([0.0, 4.0], start=start, coordinates=coordinates, rtol=1e-11)
    assert abs(run["A.angle"][-1]) > 4 * np.pi
    ode = m.ode(start=start, coordinates=coordinates)
    for _ in range(2):  # the second time it begins at the start again
        found = solve_ivp(ode.rhs, (0.0, 4.0), ode.y0, **TIGHT)
        state = ode.state(4.0, found.y[:, -1])
        assert state["A.angle.rate"] == pytest.approx(run["A.angle.rate"][-1], abs=1e-6)
        assert state["A.angle"] == pytest.approx(run["A.angle"][-1], abs=1e-6)


def test_states_of_laws_are_part_of_y():
    m = lw.Mechanism("creep", gravity=None)
    m.add("ball", lw.Particle(1.0, position=(1, 0), velocity=(1, 0)))
    way = lw.Distance(m.ground.at(0, 0), m.frame("ball"))
    m.add("rubber", lw.UserForce(reads=[way], along=[way], law=creeping, numbers=[40.0, 3.0], states={"stretch": 0.0}))
    ode = m.ode(coordinates="body")
    assert ode.names[-1] == "rubber.stretch"
    found = solve_ivp(ode.rhs, (0.0, 1.0), ode.y0, **TIGHT)
    run = m.simulate([0.0, 1.0], coordinates="body", rtol=1e-11)
    assert found.y[-1, -1] == pytest.approx(run["rubber.stretch"][-1], abs=1e-8)


def creeping(values, rates, t, numbers, memory, out, states, state_rates):
    tension = numbers[0] * states[0]
    state_rates[0] = rates[0] - tension / numbers[1]
    out[0] = -tension


def test_a_state_goes_on_anywhere():
    m = lw.gallery.four_bar()
    run = m.simulate([0.0, 0.5, 1.0], coordinates="body", rtol=1e-10)
    ode = m.ode(start=run.state(1), coordinates="joint")
    assert ode.t0 == 0.5
    found = solve_ivp(ode.rhs, (0.5, 1.0), ode.y0, **TIGHT)
    assert ode.state(1.0, found.y[:, -1])["D.angle"] == pytest.approx(run["D.angle"][-1], abs=1e-7)
    more = m.simulate([1.0, 1.1], start=ode.state(1.0, ode.project(1.0, found.y[:, -1])), coordinates="body")
    assert len(more.t) == 2
    assert "joint coordinates, 6 states, from 0.5 s" in repr(ode)
    assert "A.angle" in ode._repr_html_()


def test_arguments_are_not_changed():
    ode = lw.gallery.four_bar().ode(coordinates="body")
    y = ode.y0 + 1e-3
    kept = y.copy()
    for call in (ode.rhs, ode.project, ode.jacobian, ode.constraints, ode.state):
        call(0.0, y)
    assert np.array_equal(y, kept)
    assert ode.rhs(0.0, y) is not ode.rhs(0.0, y)


def test_wrong_use():
    m = lw.gallery.four_bar()
    ode = m.ode(coordinates="body")
    with pytest.raises(DescriptionError, match=r"y does not fit.*\(17,\).*\(18,\)"):
        ode.rhs(0.0, ode.y0[:-1])
    with pytest.raises(DescriptionError, match="beta= without alpha="):
        m.ode(beta=1.0, coordinates="body")
    with pytest.raises(DescriptionError, match="alpha"):
        m.ode(alpha=-1.0, coordinates="body")
    with pytest.raises(DescriptionError, match="coordinates are unknown"):
        m.ode(coordinates="bodies")
    with pytest.raises(SingularConfigurationError, match="found no position near y"):
        ode.project(0.0, ode.y0 + 50.0 * np.arange(18))
    state = ode.state(0.0, ode.y0 + 1e-2)
    with pytest.raises(AssemblyError, match="violates"):
        m.ode(start=state, coordinates="body")


def counting(values, rates, t, numbers, memory, out):
    out[0] = -numbers[0] * values[0]
    memory[0] += 1.0


def test_what_remembers_steps_is_no_function_of_y():
    m = lw.gallery.pendulum()
    m.add("count", lw.UserForce(reads=["A.angle"], along=["A.angle"], law=counting, numbers=[1.0], memory=1))
    with pytest.raises(DescriptionError, match="no function of t and y: 'count'"):
        m.ode(coordinates="body")
