"""Point coordinates of space: which points and vectors are chosen, what is left to rows, the motion of other sets."""

import dataclasses

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.entering import enter
from linkwork.kernels import layout as at
from unit.coordinates.test_point import SETS, agrees, counts, layout_of

Z = (0.0, 0.0, 1.0)


def rod(m, name, mass=1.0, length=1.0, **options):
    """A round bar along x, with balls to be put at its ends a and b."""
    across = mass * (length**2 / 12 + 0.02**2 / 4)
    points = {"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0)}
    return m.add(name, lw.Body(mass, (mass * 0.02**2 / 2, across, across), points=points, **options))


def four_bar(turn=None):
    """A planar four-bar in space: all its pins along one axis, three rows too many."""
    m = lw.Mechanism("four-bar in space", dimension=3, gravity=(0, -9.81, 0))
    places = np.array([[0, 0, 0], [0, 0.5, 0], [1.0, 1.0, 0], [1.2, 0, 0.0]])
    before, at_before = m.ground, (0.0, 0.0, 0.0)
    for k, name in enumerate(("crank", "coupler", "rocker")):
        middle, way = (places[k] + places[k + 1]) / 2, places[k + 1] - places[k]
        body = m.add(name, lw.Body(1.0 + k, (0.1, 0.2, 0.25), position=tuple(middle), orientation=(1, 0, 0, 0)))
        m.add("ABC"[k], lw.Revolute(before.at(*at_before), body.at(*(-way / 2))))
        before, at_before = body, tuple(way / 2)
    m.add("D", lw.Revolute(before.at(*at_before), m.ground.at(*places[3])))
    return m


def rssr(mass=2.0):
    """Two hinged cranks, their axes across each other, and a rod between balls, which turns about itself."""
    m = lw.Mechanism("RSSR", dimension=3)
    crank = m.add("crank", lw.Body(1.0, (0.02, 0.05, 0.05), position=(0.1, 0, 0), orientation=(1, 0, 0, 0)))
    rocker = m.add("rocker", lw.Body(1.5, (0.1, 0.03, 0.1), position=(1.0, 0.2, 0.3), orientation=(1, 0, 0, 0)))
    way = np.array([1.0, 0.4, 0.3]) - np.array([0.2, 0, 0])
    length = np.linalg.norm(way)
    x = way / length
    y = np.cross(Z, x) / np.linalg.norm(np.cross(Z, x))
    coupler = m.add(
        "coupler",
        lw.Body(
            mass,
            (0.01 * mass, 0.1 * mass, 0.1 * mass),
            position=tuple(np.array([0.2, 0, 0]) + way / 2),
            orientation=tuple(map(tuple, np.column_stack([x, y, np.cross(x, y)]))),
            angular_velocity=(3.0, 0, 0),
        ),
    )
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0), crank.at(-0.1, 0, 0)))
    m.add("B", lw.Spherical(crank.at(0.1, 0, 0), coupler.at(-length / 2, 0, 0)))
    m.add("C", lw.Spherical(coupler.at(length / 2, 0, 0), rocker.at(0, 0.2, 0)))
    m.add("D", lw.Revolute(m.ground.at(1.0, 0, 0.3, axis=(1, 0, 0)), rocker.at(0, -0.2, 0, axis=(1, 0, 0))))
    return m


def top(inertia=(0.1, 0.1, 0.05)):
    m = lw.Mechanism("top", dimension=3)
    body = m.add(
        "top", lw.Body(1.0, inertia, position=(0.3, 0, 0.5), orientation=(1, 0, 0, 0), angular_velocity=(0, 1, 20))
    )
    m.add("O", lw.Spherical(m.ground.at(0.3, 0, 0), body.at(0, 0, -0.5)))
    return m


