"""Wrong use: every mistake here gives an error whose message names the item, what is wrong and what to do."""

import math
import sys

import numpy as np
import pytest

import linkwork as lw
from linkwork import errors

NAN = float("nan")


def pendulum(**options):
    m = lw.Mechanism("pendulum", **options)
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0, points={"tip": (0.5, 0.1)}))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    return m


def four_bar(ground=3.2):
    m = lw.Mechanism("four-bar")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0))
    coupler = m.add("coupler", lw.bar(length=3.0, mass=2.0))
    rocker = m.add("rocker", lw.bar(length=2.5, mass=1.5))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(ground, 0), rocker.a))
    return m


def refused(kind, action, *words):
    """The error of an action, which must be of that kind and say all the words."""
    with pytest.raises(kind) as caught:
        action()
    for word in words:
        assert word.lower() in str(caught.value).lower(), f"{word!r} is not in: {caught.value}"
    return caught.value


# -- descriptions --------------------------------------------------------------------------------------------


def test_body_of_another_mechanism():
    m = pendulum()
    stranger = lw.Mechanism("other").add("rods", lw.bar(length=1.0, mass=1.0))
    words = "There is no body 'rods'", "mechanism 'pendulum'", "Joint 'B' (Revolute)", "Nearest: 'rod'"
    refused(errors.UnknownNameError, lambda: m.add("B", lw.Revolute(m["rod"].b, stranger.a)), *words)


def test_both_frames_on_one_body():
    rod = pendulum()["rod"]
    refused(
        errors.DescriptionError,
        lambda: lw.Revolute(rod.a, rod.b),
        "both frames on body 'rod'",
        "rod.a and rod.b",
        "mechanism.ground",
    )
    refused(errors.DescriptionError, lambda: lw.SpringDamper(rod.a, rod.b), "both ends on body 'rod'")
    refused(errors.DescriptionError, lambda: lw.Distance(rod.a, rod.b), "both frames are on body 'rod'")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: lw.Body(mass=NAN), ("mass is not finite", "nan")),
        (lambda: lw.Body(mass=1.0, position=(0.0, NAN)), ("position is not finite",)),
        (lambda: lw.Body(mass=math.inf), ("mass is not finite", "inf")),
        (lambda: lw.Body(mass="too heavy"), ("mass is not a number", "'too heavy'")),
        (lambda: lw.Mechanism("g").add("b", lw.Body(mass="heavy")), ("no parameter 'heavy'", "the mass of Body 'b'")),
        (lambda: lw.Body(mass=-1.0), ("mass is too small", "-1.0", "at least 0")),
        (lambda: lw.Body(mass=1.0, inertia=-0.1), ("inertia is too small", "-0.1")),
        (lambda: lw.Body(mass=1.0, center=(1.0,)), ("center has the wrong length", "2 or 3 numbers")),
        (lambda: lw.Particle(mass=NAN), ("mass is not finite",)),
        (lambda: lw.Polynomial(NAN), ("Polynomial", "coefficient 0 is not finite")),
        (lambda: lw.Mechanism("g", gravity=(0.0, NAN)), ("Mechanism 'g'", "gravity is not finite")),
        (lambda: lw.Mechanism("g", gravity=(0, 0, -9.81)), ("gravity has the wrong length", "2 numbers")),
        (lambda: lw.Mechanism("g", dimension=4), ("unknown dimension", "2 or 3")),
    ],
)
def test_bad_numbers(make, words):
    refused(errors.DescriptionError, make, *words)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda a, b: lw.Rod(a, b, length=0.0), ("Rod", "length is too small", "more than 0")),
        (lambda a, b: lw.Rod(a, b, length=NAN), ("Rod", "length is not finite")),
        (lambda a, b: lw.Gear(a, b, -0.1, 0.2), ("Gear", "on_radius is too small", "-0.1")),
        (lambda a, b: lw.Hold(a, b), ("Hold", "holds nothing", "x, y, z or angle")),
        (lambda a, b: lw.PinInSlot(a, b, NAN), ("PinInSlot", "offset is not finite")),
        (lambda a, b: lw.Revolute(a, 3), ("Revolute", "`to` is not a frame", "Got 3")),
        (lambda a, b: lw.Offset(a, b, "w"), ("Offset", "axis is unknown", "'w'")),
        (lambda a, b: lw.SpringDamper(a, b, stiffness=NAN), ("SpringDamper", "stiffness is not finite")),
        (lambda a, b: lw.SpringDamper(a, b, rest_length=-1.0), ("rest_length is too small",)),
        (lambda a, b: lw.PointForce(b, x=NAN), ("PointForce", "x is not finite")),
        (lambda a, b: lw.PointForce(b, x=1.0, axes="joint"), ("axes are unknown", "'world' or 'body'")),
        (lambda a, b: lw.Driver(3.0, 1.0), ("Driver", "no measure to drive", "joint.angle")),
        (lambda a, b: lw.Driver(lw.Slip(a, b), 1.0), ("only a rate", 'level="speed"')),
        (lambda a, b: lw.Driver(lw.Angle(a, b), 1.0, level="torque"), ("level is unknown", "'torque'")),
        (lambda a, b: lw.UserForce(lw.Angle(a, b), None), ("UserForce", "has no law")),
        (lambda a, b: lw.UserForce(lw.Angle(a, b), pow3, size=1.0, memory=-1), ("memory", "-1", "0 to 10000")),
        (lambda a, b: lw.UserForce(lw.Angle(a, b), pow3, size=1.0, memory="x"), ("memory", "'x'")),
        (lambda a, b: lw.UserForce(lw.Angle(a, b), pow3, size=1.0, potential=5), ("potential is not a function", "5")),
        (lambda a, b: lw.UserForce(reads=5, along=5, law=pow3), ("reads something that is no measure", "5")),
        (lambda a, b: lw.UserForce(along=[lw.Angle(a, b)], law=pow3, numbers=5), ("numbers are not a list", "5")),
        (lambda a, b: lw.UserWrench(b, pow3, 5), ("numbers are not a list", "5")),
        (lambda a, b: lw.UserWrench(b, pow3, memory=-1), ("memory", "-1")),
        (lambda a, b: lw.Offset(a, b, np.array([1, 2])), ("axis is unknown",)),
        (lambda a, b: lw.polygon(5, 1.0), ("polygon has no list of corners", "5")),
        (lambda a, b: lw.Polynomial(1.0)("soon"), ("Polynomial time is not a number", "'soon'")),
        (lambda a, b: lw.Callable(math.sin)(None), ("Callable time is not a number", "None")),
        (lambda a, b: lw.Frame(5), ("Frame has no name of a body", "5")),
        (lambda a, b: pendulum().add("B", lw.Revolute(a, b, active="no")), ("active is neither true nor", "'no'")),
        (lambda a, b: pendulum().add("B", lw.Revolute(a, b, cut=1)), ("cut is neither true nor false", "1")),
        (lambda a, b: pendulum()[["rod"]], ("no item ['rod']",)),
        (lambda a, b: pendulum().replace(["rod"], lw.bar(1.0, 1.0)), ("no item ['rod']",)),
        (lambda a, b: lw.compile_mechanism(5), ("needs a mechanism", "5")),
        (lambda a, b: lw.UserForce(lw.Angle(a, b), pow3, energy="keeps"), ("energy is unknown", "'keeps'")),
        (lambda a, b: lw.UserForce(lw.Angle(a, b), pow3), ("number 'size' of its law is missing", "size=")),
        (lambda a, b: lw.UserForce(lw.Angle(a, b), pow3, sice=1.0), ("no number 'sice'", "Nearest: 'size'")),
        (lambda a, b: lw.UserForce(lw.Angle(a, b), pow3, size=NAN), ("number 'size' is not finite",)),
    ],
)
def test_bad_parts(make, words):
    m = pendulum()
    refused(errors.DescriptionError, lambda: make(m.ground.at(), m["rod"].b), *words)


