"""Assembly: what is declared stays, what is free gives way; branches; singular estimates."""

import math

import numpy as np
import pytest

import linkwork as lw


def slider_crank():
    m = lw.Mechanism("slider-crank")
    crank = m.add("crank", lw.bar(length=0.1, mass=1.0))
    rod = m.add("rod", lw.bar(length=0.25, mass=1.0))
    piston = m.add("piston", lw.Body(0.5, 0.01))
    m.add("A", lw.Revolute(m.ground, crank.a))
    m.add("B", lw.Revolute(crank.b, rod.a))
    m.add("C", lw.Revolute(rod.b, piston))
    m.add("guide", lw.Prismatic(m.ground, piston))
    return m


def test_a_declared_spin_is_kept_and_what_was_not_declared_follows():
    m = lw.Mechanism("pendulum")
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0, angle=0.0, angular_velocity=3.0))
    m.add("A", lw.Revolute(m.ground, bar.a))
    a = m.assemble(coordinates="body")
    assert a["bar.angle.rate"] == pytest.approx(3.0, rel=1e-12)
    assert a["bar.y.rate"] == pytest.approx(1.5, rel=1e-12)


def test_a_sleigh_keeps_the_speeds_it_was_given():
    m = lw.Mechanism("sleigh", gravity=None)
    body = m.add(
        "body", lw.Body(1.0, 0.1, center=(0.2, 0), position=(0, 0), angle=0.0, velocity=(1, 0), angular_velocity=2.0)
    )
    m.add("blade", lw.KnifeEdge(m.ground, body))
    a = m.assemble(coordinates="body")
    assert (a["body.x.rate"], a["body.angle.rate"]) == pytest.approx((1.0, 2.0), rel=1e-12)
    assert a.others == []


def test_declared_speeds_that_contradict_a_joint_are_corrected_together():
    m = lw.Mechanism("pendulum")
    bar = m.add("bar", lw.Body(3.0, 1.0, position=(0.5, 0), angle=0.0, velocity=(0, 1), angular_velocity=0.0))
    m.add("A", lw.Revolute(m.ground, bar.at(-0.5, 0)))
    # least change in the metric of the masses:  m (v - 1)^2 + J w^2  with  v = w / 2
    a = m.assemble(coordinates="body")
    assert a["bar.angle.rate"] == pytest.approx(3.0 * 0.5 / (3.0 * 0.25 + 1.0), rel=1e-9)


@pytest.mark.parametrize("x", [0.5, 1.2, 1.99])
def test_a_particle_on_a_rod_is_found_from_a_singular_estimate(x):
    m = lw.Mechanism("rod")
    bead = m.add("bead", lw.Particle(0.5))
    m.add("rod", lw.Rod(m.ground, bead, length=2.0))
    a = m.assemble(start={"bead.x": x}, coordinates="body")
    assert abs(a["bead.y"]) == pytest.approx(math.sqrt(4.0 - x * x), rel=1e-9)


def test_results_of_a_particle_on_a_rod_can_be_printed_and_tabled():
    m = lw.Mechanism("rod")
    bead = m.add("bead", lw.Particle(0.5, position=(2.0, 0.0)))
    m.add("rod", lw.Rod(m.ground, bead, length=2.0))
    run = m.simulate(0.5, coordinates="body")
    assert "rod.angle" not in run.names
    assert "rod.length" in str(run)
    assert np.isfinite(run.to_pandas().to_numpy()).all()
    assert run["rod.direction"][-1] < -0.3


def test_the_mirror_of_a_slider_crank_is_seen():
    a = slider_crank().assemble(start={"guide.slide": 0.3}, coordinates="body")
    angle = a["crank.angle"]
    assert len(a.others) == 1
    assert math.sin(a.others[0]["crank.angle"]) == pytest.approx(-math.sin(angle), abs=1e-6)
    assert "near={" in str(a)


@pytest.mark.parametrize("in_space", [False, True])
def test_mirror_images_are_told_apart_and_can_be_run(in_space):
    m = lw.gallery.four_bar()
    m = m.in_space() if in_space else m
    a = m.assemble(start={"A.angle": "60 deg"}, coordinates="body")
    assert len(a.others) == 1
    other = a.others[0]
    assert math.sin(other["C.angle"]) == pytest.approx(-math.sin(a["C.angle"]), abs=1e-9)
    assert "near={" in str(a)
    for coordinates in ("body", "joint", "point"):
        run = m.simulate(0.01, start=other, coordinates=coordinates)
        assert math.sin(run["C.angle"][0]) == pytest.approx(math.sin(other["C.angle"]), abs=1e-9)
    name = "coupler.angle" if not in_space else "B.angle"
    again = m.assemble(start={"A.angle": "60 deg"}, near={name: other[name]}, coordinates="body")
    assert again[name] == pytest.approx(other[name], abs=1e-9)


