"""`near` values are met as far as joints, drivers and start values leave them free."""

import math
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import AssemblyError


def top(**pose):
    m = lw.Mechanism("top", dimension=3)
    body = m.add("top", lw.Body(1.0, (0.1, 0.2, 0.3), center=(0, 0, 0.3), points={"tip": (0, 0, 1)}, **pose))
    m.add("S", lw.Spherical(m.ground, body))
    return m


TILTED = {"orientation": {"axis": (1, 2, 3), "angle": 0.4}}
SPUN = {**TILTED, "angular_velocity": (1.0, 2.0, 3.0)}


@pytest.mark.parametrize("pose", [{}, TILTED, SPUN])
@pytest.mark.parametrize("value", [1e-6, 0.01, 0.04, -0.3, 1.2])
@pytest.mark.parametrize("name", ["cardan.x", "cardan.y", "cardan.z", "tip.x", "cardan.x.rate", "cardan.z.rate",
                                  "angular_velocity.x", "angular_velocity.world.y", "tip.y.rate"])  # fmt: skip
def test_names_of_a_body_on_a_ball(pose, value, name):
    name = f"top.{name}"
    if name == "top.tip.x" and abs(value) > 1.0:
        value = 0.9
    found = top(**pose).assemble(near={name: value}, coordinates="body")
    assert found[name] == pytest.approx(value, abs=1e-9)
    assert "asked for" in str(found)


@pytest.mark.parametrize("off", [1e-5, 0.01, 0.05, 0.09, 0.3, -0.7])
@pytest.mark.parametrize("name", ["A.angle", "crank.angle", "D.angle", "B.angle", "coupler.x", "rocker.b.x"])
def test_small_wishes_count_as_much_as_large_ones_and_win_over_declared_poses(name, off):
    m = lw.gallery.four_bar()
    value = m.assemble(coordinates="body")[name] + off
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = m.assemble(near={name: value}, coordinates="body")
    assert not m.evaluate(found, coordinates="body").violated
    if abs(off) < 0.2:
        assert found[name] == pytest.approx(value, abs=1e-9)


@pytest.mark.slow
def test_two_wishes_for_one_freedom_share_what_is_missing():
    """Against a scan over all positions of the crank on both branches."""
    m = lw.gallery.four_bar()
    near = {"A.angle": 0.9, "D.angle": 2.1}
    length = m.assemble(coordinates="body").state.model.length
    least = np.inf
    for angle in np.linspace(0.3, 1.7, 141):
        here = m.assemble(start={"A.angle": angle}, coordinates="body")
        for state in (here.state, *here.others):
            least = min(least, sum(math.remainder(state[n] - v, 2 * math.pi) ** 2 for n, v in near.items()))
    found = m.assemble(near=near, coordinates="body")
    missing = sum((found[name] - value) ** 2 for name, value in near.items())
    assert missing <= least + 1e-12 and missing == pytest.approx(least, rel=1e-2)
    assert length > 0.0


def test_a_wish_out_of_reach_is_met_as_far_as_it_goes():
    found = top().assemble(near={"top.tip.x": 2.0}, coordinates="body")
    assert found["top.tip.x"] == pytest.approx(1.0, abs=1e-9)
    rod = lw.Mechanism("crank and slider")
    crank = rod.add("crank", lw.bar(length=1.0, mass=1.0))
    link = rod.add("link", lw.bar(length=2.0, mass=1.0))
    rod.add("A", lw.Revolute(rod.ground, crank.a))
    rod.add("B", lw.Revolute(crank.b, link.a))
    rod.add("C", lw.PinInSlot(rod.ground, link.b))
    assert rod.assemble(near={"link.b.x": 5.0}, coordinates="body")["link.b.x"] == pytest.approx(3.0, abs=1e-8)


@pytest.mark.parametrize("name", ["top.x", "top.z", "top.x.rate", "top.z.rate"])
@pytest.mark.parametrize("value", [-1.0, 0.02, 2.0])
def test_what_the_joints_do_not_leave_free_stays(name, value):
    m = top(**SPUN)
    found = m.assemble(near={name: value}, coordinates="body")
    assert found[name] == pytest.approx(0.0, abs=1e-12)
    assert not m.evaluate(found, coordinates="body").violated
    assert [found[f"top.angular_velocity.{axis}"] for axis in "xyz"] == pytest.approx([1.0, 2.0, 3.0], abs=1e-9)


def test_bodies_that_a_wish_does_not_speak_of_stay_where_they_were_declared():
    m = lw.Mechanism("two")
    for name, x in (("one", 0.0), ("two", 3.0)):
        bar = m.add(
            name, lw.bar(length=1.0, mass=1.0, position=(x + 0.5 * math.cos(0.3), 0.5 * math.sin(0.3)), angle=0.3)
        )
        m.add(f"pin {name}", lw.Revolute(m.ground.at(x, 0.0), bar.a))
    found = m.assemble(near={"pin one.angle": 0.35}, coordinates="body")
    assert (found["one.angle"], found["two.angle"]) == pytest.approx((0.35, 0.3), abs=1e-12)


def test_wishes_count_in_any_turn():
    m = lw.gallery.pendulum()
    found = m.assemble(near={"A.angle": 0.4 + 4.0 * math.pi}, coordinates="body")
    assert found["A.angle"] == pytest.approx(0.4 + 4.0 * math.pi, abs=1e-9)


@pytest.mark.parametrize("level", ["position", "speed"])
def test_a_start_value_against_a_driver_is_refused_with_both_names(level):
    m = lw.gallery.pendulum()
    m.add("motor", lw.Driver(m.joints["A"].angle, "0.5 + 3*t" if level == "position" else "3", level=level))
    with pytest.raises(AssemblyError, match=r"start value 'A\.angle\.rate' is 2 rad/s, but driver 'motor' is 3 rad/s"):
        m.assemble(start={"A.angle.rate": 2.0}, coordinates="body")
    if level == "speed":
        assert m.assemble(start={"A.angle": 1.3}, coordinates="body")["A.angle"] == pytest.approx(1.3)
        return
    for name in ("A.angle", "motor.value"):
        words = rf"start value '{name}' is 1.3 rad, but driver 'motor' is 0.8 rad at t = 0\.1 s"
        with pytest.raises(AssemblyError, match=words):
            m.assemble(start={name: 1.3}, t=0.1, coordinates="body")
    whole = m.assemble(start={"A.angle": 0.5 + 2.0 * math.pi, "A.angle.rate": 3.0}, coordinates="body")
    assert whole["A.angle"] == pytest.approx(0.5 + 2.0 * math.pi, abs=1e-9)