def pow3(value, rate, t, size):
    return -size * value**3


def test_attaching_to_a_body_that_was_not_added():
    m, loose = pendulum(), lw.bar(length=1.0, mass=1.0)
    words = "has no name yet", 'mechanism.add("name", body) returns'
    refused(errors.DescriptionError, lambda: lw.Revolute(m["rod"].b, loose.a), *words)
    refused(errors.DescriptionError, lambda: lw.Revolute(m["rod"].b, loose), *words)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rod", ("two items of one name", "'rod'", "replace")),
        ("a.b", ("dot", "'a.b'")),
        ("", ("not a word",)),
        ("ground", ("Mechanism 'pendulum' cannot give a name that is taken by the product",)),
    ],
)
def test_names_that_cannot_be_given(name, words):
    refused(errors.DescriptionError, lambda: pendulum().add(name, lw.bar(length=1.0, mass=1.0)), *words)


def test_things_that_cannot_be_added():
    refused(errors.DescriptionError, lambda: pendulum().add("x", 3.0), "'x' cannot be added", "Got 3.0")


def test_particles_have_no_angle_and_no_extent():
    m = pendulum()
    p = m.add("bob", lw.Particle(1.0))
    refused(errors.DescriptionError, lambda: p.at(0.1, 0.0), "Particle 'bob' has no extent")
    m.add("T", lw.TorsionSpringDamper(m["rod"], p, stiffness=1.0))
    words = "Force 'T' (TorsionSpringDamper) needs the angle of 'bob'", "Particle", "use a Body"
    refused(errors.DescriptionError, lambda: m.simulate(1.0, coordinates="body"), *words)


def test_series_of_a_particles_angle():
    m = pendulum()
    m.add("bob", lw.Particle(1.0))
    run = m.simulate(0.1, coordinates="body")
    refused(errors.UnknownNameError, lambda: run["bob.angle"], "There is no quantity 'bob.angle'")


@pytest.mark.parametrize(
    "add",
    [
        lambda m: m.add("S", lw.SpringDamper(m.ground.at(0, 0, 1), m["rod"].b, stiffness=1.0)),
        lambda m: m.add("D", lw.Driver(lw.Offset(m.ground.at(), m["rod"].b, "z"), 0.0)),
        lambda m: m.add("F", lw.PointForce(m["rod"].b, z=1.0)),
        lambda m: m.add("b", lw.Body(1.0, 1.0, position=(0.0, 0.0, 1.0))),
        lambda m: m.add("J", lw.Revolute(m.ground.at(0, 0, axis=(1, 0, 0)), m["rod"].b)),
    ],
    ids=["frame", "measure", "force", "position", "axis"],
)
def test_out_of_the_plane(add):
    m = pendulum()

    def action():
        add(m)
        m.compile(coordinates="body")

    refused(errors.OutOfPlaneError, action, "leaves the plane of this 2-D mechanism")