def plate(balls=6):
    """A plate on balls in one plane, with arms on them: three points and a vector carry it, others are secondary."""
    m = lw.Mechanism("plate", dimension=3)
    body = m.add(
        "plate", lw.Body(3.0, (0.4, 0.5, 0.9), center=(0.05, 0.1, 0), position=(0, 0, 1), orientation=(1, 0, 0, 0))
    )
    for k in range(balls):
        turn = 2 * np.pi * k / balls
        arm = m.add(f"arm{k}", lw.Body(0.5 + 0.1 * k, (0.02, 0.03, 0.04), angular_velocity=(1, 0.3 * k, 0)))
        m.add(f"B{k}", lw.Spherical(body.at(np.cos(turn), np.sin(turn), 0), arm.at(0.2, 0.1, 0)))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 0, 3), body.at(0.3, 0, 0), stiffness=100.0, rest_length=1.0))
    return m


def slides():
    """A sledge along a slope, a second one on it, a welded horn, a ball and a particle at its end."""
    m = lw.Mechanism("slides", dimension=3)
    sledge = m.add("sledge", lw.Body(2.0, (0.1, 0.2, 0.3), center=(0.1, -0.2, 0.05)))
    upper = m.add("upper", lw.Body(1.0, (0.2, 0.1, 0.25), center=(0.0, 0.1, 0.1)))
    horn = m.add("horn", lw.Body(0.7, (0.1, 0.1, 0.1), center=(-0.2, 0.4, 0.3)))
    arm = m.add("arm", lw.Body(0.6, (0.05, 0.06, 0.07), center=(0.1, 0, 0.2), angular_velocity=(1, 2, 3)))
    bob = m.add("bob", lw.Particle(0.4))
    m.add("S", lw.Prismatic(m.ground.at(0, 0, 0, axis=(0, 0.6, 0.8), along=(1, 0, 0)), sledge.at(0.2, 0.1, 0)))
    m.add("T", lw.Prismatic(sledge.at(0, 0, 0.2, axis=(1, 0, 0), along=(0, 1, 0)), upper.at(0, 0, 0.1)))
    m.add("W", lw.Fixed(upper.at(0.3, 0.2, 0.1, axis=(0.6, 0, 0.8)), horn.at(-0.3, 0.1, 0.2)))
    m.add("B", lw.Spherical(horn.at(0.4, 0, 0), arm.at(0, 0.1, 0)))
    m.add("P", lw.Spherical(arm.at(0.3, 0.2, 0.4), bob))
    return m


def ring():
    """Three bodies at one ball, in a ring of balls there, one of them in a hinge."""
    m = lw.Mechanism("ring", dimension=3)
    bodies = [
        m.add(f"b{k}", lw.Body(1.0 + k, (0.1, 0.12, 0.15), center=(0.3, 0.1 * k, 0), angular_velocity=(k, 1, -k)))
        for k in range(3)
    ]
    for k in range(3):
        m.add(f"P{k}", lw.Spherical(bodies[k].at(0, 0, 0), bodies[(k + 1) % 3].at(0, 0, 0)))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 0.6, 0.8)), bodies[0].at(0.5, 0.5, 0)))
    return m


def close_balls():
    """Two balls closer together than mass is spread: they carry no vector."""
    m = lw.Mechanism("close", dimension=3)
    wheel = m.add("wheel", lw.Body(5.0, (2.0, 2.0, 3.0), angular_velocity=(0.5, 1, 2)))
    arm, link = rod(m, "arm"), rod(m, "link", 0.5)
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0), arm.a))
    m.add("B", lw.Spherical(arm.b, wheel.at(0, 0, 0)))
    m.add("C", lw.Spherical(wheel.at(0.01, 0, 0), link.a))
    return m


def shafts():
    """Every joint that shares an axis or a point, one behind the other."""
    m = lw.Mechanism("shafts", dimension=3)
    before = m.ground
    kinds = [lw.Cylindrical, lw.Revolute, lw.Universal, lw.ConstantVelocity, lw.Planar, lw.Screw, lw.Spherical]
    for k, kind in enumerate(kinds):
        body = m.add(f"b{k}", lw.Body(1.0 + 0.2 * k, (0.1, 0.12, 0.15), center=(0.1, 0.05 * k, -0.1)))
        options = {"pitch": 0.3} if kind is lw.Screw else {}
        m.add(kind.__name__, kind(before.at(0.3, 0.1, 0.2, axis=(0.1 * k, 0.6, 0.8)), body.at(-0.2, 0.1, 0), **options))
        before = body
    return m