def test_an_open_chain_has_no_other_branch():
    m = lw.Mechanism("pendulum")
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, bar.a))
    assert m.assemble(coordinates="body").others == []


def test_a_body_whose_points_are_in_use_is_not_replaced_by_one_of_another_shape():
    m = lw.Mechanism("pendulum")
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, bar.a))
    with pytest.raises(lw.errors.DescriptionError, match="attached to its point 'a'"):
        m.replace("bar", lw.bar(length=3.0, mass=1.0))
    m.replace("bar", lw.bar(length=1.0, mass=2.0))
    assert m.bodies["bar"].mass == 2.0


def test_near_chooses_the_branch():
    m = slider_crank()
    for sign in (1, -1):
        a = m.assemble(start={"guide.slide": 0.3}, near={"crank.angle": 0.9 * sign}, coordinates="body")
        assert np.sign(a["crank.angle"]) == sign


def test_the_mirror_of_a_tripod_is_seen():
    m = lw.Mechanism("tripod", dimension=3)
    top = m.add("top", lw.Particle(1.0))
    for k in range(3):
        angle = 2 * math.pi * k / 3
        m.add(f"leg{k}", lw.Rod(m.ground.at(0.6 * math.cos(angle), 0.6 * math.sin(angle), 0.0), top, length=1.0))
    for z in (0.5, -0.5):
        a = m.assemble(near={"top.z": z}, coordinates="body")
        assert a["top.z"] == pytest.approx(math.copysign(0.8, z))
        assert [other["top.z"] for other in a.others] == [pytest.approx(-a["top.z"])]
        assert '"top.z"' in str(a)


def test_a_joint_is_replaced_by_one_of_another_kind():
    m = lw.Mechanism("pendulum")
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, bar.a))
    m.replace("A", lw.Fixed(m.ground, bar.a))
    assert m.check(coordinates="body").freedom == 0
    with pytest.raises(lw.errors.DescriptionError, match=r"another family\. Got Torque; wanted a Joint"):
        m.replace("A", lw.Torque(bar, 1.0))


@pytest.mark.parametrize("length", [-0.5, 0.0, float("-1e-300")])
def test_a_length_that_is_not_positive_is_refused_at_once(length):
    """It was sought for ever, by halving a length that comes from above."""
    m = lw.gallery.pendulum()
    body = next(iter(m.bodies.values()))
    m.add("far", lw.Reading(lw.Distance(m.ground.at(0.3, 0.4), body)))
    with pytest.raises(lw.errors.DescriptionError, match=r"far\.value' is a length"):
        m.assemble(start={"far.value": length}, coordinates="body")


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize(("start", "turns"), [(None, 0), ({"A.angle": 10.0 - 2 * math.pi}, -1)])
def test_a_driven_angle_begins_where_its_driver_says(coordinates, start, turns):
    m = lw.Mechanism("wound")
    m.add("bar", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute("ground", "bar.a"))
    m.add("spring", lw.TorsionSpringDamper("ground", "bar.a", stiffness=2.0))
    m.add("motor", lw.Driver("A.angle", "10 rad + 1 rad/s*t"))
    angle = 10.0 + 2 * math.pi * turns
    run = m.simulate([0.0, 0.5], start=start, coordinates=coordinates)
    assert run["A.angle"] == pytest.approx([angle, angle + 0.5], abs=1e-9)
    assert run["bar.angle"] == pytest.approx([angle, angle + 0.5], abs=1e-9)
    # the spring is wound by as much, and the motor carries it and the weight
    expected = [2.0 * (angle + t) + 9.81 * 0.5 * math.cos(10.0 + t) for t in run.t]
    assert run["motor.effort"] == pytest.approx(expected, abs=1e-7)
    later = m.assemble(start=start, t=3.0, coordinates=coordinates) if start is None else None
    assert later is None or later.state["A.angle"] == pytest.approx(13.0)


def test_a_driven_angle_in_space_begins_where_its_driver_says():
    m = lw.Mechanism("wound", dimension=3)
    m.add("bar", lw.Body(mass=1.0, inertia=(0.1, 0.2, 0.3)))
    m.add("A", lw.Revolute("ground", "bar"))
    m.add("motor", lw.Driver("A.angle", "-20 rad + 1 rad/s*t"))
    for coordinates in ("body", "joint"):
        run = m.simulate([0.0, 0.5], coordinates=coordinates)
        assert run["A.angle"] == pytest.approx([-20.0, -19.5], abs=1e-9)


def test_the_table_has_units():
    told = str(lw.gallery.four_bar().assemble(coordinates="body"))
    assert "x [m]" in told and "angle [rad]" in told and "moved [m]" in told
