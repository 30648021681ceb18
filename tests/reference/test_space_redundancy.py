"""Freedom, redundant constraints and mirror positions of mechanisms in space.

A planar four-bar in space has three constraints too many: the loop asks three times for what its parallel axes give.
Bennett's linkage (G. T. Bennett, A new mechanism, Engineering 76, 1903) has four skew axes and moves all the same:

    links a, b, a, b with twists alpha, beta, alpha, beta     sin(alpha) / a = sin(beta) / b
    theta3 = -theta1, theta4 = -theta2                        tan(theta1/2) tan(theta2/2) constant
"""

import math

import numpy as np
import pytest
from benchmarks import problems

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.testing.places import turn

START = {"A.angle": 1.0}
NEAR = {"B.angle": -0.5, "D.angle": 1.5}


def four_bar(tilt=(0.0, 0.0, 0.0)):
    """The plane of the four-bar, and gravity with it, turned by a rotation vector."""
    R = turn(tilt)
    axes = {"axis": tuple(R[:, 2]), "along": tuple(R[:, 0])}
    m = lw.Mechanism("four-bar in space", dimension=3, gravity=tuple(R @ (0.0, -9.81, 0.0)))
    crank, coupler, rocker = (
        m.add(name, lw.Body(mass, (0.01 * mass, mass * length**2 / 12, mass * length**2 / 12),
                            points={"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0)}))
        for name, length, mass in (("crank", 1.0, 1.0), ("coupler", 3.0, 2.0), ("rocker", 2.5, 1.5))
    )  # fmt: skip
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, **axes), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(*(3.2 * R[:, 0]), **axes), rocker.a))
    return m


TILTS = [(0.0, 0.0, 0.0), (0.0, math.pi / 2, 0.0), (0.4, -0.7, 0.3)]


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("tilt", TILTS)
def test_planar_four_bar_has_three_redundant_constraints(tilt, coordinates):
    """Along z and about x and y of every joint, wherever its plane lies."""
    report = four_bar(tilt).check(start=START, near=NEAR, coordinates=coordinates)
    assert (report.freedom, report.position_freedom, report.redundant, report.loops) == (1, 1, 3, 1)
    assert not report.singular
    out_of_plane = ("z", "x-z", "y-z")
    assert report.redundant_joints == ("A", "B", "C", "D")
    assert report.not_unique == {name: out_of_plane for name in "ABCD"}
    rows = {row for one in report.redundant_rows for row in one}  # pins are held along axes of the world
    assert {f"{j}.{k}" for j in "ABCD" for k in out_of_plane[1:]} <= rows
    assert {row.partition(".")[0] for row in rows} == {*"ABCD"}
    assert "redundant constraints  3, among the joints A, B, C, D" in str(report)


@pytest.mark.parametrize("tilt", TILTS)
def test_reactions_of_the_four_bar_in_its_plane_are_those_of_the_plane(tilt):
    m = four_bar(tilt)
    ev = m.evaluate(m.assemble(start=START, near=NEAR, coordinates="body").state, coordinates="body")
    flat = lw.Mechanism("four-bar")
    bars = [flat.add(name, lw.Body(mass, mass * length**2 / 12, points={"a": (-length / 2, 0), "b": (length / 2, 0)}))
            for name, length, mass in (("crank", 1.0, 1.0), ("coupler", 3.0, 2.0), ("rocker", 2.5, 1.5))]  # fmt: skip
    crank, coupler, rocker = bars
    for name, on, to in (("A", flat.ground.at(0, 0), crank.a), ("B", crank.b, coupler.a),
                         ("C", coupler.b, rocker.b), ("D", flat.ground.at(3.2, 0), rocker.a)):  # fmt: skip
        flat.add(name, lw.Revolute(on, to))
    plane = flat.evaluate(flat.assemble(start=START, near=NEAR, coordinates="body").state, coordinates="body")
    for name in "ABCD":
        found, wanted = ev.reaction(name, axes="joint"), plane.reaction(name, axes="joint")
        np.testing.assert_allclose(found.force[:2], wanted.force, atol=1e-9)
        assert found.force[2] == pytest.approx(0.0, abs=1e-9)  # nothing loads it across: of least norm, none
        np.testing.assert_allclose(found.moment, 0.0, atol=1e-9)
        assert found.unique_components == {"x": True, "y": True, "z": False, "x-z": False, "y-z": False}
        assert not found.unique


# Bennett's linkage

ALPHA, BETA, LENGTH = 0.6, 1.1, 1.0
OTHER = LENGTH * math.sin(BETA) / math.sin(ALPHA)
BENNETT = math.sin((BETA + ALPHA) / 2) / math.sin((BETA - ALPHA) / 2)