@pytest.mark.parametrize(
    ("made", "wanted"),
    [(four_bar, (15, 15)), (rssr, (18, 16)), (top, (9, 6)), (lambda: plate(6), (12 + 6 * 9, 6 + 6 * 6))],
)
def test_numbers_of_coordinates_and_rows(made, wanted):
    """Those of the notes on natural coordinates: of a body on one ball twelve, less the ball where it is stationary."""
    assert counts(made()) == wanted


@pytest.mark.parametrize("made", [four_bar, rssr, top, plate, slides, ring, close_balls, shafts])
def test_arrangements(made):
    m = made()
    agrees(m)
    found = m.verify(0.3)
    assert found and "point" in found.runs, str(found)


def test_pins_along_one_axis_share_it_with_the_ground():
    layout = layout_of(four_bar())
    assert not any(one.is_vector and one.joints for one in layout.choice.sources)  # it is constant
    m = four_bar()
    state = m.assemble(coordinates="body").state
    system = enter(state.model, "point", state)[0]
    dropped = [system.plan.rows[k].name for k in np.flatnonzero(system.held == 0.0)]
    assert len(dropped) <= 3 and not any(name.startswith("length") for name in dropped), dropped


def test_further_points_are_secondary():
    m = plate(6)
    layout = layout_of(m)
    assert len(layout.choice.secondary) == 3
    assert "secondary" in str(m.check(coordinates="point"))


def test_close_points_carry_no_vector():
    layout = layout_of(close_balls())
    assert sum(one.name.startswith("wheel.axis") for one in layout.choice.sources) == 3


def test_flat_vectors_are_exchanged():
    """Two hinges nearly along each other: one axis carries the body, the other one is secondary."""
    m = lw.Mechanism("flat", dimension=3)
    one, two = (m.add(name, lw.Body(1.0, (0.1, 0.2, 0.25), center=(0.3, 0.1, 0))) for name in ("one", "two"))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0), one.at(0, 0, 0)))
    m.add("B", lw.Revolute(one.at(0.2, 0, 0, axis=(0, 0.01, 1)), two.at(0, 0, 0)))
    agrees(m, {"A.angle.rate": 2.0, "B.angle.rate": -3.0})
    assert ("B",) in layout_of(m).choice.secondary
    assert m.verify(0.3, start={"A.angle.rate": 2.0, "B.angle.rate": -3.0})


@pytest.mark.parametrize("inertia", [(0.1, 0.1, 0.2), (0.0, 0.1, 0.1), (0.1, 0.1, 0.2000000001)])
def test_thin_bodies(inertia):
    """M is singular for a plate, and more so for a bar; what the rows leave of it is not."""
    m = lw.Mechanism("thin", dimension=3)
    body = m.add("body", lw.Body(2.0, inertia, angular_velocity=(0, 1, 2) if inertia[0] else (0, 0, 0)))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 0.6, 0.8)), body.at(0.3, 0.4, 0, axis=(0, 1, 0))))
    agrees(m)
    assert m.verify(0.3)


@pytest.mark.parametrize("mass", [0.0, 2.0])
def test_without_mass(mass):
    """A coupler without mass between a hinge and a ball."""
    m = lw.Mechanism("light", dimension=3)
    crank = m.add("crank", lw.Body(1.0, (0.1, 0.2, 0.25), center=(0.2, 0, 0)))
    link = m.add("link", lw.Body(mass, (mass, mass, mass)))
    end = m.add("end", lw.Body(1.5, (0.1, 0.1, 0.15), center=(0.1, 0.1, 0.3), angular_velocity=(1, 2, 3)))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 1, 0)), crank.at(0, 0, 0)))
    m.add("B", lw.Revolute(crank.at(0.5, 0, 0, axis=(0.6, 0, 0.8)), link.at(0, 0, 0)))
    m.add("C", lw.Universal(link.at(0.4, 0.1, 0), end.at(0, 0, 0)))
    agrees(m, sets=("body", "point"))
    assert m.verify(0.3)


