import json

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, UnknownNameError
from linkwork.result.result import Result
from linkwork.view.build import build
from linkwork.view.camera import camera_of
from linkwork.view.drawing import draw
from linkwork.view.hidden import Depths
from linkwork.view.solids import Surface, ball, convex_faces, cylinder, seen_edges, split
from unit.view.test_drawing import closed, texts  # noqa: F401 - closed is a fixture


def scene_of(m, **options):
    run = Result.of_state(m.evaluate(coordinates="body").state)
    return build(run, run, [0], **options)


def pendulum():
    m = lw.Mechanism("arm and bob", dimension=3)
    arm = m.add(
        "arm", lw.cylinder(radius=0.02, length=0.5, mass=2.0, axis="x", position=(0.25, 0, 0), orientation=(1, 0, 0, 0))
    )
    bob = m.add(
        "bob",
        lw.sphere(
            radius=0.08, mass=1.0, points={"eye": (0, 0, 0.3)}, position=(0.5, 0, -0.3), orientation=(1, 0, 0, 0)
        ),
    )
    A = m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 1, 0)), arm.at(-0.25, 0, 0, axis=(0, 1, 0))))
    m.add("B", lw.Spherical(arm.b, bob.eye))
    m.add("spring", lw.SpringDamper(m.ground.at(0.5, 0, 0.6), arm.b, stiffness=50, rest_length=0.4, damping=1.0))
    m.add("motor", lw.Driver(A.angle, "1 rad/s*t"))
    return m


def shapes(scene, name):
    return [one for one in scene.shapes if one.name == name]


def test_solids_pins_and_balls_are_where_they_belong():
    scene = scene_of(pendulum())
    assert scene.dimension == 3 and not scene.notes
    (arm,) = shapes(scene, "body arm")
    ends = scene.vertices(arm, scene.poses, 0, scene.point)
    assert arm.kind == "cylinder" and arm.radius == 0.02
    np.testing.assert_allclose(ends, [[0, 0, 0], [0.5, 0, 0]], atol=1e-12)
    (pin,) = shapes(scene, "pin A")
    way = np.diff(scene.vertices(pin, scene.poses, 0, scene.point), axis=0)[0]
    np.testing.assert_allclose(way / np.linalg.norm(way), [0, 1, 0], atol=1e-12)
    (socket,) = shapes(scene, "pin B")
    np.testing.assert_allclose(scene.vertices(socket, scene.poses, 0, scene.point)[0], [0.5, 0, 0], atol=1e-12)
    assert shapes(scene, "support A") and not shapes(scene, "support B")
    assert (scene.low <= (0.0, -0.08, -0.38)).all() and (scene.high >= (0.58, 0.08, 0.6)).all()
    json.dumps(scene.to_dict(), allow_nan=False)


def test_the_spring_is_a_helix_between_its_ends():
    scene = scene_of(pendulum())
    (helix,) = [one for one in scene.connectors if one.name == "spring" and one.kind == "line"]
    points = scene.between(helix, scene.poses, 0, scene.point)
    np.testing.assert_allclose(points[[0, -1]], [[0.5, 0, 0.6], [0.5, 0, 0]], atol=1e-12)
    around = np.hypot(points[1:-1, 0] - 0.5, points[1:-1, 1])
    np.testing.assert_allclose(around, 8.0 * scene.point)


def test_a_belt_stays_in_the_plane_of_its_pulleys():
    m = lw.Mechanism("belt", dimension=3)
    bodies = []
    for k, x in enumerate((0.0, 1.0)):
        bodies.append(
            m.add(
                f"p{k}",
                lw.disc(
                    0.1 + 0.1 * k,
                    1.0,
                    thickness=0.02,
                    position=(x, 0, 0),
                    orientation={"axis": (1, 0, 0), "angle": "90 deg"},
                ),
            )
        )
        m.add(f"R{k}", lw.Revolute(m.ground.at(x, 0, 0, axis=(0, -1, 0)), bodies[k].middle))
    m.add("belt", lw.Belt(bodies[0].middle, bodies[1].middle, 0.1, 0.2))
    scene = scene_of(m)
    strands = [scene.between(one, scene.poses, 0, scene.point) for one in scene.connectors if one.name == "belt"]
    assert len(strands) == 2
    for a, b in strands:
        assert a[1] == pytest.approx(0.0, abs=1e-12) and b[1] == pytest.approx(0.0, abs=1e-12)
        assert np.linalg.norm(a) == pytest.approx(0.1) and np.linalg.norm(b - (1, 0, 0)) == pytest.approx(0.2)
        assert (b - a) @ a == pytest.approx(0.0, abs=1e-12)  # a tangent of both
    assert strands[0][0][2] * strands[1][0][2] < 0.0


