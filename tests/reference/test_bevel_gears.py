"""Bevel gears against hand derivations: ratio, tooth force in the bearings, a moving carrier, a differential."""

import math
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import DescriptionError, MisfitWarning

ON, TO = 0.3, 0.5  # pitch radii


def shafts(shaft, angle=None, apart=0.0):
    """Two gears on shafts in the ground that meet in the origin, `shaft` degrees apart; the first one is driven."""
    turn = math.radians(shaft)
    axis = (math.sin(turn), 0.0, math.cos(turn))
    m = lw.Mechanism("bevel", dimension=3, gravity=None)
    one = m.add("one", lw.Body(1.0, (0.03, 0.03, 0.05), position=(0, 0, 0.5)))
    two = m.add(
        "two",
        lw.Body(
            1.5,
            (0.05, 0.05, 0.08),
            position=(0.4 * axis[0], apart, 0.4 * axis[2]),
            orientation=lw.Orientation.from_axis_angle((0, 1, 0), turn),
        ),
    )
    m.add("A", lw.Revolute(m.ground, one.at(0, 0, -0.5)))
    m.add(
        "B",
        lw.Revolute(
            m.ground.at(0, apart, 0, axis=axis, along=(math.cos(turn), 0.0, -math.sin(turn))), two.at(0, 0, -0.4)
        ),
    )
    m.add(
        "G",
        lw.BevelGear(
            one.at(0, 0, -0.5), two.at(0, 0, -0.4), ON, TO, shaft_angle=turn if angle is None else math.radians(angle)
        ),
    )
    m.add("motor", lw.Torque(one, 2.0))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("shaft", [30, 60, 90, 120, 150])
def test_ratio_and_bearing_loads(shaft, coordinates):
    """The tooth pushes at the pitch point P: ON from one axis, TO from the other, in the plane of both."""
    run = shafts(shaft).simulate(1.0, coordinates=coordinates)
    alpha = 2.0 / (0.05 + 0.08 * (ON / TO) ** 2)
    tooth = 0.08 * alpha * ON / TO**2
    np.testing.assert_allclose(run["A.angle.rate"], alpha * run.t, atol=1e-9)
    np.testing.assert_allclose(run["B.angle.rate"], -alpha * ON / TO * run.t, atol=1e-9)
    turn = math.radians(shaft)
    a, b = TO / math.sin(turn), ON / math.sin(turn)  # P = a z_on + b z_to
    pitch_point = np.array([b * math.sin(turn), 0.0, a + b * math.cos(turn)])
    push = np.array([0.0, -tooth, 0.0])  # on the first gear
    free_of_axis = np.cross(pitch_point, push) * [1.0, 1.0, 0.0]
    for k in (0, 100, 200):
        np.testing.assert_allclose(run.reaction("A").force[k], -push, atol=1e-8)
        np.testing.assert_allclose(run.reaction("A").moment[k], -free_of_axis, atol=1e-8)
        np.testing.assert_allclose(run.reaction("B").force[k], push, atol=1e-8)


@pytest.mark.parametrize("coordinates", SETS)
def test_differential(coordinates):
    """Two equal suns face each other, a planet runs between them on a carrier: the carrier turns by their mean."""
    m = lw.Mechanism("differential", dimension=3, gravity=None)
    carrier = m.add("carrier", lw.Body(2.0, (0.3, 0.2, 0.4), position=(0, 0, 0)))
    left = m.add("left", lw.Body(1.0, (0.03, 0.03, 0.05), position=(0, 0, 0.2)))
    right = m.add(
        "right",
        lw.Body(
            1.0,
            (0.03, 0.03, 0.05),
            position=(0, 0, -0.2),
            orientation=lw.Orientation.from_axis_angle((1, 0, 0), math.pi),
        ),
    )
    planet = m.add(
        "planet",
        lw.Body(
            0.5,
            (0.02, 0.02, 0.03),
            position=(0.2, 0, 0),
            orientation=lw.Orientation.from_axis_angle((0, 1, 0), math.pi / 2),
        ),
    )
    m.add("C", lw.Revolute(m.ground, carrier))
    m.add("L", lw.Revolute(m.ground, left.at(0, 0, -0.2)))
    m.add("R", lw.Revolute(m.ground.at(axis=(0, 0, -1), along=(1, 0, 0)), right.at(0, 0, -0.2)))
    m.add("P", lw.Revolute(carrier.at(axis=(1, 0, 0), along=(0, 0, -1)), planet.at(0, 0, -0.2)))
    m.add("mesh_left", lw.BevelGear(left.at(0, 0, -0.2), planet.at(0, 0, -0.2), 0.2, 0.2))
    m.add("mesh_right", lw.BevelGear(right.at(0, 0, -0.2), planet.at(0, 0, -0.2), 0.2, 0.2))
    m.add("motor", lw.Torque(left, 1.5))
    m.add("engine", lw.Torque(carrier, 0.7))
    assert m.check(coordinates=coordinates).freedom == 2
    run = m.simulate(2.0, coordinates=coordinates)
    about_z = run["L.angle"] - run["R.angle"]  # the right one's z points down
    np.testing.assert_allclose(run["C.angle"], 0.5 * about_z, atol=1e-8)
    # by hand: with the turning of the planet on the carrier p = (l - r) / 2 and of the carrier c = (l + r) / 2, about z
    spin, carried = 0.03, 0.4 + 0.02 + 0.5 * 0.2**2
    # T = 1/2 (0.05 (l^2 + r^2) + spin p^2 + carried c^2)
    mass = np.array(
        [[0.05 + (spin + carried) / 4, (carried - spin) / 4], [(carried - spin) / 4, 0.05 + (spin + carried) / 4]]
    )
    left_, right_ = np.linalg.solve(mass, [1.5 + 0.35, 0.35])
    np.testing.assert_allclose(run["L.angle.rate"], left_ * run.t, atol=1e-7)
    np.testing.assert_allclose(run["R.angle.rate"], -right_ * run.t, atol=1e-7)
    assert np.abs(run.energy.balance).max() < 1e-6


