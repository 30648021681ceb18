"""Gears against derivations by hand: bearing forces equal the tooth force, also on a moving carrier.

The derivations are Newton's and Lagrange's equations of the gear trains, written out below; nothing in them comes from
the product.
"""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS


def pair(torque=10.0, r1=0.05, r2=0.10, internal=False):
    """Two gears on bearings fixed to ground, a torque on the first, a brake that holds the second."""
    m = lw.Mechanism("gear pair", gravity=None)
    distance = r1 - r2 if internal else r1 + r2
    one = m.add("one", lw.Body(mass=1.0, inertia=0.002, position=(0, 0)))
    two = m.add("two", lw.Body(mass=2.0, inertia=0.01, position=(distance, 0)))
    m.add("A", lw.Revolute(m.ground.at(0, 0), one))
    m.add("B", lw.Revolute(m.ground.at(distance, 0), two))
    m.add("G", lw.Gear(one, two, r1, r2, internal=internal))
    m.add("input", lw.Torque(one, torque))
    return m


@pytest.mark.parametrize("coordinates", SETS)
def test_bearing_forces_of_a_held_pair_equal_the_tooth_force(coordinates):
    m = pair()
    m.add("brake", lw.Hold(m.ground, m.bodies["two"], angle=0.0))
    ev = m.evaluate(coordinates=coordinates)
    tooth = 10.0 / 0.05  # nothing turns: the tooth force holds the torque, 200 N
    assert ev.reaction("A").magnitude == pytest.approx(tooth, rel=1e-9)
    assert ev.reaction("B").magnitude == pytest.approx(tooth, rel=1e-9)
    # tooth force on gear one acts against the torque: at (r1, 0) downwards, so its bearing pushes up
    assert ev.reaction("A").force == pytest.approx([0.0, tooth], abs=1e-7)
    assert ev.reaction("B").force == pytest.approx([0.0, -tooth], abs=1e-7)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("internal", [False, True])
def test_accelerations_and_bearings_of_a_turning_pair(internal, coordinates):
    # I1 a1 = T - F r1 ;  I2 a2 = -+ F r2 ;  r1 a1 = -+ r2 a2   (external: upper signs)
    torque, r1, r2, i1, i2 = 10.0, 0.05, 0.10, 0.002, 0.01
    if internal:  # `to` runs inside the ring `on`
        r1, r2, i1, i2 = 0.10, 0.05, 0.002, 0.01
    a1 = torque / (i1 + i2 * (r1 / r2) ** 2)
    tooth = (torque - i1 * a1) / r1
    ev = pair(torque, r1, r2, internal).evaluate(coordinates=coordinates)
    sign = 1.0 if internal else -1.0
    assert ev["one.angle.acceleration"] == pytest.approx(a1, rel=1e-9)
    assert ev["two.angle.acceleration"] == pytest.approx(sign * a1 * r1 / r2, rel=1e-9)
    assert ev.reaction("A").magnitude == pytest.approx(tooth, rel=1e-8)
    assert ev.reaction("B").magnitude == pytest.approx(tooth, rel=1e-8)


def planetary(w1=3.0, wc=1.3, phase=0.4):
    """Sun and carrier on one axis, a planet on the carrier that rolls on the sun; two freedoms."""
    r1, r2 = 0.06, 0.04
    arm = r1 + r2
    m = lw.Mechanism("planetary set", gravity=None)
    # r1 (w1 - wc) + r2 (w2 - wc) = 0
    w2 = wc - r1 / r2 * (w1 - wc)
    c, s = math.cos(phase), math.sin(phase)
    sun = m.add("sun", lw.Body(mass=1.0, inertia=0.0018, position=(0, 0), angular_velocity=w1))
    carrier = m.add("carrier", lw.Body(mass=0.5, inertia=0.003, position=(0, 0), angle=phase, angular_velocity=wc))
    planet = m.add(
        "planet",
        lw.Body(
            mass=0.7,
            inertia=0.0006,
            position=(arm * c, arm * s),
            angular_velocity=w2,
            velocity=(-arm * wc * s, arm * wc * c),
        ),
    )
    m.add("S", lw.Revolute(m.ground, sun))
    m.add("C", lw.Revolute(m.ground, carrier))
    m.add("P", lw.Revolute(carrier.at(arm, 0), planet))
    m.add("G", lw.Gear(sun, planet, r1, r2))
    m.add("input", lw.Torque(sun, 2.0))
    m.add("load", lw.Torque(carrier, -0.5))
    return m, r1, r2, arm