def test_full_turns():
    """A nut on a screw and a coil, over more than ten turns."""
    m = lw.Mechanism("nut", dimension=3, gravity=None)
    nut = m.add("nut", lw.Body(1.0, (0.1, 0.1, 0.1), center=(0.0, 0.01, 0)))
    m.add("A", lw.Screw(m.ground.at(0, 0, 0, axis=(0.6, 0, 0.8)), nut.at(0, 0, 0), pitch=0.02))
    m.add("coil", lw.TorsionSpringDamper(m.ground.at(0, 0, 0, axis=(0.6, 0, 0.8)), nut.at(0, 0, 0), stiffness=0.02))
    start = {"A.angle": 0.4, "A.angle.rate": 60.0}
    runs = [m.simulate(3.0, every=0.5, start=start, coordinates=one, rtol=1e-10) for one in SETS]
    assert runs[0]["A.angle"].max() > 20 * np.pi
    for other in runs[1:]:
        for name in ("A.angle", "A.slide", "energy.balance"):
            np.testing.assert_allclose(other[name], runs[0][name], atol=1e-6)


def test_driven():
    m = rssr()
    m.add("motor", lw.Driver(m["A"].angle, "2 * t + 0.3 * t^2", from_assembled=True))
    agrees(m)
    assert m.verify(0.4)


def test_released_joints_share_nothing():
    m = rssr()
    model = m.compile(coordinates="body")
    rows = model.rows_of["B"]
    layout = model.plan("point", free=frozenset(rows[:1])).layout
    assert not any("B" in one.joints for one in layout.choice.sources)
    assert not set(rows) & layout.absorbed
    axis = model.rows_of["A"][-1]
    layout = model.plan("point", free=frozenset({axis})).layout
    assert not set(model.rows_of["A"]) & layout.absorbed


def test_other_masses_of_a_prepared_run():
    m = rssr()
    ready = m.prepare(0.3, coordinates="point")
    for mass in (0.5, 2.5):
        got = ready(numbers={"crank.mass": mass})
        wanted = m.with_numbers({"crank.mass": mass}).simulate(0.3, start=ready.state, coordinates="point")
        np.testing.assert_array_equal(got["A.angle"], wanted["A.angle"])


def test_its_names():
    state = rssr().assemble(coordinates="body").state
    system, _, _ = enter(state.model, "point", state)
    names = system.state_names
    assert names[:6] == ["B.x", "B.y", "B.z", "C.x", "C.y", "C.z"]
    assert len(names) == system.plan.n_q + system.plan.n_v == len(set(names))


def test_a_dead_centre_is_not_singular():
    """Pivots vanish only where rows depend on each other: an arm and its rod in line."""
    m = lw.Mechanism("in line", dimension=3)
    one, two = rod(m, "one"), rod(m, "two")
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0), one.a))
    m.add("B", lw.Spherical(one.b, two.a))
    m.add("G", lw.PointOnPlane(m.ground.at(0, 0, 0, axis=(0, 1, 0)), two.b))
    state = m.assemble(start={"A.angle": 0.0}, coordinates="body").state
    system, y, _ = enter(state.model, "point", state)
    system.derivative(state.t, y)
    assert system.w[at.PIVOT] > 1e-3


@pytest.mark.parametrize("mass", [1e-3, 1e-7])
def test_light_bodies_are_right_or_refused(mass):
    m = rssr(mass)
    state = m.assemble(coordinates="body").state
    wanted = m.simulate(0.2, every=0.1, start=state, coordinates="body", rtol=1e-10)
    try:
        got = m.simulate(0.2, every=0.1, start=state, coordinates="point", rtol=1e-10)
    except lw.errors.CompileError as error:
        assert "light" in str(error)
        return
    np.testing.assert_allclose(got["A.angle"], wanted["A.angle"], atol=1e-7)


POINTS = {"p": (0.5, 0.1, 0.3), "q": (-0.4, 0.2, 0.1), "r": (0.1, 0.0, 0.4)}


def with_points(m, name):
    """The mechanism with a body that has three points more."""
    m.replace(name, dataclasses.replace(m[name], points=POINTS))
    return m


def test_a_basis_of_three_points():
    """Points that are asked for carry a body, shared or not."""
    m, basis = with_points(plate(3), "plate"), {"plate": ("B1", "p", "q")}
    words = str(m.check(coordinates="point", basis=basis))
    assert "plate.p" in words and "plate.q" in words, words
    state = m.assemble(coordinates="body").state
    wanted = m.evaluate(state, coordinates="body").accelerations
    found = m.evaluate(state, coordinates="point", basis=basis).accelerations
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9 * np.abs(wanted).max())
    assert m.verify(0.2, basis=basis)


