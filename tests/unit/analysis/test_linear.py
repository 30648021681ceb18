"""Linear motions against closed forms, and against the motion itself a small step away: plane, space, loops, wheels."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import AnalysisError, DescriptionError, UnknownNameError

G = 9.81


def quarter_car(damping=1500.0, driver=0.0):
    m = lw.Mechanism("quarter car")
    up = m.ground.at(0, 0, angle=math.pi / 2)
    for name, mass, joint in (("plate", 5.0, "zero"), ("wheel", 40.0, "one"), ("body", 350.0, "two")):
        body = m.add(name, lw.Body(mass, 1.0))
        m.add(joint, lw.Prismatic(up, body.at(0, 0, angle=math.pi / 2)))
    m.add("tyre", lw.SpringDamper("plate", "wheel", stiffness=180e3, rest_length=0.3, damping=100.0))
    m.add("strut", lw.SpringDamper("wheel", "body", stiffness=22e3, rest_length=0.5, damping=damping))
    m.add("road", lw.Driver("plate.y", driver))
    return m


CAR = {"one.slide": 0.3, "two.slide": 0.8}


@pytest.mark.parametrize("coordinates", SETS)
def test_quarter_car(coordinates):
    """All four matrices: masses, springs and dampers, and what the road does by value and by rate."""
    outputs = ["body.y", "body.y.acceleration", "tyre.tension", "road.effort"]
    found = quarter_car().linearize(
        inputs=["road", "body.y", "strut"],
        outputs=outputs,
        states=["wheel.y", "body.y"],
        start=CAR,
        coordinates=coordinates,
    )
    M = np.diag([40.0, 350.0])
    K = np.array([[202e3, -22e3], [-22e3, 22e3]])
    C = np.array([[1600.0, -1500.0], [-1500.0, 1500.0]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    np.testing.assert_allclose(found.A, A, rtol=1e-8, atol=1e-6)
    assert found.states == ("wheel.y", "body.y", "wheel.y.rate", "body.y.rate")
    assert found.inputs == ("road", "road.rate", "road.acceleration", "body.y", "strut")
    B = np.zeros((4, 5))
    B[2] = [180e3 / 40, 100.0 / 40, 0, 0, -1 / 40]
    B[3] = [0, 0, 0, 1 / 350, 1 / 350]
    np.testing.assert_allclose(found.B, B, rtol=1e-8, atol=1e-7)
    wanted = [[0, 1, 0, 0], A[3], [180e3, 0, 100.0, 0], [-180e3, 0, -100.0, 0]]
    np.testing.assert_allclose(found.C, wanted, rtol=1e-8, atol=1e-5)
    D = np.array([[0, 0, 0, 0, 0], B[3], [-180e3, -100, 0, 0, 0], [180e3, 100, 5.0, 0, 0]])
    np.testing.assert_allclose(found.D, D, rtol=1e-8, atol=1e-5)
    assert "strut" in str(found) and "<table" in found._repr_html_()
    kept = [one.eigenvalue for one in quarter_car().modes(found.state)]
    values = found.eigenvalues[found.eigenvalues.imag >= 0.0]
    np.testing.assert_allclose(np.sort_complex(values), np.sort_complex(kept), rtol=1e-9)


# -- against the motion itself -----------------------------------------------------------------------------------------


def predicted_and_real(m, driver, push, start, coordinates, outputs, eps, seed=0, near=None, states=None):
    """Changes of outputs and second rates by the linear motion, and by an assembly of the nonlinear one nearby."""
    inputs = [*([driver] if driver else []), push]
    found = m.linearize(inputs=inputs, outputs=outputs, start=start, near=near, states=states, coordinates=coordinates)
    random = np.random.default_rng(seed)
    n = len(found.states) // 2
    positions = found.states[:n]
    dx = eps * random.uniform(-1, 1, 2 * n)
    du = eps * random.uniform(-1, 1, len(found.inputs))
    du[-1] *= 30.0  # a force
    other = m.copy()
    if driver:
        value = m.drivers[driver].function(0.0)[0]
        other.replace(driver, lw.Driver(m.drivers[driver].measure, lw.Polynomial(value + du[0], du[1], 0.5 * du[2])))
    item, _, axis = push.rpartition(".")
    other.add("more", lw.PointForce(item, **{axis: du[-1]}))
    base = {name: float(found.state[name]) for name in positions}
    moved = {name: base[name] + dx[k] for k, name in enumerate(positions)}
    moved |= {f"{name}.rate": dx[n + k] for k, name in enumerate(positions)}
    close = {name: float(found.state[name]) for name in near or ()}
    ev = other.evaluate(other.assemble(start=moved, near=close, coordinates="body").state, coordinates="body")
    first = m.evaluate(found.state, coordinates="body")
    real = [ev[name] - first[name] for name in outputs]
    real += [ev[f"{name}.acceleration"] for name in positions]
    linear = np.concatenate([found.C @ dx + found.D @ du, (found.A @ dx + found.B @ du)[n:]])
    return linear, np.array(real)


def agrees(*arguments, **options):
    """The difference falls with the square of the step, and is small."""
    off = []
    for eps in (1e-3, 1e-4):
        linear, real = predicted_and_real(*arguments, eps=eps, **options)
        off.append(np.abs(linear - real) / (eps * np.maximum(1.0, np.abs(real).max() / eps)))
    assert off[0].max() < 0.05 and off[1].max() < 0.15 * max(off[0].max(), 1e-4)


def crane():
    """A trolley that is driven, a double pendulum on it with a spring across, and a wheel that rolls beside."""
    m = lw.Mechanism("crane")
    m.add("trolley", lw.Body(4.0, 1.0))
    m.add("one", lw.bar(length=0.8, mass=1.5))
    m.add("two", lw.bar(length=0.6, mass=0.9))
    m.add("rail", lw.Prismatic("ground", "trolley"))
    m.add("A", lw.Revolute("trolley", "one.a"))
    m.add("B", lw.Revolute("one.b", "two.a"))
    m.add("coil", lw.TorsionSpringDamper("trolley", "one", stiffness=4.0, rest_angle=-0.6, damping=0.3))
    m.add("across", lw.SpringDamper("trolley", "two.b", stiffness=15.0, rest_length=0.9, damping=0.8))
    m.add("motor", lw.Driver("rail.slide", lw.Polynomial(0.2)))
    return m


@pytest.mark.parametrize("coordinates", SETS)
def test_a_driven_trolley(coordinates):
    outputs = ["two.b.y", "A.reaction.x", "motor.effort", "across.tension", "A.reaction.magnitude", "two.b.x.rate"]
    near = {"one.angle": -1.2, "two.angle": -1.4}
    agrees(crane(), "motor", "two.b.x", None, coordinates, outputs, near=near)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_loop_with_a_moving_pivot(coordinates):
    """A four-bar on springs whose fixed pivot is moved: the constraint itself moves with the driver."""
    m = lw.gallery.four_bar()
    rest = m.equilibrium(coordinates=coordinates)
    near = {f"{name}.angle": float(rest[f"{name}.angle"]) for name in m.bodies}
    pivot = m.add("pivot", lw.Body(2.0, 0.1))
    m.add("guide", lw.Prismatic(m.ground.at(m["A"].on.position[0], m["A"].on.position[1]), pivot))
    m.replace("A", lw.Revolute(pivot, m["A"].to))
    m.add("shake", lw.Driver("guide.slide", lw.Polynomial(0.0)))
    outputs = ["D.reaction.x", "D.reaction.y", "shake.effort", "B.angle"]
    agrees(m, "shake", "coupler.y", None, coordinates, outputs, near=near)


@pytest.mark.parametrize("coordinates", SETS)
def test_space_with_a_tilted_driver(coordinates):
    """A ball joint on a carriage that is driven along a slanted line, with a spring to the side."""
    m = lw.Mechanism("spatial", dimension=3)
    m.add("carriage", lw.Body(2.0, (0.1, 0.2, 0.3)))
    way = lw.Frame("ground", axis=(0.4, -0.3, 0.8))
    m.add("way", lw.Prismatic(way, m["carriage"].at(0, 0, 0, axis=(0.4, -0.3, 0.8))))
    m.add("bob", lw.Body(1.5, (0.03, 0.04, 0.02), center=(0.1, 0.0, -0.5), points={"tip": (0.0, 0.1, -0.8)}))
    m.add("ball", lw.Spherical("carriage", "bob"))
    m.add("side", lw.SpringDamper(m.ground.at(1.0, 0.4, -0.3), "bob.tip", stiffness=30.0, rest_length=0.7, damping=2.0))
    m.add("twist", lw.SpringDamper(m.ground.at(0, 2.0, 0), m["bob"].at(0.5, 0, 0), stiffness=8.0, damping=1.0))
    m.add("motor", lw.Driver("way.slide", lw.Polynomial(0.1)))
    found = m.linearize(inputs=["motor"], coordinates=coordinates)
    assert len(found.states) == 6
    outputs = ["bob.tip.x", "bob.tip.z.acceleration", "ball.reaction.y", "motor.effort", "side.tension"]
    with pytest.raises(DescriptionError, match="do not tell all freedoms apart"):
        m.linearize(inputs=["motor"], states=["bob.x", "bob.tip.x", "bob.tip.y"], coordinates=coordinates)
    near = dict.fromkeys(["bob.cardan.x", "bob.cardan.y", "bob.cardan.z"], 0.0)
    agrees(m, "motor", "bob.tip.y", None, coordinates, outputs, near=near)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_rolling_wheel(coordinates):
    """A wheel on a spring, pushed at its rim: m + J / R^2 against the force."""
    m = lw.Mechanism("wheel")
    m.add("wheel", lw.Body(3.0, 0.2, points={"top": (0.0, 0.4)}))
    m.add("road", lw.RollingDisc("ground", "wheel", 0.4))
    m.add("spring", lw.SpringDamper(m.ground.at(-2.0, 0.4), "wheel", stiffness=90.0, rest_length=2.0, damping=1.5))
    near = {"wheel.x": 0.0, "wheel.angle": 0.0}
    found = m.linearize(inputs=["wheel.top.x"], states=["wheel.x"], near=near, coordinates=coordinates)
    mass = 3.0 + 0.2 / 0.16
    np.testing.assert_allclose(found.A[1], [-90.0 / mass, -1.5 / mass], rtol=1e-8)
    np.testing.assert_allclose(found.B[1], 2.0 / mass, rtol=1e-8)  # the top moves twice as fast as the middle


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("heading", [0.0, 0.8])
def test_a_wheel_that_rolls_in_space(coordinates, heading):
    """Upright it falls by m g R / (A + m R^2), on a spring it swings by k / (m + C / R^2), and its heading floats."""
    R, mass, A, C, k = 0.4, 3.0, 0.13, 0.25, 50.0
    m = lw.Mechanism("wheel", dimension=3)
    turned = lw.Orientation.from_angles("ZXY", (heading, math.pi / 2, 0.0))
    m.add("wheel", lw.Body(mass, (A, A, C), position=(0, 0, R), orientation=turned, points={"top": (0.0, R, 0.0)}))
    m.add("road", lw.RollingDisc("ground", "wheel", R))
    ahead = m.ground.at(2.0 * math.cos(heading), 2.0 * math.sin(heading), R)
    m.add("spring", lw.SpringDamper(ahead, "wheel", stiffness=k, rest_length=2.0))
    state = m.assemble(coordinates=coordinates).state
    fall, swing = math.sqrt(mass * G * R / (A + mass * R**2)), math.sqrt(k / (mass + C / R**2))
    values = m.linearize(state, inputs=["wheel.x"], coordinates=coordinates).eigenvalues
    np.testing.assert_allclose(np.sort(np.abs(values)), [0, 0, swing, swing, fall, fall], atol=1e-5)
    found = m.modes(state, coordinates=coordinates)
    assert found.stability == "unstable" and found.frequencies == pytest.approx([swing / (2 * math.pi)], rel=1e-6)
    held = m.statics(start=state, hold="all", coordinates=coordinates)
    assert len(held.held) == 3 and held["road.reaction.z"] == pytest.approx(mass * G)


@pytest.mark.parametrize("coordinates", SETS)
def test_states_of_laws_are_states(coordinates):
    """A spring and a damper in a row: u' = v - k u / c, with the mass on it."""

    def creeping(values, rates, t, numbers, memory, out, states, state_rates):
        tension = numbers[0] * states[0]
        state_rates[0] = rates[0] - tension / numbers[1]
        out[0] = -tension

    m = lw.Mechanism("creeps", gravity=None)
    m.add("block", lw.Body(2.0, 1.0))
    m.add("guide", lw.Prismatic("ground", "block"))
    m.add("hold", lw.SpringDamper(m.ground.at(-1, 0), "block", stiffness=50.0, rest_length=1.0))
    x = [m.measure("guide.slide")]
    m.add("rub", lw.UserForce(reads=x, along=x, law=creeping, numbers=[40.0, 3.0], states={"bend": 0.0}))
    found = m.linearize(inputs=["block.x"], outputs=["rub.force", "rub.bend"], coordinates=coordinates)
    assert found.states[2] == "rub.bend"
    np.testing.assert_allclose(found.A, [[0, 1, 0], [-25, 0, -20], [0, 1, -40 / 3]], atol=1e-7)
    np.testing.assert_allclose(found.C, [[0, 0, -40], [0, 0, 1]], atol=1e-6)