@pytest.mark.parametrize("kind", [name for name, kind in lw.Joint.kinds.items()
                                  if 3 in kind.dimensions and kind.__module__.startswith("linkwork.")])  # fmt: skip
def test_every_joint_has_a_symbol_in_space(kind):
    cls = lw.Joint.kinds[kind]
    m = lw.Mechanism(kind, dimension=3)
    body = m.add(
        "body", lw.Body(1.0, (0.1, 0.1, 0.1), position=(0.6, 0.5, 0.2), orientation={"axis": (1, 2, 3), "angle": 0.8})
    )
    joint = m.add("joint", cls(m.ground.at(0, 0, 0), body.at(0.1, 0.0, 0.0), **cls.sample))
    scene = scene_of(m)
    known = {one.name for one in (*scene.shapes, *scene.connectors)}
    assert known & {"joint", "pin joint"}
    kinds = [one.kind for one in scene.connectors if one.look.dash and one.look.role == "joint"]
    assert bool(kinds) == (joint.symbol()[0].kind == "dashes")  # only Free has none of its own
    assert len(draw(m.evaluate(coordinates="body")).axes[0].collections) == 3


def test_forces_in_space():
    m = pendulum()
    arm, bob = m.bodies["arm"], m.bodies["bob"]
    m.add("push", lw.PointForce(bob.eye, x=3.0, z="2 N"))
    m.add("twist", lw.Torque(arm, -2.0))
    m.add(
        "coil",
        lw.TorsionSpringDamper(
            m.ground.at(0, 0, 0, axis=(0, 1, 0)), arm.at(-0.25, 0, 0, axis=(0, 1, 0)), stiffness=1.0
        ),
    )
    m.add("stop", lw.Limit(m.joints["A"].angle, -0.5, 1.5))
    m.add("edge", lw.Limit(lw.WorldOffset(m.ground, bob, "z"), lower=-0.5))
    m.add("rubber", lw.Bushing(m.ground.at(0.5, 0, -0.3), bob, stiffness=(1, 1, 1, 1, 1, 1)))
    scene = scene_of(m)
    found = {one.name for one in (*scene.shapes, *scene.connectors, *scene.arrows)}
    assert {"push", "twist", "coil", "stop", "edge", "rubber", "motor"} <= found
    (edge,) = shapes(scene, "edge")
    np.testing.assert_allclose(scene.vertices(edge, scene.poses, 0, 0.0), np.tile([0.5, 0, -0.5], (8, 1)), atol=1e-12)
    (push,) = [one for one in scene.arrows if one.name == "push"]
    np.testing.assert_allclose(push.values, [[3.0, 0.0, 2.0]])
    draw(m.evaluate(coordinates="body"), arrows=["velocity", "force", "reaction"], frames=True)


@pytest.mark.parametrize(("gap", "lines"), [(0.3, 1), (0.0, 0)])
def test_a_line_joins_the_ends_of_a_stretched_bushing(gap, lines):
    m = lw.Mechanism("stretched", dimension=3)
    m.add("arm", lw.cylinder(0.02, 1.0, mass=2.0, axis="x", position=(0.5 + gap, 0, 0)))
    m.add("rubber", lw.Bushing("ground", "arm.a", stiffness=(1e4,) * 6))
    scene = scene_of(m)
    assert len([one for one in scene.connectors if one.name == "rubber"]) == lines


