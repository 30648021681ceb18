"""Positions that are hard to find, and what is said where there is none."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.assembly.positions import same_position
from linkwork.coordinates.body import unpack
from linkwork.errors import AssemblyError, RedundancyWarning


def random_turn(rng):
    q = rng.normal(size=4)
    return lw.Orientation.from_quaternion(q / np.linalg.norm(q))


def random_frame(body, rng):
    return body.at(*rng.normal(size=3), axis=tuple(rng.normal(size=3)), along=tuple(rng.normal(size=3)))


@pytest.mark.parametrize("first", ["Universal", "Revolute", "Cylindrical"])
@pytest.mark.parametrize("seed", range(12))
def test_a_chain_whose_last_body_alone_has_a_pose(seed, first):
    """Ground - joint - a - weld - b, placed by the joint at angles of its own, then described by the pose of b."""
    rng = np.random.default_rng([seed, 5])

    def chain(state):
        r = np.random.default_rng(seed)
        m = lw.Mechanism("chain", dimension=3)
        a = m.add("a", lw.Body(1.0, (0.1, 0.1, 0.1)))
        b = m.add("b", lw.Body(1.0, (0.1, 0.1, 0.1), **state))
        m.add("J", getattr(lw, first)(random_frame(m.ground, r), random_frame(a, r)))
        m.add("W", lw.Fixed(random_frame(a, r), random_frame(b, r)))
        return m

    names = {"Universal": ("angle", "tilt"), "Revolute": ("angle",), "Cylindrical": ("angle", "slide")}[first]
    there = chain({}).assemble(start={f"J.{name}": rng.uniform(-3.0, 3.0) for name in names}, coordinates="body")
    pose = unpack(there.state.model, there.state.y)[0][1]
    pose = {"position": tuple(pose[:3]), "orientation": tuple(pose[3:])}
    a = chain(pose).assemble(coordinates="body")
    assert same_position(a.state.model, a.state.y, there.state.y)


@pytest.mark.parametrize("length", [0.009, 0.001, 0.1])
@pytest.mark.parametrize("apart", [0.5, 1.7])
def test_a_short_rod_in_a_long_mechanism(length, apart):
    m = lw.Mechanism("tongs")
    one = m.add("one", lw.bar(length=2.0, mass=1.0))
    two = m.add("two", lw.bar(length=2.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, one.a))
    m.add("B", lw.Revolute(m.ground.at(apart, 0.0), two.a))
    m.add("rod", lw.Rod(one.b, two.b, length=length))
    a = m.assemble(coordinates="body")
    tips = [np.array([a[f"{bar}.b.{axis}"] for axis in "xy"]) for bar in ("one", "two")]
    assert np.linalg.norm(tips[1] - tips[0]) == pytest.approx(length, rel=1e-8)


@pytest.mark.parametrize("count", [10, 50, 100])
@pytest.mark.parametrize("part", [0.0, 0.2, 0.5, 0.75, 0.97])
@pytest.mark.parametrize("reverse", [False, True])
def test_a_loop_of_equal_links_over_a_part_of_its_length(count, part, reverse):
    m = lw.Mechanism("garland")
    before = m.ground.at(0, 0)
    for k in range(count):
        link = m.add(f"link{k}", lw.bar(length=1.0, mass=1.0))
        m.add(f"J{k}", lw.Revolute(link.a, before) if reverse else lw.Revolute(before, link.a))
        before = link.b
    m.add("end", lw.Revolute(before, m.ground.at(part * count, 0.0)))
    assert m.assemble(coordinates="body").freedom == count - 2


def scissor_lift(stages, **first):
    m = lw.Mechanism("scissor lift")
    low = (m.ground, m.ground)
    for k in range(stages):
        one = m.add(f"one{k}", lw.bar(length=1.0, mass=1.0, **(first if k == 0 else {})))
        two = m.add(f"two{k}", lw.bar(length=1.0, mass=1.0))
        m.add(f"L{k}", lw.Revolute(low[0], one.a))
        m.add(f"R{k}", lw.Revolute(low[1], two.a) if k else lw.PinInSlot(m.ground, two.a))
        m.add(f"M{k}", lw.Revolute(one.middle, two.middle))
        low = two.b, one.b
    return m


@pytest.mark.parametrize("stages", [2, 3, 4, 5])
@pytest.mark.parametrize("angle", [0.3, 0.6, 1.2])
def test_a_scissor_lift_stands_up_from_one_angle(stages, angle):
    for m, start in ((scissor_lift(stages), {"L0.angle": angle}), (scissor_lift(stages, angle=angle), {})):
        found = m.check(start=start, coordinates="body")
        assert (found.freedom, found.redundant, found.singular) == (1, 0, False)


def test_more_freedom_here_than_nearby_is_said_once():
    m = scissor_lift(4, angle=0.6)
    for k in range(4):  # folded: every pair lies on top of each other
        near = {f"one{j}.angle": 0.6 for j in range(k + 1)} | {f"two{j}.angle": 0.6 for j in range(k + 1)}
    found = m.check(near=near, coordinates="body")
    assert (found.freedom, found.redundant, len(found.redundant_rows)) == (4, 3, 3)
    assert len(set(found.redundant_rows)) == 3
    (line,) = [line for line in str(found).splitlines() if "redundant constraints" in line]
    assert all(line.count(f" {name}") <= 1 for name in m.joints) and line.count("M0") == 1


def test_two_drivers_on_one_freedom_are_named():
    m = lw.gallery.four_bar()
    m.add("one", lw.Driver(m.joints["A"].angle, "1 rad"))
    m.add("two", lw.Driver(m.joints["D"].angle, "2.3 rad"))
    words = "but not with driver 'two' where asked, together with driver 'one': two drivers on one freedom"
    with pytest.raises(AssemblyError, match=words) as e:
        m.assemble(coordinates="body")
    assert "check the lengths" not in str(e.value).lower()
    assert set(e.value.conflict) == {"one", "two", "A", "B", "C", "D"}


def test_a_driver_out_of_reach_is_named_alone():
    """The rocker reaches 2.466 rad: another driver has no part in it."""
    m = lw.gallery.four_bar()
    m.add("one", lw.Driver(m.joints["A"].angle, "1 rad"))
    m.add("two", lw.Driver(m.joints["D"].angle, "2.5 rad"))
    with pytest.raises(AssemblyError, match=r"but not with driver 'two' where asked\.") as e:
        m.assemble(coordinates="body")
    assert set(e.value.conflict) == {"two", "A", "B", "C", "D"}


def test_a_start_value_out_of_reach_is_named():
    m = lw.gallery.four_bar()
    with pytest.raises(AssemblyError, match=r"joints go together, but not with start value 'coupler\.x' where asked\."):
        m.assemble(start={"coupler.x": 7.0}, coordinates="body")


@pytest.mark.parametrize("short", [1e-10, 1e-9, 1e-7, 1e-3])
def test_a_flat_truss_that_is_too_short_says_by_how_much(short):
    m = lw.Mechanism("truss")
    middle = m.add("middle", lw.Particle(1.0))
    m.add("left", lw.Rod(m.ground, middle, length=1.0))
    m.add("right", lw.Rod(middle, m.ground.at(2.0 + short, 0), length=1.0))
    with pytest.raises(AssemblyError, match=r"left\.length off by .*Check the lengths and places of left, right\."):
        m.assemble(coordinates="body")


def test_angles_of_a_far_search_stay_within_half_a_turn():
    a = scissor_lift(4, angle=0.6).assemble(coordinates="body")
    assert all(abs(a[f"{name}{k}.angle"]) <= math.pi + 0.6 for name in ("one", "two") for k in range(4))


@pytest.mark.parametrize("seed", range(20))
def test_a_joint_found_the_wrong_way_round_does_not_stop_the_search(seed):
    """Ground - universal - a - plane - b - hinge - c, of which the pose of c alone is known."""
    rng = np.random.default_rng([seed, 7])
    frames = [dict(axis=tuple(rng.normal(size=3)), along=tuple(rng.normal(size=3))) for _ in range(6)]
    places = rng.normal(size=(6, 3))

    def chain(**pose):
        m = lw.Mechanism("chain", dimension=3)
        a = m.add("a", lw.Body(1.0, (0.1, 0.1, 0.1)))
        b = m.add("b", lw.Body(1.0, (0.1, 0.1, 0.1)))
        c = m.add("c", lw.Body(1.0, (0.1, 0.1, 0.1), **pose))
        at = [body.at(*place, **frame) for body, place, frame in zip((m.ground, a, a, b, b, c), places, frames)]
        m.add("U", lw.Universal(at[0], at[1]))
        m.add("P", lw.Planar(at[2], at[3]))
        m.add("R", lw.Revolute(at[4], at[5]))
        return m

    start = dict(zip(("U.angle", "U.tilt", "P.angle", "P.x", "P.y", "R.angle"), rng.uniform(-2.0, 2.0, 6)))
    there = chain().assemble(start=start, coordinates="body").state
    pose = unpack(there.model, there.y)[0][2]
    found = chain(position=tuple(pose[:3]), orientation=tuple(pose[3:])).assemble(coordinates="body").state
    np.testing.assert_allclose(found.y[14:17], there.y[14:17], atol=1e-12)
    assert abs(found.y[17:21] @ there.y[17:21]) == pytest.approx(1.0, abs=1e-12)


def parallelogram(angle=None):
    m = lw.Mechanism("parallelogram")
    table = lw.bar(length=2.0, mass=3.0)
    for k in range(3):
        m.add(f"crank{k}", lw.bar(length=1.0, mass=1.0, angle=angle))
        m.add(f"low{k}", lw.Revolute(m.ground.at(k, 0), f"crank{k}.a"))
    m.add("table", table)
    for k, point in enumerate(("a", "middle", "b")):
        m.add(f"up{k}", lw.Revolute(f"crank{k}.b", f"table.{point}"))
    return m


def test_bars_described_in_one_line_are_put_where_the_rank_means_something():
    """Beside a singular position rows met to 1e-11 tell angles to 1e-6 only: what is found there has a false rank."""
    m = parallelogram()
    found = m.check(coordinates="body")
    assert (found.freedom, found.redundant, found.singular) == (1, 1, False)
    with pytest.warns(RedundancyWarning):
        state = m.assemble(coordinates="body")
    angles = [state[f"crank{k}.angle"] for k in range(3)]
    assert np.ptp(angles) < 1e-10 and abs(state["table.angle"]) < 1e-10


def test_a_position_in_line_that_is_asked_for_is_kept():
    found = parallelogram().check(start={"low0.angle": 0.0}, coordinates="body")
    assert (found.freedom, found.nearby, found.singular) == (2, 1, True)


def test_errors_of_assembly_have_units():
    m = lw.gallery.four_bar()
    m.replace("D", lw.Revolute(m.ground.at(9, 0), "rocker.a"))
    with pytest.raises(AssemblyError, match=r"off by [\d.]+ m[;.]"):
        m.assemble(coordinates="body")