# -- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (lambda m: m.simulate(0.1, coordinates="body")["rd.angle"], ("'rd.angle'", "Nearest: 'rod.angle'")),
        (lambda m: m.simulate(0.1, coordinates="body")["rod.angel"], ("'rod.angel'", "Nearest: 'rod.angle'")),
        (lambda m: m.simulate(0.1, coordinates="body")["rod.tpi.x"], ("'rod.tpi.x'", "Nearest: 'rod.tip.x'")),
        (lambda m: m.simulate(0.1, coordinates="body")["energy.kinetc"], ("Nearest: 'energy.kinetic'",)),
        (lambda m: m.simulate(0.1, coordinates="body")["system.centre.x"], ("'system.center.x'",)),
        (lambda m: m.simulate(0.1, coordinates="body")["A.raction.x"], ("Nearest: 'A.reaction.x'",)),
        (lambda m: m.simulate(0.1, coordinates="body").reaction("a"), ("no joint 'a'", "Nearest: 'A'")),
        (lambda m: m.simulate(0.1, coordinates="body").reaction("A", on="rd"), ("at joint 'A'", "Nearest: 'rod'")),
        (lambda m: m.simulate(0.1, coordinates="body").reaction("A", axes="jont"), ("Nearest: 'joint'",)),
        (lambda m: m.simulate(0.1, coordinates="body").applied_force("rd"), ("no body 'rd'", "Nearest: 'rod'")),
        (lambda m: m.simulate(0.1, coordinates="body").at(7.0), ("no time '7'", "0 to 0.1 s")),
        (lambda m: m.simulate(0.1, start={"A.angel": 1.0}, coordinates="body"), ("Nearest: 'A.angle'",)),
        (lambda m: m.simulate(0.1, start={"rd.angle": 1.0}, coordinates="body"), ("no item 'rd'", "Nearest: 'rod'")),
        (lambda m: m.simulate(0.1, near={"rod.angel": 1.0}, coordinates="body"), ("Nearest: 'rod.angle'",)),
        (lambda m: m.evaluate({"rod.angel": 1.0}, coordinates="body"), ("Nearest: 'rod.angle'",)),
        (lambda m: m["rodd"], ("no item 'rodd'", "Nearest: 'rod'")),
        (lambda m: m["rod"].tpi, ("no point 'tpi'", "on body 'rod'", "Nearest: 'tip'")),
        (lambda m: m["A"].angel, ("no quantity 'angel'", "Joint 'A' (Revolute)", "Nearest: 'angle'")),
    ],
)
def test_unknown_names_offer_the_nearest(action, words):
    refused(errors.UnknownNameError, lambda: action(pendulum()), "There is no", *words)


def test_unknown_coordinates_are_not_offered_what_does_not_exist():
    error = refused(errors.UnknownNameError, lambda: pendulum().evaluate({"rod.angel": 1.0}, coordinates="body"))
    assert "rod.z" not in error.known  # a planar body has none


# -- assembly ------------------------------------------------------------------------------------------------


def test_a_bar_that_is_too_short_names_the_worst_rows():
    words = "Mechanism 'four-bar' cannot be assembled", "C.x off by", "check the lengths and places of", "D"
    refused(errors.AssemblyError, lambda: four_bar(ground=9.0).assemble(coordinates="body"), *words)


def test_a_start_value_out_of_reach():
    m = four_bar(ground=5.0)
    words = "cannot be assembled", "but not with start value 'A.angle' where asked"
    refused(errors.AssemblyError, lambda: m.assemble(start={"A.angle": math.pi}, coordinates="body"), *words)


def test_rows_that_conflict_in_position():
    m = pendulum()
    m.add("H", lw.Hold(m.ground, m["rod"], x=3.0))
    refused(errors.AssemblyError, lambda: m.simulate(1.0, coordinates="body"), "A.x off by 1.25", "H.x off by 1.25")


def test_start_values_that_conflict():
    m = pendulum()
    start = {"A.angle": 1.0, "rod.angle": 2.0}
    words = "cannot be assembled", "rod.angle off by", "A.angle off by"
    refused(errors.AssemblyError, lambda: m.assemble(start=start, coordinates="body"), *words)
    rates = {"A.angle.rate": 1.0, "rod.angle.rate": 2.0}
    words = "velocities that cannot all be met", "A.angle.rate off by 0.5"
    refused(errors.AssemblyError, lambda: m.assemble(start=rates, coordinates="body"), *words)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ({"A.angle": NAN}, ("start value 'A.angle' is not a finite number", "nan")),
        ({"A.angle": "sixty"}, ("start value 'A.angle'", "'sixty'")),
        ({"A.angle.acceleration": 1.0}, ("is an acceleration", "a position or a rate")),
    ],
)
def test_bad_start_values(start, words):
    refused(errors.DescriptionError, lambda: pendulum().assemble(start=start, coordinates="body"), *words)


def test_state_of_another_mechanism():
    state = pendulum().assemble(coordinates="body").state
    words = "start state belongs to another mechanism: its bodies are others", "Got"
    refused(errors.DescriptionError, lambda: four_bar().simulate(1.0, start=state, coordinates="body"), *words)


def test_weights_of_unknown_bodies_and_signs():
    m = pendulum()
    refused(errors.DescriptionError, lambda: m.assemble(weights={"rd": 2.0}, coordinates="body"), "weight 'rd'", "rod")
    refused(errors.DescriptionError, lambda: m.assemble(weights={"rod": -2.0}, coordinates="body"), "not positive")


