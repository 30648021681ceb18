"""The tree of joint coordinates: which joints carry bodies, which are cut, and what the links are."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.numbering import model_of
from linkwork.compiled.tree import freedom_of, grow, moving_steps
from linkwork.kernels import layout as at
from linkwork.mechanism.steps import Step


def tree_of(m):
    return model_of(m).tree


def names(tree):
    return [one.name for one in tree.coordinates]


def body(m, name, **options):
    return m.add(name, lw.Body(1.0, 0.2, position=(0.0,) * m.dimension, **options))


def four_bar(**cut):
    m = lw.Mechanism("four-bar")
    crank, coupler, rocker = (m.add(name, lw.bar(length=1.0, mass=1.0)) for name in ("crank", "coupler", "rocker"))
    ends = {"A": (m.ground, crank.a), "B": (crank.b, coupler.a), "C": (coupler.b, rocker.b),
            "D": (m.ground.at(1, 0), rocker.a)}  # fmt: skip
    for name, (on, to) in ends.items():
        m.add(name, lw.Revolute(on, to, cut=cut.get(name, False)))
    return m


# -- choice -------------------------------------------------------------------------------------------------


def test_a_loop_is_cut_far_from_the_ground():
    tree = tree_of(four_bar())
    assert set(tree.joints) == {"A", "B", "D"} and tree.cut == ("C",)
    assert tree.parent == {"crank": ("ground", "A"), "rocker": ("ground", "D"), "coupler": ("crank", "B")}
    assert tree.floating == () and (tree.n_q, tree.n_v) == (3, 3)


@pytest.mark.parametrize("name", "ABCD")
def test_cut_is_respected(name):
    tree = tree_of(four_bar(**{name: True}))
    assert tree.cut == (name,)
    assert name not in tree.joints and len(tree.joints) == 3


def test_all_joints_cut_leave_bodies_that_float():
    tree = tree_of(four_bar(A=True, B=True, C=True, D=True))
    assert tree.floating == ("crank", "coupler", "rocker") and tree.joints == ()
    assert names(tree)[:3] == ["crank.x", "crank.y", "crank.angle"] and tree.n_v == 9


def test_a_rod_is_cut_rather_than_carried():
    """Its one row is cheaper than its two freedoms."""
    m = lw.Mechanism("rod in a loop")
    one, two = body(m, "one"), body(m, "two")
    m.add("rod", lw.Rod(one.at(0.5), two.at(0.5), length=1.0))
    m.add("A", lw.Revolute(m.ground, one))
    m.add("B", lw.Revolute(m.ground.at(1, 0), two))
    tree = tree_of(m)
    assert tree.cut == ("rod",) and set(tree.joints) == {"A", "B"}


def test_a_longer_way_with_fewer_freedoms_wins():
    m = lw.Mechanism("slot against two pins")
    one, two = body(m, "one"), body(m, "two")
    m.add("slot", lw.PinInSlot(m.ground, two.at(0.5)))
    m.add("A", lw.Revolute(m.ground, one))
    m.add("B", lw.Revolute(one.at(1.0), two))
    assert tree_of(m).cut == ("slot",)


def test_bodies_without_a_way_to_the_ground_float_and_carry():
    m = lw.Mechanism("floating pair")
    one, two = body(m, "one"), body(m, "two")
    m.add("P", lw.Prismatic(one, two))
    tree = tree_of(m)
    assert tree.floating == ("one",) and tree.joints == ("P",)
    assert names(tree) == ["one.x", "one.y", "one.angle", "P.slide"]
    assert [link.kind for link in tree.links[1:]] == [at.SLIDE, at.SLIDE, at.TURN, at.SLIDE]


def test_inactive_joints_are_neither_in_the_tree_nor_cut():
    m = lw.Mechanism("off")
    m.add("A", lw.Revolute(m.ground, body(m, "one"), active=False))
    tree = tree_of(m)
    assert tree.joints == () and tree.cut == () and tree.floating == ("one",)


# -- freedom ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "sample", "plane", "space"), [
    (lw.Revolute, {}, 1, 1), (lw.Prismatic, {}, 1, 1), (lw.Fixed, {}, 0, 0), (lw.Rod, {"length": 1.0}, 2, None),
    (lw.PinInSlot, {}, 2, 4), (lw.RollingDisc, {"radius": 0.5}, 1, None),
    (lw.RollingDisc, {"radius": 0.5, "on_radius": 0.7}, None, None), (lw.Hold, {"x": 0.0}, None, None),
    (lw.KnifeEdge, {}, None, None), (lw.Gear, {"on_radius": 0.3, "to_radius": 0.4}, None, None),
])  # fmt: skip
def test_freedom_of_a_joint(kind, sample, plane, space):
    for dimension, wanted in ((2, plane), (3, space)):
        m = lw.Mechanism("one joint", dimension=dimension)
        one = m.add("one", lw.Body(1.0, 0.2 if dimension == 2 else (1.0, 1.0, 1.0)))
        assert freedom_of(kind(m.ground, one, **sample), m) == wanted
        assert freedom_of(kind(m.ground, one, cut=True, **sample), m) is None
        assert freedom_of(kind(m.ground, one, active=False, **sample), m) is None


def test_a_joint_that_holds_less_than_its_steps_leave_is_cut():
    """Its steps would not reach all that its rows allow."""

    class Half(lw.Joint):
        def constraints(self):
            return (self.pin("x"),)

        def motion(self):
            return lw.Revolute.motion(self)

    try:
        m = lw.Mechanism("half")
        assert freedom_of(Half(m.ground, body(m, "one")), m) is None
    finally:
        del lw.Joint.kinds["Half"]


@pytest.mark.parametrize(("kind", "sample", "wanted"), [
    (lw.Rod, {"length": 1.0}, ["p.direction"]), (lw.PinInSlot, {}, ["p.slide"]), (lw.Revolute, {}, []),
])  # fmt: skip
def test_a_particle_has_no_turn_of_its_own(kind, sample, wanted):
    m = lw.Mechanism("particle")
    bob = m.add("bob", lw.Particle(1.0, position=(1.0, 0.0)))
    m.add("p", kind(m.ground, bob, **sample))
    assert names(tree_of(m)) == wanted
    assert len(moving_steps(m.joints["p"], m, "bob")) == len(m.joints["p"].motion()) - 1
    assert len(moving_steps(m.joints["p"], m, "ground")) == len(m.joints["p"].motion())


@pytest.mark.parametrize("ends", ["rod to rod", "rod to ground", "body on particle", "particle under body"])
def test_particles_inside_the_tree(ends):
    """A particle has no angle that a joint could be measured against: both sets must still agree."""
    m = lw.Mechanism(ends)
    one = m.add("one", lw.Particle(1.0, position=(1.0, 0.0), velocity=(0.0, 0.4)))
    if ends == "rod to ground":
        m.add("R", lw.Rod(one, m.ground, length=1.0))
    else:
        m.add("R", lw.Rod(m.ground, one, length=1.0))
    if ends == "rod to rod":
        m.add("Q", lw.Rod(one, m.add("two", lw.Particle(2.0, position=(2.0, 0.0))), length=1.0))
    elif ends != "rod to ground":
        two = m.add("two", lw.Body(2.0, 0.3, position=(1.0, 0.0), angle=0.2, center=(0.3, 0.0)))
        m.add("Q", lw.Revolute(one, two) if ends == "body on particle" else lw.Revolute(two, one))
    state = m.assemble(coordinates="body").state
    found = [m.evaluate(state, coordinates=one).accelerations for one in ("body", "joint")]
    assert found[1] == pytest.approx(found[0], abs=1e-10)


# -- links --------------------------------------------------------------------------------------------------


def test_links_of_a_joint_with_two_freedoms():
    m = lw.Mechanism("slot")
    m.add("S", lw.PinInSlot(m.ground.at(0.3, 0.1, angle=0.5), body(m, "one").at(0.2, 0.1, angle=-0.4), offset=0.25))
    tree = tree_of(m)
    first, second = tree.links[1:]
    assert (first.kind, first.body, second.kind, second.body) == (at.SLIDE, 0, at.TURN, 1)
    assert (second.parent, second.first_q, second.first_v) == (1, 1, 1)
    assert first.direction == pytest.approx([np.cos(0.5), np.sin(0.5), 0.0])
    assert second.shift == pytest.approx([0.0, 0.25, 0.0]) and second.angle == pytest.approx(0.4)
    assert tree.path(2) == [2, 1]


def test_a_fixed_joint_is_a_rigid_link():
    m = lw.Mechanism("fixed")
    m.add("F", lw.Fixed(m.ground.at(1.0, 2.0, angle=0.3), body(m, "one").at(0.5, angle=0.1)))
    (link,) = tree_of(m).links[1:]
    assert link.kind == at.RIGID and link.body == 1 and link.angle == pytest.approx(0.2)
    assert tree_of(m).n_v == 0


@pytest.mark.parametrize(("joint", "kind"), [
    (lambda m, b: lw.Revolute(b.at(0.2, 0.1), m.ground), at.TURN),
    (lambda m, b: lw.Prismatic(b.at(0.2, 0.1), m.ground), at.SLIDE),
    (lambda m, b: lw.RollingDisc(b.at(0.2, 0.1), m.ground, radius=0.4, reference=0.3), at.ROLL_BACK),
])  # fmt: skip
def test_a_reversed_joint_has_the_sign_of_its_reading(joint, kind):
    m = lw.Mechanism("reversed")
    m.add("J", joint(m, body(m, "one")))
    (link,) = tree_of(m).links[1:]
    assert link.kind == kind
    assert (link.turn if kind == at.TURN else link.slide) == -1.0


def test_a_rolling_disc_as_assembled_stands_on_its_row():
    m = lw.Mechanism("rolling")
    m.add("J", lw.RollingDisc(m.ground, body(m, "one"), radius=0.4))
    (link,) = tree_of(m).links[1:]
    assert link.kind == at.ROLL and link.row == ("rolling", 1 / 0.4) and link.turn == -1 / 0.4


def test_a_free_body_of_space_has_a_ball():
    m = lw.Mechanism("free", dimension=3)
    m.add("one", lw.Body(1.0, (1.0, 1.0, 1.0)))
    tree = tree_of(m)
    assert names(tree) == ["one.x", "one.y", "one.z", "one.turn.x", "one.turn.y", "one.turn.z"]
    assert (tree.n_q, tree.n_v) == (7, 6) and tree.links[-1].kind == at.BALL


def test_a_step_that_no_link_knows():
    class Hop(Step):
        name, kind, freedoms = "hop", "hop", 1

    class Hopping(lw.Joint):
        def constraints(self):
            return self.pin("x"), self.pin("y")

        def motion(self):
            return (Hop(),)

    try:
        m = lw.Mechanism("hop")
        m.add("J", Hopping(m.ground, body(m, "one")))
        with pytest.raises(TypeError, match="Hop has no link"):
            tree_of(m)
    finally:
        del lw.Joint.kinds["Hopping"]


def test_grow_takes_the_compiled_bodies():
    m = four_bar()
    model = model_of(m)
    tree = grow(m, model.bodies, {name: k + 1 for k, name in enumerate(m.bodies)})
    assert tree.joints == tree_of(m).joints
    bodies = [link.body for link in tree.links if link.body]
    assert sorted(bodies) == [1, 2, 3]
    # a bar's mass centre is half a length beyond its pin
    assert tree.links[1].center == pytest.approx([0.5, 0.0, 0.0])


def test_joints_that_always_close_loops_in_space():
    """docs/limits.md and docs/coordinates.md name them."""
    closing = set()
    for kind in (
        lw.Revolute,
        lw.Prismatic,
        lw.Fixed,
        lw.Rod,
        lw.PinInSlot,
        lw.RollingDisc,
        lw.Hold,
        lw.KnifeEdge,
        lw.Gear,
        lw.Belt,
        lw.BevelGear,
        lw.RackAndPinion,
        lw.Spherical,
        lw.Cylindrical,
        lw.Screw,
        lw.Universal,
        lw.ConstantVelocity,
        lw.Planar,
        lw.PointOnPlane,
        lw.RevoluteSpherical,
        lw.SphericalCylindrical,
        lw.RevoluteCylindrical,
        lw.UniversalSpherical,
        lw.Free,
    ):
        m = lw.Mechanism("one joint", dimension=3)
        body = m.add("body", lw.box(1.0, 0.1, 0.1, mass=1.0))
        m.add("joint", kind(m.ground.at(0, 0, 0), body.at(0.1, 0.1, 0.1), **kind.sample))
        if "joint" not in m.compile().tree.joints:
            closing.add(kind)
    assert closing == {
        lw.Gear,
        lw.Belt,
        lw.BevelGear,
        lw.RackAndPinion,
        lw.Hold,
        lw.KnifeEdge,
        lw.Rod,
        lw.UniversalSpherical,
        lw.ConstantVelocity,
        lw.RollingDisc,
    }
