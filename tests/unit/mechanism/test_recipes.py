"""Descriptions with texts of parameters: what waits, what does not, and what is made of it."""

import math
import pickle

import pytest

import linkwork as lw
from linkwork.errors import ArgumentError, DescriptionError, UnitError, UnknownNameError

A, B = lw.Frame("one"), lw.Frame("two")


@pytest.mark.parametrize(
    "make",
    [
        lambda: lw.bar("3*L", 1),
        lambda: lw.bar(1, 1, points={"tip": (0, "L/2")}),
        lambda: lw.bar(1, 1, position=("L", 0)),
        lambda: lw.box(1, "L", 1, density="rho"),
        lambda: lw.polygon([(0, 0), ("L", 0), (0, 1)], 1),
        lambda: lw.join((lw.bar(1, 1), "L", 0)),
        lambda: lw.join((lw.bar("L", 1), 0, 0), lw.disc(1, 1)),
        lambda: lw.Body(mass="M"),
        lambda: lw.Body(1, inertia=(1, "J", 1)),
        lambda: lw.Body(1, (1, 1, 1), orientation={"axis": (0, 0, 1), "angle": "a"}),
        lambda: lw.Body(1, (1, 1, 1), orientation={"order": "XYZ", "angles": (0, "a", 0)}),
        lambda: lw.Particle("M"),
        lambda: lw.Rod(A, B, length="2*0.3"),
        lambda: lw.Gear(A, B, "R", 1),
        lambda: lw.SpringDamper(A, B, stiffness="k"),
        lambda: lw.SpringDamper(A, B, actuator="F*sin(t)"),
        lambda: lw.Bushing(A, B, stiffness=(1, 1, 1, "k", 1, 1)),
        lambda: lw.PointForce(A, y="-M*9.81"),
        lambda: lw.UserForce(lw.Distance(A, B), lambda value, rate, t, k: -k * value, k="k"),
        lambda: lw.UserForce(reads=["w*t"], along=[lw.Distance(A, B)], law=print, numbers=["k"]),
        lambda: lw.Driver(lw.Angle(A, B), "w*t"),
        lambda: lw.Driver(lw.Angle(A, B), lw.Harmonic(1, "w")),
        lambda: lw.Driver(lw.Sum(("R", lw.Angle(A, B))), 0),
        lambda: lw.Reading(lw.Sum((1, lw.Angle(A, B)), ("R", lw.Distance(A, B)))),
        lambda: lw.Polynomial(1, "v"),
        lambda: lw.Table((0, 1), (0, "h")),
        lambda: lw.EdgeHeight(A, B, "R"),
    ],
)
def test_texts_of_parameters_wait(make):
    assert isinstance(make(), lw.Recipe)


@pytest.mark.parametrize(
    "make",
    [
        lambda: lw.bar("30 cm", "2 kg", width=3),
        lambda: lw.cylinder(1, 1, 1, axis="x"),
        lambda: lw.Body(1, outline=(("line", ((0, 0), (1, 0))), ("circle", (0, 0), 1.0)), name="M"),
        lambda: lw.Body(1, (1, 1, 1), orientation={"order": "XYZ", "angles": (0, 0.1, 0)}),
        lambda: lw.Driver(lw.Angle(A, B), "1200 rpm*t"),
        lambda: lw.Driver(lw.Angle(A, B), "2*pi*t + sin(t)", level="position", name="w"),
        lambda: lw.SpringDamper(A, B, actuator="2*sin(t)"),
        lambda: lw.PointForce(A, y=2, axes="body"),
        lambda: lw.Offset(A, B, "y"),
        lambda: lw.Expression("A*t", {"A": "2*C", "C": 1.5}),
        lambda: lw.Table([0, 1], [0, 1], "clamped"),
    ],
)
def test_words_and_quantities_do_not(make):
    assert not isinstance(make(), lw.Recipe)


def test_a_shape_is_known_by_what_it_was_made_of():
    rod = lw.bar("30 cm", 2, width=0.02)
    assert (rod.length, rod.width, rod.depth, rod.mass) == (0.3, 0.02, None, 2.0)
    m = lw.Mechanism()
    assert m.add("rod", rod).length == 0.3
    assert pickle.loads(pickle.dumps(m))["rod"].length == 0.3
    assert lw.tube(2, 1, 3, density=1).inner_radius == 1.0
    assert lw.polygon([(0, 0), ("1 m", 0), (0, 1)], 1).corners == ((0, 0), (1, 0), (0, 1))
    with pytest.raises(UnknownNameError, match=r"no point 'lenght'.*'length'"):
        m["rod"].lenght
    with pytest.raises(UnknownNameError):
        lw.Body(1.0).length


def test_a_point_comes_before_what_a_shape_was_made_of():
    rod = lw.Mechanism().add("rod", lw.bar(1, 1, points={"length": (0.1, 0)}))
    assert isinstance(rod.length, lw.Frame)


def test_what_was_given_to_a_shape_cannot_be_changed_afterwards():
    points, corners = {"tip": [0.1, 0]}, iter([(0, 0), (1, 0), (0, 1)])
    rod, figure = lw.bar(1, 1, points=points), lw.polygon(corners, 1)
    points["tip"][0] = 7.0
    assert lw.Recipe.of(rod).made({}) == rod
    assert lw.Recipe.of(figure).made({}) == figure