def test_drivers_that_move_stand_still_as_inputs():
    """A road that swings is an input around where it is at the time; another driver that moves is refused."""
    m = quarter_car(driver=lw.Harmonic(0.05, "2 Hz"))
    still = quarter_car().linearize(inputs=["road"], start=CAR)
    found = m.linearize(inputs=["road"], start=CAR)
    np.testing.assert_allclose(found.B, still.B, atol=1e-6)
    with pytest.raises(AnalysisError, match="moved by 'road'"):
        m.linearize(inputs=["body.y"], start=CAR)
    m.replace("road", lw.Driver("plate.y", 0.3, level="speed"))
    found = m.linearize(inputs=["road"], start={**CAR, "plate.y": 0.0})
    np.testing.assert_allclose(found.B, still.B, atol=1e-6)


def test_what_moves_unread_has_a_number():
    """A rod between two balls turns about itself: a state without a name."""
    m = lw.Mechanism("rod", dimension=3, gravity=None)
    m.add("rod", lw.Body(1.0, (0.1, 0.1, 0.001), points={"a": (0, 0, 0), "b": (0, 0, 1.0)}))
    m.add("A", lw.Spherical("ground", "rod.a"))
    m.add("B", lw.Spherical(m.ground.at(0, 0, 1), "rod.b"))
    assert m.linearize(inputs=["rod.b.x"]).states[0] == "rod.cardan.z"
    m.replace("B", lw.Spherical(m.ground.at(1, 0, 0), "rod.b"))  # where Cardan angles are none
    found = m.linearize(inputs=["rod.b.x"])
    assert found.states == ("freedom 1", "freedom 1.rate") and not found.A[1].any()


