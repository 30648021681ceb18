"""Solids against Gauss quadrature over their volume, their points, and what they refuse."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, UnitError

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)


def interval(low, high):
    return (low + high) / 2 + (high - low) / 2 * NODES, (high - low) / 2 * WEIGHTS


def circle(inner, outer):
    """Points and weights of a ring: exact for the polynomials of inertia."""
    for r, w in zip(*interval(inner, outer)):
        for k in range(8):
            phi = 2 * math.pi * k / 8
            yield r * math.cos(phi), r * math.sin(phi), w * r * 2 * math.pi / 8


def prism(x, y, z):
    for px, wx in zip(*interval(-x / 2, x / 2)):
        for py, wy in zip(*interval(-y / 2, y / 2)):
            for pz, wz in zip(*interval(-z / 2, z / 2)):
                yield px, py, pz, wx * wy * wz


def layers(low, high, inner, outer):
    """A round solid about z, whose radii are functions of the height."""
    for z, wz in zip(*interval(low, high)):
        for x, y, w in circle(inner(z), outer(z)):
            yield x, y, z, w * wz


def ball(radius):
    for r, wr in zip(*interval(0, radius)):
        for c, wc in zip(*interval(-1, 1)):
            for k in range(8):
                phi = 2 * math.pi * k / 8
                s = math.sqrt(1 - c * c)
                yield r * s * math.cos(phi), r * s * math.sin(phi), r * c, wr * wc * r * r * 2 * math.pi / 8


def moments(points):
    """Volume, centre and matrix of inertia about it, of density one."""
    table = np.array(list(points))
    where, volumes = table[:, :3], table[:, 3]
    volume = volumes.sum()
    center = volumes @ where / volume
    arms = where - center
    return (
        volume,
        center,
        np.einsum(
            "i,ijk->jk",
            volumes,
            np.einsum("i,jk->ijk", (arms**2).sum(1), np.eye(3)) - np.einsum("ij,ik->ijk", arms, arms),
        ),
    )


SOLIDS = {
    "box": (lambda **o: lw.box(0.3, 0.5, 0.7, **o), lambda: prism(0.3, 0.5, 0.7)),
    "cylinder": (lambda **o: lw.cylinder(0.2, 0.9, **o), lambda: layers(-0.45, 0.45, lambda z: 0.0, lambda z: 0.2)),
    "tube": (lambda **o: lw.tube(0.3, 0.2, 0.9, **o), lambda: layers(-0.45, 0.45, lambda z: 0.2, lambda z: 0.3)),
    "sphere": (lambda **o: lw.sphere(0.4, **o), lambda: ball(0.4)),
    "cone": (
        lambda **o: lw.cone(0.3, 0.8, **o),
        lambda: layers(-0.2, 0.6, lambda z: 0.0, lambda z: 0.3 * (0.6 - z) / 0.8),
    ),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_mass_center_and_inertia_by_quadrature(name):
    make, points = SOLIDS[name]
    volume, center, matrix = moments(points())
    assert center == pytest.approx([0, 0, 0], abs=1e-15)  # the frame is at the mass centre
    dense = make(density=7800.0)
    assert dense.mass == pytest.approx(7800.0 * volume, rel=1e-12)
    assert np.diag(dense.inertia) == pytest.approx(7800.0 * matrix, rel=1e-12, abs=1e-12)
    heavy = make(mass=3.0)
    assert (heavy.mass, heavy.inertia) == (3.0, pytest.approx(np.diag(matrix) * 3.0 / volume, rel=1e-12))
    assert make(density="7.8 g/cm^3").mass == pytest.approx(dense.mass)


@pytest.mark.parametrize("name", ["cylinder", "tube", "cone"])
def test_round_solids_along_another_axis(name):
    make, _ = SOLIDS[name]
    along_z = lw.Inertia.of(make(mass=2.0))
    for axis, turn in (("x", {"axis": (0, 1, 0), "angle": "90 deg"}), ("y", {"axis": (1, 0, 0), "angle": "-90 deg"})):
        other = make(mass=2.0, axis=axis)
        assert lw.Inertia.of(other).matrix == pytest.approx(along_z.rotated(turn).matrix, abs=1e-15)
        tip = lw.Orientation.from_axis_angle(**turn)
        for point, place in make(mass=2.0).points.items():
            assert other.points[point] == pytest.approx(tip.apply(place), abs=1e-15)
        for primitive in other.outline:
            way = np.subtract(primitive[1][1], primitive[1][0])
            assert way / np.linalg.norm(way) == pytest.approx([float(axis == one) for one in "xyz"])


def test_points():
    assert lw.box(2, 4, 6, 1.0).points == {
        "middle": (0, 0, 0),
        "left": (-1, 0, 0),
        "right": (1, 0, 0),
        "front": (0, -2, 0),
        "back": (0, 2, 0),
        "bottom": (0, 0, -3),
        "top": (0, 0, 3),
    }
    assert lw.cone(1, 4, 1.0).points == {"apex": (0, 0, 3), "base": (0, 0, -1)}
    assert lw.cylinder(1, 4, 1.0).points == {"a": (0, 0, -2), "b": (0, 0, 2), "middle": (0, 0, 0)}
    assert lw.rod(3, 2.0).points == {"a": (-1.5, 0, 0), "b": (1.5, 0, 0), "middle": (0, 0, 0)}
    assert lw.sphere(1, 1.0, points={"pole": (0, 0, 1)}).points == {"middle": (0, 0, 0), "pole": (0, 0, 1)}


def test_a_thin_rod():
    assert lw.rod(3, 2.0).inertia == pytest.approx((0.0, 1.5, 1.5))
    thick = lw.cylinder(1e-6, 3, 2.0, axis="x")
    assert lw.rod(3, 2.0).inertia == pytest.approx(thick.inertia, abs=1e-11)


def test_options_go_to_the_body():
    body = lw.sphere(0.1, 1.0, position=(1, 2, 3), orientation=(0, 1, 0, 0), gravity=False, outline=())
    assert (body.position, body.orientation, body.gravity, body.outline) == ((1, 2, 3), (0, 1, 0, 0), False, ())


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (lambda: lw.box(1, 1, 1), "box has neither mass nor density"),
        (lambda: lw.sphere(1, 1.0, density=1.0), "sphere has both mass and density"),
        (lambda: lw.sphere(0, 1.0), "radius is too small"),
        (lambda: lw.cylinder(1, 1, density=-1), "density is too small"),
        (
            lambda: lw.tube(0.1, 0.2, 1, 1.0),
            "tube inner_radius is not inside. Got 0.2 m; wanted less than outer_radius",
        ),
        (lambda: lw.cone(1, 1, 1.0, axis="w"), "cone axis is unknown. Got 'w'; wanted 'x', 'y' or 'z'"),
    ],
)
def test_what_is_no_solid_is_refused(make, wrong):
    with pytest.raises(DescriptionError, match=wrong):
        make()


def test_units():
    assert lw.box("10 cm", "200 mm", 0.3, density="1 g/cm^3").mass == pytest.approx(6.0)
    with pytest.raises(UnitError):
        lw.sphere("3 kg", 1.0)


def test_solids_in_files():
    text = (
        "linkwork: 1\ndimension: 3\nbodies:\n"
        "  a: {shape: box, x: 10 cm, y: 0.2, z: 0.3, density: 1 g/cm^3}\n"
        "  b: {shape: cylinder, radius: 0.1, length: 1, mass: 2, axis: x}\n"
        "  c: {shape: tube, outer_radius: 0.2, inner_radius: 0.1, length: 1, mass: 2}\n"
        "  d: {shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 1]}\n"
        "  e: {shape: cone, radius: 0.1, height: 1, mass: 2}\n"
        "  f: {shape: rod, length: 1, mass: 2}\n"
    )
    m = lw.read(text)
    wanted = {
        "a": lw.box(0.1, 0.2, 0.3, density=1000),
        "b": lw.cylinder(0.1, 1, 2, axis="x"),
        "c": lw.tube(0.2, 0.1, 1, 2),
        "d": lw.sphere(0.1, 2, position=(0, 0, 1)),
        "e": lw.cone(0.1, 1, 2),
        "f": lw.rod(1, 2),
    }
    for name, body in wanted.items():
        assert m.bodies[name] == body.named(name)
    assert lw.read(lw.to_text(m)) == m
    jsonschema = pytest.importorskip("jsonschema")
    from linkwork.files.plain import load_plain

    jsonschema.Draft202012Validator(lw.schema()).validate(load_plain(text))
    jsonschema.Draft202012Validator(lw.schema()).validate(load_plain(lw.to_text(m)))


# -- joined


def test_a_box_of_two_halves():
    whole = lw.box(2, 3, 4, mass=24.0)
    half = lw.box(1, 3, 4, mass=12.0)
    joined = lw.join((half, (-0.5, 0, 0)), (half, (0.5, 0, 0)), points={"end": (1, 0, 0)})
    assert (joined.mass, joined.center) == (24.0, (0.0, 0.0, 0.0))
    assert joined.inertia == pytest.approx(whole.inertia) and joined.points == {"end": (1.0, 0.0, 0.0)}


def test_turned_parts():
    """A tee of two thin rods: the second stands up at the end of the first."""
    joined = lw.join(
        (lw.rod(1, 1.0), (0.5, 0, 0)),
        (lw.rod(1, 1.0, points={"a": (0, 0, 0)}), (1, 0, 0.5), {"axis": (0, 1, 0), "angle": "-90 deg"}),
        points={},
    )
    assert joined.center == pytest.approx((0.75, 0.0, 0.25))
    wanted = lw.Inertia(1.0, (0.5, 0, 0), (0, 1 / 12, 1 / 12)) + lw.Inertia(1.0, (1, 0, 0.5), (1 / 12, 1 / 12, 0))
    assert np.array(joined.inertia) == pytest.approx(wanted.matrix, abs=1e-15)
    (_, first), (_, second) = joined.outline
    assert np.array(first) == pytest.approx(np.array([[0, 0, 0], [1, 0, 0]]))
    assert np.array(second) == pytest.approx(np.array([[1, 0, 0], [1, 0, 1]]), abs=1e-15)


def test_points_of_parts_keep_their_names():
    wheel = lw.disc(0.2, 1.0, thickness=0.02, points={"rim": (0.2, 0, 0)})
    joined = lw.join(lw.cone(0.1, 0.4, 1.0), (wheel, (0, 0, 1), lw.Orientation.from_angles("Z", "90 deg")))
    assert joined.points["apex"] == pytest.approx((0.0, 0.0, 0.3))
    assert joined.points["rim"] == pytest.approx((0.0, 0.2, 1.0))
    assert [one[0] for one in joined.outline] == ["cone", "cylinder", "line"]
    assert np.array(joined.outline[1][1]) == pytest.approx(np.array([(0, 0, 0.99), (0, 0, 1.01)]))
    assert np.array(joined.outline[2][1]) == pytest.approx(np.array([(0, 0, 1.01), (0, 0.2, 1.01)]))
    with pytest.raises(DescriptionError, match="two points of the name 'middle'"):
        lw.join(lw.sphere(1, 1.0), (lw.sphere(1, 1.0), (3, 0, 0)))


def test_particles_join_in_space():
    joined = lw.join((lw.Particle(1.0), (1, 0, 0)), (lw.Particle(1.0), (-1, 0, 0)))
    assert joined.inertia == (0.0, 2.0, 2.0)


@pytest.mark.parametrize(
    ("parts", "wrong"),
    [
        ((lw.sphere(1, 1.0), (lw.bar(1, 1.0), (0, 0, 1))), "part 1 is a body for the plane among others for space"),
        (((lw.sphere(1, 1.0), 1, 2),), "part 0 cannot be placed in space"),
        (((lw.sphere(1, 1.0), (1, 2)),), "place has the wrong length"),
        (((lw.sphere(1, 1.0), (1, 2, 3), (1, 1, 0, 0)),), "not a unit quaternion"),
    ],
)
def test_parts_that_do_not_fit(parts, wrong):
    with pytest.raises(DescriptionError, match=wrong):
        lw.join(*parts)


def test_joined_solids_in_files():
    m = lw.read(
        "linkwork: 1\ndimension: 3\nbodies:\n"
        "  hammer: {shape: join, points: {}, parts: [{shape: rod, length: 1, mass: 1}, "
        "[{shape: box, x: 0.1, y: 0.1, z: 0.2, mass: 2}, [0.5, 0, 0], {axis: [0, 0, 1], angle: 30 deg}], "
        "[{shape: sphere, radius: 0.1, mass: 1}, [0, 0, 10 cm]]]}\n"
    )
    wanted = lw.join(
        lw.rod(1, 1),
        (lw.box(0.1, 0.1, 0.2, 2), (0.5, 0, 0), {"axis": (0, 0, 1), "angle": "30 deg"}),
        (lw.sphere(0.1, 1), (0, 0, 0.1)),
        points={},
    )
    assert m.bodies["hammer"] == wanted.named("hammer")
    assert lw.read(lw.to_text(m)) == m
