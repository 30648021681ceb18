from dataclasses import dataclass

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, UnknownNameError
from linkwork.view.drawing import draw
from linkwork.view.geometry import covered, hull, round_length
from linkwork.view.poses import poses_of
from unit.view.view_models import _Nothing, every_kind, four_bar_run, free_body_run, gear_run, slider_crank_run


@pytest.fixture
def run():
    return four_bar_run()


@pytest.fixture(autouse=True)
def closed():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.close("all")
    yield
    pyplot.close("all")


def artists(figure, label):
    """Patches and lines that were drawn under a label."""
    (axes,) = figure.axes
    return [one for one in (*axes.patches, *axes.lines) if one.get_gid() == label]


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def middle_of(circle):
    return np.asarray(circle.center)


def test_pins_are_where_the_joints_are(run):
    figure = draw(run, 0.5)
    k = int(np.searchsorted(run.t, 0.5))
    for joint, point in (("A", "crank.a"), ("B", "crank.b"), ("C", "rocker.b"), ("D", "rocker.a")):
        (pin,) = artists(figure, f"pin {joint}")
        expected = [run[f"{point}.x"][k], run[f"{point}.y"][k]]
        np.testing.assert_allclose(middle_of(pin), expected, atol=1e-9)


def test_bodies_supports_and_spring(run):
    figure = draw(run)
    for body in run.mechanism.bodies:
        assert len(artists(figure, f"body {body}")) == 1
    assert len(artists(figure, "support A")) == len(artists(figure, "support D")) == 1
    assert artists(figure, "support B") == []
    (zigzag,) = artists(figure, "spring")
    ends = zigzag.get_xydata()[[0, -1]]
    np.testing.assert_allclose(ends, [[0.0, 3.0], [run["coupler.x"][0], run["coupler.y"][0]]], atol=1e-9)
    assert len(zigzag.get_xydata()) > 12


def test_a_link_reaches_around_its_pins_and_the_traced_point(run):
    plain, traced = (draw(run, trace=trace) for trace in ((), "coupler.tracer"))
    point = [run["coupler.tracer.x"][0], run["coupler.tracer.y"][0]]
    for figure, inside in ((plain, False), (traced, True)):
        (link,) = artists(figure, "body coupler")
        path = link.get_path()
        assert path.contains_point([run["coupler.b.x"][0], run["coupler.b.y"][0]])
        assert path.contains_point(point) is inside


def test_scale_is_equal_and_everything_is_inside(run):
    figure = draw(run, trace="coupler.tracer", ghosts=3)
    (axes,) = figure.axes
    assert axes.get_aspect() == 1.0
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    width, height = figure.get_size_inches()
    assert (x1 - x0) / width == pytest.approx((y1 - y0) / height)
    for line in axes.lines:
        x, y = line.get_data()
        assert min(x) > x0 and max(x) < x1 and min(y) > y0 and max(y) < y1


def test_trace_is_the_series_and_ends_named(run):
    figure = draw(run, trace=["coupler.tracer", "crank"])
    (path,) = artists(figure, "trace coupler.tracer")
    expected = np.column_stack([run["coupler.tracer.x"], run["coupler.tracer.y"]])
    np.testing.assert_array_equal(path.get_xydata(), expected)
    assert len(artists(figure, "trace crank")) == 1
    assert "tracer" in texts(figure)


def test_ghosts_by_number_and_by_time(run):
    assert len(artists(draw(run), "ghost crank")) == 0
    assert len(artists(draw(run, ghosts=4), "ghost crank")) == 4
    figure = draw(run, 0.0, ghosts=[0.5])
    (ghost,) = artists(figure, "ghost crank")
    (body,) = artists(draw(run, 0.5, ghosts=[0.0]), "body crank")
    middle = [np.mean(one.get_path().get_extents().get_points(), axis=0) for one in (ghost, body)]
    np.testing.assert_allclose(middle[0], middle[1], atol=0.02)  # the two scales differ a little
    for wrong in (-1, 1.5, True):
        with pytest.raises(DescriptionError, match="ghosts"):
            draw(run, ghosts=wrong)