def bennett(other=OTHER):
    """Joint 1 at the origin along z; each link leads along x of its frame and twists about it."""
    m = lw.Mechanism("Bennett", dimension=3, gravity=(2.0, -8.0, 3.0))
    before = m.ground
    for k, (length, twist) in enumerate(((LENGTH, ALPHA), (other, BETA), (LENGTH, ALPHA)), start=1):
        link = m.add(f"link{k}", lw.Body(1.0, (0.01, 0.1, 0.1), center=(length / 2, 0, 0)))
        m.add(f"J{k}", lw.Revolute(before.at(0, 0, 0) if k == 1 else before, link.at(0, 0, 0)))
        before = link.at(length, 0, 0, axis=(0.0, -math.sin(twist), math.cos(twist)), along=(1, 0, 0))
    # the ground is the fourth link: it ends at joint 1
    m.add("J4", lw.Revolute(before, m.ground.at(-other, 0, 0, axis=(0.0, math.sin(BETA), math.cos(BETA)),
                                                along=(1, 0, 0))))  # fmt: skip
    return m


def second_angle(first):
    return 2.0 * math.atan(BENNETT / math.tan(first / 2))


def bennett_start(first=1.2, rate=0.0):
    second = second_angle(first)
    start = {"J1.angle": first} | ({"J1.angle.rate": rate} if rate else {})
    return {"start": start, "near": {"J2.angle": second, "J3.angle": -first}}


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("first", [0.5, 1.2, 2.6])
def test_bennett_moves_with_three_redundant_constraints(first, coordinates):
    report = bennett().check(**bennett_start(first), coordinates=coordinates)
    assert (report.freedom, report.redundant, report.loops) == (1, 3, 1)
    assert not report.singular
    assert report.redundant_joints == ("J1", "J2", "J3", "J4")


def test_other_lengths_do_not_move_at_all():
    """Four skew axes of any other lengths have mobility -2, and if they close at all they are stuck."""
    with pytest.raises(lw.errors.AssemblyError, match="cannot be assembled"):
        bennett(OTHER * 1.05).assemble(**bennett_start(), coordinates="body")


@pytest.mark.parametrize("coordinates", SETS)
def test_bennett_motion_follows_its_closed_form(coordinates):
    run = bennett().simulate(2.0, every=0.05, **bennett_start(1.2, 1.5), rtol=1e-10, coordinates=coordinates)
    one, two, three, four = (run[f"J{k}.angle"] for k in (1, 2, 3, 4))
    assert np.ptp(one) > 0.5
    np.testing.assert_allclose(np.tan(one / 2) * np.tan(two / 2), BENNETT, atol=1e-7)
    np.testing.assert_allclose(np.sin(three + one), 0.0, atol=1e-7)
    np.testing.assert_allclose(np.sin(four + two), 0.0, atol=1e-7)
    assert np.abs(run.energy.balance).max() < 1e-7 * np.ptp(run.energy.kinetic)
    assert run.violation.max() < 1e-10


def bricard():
    return problems.bricard().mechanism, {}


MECHANISMS = {
    "four-bar": lambda: (four_bar((0.4, -0.7, 0.3)), {"start": START, "near": NEAR}),
    "Bennett": lambda: (bennett(), bennett_start()),
    "Bricard": bricard,
}


def in_axes_of_joints(m, state, rows, vectors):
    """The size of each row in vanishing combinations; pins, held along world axes, turned into axes of their joints."""
    vectors = vectors.copy()
    run = m.simulate([0.0, 1e-9], start=state, coordinates="body")
    for name, joint in m.joints.items():
        pin = [rows.index(f"{name}.{axis}") for axis in "xyz" if f"{name}.{axis}" in rows]
        if len(pin) == 3:
            body = np.eye(3) if joint.on.body == "ground" else run.orientation(joint.on.body).matrix[0]
            vectors[pin] = (body @ joint.on.rotation()).T @ vectors[pin]
    return np.linalg.norm(vectors, axis=1)


@pytest.mark.parametrize("name", MECHANISMS)
def test_what_is_unique_is_what_no_vanishing_combination_of_rows_touches(name):
    """The rows that can be added to each other to nothing, from the singular values of the whole Jacobian."""
    m, given = MECHANISMS[name]()
    state = m.assemble(**given, coordinates="body").state
    ev = m.evaluate(state, coordinates="body")
    left, sizes, _ = np.linalg.svd(ev.jacobian)
    rank = int((sizes > 1e-8 * sizes[0]).sum())
    report = m.check(**given, coordinates="body")
    assert len(ev.rows) - rank == report.redundant
    assert ev.jacobian.shape[1] - rank == report.freedom
    open_rows = {row for row, part in zip(ev.rows, in_axes_of_joints(m, state, ev.rows, left[:, rank:])) if part > 1e-7}
    named = {f"{joint}.{label}" for joint, labels in report.not_unique.items() for label in labels}
    assert named == open_rows
    for joint in m.joints:
        components = ev.reaction(joint).unique_components
        assert {f"{joint}.{label}" for label, unique in components.items() if not unique} == {
            row for row in open_rows if row.startswith(f"{joint}.")
        }


def test_one_row_too_many_in_bricard():
    m, _ = bricard()
    report = m.check(coordinates="joint")
    assert (report.freedom, report.redundant, len(report.redundant_rows)) == (1, 1, 1)


# rows that hold speeds only