def test_a_recipe_says_what_it_is_and_what_it_waits_for():
    recipe = lw.bar(length="3*L", mass=1)
    assert repr(recipe) == "bar(length='3*L', mass=1)"
    with pytest.raises(
        DescriptionError, match=r"bar\(length='3\*L', mass=1\) waits for .* parameters of a mechanism, so that 'a' is"
    ):
        recipe.a
    with pytest.raises(DescriptionError, match="waits for the names and parameters"):
        lw.Polynomial("v")(0.0)
    assert recipe == lw.bar("3*L", 1) != lw.bar("2*L", 1)
    assert pickle.loads(pickle.dumps(recipe)) == recipe


def test_units_are_kept_through_expressions():
    m = lw.Mechanism(parameters={"L": "30 cm", "k": "20 N/mm", "R": "2*L", "n": 2})
    assert dict(m.parameters) == {"L": 0.3, "k": 20000.0, "R": 0.6, "n": 2.0}
    rod = m.add("rod", lw.bar("R + 0.1", "n*1 kg"))
    assert rod.length == 0.7 and rod.mass == 2.0
    end = m.ground.at("2*L", "n*L", angle="atan2(L, R)")
    assert end.position == (0.6, 0.6, 0.0) and end.angle == math.atan2(0.3, 0.6)
    with pytest.raises(UnitError, match=r"'wrong': bar length has a unit of another kind.*a stiffness"):
        m.add("wrong", lw.bar("2*k", 1))
    with pytest.raises(UnitError, match=r"x has a unit of another kind.*wanted a length"):
        m.ground.at("k", 0)
    pin = m.add("pin", lw.Revolute(m.ground, rod.a))
    with pytest.raises(UnitError, match=r"Force 'stop' .*upper has a unit of another kind"):
        m.add("stop", lw.Limit(pin.angle, upper="2*L"))
    with pytest.raises(UnitError, match=r"function has a unit of another kind"):
        m.add("motor", lw.Driver(pin.angle, "L*sin(1 rad/s*t)"))


def test_wrong_parameters():
    with pytest.raises(DescriptionError, match=r"Parameter 'a' is defined by itself. Got a -> b -> c -> a"):
        lw.Mechanism(parameters={"x": "a", "a": "2*b", "b": "c + 1", "c": "a"})
    with pytest.raises(UnknownNameError, match=r"no name 'M' in parameter 'L'"):
        lw.Mechanism(parameters={"L": "2*M"})
    with pytest.raises(DescriptionError, match=r"name 't'"):
        lw.Mechanism(parameters={"t": 1})
    with pytest.raises(DescriptionError, match=r"Parameters are not usable"):
        lw.Mechanism(parameters=[1])
    m = lw.Mechanism(parameters={"Len": 1})
    with pytest.raises(UnknownNameError, match=r"no parameter 'Lne' in '2.Lne', the length of bar 'rod'. Nearest"):
        m.add("rod", lw.bar("2*Lne", 1))
    with pytest.raises(UnknownNameError, match=r"no parameter 'q' in 'q', the x of make_frame"):
        m.ground.at("q", 0)
    with pytest.raises(ArgumentError, match=r"bar misses 'mass'"):
        lw.bar("L")
    with pytest.raises(TypeError):
        m.parameters["Len"] = 2


def test_gravity_by_a_parameter():
    m = lw.Mechanism(gravity=(0, "-g"), parameters={"g": "1.62 m/s^2"})
    assert m.gravity == (0.0, -1.62) and m.copy().written_gravity == (0, "-g")
    assert m.with_numbers({"g": 9.81}).gravity == (0.0, -9.81)
    assert m.with_numbers({"gravity": [0, "-2*g"]}).gravity == (0.0, -3.24)
    assert m.with_numbers({"gravity.x": "2*g", "g": 3}).gravity == (6.0, -3.0)  # the other one stays as written
    assert m.with_numbers({"gravity.y": "-1 km/s^2", "gravity": None}).gravity == (0.0, -1000.0)
    assert m.number("gravity.y") == -1.62
    with pytest.raises(UnitError, match="gravity has a unit of another kind"):
        m.with_numbers({"gravity.y": "1 km"})
    with pytest.raises(DescriptionError, match="gravity is not a number"):
        m.with_numbers({"gravity.y": None})
    with pytest.raises(UnknownNameError, match="There is no number"):
        m.with_numbers({"gravity.z": 1})
    m.gravity = (0.0, -5.0)  # set anew, it no longer follows
    assert m.written_gravity == (0.0, -5.0)
    with pytest.raises(UnitError, match=r"gravity has a unit of another kind"):
        lw.Mechanism(gravity=(0, "g"), parameters={"g": "1 m"})


def test_a_frame_made_with_other_parameters_is_refused():
    m = lw.Mechanism(parameters={"L": 1})
    other = m.with_numbers({"L": 2})
    rod = other.add("rod", lw.bar("L", 1))
    with pytest.raises(DescriptionError, match=r"made with other parameters"):
        other.add("A", lw.Revolute(m.ground.at("L", 0), rod.a))
    other.add("A", lw.Revolute(other.ground.at("L", 0), rod.a))


def test_an_item_in_another_mechanism_keeps_its_numbers():
    m = lw.Mechanism(parameters={"L": 1})
    rod = m.add("rod", lw.bar("L", 1))
    for parameters in ({"L": 3}, {"M": 3}, {}):
        other = lw.Mechanism(parameters=parameters)
        assert other.add("rod", rod).length == 1.0
        assert repr(other.recipe("rod")) == "bar(length=1.0, mass=1)"
        assert other.with_numbers(dict.fromkeys(parameters, 5))["rod"].length == 1.0
        assert lw.read(lw.to_text(other)) == other