# -- drivers that fight --------------------------------------------------------------------------------------


def driven(*functions, level="position"):
    m = pendulum()
    for k, function in enumerate(functions, start=1):
        m.add(f"d{k}", lw.Driver(m["A"].angle, function, level=level))
    return m


def test_two_drivers_of_different_speed():
    words = "velocities that cannot all be met", "off by 1", "driver 'd1', driver 'd2'"
    two = driven(lw.Polynomial(0.0, 1.0), lw.Polynomial(0.0, 2.0))
    refused(errors.AssemblyError, lambda: two.simulate(1.0, coordinates="body"), *words)
    two = driven(1.0, 2.0, level="speed")
    refused(errors.AssemblyError, lambda: two.simulate(1.0, coordinates="body"), *words)


def test_two_drivers_of_different_acceleration():
    two = driven(lw.Polynomial(0.0, 1.0), lw.Polynomial(0.0, 1.0, 0.5))
    words = "contradict each other", "d2"
    refused(errors.AssemblyError, lambda: two.simulate(1.0, coordinates="body"), *words)


def test_two_drivers_that_part_later():
    two = driven(lw.Polynomial(0.0, 1.0), lw.Polynomial(0.0, 1.0, 0.0, 0.5))
    refused(errors.AnalysisError, lambda: two.simulate(1.0, coordinates="body"), "contradict each other", "d2")


def test_two_drivers_that_agree_are_only_redundant():
    two = driven(lw.Polynomial(0.0, 1.0), lw.Polynomial(0.0, 1.0))
    assert two.check(coordinates="body").redundant == 1
    assert two.simulate(1.0, coordinates="body")["A.angle"][-1] == pytest.approx(1.0, abs=1e-9)


def test_driver_on_a_fixed_body():
    m = lw.Mechanism("welded")
    b = m.add("b", lw.bar(length=1.0, mass=1.0))
    m.add("W", lw.Fixed(m.ground.at(), b.a))
    m.add("motor", lw.Driver(lw.Angle(m.ground.at(), b.a), lw.Polynomial(0.0, 1.0)))
    words = "velocities that cannot all be met", "driver 'motor'"
    refused(errors.AssemblyError, lambda: m.simulate(1.0, coordinates="body"), *words)


def test_driver_against_a_start_rate():
    m = driven(lw.Polynomial(0.0, 1.0))
    words = "two things at once", "'A.angle.rate' is 2 rad/s", "driver 'd1' is 1 rad/s"
    refused(errors.AssemblyError, lambda: m.simulate(1.0, start={"A.angle.rate": 2.0}, coordinates="body"), *words)


def test_driver_into_a_dead_centre_gives_what_was_reached():
    m = four_bar(ground=5.2)
    m.add("motor", lw.Driver(m["A"].angle, lw.Polynomial(0.0, 1.0)))
    error = refused(errors.AnalysisError, lambda: m.simulate(4.0, coordinates="body"), "four-bar", "t = 1.78")
    # there 5.5 spans from the end of the crank to the foot of the rocker: 1 + 5.2^2 - 2 * 5.2 cos(angle) =
    # 5.5^2
    assert error.result.t[-1] == pytest.approx(math.acos((1.0 + 5.2**2 - 5.5**2) / 10.4), abs=0.03)
    assert "motor" in str(error)
    assert isinstance(error, errors.SingularConfigurationError)


# -- laws ----------------------------------------------------------------------------------------------------


def fails_at_once(value, rate, t):
    raise ValueError("not today")


def fails_late(value, rate, t):
    if t > 0.2:
        raise ValueError("too late")
    return 0.0


def turns_nan(value, rate, t):
    return np.nan if t > 0.2 else 0.0


SETTINGS = {"stiffness": "5"}


def needs_a_dict(value, rate, t):
    return -float(SETTINGS["damping"]) * rate


@pytest.mark.parametrize(
    ("law", "cause", "words"),
    [
        (fails_at_once, ValueError, ("'fails_at_once'", "raised ValueError: not today", "t = 0 s")),
        (fails_late, ValueError, ("'fails_late'", "raised ValueError: too late")),
        (needs_a_dict, KeyError, ("'needs_a_dict'", "raised KeyError: 'damping'")),
    ],
)
@pytest.mark.filterwarnings("ignore:Law")
def test_a_law_that_raises_is_named_with_its_cause(law, cause, words):
    m = pendulum()
    m.add("brake", lw.UserForce(m["A"].angle, law))
    error = refused(errors.UserFunctionError, lambda: m.simulate(1.0, coordinates="body"), "Force 'brake'", *words)
    assert isinstance(error.__cause__, cause)


def test_a_law_that_gives_nan_is_named():
    m = pendulum()
    m.add("brake", lw.UserForce(m["A"].angle, turns_nan))
    words = "Force 'brake' has a law 'turns_nan'", "no finite force", "Got nan"
    error = refused(errors.UserFunctionError, lambda: m.simulate(1.0, coordinates="body"), *words)
    assert 0.0 < error.result.t[-1] <= 0.2


