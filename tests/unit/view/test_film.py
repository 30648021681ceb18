import re
from itertools import pairwise

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, FileError, MissingPackageError, UnknownNameError
from linkwork.view.film import MOST, _flat, animate
from linkwork.view.page.write import fitting_speed
from unit.view.test_scene import whole
from unit.view.view_models import four_bar_run, slider_crank_run

Image = pytest.importorskip("PIL.Image")


def frames_of(file):
    with Image.open(file) as film:
        found = []
        for k in range(film.n_frames):
            film.seek(k)
            found.append(np.asarray(film.convert("RGB")))
        return found, film.info["duration"]


def test_a_gif_moves_at_the_asked_pace(tmp_path):
    run = four_bar_run()
    file = tmp_path / "film.gif"
    run.animate(file, fps=10, speed=0.5, size=(4, 3), dpi=80)
    frames, duration = frames_of(file)
    assert len(frames) == 21 and duration == 100  # 1 s at half speed, ten pictures a second
    assert frames[0].shape == (240, 320, 3)
    assert all((one != other).any() for one, other in pairwise(frames))
    assert {tuple(one[2, 2]) for one in frames} == {(255, 255, 255)}
    assert [path.name for path in tmp_path.iterdir()] == ["film.gif"]


def test_every_picture_shows_its_own_time():
    """Moved artists end where a drawing of that time alone puts them."""
    run = slider_crank_run()
    scene = whole(run, names=False, arrows="velocity")
    together = [frame.copy() for frame in _flat(scene, (4, 3), 80)]
    for k in (7, 31, len(run.t) - 1):
        alone = build_one(run, k)
        np.testing.assert_allclose(together[k].astype(int), alone.astype(int), atol=2)


def build_one(run, k):
    """The k-th picture, drawn as the first of a film that has all times."""
    scene = whole(run, names=False, arrows="velocity")
    order = np.roll(np.arange(len(run.t)), -k)
    scene.poses = type(scene.poses)(
        scene.poses.t[order], scene.poses.bodies, scene.poses.places[order], scene.poses.quaternions[order]
    )
    scene.arrows = [type(one)(**(one.__dict__ | {"values": one.values[order]})) for one in scene.arrows]
    return next(_flat(scene, (4, 3), 80)).copy()


def test_space_moves_too(tmp_path):
    run = lw.gallery.spatial_chain(2).simulate(0.4, every=0.2, coordinates="body")
    file = tmp_path / "chain.gif"
    run.animate(file, fps=5, size=(3, 2.5), dpi=60, view="front", names=False)
    frames, _ = frames_of(file)
    assert len(frames) == 3 and (frames[0] != frames[2]).any()


def test_mp4(tmp_path):
    pytest.importorskip("imageio_ffmpeg")
    file = tmp_path / "film.mp4"
    four_bar_run().animate(file, fps=10, size=(4, 3), dpi=81)
    assert file.read_bytes()[4:8] == b"ftyp"


def test_wrong_use(tmp_path, monkeypatch):
    run = four_bar_run()
    with pytest.raises(FileError, match=r"no kind of film.*'\.avi'.*\.gif, \.mp4 or \.html"):
        run.animate(tmp_path / "film.avi")
    with pytest.raises(FileError, match="folder that does not exist"):
        run.animate(tmp_path / "none" / "film.gif")
    with pytest.raises(FileError, match="no name of a file"):
        run.animate(5)
    for wrong in ({"fps": 0}, {"speed": -1.0}, {"fps": "fast"}, {"speed": float("nan")}):
        with pytest.raises(DescriptionError, match=next(iter(wrong))):
            run.animate(tmp_path / "film.gif", **wrong)
    with pytest.raises(DescriptionError, match=f"too many pictures.*at most {MOST}.*speed="):
        run.animate(tmp_path / "film.gif", speed=1e-6)
    with pytest.raises(DescriptionError) as told:
        run.animate(tmp_path / "film.gif", fps=1e5 + 1)
    speed = float(re.search(r"speed=([\d.e+]+)", str(told.value))[1])  # the advice is enough
    assert (run.t[-1] - run.t[0]) / speed * (1e5 + 1) < MOST
    with pytest.raises(UnknownNameError, match="crnk"):
        run.animate(tmp_path / "film.gif", color={"crnk": "red"})
    with pytest.raises(DescriptionError, match="needs a result"):
        animate(run.final, tmp_path / "film.gif")
    import sys

    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingPackageError, match=r"linkwork\[film\]"):
        run.animate(tmp_path / "film.mp4")
    assert list(tmp_path.iterdir()) == []


def test_names_of_space_stay_beside_what_they_name():
    from linkwork.view.camera import camera_of
    from linkwork.view.film import KeptNames
    from linkwork.view.space import show_in_space

    run = lw.gallery.spatial_chain(2).simulate(0.4, every=0.1, coordinates="body")
    scene, beside = whole(run), {}
    camera = camera_of(scene, "perspective")
    ways = []
    for k in range(len(run.t)):
        figure = show_in_space(scene, k, size=(6, 5), file="film", pen=lambda *place: KeptNames(*place, beside=beside))
        shown = {text.get_text(): np.array(text.get_position()) for text in figure.axes[0].texts}
        places = {one.text: camera.seen(scene.poses.only(k).at(one.at))[0, :2] for one in scene.labels}
        ways.append({name: shown[name] for name in places})
        scale = np.array([ways[-1][name] - ways[0][name] for name in places])
        moved = np.array([places[name] for name in places])
        if k == 0:
            first = moved
        else:
            factor = np.linalg.norm(scale) / np.linalg.norm(moved - first)
            np.testing.assert_allclose(scale, factor * (moved - first), atol=1e-6 * np.abs(scale).max())
    assert len(beside) == len(scene.labels) > 3


@pytest.mark.parametrize(
    "duration, speed", [(3.0, 1.0), (1.0, 1.0), (0.99, 0.2), (0.1, 0.02), (0.08, 0.02), (0.03, 0.005), (4e-5, 1e-5)]
)
def test_what_is_short_is_shown_slowly(duration, speed, tmp_path):
    run = lw.gallery.pendulum().simulate(duration, every=duration / 500, coordinates="body")
    assert fitting_speed([run]) == speed
    if duration == 0.1:
        run.animate(tmp_path / "film.gif", size=(1, 1))
        with Image.open(tmp_path / "film.gif") as film:
            assert film.n_frames == 126  # five seconds of 25 pictures
