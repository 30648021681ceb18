"""Bodies from meshes: numbers against those of the solid, and what is refused.  The files are written here."""

import sys

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, FileError, MissingPackageError, UnitError

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
SIDES = [
    (0, 1, 3),
    (0, 3, 2),
    (4, 6, 7),
    (4, 7, 5),
    (0, 4, 5),
    (0, 5, 1),
    (2, 3, 7),
    (2, 7, 6),
    (0, 2, 6),
    (0, 6, 4),
    (1, 5, 7),
    (1, 7, 3),
]


def write(path, sides=SIDES, size=(0.1, 0.2, 0.3), shift=(1.0, 0.0, -0.5)):
    corners = CORNERS * size + shift
    lines = [f"v {x} {y} {z}" for x, y, z in corners.tolist()] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in sides]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_box(tmp_path):
    pytest.importorskip("trimesh")
    wanted = lw.Inertia.of(lw.box(0.1, 0.2, 0.3, density=2700))
    body = lw.from_mesh(write(tmp_path / "box.obj"), density="2.7 g/cm^3", points={"hole": (1, 0, 0)})
    assert body.mass == pytest.approx(wanted.mass) and "hole" in body.points
    assert body.center == pytest.approx((1.05, 0.1, -0.35))
    assert lw.Inertia.of(body).matrix == pytest.approx(wanted.matrix, abs=1e-12)
    large = write(tmp_path / "large.obj", size=(100, 200, 300), shift=(1000, 0, -500))
    again = lw.from_mesh(str(large), mass=wanted.mass, unit="mm")
    assert again.center == pytest.approx(body.center)
    assert lw.Inertia.of(again).matrix == pytest.approx(wanted.matrix, abs=1e-12)


def test_surfaces_that_are_not_closed(tmp_path):
    pytest.importorskip("trimesh")
    with pytest.raises(DescriptionError, match=r"from_mesh 'open.obj' is not closed.*watertight surface"):
        lw.from_mesh(write(tmp_path / "open.obj", SIDES[:-1]), density=1.0)
    with pytest.raises(DescriptionError, match="is inside out"):
        lw.from_mesh(write(tmp_path / "inside.obj", [one[::-1] for one in SIDES]), density=1.0)


def test_wrong_use(tmp_path):
    pytest.importorskip("trimesh")
    path = write(tmp_path / "box.obj")
    with pytest.raises(DescriptionError, match=r"from_mesh 'box.obj' has neither mass nor density"):
        lw.from_mesh(path)
    with pytest.raises(UnitError):
        lw.from_mesh(path, mass=1.0, unit="kg")
    with pytest.raises(FileError, match="does not exist"):
        lw.from_mesh(tmp_path / "none.stl", mass=1.0)
    (tmp_path / "words.stl").write_text("no mesh at all")
    with pytest.raises(FileError, match=r"words.stl' cannot be read as a mesh"):
        lw.from_mesh(tmp_path / "words.stl", mass=1.0)


def test_without_the_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(MissingPackageError, match=r"needs the package 'trimesh'.*pip install 'linkwork\[mesh\]'"):
        lw.from_mesh(write(tmp_path / "box.obj"), density=1.0)


def test_files_cannot_name_a_mesh():
    with pytest.raises(FileError, match="unknown shape 'from_mesh'"):
        lw.read("linkwork: 1\ndimension: 3\nbodies:\n  b: {shape: from_mesh, path: box.stl, mass: 1}\n")