@pytest.mark.parametrize(
    ("function", "cause", "words"),
    [
        (lambda t: 1.0 / 0.0, ZeroDivisionError, ("ZeroDivisionError",)),
        (lambda t: NAN, type(None), ("no finite number at t = 0 s",)),
    ],
)
def test_a_time_function_that_fails_is_named(function, cause, words):
    m = driven(function)
    error = refused(errors.UserFunctionError, lambda: m.simulate(1.0, coordinates="body"), "Driver 'd1'", *words)
    assert isinstance(error.__cause__, cause)


def test_a_law_of_the_wrong_shape():
    def late(value, rate):
        return 0.0

    m = pendulum()
    refused(
        errors.DescriptionError,
        lambda: m.add("brake", lw.UserForce("A.angle", late)),
        "Force 'brake'",
        "law(value, rate, t",
    )


# -- mechanics that cannot be --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "joined", "words"),
    [
        (lw.Body(mass=0.0), True, ("bob.angle",)),
        (lw.Body(mass=0.0), False, ("bob.x, bob.y, bob.angle",)),
        (lw.Body(mass=1.0), False, ("bob.angle",)),
        (lw.Particle(mass=0.0), False, ("bob.x, bob.y",)),
    ],
)
def test_motion_without_inertia_is_named_by_body_and_direction(body, joined, words):
    m = pendulum()
    bob = m.add("bob", body)
    if joined:
        m.add("B", lw.Revolute(m["rod"].b, bob.at()))
    refused(errors.CompileError, lambda: m.simulate(1.0, coordinates="body"), "Mechanism 'pendulum'",
            "without any inertia: " + words[0], "give the body mass or inertia")  # fmt: skip


def test_a_massless_body_between_two_joints_is_no_mistake():
    m = lw.Mechanism("rod")
    link = m.add("link", lw.Body(mass=0.0, points={"a": (0.0, 0.0), "b": (1.0, 0.0)}))
    bob = m.add("bob", lw.Body(mass=1.0, inertia=0.1))
    m.add("A", lw.Revolute(m.ground.at(0, 0), link.a))
    m.add("B", lw.Revolute(link.b, bob.at()))
    run = m.simulate(0.3, coordinates="body", rtol=1e-10)
    assert np.abs(run.energy.balance).max() < 1e-8


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_a_spring_whose_ends_a_joint_holds_together(coordinates):
    m = pendulum()
    m.add("S", lw.SpringDamper(m.ground.at(0, 0), m["rod"].a, stiffness=10.0, rest_length=0.2))
    words = (
        "Force 'S' has ends that meet at t = 0 s, ground.at(0, 0) and rod.a",
        "joint 'A' holds them together",
        "attach it elsewhere",
    )
    refused(errors.SingularConfigurationError, lambda: m.simulate(1.0, coordinates=coordinates), *words)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_a_mechanism_without_bodies(dimension, coordinates):
    m = lw.Mechanism("empty", dimension=dimension)
    words = "Mechanism 'empty' has no bodies", "add one"
    refused(errors.CompileError, lambda: m.simulate(1.0, coordinates=coordinates), *words)
    for ask in (m.check, m.assemble, m.evaluate, m.compile):
        refused(errors.CompileError, lambda ask=ask: ask(coordinates=coordinates), *words)
    refused(errors.CompileError, lambda: m.verify(), *words)
    read = lw.read("linkwork: 1\nname: empty\n")
    refused(errors.CompileError, lambda: read.simulate(1.0, coordinates=coordinates), *words)


# -- results -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run():
    return pendulum().simulate(0.1, every=0.05, coordinates="body")


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda run: run[5], ("no quantity '5'",)),
        (lambda run: run[["A.angle"]], ("no quantity", "A.angle")),
        (lambda run: run[0:3], ("no quantity", "slice")),
        (lambda run: run.state("x"), ("not in this result", "0 to 2")),
        (lambda run: run.state(1.5), ("not in this result", "0 to 2")),
        (lambda run: run.read("A.angle", to=5), ("cannot be read", "5")),
        (lambda run: run.unit("A.angel"), ("Nearest: 'A.angle'",)),
        (lambda run: run.unit("system.weight"), ("no quantity 'system.weight'",)),
        (lambda run: run.unit(5), ("no quantity '5'",)),
        (lambda run: run.reaction(["A"]), ("no joint ['A']",)),
        (lambda run: run.reaction("A", axes=["world"]), ("no choice of axes",)),
        (lambda run: run.applied_force(["rod"]), ("no body ['rod']",)),
        (lambda run: run.orientation(["rod"]), ("no body ['rod']",)),
        (lambda run: run.to_pandas(5), ("no quantity '5'",)),
        (lambda run: run.to_xarray([["A.angle"]]), ("no quantity",)),
        (lambda run: run.to_csv(None), ("File has no name", "None")),
        (lambda run: run.save(5), ("File has no name", "5")),
        (lambda run: run.to_json("run.json", [5]), ("no quantity '5'",)),
        (lambda run: run.plot([5]), ("no quantity '5'",)),
        (lambda run: run.plot("A.angle", file=5), ("no name of a file",)),
        (lambda run: run.draw(file=5), ("no name of a file",)),
        (lambda run: run.draw(trace=5), ("no item '5'", "5.x")),
        (lambda run: run.draw(ghosts=["soon"]), ("time is not a number", "'soon'")),
        (lambda run: lw.load(None), ("File has no name", "None")),
    ],
)
def test_wrong_questions_to_a_result(run, ask, words):
    refused(errors.DescriptionError, lambda: ask(run), *words)