@pytest.mark.parametrize("coordinates", SETS)
def test_planetary_set_on_a_moving_carrier(coordinates):
    m, r1, r2, arm = planetary()
    w1, wc, phase = 3.0, 1.3, 0.4
    i1, ic, i2, mass = 0.0018, 0.003, 0.0006, 0.7
    # T = 1/2 i1 w1^2 + 1/2 (ic + m R^2) wc^2 + 1/2 i2 w2^2 with w2 = (1 + k) wc - k w1, k = r1/r2 (Lagrange)
    k = r1 / r2
    coupling = -i2 * k * (1 + k)
    inertia = np.array([[i1 + i2 * k * k, coupling], [coupling, ic + mass * arm**2 + i2 * (1 + k) ** 2]])
    a1, ac = np.linalg.solve(inertia, [2.0, -0.5])
    a2 = (1 + k) * ac - k * a1
    ev = m.evaluate(coordinates=coordinates)
    for body, expected in (("sun", a1), ("carrier", ac), ("planet", a2)):
        assert ev[f"{body}.angle.acceleration"] == pytest.approx(expected, rel=1e-9)
    # the tooth force on the sun, along the tangent at the pitch point, from the sun alone: i1 a1 = T + F r1
    tangent = np.array([-math.sin(phase), math.cos(phase)])
    radial = np.array([math.cos(phase), math.sin(phase)])
    tooth = (i1 * a1 - 2.0) / r1 * tangent
    assert ev.reaction("S").force == pytest.approx(-tooth, rel=1e-8)  # the sun's centre does not move
    # planet: m a = -tooth + pin, with its centre on a circle about the axis
    acceleration = ac * arm * tangent - wc**2 * arm * radial
    assert ev.reaction("P").force == pytest.approx(mass * acceleration + tooth, rel=1e-8)
    # planet about its centre: i2 a2 = moment of -tooth at the pitch point, -r2 radial from the centre
    assert i2 * a2 == pytest.approx(np.cross([*(-r2 * radial), 0.0], [*(-tooth), 0.0])[2], rel=1e-9)
    # carrier: its bearing carries the pin (its mass centre rests)
    assert ev.reaction("C").force == pytest.approx(mass * acceleration + tooth, rel=1e-8)
    assert w1 != wc


@pytest.mark.parametrize("coordinates", SETS)
def test_planetary_motion_over_many_turns(coordinates):
    m, r1, r2, _ = planetary()
    start = {"sun.angle.rate": 3.0, "carrier.angle.rate": 1.3}
    run = m.simulate(3.0, every=0.5, rtol=1e-10, coordinates=coordinates, start=start)
    sun, carrier, planet = (run[f"{name}.angle"] - run[f"{name}.angle"][0] for name in ("sun", "carrier", "planet"))
    assert abs(sun[-1]) > 100.0  # many full turns
    assert np.abs(r1 * (sun - carrier) + r2 * (planet - carrier)).max() < 1e-9 * abs(sun[-1])
    assert np.abs(run.energy.balance).max() < 1e-8 * run.energy.kinetic.max()


@pytest.mark.parametrize("coordinates", SETS)
def test_ring_gear_of_a_planetary_set(coordinates):
    """Sun drives, ring is fixed to ground: the carrier turns with z_s / (z_s + z_r) of the sun (Willis)."""
    r_sun, r_planet = 0.06, 0.04
    r_ring, arm = r_sun + 2 * r_planet, r_sun + r_planet
    m = lw.Mechanism("planetary with ring", gravity=None)
    sun = m.add("sun", lw.Body(1.0, 0.002, position=(0, 0)))
    carrier = m.add("carrier", lw.Body(0.5, 0.003, position=(0, 0), angle=0.0))
    planet = m.add("planet", lw.Body(0.7, 0.0006, position=(arm, 0)))
    m.add("S", lw.Revolute(m.ground, sun))
    m.add("C", lw.Revolute(m.ground, carrier))
    m.add("P", lw.Revolute(carrier.at(arm, 0), planet))
    m.add("G", lw.Gear(sun, planet, r_sun, r_planet))
    m.add("R", lw.Gear(m.ground, planet, r_ring, r_planet, internal=True))
    m.add("motor", lw.Driver(lw.Angle(m.ground, sun), lw.Polynomial(0.0, 40.0)))
    run = m.simulate(4.0, every=1.0, coordinates=coordinates)
    assert run["carrier.angle"] == pytest.approx(run["sun.angle"] * r_sun / (r_sun + r_ring), rel=1e-9, abs=1e-9)
    assert m.check(coordinates=coordinates).freedom == 0


@pytest.mark.parametrize("coordinates", SETS)
def test_belt_and_rack(coordinates):
    m = lw.Mechanism("belt and rack", gravity=None)
    one = m.add("one", lw.Body(1.0, 0.01, position=(0, 0)))
    two = m.add("two", lw.Body(1.0, 0.02, position=(0.5, 0)))
    rack = m.add("rack", lw.Body(3.0, 0.5, position=(0.5, -0.2)))
    m.add("A", lw.Revolute(m.ground, one))
    m.add("B", lw.Revolute(m.ground.at(0.5, 0), two))
    m.add("slide", lw.Prismatic(m.ground.at(0.5, -0.2), rack))
    m.add("belt", lw.Belt(one, two, 0.1, 0.2))
    m.add("mesh", lw.RackAndPinion(rack, two, 0.2))
    m.add("motor", lw.Torque(one, 1.5))
    # one: i1 a1 = T - F 0.1 ; two: i2 a2 = F 0.2 - R 0.2 ; rack: m a = R ; 0.1 a1 = 0.2 a2 ; the pinion on its +y side
    # turns by +a2 while the rack goes by 0.2 a2 in +x
    a1 = 1.5 / (0.01 + 0.02 * 0.25 + 3.0 * 0.01)
    ev = m.evaluate(coordinates=coordinates)
    assert ev["one.angle.acceleration"] == pytest.approx(a1, rel=1e-9)
    assert ev["two.angle.acceleration"] == pytest.approx(a1 / 2, rel=1e-9)
    assert ev["rack.x.acceleration"] == pytest.approx(0.1 * a1, rel=1e-9)