def test_views_look_along_the_axes():
    scene = scene_of(pendulum())
    for view, right, up in (("front", "x", "z"), ("side", "y", "z"), ("top", "x", "y")):
        camera = camera_of(scene, view)
        origin, x, y = camera.seen(
            [scene.poses.dimension * [0.0], np.eye(3)["xyz".index(right)], np.eye(3)["xyz".index(up)]]
        )[:, :2]
        np.testing.assert_allclose([x - origin, y - origin], np.eye(2), atol=1e-12)
    near, far = camera_of(scene, (0.0, 0.0)), camera_of(scene, (180.0, 0.0))
    assert near.seen([[1.0, 0, 0]])[0, 2] > near.seen([[0.0, 0, 0]])[0, 2]
    assert far.seen([[1.0, 0, 0]])[0, 2] < far.seen([[0.0, 0, 0]])[0, 2]
    with pytest.raises(UnknownNameError, match="There is no view 'fron'"):
        draw(pendulum(), view="fron")
    with pytest.raises(DescriptionError, match="view"):
        draw(pendulum(), view=(1, 2, 3))


def test_nearer_things_are_larger_in_perspective():
    scene = scene_of(pendulum())
    camera = camera_of(scene, (-90.0, 0.0))
    near, far = (camera.seen([[0.0, y, 0.0], [0.1, y, 0.0]]) for y in (-0.2, 0.2))
    assert near[1, 0] - near[0, 0] > far[1, 0] - far[0, 0] > 0.0


def test_planar_mechanisms_in_space_are_seen_from_the_front():
    m = lw.gallery.four_bar().in_space()
    scene = scene_of(m)
    camera = camera_of(scene, "front")
    np.testing.assert_allclose(camera.rows, np.eye(3), atol=1e-12)  # x to the right, y up


def test_three_views_and_names():
    figure = draw(pendulum(), view="three")
    assert len(figure.axes) == 4
    for axes, title in zip(figure.axes, ("front", "side", "top", "perspective")):
        words = [text.get_text() for text in axes.texts]
        assert {"arm", "bob", "A", "B", "spring"} <= set(words) and any(word.startswith(title) for word in words)
    scales = {round(float(np.diff(axes.get_xlim())[0]), 6) for axes in figure.axes[:3]}
    assert len(scales) == 1


def test_open_joints_of_space_are_marked():
    m = lw.Mechanism("open", dimension=3)
    a, b = (
        m.add(name, lw.cylinder(0.01, 1.0, mass=1.0, axis="x", position=place, orientation=(1, 0, 0, 0)))
        for name, place in (("a", (0.5, 0, 0)), ("b", (1.5, 0, 0.25)))
    )
    m.add("A", lw.Spherical(m.ground, a.a))
    m.add("B", lw.Spherical(a.b, b.a))
    assert "B open 250 mm" in texts(draw(m.evaluate(coordinates="body")))


def test_frames_show_axis_and_along():
    m = lw.Mechanism("frames", dimension=3)
    body = m.add("body", lw.box(1, 1, 1, mass=1.0, position=(0, 0, 0), orientation=(1, 0, 0, 0)))
    m.add("J", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 1, 0), along=(0, 0, 1)), body))
    lines = [one for one in scene_of(m, frames=True).shapes if one.name == "frame J" and one.body == "ground"]
    ways = [one.offsets[1] / np.linalg.norm(one.offsets[1]) for one in lines]
    np.testing.assert_allclose(ways, [(0, 0, 1), (1, 0, 0), (0, 1, 0)], atol=1e-12)
    assert [one.look.edge for one in lines] == ["#c0392b", "#2e8b57", "#2456a6"]


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_point_has_a_metre_around_it(dimension):
    m = lw.Mechanism("point", dimension=dimension)
    m.add("p", lw.Particle(1.0, position=(1.0, 2.0, 3.0)[:dimension]))
    scene = scene_of(m)
    np.testing.assert_allclose(scene.low, np.array([0.5, 1.5, 2.5])[:dimension])
    np.testing.assert_allclose(scene.high - scene.low, 1.0)
    draw(m.evaluate(coordinates="body"))


# -- solids --------------------------------------------------------------------------------------------------------


