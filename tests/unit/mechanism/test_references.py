"""Frames and measures by their names: in Python as in files, and what is told of names that nothing has."""

import inspect

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ArgumentError, DescriptionError, UnknownNameError


def links(dimension=2):
    m = lw.Mechanism("links", dimension=dimension, parameters={"L": 0.5, "k": "20 N/m"})
    m.add("crank", lw.bar(length=1.0, mass=1.0))
    m.add("coupler", lw.bar(length=2.0, mass=1.0, points={"tip": (0.3, 0.4)}))
    return m


def by_names():
    m = links()
    m.add("A", lw.Revolute("ground", "crank.a"))
    m.add("B", lw.Revolute("crank.b", "coupler.a"))
    m.add("motor", lw.Driver("A.angle", "2 rad/s*t"))
    m.add("stop", lw.Limit("B.angle", lower="-2*L", stiffness=1e3))
    m.add("spring", lw.SpringDamper("ground", "coupler.tip", stiffness="k"))
    m.add("push", lw.PointForce("coupler.b", x=3.0))
    m.add("twist", lw.Torque("coupler", 2.0, on="crank"))
    m.add("way", lw.Reading(lw.Distance("coupler.tip", "ground")))
    m.add("both", lw.Reading(lw.Sum((2.0, "A.angle"), ("L", "B.angle"), (1.0, "crank.angle"))))
    m.add("law", lw.UserForce("coupler.tip.y", lambda value, rate, t, c: -c * rate, c=3.0))
    m.add("long", lw.UserForce(reads=["A.angle", "L*t"], along=["B.angle"], law=long_law))
    return m


def long_law(values, rates, t, numbers, memory, out):
    out[0] = 0.1 * values[0] + values[1]


def by_objects():
    m = links()
    crank, coupler = m["crank"], m["coupler"]
    A = m.add("A", lw.Revolute(m.ground, crank.a))
    B = m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("motor", lw.Driver(A.angle, "2 rad/s*t"))
    m.add("stop", lw.Limit(B.angle, lower="-2*L", stiffness=1e3))
    m.add("spring", lw.SpringDamper(m.ground, coupler.tip, stiffness="k"))
    m.add("push", lw.PointForce(coupler.b, x=3.0))
    m.add("twist", lw.Torque(coupler, 2.0, on=crank))
    m.add("way", lw.Reading(lw.Distance(coupler.tip, m.ground)))
    turned = lw.Angle(m.ground, crank)
    m.add("both", lw.Reading(lw.Sum((2.0, A.angle), ("L", B.angle), (1.0, turned))))
    height = lw.WorldOffset(m.ground, coupler.tip, "y")
    m.add("law", lw.UserForce(height, lambda value, rate, t, c: -c * rate, c=3.0))
    m.add("long", lw.UserForce(reads=[A.angle, "L*t"], along=[B.angle], law=long_law))
    return m


def test_names_and_objects_describe_the_same():
    named, given = by_names(), by_objects()
    for name in ("A", "B", "motor", "stop", "spring", "push", "twist", "way", "both"):
        assert named[name] == given[name], name
    for name in ("law", "long"):
        assert named[name].reads[0] == given[name].reads[0] and named[name].along == given[name].along


@pytest.mark.parametrize("make", [by_names, by_objects])
def test_points_that_move_take_along_what_names_them(make):
    m = make().with_numbers({"coupler.points.tip": (0.1, 0.2), "L": 0.7})
    assert m["spring"].to.position == (0.1, 0.2, 0.0) and m["way"].measure.on.position == (0.1, 0.2, 0.0)
    assert m["stop"].lower == -1.4 and m["both"].measure.parts[1][0] == 0.7


def test_a_file_says_the_same_names():
    m = links()
    m.add("A", lw.Revolute("ground", "crank.a"))
    m.add("way", lw.Reading("coupler.tip.y"))
    m.add("turn", lw.Driver("crank.angle", "1 rad/s*t"))
    text = """
    linkwork: 1
    name: links
    parameters: {L: 0.5, k: 20 N/m}
    bodies:
      crank: {shape: bar, length: 1, mass: 1}
      coupler: {shape: bar, length: 2, mass: 1, points: {tip: [0.3, 0.4]}}
    joints: {A: {type: Revolute, on: ground, to: crank.a}}
    drivers: {turn: {measure: crank.angle, function: 1 rad/s*t}}
    readings: {way: {measure: coupler.tip.y}}
    """
    read = lw.read_document(text).mechanism
    assert read["way"].measure == m["way"].measure and read["turn"].measure == m["turn"].measure
    assert lw.read_document(lw.to_text(m)).mechanism == m


def test_replace_takes_names():
    m = by_names()
    m.replace("motor", lw.Driver("B.angle", 0.5))
    assert m["motor"].measure == m["B"].angle


