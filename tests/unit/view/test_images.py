"""The pictures of the documents, drawn again and compared with those that are kept, pixel by pixel.

Lines may lie a pixel aside with another version of matplotlib, so pictures are compared at a third of their size.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

IMAGES = Path(__file__).parents[3] / "docs" / "images"
FAR = 0.15  # of full scale: a cell that differs by more counts as different
MOST = 0.01  # of all cells may differ


def made():
    spec = importlib.util.spec_from_file_location("make_pictures", IMAGES / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def coarse(file, step=3):
    """Mean colours of cells of a picture."""
    from matplotlib.image import imread

    image = imread(file)[..., :3]
    height, width = (size // step * step for size in image.shape[:2])
    return image[:height, :width].reshape(height // step, step, width // step, step, 3).mean(axis=(1, 3))


def apart(file, other):
    """Share of the cells that differ, all of them where the sizes do."""
    one, two = coarse(file), coarse(other)
    return float((np.abs(one - two).max(axis=2) > FAR).mean()) if one.shape == two.shape else 1.0


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    import matplotlib

    matplotlib.use("Agg")
    return made().pictures(tmp_path_factory.mktemp("pictures"))


@pytest.mark.parametrize("name", made().NAMES)
def test_pictures_look_as_they_are_kept(files, name):
    assert apart(files[name], IMAGES / f"{name}.png") <= MOST


def test_pictures_of_the_readme_are_written_by_its_blocks(tmp_path):
    from PIL import Image

    made_now = made().of_readme(tmp_path)
    assert sorted(made_now) == ["four_bar.gif", "rssr.png"]
    assert apart(made_now["rssr.png"], IMAGES / "rssr.png") <= MOST
    with Image.open(made_now["four_bar.gif"]) as now, Image.open(IMAGES / "four_bar.gif") as kept:
        assert (now.size, now.n_frames) == (kept.size, kept.n_frames)
        for k in (0, 20, 40):
            for film, name in ((now, "now.png"), (kept, "kept.png")):
                film.seek(k)
                film.convert("RGB").save(tmp_path / name)
            assert apart(tmp_path / "now.png", tmp_path / "kept.png") <= MOST


def test_the_comparison_sees_another_picture(files, tmp_path):
    import linkwork as lw

    run = lw.gallery.four_bar().simulate(2, every=0.02, coordinates="body")
    other = tmp_path / "other.png"
    run.draw(
        0.6, file=other, trace="coupler.tracer", arrows=["velocity", "reaction"], color={"crank": "tomato"}, dpi=110
    )
    assert apart(files["arrows"], other) > 2.0 * MOST
