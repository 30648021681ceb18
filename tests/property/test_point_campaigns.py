"""Point coordinates on many mechanisms: without mass, with thin and far-spread mass, in any basis; past singular
positions, over many turns, through locks and releases."""

import math
from functools import partial

import numpy as np
import pytest
from benchmarks import problems
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import linkwork as lw
from campaign import campaign, count
from linkwork import gallery
from linkwork.coordinates import SETS
from linkwork.errors import CompileError
from linkwork.kernels import layout as at
from linkwork.testing.scenes import body_under, world
from property.draws import assembler, examples
from property.strategies import Plan, Rejections, _closing, _words, set_plans
from property.test_points import in_points, same_as_bodies
from property.test_sets import within
from unit.coordinates.test_point import wound

REJECTIONS = Rejections()
assembled = assembler(REJECTIONS)


# -- random linkages -----------------------------------------------------------------------------------------
@st.composite
def linkages(draw):
    """Plates, bars, massless links and particles on pins, closed to loops, with springs and perhaps a motor.

    Radii of gyration lie between a hundredth of the usual ones and ten times them; some bodies have no inertia.
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    plan, poses = Plan(), {"ground": np.zeros(3)}
    for k in range(draw(st.integers(2, 6))):
        name, parent = f"b{k}", draw(st.sampled_from(list(poses)))
        kind = draw(st.sampled_from(["plate", "bar", "massless", "thin", "wide", "point mass"]))
        on, to = _words(rng, parent), _words(rng, name)
        place = world(poses[parent], lw.Frame("any", (on[1], on[2], 0.0), on[3]))
        turned = np.array([*place[:2], rng.uniform(-3.0, 3.0)])
        poses[name] = body_under(turned, lw.Frame("any", (to[1], to[2], 0.0), to[3]))
        mass = 0.0 if kind == "massless" else rng.uniform(0.3, 3.0)
        radius = {"massless": 0.0, "point mass": 0.0, "thin": 0.01, "wide": 3.0}.get(kind, rng.uniform(0.2, 0.6))
        center = (0.0, 0.0) if kind == "massless" else tuple(rng.uniform(-0.3, 0.3, 2))
        plan.bodies.append((name, mass, mass * radius**2, center, poses[name], rng.uniform(-1.5, 1.5, 3)))
        plan.joints.append((f"J{k}", "Revolute", on, to, {}))
    names = ["ground", *(body[0] for body in plan.bodies)]
    for k in range(draw(st.integers(0, 2))):
        plan.joints.append(_closing(f"L{k}", "Revolute", draw(st.permutations(names))[:2], poses, rng))
    for k in range(draw(st.integers(0, 2))):
        one, other = draw(st.permutations(names))[:2]
        numbers = {"stiffness": rng.uniform(2.0, 40.0), "rest_length": rng.uniform(0.2, 1.5), "damping": 0.3}
        plan.forces.append((f"S{k}", "SpringDamper", _words(rng, one), _words(rng, other), numbers))
    if draw(st.booleans()):
        function = lw.Harmonic(rng.uniform(0.2, 1.0), rng.uniform(1.0, 4.0), rng.uniform(-1.0, 1.0))
        plan.drivers.append(("motor", "J0", "angle", function, {"from_assembled": True}))
    return plan


def put_together(plan):
    """Mechanism and state; what can move without any inertia is left out, and so are lost digits."""
    try:
        m, state = assembled(plan)
        m.evaluate(state, coordinates="point")
        m.assemble(start=state, coordinates="point")
    except CompileError as error:
        assert any(words in str(error) for words in ("without any inertia", "light bodies", "has inertia")), error
        assume(False)
    return m, state


@campaign
@examples(count(400))
@given(linkages())
def test_linkages_with_any_mass(plan):
    """Accelerations, reactions, efforts and marks are those of body coordinates, to 1e-9."""
    same_as_bodies(*put_together(plan))


@campaign
@examples(count(200))
@given(linkages(), st.data())
def test_linkages_in_any_basis(plan, data):
    """The same with two random points of some bodies."""
    m, state = put_together(plan)
    body = data.draw(st.sampled_from(list(m.bodies)))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    m.replace(body, lw.Body(**{
        key: getattr(m.bodies[body], key) for key in ("mass", "inertia", "center", "position", "angle", "velocity",
                                                      "angular_velocity")
    }, points={"p": tuple(rng.uniform(-1, 1, 2)), "q": tuple(rng.uniform(-1, 1, 2))}))  # fmt: skip
    basis = {body: ("p", "q")}
    try:
        got = m.evaluate(state, coordinates="point", basis=basis)
    except CompileError as error:
        assert "digits would be lost" in str(error)
        return
    wanted = m.evaluate(state, coordinates="body")
    within(got.accelerations, wanted.accelerations)
    for name in m.joints:
        within(got.reaction(name).force, wanted.reaction(name).force)


@campaign
@examples(count(200))
@given(set_plans(most=5, loops=2), st.integers(0, 2**32 - 1))
def test_accelerations_of_bodies_against_differences(plan, seed):
    """B and its bias against differences, for random accelerations along the constraints of the set."""
    state = assembled(plan)[1]
    model, (system, y) = state.model, in_points(state)
    n_q, n_v = system.plan.n_q, system.plan.n_v
    rng, h = np.random.default_rng(seed), 1e-4
    v, a = (rng.normal(size=n_v) * system.weights for _ in range(2))

    def twists(s):
        """Of the bodies, on the way q + s v + s^2 a/2."""
        moved = system.moved(y, s * v + 0.5 * s * s * a)
        moved[n_q : n_q + n_v] = v + s * a
        system.locate(state.t, moved)
        return system.view(at.W_TWIST)[1:].ravel().copy()

    slope = (twists(-2 * h) - 8 * twists(-h) + 8 * twists(h) - twists(2 * h)) / (12 * h)
    y = y.copy()
    y[n_q : n_q + n_v] = v
    wanted = accelerated(system, state.t, y, a)
    within(slope[model.existing], wanted[model.existing], 1e-6)


def accelerated(system, t, y, a):
    """B a + bias of all bodies, written out in complex numbers from the choice of points."""
    plan, choice = system.plan, system.plan.layout.choice
    n_q, points = plan.n_q, len(choice.places)
    z, zd, zdd = (part[: 2 * points : 2] + 1j * part[1 : 2 * points : 2] for part in (y, y[n_q:], a))
    out = []
    for share in choice.shares:
        turning = choice.turnings[share.turning]
        place = plan.layout.angle_place.get(share.turning)
        told = lambda one, values: sum((c * values[k] for k, c in one.shares.items()), 0j)
        center = told(share.center, zdd)
        spin_rate = 0.0
        if turning.kind == at.BY_ANGLE:
            w, e = y[n_q + place], np.exp(1j * y[place])
            center += (1j * a[place] - w * w) * e * share.arm
            spin_rate = a[place]
        elif turning.kind == at.BY_POINTS:  # arg'' of a
            d0, d1, d2 = (
                told(turning.direction, z) + turning.direction.constant,
                *(told(turning.direction, part) for part in (zd, zdd)),
            )
            spin_rate = (d2 / d0 - (d1 / d0) ** 2).imag
        out += [center.real, center.imag, spin_rate]
    return np.array(out)


# -- past singular positions ---------------------------------------------------------------------------------
@campaign
@pytest.mark.parametrize(("rtol", "most"), [(1e-8, 1e-5), (1e-10, 1e-7)])
@pytest.mark.parametrize("windows", [2, 5])
def test_four_bars_from_random_starts(windows, rtol, most):
    """Against the exact reduction to one freedom, phi'' = -k cos(phi), which has no singular positions."""
    k, worst = problems.fourbar_stiffness(windows), 0.0
    for speed in np.random.default_rng(windows).uniform(0.8, 1.5, count(50)):
        problem = problems.fourbar(windows, float(speed))
        exact = solve_ivp(
            lambda t, y: [y[1], -k * math.cos(y[0])],
            (0.0, problem.end),
            [math.pi / 2, -speed],
            method="DOP853",
            rtol=1e-13,
            atol=1e-13,
        )
        phi = exact.y[0, -1]
        run = problem.mechanism.simulate([0.0, problem.end], coordinates="point", rtol=rtol)
        worst = max(worst, problem.difference(problem.observe(run)[-1], [math.cos(phi), math.sin(phi)]))
    print(f"{count(50)} starts of {windows} windows in points, rtol {rtol:g}: error {worst:.1e}")
    assert worst <= most


@pytest.mark.parametrize("windows", [1, 2, 5, 10, 40])
def test_rows_of_four_bars_past_singular_positions(windows):
    """The benchmark A02 over ten seconds, each window singular where it lies flat."""
    problem = problems.fourbar(windows)
    run = problem.mechanism.simulate([0.0, problem.end], coordinates="point", rtol=1e-8)
    assert problem.error(run) < 1e-6


# -- many turns ----------------------------------------------------------------------------------------------
TURNS = {
    "planetary_gear": (gallery.planetary_gear, None, 8.0),
    "cart": (gallery.cart, None, 11.0),
    "coil": (
        partial(wound, 0.05, link=2.0),
        {"A.angle": 0.3, "A.angle.rate": 30.0, "B.angle": 0.2, "B.angle.rate": 0.0},
        4.0,
    ),
}


@pytest.mark.parametrize("name", TURNS)
def test_ten_full_turns_in_three_sets(name):
    made, start, duration = TURNS[name]
    runs = [made().simulate(duration, every=duration / 20, start=start, coordinates=one, rtol=1e-10) for one in SETS]
    bodies = [body for body in runs[0].mechanism.bodies if f"{body}.angle" in runs[0].names]
    turned = {body: np.ptp(runs[0][f"{body}.angle"]) / (2 * np.pi) for body in bodies}
    assert max(turned.values()) >= 10.0, turned
    for other in runs[1:]:
        for body in bodies:
            np.testing.assert_allclose(other[f"{body}.angle"], runs[0][f"{body}.angle"], atol=1e-6)
        assert np.abs(other.energy.balance).max() <= 1e-6 * other.energy.in_play


# -- locks and releases --------------------------------------------------------------------------------------
@pytest.mark.parametrize("coordinates", SETS)
def test_a_pendulum_released_and_caught(coordinates):
    """Its pin lets go at the lowest point; it flies, spinning; and is caught where its end comes back to a ring.

    Closed form: w^2 = 3 g/l at the lowest point; then the mass centre flies on a parabola.
    """
    g, length = 9.81, 1.0
    m = lw.Mechanism("caught")
    rod = m.add("rod", lw.bar(length=length, mass=2.0, position=(0.5, 0.0), angle=0.0))
    m.add("A", lw.Revolute(m.ground, rod.a))
    m.add("go", lw.Event("A.angle", "-90 deg", direction="falling", then=lw.Release("A"), most=1))
    m.add("far", lw.Event("t", 1.0, then=lw.Stop()))
    run = m.simulate(2.0, every=0.01, coordinates=coordinates, rtol=1e-10)
    go = run.events[0]
    w = -math.sqrt(3.0 * g / length)
    assert go.after["rod.angle.rate"] == pytest.approx(w, rel=1e-8)
    t = 1.0 - go.t
    assert run.final["rod.x"] == pytest.approx(w * length / 2 * t, abs=1e-7)
    assert run.final["rod.y"] == pytest.approx(-length / 2 - 0.5 * g * t * t, abs=1e-7)
    assert run.final["rod.angle"] == pytest.approx(-math.pi / 2 + w * t, abs=1e-7)
    again = lw.Mechanism("caught again")
    ring = again.add("rod", rod)
    again.add("A", lw.Revolute(again.ground, ring.a))
    again.add("go", lw.Event("A.angle", "-90 deg", direction="falling", then=lw.Release("A"), most=1))
    again.add("hang", lw.Rod(again.ground, ring.b, length=1.5, active=False))
    again.add("tight", lw.Event("hang.length", 1.5, direction="rising", then=lw.Lock("hang"), most=1))
    run = again.simulate(3.0, every=0.01, coordinates=coordinates, rtol=1e-10)
    wanted = again.simulate(3.0, every=0.01, coordinates="body", rtol=1e-11)
    assert [event.name for event in run.events] == ["go", "tight"]
    assert run.events[1].energy_lost > 0.0
    for name in ("rod.x", "rod.y", "rod.angle"):
        np.testing.assert_allclose(run[name], wanted[name], atol=1e-6)