def test_a_list_of_names_is_plotted_as_names_in_a_row(run):
    one, two = run.plot(["A.angle", "rod.x"]), run.plot("A.angle", "rod.x")
    drawn = [[line.get_label() for axes in figure.axes for line in axes.lines] for figure in (one, two)]
    assert drawn[0] == drawn[1] == ["A.angle", "rod.x"]


@pytest.mark.parametrize(("package", "table"), [("pandas", "to_pandas"), ("xarray", "to_xarray")])
def test_tables_without_their_package(run, monkeypatch, package, table):
    monkeypatch.setitem(sys.modules, package, None)
    words = table, f"needs the package '{package}'", "pip install 'linkwork[frames]'"
    refused(errors.MissingPackageError, getattr(run, table), *words)


# -- files ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (lambda m: lw.write(m, None), ("File has no name",)),
        (lambda m: lw.write("model.yaml", m), ("File has no name",)),
        (lambda m: lw.write(5, "model.yaml"), ("made of a mechanism", "5")),
        (lambda m: lw.to_text(5), ("made of a mechanism", "5")),
        (lambda m: lw.digest(5), ("made of a mechanism", "5")),
        (lambda m: lw.to_text(m, analysis=5), ("not given by name", "5")),
        (lambda m: lw.format_text(5), ("text only", "5")),
        (lambda m: lw.convert_text(lw.to_text(m), "xml"), ("does not know the format", "'xml'", "'yaml' or 'json'")),
        (lambda m: lw.from_mesh(None, mass=1.0), ("no path", "None")),
    ],
)
def test_wrong_use_of_files(action, words):
    refused(errors.DescriptionError, lambda: action(pendulum()), *words)


# -- numbers that overflow -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        lambda: lw.bar(1e308, 1e308),
        lambda: lw.bar(1e160, 1.0),
        lambda: lw.disc(1e200, 1.0),
        lambda: lw.plate(1e200, 1.0, 1.0),
        lambda: lw.polygon([(0, 0), (1e200, 0), (0, 1e200)], 1.0),
        lambda: lw.box(1e200, 1e200, 1e200, density=1.0),
        lambda: lw.sphere(1e200, density=1.0),
        lambda: lw.join(lw.Body(1e308, 1.0), lw.Body(1e308, 1.0)),
        lambda: lw.Body(10**400),
        lambda: lw.Inertia(1e308, (1e308, 0, 0)).about((0, 0, 0)),
        lambda: pendulum().simulate(10**400, coordinates="body"),
        lambda: pendulum().simulate(1.0, start={"A.angle": 10**400}, coordinates="body"),
        lambda: lw.Polynomial(10**400),
    ],
)
def test_sizes_that_overflow(make):
    refused(errors.DescriptionError, make, "")


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize(
    ("item", "value"),
    [("rate", 1e308), ("gravity", 1e308), ("stiffness", 1e308), ("speed", 1e308), ("far", 1e308), ("far", 1e160)],
)
def test_motion_beyond_all_numbers_is_an_error_with_what_was_reached(item, value, coordinates):
    m = pendulum(gravity=(0.0, -value)) if item == "gravity" else pendulum()
    start = {"A.angle.rate": value} if item == "rate" else {}
    if item == "stiffness":
        m.add("coil", lw.TorsionSpringDamper(m.ground, m["rod"], value, rest_angle=1.0))
    if item == "speed":
        m.add("motor", lw.Driver(m["A"].angle, lw.Polynomial(0.0, value)))
    if item == "far":
        m.add("B", lw.Revolute(m.ground.at(value, 0.0), m["rod"].b))
    with pytest.raises(errors.LinkworkError):
        run = m.simulate(1.0, start=start, coordinates=coordinates)
        assert all(np.isfinite(run[name]).all() for name in ("rod.x", "rod.angle", "A.reaction.x"))


# -- measures of the user ------------------------------------------------------------------------------------


class Own(lw.Measure):
    pass


del lw.Measure.kinds["Own"]  # contracts of all measures are no matter of one that cannot be computed


class Turned(lw.Angle):
    pass


class Doubled(lw.Measure):
    def terms(self):
        return ((2.0, lw.Angle(self.on, self.to)),)


def test_a_measure_that_nothing_computes_is_refused():
    m = pendulum()
    words = "Own is a measure that cannot be computed", "derive it from", "terms()"
    refused(errors.DescriptionError, lambda: m.add("d", lw.Driver(Own(m.ground, m["rod"]), 1.0)), *words)
    refused(errors.DescriptionError, lambda: lw.Sum((1.0, Own(m.ground, m["rod"]))), *words)


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("in_space", [False, True])
@pytest.mark.parametrize(("kind", "turn"), [(Turned, 1.0), (Doubled, 2.0)])
def test_measures_of_the_user_made_of_known_ones(kind, turn, in_space, coordinates):
    m = pendulum().in_space() if in_space else pendulum()
    m.add("motor", lw.Driver(kind(m.ground, m["rod"]), lw.Polynomial(0.0, 9.0)))
    run = m.simulate(1.0, coordinates=coordinates)  # more than a turn
    assert run["A.angle"][-1] == pytest.approx(9.0 / turn, abs=1e-9)
    assert run["motor.value"][-1] == pytest.approx(9.0, abs=1e-9)


