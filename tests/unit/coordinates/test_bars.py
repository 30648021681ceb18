"""Bars of space without inertia about their own axis: point coordinates take them, other sets refuse them."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.errors import CompileError

LENGTH, MASS = 0.8, 1.5
ACROSS = MASS * LENGTH**2 / 12
TILT = {"axis": (0.3, -0.5, 0.8), "angle": 0.7}


def bar(along=0.0, **more):
    """A uniform bar along x of its own frame."""
    ends = {"a": (-LENGTH / 2, 0, 0), "b": (LENGTH / 2, 0, 0)}
    return lw.Body(MASS, (along, ACROSS, ACROSS), points=ends, **more)


def two_cranks(along, mass=MASS):
    """Two cranks about axes across each other, and a bar between balls on them."""
    m = lw.Mechanism("two cranks", dimension=3)
    one = m.add("one", lw.Body(1.0, (0.02, 0.05, 0.04), center=(0.1, 0.02, 0)))
    two = m.add("two", lw.Body(2.0, (0.1, 0.12, 0.2), center=(0.2, 0, 0.03)))
    across = mass * LENGTH**2 / 12
    rod = m.add("rod", lw.Body(mass, (along, across, across), points=bar().points))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0), one.at(0, 0, 0)))
    m.add("D", lw.Revolute(m.ground.at(0.5, 0.3, 0.2, along=(1, 0.4, 0.2)), two.at(0, 0, 0)))
    m.add("B", lw.Spherical(one.at(0.2, 0, 0), rod.a))
    m.add("C", lw.Spherical(rod.b, two.at(0.5, 0, 0.1)))
    return m


def strut(along):
    """Two halves of a strut that slide along each other, with a spring, between the ground and a heavy ball."""
    m = lw.Mechanism("strut", dimension=3)
    halves = [m.add(name, bar(along)) for name in ("outer", "inner")]
    load = m.add("load", lw.Particle(3.0, position=(0.5, 0.8, 0.4), velocity=(0.6, -0.2, 1.0)))
    m.add("foot", lw.Spherical(m.ground.at(0, 0, 0), halves[0].a))
    m.add("head", lw.Spherical(halves[1].b, load.at(0, 0, 0)))
    m.add("slide", lw.Prismatic(halves[0].at(0, 0, 0, along=(1, 0, 0)), halves[1].at(0, 0, 0, along=(1, 0, 0))))
    m.add("spring", lw.SpringDamper(halves[0].a, halves[1].b, stiffness=400.0, damping=2.0, rest_length=1.0))
    return m


def same(one, other, names, tolerance):
    """Whether two runs have the same series, against their size."""
    for name in names:
        size = max(np.abs(other[name]).max(), 1e-3)
        assert np.abs(one[name] - other[name]).max() <= tolerance * size, name


def test_rod_on_a_ball_goes_round_as_a_conical_pendulum():
    """3 g / (2 L cos theta) = Omega^2: the angle to the vertical stays, the rod goes round evenly."""
    theta = 0.6
    omega = math.sqrt(3 * 9.81 / (2 * LENGTH * math.cos(theta)))
    m = lw.Mechanism(dimension=3, gravity=(0, 0, -9.81))
    way = np.array([math.sin(theta), 0.0, -math.cos(theta)])
    rod = m.add(
        "rod",
        bar(
            position=tuple(LENGTH / 2 * way),
            orientation={"axis": (0, 1, 0), "angle": math.pi / 2 - theta},
            velocity=(0, omega * LENGTH / 2 * math.sin(theta), 0),
            angular_velocity=(-omega * math.cos(theta), 0, omega * math.sin(theta)),
        ),
    )
    m.add("ball", lw.Spherical(m.ground.at(0, 0, 0), rod.a))
    m.add("tip", lw.Reading(lw.WorldOffset(m.ground.at(0, 0, 0), rod.b, "x")))
    run = m.simulate(np.linspace(0, 3.0, 61), coordinates="point", rtol=1e-11)
    assert np.abs(run["rod.z"] + LENGTH / 2 * math.cos(theta)).max() < 1e-9
    assert np.abs(run["tip.value"] - LENGTH * math.sin(theta) * np.cos(omega * run.t)).max() < 1e-8
    assert np.abs(run["ball.reaction.z"] / MASS / 9.81).max() == pytest.approx(1.0, abs=1e-8)
    # it does not turn about itself, whatever was declared, and its axes go on without a jump
    spin = np.array([run.state(k).y[7 + 3 : 7 + 6] for k in range(61)])
    assert np.abs(spin[:, 0]).max() < 1e-10
    turns = np.array([run.state(k).y[3:7] for k in range(61)])
    assert (np.abs(np.einsum("ij,ij->i", turns[1:], turns[:-1])) > 0.97).all()


def test_free_bar_turns_evenly_about_its_falling_centre():
    m = lw.Mechanism(dimension=3, gravity=(0, 0, -9.81))
    rod = m.add("rod", bar(position=(1, 2, 3), orientation=TILT, velocity=(0.5, 0, 4), angular_velocity=(2, 5, 0)))
    m.add("end", lw.Reading(lw.WorldOffset(m.ground.at(0, 0, 0), rod.b, "y")))
    run = m.simulate(np.linspace(0, 2.0, 41), coordinates="point", rtol=1e-11)
    assert np.abs(run["rod.z"] - (3 + 4 * run.t - 9.81 / 2 * run.t**2)).max() < 1e-9
    arm, turned = (lw.rotation.matrix(run.state(0).y[3:7]) @ np.array(one) for one in ((0.4, 0, 0), (0, 0, -0.4)))
    assert np.abs(run["end.value"] - 2.0 - arm[1] * np.cos(5 * run.t) - turned[1] * np.sin(5 * run.t)).max() < 1e-8


@pytest.mark.parametrize("angle", [0.4, 2.0, -1.1])
def test_bar_between_balls_as_with_a_little_inertia(angle):
    start = {"A.angle": angle, "A.angle.rate": 4.0}
    times = np.linspace(0, 1.0, 41)
    thin = two_cranks(0.0).simulate(times, start=start, coordinates="point", rtol=1e-10)
    names = ["A.angle", "D.angle", "A.angle.acceleration", "B.reaction.x", "C.reaction.y", "C.reaction.z", "rod.z"]
    for little, tolerance in ((1e-4, 1e-5), (1e-6, 1e-6)):
        body = two_cranks(little).simulate(times, start=start, coordinates="body", rtol=1e-10)
        same(thin, body, names, tolerance)


def test_bar_without_any_mass_is_a_rod():
    """A link without mass between balls keeps their distance, as a Rod does, and pushes along itself."""
    start, times = {"A.angle": 0.4, "A.angle.rate": 4.0}, np.linspace(0, 1.0, 21)
    thin = two_cranks(0.0, mass=0.0).simulate(times, start=start, coordinates="point", rtol=1e-10)
    m = two_cranks(0.0, mass=0.0)
    for name in ("B", "C", "rod"):
        m.remove(name)
    m.add("L", lw.Rod(m["one"].at(0.2, 0, 0), m["two"].at(0.5, 0, 0.1), length=LENGTH))
    rod = m.simulate(times, start=start, coordinates="body", rtol=1e-10)
    same(thin, rod, ["A.angle", "D.angle", "A.angle.acceleration", "D.angle.rate"], 1e-7)
    push = np.array([thin[f"B.reaction.{axis}"] for axis in "xyz"])
    assert np.allclose(np.linalg.norm(push, axis=0), np.linalg.norm(rod["L.reaction"], axis=1), rtol=1e-6)


def test_strut_of_two_thin_halves():
    times = np.linspace(0, 1.0, 41)
    thin = strut(0.0).simulate(times, coordinates="point", rtol=1e-10)
    body = strut(1e-7).simulate(times, coordinates="body", rtol=1e-10)
    same(thin, body, ["load.x", "load.y", "load.z", "slide.slide", "spring.force", "head.reaction.x"], 2e-6)


@pytest.mark.parametrize("coordinates", ["body", "joint", "auto"])
def test_other_sets_refuse_and_name_the_one(coordinates):
    with pytest.raises(CompileError, match=r"without any inertia: rod\.turn\.x.*coordinates='point'"):
        two_cranks(0.0).simulate(0.1, start={"A.angle": 0.4}, coordinates=coordinates)
    state = two_cranks(0.0).assemble(start={"A.angle": 0.4}, coordinates="point").state
    for ask in (lw.simulate, lw.evaluate):
        with pytest.raises(CompileError, match="coordinates='point'"):
            m = two_cranks(0.0)
            ask(m, 0.1, start=state, coordinates=coordinates) if ask is lw.simulate else ask(
                m, state, coordinates=coordinates
            )


def pulled(m):
    m.add("side", lw.SpringDamper(m.ground.at(0, 0, 1), m["rod"].at(0, 0.1, 0), stiffness=10.0, rest_length=0.1))


def twisted(m):
    m.add("twist", lw.Torque(m["rod"].at(0, 0, 0, along=(1, 0, 0)), 1.0))


def heavy(m):
    lump = m.add("lump", lw.Particle(0.2))
    m.add("glue", lw.Spherical(m["rod"].at(0, 0.05, 0), lump.at(0, 0, 0)))


@pytest.mark.parametrize("change", [pulled, twisted])
def test_what_acts_on_the_turn_is_refused_in_points_too(change):
    m = two_cranks(0.0)
    change(m)
    with pytest.raises(CompileError, match=r"without any inertia: rod\.turn\.x") as told:
        m.simulate(0.1, start={"A.angle": 0.4}, coordinates="point")
    assert "coordinates='point'" not in str(told.value)


def test_turns_that_are_held_or_have_inertia_are_no_bars():
    """A lump beside the axis, or a universal joint, gives the turn what it needs: all sets run."""
    lumped = two_cranks(0.0)
    heavy(lumped)
    held = two_cranks(0.0)
    held.remove("B")
    held.add(
        "B",
        lw.Universal(held["one"].at(0.2, 0, 0, along=(0, 0, 1)), held["rod"].at(-LENGTH / 2, 0, 0, along=(0, 1, 0))),
    )
    for m in (lumped, held):
        runs = [m.simulate(0.5, start={"A.angle": 0.4}, coordinates=one, rtol=1e-10) for one in ("body", "point")]
        same(runs[1], runs[0], ["A.angle", "D.angle", "rod.z"], 1e-6)


def test_rest_and_modes_of_a_strut():
    """The turn of the strut about itself is no way to move; the others are those of a little inertia."""
    found = {}
    for along, coordinates in ((0.0, "point"), (1e-7, "body")):
        m = strut(along)
        rest = m.equilibrium(near={"load.z": -1.2}, coordinates=coordinates)
        # k (l - l0) = weight of the load and of the half that hangs on the spring
        assert rest["load.z"] == pytest.approx(-(1.0 + (3.0 + MASS) * 9.81 / 400.0), rel=1e-9)
        modes = m.modes(start=rest.state, coordinates=coordinates)
        found[coordinates] = sorted(np.abs(modes.frequencies))
        assert len(found[coordinates]) == 3  # what does not swing has no frequency
    assert found["point"] == pytest.approx(found["body"], rel=1e-6)


@pytest.mark.parametrize("tilt", [(0.1, 0.7, 0.0), (0.7, 0.3, 0.8), (1.3, -0.4, 2.1), (2.0, 1.1, -0.6)])
def test_a_rod_whose_inertia_is_turned_is_a_bar_as_well(tilt):
    # eigenvalues of a turned matrix are zero to rounding only, above or below; a spherical pendulum by scipy
    thin = lw.Inertia.of(lw.rod(length=1.0, mass=1.0)).rotated(lw.Orientation.from_angles("XYZ", tilt))
    along = lw.Orientation.from_angles("XYZ", tilt).matrix[:, 0]
    across = np.cross(along, (0.0, 0.0, 1.0))
    m = lw.Mechanism("rod", dimension=3)
    rod = thin.body(points={"end": tuple(-0.5 * along)}, orientation=(1, 0, 0, 0), angular_velocity=tuple(1.5 * across))
    m.add("rod", rod)
    m.add("ball", lw.Spherical("ground", "rod.end"))
    assert "not turned about itself rod" in str(m.check(coordinates="point"))
    run = m.simulate(1.0, coordinates="point", rtol=1e-10)

    def pendulum(t, y):
        n, v = y[:3], y[3:]
        return np.concatenate([v, -(v @ v) * n + 1.5 * (np.array([0.0, 0.0, -9.81]) + 9.81 * n[2] * n)])

    first = np.concatenate([along, 1.5 * np.cross(across, along)])
    wanted = solve_ivp(pendulum, (0.0, 1.0), first, rtol=1e-11, atol=1e-12).y[:3, -1]
    assert np.allclose(2.0 * run["rod"][-1], wanted, atol=1e-7)
    for coordinates in ("body", "joint"):  # without an inertia there, not with one of 1e-17
        with pytest.raises(lw.errors.CompileError, match="without any inertia"):
            m.simulate(1.0, coordinates=coordinates, most_seconds=5)


@pytest.mark.parametrize("beside", [0.0, 0.1, 0.3])
def test_a_bar_without_mass_may_have_its_frame_beside_its_axis(beside):
    # two equal cranks side by side swing as one pendulum, whatever the frame of the bar between them; scipy's number
    m = lw.Mechanism("parallel cranks", dimension=3)
    for name, pin, x in (("one", "A", 0.0), ("two", "D", 0.8)):
        crank = m.add(name, lw.Body(1.0, (0.02, 0.05, 0.04), center=(0.3, 0, 0)))
        about = {"axis": (0, 1, 0), "along": (1, 0, 0)}
        m.add(pin, lw.Revolute(m.ground.at(x, 0, 0, **about), crank.at(0, 0, 0, **about)))
    ends = {"a": (-0.4, beside, 0.7 * beside), "b": (0.4, beside, 0.7 * beside)}
    rod = m.add("rod", lw.Body(0.0, (0, 0, 0), points=ends))
    m.add("B", lw.Spherical(m["one"].at(0.5, 0, 0), rod.a))
    m.add("C", lw.Spherical(rod.b, m["two"].at(0.5, 0, 0)))
    start = {"A.angle": 1.0, "A.angle.rate": 1.5}
    run = m.simulate(1.0, coordinates="point", start=start, near={"D.angle": 1.0}, rtol=1e-9)

    def pendulum(t, y):
        return y[1], 9.81 * 0.3 * math.cos(y[0]) / (0.05 + 0.09)

    wanted = solve_ivp(pendulum, (0.0, 1.0), (1.0, 1.5), rtol=1e-11, atol=1e-12).y[0, -1]
    assert run["A.angle.rate"][0] == pytest.approx(1.5, abs=1e-12)
    assert run["D.angle"][-1] == pytest.approx(wanted, abs=1e-7)
    assert np.abs(run.energy.balance).max() < 1e-7


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.36, 0.48, -0.8)])
@pytest.mark.parametrize("stiffness", [1e2, 1e5])
def test_a_bar_without_mass_that_is_loaded_between_its_ends_does_not_turn_about_itself(stiffness, axis):
    """The motion is that of a bar with a millionth of the mass, whose axial inertia body coordinates know."""

    def loaded(mass, inertia):
        m = lw.Mechanism("loaded", dimension=3)
        one = m.add("one", lw.Body(1.0, (0.02, 0.05, 0.04), center=(0.1, 0.02, 0)))
        two = m.add("two", lw.Body(2.0, (0.1, 0.12, 0.2), center=(0.2, 0, 0.03)))
        places = {name: tuple(far * np.array(axis)) for name, far in (("a", -0.4), ("b", 0.4), ("s", 0.123))}
        rod = m.add("rod", lw.Body(mass, inertia, points=places))
        m.add("A", lw.Revolute(m.ground.at(0, 0, 0), one.at(0, 0, 0)))
        m.add("D", lw.Revolute(m.ground.at(0.5, 0.3, 0.2, along=(1, 0.4, 0.2)), two.at(0, 0, 0)))
        m.add("B", lw.Spherical(one.at(0.2, 0, 0), rod.a))
        m.add("C", lw.Spherical(rod.b, two.at(0.5, 0, 0.1)))
        more = {"stiffness": stiffness, "damping": stiffness / 50, "rest_length": 0.5}
        m.add("S", lw.SpringDamper(m.ground.at(0.3, 1, 0.5), rod.s, **more))
        return m

    light = loaded(1e-6, (1e-7, 1e-7, 1e-7))
    state = light.assemble(start={"A.angle.rate": 2.0}, coordinates="body").state
    wanted = light.simulate(0.3, every=0.01, start=state, coordinates="body")
    start = {"A.angle": state["A.angle"], "D.angle": state["D.angle"], "A.angle.rate": 2.0}
    run = loaded(0.0, (0.0, 0.0, 0.0)).simulate(0.3, every=0.01, start=start, coordinates="point")
    assert run["A.angle"] == pytest.approx(wanted["A.angle"], abs=2e-5)
    assert np.abs(np.stack([run[f"rod.angular_velocity.{c}"] for c in "xyz"], axis=1) @ np.array(axis)).max() < 1e-6
    assert run.statistics.steps < 500
