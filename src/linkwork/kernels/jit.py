"""The one decorator of the kernels, and the folder where compiled code is kept.

numba's disk cache looks at the file of a function only, so an edit in a *called* function of another file would
silently give the old answer.  The cache therefore lives in a folder named by a hash of all kernel sources and the
versions that matter; a changed source is a new folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from pathlib import Path

import numba
from numba import cfunc, config, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

f8 = types.float64
i8 = types.int64
#: among kernels a vector is a bare pointer: one word to hand on, where an array is seven and counts its references
A = types.CPointer(f8)
I = types.CPointer(i8)
#: vectors and matrices as they come from Python
ARRAY = f8[::1]
INTEGERS = i8[::1]
MATRIX = f8[:, ::1]

#: rhs(t, y, p, tab, w, f): time, state, parameters, integer tables, workspace, state derivative
RHS = types.void(f8, A, A, I, A, A)
RHS_POINTER = types.FunctionType(RHS)

#: law(t, values, rates, numbers, memory, out, n_values, n_numbers, n_memory, n_out)
LAW = types.void(f8, A, A, A, A, A, i8, i8, i8, i8)
#: function(t, numbers, out, n_numbers): out = f, f', f''
FUNCTION = types.void(f8, A, A, i8)

#: the signature that every kernel is written for; one that is compiled for another costs time at every first start
DECLARED: dict = {}

_UNUSED_DAYS = 30


def _source_hash() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]} {sys.platform}".encode())
    room = Path(__file__).parent
    for path in sorted(room.rglob("*.py")):
        digest.update(str(path.relative_to(room)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    own = os.environ.get("LINKWORK_CACHE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "linkwork"


def _remove_unused(root: Path, keep: Path) -> None:
    limit = time.time() - _UNUSED_DAYS * 86400
    for folder in root.glob("kernels-*"):
        if folder != keep and folder.is_dir() and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


def _cache_folder() -> Path | None:
    folder = _cache_root() / f"kernels-{_source_hash()}"
    try:
        new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        if new:
            _remove_unused(folder.parent, folder)
    except OSError:  # no place to write: kernels are compiled anew in every process
        return None
    return folder


CACHE_FOLDER = _cache_folder()


def announce(room: str, coordinates: str) -> None:
    """Say, where somebody looks, that the kernels of a set of coordinates are about to be compiled."""
    said = os.environ.get("LINKWORK_PROGRESS")
    if not (said == "on" if said in ("on", "off") else sys.stderr.isatty()):
        return
    if CACHE_FOLDER is None or not any(CACHE_FOLDER.glob(f"{room}_*/{coordinates}.solve-*.nbi")):
        print("Linkwork compiles its kernels for this machine; this happens once and takes about 20 s.",
              file=sys.stderr, flush=True)


def cached(compile_, cache=True):
    """Run `compile_(cache=...)` with numba's cache pointed at our own folder."""
    before = config.CACHE_DIR
    if CACHE_FOLDER is not None:
        config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        return compile_(cache=cache and CACHE_FOLDER is not None)
    finally:
        config.CACHE_DIR = before


def kernel(signature):
    """Compile a kernel for one signature.

    What is called by address or from Python (signature RHS, or arrays) is compiled, or found in the cache, at once.
    All others are when one of those is compiled: a later start, which finds those in the cache, does not load them.
    """
    entry = signature == RHS or any(isinstance(one, types.Array) for one in signature.args)
    options = {"error_model": "numpy", "nogil": True}

    def decorate(function):
        made = cached(lambda cache: njit(*([signature] if entry else []), cache=cache, **options)(function))
        DECLARED[made] = signature
        return made

    return decorate


def compile_slot(signature, function, cache=True):
    """Compile a law or a time function to a C function; returns the object that keeps its address alive."""
    return cached(lambda cache: cfunc(signature, cache=cache, error_model="numpy")(function), cache)


def compile_inner(function):
    """Compile a user's or an element's own function for being called from a slot; its indices are checked."""
    return njit(error_model="numpy", boundscheck=True)(function)


def address_of(kernel_function) -> int:
    """Where a compiled kernel is, for `at_address` of another one."""
    compiled = kernel_function.overloads[kernel_function.signatures[0]]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


@intrinsic
def at_address(typingctx, address):
    """The kernel with the signature RHS at an address.

    A number crosses from Python to a kernel at once; a first-class function is unpickled at every call (20 us).
    """

    def generate(context, builder, signature, arguments):
        function = cgutils.create_struct_proxy(RHS_POINTER)(context, builder)
        function.jit_addr = builder.inttoptr(arguments[0], cgutils.voidptr_t)
        return function._getvalue()

    return RHS_POINTER(types.int64), generate


@intrinsic
def pointer(typingctx, array):
    """Where the numbers of an array are."""

    def generate(context, builder, signature, arguments):
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), generate


@intrinsic
def beyond(typingctx, base, count):
    """The pointer to what is `count` numbers beyond another."""

    def generate(context, builder, signature, arguments):
        return builder.gep(arguments[0], [arguments[1]])

    return base(base, types.int64), generate