# -- arguments of simulate -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "options", "words"),
    [
        (-1.0, {}, ("duration is too small", "-1.0", "at least 0")),
        (NAN, {}, ("duration", "nan")),
        ("long", {}, ("simulate duration is not a number", "'long'")),
        ([0.0, 1.0, 0.5], {}, ("do not increase",)),
        ([0.0, NAN], {}, ("do not increase",)),
        ([], {}, ("output times that are no row", "Got none", "or a duration")),
        ([[0.0, 1.0], [2.0, 3.0]], {}, ("output times that are no row", "shape (2, 2)")),
        ([0.0, 1.0], {"every": 0.1}, ("give one of them",)),
        (1.0, {"every": 0.0}, ("every is too small", "more than 0")),
        (1.0, {"every": NAN}, ("every is not finite",)),
        (1.0, {"every": "x"}, ("simulate", "'x'")),
        (1.0, {"rtol": -1e-8}, ("rtol is too small", "-1e-08")),
        (1.0, {"rtol": NAN}, ("rtol is not finite", "nan")),
        (1.0, {"rtol": "x"}, ("rtol is not a number", "'x'")),
        (1.0, {"atol": 0.0}, ("atol is too small",)),
        (1.0, {"method": "rk4"}, ("Method 'rk4'", "steps of one size", "step=")),
        (1.0, {"method": "rk4", "step": NAN}, ("step is not finite", "nan")),
        (1.0, {"method": "rk4", "step": -0.1}, ("step is too small", "-0.1")),
        (1.0, {"method": "rk4", "step": "small"}, ("simulate step is not a number", "'small'")),
        (1.0, {"method": [1]}, ("no integration method '[1]'", "'dop853'")),
        (1.0, {"method": "rk4", "step": 1e-20}, ("step that is too small", "1e-20 s in 1 s", "at most 1e+12")),
        (1.0, {"method": "rk4", "step": 5e-324}, ("step that is too small",)),
        (1.0, {"every": 5e-324}, ("more outputs than memory holds",)),
        ([0.0, 1.0j], {}, ("times[1] is not a number", "1j")),
        ([0.0, None], {}, ("times[1] is not a number", "None")),
        ([[0.0, 1.0], [2.0, 3.0]], {}, ("output times",)),
        ([[0.0], [2.0, 3.0]], {}, ("no row of numbers",)),
        (1.0, {"progress": 1}, ("progress is neither true nor false", "1")),
        (1.0, {"start": {5: 1.0}}, ("name that is no text", "5", '"A.angle"')),
        (1.0, {"near": {5: 1.0}}, ("name that is no text", "5")),
        (1.0, {"method": "dopri8"}, ("no integration method 'dopri8'", "Nearest: 'dopri5'")),
    ],
)
def test_bad_arguments_of_simulate(times, options, words):
    refused(errors.DescriptionError, lambda: pendulum().simulate(times, coordinates="body", **options), *words)


@pytest.mark.parametrize("coordinates", [[1], None, 5, {}])
def test_coordinates_that_are_no_word(coordinates):
    words = "coordinates are unknown", "'auto', 'body', 'joint'"
    refused(errors.DescriptionError, lambda: pendulum().simulate(1.0, coordinates=coordinates), *words)


@pytest.mark.parametrize("duration", [1e-300, 1e-100, 1e-12])
def test_the_shortest_durations(duration):
    run = pendulum().simulate(duration, coordinates="body")
    assert run.t[0] == 0.0
    assert run.t[-1] == duration


def test_durations_that_are_lost_beside_the_time():
    m = pendulum()
    state = m.simulate(1.0, coordinates="body").final
    words = "so close that they are one at t = 1 s", "at least"
    refused(errors.DescriptionError, lambda: m.simulate(1e-18, start=state, coordinates="body"), *words)
    for times in (5e-324, [0.0, 5e-324]):
        words = "too short to be divided into steps", "at least 1e-300"
        refused(errors.DescriptionError, lambda times=times: m.simulate(times, coordinates="body"), *words)


def test_unknown_coordinates():
    words = "coordinates", "'bdy'", "'body'"
    refused(errors.DescriptionError, lambda: pendulum().simulate(1.0, coordinates="bdy"), *words)


def test_an_output_before_the_start():
    m = pendulum()
    state = m.simulate(1.0, coordinates="body").final
    words = "output time before the start", "1 or later"
    refused(errors.DescriptionError, lambda: m.simulate([0.5, 2.0], start=state, coordinates="body"), *words)


def test_something_that_is_no_mechanism():
    refused(errors.DescriptionError, lambda: lw.simulate("four-bar", 1.0, coordinates="body"), "needs a mechanism")


def test_a_disc_does_not_roll_on_a_disc_in_space():
    m = lw.Mechanism("discs", dimension=3)
    disc = m.add("disc", lw.cylinder(0.2, 0.02, mass=1, position=(0, 0.7, 0)))
    m.add("R", lw.RollingDisc(m.ground, disc, radius=0.2, on_radius=0.5))
    refused(lw.errors.DescriptionError, lambda: m.check(coordinates="body"), "Joint 'R' (RollingDisc)",
            "exists in the plane only")  # fmt: skip


def space():
    m = lw.Mechanism("m", dimension=3)
    return m, m.add("b", lw.Body(1.0, (0.1, 0.2, 0.27)))


def in_space(**options):
    m = lw.Mechanism("m", dimension=3)
    m.add("b", lw.Body(1.0, (0.1, 0.2, 0.27), **options))
    return m.simulate(0.1, coordinates="body")