def test_wrong_use():
    m = quarter_car()
    with pytest.raises(DescriptionError, match="another number of states"):
        m.linearize(states=["wheel.y"], start=CAR)
    with pytest.raises(DescriptionError, match="is a rate"):
        m.linearize(states=["wheel.y", "body.y.rate"], start=CAR)
    with pytest.raises(DescriptionError, match="do not tell all freedoms apart"):
        m.linearize(states=["wheel.y", "one.slide"], start=CAR)
    with pytest.raises(UnknownNameError, match="rode"):
        m.linearize(inputs=["rode"], start=CAR)
    with pytest.raises(DescriptionError, match="is no input"):
        m.linearize(inputs=["body"], start=CAR)
    with pytest.raises(DescriptionError, match="is a rate"):
        m.linearize(inputs=["body.y.rate"], start=CAR)
    with pytest.raises(UnknownNameError, match=r"body\.why"):
        m.linearize(outputs=["body.why"], start=CAR)
    with pytest.raises(DescriptionError, match="needs a state"):
        m.linearize({"body.y": 1.0})
    with pytest.raises(AnalysisError, match="not in equilibrium"):
        m.linearize(m.assemble(start={"one.slide": 0.3, "two.slide": 1.0}, coordinates="body"))
    m.add("second", lw.Driver("zero.slide", 0.0))
    with pytest.raises(AnalysisError, match="cannot be moved by itself"):
        m.linearize(inputs=["second"], start=CAR)
