"""Mass and inertia of a body from the mesh of its surface."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, FileError, extra_package, message
from linkwork.mechanism.bodies import Body
from linkwork.mechanism.inertia import Inertia
from linkwork.mechanism.solids import mass_of
from linkwork.units import si

MOST_FACES = 2000  # of a mesh that is kept for pictures


@explained
def from_mesh(
    path: str | os.PathLike[str], mass: Any = None, *, density: Any = None, unit: str = "m", **options: Any
) -> Body:
    """A body for space, solid and of even density, from the closed surface in a mesh file, `path` (STL, OBJ, PLY).

    Give `mass` [kg] or `density` [kg/m^3]. The frame is the one in which the file gives its vertices; `center` is
    the mass centre. `unit` says in which length the file is written: files do not say it, and many are in "mm".
    Needs the package trimesh (`pip install linkwork[mesh]`).

    >>> import trimesh
    >>> _ = trimesh.creation.box((1, 2, 3)).export("box.stl")
    >>> body = lw.from_mesh("box.stl", mass=12.0)
    >>> [float(round(one, 6)) for one in body.inertia]
    [13.0, 10.0, 5.0]
    """
    if not isinstance(path, (str, os.PathLike)):
        raise FileError(message("from_mesh", "is given no path", repr(path), "a mesh file such as part.stl"))
    item = f"from_mesh '{Path(path).name}'"
    scale = si(f"1 {unit}", "m", item, "unit")
    trimesh = extra_package("trimesh", item, "mesh")
    if not Path(path).is_file():
        raise FileError(message(item, "does not exist", str(path), "a mesh file such as part.stl"))
    try:
        mesh: Any = trimesh.load(Path(path), force="mesh")
        if not len(mesh.faces):
            raise ValueError("it holds no faces")
        closed, volume = bool(mesh.is_watertight), float(mesh.volume) * scale**3
    except Exception as error:  # its readers raise many kinds
        raise FileError(
            message(
                item,
                f"cannot be read as a mesh ({type(error).__name__}: {error})",
                wanted="a mesh file such as part.stl",
            )
        ) from error
    if not closed or not volume > 0.0:
        what = "is inside out" if closed and volume < 0.0 else "is not closed, so that it has no inside"
        raise DescriptionError(
            message(
                item,
                what,
                f"{len(mesh.faces)} faces" + ("" if closed else " with open edges"),
                "a watertight surface whose normals point outwards",
                "repair it in the program that made it, or with trimesh.repair",
            )
        )
    mass = mass_of(item, mass, density, lambda: volume)
    inertia = mesh.moment_inertia / mesh.density * scale**5 * (mass / volume)  # about the mass centre
    options.setdefault("outline", (("mesh", *_thinned(mesh.vertices * scale, mesh.faces)),))
    return Inertia(mass, tuple(map(float, mesh.center_mass * scale)), inertia).body(**options)


def _thinned(vertices: Any, faces: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Vertices and faces for pictures, at most so many: those in one cell of an ever coarser grid become one."""
    low, size = vertices.min(axis=0), float(np.ptp(vertices, axis=0).max())
    for cells in (None, 64, 48, 32, 24, 16, 12, 8, 4):
        if cells is not None:
            key = np.floor((vertices - low) / size * cells * (1.0 - 1e-9)).astype(int)
            _, first, where = np.unique(key, axis=0, return_index=True, return_inverse=True)
            where = where.reshape(-1)
            middles = np.zeros((len(first), 3))
            np.add.at(middles, where, vertices)
            vertices_, faces_ = middles / np.bincount(where)[:, None], where[faces]
            flat = (faces_ == np.roll(faces_, 1, axis=1)).any(axis=1)
            faces_ = np.unique(_turned(faces_[~flat]), axis=0)
        else:
            vertices_, faces_ = vertices, faces
        if len(faces_) <= MOST_FACES:
            break
    used, counted = np.unique(faces_, return_inverse=True)
    return (tuple(map(tuple, vertices_[used].tolist())), tuple(map(tuple, counted.reshape(-1, 3).tolist())))


def _turned(faces: Any) -> Any:
    """Faces that begin with their smallest vertex, so that equal ones are the same."""
    first = np.argmin(faces, axis=1)[:, None]
    return np.take_along_axis(faces, (first + np.arange(3)) % 3, axis=1)