def test_sets_agree_while_the_carrier_tumbles():
    m = shafts(70)
    frame = m.add("frame", lw.Body(3.0, (0.5, 0.6, 0.7), position=(0, 0, 0)))
    turn = math.radians(70)
    m.add("ball", lw.Spherical(m.ground, frame))
    m.replace("A", lw.Revolute(frame.at(0, 0, 0), m["one"].at(0, 0, -0.5)))
    m.replace(
        "B",
        lw.Revolute(
            frame.at(0, 0, 0, axis=(math.sin(turn), 0, math.cos(turn)), along=(math.cos(turn), 0.0, -math.sin(turn))),
            m["two"].at(0, 0, -0.4),
        ),
    )
    assert m.verify(1.0), m.verify(1.0)


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (lambda: shafts(90, angle=80), "another angle than its shaft_angle: 90 deg instead of 80 deg"),
        (lambda: shafts(90, apart=0.1), "do not meet at the origins of its frames: those are 0.1 m apart"),
    ],
)
def test_bearings_that_do_not_fit(mechanism, words):
    with pytest.warns(MisfitWarning, match=words):
        mechanism().assemble(coordinates="body")


def test_gears_that_do_not_fit():
    def gears(make, axis=(0, 0, 1), apart=0.8):
        m = lw.Mechanism("gears", dimension=3, gravity=None)
        one = m.add("one", lw.Body(1.0, (1, 1, 1), position=(0, 0, 0)))
        two = m.add("two", lw.Body(1.0, (1, 1, 1), position=(apart, 0, 0)))
        m.add("A", lw.Revolute(m.ground, one))
        m.add("B", lw.Revolute(m.ground.at(apart, 0, 0, axis=axis), two.at(0, 0, 0, axis=axis)))
        m.add("G", make(one.at(0, 0), two.at(0, 0, 0, axis=axis)))
        return m

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gears(lambda on, to: lw.Gear(on, to, ON, TO)).assemble(coordinates="body")
        gears(lambda on, to: lw.Belt(on, to, ON, TO), apart=2.0).assemble(coordinates="body")
    for make, options, words in [
        (lambda on, to: lw.Gear(on, to, ON, TO), {"apart": 0.9}, "centres are 0.9 m apart, and the radii want 0.8 m"),
        (lambda on, to: lw.Gear(on, to, ON, TO, internal=True), {}, "the radii want 0.2 m"),
        (lambda on, to: lw.Gear(on, to, ON, TO), {"axis": (0, 0, -1)}, "axes z that point against each other"),
        (lambda on, to: lw.Belt(on, to, ON, TO), {"axis": (0, 1, 1)}, "axes z that are not parallel"),
        (lambda on, to: lw.RackAndPinion(on, to, TO), {}, "does not touch the rack"),
    ]:
        with pytest.warns(MisfitWarning, match=words):
            gears(make, **options).assemble(coordinates="body")


@pytest.mark.parametrize("angle", [0.0, -1.0, math.pi, 4.0, math.nan])
def test_shaft_angles_that_no_bevel_gear_has(angle):
    m = lw.Mechanism("bevel", dimension=3)
    one, two = (m.add(name, lw.Body(1.0, (1, 1, 1))) for name in ("one", "two"))
    with pytest.raises(DescriptionError, match="shaft_angle"):
        lw.BevelGear(one, two, ON, TO, shaft_angle=angle)
