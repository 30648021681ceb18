"""First positions along the joints."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.assembly import placement
from linkwork.compiled.numbering import model_of


def place(mechanism, values, **options):
    return placement.place(model_of(mechanism), values, **options)


def chain(reverse=False):
    m = lw.Mechanism("chain")
    one = m.add("one", lw.bar(length=2.0, mass=1.0))
    two = m.add("two", lw.bar(length=1.0, mass=1.0))
    ends = (m.ground.at(1.0, 2.0), one.a), (one.b, two.a)
    for name, (on, to) in zip("AB", ends):
        m.add(name, lw.Revolute(to, on) if reverse else lw.Revolute(on, to))
    return m


def test_joint_values_place_bodies_one_after_the_other():
    poses, _ = place(chain(), {"A.angle": math.pi / 2, "B.angle": -math.pi / 2})
    assert poses[0] == pytest.approx((1.0, 3.0, math.pi / 2))
    assert poses[1] == pytest.approx((1.5, 4.0, 0.0))


def test_a_joint_written_the_other_way_round_turns_the_other_way():
    poses, _ = place(chain(reverse=True), {"A.angle": -math.pi / 2, "B.angle": math.pi / 2})
    assert poses[0] == pytest.approx((1.0, 3.0, math.pi / 2))
    assert poses[1] == pytest.approx((1.5, 4.0, 0.0))


def test_a_known_angle_wins():
    poses, _ = place(chain(), {"two.angle": 0.3})
    assert poses[1] == pytest.approx((3.0 + 0.5 * math.cos(0.3), 2.0 + 0.5 * math.sin(0.3), 0.3))


def test_a_declared_position_wins_over_the_joint():
    m = lw.Mechanism("declared")
    body = m.add("b", lw.Body(1.0, 1.0, position=(5.0, 6.0), angle=0.2))
    m.add("A", lw.Revolute(m.ground.at(0, 0), body.at(0, 0)))
    assert place(m, {})[0] == [pytest.approx((5.0, 6.0, 0.2))]


def test_bodies_that_nothing_leads_to_start_at_the_origin():
    m = lw.Mechanism("loose")
    m.add("b", lw.Body(1.0, 1.0))
    poses, twists = place(m, {"b.angle.rate": 2.0, "b.y.rate": -1.0})
    assert poses == [pytest.approx((0.0, 0.0, 0.0))]
    assert twists == [pytest.approx((0.0, -1.0, 2.0))]


@pytest.mark.parametrize(
    ("joint", "values", "pose"),
    [
        (lambda on, to: lw.Prismatic(on, to), {"J.slide": 0.7}, (1.0, 0.7, math.pi / 2)),
        (lambda on, to: lw.Rod(on, to, 2.0), {"J.direction": -math.pi / 2}, (3.0, 0.0, 0.0)),
        (lambda on, to: lw.PinInSlot(on, to, 0.5), {"J.slide": 0.7, "J.angle": 1.0}, (0.5, 0.7, math.pi / 2 + 1.0)),
        (lambda on, to: lw.RollingDisc(on, to, 0.5), {"J.slide": 1.0}, (0.5, 1.0, math.pi / 2 - 2.0)),
        (lambda on, to: lw.Fixed(on, to), {}, (1.0, 0.0, math.pi / 2)),
    ],
)
def test_steps_of_each_joint(joint, values, pose):
    m = lw.Mechanism("steps")
    body = m.add("b", lw.Body(1.0, 1.0))
    m.add("J", joint(m.ground.at(1.0, 0.0, angle=math.pi / 2), body.at(0, 0)))
    assert place(m, values)[0] == [pytest.approx(pose)]


def test_assembly_keeps_start_values_exactly():
    m = chain()
    found = m.assemble(start={"A.angle": 0.4, "B.angle": -1.1, "A.angle.rate": 2.0, "B.angle.rate": 0.5},
                       coordinates="body")  # fmt: skip
    assert found["A.angle"] == pytest.approx(0.4, abs=1e-12)
    assert found["two.angle"] == pytest.approx(0.4 - 1.1, abs=1e-12)
    assert found["two.angle.rate"] == pytest.approx(2.5, abs=1e-12)


def test_heavier_bodies_move_less():
    m = lw.Mechanism("pair", gravity=None)
    one = m.add("one", lw.Body(1.0, 1.0, position=(0.0, 0.0), angle=0.0))
    two = m.add("two", lw.Body(1.0, 1.0, position=(1.0, 0.0), angle=0.0))
    m.add("J", lw.Rod(one.at(0, 0), two.at(0, 0), 2.0))
    even = m.assemble(coordinates="body").moved
    assert even["one"] == pytest.approx(even["two"]) == pytest.approx(0.5)
    uneven = m.assemble(weights={"one": 99.0}, coordinates="body").moved
    assert uneven["one"] == pytest.approx(0.01)
    assert np.isclose(uneven["one"] + uneven["two"], 1.0)
