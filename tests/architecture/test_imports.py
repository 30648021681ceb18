"""Each room imports only what the plan of the package allows it, and compiles only with our decorator."""

import ast

import pytest

from architecture.rooms import (
    NUMBA_FILES,
    PACKAGE,
    ROOMS,
    ROOT,
    compiler_faults,
    import_faults,
    imports_of,
    room_of,
    source_files,
)

ROOM_FILES = {room: [file for file in source_files() if room_of(file) == room] for room in ROOMS}
FILES = source_files()


def short(file):
    return file.relative_to(PACKAGE).as_posix()


def test_every_folder_and_file_is_in_the_table():
    found = {
        path.name.removesuffix(".py")
        for path in PACKAGE.iterdir()
        if path.suffix == ".py" or (path.is_dir() and any(path.rglob("*.py")))
    }
    assert found <= set(ROOMS), "a room without a rule: add it to tests/architecture/rooms.py"


@pytest.mark.parametrize("room", [room for room, files in ROOM_FILES.items() if files])
def test_room_imports_only_what_it_may(room):
    faults = [fault for file in ROOM_FILES[room] for fault in import_faults(file)]
    assert not faults, "\n" + "\n".join(faults)


def test_no_bare_compiler_of_numba():
    faults = [fault for file in FILES for fault in compiler_faults(file)]
    assert not faults, "\n" + "\n".join(faults)


def test_numba_is_imported_where_something_is_compiled_and_nowhere_else():
    found = {
        file.relative_to(PACKAGE / "kernels").as_posix()
        for file in (PACKAGE / "kernels").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        for name in imported(node)
        if name.partition(".")[0] in ("numba", "llvmlite")
    }
    assert found == NUMBA_FILES


def imported(node: ast.AST) -> list[str]:
    """Modules that a statement imports."""
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [one.name for one in node.names] if isinstance(node, ast.Import) else []


def test_no_star_imports():
    faults = [short(file) for file in FILES if " import *" in file.read_text(encoding="utf-8")]
    assert not faults


def rooms_in_the_guide():
    """Room -> (our rooms, packages, packages inside functions), as the table of CONTRIBUTING says."""
    found = {}
    for line in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## The rooms")[2].splitlines():
        if line.startswith("## "):
            break
        if line.startswith("| `"):
            room, _, ours, packages, _ = (cell.strip() for cell in line.strip("|").split("|"))
            listed = [one.strip() for one in packages.split(",") if one.strip()]
            inside = {one.strip("()") for one in listed if one.startswith("(")}
            found[room.strip("`")] = (
                {one.strip() for one in ours.split(",") if one.strip()},
                {one for one in listed if not one.startswith("(")},
                inside,
            )
    return found


def test_the_guide_says_what_the_rules_are():
    small = {"__init__", "__main__", "_version"}
    assert rooms_in_the_guide() == {
        name: (set(room.ours), set(room.others), set(room.inside)) for name, room in ROOMS.items() if name not in small
    }


# The checks themselves, on small packages made for them.


@pytest.fixture
def package(tmp_path):
    """Return a writer of files into a made-up package named as ours."""

    def write(files):
        root = tmp_path / "linkwork"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return root

    return write


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mechanism/joints.py", "import math\nimport numpy as np\nfrom ..errors import DescriptionError\n"),
        ("mechanism/joints.py", "from .frames import Frame\nfrom linkwork.mechanism import frames\n"),
        ("mechanism/joints.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numba\n"),
        ("mechanism/mechanism.py", "def run(self):\n    from linkwork.analysis import simulate\n"),
        ("kernels/planar/rows.py", "import numba\nfrom ..jit import kernel\nfrom numba import types\n"),
        ("kernels/compiling.py", "from numba import njit, types\n"),
        ("compiled/laws.py", "import numba\nfrom numba import cfunc\nfrom linkwork.kernels import jit\n"),
        ("coordinates/body.py", "from linkwork.compiled.plan import Plan\nfrom ..compiled import plan\n"),
        ("result/result.py", "def plot(self):\n    import xarray\n    from ..view import plots\n"),
        ("cli/run.py", "import linkwork as lw\nfrom linkwork import Body\nfrom ..errors import FileError\n"),
    ],
)
def test_allowed(package, name, text):
    root = package({name: text, "compiled/plan.py": "", "errors.py": "", "analysis/__init__.py": ""})
    assert import_faults(root / name, root) + compiler_faults(root / name, root) == []


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("mechanism/joints.py", "import numba\n", "mechanism imports numba"),
        ("mechanism/joints.py", "def f():\n    import scipy.linalg\n", "mechanism imports scipy.linalg"),
        ("mechanism/joints.py", "def f():\n    from ..analysis import run\n", "imports linkwork.analysis"),
        ("mechanism/mechanism.py", "from ..analysis import run\n", "at the top"),
        ("mechanism/x.py", "import importlib\nimportlib.import_module('linkwork.view')\n", "linkwork.view"),
        ("kernels/rows.py", "from ..errors import CompileError\n", "kernels imports linkwork.errors"),
        ("kernels/rows.py", "from numba import njit\n", "numba.njit"),
        ("kernels/planar/rows.py", "import numba as nb\n@nb.njit(cache=True)\ndef f(): ...\n", "numba.njit"),
        ("compiled/laws.py", "import numba\nf = numba.njit(f)\n", "numba.njit"),
        ("compiled/numbering.py", "import numba\n", "compiled imports numba"),
        ("compiled/numbering.py", "from linkwork.result import Result\n", "compiled imports linkwork.result"),
        ("coordinates/body.py", "from ..compiled import numbering\n", "imports linkwork.compiled.numbering"),
        ("coordinates/body.py", "from ..mechanism import Body\n", "coordinates imports linkwork.mechanism"),
        ("analysis/simulate.py", "import scipy\n", "analysis imports scipy at the top"),
        ("analysis/simulate.py", "import linkwork\n", "analysis imports linkwork at the top"),
        ("result/energy.py", "def f():\n    from ..view import plots\n", "result imports linkwork.view"),
        ("view/plots.py", "from ..kernels import rows\n", "view imports linkwork.kernels"),
        ("textbook/joints.py", "from ..kernels.planar import rows\n", "textbook imports linkwork.kernels"),
        ("cli/run.py", "from linkwork.analysis import simulate\n", "cli imports linkwork.analysis"),
        ("attic/old.py", "", "'attic' is not in the table"),
    ],
)
def test_refused(package, name, text, fault):
    rooms = ("analysis", "kernels/planar", "mechanism", "result", "view")
    others = {f"{room}/__init__.py": "" for room in rooms}
    root = package({**others, "compiled/numbering.py": "", "errors.py": "", name: text})
    faults = import_faults(root / name, root) + compiler_faults(root / name, root)
    assert any(fault in line for line in faults), faults


def test_relative_names_are_resolved_from_deep_folders(package):
    root = package(
        {
            "analysis/integrators/rk4.py": (
                "from ... import errors\nfrom ..start import begin\nfrom . import tableau\n"
            ),
            "analysis/integrators/tableau.py": "",
            "analysis/start.py": "",
            "errors.py": "",
        }
    )
    found = [one.module for one in imports_of(root / "analysis/integrators/rk4.py", root)]
    assert found == ["linkwork.errors", "linkwork.analysis.start", "linkwork.analysis.integrators.tableau"]
