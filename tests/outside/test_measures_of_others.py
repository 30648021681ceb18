"""Measures with functions of their own, from a package outside of Linkwork, as CONTRIBUTING describes."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

import linkwork as lw
from linkwork import errors, testing
from linkwork.mechanism.measures import Measure

SETS = pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
DIMENSIONS = pytest.mark.parametrize("dimension", [2, 3])
C, G = 0.15, 9.81


@pytest.fixture
def above(package):
    return package.parabola.AboveParabola


@pytest.fixture
def twist(package):
    return package.twist.Twist


@DIMENSIONS
@pytest.mark.parametrize("name", ["AboveParabola", "Twist"])
def test_it_keeps_the_contract(name, dimension):
    testing.check_measure(Measure.kinds[name], dimension)


def test_where_it_exists_follows_from_its_functions(above, twist):
    assert above.dimensions == (2, 3) and above.turns_with == ("on",) and twist.turns_with == ("on", "to")

    @dataclass(frozen=True)
    class Flat(lw.Measure):
        @staticmethod
        def plane(seen, numbers, memory):
            return seen.x, 0.0, (1.0, 0.0, 0.0)

    assert Flat.dimensions == (2,)
    m = lw.Mechanism("m", dimension=3)
    m.add("ball", lw.Particle(1.0))
    m.add("r", lw.Reading(Flat(m.ground, m["ball"])))
    with pytest.raises(errors.OutOfPlaneError, match="Flat, which exists in the plane only"):
        m.simulate(0.1, coordinates="body")


def bead(above, dimension, coordinates="body", **options):
    """A bead on a parabola, or in a dish, held there by the measure alone."""
    m = lw.Mechanism("bead", dimension=dimension, gravity=(0, -G) if dimension == 2 else (0, 0, -G))
    place = (0.8, C * 0.64) if dimension == 2 else (0.8, 0.0, C * 0.64)
    speed = (0.0, 0.0) if dimension == 2 else (0.0, 1.1, 0.0)
    m.add("bead", lw.Particle(0.5, position=place, velocity=speed))
    m.add("wire", lw.Driver(above(m.ground, m["bead"], C), 0.0))
    return m, m.simulate(2.0, every=0.05, coordinates=coordinates, rtol=1e-10, **options)


@SETS
@DIMENSIONS
def test_held_a_bead_slides_on_it(above, dimension, coordinates):
    m, run = bead(above, dimension, coordinates)
    x, v = run["bead"], run["bead.rate"]
    side, height = x[:, :-1], x[:, -1]
    assert height == pytest.approx(C * np.sum(side**2, axis=1), abs=1e-11)
    energy = 0.5 * np.sum(v**2, axis=1) + G * height
    assert energy == pytest.approx(np.full(len(run.t), energy[0]), rel=1e-8)
    if dimension == 3:
        turning = x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0]
        assert turning == pytest.approx(np.full(len(run.t), 0.8 * 1.1), rel=1e-8)
    # the force of the wire is along the normal: m (a + g) has no part along the tangent
    push = 0.5 * (run["bead.acceleration"] + np.eye(dimension)[-1] * G)
    normal = np.column_stack([-2.0 * C * side, np.ones(len(run.t))])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    assert push == pytest.approx(run["wire.effort"][:, None] * normal, abs=1e-7)


def test_a_bead_keeps_its_period(above):
    """Small swings on y = c x^2 are those of a pendulum of length 1 / (2 c)."""
    m = lw.Mechanism("bead", gravity=(0, -G))
    m.add("bead", lw.Particle(1.0, position=(1e-3, C * 1e-6)))
    m.add("wire", lw.Driver(above(m.ground, m["bead"], C), 0.0))
    run = m.simulate(math.pi / math.sqrt(2.0 * C * G), coordinates="body", rtol=1e-10)  # half a period
    assert run["bead.x"][-1] == pytest.approx(-1e-3, rel=1e-6)


@SETS
@DIMENSIONS
def test_a_force_along_it(above, dimension, coordinates):
    """A spring against the wire: its work and the energy of the bead balance, and it pushes along the normal."""
    m = lw.Mechanism("bead", dimension=dimension, gravity=None)
    place = (0.4, 0.5) if dimension == 2 else (0.4, 0.1, 0.5)
    m.add("bead", lw.Particle(0.5, position=place, velocity=(0.7, 0.1, 0.2)[:dimension]))
    gap = above(m.ground, m["bead"], C)
    m.add("spring", lw.UserForce(reads=[gap], along=[gap], law=pull, numbers=[40.0]))
    m.add("height", lw.Reading(gap))
    run = m.simulate(1.0, every=0.002, coordinates=coordinates, rtol=1e-10)
    assert np.abs(run.energy.balance).max() < 1e-9
    assert run["spring.force"] == pytest.approx(-40.0 * run["height.value"], abs=1e-12)
    size = np.linalg.norm(run["bead.acceleration"], axis=1)
    assert size == pytest.approx(80.0 * np.abs(run["height.value"]), abs=1e-9)
    slope = np.gradient(run["height.value"], run.t)[1:-1]
    assert run["height.value.rate"][1:-1] == pytest.approx(slope, abs=5e-4)


def pull(values, rates, t, numbers, memory, out):
    out[0] = -numbers[0] * values[0]


@SETS
@DIMENSIONS
def test_a_reading_follows_the_branch_that_it_began_on(above, dimension, coordinates):
    """Beyond the centre of curvature a point has three nearest points; what is remembered tells which is meant.

    The point begins beside the parabola and goes up and over the axis.  The nearest point that it began with is on
    the side that it came from, and stays there.
    """
    m = lw.Mechanism("bead", dimension=dimension, gravity=None)
    c = 1.0  # the centre of curvature at the lowest point is at 0.5
    place, speed = ((1.2, 0.2), (-1.25, 1.8)) if dimension == 2 else ((1.2, 0.0, 0.2), (-1.25, 0.0, 1.8))
    m.add("bead", lw.Particle(0.5, position=place, velocity=speed))
    m.add("height", lw.Reading(above(m.ground, m["bead"], c)))
    run = m.simulate(0.95, every=0.95, coordinates=coordinates, method="rk4", step=0.01)
    x, h = run["bead"][-1, 0], run["bead"][-1, -1]
    roots = np.roots([2.0 * c * c, 0.0, 1.0 - 2.0 * c * h, -abs(x) if dimension == 3 else -x])
    assert x > 0.0 and np.isreal(roots).all()
    s = roots.real.max()  # the other two are at and beyond the axis
    assert run.final.memory.tolist() == pytest.approx([s], rel=1e-9)
    assert run["height.value"][-1] == pytest.approx(np.hypot(x - s, h - c * s * s), rel=1e-9)
    again = m.simulate(0.1, start=run.final, coordinates=coordinates, method="rk4", step=0.01)  # it goes on from there
    assert again["height.value"][0] == run["height.value"][-1]
    assert again.final.memory[0] == pytest.approx(s, abs=0.2)


def test_what_it_remembers_is_in_files(above, tmp_path):
    m, run = bead(above, 2)
    run.save(tmp_path / "run.nc")
    again = lw.load(tmp_path / "run.nc")
    assert again.final.memory.tolist() == run.final.memory.tolist() and run.final.memory[0] == pytest.approx(
        run["bead.x"][-1], abs=1e-9
    )
    assert again["wire.value"] == pytest.approx(run["wire.value"], abs=1e-12)


@DIMENSIONS
def test_models_with_it_are_files_too(above, dimension, tmp_path):
    m, run = bead(above, dimension)
    lw.write(m, tmp_path / "bead.yaml")
    assert "AboveParabola" in (tmp_path / "bead.yaml").read_text()
    other = lw.read(tmp_path / "bead.yaml").simulate(2.0, every=0.05, coordinates="body", rtol=1e-10)
    assert np.array_equal(other["bead.x"], run["bead.x"])


def test_other_numbers_serve_the_same_tables(above):
    for c in (0.1, 0.3):
        other = lw.Mechanism("bead", gravity=(0, -G))
        other.add("bead", lw.Particle(0.5, position=(0.8, c * 0.64)))
        other.add("wire", lw.Driver(above(other.ground, other["bead"], c), 0.0))
        run = other.simulate(0.5, every=0.1, coordinates="body")
        assert run["bead.y"] == pytest.approx(c * run["bead.x"] ** 2, abs=1e-9)


@SETS
@DIMENSIONS
def test_turns_and_moments_as_those_of_ours(twist, dimension, coordinates):
    """A pendulum that goes over the top, its angle read and pushed along by both."""
    runs = []
    for kind in (lw.Angle, twist):
        m = lw.Mechanism("pendulum", dimension=2)
        rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
        m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
        m = m.in_space() if dimension == 3 else m
        angle = kind(m.ground, m["rod"].at())
        m.add("brake", lw.UserForce(reads=[angle], along=[angle], law=slow, numbers=[0.05]))
        m.add("turn", lw.Reading(angle))
        runs.append(
            m.simulate(
                3.0, every=0.1, start={"A.angle": 0.0, "A.angle.rate": 11.0}, coordinates=coordinates, rtol=1e-10
            )
        )
    ours, theirs = runs
    assert np.ptp(ours["turn.value"]) > 3.0 * math.pi
    for name in ("turn.value", "turn.value.rate", "turn.value.acceleration", "rod.x", "brake.torque"):
        assert theirs[name] == pytest.approx(ours[name], abs=1e-7)


def slow(values, rates, t, numbers, memory, out):
    out[0] = -numbers[0] * rates[0] - 0.01 * values[0]


def test_one_that_cannot_be_compiled_runs_as_python():
    @dataclass(frozen=True)
    class Slowly(lw.Measure):
        turns_with = ("on",)

        @staticmethod
        def plane(seen, numbers, memory):
            table = {"x": seen.x}  # numba does this; what follows it does not
            return eval("table['x']", {}, {"table": table}), 0.0, (1.0, 0.0, 0.0)

    m = lw.Mechanism("m", gravity=None)
    m.add("ball", lw.Particle(1.0, position=(0.3, 0.0), velocity=(1.0, 0.0)))
    m.add("r", lw.Reading(Slowly(m.ground, m["ball"])))
    with pytest.warns(RuntimeWarning, match="Function 'plane' of Slowly cannot be compiled and runs as plain Python"):
        run = m.simulate(1.0, every=0.5, coordinates="body")
        assert run["r.value"] == pytest.approx([0.3, 0.8, 1.3])


def failing(how):
    @dataclass(frozen=True)
    class Broken(lw.Measure):
        turns_with = ("on",)
        plane = staticmethod(how)

    m = lw.Mechanism("m", gravity=None)
    m.add("ball", lw.Particle(1.0, position=(0.3, 0.0), velocity=(1.0, 0.0)))
    return m, Broken(m.ground, m["ball"])


def root(seen, numbers, memory):
    if seen.x > 0.5:
        raise ValueError("too far")
    return seen.x, 0.0, (1.0, 0.0, 0.0)


def nothing(seen, numbers, memory):
    return math.nan, 0.0, (1.0, 0.0, 0.0)


def beyond(seen, numbers, memory):
    memory[3] = 1.0
    return seen.x, 0.0, (1.0, 0.0, 0.0)


def short(seen, numbers, memory):
    return seen.x, 0.0, (1.0, 0.0)


def two_parts(seen, numbers, memory):
    return seen.x, 0.0


def lacking(seen, numbers, memory):
    return seen.x + numbers[3], 0.0, (1.0, 0.0, 0.0)


def alone(seen):
    return seen.x, 0.0, (1.0, 0.0, 0.0)


@pytest.mark.parametrize("use", ["force", "row", "reading"])
@pytest.mark.parametrize(
    ("how", "words"),
    [
        (root, "ValueError: too far, at t = 0[.]"),
        (nothing, "no finite numbers"),
        (beyond, "IndexError.*it remembers 0: memory is 'none'"),
        (short, r"\(fx, fy, m\)"),
        (two_parts, r"returned \(.*\), not value, bias, \(fx, fy, m\)"),
        (lacking, "IndexError.*gives 0 numbers"),
        (alone, "TypeError: alone.* takes 1 positional argument"),
    ],
)
@pytest.mark.filterwarnings("ignore:Function:RuntimeWarning")
def test_one_that_fails_is_named(use, how, words):
    m, broken = failing(how)
    if use == "force":
        m.add("push", lw.UserForce(reads=[broken], along=[broken], law=slow, numbers=[0.0]))
    elif use == "row":
        m.add("hold", lw.Driver(broken, lw.Polynomial(0.3, 1.0)))
    else:
        m.add("r", lw.Reading(broken))
    with pytest.raises(errors.UserFunctionError, match=f"Broken .*{words}"):
        m.simulate(1.0, every=0.1, coordinates="body")["r.value" if use == "reading" else "ball.x"]


@pytest.mark.filterwarnings("ignore:Function:RuntimeWarning")
def test_one_that_fails_where_it_is_watched_is_named():
    m, broken = failing(root)
    m.add("e", lw.Event(broken, 0.9))
    with pytest.raises(errors.UserFunctionError, match=r"Broken has .* raised ValueError: too far"):
        m.simulate(1.0, every=0.1, coordinates="body")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"memory": "some"}, "Odd has an unknown `memory`. Got 'some'; wanted 'none', 'turns' or 'parameter'"),
        ({"memory": None}, "Odd has an unknown `memory`. Got None"),
        ({"quantity": "angl"}, "Odd has an unknown `quantity`. Got 'angl'; wanted 'length', 'angle' or 'cosine'"),
        ({"memory": "parameter", "remembers": -2}, "Odd remembers is no whole number that will do. Got -2; wanted 1"),
    ],
)
def test_what_a_class_says_of_itself_is_checked(said, words):
    with pytest.raises(errors.DescriptionError, match=words):
        type("Odd", (Measure,), {**said, "plane": staticmethod(root)})
    assert "Odd" not in Measure.kinds


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("a",), "Broken number 0 of numbers.. is not a number. Got 'a'"),
        ((1.0, math.inf), "Broken number 1 of numbers.. is not finite"),
        (3.0, "Broken what numbers.. gives is not a list. Got 3.0; wanted a tuple such as"),
    ],
)
def test_its_numbers_are_checked(given, words):
    m, broken = failing(root)
    type(broken).numbers = lambda self: given
    m.add("r", lw.Reading(broken))
    with pytest.raises(errors.DescriptionError, match=words):
        m.simulate(0.1, coordinates="body")["r.value"]