@pytest.mark.parametrize("coordinates", SETS)
def test_skate_has_three_freedoms_of_position_and_two_of_velocity(coordinates):
    m = lw.Mechanism("skate", dimension=3)
    ice = m.ground.at(0.3, 0, 0, axis=(0.2, 0, 1))
    skate = m.add("skate", lw.Body(1.0, (0.1, 0.2, 0.25), center=(0.1, 0, 0.3)))
    m.add("ice", lw.Planar(ice, skate))
    m.add("blade", lw.KnifeEdge(ice, skate.at(-0.2, 0, 0)))
    report = m.check(coordinates=coordinates)
    assert (report.freedom, report.position_freedom, report.redundant) == (2, 3, 0)
    assert "freedom              2 of velocity, 3 of position" in str(report)


@pytest.mark.parametrize("coordinates", SETS)
def test_rolling_disc_has_five_freedoms_of_position_and_three_of_velocity(coordinates):
    m = lw.Mechanism("coin", dimension=3)
    coin = m.add("coin", lw.Body(0.1, (1e-3, 1e-3, 2e-3), position=(0, 0, 0.19),
                                 orientation={"axis": (1, 0, 0), "angle": 1.3}))  # fmt: skip
    m.add("table", lw.RollingDisc(m.ground, coin, radius=0.2))
    report = m.check(coordinates=coordinates)
    assert (report.freedom, report.position_freedom, report.redundant) == (3, 5, 0)


# mirror positions: near= picks either


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_tripod_above_or_below_its_feet(side, coordinates):
    """A point on three rods: by Pythagoras 0.8 above or below the plane of the feet."""
    m = lw.Mechanism("tripod", dimension=3)
    top = m.add("top", lw.Particle(1.0))
    for k in range(3):
        angle = 2.0 * math.pi * k / 3
        m.add(f"leg{k}", lw.Rod(m.ground.at(0.6 * math.cos(angle), 0.6 * math.sin(angle), 0.0), top, length=1.0))
    found = m.assemble(near={"top.z": 0.5 * side, "top.x": 0.1}, coordinates=coordinates)
    assert [found[f"top.{axis}"] for axis in "xyz"] == pytest.approx([0.0, 0.0, 0.8 * side], abs=1e-10)


def rssr():
    """Crank about z, rocker about x, a rod with a ball at each end between their tips."""
    m = lw.Mechanism("RSSR", dimension=3)
    crank = m.add("crank", lw.Body(1.0, (0.01, 0.1, 0.1), points={"tip": (0.4, 0, 0)}))
    rocker = m.add("rocker", lw.Body(1.0, (0.01, 0.1, 0.1), points={"tip": (0.8, 0, 0)}))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0), crank))
    m.add("D", lw.Revolute(m.ground.at(0.9, 0.3, 0.2, axis=(1, 0, 0), along=(0, 1, 0)), rocker))
    m.add("rod", lw.Rod(crank.tip, rocker.tip, length=1.1))
    return m


def rocker_angles(crank):
    """Both solutions of |tip - tip| = 1.1: p cos(angle) + q sin(angle) = r."""
    tip = 0.4 * np.array([math.cos(crank), math.sin(crank), 0.0])
    d = np.array([0.9, 0.3, 0.2]) - tip
    p, q, r = 1.6 * d[1], 1.6 * d[2], 1.1**2 - 0.8**2 - d @ d
    middle, half = math.atan2(q, p), math.acos(r / math.hypot(p, q))
    return middle + half, middle - half


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("branch", [0, 1])
@pytest.mark.parametrize("crank", [0.3, 1.0])
def test_spatial_four_bar_in_either_branch(crank, branch, coordinates):
    wanted = rocker_angles(crank)[branch]
    found = rssr().assemble(start={"A.angle": crank}, near={"D.angle": wanted + 0.3}, coordinates=coordinates)
    off = found["D.angle"] - wanted
    assert math.remainder(off, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)
    assert found["A.angle"] == pytest.approx(crank, abs=1e-12)


def test_estimate_that_lies_on_its_back_is_put_the_right_way_up():
    """Or refused: what joint coordinates cannot be in must not pass for assembled."""
    m = lw.Mechanism("bar", dimension=3, gravity=(0.0, -9.81, 0.0))
    bar = m.add("bar", lw.Body(1.0, (0.1, 0.2, 0.25), center=(0.3, 0, 0), position=(0.1, 0, 0),
                               orientation={"axis": (1, 0, 0), "angle": 2.4}))  # fmt: skip
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0), bar))
    try:
        state = m.assemble(coordinates="body").state
    except lw.errors.AssemblyError:
        return
    body, *others = (m.evaluate(state, coordinates=one) for one in SETS)
    for other in others:
        np.testing.assert_allclose(other.accelerations, body.accelerations, atol=1e-9)


def test_declared_orientation_counts_without_a_position():
    m = lw.Mechanism("pendulum", gravity=(0.0, -9.81))
    rod = m.add("rod", lw.Body(1.0, 0.1, angle=0.7, center=(0.5, 0)))
    m.add("A", lw.Revolute(m.ground, rod))
    assert m.assemble(coordinates="body")["A.angle"] == pytest.approx(0.7)
    assert m.in_space().assemble(coordinates="body")["A.angle"] == pytest.approx(0.7)