def volume(surface):
    """By the divergence theorem: faces that look outwards give the volume with its sign."""
    total = 0.0
    for face in surface.faces:
        a = surface.vertices[face[0]]
        for k in range(1, len(face) - 1):
            total += a @ np.cross(surface.vertices[face[k]], surface.vertices[face[k + 1]]) / 6.0
    return total


@pytest.mark.parametrize(("surface", "expected"), [
    (ball((1, 2, 3), 0.5), 4 / 3 * np.pi * 0.125),
    (cylinder((1, 0, 0), (1, 2, 1), 0.3), np.pi * 0.09 * np.sqrt(5)),
    (cylinder((1, 0, 0), (1, 2, 1), 0.3, top=0.0), np.pi * 0.09 * np.sqrt(5) / 3),
    (cylinder((0, 0, 1), (2, 0, 1), 0.3, bore=0.2), np.pi * 0.05 * 2),
])  # fmt: skip
def test_faces_look_outwards(surface, expected):
    assert volume(surface) == pytest.approx(expected, rel=0.07)  # round things have flat sides


def test_convex_solids_look_outwards():
    corners = np.array(lw.box(2, 3, 4, mass=1.0).outline[0][1]) + (5, -3, 2)
    surface = Surface(corners, convex_faces(corners))
    assert volume(surface) == pytest.approx(24.0)
    towards = np.tile([1.0, 1.0, 1.0], (len(surface.faces), 1))
    assert len(seen_edges(surface, surface.normals(), towards)) == 9  # of the twelve of a box, three are behind


def test_pieces_cover_the_same_area():
    corners = np.array([(0, 0, 0), (4, 0, 1), (4, 3, 1), (0, 3, 0)], dtype=float)
    pieces = split(corners, 0.6)
    area = lambda one: 0.5 * np.linalg.norm(np.cross(one, np.roll(one, -1, axis=0)).sum(axis=0))
    assert len(pieces) > 20 and max(np.ptp(one, axis=0).max() for one in pieces) <= 0.6
    assert sum(map(area, pieces)) == pytest.approx(area(corners))


def test_a_line_behind_a_face_is_hidden():
    depths = Depths((0, 0), (100, 100), 0.01)
    depths.cover(np.array([(20, 20, 1.0), (60, 20, 1.0), (60, 60, 1.0), (20, 60, 1.0)]))
    depths.finish()
    behind = depths.seen(np.array([(0, 40, 0.0), (100, 40, 0.0)]))
    assert len(behind) == 2
    assert behind[0][-1, 0] == pytest.approx(20.0, abs=4.0) and behind[1][0, 0] == pytest.approx(60.0, abs=4.0)
    (before,) = depths.seen(np.array([(0, 40, 2.0), (100, 40, 2.0)]))
    assert before[0, 0] == 0.0 and before[-1, 0] == 100.0


def test_a_mesh_is_kept_for_pictures(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    path = tmp_path / "fine.stl"
    trimesh.creation.icosphere(subdivisions=4, radius=20.0).export(path)  # 5120 faces
    body = lw.from_mesh(path, mass=1.0, unit="mm")
    ((kind, vertices, faces),) = body.outline
    assert kind == "mesh" and 200 < len(faces) <= 2000
    assert np.abs(np.linalg.norm(vertices, axis=1) - 0.02).max() < 0.002
    assert volume(Surface(vertices, faces)) == pytest.approx(4 / 3 * np.pi * 0.02**3, rel=0.1)
    m = lw.Mechanism("mesh", dimension=3)
    m.add("part", body)
    draw(m)
    path = tmp_path / "mesh.yaml"
    lw.write(m, path)
    assert lw.read(path) == m


def test_a_gap_that_is_no_number_is_said():
    """A disc that lies flat touches its plane nowhere in particular."""
    m = lw.Mechanism("flat disc", dimension=3)
    body = m.add("body", lw.Body(1.0, (0.1, 0.1, 0.1), position=(0.6, 0.5, 0.3)))
    m.add("joint", lw.RollingDisc(m.ground.at(0, 0, 0), body.at(0.1, 0, 0), **lw.RollingDisc.sample))
    (gap,) = [one for one in scene_of(m).labels if one.role == "gap"]
    assert gap.text == "joint open by no number here"
