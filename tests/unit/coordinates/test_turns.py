"""In which full turn an angle begins: in the plane and in space, in both sets of coordinates, whatever leads there."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork import textbook
from linkwork.coordinates import SETS

TURN = 2.0 * math.pi


def sprung(angle=None, on=None, to=None, rest=0.0):
    """A body on a pin, its angle held by a spring between frames of its own."""
    m = lw.Mechanism("sprung", gravity=None)
    body = m.add("body", lw.Body(1.0, 0.5, position=(0.0, 0.0), angle=angle))
    m.add("A", lw.Revolute(m.ground, body))
    m.add("S", lw.TorsionSpringDamper(m.ground.at(**(on or {})), body.at(**(to or {})), stiffness=2.0, rest_angle=rest))
    return m


def everywhere(m):
    return [(one, coordinates) for one in (m, m.in_space()) for coordinates in SETS]


def begins(m, name, **options):
    """What a run begins with in the plane and in space, in every set: one number."""
    found = [one.simulate(0.01, coordinates=coordinates, **options)[name][0] for one, coordinates in everywhere(m)]
    assert found == pytest.approx([found[0]] * len(found), abs=1e-9)
    return found[0]


@pytest.mark.parametrize("where", range(4))
def test_a_spring_between_given_directions_is_not_wound(where):
    """The directions are 0.838 rad apart: atan2 of x_to against x_on."""
    m, coordinates = everywhere(sprung(-0.2, {"along": (-0.6, 0.8)}, {"along": (-0.9, -0.1)}, 0.3))[where]
    x_on = complex(-0.6, 0.8)
    x_to = complex(-0.9, -0.1) * complex(math.cos(-0.2), math.sin(-0.2))
    angle = math.atan2((x_on.conjugate() * x_to).imag, (x_on.conjugate() * x_to).real)
    torque = -2.0 * (angle - 0.3)
    assert torque == pytest.approx(-1.0759, abs=1e-4)
    assert m.evaluate(coordinates=coordinates)["S.torque"] == pytest.approx(torque, abs=1e-9)
    assert m.assemble(coordinates=coordinates)["S.angle"] == pytest.approx(angle, abs=1e-9)
    run = m.simulate(1.0, coordinates=coordinates)
    # a rotor on a spring: the angle swings about its rest
    wanted = 0.3 + (angle - 0.3) * np.cos(math.sqrt(2.0 / 0.5) * run.t)
    assert run["S.angle"] == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("kind", [lw.Fixed, lw.Prismatic])
def test_declared_turns_pass_joints_that_do_not_turn(kind):
    m = lw.Mechanism("carried", gravity=None)
    one = m.add("one", lw.Body(1.0, 0.5, position=(0.0, 0.0), angle=1.0))
    two = m.add("two", lw.Body(1.0, 0.5, position=(0.0, 0.0), angle=1.0 + TURN))
    m.add("A", lw.Revolute(m.ground, one))
    m.add("F", kind(one, two))
    m.add("S", lw.TorsionSpringDamper(m.ground, two, stiffness=1.0, rest_angle=0.3))
    for coordinates in SETS:
        ev = m.evaluate(coordinates=coordinates)
        assert (ev["S.torque"], ev["two.angle"]) == pytest.approx((-(0.7 + TURN), 1.0 + TURN), abs=1e-12)


@pytest.mark.parametrize("degrees", [180, -180, 200, -200, 359, 361, 400, 700, -700])
def test_the_angle_of_a_body_is_as_declared(degrees):
    angle = math.radians(degrees)
    m = sprung(angle)
    for name in ("A.angle", "S.angle"):
        assert begins(m, name) == pytest.approx(angle, abs=1e-12)
    assert m.simulate(0.01, coordinates="body")["body.angle"][0] == angle


@pytest.mark.parametrize("degrees, wanted", [(180, 0), (200, 20), (-200, -20), (0, 180), (340, 160), (400, 580)])
def test_other_axes_begin_within_half_a_turn_unless_the_body_is_beyond_a_turn(degrees, wanted):
    m = sprung(math.radians(degrees), to={"along": (-1.0, 0.0)})
    assert math.degrees(begins(m, "S.angle")) == pytest.approx(wanted, abs=1e-9)


def test_axes_of_frames_have_no_turns():
    assert begins(sprung(0.5, {"angle": 7.0}, {"angle": -20.0}), "S.angle") == pytest.approx(
        math.remainder(0.5 - 20.0 - 7.0, TURN), abs=1e-9)  # fmt: skip


@pytest.mark.parametrize("angle", [None, 0.6, 7.5])
@pytest.mark.parametrize("how", ["start", "near"])
def test_a_value_says_the_turn_whatever_was_declared(angle, how):
    m = sprung(angle)
    m.add("again", lw.TorsionSpringDamper(m.ground.at(1.0, 1.0, angle=1.0), m.bodies["body"].at(angle=1.0 + TURN),
                                          stiffness=1.0))  # fmt: skip
    m.add("back", lw.TorsionSpringDamper(m.bodies["body"], m.ground, stiffness=1.0))
    for value in (400.0, -320.0):
        found = [begins(m, name, **{how: {"A.angle": f"{value} deg"}}) for name in
                 ("A.angle", "S.angle", "again.angle")]  # fmt: skip
        assert found == pytest.approx([found[0]] * 3, abs=1e-9)
        assert abs(math.degrees(found[0]) - value) < (1e-9 if how == "start" else 180.0)
        assert begins(m, "back.angle", **{how: {"A.angle": f"{value} deg"}}) == pytest.approx(-found[0], abs=1e-9)
        run = m.simulate(0.01, coordinates="body", **{how: {"A.angle": f"{value} deg"}})
        assert run["body.angle"][0] == pytest.approx(found[0], abs=1e-9)


def test_a_direction_begins_within_half_a_turn_of_its_frame():
    m = lw.Mechanism("rod", gravity=None)
    arm = m.add("arm", lw.Body(1.0, 0.5, position=(0.0, 0.0), angle=3.0))
    bob = m.add("bob", lw.Particle(1.0, position=(math.cos(-3.0), math.sin(-3.0))))
    m.add("A", lw.Revolute(m.ground, arm))
    m.add("R", lw.Rod(arm.at(angle=0.5), bob.at(), length=1.0))
    m.add("stop", lw.Limit(m.joints["R"].direction, upper=1.0, stiffness=1.0))
    wanted = -3.0 - 3.5 + TURN
    assert begins(m, "R.direction") == pytest.approx(wanted, abs=1e-9)
    assert begins(m, "stop.value") == pytest.approx(wanted, abs=1e-9)
    assert begins(m, "stop.value", start={"R.direction": wanted + TURN}) == pytest.approx(wanted + TURN, abs=1e-9)


@pytest.mark.parametrize("exchanged", [False, True])
def test_a_body_that_is_placed_by_its_joint_begins_within_half_a_turn(exchanged):
    m = lw.Mechanism("placed", gravity=None)
    arm = m.add("arm", lw.Body(1.0, 0.5, position=(0.0, 0.0), angle=3.0))
    tip = m.add("tip", lw.Body(1.0, 0.5))
    m.add("A", lw.Revolute(m.ground, arm))
    ends = arm.at(1.0, 0.0, along=(-0.6, 0.8)), tip.at(along=(-0.9, -0.1))
    m.add("B", lw.Revolute(*(ends[::-1] if exchanged else ends)))
    wanted = math.remainder(3.0 + math.atan2(0.8, -0.6) - math.atan2(-0.1, -0.9), TURN)
    for coordinates in SETS:
        run = m.simulate(0.01, coordinates=coordinates)
        assert (run["tip.angle"][0], run["B.angle"][0]) == pytest.approx((wanted, 0.0), abs=1e-9)
        ev = m.evaluate({"B.angle": 0.4}, coordinates="joint")
        assert ev["tip.angle"] == pytest.approx(wanted + (-0.4 if exchanged else 0.4), abs=1e-9)


def test_joint_coordinates_are_the_angles_that_are_read():
    m = sprung(-0.2)
    m.replace("A", lw.Revolute(m.ground.at(along=(-0.6, 0.8)), m.bodies["body"].at(along=(-0.9, -0.1))))
    for start in ({}, {"A.angle": 9.0}):
        state = m.assemble(start=start, coordinates="body").state
        ev = m.evaluate(state, coordinates="joint")
        assert ev.joint.values == pytest.approx([state["A.angle"]], abs=1e-12)
    assert state["A.angle"] == pytest.approx(9.0)


def test_turns_stay_in_files_and_in_copies(tmp_path):
    m = sprung(0.6, {"angle": 2.0})
    run = m.simulate(0.5, coordinates="body", start={"A.angle": 0.6 + 2 * TURN, "S.angle": 0.6 - 2.0 - TURN})
    path = tmp_path / "run.json"
    run.save(path)
    again = lw.load(path)
    for name in ("A.angle", "S.angle", "body.angle"):
        assert again[name] == pytest.approx(run[name], abs=1e-12)
    assert (run["A.angle"][0], run["S.angle"][0]) == pytest.approx((0.6 + 2 * TURN, -1.4 - TURN), abs=1e-9)
    other = sprung(0.6, {"angle": 2.0})  # the same with a spring more, which reads what the first did not
    other.add("more", lw.TorsionSpringDamper(other.ground, other.bodies["body"], stiffness=0.1))
    on = other.evaluate(run.final, coordinates="body")
    for name, wanted in (("S.angle", run["S.angle"][-1]), ("more.angle", run["A.angle"][-1])):
        assert on[name] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("lifted", [False, True])
def test_other_ways_to_assemble_begin_within_half_a_turn(lifted):
    m = lw.gallery.four_bar()
    m.add("S", lw.TorsionSpringDamper(m.joints["B"].on.turned(3.0), m.joints["B"].to.turned(-3.0), stiffness=1.0))
    m = m.in_space() if lifted else m
    others = m.assemble(start={"A.angle": "60 deg"}, coordinates="body").others
    assert others
    for one in others:
        assert abs(one["S.angle"]) <= math.pi + 1e-9


@pytest.mark.parametrize("angle, on, to", [(-0.2, 2.2, -3.0), (7.0, 2.2, -3.0), (4.0, 0.0, 0.0), (4.0, 3.0, 0.0)])
def test_the_textbook_counts_alike(angle, on, to):
    m = sprung(angle, {"angle": on}, {"angle": to}, 0.3)
    book = textbook.planar_bridge.from_mechanism(m)
    theta0 = book.forces[0].theta0
    assert angle - theta0 == pytest.approx(m.evaluate(coordinates="body")["S.angle"] - 0.3, abs=1e-12)


def test_a_rolling_reference_is_met_in_the_nearest_turn():
    """x + radius * angle is kept; the disc is declared where that holds, but for full turns."""
    m = lw.Mechanism("disc", gravity=None)
    disc = m.add("disc", lw.Body(1.0, 0.1, position=(5.0, 0.4), angle=0.0))
    m.add("W", lw.RollingDisc(m.ground, disc.at(angle=1.0), radius=0.4, reference=5.4 - 0.4 * 3 * TURN))
    for coordinates in SETS:
        run = m.simulate(0.5, start={"disc.x.rate": 1.0}, coordinates=coordinates)
        assert (run["disc.x"][0], run["disc.angle"][0]) == pytest.approx((5.0, 0.0), abs=1e-9)
        assert run["disc.x"] + 0.4 * run["disc.angle"] == pytest.approx(5.0, abs=1e-7)


def wound(dimension, **declared):
    """Two bars on pins, and springs between the same axes as the pins, and from the ground to the second bar."""
    m = lw.Mechanism("wound", gravity=None)
    a, b = (m.add(name, lw.bar(length=1.0, mass=1.0, angle=declared.get(name))) for name in "ab")
    m.add("A", lw.Revolute(m.ground.at(0, 0), a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    for name, on, to in (("T", m.ground, b), ("TA", m.ground, a), ("TB", a, b)):
        m.add(name, lw.TorsionSpringDamper(on, to, stiffness=1.0))
    return m if dimension == 2 else m.in_space()


@pytest.mark.parametrize(
    ("declared", "start"),
    [
        ({}, {"A.angle": "400 deg", "B.angle": 0.0}),
        ({}, {"A.angle": "100 deg", "B.angle": "100 deg"}),
        ({}, {"A.angle": "200 deg", "B.angle": "200 deg"}),
        ({}, {"A.angle": "15 rad", "B.angle": "-9 rad"}),
        ({}, {"TA.angle": "15 rad", "TB.angle": "-9 rad"}),
        ({}, {"T.angle": "9 rad", "A.angle": "-8 rad"}),
        ({"a": "400 deg"}, {}),
        ({"b": "400 deg"}, {}),
        ({"a": "400 deg", "b": "400 deg"}, {}),
    ],
)
def test_turns_of_plane_and_space_are_the_same(declared, start):
    """Each angle by the one rule: as said for it or its axes, else within half a turn."""
    names = ("A.angle", "B.angle", "T.angle", "TA.angle", "TB.angle", "T.torque")
    found = [
        [run[name] for name in names]
        for dimension in (2, 3)
        for coordinates in ("body", "joint", "point")
        for run in [wound(dimension, **declared).simulate(0.5, every=0.1, start=start, coordinates=coordinates)]
    ]
    for other in found[1:]:
        assert np.array(other) == pytest.approx(np.array(found[0]), abs=1e-6)
    said = {name.split(".")[0].removeprefix("T") for name in start if name != "T.angle"}
    if not declared and "T.angle" not in start:
        assert abs(found[0][2][0]) <= np.pi  # nothing is said about it
        assert said and found[0][0][0] == pytest.approx(found[0][3][0])
