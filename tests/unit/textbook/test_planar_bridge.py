"""A mechanism and its book model hold the same measures with the same signs, and feel the same forces."""

import numpy as np
import pytest

from linkwork import textbook as tb
from linkwork.errors import DescriptionError
from linkwork.mechanism.bodies import Body, Particle
from linkwork.mechanism.couplings import Gear
from linkwork.mechanism.drivers import Driver
from linkwork.mechanism.forces import PointForce, SpringDamper, Torque, TorsionSpringDamper
from linkwork.mechanism.functions import Harmonic, Polynomial, Table
from linkwork.mechanism.guides import PinInSlot, RollingDisc
from linkwork.mechanism.joints import Fixed, Hold, Prismatic, Revolute, Rod
from linkwork.mechanism.measures import Angle, Distance, Offset
from linkwork.mechanism.mechanism import Mechanism
from linkwork.textbook.planar_kinematics import A

T = 0.4


def two_bodies(**options):
    """Two bodies with mass centres off their origins, and the frames P on a, Q on b, G on ground."""
    m = Mechanism("pair", **options)
    a = m.add("a", Body(2.0, 0.3, center=(0.1, -0.2), position=(0.3, 0.4), angle=0.3, velocity=(0.5, -0.3),
                        angular_velocity=0.7))  # fmt: skip
    b = m.add("b", Body(1.5, 0.2, center=(-0.15, 0.05), position=(1.2, 0.9), angle=-0.5, velocity=(-0.2, 0.4),
                        angular_velocity=-0.6))  # fmt: skip
    return m, a.at(0.4, 0.1, angle=0.5), b.at(-0.3, 0.25, angle=-0.35), m.ground.at(0.6, -0.2, angle=0.25)


# The measures, read from the poses of the bodies' frames: written here again, from their definitions.


def pose(mechanism, c, frame):
    """Origin and angle of a frame, from the book's coordinates (of mass centres)."""
    if frame.body == "ground":
        r, phi = np.zeros(2), 0.0
    else:
        n = list(mechanism.bodies).index(frame.body)
        phi = c[3 * n + 2]
        r = c[3 * n : 3 * n + 2] - A(phi) @ mechanism.bodies[frame.body].center[:2]
    return r + A(phi) @ frame.position[:2], phi + frame.angle


def simple_value(mechanism, c, measure):
    (r_on, phi_on), (r_to, phi_to) = pose(mechanism, c, measure.on), pose(mechanism, c, measure.to)
    kind = type(measure).__name__
    if kind == "Angle":
        return phi_to - phi_on
    if kind == "Distance":
        return np.hypot(*(r_to - r_on))
    axes = A(phi_on) if kind == "Offset" else np.eye(2)
    assert kind in ("Offset", "WorldOffset")
    return axes[:, "xy".index(measure.axis)] @ (r_to - r_on)


def value(mechanism, c, measure):
    return sum(weight * simple_value(mechanism, c, one) for weight, one in measure.terms())


def held(joint):
    """The measures and values of a joint's rows in the plane."""
    for row in joint.rows(2):
        yield row.measure, row.value


def gradient(mechanism, c, measure, step=1e-6):
    return np.array(
        [
            (value(mechanism, c + step * e, measure) - value(mechanism, c - step * e, measure)) / (2 * step)
            for e in np.eye(len(c))
        ]
    )


JOINTS = {
    "Revolute": lambda P, Q, G: Revolute(P, Q),
    "Revolute on ground": lambda P, Q, G: Revolute(G, Q),
    "Revolute of ground": lambda P, Q, G: Revolute(Q, G),
    "Prismatic": lambda P, Q, G: Prismatic(P, Q),
    "Prismatic on ground": lambda P, Q, G: Prismatic(G, P),
    "Rod": lambda P, Q, G: Rod(P, Q, length=0.7),
    "PinInSlot": lambda P, Q, G: PinInSlot(P, Q, offset=0.2),
    "PinInSlot in ground": lambda P, Q, G: PinInSlot(G, Q, offset=-0.3),
    "Fixed": lambda P, Q, G: Fixed(P, Q),
    "Hold": lambda P, Q, G: Hold(G, P, x=0.3, y=-0.2, angle=0.4),
    "Hold on level ground": lambda P, Q, G: Hold(_level(), P, x=0.3, y=-0.2, angle=0.4),
    "Hold on a body": lambda P, Q, G: Hold(P, Q, y=0.1, angle=0.4),
}