def test_names_time_and_scale(run):
    words = texts(draw(run, 0.25))
    assert {"crank", "coupler", "rocker", "A", "B", "C", "D", "spring", "t = 0.25 s", "g"} <= set(words)
    assert any(word.endswith(" m") for word in words)
    assert not {"crank", "A"} & set(texts(draw(run, names=False)))


def test_names_do_not_lie_on_each_other(run):
    figure = draw(run)
    renderer = figure.canvas.get_renderer()
    boxes = [text.get_window_extent(renderer) for text in figure.axes[0].texts]
    for k, one in enumerate(boxes):
        assert not any(one.overlaps(other) for other in boxes[k + 1 :])


def test_slider_has_a_rail_over_its_whole_way():
    run = slider_crank_run()
    figure = draw(run, 0.05)
    (rail,) = artists(figure, "guide")
    slide = run["guide.slide"]
    x, y = rail.get_data()
    assert min(x) < slide.min() - 0.08 and max(x) > slide.max() + 0.08
    np.testing.assert_allclose(y, -0.06, atol=1e-9)  # under the piston, which is 0.12 high
    x0, x1 = figure.axes[0].get_xlim()
    assert x0 < min(x) and max(x) < x1


def test_driver_and_force_arrows():
    run = slider_crank_run()
    figure = draw(run, 0.05)
    (arc,) = artists(figure, "motor")
    turned = np.unwrap(np.arctan2(*arc.get_xydata().T[::-1]))
    assert turned[-1] < turned[0]  # the driver turns to the right
    (shaft,) = artists(figure, "gas")
    (x0, y0), (x1, y1) = shaft.get_xydata()
    assert x1 < x0 and y0 == pytest.approx(y1)


def test_gears_have_pitch_circles_and_a_ring():
    run = gear_run()
    figure = draw(run, 0.1)
    radii = sorted(circle.get_radius() for label in ("pitch mesh", "pitch ring") for circle in artists(figure, label))
    assert radii == pytest.approx([0.15, 0.2, 0.5])
    assert len(artists(figure, "ring ring")) == 1
    assert len(artists(figure, "pin S")) + len(artists(figure, "pin O")) == 1  # one place, one pin
    assert "S, O" in texts(figure)


def test_hanging_body_hangs_from_its_support():
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    for angle, side in ((-1.6, 1.0), (1.6, -1.0)):
        figure = draw(m.assemble(start={"A.angle": angle}, coordinates="body"))
        (edge,) = artists(figure, "support A")
        assert np.sign(edge.get_ydata()).tolist() == [side, side]


def test_sources(run):
    state = run.at(0.5)
    assembly = run.mechanism.assemble(start=state, coordinates="body")
    evaluation = run.mechanism.evaluate(state, coordinates="body")
    places = []
    for source in (state, assembly, evaluation):
        (pin,) = artists(draw(source), "pin B")
        places.append(middle_of(pin))
    (pin,) = artists(draw(run, 0.5), "pin B")
    np.testing.assert_allclose(places, [middle_of(pin)] * 3, atol=1e-9)


def test_a_particle_is_a_dot():
    (dot,) = artists(draw(free_body_run(), 0.1), "body stone")
    np.testing.assert_allclose(middle_of(dot), [0.1, 0.2 - 0.5 * 9.81 * 0.01], atol=1e-6)


def test_what_has_no_positions_is_refused():
    with pytest.raises(DescriptionError, match=r"needs positions.*a mechanism, a result"):
        draw("four-bar")
    with pytest.raises(DescriptionError, match=r"nothing to draw.*Add a body"):
        lw.Mechanism("empty").draw()


def test_unknown_times_and_points(run):
    with pytest.raises(UnknownNameError, match="There is no time '99'"):
        draw(run, 99.0)
    with pytest.raises(UnknownNameError, match=r"Nearest: .*'coupler\.tracer\.x'"):
        draw(run, trace="coupler.trazer")


def test_file_of_the_asked_size_and_nothing_open(run, tmp_path):
    from matplotlib import pyplot
    from matplotlib.image import imread

    file = tmp_path / "four_bar.png"
    run.draw(0.5, file=file, size=(5, 3), dpi=100)
    assert imread(file).shape[:2] == (300, 500)
    assert [path.name for path in tmp_path.iterdir()] == ["four_bar.png"]
    assert pyplot.get_fignums() == []


