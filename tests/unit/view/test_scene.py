import json
from dataclasses import dataclass

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, UnknownNameError
from linkwork.result.result import Result
from linkwork.view.build import build
from linkwork.view.drawing import draw
from linkwork.view.scene import Look, Poses, Scene, Shape
from unit.view.test_drawing import artists, closed, middle_of, texts  # noqa: F401 - closed is a fixture
from unit.view.view_models import four_bar_run, slider_crank_run


@pytest.fixture
def run():
    return four_bar_run()


def whole(run, **options):
    return build(run, run, np.arange(len(run.t)), gaps=False, **options)


def open_chain():
    """Bars that cannot meet: the ground pins are further apart than they are long."""
    m = lw.Mechanism("open")
    a = m.add("a", lw.bar(length=1, mass=1, position=(0.5, 0.0), angle=0.0))
    b = m.add("b", lw.bar(length=1, mass=1, position=(1.5, 0.3), angle=0.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    m.add("C", lw.Revolute(b.b, m.ground.at(3.5, 0)))
    return m


def test_a_shape_is_placed_by_the_pose_of_its_body():
    half = np.radians(15.0)
    poses = Poses([0.0], ("b",), np.array([[[1.0, 2.0]]]), np.array([[[np.cos(half), 0, 0, np.sin(half)]]]))
    scene = Scene("s", 2, poses, np.zeros(2), np.ones(2), (0.0, 0.0))
    shape = Shape("line", "b", np.array([[2.0, 0.0]]), Look(), offsets=np.array([[0.0, 10.0]]))
    c, s = np.cos(np.radians(30)), np.sin(np.radians(30))
    expected = [1.0 + 2.0 * c - 0.1 * s, 2.0 + 2.0 * s + 0.1 * c]
    np.testing.assert_allclose(scene.vertices(shape, poses, 0, 0.01)[0], expected)
    upright = Shape("line", "b", np.array([[2.0, 0.0]]), Look(), offsets=np.array([[0.0, 10.0]]), turn="ground")
    np.testing.assert_allclose(scene.vertices(upright, poses, 0, 0.01)[0], [1.0 + 2.0 * c, 2.0 + 2.0 * s + 0.1])


def test_shapes_are_given_once_for_all_times(run):
    scene = whole(run, trace="coupler.tracer", arrows="velocity")
    assert len(scene.poses) == len(run.t)
    (pin,) = [one for one in scene.shapes if one.name == "pin C"]
    for k in (0, 7, len(run.t) - 1):
        expected = [run["coupler.b.x"][k], run["coupler.b.y"][k]]
        np.testing.assert_allclose(scene.vertices(pin, scene.poses, k, 1.0)[0], expected, atol=1e-8)
        (spring,) = [one for one in scene.connectors if one.name == "spring"]
        ends = scene.between(spring, scene.poses, k, 0.01)[[0, -1]]
        np.testing.assert_allclose(ends, [[0.0, 3.0], [run["coupler.x"][k], run["coupler.y"][k]]], atol=1e-9)


def test_limits_hold_all_times(run):
    scene = whole(run)
    for body in run.mechanism.bodies:
        for point in ("a", "b"):
            path = np.column_stack([run[f"{body}.{point}.x"], run[f"{body}.{point}.y"]])
            assert (path >= scene.low - 1e-12).all() and (path <= scene.high + 1e-12).all()
    one, other = draw(run, 0.0), draw(run, 0.6)
    assert one.axes[0].get_xlim() == other.axes[0].get_xlim()
    assert draw(run, 0.0, limits="now").axes[0].get_ylim() != one.axes[0].get_ylim()
    with pytest.raises(DescriptionError, match="limits"):
        draw(run, limits=((0, 1), (3, 2)))


def test_the_dict_is_json_and_says_the_same(run):
    scene = whole(run, trace="coupler.tracer", ghosts=2, arrows=["velocity", "reaction"], frames=True)
    found = json.loads(json.dumps(scene.to_dict(), allow_nan=False))
    assert found["dimension"] == 2 and found["poses"]["bodies"] == ["crank", "coupler", "rocker"]
    np.testing.assert_allclose(np.array(found["poses"]["places"])[:, 1, 0], run["coupler.x"])
    turned = np.array(found["poses"]["angles"])[:, 0] - run["crank.angle"]
    np.testing.assert_allclose(turned - turned[0], 0.0, atol=1e-9)
    (pin,) = [one for one in found["shapes"] if one.get("name") == "pin B"]
    assert pin["kind"] == "circle" and pin["body"] == "coupler" and pin["points"] == [[-1.5, 0.0]]
    assert {one["text"] for one in found["labels"]} >= {"crank", "A", "spring", "tracer"}


def test_a_joint_of_a_user_keeps_or_says_its_symbol():
    @dataclass(frozen=True)
    class _Bearing(lw.Revolute):
        pass

    @dataclass(frozen=True)
    class _Skate(lw.Joint):
        def constraints(self):
            return (self.offset("y"),)

        def symbol(self):
            from linkwork.mechanism.symbols import mark

            return (mark("blade", self.on, self.to),)

    m = lw.Mechanism("own")
    body = m.add("body", lw.Body(1.0, 0.2, position=(0.0, 0.0), angle=0.0))
    m.add("A", _Bearing(m.ground, body))
    m.add("B", _Skate(m.ground, body.at(0.5, 0)))
    state = m.evaluate(coordinates="body").state
    run = Result.of_state(state)
    names = {one.name: one.kind for one in build(run, run, [0]).shapes}
    assert names["pin A"] == "circle" and names["support A"] == "hatch" and names["B"] == "area"


def test_a_mechanism_draws_itself_before_anything_runs():
    figure = lw.gallery.four_bar().draw()
    assert {"crank", "A", "t = 0 s"} <= set(texts(figure))
    m = lw.gallery.four_bar()
    (pin,) = artists(m.draw(start={"A.angle": 1.0}), "pin B")
    np.testing.assert_allclose(middle_of(pin), [np.cos(1.0), np.sin(1.0)], atol=1e-6)


def test_open_joints_are_marked_with_their_gap():
    m = open_chain()
    figure = m.draw()
    assert {"B open 300 mm", "C open 1.53 m"} <= set(texts(figure))  # 0.3 m, and sqrt(1.5^2 + 0.3^2)
    assert "A" in texts(figure) and "t = 0 s; it does not go together; open joints are marked" in texts(figure)
    lines = [one.get_xydata() for one in artists(figure, "gap B") if hasattr(one, "get_xydata")]
    np.testing.assert_allclose(lines, [[[1.0, 0.0], [1.0, 0.3]]], atol=1e-12)
    assert not artists(figure, "gap A")
    evaluation = m.evaluate(coordinates="body")
    assert "B open 300 mm" in texts(evaluation.draw()) and "B open 300 mm" in texts(evaluation.state.draw())
    assert not any("open" in text for text in texts(lw.gallery.four_bar().assemble(coordinates="body").draw()))


def test_colors_of_bodies(run):
    from matplotlib.colors import to_rgb

    figure = draw(run, color={"crank": "red"})
    (crank,), (rocker,) = artists(figure, "body crank"), artists(figure, "body rocker")
    red, green, blue = crank.get_facecolor()[:3]
    assert red > 0.99 and green == blue and green < 0.8
    assert rocker.get_edgecolor()[:3] == to_rgb("#2e7d4f")
    with pytest.raises(UnknownNameError, match=r"crnk.*Nearest: 'crank'"):
        draw(run, color={"crnk": "red"})
    for wrong in ({"crank": "no color"}, 7):
        with pytest.raises(DescriptionError, match="color"):
            draw(run, color=wrong)


def test_some_names(run):
    shown = set(texts(draw(run, names=["crank", "B"])))
    assert {"crank", "B"} <= shown and not {"coupler", "A", "spring"} & shown
    with pytest.raises(UnknownNameError, match="wanted by names="):
        draw(run, names=["crank", "Z"])


def test_arrows_are_to_scale():
    run = slider_crank_run()
    figure = draw(run, 0.05, arrows={"velocity": 0.02})
    k = int(np.searchsorted(run.t, 0.05))
    (shaft,) = artists(figure, "velocity piston")
    start = shaft.get_xydata()[0]
    np.testing.assert_allclose(start, [run["piston.x"][k], run["piston.y"][k]], atol=1e-9)
    heads = [one.get_path().vertices[0] for one in figure.axes[0].patches if type(one).__name__ == "Polygon"]
    tip = start + 0.02 * np.array([run["piston.x.rate"][k], 0.0])
    assert min(np.hypot(*(head - tip)) for head in heads) < 1e-9
    assert any(text.startswith("velocity ") and text.endswith(" m/s") for text in texts(figure))
    figure = draw(run, 0.05, arrows=["reaction", "force"])
    (shaft,) = artists(figure, "reaction A")
    way = np.diff(shaft.get_xydata(), axis=0)[0]
    force = run.reaction("A").force[k]
    assert way @ force == pytest.approx(np.hypot(*way) * np.hypot(*force))
    with pytest.raises(UnknownNameError, match="kind of arrows 'speed'"):
        draw(run, arrows="speed")
    with pytest.raises(DescriptionError, match="scale of the arrows"):
        draw(run, arrows={"velocity": -1.0})


def test_frames_show_their_axes():
    m = lw.Mechanism("turned")
    body = m.add("body", lw.bar(length=1.0, mass=1.0))
    m.add("S", lw.Prismatic(m.ground.at(0, 0, angle="30 deg"), body.at(0.2, 0, along=(0, 1))))
    lines = artists(m.draw(frames=True), "frame S")
    ways = [np.diff(line.get_xydata(), axis=0)[0] for line in lines]
    angles = sorted(np.degrees(np.arctan2(*way[::-1])) for way in ways)
    np.testing.assert_allclose(angles, [30.0, 30.0, 120.0, 120.0], atol=1e-6)


def test_into_axes_of_ones_own(run):
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3))
    assert draw(run, 0.5, ax=right) is figure
    assert not left.patches and len(right.patches) > 5
    (x0, x1), (y0, y1), box = right.get_xlim(), right.get_ylim(), right.get_window_extent()
    assert (x1 - x0) / box.width == pytest.approx((y1 - y0) / box.height, rel=1e-6)


@pytest.mark.parametrize("name", [one for one in lw.gallery.names() if one != "spatial_chain"])
def test_names_in_the_gallery_do_not_lie_on_each_other(name):
    figure = lw.gallery.get(name).draw()
    renderer = figure.canvas.get_renderer()
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in figure.axes[0].texts]
    width, height = figure.bbox.width, figure.bbox.height
    for k, (text, one) in enumerate(boxes):
        assert one.x0 >= 0 and one.y0 >= 0 and one.x1 <= width and one.y1 <= height, text
        assert [other for other, box in boxes[k + 1 :] if one.overlaps(box)] == [], text


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_kinds_of_files_are_whole_and_the_same_each_time(run, tmp_path, kind):
    heads = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
    first, second = (tmp_path / f"{name}.{kind}" for name in "ab")
    for file in (first, second):
        run.draw(0.5, file=file)
    assert first.read_bytes().startswith(heads[kind]) and first.read_bytes() == second.read_bytes()