def _level():
    return Mechanism("level").ground.at(0.1, 0.7)


@pytest.mark.parametrize("name", JOINTS)
def test_rows_are_the_measures_of_the_joint(name):
    m, P, Q, G = two_bodies()
    joint = m.add("J", JOINTS[name](P, Q, G))
    book = tb.planar_bridge.from_mechanism(m)
    c = tb.planar.correct_positions(book, T, book.c)
    rows = list(held(joint))
    D = tb.planar.jacobian(book, T, c)
    assert len(rows) == len(D) > 0
    assert tb.planar.row_slices(book) == {"J": slice(0, len(rows))}
    for (measure, wanted), row in zip(rows, D):
        miss = value(m, c, measure) - wanted
        assert miss == pytest.approx(0.0, abs=1e-11)
        np.testing.assert_allclose(row, gradient(m, c, measure), atol=1e-8)


@pytest.mark.parametrize("reference", [None, 0.35])
def test_rolling_disc(reference):
    m = Mechanism("wheel")
    wheel = m.add("wheel", Body(2.0, 0.3, center=(0.1, 0.2), position=(0.3, 0.4), angle=0.3))
    line, hub = m.ground.at(0.2, -0.1), wheel.at(0.1, 0.2, angle=0.4)
    joint = m.add("J", RollingDisc(line, hub, radius=0.5, reference=reference))
    book = tb.planar_bridge.from_mechanism(m)
    c = tb.planar.correct_positions(book, T, book.c)
    (contact, radius), (rolling, kept) = held(joint)
    assert kept == reference
    assert value(m, c, contact) == pytest.approx(radius)
    assert value(m, c, rolling) == pytest.approx(value(m, book.c, rolling) if reference is None else reference)
    expected = [gradient(m, c, contact), gradient(m, c, rolling)]
    np.testing.assert_allclose(tb.planar.jacobian(book, T, c), expected, atol=1e-8)


@pytest.mark.parametrize("kind", [Angle, Distance])
@pytest.mark.parametrize("from_assembled", [False, True])
def test_drivers(kind, from_assembled):
    m, P, Q, _ = two_bodies()
    f = Polynomial(0.9, 0.3, 0.25)
    driver = m.add("D", Driver(kind(P, Q), f, from_assembled=from_assembled))
    book = tb.planar_bridge.from_mechanism(m)
    c = tb.planar.correct_positions(book, T, book.c)
    start = value(m, book.c, driver.measure) - f(0.0)[0] if from_assembled else 0.0
    turns = (value(m, c, driver.measure) - start - f(T)[0]) / (2 * np.pi)
    assert turns == pytest.approx(round(turns) if kind is Angle else 0.0, abs=1e-12)
    np.testing.assert_allclose(tb.planar.jacobian(book, T, c)[0], gradient(m, c, driver.measure), atol=1e-8)
    assert tb.planar.velocity_rhs(book, T, c)[0] == pytest.approx(f(T)[1])


def test_angles_mean_the_nearest_turn():
    m, P, Q, _ = two_bodies()
    m.add("J", Fixed(P, Q))
    book = tb.planar_bridge.from_mechanism(m, {"b.angle": -0.5 + 6 * np.pi})
    c = tb.planar.correct_positions(book, 0.0, book.c)
    assert abs(c[5] - (-0.5 + 6 * np.pi)) < np.pi


def power_along(mechanism, book, measure, cd, step=1e-6):
    c = book.c
    return (value(mechanism, c + step * cd, measure) - value(mechanism, c - step * cd, measure)) / (2 * step)