@pytest.mark.parametrize(
    ("make", "basis", "words"),
    [
        (plate, {"plate": ("B0", "B1")}, "three points"),
        (plate, {"plate": ("B0", "B1", "B1")}, "coincide"),
        (slides, {"horn": ("p", "q", "nothing")}, "nothing"),
        (slides, {"horn": ("p", "q", "r")}, "welded to 'upper'"),
        (slides, {"upper": ("p", "q", "r")}, "does not turn"),
    ],
)
def test_wrong_bases(make, basis, words):
    m = with_points(make(), next(iter(basis)))
    with pytest.raises(lw.errors.LinkworkError, match=words):
        m.simulate(0.1, coordinates="point", basis=basis)


def hanging():
    """Two hinged bodies, their axes across each other, with a spring: at rest it hangs aslant."""
    m = lw.Mechanism("hanging", dimension=3, gravity=(0, 0, -9.81))
    one = m.add("one", lw.Body(1.0, (0.1, 0.12, 0.05), center=(0, 0, -0.3)))
    two = m.add("two", lw.Body(0.7, (0.05, 0.06, 0.07), center=(0.05, 0, -0.2)))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 1, 0)), one.at(0, 0, 0, axis=(0, 1, 0))))
    m.add("B", lw.Revolute(one.at(0, 0, -0.6, axis=(1, 0, 0)), two.at(0, 0, 0, axis=(1, 0, 0))))
    m.add(
        "S", lw.SpringDamper(m.ground.at(0.5, 0.2, 0), two.at(0, 0.1, 0), stiffness=40.0, rest_length=0.5, damping=0.2)
    )
    return m


def test_rest_and_modes():
    m = hanging()
    rest = {one: m.equilibrium(coordinates=one) for one in SETS}
    for one in SETS[1:]:
        for name in ("A.angle", "B.angle"):
            assert rest[one][name] == pytest.approx(rest["body"][name], abs=1e-8)
    state = rest["body"].state
    found = [m.modes(state, coordinates=one) for one in SETS]
    for other in found[1:]:
        np.testing.assert_allclose(other.frequencies, found[0].frequencies, rtol=1e-6)


def test_plain_functions():
    """The right side of `ode` is that of a run: a short step of Runge and Kutta by hand ends where the run does."""
    m = hanging()
    ode = m.ode(coordinates="point")
    y, h = np.array(ode.y0), 1e-3
    for k in range(20):
        t = k * h
        k1 = ode.rhs(t, y)
        k2 = ode.rhs(t + h / 2, y + h / 2 * k1)
        k3 = ode.rhs(t + h / 2, y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + ode.rhs(t + h, y + h * k3))
    run = m.simulate([0.0, 20 * h], coordinates="joint", rtol=1e-10)
    got = ode.state(20 * h, y)
    assert got["A.angle"] == pytest.approx(run["A.angle"][-1], abs=1e-8)


def test_results_files_and_the_command_line(tmp_path, capsys):
    from linkwork.cli import main

    m = hanging()
    lw.write(m, tmp_path / "m.yaml")
    run = m.simulate(0.3, every=0.1, coordinates="point")
    run.save(tmp_path / "run.nc")
    again = lw.load(tmp_path / "run.nc")
    assert again.coordinates == "point"
    np.testing.assert_array_equal(again["B.reaction.z"], run["B.reaction.z"])
    assert main(["verify", str(tmp_path / "m.yaml"), "--duration", "0.3"]) == 0
    assert "point" in capsys.readouterr().out
    lw.write(m, tmp_path / "asked.yaml", analysis={"type": "simulate", "duration": 0.3, "coordinates": "point"})
    assert main(["check", str(tmp_path / "asked.yaml")]) == 0
    assert "axes of B" in capsys.readouterr().out
    assert main(["run", str(tmp_path / "asked.yaml")]) == 0
    assert "point coordinates" in capsys.readouterr().out
