"""The plan of the package as data, and a reader of syntax trees that compares the source with it.

A *room* is a folder of `src/linkwork` or one of the single files beside them; `ROOMS` says what each may
import.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "linkwork"

# Decorators and compilers of numba. Ours, `kernels.jit.kernel`, keeps the disk cache in a folder named by a
# hash of all kernel sources; numba alone would go on serving old machine code after an edit in a called file.
COMPILERS = {"njit", "jit", "vectorize", "guvectorize", "stencil", "cfunc", "jitclass", "generated_jit"}


@dataclass(frozen=True)
class Room:
    """What one room may import.

    ours      rooms, or modules as "compiled.model"; a room may always import itself
    others    third-party packages at the top of a file (numpy and the standard library are free everywhere)
    inside    third-party packages only inside functions, so that `import linkwork` stays light
    files     exceptions by file: file name -> rooms it may import inside functions
    """

    ours: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    inside: frozenset[str] = frozenset()
    files: dict[str, frozenset[str]] = field(default_factory=dict)


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


TABLES = "compiled.model compiled.plan compiled.bounds"  # what the compiler leaves, and what its indices must be
#: what can be drawn beside a result
SHOWN = ("state", "assembly", "evaluation", "compare", "frequency", "spread", "fitted")
PUBLIC = "public arguments errors records units testing"  # "public" is `linkwork` itself: its public list

ROOMS = {
    "__init__": Room(_names("_version errors whole")),
    "__main__": Room(_names("cli")),
    "_version": Room(),
    "errors": Room(),
    "whole": Room(),
    "arguments": Room(_names("errors")),
    "cells": Room(_names("errors")),
    "tape": Room(),
    "records": Room(),
    "units": Room(_names("arguments errors tape")),
    "rotation": Room(_names("errors")),
    "testing": Room(_names(f"{PUBLIC} rotation mechanism compiled coordinates analysis result kernels textbook files")),
    "mechanism": Room(
        _names("arguments cells errors records units rotation tape"),
        inside=_names("trimesh"),
        files={"mechanism.py": _names("analysis files view"), "bodies.py": _names("view")},
    ),
    "compiled": Room(_names("mechanism kernels errors records units rotation tape whole"), inside=_names("scipy")),
    "kernels": Room(others=_names("numba llvmlite")),
    "coordinates": Room(_names(f"kernels errors records rotation {TABLES}")),
    "analysis": Room(
        _names("_version arguments cells coordinates compiled kernels result errors records units rotation tape whole"),
        inside=_names("scipy distributed"),
        files={"resume.py": _names("files"), "sweep.py": _names("files")},
    ),
    # results read the workspace by its layout, and names through the compiler; they run no kernel themselves
    "result": Room(
        _names("arguments cells coordinates errors records units rotation compiled kernels.layout"),
        inside=_names("xarray pandas"),
        files={"result.py": _names("view files"), "joining.py": _names("files")}
        | {f"{one}.py": _names("view") for one in SHOWN},
    ),
    "view": Room(
        _names("arguments cells result mechanism errors rotation units"),
        inside=_names("matplotlib scipy PIL imageio_ffmpeg IPython"),
        files={"canvas.py": _names("files")},
    ),
    "textbook": Room(_names(f"errors {TABLES}"), inside=_names("scipy")),
    "files": Room(_names(PUBLIC), others=_names("yaml"), inside=_names("xarray pandas h5netcdf pyarrow")),
    "cli": Room(_names(PUBLIC)),
    "gallery": Room(_names(PUBLIC)),
}

# Third-party exceptions for single files, at the top of the file.
FILE_OTHERS = {"compiled/laws.py": _names("numba llvmlite")}
# Files that may name numba's compilers: the decorator itself, and the compiler of the user's laws.
COMPILER_FILES = {"kernels/compiling.py": COMPILERS, "compiled/laws.py": {"cfunc"}}
#: where numba and llvmlite are imported: kernels of a library that was compiled before need neither
NUMBA_FILES = {"compiling.py", "passing.py", "pipeline.py", "cache.py"}


@dataclass(frozen=True)
class Import:
    """One imported module: its full name, the line, and whether it stands inside a function."""

    module: str
    line: int
    inside: bool


def source_files(package: Path = PACKAGE) -> list[Path]:
    """Return every Python file of the package, in order."""
    return sorted(package.rglob("*.py"))


def room_of(file: Path, package: Path = PACKAGE) -> str:
    """Return the room of a file: its first folder, or its own name when it stands directly in the package."""
    first = file.relative_to(package).parts[0]
    return first.removesuffix(".py")


def imports_of(file: Path, package: Path = PACKAGE) -> Iterator[Import]:
    """Yield what a file imports when it runs, with relative names resolved.

    Imports under `if TYPE_CHECKING:` do not run and are left out. `from x import y` gives `x.y` when y is a
    module of ours, else `x`. `import_module("x")` or `extra_package("x")` with a literal name counts as an import, and
    so does `mirrored("x", ...)`, which imports when it is used.
    """
    parts = [package.name, *file.relative_to(package).with_suffix("").parts]
    parents = parts[:-1]  # the package a relative import starts from, also for __init__.py

    def is_module(dotted: str) -> bool:
        path = package.parent.joinpath(*dotted.split("."))
        return path.with_suffix(".py").exists() or path.is_dir()

    def visit(node: ast.AST, inside: bool) -> Iterator[Import]:
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            for child in node.orelse:
                yield from visit(child, inside)
            return
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, inside)
        elif isinstance(node, ast.ImportFrom):
            base = parents[: len(parents) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                full = f"{start}.{alias.name}"
                ours = start.split(".")[0] == package.name
                yield Import(full if ours and is_module(full) else start, node.lineno, inside)
        elif isinstance(node, ast.Call) and _called_name(node) in _IMPORTERS:
            if node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
                name = node.args[0].value
                dots = len(name) - len(name.lstrip("."))
                if dots:
                    name = ".".join([*parents[: len(parents) - dots + 1], name[dots:]])
                yield Import(name, node.lineno, inside or _called_name(node) == "mirrored")
        deeper = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, deeper)

    yield from visit(ast.parse(file.read_text(encoding="utf-8")), False)


def _is_type_checking(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


_IMPORTERS = {"import_module", "__import__", "extra_package", "mirrored"}


def _called_name(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def import_faults(file: Path, package: Path = PACKAGE) -> list[str]:
    """Return one line for each import of a file that the table of rooms does not allow."""
    name = room_of(file, package)
    where = file.relative_to(package).as_posix()
    if name not in ROOMS:
        return [f"{where}: the room '{name}' is not in the table of rooms (tests/architecture/rooms.py)"]
    room = ROOMS[name]
    faults = []
    for found in imports_of(file, package):
        top = found.module.split(".")[0]
        if top == package.name:
            target = found.module.split(".", 1)[1] if "." in found.module else "public"
            target_room = target.split(".")[0]
            allowed = (
                target_room == name
                or target_room in room.ours
                or any(target == one or target.startswith(one + ".") for one in room.ours)
                or (found.inside and target_room in room.files.get(file.name, ()))
            )
        elif top in sys.stdlib_module_names or top == "numpy":
            allowed = True
        else:
            allowed = top in room.others or top in FILE_OTHERS.get(where, ()) or (found.inside and top in room.inside)
        if not allowed:
            place = "inside a function" if found.inside else "at the top"
            faults.append(f"{where}:{found.line}: {name} imports {found.module} {place}")
    return list(dict.fromkeys(faults))


def compiler_faults(file: Path, package: Path = PACKAGE) -> list[str]:
    """Return one line for each use of a numba compiler where only `kernels.jit.kernel` may be used."""
    where = file.relative_to(package).as_posix()
    forbidden = COMPILERS - COMPILER_FILES.get(where, set())
    tree = ast.parse(file.read_text(encoding="utf-8"))
    modules = {
        alias.asname or alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name.split(".")[0] == "numba"
    }
    faults = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numba":
            used = [alias.name for alias in node.names if alias.name in forbidden]
        elif isinstance(node, ast.Attribute) and node.attr in forbidden and _root(node) in modules:
            used = [node.attr]
        else:
            continue
        place = f"{where}:{node.lineno}"
        faults.extend(f"{place}: numba.{name} (use linkwork.kernels.jit.kernel)" for name in used)
    return faults


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
