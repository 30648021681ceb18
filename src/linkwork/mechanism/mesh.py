"""Mass and inertia of a body from the mesh of its surface."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, FileError, extra_package, message
from linkwork.mechanism.bodies import Body
from linkwork.mechanism.inertia import Inertia
from linkwork.mechanism.solids import mass_of
from linkwork.units import si


@explained
def from_mesh(path: str | os.PathLike, mass: Any = None, *, density: Any = None, unit: str = "m",
              **options: Any) -> Body:
    """A body for space, solid and of even density, from the closed surface in a mesh file (STL, OBJ, PLY, ...).

    The frame is the one in which the file gives its vertices; `center` is the mass centre.  `unit` says in which length
    the file is written: files do not say it, and many are in "mm".  Needs the package trimesh
    (`pip install linkwork[mesh]`).
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
        raise FileError(message(item, f"cannot be read as a mesh ({type(error).__name__}: {error})",
                                wanted="a mesh file such as part.stl")) from error
    if not closed or not volume > 0.0:
        what = "is inside out" if closed and volume < 0.0 else "is not closed, so that it has no inside"
        raise DescriptionError(message(item, what, f"{len(mesh.faces)} faces" + ("" if closed else " with open edges"),
                                       "a watertight surface whose normals point outwards",
                                       "repair it in the program that made it, or with trimesh.repair"))
    mass = mass_of(item, mass, density, lambda: volume)
    inertia = mesh.moment_inertia / mesh.density * scale**5 * (mass / volume)  # about the mass centre
    return Inertia(mass, tuple(map(float, mesh.center_mass * scale)), inertia).body(**options)