def test_in_space():
    m = links(3)
    m.add("A", lw.Spherical("ground", "crank.a"))
    m.add("high", lw.Reading("crank.b.z"))
    assert m["high"].measure == lw.WorldOffset(m.ground, m["crank"].b, "z")
    with pytest.raises(UnknownNameError, match=r"no measure 'crank\.angle'"):  # in space one number is not enough
        m.add("turn", lw.Reading("crank.angle"))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: lw.Revolute("cranck", "ground"), ["body 'cranck'", "Nearest: 'crank'", "Revolute 'x'"]),
        (lambda: lw.Revolute("ground", "coupler.tpi"), ["point 'tpi'", "on body 'coupler'", "Nearest: 'tip'"]),
        (lambda: lw.Revolute("ground.a", "crank"), ["point 'a'", "No point is known there"]),
        (lambda: lw.Revolute("A", "crank"), ["no body 'A'"]),
        (lambda: lw.Driver("A.angel", 1.0), ["measure 'A.angel'", "Nearest: 'A.angle'", "Driver 'x'"]),
        (lambda: lw.Driver("A", 1.0), ["measure 'A'", "Known: 'A.angle'"]),
        (lambda: lw.Limit("a.angle", upper=1.0), ["Nearest: 'A.angle'"]),
        (lambda: lw.Reading(lw.Sum((1.0, "A.angel"))), ["Nearest: 'A.angle'", "Sum"]),
        (lambda: lw.Reading(lw.Distance("crank.b", "coupler.tpi")), ["Nearest: 'tip'", "Distance"]),
        (lambda: lw.UserForce(reads=["B.angle"], along=["A.angle"], law=long_law), ["measure 'B.angle'"]),
        (lambda: lw.Revolute("crank.a", "crank.b"), ["both frames on body 'crank'"]),
        (lambda: lw.Revolute("", "crank.b"), ["no body ''"]),
    ],
)
def test_unknown_names_are_told_with_the_nearest(make, words):
    m = links()
    m.add("A", lw.Revolute("ground", "crank.a"))
    with pytest.raises(DescriptionError) as told:
        m.add("x", make())
    assert all(word in str(told.value) for word in words), str(told.value)
    assert "x" not in m


def test_what_waits_for_names_says_so():
    with pytest.raises(DescriptionError, match="waits for the names"):
        lw.Revolute("ground", "crank.a").angle
    with pytest.raises(DescriptionError, match="only a mechanism knows"):
        lw.Revolute("ground", "crank.a").made({})


def test_a_mechanism_gives_what_a_name_means():
    m = by_names()
    assert m["crank.a"] == m["crank"].a == m.frame("crank.a")
    assert m.frame("crank") == m["crank"].at() and m.frame("ground") == m.ground.at()
    assert m["A.angle"] == m["A"].angle == m.measure("A.angle")
    assert m.measure("spring.length") == m["spring"].length and m.measure("motor.value") == m["A"].angle
    assert {"crank", "crank.a", "A.angle", "coupler.tip.y", "ground"} <= set(m._ipython_key_completions_())
    for name in m._ipython_key_completions_():
        assert m[name] is not None
    with pytest.raises(UnknownNameError, match=r"measure 'crank\.c'"):
        m["crank.c"]


def test_dir_offers_points_and_readings():
    m = by_names()
    assert {"a", "b", "tip", "length", "mass", "at"} <= set(dir(m["coupler"]))
    assert "angle" in dir(m["A"]) and "length" in dir(m["spring"]) and "value" in dir(m["stop"])
    for item in (m["coupler"], m["A"], m["spring"], m["stop"]):
        for name in dir(item):
            getattr(item, name)


@pytest.mark.slow
def test_keys_of_results_can_be_read():
    run = by_names().simulate(0.1, every=0.05, coordinates="body")
    offered = run._ipython_key_completions_()
    assert {"A.angle", "A.angle.rate", "coupler.tip.y.acceleration", "energy.total", "B.reaction.x"} <= set(offered)
    assert all(np.isfinite(run[name]).all() for name in offered)
    evaluation = by_names().evaluate({"crank.angle": 0.1}, coordinates="body")
    assert evaluation._ipython_key_completions_() == offered


# -- signatures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [lw.Mechanism, lw.Result, lw.State])
def test_signatures_name_their_arguments(kind):
    for name in dir(kind):
        method = getattr(kind, name)
        made = isinstance(inspect.getattr_static(kind, name), classmethod)  # by the product
        if name.startswith("_") or not callable(method) or made:
            continue
        hidden = [one.name for one in inspect.signature(method).parameters.values() if one.kind is one.VAR_KEYWORD]
        if kind is lw.Mechanism and name in ("sweep", "optimize", "fit"):
            hidden.remove("more")  # those of the analysis that it is told, which names them
        assert not hidden, f"{kind.__name__}.{name} takes **{hidden[0]}"
        assert inspect.getdoc(method), f"{kind.__name__}.{name} has no docstring"


@pytest.mark.parametrize("name", ["assemble", "check", "evaluate", "simulate", "prepare", "verify"])
def test_questions_have_the_arguments_of_their_functions(name):
    function, method = getattr(lw, name), getattr(by_names(), name)
    _, *wanted = inspect.signature(function).parameters.values()
    assert list(inspect.signature(method).parameters.values()) == wanted
    assert method.__doc__ == function.__doc__


def test_wrong_arguments_of_methods_are_told():
    with pytest.raises(ArgumentError, match=r"no argument 'evry'.*Perhaps every"):
        by_names().simulate(1.0, evry=0.1, coordinates="body")
    with pytest.raises(ArgumentError, match="draw_mechanism has no argument 'trace'"):
        by_names().draw(trace="coupler.tip")