def check_power(mechanism, book, forces, cd):
    """h'cd is the sum of force times rate over (measure, force), for the given velocities and others."""
    h = tb.planar.force_array(book, T, book.c, cd)
    for other in np.eye(len(h)):  # any virtual velocity
        wanted = sum(force * power_along(mechanism, book, measure, other) for measure, force in forces)
        assert h @ other == pytest.approx(wanted, abs=1e-7)
    assert np.max(np.abs(h)) > 0.1


@pytest.mark.parametrize("stiffness", [30.0, Table([-1.0, 0.0, 1.0, 3.0], [-20.0, 0.0, 30.0, 70.0]), np.sinh])
@pytest.mark.parametrize(("kind", "measure_kind"), [(SpringDamper, Distance), (TorsionSpringDamper, Angle)])
def test_springs(kind, measure_kind, stiffness):
    m, P, Q, _ = two_bodies(gravity=None)
    m.add("F", kind(P, Q, stiffness, 0.3, damping=2.0, actuator=Harmonic(1.5, 2.0)))
    book, measure = tb.planar_bridge.from_mechanism(m), measure_kind(P, Q)
    stretch, rate = value(m, book.c, measure) - 0.3, power_along(m, book, measure, book.cd)
    if isinstance(stiffness, float):
        elastic = stiffness * stretch
    else:
        elastic = stiffness(stretch)[0] if isinstance(stiffness, Table) else stiffness(stretch)
    check_power(m, book, [(measure, -(elastic + 2.0 * rate + 1.5 * np.sin(2.0 * T)))], book.cd)


def test_point_force():
    m, P, _, G = two_bodies(gravity=None)
    m.add("F", PointForce(P, x=3.0, y=Polynomial(0.0, 5.0)))
    book = tb.planar_bridge.from_mechanism(m)
    level = Mechanism("level").ground.at(0.0, 0.0)
    check_power(m, book, [(Offset(level, P, "x"), 3.0), (Offset(level, P, "y"), 5.0 * T)], book.cd)


def test_point_force_in_axes_of_the_frame():
    m, P, _, _ = two_bodies(gravity=None)
    m.add("F", PointForce(P, x=3.0, y=Polynomial(0.0, 5.0), axes="body"))
    book = tb.planar_bridge.from_mechanism(m)
    _, angle = pose(m, book.c, P)
    level = Mechanism("level").ground.at(0.0, 0.0, angle=angle)
    check_power(m, book, [(Offset(level, P, "x"), 3.0), (Offset(level, P, "y"), 5.0 * T)], book.cd)


@pytest.mark.parametrize("pair", [False, True])
def test_torque(pair):
    m, P, Q, G = two_bodies(gravity=None)
    m.add("F", Torque(Q, 2.5, on=P if pair else None))
    book = tb.planar_bridge.from_mechanism(m)
    check_power(m, book, [(Angle(P if pair else G, Q), 2.5)], book.cd)


def test_gravity_and_mass():
    m, *_ = two_bodies(gravity=(3.0, -4.0))
    m.add("light", Body(5.0, 0.4, gravity=False))
    dot = m.add("dot", Particle(0.5, position=(1.0, 2.0), velocity=(0.1, 0.2)))
    m.add("S", SpringDamper(m.ground.at(0, 0), dot, 2.0))
    book = tb.planar_bridge.from_mechanism(m)
    h = tb.planar.force_array(book, T, book.c, book.cd)
    np.testing.assert_allclose(h[:9], [6, -8, 0, 4.5, -6, 0, 0, 0, 0], atol=1e-14)
    np.testing.assert_allclose(h[9:], [1.5 - 2.0, -2.0 - 4.0, 0.0], atol=1e-14)
    a, _ = tb.planar.augmented(book, T, book.c, book.cd)
    np.testing.assert_allclose(a[9:], [-1.0, -12.0, 0.0], atol=1e-13)
    np.testing.assert_allclose(book.M[:3, :3], np.diag([2.0, 2.0, 0.3]))