def in_plane(**options):
    m = lw.Mechanism("m")
    m.add("b", lw.Body(1.0, 0.1, **options))
    return m.simulate(0.1, coordinates="body")


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (lambda: in_space(angular_velocity=2.0), ("Body 'b'", "one number in a 3-D mechanism", "three numbers")),
        (lambda: in_space(angle=1.0, orientation=(1, 0, 0, 0)), ("Body 'b'", "an angle and an orientation")),
        (lambda: in_plane(angular_velocity=(0, 0, 2.0)), ("Body 'b'", "for space", "one number")),
        (lambda: lw.Bushing(space()[0].ground, space()[1], 5.0), ("stiffness", "5.0", "six numbers")),
        (lambda: in_space().at("x"), ("time is not a number", "'x'")),
        (lambda: in_space().at(None), ("time is not a number", "None")),
        (lambda: in_space().state(10**5), ("not in this result", "100000", "0 to 200")),
        (lambda: space()[0].assemble(start=[1, 2], coordinates="body"), ("start values are not given by name",)),
        (lambda: space()[0].assemble(near="A", coordinates="body"), ("near values are not given by name",)),
        (lambda: space()[0].evaluate([1, 2], coordinates="body"), ("state values are not given by name",)),
        (lambda: space()[0].evaluate(coordinates="body").mass_matrix_about_frames(), ("in the plane only",)),
        (lambda: lw.Frame("ground", axis=(0, 0, 0)), ("`axis` has no direction",)),
        (lambda: lw.Frame("ground", (0, 0, 0, 1)), ("position has the wrong length",)),
    ],
)  # fmt: skip
def test_wrong_use_in_space(action, words):
    refused(errors.DescriptionError, action, *words)


def test_a_point_of_another_mechanism():
    other = lw.Mechanism("other")
    long = other.add("rod", lw.bar(length=7.0, mass=1.0))
    m = pendulum()
    refused(
        errors.DescriptionError,
        lambda: m.add("R", lw.Rod(long.b, m.ground.at(9, 9), length=5.0)),
        "elsewhere on the body of that name",
        "mechanism 'pendulum'",
    )


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"stiffness": "1e4 N/mm"}, "torsional stiffness"),
        ({"damping": "2 kg"}, "s/rad"),
        ({"upper": "3 kg"}, "an angle"),
    ],
)
def test_units_of_a_stop_are_those_of_its_measure(option, words):
    m = pendulum()
    refused(errors.UnitError, lambda: lw.Limit(m["A"].angle, **{"upper": "30 deg", **option}), words)
    text = ", ".join(f"{key}: {value}" for key, value in {"upper": "30 deg", **option}.items())
    file = (
        "linkwork: 1\nbodies: {r: {shape: bar, length: 1, mass: 1}}\n"
        "joints: {A: {type: Revolute, on: ground, to: r.a}}\n"
        f"forces: {{f: {{type: Limit, measure: A.angle, {text}}}}}\n"
    )
    refused(errors.FileError, lambda: lw.read(file), words)


def test_an_item_before_its_name():
    m = lw.Mechanism("m")
    with pytest.raises(errors.DescriptionError, match=r'Got a Body; wanted a string.*before the item: m\.add\("crank"'):
        m.add(lw.bar(length=1.0, mass=1.0), "crank")


def test_a_decimal_comma_is_told():
    m = pendulum()
    words = ("the length of bar 'link'", "is a decimal comma meant?", "0.12")
    refused(errors.DescriptionError, lambda: m.add("link", lw.bar(length="0,12 m", mass=1)), *words)
    start = {"A.angle": "0,5 rad"}
    refused(errors.UnitError, lambda: m.assemble(start=start, coordinates="body"), "decimals stand behind a point")
    file = "linkwork: 1\nparameters: {b: 320,5 mm}\nbodies: {r: {shape: bar, length: b, mass: 1}}\n"
    refused(errors.FileError, lambda: lw.read(file), "is a decimal comma meant? Write 320.5 mm")


def test_the_ground_has_places_and_no_points():
    m = pendulum()
    refused(errors.UnknownNameError, lambda: m.add("B", lw.Revolute("ground.b", "rod.b")), "m.ground.at(0, 1)")


def test_until_as_commands_write_it():
    m, until = pendulum(), "A.angle = -90 deg"
    words = 'until={"A.angle": "-90 deg"}'
    refused(errors.DescriptionError, lambda: m.simulate(1, until=until, coordinates="body"), words)


def test_a_record_without_times():
    m = pendulum()
    refused(errors.DescriptionError, lambda: m.fit({"rod.mass": (1, 2)}, {"A.angle": [0, 1, 2]}), "has no times")


def test_words_of_others():
    refused(errors.ArgumentError, lambda: lw.Limit("A.angle", least=0), "perhaps lower is meant")
    refused(errors.UnitError, lambda: lw.bar(length="1 foot", mass=1), "nearest: ft")


@pytest.mark.filterwarnings("ignore:Motion of")
def test_degrees_in_a_range_are_told():
    m = pendulum()
    for ask in (lambda: m.kinematics(over={"A.angle": (0, 360, 5)}), lambda: m.equilibria({"A.angle": (0, 360)})):
        with pytest.warns(errors.UnlikelyAngleWarning, match=r"'A.angle' looks like degrees.*\"360 deg\""):
            ask()
    m.kinematics(over={"A.angle": (0, "360 deg", 5)})