@pytest.mark.parametrize("kind", every_kind())
def test_every_joint_and_force_can_be_drawn(kind):
    m = every_kind()[kind]
    bare = lw.Mechanism("bare")
    bare.add("body", m.bodies["body"])
    state = m.evaluate(coordinates="body").state  # as declared: a drawing does not ask whether the joint is met
    figure, without = draw(state), draw(bare.evaluate(coordinates="body").state)

    def count(one):
        return len(one.axes[0].lines) + len(one.axes[0].patches)

    if kind not in ("Fixed", "Hold", "UserWrench"):
        assert artists(figure, "force" if "force" in m else "joint") or artists(figure, "pin joint")
    assert count(figure) > count(without)
    name = "force" if "force" in m else "joint"
    assert any(text == name or text.startswith(f"{name} open ") for text in texts(figure))


def test_stops_are_where_they_act():
    m = every_kind()["Limit offset"]
    figure = draw(m.evaluate(coordinates="body").state)
    x, y = 0.6 + 0.1 * np.cos(0.1), 0.5 + 0.1 * np.sin(0.1)
    edges = [line.get_xydata() for line in artists(figure, "force")]
    assert sorted(edge[:, 1].mean() for edge in edges) == pytest.approx([0.2, 1.0])
    for edge in edges:
        assert edge[:, 0].mean() == pytest.approx(x) and np.ptp(edge[:, 1]) == pytest.approx(0.0, abs=1e-12)
    figure = draw(every_kind()["Limit"].evaluate(coordinates="body").state)
    (arc,) = artists(figure, "force")
    way = arc.get_xydata() - (x, y)
    assert np.degrees(np.arctan2(way[0, 1], way[0, 0])) == pytest.approx(-20.0)
    assert np.arctan2(way[-1, 1], way[-1, 0]) == pytest.approx(0.9)


def test_a_force_that_does_nothing_is_drawn_as_nothing():
    m = lw.Mechanism("still")
    m.add("body", lw.plate(0.4, 0.2, 1.0))
    m.add("force", _Nothing())
    assert "force" not in texts(draw(m.evaluate(coordinates="body").state))


def test_a_joint_of_a_user_with_the_name_of_ours_is_not_drawn_as_ours():
    @dataclass(frozen=True)
    class Gear(lw.Joint):
        def constraints(self):
            return (self.offset("y"),)

    try:
        m = lw.Mechanism("own gear")
        body = m.add("body", lw.Body(1.0, 0.2, position=(0.6, 0.5)))
        m.add("joint", Gear(m.ground, body))
        assert artists(draw(m.evaluate(coordinates="body").state), "joint")
    finally:
        lw.Joint.kinds["Gear"] = lw.Gear


def test_poses_place_points_by_the_body_frame(run):
    poses = poses_of(run)
    points = poses.points("coupler", [(0.2, 0.9)])[:, 0]
    np.testing.assert_allclose(points[:, 0], run["coupler.tracer.x"], atol=1e-12)
    np.testing.assert_allclose(points[:, 1], run["coupler.tracer.y"], atol=1e-12)


def test_hull():
    square = hull([(0, 0), (2, 0), (2, 2), (0, 2), (1, 1), (1, 0)])
    assert sorted(map(tuple, square)) == [(0, 0), (0, 2), (2, 0), (2, 2)]
    assert len(hull([(0, 0), (1, 1), (3, 3)])) == 2


def test_covered():
    plate = lw.plate(2.0, 1.0, 1.0)
    assert covered(plate, (0.9, 0.4)) and covered(plate, (1.0, 0.0)) and not covered(plate, (1.1, 0.0))
    disc = lw.disc(1.0, 1.0)
    assert covered(disc, (0.6, 0.6)) and not covered(disc, (0.9, 0.9))


@pytest.mark.parametrize(
    ("near", "length", "text"),
    [(1.3, 1.0, "1 m"), (0.0061, 0.005, "5 mm"), (2600.0, 2000.0, "2 km"), (0.2, 0.2, "0.2 m")],
)
def test_round_length(near, length, text):
    found, words = round_length(near)
    assert found == pytest.approx(length) and words == text