def test_start_is_that_of_the_mass_centres():
    m, *_ = two_bodies()
    book = tb.planar_bridge.from_mechanism(m)
    arm = A(0.3) @ (0.1, -0.2)
    np.testing.assert_allclose(book.c[:3], [0.3 + arm[0], 0.4 + arm[1], 0.3])
    np.testing.assert_allclose(book.cd[:3], [0.5 - 0.7 * arm[1], -0.3 + 0.7 * arm[0], 0.7])
    moved = tb.planar_bridge.from_mechanism(m, {"a.x": 2.0, "a.angle": 0.0, "a.angle.rate": 1.0, "a.y.rate": 0.0})
    np.testing.assert_allclose(moved.c[:3], [2.1, 0.2, 0.0])
    np.testing.assert_allclose(moved.cd[:3], [0.5 + 0.2, 0.1, 1.0])


def test_inactive_elements_are_left_out():
    m, P, Q, _ = two_bodies()
    m.add("J", Revolute(P, Q, active=False))
    m.add("F", Torque(Q, 2.5, active=False))
    m.add("D", Driver(Angle(P, Q), 0.0, active=False))
    book = tb.planar_bridge.from_mechanism(m)
    assert book.joints == ()
    assert [force.name for force in book.forces] == ["gravity"]


@pytest.mark.parametrize(
    ("item", "fault"),
    [
        (lambda P, Q, G: Gear(P, Q, 0.3, 0.4), "'X' .Gear."),
        (lambda P, Q, G: RollingDisc(G, P, 0.3), "level line"),
        (lambda P, Q, G: RollingDisc(_level(), P, 0.3), "away from the mass centre"),
        (lambda P, Q, G: Driver(Offset(P, Q, "x"), 0.0), "drives the position of Offset"),
        (lambda P, Q, G: Driver(Angle(P, Q), 0.0, level="speed"), "drives the speed of Angle"),
    ],
)
def test_refused(item, fault):
    m, P, Q, G = two_bodies()
    m.add("X", item(P, Q, G))
    with pytest.raises(DescriptionError, match=fault):
        tb.planar_bridge.from_mechanism(m)


def test_space_is_refused():
    with pytest.raises(DescriptionError, match="'cube' is not planar"):
        tb.planar_bridge.from_mechanism(Mechanism("cube", dimension=3))


def test_four_bar_runs_as_one():
    """A closed loop from words to motion: energy stays, the loop stays closed."""
    m = Mechanism("four-bar")
    bars = {
        "crank": (1.0, (0.25, 0.433012701892219), 1.0471975511966),
        "coupler": (3.0, (1.8, 1.5), 0.4),
        "rocker": (2.5, (3.0, 1.2), 1.6),
    }
    for name, (length, place, angle) in bars.items():
        points = {"a": (-length / 2, 0.0), "b": (length / 2, 0.0)}
        m.add(name, Body(length, length**3 / 12, position=place, angle=angle, points=points))
    m.add("A", Revolute(m.ground.at(0, 0), m["crank"].a))
    m.add("B", Revolute(m["crank"].b, m["coupler"].a))
    m.add("C", Revolute(m["coupler"].b, m["rocker"].b))
    m.add("D", Revolute(m.ground.at(3.2, 0), m["rocker"].a))
    book = tb.planar_bridge.from_mechanism(m)
    c = tb.planar.correct_positions(book, 0.0, book.c)
    times = np.linspace(0.0, 1.0, 5)
    run = list(zip(*tb.planar.simulate(book, times, c, np.zeros(9))))
    energies = [tb.planar.energy(book, 0.0, *state).total for state in run]
    np.testing.assert_allclose(energies, energies[0], atol=1e-8)
    assert np.max(np.abs(tb.planar.constraints(book, 1.0, run[-1][0]))) < 1e-8
    assert np.max(np.abs(run[-1][0] - c)) > 0.1
